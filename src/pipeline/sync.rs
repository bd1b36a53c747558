//! From the world to the collider table.

use bevy::ecs::entity::Entities;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::system::SystemParam;
use bevy::math::Mat2;
use bevy::platform::time::Instant;
use bevy::prelude::*;

use super::columns::{
    Colliders, Met, Still, StillTables, Visitor, for_each_changed_collider, for_each_collider,
};
use crate::collider_table::{ColliderTable, Composition, Row, RowState};
use crate::components::{Collider, Solid, Swept};
use crate::events::EndReason;
use crate::geometry::{PlacementError, Touch};
use crate::settings::CollisionSettings;
use crate::stats::CollisionStats;
use crate::world_pose::{Ancestors, own_pose};

/// What is asked about a collider that was not met.
#[derive(SystemParam)]
pub(super) struct Leavers<'w, 's> {
    entities: &'w Entities,
    colliders: Query<'w, 's, Has<Collider>, Or<(With<Disabled>, Without<Disabled>)>>,
}

/// Brings every row up to date: poses from `Transform` and the ancestors' as they are now, never
/// from a `GlobalTransform`, which is a frame old in a fixed schedule.
///
/// Components are read as slices of whole tables of the ECS, from end to end.
///
/// Static colliders that left are missing in the list of their table. Movers that left are found by
/// counting: if as many colliders were met as have rows, none has left. Else those met are marked,
/// and rows without a mark have left. Removal events are not used, since a fixed schedule can miss
/// them.
pub(super) fn sync_colliders(
    table: ResMut<ColliderTable>,
    mut stats: ResMut<CollisionStats>,
    settings: Res<CollisionSettings>,
    mut colliders: Colliders,
    ancestors: Ancestors,
    leavers: Leavers,
    names: Query<&'static Name>,
    swept: Query<(), (With<Collider>, With<Swept>)>,
    mut still: Local<StillTables>,
    mut last_touch: Local<Touch>,
) {
    let start = Instant::now();
    let touch = settings.touch();
    // The bounds hold the tolerance, so a changed one changes them all.
    let refresh =
        core::mem::replace(&mut *last_touch, touch).slop.to_bits() != touch.slop.to_bits();
    if refresh {
        still.forget();
    }
    let table = table.into_inner();
    // Not the number of the last step: what meets a new swept collider has come by a way too.
    table.start_step(!swept.is_empty());

    let mut sync = Sync { table, touch, refresh, ancestors, names, read: 0 };
    let met = for_each_changed_collider(&mut colliders, Some(&mut still), &mut sync);
    let Sync { table, read, .. } = sync;
    for Still { entity, row } in still.take_displaced() {
        let is_here = colliders.get(entity).is_ok_and(|(_, hint, ..)| hint.0 == row);
        if !is_here && let Some(row) = table.row_of(entity, row) {
            table.leave(row, leavers.reason(entity));
        }
    }
    if met != table.used() {
        table.sources.iter_mut().for_each(|source| source.is_met = false);
        for_each_collider(&mut colliders, |met| {
            table.sources[met.row.0 as usize].is_met = true;
        });
        for row in 0..table.len() {
            let Row { entity, .. } = table.rows()[row];
            if table.rows()[row].is_used() && !table.sources[row].is_met {
                table.leave(row, leavers.reason(entity));
            }
        }
    }
    table.finish_roles();
    let counts = table.counts();
    stats.colliders = counts.active;
    stats.read_colliders = read;
    stats.static_colliders = counts.statics;
    stats.swept_colliders = counts.swept;
    stats.invalid_colliders = table.used() - counts.active;
    stats.times.sync = start.elapsed();
}

/// What bringing a row up to date needs.
struct Sync<'t, 'w, 's> {
    table: &'t mut ColliderTable,
    touch: Touch,
    /// Whether all bounds change.
    refresh: bool,
    ancestors: Ancestors<'w, 's>,
    names: Query<'w, 's, &'static Name>,
    /// How many colliders were looked at.
    read: usize,
}

impl Visitor for Sync<'_, '_, '_> {
    fn pass_run<'t>(
        &mut self,
        first_row: u32,
        entities: &[Entity],
        composition: Composition,
        transform: &(impl Fn(usize) -> Option<&'t Transform> + core::marker::Sync),
        missed: &mut Vec<u32>,
    ) -> bool {
        let first = first_row as usize;
        let is_taken =
            !self.refresh && self.table.carry_run(first, entities, composition, transform, missed);
        if is_taken {
            self.read += entities.len() - missed.len();
        }
        is_taken
    }

    /// What nearly every collider comes to in nearly every step.
    #[inline]
    fn pass(
        &mut self,
        entity: Entity,
        row: u32,
        composition: Composition,
        transform: Option<&Transform>,
    ) -> bool {
        if !self.table.is_steady(row, entity, composition) | self.refresh {
            return false;
        }
        let row = row as usize;
        if !transform.is_none_or(|transform| self.table.carry(row, own_pose(transform))) {
            return false;
        }
        self.read += 1;
        if !composition.is_static() {
            self.table.enter_mover(row);
        }
        true
    }

    fn meet(&mut self, met: Met) {
        self.read += 1;
        let known = self.table.row_of(met.entity, met.row.0);
        let composition = known.map(|row| self.table.rows()[row].composition());
        let row = match known {
            Some(row) => {
                self.table.set_role(row, met.role);
                row
            }
            None => {
                let row = self.table.insert(met.entity, met.role);
                met.row.0 = row as u32;
                row
            }
        };
        let was_active = known.is_some() && self.table.rows()[row].is_active();
        let is_changed = known.is_none() || self.refresh || met.is_collider_changed;
        // What has a parent, or had one, may move without a change of its own.
        let is_recomposed = composition != Some(met.role.composition);
        let may_move = met.is_transform_changed || met.parent.is_some() || is_recomposed;
        if is_changed || may_move {
            self.place(row, &met, is_changed);
        }
        // Inserted anew, a swept collider has come by no way.
        if !was_active || met.is_swept_changed {
            self.table.forget_motion(row);
        }
        if let Some(&Solid { mass }) = met.solid
            && met.role.inverse_mass.is_none()
        {
            self.warn_once(row, Fault::Mass, |who| {
                log::warn!(
                    "{who} has a `Solid` of mass {mass}, which is not above 0: it pushes nothing"
                );
            });
        }
        if self.table.rows()[row].is_active() && !met.role.composition.is_static() {
            self.table.enter_mover(row);
        }
    }
}

impl Sync<'_, '_, '_> {
    /// Places a row's shape anew, if its pose or its shape has changed.
    fn place(&mut self, row: usize, met: &Met, is_changed: bool) {
        let table = &mut *self.table;
        let pose = match met.transform {
            None => Err(Unplaced::NoTransform),
            Some(transform) => {
                self.ancestors.pose(transform, met.parent).ok_or(Unplaced::EndlessParents)
            }
        };
        let result = match pose {
            Err(unplaced) => Err(unplaced),
            Ok(pose) => {
                let shape = &met.collider.shape;
                // A shape is checked when it changes; while it is unsound, again in every step in
                // which it moves.
                let must_check = is_changed || !table.rows()[row].is_active();
                if !must_check && table.carry(row, pose) {
                    return;
                }
                let checked = if must_check { shape.validate() } else { Ok(()) };
                let placed = checked
                    .map_err(PlacementError::from)
                    .and_then(|()| table.place(row, shape, pose, &self.touch));
                placed.map_err(Unplaced::Refused)
            }
        };
        if met.role.composition.is_static() {
            table.changed_statics.push(row as u32);
        }
        match result {
            Ok(()) => {
                table.set_state(row, RowState::Active);
                if table.shapes()[row].has_stretched_radius() {
                    self.warn_once(row, Fault::StretchedRadius, |who| {
                        log::warn!(
                            "{who} has a radius under an unequal scale: its circle stays a circle, \
                             of its larger half. Scale both axes alike, or use a polygon"
                        );
                    });
                }
            }
            Err(unplaced) => {
                table.set_state(row, RowState::Invalid);
                table.sources[row].matrix = Mat2::NAN;
                self.warn_once(row, unplaced.fault(), |who| {
                    log::warn!("{who} takes part in no collision until it is mended: {unplaced}");
                });
            }
        }
    }

    fn warn_once(&mut self, row: usize, fault: Fault, warn: impl FnOnce(String)) {
        let bit = 1 << fault as u16;
        let warned = &mut self.table.sources[row].warned;
        if *warned & bit != 0 {
            return;
        }
        *warned |= bit;
        let Row { entity, .. } = self.table.rows()[row];
        warn(match self.names.get(entity) {
            Ok(name) => format!("the collider of {entity} \"{name}\""),
            Err(_) => format!("the collider of {entity}"),
        });
    }
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
