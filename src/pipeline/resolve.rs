//! Pushes solids apart.

use bevy::platform::time::Instant;
use bevy::prelude::*;

use super::push_planner::{Limits, PushPlanner};
use crate::collider_table::ColliderTable;
use crate::collision_grid::CollisionGrid;
use crate::contacts::Contacts;
use crate::impacts::Impacts;
use crate::pushes::Pushes;
use crate::settings::CollisionSettings;
use crate::stats::CollisionStats;
use crate::world_pose::Ancestors;

/// Moves overlapping solids apart by the smallest moves that part them.
///
/// 1. If no pair of solids overlaps by more than is allowed, and no swept one was stopped, nothing
///    happens.
/// 2. In each pass the planner computes the separations near the overlapping pairs anew, solves all
///    moves from the same poses, and makes them at once.
/// 3. When a pass finds nothing more to do, or the passes are used up, the moves are written to the
///    transforms.
pub(super) fn push_apart(
    mut table: ResMut<ColliderTable>,
    mut grid: ResMut<CollisionGrid>,
    mut pushes: ResMut<Pushes>,
    mut stats: ResMut<CollisionStats>,
    contacts: Res<Contacts>,
    impacts: Res<Impacts>,
    settings: Res<CollisionSettings>,
    mut transforms: ParamSet<(Ancestors, Query<&mut Transform>)>,
    mut planner: Local<PushPlanner>,
    mut local_pushes: Local<Vec<(Entity, Vec2)>>,
) {
    let start = Instant::now();
    pushes.clear();
    let limits = Limits::new(&settings);
    if settings.resolution.enabled && planner.start(&table, &contacts, &impacts, &limits) {
        for _ in 0..settings.resolution.passes {
            if !planner.pass(&mut table, &grid.statics, &limits) {
                break;
            }
        }
        grid.moved_since = planner.report(&table, &mut pushes);
        write_transforms(&pushes, &mut transforms, &mut local_pushes);
    }
    stats.times.resolve = start.elapsed();
}

/// Writes the pushes into the transforms, each in the space of its parent. What the parent's own
/// push does to a child is not done twice.
fn write_transforms(
    pushes: &Pushes,
    transforms: &mut ParamSet<(Ancestors, Query<&mut Transform>)>,
    local_pushes: &mut Vec<(Entity, Vec2)>,
) {
    let ancestors = transforms.p0();
    local_pushes.clear();
    local_pushes.extend(pushes.iter().map(|push| {
        let carried = ancestors.of(push.entity).find_map(|ancestor| pushes.of(ancestor));
        let own = push.translation - carried.map_or(Vec2::ZERO, |push| push.translation);
        (push.entity, ancestors.parent_pose(push.entity).matrix2.inverse() * own)
    }));
    let mut transforms = transforms.p1();
    for &(entity, push) in local_pushes.iter() {
        if let Ok(mut transform) = transforms.get_mut(entity) {
            let moved = transform.translation + push.extend(0.0);
            // In the space of a parent that is scaled to almost nothing a push may be endless.
            if moved.truncate().is_finite() {
                transform.translation = moved;
            }
        }
    }
}
