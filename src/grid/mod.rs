//! A uniform grid that finds which boxes may meet.
//!
//! Each box is stored once, in the cell of its lower left corner. A cell is larger than any box in
//! it, so a box reaches at most one cell to the right and up, and two boxes can only meet if their
//! cells are the same or neighbours. Walking each cell with half of its neighbours forms each pair
//! once, without a list of pairs seen.
//!
//! Boxes of very different size do not share cells: those too large for a cell go to a grid of
//! four times the cell size, and so on (a hierarchical grid; Ericson, *Real-Time Collision
//! Detection* (2005), section 7.2). Cells are kept as one sorted list of those that hold anything.
//! Memory follows the number of boxes, whatever their coordinates, and a huge empty area costs
//! nothing to cross.

mod level;
mod size_histogram;
mod swept_box;
mod visits;

use core::ops::Range;

use bevy::math::{Vec2, bounding::Aabb2d};

use crate::radix_sort::RadixSort;
use level::{FILL, Level, coordinates, size};
use size_histogram::SizeHistogram;
pub(crate) use swept_box::{SweptBox, WideBox};
pub(crate) use visits::Visitor;

/// A cell that holds boxes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridCell {
    /// Its square in world space.
    pub bounds: Aabb2d,
    /// How many colliders have their lower left corner in it.
    pub colliders: usize,
}

/// Boxes with a number each, sorted into cells.
#[derive(Debug, Default)]
pub(crate) struct UniformGrid {
    /// Grids of growing cell size; some may be empty.
    levels: Vec<Level>,
    /// The smallest box that holds all boxes; none if there are none.
    content: Option<Aabb2d>,
    /// Scratch for choosing the cell size.
    sizes: SizeHistogram,
    /// Scratch for sorting boxes into cells.
    sort: RadixSort,
}

/// Each level's cells are this many times the size of the level before.
const LEVEL_RATIO: f64 = 4.0;
/// Enough levels for sizes over nine orders of magnitude. The last level is one cell for all that is
/// even larger.
const MAX_LEVELS: usize = 16;
impl UniformGrid {
    /// Sorts boxes into cells, in place of those from before.
    ///
    /// With a `cell_size` that is no positive finite number the size is chosen so that most boxes
    /// just fit into a cell.
    pub(crate) fn build(
        &mut self,
        items: impl Iterator<Item = (u32, Aabb2d)> + Clone,
        cell_size: Option<f32>,
    ) {
        let chosen = self.sizes.choose(items.clone().map(|(_, bounds)| size(&bounds)));
        let base =
            cell_size.filter(|size| size.is_finite() && *size > 0.0).map_or(chosen, f64::from);
        self.levels.resize_with(MAX_LEVELS, Level::default);
        let mut cell_size = base;
        for level in &mut self.levels {
            level.clear(cell_size);
            cell_size *= LEVEL_RATIO;
        }
        self.levels[MAX_LEVELS - 1].clear(f64::INFINITY);
        self.content = None;
        for (item, bounds) in items {
            let size = size(&bounds);
            let fitting = self.levels.iter_mut().find(|level| size <= FILL * level.cell_size);
            // The last level holds any size; only NaN would not fit.
            if let Some(level) = fitting {
                level.add(item, bounds);
                let content = self.content.get_or_insert(bounds);
                content.min = content.min.min(bounds.min);
                content.max = content.max.max(bounds.max);
            }
        }
        for level in &mut self.levels {
            level.sort(&mut self.sort);
        }
    }

    /// Side of the smallest cells, in world units; 0 before anything was stored.
    pub(crate) fn cell_size(&self) -> f32 {
        self.levels.first().map_or(0.0, |level| level.cell_size as f32)
    }

    /// How many cells there are to walk in [`visit_pairs`](Self::visit_pairs).
    pub(crate) fn cell_count(&self) -> usize {
        self.levels.iter().map(|level| level.cells.len()).sum()
    }

    /// Visits each pair of boxes that meet, touching included, exactly once: those pairs whose
    /// first box lies in the given range of cells. All ranges together give all pairs.
    pub(crate) fn visit_pairs(&self, cells: Range<usize>, mut visit: impl FnMut(u32, u32)) {
        let mut first_of_level = 0;
        for (i, level) in self.levels.iter().enumerate() {
            let count = level.cells.len();
            let start = cells.start.clamp(first_of_level, first_of_level + count) - first_of_level;
            let end = cells.end.clamp(first_of_level, first_of_level + count) - first_of_level;
            level.visit_neighbours(start..end, &mut visit);
            let coarser = &self.levels[i + 1..];
            if coarser.iter().any(|level| !level.cells.is_empty()) {
                for entry in level.entries_of(start..end) {
                    for other in coarser {
                        other.visit_box(entry.bounds, &mut |item| visit(entry.item, item));
                    }
                }
            }
            first_of_level += count;
        }
    }

    /// Visits every stored box that meets `bounds`, touching included, once.
    pub(crate) fn visit_box(&self, bounds: Aabb2d, visit: &mut impl FnMut(u32)) {
        for level in &self.levels {
            level.visit_box(bounds, visit);
        }
    }

    /// The smallest box that holds all boxes; none if there are none.
    pub(crate) fn content(&self) -> Option<Aabb2d> {
        self.content
    }

    /// Side of the smallest cells that hold anything; infinite if none do.
    pub(crate) fn smallest_used_cell(&self) -> f64 {
        let used = self.levels.iter().find(|level| !level.cells.is_empty());
        used.map_or(f64::INFINITY, |level| level.cell_size)
    }

    /// Visits every stored box that a moving box first meets after the time `from` and not after
    /// `to`, once, about in the order of these times, until the visitor's limit.
    pub(crate) fn visit_swept(
        &self,
        swept: &SweptBox,
        from: f64,
        to: f64,
        visitor: &mut impl Visitor,
    ) {
        for level in &self.levels {
            level.visit_swept(swept, from, to, visitor);
        }
    }

    /// Visits every stored box whose distance to a box is above `inner` and not above `outer`,
    /// once, about in the order of the distances, until the visitor's limit.
    pub(crate) fn visit_ring(
        &self,
        center: &WideBox,
        inner: f64,
        outer: f64,
        visitor: &mut impl Visitor,
    ) {
        for level in &self.levels {
            level.visit_ring(center, inner, outer, visitor);
        }
    }

    /// The cells that hold boxes.
    pub(crate) fn cells(&self) -> impl Iterator<Item = GridCell> {
        self.levels.iter().flat_map(|level| {
            level.cells.iter().map(|cell| {
                let (x, y) = coordinates(cell.key);
                // The one cell of the last level has no edges.
                let edge = |i: i32| (f64::from(i) * level.cell_size).clamp(-1e37, 1e37) as f32;
                let corner = |x: i32, y: i32| Vec2::new(edge(x), edge(y));
                let bounds = if level.cell_size.is_finite() {
                    Aabb2d { min: corner(x, y), max: corner(x + 1, y + 1) }
                } else {
                    Aabb2d { min: Vec2::splat(-1e37), max: Vec2::splat(1e37) }
                };
                GridCell { bounds, colliders: (cell.end - cell.start) as usize }
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::level::meet;
    use super::*;

    fn boxes(list: &[([f32; 2], [f32; 2])]) -> Vec<Aabb2d> {
        list.iter().map(|&(min, max)| Aabb2d { min: min.into(), max: max.into() }).collect()
    }

    fn build(list: &[Aabb2d], cell_size: Option<f32>) -> UniformGrid {
        let mut grid = UniformGrid::default();
        grid.build(list.iter().enumerate().map(|(i, bounds)| (i as u32, *bounds)), cell_size);
        grid
    }

    fn pairs_of(grid: &UniformGrid, ranges: usize) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        let count = grid.cell_count();
        for range in 0..ranges {
            let cells = count * range / ranges..count * (range + 1) / ranges;
            grid.visit_pairs(cells, |a, b| pairs.push((a.min(b), a.max(b))));
        }
        pairs.sort_unstable();
        pairs
    }

    fn brute_force(list: &[Aabb2d]) -> Vec<(u32, u32)> {
        let n = list.len();
        let all = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        all.filter(|&(i, j)| meet(&list[i], &list[j])).map(|(i, j)| (i as u32, j as u32)).collect()
    }

    /// A small generator of numbers in 0..1, so that the test needs no seed from outside.
    fn noise() -> impl FnMut() -> f32 {
        let mut state = 0x9E37_79B9_u32;
        move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        }
    }

    #[test]
    fn each_pair_comes_once_at_any_cell_size_and_in_any_split() {
        let mut random = noise();
        let mut list = Vec::new();
        for i in 0..400 {
            let size = if i % 40 == 0 { 300.0 } else { 0.1 + 8.0 * random() };
            let min = Vec2::new(200.0 * random() - 100.0, 200.0 * random() - 100.0);
            list.push(Aabb2d { min, max: min + Vec2::new(size, size * random()) });
        }
        let expected = brute_force(&list);
        for cell_size in [
            None,
            Some(0.01),
            Some(1.0),
            Some(8.0),
            Some(1e4),
            Some(f32::NAN),
            Some(-1.0),
            Some(0.0),
        ] {
            let grid = build(&list, cell_size);
            for ranges in [1, 2, 7] {
                assert_eq!(
                    pairs_of(&grid, ranges),
                    expected,
                    "cell size {cell_size:?}, {ranges} ranges"
                );
            }
        }
    }

    #[test]
    fn any_coordinates_are_safe() {
        let far = f32::MAX;
        let list = boxes(&[
            ([-far, -far], [far, far]),
            ([far, far], [far, far]),
            ([-far, -far], [-far, -far]),
            ([1e30, 0.0], [1.1e30, 1.0]),
            ([1.05e30, 0.5], [1.2e30, 2.0]),
            ([0.0, 0.0], [0.0, 0.0]),
            ([-1e-40, -1e-40], [1e-40, 1e-40]),
            ([1e9, 1e9], [1e9, 1e9]),
        ]);
        let expected = brute_force(&list);
        for cell_size in [None, Some(1e-30), Some(1.0), Some(f32::MAX)] {
            assert_eq!(pairs_of(&build(&list, cell_size), 3), expected, "cell size {cell_size:?}");
        }
    }

    #[test]
    fn a_box_visit_finds_what_brute_force_finds() {
        let mut random = noise();
        let list: Vec<Aabb2d> = (0..300)
            .map(|i| {
                let min = Vec2::new(100.0 * random(), 100.0 * random());
                Aabb2d { min, max: min + Vec2::splat(if i % 30 == 0 { 60.0 } else { 3.0 }) }
            })
            .collect();
        let grid = build(&list, None);
        for i in 0..50 {
            let min = Vec2::new(120.0 * random() - 10.0, 120.0 * random() - 10.0);
            let reach = if i % 10 == 0 { 1e30 } else { 10.0 * random() };
            let bounds = Aabb2d { min, max: min + Vec2::splat(reach) };
            let mut found = Vec::new();
            grid.visit_box(bounds, &mut |item| found.push(item));
            found.sort_unstable();
            let expected: Vec<u32> =
                (0..300).filter(|&i| meet(&list[i as usize], &bounds)).collect();
            assert_eq!(found, expected, "{bounds:?}");
        }
    }

    #[test]
    fn the_automatic_cell_fits_the_many_and_not_the_few() {
        let mut list = boxes(&[([0.0, 0.0], [1e4, 1e4])]);
        list.extend(
            (0..100)
                .map(|i| Aabb2d { min: Vec2::splat(i as f32), max: Vec2::splat(i as f32 + 16.0) }),
        );
        let cell_size = build(&list, None).cell_size();
        assert!((16.0..17.0).contains(&cell_size), "{cell_size}");
    }

    #[test]
    fn a_huge_empty_area_costs_no_memory() {
        let list = boxes(&[
            ([-1e6, -1e6], [1e6, 1e6]),
            ([5.0, 5.0], [6.0, 6.0]),
            ([9e5, 9e5], [9e5 + 1.0, 9e5 + 1.0]),
        ]);
        let grid = build(&list, Some(1.0));
        assert_eq!(grid.cell_count(), 3);
        assert_eq!(pairs_of(&grid, 1), [(0, 1), (0, 2)]);
    }
}
