//! The numbers of the last seconds, and how full the grid is.

use std::collections::VecDeque;

use bevy::prelude::*;

use crate::{CollisionQuery, CollisionStats, GridCell};

use super::step_record::StepRecord;

/// For how long numbers are kept, in seconds.
pub(super) const SECONDS: f64 = 10.0;

/// The most numbers kept, whatever the speed of the steps.
const MOST: usize = 2_400;

/// What one step counted and took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    /// In seconds of a clock that runs while the game does.
    pub(super) time: f64,
    pub(super) contacts: usize,
    pub(super) candidates: usize,
    pub(super) milliseconds: f64,
}

/// The samples of the last seconds, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Samples {
    list: VecDeque<Sample>,
}

impl Samples {
    pub(super) fn push(&mut self, sample: Sample) {
        // A clock that went back began anew.
        if self.list.back().is_some_and(|last| last.time > sample.time) {
            self.list.clear();
        }
        self.list.push_back(sample);
        let is_old = |first: &Sample| sample.time - first.time > SECONDS;
        while self.list.len() > MOST || self.list.front().is_some_and(is_old) {
            self.list.pop_front();
        }
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Sample> + ExactSizeIterator {
        self.list.iter()
    }

    /// Takes the numbers of a step from a file in, as if steps had come at Bevy's fixed timestep.
    pub(super) fn take_past(&mut self, record: &StepRecord) {
        self.push(Sample {
            time: record.step as f64 / 64.0,
            contacts: record.contacts.len(),
            candidates: record.candidates,
            milliseconds: f64::from(record.milliseconds),
        });
    }

    /// Takes the numbers of the last step in, once each.
    pub(super) fn take(&mut self, stats: &CollisionStats, time: f64) {
        let milliseconds = stats.times.total().as_secs_f64() * 1e3;
        let (contacts, candidates) = (stats.contacts, stats.candidates);
        self.push(Sample { time, contacts, candidates, milliseconds });
    }
}

/// What the page of plots shows of the grid.
#[derive(Debug, Default)]
pub(super) struct GridView {
    pub(super) occupancy: Occupancy,
    /// Whether the cells are drawn in the scene while the page is open.
    pub(super) is_drawn: bool,
}

/// How many cells hold how many colliders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Occupancy {
    /// Cells with 1, 2, 3 to 4, 5 to 8, ... colliders.
    pub(super) cells: Vec<usize>,
    /// The most colliders in one cell.
    pub(super) most: usize,
    /// All colliders in all cells.
    pub(super) colliders: usize,
}

impl Occupancy {
    pub(super) fn of(cells: impl Iterator<Item = GridCell>) -> Self {
        let mut all = Self::default();
        for cell in cells.filter(|cell| cell.colliders > 0) {
            let class = class_of(cell.colliders);
            if all.cells.len() <= class {
                all.cells.resize(class + 1, 0);
            }
            all.cells[class] += 1;
            all.most = all.most.max(cell.colliders);
            all.colliders += cell.colliders;
        }
        all
    }

    pub(super) fn count(&self) -> usize {
        self.cells.iter().sum()
    }

    /// How many colliders a cell of a class holds, for example `3-4`.
    pub(super) fn title(class: usize) -> String {
        match class {
            0 | 1 => (class + 1).to_string(),
            _ => format!("{}-{}", (1_usize << (class - 1)) + 1, 1_usize << class),
        }
    }
}

/// 1, 2, 3 to 4, 5 to 8, ...: each class reaches twice as far as the one before.
fn class_of(colliders: usize) -> usize {
    (usize::BITS - (colliders - 1).leading_zeros()) as usize
}

/// Looks at the grid, for the page that shows it.
pub(super) fn watch_grid(mut inspector: ResMut<super::CollisionInspector>, query: CollisionQuery) {
    inspector.bypass_change_detection().grid.occupancy = Occupancy::of(query.cells());
}

#[cfg(test)]
mod tests {
    use bevy::math::bounding::Aabb2d;

    use super::*;

    #[test]
    fn cells_are_counted_by_how_full_they_are() {
        let bounds = Aabb2d { min: Vec2::ZERO, max: Vec2::ONE };
        let cells = [1, 1, 2, 3, 4, 5, 8, 9, 0].map(|colliders| GridCell { bounds, colliders });
        let occupancy = Occupancy::of(cells.into_iter());
        assert_eq!(occupancy.cells, [2, 1, 2, 2, 1]);
        assert_eq!((occupancy.most, occupancy.colliders, occupancy.count()), (9, 33, 8));
        let titles: Vec<_> = (0..5).map(Occupancy::title).collect();
        assert_eq!(titles, ["1", "2", "3-4", "5-8", "9-16"]);
    }

    #[test]
    fn samples_older_than_the_window_are_dropped() {
        let mut samples = Samples::default();
        let sample = |time| Sample { time, contacts: 1, candidates: 2, milliseconds: 0.5 };
        for time in 0..30 {
            samples.push(sample(f64::from(time)));
        }
        let times: Vec<f64> = samples.iter().map(|sample| sample.time).collect();
        assert_eq!((times.first(), times.last()), (Some(&19.0), Some(&29.0)));
        for time in 0..5_000 {
            samples.push(sample(30.0 + f64::from(time) * 1e-4));
        }
        assert_eq!(samples.iter().len(), MOST);
        samples.push(sample(0.0));
        assert_eq!(samples.iter().len(), 1, "another run");
    }
}
