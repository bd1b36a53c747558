//! The order in which contacts are told: that of the entities.

use bevy::prelude::*;

use crate::parallel::for_each_part;

/// Too few pairs for a task of their own.
const SMALLEST_PART: usize = 8192;

/// The rows in ascending order of their entities. Kept while no row is taken: what leaves does not
/// change the order of the rest.
#[derive(Debug, Default)]
pub(crate) struct EntityOrder {
    /// The place of each row.
    places: Vec<u32>,
    /// The row at each place.
    rows: Vec<u32>,
    /// Whether rows stand in the order of their entities already, as they do until a row is used
    /// again: then nothing has to be looked up.
    is_plain: bool,
    is_stale: bool,
}

impl EntityOrder {
    /// A row was taken: the order has to be made anew.
    pub(crate) fn forget(&mut self) {
        self.is_stale = true;
    }

    /// Makes the order of so many rows anew, if it has to be.
    pub(crate) fn refresh(&mut self, rows: usize, entity: impl Fn(u32) -> Entity) {
        if !core::mem::take(&mut self.is_stale) {
            return;
        }
        self.rows.clear();
        self.rows.extend(0..rows as u32);
        // Free rows may name an entity that has a row elsewhere: their order does not matter.
        self.rows.sort_by_key(|&row| entity(row));
        self.places.resize(rows, 0);
        self.is_plain = true;
        for (place, &row) in (0..).zip(&self.rows) {
            self.places[row as usize] = place;
            self.is_plain &= place == row;
        }
    }

    /// How many bits a place has.
    fn bits(&self) -> u32 {
        usize::BITS - self.rows.len().leading_zeros()
    }

    /// Makes numbers of pairs of rows that sort as the pairs of entities do, the lower one first.
    pub(crate) fn write_keys(&self, pairs: &[[u32; 2]], keys: &mut Vec<u64>) {
        let bits = self.bits();
        let key = |a: u32, b: u32| (u64::from(a.min(b)) << bits) | u64::from(a.max(b));
        keys.resize(pairs.len(), 0);
        for_each_part(keys, SMALLEST_PART, |first, keys| {
            let pairs = &pairs[first..];
            if self.is_plain {
                keys.iter_mut().zip(pairs).for_each(|(to, &[a, b])| *to = key(a, b));
            } else {
                let place = |row: u32| self.places[row as usize];
                keys.iter_mut().zip(pairs).for_each(|(to, &[a, b])| *to = key(place(a), place(b)));
            }
        });
    }

    /// Makes pairs of rows of the numbers that [`write_keys`](Self::write_keys) made of them.
    pub(crate) fn read_keys(&self, keys: &[u64], pairs: &mut Vec<[u32; 2]>) {
        let bits = self.bits();
        let mask = (1 << bits) - 1;
        let places = |key: u64| [(key >> bits) as u32, (key & mask) as u32];
        pairs.resize(keys.len(), [0; 2]);
        for_each_part(pairs, SMALLEST_PART, |first, pairs| {
            let keys = &keys[first..];
            if self.is_plain {
                pairs.iter_mut().zip(keys).for_each(|(to, &key)| *to = places(key));
            } else {
                let row = |place: u32| self.rows[place as usize];
                pairs.iter_mut().zip(keys).for_each(|(to, &key)| *to = places(key).map(row));
            }
        });
    }
}
