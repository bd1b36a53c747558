//! A grid of boxes that mostly stay where they are.

use bevy::math::bounding::Aabb2d;

use super::{Boxes, CellChoice, Corners, Groups, PairBuffer, UniformGrid};

/// Two grids: a large one that is built seldom, and a small one of what has changed since.
///
/// A change takes the old box out of the large grid, where it leaves a gap, and builds the small one
/// anew. So a changed tile costs its neighbourhood and what else has changed, not the level.
#[derive(Debug, Default)]
pub(crate) struct SettledGrid {
    settled: UniformGrid,
    recent: UniformGrid,
    /// Where each item lies in the large grid, or [`NOWHERE`].
    places: Vec<u32>,
    /// The items of the small grid, ascending.
    changed: Vec<u32>,
    boxes: Boxes,
}

const NOWHERE: u32 = u32::MAX;
/// As soon as more than this part of the boxes has changed, the large grid is built anew.
const MOST_CHANGED: usize = 32;
/// So few are never too many.
const FEW: usize = 64;

impl SettledGrid {
    /// Builds both grids anew.
    pub(crate) fn build(
        &mut self,
        boxes: impl Iterator<Item = (u32, Corners, Groups)>,
        cells: CellChoice,
    ) {
        self.boxes.clear();
        boxes.for_each(|(item, corners, groups)| self.boxes.push(item, corners, groups));
        self.settled.build_to_last(&self.boxes, cells);
        self.places.clear();
        for (place, item) in (0..).zip(self.settled.items()) {
            let item = item as usize;
            if self.places.len() <= item {
                self.places.resize(item + 1, NOWHERE);
            }
            self.places[item] = place;
        }
        self.changed.clear();
        self.boxes.clear();
        self.recent.build(&self.boxes, cells);
    }

    /// Takes items to where they are now, or out of the grid. False if so many have changed that
    /// the grid should be built anew instead: then nothing is done.
    ///
    /// Costs a sort of all that have changed since the grid was built.
    pub(crate) fn change(
        &mut self,
        items: &[u32],
        now: impl Fn(u32) -> Option<(Corners, Groups)>,
    ) -> bool {
        if items.is_empty() {
            return true;
        }
        if self.changed.len() + items.len() > FEW + self.settled.len() / MOST_CHANGED {
            return false;
        }
        for &item in items {
            let place = self.places.get_mut(item as usize);
            if let Some(place) = place.map(|place| core::mem::replace(place, NOWHERE))
                && place != NOWHERE
            {
                self.settled.take_out(place as usize);
            }
        }
        self.changed.extend_from_slice(items);
        self.changed.sort_unstable();
        self.changed.dedup();
        self.boxes.clear();
        let boxes = &mut self.boxes;
        self.changed.retain(|&item| {
            let now = now(item);
            now.inspect(|&(corners, groups)| boxes.push(item, corners, groups)).is_some()
        });
        self.recent.build(&self.boxes, CellChoice::Fitting);
        true
    }

    /// How many boxes the last change sorted.
    pub(crate) fn recent_len(&self) -> usize {
        self.recent.len()
    }

    /// Both grids.
    pub(crate) fn grids(&self) -> [&UniformGrid; 2] {
        [&self.settled, &self.recent]
    }

    /// How many boxes are stored, gaps included.
    pub(crate) fn len(&self) -> usize {
        self.settled.len() + self.recent.len()
    }

    /// See [`UniformGrid::visit_box`].
    pub(crate) fn visit_box(&self, bounds: Aabb2d, visit: &mut impl FnMut(u32)) {
        self.grids().into_iter().for_each(|grid| grid.visit_box(bounds, visit));
    }

    /// See [`UniformGrid::visit_pairs_of`].
    pub(crate) fn visit_pairs_of(
        &self,
        item: u32,
        corners: Corners,
        groups: Groups,
        pairs: &mut PairBuffer,
    ) {
        for grid in self.grids() {
            grid.visit_pairs_of(item, corners, groups, pairs);
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::Vec2;

    use super::*;

    fn square(i: u32, lift: f32) -> (Corners, Groups) {
        let min = Vec2::new((i % 50) as f32, (i / 50) as f32 + lift);
        (Corners::new(&Aabb2d { min, max: min + 0.9 }), Groups(1, 1))
    }

    fn found(grid: &SettledGrid, min: Vec2, max: Vec2) -> Vec<u32> {
        let mut found = Vec::new();
        grid.visit_box(Aabb2d { min, max }, &mut |item| found.push(item));
        found.sort_unstable();
        found
    }

    #[test]
    fn what_changes_is_found_where_it_is_and_nowhere_else() {
        let mut grid = SettledGrid::default();
        let items = |i: u32| (i, square(i, 0.0).0, square(i, 0.0).1);
        grid.build((0..2500).map(items), CellChoice::Fitting);
        let (low, high) = (Vec2::splat(10.1), Vec2::splat(10.2));
        assert_eq!(found(&grid, low, high), [510]);
        // Moved far up, back, and away; each with another one that is new.
        assert!(grid.change(&[510], |i| Some(square(i, 100.0))));
        assert!(found(&grid, low, high).is_empty());
        assert_eq!(found(&grid, low + Vec2::Y * 100.0, high + Vec2::Y * 100.0), [510]);
        assert!(grid.change(&[510, 3000], |i| Some(square(i, 0.0))));
        assert_eq!(found(&grid, low, high), [510]);
        assert_eq!(found(&grid, Vec2::new(0.1, 60.1), Vec2::new(0.2, 60.2)), [3000]);
        assert!(grid.change(&[510, 3000], |_| None));
        assert!(found(&grid, low, high).is_empty());
        assert_eq!(found(&grid, Vec2::splat(-1e9), Vec2::splat(1e9)).len(), 2499);
        // Too many at once.
        let many: Vec<u32> = (0..500).collect();
        assert!(!grid.change(&many, |i| Some(square(i, 0.0))));
        assert_eq!(found(&grid, Vec2::splat(-1e9), Vec2::splat(1e9)).len(), 2499);
    }
}
