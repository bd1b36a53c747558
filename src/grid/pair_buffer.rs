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
    filled: Filled,
}

/// How much of a buffer is filled, and how many boxes were compared. Hot loops keep a copy: a number
/// that goes through memory in every turn makes each turn wait for the one before.
#[derive(Clone, Copy, Default)]
pub(super) struct Filled {
    len: usize,
    compared: usize,
}

const SIZE: usize = 256;

impl<'a> PairBuffer<'a> {
    pub(crate) fn new(list: &'a mut Vec<[u32; 2]>) -> Self {
        Self { list, buffer: [[0; 2]; SIZE], filled: Filled::default() }
    }

    pub(super) fn filled(&self) -> Filled {
        self.filled
    }

    pub(super) fn set_filled(&mut self, filled: Filled) {
        self.filled = filled;
    }

    /// Adds the pairs of an item with those of the others, up to a column, that meet it and may pair
    /// with it.
    #[inline]
    pub(super) fn add_meeting(
        &mut self,
        filled: &mut Filled,
        item: u32,
        probe: &Probe,
        last: u32,
        others: &[Entry],
    ) {
        for (i, other) in others.iter().enumerate() {
            if other.column > last {
                filled.compared += i;
                return;
            }
            if filled.len >= SIZE {
                self.flush(filled.len);
                filled.len = 0;
            }
            self.buffer[filled.len] = [item, other.item];
            filled.len += usize::from(other.pairs_with(probe));
        }
        filled.compared += others.len();
    }

    #[cold]
    #[inline(never)]
    fn flush(&mut self, len: usize) {
        self.list.extend_from_slice(&self.buffer[..len]);
    }

    /// Writes what is left to the list. Returns how many boxes were compared.
    pub(crate) fn finish(mut self) -> usize {
        self.flush(self.filled.len);
        self.filled.compared
    }
}
