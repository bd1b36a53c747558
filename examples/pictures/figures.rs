//! The figures: a few shapes each, one function of the crate, and its answer.

use bevy::math::Affine2;
use bevy::prelude::*;
use bevy_nudge::debug_draw::{
    AnswerStyle, CollisionGizmos, draw_contact, draw_pieces, draw_ray, draw_separation,
    draw_shape_cast,
};
use bevy_nudge::geometry::{
    Aabb, Circle, ConcavePolygon, ConvexPolygon, PlacedShape, PointLocation, Ray, Shape,
    StartInside, TouchRule, cast_ray, contact, crossing_count, is_left_of_all_edges, locate_point,
    separation, sweep,
};

use crate::canvas::{COLOR_A, COLOR_B, Canvas, DIM_COLOR, TEXT_COLOR, WRONG_COLOR};
use crate::shared::paint::left_of_all_edges;

type Figure = fn(&mut Canvas) -> Result;

/// The names of all figures, and how they are drawn.
pub(crate) const ALL: [(&str, Figure); 6] = [
    ("contact", draw_contact_figure),
    ("separation", draw_separation_figure),
    ("point", draw_point_figure),
    ("ray", draw_ray_figure),
    ("sweep", draw_sweep_figure),
    ("push_out", draw_push_out_figure),
];

const TOUCH: TouchRule = TouchRule::Inclusive;

fn place(shape: impl Into<Shape>, x: f32, y: f32, degrees: f32) -> Result<PlacedShape> {
    let pose = Affine2::from_angle_translation(degrees.to_radians(), Vec2::new(x, y));
    Ok(PlacedShape::new(&shape.into(), pose)?)
}

fn corners<const N: usize>(corners: [(f32, f32); N]) -> [Vec2; N] {
    corners.map(Vec2::from)
}

/// A pentagon with a notch in its lower side.
fn notched_pentagon(size: f32) -> Result<ConcavePolygon> {
    let outline = corners([
        (0.0, 1.0),
        (-0.95, 0.31),
        (-0.59, -0.81),
        (-0.3, -0.81),
        (0.0, 0.15),
        (0.3, -0.81),
        (0.59, -0.81),
        (0.95, 0.31),
    ]);
    Ok(ConcavePolygon::new(outline.map(|corner| corner * size))?)
}

fn draw_contact_figure(canvas: &mut Canvas) -> Result {
    let a = place(ConvexPolygon::rectangle(Vec2::new(250.0, 150.0))?, -110.0, -25.0, 0.0)?;
    let b = place(ConvexPolygon::regular(5, 95.0)?, 45.0, -5.0, 78.0)?;
    let config = CollisionGizmos::default();
    canvas.shape(&a, COLOR_A);
    canvas.shape(&b, COLOR_B);
    canvas.label(Vec2::new(-140.0, -25.0), COLOR_A, "A");
    canvas.label(Vec2::new(70.0, -45.0), COLOR_B, "B");
    let Some(contact) = contact(&a, &b, TOUCH) else { return Ok(()) };
    canvas.ghost(&b, contact.mtv(), config.mtv_color);
    draw_contact(canvas.gizmos, &contact, &config, 70.0);

    let half = contact.mtv() * 0.5;
    let point = contact.point;
    canvas.note(Vec2::new(-120.0, 120.0), point, TEXT_COLOR, "contact point");
    let text = format!("MTV of B, depth {:.1}", contact.depth);
    canvas.note(Vec2::new(-60.0, -140.0), point - half * 0.3, config.mtv_color, &text);
    let middle = point + half + contact.normal * 40.0;
    canvas.note(Vec2::new(265.0, 110.0), middle, config.normal_color, "normal, from A to B");
    let text = "dashed: where B then is";
    canvas.label(Vec2::new(240.0, -140.0), config.mtv_color, text);
    Ok(())
}

fn draw_separation_figure(canvas: &mut Canvas) -> Result {
    let style = AnswerStyle::default();
    let a = place(notched_pentagon(130.0)?, -170.0, -15.0, 90.0)?;
    // Its tip lies in the notch.
    let capsule = ConvexPolygon::capsule(Vec2::new(-110.0, 0.0), Vec2::new(110.0, 0.0), 14.0)?;
    let b = place(capsule, 20.0, 0.0, 8.0)?;
    canvas.shape(&a, COLOR_A);
    canvas.shape(&b, COLOR_B);
    canvas.label(Vec2::new(-215.0, -15.0), COLOR_A, "A");
    canvas.label(Vec2::new(80.0, 8.0), COLOR_B, "B");
    let apart = separation(&a, &b);
    draw_separation(canvas.gizmos, &apart, &style);
    let middle = apart.point_a.midpoint(apart.point_b);
    let text = format!("distance {:.1}", apart.distance);
    canvas.note(Vec2::new(150.0, 70.0), middle, style.answer_color, &text);
    canvas.note(Vec2::new(60.0, 130.0), apart.point_a, TEXT_COLOR, "nearest point of A");
    canvas.note(Vec2::new(130.0, -110.0), apart.point_b, TEXT_COLOR, "nearest point of B");
    Ok(())
}

fn draw_point_figure(canvas: &mut Canvas) -> Result {
    type Test = fn(&[Vec2], Vec2) -> bool;
    let counted: Test = |outline, at| crossing_count(outline, at) % 2 == 1;
    let halves: [(f32, &str, Test); 2] = [
        (-180.0, "crossing count: odd is inside", counted),
        (180.0, "convex test: left of all edges", is_left_of_all_edges),
    ];
    for (x, title, test) in halves {
        let shape = place(notched_pentagon(140.0)?, x, -20.0, 0.0)?;
        let outline = &shape.outlines(64)[0];
        canvas.tint(&left_of_all_edges(outline), DIM_COLOR);
        canvas.shape(&shape, COLOR_A);
        canvas.label(Vec2::new(x, 165.0), TEXT_COLOR, title);
        let (mut wrong, mut all) = (0, 0);
        for row in 0..16 {
            for column in 0..18 {
                // Off the axis of the shape, on which corners lie.
                let at =
                    Vec2::new(x, 0.0) + Vec2::new(column as f32 - 8.5, row as f32 - 8.5) * 16.0;
                let location = locate_point(&shape, at, TOUCH);
                if location == PointLocation::Boundary {
                    continue;
                }
                let (is_inside, exact) = (test(outline, at), location == PointLocation::Inside);
                let color = match (is_inside == exact, is_inside) {
                    (false, _) => WRONG_COLOR,
                    (true, true) => AnswerStyle::default().answer_color,
                    (true, false) => Color::srgb(0.32, 0.35, 0.42),
                };
                wrong += usize::from(is_inside != exact);
                all += usize::from(exact);
                canvas.dot(at, color);
            }
        }
        let color = if wrong == 0 { AnswerStyle::default().answer_color } else { WRONG_COLOR };
        let text = format!("wrong for {wrong} of {all} points inside");
        canvas.label(Vec2::new(x, -170.0), color, &text);
    }
    Ok(())
}

fn draw_ray_figure(canvas: &mut Canvas) -> Result {
    let style = AnswerStyle { mark_size: 40.0, ..default() };
    let u = corners([
        (-100.0, -90.0),
        (100.0, -90.0),
        (100.0, 90.0),
        (55.0, 90.0),
        (55.0, -40.0),
        (-55.0, -40.0),
        (-55.0, 90.0),
        (-100.0, 90.0),
    ]);
    let u = place(ConcavePolygon::new(u)?, 140.0, -60.0, 0.0)?;
    let circle = place(Circle::new(Vec2::ZERO, 55.0)?, -150.0, -75.0, 0.0)?;
    let shapes = [&u, &circle];
    shapes.iter().for_each(|shape| canvas.shape(shape, COLOR_A));

    let first = |ray: &Ray| {
        let hits = shapes.iter().filter_map(|shape| cast_ray(shape, ray, TOUCH));
        hits.min_by(|a, b| a.distance.total_cmp(&b.distance))
    };
    let eye = Vec2::new(-330.0, 130.0);
    let over_the_wall = Ray::new(eye, Vec2::new(415.0, -88.0))?;
    let at_the_circle = Ray::new(eye, Vec2::new(165.0, -165.0))?;
    let past_all = Ray::new(eye, Vec2::new(600.0, 20.0))?.with_length(620.0);
    let from_inside = Ray::new(circle.origin() + Vec2::new(-10.0, -12.0), Vec2::new(1.0, -0.35))?
        .with_start_inside(StartInside::FirstExit);
    for ray in [over_the_wall, at_the_circle, past_all, from_inside] {
        draw_ray(canvas.gizmos, &ray, first(&ray).as_ref(), &style);
    }
    if let Some(hit) = first(&over_the_wall) {
        let text = format!("hit after {:.1}", hit.distance);
        canvas.note(Vec2::new(250.0, 90.0), hit.point, style.answer_color, &text);
    }
    if let Some(hit) = first(&at_the_circle) {
        canvas.note(Vec2::new(-275.0, -30.0), hit.point, style.answer_color, "hit and normal");
    }
    if let Some(hit) = first(&from_inside) {
        let text = "starts inside: first exit";
        canvas.note(Vec2::new(-130.0, -160.0), hit.point, style.answer_color, text);
    }
    canvas.label(Vec2::new(190.0, 165.0), style.question_color, "hits nothing: drawn to its end");
    Ok(())
}

fn draw_sweep_figure(canvas: &mut Canvas) -> Result {
    let style = AnswerStyle { mark_size: 45.0, ..default() };
    let arrow_head = corners([
        (-60.0, -150.0),
        (110.0, -150.0),
        (110.0, 150.0),
        (-60.0, 150.0),
        (20.0, 20.0),
        (20.0, -60.0),
    ]);
    let a = place(ConcavePolygon::new(arrow_head)?, 200.0, -5.0, 0.0)?;
    let capsule = ConvexPolygon::capsule(Vec2::new(-32.0, 0.0), Vec2::new(32.0, 0.0), 24.0)?;
    let b = place(capsule, -270.0, 70.0, 35.0)?;
    let displacement = Vec2::new(560.0, -80.0);
    canvas.shape(&a, COLOR_A);
    canvas.label(Vec2::new(285.0, 115.0), COLOR_A, "A");
    canvas.label(b.origin(), style.question_color, "B");
    let impact = sweep(&a, &b, displacement, TOUCH);
    draw_shape_cast(canvas.gizmos, &b, displacement, impact.as_ref(), &style);
    canvas.ghost(&b, displacement, DIM_COLOR);
    canvas.arrow(Vec2::new(-180.0, 150.0), Vec2::new(-120.0, 141.4), style.question_color);
    canvas.label(Vec2::new(-255.0, 153.0), style.question_color, "displacement");
    if let Some(impact) = impact {
        let text = format!("time of impact {:.3}", impact.time);
        canvas.note(Vec2::new(20.0, -130.0), impact.point, style.answer_color, &text);
    }
    canvas.note(Vec2::new(-160.0, -130.0), Vec2::new(-60.0, 10.0), style.question_color, "the way");
    let end = b.origin() + displacement;
    canvas.note(Vec2::new(245.0, -118.0), end - Vec2::Y * 30.0, DIM_COLOR, "end of the way");
    Ok(())
}

fn draw_push_out_figure(canvas: &mut Canvas) -> Result {
    let config = CollisionGizmos::default();
    let l = corners([
        (-170.0, -160.0),
        (190.0, -160.0),
        (190.0, -10.0),
        (-20.0, -10.0),
        (-20.0, 160.0),
        (-170.0, 160.0),
    ]);
    let l = place(ConcavePolygon::new(l)?, -160.0, 0.0, 0.0)?;
    let b = place(Aabb::from_half_size(Vec2::ZERO, Vec2::splat(45.0))?, -195.0, -25.0, 0.0)?;
    draw_pieces(canvas.gizmos, &l, Color::srgb(0.3, 0.42, 0.58));
    canvas.shape(&l, COLOR_A);
    canvas.shape(&b, COLOR_B);
    canvas.label(Vec2::new(-290.0, 120.0), COLOR_A, "A");
    canvas.label(b.origin() - Vec2::splat(28.0), COLOR_B, "B");
    for piece in l.pieces() {
        if let Some(contact) = contact(&piece, &b, TOUCH) {
            canvas.arrow(b.origin(), b.origin() + contact.mtv(), WRONG_COLOR);
            canvas.ghost(&b, contact.mtv(), WRONG_COLOR);
        }
    }
    if let Some(contact) = contact(&l, &b, TOUCH) {
        canvas.arrow(b.origin(), b.origin() + contact.mtv(), config.mtv_color);
        canvas.ghost(&b, contact.mtv(), config.mtv_color);
        let text = format!("MTV out of the whole, {:.1}", contact.depth);
        let end = b.origin() + contact.mtv() + Vec2::splat(45.0);
        canvas.note(Vec2::new(150.0, 140.0), end, config.mtv_color, &text);
    }
    let text = "out of one piece: into the other";
    canvas.label(Vec2::new(205.0, 85.0), WRONG_COLOR, text);
    canvas.label(Vec2::new(205.0, 50.0), DIM_COLOR, "thin line: the seam of the pieces");
    Ok(())
}
