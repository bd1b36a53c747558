//! The life of a contact: started, persisted, ended, each as often as it should be.

#![allow(clippy::float_cmp, reason = "these numbers come out exactly")]

mod common;

use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy_nudge::EndedBy;
use bevy_nudge::prelude::*;
use common::*;

/// Two circles of radius 10 that overlap by 5.
fn overlapping_pair(app: &mut App) -> (Entity, Entity) {
    let a = spawn(app, (Collider::circle(10.0), at(0.0, 0.0)));
    let b = spawn(app, (Collider::circle(10.0), at(15.0, 0.0)));
    (a, b)
}

#[test]
fn a_contact_starts_persists_and_ends_once() {
    let mut app = app();
    let (a, b) = overlapping_pair(&mut app);
    assert_eq!(phases(&step(&mut app)), ["start"]);
    assert_eq!(phases(&step(&mut app)), ["stay"]);
    assert_eq!(contacts(&app).between(a, b).map(|pair| pair.age), Some(1));
    place(&mut app, b, 100.0, 0.0);
    assert_eq!(phases(&step(&mut app)), ["end MovedApart"]);
    assert!(step(&mut app).is_empty());
    assert!(contacts(&app).is_empty());
}

#[test]
fn an_event_answers_from_each_side() {
    let mut app = app();
    let (left, right) = overlapping_pair(&mut app);
    let stranger = spawn(&mut app, Collider::circle(1.0));
    app.world_mut().entity_mut(stranger).insert(at(500.0, 0.0));
    let event = step(&mut app)[0];
    assert!(event.is_started() && event.a.is_sensor && event.b.is_sensor);
    assert_eq!((event.other(left), event.other(right)), (Some(right), Some(left)));
    assert_eq!(event.other(stranger), None);
    assert_eq!(event.mtv_for(right), Some(Vec2::new(5.0, 0.0)));
    assert_eq!(event.mtv_for(left), Some(Vec2::new(-5.0, 0.0)));
    assert_eq!(event.mtv_for(stranger), None);
    assert_eq!(event.depth(), 5.0);
    assert_eq!(event.contact.point, Vec2::new(7.5, 0.0));
    assert!(event.a.entity < event.b.entity);
}

#[test]
fn each_way_to_leave_has_its_reason() {
    type Leave = fn(&mut World, Entity);
    let cases: [(Leave, EndReason); 9] = [
        (|world, b| _ = world.despawn(b), EndReason::Despawned),
        (|world, b| _ = world.entity_mut(b).remove::<Collider>(), EndReason::ColliderRemoved),
        (
            |world, b| _ = world.entity_mut(b).remove_with_requires::<Collider>(),
            EndReason::ColliderRemoved,
        ),
        (|world, b| _ = world.entity_mut(b).insert(ColliderDisabled), EndReason::Disabled),
        (|world, b| _ = world.entity_mut(b).insert(Disabled), EndReason::Disabled),
        (
            |world, b| _ = world.entity_mut(b).insert(CollisionLayers::NONE),
            EndReason::LayersChanged,
        ),
        (
            |world, b| world.get_mut::<Transform>(b).unwrap().translation.x = f32::NAN,
            EndReason::BecameInvalid,
        ),
        (|world, b| world.get_mut::<Transform>(b).unwrap().scale.x = 0.0, EndReason::BecameInvalid),
        (
            |world, b| _ = world.entity_mut(b).insert(Collider::circle(-1.0)),
            EndReason::BecameInvalid,
        ),
    ];
    for (i, (leave, reason)) in cases.into_iter().enumerate() {
        for leaver_is_second in [true, false] {
            let mut app = app();
            let (a, b) = overlapping_pair(&mut app);
            let (leaver, survivor) = if leaver_is_second { (b, a) } else { (a, b) };
            step(&mut app);
            leave(app.world_mut(), leaver);
            let events = step(&mut app);
            assert_eq!(events.len(), 1, "case {i}");
            let event = events[0];
            assert_eq!(event.end_reason(), Some(reason), "case {i}");
            assert_eq!(event.other(survivor), Some(leaver), "case {i}");
            assert_eq!(event.contact.depth, 5.0, "case {i}: the last contact");
            let CollisionPhase::Ended { by, .. } = event.phase else { panic!("case {i}") };
            let expected = match reason {
                EndReason::LayersChanged => EndedBy::Pair,
                _ if event.a.entity == leaver => EndedBy::A,
                _ => EndedBy::B,
            };
            assert_eq!(by, expected, "case {i}");
            assert!(step(&mut app).is_empty(), "case {i}");
        }
    }
}

#[test]
fn both_static_ends_the_contact_and_both_gone_names_both() {
    let mut app = app();
    let (a, b) = overlapping_pair(&mut app);
    step(&mut app);
    app.world_mut().entity_mut(a).insert(StaticCollider);
    assert_eq!(phases(&step(&mut app)), ["stay"]);
    app.world_mut().entity_mut(b).insert(StaticCollider);
    assert_eq!(phases(&step(&mut app)), ["end BothStatic"]);
    app.world_mut().entity_mut(b).remove::<StaticCollider>();
    assert_eq!(phases(&step(&mut app)), ["start"]);
    app.world_mut().despawn(a);
    app.world_mut().despawn(b);
    let events = step(&mut app);
    assert_eq!(phases(&events), ["end Despawned"]);
    assert!(matches!(events[0].phase, CollisionPhase::Ended { by: EndedBy::Both, .. }));
}

#[test]
fn replacing_or_resizing_a_shape_keeps_the_contact() {
    let mut app = app();
    let area = spawn(&mut app, Collider::aabb(100.0, 100.0));
    for i in 0..5 {
        spawn(&mut app, (Collider::circle(2.0), at(10.0 * i as f32 - 20.0, 0.0)));
    }
    // The circles themselves are 10 apart.
    assert_eq!(phases(&step(&mut app)), ["start"; 5]);
    app.world_mut().entity_mut(area).insert(Collider::aabb(120.0, 120.0));
    assert_eq!(phases(&step(&mut app)), ["stay"; 5]);
    app.world_mut().entity_mut(area).remove::<Collider>().insert(Collider::circle(60.0));
    assert_eq!(phases(&step(&mut app)), ["stay"; 5]);
    app.world_mut().get_mut::<Collider>(area).unwrap().shape = Collider::aabb(80.0, 80.0).shape;
    assert_eq!(phases(&step(&mut app)), ["stay"; 5]);
}

#[test]
fn layer_changes_end_and_start_contacts() {
    let mut app = app();
    let (a, _) = overlapping_pair(&mut app);
    step(&mut app);
    app.world_mut().get_mut::<CollisionLayers>(a).unwrap().filters = 0;
    assert_eq!(phases(&step(&mut app)), ["end LayersChanged"]);
    app.world_mut().entity_mut(a).insert(CollisionLayers::ALL);
    assert_eq!(phases(&step(&mut app)), ["start"]);
    app.world_mut().entity_mut(a).insert(CollisionLayers::NONE).insert(CollisionLayers::ALL);
    assert_eq!(phases(&step(&mut app)), ["stay"]);
}

#[test]
fn bounds_that_meet_are_no_event() {
    let mut app = app();
    let corner = [Vec2::ZERO, Vec2::new(20.0, 0.0), Vec2::new(0.0, 20.0)];
    spawn(&mut app, Collider::polygon(corner).unwrap());
    let b = spawn(&mut app, (Collider::circle(2.0), at(18.0, 18.0)));
    assert!(step(&mut app).is_empty());
    app.world_mut().despawn(b);
    assert!(step(&mut app).is_empty());
}

#[test]
fn bulk_removal_ends_exactly_the_removed() {
    let mut app = app();
    let pairs: Vec<_> = (0..50)
        .map(|i| {
            let y = 100.0 * i as f32;
            let a = spawn(&mut app, (Collider::circle(10.0), at(0.0, y)));
            (a, spawn(&mut app, (Collider::circle(10.0), at(15.0, y))))
        })
        .collect();
    assert_eq!(step(&mut app).len(), 50);
    for (a, _) in pairs.iter().step_by(2) {
        app.world_mut().despawn(*a);
    }
    let events = step(&mut app);
    let ended: Vec<_> = events.iter().filter(|event| event.is_ended()).collect();
    assert_eq!(ended.len(), 25);
    assert_eq!(events.iter().filter(|event| event.is_persisted()).count(), 25);
    assert!(ended.iter().all(|event| pairs.iter().step_by(2).any(|(a, _)| event.involves(*a))));
    for (_, b) in &pairs {
        place(&mut app, *b, 100.0, 0.0);
        app.world_mut().get_mut::<CollisionLayers>(*b).unwrap().memberships = 0;
    }
    assert_eq!(step(&mut app).len(), 25);
}

#[test]
fn an_index_used_again_is_another_entity() {
    let mut app = app();
    let (a, b) = overlapping_pair(&mut app);
    step(&mut app);
    let reborn = app.world_mut().despawn_no_free(b).expect("the same index, one generation on");
    let bundle = (Collider::circle(10.0), at(15.0, 0.0));
    app.world_mut().spawn_empty_at(reborn).expect("a free index").insert(bundle);
    assert!(reborn != b && reborn.index() == b.index());
    let events = step(&mut app);
    let with_a = |entity| events.iter().find(|event| event.involves(a) && event.involves(entity));
    assert_eq!(with_a(b).and_then(|event| event.end_reason()), Some(EndReason::Despawned));
    assert!(with_a(reborn).is_some_and(CollisionEvent::is_started));
    assert_eq!(events.len(), 2);
}

#[test]
fn a_clone_is_a_collider_of_its_own() {
    let mut app = app();
    let a = spawn(&mut app, (Collider::circle(10.0), at(0.0, 0.0)));
    step(&mut app);
    let clone = app.world_mut().entity_mut(a).clone_and_spawn();
    let events = step(&mut app);
    assert_eq!(phases(&events), ["start"]);
    assert_eq!(events[0].other(a), Some(clone));
}

#[test]
fn persisted_events_can_be_switched_off() {
    let mut app = app();
    overlapping_pair(&mut app);
    settings(&mut app).persisted_events = false;
    assert_eq!(phases(&step(&mut app)), ["start"]);
    assert!(step(&mut app).is_empty());
    assert_eq!(contacts(&app).len(), 1);
}

#[test]
fn events_and_contacts_go_by_ascending_pair() {
    let mut app = app();
    for i in 0..40 {
        spawn(&mut app, (Collider::circle(10.0), at(7.0 * (i % 8) as f32, 7.0 * (i / 8) as f32)));
    }
    let events = step(&mut app);
    assert!(events.len() > 100);
    assert!(events.is_sorted_by_key(|event| event.entities()));
    assert!(events.iter().all(|event| event.a.entity < event.b.entity));
    let listed: Vec<_> = contacts(&app).iter().map(|pair| [pair.a, pair.b]).collect();
    assert_eq!(listed, events.iter().map(|event| event.entities()).collect::<Vec<_>>());
    for pair in contacts(&app).iter() {
        for entity in [pair.a, pair.b] {
            let of: Vec<_> = contacts(&app).of(entity).collect();
            let expected = contacts(&app).iter().filter(|p| p.a == entity || p.b == entity).count();
            assert_eq!(of.len(), expected);
            assert!(of.contains(&pair));
        }
        assert_eq!(contacts(&app).between(pair.b, pair.a), Some(pair));
    }
}

#[test]
fn a_paused_step_loses_nothing() {
    let mut app = app();
    let (a, b) = overlapping_pair(&mut app);
    step(&mut app);
    settings(&mut app).stepping.pause();
    app.world_mut().despawn(b);
    assert!(step(&mut app).is_empty());
    assert!(step(&mut app).is_empty());
    settings(&mut app).stepping.single_step();
    assert_eq!(phases(&step(&mut app)), ["end Despawned"]);
    let c = spawn(&mut app, (Collider::circle(10.0), at(15.0, 0.0)));
    assert!(step(&mut app).is_empty());
    settings(&mut app).stepping.resume();
    let events = step(&mut app);
    assert_eq!(phases(&events), ["start"]);
    assert_eq!(events[0].other(a), Some(c));
    // A new pause starts counting anew.
    settings(&mut app).stepping.pause();
    assert!(step(&mut app).is_empty());
    settings(&mut app).stepping.single_step();
    settings(&mut app).stepping.single_step();
    assert_eq!(step(&mut app).len() + step(&mut app).len() + step(&mut app).len(), 2);
}

#[derive(Resource, Default)]
struct Observed(Vec<(Entity, Entity, bool)>);

fn observe(app: &mut App) {
    app.init_resource::<Observed>();
    app.add_observer(|started: On<CollisionStarted>, mut observed: ResMut<Observed>| {
        observed.0.push((started.entity, started.other, true));
    });
    app.add_observer(|ended: On<CollisionEnded>, mut observed: ResMut<Observed>| {
        observed.0.push((ended.entity, ended.other, false));
    });
}

fn observed(app: &mut App) -> Vec<(Entity, Entity, bool)> {
    std::mem::take(&mut app.world_mut().resource_mut::<Observed>().0)
}

#[test]
fn observers_hear_both_sides_that_opted_in() {
    let mut app = app();
    observe(&mut app);
    let (a, b) = overlapping_pair(&mut app);
    app.world_mut().entity_mut(a).insert(CollisionEventsEnabled);
    step(&mut app);
    assert_eq!(observed(&mut app), [(a, b, true)]);
    // Opting in during a contact: the end is heard, no start is made up.
    app.world_mut().entity_mut(b).insert(CollisionEventsEnabled);
    step(&mut app);
    assert!(observed(&mut app).is_empty());
    place(&mut app, b, 100.0, 0.0);
    step(&mut app);
    let mut heard = observed(&mut app);
    heard.sort();
    let mut expected = [(a, b, false), (b, a, false)];
    expected.sort();
    assert_eq!(heard, expected);
    // Opting out stops it at once.
    app.world_mut().entity_mut(a).remove::<CollisionEventsEnabled>();
    place(&mut app, b, 15.0, 0.0);
    step(&mut app);
    assert_eq!(observed(&mut app), [(b, a, true)]);
}

#[test]
fn the_survivor_of_a_despawn_hears_the_end() {
    let mut app = app();
    observe(&mut app);
    let (a, b) = overlapping_pair(&mut app);
    for entity in [a, b] {
        app.world_mut().entity_mut(entity).insert(CollisionEventsEnabled);
    }
    step(&mut app);
    observed(&mut app);
    app.world_mut().despawn(b);
    step(&mut app);
    assert_eq!(observed(&mut app), [(a, b, false)]);
}

#[test]
fn a_handler_may_despawn_anything() {
    let mut app = app();
    observe(&mut app);
    // The first to hear of the start despawns itself.
    app.add_observer(|started: On<CollisionStarted>, mut commands: Commands| {
        commands.entity(started.entity).try_despawn();
    });
    let (a, b) = overlapping_pair(&mut app);
    for entity in [a, b] {
        app.world_mut().entity_mut(entity).insert(CollisionEventsEnabled);
    }
    assert_eq!(phases(&step(&mut app)), ["start"]);
    let gone = [a, b].iter().filter(|entity| app.world().get_entity(**entity).is_err()).count();
    assert!(gone >= 1);
    assert_eq!(phases(&step(&mut app)), ["end Despawned"]);
    assert!(step(&mut app).is_empty());
}

#[test]
fn a_churning_scene_agrees_with_brute_force() {
    use bevy_nudge::geometry::{PlacedShape, overlaps};
    let mut app = app();
    let mut random = noise(13);
    let mut alive: Vec<Entity> = Vec::new();
    let mut live_pairs = std::collections::BTreeSet::new();
    for frame in 0..300 {
        for _ in 0..10 {
            if alive.len() > 150 {
                let victim = alive.swap_remove((random() * alive.len() as f32) as usize);
                app.world_mut().despawn(victim);
            }
            let place = at(100.0 * random(), 100.0 * random());
            let spawned = match (random() * 3.0) as u32 {
                0 => spawn(&mut app, (Collider::circle(4.0), place)),
                1 => spawn(&mut app, (Collider::aabb(8.0, 5.0), place)),
                _ => spawn(&mut app, (Collider::regular_polygon(5, 4.0).unwrap(), place)),
            };
            alive.push(spawned);
        }
        for &entity in &alive {
            let mut transform = app.world_mut().get_mut::<Transform>(entity).unwrap();
            transform.translation += Vec3::new(random() - 0.5, random() - 0.5, 0.0) * 4.0;
            transform.rotate_z(random());
        }
        for event in step(&mut app) {
            match event.phase {
                CollisionPhase::Started => {
                    assert!(live_pairs.insert(event.entities()), "frame {frame}");
                }
                CollisionPhase::Persisted => {
                    assert!(live_pairs.contains(&event.entities()), "frame {frame}");
                }
                CollisionPhase::Ended { .. } => {
                    assert!(live_pairs.remove(&event.entities()), "frame {frame}");
                }
            }
        }
        let placed: Vec<(Entity, PlacedShape)> = alive
            .iter()
            .map(|&entity| {
                let world = app.world();
                let affine = world.get::<Transform>(entity).unwrap().compute_affine();
                let pose = bevy::math::Affine2::from_mat2_translation(
                    Mat2::from_cols(
                        affine.matrix3.x_axis.truncate(),
                        affine.matrix3.y_axis.truncate(),
                    ),
                    affine.translation.truncate(),
                );
                (
                    entity,
                    PlacedShape::new(&world.get::<Collider>(entity).unwrap().shape, pose).unwrap(),
                )
            })
            .collect();
        let mut expected = std::collections::BTreeSet::new();
        for (i, (a, shape_a)) in placed.iter().enumerate() {
            for (b, shape_b) in &placed[i + 1..] {
                if overlaps(shape_a, shape_b, TouchRule::Inclusive) {
                    expected.insert([*a.min(b), *a.max(b)]);
                }
            }
        }
        assert_eq!(live_pairs, expected, "frame {frame}");
    }
    assert!(!live_pairs.is_empty());
}
