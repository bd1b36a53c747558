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
