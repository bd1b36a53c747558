//! What swept colliders met on their way in this step.

use core::ops::Range;

use bevy::prelude::*;

use crate::geometry::Contact;

/// Written in the narrow phase, before the contacts; read by them and by push-out.
#[derive(Resource, Debug, Default)]
pub(crate) struct Impacts {
    // INVARIANT: sorted by rows, without repetitions.
    list: Vec<SweptImpact>,
    // INVARIANT: each range lies in `normals`.
    stops: Vec<(Stop, Range<u32>)>,
    normals: Vec<Vec2>,
}

/// Two colliders that came into contact on their way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweptImpact {
    /// Rows of A and B in the collider table, A the lower entity.
    pub(crate) rows: [u32; 2],
    /// The part of the way after which they first touched.
    pub(crate) time: f32,
    pub(crate) contact: Contact,
    /// Whether they were in contact from the start, which counts only if no other contact does.
    pub(crate) only_at_start: bool,
}

/// A solid that did not arrive where it was going.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop {
    pub(crate) row: u32,
    /// From where it was going to where it stopped, in world units.
    pub(crate) translation: Vec2,
}

impl Impacts {
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.stops.clear();
        self.normals.clear();
    }

    pub(crate) fn replace(&mut self, list: impl IntoIterator<Item = SweptImpact>) {
        self.list.clear();
        self.list.extend(list);
        self.list.sort_unstable_by_key(|impact| impact.rows);
    }

    /// Adds a stop with the normals, towards the solid, of everything that stopped it.
    pub(crate) fn add_stop(
        &mut self,
        row: u32,
        translation: Vec2,
        normals: impl Iterator<Item = Vec2>,
    ) {
        let start = self.normals.len() as u32;
        self.normals.extend(normals);
        self.stops.push((Stop { row, translation }, start..self.normals.len() as u32));
    }

    pub(crate) fn stops(&self) -> impl ExactSizeIterator<Item = Stop> {
        self.stops.iter().map(|&(stop, _)| stop)
    }

    /// All stops, each with its normals.
    pub(crate) fn stops_and_normals(&self) -> impl Iterator<Item = (Stop, &[Vec2])> {
        self.stops
            .iter()
            .map(|(stop, range)| (*stop, &self.normals[range.start as usize..range.end as usize]))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(crate) fn of(&self, rows: [u32; 2]) -> Option<&SweptImpact> {
        if self.list.is_empty() {
            return None;
        }
        let index = self.list.binary_search_by_key(&rows, |impact| impact.rows).ok()?;
        Some(&self.list[index])
    }
}
