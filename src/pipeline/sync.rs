//! From the world to the collider table.

use bevy::ecs::entity::Entities;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::QueryData;
use bevy::ecs::system::SystemParam;
use bevy::math::Affine2;
use bevy::platform::time::Instant;
use bevy::prelude::*;

use crate::collider_table::{ColliderTable, Role, RowState};
use crate::components::{
    Collider, ColliderDisabled, ColliderRow, CollisionLayers, Solid, StaticCollider, Swept,
};
use crate::events::EndReason;
use crate::geometry::{PlacementError, Touch};
use crate::settings::CollisionSettings;
use crate::stats::CollisionStats;
use crate::world_pose::Ancestors;

#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct ColliderData {
    entity: Entity,
    row: &'static mut ColliderRow,
    collider: Ref<'static, Collider>,
    transform: Option<Ref<'static, Transform>>,
    parent: Option<&'static ChildOf>,
    layers: Option<&'static CollisionLayers>,
    solid: Option<&'static Solid>,
    is_static: Has<StaticCollider>,
    swept: Option<Ref<'static, Swept>>,
}

/// What is asked about a collider that was not met.
#[derive(SystemParam)]
pub(super) struct Leavers<'w, 's> {
    entities: &'w Entities,
    colliders: Query<'w, 's, Has<Collider>, Or<(With<Disabled>, Without<Disabled>)>>,
}

/// Brings every row up to date: poses from `Transform` and the ancestors' as they are now, never
/// from a `GlobalTransform`, which is a frame old in a fixed schedule.
///
/// Colliders that left are found by mark and sweep: each collider met stamps its row with the
/// number of the step, and rows without the stamp have left. Removal events are not used, since a
/// fixed schedule can miss them.
pub(super) fn sync_colliders(
    mut table: ResMut<ColliderTable>,
    mut stats: ResMut<CollisionStats>,
    settings: Res<CollisionSettings>,
    mut colliders: Query<ColliderData, Without<ColliderDisabled>>,
    ancestors: Ancestors,
    leavers: Leavers,
    names: Query<&Name>,
    mut last_touch: Local<Touch>,
) {
    let start = Instant::now();
    let table = table.as_mut();
    let step = stats.steps + 1;
    let touch = settings.touch();
    // The bounds hold the tolerance, so a changed one changes them all.
    let refresh =
        core::mem::replace(&mut *last_touch, touch).slop.to_bits() != touch.slop.to_bits();

    table.free_left();
    table.remember_places(stats.swept_colliders > 0);
    let mut counts = Counts::default();
    for mut item in &mut colliders {
        let role = Role {
            layers: item.layers.copied().unwrap_or_default(),
            is_static: item.is_static,
            is_swept: item.swept.is_some() && !item.is_static,
            inverse_mass: inverse_mass(item.solid, item.is_static),
        };
        let known = table.row_of(item.entity, item.row.0);
        let row = known.unwrap_or_else(|| {
            let row = table.insert(item.entity, role);
            item.row.0 = row as u32;
            row
        });
        let old_role = core::mem::replace(&mut table.roles[row], role);
        table.former_roles[row] = old_role;
        table.statics_changed |= old_role.is_static != role.is_static;
        table.sources[row].stamp = step;

        let was_active = known.is_some() && table.states[row] == RowState::Active;
        let is_moved = item.transform.as_ref().is_none_or(Ref::is_changed);
        let is_changed = known.is_none() || refresh || item.collider.is_changed();
        let parent_matters = item.parent.is_some() || table.sources[row].has_parent;
        if is_changed || is_moved || parent_matters {
            place(table, row, &item, is_changed, &touch, &ancestors, &names);
        }
        // Inserted anew, a swept collider has come by no way.
        if !was_active || item.swept.as_ref().is_some_and(Ref::is_changed) {
            table.forget_motion(row);
        }
        if item.solid.is_some_and(|solid| solid.mass.is_nan() || solid.mass <= 0.0) {
            let mass = item.solid.map_or(0.0, |solid| solid.mass);
            warn_once(table, row, Fault::Mass, &names, |who| {
                log::warn!(
                    "{who} has a `Solid` of mass {mass}, which is not above 0: it pushes nothing"
                );
            });
        }
        counts.add(table.states[row], &role);
    }

    if counts.met != table.used() {
        for row in 0..table.len() {
            let is_used = matches!(table.states[row], RowState::Active | RowState::Invalid);
            if is_used && table.sources[row].stamp != step {
                table.leave(row, leavers.reason(table.entities[row]));
            }
        }
    }
    counts.write(&mut stats);
    stats.times.sync = start.elapsed();
}

/// Places a row's shape anew, if its pose or its shape has changed.
fn place(
    table: &mut ColliderTable,
    row: usize,
    item: &ColliderDataItem,
    is_changed: bool,
    touch: &Touch,
    ancestors: &Ancestors,
    names: &Query<&Name>,
) {
    let source = &mut table.sources[row];
    source.has_parent = item.parent.is_some();
    let pose = match &item.transform {
        None => Err(Unplaced::NoTransform),
        Some(transform) => ancestors.pose(transform, item.parent).ok_or(Unplaced::EndlessParents),
    };
    let result = match pose {
        Err(unplaced) => Err(unplaced),
        // A NaN pose differs from itself and is looked at in every step.
        Ok(pose) if pose == source.pose && !is_changed => return,
        Ok(pose) => {
            let before = core::mem::replace(&mut source.pose, pose);
            let shape = &item.collider.shape;
            let placed = if is_changed || table.states[row] == RowState::Invalid {
                // A shape is checked when it changes; while it is unsound, again in every step in
                // which it moves.
                shape
                    .validate()
                    .map_err(PlacementError::from)
                    .and_then(|()| table.shapes[row].place(shape, pose))
            } else if before.matrix2 == pose.matrix2 && pose.is_finite() {
                table.shapes[row].carry(shape, pose)
            } else {
                table.shapes[row].place(shape, pose)
            };
            placed.map_err(Unplaced::Refused)
        }
    };
    table.statics_changed |= item.is_static;
    match result {
        Ok(()) => {
            table.bounds[row] = table.shapes[row].touch_bounds(touch);
            table.states[row] = RowState::Active;
            if table.shapes[row].has_stretched_radius() {
                warn_once(table, row, Fault::StretchedRadius, names, |who| {
                    log::warn!(
                        "{who} has a radius under an unequal scale: its circle stays a circle, of \
                         its larger half. Scale both axes alike, or use a polygon"
                    );
                });
            }
        }
        Err(unplaced) => {
            table.states[row] = RowState::Invalid;
            table.sources[row].pose = Affine2::NAN;
            warn_once(table, row, unplaced.fault(), names, |who| {
                log::warn!("{who} takes part in no collision until it is mended: {unplaced}");
            });
        }
    }
}

/// Inverse mass of a solid; none for a sensor and for a mass that makes no sense.
fn inverse_mass(solid: Option<&Solid>, is_static: bool) -> Option<f32> {
    let mass = solid?.mass;
    // The inverse of the smallest masses is infinite, and infinities become NaN where they meet.
    (mass > 0.0).then_some(if is_static { 0.0 } else { (1.0 / mass).min(1e30) })
}

impl Leavers<'_, '_> {
    fn reason(&self, entity: Entity) -> EndReason {
        if !self.entities.contains(entity) {
            return EndReason::Despawned;
        }
        match self.colliders.get(entity) {
            Ok(false) => EndReason::ColliderRemoved,
            // It still has its collider, so some filter hides it: `ColliderDisabled`, `Disabled`
            // or a disabling component of the game's own.
            Ok(true) | Err(_) => EndReason::Disabled,
        }
    }
}

/// Why a collider is left out.
#[derive(Debug, thiserror::Error)]
enum Unplaced {
    #[error("it has no `Transform`")]
    NoTransform,
    #[error("its chain of parents is a circle, or longer than 1000")]
    EndlessParents,
    #[error(transparent)]
    Refused(#[from] PlacementError),
}

impl Unplaced {
    fn fault(&self) -> Fault {
        match self {
            Self::NoTransform => Fault::NoTransform,
            Self::EndlessParents => Fault::EndlessParents,
            Self::Refused(PlacementError::Shape(_)) => Fault::Shape,
            Self::Refused(PlacementError::NonFinitePose) => Fault::NonFinitePose,
            Self::Refused(PlacementError::SingularPose) => Fault::SingularPose,
            Self::Refused(PlacementError::OutOfRange) => Fault::OutOfRange,
        }
    }
}

/// What a collider can be warned of, once each.
#[derive(Clone, Copy)]
enum Fault {
    NoTransform,
    EndlessParents,
    Shape,
    NonFinitePose,
    SingularPose,
    OutOfRange,
    StretchedRadius,
    Mass,
}

fn warn_once(
    table: &mut ColliderTable,
    row: usize,
    fault: Fault,
    names: &Query<&Name>,
    warn: impl FnOnce(String),
) {
    let bit = 1 << fault as u32;
    let warned = &mut table.sources[row].warned;
    if *warned & bit != 0 {
        return;
    }
    *warned |= bit;
    let entity = table.entities[row];
    warn(match names.get(entity) {
        Ok(name) => format!("the collider of {entity} \"{name}\""),
        Err(_) => format!("the collider of {entity}"),
    });
}

#[derive(Default)]
struct Counts {
    met: usize,
    active: usize,
    statics: usize,
    swept: usize,
}

impl Counts {
    fn add(&mut self, state: RowState, role: &Role) {
        let is_active = state == RowState::Active;
        self.met += 1;
        self.active += usize::from(is_active);
        self.statics += usize::from(is_active && role.is_static);
        self.swept += usize::from(is_active && role.is_swept);
    }

    fn write(&self, stats: &mut CollisionStats) {
        stats.colliders = self.active;
        stats.static_colliders = self.statics;
        stats.swept_colliders = self.swept;
        stats.invalid_colliders = self.met - self.active;
    }
}
