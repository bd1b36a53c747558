//! The brute-force twin: says from a snapshot of the world what the step must have told.

use std::collections::BTreeMap;

use bevy::prelude::*;
use bevy_nudge::geometry::{Contact, ContactStatus};
use bevy_nudge::prelude::*;
use bevy_nudge::{ContactPair, EndedBy, Participant};

use crate::game::{LogLine, Record, Seen, Snapshot};
use crate::geometry::{Body, Unsound, body};
use crate::relation::{check_values, relate, slop};
use crate::stops::{Mover, are_stops, check_stops};
use crate::sweep::{Stood, Stopping, check_impact, is_contact, is_swept};

/// How much was compared.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) steps: u64,
    pub(crate) contacts: u64,
    pub(crate) touching: u64,
    pub(crate) events: u64,
    pub(crate) observed: u64,
    pub(crate) pushes: u64,
    /// Contacts on the way of something swept.
    pub(crate) impacts: u64,
    /// Swept solids that did not arrive where they were going.
    pub(crate) stops: u64,
    /// Pairs so near to the edge of the tolerance that rounding decides.
    pub(crate) unsure: u64,
    /// Games given up because rounding decides whether a pose is flat.
    pub(crate) given_up: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Self) {
        self.steps += other.steps;
        self.contacts += other.contacts;
        self.touching += other.touching;
        self.events += other.events;
        self.observed += other.observed;
        self.pushes += other.pushes;
        self.impacts += other.impacts;
        self.stops += other.stops;
        self.unsure += other.unsure;
        self.given_up += other.given_up;
    }
}

type Pair = (Entity, Entity);

/// What the twin keeps of a pair from step to step.
#[derive(Clone, Copy, Debug)]
struct Kept {
    age: u32,
    contact: Contact,
    time_of_impact: Option<f32>,
    sides: [Participant; 2],
}

#[derive(Default)]
pub(crate) struct Twin {
    pairs: BTreeMap<Pair, Kept>,
    stood: BTreeMap<Entity, Stood>,
    listed: Vec<ContactPair>,
    single_steps_taken: u32,
    steps: u64,
    is_over: bool,
    pub(crate) tally: Tally,
}

/// How a collider stands in a step.
enum Standing {
    Active(Body),
    Invalid,
}

impl Twin {
    /// Compares what a step told with what it should have.
    pub(crate) fn check(&mut self, record: &Record) -> Result<(), String> {
        if self.is_over {
            return Ok(());
        }
        if !self.step_is_due(&record.before) {
            demand!(record.stats.steps == self.steps, "a step was taken while paused");
            demand!(record.events.is_empty() && record.log.is_empty(), "events while paused");
            demand!(record.contacts == self.listed, "contacts changed while paused");
            return Ok(());
        }
        self.steps += 1;
        self.tally.steps += 1;
        demand!(record.stats.steps == self.steps, "no step was taken");
        if let Some(fault) = &record.lookup_fault {
            return Err(fault.clone());
        }

        let Some(standings) = standings(&record.before) else {
            self.is_over = true;
            self.tally.given_up += 1;
            return Ok(());
        };
        let stopped = stopped(record, &standings);
        let movers = movers(record, &standings, &stopped, &self.stood);
        let pairs = self.check_contacts(record, &movers)?;
        self.check_events(record, &standings, &pairs)?;
        self.check_observers(record)?;
        self.check_stats(record, &standings)?;
        self.check_pushes(record, &standings)?;
        if are_stops(&record.before.settings) {
            check_stops(record, &movers, may_pair)?;
            self.tally.stops += record.pushes.len() as u64;
        }
        self.pairs = pairs;
        let stood = movers.values().map(|mover| (mover.entity, mover.stood())).collect();
        self.stood = stood;
        self.listed.clone_from(&record.contacts);
        Ok(())
    }

    fn step_is_due(&mut self, before: &Snapshot) -> bool {
        let stepping = before.settings.stepping;
        if !stepping.paused {
            self.single_steps_taken = stepping.single_steps;
            return true;
        }
        let is_due = self.single_steps_taken < stepping.single_steps;
        self.single_steps_taken += u32::from(is_due);
        is_due
    }

    /// The pairs that must be in contact, with the values that the crate gave them.
    fn check_contacts(
        &mut self,
        record: &Record,
        movers: &BTreeMap<Entity, Mover>,
    ) -> Result<BTreeMap<Pair, Kept>, String> {
        let before = &record.before;
        let keys = record.contacts.iter().map(|pair| (pair.a, pair.b));
        demand!(keys.clone().all(|(a, b)| a < b), "a pair is listed with A above B");
        demand!(keys.is_sorted_by(|one, next| one < next), "the contacts are not in order");

        let listed: BTreeMap<Pair, &ContactPair> =
            record.contacts.iter().map(|pair| ((pair.a, pair.b), pair)).collect();
        let mut pairs = BTreeMap::new();
        for (&a, mover_a) in movers {
            for (&b, mover_b) in movers.range(a..).skip(1) {
                let (body_a, body_b) = (mover_a.made.body, mover_b.made.body);
                let found = listed.get(&(a, b));
                let seen = [mover_a.seen, mover_b.seen];
                if !may_pair(seen) {
                    continue;
                }
                let relation = relate(body_a, body_b, &before.settings);
                let arrives = match before.settings.touch_rule {
                    TouchRule::Inclusive => relation.touch,
                    TouchRule::Exclusive => relation.overlap,
                };
                let s = relation.separation;
                let moved = [&mover_a.made, &mover_b.made];
                let is_swept = seen.into_iter().any(is_swept);
                let is_bent = mover_a.bends_way_to(mover_b);
                let was_contact = self.pairs.contains_key(&(a, b));
                let is_contact = if is_bent {
                    arrives.filter(|arrives| *arrives)
                } else if is_swept {
                    is_contact(moved, arrives, was_contact, &before.settings)
                } else {
                    arrives
                };
                // What stops just short of something thin has met it.
                let is_contact = is_contact.filter(|&is_contact| {
                    is_contact || !mover_a.is_stopped_by(mover_b, &before.settings)
                });
                demand!(
                    is_contact.is_none_or(|is_contact| is_contact == found.is_some()),
                    "{a} and {b}: a signed distance of {s}, but the contact is {found:?}\n  A {body_a:?}\n  B {body_b:?}"
                );
                self.tally.unsure += u64::from(is_contact.is_none());
                let Some(found) = found else { continue };
                let at_impact = found.time_of_impact.is_some();
                demand!(is_swept || !at_impact, "{a} and {b}: neither is swept, but {found:?}");
                let checked = if at_impact {
                    Ok(())
                } else {
                    check_values(body_a, body_b, &relation, &found.contact, &before.settings)
                };
                let stopping = Stopping {
                    is_stopped: mover_a.is_stopped || mover_b.is_stopped,
                    may_pass_over: before.settings.resolution.enabled
                        && are_stops(&before.settings)
                        && [mover_a, mover_b].iter().all(|mover| mover.mass().is_some()),
                };
                let checked = checked.and_then(|()| match is_swept && !is_bent {
                    true => check_impact(moved, stopping, arrives, found, &before.settings),
                    false => Ok(()),
                });
                checked.map_err(|fault| {
                    format!("{a} and {b}: {fault}, at a signed distance of {s}: {found:?}\n  A {body_a:?}\n  B {body_b:?}")
                })?;
                self.tally.impacts += u64::from(at_impact);
                self.tally.contacts += 1;
                self.tally.touching += u64::from(found.contact.status == ContactStatus::Touching);
                let age = self.pairs.get(&(a, b)).map_or(0, |kept| kept.age + 1);
                demand!(found.age == age, "{a} and {b}: age {}, not {age}", found.age);
                let sides = [participant(a, seen[0]), participant(b, seen[1])];
                let ContactPair { contact, time_of_impact, .. } = **found;
                pairs.insert((a, b), Kept { age, contact, time_of_impact, sides });
            }
        }
        for pair in listed.keys() {
            demand!(pairs.contains_key(pair), "{pair:?} is listed and cannot pair");
        }
        Ok(pairs)
    }

    fn check_events(
        &mut self,
        record: &Record,
        standings: &BTreeMap<Entity, Standing>,
        pairs: &BTreeMap<Pair, Kept>,
    ) -> Result<(), String> {
        let mut keys: Vec<Pair> = self.pairs.keys().chain(pairs.keys()).copied().collect();
        keys.sort_unstable();
        keys.dedup();
        let mut expected = Vec::new();
        for key in keys {
            let (kept, phase) = match (self.pairs.get(&key), pairs.get(&key)) {
                (None, Some(new)) => (new, CollisionPhase::Started),
                (Some(_), Some(new)) => (new, CollisionPhase::Persisted),
                (Some(old), None) => (old, end_of(&record.before, standings, key)),
                (None, None) => unreachable!("the keys come from the two"),
            };
            if phase != CollisionPhase::Persisted || record.before.settings.persisted_events {
                let Kept { contact, time_of_impact, sides: [a, b], .. } = *kept;
                expected.push(CollisionEvent { a, b, phase, contact, time_of_impact });
            }
        }
        self.tally.events += expected.len() as u64;
        for (got, expected) in record.events.iter().zip(&expected) {
            demand!(got == expected, "the event is\n  {got:?}\n  and should be\n  {expected:?}");
        }
        let (n, m) = (record.events.len(), expected.len());
        let extra = record.events.get(m).or(expected.get(n));
        demand!(n == m, "{n} events, not {m}; the first too many or missing is {extra:?}");
        Ok(())
    }

    /// Who opted in before the step hears each start and end, in the order of the messages, unless
    /// an observer before it took that away.
    fn check_observers(&mut self, record: &Record) -> Result<(), String> {
        let listens =
            |entity: &Entity| record.before.entities.get(entity).is_some_and(|e| e.listens);
        let mut log = record.log.iter().peekable();
        let mut listeners = None;
        for &event in record.events.iter().filter(|event| !event.is_persisted()) {
            let [a, b] = event.entities();
            for (entity, other) in [(a, b), (b, a)] {
                while let Some(LogLine::Listeners(now)) =
                    log.next_if(|line| matches!(line, LogLine::Listeners(_)))
                {
                    listeners = Some(now);
                }
                if !listens(&entity) || listeners.is_some_and(|now| !now.contains(&entity)) {
                    continue;
                }
                let line = log.next();
                let Some(LogLine::Heard { entity: e, other: o, is_start, event: heard }) = line
                else {
                    return Err(format!("{entity} does not hear of {event:?}"));
                };
                let is_right =
                    (*e, *o, *is_start, *heard) == (entity, other, event.is_started(), event);
                demand!(is_right, "{entity} should hear of {event:?}, not {line:?}");
                self.tally.observed += 1;
            }
        }
        let rest = log.find(|line| matches!(line, LogLine::Heard { .. }));
        demand!(rest.is_none(), "{rest:?} is heard for no reason");
        Ok(())
    }

    fn check_stats(
        &self,
        record: &Record,
        standings: &BTreeMap<Entity, Standing>,
    ) -> Result<(), String> {
        let before = &record.before;
        let active: Vec<(Entity, &Body)> = standings
            .iter()
            .filter_map(|(entity, standing)| match standing {
                Standing::Active(body) => Some((*entity, body)),
                Standing::Invalid => None,
            })
            .collect();
        let is_static = |entity: Entity| before.entities[&entity].is_static;
        // The way of everything counts then, whatever it may lead to.
        let is_sweeping = before.entities.values().any(|seen| seen.swept.is_some());
        let mut sure = 0;
        let mut possible = 0;
        for (i, &(a, body_a)) in active.iter().enumerate() {
            for &(b, body_b) in &active[i + 1..] {
                if may_pair([&before.entities[&a], &before.entities[&b]]) {
                    let ((min_a, max_a), (min_b, max_b)) = (body_a.bounds(), body_b.bounds());
                    let gap = (min_b - max_a).max(min_a - max_b).max_element();
                    let rounding = body_a.rounding + body_b.rounding;
                    let grown = 2.0 * slop(&before.settings) + 1e-4 * (1.0 + rounding);
                    sure += usize::from(gap <= -rounding);
                    possible += usize::from(is_sweeping || gap <= grown + 2.0 * rounding);
                }
            }
        }
        let stats = &record.stats;
        let expected = (
            active.len(),
            active.iter().filter(|(entity, _)| is_static(*entity)).count(),
            standings.len() - active.len(),
            record.contacts.len(),
        );
        let got =
            (stats.colliders, stats.static_colliders, stats.invalid_colliders, stats.contacts);
        demand!(
            got == expected,
            "colliders, static, invalid, contacts are counted as {got:?}, not {expected:?}"
        );
        let candidates = stats.candidates;
        demand!(
            (sure..=possible).contains(&candidates),
            "{candidates} candidates, not {sure} to {possible}"
        );
        Ok(())
    }

    /// Push-out moves solids that may move and nothing else, by what it says, and to no NaN.
    fn check_pushes(
        &mut self,
        record: &Record,
        standings: &BTreeMap<Entity, Standing>,
    ) -> Result<(), String> {
        let before = &record.before;
        self.tally.pushes += record.pushes.len() as u64;
        demand!(
            record.pushes.is_sorted_by(|one, next| one.0 < next.0),
            "the pushes are not in order"
        );
        let mass = |entity: Entity| before.entities[&entity].solid.map_or(0.0, |solid| solid.mass);
        let is_reason = |pair: &&ContactPair| {
            pair.contact.depth > before.settings.resolution.allowed_overlap
                && [pair.a, pair.b].iter().all(|&entity| mass(entity) > 0.0)
        };
        let reason = record.contacts.iter().find(is_reason);
        demand!(
            record.pushes.is_empty()
                || ((reason.is_some() || are_stops(&before.settings))
                    && before.settings.resolution.enabled),
            "nothing overlaps too far and {:?} were pushed",
            record.pushes
        );
        for (&entity, after) in &record.pushed {
            let seen = &before.entities[&entity];
            let was = seen.transform.expect("a step adds no transform");
            let push = record.pushes.iter().find(|push| push.0 == entity).map(|push| push.1);
            let bits = |transform: Transform| {
                let (t, r, s) = (transform.translation, transform.rotation, transform.scale);
                [t.x, t.y, t.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z].map(f32::to_bits)
            };
            let is_mover = matches!(standings.get(&entity), Some(Standing::Active(_)))
                && !seen.is_static
                && seen.solid.is_some_and(|solid| solid.mass > 0.0 && solid.mass.is_finite());
            if push.is_none() {
                // A pushed parent carries its children, whose own transforms stay.
                demand!(bits(was) == bits(*after), "{entity} was moved without a push");
                continue;
            }
            let push = push.unwrap_or_default();
            demand!(is_mover, "{entity} was pushed by {push} and is no mover");
            demand!(
                push.is_finite() && after.translation.is_finite(),
                "{entity} was pushed by {push} to {after:?}"
            );
            if seen.parent.is_none() {
                let moved = (after.translation - was.translation).truncate();
                let rounding = 1e-6 * (was.translation.length() + push.length());
                demand!(
                    moved.distance(push) <= rounding + 1e-6,
                    "{entity} was pushed by {push} and moved by {moved}"
                );
            }
        }
        Ok(())
    }
}

fn standings(before: &Snapshot) -> Option<BTreeMap<Entity, Standing>> {
    let mut standings = BTreeMap::new();
    for (&entity, seen) in &before.entities {
        if seen.collider.is_none() || seen.is_disabled {
            continue;
        }
        let standing = match body(before, entity) {
            Ok(body) => Standing::Active(body),
            Err(Unsound::Certainly) => Standing::Invalid,
            Err(Unsound::Perhaps) => return None,
        };
        standings.insert(entity, standing);
    }
    Some(standings)
}

/// Those that stopped on their way, where they are.
fn stopped(record: &Record, standings: &BTreeMap<Entity, Standing>) -> BTreeMap<Entity, Body> {
    let stops = record.pushes.iter().filter(|_| are_stops(&record.before.settings));
    let stopped = stops.filter_map(|(entity, stop)| match standings.get(entity) {
        Some(Standing::Active(body)) => Some((*entity, body.at_rest_after(stop.as_dvec2()))),
        _ => None,
    });
    stopped.collect()
}

/// All that take part, each with its way.
fn movers<'a>(
    record: &'a Record,
    standings: &'a BTreeMap<Entity, Standing>,
    stopped: &'a BTreeMap<Entity, Body>,
    stood: &BTreeMap<Entity, Stood>,
) -> BTreeMap<Entity, Mover<'a>> {
    let movers = standings.iter().filter_map(|(&entity, standing)| match standing {
        Standing::Active(body) => {
            let seen = &record.before.entities[&entity];
            let mover = Mover::new(entity, seen, stood.get(&entity), body, stopped.get(&entity));
            Some((entity, mover))
        }
        Standing::Invalid => None,
    });
    movers.collect()
}

fn layers(seen: &Seen) -> CollisionLayers {
    seen.layers.unwrap_or_default()
}

fn layers_meet([a, b]: [&Seen; 2]) -> bool {
    let (a, b) = (layers(a), layers(b));
    a.filters & b.memberships != 0 && b.filters & a.memberships != 0
}

fn may_pair(seen: [&Seen; 2]) -> bool {
    layers_meet(seen) && !seen.iter().all(|seen| seen.is_static)
}

fn participant(entity: Entity, seen: &Seen) -> Participant {
    let is_sensor = !seen.solid.is_some_and(|solid| solid.mass > 0.0);
    Participant { entity, layers: layers(seen), is_sensor }
}

/// Why a pair of the last step is no longer one.
fn end_of(
    before: &Snapshot,
    standings: &BTreeMap<Entity, Standing>,
    (a, b): Pair,
) -> CollisionPhase {
    let sides = [a, b].map(|entity| {
        let Some(seen) = before.entities.get(&entity) else { return Some(EndReason::Despawned) };
        if seen.collider.is_none() {
            return Some(EndReason::ColliderRemoved);
        }
        match standings.get(&entity) {
            None => Some(EndReason::Disabled),
            Some(Standing::Invalid) => Some(EndReason::BecameInvalid),
            Some(Standing::Active(_)) => None,
        }
    });
    let (reason, by) = match sides {
        [None, None] => {
            let seen = [&before.entities[&a], &before.entities[&b]];
            let reason = if !layers_meet(seen) {
                EndReason::LayersChanged
            } else if seen.iter().all(|seen| seen.is_static) {
                EndReason::BothStatic
            } else {
                EndReason::MovedApart
            };
            (reason, EndedBy::Pair)
        }
        [Some(reason), None] => (reason, EndedBy::A),
        [None, Some(reason)] => (reason, EndedBy::B),
        [Some(a), Some(b)] => {
            // What takes more away goes first.
            let order = [
                EndReason::Despawned,
                EndReason::ColliderRemoved,
                EndReason::Disabled,
                EndReason::BecameInvalid,
            ];
            let first = order.into_iter().find(|reason| a == *reason || b == *reason);
            (first.expect("one of the four"), EndedBy::Both)
        }
    };
    CollisionPhase::Ended { reason, by }
}
