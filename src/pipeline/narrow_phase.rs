//! Which candidate pairs are in contact.

use bevy::platform::time::Instant;
use bevy::prelude::*;

use crate::candidate_pairs::CandidatePairs;
use crate::collider_table::{ColliderTable, Row};
use crate::contacts::{ContactPair, Contacts};
use crate::geometry::{
    CirclePairs, Contact, LANES, Touch, contact, contact_of_circles, contact_of_convex, may_touch,
};
use crate::impacts::{Impacts, SweptImpact};
use crate::parallel::ChunkBuffers;
use crate::settings::CollisionSettings;
use crate::stats::CollisionStats;

/// Too few pairs for a task of their own.
const SMALLEST_PART: usize = 512;
/// Pairs that are looked at together, since rows lie all over the table.
const BLOCK: usize = LANES;

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
    let mut are_circles = impacts.is_empty();
    for (sides, &rows) in sides.iter_mut().zip(block) {
        *sides = rows.map(|row| *table.row(row));
        are_circles &= sides[0].disc().is_circle() & sides[1].disc().is_circle();
    }
    if are_circles {
        return test_circles(block, &sides, touch, found);
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
    // And so do their corners.
    let mut glances = 0.0;
    for &i in near {
        for (side, &row) in sides[i].iter().zip(&block[i]) {
            if !side.disc().is_circle() {
                glances += table.shape(row).glance();
            }
        }
    }
    core::hint::black_box(glances);
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

/// Tests a block of pairs that are all circles.
fn test_circles(
    block: &[[u32; 2]],
    sides: &[[Row; 2]; BLOCK],
    touch: Touch,
    found: &mut Vec<ContactPair>,
) {
    let mut pairs = CirclePairs::new();
    for (i, [a, b]) in sides[..block.len()].iter().enumerate() {
        pairs.set(i, &a.disc(), &b.disc());
    }
    pairs.compute(block.len(), touch);
    // Each is written, and the place of the next moves on only behind those that are contacts.
    let contact_of = |i: usize| {
        let [a, b] = sides[i].each_ref().map(|side| side.entity);
        let (contact, rows) = (pairs.contact(i), block[i]);
        ContactPair { a, b, contact, age: 0, time_of_impact: None, rows }
    };
    let mut contacts = [contact_of(0); BLOCK];
    let mut count = 0;
    for i in 0..block.len() {
        contacts[count] = contact_of(i);
        count += usize::from(pairs.is_contact(i));
    }
    found.extend_from_slice(&contacts[..count]);
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
