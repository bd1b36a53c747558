//! What changed since the last step, told to everyone.

use core::cmp::Ordering;

use bevy::ecs::entity_disabling::Disabled;
use bevy::platform::time::Instant;
use bevy::prelude::*;

use crate::collider_table::{ColliderTable, RowState};
use crate::components::{ColliderRow, CollisionEventsEnabled};
use crate::contacts::{ContactPair, Contacts};
use crate::events::{
    CollisionEnded, CollisionEvent, CollisionPhase, CollisionStarted, EndReason, EndedBy,
};
use crate::settings::CollisionSettings;
use crate::stats::CollisionStats;

/// Writes one message per pair: a walk over the sorted contacts of this step and the last.
///
/// Only in the new list: started. Only in the old one: ended. In both: persisted. Why a contact
/// ended is not a case of the walk; it is looked up in the table.
pub(super) fn write_collision_events(
    contacts: Res<Contacts>,
    table: Res<ColliderTable>,
    settings: Res<CollisionSettings>,
    hints: Query<&ColliderRow>,
    mut messages: MessageWriter<CollisionEvent>,
    mut stats: ResMut<CollisionStats>,
) {
    let start = Instant::now();
    let event = |pair: &ContactPair, phase| CollisionEvent {
        a: table.participant(pair.rows[0]),
        b: table.participant(pair.rows[1]),
        phase,
        contact: pair.contact,
        time_of_impact: pair.time_of_impact,
    };
    let mut old = contacts.previous().iter().peekable();
    let mut new = contacts.iter().peekable();
    // An iterator and no list: the messages are made where they stay.
    messages.write_batch(core::iter::from_fn(|| {
        loop {
            let order = match (old.peek(), new.peek()) {
                (None, None) => return None,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(old), Some(new)) => old.key().cmp(&new.key()),
            };
            let ended = old.next_if(|_| order.is_le()).filter(|_| order.is_lt());
            let current = new.next_if(|_| order.is_ge());
            if let Some(pair) = ended {
                let [a, b] = pair.rows.map(|row| table.former_participant(row));
                let phase = end_of(&table, &hints, pair);
                return Some(CollisionEvent { a, b, ..event(pair, phase) });
            }
            let Some(pair) = current else { continue };
            if order.is_gt() {
                return Some(event(pair, CollisionPhase::Started));
            }
            if settings.persisted_events {
                return Some(event(pair, CollisionPhase::Persisted));
            }
        }
    }));
    stats.times.publish = start.elapsed();
    stats.steps += 1;
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
    let left = rows.map(|row| match table.states[row] {
        RowState::Left(reason) => Some(reason),
        RowState::Invalid => Some(EndReason::BecameInvalid),
        RowState::Active | RowState::Free => None,
    });
    let (reason, by) = match left {
        [Some(a), Some(b)] => (gravest(a, b), EndedBy::Both),
        [Some(reason), None] => (reason, EndedBy::A),
        [None, Some(reason)] => (reason, EndedBy::B),
        [None, None] => {
            let [a, b] = rows.map(|row| &table.roles[row]);
            let reason = if !a.layers.interacts_with(b.layers) {
                EndReason::LayersChanged
            } else if a.is_static && b.is_static {
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
