//! Many movers at once: rows that follow one another, as those of a table of the ECS mostly do.

use bevy::prelude::*;
use bevy::tasks::ComputeTaskPool;

use super::{ColliderTable, Composition, Row, Source};
use crate::geometry::PlacedShape;
use crate::grid::{Corners, Entry};
use crate::parallel;
use crate::world_pose::own_pose;

/// Too few rows for a task of their own.
const SMALLEST_PART: usize = 4096;

/// What carrying a part of a run came to.
#[derive(Debug)]
pub(super) struct Carried {
    /// The smallest box that holds the part.
    content: Corners,
    /// Those that could not be carried, counted from the start of the run.
    missed: Vec<u32>,
}

impl Default for Carried {
    fn default() -> Self {
        Self { content: Corners::NOWHERE, missed: Vec::new() }
    }
}

/// The lists of the table, cut to the same part of a run.
struct Part<'a> {
    first_row: usize,
    rows: &'a mut [Row],
    shapes: &'a mut [PlacedShape],
    sources: &'a [Source],
    reaches: &'a [Corners],
    entries: &'a mut [Entry],
}

impl ColliderTable {
    /// Lets the movers of a run of rows take part in this step, in parallel: where their transforms
    /// put them, or where they were. `missed` takes those for which more has to be done, counted
    /// from the start of the run. False if they cannot be taken together.
    ///
    /// # Cost
    /// Reads and writes each list from end to end.
    pub(crate) fn carry_run<'t>(
        &mut self,
        first: usize,
        entities: &[Entity],
        composition: Composition,
        transform: &(impl Fn(usize) -> Option<&'t Transform> + Sync),
        missed: &mut Vec<u32>,
    ) -> bool {
        let (count, end) = (entities.len(), first + entities.len());
        missed.clear();
        if self.is_sweeping || end > self.rows.len() || count == 0 {
            return false;
        }
        let parts = parallel::parts(count, SMALLEST_PART);
        let size = count.div_ceil(parts);
        let first_entry = self.movers.len();
        self.carried.resize_with(parts.max(self.carried.len()), Carried::default);
        let lists = self.rows[first..end].chunks_mut(size);
        let lists = lists.zip(self.shapes[first..end].chunks_mut(size));
        let lists = lists.zip(self.sources[first..end].chunks(size));
        let lists = lists.zip(self.reaches[first..end].chunks(size));
        let lists = lists.zip(self.movers.grow(count).chunks_mut(size));
        let works = lists.zip(&mut self.carried).enumerate().map(|(part, (lists, carried))| {
            let ((((rows, shapes), sources), reaches), entries) = lists;
            let first_row = first + part * size;
            let part = Part { first_row, rows, shapes, sources, reaches, entries };
            move || part.carry(first, entities, composition, transform, carried)
        });
        if parts == 1 {
            works.for_each(|work| work());
        } else {
            ComputeTaskPool::get().scope(|scope| {
                works.for_each(|work| scope.spawn(async move { work() }));
            });
        }
        for carried in &self.carried[..parts] {
            self.movers.include(carried.content);
            missed.extend_from_slice(&carried.missed);
        }
        // From the last to the first, so that those still to be taken out keep their places.
        for &index in missed.iter().rev() {
            self.movers.swap_remove(first_entry + index as usize);
        }
        true
    }
}

impl Part<'_> {
    fn carry<'t>(
        self,
        first: usize,
        entities: &[Entity],
        composition: Composition,
        transform: &impl Fn(usize) -> Option<&'t Transform>,
        carried: &mut Carried,
    ) {
        let start = self.first_row - first;
        let mut content = Corners::NOWHERE.0;
        carried.missed.clear();
        let lists = self.rows.iter_mut().zip(self.shapes).zip(self.sources).zip(self.reaches);
        for (i, ((((row, shape), source), reach), entry)) in lists.zip(self.entries).enumerate() {
            let index = start + i;
            let origin = match transform(index) {
                None => Some(row.origin()),
                Some(transform) => source.carry(own_pose(transform)),
            };
            match origin.filter(|_| row.is_steady(entities[index], composition)) {
                Some(origin) => {
                    row.move_to(origin);
                    shape.move_to(origin);
                }
                None => carried.missed.push(index as u32),
            }
            let corners = row.corners(*reach);
            content = content.min(corners.0);
            *entry = Entry::new((first + index) as u32, corners, row.groups());
        }
        carried.content = Corners(content);
    }
}
