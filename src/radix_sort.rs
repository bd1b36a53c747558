//! Sorts by integer keys that keep their buffers.
//!
//! The step sorts the same kind of list again and again: colliders by cell, candidate pairs by their
//! entities. Their keys vary in few bits, so that two or three passes over the list do what
//! comparisons do in seventeen. The sorts of the standard library compare, and the crates that sort
//! by digits allocate in every call.
//!
//! Method: radix sort from the lowest digit up, over the bits that vary.

/// The buffers of a sort.
#[derive(Debug, Default)]
pub(crate) struct RadixSort {
    sorted: Vec<u64>,
    /// Of each digit how often each value occurs, then where its next one goes.
    places: Vec<u32>,
}

/// More than this many counters do not fit the fastest cache beside the lists.
const MOST_DIGIT_BITS: u32 = 12;

impl RadixSort {
    /// Sorts numbers by their bits from `lowest` up. Equal ones stay in their order.
    pub(crate) fn sort(&mut self, items: &mut Vec<u64>, lowest: u32) {
        let Some(&first) = items.first() else { return };
        let varying = items.iter().fold(0, |varying, item| varying | (item ^ first)) >> lowest;
        if varying == 0 {
            return;
        }
        let lowest = lowest + varying.trailing_zeros();
        let bits = 64 - (varying >> varying.trailing_zeros()).leading_zeros();
        let passes = passes(items.len(), bits);
        let digit_bits = bits.div_ceil(passes);
        let (size, mask) = (1 << digit_bits, (1_u64 << digit_bits) - 1);
        let digit = |item: u64, pass: u32| ((item >> (lowest + pass * digit_bits)) & mask) as usize;

        self.places.clear();
        self.places.resize(size * passes as usize, 0);
        for &item in items.iter() {
            for (pass, places) in self.places.chunks_exact_mut(size).enumerate() {
                places[digit(item, pass as u32)] += 1;
            }
        }
        self.sorted.resize(items.len(), 0);
        for (pass, places) in self.places.chunks_exact_mut(size).enumerate() {
            let mut next = 0;
            for place in places.iter_mut() {
                let count = core::mem::replace(place, next);
                next += count;
            }
            for &item in items.iter() {
                let place = &mut places[digit(item, pass as u32)];
                self.sorted[*place as usize] = item;
                *place += 1;
            }
            core::mem::swap(items, &mut self.sorted);
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
    fn it_sorts_as_the_standard_library_does() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
            state ^ (state >> 31)
        };
        let mut sort = RadixSort::default();
        for len in [0, 1, 2, 60, 500, 5000] {
            for mask in [u64::MAX, 0xff, 0xf000_0000_0000_000f, 0x7_ffff_ffff, 1 << 63, 0] {
                for lowest in [0, 1, 32, 63] {
                    let mut items: Vec<u64> = (0..len).map(|_| random() & mask).collect();
                    let mut expected = items.clone();
                    expected.sort_by_key(|item| item >> lowest);
                    sort.sort(&mut items, lowest);
                    assert_eq!(items, expected, "{len} items under {mask:x} from {lowest}");
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
