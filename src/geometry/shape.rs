//! The shapes a collider can have, in the local space of their entity.

use bevy::math::{Vec2, primitives};
use bevy::reflect::{Reflect, std_traits::ReflectDefault};
use thiserror::Error;

use super::compound::{Compound, CompoundError};
use super::concave::{ConcaveError, ConcavePolygon};
use super::polygon::{ConvexPolygon, PolygonError};

/// Why a shape is refused.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ShapeError {
    /// The radius of a circle is negative or not finite.
    #[error("the radius {0} is not a finite number of at least 0")]
    Radius(f32),
    /// The centre of a circle is not finite.
    #[error("the centre {0} is not finite")]
    Center(Vec2),
    /// A corner of a box is not finite.
    #[error("the box from {min} to {max} is not finite")]
    NonFiniteBox {
        /// Lower left corner.
        min: Vec2,
        /// Upper right corner.
        max: Vec2,
    },
    /// The lower left corner of a box is not to the lower left of the other.
    #[error("the box from {min} to {max} is inside out: its size is negative")]
    InvertedBox {
        /// Lower left corner.
        min: Vec2,
        /// Upper right corner.
        max: Vec2,
    },
    /// The corners of a polygon are unsound.
    #[error(transparent)]
    Polygon(#[from] PolygonError),
    /// The outline or the holes of a concave polygon are unsound.
    #[error(transparent)]
    Concave(#[from] ConcaveError),
    /// The parts of a compound are unsound.
    #[error(transparent)]
    Compound(#[from] CompoundError),
}

/// A disc around a centre, boundary included.
///
/// Local space of its entity, world units when the entity is not scaled. A radius of 0 is a
/// point. Under an unequal scale it stays a circle, and the radius grows by the larger axis.
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub struct Circle {
    /// Centre, relative to the entity.
    pub center: Vec2,
    /// Radius, at least 0.
    pub radius: f32,
}

impl Default for Circle {
    /// A circle of radius 0.5 around the entity, like Bevy's.
    fn default() -> Self {
        Self { center: Vec2::ZERO, radius: 0.5 }
    }
}

impl Circle {
    /// A circle of this radius around `center`.
    ///
    /// # Errors
    /// A negative or non-finite radius, a non-finite centre.
    pub fn new(center: Vec2, radius: f32) -> Result<Self, ShapeError> {
        let circle = Self { center, radius };
        circle.validate().map(|()| circle)
    }

    fn validate(&self) -> Result<(), ShapeError> {
        if !self.center.is_finite() {
            return Err(ShapeError::Center(self.center));
        }
        if !self.radius.is_finite() || self.radius < 0.0 {
            return Err(ShapeError::Radius(self.radius));
        }
        Ok(())
    }
}

/// A box whose sides stay parallel to the **world** axes, boundary included.
///
/// It follows its entity's translation and scale and ignores its rotation: an upright hit box on
/// a turning sprite. Only its offset from the entity turns along. For a box that turns use
/// [`ConvexPolygon::rectangle`].
///
/// It is kept as two corners, not as centre and half size: corners given by a tile map then stay
/// exact far from the origin, where the centre between them would have to be rounded.
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub struct Aabb {
    /// Lower left corner, relative to the entity.
    pub min: Vec2,
    /// Upper right corner, relative to the entity.
    pub max: Vec2,
}

impl Default for Aabb {
    /// A box of width and height 1 around the entity, like Bevy's `Rectangle`.
    fn default() -> Self {
        Self { min: Vec2::splat(-0.5), max: Vec2::splat(0.5) }
    }
}

impl Aabb {
    /// A box around `center` that reaches `half_size` to each side.
    ///
    /// # Errors
    /// A negative or non-finite half size, a non-finite centre.
    pub fn from_half_size(center: Vec2, half_size: Vec2) -> Result<Self, ShapeError> {
        let aabb = Self { min: center - half_size, max: center + half_size };
        aabb.validate().map(|()| aabb)
    }

    /// A box around `center` of this full width and height.
    ///
    /// # Errors
    /// A negative or non-finite size, a non-finite centre.
    pub fn from_size(center: Vec2, size: Vec2) -> Result<Self, ShapeError> {
        Self::from_half_size(center, size * 0.5)
    }

    /// The box spanned by two opposite corners, in any order.
    ///
    /// # Errors
    /// A non-finite corner.
    pub fn from_corners(corner: Vec2, opposite: Vec2) -> Result<Self, ShapeError> {
        // Checked before sorting: the smaller of a number and NaN is the number.
        if !corner.is_finite() || !opposite.is_finite() {
            return Err(ShapeError::NonFiniteBox { min: corner, max: opposite });
        }
        Ok(Self { min: corner.min(opposite), max: corner.max(opposite) })
    }

    /// The point halfway between the corners.
    #[must_use]
    pub fn center(&self) -> Vec2 {
        // Halved before adding, so that large corners do not overflow.
        self.min * 0.5 + self.max * 0.5
    }

    /// From the centre to the upper right corner.
    #[must_use]
    pub fn half_size(&self) -> Vec2 {
        self.max * 0.5 - self.min * 0.5
    }

    fn validate(&self) -> Result<(), ShapeError> {
        let Self { min, max } = *self;
        if !min.is_finite() || !max.is_finite() {
            return Err(ShapeError::NonFiniteBox { min, max });
        }
        if min.x > max.x || min.y > max.y {
            return Err(ShapeError::InvertedBox { min, max });
        }
        Ok(())
    }
}

/// A shape in the local space of its entity.
#[derive(Clone, Debug, PartialEq, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub enum Shape {
    /// A disc.
    Circle(Circle),
    /// A box that stays parallel to the world axes.
    Aabb(Aabb),
    /// A convex polygon, which turns with its entity. A rectangle, a triangle and a segment too.
    ConvexPolygon(ConvexPolygon),
    /// A polygon with dents or holes, which turns with its entity.
    Concave(ConcavePolygon),
    /// Several shapes that act as one.
    Compound(Compound),
}

impl Default for Shape {
    fn default() -> Self {
        Self::Circle(Circle::default())
    }
}

impl Shape {
    /// Checks what the constructors check.
    ///
    /// A shape can become unsound after its construction, through its public fields or by
    /// reflection. The plugin calls this whenever a collider changes.
    ///
    /// # Errors
    /// Names what is wrong with the shape.
    pub fn validate(&self) -> Result<(), ShapeError> {
        match self {
            Self::Circle(circle) => circle.validate(),
            Self::Aabb(aabb) => aabb.validate(),
            Self::ConvexPolygon(polygon) => Ok(polygon.validate()?),
            Self::Concave(polygon) => Ok(polygon.validate()?),
            Self::Compound(compound) => Ok(compound.validate()?),
        }
    }

    /// What the shape is called in a message or a panel: `circle`, `box`, `polygon`,
    /// `concave` or `compound`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Circle(_) => "circle",
            Self::Aabb(_) => "box",
            Self::ConvexPolygon(_) => "polygon",
            Self::Concave(_) => "concave",
            Self::Compound(_) => "compound",
        }
    }
}

impl From<Circle> for Shape {
    fn from(circle: Circle) -> Self {
        Self::Circle(circle)
    }
}

impl From<Aabb> for Shape {
    fn from(aabb: Aabb) -> Self {
        Self::Aabb(aabb)
    }
}

impl From<ConvexPolygon> for Shape {
    fn from(polygon: ConvexPolygon) -> Self {
        Self::ConvexPolygon(polygon)
    }
}

impl From<ConcavePolygon> for Shape {
    fn from(polygon: ConcavePolygon) -> Self {
        Self::Concave(polygon)
    }
}

impl From<Compound> for Shape {
    fn from(compound: Compound) -> Self {
        Self::Compound(compound)
    }
}

impl From<primitives::Circle> for Shape {
    /// A circle around the entity.
    fn from(circle: primitives::Circle) -> Self {
        Self::Circle(Circle { center: Vec2::ZERO, radius: circle.radius })
    }
}

impl TryFrom<primitives::Rectangle> for Shape {
    type Error = ShapeError;

    /// A rectangle that turns with the entity, as Bevy's does. See [`Aabb`] for one that does not.
    fn try_from(rectangle: primitives::Rectangle) -> Result<Self, ShapeError> {
        Ok(ConvexPolygon::rectangle(rectangle.half_size * 2.0)?.into())
    }
}

impl TryFrom<primitives::Triangle2d> for Shape {
    type Error = ShapeError;

    fn try_from(triangle: primitives::Triangle2d) -> Result<Self, ShapeError> {
        Ok(ConvexPolygon::new(triangle.vertices)?.into())
    }
}

impl TryFrom<primitives::RegularPolygon> for Shape {
    type Error = ShapeError;

    fn try_from(polygon: primitives::RegularPolygon) -> Result<Self, ShapeError> {
        Ok(ConvexPolygon::new(polygon.vertices(0.0))?.into())
    }
}

impl TryFrom<primitives::Capsule2d> for Shape {
    type Error = ShapeError;

    /// A capsule along the y axis, as Bevy's is.
    fn try_from(capsule: primitives::Capsule2d) -> Result<Self, ShapeError> {
        let top = Vec2::new(0.0, capsule.half_length);
        if top == Vec2::ZERO {
            return Ok(Circle::new(Vec2::ZERO, capsule.radius)?.into());
        }
        Ok(ConvexPolygon::capsule(-top, top, capsule.radius)?.into())
    }
}

impl TryFrom<primitives::Segment2d> for Shape {
    type Error = ShapeError;

    fn try_from(segment: primitives::Segment2d) -> Result<Self, ShapeError> {
        Ok(ConvexPolygon::segment(segment.point1(), segment.point2())?.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_in_any_order_span_the_same_box() {
        let expected = Aabb { min: Vec2::new(-1.0, 2.0), max: Vec2::new(3.0, 5.0) };
        for (a, b) in [
            ((-1.0, 2.0), (3.0, 5.0)),
            ((3.0, 5.0), (-1.0, 2.0)),
            ((-1.0, 5.0), (3.0, 2.0)),
            ((3.0, 2.0), (-1.0, 5.0)),
        ] {
            assert_eq!(Aabb::from_corners(a.into(), b.into()), Ok(expected), "{a:?} {b:?}");
        }
    }

    #[test]
    fn unsound_circles_and_boxes_are_refused_by_name() {
        assert_eq!(Circle::new(Vec2::ZERO, -5.0), Err(ShapeError::Radius(-5.0)));
        assert!(matches!(Circle::new(Vec2::ZERO, f32::NAN), Err(ShapeError::Radius(_))));
        assert!(matches!(Circle::new(Vec2::NAN, 1.0), Err(ShapeError::Center(_))));
        assert!(Circle::new(Vec2::ZERO, 0.0).is_ok(), "a point is a circle of radius 0");
        assert!(matches!(
            Aabb::from_half_size(Vec2::ZERO, Vec2::new(-1.0, 1.0)),
            Err(ShapeError::InvertedBox { .. })
        ));
        assert!(matches!(
            Aabb::from_corners(Vec2::NAN, Vec2::ONE),
            Err(ShapeError::NonFiniteBox { .. })
        ));
        assert!(Aabb::from_size(Vec2::ZERO, Vec2::new(0.0, 10.0)).is_ok(), "a segment is a box");
    }
}
