//! A stable sort by integer keys that keeps its buffers.
//!
//! The step sorts the same kind of list again and again: colliders by cell, contacts by pair of
//! entities. Their keys vary in few bits, so that two or three passes over the list do what
//! comparisons do in seventeen. The sorts of the standard library compare, and the crates that sort
//! by digits allocate in every call.
//!
//! Method: radix sort from the lowest digit up, over the bits that vary.

/// Finds the order of a list by one or more keys.
#[derive(Debug, Default)]
pub(crate) struct RadixSort {
    items: Vec<Item>,
    sorted: Vec<Item>,
    starts: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    key: u64,
    index: u32,
}

/// Bits per digit: 2048 counters fit the fastest cache beside the list that is read.
const DIGIT_BITS: u32 = 11;
const DIGIT_MASK: u64 = (1 << DIGIT_BITS) - 1;

impl RadixSort {
    /// Starts with the list as it is.
    pub(crate) fn start(&mut self, len: usize) {
        self.items.clear();
        self.items.extend((0..len as u32).map(|index| Item { key: 0, index }));
    }

    /// Sorts by a key. What has equal keys stays in the order of the sort before: sort by the
    /// least important key first.
    pub(crate) fn by(&mut self, key: impl Fn(u32) -> u64) {
        let Some(first) = self.items.first().map(|item| key(item.index)) else { return };
        let mut varying = 0;
        for item in &mut self.items {
            item.key = key(item.index);
            varying |= item.key ^ first;
        }
        while varying != 0 {
            let shift = varying.trailing_zeros();
            self.by_digit(shift);
            varying &= !(DIGIT_MASK << shift);
        }
    }

    /// Where each place of the sorted list comes from.
    pub(crate) fn order(&self) -> impl ExactSizeIterator<Item = u32> {
        self.items.iter().map(|item| item.index)
    }

    fn by_digit(&mut self, shift: u32) {
        let digit = |item: &Item| ((item.key >> shift) & DIGIT_MASK) as usize;
        self.starts.clear();
        self.starts.resize(1 << DIGIT_BITS, 0);
        for item in &self.items {
            self.starts[digit(item)] += 1;
        }
        let mut next = 0;
        for start in &mut self.starts {
            let count = core::mem::replace(start, next);
            next += count;
        }
        self.sorted.clear();
        self.sorted.resize(self.items.len(), Item { key: 0, index: 0 });
        for item in &self.items {
            let place = &mut self.starts[digit(item)];
            self.sorted[*place as usize] = *item;
            *place += 1;
        }
        core::mem::swap(&mut self.items, &mut self.sorted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_sorts_as_the_standard_library_does() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
            state >> 20
        };
        let mut sort = RadixSort::default();
        for (len, mask) in [
            (0, u64::MAX),
            (1, u64::MAX),
            (500, u64::MAX),
            (500, 0xff),
            (500, 0xf0000000_0000000f),
            (500, 0),
        ] {
            let keys: Vec<(u64, u64)> = (0..len).map(|_| (random() & mask, random() & 3)).collect();
            sort.start(keys.len());
            sort.by(|i| keys[i as usize].1);
            sort.by(|i| keys[i as usize].0);
            let mut expected: Vec<u32> = (0..len as u32).collect();
            expected.sort_by_key(|&i| keys[i as usize]);
            assert_eq!(sort.order().collect::<Vec<_>>(), expected, "{len} keys under {mask:x}");
        }
    }
}
