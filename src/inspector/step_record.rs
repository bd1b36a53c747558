//! One step, as the narrow phase saw it: what the panel shows, live and from the past.

use bevy::ecs::change_detection::Tick;
use bevy::prelude::*;

use super::recorded_colliders::{RecordedCollider, RecordedColliders};
use crate::EndReason;
use crate::geometry::{Contact, PlacedShape, Touch, contains_point};

/// A step of the past: colliders, contacts and events, with the touching rule of that step.
///
/// Shapes are where the narrow phase tested them, before the push-out of the step, so that what is
/// said about a contact is about the numbers it was made from.
#[derive(Clone, Debug, Default)]
pub struct StepRecord {
    /// The number of the step, see [`CollisionStats::steps`](crate::CollisionStats::steps).
    pub step: u64,
    /// The touching rule and tolerance of the step.
    pub touch: Touch,
    /// All colliders, also those that took no part.
    pub colliders: RecordedColliders,
    /// All contacts, in ascending order of the pair of entities.
    pub contacts: Vec<RecordedContact>,
    /// The contacts that started and ended in the step, in ascending order of the pair.
    pub events: Vec<RecordedEvent>,
    /// How many pairs the narrow phase tested.
    pub candidates: usize,
    /// How many colliders took part.
    pub active_colliders: usize,
    /// Wall-clock time of the whole step, in milliseconds. 0 until the step is done.
    pub milliseconds: f32,
    /// Whether the shapes are where the push-out of the step left them. So it is only for a step
    /// that was over before the panel was opened.
    pub is_after_push: bool,
    /// When in the world's time of changes it was copied; none if it was read from a file.
    pub(super) copied_at: Option<Tick>,
}

/// A contact in a step, as [`ContactPair`](crate::ContactPair).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordedContact {
    /// The lower of the two entities.
    pub a: Entity,
    /// The higher of the two entities.
    pub b: Entity,
    /// Where and how deep, with the normal from A to B.
    pub contact: Contact,
    /// How many steps the contact had lasted, 0 in its first.
    pub age: u32,
    /// When in the step a fast mover came into contact, 0 to 1.
    pub time_of_impact: Option<f32>,
}

impl RecordedContact {
    /// Whether `entity` is one of the two.
    #[must_use]
    pub fn involves(&self, entity: Entity) -> bool {
        entity == self.a || entity == self.b
    }
}

/// The start or the end of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedEvent {
    /// The lower of the two entities.
    pub a: Entity,
    /// The higher of the two entities.
    pub b: Entity,
    /// Why it ended; none for a start.
    pub end: Option<EndReason>,
}

impl StepRecord {
    /// A collider of the step.
    #[must_use]
    pub fn collider(&self, entity: Entity) -> Option<RecordedCollider<'_>> {
        self.colliders.get(entity)
    }

    /// The shape of a collider that took part in the step.
    #[must_use]
    pub fn shape(&self, entity: Entity) -> Option<&PlacedShape> {
        self.collider(entity)?.shape
    }

    /// The contact between two entities, in either order.
    #[must_use]
    pub fn between(&self, one: Entity, other: Entity) -> Option<&RecordedContact> {
        let key = (one.min(other), one.max(other));
        let place = self.contacts.binary_search_by_key(&key, |pair| (pair.a, pair.b)).ok()?;
        Some(&self.contacts[place])
    }

    /// The colliders that hold a point of the world, in ascending order of entities.
    #[must_use]
    pub fn at_point(&self, point: Vec2) -> Vec<Entity> {
        let holds = |collider: &RecordedCollider| {
            collider.shape.is_some_and(|shape| contains_point(shape, point, self.touch))
        };
        let mut found: Vec<_> = self.colliders.iter().filter(holds).map(|c| c.entity).collect();
        found.sort_unstable();
        found
    }

    /// About how much memory this record takes for itself, in bytes, once it has been looked at. What
    /// steps share is not in it.
    pub(super) fn own_bytes(&self) -> usize {
        size_of::<Self>()
            + self.colliders.own_bytes()
            + self.contacts.capacity() * size_of::<RecordedContact>()
            + self.events.capacity() * size_of::<RecordedEvent>()
    }
}
