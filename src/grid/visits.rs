//! Visits in an order: along a way, and outward from a place.
//!
//! Both walk the occupied rows in the order in which the way or the growing distance reaches them,
//! and the boxes of each row likewise, and stop as soon as a row or column lies beyond
//! what the visitor still wants. They jump over what is empty. The rows walked are never more than
//! a walk cell by cell would cross, and never more than hold anything.

use bevy::math::bounding::Aabb2d;

use super::entry::Entry;
use super::level::{COLUMNS, Level};
use super::swept_box::{SweptBox, WideBox};

/// Takes what a visit finds.
pub(crate) trait Visitor {
    /// A box that may matter.
    fn visit(&mut self, item: u32);

    /// The time or distance beyond which nothing matters any more. It may only shrink.
    fn limit(&self) -> f64 {
        f64::INFINITY
    }

    /// Called for each row and box looked at. For counting in tests.
    #[inline]
    fn note_work(&mut self) {}
}

/// More than what times, squares and roots may lose.
const GENEROUS: f64 = 1.0 + 1e-12;

impl Level {
    /// See [`UniformGrid::visit_swept`](super::UniformGrid::visit_swept).
    pub(super) fn visit_swept<V: Visitor>(
        &self,
        swept: &SweptBox,
        from: f64,
        to: f64,
        visitor: &mut V,
    ) {
        let is_due = |bounds: &Aabb2d, limit: f64| {
            swept.meets(bounds).is_some_and(|time| time > from && time <= to && time <= limit)
        };
        // A little more on both sides: the times of two computations differ by their rounding.
        let (begin, end) = (from.max(0.0) / GENEROUS, to.min(swept.end()));
        let until = end.min(visitor.limit()) * GENEROUS;
        if self.entries.is_empty() || until < begin {
            return;
        }
        if self.cell_size.is_infinite() {
            return self.visit_all(is_due, visitor);
        }
        let [bottom, top] = self.rows_of(swept.reach(1, [begin, until]));
        for row in ordered(self.rows(bottom, top), swept.is_backward(1)) {
            visitor.note_work();
            let until = end.min(visitor.limit()) * GENEROUS;
            let band = self.row_band(row.y);
            if swept.earliest(1, band) > until {
                break;
            }
            let Some(during) = swept.crossing(1, band, [begin, until]) else { continue };
            let [left, right] = self.columns_of(swept.reach(0, during));
            let entries = &self.entries[self.columns(row, left, right)];
            for entry in ordered(entries, swept.is_backward(0)) {
                if swept.earliest(0, self.column_band(entry)) > visitor.limit() {
                    break;
                }
                visit_entry(entry, is_due, visitor);
            }
        }
    }

    /// See [`UniformGrid::visit_ring`](super::UniformGrid::visit_ring).
    pub(super) fn visit_ring<V: Visitor>(
        &self,
        center: &WideBox,
        inner: f64,
        outer: f64,
        visitor: &mut V,
    ) {
        let is_due = |bounds: &Aabb2d, limit: f64| {
            let distance = center.distance_squared(bounds).sqrt();
            distance > inner && distance <= outer && distance <= limit
        };
        if self.entries.is_empty() {
            return;
        }
        if self.cell_size.is_infinite() {
            return self.visit_all(is_due, visitor);
        }
        let wanted = |visitor: &V| outer.min(visitor.limit()) * GENEROUS;
        let reach = wanted(visitor);
        let [bottom, top] = self.rows_of([center.min.y - reach, center.max.y + reach]);
        let [left, right] = self.columns_of([center.min.x - reach, center.max.x + reach]);
        // From these on to the right and up, from the ones before to the left and down, boxes only
        // ever come to lie farther away.
        let [first_column, _] = self.columns_of([center.min.x; 2]);
        let [first_row, _] = self.rows_of([center.min.y; 2]);
        for (bottom, top, downward) in [(first_row, top, false), (bottom, first_row - 1, true)] {
            for row in ordered(self.rows(bottom, top), downward) {
                visitor.note_work();
                let gap_y = center.gap(1, self.row_band(row.y));
                if gap_y > wanted(visitor) {
                    break;
                }
                for (left, right, leftward) in
                    [(first_column, right, false), (left, first_column - 1, true)]
                {
                    let entries = &self.entries[self.columns(row, left, right)];
                    for entry in ordered(entries, leftward) {
                        let gap_x = center.gap(0, self.column_band(entry));
                        let wanted = wanted(visitor);
                        if gap_x * gap_x + gap_y * gap_y > wanted * wanted {
                            break;
                        }
                        visit_entry(entry, is_due, visitor);
                    }
                }
            }
        }
    }

    /// The rows whose boxes may reach an interval.
    fn rows_of(&self, [low, high]: [f64; 2]) -> [i32; 2] {
        [self.row_of(low) - 1, self.row_of(high)]
    }

    /// The columns whose boxes may reach an interval.
    fn columns_of(&self, [low, high]: [f64; 2]) -> [i32; 2] {
        [self.column_of(low) - COLUMNS as i32, self.column_of(high)]
    }

    fn visit_all<V: Visitor>(&self, is_due: impl Fn(&Aabb2d, f64) -> bool + Copy, visitor: &mut V) {
        self.entries.iter().for_each(|entry| visit_entry(entry, is_due, visitor));
    }
}

fn visit_entry<V: Visitor>(entry: &Entry, is_due: impl Fn(&Aabb2d, f64) -> bool, visitor: &mut V) {
    visitor.note_work();
    if !entry.is_gap() && is_due(&entry.bounds(), visitor.limit()) {
        visitor.visit(entry.item);
    }
}

/// A list from its start or from its end.
fn ordered<T>(list: &[T], backward: bool) -> impl Iterator<Item = &T> {
    let mut iter = list.iter();
    core::iter::from_fn(move || if backward { iter.next_back() } else { iter.next() })
}

#[cfg(test)]
mod tests {
    use bevy::math::{DVec2, Vec2};

    use super::super::{CellChoice, UniformGrid};
    use super::*;

    #[derive(Default)]
    struct All(Vec<u32>);

    impl Visitor for All {
        fn visit(&mut self, item: u32) {
            self.0.push(item);
        }
    }

    /// A small generator of numbers in 0..1, so that the test needs no seed from outside.
    fn noise() -> impl FnMut() -> f32 {
        let mut state = 0x2545_F491_u32;
        move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        }
    }

    fn build(boxes: &[Aabb2d], cell_size: Option<f32>) -> UniformGrid {
        let mut grid = UniformGrid::default();
        let boxes = (0..).zip(boxes.iter().copied()).collect();
        grid.build(&boxes, cell_size.map_or(CellChoice::Fitting, CellChoice::Fixed));
        grid
    }

    /// Boxes of all sizes around a place, some of them points, on a coarse raster so that edges
    /// often meet.
    fn world(random: &mut impl FnMut() -> f32, around: Vec2, spread: f32) -> Vec<Aabb2d> {
        (0..150)
            .map(|i| {
                let size = match i % 30 {
                    0 => spread,
                    1 => 0.0,
                    _ => (spread * 0.05 * random()).ceil(),
                };
                let place = Vec2::new(random() - 0.5, random() - 0.5) * spread;
                let min = around + place.round();
                Aabb2d { min, max: min + Vec2::new(size, (size * random()).round()) }
            })
            .collect()
    }

    /// Whether a box that moves by `way` meets another: by the three axes that can part them.
    fn meet_on_the_way(moving: &Aabb2d, way: DVec2, other: &Aabb2d) -> bool {
        let low = other.min.as_dvec2() - moving.max.as_dvec2();
        let high = other.max.as_dvec2() - moving.min.as_dvec2();
        let is_beside =
            way.max(DVec2::ZERO).cmplt(low).any() || way.min(DVec2::ZERO).cmpgt(high).any();
        let corners = [low, high, DVec2::new(low.x, high.y), DVec2::new(high.x, low.y)];
        let sides = corners.map(|corner| way.perp_dot(corner));
        let is_parted =
            sides.iter().all(|&side| side > 0.0) || sides.iter().all(|&side| side < 0.0);
        !is_beside && !is_parted
    }

    #[test]
    fn a_way_visits_each_box_that_it_meets_once() {
        let mut random = noise();
        for (around, spread) in
            [(Vec2::ZERO, 100.0), (Vec2::new(1e6, -3e5), 100.0), (Vec2::splat(-1e30), 1e28)]
        {
            for case in 0..200 {
                let boxes = world(&mut random, around, spread);
                let cell_size =
                    [None, Some(0.03 * spread), Some(1.0), Some(1e-6), Some(1e9)][case % 5];
                let grid = build(&boxes, cell_size);
                let from = around + (Vec2::new(random(), random()) * 3.0 - 1.5).round() * spread;
                let moving = Aabb2d { min: from, max: from + (spread * 0.2 * random()).floor() };
                let way = Vec2::new(random() - 0.5, random() - 0.5) * spread * 8.0;
                let way = match case % 7 {
                    0 => Vec2::new(way.x, 0.0),
                    1 => Vec2::new(0.0, way.y),
                    2 => Vec2::ZERO,
                    3 => Vec2::new(way.x, way.x),
                    4 => Vec2::new(way.x, 1e-12 * way.y),
                    _ => way,
                }
                .as_dvec2();
                let swept = SweptBox::new(WideBox::new(moving, 0.0), way, 1.0);
                let mut parts = [0.0, random(), random(), f32::INFINITY];
                parts.sort_unstable_by(f32::total_cmp);
                parts[0] = -1.0;
                let mut all = All::default();
                for part in parts.windows(2) {
                    grid.visit_swept(&swept, part[0].into(), part[1].into(), &mut all);
                }
                let mut found = all.0;
                found.sort_unstable();
                let expected: Vec<u32> = (0..boxes.len() as u32)
                    .filter(|&i| swept.meets(&boxes[i as usize]).is_some())
                    .collect();
                assert_eq!(found, expected, "case {case} around {around}, {moving:?} by {way}");
                for (i, other) in boxes.iter().enumerate() {
                    assert!(
                        !meet_on_the_way(&moving, way, other) || found.contains(&(i as u32)),
                        "case {case} around {around}: {moving:?} by {way} misses {other:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn rings_visit_each_box_once() {
        let mut random = noise();
        for (around, spread) in [(Vec2::ZERO, 100.0), (Vec2::new(1e6, 0.0), 30.0)] {
            for case in 0..200 {
                let boxes = world(&mut random, around, spread);
                let cell_size =
                    [None, Some(0.03 * spread), Some(1.0), Some(1e-6), Some(1e9)][case % 5];
                let grid = build(&boxes, cell_size);
                let min = around + (Vec2::new(random(), random()) * 3.0 - 1.5) * spread;
                let center = WideBox::new(Aabb2d { min, max: min + 5.0 * random() }, 0.0);
                let outer = spread * random();
                let mut all = All::default();
                for ring in [[-1.0, 0.1 * outer], [0.1 * outer, 0.3 * outer], [0.3 * outer, outer]]
                {
                    grid.visit_ring(&center, ring[0].into(), ring[1].into(), &mut all);
                }
                let mut found = all.0;
                found.sort_unstable();
                let is_near = |&i: &u32| {
                    center.distance_squared(&boxes[i as usize]).sqrt() <= f64::from(outer)
                };
                let expected: Vec<u32> = (0..boxes.len() as u32).filter(is_near).collect();
                assert_eq!(found, expected, "case {case} around {around}");
            }
        }
    }

    #[test]
    fn coordinates_beyond_the_farthest_cell_are_found() {
        let far = 1e37;
        let places = [[-far, far], [far, far], [far, -far], [0.0, far], [far, 0.0], [1e30, 0.0]];
        let boxes: Vec<_> = places
            .iter()
            .map(|&place| Aabb2d { min: Vec2::from(place), max: Vec2::from(place) + 1e30 })
            .collect();
        for cell_size in [None, Some(1e-30), Some(1.0), Some(1e35)] {
            let grid = build(&boxes, cell_size);
            for (i, other) in boxes.iter().enumerate() {
                let start = WideBox::new(Aabb2d { min: Vec2::ZERO, max: Vec2::ONE }, 0.0);
                let swept = SweptBox::new(start, other.min.as_dvec2(), 1.0);
                let mut all = All::default();
                grid.visit_swept(&swept, -1.0, f64::INFINITY, &mut all);
                assert!(all.0.contains(&(i as u32)), "way to {other:?}, cell size {cell_size:?}");
                let mut all = All::default();
                grid.visit_ring(&start, -1.0, 2e37, &mut all);
                assert_eq!(all.0.len(), boxes.len(), "cell size {cell_size:?}");
            }
        }
    }
}
