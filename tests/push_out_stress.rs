//! Push-out where it is hard: crowds, corners, seams, squeezes, the very same place, families.

mod common;

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_nudge::geometry::Shape;
use bevy_nudge::prelude::*;
use common::*;

const ALLOWED: f32 = 0.01;

fn wall(app: &mut App, collider: Collider, transform: Transform) -> Entity {
    spawn(app, (collider, Solid::default(), StaticCollider, transform))
}

fn solid(app: &mut App, collider: Collider, x: f32, y: f32) -> Entity {
    spawn(app, (collider, Solid::default(), at(x, y)))
}

fn push_by_hand(app: &mut App, entity: Entity, by: Vec2) {
    app.world_mut().get_mut::<Transform>(entity).unwrap().translation += by.extend(0.0);
}

/// All overlaps of solids as they are now, without a step that pushes.
fn depths(app: &mut App) -> Vec<f32> {
    settings(app).resolution.enabled = false;
    step(app);
    settings(app).resolution.enabled = true;
    contacts(app).iter().map(|pair| pair.contact.depth).collect()
}

fn deepest(app: &mut App) -> f32 {
    depths(app).into_iter().fold(0.0, f32::max)
}

/// What is stored in the overlaps, as if each were a spring of stiffness 2: the sum of the squared
/// depths beyond what is allowed.
///
/// Left alone it falls in every step. Only what is squeezed between things that cannot move, and so has
/// no way out, may be pressed from one into the other; then it still is never more than at first.
fn energy(app: &mut App) -> f32 {
    depths(app).into_iter().map(|depth| (depth - ALLOWED).max(0.0).powi(2)).sum()
}

const SLOPE: f32 = 40.0;

/// Two slopes that rise from a gap of 6, and a floor under it.
fn funnel(app: &mut App) {
    let along = Vec2::from_angle(SLOPE.to_radians());
    let center = Vec2::new(3.0, 0.0) + along * 150.0 - along.perp() * 20.0;
    for side in [-1.0, 1.0] {
        let transform = at(side * center.x, center.y)
            .with_rotation(Quat::from_rotation_z(side * SLOPE.to_radians()));
        wall(app, Collider::rectangle(300.0, 40.0).unwrap(), transform);
    }
    wall(app, Collider::aabb(100.0, 40.0), at(0.0, -50.0));
}

/// How far a place is above the slopes.
fn height_above_funnel(place: Vec2) -> f32 {
    let inward = Vec2::from_angle(SLOPE.to_radians()).perp();
    inward.dot(Vec2::new(place.x.abs() - 3.0, place.y))
}

#[test]
fn two_thousand_movers_in_a_funnel_neither_leak_nor_explode() {
    let mut app = solid_app();
    settings(&mut app).persisted_events = false;
    funnel(&mut app);
    let shapes = [
        Collider::circle(1.2),
        Collider::rectangle(2.0, 1.6).unwrap(),
        Collider::regular_polygon(5, 1.2).unwrap(),
        Collider::capsule(Vec2::NEG_X * 0.5, Vec2::X * 0.5, 0.8).unwrap(),
    ];
    let movers: Vec<Entity> = (0..2000)
        .map(|i| {
            let (x, y) = (3.0 * (i % 50) as f32 - 73.5, 70.0 + 3.0 * (i / 50) as f32);
            let turn = Quat::from_rotation_z(i as f32);
            let solid = Solid::new(1.0 + (i % 5) as f32);
            spawn(&mut app, (shapes[i % 4].clone(), solid, at(x, y).with_rotation(turn)))
        })
        .collect();
    let top = 70.0 + 3.0 * 40.0;
    let check = |app: &App, step: usize| {
        for &mover in &movers {
            let place = position(app, mover);
            assert!(place.is_finite(), "step {step}: at {place}");
            assert!(place.y < top && place.y > -40.0, "step {step}: thrown out to {place}");
            assert!(
                place.y < 0.0 || height_above_funnel(place) > 0.0,
                "step {step}: through a wall at {place}"
            );
        }
    };
    for i in 0..60 {
        for &mover in &movers {
            push_by_hand(&mut app, mover, Vec2::new(0.0, -1.0));
        }
        step(&mut app);
        check(&app, i);
    }
    let pressed = app.world().resource::<Pushes>().iter().len();
    assert!(pressed > 500, "only {pressed} are pushed");
    // Left alone the crowd spreads until nothing overlaps.
    let mut last = energy(&mut app);
    let first = last;
    for i in 0..40 {
        step(&mut app);
        check(&app, 60 + i);
        let now = energy(&mut app);
        assert!(now <= last, "undriven step {i}: energy from {last} to {now}");
        last = now;
    }
    println!("energy from {first} to {last}");
    assert!(last < 0.1 * first, "energy from {first} to {last}");
}

/// Of heaps of all shapes and masses, with something immovable among them. Neither what is stored in
/// the overlaps grows, nor what a game would have that took the pushes for velocities.
#[test]
fn pushing_never_adds_energy() {
    for (seed, has_walls) in (0..40).flat_map(|seed| [(seed, false), (seed, true)]) {
        let mut random = noise(seed);
        let mut app = solid_app();
        let count = 5 + (random() * 40.0) as usize;
        let spread = 5.0 + 15.0 * random();
        let mut masses = HashMap::new();
        for i in 0..count {
            let collider = match i % 5 {
                0 => Collider::circle(1.0 + 3.0 * random()),
                1 => Collider::aabb(2.0 + 4.0 * random(), 2.0 + 4.0 * random()),
                2 => Collider::regular_polygon(3 + i % 6, 3.0).unwrap(),
                3 => Collider::capsule(Vec2::NEG_X, Vec2::X, 1.0 + random()).unwrap(),
                _ => Collider::rectangle(5.0, 1.0 + random()).unwrap(),
            };
            let place = at(spread * (random() - 0.5), spread * (random() - 0.5))
                .with_rotation(Quat::from_rotation_z(7.0 * random()));
            let mass = if has_walls && i % 11 == 7 { f32::INFINITY } else { 0.5 + 4.0 * random() };
            let entity = spawn(&mut app, (collider, place, Solid::new(mass)));
            masses.insert(entity, mass);
            if has_walls && i % 9 == 4 {
                app.world_mut().entity_mut(entity).insert(StaticCollider);
            }
        }
        let first = energy(&mut app);
        let (mut last, mut most_kinetic) = (first, 0.0);
        for i in 0..30 {
            step(&mut app);
            let pushes = app.world().resource::<Pushes>().iter();
            let kinetic: f32 =
                pushes.map(|push| masses[&push.entity] * push.translation.length_squared()).sum();
            assert!(i == 0 || kinetic <= most_kinetic, "heap {seed}, step {i}: {kinetic} kinetic");
            most_kinetic = kinetic.max(most_kinetic);
            let now = energy(&mut app);
            let most = if has_walls { first } else { last };
            assert!(now <= most, "heap {seed}, step {i}: energy {last} to {now}");
            last = now;
        }
        assert!(has_walls || last == 0.0, "heap {seed}: {last} is left");
        println!("heap {seed} of {count}: energy from {first} to {last}");
    }
}

/// Boxes and polygons too, as fast as twice their own size in a step, from both sides.
#[test]
fn corners_hold_everything_at_any_speed() {
    let shapes = [
        Collider::circle(6.0),
        Collider::aabb(12.0, 10.0),
        Collider::rectangle(12.0, 8.0).unwrap(),
        Collider::regular_polygon(5, 6.0).unwrap(),
        Collider::capsule(Vec2::NEG_X * 4.0, Vec2::X * 4.0, 4.0).unwrap(),
    ];
    for degrees in [90.0_f32, 30.0] {
        for (kind, shape) in shapes.iter().enumerate() {
            for speed in [0.5, 3.0, 20.0] {
                let case = format!("{degrees} degrees, shape {kind}, speed {speed}");
                let mut app = solid_app();
                let angle = degrees.to_radians();
                let slope = Vec2::from_angle(angle);
                wall(&mut app, Collider::aabb(1000.0, 100.0), at(0.0, -50.0));
                let center = slope * 200.0 + slope.perp() * 50.0;
                let turned = at(center.x, center.y).with_rotation(Quat::from_rotation_z(angle));
                wall(&mut app, Collider::rectangle(800.0, 100.0).unwrap(), turned);
                let mover = solid(&mut app, shape.clone(), 80.0, 12.0);
                let (mut last, mut moved) = (Vec2::ZERO, 0.0);
                for i in 0..300 {
                    let place = position(&app, mover);
                    push_by_hand(&mut app, mover, -place.normalize_or_zero() * speed);
                    step(&mut app);
                    let place = position(&app, mover);
                    assert!(place.is_finite() && place.length() < 200.0, "{case}: at {place}");
                    moved = if i < 200 { 0.0_f32 } else { place.distance(last).max(moved) };
                    last = place;
                }
                assert!(moved < 1e-2, "{case}: it does not keep still, by {moved}");
                let depth = deepest(&mut app);
                assert!(depth <= ALLOWED * 1.01, "{case}: overlap of {depth}");
                assert!(last.y > 0.0 && slope.perp().dot(last) < 0.0, "{case}: through at {last}");
            }
        }
    }
}

/// As boxes, and as polygons that are turned by a quarter.
#[test]
fn seams_of_tiles_of_any_kind_catch_nothing() {
    let quarter = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let tiles: [(Collider, Quat); 3] = [
        (Collider::aabb(16.0, 16.0), Quat::IDENTITY),
        (Collider::rectangle(16.0, 16.0).unwrap(), Quat::IDENTITY),
        (Collider::rectangle(16.0, 16.0).unwrap(), quarter),
    ];
    let movers = [
        Collider::aabb(12.0, 12.0),
        Collider::rectangle(12.0, 12.0).unwrap(),
        Collider::circle(6.0),
        Collider::capsule(Vec2::NEG_X * 3.0, Vec2::X * 3.0, 6.0).unwrap(),
        Collider::rounded_rectangle(14.0, 12.0, 2.0).unwrap(),
    ];
    let sides = [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y];
    for (tile_kind, (tile, turn)) in tiles.iter().enumerate() {
        for (kind, mover) in movers.iter().enumerate() {
            for (side, along) in sides.into_iter().enumerate() {
                for (speed, press) in [(0.3_f32, 0.1_f32), (1.7, 0.5), (9.0, 2.0), (-5.3, 1.0)] {
                    let case = format!(
                        "tiles {tile_kind}, mover {kind}, side {side}, speed {speed}, press {press}"
                    );
                    let mut app = solid_app();
                    let out = along.perp();
                    for i in -12..=12 {
                        let place = along * (16.0 * i as f32) - out * 8.0;
                        wall(&mut app, tile.clone(), at(place.x, place.y).with_rotation(*turn));
                    }
                    let start = along * (-90.0 * speed.signum()) + out * 6.0;
                    let entity = solid(&mut app, mover.clone(), start.x, start.y);
                    // The mover lies along the row.
                    app.world_mut().get_mut::<Transform>(entity).unwrap().rotation =
                        Quat::from_rotation_z(side as f32 * std::f32::consts::FRAC_PI_2);
                    let height = if kind == 0 { 6.0 } else { out.dot(start) };
                    for i in 1..=18 {
                        push_by_hand(&mut app, entity, along * speed - out * press);
                        step(&mut app);
                        let moved = position(&app, entity) - start;
                        let far = (along.dot(moved) - speed * i as f32).abs();
                        assert!(far < 5e-3, "{case}, step {i}: held back by {far}");
                        let rise = out.dot(position(&app, entity)) - height;
                        assert!(rise.abs() < 3.0 * ALLOWED, "{case}, step {i}: off by {rise}");
                    }
                }
            }
        }
    }
}

/// The gap closes to less than the mover and opens again.
#[test]
fn a_squeezed_mover_comes_out_whole() {
    let shapes = [
        Collider::circle(8.0),
        Collider::aabb(16.0, 16.0),
        Collider::regular_polygon(6, 8.0).unwrap(),
        Collider::capsule(Vec2::NEG_Y * 4.0, Vec2::Y * 4.0, 7.0).unwrap(),
    ];
    for (kind, shape) in shapes.iter().enumerate() {
        let mut app = solid_app();
        let walls = [-1.0_f32, 1.0]
            .map(|side| wall(&mut app, Collider::aabb(20.0, 200.0), at(20.0 * side, 0.0)));
        let mover = solid(&mut app, shape.clone(), 0.5, 0.0);
        let mut rest = Vec2::ZERO;
        for i in 0..120 {
            // From a room of 20 down to 8 and back, and then 20 again.
            let room = match i {
                0..40 => 20.0 - 0.3 * i as f32,
                40..80 => 8.0 + 0.3 * (i - 40) as f32,
                _ => 20.0,
            };
            for (wall, side) in walls.into_iter().zip([-1.0, 1.0]) {
                place(&mut app, wall, side * (0.5 * room + 10.0), 0.0);
            }
            step(&mut app);
            let now = position(&app, mover);
            assert!(now.is_finite() && now.length() < 8.0, "shape {kind}, step {i}: at {now}");
            if i >= 100 {
                assert!(now == rest, "shape {kind}, step {i}: moves in the open from {rest}");
            }
            rest = now;
        }
        let depth = deepest(&mut app);
        assert!(depth <= ALLOWED * 1.01, "shape {kind}: overlap of {depth}");
    }
}

#[test]
fn any_two_solids_at_the_very_same_place_part() {
    let shapes: [Shape; 6] = [
        Collider::circle(4.0).shape,
        Collider::circle(2.0).shape,
        Collider::aabb(6.0, 4.0).shape,
        Collider::rectangle(5.0, 5.0).unwrap().shape,
        Collider::regular_polygon(5, 4.0).unwrap().shape,
        Collider::capsule(Vec2::NEG_X, Vec2::X, 2.0).unwrap().shape,
    ];
    for a in &shapes {
        for b in &shapes {
            for (mass_a, mass_b) in [(1.0, 1.0), (1.0, 3.0), (1.0, f32::INFINITY)] {
                let mut app = solid_app();
                let pair = [(a, mass_a), (b, mass_b)].map(|(shape, mass)| {
                    spawn(&mut app, (Collider::new(shape.clone()), Solid::new(mass), at(7.0, -3.0)))
                });
                (0..10).for_each(|_| _ = step(&mut app));
                let case = format!("{a:?} of {mass_a} and {b:?} of {mass_b}");
                let depth = deepest(&mut app);
                assert!(depth <= ALLOWED * 1.001, "{case}: overlap of {depth}");
                for entity in pair {
                    let away = position(&app, entity).distance(Vec2::new(7.0, -3.0));
                    assert!(away < 10.0, "{case}: {away} away");
                }
                let heavy_moved = position(&app, pair[1]).distance(Vec2::new(7.0, -3.0));
                assert!(mass_b.is_finite() || heavy_moved == 0.0, "{case}: the immovable moved");
            }
        }
    }
}

/// A heap of equal ones, where every direction is a convention.
#[test]
fn a_heap_at_one_place_parts() {
    for count in [2, 3, 5, 8] {
        let mut app = solid_app();
        let heap: Vec<Entity> =
            (0..count).map(|_| solid(&mut app, Collider::aabb(4.0, 4.0), 1.0, 1.0)).collect();
        for _ in 0..200 {
            step(&mut app);
        }
        let depth = deepest(&mut app);
        assert!(depth <= ALLOWED * 1.001, "{count}: overlap of {depth}");
        for entity in heap {
            let place = position(&app, entity);
            assert!(place.distance(Vec2::ONE) < 4.0 * count as f32, "{count}: thrown to {place}");
        }
    }
}

#[test]
fn children_of_turned_scaled_and_mirrored_parents_are_pushed_out() {
    let turn = |angle: f32| Quat::from_rotation_z(angle);
    let families: [(&str, Transform, Transform); 5] = [
        ("turned", at(3.0, 4.0).with_rotation(turn(1.0)), at(2.0, 1.0)),
        ("scaled", at(3.0, 4.0).with_scale(Vec3::new(3.0, 0.4, 1.0)), at(1.0, -5.0)),
        ("mirrored", at(-2.0, 0.0).with_scale(Vec3::new(-1.0, 1.0, 1.0)), at(1.0, 1.0)),
        (
            "all of it",
            at(-2.0, 5.0).with_rotation(turn(-2.0)).with_scale(Vec3::new(-2.0, 0.5, 1.0)),
            at(1.5, 2.0).with_rotation(turn(0.7)).with_scale(Vec3::new(0.5, 2.0, 1.0)),
        ),
        (
            "tiny",
            at(0.0, 0.0).with_scale(Vec3::splat(0.01)),
            at(100.0, 50.0).with_scale(Vec3::splat(100.0)),
        ),
    ];
    for (name, grandparent, parent) in families {
        let mut app = solid_app();
        let grandparent = spawn(&mut app, grandparent);
        let parent = spawn(&mut app, (parent, ChildOf(grandparent)));
        let child = spawn(
            &mut app,
            (
                Collider::rectangle(6.0, 4.0).unwrap(),
                Solid::default(),
                at(0.5, 0.5),
                ChildOf(parent),
            ),
        );
        // In the world, from the push itself.
        let mut total = Vec2::ZERO;
        let before = world_place(&app, child);
        wall(&mut app, Collider::aabb(400.0, 20.0), at(0.0, before.y - 10.0));
        for _ in 0..20 {
            step(&mut app);
            let pushes = app.world().resource::<Pushes>();
            total += pushes.of(child).map_or(Vec2::ZERO, |push| push.translation);
            assert!(pushes.of(parent).is_none());
        }
        let moved = world_place(&app, child) - before;
        assert!(moved.distance(total) < 1e-3, "{name}: moved by {moved}, pushed by {total}");
        assert!(total.y > 0.5 && total.x.abs() < 1e-3, "{name}: pushed by {total}");
        let depth = deepest(&mut app);
        assert!(depth <= ALLOWED * 1.01, "{name}: overlap of {depth}");
    }
}

/// A solid child of a solid parent is moved by its own push only, not by that of the parent too.
#[test]
fn a_solid_child_of_a_pushed_parent_is_not_pushed_twice() {
    let mut app = solid_app();
    wall(&mut app, Collider::aabb(400.0, 20.0), at(0.0, -10.0));
    let turned = at(0.0, 4.0).with_rotation(Quat::from_rotation_z(0.5));
    let parent = spawn(&mut app, (Collider::circle(5.0), Solid::default(), turned));
    let child = spawn(
        &mut app,
        (Collider::circle(5.0), Solid::default(), at(40.0, -22.0), ChildOf(parent)),
    );
    for _ in 0..20 {
        step(&mut app);
    }
    let depth = deepest(&mut app);
    assert!(depth <= ALLOWED * 1.01, "overlap of {depth}");
    let place = world_place(&app, child);
    assert!((place.y - 5.0).abs() < 2.0 * ALLOWED, "the child is at {place}");
    assert!((position(&app, parent).y - 5.0).abs() < 2.0 * ALLOWED);
}

fn world_place(app: &App, entity: Entity) -> Vec2 {
    let own = app.world().get::<Transform>(entity).expect("a transform").compute_affine();
    let mut world = own;
    let mut next = app.world().get::<ChildOf>(entity).map(ChildOf::parent);
    while let Some(parent) = next {
        world = app.world().get::<Transform>(parent).expect("a transform").compute_affine() * world;
        next = app.world().get::<ChildOf>(parent).map(ChildOf::parent);
    }
    Vec3::from(world.translation).truncate()
}
