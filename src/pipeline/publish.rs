//! What changed since the last step, told to everyone.

use bevy::ecs::entity_disabling::Disabled;
use bevy::platform::time::Instant;
use bevy::prelude::*;

use crate::collider_table::{ColliderTable, RowState};
use crate::components::{ColliderRow, CollisionEventsEnabled};
use crate::contacts::{ContactPair, Contacts};
use crate::events::{
    CollisionEnded, CollisionEvent, CollisionPhase, CollisionStarted, EndReason, EndedBy,
    Participant,
};
use crate::settings::CollisionSettings;
use crate::stats::CollisionStats;

/// Contacts whose sides are looked up together. Rows lie all over the table, and a lookup waits for
/// memory; a short loop over a block waits for many at once.
const BLOCK: usize = 64;

/// Writes one message per pair: the contacts of this step, and between them those that are no more.
///
/// A contact of age 0 has started; the others persist. Why one ended is looked up in the table.
pub(super) fn write_collision_events(
    contacts: Res<Contacts>,
    table: Res<ColliderTable>,
    settings: Res<CollisionSettings>,
    hints: Query<&ColliderRow>,
    mut messages: MessageWriter<CollisionEvent>,
    mut stats: ResMut<CollisionStats>,
) {
    let start = Instant::now();
    let mut ended = contacts.ended().peekable();
    let end = |pair: &ContactPair| {
        let [a, b] = pair.rows;
        let sides = [table.former_participant(a), table.former_participant(b)];
        event(pair, sides, end_of(&table, &hints, pair))
    };
    for block in contacts.as_slice().chunks(BLOCK) {
        let sides_of = |pair: &ContactPair| {
            let [a, b] = pair.rows;
            [table.row(a).participant(), table.row(b).participant()]
        };
        let mut sides = [sides_of(&block[0]); BLOCK];
        for (sides, pair) in sides.iter_mut().zip(block) {
            *sides = sides_of(pair);
        }
        let changes = block.iter().any(|pair| pair.age == 0) || !settings.persisted_events;
        let last = block[block.len() - 1].key();
        if !changes && ended.peek().is_none_or(|old| last < old.key()) {
            let persisted = sides.into_iter().zip(block);
            messages.write_batch(
                persisted.map(|(sides, pair)| event(pair, sides, CollisionPhase::Persisted)),
            );
            continue;
        }
        for (sides, pair) in sides.into_iter().zip(block) {
            while let Some(old) = ended.next_if(|old| old.key() < pair.key()) {
                messages.write(end(old));
            }
            if pair.age == 0 {
                messages.write(event(pair, sides, CollisionPhase::Started));
            } else if settings.persisted_events {
                messages.write(event(pair, sides, CollisionPhase::Persisted));
            }
        }
    }
    messages.write_batch(ended.map(end));
    stats.times.publish = start.elapsed();
    stats.steps += 1;
}

#[inline]
fn event(pair: &ContactPair, [a, b]: [Participant; 2], phase: CollisionPhase) -> CollisionEvent {
    let &ContactPair { contact, time_of_impact, .. } = pair;
    CollisionEvent { a, b, phase, contact, time_of_impact }
}

/// Why a contact of the last step is gone.
fn end_of(
    table: &ColliderTable,
    hints: &Query<&ColliderRow>,
    pair: &ContactPair,
) -> CollisionPhase {
    // A collider taken off together with its hint and put on again has a row anew.
    let row_now = |entity, row: u32| {
        let hint = hints.get(entity).ok();
        hint.and_then(|hint| table.row_of(entity, hint.0)).unwrap_or(row as usize)
    };
    let rows = [row_now(pair.a, pair.rows[0]), row_now(pair.b, pair.rows[1])];
    let rows = rows.map(|row| &table.rows()[row]);
    let left = rows.map(|row| match row.state() {
        RowState::Left(reason) => Some(reason),
        RowState::Invalid => Some(EndReason::BecameInvalid),
        RowState::Active | RowState::Free => None,
    });
    let (reason, by) = match left {
        [Some(a), Some(b)] => (gravest(a, b), EndedBy::Both),
        [Some(reason), None] => (reason, EndedBy::A),
        [None, Some(reason)] => (reason, EndedBy::B),
        [None, None] => {
            let [a, b] = rows;
            let reason = if !a.layers.interacts_with(b.layers) {
                EndReason::LayersChanged
            } else if a.is_static() && b.is_static() {
                EndReason::BothStatic
            } else {
                EndReason::MovedApart
            };
            (reason, EndedBy::Pair)
        }
    };
    CollisionPhase::Ended { reason, by }
}

/// Of two reasons the one that takes more away.
fn gravest(a: EndReason, b: EndReason) -> EndReason {
    let order = [EndReason::Despawned, EndReason::ColliderRemoved, EndReason::Disabled];
    order.into_iter().find(|reason| a == *reason || b == *reason).unwrap_or(a)
}

/// Triggers the observers of the entities that opted in, in the order of the messages.
///
/// Each trigger checks again whether its entity is still there and opted in, since the observers
/// before it may have changed that.
pub(super) fn trigger_collision_events(
    mut commands: Commands,
    mut messages: MessageReader<CollisionEvent>,
    listeners: Query<(), (With<CollisionEventsEnabled>, Or<(With<Disabled>, Without<Disabled>)>)>,
) {
    if listeners.is_empty() {
        messages.clear();
        return;
    }
    for &event in messages.read() {
        if event.is_persisted() {
            continue;
        }
        let [a, b] = event.entities();
        for (entity, other) in [(a, b), (b, a)] {
            if listeners.contains(entity) {
                commands.queue(move |world: &mut World| trigger(world, entity, other, event));
            }
        }
    }
}

fn trigger(world: &mut World, entity: Entity, other: Entity, event: CollisionEvent) {
    let is_listening =
        world.get_entity(entity).is_ok_and(|entity| entity.contains::<CollisionEventsEnabled>());
    if !is_listening {
        return;
    }
    if event.is_started() {
        world.trigger(CollisionStarted { entity, other, event });
    } else {
        world.trigger(CollisionEnded { entity, other, event });
    }
}
