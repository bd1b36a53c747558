//! One collider of the table.

use bevy::prelude::*;

use crate::components::CollisionLayers;
use crate::events::{EndReason, Participant};
use crate::geometry::{Disc, PlacedShape};
use crate::grid::{Corners, Groups};

/// What nearly every look at a collider needs. So small that two share a line of the cache: pairs are
/// looked up all over the table, and a lookup waits for memory.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct Row {
    pub(crate) entity: Entity,
    pub(crate) layers: CollisionLayers,
    // INVARIANT: the disc around the row's shape.
    origin: Vec2,
    extent: f32,
    is_circle: bool,
    pub(super) state: RowState,
    pub(super) composition: Composition,
    pub(crate) is_sensor: bool,
}

const _: () = assert!(size_of::<Row>() == 32);

impl Row {
    /// A row that waits for its shape.
    pub(super) fn new(entity: Entity) -> Self {
        Self {
            entity,
            layers: CollisionLayers::default(),
            origin: Vec2::ZERO,
            extent: 0.0,
            is_circle: true,
            state: RowState::Invalid,
            composition: Composition::default(),
            is_sensor: true,
        }
    }

    #[inline]
    pub(crate) fn disc(&self) -> Disc {
        Disc { origin: self.origin, extent: self.extent, is_circle: self.is_circle }
    }

    pub(super) fn set_disc(&mut self, shape: &PlacedShape) {
        let Disc { origin, extent, is_circle } = shape.disc();
        (self.origin, self.extent, self.is_circle) = (origin, extent, is_circle);
    }

    #[inline]
    pub(super) fn move_to(&mut self, origin: Vec2) {
        self.origin = origin;
    }

    /// Where the reference point of the shape is.
    #[inline]
    pub(crate) fn origin(&self) -> Vec2 {
        self.origin
    }

    /// Its bounds, given how far the shape reaches from its origin.
    #[inline]
    pub(super) fn corners(&self, reach: Corners) -> Corners {
        let Vec2 { x, y } = self.origin;
        let corners = Vec4::new(x, y, -x, -y) + reach.0;
        // The sum may have rounded towards the inside.
        Corners(corners - corners.abs() * f32::EPSILON)
    }

    /// Its layers, as a grid takes them.
    #[inline]
    pub(super) fn groups(&self) -> Groups {
        Groups(self.layers.memberships, self.layers.filters)
    }

    /// Whether it is that of an entity with these components, and takes part.
    #[inline]
    pub(super) fn is_steady(&self, entity: Entity, composition: Composition) -> bool {
        self.entity == entity && self.composition == composition && self.is_active()
    }

    #[inline]
    pub(crate) fn is_active(&self) -> bool {
        self.state == RowState::Active
    }

    /// Whether a collider stands in it.
    pub(crate) fn is_used(&self) -> bool {
        matches!(self.state, RowState::Active | RowState::Invalid)
    }

    #[inline]
    pub(crate) fn state(&self) -> RowState {
        self.state
    }

    #[inline]
    pub(crate) fn composition(&self) -> Composition {
        self.composition
    }

    #[inline]
    pub(crate) fn is_static(&self) -> bool {
        self.composition.is_static()
    }

    #[inline]
    pub(crate) fn is_swept(&self) -> bool {
        self.composition.is_swept()
    }

    #[inline]
    pub(crate) fn participant(&self) -> Participant {
        let Self { entity, layers, is_sensor, .. } = *self;
        Participant { entity, layers, is_sensor }
    }
}

/// Whether a row takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowState {
    /// It does.
    Active,
    /// Its shape or transform is unsound.
    Invalid,
    /// Its collider left in this step.
    Left(EndReason),
    /// It waits for a collider.
    Free,
}

/// Which components an entity with a collider has beside it: the same for a whole table of the ECS.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Composition(u8);

impl Composition {
    pub(crate) const STATIC: Self = Self(1);
    pub(crate) const SWEPT: Self = Self(1 << 1);
    pub(crate) const SOLID: Self = Self(1 << 2);
    pub(crate) const LAYERS: Self = Self(1 << 3);
    pub(crate) const PARENT: Self = Self(1 << 4);
    pub(crate) const TRANSFORM: Self = Self(1 << 5);

    /// Of a list those that are there.
    #[inline]
    pub(crate) fn of(parts: [(Self, bool); 6]) -> Self {
        Self(parts.iter().fold(0, |all, (part, is_there)| all | if *is_there { part.0 } else { 0 }))
    }

    #[inline]
    fn has(self, part: Self) -> bool {
        self.0 & part.0 != 0
    }

    #[inline]
    pub(crate) fn is_static(self) -> bool {
        self.has(Self::STATIC)
    }

    #[inline]
    pub(crate) fn is_swept(self) -> bool {
        self.has(Self::SWEPT) && !self.is_static()
    }

    #[inline]
    pub(crate) fn has_parent(self) -> bool {
        self.has(Self::PARENT)
    }

    /// Whether such a collider stands where its transform alone puts it.
    #[inline]
    pub(crate) fn is_free(self) -> bool {
        self.has(Self::TRANSFORM) && !self.has_parent()
    }
}

/// What a collider may meet and push.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Role {
    pub(crate) layers: CollisionLayers,
    pub(crate) composition: Composition,
    /// Inverse mass of a solid, 0 for an immovable one; none for a sensor.
    pub(crate) inverse_mass: Option<f32>,
}
