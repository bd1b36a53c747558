//! How each row moves during a step, as far as it goes.

use bevy::math::DVec2;

use crate::collider_table::ColliderTable;
use crate::geometry::{TwoPieces, two_pieces};

/// Straight ways, evenly made from time 0 to 1, or to where something stopped them.
#[derive(Default)]
pub(super) struct Ways {
    /// Where each row goes to, seen from where it starts.
    motions: Vec<DVec2>,
    /// The part of its motion that each row makes.
    parts: Vec<f64>,
}

impl Ways {
    /// All rows go to where they are in the table.
    pub(super) fn start(&mut self, table: &ColliderTable) {
        self.motions.clear();
        self.motions.extend((0..table.len()).map(|row| table.displacement(row)));
        self.parts.clear();
        self.parts.resize(self.motions.len(), 1.0);
    }

    pub(super) fn motion(&self, row: u32) -> DVec2 {
        self.motions[row as usize]
    }

    pub(super) fn turn_aside(&mut self, row: u32, motion: DVec2) {
        self.motions[row as usize] = motion;
    }

    pub(super) fn moves(&self, row: u32) -> bool {
        self.motion(row) != DVec2::ZERO
    }

    pub(super) fn part(&self, row: u32) -> f64 {
        self.parts[row as usize]
    }

    pub(super) fn stop(&mut self, row: u32, part: f64) {
        self.parts[row as usize] = part;
    }

    /// How far a row comes.
    pub(super) fn made(&self, row: u32) -> DVec2 {
        self.motion(row) * self.part(row)
    }

    /// Where the reference point of a row is at a time.
    pub(super) fn place(&self, table: &ColliderTable, row: u32, time: f64) -> DVec2 {
        let start = table.row(row).origin().as_dvec2() - table.displacement(row as usize);
        start + self.motion(row) * time.min(self.part(row))
    }

    /// How B would move from a time to the end of the step, seen from A, if nothing else stopped
    /// either.
    pub(super) fn rest_of_way(&self, [a, b]: [u32; 2], time: f64) -> DVec2 {
        let motion = |row| if self.part(row) > time { self.motion(row) } else { DVec2::ZERO };
        (motion(b) - motion(a)) * (1.0 - time)
    }

    /// Two shapes as they lie at a time.
    pub(super) fn whole<'t>(
        &self,
        table: &'t ColliderTable,
        [a, b]: [u32; 2],
        time: f64,
    ) -> TwoPieces<'t> {
        let offset = self.place(table, b, time) - self.place(table, a, time);
        TwoPieces { a: table.shape(a), b: table.shape(b), offset }
    }

    /// Two pieces of them by the numbers that `piece_by_piece` gives; none means the whole shapes.
    pub(super) fn pieces<'t>(
        &self,
        table: &'t ColliderTable,
        rows: [u32; 2],
        pieces: Option<[u32; 2]>,
        time: f64,
    ) -> TwoPieces<'t> {
        let whole = self.whole(table, rows, time);
        pieces.and_then(|pieces| two_pieces(whole, pieces)).unwrap_or(whole)
    }
}
