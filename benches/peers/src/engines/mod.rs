//! The contestants. Each runs a scene one step at a time, and tells which pairs touch.

mod avian;
mod bevy_rapier;
mod flat_grid;
mod floor;
mod hash_map;
mod nudge;
mod rapier;

use std::time::{Duration, Instant};

use bevy::app::{TaskPoolOptions, TaskPoolPlugin, TaskPoolThreadAssignmentPolicy};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;

use crate::queries::{AllAnswers, Questions};
use crate::scenes::{Body, Scene};

/// Who takes part, in the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The app with nothing that collides: what all others are measured against.
    Nothing,
    Nudge,
    AvianDetection,
    Avian,
    RapierSensors,
    RapierContacts,
    RapierBare,
    HashMap,
    FlatGrid,
    Floor,
}

impl Engine {
    pub const ALL: [Self; 10] = [
        Self::Nothing,
        Self::Nudge,
        Self::AvianDetection,
        Self::Avian,
        Self::RapierSensors,
        Self::RapierContacts,
        Self::RapierBare,
        Self::HashMap,
        Self::FlatGrid,
        Self::Floor,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Nudge => "nudge",
            Self::AvianDetection => "avian-detect",
            Self::Avian => "avian",
            Self::RapierSensors => "rapier-sensor",
            Self::RapierContacts => "rapier-contact",
            Self::RapierBare => "rapier-bare",
            Self::HashMap => "hash-map",
            Self::FlatGrid => "flat-grid",
            Self::Floor => "floor",
        }
    }

    /// Whether the step is a whole frame of an app, from which the frame without collision is
    /// subtracted.
    pub fn has_frame(self) -> bool {
        self != Self::RapierBare
    }

    /// Whether it can be asked about space. Rapier's answers do not depend on what its colliders
    /// are, so it is asked once.
    pub fn answers_questions(self) -> bool {
        matches!(self, Self::Nudge | Self::AvianDetection | Self::Avian | Self::RapierSensors)
    }

    pub fn start(self, scene: &Scene, threads: usize) -> Box<dyn Contestant> {
        match self {
            Self::Nothing => {
                let mut app = app(threads);
                spawn(app.world_mut(), scene, |_| (), |_| ());
                Box::new(AppContestant::new(app, |_| Vec::new()))
            }
            Self::Nudge => nudge::start(scene, threads),
            Self::AvianDetection => avian::start(scene, threads, false),
            Self::Avian => avian::start(scene, threads, true),
            Self::RapierSensors => bevy_rapier::start(scene, threads, true),
            Self::RapierContacts => bevy_rapier::start(scene, threads, false),
            Self::RapierBare => rapier::start(scene),
            Self::HashMap => hash_map::start(scene, threads),
            Self::FlatGrid => flat_grid::start(scene, threads),
            Self::Floor => floor::start(scene, threads),
        }
    }
}

/// Two bodies of the scene by number.
pub type Pair = [u32; 2];

pub trait Contestant {
    /// Goes one step on, and tells how long it took.
    fn step(&mut self) -> Duration;
    /// The pairs that touch after the last step, in any order.
    fn pairs(&mut self) -> Vec<Pair>;
    /// Answers questions about space, if the engine
    /// [answers questions](Engine::answers_questions).
    fn ask(&mut self, _: &Questions) -> AllAnswers {
        unreachable!("only those are asked that can answer")
    }
    /// Which body of the scene an entity is.
    fn number(&self, _: Entity) -> u32 {
        unreachable!("only those are asked that can answer")
    }
}

/// A contestant that lives in a Bevy app.
struct AppContestant {
    app: App,
    pairs: fn(&mut World) -> Vec<Pair>,
    ask: Option<fn(&mut World, &Questions) -> AllAnswers>,
}

impl AppContestant {
    fn new(mut app: App, pairs: fn(&mut World) -> Vec<Pair>) -> Self {
        app.finish();
        app.cleanup();
        // The first update always has a delta of zero and so makes no step.
        app.update();
        Self { app, pairs, ask: None }
    }
}

impl Contestant for AppContestant {
    fn step(&mut self) -> Duration {
        let start = Instant::now();
        self.app.update();
        start.elapsed()
    }

    fn pairs(&mut self) -> Vec<Pair> {
        (self.pairs)(self.app.world_mut())
    }

    fn ask(&mut self, questions: &Questions) -> AllAnswers {
        let ask = self.ask.expect("only those are asked that can answer");
        ask(self.app.world_mut(), questions)
    }

    fn number(&self, entity: Entity) -> u32 {
        number(self.app.world(), entity)
    }
}

/// A headless app whose every update is one step of the fixed schedules. Things move in
/// `FixedPreUpdate`, before every contestant.
fn app(threads: usize) -> App {
    let some = |threads| TaskPoolThreadAssignmentPolicy {
        min_threads: threads,
        max_threads: threads,
        percent: 1.0,
        on_thread_spawn: None,
        on_thread_destroy: None,
    };
    let task_pool_options = TaskPoolOptions {
        min_total_threads: threads + 2,
        max_total_threads: threads + 2,
        io: some(1),
        async_compute: some(1),
        compute: some(threads),
    };
    let mut app = App::new();
    app.add_plugins((MinimalPlugins.set(TaskPoolPlugin { task_pool_options }), TransformPlugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_systems(FixedPreUpdate, walk);
    app
}

/// Which body of the scene an entity is.
#[derive(Component, Clone, Copy)]
struct Number(u32);

#[derive(Component)]
struct Mover(Body);

fn walk(mut step: Local<u32>, mut movers: Query<(&mut Transform, &Mover)>) {
    *step += 1;
    for (mut transform, mover) in &mut movers {
        transform.translation = mover.0.place(*step).extend(0.0);
    }
}

/// Spawns a scene, each entity at once with all it needs, so that no archetype is passed through.
fn spawn<M: Bundle, S: Bundle>(
    world: &mut World,
    scene: &Scene,
    moving: impl Fn(&Body) -> M,
    fixed: impl Fn(&Body) -> S,
) {
    for (number, body) in scene.bodies.iter().enumerate() {
        let place = Transform::from_translation(body.place(0).extend(0.0));
        let number = Number(number as u32);
        if body.is_static() {
            world.spawn((place, number, fixed(body)));
        } else {
            world.spawn((place, number, Mover(*body), moving(body)));
        }
    }
}

fn number(world: &World, entity: Entity) -> u32 {
    world.get::<Number>(entity).map_or(u32::MAX, |number| number.0)
}

/// What the contestants without an engine tell a game.
#[derive(Message, Clone, Copy)]
struct Touch {
    a: Entity,
    b: Entity,
    phase: Phase,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Started,
    Touching,
    Ended,
}

fn touching_pairs(world: &mut World) -> Vec<Pair> {
    let touches: Vec<Touch> = world
        .resource::<Messages<Touch>>()
        .iter_current_update_messages()
        .filter(|touch| touch.phase != Phase::Ended)
        .copied()
        .collect();
    touches.iter().map(|touch| [number(world, touch.a), number(world, touch.b)]).collect()
}
