//! The collision step: five stages in order.
//!
//! | Set | System | Takes | Hands on |
//! |---|---|---|---|
//! | `Sync` | `sync_colliders` | colliders and transforms | the collider table |
//! | `BroadPhase` | `find_candidate_pairs` | bounds of the table | candidate pairs |
//! | `NarrowPhase` | `sweep_fast_movers` | candidate pairs of swept colliders | impacts |
//! | | `find_contacts` | candidate pairs, shapes, impacts | contacts |
//! | `Resolve` | `push_apart` | contacts of solids | transforms, pushes |
//! | `Publish` | `write_collision_events`, `trigger_collision_events` | contacts, old and new | messages, observers |

mod broad_phase;
mod columns;
mod narrow_phase;
mod publish;
mod push_planner;
mod resolve;
mod sweep;
mod sync;
mod walls;
mod ways;

use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::prelude::*;

use crate::pushes::Pushes;
use crate::settings::CollisionSettings;

/// The stages of the collision step, in this order. They run in the schedule that
/// [`CollisionPlugin`](crate::CollisionPlugin) was made for, `FixedPostUpdate` by default.
///
/// Move things before [`Sync`](Self::Sync); react after [`Publish`](Self::Publish). Systems of
/// the default schedule's neighbours, such as `FixedUpdate`, need no ordering at all.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_nudge::prelude::*;
///
/// fn move_player() {}
/// fn hurt_player() {}
///
/// let mut app = App::new();
/// app.add_systems(
///     FixedPostUpdate,
///     (move_player.before(CollisionSystems::Sync), hurt_player.after(CollisionSystems::Publish)),
/// );
/// ```
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CollisionSystems {
    /// Reads colliders and transforms, parents included, as they are at this moment.
    Sync,
    /// Finds the pairs whose bounds meet.
    BroadPhase,
    /// Finds which of these are in contact, and writes [`Contacts`](crate::Contacts).
    NarrowPhase,
    /// Pushes solids apart and writes their `Transform`, if
    /// [`ResolutionPlugin`](crate::ResolutionPlugin) is added.
    Resolve,
    /// Writes [`CollisionEvent`](crate::CollisionEvent)s and triggers observers.
    Publish,
}

/// The whole pipeline, in order. Nothing else in this crate orders systems.
pub(crate) fn add_pipeline(app: &mut App, schedule: InternedScheduleLabel) {
    use CollisionSystems::{BroadPhase, NarrowPhase, Publish, Resolve, Sync};
    app.configure_sets(
        schedule,
        (Sync, BroadPhase, NarrowPhase, Resolve, Publish)
            .chain()
            .before(TransformSystems::Propagate)
            .run_if(step_is_due),
    );
    app.add_systems(
        schedule,
        (
            sync::sync_colliders.in_set(Sync),
            broad_phase::find_candidate_pairs.in_set(BroadPhase),
            (sweep::sweep_fast_movers, narrow_phase::find_contacts).chain().in_set(NarrowPhase),
            resolve::push_apart.in_set(Resolve).run_if(resource_exists::<Pushes>),
            (publish::write_collision_events, publish::trigger_collision_events)
                .chain()
                .in_set(Publish),
        ),
    );
}

/// Whether this run of the schedule is a step, see [`Stepping`](crate::Stepping).
fn step_is_due(settings: Res<CollisionSettings>, mut taken: Local<u32>) -> bool {
    let stepping = settings.stepping;
    if !stepping.paused {
        *taken = stepping.single_steps;
        return true;
    }
    let is_due = *taken != stepping.single_steps;
    if is_due {
        *taken = taken.wrapping_add(1);
    }
    is_due
}
