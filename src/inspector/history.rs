//! The steps of the past that are kept, and which of them is looked at.

use std::collections::VecDeque;
use std::sync::Arc;

use bevy::prelude::*;

use super::step_record::StepRecord;

/// The last steps, in bounded memory, and which of them the panel shows.
///
/// Steps are kept only while the panel is shown; hidden, it costs nothing. The oldest are dropped
/// when there are more than [`max_steps`](Self::max_steps) or when they take more than
/// [`max_bytes`](Self::max_bytes).
#[derive(Debug)]
pub struct History {
    /// Whether more than the last step is kept. Default: yes.
    pub is_recording: bool,
    /// The most steps kept. Default 600, about ten seconds of Bevy's fixed timestep.
    pub max_steps: usize,
    /// The most memory that kept steps may take, in bytes. Default 64 MiB. The last step is kept
    /// whatever it takes.
    pub max_bytes: usize,
    steps: VecDeque<Arc<StepRecord>>,
    bytes: usize,
    /// The number of the step that is looked at; none for the last.
    viewed: Option<u64>,
}

impl Default for History {
    fn default() -> Self {
        Self {
            is_recording: true,
            max_steps: 600,
            max_bytes: 64 << 20,
            steps: VecDeque::new(),
            bytes: 0,
            viewed: None,
        }
    }
}

impl History {
    /// The history of a recording, all of it, at its first step.
    pub(super) fn of(steps: Vec<Arc<StepRecord>>) -> Self {
        let mut history = Self { max_steps: steps.len(), ..Self::default() };
        history.bytes = steps.iter().map(|record| record.own_bytes()).sum();
        let colliders = || steps.iter().map(|record| &record.colliders);
        history.bytes += colliders().map(|colliders| colliders.all_bytes()).sum::<usize>();
        history.bytes -=
            colliders().skip(1).map(|colliders| colliders.shared_bytes()).sum::<usize>();
        history.max_bytes = history.max_bytes.max(history.bytes);
        history.viewed = steps.first().map(|record| record.step);
        history.steps = steps.into();
        history
    }

    /// The kept steps, the oldest first. Steps that were taken while the panel was hidden are
    /// missing.
    pub fn steps(&self) -> impl DoubleEndedIterator<Item = &Arc<StepRecord>> + ExactSizeIterator {
        self.steps.iter()
    }

    /// How much memory the kept steps take, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The last step.
    #[must_use]
    pub fn last(&self) -> Option<&Arc<StepRecord>> {
        self.steps.back()
    }

    /// The step that the panel shows: the one looked at, or the last.
    #[must_use]
    pub fn shown(&self) -> Option<&Arc<StepRecord>> {
        self.viewed_place().map_or_else(|| self.last(), |place| self.steps.get(place))
    }

    /// Whether the panel shows a step of the past rather than the last.
    #[must_use]
    pub fn is_past(&self) -> bool {
        self.viewed.is_some()
    }

    /// Looks at the kept step with this number, or the nearest one. Looking at the last step is
    /// looking at the past too: it stays when others come.
    pub fn view(&mut self, step: u64) {
        let Some(place) = self.nearest_place(step) else { return };
        self.viewed = Some(self.steps[place].step);
    }

    /// Looks at the last step again, and at each that comes.
    pub fn view_last(&mut self) {
        self.viewed = None;
    }

    /// Goes this many kept steps forward, or back if negative, as far as there are any.
    pub fn move_by(&mut self, count: isize) {
        let end = self.steps.len().saturating_sub(1);
        let place = self.viewed_place().unwrap_or(end).saturating_add_signed(count).min(end);
        self.viewed = self.steps.get(place).map(|record| record.step);
    }

    /// The first kept step in which two entities are in contact.
    #[must_use]
    pub fn first_contact(&self, a: Entity, b: Entity) -> Option<u64> {
        let first = self.steps.iter().find(|record| record.between(a, b).is_some())?;
        Some(first.step)
    }

    /// The nearest kept step before or after the shown one in which a contact started or ended; of
    /// this pair, if one is given.
    #[must_use]
    pub fn next_event(&self, is_forward: bool, pair: Option<(Entity, Entity)>) -> Option<u64> {
        let at = self.shown()?.step;
        let has_event = |record: &&Arc<StepRecord>| {
            let mut events = record.events.iter();
            events.any(|event| pair.is_none_or(|pair| pair == (event.a, event.b)))
        };
        let found = if is_forward {
            self.steps.iter().filter(|record| record.step > at).find(has_event)
        } else {
            self.steps.iter().rev().filter(|record| record.step < at).find(has_event)
        };
        found.map(|record| record.step)
    }

    /// Forgets all steps but the last.
    pub fn clear(&mut self) {
        self.viewed = None;
        while self.steps.len() > 1 {
            drop(self.drop_oldest());
        }
    }

    /// Keeps a step, which shares what it can with the last. One with a number that is not above it
    /// begins anew: another game, or another recording.
    pub(super) fn push(&mut self, record: StepRecord) {
        let is_next = self.last().is_none_or(|last| last.step < record.step);
        if !is_next || !self.is_recording {
            let viewed = self.viewed.filter(|_| is_next);
            while self.steps.len() > usize::from(viewed.is_some()) {
                drop(self.drop_oldest());
            }
            self.viewed = viewed;
        }
        self.bytes += record.own_bytes() + record.colliders.all_bytes();
        if !self.steps.is_empty() {
            self.bytes = self.bytes.saturating_sub(record.colliders.shared_bytes());
        }
        self.steps.push_back(Arc::new(record));
        let is_too_much = |history: &Self| {
            history.steps.len() > history.max_steps || history.bytes > history.max_bytes
        };
        while self.steps.len() > 1 && is_too_much(self) {
            drop(self.drop_oldest());
        }
        if let Some(viewed) = self.viewed {
            // What is looked at may have been dropped.
            self.view(viewed);
        }
    }

    /// The oldest step, if it has to go before another one like the last comes, and nobody else holds
    /// it: its memory is used again.
    pub(super) fn take_spare(&mut self) -> Option<StepRecord> {
        let next = self.last()?.own_bytes();
        let is_full = self.steps.len() >= self.max_steps || self.bytes + next > self.max_bytes;
        if !is_full || self.steps.len() < 2 {
            return None;
        }
        Arc::into_inner(self.drop_oldest()?)
    }

    /// Changes the last step, which is still going on.
    pub(super) fn finish_last(&mut self, finish: impl FnOnce(&mut StepRecord)) {
        let Some(last) = self.steps.back_mut() else { return };
        // A game may hold the record too. What is made for it then may take less room.
        let before = last.own_bytes();
        let last = Arc::make_mut(last);
        finish(last);
        self.bytes = (self.bytes + last.own_bytes()).saturating_sub(before);
    }

    fn drop_oldest(&mut self) -> Option<Arc<StepRecord>> {
        let record = self.steps.pop_front()?;
        // What the next one shares stays, and was counted once.
        let stays = self.steps.front().map_or(0, |next| next.colliders.shared_bytes());
        let goes = record.own_bytes() + record.colliders.all_bytes();
        self.bytes = (self.bytes + stays).saturating_sub(goes);
        Some(record)
    }

    fn viewed_place(&self) -> Option<usize> {
        self.nearest_place(self.viewed?)
    }

    fn nearest_place(&self, step: u64) -> Option<usize> {
        let after = self.steps.partition_point(|record| record.step < step);
        let distance = |place: &usize| self.steps[*place].step.abs_diff(step);
        let places = [after.checked_sub(1), (after < self.steps.len()).then_some(after)];
        places.into_iter().flatten().min_by_key(distance)
    }
}

#[cfg(test)]
mod tests {
    use super::super::recorded_colliders::{ColliderTraits, RecordedColliders};
    use super::super::recorder::{Listed, Recorder};
    use super::*;
    use crate::geometry::PlacedShape;

    fn record(step: u64) -> StepRecord {
        StepRecord { step, ..Default::default() }
    }

    fn push(history: &mut History, record: StepRecord) {
        history.push(record);
    }

    fn numbers(history: &History) -> Vec<u64> {
        history.steps().map(|record| record.step).collect()
    }

    #[test]
    fn the_oldest_steps_are_dropped_and_memory_stays_bounded() {
        let mut history = History { max_steps: 3, ..Default::default() };
        for step in 1..=5 {
            push(&mut history, record(step));
        }
        assert_eq!(numbers(&history), [3, 4, 5]);
        let one = history.bytes() / 3;
        history.max_bytes = 2 * one;
        push(&mut history, record(6));
        assert_eq!(numbers(&history), [5, 6]);
        assert_eq!(history.bytes(), 2 * one);
        history.max_bytes = 0;
        push(&mut history, record(7));
        assert_eq!(numbers(&history), [7], "the last stays");
    }

    #[test]
    fn what_steps_share_counts_once_until_the_last_of_them_goes() {
        let (shape, traits) = (PlacedShape::point(Vec2::ZERO), ColliderTraits::default());
        let mut history = History::default();
        let push = |history: &mut History, step| {
            let former = history.last().map(|last| &last.colliders);
            let mut recorder = Recorder::new(former, RecordedColliders::default());
            let mut listed = Listed::default();
            listed.push(Entity::PLACEHOLDER, Some(&shape), (&traits).into());
            recorder.add(&listed);
            let record = StepRecord { step, colliders: recorder.finish(), ..Default::default() };
            let (own, all) = (record.own_bytes(), record.colliders.all_bytes());
            history.push(record);
            (own, all)
        };
        let (first, shared) = push(&mut history, 1);
        assert!(shared > size_of::<PlacedShape>() + size_of::<ColliderTraits>());
        assert_eq!(history.bytes(), first + shared);
        // That a game holds one of them too changes nothing.
        let held = history.steps().next().map(|record| StepRecord::clone(record));
        let (second, all) = push(&mut history, 2);
        assert_eq!((history.bytes(), all), (first + second + shared, shared), "counted once");
        assert_eq!(History::of(history.steps().cloned().collect()).bytes(), history.bytes());
        let held_last = history.last().cloned();
        history.finish_last(|record| record.events.clear());
        history.drop_oldest();
        let own = history.last().expect("pushed").own_bytes();
        assert!(held_last.is_some() && own <= second);
        assert_eq!(history.bytes(), own + shared, "still held");
        history.drop_oldest();
        assert_eq!(history.bytes(), 0);
        assert!(held.is_some());
    }

    #[test]
    fn looking_back_stays_where_it_is_while_steps_come_and_go() {
        let mut history = History { max_steps: 4, ..Default::default() };
        for step in 1..=4 {
            push(&mut history, record(step));
        }
        let shown = |history: &History| history.shown().map(|record| record.step);
        assert_eq!((shown(&history), history.is_past()), (Some(4), false));
        history.move_by(-1);
        assert_eq!((shown(&history), history.is_past()), (Some(3), true));
        push(&mut history, record(5));
        assert_eq!(shown(&history), Some(3));
        history.move_by(-9);
        assert_eq!(shown(&history), Some(2), "the oldest");
        push(&mut history, record(6));
        assert_eq!(shown(&history), Some(3), "dropped: the nearest");
        history.move_by(99);
        assert_eq!((shown(&history), history.is_past()), (Some(6), true));
        history.view(1_000);
        assert_eq!(shown(&history), Some(6));
        history.view_last();
        push(&mut history, record(7));
        assert_eq!(shown(&history), Some(7));
        history.clear();
        assert_eq!(numbers(&history), [7]);
    }

    #[test]
    fn steps_that_begin_anew_forget_the_old_ones() {
        let mut history = History::default();
        push(&mut history, record(8));
        push(&mut history, record(9));
        history.view(8);
        push(&mut history, record(1));
        assert_eq!((numbers(&history), history.is_past()), (vec![1], false));
        history.is_recording = false;
        push(&mut history, record(2));
        assert_eq!(numbers(&history), [2], "only the last");
    }

    #[test]
    fn events_of_a_pair_and_of_all_are_found_both_ways() {
        let mut world = World::new();
        let [a, b, c] = [(); 3].map(|()| world.spawn_empty().id());
        let event = |a: Entity, b: Entity| super::super::step_record::RecordedEvent {
            a: a.min(b),
            b: a.max(b),
            end: None,
        };
        let mut history = History::default();
        for step in 1..=6 {
            let events = match step {
                2 => vec![event(a, b)],
                5 => vec![event(b, c)],
                _ => Vec::new(),
            };
            push(&mut history, StepRecord { events, ..record(step) });
        }
        history.view(3);
        let pair = Some((a.min(b), a.max(b)));
        assert_eq!(history.next_event(true, None), Some(5));
        assert_eq!(history.next_event(false, None), Some(2));
        assert_eq!(history.next_event(true, pair), None);
        assert_eq!(history.next_event(false, pair), Some(2));
    }
}
