//! Which contacts stand in which row of the table.
//!
//! A row keeps its place: contacts stand in the order in which they appeared, a new one comes last,
//! and one that ended stays for about a second, so that a contact that flickers moves nothing. Where a
//! collider of an ended contact is gone, the contact cannot come back, and its row is free for a new
//! one: a game that spawns and despawns many would else push its live contacts out of sight. Looking
//! back, none stays: a contact that has yet to come, or is long over, has not just ended.

use std::sync::Arc;

use bevy::prelude::*;

use super::columns::{Column, Names, SortOrder};
use super::recorded_colliders::ColliderTraits;
use super::step_record::{RecordedContact, StepRecord};

/// For how many steps the row of an ended contact stays: a second of Bevy's fixed timestep.
const STAY: u64 = 64;

/// In a table with more rows than this, filter and order are worked out only every few steps.
const MANY_ROWS: usize = 1_000;

/// For how many steps the order of many rows stays.
const STEPS_OF_ORDER: u64 = 16;

/// A row of the table, as it is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    /// The contact, or what it last was.
    pub(super) contact: &'a RecordedContact,
    /// What is known of it if it is no more.
    pub(super) ended: Option<&'a Ended>,
}

/// A row of the table, as it is kept: small, since all are looked at in each step.
#[derive(Debug)]
struct Slot {
    pair: (Entity, Entity),
    state: State,
}

#[derive(Debug)]
enum State {
    /// Where in the contacts of the step it stands.
    Live(u32),
    Ended(Box<Ended>),
}

/// A contact that is no more.
#[derive(Debug)]
pub(super) struct Ended {
    step: u64,
    /// What it last was.
    contact: RecordedContact,
    /// What its colliders last were.
    pub(super) traits: [Option<ColliderTraits>; 2],
}

/// All rows, and those to show.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// In the order in which the contacts appeared.
    slots: Vec<Slot>,
    /// Places in `slots`, sorted by the pair.
    by_pair: Vec<u32>,
    /// Places in `slots` of what to show, in the order to show it in.
    shown: Vec<u32>,
    /// How many of these are contacts.
    live: usize,
    /// The step that the rows are of; none at first.
    record: Option<Arc<StepRecord>>,
    /// What decided over `shown`, and in which step.
    arranged: Option<(Arrangement, u64)>,
    scratch: Vec<u32>,
    /// Places in the contacts of the step of those that have no row yet.
    fresh: Vec<u32>,
}

/// What a step did to the rows.
#[derive(Clone, Copy, Debug, Default)]
struct Change {
    /// Whether a contact started or ended.
    is_other_contact: bool,
    /// Whether a row came or went.
    is_other_row: bool,
}

/// What the user asks of the table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Arrangement {
    pub(super) filter: String,
    pub(super) sort: Option<(Column, SortOrder)>,
    pub(super) only: Option<Entity>,
}

impl Rows {
    /// Brings the rows up to date with a step and with what the user asks for.
    pub(super) fn update(&mut self, record: &Arc<StepRecord>, wanted: Arrangement, names: &Names) {
        let is_new_step = self.record.as_ref().is_none_or(|former| former.step != record.step);
        let change = if is_new_step { self.take(record) } else { Change::default() };
        let is_due = match &self.arranged {
            None => true,
            Some((arranged, step)) => {
                let wait = if self.slots.len() > MANY_ROWS { STEPS_OF_ORDER } else { 1 };
                *arranged != wanted || change.is_other_row || record.step.abs_diff(*step) >= wait
            }
        };
        if is_due {
            self.arrange(&wanted, names);
            self.arranged = Some((wanted, record.step));
        }
        if is_due || change.is_other_contact {
            let is_live = |place: &&u32| !self.slots[**place as usize].has_ended();
            self.live = self.shown.iter().filter(is_live).count();
        }
    }

    /// How many rows there are to show.
    pub(super) fn len(&self) -> usize {
        self.shown.len()
    }

    /// How many of them are contacts of the step.
    pub(super) fn live(&self) -> usize {
        self.live
    }

    /// A row by its place among those to show.
    pub(super) fn get(&self, place: usize) -> Option<Row<'_>> {
        let slot = self.slots.get(*self.shown.get(place)? as usize)?;
        Some(row_of(slot, self.contacts()))
    }

    /// The place of a pair among the rows to show.
    pub(super) fn place_of(&self, a: Entity, b: Entity) -> Option<usize> {
        self.shown.iter().position(|place| self.slots[*place as usize].pair == (a, b))
    }

    /// The contacts of the step that the rows are of.
    fn contacts(&self) -> &[RecordedContact] {
        self.record.as_ref().map_or(&[], |record| &record.contacts)
    }

    /// Merges the contacts of a step into the rows.
    fn take(&mut self, record: &Arc<StepRecord>) -> Change {
        let step = record.step;
        let former = self.record.replace(Arc::clone(record)).unwrap_or_default();
        // Whether the step is the one after that of the rows, or soon after it.
        let goes_on = step > former.step && step - former.step < STAY;
        let stay = if goes_on { STAY } else { 0 };
        self.fresh.clear();
        let (mut goes, mut is_other_contact) = (false, false);
        let slots = &mut self.slots;
        let mut end = |slot: &mut Slot| {
            is_other_contact |= !slot.has_ended();
            slot.end(step, &former, stay > 0);
            goes |= slot.is_over(step, stay);
        };
        let mut is_back = false;
        let mut places = self.by_pair.iter().map(|place| *place as usize).peekable();
        for (index, contact) in (0..).zip(&record.contacts) {
            let pair = (contact.a, contact.b);
            while let Some(place) = places.next_if(|place| slots[*place].pair < pair) {
                end(&mut slots[place]);
            }
            match places.next_if(|place| slots[*place].pair == pair) {
                Some(place) => match &mut slots[place].state {
                    State::Live(at) => *at = index,
                    ended @ State::Ended(_) => {
                        *ended = State::Live(index);
                        is_back = true;
                    }
                },
                None => self.fresh.push(index),
            }
        }
        places.for_each(|place| end(&mut slots[place]));
        if goes {
            self.drop_ended(step, stay);
        }
        let comes = !self.fresh.is_empty();
        if comes {
            self.add_fresh(record);
        }
        Change {
            is_other_contact: is_other_contact || is_back || comes,
            is_other_row: comes || goes,
        }
    }

    /// Gives the new contacts of a step their rows: those of contacts that cannot come back, from the
    /// top, and then new ones.
    fn add_fresh(&mut self, record: &StepRecord) {
        let is_gone = |entity| record.collider(entity).is_none();
        let is_free =
            |slot: &Slot| slot.has_ended() && (is_gone(slot.pair.0) || is_gone(slot.pair.1));
        let slots = (0..).zip(&self.slots);
        let free = slots.filter_map(|(place, slot)| is_free(slot).then_some(place));
        self.scratch.clear();
        self.scratch.extend(free.take(self.fresh.len()));
        if !self.scratch.is_empty() {
            self.by_pair.retain(|place| self.scratch.binary_search(place).is_err());
        }
        let mut free = self.scratch.iter().copied();
        for &index in &self.fresh {
            let contact = &record.contacts[index as usize];
            let slot = Slot { pair: (contact.a, contact.b), state: State::Live(index) };
            let place = free.next().unwrap_or(self.slots.len() as u32);
            match self.slots.get_mut(place as usize) {
                Some(former) => *former = slot,
                None => self.slots.push(slot),
            }
            self.by_pair.push(place);
        }
        // Two runs in order, which this sort only merges.
        self.by_pair.sort_by_key(|place| self.slots[*place as usize].pair);
    }

    /// Drops the rows that ended so many steps ago.
    fn drop_ended(&mut self, step: u64, stay: u64) {
        // Where each row will be; none for those that go.
        let mut next = 0;
        let places: Vec<Option<u32>> = self
            .slots
            .iter()
            .map(|slot| {
                (!slot.is_over(step, stay)).then(|| {
                    next += 1;
                    next - 1
                })
            })
            .collect();
        self.slots.retain(|slot| !slot.is_over(step, stay));
        self.by_pair.retain_mut(|place| match places[*place as usize] {
            Some(new) => {
                *place = new;
                true
            }
            None => false,
        });
    }

    fn arrange(&mut self, wanted: &Arrangement, names: &Names) {
        let text = wanted.filter.trim().to_lowercase();
        let has_name = |slot: &Slot, side: usize| {
            let entity = [slot.pair.0, slot.pair.1][side];
            let former = match &slot.state {
                State::Live(_) => None,
                State::Ended(ended) => ended.traits[side].as_ref(),
            };
            names.last_label(entity, former).to_lowercase().contains(&text)
        };
        self.shown.clear();
        self.shown.extend((0..).zip(&self.slots).filter_map(|(place, slot)| {
            let (a, b) = slot.pair;
            let is_chosen = wanted.only.is_none_or(|entity| entity == a || entity == b);
            let is_found = || text.is_empty() || has_name(slot, 0) || has_name(slot, 1);
            (is_chosen && is_found()).then_some(place)
        }));
        if let Some((column, order)) = wanted.sort {
            let (slots, record) = (&self.slots, self.record.as_ref());
            let contacts = record.map_or(&[][..], |record| &record.contacts);
            let row = |place: u32| row_of(&slots[place as usize], contacts);
            column.sort(order, &mut self.shown, &row, names);
        }
    }
}

impl Slot {
    fn has_ended(&self) -> bool {
        matches!(self.state, State::Ended(_))
    }

    /// Notes that the contact is no more. It was one of the former step, and `stays` in its row.
    fn end(&mut self, step: u64, former: &StepRecord, stays: bool) {
        if let State::Live(at) = self.state {
            let contact = former.contacts[at as usize];
            let traits = |entity| {
                stays.then(|| former.collider(entity)).flatten().map(|known| known.traits.clone())
            };
            let traits = [traits(contact.a), traits(contact.b)];
            self.state = State::Ended(Box::new(Ended { step, contact, traits }));
        }
    }

    /// Whether the contact ended so many steps ago.
    fn is_over(&self, step: u64, stay: u64) -> bool {
        match &self.state {
            State::Live(_) => false,
            State::Ended(ended) => step.abs_diff(ended.step) >= stay,
        }
    }
}

/// The row of a slot, whose contact is one of these or has ended.
fn row_of<'a>(slot: &'a Slot, contacts: &'a [RecordedContact]) -> Row<'a> {
    match &slot.state {
        State::Live(at) => Row { contact: &contacts[*at as usize], ended: None },
        State::Ended(ended) => Row { contact: &ended.contact, ended: Some(ended) },
    }
}
