//! Which pairs are worth a test: those whose bounds meet and whose roles allow it.

use bevy::platform::time::Instant;
use bevy::prelude::*;

use super::parallel::ChunkBuffers;
use crate::candidate_pairs::CandidatePairs;
use crate::collider_table::ColliderTable;
use crate::collision_grid::CollisionGrid;
use crate::settings::{CellSize, CollisionSettings};
use crate::stats::CollisionStats;

/// Too few cells or movers for a task of their own.
const SMALLEST_PART: usize = 1024;

/// Sorts the colliders into the grids and collects the pairs whose bounds meet.
///
/// Moving colliders are paired with each other by walking the grid's cells; a moving and a static
/// one by looking up the mover in the static grid. Two static ones are never looked at together.
pub(super) fn find_candidate_pairs(
    mut table: ResMut<ColliderTable>,
    grid: ResMut<CollisionGrid>,
    mut candidates: ResMut<CandidatePairs>,
    mut stats: ResMut<CollisionStats>,
    settings: Res<CollisionSettings>,
    mut buffers: Local<ChunkBuffers<[u32; 2]>>,
    mut movers: Local<Vec<u32>>,
    mut built_with: Local<Option<CellSize>>,
) {
    let start = Instant::now();
    let statics_changed =
        core::mem::take(&mut table.statics_changed) || *built_with != Some(settings.cell_size);
    *built_with = Some(settings.cell_size);
    let table = table.into_inner();
    let fixed_size = match settings.cell_size {
        CellSize::Auto => None,
        CellSize::Fixed(size) => Some(size),
    };

    let grid = grid.into_inner();
    grid.moved_since = 0.0;
    movers.clear();
    movers.extend(table.active().filter(|&row| !table.roles[row].is_static).map(|row| row as u32));
    grid.movers
        .build(movers.iter().map(|&row| (row, table.motion_bounds(row as usize))), fixed_size);
    if statics_changed {
        let statics = table.active().filter(|&row| table.roles[row].is_static);
        grid.statics.build(statics.map(|row| (row as u32, table.bounds[row])), fixed_size);
    }

    let pairs = &mut candidates.pairs;
    pairs.clear();
    let may_pair = |a: u32, b: u32| table.roles[a as usize].pairs_with(&table.roles[b as usize]);
    buffers.collect_into(pairs, grid.movers.cell_count(), SMALLEST_PART, |cells, found| {
        grid.movers.visit_pairs(cells, |a, b| {
            if may_pair(a, b) {
                found.push([a, b]);
            }
        });
    });
    if grid.statics.cell_count() > 0 {
        buffers.collect_into(pairs, movers.len(), SMALLEST_PART, |range, found| {
            for &mover in &movers[range] {
                // Of a mover that is not swept only where it arrives matters to static ones.
                let bounds = if table.roles[mover as usize].is_swept {
                    table.motion_bounds(mover as usize)
                } else {
                    table.bounds[mover as usize]
                };
                grid.statics.visit_box(bounds, &mut |other| {
                    if may_pair(mover, other) {
                        found.push([mover, other]);
                    }
                });
            }
        });
    }

    stats.candidates = pairs.len();
    stats.cell_size = grid.movers.cell_size();
    stats.times.broad_phase = start.elapsed();
}
