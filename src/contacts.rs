//! All contacts of the current step.

use std::mem::take;
use std::sync::{Mutex, OnceLock};

use bevy::prelude::*;

use crate::geometry::Contact;

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
    /// Indices into `previous`, ascending: contacts that are no more.
    ended: Vec<u32>,
}

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

    /// The contacts of the step before that are no more, in order.
    pub(crate) fn ended(&self) -> impl Iterator<Item = &ContactPair> {
        self.ended.iter().map(|&i| &self.previous[i as usize])
    }

    /// Makes the current contacts the previous ones and lets `fill` write new ones into the empty
    /// list, in order.
    pub(crate) fn replace(&mut self, fill: impl FnOnce(&mut Vec<ContactPair>)) {
        core::mem::swap(&mut self.current, &mut self.previous);
        if let (Some(by_b), Ok(spare)) = (self.by_b.take(), self.spare.get_mut()) {
            *spare = by_b;
        }
        self.current.clear();
        fill(&mut self.current);
        self.compare();
    }

    /// Counts ages and finds what has ended.
    fn compare(&mut self) {
        self.ended.clear();
        let mut earlier = (0..).zip(&self.previous).peekable();
        for pair in &mut self.current {
            while let Some((i, _)) = earlier.next_if(|(_, old)| old.key() < pair.key()) {
                self.ended.push(i);
            }
            pair.age = earlier
                .next_if(|(_, old)| old.key() == pair.key())
                .map_or(0, |(_, old)| old.age.saturating_add(1));
        }
        self.ended.extend(earlier.map(|(i, _)| i));
    }
}
