//! Which contacts stand in which row of the table.
//!
//! A row keeps its place: contacts stand in the order in which they appeared, a new one comes last,
//! and one that ended stays for about a second, so that a contact that flickers moves nothing. Where a
//! collider of an ended contact is gone, the contact cannot come back, and its row is free for a new
//! one: a game that spawns and despawns many would else push its live contacts out of sight. Looking
//! back, none stays: a contact that has yet to come, or is long over, has not just ended.

use bevy::prelude::*;

use super::columns::{Column, Names, SortOrder};
use super::step_record::{RecordedContact, StepRecord};

/// For how many steps the row of an ended contact stays: a second of Bevy's fixed timestep.
const STAY: u64 = 64;

/// In a table with more rows than this, filter and order are worked out only every few steps.
const MANY_ROWS: usize = 1_000;

/// For how many steps the order of many rows stays.
const STEPS_OF_ORDER: u64 = 16;

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// The contact, or what it last was.
    pub(super) contact: RecordedContact,
    /// Since which step it is no more.
    pub(super) ended: Option<u64>,
}

impl Row {
    fn key(&self) -> (Entity, Entity) {
        (self.contact.a, self.contact.b)
    }
}

/// All rows, and those to show.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// In the order in which the contacts appeared.
    rows: Vec<Row>,
    /// Places in `rows`, sorted by the pair.
    by_pair: Vec<u32>,
    /// Places in `rows` of what to show, in the order to show it in.
    shown: Vec<u32>,
    /// How many of these are contacts.
    live: usize,
    /// The step that the rows are of.
    step: Option<u64>,
    /// What decided over `shown`, and in which step.
    arranged: Option<(Arrangement, u64)>,
    scratch: Vec<u32>,
    /// Places in the contacts of the step of those that have no row yet.
    fresh: Vec<u32>,
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
    pub(super) fn update(&mut self, record: &StepRecord, wanted: Arrangement, names: &Names) {
        let is_new_step = self.step != Some(record.step);
        let changed = is_new_step && self.take(record);
        let is_due = match &self.arranged {
            None => true,
            Some((arranged, step)) => {
                let wait = if self.rows.len() > MANY_ROWS { STEPS_OF_ORDER } else { 1 };
                *arranged != wanted || changed || record.step.abs_diff(*step) >= wait
            }
        };
        if is_due {
            self.arrange(&wanted, names);
            self.arranged = Some((wanted, record.step));
        }
        if is_due || is_new_step {
            let is_live = |place: &&u32| self.rows[**place as usize].ended.is_none();
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
    pub(super) fn get(&self, place: usize) -> Option<&Row> {
        self.rows.get(*self.shown.get(place)? as usize)
    }

    /// The place of a pair among the rows to show.
    pub(super) fn place_of(&self, a: Entity, b: Entity) -> Option<usize> {
        self.shown.iter().position(|place| self.rows[*place as usize].key() == (a, b))
    }

    /// Merges the contacts of a step into the rows. Whether rows came or went.
    fn take(&mut self, record: &StepRecord) -> bool {
        let step = record.step;
        let mut goes = false;
        // Whether the step is the one after that of the rows, or soon after it.
        let goes_on = self.step.is_some_and(|former| step > former && step - former < STAY);
        let stay = if goes_on { STAY } else { 0 };
        self.scratch.clear();
        self.fresh.clear();
        let mut former = self.by_pair.iter().copied().peekable();
        for (index, contact) in (0..).zip(&record.contacts) {
            let key = (contact.a, contact.b);
            while let Some(place) = former.next_if(|place| self.rows[*place as usize].key() < key) {
                goes |= end(&mut self.rows[place as usize], step, stay);
                self.scratch.push(place);
            }
            match former.next_if(|place| self.rows[*place as usize].key() == key) {
                Some(place) => {
                    self.rows[place as usize] = Row { contact: *contact, ended: None };
                    self.scratch.push(place);
                }
                None => self.fresh.push(index),
            }
        }
        for place in former {
            goes |= end(&mut self.rows[place as usize], step, stay);
            self.scratch.push(place);
        }
        core::mem::swap(&mut self.by_pair, &mut self.scratch);
        if goes {
            self.drop_ended(step, stay);
        }
        let comes = !self.fresh.is_empty();
        if comes {
            self.add_fresh(record);
        }
        self.step = Some(step);
        comes || goes
    }

    /// Gives the new contacts of a step their rows: those of contacts that cannot come back, from the
    /// top, and then new ones.
    fn add_fresh(&mut self, record: &StepRecord) {
        let is_free = |row: &Row| {
            let is_gone = |entity| record.collider(entity).is_none();
            row.ended.is_some() && (is_gone(row.contact.a) || is_gone(row.contact.b))
        };
        let rows = (0..).zip(&self.rows);
        let free = rows.filter_map(|(place, row)| is_free(row).then_some(place));
        self.scratch.clear();
        self.scratch.extend(free.take(self.fresh.len()));
        if !self.scratch.is_empty() {
            self.by_pair.retain(|place| self.scratch.binary_search(place).is_err());
        }
        let mut free = self.scratch.iter().copied();
        for &index in &self.fresh {
            let row = Row { contact: record.contacts[index as usize], ended: None };
            let place = free.next().unwrap_or(self.rows.len() as u32);
            match self.rows.get_mut(place as usize) {
                Some(former) => *former = row,
                None => self.rows.push(row),
            }
            self.by_pair.push(place);
        }
        // Two runs in order, which this sort only merges.
        self.by_pair.sort_by_key(|place| self.rows[*place as usize].key());
    }

    /// Drops the rows that ended so many steps ago.
    fn drop_ended(&mut self, step: u64, stay: u64) {
        // Where each row will be; none for those that go.
        let mut next = 0;
        let places: Vec<Option<u32>> = self
            .rows
            .iter()
            .map(|row| {
                (!is_over(row, step, stay)).then(|| {
                    next += 1;
                    next - 1
                })
            })
            .collect();
        self.rows.retain(|row| !is_over(row, step, stay));
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
        let has_name = |entity| names.label(entity).to_lowercase().contains(&text);
        self.shown.clear();
        self.shown.extend((0..).zip(&self.rows).filter_map(|(place, Row { contact, .. })| {
            let is_chosen = wanted.only.is_none_or(|entity| contact.involves(entity));
            let is_found = || text.is_empty() || has_name(contact.a) || has_name(contact.b);
            (is_chosen && is_found()).then_some(place)
        }));
        if let Some((column, order)) = wanted.sort {
            column.sort(order, &mut self.shown, &self.rows, names);
        }
    }
}

/// Notes that a contact is no more. Whether its row has stood there long enough.
fn end(row: &mut Row, step: u64, stay: u64) -> bool {
    row.ended.get_or_insert(step);
    is_over(row, step, stay)
}

fn is_over(row: &Row, step: u64, stay: u64) -> bool {
    row.ended.is_some_and(|ended| step.abs_diff(ended) >= stay)
}
