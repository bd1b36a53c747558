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
    /// Rows that were taken since the order was made.
    taken: Vec<u32>,
}

/// The place of a row that has to be put in order.
const NOWHERE: u32 = u32::MAX;
/// Up to one in so many rows are put among the others; if more were taken, all are sorted anew.
const FEW: usize = 8;

impl EntityOrder {
    /// A row was taken: it has to be put in order.
    pub(crate) fn take(&mut self, row: u32) {
        self.taken.push(row);
    }

    /// Brings the order of so many rows up to date.
    ///
    /// # Cost
    /// If few rows were taken, one pass over the list.
    pub(crate) fn refresh(&mut self, rows: usize, entity: impl Fn(u32) -> Entity) {
        if self.taken.is_empty() {
            return;
        }
        let is_new = self.rows.is_empty();
        self.places.resize(rows, NOWHERE);
        // Free rows may name an entity that has a row elsewhere: their order does not matter.
        if is_new || self.taken.len() * FEW > rows {
            self.rows.clear();
            self.rows.extend(0..rows as u32);
            self.rows.sort_by_key(|&row| entity(row));
        } else {
            self.put_among_the_others(&entity);
        }
        self.taken.clear();
        self.is_plain = true;
        for (place, &row) in (0..).zip(&self.rows) {
            self.places[row as usize] = place;
            self.is_plain &= place == row;
        }
    }

    fn put_among_the_others(&mut self, entity: &impl Fn(u32) -> Entity) {
        let Self { rows, places, taken, .. } = self;
        taken.sort_unstable();
        taken.dedup();
        for &row in taken.iter() {
            places[row as usize] = NOWHERE;
        }
        rows.retain(|&row| places[row as usize] != NOWHERE);
        taken.sort_by_key(|&row| entity(row));
        // From the last to the first, so that each of the others moves once.
        let mut end = rows.len();
        rows.resize(end + taken.len(), NOWHERE);
        for (before, &row) in taken.iter().enumerate().rev() {
            let place = rows[..end].partition_point(|&other| entity(other) < entity(row));
            rows.copy_within(place..end, place + before + 1);
            rows[place + before] = row;
            end = place;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_taken_one_by_one_come_to_the_same_order_as_all_at_once() {
        let entity = |bits: u32| Entity::from_raw_u32(bits).expect("an index");
        let mut entities: Vec<Entity> = (0..100).map(|i| entity(7 * i % 101)).collect();
        let mut order = EntityOrder::default();
        (0..100).for_each(|row| order.take(row));
        order.refresh(100, |row| entities[row as usize]);
        for round in 0..40_u32 {
            // Two that are used again, one of them twice, and one at the end.
            let (one, other) = (round * 37 % 100, round * 11 % 100);
            entities[one as usize] = entity(1000 - round);
            entities[other as usize] = entity(200 + 13 * round % 97);
            entities.push(entity(5000 + 31 * round % 89));
            let last = entities.len() as u32 - 1;
            [one, other, last, one].into_iter().for_each(|row| order.take(row));
            order.refresh(entities.len(), |row| entities[row as usize]);
            assert!(order.rows.is_sorted_by_key(|&row| entities[row as usize]), "round {round}");
            let mut rows = order.rows.clone();
            rows.sort_unstable();
            assert!(rows.iter().copied().eq(0..entities.len() as u32), "round {round}: each once");
            assert!((0..).zip(&order.rows).all(|(i, &row)| order.places[row as usize] == i));
        }
    }
}
