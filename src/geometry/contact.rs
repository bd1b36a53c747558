//! What is known about two shapes that touch or overlap, and about two that are apart.

use bevy::math::Vec2;
use bevy::reflect::Reflect;

/// Whether the two shapes of a contact only touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Reflect)]
#[reflect(Clone, PartialEq, Debug)]
pub enum ContactStatus {
    /// Their boundaries meet; the depth is 0.
    Touching,
    /// They overlap by the depth.
    Overlapping,
}

/// Where two shapes A and B touch or overlap, and the shortest way to part them.
///
/// All in world space and world units.
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, PartialEq, Debug)]
pub struct Contact {
    /// Unit vector from A towards B: the direction in which B leaves A by the shortest way.
    pub normal: Vec2,
    /// How far B has to move along the normal until the two only touch. Never negative; 0 for
    /// touching shapes.
    pub depth: f32,
    /// A point in both shapes, halfway between the two deepest points.
    pub point: Vec2,
    /// Whether the shapes only touch.
    pub status: ContactStatus,
}

impl Contact {
    /// The minimum translation vector: the shortest translation of **B** after which the two
    /// shapes only touch. Moving A by its opposite does the same.
    #[must_use]
    #[inline]
    pub fn mtv(&self) -> Vec2 {
        self.normal * self.depth
    }

    /// The same contact seen from the other side: B before A.
    #[must_use]
    #[inline]
    pub fn flipped(self) -> Self {
        Self { normal: -self.normal, ..self }
    }
}

/// The signed distance of two shapes A and B, with where and in which direction it is measured.
///
/// All in world space and world units.
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, PartialEq, Debug)]
pub struct Separation {
    /// Distance when the shapes are apart, 0 when they touch, minus the penetration depth when
    /// they overlap.
    pub distance: f32,
    /// Unit vector from A towards B along which the separation is measured.
    pub normal: Vec2,
    /// The point of A nearest to B. For overlapping shapes the deepest point of A in B.
    pub point_a: Vec2,
    /// The point of B nearest to A. For overlapping shapes the deepest point of B in A.
    pub point_b: Vec2,
}

impl Separation {
    /// The same separation seen from the other side: B before A.
    #[must_use]
    #[inline]
    pub fn flipped(self) -> Self {
        Self { normal: -self.normal, point_a: self.point_b, point_b: self.point_a, ..self }
    }
}
