//! Which candidate pairs are in contact.

use bevy::platform::time::Instant;
use bevy::prelude::*;

use super::parallel::ChunkBuffers;
use crate::candidate_pairs::CandidatePairs;
use crate::collider_table::ColliderTable;
use crate::contacts::{ContactPair, Contacts};
use crate::geometry::contact;
use crate::settings::CollisionSettings;
use crate::stats::CollisionStats;

/// Too few pairs for a task of their own.
const SMALLEST_PART: usize = 512;

/// Tests each candidate pair and writes the contacts, sorted by the pair of entities.
pub(super) fn find_contacts(
    table: Res<ColliderTable>,
    candidates: Res<CandidatePairs>,
    settings: Res<CollisionSettings>,
    mut contacts: ResMut<Contacts>,
    mut stats: ResMut<CollisionStats>,
    mut buffers: Local<ChunkBuffers<ContactPair>>,
) {
    let start = Instant::now();
    let touch = settings.touch();
    let pairs = &candidates.pairs;
    contacts.replace(|list| {
        buffers.collect_into(list, pairs.len(), SMALLEST_PART, |range, found| {
            for &rows in &pairs[range] {
                let rows = in_order(&table, rows);
                let [a, b] = rows.map(|row| &table.shapes[row as usize]);
                if let Some(contact) = contact(a, b, touch) {
                    let [a, b] = rows.map(|row| table.entities[row as usize]);
                    found.push(ContactPair { a, b, contact, age: 0, rows });
                }
            }
        });
    });
    stats.contacts = contacts.len();
    stats.times.narrow_phase = start.elapsed();
}

/// A is the lower entity. Decided before the test, so that the direction in which two shapes with a
/// shared centre part does not depend on rows and cells.
fn in_order(table: &ColliderTable, [a, b]: [u32; 2]) -> [u32; 2] {
    if table.entities[a as usize] < table.entities[b as usize] { [a, b] } else { [b, a] }
}
