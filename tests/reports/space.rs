//! Places, layers and numbers of colliders.

use bevy::prelude::*;
use bevy_nudge::CollisionStats;
use bevy_nudge::prelude::*;

use crate::common::*;

#[test]
fn report_41_a_rotation_that_is_not_normalized() {
    // Bevy draws such an entity larger or smaller, and the collider is where it is drawn.
    let mut app = app();
    for i in 0..20 {
        spawn(&mut app, (Collider::circle(5.0), at(9.0 * i as f32, 0.0)));
    }
    assert_eq!(step(&mut app).len(), 19);
    for rotation in [[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 0.1, 0.1], [0.0; 4], [1e30; 4]] {
        let transform = at(0.0, 100.0).with_rotation(Quat::from_array(rotation));
        let square = spawn(&mut app, (Collider::rectangle(2.0, 2.0).unwrap(), transform));
        let corner = transform.compute_affine().transform_point3(Vec3::new(1.0, 1.0, 0.0));
        let probe = spawn(&mut app, (Collider::circle(0.01), at(corner.x, corner.y)));
        let events = step(&mut app);
        let is_sound = corner.truncate().abs().max_element() < 1e30;
        let neighbours = events.iter().filter(|event| !event.involves(square)).count();
        assert_eq!(neighbours, 19, "{rotation:?}");
        assert_eq!(events.len() > 19, is_sound, "{rotation:?}");
        assert!(events.iter().all(|event| event.contact.point.is_finite()), "{rotation:?}");
        app.world_mut().despawn(square);
        app.world_mut().despawn(probe);
        step(&mut app);
    }
}

#[test]
fn report_42_a_walker_far_from_the_origin() {
    for x in [0.0_f32, 1e3, 1e5, 1e6] {
        // The push-out lets a pair overlap by four roundings of its coordinates, so that it does
        // not wake at rest; the walker stops within that of the wall, and always at one place.
        let rest = (4.0 * f32::EPSILON * (x + 66.0)).max(0.01) + f32::EPSILON * x;
        let mut places = Vec::new();
        let mut app = solid_app();
        let wall = (Collider::aabb(16.0, 16.0), Solid::default(), StaticCollider);
        spawn(&mut app, (wall, at(x + 58.0, x)));
        let walker =
            spawn(&mut app, (Collider::aabb(16.0, 16.0), Solid::default(), at(x + 30.0, x)));
        for i in 0..100 {
            app.world_mut().get_mut::<Transform>(walker).unwrap().translation.x += 0.25;
            step(&mut app);
            let place = position(&app, walker);
            assert!(place.x <= x + 42.0 + rest, "at {x}, step {i}: {place}");
            places.push(place);
        }
        for place in &places[50..] {
            assert!((place.x - (x + 42.0)).abs() <= rest, "at {x}: rests at {place}");
            assert_eq!(*place, places[50], "at {x}: it does not keep still");
        }
        assert_eq!(places[50].y, x);
    }
}

#[test]
fn report_47_a_layer_change_during_an_overlap() {
    let turned = |x: f32| at(x, 0.0).with_rotation(Quat::from_rotation_z(0.5));
    for is_box in [false, true] {
        for is_inserted in [false, true] {
            let mut app = app();
            let shape = || match is_box {
                true => Collider::rectangle(20.0, 20.0).unwrap(),
                false => Collider::circle(10.0),
            };
            let a = spawn(&mut app, (shape(), turned(0.0)));
            spawn(&mut app, (shape(), turned(5.0)));
            let set = |app: &mut App, layers: CollisionLayers| {
                let mut entity = app.world_mut().entity_mut(a);
                if is_inserted {
                    entity.insert(layers);
                } else {
                    *entity.get_mut::<CollisionLayers>().unwrap() = layers;
                }
            };
            assert_eq!(phases(&step(&mut app)), ["start"]);
            set(&mut app, CollisionLayers::new(u32::MAX, 0));
            assert_eq!(phases(&step(&mut app)), ["end LayersChanged"]);
            set(&mut app, CollisionLayers::ALL);
            assert_eq!(phases(&step(&mut app)), ["start"]);
            set(&mut app, CollisionLayers::NONE);
            set(&mut app, CollisionLayers::ALL);
            assert_eq!(phases(&step(&mut app)), ["stay"]);
        }
    }
}

#[test]
fn report_48_thousands_of_still_tiles() {
    for per_side in [10, 32, 100, 316] {
        let mut app = app();
        let tiles = (0..per_side * per_side).map(|i| {
            let (x, y) = ((i % per_side) as f32, (i / per_side) as f32);
            (Collider::aabb(16.0, 16.0), StaticCollider, at(16.0 * x, 16.0 * y))
        });
        app.world_mut().spawn_batch(tiles.collect::<Vec<_>>());
        // Over the corner of four tiles.
        let mover = spawn(&mut app, (Collider::circle(6.0), at(72.0, 72.0)));
        for _ in 0..3 {
            let events = step(&mut app);
            assert_eq!(events.len(), 4);
            assert!(events.iter().all(|event| event.involves(mover)));
            let stats = app.world().resource::<CollisionStats>();
            assert_eq!(stats.colliders, per_side * per_side + 1);
            assert_eq!(stats.candidates, 4, "whatever the number of tiles");
        }
    }
}
