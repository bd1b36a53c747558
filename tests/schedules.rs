//! Each reader sees each event once, in fixed and frame schedules, at any frame rate.

mod common;

use std::time::Duration;

use bevy::prelude::*;
use bevy_nudge::prelude::*;
use common::*;

#[derive(Resource, Default)]
struct Seen {
    in_update: Vec<CollisionEvent>,
    in_fixed: Vec<CollisionEvent>,
    after_publish: Vec<CollisionEvent>,
}

fn reading_app(frames_per_second: f64) -> App {
    let mut app = timed_app(Duration::from_secs_f64(1.0 / frames_per_second));
    app.init_resource::<Seen>();
    app.add_systems(Update, |mut events: MessageReader<CollisionEvent>, mut seen: ResMut<Seen>| {
        seen.in_update.extend(events.read().copied());
    });
    app.add_systems(
        FixedUpdate,
        |mut events: MessageReader<CollisionEvent>, mut seen: ResMut<Seen>| {
            seen.in_fixed.extend(events.read().copied());
        },
    );
    app.add_systems(
        FixedPostUpdate,
        (|mut events: MessageReader<CollisionEvent>, mut seen: ResMut<Seen>| {
            seen.after_publish.extend(events.read().copied());
        })
        .after(CollisionSystems::Publish),
    );
    app
}

#[test]
fn every_reader_sees_every_event_once() {
    for frames_per_second in [15.0, 60.0, 64.0, 240.0] {
        let mut app = reading_app(frames_per_second);
        settings(&mut app).persisted_events = false;
        spawn(&mut app, (Collider::circle(10.0), StaticCollider));
        // They meet the first circle, which is a member of all layers, and not each other.
        let deaf = CollisionLayers::new(1, 1 << 31);
        // One pair starts in each step in which it is its turn: 100 in all.
        let others: Vec<Entity> = (0..100)
            .map(|_| spawn(&mut app, (Collider::circle(1.0), at(500.0, 0.0), deaf)))
            .collect();
        for &other in &others {
            place(&mut app, other, 5.0, 0.0);
            app.update();
        }
        for _ in 0..20 {
            app.update();
        }
        let seen = app.world().resource::<Seen>();
        for (name, events) in [
            ("Update", &seen.in_update),
            ("FixedUpdate", &seen.in_fixed),
            ("after Publish", &seen.after_publish),
        ] {
            let started = events.iter().filter(|event| event.is_started()).count();
            assert_eq!(started, 100, "{name} at {frames_per_second} frames per second");
            let mut pairs: Vec<_> = events.iter().map(CollisionEvent::entities).collect();
            pairs.sort_unstable();
            pairs.dedup();
            assert_eq!(pairs.len(), 100, "{name} at {frames_per_second} frames per second");
        }
    }
}

#[test]
fn despawns_between_steps_are_not_missed() {
    // Frames are four times as many as steps, so removals mostly happen in frames without one.
    let mut app = reading_app(256.0);
    settings(&mut app).persisted_events = false;
    spawn(&mut app, (Collider::circle(10.0), StaticCollider));
    let mut random = noise(5);
    let mut alive = Vec::new();
    for _ in 0..400 {
        alive.push(spawn(
            &mut app,
            (Collider::circle(1.0), at(5.0, 0.0), CollisionLayers::new(1, 1)),
        ));
        if alive.len() > 5 {
            let victim = alive.swap_remove((random() * alive.len() as f32) as usize);
            app.world_mut().despawn(victim);
        }
        app.update();
    }
    for entity in alive {
        app.world_mut().despawn(entity);
    }
    for _ in 0..8 {
        app.update();
    }
    let seen = app.world().resource::<Seen>();
    let count =
        |wanted: fn(&CollisionEvent) -> bool| seen.in_update.iter().filter(|e| wanted(e)).count();
    assert!(count(CollisionEvent::is_started) > 50);
    assert_eq!(count(CollisionEvent::is_started), count(CollisionEvent::is_ended));
}

#[test]
fn any_schedule_will_do() {
    #[derive(bevy::ecs::schedule::ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
    struct Own;

    let plugins: [(&str, CollisionPlugin); 6] = [
        ("FixedUpdate", CollisionPlugin::in_schedule(FixedUpdate)),
        ("FixedPostUpdate", CollisionPlugin::default()),
        ("PreUpdate", CollisionPlugin::in_schedule(PreUpdate)),
        ("Update", CollisionPlugin::in_schedule(Update)),
        ("PostUpdate", CollisionPlugin::in_schedule(PostUpdate)),
        ("a schedule of one's own", CollisionPlugin::in_schedule(Own)),
    ];
    for (name, plugin) in plugins {
        let mut app = App::new();
        app.init_schedule(Own);
        app.add_plugins((MinimalPlugins, TransformPlugin, ResolutionPlugin, plugin));
        app.insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1));
        let a = spawn(&mut app, (Collider::circle(10.0), Solid::default()));
        spawn(&mut app, (Collider::circle(10.0), Solid::default(), at(15.0, 0.0)));
        app.update();
        app.update();
        app.world_mut().run_schedule(Own);
        assert_eq!(contacts(&app).len(), 1, "{name}");
        assert!(position(&app, a).x < -2.0, "{name}: pushed to {}", position(&app, a));
    }
}

mod every_schedule {
    use bevy::app::{FixedMainScheduleOrder, MainScheduleOrder};
    use bevy::ecs::schedule::{LogLevel, ScheduleBuildSettings, ScheduleLabel};
    use bevy::time::TimeUpdateStrategy;

    use super::*;

    #[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
    struct Own;

    const PAIRS: usize = 60;

    /// The starts that one reader has seen.
    #[derive(Resource, Default)]
    struct Started<const READER: usize>(Vec<[Entity; 2]>);

    fn read<const READER: usize>(
        mut events: MessageReader<CollisionEvent>,
        mut started: ResMut<Started<READER>>,
    ) {
        let starts = events.read().filter(|event| event.is_started());
        started.0.extend(starts.map(CollisionEvent::entities));
    }

    /// In each step of the schedule one more of those that wait far away comes to meet the first.
    #[derive(Resource, Default)]
    struct Waiting(Vec<Entity>);

    fn come(mut waiting: ResMut<Waiting>, mut transforms: Query<&mut Transform>) {
        if let Some(next) = waiting.0.pop() {
            transforms.get_mut(next).unwrap().translation.x = 5.0;
        }
    }

    const READERS: [&str; 7] =
        ["PreUpdate", "FixedUpdate", "FixedLast", "Update", "PostUpdate", "Last", "after Publish"];

    fn seen(app: &App) -> [&[[Entity; 2]]; 7] {
        fn of<const READER: usize>(app: &App) -> &[[Entity; 2]] {
            &app.world().resource::<Started<READER>>().0
        }
        [
            of::<0>(app),
            of::<1>(app),
            of::<2>(app),
            of::<3>(app),
            of::<4>(app),
            of::<5>(app),
            of::<6>(app),
        ]
    }

    /// Systems of the step that conflict without an order panic.
    fn make_app(schedule: impl ScheduleLabel + Clone, frames_per_second: f64) -> App {
        let mut app = App::new();
        app.init_schedule(Own);
        let plugin = CollisionPlugin::in_schedule(schedule.clone());
        app.add_plugins((MinimalPlugins, TransformPlugin, ResolutionPlugin, plugin))
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(
                1.0 / frames_per_second,
            )))
            .init_resource::<Waiting>()
            .init_resource::<Started<0>>()
            .init_resource::<Started<1>>()
            .init_resource::<Started<2>>()
            .init_resource::<Started<3>>()
            .init_resource::<Started<4>>()
            .init_resource::<Started<5>>()
            .init_resource::<Started<6>>()
            .add_systems(PreUpdate, read::<0>)
            .add_systems(FixedUpdate, read::<1>)
            .add_systems(FixedLast, read::<2>)
            .add_systems(Update, read::<3>)
            .add_systems(PostUpdate, read::<4>)
            .add_systems(Last, read::<5>)
            .add_systems(schedule.clone(), come.before(CollisionSystems::Sync))
            .add_systems(schedule.clone(), read::<6>.after(CollisionSystems::Publish));
        // A reader in the schedule of the step says on which side of it it wants to be.
        let detection =
            ScheduleBuildSettings { ambiguity_detection: LogLevel::Error, ..Default::default() };
        let is_shared = [FixedUpdate.intern(), Update.intern(), PostUpdate.intern()]
            .contains(&schedule.intern());
        if !is_shared {
            app.edit_schedule(schedule, |schedule| {
                schedule.set_build_settings(detection.clone());
            });
        }
        settings(&mut app).persisted_events = false;
        spawn(&mut app, (Collider::circle(10.0), StaticCollider));
        // They meet the first circle, which is a member of all layers, and not each other.
        let deaf = CollisionLayers::new(1, 1 << 31);
        let others = (0..PAIRS)
            .map(|_| spawn(&mut app, (Collider::circle(1.0), at(500.0, 0.0), deaf)))
            .collect();
        app.insert_resource(Waiting(others));
        app
    }

    fn check(name: &str, schedule: impl ScheduleLabel + Clone, prepare: fn(&mut App)) {
        for frames_per_second in [15.0, 60.0, 240.0] {
            let mut app = make_app(schedule.clone(), frames_per_second);
            prepare(&mut app);
            let expected: Vec<Entity> =
                app.world().resource::<Waiting>().0.iter().rev().copied().collect();
            for frame in 0.. {
                assert!(frame < 1000, "{name} at {frames_per_second} frames per second: no steps");
                app.update();
                if app.world().resource::<Waiting>().0.is_empty() {
                    break;
                }
            }
            // Enough for a step of the slower kind, and for its readers after it.
            (0..20).for_each(|_| app.update());
            for (reader, pairs) in READERS.into_iter().zip(seen(&app)) {
                let case = format!("{name} at {frames_per_second} frames per second: {reader}");
                let met: Vec<Entity> = pairs
                    .iter()
                    .map(|pair| *pair.iter().find(|entity| expected.contains(entity)).unwrap())
                    .collect();
                assert_eq!(met, expected, "{case} saw others, or in another order");
            }
        }
    }

    #[test]
    fn every_reader_sees_every_event_once_whatever_the_schedule() {
        check("FixedUpdate", FixedUpdate, |_| {});
        check("FixedPostUpdate", FixedPostUpdate, |_| {});
        check("Update", Update, |_| {});
        check("PostUpdate", PostUpdate, |_| {});
        check("one's own, every frame", Own, |app| {
            app.world_mut().resource_mut::<MainScheduleOrder>().insert_after(Update, Own);
        });
        check("one's own, every fixed step", Own, |app| {
            let mut order = app.world_mut().resource_mut::<FixedMainScheduleOrder>();
            order.insert_after(FixedUpdate, Own);
        });
    }

    /// With all that the crate adds to it, and nothing of the game's own.
    #[test]
    fn no_system_of_the_crate_conflicts_without_an_order() {
        fn check(schedule: impl ScheduleLabel + Clone) {
            let mut app = App::new();
            app.init_schedule(Own);
            let plugin = CollisionPlugin::in_schedule(schedule.clone());
            app.add_plugins((MinimalPlugins, TransformPlugin, ResolutionPlugin, plugin))
                .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
            for label in [schedule.intern(), Last.intern()] {
                app.edit_schedule(label, |schedule| {
                    schedule.set_build_settings(ScheduleBuildSettings {
                        ambiguity_detection: LogLevel::Error,
                        ..Default::default()
                    });
                });
            }
            spawn(&mut app, (Collider::circle(1.0), Solid::default(), Swept));
            app.update();
            app.update();
            app.world_mut().run_schedule(schedule);
            assert!(app.world().resource::<bevy_nudge::CollisionStats>().steps > 0);
        }
        check(FixedUpdate);
        check(FixedPostUpdate);
        check(PreUpdate);
        check(Update);
        check(PostUpdate);
        check(Own);
    }
}
