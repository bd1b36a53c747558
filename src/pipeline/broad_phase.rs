//! Which pairs are worth a test: those whose bounds meet and whose roles allow it.

use bevy::platform::time::Instant;
use bevy::prelude::*;

use super::parallel::ChunkBuffers;
use crate::candidate_pairs::CandidatePairs;
use crate::collider_table::ColliderTable;
use crate::collision_grid::CollisionGrid;
use crate::grid::PairBuffer;
use crate::radix_sort::RadixSort;
use crate::settings::{CellSize, CollisionSettings};
use crate::stats::CollisionStats;

/// Too few movers for a task of their own.
const SMALLEST_PART: usize = 1024;

/// What the broad phase keeps from step to step.
#[derive(Default)]
pub(super) struct Kept {
    /// Rows that take part and are not static.
    movers: Vec<u32>,
    built_with: Option<CellSize>,
    buffers: ChunkBuffers<[u32; 2]>,
    found: Vec<[u32; 2]>,
    keys: Vec<u64>,
    sort: RadixSort,
}

/// Sorts the colliders into the grids and collects the pairs whose bounds meet.
///
/// Moving colliders are paired with each other by walking the grid's cells; a moving and a static
/// one by looking up the mover in the static grid. Two static ones are never looked at together.
pub(super) fn find_candidate_pairs(
    table: ResMut<ColliderTable>,
    grid: ResMut<CollisionGrid>,
    mut candidates: ResMut<CandidatePairs>,
    mut stats: ResMut<CollisionStats>,
    settings: Res<CollisionSettings>,
    mut kept: Local<Kept>,
) {
    let start = Instant::now();
    let (table, grid, kept) = (table.into_inner(), grid.into_inner(), &mut *kept);
    let is_resized = kept.built_with.replace(settings.cell_size) != Some(settings.cell_size);
    let statics_changed = core::mem::take(&mut table.statics_changed) || is_resized;
    let cell_size = match settings.cell_size {
        CellSize::Auto => None,
        CellSize::Fixed(size) => Some(size),
    };

    grid.moved_since = 0.0;
    if core::mem::take(&mut table.membership_changed) {
        let movers = table.active().filter(|&row| !table.roles[row].is_static);
        kept.movers.clear();
        kept.movers.extend(movers.map(|row| row as u32));
    }
    let mover = |&row: &u32| table.grid_item(row as usize, table.motion_bounds(row as usize));
    grid.movers.build(kept.movers.iter().map(mover), cell_size);
    if statics_changed {
        let statics = table.active().filter(|&row| table.roles[row].is_static);
        let items = statics.map(|row| table.grid_item(row, table.bounds(row)));
        grid.statics.build_to_last(items, cell_size);
    }

    kept.found.clear();
    let (found, buffers) = (&mut kept.found, &mut kept.buffers);
    buffers.collect_into(found, grid.movers.len(), SMALLEST_PART, |range, found| {
        let mut pairs = PairBuffer::new(found);
        grid.movers.visit_pairs(range, &mut pairs);
        pairs.finish();
    });
    if grid.statics.len() > 0 {
        let movers = &kept.movers;
        buffers.collect_into(found, movers.len(), SMALLEST_PART, |range, found| {
            let mut pairs = PairBuffer::new(found);
            for row in movers[range].iter().map(|&row| row as usize) {
                // Of a mover that is not swept only where it arrives matters to static ones.
                let bounds = if table.roles[row].is_swept {
                    table.motion_bounds(row)
                } else {
                    table.bounds(row)
                };
                grid.statics.visit_pairs_of(table.grid_item(row, bounds), &mut pairs);
            }
            pairs.finish();
        });
    }
    sort_by_entities(kept, table, &mut candidates.pairs);

    stats.candidates = candidates.pairs.len();
    stats.cell_size = grid.movers.cell_size();
    stats.times.broad_phase = start.elapsed();
}

/// Puts the pairs in the order in which their contacts will be told.
///
/// DETERMINISM: the one place where contacts get their order; nothing before it depends on the
/// order of rows or threads. Pairs are sorted and not contacts, because a pair is an eighth of the
/// size of a contact.
fn sort_by_entities(kept: &mut Kept, table: &mut ColliderTable, pairs: &mut Vec<[u32; 2]>) {
    let order = table.entity_order();
    order.write_keys(&kept.found, &mut kept.keys);
    kept.sort.sort(&mut kept.keys, 0);
    order.read_keys(&kept.keys, pairs);
}
