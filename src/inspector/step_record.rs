//! One step, as the narrow phase saw it: what the panel shows, live and from the past.

use std::sync::{Arc, OnceLock};

use bevy::prelude::*;

use crate::geometry::{Contact, PlacedShape, Touch, contains_point};
use crate::{CollisionLayers, EndReason};

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
    pub colliders: Vec<RecordedCollider>,
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
    /// Places in `colliders`, sorted by the entity. Made when one is first looked up.
    pub(super) index: OnceLock<Box<[u32]>>,
}

/// A collider in a step.
#[derive(Clone, Debug)]
pub struct RecordedCollider {
    /// The entity.
    pub entity: Entity,
    /// Its shape in world space; none if it took no part. Shared by the steps in which it did not
    /// change.
    pub shape: Option<Arc<PlacedShape>>,
    /// What else is known of it, shared alike.
    pub traits: Arc<ColliderTraits>,
}

/// What decides whom a collider may meet, and how it is called.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColliderTraits {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its kind, see [`Shape::name`](crate::geometry::Shape::name).
    pub kind: String,
    /// Its layers.
    pub layers: CollisionLayers,
    /// Its flags.
    pub flags: ColliderFlags,
}

impl ColliderTraits {
    /// Whether these are the traits, without making any.
    pub(super) fn is(
        &self,
        name: Option<&str>,
        kind: &str,
        layers: CollisionLayers,
        flags: ColliderFlags,
    ) -> bool {
        (self.name.as_deref(), self.kind.as_str()) == (name, kind)
            && (self.layers, self.flags) == (layers, flags)
    }
}

/// The marks of a collider.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a component that is there or not")]
pub struct ColliderFlags {
    /// Whether it has a [`StaticCollider`](crate::StaticCollider).
    pub is_static: bool,
    /// Whether it has a [`Solid`](crate::Solid).
    pub is_solid: bool,
    /// Whether it has a [`Swept`](crate::Swept).
    pub is_swept: bool,
    /// Whether it is disabled, by [`ColliderDisabled`](crate::ColliderDisabled) or as an entity.
    pub is_disabled: bool,
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
    pub fn collider(&self, entity: Entity) -> Option<&RecordedCollider> {
        let entity_at = |place: &u32| self.colliders[*place as usize].entity;
        let index = self.index.get_or_init(|| {
            let mut index: Box<[u32]> = (0..).take(self.colliders.len()).collect();
            index.sort_unstable_by_key(entity_at);
            index
        });
        let place = index.binary_search_by_key(&entity, entity_at).ok()?;
        self.colliders.get(index[place] as usize)
    }

    /// The shape of a collider that took part in the step.
    #[must_use]
    pub fn shape(&self, entity: Entity) -> Option<&PlacedShape> {
        self.collider(entity)?.shape.as_deref()
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
        let holds = |collider: &&RecordedCollider| {
            collider.shape.as_ref().is_some_and(|shape| contains_point(shape, point, self.touch))
        };
        let mut found: Vec<_> = self.colliders.iter().filter(holds).map(|c| c.entity).collect();
        found.sort_unstable();
        found
    }

    /// About how much memory this record takes for itself, in bytes, once it has been looked at. What
    /// steps share is not in it.
    pub(super) fn own_bytes(&self) -> usize {
        size_of::<Self>()
            + self.colliders.capacity() * size_of::<RecordedCollider>()
            + self.colliders.len() * size_of::<u32>()
            + self.contacts.capacity() * size_of::<RecordedContact>()
            + self.events.capacity() * size_of::<RecordedEvent>()
    }
}

/// Counts of an `Arc` come before what it holds.
const COUNTS: usize = 2 * size_of::<usize>();

impl RecordedCollider {
    /// How much memory the parts take that nobody else holds, in bytes.
    pub(super) fn unshared_bytes(&self) -> usize {
        let shape = self.shape.as_ref().filter(|shape| Arc::strong_count(shape) == 1);
        let traits = Some(&self.traits).filter(|traits| Arc::strong_count(traits) == 1);
        shape.map_or(0, |shape| shape_bytes(shape)) + traits.map_or(0, |traits| traits.bytes())
    }
}

/// How much memory a shape takes that is shared by steps, in bytes.
pub(super) fn shape_bytes(shape: &PlacedShape) -> usize {
    COUNTS + shape.memory_size()
}

impl ColliderTraits {
    /// How much memory these take, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let name = self.name.as_ref().map_or(0, String::capacity);
        COUNTS + size_of::<Self>() + self.kind.capacity() + name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colliders_are_found_in_whatever_order_they_stand() {
        let mut world = World::new();
        let mut entities = [(); 5].map(|()| world.spawn_empty().id());
        let stranger = world.spawn_empty().id();
        entities.swap(0, 3);
        entities.swap(1, 4);
        let collider = |&entity: &Entity| RecordedCollider {
            entity,
            shape: None,
            traits: Arc::new(ColliderTraits::default()),
        };
        let colliders = entities.iter().map(collider).collect();
        let record = StepRecord { colliders, ..Default::default() };
        let before = record.own_bytes();
        for entity in entities {
            assert_eq!(record.collider(entity).map(|found| found.entity), Some(entity));
        }
        assert!(record.collider(stranger).is_none());
        assert_eq!(record.own_bytes(), before, "what the search needs is counted from the start");
    }
}
