//! Cells of one size.

use core::ops::Range;

use bevy::math::bounding::Aabb2d;

use crate::radix_sort::RadixSort;

/// Cells of one size.
#[derive(Debug, Default)]
pub(super) struct Level {
    pub(super) cell_size: f64,
    // INVARIANT: sorted by key; no box is larger than `FILL * cell_size`.
    pub(super) entries: Vec<Entry>,
    /// Entries in the order in which they were added; empty once they are sorted.
    added: Vec<Entry>,
    pub(super) cells: Vec<Cell>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: u64,
    pub(super) item: u32,
    pub(super) bounds: Aabb2d,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) key: u64,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// The largest box relative to its cell: a little below 1, so that rounding in finding a cell
/// cannot make a box reach over two cells.
pub(super) const FILL: f64 = 0.999;
/// Cells beyond this distance from the origin are one cell: far enough for any game, and small
/// enough that a neighbour's coordinate never overflows.
const FARTHEST_CELL: f64 = (1 << 30) as f64;

impl Level {
    pub(super) fn clear(&mut self, cell_size: f64) {
        self.cell_size = cell_size;
        self.entries.clear();
        self.added.clear();
        self.cells.clear();
    }

    pub(super) fn add(&mut self, item: u32, bounds: Aabb2d) {
        let key = key(self.cell_of(bounds.min.x), self.cell_of(bounds.min.y));
        self.added.push(Entry { key, item, bounds });
    }

    pub(super) fn sort(&mut self, sort: &mut RadixSort) {
        sort.start(self.added.len());
        sort.by(|i| self.added[i as usize].key);
        self.entries.extend(sort.order().map(|i| self.added[i as usize]));
        self.added.clear();
        for (i, entry) in self.entries.iter().enumerate() {
            let i = i as u32;
            match self.cells.last_mut() {
                Some(cell) if cell.key == entry.key => cell.end = i + 1,
                _ => self.cells.push(Cell { key: entry.key, start: i, end: i + 1 }),
            }
        }
    }

    /// Grows with the coordinate, so that no order is ever reversed by rounding.
    fn cell_of(&self, coordinate: f32) -> i32 {
        self.line_of(f64::from(coordinate))
    }

    /// The row or column of a coordinate in double precision.
    pub(super) fn line_of(&self, coordinate: f64) -> i32 {
        (coordinate / self.cell_size).floor().clamp(-FARTHEST_CELL, FARTHEST_CELL) as i32
    }

    /// From where to where the boxes of a row or column may reach.
    pub(super) fn band(&self, line: i32) -> [f64; 2] {
        // Finding a cell rounds: in the farthest one by up to 1e-7 of its side.
        let low = (f64::from(line) - 1e-6) * self.cell_size;
        let high = f64::from(line + 2) * self.cell_size;
        let farthest = FARTHEST_CELL as i32;
        [
            if line <= -farthest { f64::NEG_INFINITY } else { low },
            if line >= farthest { f64::INFINITY } else { high },
        ]
    }

    /// The rows that hold boxes, between two rows, from the bottom or from the top.
    pub(super) fn rows(&self, bottom: i32, top: i32, from_top: bool) -> Rows<'_> {
        let start = self.first_from(0, key(i32::MIN, bottom));
        let end = self.first_from(start, key(i32::MAX, top) + 1);
        Rows { cells: &self.cells, rest: start..end, from_top }
    }

    /// The cells of a row between two columns.
    pub(super) fn columns(&self, row: &Row, left: i32, right: i32) -> Range<usize> {
        let cells = &self.cells[row.cells.clone()];
        let start = cells.partition_point(|cell| cell.key < key(left, row.y));
        let end = cells.partition_point(|cell| cell.key <= key(right, row.y));
        row.cells.start + start..row.cells.start + end
    }

    pub(super) fn entries_of(&self, cells: Range<usize>) -> &[Entry] {
        if cells.is_empty() {
            return &[];
        }
        &self.entries
            [self.cells[cells.start].start as usize..self.cells[cells.end - 1].end as usize]
    }

    /// The pairs of each cell with itself, the cell to its right, and the three above.
    pub(super) fn visit_neighbours(&self, cells: Range<usize>, visit: &mut impl FnMut(u32, u32)) {
        // The first cell of the row above that may be a neighbour. Cells come in ascending order,
        // so it only ever moves on.
        let mut above = cells.start;
        for i in cells {
            let cell = self.cells[i];
            let (x, y) = coordinates(cell.key);
            let own = self.entries_of(i..i + 1);
            for (j, entry) in own.iter().enumerate() {
                visit_meeting(entry, &own[j + 1..], visit);
            }
            if let Some(right) = self.cells.get(i + 1)
                && right.key == key(x + 1, y)
            {
                let others = self.entries_of(i + 1..i + 2);
                own.iter().for_each(|entry| visit_meeting(entry, others, visit));
            }
            let (first, last) = (key(x - 1, y + 1), key(x + 1, y + 1));
            if self.cells.get(above).is_some_and(|cell| cell.key < first) {
                above += self.cells[above..].partition_point(|cell| cell.key < first);
            }
            let mut end = above;
            while self.cells.get(end).is_some_and(|cell| cell.key <= last) {
                end += 1;
            }
            let others = self.entries_of(above..end);
            own.iter().for_each(|entry| visit_meeting(entry, others, visit));
        }
    }

    /// Walks the cells of a box in order and jumps over everything between them, so that the cost
    /// follows the occupied cells and not the area.
    pub(super) fn visit_box(&self, bounds: Aabb2d, visit: &mut impl FnMut(u32)) {
        if self.cells.is_empty() {
            return;
        }
        let (left, bottom) = (self.cell_of(bounds.min.x) - 1, self.cell_of(bounds.min.y) - 1);
        let (right, top) = (self.cell_of(bounds.max.x), self.cell_of(bounds.max.y));
        let mut i = self.first_from(0, key(left, bottom));
        while let Some(cell) = self.cells.get(i) {
            let (x, y) = coordinates(cell.key);
            if y > top {
                break;
            }
            if x < left {
                i = self.first_from(i, key(left, y));
            } else if x > right {
                i = self.first_from(i, key(left, y + 1));
            } else {
                let entries = self.entries_of(i..i + 1);
                entries
                    .iter()
                    .filter(|entry| meet(&entry.bounds, &bounds))
                    .for_each(|entry| visit(entry.item));
                i += 1;
            }
        }
    }

    fn first_from(&self, start: usize, key: u64) -> usize {
        start + self.cells[start..].partition_point(|cell| cell.key < key)
    }
}

/// The cells of one row that hold boxes.
pub(super) struct Row {
    pub(super) y: i32,
    pub(super) cells: Range<usize>,
}

/// Rows that hold boxes, in order. Empty rows cost nothing.
pub(super) struct Rows<'a> {
    cells: &'a [Cell],
    rest: Range<usize>,
    from_top: bool,
}

impl Iterator for Rows<'_> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        let rest = &self.cells[self.rest.clone()];
        let (y, cells);
        if self.from_top {
            (_, y) = coordinates(rest.last()?.key);
            let start = rest.partition_point(|cell| cell.key < key(i32::MIN, y));
            cells = self.rest.start + start..self.rest.end;
            self.rest.end = cells.start;
        } else {
            (_, y) = coordinates(rest.first()?.key);
            let count = rest.partition_point(|cell| cell.key <= key(i32::MAX, y));
            cells = self.rest.start..self.rest.start + count;
            self.rest.start = cells.end;
        }
        Some(Row { y, cells })
    }
}

fn visit_meeting(entry: &Entry, others: &[Entry], visit: &mut impl FnMut(u32, u32)) {
    for other in others {
        if meet(&entry.bounds, &other.bounds) {
            visit(entry.item, other.item);
        }
    }
}

/// Whether closed boxes share a point. Without branches: most pairs of neighbours fail, at no
/// predictable comparison.
#[inline]
pub(super) fn meet(a: &Aabb2d, b: &Aabb2d) -> bool {
    (a.min.x <= b.max.x) & (b.min.x <= a.max.x) & (a.min.y <= b.max.y) & (b.min.y <= a.max.y)
}

pub(super) fn size(bounds: &Aabb2d) -> f64 {
    (bounds.max.as_dvec2() - bounds.min.as_dvec2()).max_element()
}

/// Cell coordinates as one number that sorts by row, then by column.
#[inline]
pub(super) fn key(x: i32, y: i32) -> u64 {
    let unsigned = |i: i32| u64::from(i.cast_unsigned() ^ (1 << 31));
    (unsigned(y) << 32) | unsigned(x)
}

#[inline]
pub(super) fn coordinates(key: u64) -> (i32, i32) {
    let signed = |bits: u64| ((bits as u32) ^ (1 << 31)).cast_signed();
    (signed(key), signed(key >> 32))
}
