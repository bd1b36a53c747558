//! What a tester found: walls that a swept solid got through.

#![allow(missing_docs, reason = "a test")]

mod common;

use bevy::prelude::*;
use bevy_nudge::geometry::{Aabb, Circle, CompoundPart, ConvexPolygon, Shape};
use bevy_nudge::prelude::*;
use common::{at, place, position, settings, solid_app, spawn, step};

fn aabb(corner: (f32, f32), opposite: (f32, f32)) -> Shape {
    Aabb::from_corners(corner.into(), opposite.into()).expect("a box").into()
}

fn segment(a: (f32, f32), b: (f32, f32)) -> Shape {
    ConvexPolygon::segment(a.into(), b.into()).expect("a segment").into()
}

fn circle(radius: f32) -> Shape {
    Circle::new(Vec2::ZERO, radius).expect("a circle").into()
}

fn walls(shapes: impl IntoIterator<Item = Shape>, as_one: bool) -> App {
    let mut app = solid_app();
    let shapes = shapes.into_iter();
    let colliders: Vec<Collider> = if as_one {
        vec![Collider::compound(shapes.map(CompoundPart::from)).expect("parts")]
    } else {
        shapes.map(Collider::new).collect()
    };
    for collider in colliders {
        spawn(&mut app, (collider, Solid::default(), StaticCollider));
    }
    app
}

fn mover(app: &mut App, shape: Shape, x: f32, y: f32) -> Entity {
    let mover = spawn(app, (Collider::new(shape), Solid::default(), Swept, at(x, y)));
    step(app);
    mover
}

fn go(app: &mut App, mover: Entity, x: f32, y: f32) -> Vec2 {
    let to = position(app, mover) + Vec2::new(x, y);
    place(app, mover, to.x, to.y);
    step(app);
    position(app, mover)
}

#[test]
fn sliding_along_a_ceiling_does_not_lead_through_the_floor() {
    for as_one in [false, true] {
        for passes in [0, 1, 4] {
            let floor = segment((-100.0, 0.0), (100.0, 0.0));
            let mut app = walls([floor, segment((-10.0, 10.0), (10.0, -10.0))], as_one);
            settings(&mut app).resolution.passes = passes;
            let ball = mover(&mut app, circle(1.0), -2.405, 0.995);
            let end = go(&mut app, ball, 10.0, 1.0);
            assert!(end.y > 0.9, "as one: {as_one}, {passes} passes: {end}");
        }
    }
}

#[test]
fn grazing_the_floor_of_a_compound_does_not_lead_through_its_upright() {
    for as_one in [false, true] {
        let floor = aabb((-100.0, -1.0), (100.0, 0.0));
        let mut app = walls([floor, aabb((10.0, -1.0), (10.2, 20.0))], as_one);
        let ball = mover(&mut app, circle(1.0), 0.0, 1.0044);
        let end = go(&mut app, ball, 20.0, -0.01);
        assert!((end.x - 9.005).abs() < 0.01, "as one: {as_one}: {end}");
    }
}

#[test]
fn another_part_nearby_does_not_open_a_thin_wall() {
    for as_one in [false, true] {
        let upright = segment((0.0, -50.0), (0.0, 50.0));
        let mut app = walls([upright, segment((-50.0, 0.0), (50.0, 0.0))], as_one);
        let point = mover(&mut app, circle(0.0), -1.0, 0.003);
        go(&mut app, point, 1.008, 0.0);
        let end = go(&mut app, point, 30.0, 3.0);
        assert!(end.x <= 0.0, "as one: {as_one}: {end}");
    }
}

#[test]
fn what_is_as_thick_as_the_allowed_overlap_holds_on_both_sides() {
    for side in [1.0, -1.0] {
        let mut app = walls([aabb((59.7, -50.0), (60.3, 50.0))], false);
        settings(&mut app).resolution.allowed_overlap = 1.0;
        let block = mover(&mut app, aabb((-0.2, -1.0), (0.2, 1.0)), 60.0 - 60.0 * side, 0.0);
        for _ in 0..3 {
            let end = (go(&mut app, block, 80.0 * side, 0.0).x - 60.0) * side;
            assert!(end < 0.0, "from side {side}: {end} behind the middle");
        }

        let bar = ConvexPolygon::capsule(Vec2::Y * -50.0, Vec2::Y * 50.0, 0.004);
        let mut app = walls([bar.expect("a capsule").into()], false);
        let ball = mover(&mut app, circle(0.001), -20.0 * side, 0.0);
        for by in [47.6, 13.0, 0.01] {
            let end = go(&mut app, ball, by * side, 0.0).x * side;
            assert!(end < 0.0, "from side {side}: {end} behind the middle");
        }
    }
}

#[test]
fn creeping_along_a_thin_wall_does_not_lead_through_it() {
    for (radius, thickness) in [(0.004, 0.0), (0.001, 0.004), (0.0, 0.002), (0.006, 0.0)] {
        for step in [(0.2, 0.001), (3.0, 0.001), (3.0, 0.01), (0.0, 0.001)] {
            let bar = if thickness == 0.0 {
                segment((-200.0, 0.0), (200.0, 0.0))
            } else {
                aabb((-200.0, -0.5 * thickness), (200.0, 0.5 * thickness))
            };
            let mut app = walls([bar], false);
            let ball = mover(&mut app, circle(radius), -60.0, -0.014);
            for _ in 0..30 {
                go(&mut app, ball, step.0, step.1);
            }
            let end = go(&mut app, ball, 0.0, 5.0);
            assert!(end.y < 0.001, "radius {radius}, thickness {thickness}, by {step:?}: {end}");
        }
    }
}

#[test]
fn a_point_is_held_at_a_line_where_touching_is_no_contact() {
    for arrival in [-1e-5, 0.0, 1e-5, 2e-5, 4e-5] {
        let mut app = walls([segment((-100.0, 0.0), (100.0, 0.0))], false);
        settings(&mut app).touch_rule = TouchRule::Exclusive;
        let point = mover(&mut app, circle(0.0), 0.0, -2.0);
        go(&mut app, point, 0.0, 2.0 + arrival);
        for by in [0.001, 0.01, 5.0] {
            let end = go(&mut app, point, 0.0, by);
            assert!(end.y <= 0.0, "arrived at {arrival}, by {by}: {end}");
        }
    }
}

#[test]
fn a_swept_solid_is_pushed_in_the_step_in_which_something_moves_into_it() {
    let mut app = solid_app();
    let press = (Collider::aabb(4.0, 20.0), Solid::new(f32::INFINITY));
    let press = spawn(&mut app, press);
    let ball = mover(&mut app, circle(0.5), 2.6, 0.0);
    place(&mut app, press, 0.5, 0.0);
    step(&mut app);
    let x = position(&app, ball).x;
    assert!((x - 3.0).abs() < 0.02, "{x}");
}
