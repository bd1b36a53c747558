//! Which candidate pairs are in contact.

use bevy::platform::time::Instant;
use bevy::prelude::*;

use crate::candidate_pairs::CandidatePairs;
use crate::collider_table::ColliderTable;
use crate::contacts::{ContactPair, Contacts};
use crate::geometry::{Contact, Touch, contact, contact_of_circles, contact_of_convex, may_touch};
use crate::impacts::{Impacts, SweptImpact};
use crate::parallel::ChunkBuffers;
use crate::settings::CollisionSettings;
use crate::stats::CollisionStats;

/// Too few pairs for a task of their own.
const SMALLEST_PART: usize = 512;
/// Pairs that are looked at together, since rows lie all over the table.
const BLOCK: usize = 64;

/// Tests each candidate pair and writes the contacts. Candidates come in the order of contacts, so
/// what was in contact before is found by walking along.
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
        buffers.collect_into(list, 0, pairs.len(), SMALLEST_PART, |range, found| {
            for block in pairs[range].chunks(BLOCK) {
                test_block(&table, block, &impacts, touch, found);
            }
        });
    });
    stats.contacts = contacts.len();
    stats.times.narrow_phase = start.elapsed();
}

/// Tests a block of pairs. Each short loop waits for all places of memory that it needs at once.
fn test_block(
    table: &ColliderTable,
    block: &[[u32; 2]],
    impacts: &Impacts,
    touch: Touch,
    found: &mut Vec<ContactPair>,
) {
    let mut sides = [[*table.row(block[0][0]); 2]; BLOCK];
    for (sides, &rows) in sides.iter_mut().zip(block) {
        *sides = rows.map(|row| *table.row(row));
    }
    // Without a branch: whether two neighbours touch is no better to predict than a coin.
    let mut near = [0; BLOCK];
    let mut count = 0;
    for (i, [a, b]) in sides[..block.len()].iter().enumerate() {
        near[count] = i;
        count += usize::from(may_touch(&a.disc(), &b.disc(), &touch) | !impacts.is_empty());
    }
    let near = &near[..count];
    // Shapes lie all over memory too: what kind each is, is asked of many at once.
    let mut are_convex = [true; BLOCK];
    for (are_convex, &i) in are_convex.iter_mut().zip(near) {
        if !sides[i].iter().all(|side| side.disc().is_circle()) {
            *are_convex = block[i].iter().all(|&row| table.shape(row).is_convex());
        }
    }
    for (&i, are_convex) in near.iter().zip(are_convex) {
        let (rows, [a, b]) = (block[i], &sides[i]);
        let discs = [a.disc(), b.disc()];
        let met = if impacts.is_empty() && discs[0].is_circle() && discs[1].is_circle() {
            contact_of_circles(&discs[0], &discs[1], touch).map(|contact| (contact, None))
        } else if impacts.is_empty() && are_convex {
            let [a, b] = rows.map(|row| table.shape(row));
            contact_of_convex(a, b, touch).map(|contact| (contact, None))
        } else {
            meet(table, rows, impacts.of(rows), touch)
        };
        if let Some((contact, time_of_impact)) = met {
            let (a, b) = (a.entity, b.entity);
            found.push(ContactPair { a, b, contact, age: 0, time_of_impact, rows });
        }
    }
}

/// The contact of a pair: that of the moment of impact, if one of the two is swept and has come into
/// contact on its way, else that of where they arrived.
fn meet(
    table: &ColliderTable,
    rows: [u32; 2],
    impact: Option<&SweptImpact>,
    touch: Touch,
) -> Option<(Contact, Option<f32>)> {
    let [a, b] = rows.map(|row| table.shape(row));
    let at_impact = |impact: &SweptImpact| (impact.contact, Some(impact.time));
    match impact {
        Some(impact) if !impact.only_at_start => Some(at_impact(impact)),
        _ => {
            let arrived = contact(a, b, touch).map(|contact| (contact, None));
            arrived.or(impact.map(at_impact))
        }
    }
}
