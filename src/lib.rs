//! 2D collisions for [Bevy](https://bevy.org) without a physics engine.
#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods, clippy::print_stdout)]

pub mod geometry;

mod grid;
mod plane_solver;

mod candidate_pairs;
mod collider_table;
mod collision_grid;
mod components;
mod contacts;
mod events;
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
pub use query::CollisionQuery;
pub use settings::{CellSize, CollisionSettings, ResolutionSettings, Stepping};
pub use stats::{CollisionStats, StageTimes};

/// The names that most games need.
pub mod prelude {
    pub use crate::geometry::TouchRule;
    pub use crate::{
        CellSize, Collider, ColliderDisabled, CollisionEnded, CollisionEvent,
        CollisionEventsEnabled, CollisionLayers, CollisionPhase, CollisionPlugin, CollisionQuery,
        CollisionSettings, CollisionStarted, CollisionSystems, Contacts, EndReason, Pushes,
        ResolutionPlugin, Solid, StaticCollider,
    };
}
