//! Which candidate pairs are in contact.

use bevy::platform::time::Instant;
use bevy::prelude::*;

use super::parallel::ChunkBuffers;
use crate::candidate_pairs::CandidatePairs;
use crate::collider_table::ColliderTable;
use crate::contacts::{ContactPair, Contacts};
use crate::geometry::{Contact, Touch, contact, may_touch};
use crate::impacts::{Impacts, SweptImpact};
use crate::settings::CollisionSettings;
use crate::stats::CollisionStats;

/// Too few pairs for a task of their own.
const SMALLEST_PART: usize = 512;
/// Pairs that are looked at together. Rows lie all over the table, and a test waits for its two
/// to come from memory; a first short loop over a block asks for many of them at once.
const BLOCK: usize = 64;

/// Tests each candidate pair and writes the contacts, sorted by the pair of entities.
pub(super) fn find_contacts(
    table: Res<ColliderTable>,
    candidates: Res<CandidatePairs>,
    settings: Res<CollisionSettings>,
    impacts: Res<Impacts>,
    mut contacts: ResMut<Contacts>,
    mut stats: ResMut<CollisionStats>,
    mut buffers: Local<ChunkBuffers<ContactPair>>,
) {
    let start = Instant::now();
    let touch = settings.touch();
    let pairs = &candidates.pairs;
    contacts.replace(|list| {
        buffers.collect_into(list, pairs.len(), SMALLEST_PART, |range, found| {
            let mut near = [[0; 2]; BLOCK];
            for block in pairs[range].chunks(BLOCK) {
                let mut count = 0;
                for &rows in block {
                    near[count] = in_order(&table, rows);
                    let [a, b] = rows.map(|row| &table.shapes[row as usize]);
                    count += usize::from(may_touch(a, b, &touch) || !impacts.is_empty());
                }
                for &rows in &near[..count] {
                    let impact = impacts.of(rows);
                    if let Some((contact, time_of_impact)) = meet(&table, rows, impact, touch) {
                        let [a, b] = rows.map(|row| table.entities[row as usize]);
                        found.push(ContactPair { a, b, contact, age: 0, time_of_impact, rows });
                    }
                }
            }
        });
    });
    stats.contacts = contacts.len();
    stats.times.narrow_phase = start.elapsed();
}

/// The contact of a pair: that of the moment of impact, if one of the two is swept and has come into
/// contact on its way, else that of where they arrived.
fn meet(
    table: &ColliderTable,
    rows: [u32; 2],
    impact: Option<&SweptImpact>,
    touch: Touch,
) -> Option<(Contact, Option<f32>)> {
    let [a, b] = rows.map(|row| &table.shapes[row as usize]);
    let at_impact = |impact: &SweptImpact| (impact.contact, Some(impact.time));
    match impact {
        Some(impact) if !impact.only_at_start => Some(at_impact(impact)),
        _ => {
            let arrived = contact(a, b, touch).map(|contact| (contact, None));
            arrived.or(impact.map(at_impact))
        }
    }
}

/// A is the lower entity. Decided before the test, so that the direction in which two shapes with a
/// shared centre part does not depend on rows and cells.
fn in_order(table: &ColliderTable, [a, b]: [u32; 2]) -> [u32; 2] {
    if table.entities[a as usize] < table.entities[b as usize] { [a, b] } else { [b, a] }
}
