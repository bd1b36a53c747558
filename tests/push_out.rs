//! Push-out: far enough, no farther, at rest when it is done.

mod common;

use bevy::prelude::*;
use bevy_nudge::geometry::slide_all;
use bevy_nudge::prelude::*;
use common::*;

const ALLOWED: f32 = 0.01;

fn wall(app: &mut App, x: f32, y: f32, width: f32, height: f32) -> Entity {
    spawn(app, (Collider::aabb(width, height), Solid::default(), StaticCollider, at(x, y)))
}

/// The deepest overlap of two solids after a step that only looks.
fn deepest(app: &mut App) -> f32 {
    settings(app).resolution.enabled = false;
    step(app);
    settings(app).resolution.enabled = true;
    contacts(app).iter().map(|pair| pair.contact.depth).fold(0.0, f32::max)
}

#[test]
fn two_solids_share_the_push_by_their_mass() {
    for (mass_a, mass_b, share_a) in
        [(1.0, 1.0, 0.5), (1.0, 3.0, 0.75), (1.0, f32::INFINITY, 1.0), (f32::INFINITY, 2.0, 0.0)]
    {
        let mut app = solid_app();
        let a = spawn(&mut app, (Collider::circle(10.0), Solid::new(mass_a)));
        let b = spawn(&mut app, (Collider::circle(10.0), Solid::new(mass_b), at(16.0, 0.0)));
        step(&mut app);
        let (from_a, from_b) = (-position(&app, a).x, position(&app, b).x - 16.0);
        assert!((from_a - 4.0 * share_a).abs() < ALLOWED, "{mass_a} {mass_b}: A by {from_a}");
        assert!(
            (from_b - 4.0 * (1.0 - share_a)).abs() < ALLOWED,
            "{mass_a} {mass_b}: B by {from_b}"
        );
        assert!(position(&app, a).y.abs() + position(&app, b).y.abs() < 1e-6);
    }
}

#[test]
fn sensors_statics_and_senseless_masses_are_not_pushed() {
    let mut app = solid_app();
    let sensor = spawn(&mut app, Collider::circle(10.0));
    let solid = spawn(&mut app, (Collider::circle(10.0), Solid::default(), at(15.0, 0.0)));
    let senseless = spawn(&mut app, (Collider::circle(10.0), Solid::new(-1.0), at(30.0, 0.0)));
    assert_eq!(phases(&step(&mut app)), ["start", "start"]);
    for entity in [sensor, solid, senseless] {
        assert!(app.world().resource::<Pushes>().of(entity).is_none());
    }
    assert_eq!(position(&app, solid), Vec2::new(15.0, 0.0));
    // Switched off, nothing moves.
    app.world_mut().entity_mut(sensor).insert(Solid::default());
    settings(&mut app).resolution.enabled = false;
    step(&mut app);
    assert_eq!(position(&app, solid), Vec2::new(15.0, 0.0));
    settings(&mut app).resolution.enabled = true;
    step(&mut app);
    assert!(position(&app, solid).x > 17.0);
}

#[test]
fn two_tiles_push_a_box_on_their_seam_once() {
    // Tiles [0,16] and [16,32], y 0..16; a box of half size 6 sinks in by 0.1.
    for x in [16.0, 16.05, 10.05, 21.95, 9.0] {
        let mut app = solid_app();
        wall(&mut app, 8.0, 8.0, 16.0, 16.0);
        wall(&mut app, 24.0, 8.0, 16.0, 16.0);
        let mover = spawn(&mut app, (Collider::aabb(12.0, 12.0), Solid::default(), at(x, 21.9)));
        step(&mut app);
        let moved = position(&app, mover) - Vec2::new(x, 21.9);
        assert!(moved.x.abs() < 1e-5, "at {x}: moved by {moved}");
        assert!((moved.y - 0.1).abs() < ALLOWED + 1e-4, "at {x}: moved by {moved}");
        let push = app.world().resource::<Pushes>().of(mover).expect("a push");
        assert_eq!(push.normals, [Vec2::Y], "at {x}");
        assert!(push.translation.distance(moved) < 1e-4);
    }
}

#[test]
fn nothing_catches_on_a_row_of_tiles() {
    // Each side of the row, each direction along it, boxes and circles, pressed in by various
    // depths.
    for side in 0..4 {
        let frame = Vec2::from_angle(side as f32 * std::f32::consts::FRAC_PI_2);
        let frame = Vec2::new(frame.x.round(), frame.y.round());
        for shape in [Collider::aabb(12.0, 12.0), Collider::circle(6.0)] {
            for (speed, press) in [(1.0, 0.1), (7.3, 2.0), (40.0, 1.0), (-1.0, 2.0), (-7.3, 0.5)] {
                let mut app = solid_app();
                let mut random = noise(side + 1);
                let mut tiles: Vec<f32> = (0..100).map(|i| 16.0 * i as f32 - 800.0).collect();
                for i in (1..tiles.len()).rev() {
                    tiles.swap(i, (random() * (i + 1) as f32) as usize);
                }
                for along in tiles {
                    let center = frame.rotate(Vec2::new(along, -8.0));
                    wall(&mut app, center.x, center.y, 16.0, 16.0);
                }
                let start = frame.rotate(Vec2::new(-300.0_f32.copysign(speed), 6.0));
                let mover =
                    spawn(&mut app, (shape.clone(), Solid::default(), at(start.x, start.y)));
                let mut along = -300.0_f32.copysign(speed);
                for i in 0..(600.0 / speed.abs()).min(120.0) as usize {
                    let wish = frame.rotate(Vec2::new(speed, -press));
                    app.world_mut().get_mut::<Transform>(mover).unwrap().translation +=
                        wish.extend(0.0);
                    step(&mut app);
                    along += speed;
                    let place = frame.rotate(Vec2::new(1.0, 0.0)).dot(position(&app, mover));
                    let case =
                        format!("side {side}, speed {speed}, press {press}, step {i}, {shape:?}");
                    assert!((place - along).abs() < 2e-3, "{case}: at {place}, not {along}");
                    let height = frame.rotate(Vec2::Y).dot(position(&app, mover));
                    assert!((height - 6.0).abs() < 2.0 * ALLOWED, "{case}: at height {height}");
                }
            }
        }
    }
}

#[test]
fn a_resting_box_starts_once_and_never_ends() {
    for rule in [TouchRule::Inclusive, TouchRule::Exclusive] {
        let mut app = solid_app();
        settings(&mut app).touch_rule = rule;
        wall(&mut app, 0.0, -8.0, 100.0, 16.0);
        let mover = spawn(&mut app, (Collider::aabb(12.0, 12.0), Solid::default(), at(0.0, 5.5)));
        let mut events = step(&mut app);
        let mut rest = position(&app, mover);
        for i in 0..200 {
            // Gravity presses it down again in every step.
            app.world_mut().get_mut::<Transform>(mover).unwrap().translation.y -= 0.2;
            events.extend(step(&mut app));
            let moved = position(&app, mover).distance(rest);
            assert!(i < 2 || moved < 1e-3, "{rule:?}, step {i}: moved by {moved}");
            rest = position(&app, mover);
        }
        assert_eq!(events.iter().filter(|event| event.is_started()).count(), 1, "{rule:?}");
        assert_eq!(events.iter().filter(|event| event.is_ended()).count(), 0, "{rule:?}");
        // Left alone it does not move at all.
        for _ in 0..20 {
            step(&mut app);
            assert_eq!(position(&app, mover), rest, "{rule:?}");
        }
    }
}

#[test]
fn corners_hold_still() {
    for degrees in [90.0_f32, 30.0] {
        let mut app = solid_app();
        let slope = Vec2::from_angle(degrees.to_radians());
        wall(&mut app, 0.0, -50.0, 1000.0, 100.0);
        // The second wall: a rectangle whose lower right side runs along the slope.
        let outward = slope.perp();
        let center = slope * 200.0 + outward * 50.0;
        let turned = Transform::from_translation(center.extend(0.0))
            .with_rotation(Quat::from_rotation_z(degrees.to_radians()));
        spawn(
            &mut app,
            (Collider::rectangle(800.0, 100.0).unwrap(), Solid::default(), StaticCollider, turned),
        );
        let mover = spawn(&mut app, (Collider::circle(6.0), Solid::default(), at(60.0, 10.0)));
        let mut last = Vec2::ZERO;
        for i in 0..600 {
            let towards = Vec2::ZERO - position(&app, mover);
            let wish = towards.normalize_or_zero() * (80.0 / 60.0);
            app.world_mut().get_mut::<Transform>(mover).unwrap().translation += wish.extend(0.0);
            step(&mut app);
            let place = position(&app, mover);
            assert!(place.is_finite());
            if i > 100 {
                assert!(
                    place.distance(last) < 1e-3,
                    "{degrees} degrees, step {i}: {last} to {place}"
                );
            }
            last = place;
        }
        assert!(last.y > 6.0 - 2.0 * ALLOWED, "{degrees} degrees: through the floor at {last}");
    }
}

#[test]
fn a_crowd_of_200_spreads_rests_and_does_not_leak() {
    let mut app = solid_app();
    let (half, thickness) = (130.0, 10.0);
    for (x, y, width, height) in [
        (0.0, -half - 5.0, 2.0 * half + 20.0, thickness),
        (0.0, half + 5.0, 2.0 * half + 20.0, thickness),
        (-half - 5.0, 0.0, thickness, 2.0 * half + 20.0),
        (half + 5.0, 0.0, thickness, 2.0 * half + 20.0),
    ] {
        wall(&mut app, x, y, width, height);
    }
    let mut random = noise(42);
    let crowd: Vec<Entity> = (0..200)
        .map(|_| {
            let place = at(40.0 * random() - 20.0, 40.0 * random() - 20.0);
            spawn(&mut app, (Collider::circle(6.0), Solid::default(), place))
        })
        .collect();
    let mut steps = 0;
    while steps < 600 {
        step(&mut app);
        steps += 1;
        if app.world().resource::<Pushes>().iter().len() == 0 {
            break;
        }
    }
    println!("at rest after {steps} steps");
    assert!(steps < 600, "still moving after {steps} steps");
    let depth = deepest(&mut app);
    assert!(depth <= ALLOWED * 1.001, "overlap of {depth}");
    let places: Vec<Vec2> = crowd.iter().map(|&entity| position(&app, entity)).collect();
    for place in &places {
        let limit = half - 6.0 + ALLOWED * 1.01;
        assert!(place.x.abs() <= limit && place.y.abs() <= limit, "leaked to {place}");
    }
    for _ in 0..30 {
        step(&mut app);
    }
    for (entity, place) in crowd.iter().zip(&places) {
        assert_eq!(position(&app, *entity), *place, "moved at rest");
    }
}

#[test]
fn a_mover_squeezed_between_walls_stays_between_them() {
    let mut app = solid_app();
    wall(&mut app, -15.0, 0.0, 20.0, 100.0);
    wall(&mut app, 15.0, 0.0, 20.0, 100.0);
    let mover = spawn(&mut app, (Collider::circle(8.0), Solid::default(), at(1.0, 0.0)));
    for _ in 0..100 {
        step(&mut app);
        let place = position(&app, mover);
        assert!(place.is_finite() && place.x.abs() < 5.0, "{place}");
    }
}

#[test]
fn solids_at_the_same_place_part() {
    let mut app = solid_app();
    let twins: Vec<Entity> =
        (0..3).map(|_| spawn(&mut app, (Collider::circle(5.0), Solid::default()))).collect();
    for _ in 0..100 {
        step(&mut app);
    }
    assert!(twins.iter().all(|&entity| position(&app, entity).is_finite()));
    // Three at one place all part along +x, so two of them need the third to give them a turn.
    let depth = deepest(&mut app);
    assert!(depth <= ALLOWED * 1.001, "overlap of {depth}");
}

#[test]
fn the_push_is_written_in_the_parents_space() {
    let mut app = solid_app();
    let parent = spawn(
        &mut app,
        Transform {
            translation: Vec3::new(50.0, 20.0, 0.0),
            rotation: Quat::from_rotation_z(1.0),
            scale: Vec3::new(2.0, -0.5, 1.0),
        },
    );
    let child = spawn(
        &mut app,
        (Collider::rectangle(10.0, 20.0).unwrap(), Solid::default(), ChildOf(parent)),
    );
    wall(&mut app, 50.0, 10.0, 100.0, 10.0);
    for _ in 0..10 {
        step(&mut app);
    }
    let depth = deepest(&mut app);
    assert!(depth <= ALLOWED * 1.001, "overlap of {depth}");
    assert!(position(&app, child) != Vec2::ZERO);
}

#[test]
fn a_push_never_leads_into_a_wall() {
    // Two circles overlap; one stands flush against a wall, so the other makes all the way.
    let mut app = solid_app();
    wall(&mut app, -20.0, 0.0, 20.0, 100.0);
    let flush = spawn(&mut app, (Collider::circle(10.0), Solid::default()));
    let free = spawn(&mut app, (Collider::circle(10.0), Solid::default(), at(12.0, 0.0)));
    step(&mut app);
    assert!(position(&app, flush).x > -2.0 * ALLOWED, "{}", position(&app, flush));
    assert!((position(&app, free).x - 20.0).abs() < 3.0 * ALLOWED, "{}", position(&app, free));
}

#[test]
fn the_result_does_not_depend_on_the_order_of_spawning() {
    let mut random = noise(7);
    let scene: Vec<(Vec2, Collider)> = (0..30)
        .map(|i| {
            let place = Vec2::new(60.0 * random() - 30.0, 60.0 * random() - 30.0);
            let shape = match i % 3 {
                0 => Collider::circle(3.0 + 5.0 * random()),
                1 => Collider::aabb(6.0 + 6.0 * random(), 8.0),
                _ => Collider::regular_polygon(3 + i % 4, 6.0).unwrap(),
            };
            (place, shape)
        })
        .collect();
    let run = |order: &[usize]| {
        let mut app = solid_app();
        let mut entities = vec![Entity::PLACEHOLDER; scene.len()];
        for (count, &i) in order.iter().enumerate() {
            for _ in 0..count % 3 {
                spawn(&mut app, Transform::default());
            }
            let (place, shape) = &scene[i];
            entities[i] = spawn(&mut app, (shape.clone(), Solid::default(), at(place.x, place.y)));
        }
        for _ in 0..50 {
            step(&mut app);
        }
        entities.iter().map(|&entity| position(&app, entity)).collect::<Vec<_>>()
    };
    let mut order: Vec<usize> = (0..scene.len()).collect();
    let expected = run(&order);
    for _ in 0..20 {
        for i in (1..order.len()).rev() {
            order.swap(i, (random() * (i + 1) as f32) as usize);
        }
        assert_eq!(run(&order), expected, "in the order {order:?}");
    }
}

#[test]
fn the_reported_normals_stop_a_velocity() {
    let mut app = solid_app();
    wall(&mut app, 0.0, -10.0, 200.0, 20.0);
    wall(&mut app, 50.0, 0.0, 20.0, 200.0);
    let mover = spawn(&mut app, (Collider::aabb(10.0, 10.0), Solid::default(), at(36.0, 4.0)));
    step(&mut app);
    let push = app.world().resource::<Pushes>().of(mover).expect("a push");
    assert_eq!(push.normals.len(), 2, "{push:?}");
    assert!(slide_all(Vec2::new(5.0, -5.0), push.normals).length() < 1e-4);
    let away = slide_all(Vec2::new(-5.0, -5.0), push.normals);
    assert!(away.distance(Vec2::new(-5.0, 0.0)) < 1e-4, "{away}");
}

#[test]
fn a_mover_put_back_to_the_very_same_place_is_pushed_again() {
    let mut app = solid_app();
    wall(&mut app, 20.0, 0.0, 20.0, 100.0);
    let mover = spawn(&mut app, (Collider::circle(6.0), Solid::default(), at(7.0, 0.0)));
    for _ in 0..5 {
        step(&mut app);
        let x = position(&app, mover).x;
        assert!((x - 4.0).abs() < 2.0 * ALLOWED, "{x}");
        // To the bit where it was before the push.
        place(&mut app, mover, 7.0, 0.0);
    }
}
