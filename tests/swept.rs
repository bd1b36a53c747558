//! Fast movers meet what lies on their way.

mod common;

use bevy::prelude::*;
use bevy_nudge::geometry::Aabb;
use bevy_nudge::prelude::*;
use common::*;

/// The thin wall of these tests: x from 100 to 101.
fn wall(app: &mut App) -> Entity {
    spawn(app, (Collider::aabb(1.0, 200.0), Solid::default(), StaticCollider, at(100.5, 0.0)))
}

fn moved(app: &mut App, entity: Entity, x: f32, y: f32) -> Vec<CollisionEvent> {
    place(app, entity, x, y);
    step(app)
}

#[test]
fn a_bullet_that_crosses_a_thin_wall_starts_and_ends() {
    for rule in [TouchRule::Inclusive, TouchRule::Exclusive] {
        let mut app = app();
        settings(&mut app).touch_rule = rule;
        let wall = wall(&mut app);
        let bullet = spawn(&mut app, (Collider::circle(2.0), Swept));
        assert!(step(&mut app).is_empty());
        let events = moved(&mut app, bullet, 200.0, 0.0);
        assert_eq!(phases(&events), ["start"], "{rule:?}");
        let event = events[0];
        // It touches when its centre is at 98: 0.49 of the way of 200.
        assert!((event.time_of_impact.expect("a time") - 0.49).abs() < 1e-6);
        assert_eq!(event.normal_for(bullet), Some(Vec2::NEG_X));
        assert!(event.contact.point.distance(Vec2::new(100.0, 0.0)) < 1e-4);
        assert!(event.depth() <= 0.0, "at the impact they only touch");
        assert!(contacts(&app).between(wall, bullet).is_some());
        let events = moved(&mut app, bullet, 400.0, 0.0);
        assert_eq!(phases(&events), ["end MovedApart"], "{rule:?}");
        assert!(moved(&mut app, bullet, 401.0, 0.0).is_empty());
    }
}

#[test]
fn without_the_marker_it_is_not_met() {
    let mut app = app();
    wall(&mut app);
    let bullet = spawn(&mut app, Collider::circle(2.0));
    step(&mut app);
    assert!(moved(&mut app, bullet, 200.0, 0.0).is_empty());
}

/// Tunnelling, and sensors that never end (54).
#[test]
fn report_54_a_fast_sensor_has_one_enter_and_one_exit() {
    for (speed, swept) in [(-20.0, false), (-20.0, true), (-100.0, true), (-6000.0, true)] {
        let mut app = app();
        spawn(
            &mut app,
            (Collider::aabb_from_corners(Vec2::ONE, Vec2::new(2.0, 21.0)), StaticCollider),
        );
        let sensor = spawn(&mut app, (Collider::circle(0.1), at(7.39814, 4.0)));
        if swept {
            app.world_mut().entity_mut(sensor).insert(Swept);
        }
        step(&mut app);
        let mut log = Vec::new();
        for i in 1..=40 {
            let x = 7.39814 + speed / 60.0 * i as f32;
            for phase in phases(&moved(&mut app, sensor, x, 4.0)) {
                log.push((i, phase));
            }
        }
        log.retain(|(_, phase)| phase != "stay");
        let phases: Vec<&str> = log.iter().map(|(_, phase)| phase.as_str()).collect();
        assert_eq!(phases, ["start", "end MovedApart"], "speed {speed}: {log:?}");
        if speed > -21.0 {
            assert_eq!([log[0].0, log[1].0], [16, 20], "swept: {swept}");
        }
    }
}

#[test]
fn two_bullets_that_cross_meet_halfway() {
    let mut app = app();
    let left = spawn(&mut app, (Collider::circle(1.0), Swept, at(-50.0, 0.0)));
    let right = spawn(&mut app, (Collider::circle(1.0), Swept, at(50.0, 0.0)));
    step(&mut app);
    place(&mut app, left, 50.0, 0.0);
    let events = moved(&mut app, right, -50.0, 0.0);
    assert_eq!(phases(&events), ["start"]);
    // A gap of 98 closes by 200.
    assert!((events[0].time_of_impact.expect("a time") - 0.49).abs() < 1e-6);
    assert!(events[0].contact.point.length() < 1e-4, "{:?}", events[0].contact);
    assert_eq!(phases(&step(&mut app)), ["end MovedApart"]);
}

#[test]
fn a_target_that_steps_aside_is_missed_and_one_that_steps_in_is_met() {
    for (from, to, is_met) in [(0.0, 40.0, false), (40.0, 0.0, false), (20.0, -20.0, true)] {
        let mut app = app();
        let bullet = spawn(&mut app, (Collider::circle(1.0), Swept));
        let target = spawn(&mut app, (Collider::circle(1.0), at(50.0, from)));
        step(&mut app);
        place(&mut app, target, 50.0, to);
        let events = moved(&mut app, bullet, 100.0, 0.0);
        // Halfway the target is halfway too: at 20, 20 and 0.
        assert_eq!(events.len(), usize::from(is_met), "from {from} to {to}: {events:?}");
    }
}

/// The way of the other one counts from the first step, whether or not anything else is swept.
#[test]
fn a_new_bullet_is_met_by_what_moves_across_it() {
    for with_another in [false, true] {
        let mut app = app();
        let target = spawn(&mut app, (Collider::circle(1.0), at(50.0, 20.0)));
        if with_another {
            spawn(&mut app, (Collider::circle(1.0), Swept, at(-500.0, 0.0)));
        }
        step(&mut app);
        spawn(&mut app, (Collider::circle(1.0), Swept, at(50.0, 0.0)));
        let events = moved(&mut app, target, 50.0, -20.0);
        assert_eq!(phases(&events), ["start"], "with another: {with_another}");
        // A gap of 18 closes by 40.
        assert!((events[0].time_of_impact.expect("a time") - 0.45).abs() < 1e-6);
    }
}

#[test]
fn a_swept_solid_stops_at_the_wall() {
    for rule in [TouchRule::Inclusive, TouchRule::Exclusive] {
        let mut app = solid_app();
        settings(&mut app).touch_rule = rule;
        let wall_entity = wall(&mut app);
        // What lies behind is not met.
        spawn(&mut app, (Collider::circle(5.0), at(150.0, 0.0)));
        let bullet = spawn(&mut app, (Collider::circle(2.0), Solid::default(), Swept));
        step(&mut app);
        let events = moved(&mut app, bullet, 300.0, 0.0);
        assert_eq!(phases(&events), ["start"], "{rule:?}: {events:?}");
        assert!(events[0].involves(wall_entity));
        let x = position(&app, bullet).x;
        assert!((98.0..=98.01).contains(&x), "stopped at {x}");
        let pushes = app.world().resource::<Pushes>();
        let push = pushes.of(bullet).expect("a push");
        assert!((push.translation.x + 300.0 - x).abs() < 1e-3);
        assert_eq!(push.normals, [Vec2::NEG_X]);
        // Pressed on, it stays where it is, in contact.
        for _ in 0..20 {
            let x = position(&app, bullet).x;
            let events = moved(&mut app, bullet, x + 50.0, 0.0);
            assert_eq!(phases(&events), ["stay"], "{rule:?}: at {x}");
        }
        let x = position(&app, bullet).x;
        assert!((98.0..=98.011).contains(&x), "pressed to {x}");
    }
}

#[test]
fn a_swept_solid_at_rest_on_a_floor_slides_along_it_at_full_speed() {
    for rule in [TouchRule::Inclusive, TouchRule::Exclusive] {
        let mut app = solid_app();
        settings(&mut app).touch_rule = rule;
        for i in 0..40 {
            let tile = (Collider::aabb(16.0, 16.0), Solid::default(), StaticCollider);
            spawn(&mut app, (tile, at(16.0 * i as f32, -8.0)));
        }
        let runner =
            spawn(&mut app, (Collider::aabb(8.0, 8.0), Solid::default(), Swept, at(0.0, 30.0)));
        step(&mut app);
        // Falls fast, stops on the floor.
        moved(&mut app, runner, 0.0, -200.0);
        let landed = position(&app, runner);
        assert!((landed - Vec2::new(0.0, 4.0)).abs().max_element() < 0.011, "{landed}");
        for _ in 0..10 {
            let before = position(&app, runner);
            let events = moved(&mut app, runner, before.x + 37.3, before.y - 25.0);
            let normals = events.iter().filter(|event| !event.is_ended());
            for normal in normals.filter_map(|event| event.normal_for(runner)) {
                assert!((normal - Vec2::Y).length() < 1e-5, "{rule:?}: met a side, {normal}");
            }
            let after = position(&app, runner);
            assert!((after.x - before.x - 37.3).abs() < 1e-3, "{rule:?}: {before} {after}");
            assert!((after.y - 4.0).abs() < 0.011, "{rule:?}: {after}");
        }
    }
}

#[test]
fn a_point_never_gets_behind_a_wall_without_thickness() {
    for (offset, rule) in [
        (0.0, TouchRule::Inclusive),
        (0.0, TouchRule::Exclusive),
        (3000.0, TouchRule::Inclusive),
        (-700.0, TouchRule::Exclusive),
    ] {
        // From just short of the wall to just behind it, and far beyond.
        for by in [0.9999, 1.0, 1.002, 1.004, 1.008, 1.02, 1.5, 30.0] {
            let mut app = solid_app();
            settings(&mut app).touch_rule = rule;
            let wall = Collider::segment(Vec2::new(0.0, -4.0), Vec2::new(0.0, 4.0));
            let wall = wall.expect("a segment");
            spawn(&mut app, (wall, Solid::default(), StaticCollider, at(offset, 0.0)));
            let point = (Collider::circle(0.0), Solid::default(), Swept, at(offset - 1.0, 0.5));
            let point = spawn(&mut app, point);
            step(&mut app);
            for i in 0..20 {
                let before = position(&app, point);
                moved(&mut app, point, before.x + by, before.y + 0.01);
                let x = position(&app, point).x - offset;
                assert!(x <= 0.0, "{rule:?} at {offset}: by {by}, after {i} it is {x} behind");
                assert!(x > -0.002 || i == 0, "{rule:?} at {offset}: by {by}, held at {x}");
            }
            let y = position(&app, point).y;
            assert!((y - 0.7).abs() < 0.02, "{rule:?} at {offset}: by {by}, it slid to {y}");
        }
    }
}

#[test]
fn what_comes_after_a_stop_finds_the_solid_at_rest() {
    // A bullet is stopped by a wall at a third of its way. What passes there later, and at its place
    // of rest, meets it; what crosses the rest of the way that it would have made does not.
    let mut app = solid_app();
    let wall = (Collider::aabb(2.0, 20.0), Solid::default(), StaticCollider, at(11.0, 0.0));
    spawn(&mut app, wall);
    let bullet = spawn(&mut app, (Collider::circle(1.0), Solid::default(), Swept));
    let near = spawn(&mut app, (Collider::circle(1.0), at(9.0, 40.0)));
    let far = spawn(&mut app, (Collider::circle(1.0), at(20.0, 40.0)));
    step(&mut app);
    for mover in [near, far] {
        let x = position(&app, mover).x;
        place(&mut app, mover, x, -40.0);
    }
    let events = moved(&mut app, bullet, 27.0, 0.0);
    let with_near: Vec<_> = events.iter().filter(|event| event.involves(near)).collect();
    assert_eq!(with_near.len(), 1, "{events:?}");
    // From 40 to 2 in 80: both centres are at x = 9 then, within the allowed overlap.
    let time = with_near[0].time_of_impact.expect("a time of impact");
    assert!((time - 38.0 / 80.0).abs() < 1e-3, "at {time}");
    assert!(!events.iter().any(|event| event.involves(far)), "{events:?}");
}

#[test]
fn a_swept_solid_at_rest_hears_of_all_that_passes() {
    // The first that comes would stop it, if it moved.
    let mut app = solid_app();
    let target = spawn(&mut app, (Collider::circle(1.0), Solid::default(), Swept));
    let first = spawn(&mut app, (Collider::circle(1.0), Solid::default(), at(0.0, 10.0)));
    let second = spawn(&mut app, (Collider::circle(1.0), at(40.0, 0.0)));
    step(&mut app);
    place(&mut app, second, -40.0, 0.0);
    let events = moved(&mut app, first, 0.0, -30.0);
    assert_eq!(phases(&events), ["start", "start"], "{events:?}");
    let times = events.iter().map(|event| (event.other(target), event.time_of_impact));
    for (other, time) in times {
        let expected = if other == Some(first) { 8.0 / 40.0 } else { 38.0 / 80.0 };
        assert!((time.expect("a time") - expected).abs() < 1e-3, "{other:?}: {time:?}");
    }
}

#[test]
fn nothing_leaves_a_closed_room_however_fast() {
    let mut app = solid_app();
    for (x, y, width, height) in [
        (0.0, 50.5, 102.0, 1.0),
        (0.0, -50.5, 102.0, 1.0),
        (50.5, 0.0, 1.0, 102.0),
        (-50.5, 0.0, 1.0, 102.0),
    ] {
        let wall = (Collider::aabb(width, height), Solid::default(), StaticCollider, at(x, y));
        spawn(&mut app, wall);
    }
    let slanted = Transform::from_xyz(10.0, 5.0, 0.0).with_rotation(Quat::from_rotation_z(0.7));
    let bar = Collider::rectangle(60.0, 0.5).expect("a rectangle");
    spawn(&mut app, (bar, Solid::default(), StaticCollider, slanted));
    let balls: Vec<Entity> = (0..6)
        .map(|i| {
            let place = at(-40.0 + 3.0 * i as f32, -40.0);
            spawn(&mut app, (Collider::circle(1.0), Solid::default(), Swept, place))
        })
        .collect();
    step(&mut app);
    let mut random = noise(7);
    for i in 0..600 {
        for &ball in &balls {
            let reach = if i % 3 == 0 { 3000.0 } else { 30.0 };
            let to = position(&app, ball) + Vec2::new(random() - 0.5, random() - 0.5) * reach;
            place(&mut app, ball, to.x, to.y);
        }
        step(&mut app);
        for &ball in &balls {
            let place = position(&app, ball);
            assert!(place.abs().max_element() < 49.1, "step {i}: escaped to {place}");
        }
    }
}

#[test]
fn a_teleport_meets_nothing_on_the_way() {
    let mut app = app();
    wall(&mut app);
    let bullet = spawn(&mut app, (Collider::circle(2.0), Swept));
    step(&mut app);
    app.world_mut().entity_mut(bullet).insert(Swept);
    assert!(moved(&mut app, bullet, 200.0, 0.0).is_empty());
    // And the way back counts again.
    assert_eq!(phases(&moved(&mut app, bullet, 0.0, 0.0)), ["start"]);
}

#[test]
fn each_wall_on_the_way_has_its_own_time() {
    let mut app = app();
    let walls: Vec<Entity> = (1..=4)
        .map(|i| {
            spawn(&mut app, (Collider::aabb(1.0, 50.0), StaticCollider, at(20.0 * i as f32, 0.0)))
        })
        .collect();
    let bullet = spawn(&mut app, (Collider::circle(0.5), Swept));
    step(&mut app);
    let events = moved(&mut app, bullet, 100.0, 0.0);
    assert_eq!(events.len(), 4);
    for (i, wall) in walls.iter().enumerate() {
        let event = events.iter().find(|event| event.involves(*wall)).expect("an event");
        let expected = (20.0 * (i + 1) as f32 - 1.0) / 100.0;
        assert!((event.time_of_impact.expect("a time") - expected).abs() < 1e-6);
    }
    assert_eq!(phases(&step(&mut app)), ["end MovedApart"; 4]);
}

#[test]
fn a_bullet_that_ends_in_a_wall_goes_on_in_contact() {
    let mut app = app();
    wall(&mut app);
    let bullet = spawn(&mut app, (Collider::circle(2.0), Swept));
    step(&mut app);
    let events = moved(&mut app, bullet, 99.0, 0.0);
    assert_eq!(phases(&events), ["start"]);
    assert!((events[0].time_of_impact.expect("a time") - 98.0 / 99.0).abs() < 1e-6);
    let events = step(&mut app);
    assert_eq!(phases(&events), ["stay"]);
    assert_eq!((events[0].time_of_impact, events[0].depth()), (None, 1.0));
    assert_eq!(phases(&moved(&mut app, bullet, 0.0, 0.0)), ["end MovedApart"]);
}

#[test]
fn a_wall_that_appears_in_the_way_of_a_moving_bullet_counts_once() {
    let mut app = app();
    let bullet = spawn(&mut app, (Collider::circle(2.0), Swept, at(100.0, 0.0)));
    step(&mut app);
    wall(&mut app);
    let events = moved(&mut app, bullet, 200.0, 0.0);
    assert_eq!(phases(&events), ["start"]);
    assert_eq!(events[0].time_of_impact, Some(0.0));
    assert_eq!(phases(&step(&mut app)), ["end MovedApart"]);
}

#[test]
fn senseless_ways_are_no_panic() {
    let mut app = solid_app();
    wall(&mut app);
    let bullet = spawn(&mut app, (Collider::circle(2.0), Solid::default(), Swept));
    for x in [f32::NAN, 3e36, 0.0, -3e36, f32::INFINITY, 0.0, f32::MAX, 1.0, 200.0] {
        moved(&mut app, bullet, x, 0.0);
    }
    let place = position(&app, bullet);
    assert!(place.is_finite() && place.x < 98.1, "{place}");
}

/// A room open at the top, from x = -10 to 10, its floor at y = 0: one outline, or three boxes.
fn rooms() -> [Collider; 2] {
    let outline = [
        (-12.0, -2.0),
        (12.0, -2.0),
        (12.0, 20.0),
        (10.0, 20.0),
        (10.0, 0.0),
        (-10.0, 0.0),
        (-10.0, 20.0),
        (-12.0, 20.0),
    ];
    let boxes =
        [((-12.0, -2.0), (12.0, 0.0)), ((10.0, 0.0), (12.0, 20.0)), ((-12.0, 0.0), (-10.0, 20.0))];
    let boxes = boxes.map(|(corner, opposite)| {
        Aabb::from_corners(corner.into(), opposite.into()).expect("corners are finite").into()
    });
    [
        Collider::concave(outline.map(Vec2::from)).expect("the outline is simple"),
        Collider::compound(boxes).expect("boxes are sound"),
    ]
}

/// A pair that is in contact already has more to meet: the arms of the U on whose floor it lies.
#[test]
fn a_solid_on_the_floor_of_a_concave_room_stops_at_its_walls() {
    for rule in [TouchRule::Inclusive, TouchRule::Exclusive] {
        for (form, room) in rooms().into_iter().enumerate() {
            // Just touching, resting, a rounding deep, and in the air.
            for height in [1.0, 0.995, 1.0 - 2e-6, 3.0] {
                let mut app = solid_app();
                settings(&mut app).touch_rule = rule;
                spawn(&mut app, (room.clone(), Solid::default(), StaticCollider));
                let ball = (Collider::circle(1.0), Solid::default(), Swept, at(0.0, height));
                let ball = spawn(&mut app, ball);
                step(&mut app);
                for (x, fall) in [(50.0, 0.0), (50.0, 1.0), (-90.0, 1.0), (-90.0, 100.0)] {
                    let y = position(&app, ball).y - fall;
                    moved(&mut app, ball, x, y);
                    let place = position(&app, ball);
                    let name = format!("{rule:?}, form {form}, from {height}: at {place}");
                    let stop = 9.0_f32.copysign(x);
                    assert!((place.x - stop).abs() < 0.011, "{name}");
                    assert!(place.y > 0.989, "{name}");
                }
            }
        }
    }
}

/// At a seam a resting box is also in the side of the next tile, by less than in its top.
#[test]
fn a_swept_solid_does_not_catch_on_the_side_of_the_next_tile() {
    let tiles: Vec<(Vec2, Vec2)> = (-4..4)
        .map(|i| 4.0 * i as f32)
        .map(|x| (Vec2::new(x, -4.0), Vec2::new(x + 4.0, 0.0)))
        .collect();
    for (speed, fall) in [(0.0013, 0.0), (0.0013, 0.25), (0.2499, 0.25), (3.1, 3.0)] {
        for body in [Collider::aabb(2.0, 2.0), Collider::circle(1.0)] {
            for is_one in [false, true] {
                let mut app = solid_app();
                let fixed = (Solid::default(), StaticCollider);
                if is_one {
                    let parts = tiles.iter().map(|&(low, high)| {
                        Aabb::from_corners(low, high).expect("corners are finite").into()
                    });
                    let floor = Collider::compound(parts).expect("boxes are sound");
                    spawn(&mut app, (floor, fixed));
                } else {
                    for &(low, high) in &tiles {
                        spawn(&mut app, (Collider::aabb_from_corners(low, high), fixed));
                    }
                }
                let place = at(-1.003 - 3.0 * speed, 0.995);
                let body = spawn(&mut app, (body.clone(), Solid::default(), Swept, place));
                step(&mut app);
                for i in 0..if speed > 1.0 { 4 } else { 40 } {
                    let before = position(&app, body);
                    moved(&mut app, body, before.x + speed, before.y - fall);
                    let made = position(&app, body) - before;
                    assert!((made.x - speed).abs() < 1e-4, "{speed} {fall} step {i}: {made}");
                }
            }
        }
    }
}
