//! Several shapes that act as one.

use bevy::math::{Affine2, Mat2, Vec2};
use bevy::reflect::{Reflect, std_traits::ReflectDefault};
use thiserror::Error;

use super::shape::{Shape, ShapeError};

/// Why a list of parts is no compound. Parts are counted from 0.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CompoundError {
    /// There are no parts.
    #[error("a compound needs at least one part")]
    Empty,
    /// The offset or the rotation of a part is NaN or infinite.
    #[error("the offset {offset} or the rotation {rotation} of part {part} is not finite")]
    NonFinite {
        /// Which part.
        part: usize,
        /// Its offset.
        offset: Vec2,
        /// Its rotation in radians.
        rotation: f32,
    },
    /// A part is a compound itself. Its parts can be listed instead.
    #[error("part {part} is a compound itself; list its parts instead")]
    Nested {
        /// Which part.
        part: usize,
    },
    /// The shape of a part is unsound.
    #[error("part {part}: {error}")]
    Shape {
        /// Which part.
        part: usize,
        /// What is wrong with its shape.
        #[source]
        error: Box<ShapeError>,
    },
}

/// A shape at its place in a [`Compound`].
///
/// The shape is turned by `rotation` around the origin of its own space and then moved by
/// `offset`. The sides of an [`Aabb`](super::Aabb) stay parallel to the world axes: for it the
/// rotation turns its own offset from that origin, and nothing else.
#[derive(Clone, Debug, PartialEq, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
// The shape of a part may become a compound, whose bounds would lead back here without end.
#[reflect(no_field_bounds)]
pub struct CompoundPart {
    /// Any shape but a compound.
    pub shape: Shape,
    /// Where the origin of the shape's space lies, relative to the entity.
    pub offset: Vec2,
    /// Angle in radians, counter-clockwise.
    pub rotation: f32,
}

impl Default for CompoundPart {
    /// The default shape at the entity.
    fn default() -> Self {
        Shape::default().into()
    }
}

impl<S: Into<Shape>> From<S> for CompoundPart {
    /// The shape as it lies in the space of the entity.
    fn from(shape: S) -> Self {
        Self { shape: shape.into(), offset: Vec2::ZERO, rotation: 0.0 }
    }
}

impl CompoundPart {
    /// A shape moved by `offset`.
    #[must_use]
    pub fn at(shape: impl Into<Shape>, offset: Vec2) -> Self {
        Self { shape: shape.into(), offset, rotation: 0.0 }
    }

    /// The same part with its shape turned to this angle, in radians counter-clockwise.
    #[must_use]
    pub fn turned(mut self, rotation: f32) -> Self {
        self.rotation = rotation;
        self
    }

    /// From the space of the shape to that of the entity.
    #[must_use]
    pub fn pose(&self) -> Affine2 {
        if self.rotation == 0.0 {
            return Affine2::from_translation(self.offset);
        }
        let (sin, cos) = sin_cos(self.rotation);
        let turn = Mat2::from_cols(Vec2::new(cos, sin), Vec2::new(-sin, cos));
        Affine2::from_mat2_translation(turn, self.offset)
    }

    fn validate(&self, part: usize) -> Result<(), CompoundError> {
        let Self { ref shape, offset, rotation } = *self;
        if !offset.is_finite() || !rotation.is_finite() {
            return Err(CompoundError::NonFinite { part, offset, rotation });
        }
        if matches!(shape, Shape::Compound(_)) {
            return Err(CompoundError::Nested { part });
        }
        shape.validate().map_err(|error| CompoundError::Shape { part, error: Box::new(error) })
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "in double precision and rounded: libraries that differ in the last bit agree"
)]
fn sin_cos(angle: f32) -> (f32, f32) {
    let (sin, cos) = f64::from(angle).sin_cos();
    (sin as f32, cos as f32)
}

/// Several shapes that act as one: one collider, one contact, one push.
///
/// Parts may overlap or lie apart. Its solid is all of them together.
///
/// ```
/// use bevy::math::Vec2;
/// use bevy_nudge::geometry::{Circle, Compound, CompoundPart, ConvexPolygon};
///
/// let handle = ConvexPolygon::rectangle(Vec2::new(4.0, 0.5))?;
/// let head = Circle::new(Vec2::ZERO, 1.0)?;
/// let hammer = Compound::new([handle.into(), CompoundPart::at(head, Vec2::new(2.0, 0.0))])?;
/// assert_eq!(hammer.parts().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub struct Compound {
    parts: Vec<CompoundPart>,
}

impl Default for Compound {
    /// A single part: the default shape at the entity.
    fn default() -> Self {
        Self { parts: vec![CompoundPart::default()] }
    }
}

impl Compound {
    /// The compound of these parts.
    ///
    /// # Errors
    /// No parts; a part with a non-finite offset or rotation, an unsound shape, or a shape that is
    /// a compound itself.
    pub fn new(parts: impl IntoIterator<Item = CompoundPart>) -> Result<Self, CompoundError> {
        let compound = Self { parts: parts.into_iter().collect() };
        compound.validate().map(|()| compound)
    }

    /// The parts, in the order given.
    #[must_use]
    pub fn parts(&self) -> &[CompoundPart] {
        &self.parts
    }

    /// Checks what the constructor checks.
    pub(super) fn validate(&self) -> Result<(), CompoundError> {
        if self.parts.is_empty() {
            return Err(CompoundError::Empty);
        }
        self.parts.iter().enumerate().try_for_each(|(index, part)| part.validate(index))
    }
}

#[cfg(test)]
mod tests {
    use bevy::reflect::{FromReflect, GetTypeRegistration, PartialReflect, TypeRegistry, Typed};

    use super::super::shape::{Aabb, Circle};
    use super::*;

    #[test]
    fn faults_name_the_part() {
        let circle = Circle::default();
        assert_eq!(Compound::new([]), Err(CompoundError::Empty));
        let lost = CompoundPart::at(circle, Vec2::new(f32::NAN, 0.0));
        let spun = CompoundPart::from(circle).turned(f32::INFINITY);
        for bad in [lost, spun] {
            let error = Compound::new([circle.into(), bad]).unwrap_err();
            assert!(matches!(error, CompoundError::NonFinite { part: 1, .. }), "{error}");
        }
        let nested = Compound::default();
        let error = Compound::new([circle.into(), nested.into()]).unwrap_err();
        assert_eq!(error, CompoundError::Nested { part: 1 });
        let inside_out = Circle { radius: -1.0, ..circle };
        let error = Compound::new([inside_out.into(), circle.into()]).unwrap_err();
        let expected = Box::new(ShapeError::Radius(-1.0));
        assert_eq!(error, CompoundError::Shape { part: 0, error: expected });
    }

    #[test]
    fn parts_turn_around_their_own_origin_and_then_move() {
        let part = CompoundPart::at(Aabb::default(), Vec2::new(10.0, 0.0))
            .turned(core::f32::consts::FRAC_PI_2);
        let moved = part.pose().transform_point2(Vec2::new(2.0, 0.0));
        assert!(moved.distance(Vec2::new(10.0, 2.0)) < 1e-6, "{moved}");
    }

    /// What [`Shape`] is to become: a part holds a shape that may hold parts.
    #[derive(Clone, Debug, Default, PartialEq, Reflect)]
    #[reflect(Default, Clone, PartialEq, Debug)]
    enum Nesting {
        #[default]
        Point,
        Compound(NestingList),
    }

    #[derive(Clone, Debug, Default, PartialEq, Reflect)]
    #[reflect(Default, Clone, PartialEq, Debug)]
    struct NestingList {
        parts: Vec<NestingPart>,
    }

    #[derive(Clone, Debug, Default, PartialEq, Reflect)]
    #[reflect(Default, Clone, PartialEq, Debug)]
    #[reflect(no_field_bounds)]
    struct NestingPart {
        shape: Nesting,
        offset: Vec2,
    }

    #[test]
    fn reflection_copes_with_a_shape_that_holds_shapes() {
        let inner = NestingPart { offset: Vec2::X, ..NestingPart::default() };
        let shape = Nesting::Compound(NestingList { parts: vec![inner] });
        assert_eq!(Nesting::from_reflect(&shape), Some(shape.clone()));
        assert_eq!(Nesting::from_reflect(shape.to_dynamic().as_ref()), Some(shape));
        let mut registry = TypeRegistry::default();
        registry.register::<Nesting>();
        assert!(registry.contains(core::any::TypeId::of::<NestingPart>()));
        assert!(Nesting::type_info().as_enum().is_ok());
        let _ = Compound::get_type_registration();
    }
}
