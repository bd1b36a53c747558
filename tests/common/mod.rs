//! The test app: how to step it, and how to hear what happened.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its own part of this module")]

use std::time::Duration;

use bevy::ecs::schedule::{LogLevel, ScheduleBuildSettings};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_nudge::prelude::*;

/// An app whose every `update` is exactly one step of the default schedule.
pub fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, CollisionPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .init_resource::<Heard>()
        .add_systems(FixedLast, hear);
    forbid_ambiguity(&mut app);
    // The first update always has a delta of zero and so makes no step.
    app.update();
    app
}

/// The same with push-out.
pub fn solid_app() -> App {
    let mut app = app();
    app.add_plugins(ResolutionPlugin);
    app
}

/// An app whose steps come when time has passed: `frame` per update.
pub fn timed_app(frame: Duration) -> App {
    let mut app = app();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    app
}

/// Turns systems of the step that conflict without an order into a panic.
fn forbid_ambiguity(app: &mut App) {
    app.edit_schedule(FixedPostUpdate, |schedule| {
        schedule.set_build_settings(ScheduleBuildSettings {
            ambiguity_detection: LogLevel::Error,
            ..default()
        });
    });
}

/// All events since they were last taken.
#[derive(Resource, Default)]
pub struct Heard(pub Vec<CollisionEvent>);

fn hear(mut events: MessageReader<CollisionEvent>, mut heard: ResMut<Heard>) {
    heard.0.extend(events.read().copied());
}

/// One step, and the events of it.
pub fn step(app: &mut App) -> Vec<CollisionEvent> {
    app.update();
    std::mem::take(&mut app.world_mut().resource_mut::<Heard>().0)
}

/// What happened, short enough to compare: `start`, `stay` or `end Reason`.
pub fn phases(events: &[CollisionEvent]) -> Vec<String> {
    events
        .iter()
        .map(|event| match event.phase {
            CollisionPhase::Started => "start".to_owned(),
            CollisionPhase::Persisted => "stay".to_owned(),
            CollisionPhase::Ended { reason, .. } => format!("end {reason:?}"),
        })
        .collect()
}

pub fn at(x: f32, y: f32) -> Transform {
    Transform::from_xyz(x, y, 0.0)
}

pub fn spawn(app: &mut App, bundle: impl Bundle) -> Entity {
    app.world_mut().spawn(bundle).id()
}

pub fn place(app: &mut App, entity: Entity, x: f32, y: f32) {
    let mut transform = app.world_mut().get_mut::<Transform>(entity).expect("a transform");
    transform.translation.x = x;
    transform.translation.y = y;
}

pub fn position(app: &App, entity: Entity) -> Vec2 {
    app.world().get::<Transform>(entity).expect("a transform").translation.truncate()
}

pub fn contacts(app: &App) -> &Contacts {
    app.world().resource::<Contacts>()
}

pub fn settings(app: &mut App) -> Mut<'_, CollisionSettings> {
    app.world_mut().resource_mut::<CollisionSettings>()
}

/// A generator of numbers in 0..1 that is the same in every run.
pub fn noise(seed: u64) -> impl FnMut() -> f32 {
    let mut state = seed;
    move || {
        // SplitMix64 (Steele, Lea and Flood, 2014).
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 40) as f32 / (1_u64 << 24) as f32
    }
}

/// In a process started by [`run_in_a_child`], what it is to do.
pub fn child_mode() -> Option<String> {
    std::env::var("NUDGE_TEST_MODE").ok()
}

/// Runs one test of this file again, in a process of its own: there is one task pool per process.
/// Answers what the test printed.
pub fn run_in_a_child(test: &str, mode: &str) -> String {
    let program = std::env::current_exe().expect("the path of the test");
    let output = std::process::Command::new(program)
        .args([test, "--exact", "--nocapture"])
        .env("NUDGE_TEST_MODE", mode)
        .output()
        .expect("a second process of the test");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (said, complained) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{test} with {mode}:\n{said}\n{complained}");
    assert!(said.contains("1 passed"), "{test} is no test of this file:\n{said}");
    said
}
