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
use crate::parallel::{self, for_each_part};
use crate::settings::CollisionSettings;
use crate::stats::CollisionStats;

/// Contacts whose sides are looked up together. Rows lie all over the table, and a lookup waits for
/// memory; a short loop over a block waits for many at once.
const BLOCK: usize = 64;
/// Contacts that a task makes events of before they are written: enough to share, few enough to
/// stay in a cache until then.
const PART: usize = 2048;

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
    mut events: Local<Vec<CollisionEvent>>,
) {
    let start = Instant::now();
    let mut ended = contacts.ended().peekable();
    let end = |pair: &ContactPair| {
        let [a, b] = pair.rows;
        let sides = [table.former_participant(a), table.former_participant(b)];
        event(pair, sides, end_of(&table, &hints, pair))
    };
    let threads = parallel::parts(contacts.len(), PART);
    let at_once = if threads == 1 { BLOCK } else { threads * PART };
    let mut told = 0;
    for pairs in contacts.as_slice().chunks(at_once) {
        write_events(&table, pairs, &mut events);
        // In runs between those that have ended: a message by itself costs several times as much.
        let mut rest = &events[..];
        while let Some((old, place)) = ended.next_if(|(_, place)| place - told < rest.len()) {
            write_run(&rest[..place - told], &settings, &mut messages);
            rest = &rest[place - told..];
            told = place;
            messages.write(end(old));
        }
        write_run(rest, &settings, &mut messages);
        told += rest.len();
    }
    messages.write_batch(ended.map(|(old, _)| end(old)));
    stats.times.publish = start.elapsed();
    stats.steps += 1;
}

fn write_run(
    events: &[CollisionEvent],
    settings: &CollisionSettings,
    messages: &mut MessageWriter<CollisionEvent>,
) {
    if settings.persisted_events {
        messages.write_batch(events.iter().copied());
    } else {
        messages.write_batch(events.iter().filter(|event| event.is_started()).copied());
    }
}

/// Makes the events of some contacts.
fn write_events(table: &ColliderTable, pairs: &[ContactPair], events: &mut Vec<CollisionEvent>) {
    let sides_of = |pair: &ContactPair| {
        let [a, b] = pair.rows;
        [table.row(a).participant(), table.row(b).participant()]
    };
    let phase_of = |pair: &ContactPair| match pair.age {
        0 => CollisionPhase::Started,
        _ => CollisionPhase::Persisted,
    };
    let filler = event(&pairs[0], sides_of(&pairs[0]), CollisionPhase::Persisted);
    events.resize(pairs.len(), filler);
    for_each_part(events, PART, |first, events| {
        let mut sides = [sides_of(&pairs[first]); BLOCK];
        for (events, pairs) in events.chunks_mut(BLOCK).zip(pairs[first..].chunks(BLOCK)) {
            for (sides, pair) in sides.iter_mut().zip(pairs) {
                *sides = sides_of(pair);
            }
            for ((to, pair), sides) in events.iter_mut().zip(pairs).zip(sides) {
                *to = event(pair, sides, phase_of(pair));
            }
        }
    });
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
