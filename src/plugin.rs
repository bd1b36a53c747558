//! Wiring: what a game adds to its app.

use bevy::ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy::prelude::*;

use crate::candidate_pairs::CandidatePairs;
use crate::collider_table::ColliderTable;
use crate::collision_grid::CollisionGrid;
use crate::components::{
    Collider, ColliderDisabled, CollisionEventsEnabled, CollisionLayers, Solid, StaticCollider,
    Swept,
};
use crate::contacts::Contacts;
use crate::diagnostics;
use crate::events::CollisionEvent;
use crate::impacts::Impacts;
use crate::pipeline;
use crate::pushes::Pushes;
use crate::settings::CollisionSettings;
use crate::stats::CollisionStats;

/// Finds contacts and tells about them.
///
/// The step runs in `FixedPostUpdate` unless another schedule is named. A game that moves things
/// in `Update` wants `CollisionPlugin::in_schedule(PostUpdate)`: then a bullet is reported in the
/// frame in which it arrives.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_nudge::prelude::*;
///
/// App::new().add_plugins((MinimalPlugins, CollisionPlugin::in_schedule(PostUpdate)));
/// ```
#[derive(Clone, Debug)]
pub struct CollisionPlugin {
    schedule: InternedScheduleLabel,
}

impl Default for CollisionPlugin {
    fn default() -> Self {
        Self::in_schedule(FixedPostUpdate)
    }
}

impl CollisionPlugin {
    /// The plugin with its step in this schedule.
    #[must_use]
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }

    /// The schedule in which the step runs.
    #[must_use]
    pub fn schedule(&self) -> InternedScheduleLabel {
        self.schedule
    }
}

impl Plugin for CollisionPlugin {
    fn build(&self, app: &mut App) {
        // Explicit, because automatic registration is a feature that a game may have switched off.
        app.register_type::<Collider>()
            .register_type::<CollisionLayers>()
            .register_type::<StaticCollider>()
            .register_type::<Solid>()
            .register_type::<ColliderDisabled>()
            .register_type::<CollisionEventsEnabled>()
            .register_type::<Swept>()
            .register_type::<CollisionSettings>()
            .init_resource::<CollisionSettings>()
            .init_resource::<CollisionStats>()
            .init_resource::<ColliderTable>()
            .init_resource::<CollisionGrid>()
            .init_resource::<CandidatePairs>()
            .init_resource::<Contacts>()
            .init_resource::<Impacts>()
            .add_message::<CollisionEvent>();
        pipeline::add_pipeline(app, self.schedule);
        diagnostics::add_diagnostics(app);
    }
}

/// Pushes [`Solid`]s apart, in the step of [`CollisionPlugin`], which must be added too.
///
/// Contacts and events of a step speak of the places before its push-out. What was pushed how far
/// is told by [`Pushes`].
#[derive(Clone, Copy, Debug, Default)]
pub struct ResolutionPlugin;

impl Plugin for ResolutionPlugin {
    fn build(&self, app: &mut App) {
        // The resource is what switches the stage on.
        app.init_resource::<Pushes>();
    }
}
