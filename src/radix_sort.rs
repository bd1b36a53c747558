//! Sorts by integer keys that keep their buffers.
//!
//! The step sorts the same kind of list again and again: colliders by cell, candidate pairs by their
//! entities. Their keys vary in few bits, so that two or three passes over the list do what
//! comparisons do in seventeen. The sorts of the standard library compare, and the crates that sort
//! by digits allocate in every call.
//!
//! Method: radix sort from the lowest digit up, over the bits that vary. With several threads the list
//! is first cut into ranges of keys, and each is sorted on its own.

use bevy::tasks::ComputeTaskPool;

use crate::parallel;

/// The buffers of a sort.
#[derive(Debug, Default)]
pub(crate) struct RadixSort {
    sorted: Vec<u64>,
    /// For each part that is sorted on its own the places of its digits.
    places: Vec<Vec<u32>>,
    /// For each part its first key, and its length.
    cuts: Vec<(u64, usize)>,
    sample: Vec<u64>,
}

/// More than this many counters do not fit the fastest cache beside the lists.
const MOST_DIGIT_BITS: u32 = 12;
/// Too few numbers for a task of their own.
const SMALLEST_PART: usize = 16_384;
/// Numbers that are looked at, for each part, to cut a list into parts of about the same length.
const SAMPLE: usize = 64;

impl RadixSort {
    /// Sorts numbers by their bits from `lowest` up. Equal ones stay in their order.
    pub(crate) fn sort(&mut self, items: &mut Vec<u64>, lowest: u32) {
        self.sort_in_parts(items, lowest, parallel::parts(items.len(), SMALLEST_PART));
    }

    fn sort_in_parts(&mut self, items: &mut Vec<u64>, lowest: u32, parts: usize) {
        let Some(&first) = items.first() else { return };
        let varying = items.iter().fold(0, |varying, item| varying | (item ^ first)) >> lowest;
        if varying == 0 {
            return;
        }
        let bits = 64 - (varying >> varying.trailing_zeros()).leading_zeros();
        let digits = Digits::new(items.len() / parts, lowest + varying.trailing_zeros(), bits);
        self.sorted.resize(items.len(), 0);
        self.places.resize_with(parts.max(self.places.len()), Vec::new);
        let ends_in_sorted = digits.passes % 2 == 1;
        if parts == 1 {
            digits.sort(items, &mut self.sorted, &mut self.places[0]);
            if ends_in_sorted {
                core::mem::swap(items, &mut self.sorted);
            }
            return;
        }
        self.cut(items, lowest, parts);
        let starts = self.cuts.iter().map(|cut| cut.0 << lowest);
        let ends = starts.clone().skip(1).map(Some).chain([None]);
        let mut rest = &mut self.sorted[..];
        let given = &items[..];
        ComputeTaskPool::get().scope(|scope| {
            for ((start, end), &(_, len)) in starts.zip(ends).zip(&self.cuts) {
                let part = rest.split_off_mut(..len).unwrap_or_default();
                scope.spawn(async move { pick(given, start, end, part) });
            }
        });
        let (mut sorted, mut items_left) = (&mut self.sorted[..], &mut items[..]);
        ComputeTaskPool::get().scope(|scope| {
            for (&(_, len), places) in self.cuts.iter().zip(&mut self.places) {
                let part = sorted.split_off_mut(..len).unwrap_or_default();
                let other = items_left.split_off_mut(..len).unwrap_or_default();
                scope.spawn(async move { digits.sort(part, other, places) });
            }
        });
        if !ends_in_sorted {
            core::mem::swap(items, &mut self.sorted);
        }
    }

    /// Finds keys that cut a list into parts of about the same length.
    fn cut(&mut self, items: &[u64], lowest: u32, parts: usize) {
        let stride = items.len().div_ceil(parts * SAMPLE);
        self.sample.clear();
        self.sample.extend(items.iter().step_by(stride).map(|item| item >> lowest));
        self.sample.sort_unstable();
        self.cuts.clear();
        self.cuts.extend((0..parts).map(|part| {
            (if part == 0 { 0 } else { self.sample[self.sample.len() * part / parts] }, 0)
        }));
        // How many are not below each cut.
        for cut in &mut self.cuts {
            cut.1 = items.iter().map(|item| usize::from(item >> lowest >= cut.0)).sum();
        }
        for part in 1..parts {
            self.cuts[part - 1].1 -= self.cuts[part].1;
        }
    }
}

/// Writes the items from one key to another, in their order.
fn pick(items: &[u64], start: u64, end: Option<u64>, part: &mut [u64]) {
    let mut next = 0;
    for &item in items {
        // Without a branch: which part an item is of is no better to predict than a coin.
        if let Some(place) = part.get_mut(next) {
            *place = item;
        }
        next += usize::from(item >= start && end.is_none_or(|end| item < end));
    }
}

/// The digits by which to sort.
#[derive(Clone, Copy)]
struct Digits {
    lowest: u32,
    bits: u32,
    passes: u32,
}

impl Digits {
    fn new(len: usize, lowest: u32, bits: u32) -> Self {
        let passes = passes(len, bits);
        Self { lowest, bits: bits.div_ceil(passes), passes }
    }

    /// Sorts `items`, which end up in `other` if there is an odd number of passes.
    fn sort<'t>(self, mut items: &'t mut [u64], mut other: &'t mut [u64], places: &mut Vec<u32>) {
        let (size, mask) = (1 << self.bits, (1_u64 << self.bits) - 1);
        let digit = |item: u64, pass: usize| {
            ((item >> (self.lowest + pass as u32 * self.bits)) & mask) as usize
        };
        places.clear();
        places.resize(size * self.passes as usize, 0);
        for &item in items.iter() {
            for (pass, places) in places.chunks_exact_mut(size).enumerate() {
                places[digit(item, pass)] += 1;
            }
        }
        for (pass, places) in places.chunks_exact_mut(size).enumerate() {
            let mut next = 0;
            for place in places.iter_mut() {
                let count = core::mem::replace(place, next);
                next += count;
            }
            for &item in items.iter() {
                let place = &mut places[digit(item, pass)];
                other[*place as usize] = item;
                *place += 1;
            }
            core::mem::swap(&mut items, &mut other);
        }
    }
}

/// Into how many digits to cut a key: each costs a pass over the list and one over its counters.
fn passes(len: usize, bits: u32) -> u32 {
    let cost = |passes: u32| passes as usize * (len + (1 << bits.div_ceil(passes)));
    let fewest = bits.div_ceil(MOST_DIGIT_BITS);
    (fewest..=bits).min_by_key(|&passes| cost(passes)).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_sorts_as_the_standard_library_does_whole_and_in_parts() {
        ComputeTaskPool::get_or_init(Default::default);
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
            state ^ (state >> 31)
        };
        let mut sort = RadixSort::default();
        for len in [0, 1, 2, 60, 500, 5000] {
            for mask in [u64::MAX, 0xff, 0xf000_0000_0000_000f, 0x7_ffff_ffff, 1 << 63, 0] {
                for lowest in [0, 1, 32, 63] {
                    let items: Vec<u64> = (0..len).map(|_| random() & mask).collect();
                    let mut expected = items.clone();
                    expected.sort_by_key(|item| item >> lowest);
                    for parts in [1, 2, 5] {
                        let mut items = items.clone();
                        sort.sort_in_parts(&mut items, lowest, parts);
                        let what = "items under";
                        assert_eq!(
                            items, expected,
                            "{len} {what} {mask:x} from {lowest}, {parts} parts"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn digits_follow_the_length_of_the_list() {
        assert_eq!(passes(1_000_000, 36), 3);
        assert_eq!(passes(100, 36), 6);
        assert_eq!(passes(1, 1), 1);
    }
}
