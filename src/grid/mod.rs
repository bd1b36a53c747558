//! A uniform grid that finds which boxes may meet.
//!
//! Each box is stored once, in the row and column of its lower left corner. A row is higher than any
//! box in it, so a box reaches at most one row up, and two boxes can only meet if their rows are the
//! same or neighbours. Boxes lie in one list, sorted by row and in each row by column: comparing each
//! with those that follow in its row, as far as it reaches, and with those above it in the next row
//! forms each pair once, without a list of pairs seen, and reads memory from end to end.
//!
//! Boxes of very different size do not share cells: those too large for a cell go to a grid of
//! four times the cell size, and so on (a hierarchical grid; Ericson, *Real-Time Collision
//! Detection* (2005), section 7.2). There are only the rows that hold anything. Memory follows the number of boxes, whatever their coordinates, and a huge empty area costs
//! nothing to cross.

mod boxes;
mod entry;
mod level;
mod near_search;
mod pair_buffer;
mod settled;
mod size_histogram;
mod swept_box;
mod visits;

use core::ops::Range;

use bevy::math::{Vec2, bounding::Aabb2d};

use crate::radix_sort::RadixSort;
pub(crate) use boxes::{Boxes, CellChoice};
pub(crate) use entry::{Corners, Entry, Groups};
use level::Level;
pub(crate) use pair_buffer::PairBuffer;
pub(crate) use settled::SettledGrid;
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
    /// How many of them hold anything. The others keep their buffers.
    used: usize,
    /// The smallest box that holds all boxes; none if there are none.
    content: Option<Aabb2d>,
    scratch: Scratch,
}

/// What building needs, kept from step to step.
#[derive(Debug, Default)]
struct Scratch {
    sizes: SizeHistogram,
    /// Indices of boxes that are too large for the levels so far.
    rest: Vec<u32>,
    /// Cells and indices to be sorted.
    places: Vec<u64>,
    sort: RadixSort,
}

/// Each level's cells are this many times the size of the level before.
const LEVEL_RATIO: f64 = 4.0;
/// Enough levels for sizes over nine orders of magnitude. The last level is one cell for all that is
/// even larger.
const MAX_LEVELS: usize = 16;

impl UniformGrid {
    /// Sorts boxes into cells, in place of those from before.
    pub(crate) fn build(&mut self, boxes: &Boxes, cells: CellChoice) {
        let content = boxes.content();
        self.content = (boxes.len() > 0).then_some(content);
        let mut cell_size = match cells {
            CellChoice::Fixed(size) if size.is_finite() && size > 0.0 => f64::from(size),
            CellChoice::AsBefore if !self.levels.is_empty() => self.levels[0].cell_size,
            _ => self.scratch.sizes.fitting_cell(boxes.list().iter().map(Entry::size)),
        };
        self.levels.resize_with(MAX_LEVELS, Level::default);
        self.used = 0;
        let Scratch { rest, places, sort, .. } = &mut self.scratch;
        for (i, level) in self.levels.iter_mut().enumerate() {
            let size = if i + 1 < MAX_LEVELS { cell_size } else { f64::INFINITY };
            level.clear(size, &content);
            if i == 0 {
                level.place_all(boxes.list(), places, rest);
            } else {
                places.clear();
                rest.retain(|&i| !level.place(boxes.list(), i, places));
            }
            level.fill(boxes.list(), places, sort);
            cell_size *= LEVEL_RATIO;
            self.used = i + 1;
            if rest.is_empty() {
                break;
            }
        }
    }

    /// As [`build`](Self::build), and makes looking up boxes cheaper: for a grid that is built once
    /// and asked often.
    pub(crate) fn build_to_last(&mut self, boxes: &Boxes, cells: CellChoice) {
        self.build(boxes, cells);
        self.levels[..self.used].iter_mut().for_each(Level::index_cells);
    }

    /// Side of the smallest cells, in world units; 0 before anything was stored.
    pub(crate) fn cell_size(&self) -> f32 {
        self.levels.first().map_or(0.0, |level| level.cell_size as f32)
    }

    fn used_levels(&self) -> &[Level] {
        &self.levels[..self.used]
    }

    /// The items in the order in which they lie.
    pub(crate) fn items(&self) -> impl Iterator<Item = u32> {
        self.used_levels().iter().flat_map(|level| level.entries.iter().map(|entry| entry.item))
    }

    /// Takes out the box that is so many places behind the first. It leaves a gap, so that no other
    /// one has to move.
    pub(crate) fn take_out(&mut self, mut place: usize) {
        for level in &mut self.levels[..self.used] {
            if let Some(entry) = level.entries.get_mut(place) {
                return entry.take_out();
            }
            place -= level.entries.len();
        }
    }

    /// How many boxes are stored, gaps included.
    pub(crate) fn len(&self) -> usize {
        self.used_levels().iter().map(|level| level.entries.len()).sum()
    }

    /// Collects each pair of boxes that meet, touching included, and whose groups let them pair,
    /// exactly once: those pairs that the given range of boxes is in charge of. All ranges of
    /// `0..len()` together give all pairs.
    pub(crate) fn visit_pairs(&self, range: Range<usize>, pairs: &mut PairBuffer) {
        let mut first_of_level = 0;
        for (i, level) in self.used_levels().iter().enumerate() {
            let count = level.entries.len();
            let start = range.start.clamp(first_of_level, first_of_level + count) - first_of_level;
            let end = range.end.clamp(first_of_level, first_of_level + count) - first_of_level;
            first_of_level += count;
            if start == end {
                continue;
            }
            level.visit_neighbours(start..end, pairs);
            for (j, other) in self.used_levels().iter().enumerate() {
                if j == i || other.entries.is_empty() {
                    continue;
                }
                // Of two levels that one looks up its boxes in the other for which it is less work.
                let (fine, coarse) = if i < j { (level, other) } else { (other, level) };
                if coarse.asks(fine) == (i > j) {
                    level.visit_level(start..end, other, pairs);
                }
            }
        }
    }

    /// Collects the pairs of a box that is not in the grid with those that are.
    pub(crate) fn visit_pairs_of(
        &self,
        item: u32,
        corners: Corners,
        groups: Groups,
        pairs: &mut PairBuffer,
    ) {
        let entry = Entry::new(item, corners, groups);
        self.used_levels().iter().for_each(|level| level.pair_with(&entry, 0, pairs));
    }

    /// Visits every stored box that meets `bounds`, touching included, once.
    pub(crate) fn visit_box(&self, bounds: Aabb2d, visit: &mut impl FnMut(u32)) {
        for level in self.used_levels() {
            level.visit_box(bounds, visit);
        }
    }

    /// The smallest box that holds all boxes; none if there are none.
    pub(crate) fn content(&self) -> Option<Aabb2d> {
        self.content
    }

    /// Side of the smallest cells that hold anything; infinite if none do.
    pub(crate) fn smallest_used_cell(&self) -> f64 {
        let used = self.used_levels().iter().find(|level| !level.entries.is_empty());
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
        for level in self.used_levels() {
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
        for level in self.used_levels() {
            level.visit_ring(center, inner, outer, visitor);
        }
    }

    /// The cells that hold boxes.
    pub(crate) fn cells(&self) -> impl Iterator<Item = GridCell> {
        self.used_levels().iter().flat_map(|level| {
            level.cells().map(|(y, x, colliders)| {
                // The one cell of the last level has no edges.
                let edge = |i: i32| (f64::from(i) * level.cell_size).clamp(-1e37, 1e37) as f32;
                let corner = |x: i32, y: i32| Vec2::new(edge(x), edge(y));
                let bounds = if level.cell_size.is_finite() {
                    Aabb2d { min: corner(x, y), max: corner(x + 1, y + 1) }
                } else {
                    Aabb2d { min: Vec2::splat(-1e37), max: Vec2::splat(1e37) }
                };
                GridCell { bounds, colliders }
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxes(list: &[([f32; 2], [f32; 2])]) -> Vec<Aabb2d> {
        list.iter().map(|&(min, max)| Aabb2d { min: min.into(), max: max.into() }).collect()
    }

    fn build(list: &[Aabb2d], cell_size: Option<f32>) -> UniformGrid {
        let mut grid = UniformGrid::default();
        let boxes = (0..).zip(list.iter().copied()).collect();
        grid.build(&boxes, cell_size.map_or(CellChoice::Fitting, CellChoice::Fixed));
        grid
    }

    fn meet(a: &Aabb2d, b: &Aabb2d) -> bool {
        a.min.cmple(b.max).all() && b.min.cmple(a.max).all()
    }

    fn pairs_of(grid: &UniformGrid, ranges: usize) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        let count = grid.len();
        for range in 0..ranges {
            let part = count * range / ranges..count * (range + 1) / ranges;
            let mut list = Vec::new();
            let mut buffer = PairBuffer::new(&mut list);
            grid.visit_pairs(part, &mut buffer);
            buffer.finish();
            pairs.extend(list.iter().map(|&[a, b]| (a.min(b), a.max(b))));
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
        assert_eq!(grid.cells().count(), 3);
        assert_eq!(pairs_of(&grid, 1), [(0, 1), (0, 2)]);
    }
}
