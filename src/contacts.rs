//! All contacts of the current step.

use std::mem::take;
use std::sync::{Mutex, OnceLock};

use bevy::prelude::*;
use bevy::tasks::ComputeTaskPool;

use crate::geometry::Contact;
use crate::parallel;

/// A pair of colliders in contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPair {
    /// The lower of the two entities as Bevy orders them: fixed but arbitrary, neither in the order
    /// of spawning nor of the printed numbers.
    pub a: Entity,
    /// The higher of the two entities.
    pub b: Entity,
    /// Where and how deep, with the normal from A to B.
    pub contact: Contact,
    /// How many steps the contact has lasted, 0 in the step in which it started.
    pub age: u32,
    /// When in the step a [`Swept`](crate::Swept) collider came into contact: the part of the way
    /// after which the two first touched, 0 to 1. The contact is the one at that moment. None for
    /// contacts found where the colliders arrived, and in the later steps of a contact.
    pub time_of_impact: Option<f32>,
    /// The rows of A and B in the collider table.
    pub(crate) rows: [u32; 2],
}

impl ContactPair {
    /// The entity on the other side, if `entity` is one of the two.
    #[must_use]
    pub fn other(&self, entity: Entity) -> Option<Entity> {
        if entity == self.a { Some(self.b) } else { (entity == self.b).then_some(self.a) }
    }

    /// The shortest move of `entity` that ends the overlap, if it is one of the two.
    #[must_use]
    pub fn mtv_for(&self, entity: Entity) -> Option<Vec2> {
        if entity == self.b {
            Some(self.contact.mtv())
        } else {
            (entity == self.a).then(|| -self.contact.mtv())
        }
    }

    pub(crate) fn key(&self) -> (Entity, Entity) {
        (self.a, self.b)
    }
}

/// All contacts of the last step, in ascending order of the pair of entities.
///
/// Written in [`CollisionSystems::NarrowPhase`](crate::CollisionSystems::NarrowPhase): the
/// contacts are as they were *before* the push-out of the step.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_nudge::prelude::*;
///
/// #[derive(Component)]
/// struct Player;
///
/// fn count(contacts: Res<Contacts>, player: Single<Entity, With<Player>>) {
///     for pair in contacts.of(*player) {
///         println!("{:?} at {}", pair.other(*player), pair.contact.point);
///     }
/// }
/// ```
#[derive(Resource, Debug, Default)]
pub struct Contacts {
    // INVARIANT: both lists are sorted by `ContactPair::key`, without repetitions.
    current: Vec<ContactPair>,
    previous: Vec<ContactPair>,
    /// Indices into `current`, sorted by (b, a). Made when first asked for, since most games never
    /// ask.
    by_b: OnceLock<Vec<u32>>,
    /// The list of an earlier step, to be used again.
    spare: Mutex<Vec<u32>>,
    /// Contacts that are no more, in order.
    ended: Vec<Ended>,
    /// Those of each part of the list that is compared on its own.
    ended_of_parts: Vec<Vec<Ended>>,
}

/// A contact of the step before that is no more.
#[derive(Clone, Copy, Debug)]
struct Ended {
    /// Index into the previous list.
    index: u32,
    /// How many of the current contacts come before it.
    place: u32,
}

/// Too few contacts for a task of their own.
const SMALLEST_PART: usize = 4096;

impl Contacts {
    /// All contacts.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &ContactPair> + Clone {
        self.current.iter()
    }

    /// All contacts as a slice.
    #[must_use]
    pub fn as_slice(&self) -> &[ContactPair] {
        &self.current
    }

    /// How many pairs are in contact.
    #[must_use]
    pub fn len(&self) -> usize {
        self.current.len()
    }

    /// Whether nothing is in contact.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.current.is_empty()
    }

    /// The contacts of one entity: first those in which it is B, then those in which it is A, each
    /// in ascending order of the other.
    ///
    /// # Cost
    /// O(log n) for n contacts, and one sort of the contacts in a step in which anyone asks.
    pub fn of(&self, entity: Entity) -> impl Iterator<Item = &ContactPair> {
        let by_b = self.by_b.get_or_init(|| {
            let mut indices =
                self.spare.lock().map_or_else(|_| Vec::new(), |mut spare| take(&mut spare));
            indices.clear();
            indices.extend(0..self.current.len() as u32);
            indices.sort_unstable_by_key(|&i| {
                let pair = &self.current[i as usize];
                (pair.b, pair.a)
            });
            indices
        });
        let start = by_b.partition_point(|&i| self.current[i as usize].b < entity);
        let as_b = by_b[start..]
            .iter()
            .map(|&i| &self.current[i as usize])
            .take_while(move |pair| pair.b == entity);
        let start = self.current.partition_point(|pair| pair.a < entity);
        as_b.chain(self.current[start..].iter().take_while(move |pair| pair.a == entity))
    }

    /// The contact between two entities, in either order. Its normal points from the lower entity
    /// to the higher, whichever is named first.
    #[must_use]
    pub fn between(&self, one: Entity, other: Entity) -> Option<&ContactPair> {
        let key = if one < other { (one, other) } else { (other, one) };
        let index = self.current.binary_search_by_key(&key, ContactPair::key).ok()?;
        Some(&self.current[index])
    }

    /// The contacts of the step before that are no more, in order, each with how many of the current
    /// ones come before it.
    pub(crate) fn ended(&self) -> impl Iterator<Item = (&ContactPair, usize)> {
        let pair = |ended: &Ended| (&self.previous[ended.index as usize], ended.place as usize);
        self.ended.iter().map(pair)
    }

    /// Makes the current contacts the previous ones and lets `fill` write new ones over a list of
    /// old ones, in order.
    pub(crate) fn replace(&mut self, fill: impl FnOnce(&mut Vec<ContactPair>)) {
        core::mem::swap(&mut self.current, &mut self.previous);
        if let (Some(by_b), Ok(spare)) = (self.by_b.take(), self.spare.get_mut()) {
            *spare = by_b;
        }
        fill(&mut self.current);
        self.compare(parallel::parts(self.current.len(), SMALLEST_PART));
    }

    /// Counts ages and finds what has ended, each part of the list beside the stretch of earlier
    /// contacts that would lie there.
    fn compare(&mut self, parts: usize) {
        let Self { current, previous, ended, ended_of_parts, .. } = self;
        ended.clear();
        if parts == 1 {
            return compare_part(current, [0, 0], previous, ended);
        }
        let size = current.len().div_ceil(parts);
        ended_of_parts.resize_with(parts.max(ended_of_parts.len()), Vec::new);
        let mut first = 0;
        ComputeTaskPool::get().scope(|scope| {
            let mut rest = current.chunks_mut(size).zip(ended_of_parts.iter_mut()).peekable();
            let mut place = 0;
            while let Some((part, ended)) = rest.next() {
                let end = rest.peek().map_or(previous.len(), |(next, _)| {
                    previous.partition_point(|old| old.key() < next[0].key())
                });
                let earlier = &previous[first..end];
                let starts = [place, first as u32];
                place += part.len() as u32;
                first = end;
                scope.spawn(async move { compare_part(part, starts, earlier, ended) });
            }
        });
        for part in &mut ended_of_parts[..parts] {
            ended.append(part);
        }
    }
}

/// Counts the ages of some contacts beside those of the last step, and lists what has ended. `starts`
/// are the numbers of the first of both.
fn compare_part(
    contacts: &mut [ContactPair],
    starts: [u32; 2],
    earlier: &[ContactPair],
    ended: &mut Vec<Ended>,
) {
    let end = starts[0] + contacts.len() as u32;
    let mut earlier = (starts[1]..).zip(earlier).peekable();
    for (place, pair) in (starts[0]..).zip(contacts) {
        while let Some((index, _)) = earlier.next_if(|(_, old)| old.key() < pair.key()) {
            ended.push(Ended { index, place });
        }
        pair.age = earlier
            .next_if(|(_, old)| old.key() == pair.key())
            .map_or(0, |(_, old)| old.age.saturating_add(1));
    }
    ended.extend(earlier.map(|(index, _)| Ended { index, place: end }));
}
