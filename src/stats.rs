//! How much the last step did, and how long it took.

use core::time::Duration;

use bevy::prelude::*;

/// Counts and times of the last collision step.
///
/// The same numbers go to Bevy's diagnostics, see [`diagnostics`](crate::diagnostics).
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct CollisionStats {
    /// How many steps have been taken.
    pub steps: u64,
    /// Colliders that take part, static ones included.
    pub colliders: usize,
    /// Static colliders that take part.
    pub static_colliders: usize,
    /// Colliders whose whole way is looked at, see [`Swept`](crate::Swept).
    pub swept_colliders: usize,
    /// Colliders left out because their shape or transform is unsound.
    pub invalid_colliders: usize,
    /// Colliders that were looked at: all but static ones of which nothing has changed.
    pub read_colliders: usize,
    /// Colliders that were sorted into a grid: all that move, and static ones where some have changed.
    pub sorted_colliders: usize,
    /// Pairs of bounds that were compared.
    pub compared_bounds: usize,
    /// Pairs whose bounds meet and whose layers match: the work of the narrow phase.
    pub candidates: usize,
    /// Pairs in contact.
    pub contacts: usize,
    /// Side of the smallest grid cells for moving colliders, in world units.
    pub cell_size: f32,
    /// Time spent in each stage.
    pub times: StageTimes,
}

/// Wall-clock time of each stage of the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// [`CollisionSystems::Sync`](crate::CollisionSystems::Sync).
    pub sync: Duration,
    /// [`CollisionSystems::BroadPhase`](crate::CollisionSystems::BroadPhase).
    pub broad_phase: Duration,
    /// [`CollisionSystems::NarrowPhase`](crate::CollisionSystems::NarrowPhase).
    pub narrow_phase: Duration,
    /// [`CollisionSystems::Resolve`](crate::CollisionSystems::Resolve).
    pub resolve: Duration,
    /// [`CollisionSystems::Publish`](crate::CollisionSystems::Publish), without the observers.
    pub publish: Duration,
}

impl StageTimes {
    /// All stages together.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.sync + self.broad_phase + self.narrow_phase + self.resolve + self.publish
    }
}
