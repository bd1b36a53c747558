//! 2D collisions for [Bevy](https://bevy.org) without a physics engine.
//!
//! Add [`CollisionPlugin`], put a [`Collider`] on entities, and read [`CollisionEvent`]s: which pairs
//! touch or overlap, how deep, and the shortest way out. Add [`ResolutionPlugin`] and [`Solid`] to
//! have them pushed apart.
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_nudge::prelude::*;
//!
//! fn main() {
//!     App::new()
//!         .add_plugins((MinimalPlugins, CollisionPlugin::default(), ResolutionPlugin))
//!         .add_systems(Startup, spawn)
//!         .add_systems(FixedUpdate, report);
//!         // .run();
//! }
//!
//! fn spawn(mut commands: Commands) {
//!     commands.spawn((Collider::circle(12.0), Solid::default(), Transform::from_xyz(0.0, 17.0, 0.0)));
//!     commands.spawn((Collider::aabb(200.0, 16.0), Solid::default(), StaticCollider));
//! }
//!
//! fn report(mut events: MessageReader<CollisionEvent>) {
//!     for event in events.read().filter(|event| event.is_started()) {
//!         let [a, b] = event.entities();
//!         println!("{a} met {b}, {} deep; {b} leaves by {}", event.depth(), event.mtv());
//!     }
//! }
//! ```
//!
//! # The step
//!
//! ```text
//!  Collider, Transform        grid            shapes           Solid
//!         │                    │                │                │
//!  ┌──────▼─────┐  rows  ┌─────▼──────┐ pairs ┌─▼───────────┐  ┌─▼───────┐  ┌─────────┐
//!  │    Sync    ├───────►│ BroadPhase ├──────►│ NarrowPhase ├─►│ Resolve ├─►│ Publish │
//!  └────────────┘        └────────────┘       └──────┬──────┘  └────┬────┘  └────┬────┘
//!                                                Contacts        Pushes    CollisionEvent
//! ```
//!
//! [`CollisionSystems`] names the stages, which run in `FixedPostUpdate` unless
//! [`CollisionPlugin::in_schedule`] says otherwise. Move things before `Sync`, react after
//! `Publish`.
//!
//! `docs/pictures.md` in the repository shows contacts, rays, sweeps and push-outs in pictures.
//!
//! # What you can rely on
//!
//! - One rule says what touches, for every test: [`TouchRule`](geometry::TouchRule). Conventions and
//!   what "exact" means are on the page of [`geometry`].
//! - Every start of a contact has exactly one end, with its [`EndReason`], whatever happens to the
//!   entities in between.
//! - [`Contacts`] and events come in ascending order of the pair of entities, and are the same to
//!   the bit for any number of threads. Another order of spawning may swap A and B, nothing else.
//! - Transforms are read as they are when the step runs, parents included.
//! - Bad input (NaN, a scale of 0, a negative radius) leaves its collider out, with one warning that
//!   names it, until it is mended. Nothing panics.
//! - A steady step allocates nothing.
//!
//! `docs/what-you-can-rely-on.md` in the repository has all promises, each with its tests.
//!
//! # Where is it?
//!
//! | To change | Open |
//! |---|---|
//! | when shapes count as touching | `geometry/touch.rs` |
//! | the axes of a pair of shapes | `geometry/sat.rs` |
//! | which axis wins, and ties | `geometry/collide.rs` |
//! | the contact of two circles | `geometry/circles.rs` |
//! | which polygons are refused | `geometry/polygon.rs` |
//! | scale, mirroring and shear of a shape | `geometry/placed/placing.rs` |
//! | how a concave outline is cut into pieces | `geometry/cut.rs` |
//! | the push-out of concave and compound shapes | `geometry/way_out.rs` (where), `geometry/pieces.rs` (of what) |
//! | what a ray or a moving shape meets | `geometry/ray.rs`, `geometry/sweep.rs`, both on `geometry/convex.rs` |
//! | what fast movers meet, and where they stop | `pipeline/sweep.rs` |
//! | which pairs are looked at | `pipeline/broad_phase.rs` (which), `grid/` (how) |
//! | why an end event came | `pipeline/publish.rs` (that), `pipeline/sync.rs` (why) |
//! | how far things are pushed | `pipeline/resolve.rs` (planes), `plane_solver/` (moves) |
//! | what a query finds, and its cost | `query/` (questions), `grid/visits.rs` (walks) |
//! | the order of everything | `pipeline/mod.rs` |
//! | a default or a tolerance | `settings.rs` |
//! | what is drawn | `debug_draw/mod.rs` (colliders, contacts), `debug_draw/answers.rs` (rays, casts) |
//! | what the panel shows | `inspector/columns.rs` (table), `inspector/detail.rs` (selection) |
//! | what the panel keeps of the past | `inspector/capture.rs` (copies), `inspector/history.rs` (keeps) |
//! | the file of a recording | `inspector/recording_lines.rs` |
//! | what the panel can edit | `inspector/edits.rs` |
//! | what the panel says of a pair | `inspector/verdict.rs` (which stage), `geometry/explain.rs` (which axis) |
//!
//! # Features
//!
//! | Feature | Gives |
//! |---|---|
//! | none (the default) | collisions; no rendering crate, no system packages |
//! | `debug_draw` | outlines, normals, pushes, answers and the grid as gizmos |
//! | `inspector` | the contact panel, with `bevy_egui` |
//! | `examples` | what the examples with a window need; games do not |
#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods, clippy::print_stdout)]

pub mod geometry;

mod parallel;
mod radix_sort;

mod grid;
mod plane_solver;

mod candidate_pairs;
mod collider_table;
mod collision_grid;
mod components;
mod contacts;
mod entity_order;
mod events;
mod impacts;
mod pushes;
mod settings;
mod stats;
mod world_pose;

mod pipeline;

pub mod diagnostics;
mod plugin;
mod query;

#[cfg(feature = "debug_draw")]
pub mod debug_draw;
#[cfg(feature = "inspector")]
pub mod inspector;

pub use components::{
    Collider, ColliderDisabled, CollisionEventsEnabled, CollisionLayers, Solid, StaticCollider,
    Swept,
};
pub use contacts::{ContactPair, Contacts};
pub use events::{
    CollisionEnded, CollisionEvent, CollisionPhase, CollisionStarted, EndReason, EndedBy,
    Participant,
};
pub use grid::GridCell;
pub use pipeline::CollisionSystems;
pub use plugin::{CollisionPlugin, ResolutionPlugin};
pub use pushes::{Push, Pushes};
pub use query::{CollisionFilter, CollisionQuery};
pub use settings::{CellSize, CollisionSettings, ResolutionSettings, Stepping};
pub use stats::{CollisionStats, StageTimes};

/// The names that most games need.
pub mod prelude {
    pub use crate::geometry::TouchRule;
    pub use crate::{
        CellSize, Collider, ColliderDisabled, CollisionEnded, CollisionEvent,
        CollisionEventsEnabled, CollisionFilter, CollisionLayers, CollisionPhase, CollisionPlugin,
        CollisionQuery, CollisionSettings, CollisionStarted, CollisionSystems, ContactPair,
        Contacts, EndReason, Push, Pushes, ResolutionPlugin, Solid, StaticCollider, Stepping,
        Swept,
    };
}

/// The code of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
