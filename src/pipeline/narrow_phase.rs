//! Which candidate pairs are in contact.

use bevy::platform::time::Instant;
use bevy::prelude::*;

use super::parallel::ChunkBuffers;
use crate::candidate_pairs::CandidatePairs;
use crate::collider_table::ColliderTable;
use crate::contacts::{ContactPair, Contacts};
use crate::geometry::{Contact, contact};
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
            for &[a, b] in &pairs[range] {
                let (shape_a, shape_b) = (&table.shapes[a as usize], &table.shapes[b as usize]);
                if let Some(contact) = contact(shape_a, shape_b, touch) {
                    found.push(contact_pair(&table, [a, b], contact));
                }
            }
        });
    });
    stats.contacts = contacts.len();
    stats.times.narrow_phase = start.elapsed();
}

/// A is the lower entity, whatever the order of the rows.
fn contact_pair(table: &ColliderTable, [a, b]: [u32; 2], contact: Contact) -> ContactPair {
    let (entity_a, entity_b) = (table.entities[a as usize], table.entities[b as usize]);
    if entity_a < entity_b {
        ContactPair { a: entity_a, b: entity_b, contact, age: 0, rows: [a, b] }
    } else {
        ContactPair { a: entity_b, b: entity_a, contact: contact.flipped(), age: 0, rows: [b, a] }
    }
}
