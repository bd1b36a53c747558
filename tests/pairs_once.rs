//! No pair is lost or found twice, and pairs that cannot matter are not looked at.

mod common;

use bevy::prelude::*;
use bevy_nudge::prelude::*;
use bevy_nudge::{CollisionStats, ContactPair};
use common::*;

fn stats(app: &App) -> CollisionStats {
    app.world().resource::<CollisionStats>().clone()
}

#[test]
fn static_tiles_are_never_paired_with_each_other() {
    for tiles_per_side in [10, 100] {
        let mut app = app();
        for x in 0..tiles_per_side {
            for y in 0..tiles_per_side {
                let place = at(16.0 * x as f32, 16.0 * y as f32);
                spawn(&mut app, (Collider::aabb(16.0, 16.0), StaticCollider, place));
            }
        }
        let mover = spawn(&mut app, (Collider::circle(6.0), at(73.0, 72.5)));
        let events = step(&mut app);
        assert!(events.iter().all(|event| event.involves(mover)));
        let stats = stats(&app);
        assert_eq!(stats.static_colliders, tiles_per_side * tiles_per_side);
        assert!(stats.candidates <= 4, "{} candidates", stats.candidates);
        assert_eq!(events.len(), 4, "the mover lies over a corner of four tiles");
    }
}

#[test]
fn a_static_collider_that_moves_is_followed() {
    let mut app = app();
    let wall = spawn(&mut app, (Collider::aabb(10.0, 10.0), StaticCollider));
    let mover = spawn(&mut app, (Collider::circle(5.0), at(50.0, 0.0)));
    assert!(step(&mut app).is_empty());
    place(&mut app, wall, 45.0, 0.0);
    assert_eq!(phases(&step(&mut app)), ["start"]);
    app.world_mut().entity_mut(mover).insert(StaticCollider);
    assert_eq!(phases(&step(&mut app)), ["end BothStatic"]);
    app.world_mut().entity_mut(wall).remove::<StaticCollider>();
    assert_eq!(phases(&step(&mut app)), ["start"]);
    app.world_mut().entity_mut(mover).insert(ColliderDisabled);
    assert_eq!(phases(&step(&mut app)), ["end Disabled"]);
    app.world_mut().entity_mut(mover).remove::<ColliderDisabled>();
    assert_eq!(phases(&step(&mut app)), ["start"]);
    app.world_mut().despawn(mover);
    assert_eq!(phases(&step(&mut app)), ["end Despawned"]);
    spawn(&mut app, (Collider::circle(1.0), at(50.0, 0.0)));
    assert_eq!(stats(&app).static_colliders, 0);
}

#[test]
fn huge_colliders_among_small_ones_meet_each_once() {
    let mut app = app();
    settings(&mut app).cell_size = CellSize::Fixed(32.0);
    for _ in 0..3 {
        spawn(&mut app, Collider::aabb(20_000.0, 20_000.0));
    }
    for i in 0..2000 {
        let (x, y) = ((i % 50) as f32, (i / 50) as f32);
        spawn(&mut app, (Collider::circle(8.0), at(40.0 * x - 1000.0, 40.0 * y - 800.0)));
    }
    let events = step(&mut app);
    assert_eq!(events.len(), 3 * 2000 + 3);
    assert_eq!(stats(&app).candidates, 3 * 2000 + 3);
}

#[test]
fn the_cell_size_changes_no_contact() {
    let scene = |cell_size| {
        let mut app = app();
        settings(&mut app).cell_size = cell_size;
        let mut random = noise(3);
        for i in 0..500 {
            let place = at(300.0 * random() - 150.0, 300.0 * random() - 150.0);
            let size = if i % 50 == 0 { 100.0 } else { 10.0 * random() };
            match i % 3 {
                0 => spawn(&mut app, (Collider::circle(size), place)),
                1 => spawn(&mut app, (Collider::aabb(size, 5.0), place, StaticCollider)),
                _ => spawn(&mut app, (Collider::regular_polygon(6, size.max(0.1)).unwrap(), place)),
            };
        }
        step(&mut app);
        let contacts: Vec<ContactPair> = contacts(&app).iter().copied().collect();
        contacts.iter().map(|pair| (pair.a, pair.b, pair.contact)).collect::<Vec<_>>()
    };
    let expected = scene(CellSize::Auto);
    assert!(expected.len() > 500, "{}", expected.len());
    for size in [0.01, 1.0, 7.0, 1e6] {
        assert_eq!(scene(CellSize::Fixed(size)), expected, "cells of {size}");
    }
}

#[test]
fn touching_within_the_tolerance_is_found_across_cells() {
    let mut app = app();
    settings(&mut app).cell_size = CellSize::Fixed(16.0);
    settings(&mut app).touch_tolerance = 0.5;
    spawn(&mut app, (Collider::aabb(16.0, 16.0), at(8.0, 8.0)));
    spawn(&mut app, (Collider::aabb(16.0, 16.0), at(24.4, 8.0)));
    assert_eq!(phases(&step(&mut app)), ["start"]);
    // The tolerance is in the bounds; changing it counts in the next step.
    settings(&mut app).touch_tolerance = 0.1;
    assert_eq!(phases(&step(&mut app)), ["end MovedApart"]);
    settings(&mut app).touch_tolerance = 0.5;
    assert_eq!(phases(&step(&mut app)), ["start"]);
}

#[test]
fn touching_boxes_agree_under_either_rule_in_all_forms() {
    for (rule, expected) in [(TouchRule::Inclusive, 1), (TouchRule::Exclusive, 0)] {
        let upright = |x: f32, y: f32, w: f32, h: f32| (Collider::aabb(w, h), at(x, y));
        let turning =
            |x: f32, y: f32, w: f32, h: f32| (Collider::rectangle(w, h).unwrap(), at(x, y));
        for form in 0..4 {
            let mut app = app();
            settings(&mut app).touch_rule = rule;
            let (a, b) = ((0.0, -150.0, 100.0, 100.0), (19.5, -212.5, 59.0, 25.0));
            if form & 1 == 0 {
                spawn(&mut app, upright(a.0, a.1, a.2, a.3));
            } else {
                spawn(&mut app, turning(a.0, a.1, a.2, a.3));
            }
            if form & 2 == 0 {
                spawn(&mut app, upright(b.0, b.1, b.2, b.3));
            } else {
                spawn(&mut app, turning(b.0, b.1, b.2, b.3));
            }
            step(&mut app);
            assert_eq!(contacts(&app).len(), expected, "{rule:?}, form {form}");
        }
        for (other, x, y) in
            [(Collider::circle(10.0), 20.0, 0.0), (Collider::circle(10.0), 0.0, -20.0)]
        {
            let mut app = app();
            settings(&mut app).touch_rule = rule;
            spawn(&mut app, Collider::circle(10.0));
            spawn(&mut app, (other, at(x, y)));
            step(&mut app);
            assert_eq!(contacts(&app).len(), expected, "{rule:?}, circles");
        }
    }
}

#[test]
fn queries_see_the_places_of_the_last_step() {
    use bevy::ecs::system::SystemState;
    use bevy_nudge::CollisionQuery;

    let mut app = solid_app();
    let wall = spawn(&mut app, (Collider::aabb(20.0, 20.0), Solid::default(), StaticCollider));
    let mover = spawn(&mut app, (Collider::circle(5.0), Solid::default(), at(12.0, 0.0)));
    let bad = spawn(&mut app, (Collider::circle(-1.0), at(12.0, 0.0)));
    step(&mut app);
    let pushed = position(&app, mover).x;
    assert!((pushed - 15.0).abs() < 0.02, "{pushed}");
    let mut state = SystemState::<CollisionQuery>::new(app.world_mut());
    let query = state.get(app.world()).unwrap();
    assert_eq!(query.at_point(Vec2::new(9.0, 9.0)), [wall]);
    // After the push, where it was not before.
    assert_eq!(query.at_point(Vec2::new(19.9, 0.0)), [mover]);
    assert!(query.at_point(Vec2::new(11.0, 8.0)).is_empty());
    assert!(query.at_point(Vec2::NAN).is_empty());
    assert_eq!(query.get(mover).unwrap().origin(), position(&app, mover));
    assert!(query.get(bad).is_none());
    assert_eq!(query.iter().count(), 2);
    assert_eq!(query.cells().map(|cell| cell.colliders).sum::<usize>(), 2);
}
