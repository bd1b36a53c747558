//! One test for each bug that was found, named after what a user saw.

mod common;

use bevy::ecs::entity_disabling::Disabled;
use bevy::math::Affine2;
use bevy::prelude::*;
use bevy_nudge::CollisionStats;
use bevy_nudge::geometry::{
    Aabb, Circle, Compound, CompoundPart, ConcavePolygon, ConvexPolygon, PlacedShape, Ray,
    Relation, Shape, Touch, cast_ray, contact, separation, sweep,
};
use bevy_nudge::prelude::*;
use common::*;

fn tiles(app: &mut App) {
    for i in 0..40 {
        let place = at(16.0 * i as f32 + 8.0, 8.0);
        spawn(app, (Collider::aabb(16.0, 16.0), Solid::default(), StaticCollider, place));
    }
}

#[test]
fn a_circle_is_not_missed_at_an_edge_made_of_several_in_line() {
    // The lower edge of the wall is divided in three; rounding bends it a little.
    let side = Vec2::new(86.0, 52.0);
    let mut points: Vec<Vec2> = (0..4).map(|i| side * (i as f32 / 3.0)).collect();
    points.extend([side + side.perp() * 0.5, side.perp() * 0.5]);
    let polygon = ConvexPolygon::new(points).unwrap();
    for turn in 0..60 {
        let turn = Mat2::from_angle(turn as f32 * 0.1);
        let pose = bevy::math::Affine2::from_mat2_translation(turn, Vec2::ZERO);
        let wall = PlacedShape::new(&polygon.clone().into(), pose).unwrap();
        for t in 1..40 {
            let center = turn * (side * (t as f32 / 40.0) - side.perp().normalize() * 1.5);
            let circle: Shape = bevy::math::primitives::Circle::new(2.0).into();
            let circle =
                PlacedShape::new(&circle, bevy::math::Affine2::from_translation(center)).unwrap();
            let found = contact(&wall, &circle, TouchRule::Inclusive).expect("a contact");
            assert!((found.depth - 0.5).abs() < 1e-4, "at {t}: {found:?}");
            assert!((separation(&wall, &circle).distance + 0.5).abs() < 1e-4, "at {t}");
        }
    }
}

#[test]
fn a_narrow_walker_sunk_deep_into_a_row_of_tiles_comes_up_again() {
    let cases = [
        ((2.0, 12.0), (16.0, 19.5), (16.0, 22.0)),
        ((2.0, 12.0), (16.0, 20.5), (16.0, 22.0)),
        ((12.0, 12.0), (16.0, 15.0), (16.0, 22.0)),
    ];
    for ((width, height), (x, y), (right_x, right_y)) in cases {
        let mut app = solid_app();
        tiles(&mut app);
        let walker = spawn(&mut app, (Collider::aabb(width, height), Solid::default(), at(x, y)));
        step(&mut app);
        let place = position(&app, walker);
        assert!(place.distance(Vec2::new(right_x, right_y)) < 0.02, "from {x} {y}: at {place}");
    }
    for (width, walk, sink) in [(2.0, 0.5, 2.0), (2.0, 0.5, 1.2), (4.0, 1.0, 3.0), (8.0, 1.0, 5.0)]
    {
        let mut app = solid_app();
        tiles(&mut app);
        let walker =
            spawn(&mut app, (Collider::aabb(width, 12.0), Solid::default(), at(100.0, 22.0)));
        for i in 1..=100 {
            let mut transform = app.world_mut().get_mut::<Transform>(walker).unwrap();
            transform.translation += Vec3::new(walk, -sink, 0.0);
            step(&mut app);
            let place = position(&app, walker);
            let right = Vec2::new(100.0 + walk * i as f32, 22.0);
            assert!(place.distance(right) < 0.02, "{width} wide, step {i}: {place}, not {right}");
        }
    }
}

#[test]
fn a_squeezed_body_rests_and_leaves_the_rest_of_the_world_alone() {
    let mut app = solid_app();
    for (x, _) in [(-15.0, 0), (15.0, 0)] {
        let wall = (Collider::aabb(20.0, 100.0), Solid::default(), StaticCollider, at(x, 0.0));
        spawn(&mut app, wall);
    }
    let squeezed = spawn(&mut app, (Collider::circle(8.0), Solid::default(), at(1.0, 0.0)));
    let far = spawn(&mut app, (Collider::circle(4.0), Solid::default(), at(5000.0, 0.0)));
    settings(&mut app).resolution.passes = u32::MAX;
    for _ in 0..20 {
        step(&mut app);
    }
    let place = position(&app, squeezed);
    step(&mut app);
    assert_eq!(position(&app, squeezed), place);
    assert_eq!(position(&app, far), Vec2::new(5000.0, 0.0));
}

#[test]
fn sizes_near_the_end_of_single_precision_give_no_infinity() {
    let mut app = solid_app();
    for x in [0.0, 0.1, 1e30, -1e36, 9e36] {
        for radius in [1e30, 9e36, 3e38] {
            let giants = CollisionLayers::new(1, 1);
            spawn(&mut app, (Collider::circle(radius), Solid::default(), at(x, x), giants));
            spawn(&mut app, (Collider::aabb(radius, radius), at(x, -x), giants));
        }
    }
    let pair = [-500.0, -501.0].map(|x| {
        spawn(
            &mut app,
            (Collider::circle(4.0), Solid::default(), at(x, 0.0), CollisionLayers::new(2, 2)),
        )
    });
    for _ in 0..3 {
        for event in step(&mut app) {
            let contact = event.contact;
            let numbers =
                [contact.depth, contact.mtv().x, contact.mtv().y, contact.point.x, contact.point.y];
            assert!(numbers.iter().all(|number| number.is_finite()), "{event:?}");
        }
    }
    assert!(
        position(&app, pair[0]).distance(position(&app, pair[1])) > 7.9,
        "pushed apart like any pair"
    );
}

#[test]
fn a_tiny_mass_is_pushed_and_stays_a_number() {
    let mut app = solid_app();
    let light = spawn(&mut app, (Collider::circle(10.0), Solid::new(1e-40)));
    let heavy = spawn(&mut app, (Collider::circle(10.0), Solid::new(1.0), at(16.0, 0.0)));
    for _ in 0..3 {
        step(&mut app);
    }
    assert!((position(&app, light).x + 4.0).abs() < 0.02, "{}", position(&app, light));
    place(&mut app, heavy, 5000.0, 0.0);
    assert_eq!(phases(&step(&mut app)), ["end MovedApart"]);
}

#[test]
fn a_circle_of_parents_and_a_deep_tree_do_not_crash() {
    let mut app = solid_app();
    let a = spawn(&mut app, (Collider::circle(1.0), Solid::default()));
    let b = spawn(&mut app, (Transform::default(), ChildOf(a)));
    app.world_mut().entity_mut(a).insert(ChildOf(b));
    let mut parent = spawn(&mut app, Transform::default());
    for _ in 0..20_000 {
        parent = spawn(&mut app, (Transform::default(), ChildOf(parent)));
    }
    app.world_mut().entity_mut(parent).insert((Collider::circle(1.0), Solid::default()));
    // Bevy's own propagation is not made for a circle either, so only the step runs.
    app.world_mut().run_schedule(FixedPostUpdate);
    assert_eq!(app.world().resource::<bevy_nudge::CollisionStats>().invalid_colliders, 2);
}

#[test]
fn a_solid_child_of_a_solid_parent_is_pushed_once() {
    let mut app = solid_app();
    let floor = (Collider::aabb(200.0, 20.0), Solid::default(), StaticCollider, at(0.0, -10.0));
    spawn(&mut app, floor);
    let parent = spawn(&mut app, (Collider::aabb(10.0, 10.0), Solid::default(), at(0.0, 4.0)));
    let child = spawn(
        &mut app,
        (Collider::aabb(10.0, 10.0), Solid::default(), at(30.0, 0.0), ChildOf(parent)),
    );
    step(&mut app);
    assert!((position(&app, parent).y - 4.991).abs() < 1e-3, "{}", position(&app, parent));
    assert!(position(&app, child).y.abs() < 1e-4, "{}", position(&app, child));
}

#[test]
fn a_shared_centre_keeps_its_normal_from_step_to_step() {
    let shapes = [
        [Collider::circle(5.0), Collider::circle(8.0)],
        [Collider::aabb(10.0, 10.0), Collider::aabb(16.0, 16.0)],
        [Collider::rectangle(10.0, 10.0).unwrap(), Collider::rectangle(16.0, 16.0).unwrap()],
    ];
    for small_first in [true, false] {
        for mut pair in shapes.clone() {
            let mut app = app();
            if !small_first {
                pair.swap(0, 1);
            }
            let parent = spawn(&mut app, at(0.0, 0.0));
            let [a, b] = pair.map(|collider| spawn(&mut app, (collider, ChildOf(parent))));
            for _ in 0..10 {
                spawn(&mut app, (Collider::circle(8.0), at(900.0, 900.0)));
            }
            for x in 0..60 {
                place(&mut app, parent, x as f32, 0.0);
                step(&mut app);
                let normal = contacts(&app).between(a, b).unwrap().contact.normal;
                assert_eq!(normal, Vec2::X, "at {x}");
            }
        }
    }
}

#[test]
fn coincident_solids_part_alike_in_any_order_of_spawning() {
    let run = |small_first: bool| {
        let mut app = solid_app();
        let small = (Collider::circle(5.0), Solid::new(1.0));
        let big = (Collider::circle(8.0), Solid::new(3.0));
        let [small, big] = if small_first {
            [spawn(&mut app, small), spawn(&mut app, big)]
        } else {
            let big = spawn(&mut app, big);
            [spawn(&mut app, small), big]
        };
        for _ in 0..5 {
            step(&mut app);
        }
        (position(&app, small), position(&app, big))
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn the_point_of_a_corner_on_a_corner_is_that_corner() {
    let place = |shape: Shape| PlacedShape::new(&shape, bevy::math::Affine2::IDENTITY).unwrap();
    let triangle = |points: [(f32, f32); 3]| {
        let [a, b, c] = points.map(Vec2::from);
        place(ConvexPolygon::triangle(a, b, c).unwrap().into())
    };
    let aabb = |a: (f32, f32), b: (f32, f32)| {
        place(Aabb::from_corners(a.into(), b.into()).unwrap().into())
    };
    let apex = triangle([(0.0, 0.0), (10.0, 0.0), (2.0, 9.0)]);
    let found = contact(&apex, &aabb((2.0, 9.0), (2.5, 9.25)), TouchRule::Inclusive).unwrap();
    assert!(found.point.distance(Vec2::new(2.0, 9.0)) < 1e-5, "{found:?}");

    let slanted = triangle([
        (1.568_089_5, 2.348_173_1),
        (11.099_278, 2.348_173_1),
        (3.348_292_4, 11.100_762),
    ]);
    let bar = aabb((1.919_945_7, 7.382_693), (6.930_613_5, 7.976_323_6));
    let found = contact(&slanted, &bar, TouchRule::Inclusive).unwrap();
    for shape in [&slanted, &bar] {
        let away = separation(shape, &PlacedShape::point(found.point)).distance;
        assert!(away < 1e-5, "{found:?} is {away} outside");
    }
}

#[test]
fn a_box_rests_on_a_huge_floor_and_with_any_tolerance() {
    for (floor, tolerance) in [(1e3, 0.0), (4e4, 0.0), (1e6, 0.0), (1e3, 0.05), (1e3, 0.5)] {
        for rule in [TouchRule::Inclusive, TouchRule::Exclusive] {
            let mut app = solid_app();
            settings(&mut app).touch_rule = rule;
            settings(&mut app).touch_tolerance = tolerance;
            let wall =
                (Collider::aabb(floor, 100.0), Solid::default(), StaticCollider, at(0.0, -50.0));
            spawn(&mut app, wall);
            spawn(&mut app, (Collider::aabb(10.0, 10.0), Solid::default(), at(0.0, 4.0)));
            let events: Vec<_> = (0..10).flat_map(|_| step(&mut app)).collect();
            let started = events.iter().filter(|event| event.is_started()).count();
            let ended = events.iter().filter(|event| event.is_ended()).count();
            assert_eq!(
                (started, ended),
                (1, 0),
                "floor of {floor}, tolerance {tolerance}, {rule:?}"
            );
        }
    }
}

#[test]
fn a_disabled_entity_hears_the_end_of_its_contacts() {
    #[derive(Resource, Default)]
    struct Heard(Vec<Entity>);
    let mut app = app();
    app.init_resource::<Heard>();
    app.add_observer(|ended: On<CollisionEnded>, mut heard: ResMut<Heard>| {
        heard.0.push(ended.entity);
    });
    let [a, b] = [0.0, 15.0]
        .map(|x| spawn(&mut app, (Collider::circle(10.0), CollisionEventsEnabled, at(x, 0.0))));
    step(&mut app);
    app.world_mut().entity_mut(b).insert(Disabled);
    step(&mut app);
    let mut heard = app.world().resource::<Heard>().0.clone();
    heard.sort_unstable();
    let mut expected = [a, b];
    expected.sort_unstable();
    assert_eq!(heard, expected);
}

#[test]
fn a_single_step_asked_for_right_after_resuming_is_taken() {
    let mut app = app();
    settings(&mut app).stepping.single_step();
    step(&mut app);
    let before = app.world().resource::<bevy_nudge::CollisionStats>().steps;
    settings(&mut app).stepping.resume();
    settings(&mut app).stepping.single_step();
    for _ in 0..3 {
        step(&mut app);
    }
    assert_eq!(app.world().resource::<bevy_nudge::CollisionStats>().steps, before + 1);
}

#[test]
fn one_collider_of_cosmic_size_does_not_crowd_the_grid() {
    let mut app = app();
    for i in 0..400 {
        spawn(
            &mut app,
            (Collider::circle(4.0), at(10.0 * (i % 20) as f32, 10.0 * (i / 20) as f32)),
        );
    }
    let giant = spawn(&mut app, Collider::aabb(1e15, 1e15));
    assert_eq!(step(&mut app).len(), 400);
    let stats = app.world().resource::<bevy_nudge::CollisionStats>();
    assert!(stats.cell_size < 20.0, "cells of {}", stats.cell_size);
    assert_eq!(contacts(&app).of(giant).count(), 400);
}

#[test]
fn the_point_of_a_dot_in_a_circle_is_that_dot() {
    let place = |center: Vec2, radius: f32| {
        let circle = bevy_nudge::geometry::Circle::new(center, radius).unwrap();
        PlacedShape::new(&circle.into(), bevy::math::Affine2::IDENTITY).unwrap()
    };
    let circle = place(Vec2::new(2.0, 2.5), 2.5);
    for i in 0..500 {
        // All around the centre, near it and far.
        let dot = Vec2::new(2.0, 2.5) + Vec2::from_angle(i as f32) * (0.004 * (i + 1) as f32);
        let found = contact(&circle, &place(dot, 0.0), TouchRule::Inclusive).unwrap();
        assert!(found.point.distance(dot) < 2e-6, "{i}: {found:?}");
    }
}

#[test]
fn an_end_tells_the_layers_and_solidity_of_the_contact_that_ended() {
    let mut app = app();
    let coin = CollisionLayers::new(4, 4);
    let a = spawn(&mut app, (Collider::circle(10.0), Solid::default(), coin));
    let b = spawn(&mut app, (Collider::circle(10.0), at(15.0, 0.0)));
    step(&mut app);
    app.world_mut().entity_mut(a).remove::<Solid>().insert(CollisionLayers::NONE);
    app.world_mut().entity_mut(b).insert(Solid::default());
    let events = step(&mut app);
    assert_eq!(phases(&events), ["end LayersChanged"]);
    for side in [events[0].a, events[0].b] {
        let expected = if side.entity == a { coin } else { CollisionLayers::ALL };
        assert_eq!((side.layers, side.is_sensor), (expected, side.entity == b));
    }
}

#[test]
fn a_collider_taken_off_with_all_it_requires_and_put_on_elsewhere_has_moved_apart() {
    let mut app = app();
    let a = spawn(&mut app, Collider::circle(10.0));
    let b = spawn(&mut app, (Collider::circle(10.0), at(15.0, 0.0)));
    for entity in [a, b] {
        app.world_mut().entity_mut(entity).insert(Collider::circle(10.0));
        step(&mut app);
        let transform = *app.world().get::<Transform>(entity).unwrap();
        app.world_mut().entity_mut(entity).remove_with_requires::<Collider>();
        app.world_mut().entity_mut(entity).insert((Collider::circle(1.0), transform));
        assert_eq!(phases(&step(&mut app)), ["end MovedApart"]);
        app.world_mut().entity_mut(entity).insert(Collider::circle(10.0));
        step(&mut app);
        app.world_mut().entity_mut(entity).remove_with_requires::<Collider>();
        app.world_mut().entity_mut(entity).insert((Collider::circle(-1.0), transform));
        assert_eq!(phases(&step(&mut app)), ["end BecameInvalid"]);
        app.world_mut().entity_mut(entity).insert(Collider::circle(10.0));
    }
}

#[test]
fn the_point_of_a_circle_on_a_sharp_tip_is_the_tip() {
    let place = |shape: Shape, x: f32, y: f32| {
        let pose = bevy::math::Affine2::from_translation(Vec2::new(x, y));
        PlacedShape::new(&shape, pose).unwrap()
    };
    let circle = bevy_nudge::geometry::Circle::new(Vec2::ZERO, 0.5).unwrap();
    let circle = place(circle.into(), 2.0, -0.5);
    for width in [0.5, 0.05, 0.01] {
        let needle =
            ConvexPolygon::triangle(Vec2::ZERO, Vec2::new(0.0, 6.0), Vec2::new(width, 6.0));
        let needle = place(needle.unwrap().into(), 2.0, 0.0);
        let found = contact(&circle, &needle, TouchRule::Inclusive).unwrap();
        assert!(found.point.distance(Vec2::new(2.0, 0.0)) < 1e-6, "{width}: {found:?}");
    }
}

#[test]
fn a_box_that_exactly_fills_the_slot_of_a_compound_only_touches() {
    let aabb = |x: f32, y: f32, width: f32, height: f32| {
        Aabb::from_size(Vec2::new(x, y), Vec2::new(width, height)).unwrap()
    };
    // Two bars with a slot of height 2 between them.
    let bars = [aabb(0.0, 2.0, 10.0, 2.0).into(), aabb(0.0, -2.0, 10.0, 2.0).into()];
    let slot = Collider::new(bevy_nudge::geometry::Compound::new(bars).unwrap());
    for (rule, expected) in [(TouchRule::Inclusive, 1), (TouchRule::Exclusive, 0)] {
        let mut app = solid_app();
        settings(&mut app).touch_rule = rule;
        spawn(&mut app, (slot.clone(), Solid::default(), StaticCollider));
        let filler = spawn(&mut app, (Collider::aabb(3.0, 2.0), Solid::default(), at(1.0, 0.0)));
        let events = step(&mut app);
        assert_eq!(events.len(), expected, "{rule:?}: {events:?}");
        assert!(events.iter().all(|event| event.depth() == 0.0), "{rule:?}: {events:?}");
        assert_eq!(position(&app, filler), Vec2::new(1.0, 0.0), "{rule:?}");
    }
}

#[test]
fn a_concave_shape_in_place_of_a_compound_is_not_rounded() {
    use bevy_nudge::geometry::{Circle, Compound, CompoundPart, ConcavePolygon};
    let dot = |x: f32| CompoundPart::from(Circle::new(Vec2::new(x, 0.0), 2.0).unwrap());
    let mut app = app();
    let round = Collider::new(Compound::new([dot(-1.0), dot(1.0)]).unwrap());
    let a = spawn(&mut app, round);
    // Half a unit above the L that the compound becomes.
    spawn(&mut app, (Collider::aabb(1.0, 1.0), at(-0.25, 1.5)));
    assert_eq!(phases(&step(&mut app)), ["start"]);
    app.world_mut().entity_mut(a).insert(Collider::new(ConcavePolygon::default()));
    assert_eq!(phases(&step(&mut app)), ["end MovedApart"]);
}

/// A box as wide as a slot fits in: it only touches, and it is pushed back in from beside.
#[test]
fn a_box_is_pushed_into_the_slot_of_a_concave_shape_that_fits_exactly() {
    let outline = [
        (-3.0, -3.0),
        (3.0, -3.0),
        (3.0, 3.0),
        (1.0, 3.0),
        (1.0, -1.0),
        (-1.0, -1.0),
        (-1.0, 3.0),
        (-3.0, 3.0),
    ];
    let slot = ConcavePolygon::new(outline.map(Vec2::from)).unwrap();
    let slot = PlacedShape::new(&slot.into(), Affine2::IDENTITY).unwrap();
    let shapes: [Shape; 2] = [
        Aabb::from_half_size(Vec2::ZERO, Vec2::new(1.0, 0.5)).unwrap().into(),
        Circle::new(Vec2::ZERO, 1.0).unwrap().into(),
    ];
    for (shape, bottom) in shapes.into_iter().zip([-0.5, 0.0]) {
        let placed = |x: f32, y: f32| {
            PlacedShape::new(&shape, Affine2::from_translation(Vec2::new(x, y))).unwrap()
        };
        let pressed = contact(&slot, &placed(0.125, 1.0), TouchRule::Exclusive).unwrap();
        assert_eq!(pressed.mtv(), Vec2::new(-0.125, 0.0), "not out of the slot");
        // The contact and the sweep agree about what lies in it.
        let inside = placed(0.0, 1.0);
        assert_eq!(contact(&slot, &inside, TouchRule::Exclusive), None);
        let down = Vec2::new(0.0, -10.0);
        let landing = sweep(&slot, &inside, down, TouchRule::Exclusive).unwrap();
        assert_eq!((landing.start, landing.normal), (Relation::Touching, Vec2::Y));
        assert!((landing.time - (1.0 - bottom) / 10.0).abs() < 1e-6, "{landing:?}");
        assert_eq!(sweep(&slot, &inside, -down, TouchRule::Exclusive), None);
    }
}

/// Two boxes side by side, from x = -2 to 2 and y = -1 to 1.
fn two_boxes() -> PlacedShape {
    let half = |x: f32| Aabb::from_corners(Vec2::new(x, -1.0), Vec2::new(x + 2.0, 1.0)).unwrap();
    let both = Compound::new([half(-2.0).into(), half(0.0).into()]).unwrap();
    PlacedShape::new(&both.into(), Affine2::IDENTITY).unwrap()
}

#[test]
fn what_is_thinner_than_the_tolerance_is_deep_inside_on_a_seam() {
    let small: [Shape; 3] = [
        Circle::new(Vec2::ZERO, 1e-8).unwrap().into(),
        Aabb::from_half_size(Vec2::ZERO, Vec2::splat(1e-8)).unwrap().into(),
        ConvexPolygon::capsule(Vec2::NEG_X * 1e-8, Vec2::X * 1e-8, 1e-8).unwrap().into(),
    ];
    for shape in small {
        let placed = PlacedShape::new(&shape, Affine2::IDENTITY).unwrap();
        for rule in [TouchRule::Inclusive, TouchRule::Exclusive] {
            let contact = contact(&two_boxes(), &placed, rule).expect("deep inside");
            assert!((contact.depth - 1.0).abs() < 1e-6, "{shape:?}: {contact:?}");
        }
    }
}

#[test]
fn the_normal_at_the_end_of_a_seam_is_that_of_the_side() {
    let both = two_boxes();
    for (y, normal) in [(1.0, Vec2::Y), (-1.0, Vec2::NEG_Y)] {
        for to in [Vec2::new(0.0, y), Vec2::new(5.0, y), Vec2::new(-5.0, y), Vec2::ZERO] {
            let ray = Ray::segment(Vec2::new(0.0, y), to).unwrap();
            let hit = cast_ray(&both, &ray, TouchRule::Inclusive).expect("starts on the side");
            assert_eq!(hit.normal, normal, "to {to}");
        }
        let ray = Ray::segment(Vec2::new(0.0, 3.0 * y), Vec2::ZERO).unwrap();
        assert_eq!(cast_ray(&both, &ray, TouchRule::Inclusive).map(|hit| hit.normal), Some(normal));
    }
}

#[test]
fn a_ray_along_the_wall_of_a_slot_hits_its_floor_alone_when_touching_does_not_count() {
    for (bottom, top) in [(-10.0, 3.0), (-3.0, 30.0)] {
        let span = |left: f32, right: f32, top: f32| {
            Aabb::from_corners(Vec2::new(left, bottom), Vec2::new(right, top)).unwrap().into()
        };
        let slot = [span(-3.0, -1.0, top), span(1.0, 3.0, top), span(-1.0, 1.0, -1.0)];
        let slot = Compound::new(slot).unwrap();
        let slot = PlacedShape::new(&slot.into(), Affine2::IDENTITY).unwrap();
        let ray = Ray::segment(Vec2::new(1.0, 50.0), Vec2::new(1.0, -50.0)).unwrap();
        let hit = cast_ray(&slot, &ray, TouchRule::Exclusive).expect("the floor");
        assert_eq!((hit.distance, hit.normal), (51.0, Vec2::Y));
    }
}

/// Placing rounds the corners: then a seam is open, or overlaps, by the last bit.
#[test]
fn a_ray_along_a_seam_enters_however_the_shape_is_turned() {
    let rectangle = ConvexPolygon::rectangle(Vec2::new(2.0, 2.0)).unwrap();
    let halves = [-1.0, 1.0].map(|x| CompoundPart::at(rectangle.clone(), Vec2::new(x, 0.0)));
    let both = Shape::from(Compound::new(halves).unwrap());
    for i in 0..500 {
        let pose = Affine2::from_angle_translation(0.0137 * i as f32, Vec2::new(0.3, 0.7));
        let placed = PlacedShape::new(&both, pose).unwrap();
        let at = |y: f32| pose.transform_point2(Vec2::new(0.0, y));
        let ray = Ray::segment(at(3.0), at(-3.0)).unwrap();
        let up = pose.transform_vector2(Vec2::Y);
        for rule in [TouchRule::Inclusive, TouchRule::Exclusive] {
            let hit = cast_ray(&placed, &ray, rule).unwrap_or_else(|| panic!("{rule:?}, turn {i}"));
            assert!((hit.distance - 2.0).abs() < 1e-4, "{rule:?}, turn {i}: {hit:?}");
            assert!(hit.normal.distance(up) < 1e-4, "{rule:?}, turn {i}: {hit:?} for {up}");
        }
    }
}

/// Found by fuzzing: shapes in contact from the start, and an infinite way.
#[test]
fn an_endless_way_counts_as_none_and_gives_a_place() {
    use bevy_nudge::geometry::{ConvexPolygon, PlacedShape, TouchRule, sweep};
    let square = ConvexPolygon::rectangle(Vec2::splat(2.0)).unwrap().into();
    let at =
        |x: f32| PlacedShape::new(&square, Affine2::from_translation(Vec2::new(x, 0.0))).unwrap();
    for (x, y) in [(f32::INFINITY, 0.0), (0.0, f32::NEG_INFINITY), (f32::NAN, 1.0)] {
        // In both orders of their places.
        for other in [1.5, -1.5] {
            let impact = sweep(&at(0.0), &at(other), Vec2::new(x, y), TouchRule::Inclusive);
            let impact = impact.expect("they overlap");
            assert!(impact.point.is_finite() && impact.time == 0.0, "{impact:?}");
        }
    }
}

/// Found by fuzzing: a corner of a huge outline so fine that single precision sees a point.
#[test]
fn a_detail_of_a_huge_outline_that_rounds_to_a_point_is_left_out() {
    let placed = |fine: f32| {
        // A long wedge, with a square at its thin end.
        let corners = [
            Vec2::ZERO,
            Vec2::splat(1e9),
            Vec2::new(0.0, 4.0 * fine),
            Vec2::new(-2.0 * fine, 4.0 * fine),
            Vec2::new(-2.0 * fine, 3.0 * fine),
            Vec2::new(0.0, 3.0 * fine),
        ];
        let outline = ConcavePolygon::new(corners).expect("a sound outline");
        PlacedShape::new(&outline.into(), Affine2::IDENTITY).expect("it has a place")
    };
    let circle = PlacedShape::new(
        &Circle { center: Vec2::new(5e8, 4e8), radius: 1e7 }.into(),
        Affine2::IDENTITY,
    )
    .unwrap();
    for fine in [1e7, 1e3, 1.0, 1e-3] {
        let apart = separation(&placed(fine), &circle);
        assert!(apart.distance.is_finite() && apart.normal.is_finite(), "{fine}: {apart:?}");
        // From the lower side of the wedge, at any size of the square.
        assert!((apart.distance - 6.0711e7).abs() < 1e5, "{fine}: {apart:?}");
    }
}

/// Found by fuzzing: a push of a child, in the space of a parent that is scaled to almost nothing.
#[test]
fn a_child_of_a_vanishing_parent_keeps_a_finite_transform() {
    let mut app = solid_app();
    let tiny = Transform::from_scale(Vec3::new(1e-38, 1e-38, 1.0));
    let parent = spawn(&mut app, tiny);
    let large = Transform::from_scale(Vec3::new(1e38, 1e38, 1.0));
    let child = spawn(&mut app, (Collider::circle(1.0), Solid::default(), large, ChildOf(parent)));
    let wall = (Collider::aabb(900.0, 900.0), Solid::default(), StaticCollider);
    spawn(&mut app, (wall, at(300.0, 0.0)));
    for _ in 0..5 {
        step(&mut app);
        let transform = app.world().get::<Transform>(child).unwrap();
        assert!(transform.translation.is_finite(), "{transform:?}");
    }
}

#[test]
fn a_polygon_that_rounding_made_flat_is_not_met_far_along_its_line() {
    // Found by fuzzing: its normals were all across it, so nothing parted it from what lies on its line.
    let flat = Affine2::from_cols(Vec2::new(1.0, -0.0625), Vec2::new(0.0, 1e-7), Vec2::ZERO);
    let polygon = Collider::rectangle(136.0, 2.0).expect("a rectangle").shape;
    let polygon = PlacedShape::new(&polygon, flat).expect("flat, but not singular");
    for far in [1e3, 1e6, 1e30] {
        let place = Affine2::from_translation(Vec2::new(far, -0.0625 * far));
        let circle =
            PlacedShape::new(&Circle::new(Vec2::ZERO, 40.0).unwrap().into(), place).unwrap();
        assert!(contact(&polygon, &circle, TouchRule::Inclusive).is_none(), "{far} along its line");
    }
    let near = Affine2::from_translation(Vec2::new(100.0, -6.25));
    let circle = PlacedShape::new(&Circle::new(Vec2::ZERO, 40.0).unwrap().into(), near).unwrap();
    assert!(contact(&polygon, &circle, TouchRule::Inclusive).is_some());
}

/// Found by fuzzing scene files: z plays no part, whatever it is.
#[test]
fn a_solid_whose_z_is_no_number_is_pushed_all_the_same() {
    for z in [f32::NAN, f32::NEG_INFINITY, 1e38] {
        let mut app = solid_app();
        let wall = (Collider::aabb(20.0, 20.0), Solid::default(), StaticCollider);
        spawn(&mut app, wall);
        let place = Transform::from_xyz(0.0, 12.0, z);
        let ball = spawn(&mut app, (Collider::circle(4.0), Solid::default(), place));
        step(&mut app);
        assert!((position(&app, ball).y - 14.0).abs() < 0.011, "z {z}: {}", position(&app, ball));
        let transform = app.world().get::<Transform>(ball).unwrap();
        assert_eq!(transform.translation.z.to_bits(), z.to_bits());
    }
}

/// Found by the model: while the only mover was gone, the tables of static colliders were counted anew,
/// and taken up again with older counts when another mover came.
#[test]
fn a_static_collider_is_counted_as_it_is_when_the_last_mover_goes_and_another_comes() {
    let mut app = app();
    let mover = spawn(&mut app, (Collider::circle(1.0), at(50.0, 0.0)));
    let broken = Transform::from_xyz(f32::NAN, 0.0, 0.0);
    let wall = spawn(&mut app, (Collider::circle(1.0), StaticCollider, broken));
    step(&mut app);
    app.world_mut().despawn(mover);
    app.world_mut().entity_mut(wall).insert(at(0.0, 0.0));
    step(&mut app);
    spawn(&mut app, (Collider::circle(1.0), at(50.0, 0.0)));
    step(&mut app);
    let stats = app.world().resource::<CollisionStats>();
    let counts = (stats.colliders, stats.static_colliders, stats.invalid_colliders);
    assert_eq!(counts, (2, 1, 0));
}

/// Found by the model: where the line brushes past, the normal is across it up to rounding, and was turned
/// round in half of the directions.
#[test]
fn a_point_that_passes_the_end_of_a_segment_within_the_tolerance_is_met_on_its_side() {
    let flat = Aabb::from_half_size(Vec2::new(1.5, 0.0), Vec2::new(1.5, 0.0)).unwrap();
    let flat = PlacedShape::new(&flat.into(), Affine2::IDENTITY).unwrap();
    let touch = Touch { rule: TouchRule::Inclusive, slop: 0.25 };
    for i in 0..200 {
        // Around the left half of the end at the origin.
        let outward = Vec2::from_angle(1.6 + 3.08 * i as f32 / 200.0);
        for way in [outward.perp(), -outward.perp()] {
            let start = outward * 0.2 - way * 3.0;
            let point = Circle::new(Vec2::ZERO, 0.0).unwrap();
            let point = PlacedShape::new(&point.into(), Affine2::from_translation(start)).unwrap();
            let impact = sweep(&flat, &point, way * 6.0, touch).expect("it passes near by");
            assert!(impact.normal.dot(outward) > 0.99, "{outward}: {impact:?}");
            assert!((impact.time - 0.5).abs() < 0.01, "{outward}: {impact:?}");
        }
    }
}
