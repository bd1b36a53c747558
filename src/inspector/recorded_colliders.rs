//! The colliders of a step, in blocks that steps share.

use std::sync::{Arc, OnceLock};

use bevy::prelude::*;

use crate::CollisionLayers;
use crate::geometry::PlacedShape;

/// The colliders of a step: how each was called, what it was, and where its shape stood.
///
/// Steps share what did not change from one to the next, in blocks of neighbours, so that a step in
/// which little moves takes little memory.
#[derive(Clone, Debug, Default)]
pub struct RecordedColliders {
    pub(super) blocks: Vec<Block>,
    pub(super) len: usize,
    pub(super) all_bytes: usize,
    pub(super) shared_bytes: usize,
    /// Sorted by the entity. Made when one is first looked up.
    index: OnceLock<Box<[Place]>>,
}

/// A collider in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordedCollider<'a> {
    /// The entity.
    pub entity: Entity,
    /// Its shape in world space; none if it took no part.
    pub shape: Option<&'a PlacedShape>,
    /// What else is known of it.
    pub traits: &'a ColliderTraits,
}

/// What decides whom a collider may meet, and how it is called.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColliderTraits {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its kind, see [`Shape::name`](crate::geometry::Shape::name).
    pub kind: &'static str,
    /// Its layers.
    pub layers: CollisionLayers,
    /// Its flags.
    pub flags: ColliderFlags,
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

/// Neighbours, in two parts: shapes change more often than the rest.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) roll: Arc<Roll>,
    pub(super) shapes: Arc<Shapes>,
}

/// Who stands in a block. Both lists have the same length.
#[derive(Debug, Default)]
pub(super) struct Roll {
    pub(super) entities: Vec<Entity>,
    pub(super) traits: Vec<ColliderTraits>,
    /// The table of the ECS that it is from; none if that is not known.
    pub(super) table: Option<TableTraits>,
    /// How much memory this takes, in bytes.
    pub(super) bytes: usize,
}

/// What all entities of a table of the ECS have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TableTraits {
    pub(super) flags: ColliderFlags,
    pub(super) has_layers: bool,
    pub(super) has_name: bool,
}

/// The shapes of a block: of those that took part.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    pub(super) list: Vec<Option<PlacedShape>>,
    /// How much memory this takes, in bytes.
    pub(super) bytes: usize,
}

/// Where in the blocks a collider stands.
#[derive(Clone, Copy, Debug)]
struct Place {
    block: u32,
    offset: u32,
}

impl RecordedColliders {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All of them, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = RecordedCollider<'_>> + Clone {
        self.blocks.iter().flat_map(|block| (0..block.len()).map(|offset| block.get(offset)))
    }

    /// The collider of an entity.
    ///
    /// # Cost
    /// The logarithm of their number; the first time, they are sorted.
    #[must_use]
    pub fn get(&self, entity: Entity) -> Option<RecordedCollider<'_>> {
        let at = |place: &Place| self.blocks[place.block as usize].get(place.offset as usize);
        let index = self.index.get_or_init(|| {
            let places = (0..).zip(&self.blocks).flat_map(|(block, neighbours)| {
                (0..).take(neighbours.len()).map(move |offset| Place { block, offset })
            });
            let mut index: Box<[Place]> = places.collect();
            index.sort_unstable_by_key(|place| at(place).entity);
            index
        });
        let found = index.binary_search_by_key(&entity, |place| at(place).entity).ok()?;
        Some(at(&index[found]))
    }

    /// How much memory the list of blocks takes, in bytes, and the index once an entity was looked up.
    pub(super) fn own_bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<Block>() + self.len * size_of::<Place>()
    }

    /// How much memory the blocks take, in bytes.
    pub(super) fn all_bytes(&self) -> usize {
        self.all_bytes
    }

    /// How much of that is shared with the step before.
    pub(super) fn shared_bytes(&self) -> usize {
        self.shared_bytes
    }
}

impl Block {
    fn len(&self) -> usize {
        self.roll.entities.len()
    }

    fn get(&self, offset: usize) -> RecordedCollider<'_> {
        RecordedCollider {
            entity: self.roll.entities[offset],
            shape: self.shapes.list[offset].as_ref(),
            traits: &self.roll.traits[offset],
        }
    }
}
