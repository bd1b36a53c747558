//! Events and the life of a collider.

use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_nudge::geometry::{Aabb, Compound, CompoundPart};
use bevy_nudge::prelude::*;
use bevy_nudge::{EndedBy, Participant};

use crate::common::*;

#[test]
fn report_1_an_exit_right_after_the_enter() {
    type Leave = fn(&mut App, Entity);
    let ways: [(Leave, EndReason); 3] = [
        (|app, b| _ = app.world_mut().despawn(b), EndReason::Despawned),
        (
            |app, b| _ = app.world_mut().entity_mut(b).remove::<Collider>(),
            EndReason::ColliderRemoved,
        ),
        (|_, _| {}, EndReason::ColliderRemoved),
    ];
    for (way, (leave, reason)) in ways.into_iter().enumerate() {
        let mut app = app();
        let a = spawn(&mut app, Collider::circle(10.0));
        let b = spawn(&mut app, (Collider::circle(10.0), at(15.0, 0.0)));
        if way == 2 {
            app.world_mut().entity_mut(b).insert(CollisionEventsEnabled).observe(
                |started: On<CollisionStarted>, mut commands: Commands| {
                    commands.entity(started.entity).remove::<Collider>();
                },
            );
        }
        assert_eq!(phases(&step(&mut app)), ["start"]);
        leave(&mut app, b);
        let events = step(&mut app);
        assert_eq!(events.len(), 1, "way {way}");
        assert_eq!(events[0].end_reason(), Some(reason), "way {way}");
        assert_eq!(events[0].other(a), Some(b), "way {way}");
        assert_eq!(contacts(&app).of(a).count(), 0, "way {way}");
        assert!(step(&mut app).is_empty(), "way {way}");
    }
}

#[test]
fn report_4_an_exit_without_an_enter() {
    for size in [CellSize::Auto, CellSize::Fixed(32.0), CellSize::Fixed(500.0)] {
        let mut app = app();
        settings(&mut app).cell_size = size;
        let a = spawn(&mut app, (Collider::circle(5.0), at(-100.0, 0.0)));
        spawn(&mut app, (Collider::circle(5.0), at(0.0, 30.0)));
        for x in -100..=100 {
            place(&mut app, a, x as f32, 0.0);
            assert!(step(&mut app).is_empty(), "{size:?}, at {x}");
        }
        // In contact all the way, over the borders of cells.
        let b = spawn(&mut app, (Collider::circle(5.0), at(-104.0, 0.0)));
        for x in -100..=100 {
            place(&mut app, a, x as f32, 0.0);
            place(&mut app, b, x as f32 - 4.0, 0.0);
            let expected = if x == -100 { "start" } else { "stay" };
            assert_eq!(phases(&step(&mut app)), [expected], "{size:?}, at {x}");
        }
    }
}

#[test]
fn report_6_swapping_the_collider_in_one_frame() {
    for is_removed_first in [false, true] {
        let mut app = app();
        let a = spawn(&mut app, Collider::aabb(20.0, 20.0));
        let b = spawn(&mut app, (Collider::circle(10.0), at(5.0, 0.0)));
        assert_eq!(phases(&step(&mut app)), ["start"]);
        let mut entity = app.world_mut().entity_mut(a);
        if is_removed_first {
            entity.remove::<Collider>();
        }
        entity.insert(Collider::circle(12.0));
        let events = step(&mut app);
        assert_eq!(phases(&events), ["stay"]);
        assert_eq!(events[0].depth(), 10.0 + 12.0 - 5.0, "of the new shape");
        assert_eq!(contacts(&app).of(a).next().and_then(|pair| pair.other(a)), Some(b));
    }
}

#[test]
fn report_10_a_disabled_collider_fires_after_an_edit() {
    type Edit = fn(&mut EntityWorldMut);
    let resize: Edit = |entity| {
        entity.get_mut::<Collider>().unwrap().shape = Collider::aabb(20.0, 20.0).shape;
    };
    let switches: [Edit; 2] =
        [|entity| _ = entity.insert(ColliderDisabled), |entity| _ = entity.insert(Disabled)];
    for disable in switches {
        for edits in [[disable, resize], [resize, disable]] {
            let mut app = app();
            let a = spawn(&mut app, Collider::aabb(10.0, 10.0));
            spawn(&mut app, (Collider::circle(2.0), at(8.0, 0.0)));
            assert!(step(&mut app).is_empty());
            for edit in edits {
                edit(&mut app.world_mut().entity_mut(a));
            }
            for _ in 0..3 {
                assert!(step(&mut app).is_empty());
            }
            // The edit counts when it is enabled again.
            app.world_mut().entity_mut(a).remove::<(ColliderDisabled, Disabled)>();
            assert_eq!(phases(&step(&mut app)), ["start"]);
        }
    }
}

#[test]
fn report_11_an_exit_that_cannot_be_understood() {
    let mut app = app();
    let (green, all) = (CollisionLayers::new(8, u32::MAX), CollisionLayers::ALL);
    let grass = spawn(&mut app, (Collider::aabb(16.0, 16.0), green));
    let player = spawn(&mut app, (Collider::circle(2.0), Solid::default(), at(5.0, 0.0)));
    step(&mut app);
    app.world_mut().despawn(grass);
    let event = step(&mut app)[0];
    let gone = if event.a.entity == grass { EndedBy::A } else { EndedBy::B };
    assert_eq!(
        event.phase,
        CollisionPhase::Ended { reason: EndReason::Despawned, by: gone },
        "why, and which of the two"
    );
    let sides = [
        Participant { entity: grass, layers: green, is_sensor: true },
        Participant { entity: player, layers: all, is_sensor: false },
    ];
    for side in [event.a, event.b] {
        assert!(sides.contains(&side), "{side:?}");
    }
    assert_eq!(event.mtv_for(player), Some(Vec2::new(5.0, 0.0)), "the last one");
}

#[derive(Resource)]
struct Noise(Box<dyn FnMut() -> f32 + Send + Sync>);

/// Despawns ten at random and spawns ten, half of them at once on the freed indices.
fn churn(world: &mut World) {
    let mut all: Vec<Entity> =
        world.query_filtered::<Entity, With<Collider>>().iter(world).collect();
    all.sort_unstable();
    world.resource_scope(|world, mut noise: Mut<Noise>| {
        let mut bundle = || {
            let place = at(100.0 * (noise.0)(), 100.0 * (noise.0)());
            ((Collider::circle(4.0), place), (noise.0)())
        };
        for i in 0..10 {
            if all.len() < 200 {
                world.spawn(bundle().0);
                continue;
            }
            let (bundle, chance) = bundle();
            let victim = all.swap_remove((chance * all.len() as f32) as usize);
            if i % 2 == 0 {
                world.despawn(victim);
                world.spawn(bundle);
            } else {
                let next = world.despawn_no_free(victim).expect("it was alive");
                world.spawn_empty_at(next).expect("a free index").insert(bundle);
            }
        }
        for entity in all {
            let mut transform = world.get_mut::<Transform>(entity).expect("a transform");
            transform.translation += Vec3::new((noise.0)() - 0.5, (noise.0)() - 0.5, 0.0) * 4.0;
        }
    });
}

fn compare(
    circles: Query<(Entity, &Transform), With<Collider>>,
    contacts: Res<Contacts>,
    mut compared: Local<usize>,
) {
    let mut circles: Vec<_> = circles.iter().collect();
    circles.sort_unstable_by_key(|(entity, _)| *entity);
    let mut expected = Vec::new();
    for (i, (a, place_a)) in circles.iter().enumerate() {
        for (b, place_b) in &circles[i + 1..] {
            let distance = place_a.translation.as_dvec3().distance(place_b.translation.as_dvec3());
            assert!((distance - 8.0).abs() > 1e-5, "too near to tell");
            if distance < 8.0 {
                expected.push((*a, *b));
            }
        }
    }
    let got: Vec<_> = contacts.iter().map(|pair| (pair.a, pair.b)).collect();
    assert_eq!(got, expected, "in step {}", *compared);
    *compared += 1;
}

#[test]
fn report_13_hitting_what_was_just_despawned() {
    for steps_per_second in [20.0, 64.0] {
        let mut app = app();
        app.insert_resource(Noise(Box::new(noise(8))));
        app.insert_resource(Time::<Fixed>::from_hz(steps_per_second));
        let frame = std::time::Duration::from_secs_f64(1.0 / 60.0);
        app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
        app.add_systems(Update, churn);
        app.add_systems(FixedPostUpdate, compare.after(CollisionSystems::Publish));
        let mut live = std::collections::BTreeSet::new();
        for frame in 0..400 {
            for event in step(&mut app) {
                let is_right = match event.phase {
                    CollisionPhase::Started => live.insert(event.entities()),
                    CollisionPhase::Persisted => live.contains(&event.entities()),
                    CollisionPhase::Ended { .. } => live.remove(&event.entities()),
                };
                assert!(is_right, "frame {frame}: {event:?}");
            }
        }
        assert!(live.len() > 50, "{}", live.len());
    }
}

#[test]
fn report_15_a_compound_fires_at_every_inner_seam() {
    let mut app = app();
    let tile = Aabb::from_half_size(Vec2::ZERO, Vec2::splat(8.0)).unwrap();
    let tiles = (0..10).map(|i| CompoundPart::at(tile, Vec2::new(8.0 + 16.0 * i as f32, 0.0)));
    spawn(&mut app, Collider::new(Compound::new(tiles).unwrap()));
    // Its feet are 0.5 inside.
    let walker = spawn(&mut app, (Collider::aabb(8.0, 8.0), at(4.0, 11.5)));
    for x in 4..=150 {
        place(&mut app, walker, x as f32, 11.5);
        let events = step(&mut app);
        assert_eq!(phases(&events), [if x == 4 { "start" } else { "stay" }], "at {x}");
        assert!((events[0].depth() - 0.5).abs() < 1e-6, "at {x}: {:?}", events[0]);
        assert_eq!(events[0].normal_for(walker), Some(Vec2::Y), "at {x}");
    }
    place(&mut app, walker, 150.0, 31.5);
    assert_eq!(phases(&step(&mut app)), ["end MovedApart"]);
}

#[test]
fn report_17_events_while_not_touching() {
    let circle = || Collider::circle(10.0);
    let aabb = || Collider::aabb(20.0, 20.0);
    for (first, second, x) in [(circle(), circle(), 20.001), (aabb(), aabb(), 20.0005)] {
        let mut app = app();
        spawn(&mut app, first);
        let other = spawn(&mut app, (second, at(x, 0.0)));
        assert!(step(&mut app).is_empty());
        place(&mut app, other, 19.999, 0.0);
        let events = step(&mut app);
        assert_eq!(phases(&events), ["start"]);
        assert!((events[0].depth() - 0.001).abs() < 2e-6, "{}", events[0].depth());
    }
}
