//! Moving, sliding, tunnelling.

use bevy::math::Affine2;
use bevy::prelude::*;
use bevy_nudge::geometry::{Aabb, Circle, PlacedShape, Relation, sweep};
use bevy_nudge::prelude::*;

use crate::common::*;

const ALLOWED: f32 = 0.01;

/// A static solid box between two corners.
fn wall(app: &mut App, (x0, y0): (f32, f32), (x1, y1): (f32, f32)) -> Entity {
    let place = at(0.5 * (x0 + x1), 0.5 * (y0 + y1));
    spawn(app, (Collider::aabb(x1 - x0, y1 - y0), Solid::default(), StaticCollider, place))
}

fn mover(app: &mut App, collider: Collider, x: f32, y: f32) -> Entity {
    spawn(app, (collider, Solid::default(), at(x, y)))
}

fn walk(app: &mut App, entity: Entity, x: f32, y: f32) -> Vec<CollisionEvent> {
    app.world_mut().get_mut::<Transform>(entity).unwrap().translation += Vec3::new(x, y, 0.0);
    step(app)
}

#[test]
fn report_39_pushed_apart_and_still_overlapping() {
    for collider in [Collider::aabb(10.0, 10.0), Collider::rectangle(10.0, 10.0).unwrap()] {
        let mut app = solid_app();
        settings(&mut app).touch_rule = TouchRule::Exclusive;
        settings(&mut app).resolution.allowed_overlap = 0.0;
        mover(&mut app, collider.clone(), 0.0, 0.0);
        mover(&mut app, collider, 7.0, 2.0);
        assert_eq!(phases(&step(&mut app)), ["start"]);
        for i in 0..10 {
            step(&mut app);
            let depth = contacts(&app).iter().map(|pair| pair.contact.depth).fold(0.0, f32::max);
            assert!(depth < 1e-5, "step {i}: overlap of {depth}");
        }
    }
}

#[test]
fn report_52_a_corner_that_is_not_met() {
    let mut app = solid_app();
    settings(&mut app).touch_rule = TouchRule::Exclusive;
    // Corner to corner at (16, -32), then up and to the left, along the wall's side.
    wall(&mut app, (16.0, -32.0), (48.0, 0.0));
    let moved = mover(&mut app, Collider::aabb(16.0, 16.0), 8.0, -40.0);
    assert!(step(&mut app).is_empty());
    for i in 1..=40 {
        assert!(walk(&mut app, moved, -0.25, 1.0).is_empty(), "step {i}");
        let right = Vec2::new(8.0 - 0.25 * i as f32, -40.0 + i as f32);
        assert_eq!(position(&app, moved), right, "step {i}");
    }
}

#[test]
fn report_52_starting_inside_a_box() {
    let mut app = solid_app();
    wall(&mut app, (-100.0, -20.0), (100.0, 0.0));
    // 3 deep.
    let moved = mover(&mut app, Collider::aabb(12.0, 12.0), 0.0, 3.0);
    for i in 1..=50 {
        walk(&mut app, moved, 1.0, 0.0);
        let place = position(&app, moved);
        assert!((place.x - i as f32).abs() < 1e-4, "step {i}: {place}");
        assert!((place.y - 6.0).abs() < 2.0 * ALLOWED, "step {i}: {place}");
    }
}

#[test]
fn report_52_falling_flush_beside_tiles() {
    for rule in [TouchRule::Inclusive, TouchRule::Exclusive] {
        for (left, size) in [(0.0_f32, 16.0_f32), (3.3, 16.0), (0.1, 0.7), (1000.1, 32.0)] {
            let mut app = solid_app();
            settings(&mut app).touch_rule = rule;
            for i in 0..20 {
                let bottom = size * i as f32;
                wall(&mut app, (left - size, bottom), (left, bottom + size));
            }
            // Sides flush to the bit, or as near to it as the numbers allow.
            let x = left + 0.375 * size;
            let faller = mover(&mut app, Collider::aabb(0.75 * size, 0.75 * size), x, 18.3 * size);
            for i in 1..=100 {
                let before = position(&app, faller);
                let fall = 0.15 * size;
                walk(&mut app, faller, 0.0, -fall);
                let place = position(&app, faller);
                assert_eq!(place, before - Vec2::new(0.0, fall), "{rule:?}, {size}, step {i}");
            }
        }
    }
}

#[test]
fn report_53_tile_seams_push_sideways() {
    for quarter in 0..4 {
        let turn = [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y][quarter];
        for collider in [Collider::aabb(12.0, 12.0), Collider::circle(6.0)] {
            for (speed, press) in [(1.0, 0.1), (7.3, 2.0), (40.0, 1.0), (-7.3, 0.5)] {
                let mut app = solid_app();
                for i in 0..60 {
                    let center = turn.rotate(Vec2::new(16.0 * i as f32 - 480.0, -8.0));
                    let half = Vec2::splat(8.0);
                    wall(&mut app, (center - half).into(), (center + half).into());
                }
                let start = turn.rotate(Vec2::new(-300.0_f32.copysign(speed), 6.0));
                let moved = mover(&mut app, collider.clone(), start.x, start.y);
                let mut pushes = 0;
                for i in 0..(600.0 / f32::abs(speed)).min(80.0) as usize {
                    let wish = turn.rotate(Vec2::new(speed, -press));
                    walk(&mut app, moved, wish.x, wish.y);
                    let Some(push) = app.world().resource::<Pushes>().of(moved) else { continue };
                    pushes += 1;
                    for normal in push.normals {
                        let away = normal.distance(turn.rotate(Vec2::Y));
                        assert!(away < 1e-3, "side {quarter}, {speed}, step {i}: {push:?}");
                    }
                }
                assert!(pushes > 5, "{pushes}");
            }
        }
    }
}

#[test]
fn report_54_a_fast_sensor_that_never_ends() {
    let mut app = app();
    spawn(&mut app, (Collider::aabb(1.0, 20.0), StaticCollider, at(1.5, 11.0)));
    let sensor = spawn(&mut app, (Collider::circle(0.1), at(7.398_14, 4.0)));
    for i in 1..=30 {
        let phases = phases(&walk(&mut app, sensor, -20.0 / 60.0, 0.0));
        match i {
            16 => assert_eq!(phases, ["start"]),
            17..=19 => assert_eq!(phases, ["stay"]),
            20 => assert_eq!(phases, ["end MovedApart"]),
            _ => assert!(phases.is_empty(), "step {i}"),
        }
    }
}

#[test]
fn report_54_a_thing_faster_than_a_wall_is_thick() {
    let place = |aabb: Aabb| PlacedShape::new(&aabb.into(), Affine2::IDENTITY).unwrap();
    let circle = |x: f32, y: f32, radius: f32| {
        let circle = Circle::new(Vec2::new(x, y), radius).unwrap();
        PlacedShape::new(&circle.into(), Affine2::IDENTITY).unwrap()
    };
    let bar = place(Aabb::from_half_size(Vec2::ZERO, Vec2::new(62.5, 5.0)).unwrap());
    let ball = circle(0.0, 15.0, 4.0);
    let impact = sweep(&bar, &ball, Vec2::new(0.0, -30.0), TouchRule::Inclusive).unwrap();
    assert_eq!((impact.time, impact.normal, impact.start), (0.2, Vec2::Y, Relation::Separated));

    // 100 a second, 60 steps a second: it never stands in the wall, and one step passes it.
    let wall = place(Aabb::from_corners(Vec2::new(1.0, 1.0), Vec2::new(2.0, 21.0)).unwrap());
    let mut hits = Vec::new();
    for i in 0..10 {
        let x = 7.398_14 - i as f32 * (100.0 / 60.0);
        let way = Vec2::new(-100.0 / 60.0, 0.0);
        hits.extend(sweep(&wall, &circle(x, 4.0, 0.1), way, TouchRule::Inclusive).map(|_| i));
    }
    assert!(!hits.is_empty() && hits.windows(2).all(|pair| pair[1] == pair[0] + 1), "{hits:?}");
}

#[test]
fn report_56_the_mirrored_world_is_pushed_otherwise() {
    let run = |mirror: Vec2| {
        let mut app = solid_app();
        let mut random = noise(56);
        let entities: Vec<Entity> = (0..30)
            .map(|i| {
                let place = Vec2::new(60.0 * random() - 30.0, 60.0 * random() - 30.0) * mirror;
                let collider = match i % 3 {
                    0 => Collider::circle(3.0 + 5.0 * random()),
                    1 => Collider::aabb(6.0 + 6.0 * random(), 8.0),
                    _ => Collider::regular_polygon(3 + i % 4, 6.0).unwrap(),
                };
                let transform = at(place.x, place.y).with_scale(mirror.extend(1.0));
                spawn(&mut app, (collider, Solid::default(), transform))
            })
            .collect();
        for _ in 0..50 {
            step(&mut app);
        }
        entities.iter().map(|&entity| position(&app, entity) * mirror).collect::<Vec<_>>()
    };
    let expected = run(Vec2::ONE);
    for mirror in [Vec2::new(-1.0, 1.0), Vec2::new(1.0, -1.0), Vec2::NEG_ONE] {
        for (i, (got, expected)) in run(mirror).iter().zip(&expected).enumerate() {
            let away = got.distance(*expected);
            assert!(away < 1e-4, "{mirror}: {i} is {away} from the mirror image");
        }
    }
}
