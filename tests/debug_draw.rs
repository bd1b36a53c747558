//! What debug drawing hands to Bevy's gizmos, read back from the lines it made.
#![cfg(feature = "debug_draw")]

use std::any::TypeId;

use bevy::color::LinearRgba;
use bevy::gizmos::{GizmoHandles, GizmoPlugin};
use bevy::math::Affine2;
use bevy::mesh::MeshPlugin;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_nudge::debug_draw::{
    AnswerStyle, CollisionDebugDrawPlugin, CollisionGizmos, draw_ray, draw_separation,
    draw_shape_cast,
};
use bevy_nudge::geometry::{ConcavePolygon, PlacedShape, Ray, separation, sweep};
use bevy_nudge::prelude::*;

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .add_plugins((AssetPlugin::default(), MeshPlugin, GizmoPlugin))
        .add_plugins((CollisionPlugin::default(), CollisionDebugDrawPlugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app
}

/// Makes a step and returns the drawn vertices with their colours.
fn drawn(app: &mut App) -> Vec<(Vec2, LinearRgba)> {
    app.update();
    app.update();
    lines_of::<CollisionGizmos>(app)
}

/// The vertices that a gizmo group drew in the last frame, with their colours.
fn lines_of<Group: 'static>(app: &App) -> Vec<(Vec2, LinearRgba)> {
    let world = app.world();
    let handles = world.resource::<GizmoHandles>().handles();
    let Some(Some(handle)) = handles.get(&TypeId::of::<Group>()) else {
        return Vec::new();
    };
    let asset = world.resource::<Assets<GizmoAsset>>().get(handle).expect("a live handle");
    let buffer = asset.buffer().buffer();
    let lists = buffer.list_positions.iter().zip(buffer.list_colors);
    let strips = buffer.strip_positions.iter().zip(buffer.strip_colors);
    lists
        .chain(strips)
        // Strips are kept apart by a vertex that is not a number.
        .filter(|(position, _)| position.is_finite())
        .map(|(position, color)| (position.truncate(), *color))
        .collect()
}

/// The drawn vertices of one colour.
fn drawn_in(app: &mut App, color: Color) -> Vec<Vec2> {
    let color = color.to_linear();
    drawn(app).into_iter().filter(|vertex| vertex.1 == color).map(|vertex| vertex.0).collect()
}

fn config(app: &mut App) -> Mut<'_, GizmoConfigStore> {
    app.world_mut().resource_mut::<GizmoConfigStore>()
}

fn all_off(app: &mut App) {
    let mut store = config(app);
    let gizmos = store.config_mut::<CollisionGizmos>().1;
    *gizmos = CollisionGizmos {
        outlines: false,
        pieces: false,
        normals: false,
        mtvs: false,
        contact_points: false,
        impacts: false,
        bounds: false,
        grid_cells: false,
        ..default()
    };
}

fn extremes(vertices: &[Vec2]) -> (Vec2, Vec2) {
    vertices.iter().fold((Vec2::MAX, Vec2::MIN), |(min, max), &v| (min.min(v), max.max(v)))
}

#[track_caller]
fn assert_near(actual: (Vec2, Vec2), expected: ([f32; 2], [f32; 2])) {
    let (min, max) = (Vec2::from(expected.0), Vec2::from(expected.1));
    let error = (actual.0 - min).abs().max((actual.1 - max).abs()).max_element();
    assert!(error < 1e-3, "{actual:?} is not {expected:?}");
}

/// Two circles that overlap by 5 along x, around x = 7.5.
fn spawn_overlap(app: &mut App) {
    app.world_mut().spawn((Collider::circle(10.0), Transform::from_xyz(0.0, 0.0, 3.0)));
    app.world_mut().spawn((Collider::circle(10.0), Transform::from_xyz(15.0, 0.0, 0.0)));
}

#[test]
fn each_switch_draws_its_part_and_nothing_else() {
    type Switch = fn(&mut CollisionGizmos) -> (&mut bool, Color);
    let switches: [(&str, Switch); 6] = [
        ("outlines", |gizmos| (&mut gizmos.outlines, gizmos.overlapping_color)),
        ("normals", |gizmos| (&mut gizmos.normals, gizmos.normal_color)),
        ("mtvs", |gizmos| (&mut gizmos.mtvs, gizmos.mtv_color)),
        ("contact points", |gizmos| (&mut gizmos.contact_points, gizmos.contact_point_color)),
        ("bounds", |gizmos| (&mut gizmos.bounds, gizmos.bounds_color)),
        ("grid cells", |gizmos| (&mut gizmos.grid_cells, gizmos.grid_cell_color)),
    ];
    for (name, switch) in switches {
        let mut app = app();
        spawn_overlap(&mut app);
        all_off(&mut app);
        assert_eq!(drawn(&mut app), [], "{name}: nothing while all is off");
        let color = {
            let mut store = config(&mut app);
            let (on, color) = switch(store.config_mut::<CollisionGizmos>().1);
            *on = true;
            color.to_linear()
        };
        let vertices = drawn(&mut app);
        assert!(!vertices.is_empty(), "{name}: drawn");
        assert!(vertices.iter().all(|vertex| vertex.1 == color), "{name}: only in its colour");
    }
}

#[test]
fn the_colour_of_an_outline_is_the_worst_state_of_its_contacts() {
    let mut app = app();
    let world = app.world_mut();
    // From left to right: apart; touching the next; touching one and overlapping the other; that.
    for x in [-40.0, 0.0, 10.0, 18.0] {
        world.spawn((Collider::aabb(10.0, 10.0), Transform::from_xyz(x, 0.0, 0.0)));
    }
    let colors = CollisionGizmos::default();
    let columns = |app: &mut App, color| {
        let (min, max) = extremes(&drawn_in(app, color));
        (min.x, max.x)
    };
    assert_eq!(columns(&mut app, colors.apart_color), (-45.0, -35.0));
    assert_eq!(columns(&mut app, colors.touching_color), (-5.0, 5.0));
    assert_eq!(columns(&mut app, colors.overlapping_color), (5.0, 23.0));
}

#[test]
fn the_mtv_leads_from_the_deepest_point_of_b_to_where_it_rests() {
    let mut app = app();
    spawn_overlap(&mut app);
    let color = CollisionGizmos::default().mtv_color;
    let (min, max) = extremes(&drawn_in(&mut app, color));
    assert!((min.x - 5.0).abs() < 1e-4 && (max.x - 10.0).abs() < 1e-4, "{min} {max}");

    let normal_color = CollisionGizmos::default().normal_color;
    let (min, max) = extremes(&drawn_in(&mut app, normal_color));
    // The normal goes on from the surface of A: to the right of 10 if A is the left circle, to
    // the left of 5 if it is the right one.
    assert!((min.x - 10.0).abs() < 1e-4 || (max.x - 5.0).abs() < 1e-4, "{min} {max}");
}

#[test]
fn a_touching_pair_has_a_normal_and_no_mtv() {
    let mut app = app();
    for x in [0.0, 20.0] {
        app.world_mut().spawn((Collider::circle(10.0), Transform::from_xyz(x, 0.0, 0.0)));
    }
    let colors = CollisionGizmos::default();
    assert!(!drawn_in(&mut app, colors.normal_color).is_empty());
    assert!(drawn_in(&mut app, colors.mtv_color).is_empty());
    assert!(!drawn_in(&mut app, colors.touching_color).is_empty());
}

#[test]
fn outlines_are_the_shapes_that_are_tested() {
    let quarter_turn = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let cases = [
        // A circle stays a circle, with the larger scale.
        (
            Collider::circle(10.0),
            Transform::from_scale(Vec3::new(2.0, 1.0, 1.0)),
            ([-20.0; 2], [20.0; 2]),
        ),
        // A box ignores the rotation, a rectangle turns.
        (
            Collider::aabb(40.0, 10.0),
            Transform::from_rotation(quarter_turn),
            ([-20.0, -5.0], [20.0, 5.0]),
        ),
        (
            Collider::rectangle(40.0, 10.0).expect("sound"),
            Transform::from_rotation(quarter_turn),
            ([-5.0, -20.0], [5.0, 20.0]),
        ),
        // A mirrored triangle lies on the other side.
        (
            Collider::polygon([Vec2::ZERO, Vec2::new(30.0, 0.0), Vec2::new(0.0, 10.0)])
                .expect("sound"),
            Transform::from_scale(Vec3::new(-1.0, 1.0, 1.0)),
            ([-30.0, 0.0], [0.0, 10.0]),
        ),
    ];
    for (collider, transform, expected) in cases {
        let mut app = app();
        app.world_mut().spawn((collider, transform));
        let outline = drawn_in(&mut app, CollisionGizmos::default().apart_color);
        assert_near(extremes(&outline), expected);
    }
}

/// An L of two squares' width around the origin, without its upper right quarter.
fn l_shape() -> Vec<Vec2> {
    let corners =
        [(-20.0, -20.0), (20.0, -20.0), (20.0, 0.0), (0.0, 0.0), (0.0, 20.0), (-20.0, 20.0)];
    corners.map(Vec2::from).to_vec()
}

#[test]
fn a_dented_shape_shows_its_outline_and_the_seams_between_its_pieces() {
    let mut app = app();
    app.world_mut().spawn(Collider::concave(l_shape()).expect("simple"));
    let colors = CollisionGizmos::default();
    let outline = drawn_in(&mut app, colors.apart_color);
    // Closed, so the first corner comes again at the end.
    assert_eq!(outline[..6], l_shape());
    assert_eq!(outline[6], l_shape()[0]);

    // Two pieces of four corners each; only the seam is no edge of the outline.
    let pieces = drawn_in(&mut app, colors.piece_color);
    let seams: Vec<_> = pieces.windows(2).filter(|edge| !is_side(&outline, edge)).collect();
    assert!(!seams.is_empty(), "{pieces:?}");
    for seam in seams {
        assert!(seam.contains(&Vec2::ZERO), "from the inner corner: {seam:?}");
    }

    all_off(&mut app);
    config(&mut app).config_mut::<CollisionGizmos>().1.pieces = true;
    assert!(drawn(&mut app).iter().all(|vertex| vertex.1 == colors.piece_color.to_linear()));
}

/// Whether an edge lies on an outline, or leads from one piece to the next in the list.
fn is_side(outline: &[Vec2], edge: &[Vec2]) -> bool {
    let on_side = |point: Vec2, side: &[Vec2]| {
        let (along, offset) = (side[1] - side[0], point - side[0]);
        along.perp_dot(offset).abs() < 1e-3
            && offset.dot(along) >= 0.0
            && offset.dot(along) <= along.length_squared()
    };
    outline.windows(2).any(|side| on_side(edge[0], side) && on_side(edge[1], side))
}

#[test]
fn a_hole_is_drawn_and_round_corners_are_round() {
    let mut app = app();
    let hole = [(-5.0, -5.0), (5.0, -5.0), (5.0, 5.0), (-5.0, 5.0)].map(Vec2::from);
    let square = hole.map(|corner| corner * 4.0);
    let frame = ConcavePolygon::with_holes(square, [hole]).expect("sound");
    app.world_mut().spawn(Collider::new(frame));
    let outline = drawn_in(&mut app, CollisionGizmos::default().apart_color);
    for corner in hole.into_iter().chain(square) {
        assert!(outline.contains(&corner), "{corner} in {outline:?}");
    }

    let mut app = self::app();
    let (left, right) = (Vec2::new(-10.0, 0.0), Vec2::new(10.0, 0.0));
    app.world_mut().spawn(Collider::capsule(left, right, 5.0).expect("sound"));
    let outline = drawn_in(&mut app, CollisionGizmos::default().apart_color);
    assert_near(extremes(&outline), ([-15.0, -5.0], [15.0, 5.0]));
    assert!(outline.len() > 64, "arcs of many sides");
    for point in outline {
        let middle = Vec2::new(point.x.clamp(-10.0, 10.0), 0.0);
        assert!((point.distance(middle) - 5.0).abs() < 1e-3, "{point} is 5 from the middle");
    }
}

#[test]
fn what_met_on_its_way_has_a_ring_where_it_met() {
    let mut app = app();
    let bullet = app.world_mut().spawn((Collider::circle(1.0), Swept, at(-30.0))).id();
    app.world_mut().spawn((Collider::aabb(2.0, 40.0), StaticCollider, at(0.0)));
    let color = CollisionGizmos::default().impact_color;
    assert_eq!(drawn_in(&mut app, color), []);
    *app.world_mut().get_mut::<Transform>(bullet).expect("placed") = at(30.0);
    app.update();
    let rings = lines_of::<CollisionGizmos>(&app).into_iter();
    let ring: Vec<Vec2> = rings.filter(|v| v.1 == color.to_linear()).map(|v| v.0).collect();
    let (min, max) = extremes(&ring);
    assert!((min.midpoint(max) - Vec2::new(-1.0, 0.0)).length() < 0.05, "{min} {max}");
}

fn at(x: f32) -> Transform {
    Transform::from_xyz(x, 0.0, 0.0)
}

#[derive(Default, Reflect, GizmoConfigGroup)]
struct OwnGizmos;

/// What a game draws in a group of its own, by colour: questions, then answers.
fn drawn_by<M>(draw: impl IntoSystem<(), (), M> + 'static) -> [Vec<Vec2>; 2] {
    let mut app = app();
    app.init_gizmo_group::<OwnGizmos>();
    app.world_mut().spawn((Collider::aabb(10.0, 10.0), at(50.0)));
    app.add_systems(PostUpdate, draw.after(CollisionSystems::Publish));
    for _ in 0..3 {
        app.update();
    }
    let style = AnswerStyle::default();
    let lines = lines_of::<OwnGizmos>(&app);
    [style.question_color, style.answer_color].map(|color| {
        let of_color = lines.iter().filter(|vertex| vertex.1 == color.to_linear());
        of_color.map(|vertex| vertex.0).collect()
    })
}

#[test]
fn a_ray_is_drawn_to_its_hit_with_the_normal_there_and_else_to_its_end() {
    let style = AnswerStyle::default();
    let mark = style.mark_size;
    let [question, answer] = drawn_by(|query: CollisionQuery, mut gizmos: Gizmos<OwnGizmos>| {
        let ray = Ray::new(Vec2::ZERO, Vec2::X).expect("a direction");
        let hit = query.cast_ray(&ray, &CollisionFilter::new()).map(|(_, hit)| hit);
        draw_ray(&mut gizmos, &ray, hit.as_ref(), &AnswerStyle::default());
    });
    assert!((extremes(&question).1.x - 45.0).abs() < 1e-3, "up to the hit");
    let tip = extremes(&answer).0;
    assert!((tip.x - (45.0 - mark)).abs() < 1e-3, "the normal leads back: {tip}");

    let [question, answer] = drawn_by(|mut gizmos: Gizmos<OwnGizmos>| {
        let ray = Ray::segment(Vec2::ZERO, Vec2::new(0.0, 80.0)).expect("finite");
        draw_ray(&mut gizmos, &ray, None, &AnswerStyle::default());
        // Without an end: far, and still a number.
        let endless = Ray::new(Vec2::ZERO, Vec2::Y).expect("a direction");
        draw_ray(&mut gizmos, &endless, None, &AnswerStyle::default());
    });
    assert!(question.contains(&Vec2::new(0.0, 80.0)), "{question:?}");
    assert!((extremes(&question).1.y - 1e6).abs() < 1.0);
    assert_eq!(answer, [], "nothing found");
}

#[test]
fn a_shape_cast_shows_start_way_and_impact_or_end() {
    let cast = |displacement: Vec2| {
        drawn_by(move |query: CollisionQuery, mut gizmos: Gizmos<OwnGizmos>| {
            let Some((entity, shape)) = query.iter().next() else { return };
            let others = CollisionFilter::new().excluding(entity);
            let impact = query.cast_shape(shape, displacement, &others).map(|(_, impact)| impact);
            draw_shape_cast(&mut gizmos, shape, displacement, impact.as_ref(), &default());
        })
    };
    // From the box at 45 to 55 on, into nothing.
    let [question, answer] = cast(Vec2::new(100.0, 0.0));
    assert_near(extremes(&question), ([45.0, -5.0], [155.0, 5.0]));
    assert_eq!(answer, []);
    let [question, _] = cast(Vec2::NAN);
    assert_near(extremes(&question), ([45.0, -5.0], [55.0, 5.0]));

    let [question, answer] = drawn_by(|query: CollisionQuery, mut gizmos: Gizmos<OwnGizmos>| {
        let Some((_, shape)) = query.iter().next() else { return };
        // The same box, seen from 100 to the left of it, moves there and on.
        let ball = bevy_nudge::geometry::Circle::new(Vec2::new(-50.0, 0.0), 3.0).expect("sound");
        let ball = PlacedShape::new(&ball.into(), Affine2::IDENTITY).expect("placed");
        let way = Vec2::new(200.0, 0.0);
        let impact = sweep(shape, &ball, way, TouchRule::Inclusive);
        draw_shape_cast(&mut gizmos, &ball, way, impact.as_ref(), &default());
    });
    let (min, max) = extremes(&question);
    assert!((min.x + 53.0).abs() < 1e-3 && max.x <= 45.0, "{min} {max}");
    // The ball at the impact: its right end on the box's left side.
    let reach = extremes(&answer).1.x - 45.0;
    assert!((0.0..0.25 * AnswerStyle::default().mark_size).contains(&reach), "{reach}");
}

#[test]
fn a_separation_is_the_line_between_the_nearest_points() {
    let [_, answer] = drawn_by(|query: CollisionQuery, mut gizmos: Gizmos<OwnGizmos>| {
        let Some((_, shape)) = query.iter().next() else { return };
        let point = PlacedShape::point(Vec2::new(25.0, 2.0));
        let apart = separation(&point, shape);
        draw_separation(&mut gizmos, &apart, &default());
    });
    for end in [Vec2::new(25.0, 2.0), Vec2::new(45.0, 2.0)] {
        assert!(answer.contains(&end), "{end} in {answer:?}");
    }
}

#[test]
fn colliders_that_take_no_part_are_not_drawn() {
    let mut app = app();
    app.world_mut().spawn((Collider::circle(10.0), ColliderDisabled));
    app.world_mut().spawn(Collider::circle(-1.0));
    assert_eq!(drawn(&mut app), []);
}

#[test]
fn a_despawn_after_the_step_is_no_error() {
    let mut app = app();
    spawn_overlap(&mut app);
    app.update();
    app.update();
    let colliders: Vec<Entity> =
        app.world_mut().query_filtered::<Entity, With<Collider>>().iter(app.world()).collect();
    // No step in this frame: the contact of the last one is still there.
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(0));
    app.world_mut().despawn(colliders[0]);
    app.update();
}

#[test]
fn an_app_without_gizmos_runs_on() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .add_plugins((CollisionPlugin::default(), CollisionDebugDrawPlugin));
    app.finish();
    app.cleanup();
    spawn_overlap(&mut app);
    // A game may set what is drawn in any app.
    config(&mut app).config_mut::<CollisionGizmos>().1.bounds = true;
    app.update();
    app.update();
}

#[test]
fn the_order_of_plugins_does_not_matter() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, CollisionDebugDrawPlugin, CollisionPlugin::default()));
    config(&mut app).config_mut::<CollisionGizmos>().1.outlines = false;
    app.add_plugins((TransformPlugin, AssetPlugin::default(), MeshPlugin, GizmoPlugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();
    spawn_overlap(&mut app);
    let colors = CollisionGizmos::default();
    let vertices = drawn(&mut app);
    assert!(!vertices.is_empty());
    let outline = colors.overlapping_color.to_linear();
    assert!(vertices.iter().all(|vertex| vertex.1 != outline), "settings made before are kept");
}
