//! Which pairs are worth a test: those whose bounds meet and whose roles allow it.

use core::sync::atomic::{AtomicUsize, Ordering};

use bevy::platform::time::Instant;
use bevy::prelude::*;

use crate::candidate_pairs::CandidatePairs;
use crate::collider_table::ColliderTable;
use crate::collision_grid::CollisionGrid;
use crate::grid::{CellChoice, Corners, PairBuffer};
use crate::parallel::ChunkBuffers;
use crate::radix_sort::RadixSort;
use crate::settings::{CellSize, CollisionSettings};
use crate::stats::CollisionStats;

/// Too few movers for a task of their own.
const SMALLEST_PART: usize = 1024;

/// What the broad phase keeps from step to step.
#[derive(Default)]
pub(super) struct Kept {
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
    let cells = match settings.cell_size {
        CellSize::Auto => CellChoice::Fitting,
        CellSize::Fixed(size) => CellChoice::Fixed(size),
    };

    grid.moved_since = 0.0;
    let keeps_sizes = !table.sizes_changed && !is_resized;
    grid.movers.build(&table.movers, if keeps_sizes { CellChoice::AsBefore } else { cells });
    let place = |row: u32| (Corners::new(&table.bounds(row as usize)), table.groups(row as usize));
    let is_static = |row: u32| table.row(row).is_static() && table.row(row).is_active();
    let now = |row: u32| is_static(row).then(|| place(row));
    let mut sorted = table.movers.len();
    if is_resized || !grid.statics.change(&table.changed_statics, now) {
        let rows = (0..table.len() as u32).filter_map(|row| Some((row, now(row)?)));
        grid.statics.build(rows.map(|(row, (corners, groups))| (row, corners, groups)), cells);
        sorted += grid.statics.len();
    } else if !table.changed_statics.is_empty() {
        sorted += grid.statics.recent_len();
    }

    let compared = AtomicUsize::new(0);
    let (found, buffers) = (&mut kept.found, &mut kept.buffers);
    buffers.collect_into(found, 0, grid.movers.len(), SMALLEST_PART, |range, found| {
        let mut pairs = PairBuffer::new(found);
        grid.movers.visit_pairs(range, &mut pairs);
        compared.fetch_add(pairs.finish(), Ordering::Relaxed);
    });
    if grid.statics.len() > 0 {
        let (movers, among_movers) = (&table.movers, found.len());
        buffers.collect_into(found, among_movers, movers.len(), SMALLEST_PART, |range, found| {
            let mut pairs = PairBuffer::new(found);
            for index in range {
                let (row, way) = movers.get(index);
                let (place, groups) = place(row);
                // Of a mover that is not swept only where it arrives matters to static ones.
                let corners = if table.row(row).is_swept() { way } else { place };
                grid.statics.visit_pairs_of(row, corners, groups, &mut pairs);
            }
            compared.fetch_add(pairs.finish(), Ordering::Relaxed);
        });
    }
    sort_by_entities(kept, table, &mut candidates.pairs);

    stats.sorted_colliders = sorted;
    stats.compared_bounds = compared.into_inner();
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
