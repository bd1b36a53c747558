//! Pairs on their way to a list.

use super::entry::{Entry, Probe};

/// Pairs of items, collected without a branch for each.
///
/// Whether two neighbours meet is no better to predict than a coin, and a wrong guess costs a
/// processor more than the comparison. So every pair is written, and the place of the next moves
/// on only behind those that meet.
pub(crate) struct PairBuffer<'a> {
    list: &'a mut Vec<[u32; 2]>,
    buffer: [[u32; 2]; SIZE],
    len: usize,
    compared: usize,
}

const SIZE: usize = 256;

impl<'a> PairBuffer<'a> {
    pub(crate) fn new(list: &'a mut Vec<[u32; 2]>) -> Self {
        Self { list, buffer: [[0; 2]; SIZE], len: 0, compared: 0 }
    }

    /// Adds the pairs of an item with those of the others, up to a column, that meet it and may pair
    /// with it.
    #[inline]
    pub(super) fn add_meeting(&mut self, item: u32, probe: &Probe, last: u32, others: &[Entry]) {
        for (i, other) in others.iter().enumerate() {
            if other.column > last {
                self.compared += i;
                return;
            }
            if self.len == SIZE {
                self.flush();
            }
            self.buffer[self.len] = [item, other.item];
            self.len += usize::from(other.pairs_with(probe));
        }
        self.compared += others.len();
    }

    #[cold]
    fn flush(&mut self) {
        self.list.extend_from_slice(&self.buffer[..self.len]);
        self.len = 0;
    }

    /// Writes what is left to the list. Returns how many boxes were compared.
    pub(crate) fn finish(mut self) -> usize {
        self.flush();
        self.compared
    }
}
