//! Rows and columns for boxes of about one size.

use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};

use bevy::math::bounding::Aabb2d;

use super::PairBuffer;
use super::entry::{Corners, Entry, Groups, Probe};
use super::near_search::{count_from_end, count_from_start};
use crate::parallel::for_each_part;
use crate::radix_sort::RadixSort;

/// Boxes sorted into rows as high as the largest of them, and in each row into columns.
#[derive(Debug, Default)]
pub(super) struct Level {
    /// Height of a row, and no less than the largest box.
    pub(super) cell_size: f64,
    scale: Scale,
    // INVARIANT: sorted by row, then by column; no box is larger than `FILL * cell_size`.
    pub(super) entries: Vec<Entry>,
    /// Rows that hold anything, from the bottom.
    rows: Vec<Row>,
    frame: Frame,
    /// For each cell of the frame the first entry from there on, row after row, if that was asked
    /// for and the cells are dense enough. Spares searching.
    first_from: Vec<u32>,
}

/// The entries of one row.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) y: i32,
    pub(super) entries: Range<usize>,
}

/// How rows and columns are counted. A multiplication finds one in a fifth of the time of a division.
#[derive(Clone, Copy, Debug, Default)]
struct Scale {
    rows_per_unit: f64,
    columns_per_unit: f64,
}

impl Scale {
    /// Grows with the coordinate, so that no order is ever reversed by rounding.
    #[inline]
    fn row_of(self, coordinate: f64) -> i32 {
        line(coordinate * self.rows_per_unit)
    }

    /// As [`row_of`](Self::row_of).
    #[inline]
    fn column_of(self, coordinate: f64) -> i32 {
        line(coordinate * self.columns_per_unit)
    }
}

/// The rows and columns that may hold anything.
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    left: i32,
    bottom: i32,
    right: i32,
    top: i32,
    /// One column as a part of them all.
    part_of_column: f64,
}

impl Frame {
    /// The bits of a column, if row and column together fit into one number, so that one sort does
    /// for both.
    #[inline]
    fn compact_bits(&self) -> Option<u32> {
        let columns = bits(self.left, self.right);
        (columns + bits(self.bottom, self.top) < u32::BITS).then_some(columns)
    }

    #[inline]
    fn counted_row(&self, scale: Scale, entry: &Entry) -> u32 {
        scale.row_of(f64::from(entry.min().y)).abs_diff(self.bottom)
    }

    #[inline]
    fn counted_column(&self, scale: Scale, entry: &Entry) -> u32 {
        scale.column_of(f64::from(entry.min().x)).abs_diff(self.left)
    }

    /// What boxes are sorted by: row and column together if they fit into one number, else the
    /// column.
    #[inline]
    fn place_of(&self, scale: Scale, compact_bits: Option<u32>, entry: &Entry) -> u32 {
        let column = self.counted_column(scale, entry);
        compact_bits.map_or(column, |bits| (self.counted_row(scale, entry) << bits) | column)
    }
}

/// Columns in the width of a cell. Narrow ones keep boxes from being compared that are no neighbours,
/// and cost nothing but bits to sort by.
pub(super) const COLUMNS: u32 = 4;
/// The largest box relative to its cell: a little below 1, so that rounding in finding a cell
/// cannot make a box reach over two cells.
pub(super) const FILL: f64 = 0.999;
/// Rows and columns beyond this distance from the origin are one: far enough for any game, and near
/// enough that a neighbour's number never overflows.
const FARTHEST_LINE: f64 = (1 << 30) as f64;
/// Too few boxes for a task of their own.
const SMALLEST_PART: usize = 8192;
/// At most so many cells of the frame for each entry.
const SPARSEST: u64 = 8;

impl Level {
    /// Empties the level, for boxes that lie in `content`.
    pub(super) fn clear(&mut self, cell_size: f64, content: &Aabb2d) {
        self.cell_size = cell_size;
        self.scale = Scale {
            rows_per_unit: 1.0 / cell_size,
            columns_per_unit: f64::from(COLUMNS) / cell_size,
        };
        let [left, right] = [content.min.x, content.max.x].map(|x| self.column_of(f64::from(x)));
        let [bottom, top] = [content.min.y, content.max.y].map(|y| self.row_of(f64::from(y)));
        let part_of_column = 1.0 / (f64::from(right.abs_diff(left)) + 1.0);
        self.frame = Frame { left, bottom, right, top, part_of_column };
        self.rows.clear();
        self.first_from.clear();
    }

    /// Notes where a box belongs, with its index, if it fits the cells.
    #[inline]
    pub(super) fn place(&self, boxes: &[Entry], index: u32, places: &mut Vec<u64>) -> bool {
        let entry = &boxes[index as usize];
        // Anything but NaN fits the endless cell of the last level.
        let fits = entry.size() <= FILL * self.cell_size;
        if fits {
            let place = self.frame.place_of(self.scale, self.frame.compact_bits(), entry);
            places.push((u64::from(place) << 32) | u64::from(index));
        }
        fits
    }

    /// As [`place`](Self::place) for all boxes of a list at once. The indices of those that do not
    /// fit go to `rest`.
    pub(super) fn place_all(&self, boxes: &[Entry], places: &mut Vec<u64>, rest: &mut Vec<u32>) {
        let (frame, scale, bits) = (self.frame, self.scale, self.frame.compact_bits());
        let largest = FILL * self.cell_size;
        let are_all_small = AtomicBool::new(true);
        places.resize(boxes.len(), 0);
        for_each_part(places, SMALLEST_PART, |first, places| {
            // Copies, which the loop keeps at hand.
            let (frame, scale, largest) = (frame, scale, largest);
            let mut are_small = true;
            for (i, (to, entry)) in places.iter_mut().zip(&boxes[first..]).enumerate() {
                let place = frame.place_of(scale, bits, entry);
                *to = (u64::from(place) << u32::BITS) | (first + i) as u64;
                // NaN fits no cell.
                are_small &= entry.size() <= largest;
            }
            are_all_small.fetch_and(are_small, Ordering::Relaxed);
        });
        rest.clear();
        if !are_all_small.into_inner() {
            let is_small = |index: u32| boxes[index as usize].size() <= largest;
            places.retain(|&place| is_small(place as u32));
            rest.extend((0..boxes.len() as u32).filter(|&index| !is_small(index)));
        }
    }

    /// Takes the boxes that were placed.
    pub(super) fn fill(&mut self, boxes: &[Entry], places: &mut Vec<u64>, sort: &mut RadixSort) {
        sort.sort(places, u32::BITS);
        let compact = self.frame.compact_bits();
        if compact.is_none() {
            for place in places.iter_mut() {
                let index = *place as u32;
                let row = self.frame.counted_row(self.scale, &boxes[index as usize]);
                *place = (u64::from(row) << 32) | u64::from(index);
            }
            sort.sort(places, u32::BITS);
        }
        let row_shift = compact.unwrap_or(0) + u32::BITS;
        // Two loops: the first, which reads all over the list, then waits for many places at once.
        self.entries.resize(places.len(), Entry::GAP);
        let (frame, scale) = (self.frame, self.scale);
        let columns = (1_u64 << row_shift) - 1;
        for_each_part(&mut self.entries, SMALLEST_PART, |first, entries| {
            for (to, &place) in entries.iter_mut().zip(&places[first..]) {
                let entry = boxes[place as u32 as usize];
                *to = entry.in_column(match compact {
                    Some(_) => ((place & columns) >> u32::BITS) as u32,
                    None => frame.counted_column(scale, &entry),
                });
            }
        });
        let mut start = 0;
        for entries in places.chunk_by(|one, next| one >> row_shift == next >> row_shift) {
            let y = self.frame.bottom.wrapping_add_unsigned((entries[0] >> row_shift) as u32);
            self.rows.push(Row { y, entries: start..start + entries.len() });
            start += entries.len();
        }
    }

    /// Makes finding a cell cost no search, if the cells are dense enough. For grids that are built
    /// once and asked often.
    pub(super) fn index_cells(&mut self) {
        self.first_from.clear();
        let Frame { bottom, top, .. } = self.frame;
        let width = self.cells_in_a_row();
        let height = i64::from(top) - i64::from(bottom) + 1;
        let cells = width.saturating_mul(height.cast_unsigned());
        if cells > SPARSEST * self.entries.len() as u64 {
            return;
        }
        let mut rows = self.rows.iter().peekable();
        let mut next = 0;
        for y in bottom..=top {
            let row = rows.next_if(|row| row.y == y).map_or(next..next, |row| row.entries.clone());
            for cell in 0..width as u32 {
                self.first_from.push(next as u32);
                let is_here = |entry: &Entry| entry.column / COLUMNS == cell;
                next += self.entries[next..row.end].iter().take_while(|e| is_here(e)).count();
            }
        }
    }

    fn cells_in_a_row(&self) -> u64 {
        u64::from(self.frame.right.abs_diff(self.frame.left) / COLUMNS) + 1
    }

    /// The row of a coordinate.
    pub(super) fn row_of(&self, coordinate: f64) -> i32 {
        self.scale.row_of(coordinate)
    }

    /// The column of a coordinate.
    pub(super) fn column_of(&self, coordinate: f64) -> i32 {
        self.scale.column_of(coordinate)
    }

    /// From where to where the boxes of a row may reach.
    pub(super) fn row_band(&self, y: i32) -> [f64; 2] {
        band(y, self.cell_size, self.cell_size)
    }

    /// From where to where the boxes of an entry's column may reach.
    pub(super) fn column_band(&self, entry: &Entry) -> [f64; 2] {
        let column = self.frame.left.wrapping_add_unsigned(entry.column);
        band(column, self.cell_size / f64::from(COLUMNS), self.cell_size)
    }

    /// The rows that hold boxes, between two rows.
    pub(super) fn rows(&self, bottom: i32, top: i32) -> &[Row] {
        let rows = &self.rows[first_row_from(&self.rows, bottom)..];
        &rows[..first_row_from(rows, top + 1)]
    }

    /// The entries of a row between two columns.
    pub(super) fn columns(&self, row: &Row, left: i32, right: i32) -> Range<usize> {
        let Some([left, right]) = self.counted(left, right) else { return 0..0 };
        let entries = &self.entries[row.entries.clone()];
        let start = self.first_entry_from(entries, left);
        let count = count_from_start(&entries[start..], |entry| entry.column <= right);
        let start = row.entries.start + start;
        start..start + count
    }

    /// The first of the entries of a row that is not left of a column. Looks first where it would
    /// be if they lay evenly: halving the row asks memory for more places.
    #[inline]
    fn first_entry_from(&self, entries: &[Entry], column: u32) -> usize {
        let is_before = |entry: &Entry| entry.column < column;
        let part = f64::from(column) * self.frame.part_of_column;
        let guess = ((part * entries.len() as f64) as usize).min(entries.len());
        let (left, right) = entries.split_at(guess);
        match left.last() {
            Some(last) if !is_before(last) => left.len() - count_from_end(left, |e| !is_before(e)),
            _ => left.len() + count_from_start(right, is_before),
        }
    }

    /// Two columns counted from the first, as entries count theirs; none if all of them are empty.
    fn counted(&self, left: i32, right: i32) -> Option<[u32; 2]> {
        let frame = &self.frame;
        let (left, right) = (left.max(frame.left), right.min(frame.right));
        (left <= right).then(|| [left, right].map(|column| column.abs_diff(frame.left)))
    }

    /// How many boxes lie in each cell that holds any, with its row and its column of cells.
    pub(super) fn cells(&self) -> impl Iterator<Item = (i32, i32, usize)> {
        let cell = move |entry: &Entry| {
            self.frame.left.wrapping_add_unsigned(entry.column).div_euclid(COLUMNS as i32)
        };
        self.rows.iter().flat_map(move |row| {
            let entries = &self.entries[row.entries.clone()];
            entries
                .chunk_by(move |a, b| cell(a) == cell(b))
                .map(move |entries| {
                    let count = entries.iter().filter(|entry| !entry.is_gap()).count();
                    (row.y, cell(&entries[0]), count)
                })
                .filter(|(.., count)| *count > 0)
        })
    }

    /// The pairs of each of a range of entries with those behind it in its row, and with those in
    /// the row above.
    ///
    /// The hot loop of the broad phase. It reads the entries from end to end, at two places at once,
    /// so that memory hands them over in the order in which they lie.
    pub(super) fn visit_neighbours(&self, range: Range<usize>, pairs: &mut PairBuffer) {
        let mut i = range.start;
        let mut filled = pairs.filled();
        let first_row = self.rows.partition_point(|row| row.entries.end <= i);
        for (r, row) in self.rows.iter().enumerate().skip(first_row) {
            if i >= range.end {
                break;
            }
            let above = match self.rows.get(r + 1) {
                Some(next) if next.y == row.y + 1 => &self.entries[next.entries.clone()],
                _ => &[],
            };
            // The first in the row above that may meet the entry. It only ever moves on.
            let leftmost = self.entries[i].column;
            let mut near = above.partition_point(|other| other.column + COLUMNS < leftmost);
            let own = &self.entries[i..row.entries.end];
            let count = range.end.min(row.entries.end) - i;
            for (j, entry) in own[..count].iter().enumerate() {
                let probe = Probe::of(entry);
                let last = entry.column + COLUMNS;
                pairs.add_meeting(&mut filled, entry.item, &probe, last, &own[j + 1..]);
                while above.get(near).is_some_and(|other| other.column + COLUMNS < entry.column) {
                    near += 1;
                }
                pairs.add_meeting(&mut filled, entry.item, &probe, last, &above[near..]);
            }
            i += count;
        }
        pairs.set_filled(filled);
    }

    /// Whether pairs with a level of smaller cells are found with less work by looking up the boxes
    /// of this one there than the other way round. A large box walks many rows of small cells.
    pub(super) fn asks(&self, finer: &Self) -> bool {
        // Looking up a small box among larger cells walks three rows.
        const ROWS: f64 = 3.0;
        let rows = (self.cell_size / finer.cell_size).min(finer.rows.len() as f64);
        self.entries.len() as f64 * rows <= finer.entries.len() as f64 * ROWS
    }

    /// Adds the pairs of a range of entries with those of another level.
    pub(super) fn visit_level(&self, range: Range<usize>, other: &Self, pairs: &mut PairBuffer) {
        let first_row = self.rows.partition_point(|row| row.entries.end <= range.start);
        // The first row of the other level that may matter. It only ever moves on.
        let mut near = 0;
        for row in &self.rows[first_row..] {
            let entries = row.entries.start.max(range.start)..row.entries.end.min(range.end);
            if entries.is_empty() {
                break;
            }
            let [lowest, _] = self.row_band(row.y);
            near += first_row_from(&other.rows[near..], other.row_of(lowest) - 1);
            for entry in &self.entries[entries] {
                other.pair_with(entry, near, pairs);
            }
        }
    }

    /// Adds the pairs of one box with those of this level. The rows before `near` are known to be
    /// too low.
    pub(super) fn pair_with(&self, entry: &Entry, near: usize, pairs: &mut PairBuffer) {
        let probe = Probe::of(entry);
        let mut filled = pairs.filled();
        self.visit_rows(&entry.bounds(), near, |entries| {
            pairs.add_meeting(&mut filled, entry.item, &probe, u32::MAX, entries);
        });
        pairs.set_filled(filled);
    }

    /// Walks the boxes that meet one.
    pub(super) fn visit_box(&self, bounds: Aabb2d, visit: &mut impl FnMut(u32)) {
        let probe = Probe::of(&Entry::new(0, Corners::new(&bounds), Groups(0, 0)));
        self.visit_rows(&bounds, 0, |entries| {
            let meeting = entries.iter().filter(|entry| entry.meets(&probe));
            meeting.for_each(|entry| visit(entry.item));
        });
    }

    /// Walks the boxes near one, a row at a time, and jumps over everything between them, so that
    /// the cost follows what there is and not the area.
    fn visit_rows(&self, bounds: &Aabb2d, near: usize, mut visit: impl FnMut(&[Entry])) {
        if self.entries.is_empty() {
            return;
        }
        let [min, max] = [bounds.min.as_dvec2(), bounds.max.as_dvec2()];
        let left = self.column_of(min.x) - COLUMNS as i32;
        let (bottom, top) = (self.row_of(min.y) - 1, self.row_of(max.y));
        let Some([left, right]) = self.counted(left, self.column_of(max.x)) else { return };
        if self.first_from.is_empty() {
            let rows = &self.rows[near..];
            let rows = &rows[first_row_from(rows, bottom)..];
            for row in rows.iter().take_while(|row| row.y <= top) {
                let entries = &self.entries[row.entries.clone()];
                let start = self.first_entry_from(entries, left);
                let count = entries[start..].iter().take_while(|e| e.column <= right).count();
                visit(&entries[start..start + count]);
            }
            return;
        }
        let width = self.cells_in_a_row() as usize;
        let (left, behind) = ((left / COLUMNS) as usize, (right / COLUMNS) as usize + 1);
        for y in bottom.max(self.frame.bottom)..=top.min(self.frame.top) {
            let row = y.abs_diff(self.frame.bottom) as usize * width;
            let start = self.first_from[row + left] as usize;
            let end = self.first_from.get(row + behind).map_or(self.entries.len(), |&i| i as usize);
            visit(&self.entries[start..end]);
        }
    }
}

/// The first of some rows that is not below another. Takes no search where no row is empty.
#[inline]
fn first_row_from(rows: &[Row], y: i32) -> usize {
    let Some(lowest) = rows.first().map(|row| row.y).filter(|&lowest| lowest < y) else { return 0 };
    // Where it stands if no row is empty: it cannot stand any later.
    let latest = lowest.abs_diff(y) as usize;
    match rows.get(latest) {
        Some(row) if row.y == y => latest,
        _ => count_from_start(&rows[..latest.min(rows.len())], |row| row.y < y),
    }
}

/// From where to where boxes up to `reach` may lie whose lower corner is in a row or column.
fn band(number: i32, width: f64, reach: f64) -> [f64; 2] {
    // Finding the number rounds: in the farthest ones by up to 1e-6.
    let low = (f64::from(number) - 1e-5) * width;
    let high = (f64::from(number) + 1.0) * width + reach;
    let farthest = FARTHEST_LINE as i32;
    [
        if number <= -farthest { f64::NEG_INFINITY } else { low },
        if number >= farthest { f64::INFINITY } else { high },
    ]
}

/// Bits to tell the numbers of a range apart.
fn bits(low: i32, high: i32) -> u32 {
    u32::BITS - high.abs_diff(low).leading_zeros()
}

/// The whole number below, or one within a billionth of it. Conversion cuts towards zero and looks
/// for NaN, and `floor` is a call on processors that Rust's default target allows for; adding a large
/// number rounds to the nearest, and leaves the whole number in the lowest bits.
#[inline]
fn line(number: f64) -> i32 {
    /// 1.5 times 2^52: beside it doubles lie 1 apart.
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    // A whole number itself must not be rounded down.
    const HALF: f64 = 0.5 - 1.0 / (1 << 30) as f64;
    let number = number.clamp(-FARTHEST_LINE, FARTHEST_LINE);
    (number - HALF + WHOLE).to_bits() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_the_whole_number_below() {
        for number in [-3.0, -2.5, -1e-3, -0.0, 0.0, 1e-12, 0.999, 1.0, 2.0, 7.25, 1e6 + 0.75] {
            assert_eq!(line(number), number.floor() as i32, "{number}");
        }
        let farthest = FARTHEST_LINE as i32;
        assert_eq!([line(f64::MAX), line(f64::MIN)], [farthest, -farthest]);
        assert_eq!([line(f64::INFINITY), line(f64::NEG_INFINITY)], [farthest, -farthest]);
    }

    #[test]
    fn lines_never_go_back() {
        let mut number: f64 = -3.0;
        let mut last = line(number);
        for _ in 0..100_000 {
            number += 6.1e-5;
            let next = line(number);
            assert!(next >= last, "{number}");
            last = next;
        }
    }
}
