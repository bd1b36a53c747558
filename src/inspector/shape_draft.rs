//! A shape while it is edited: numbers that may be unsound for a while.

use bevy::math::Vec2;

use crate::geometry::{
    Aabb, Circle, Compound, CompoundPart, ConcavePolygon, ConvexPolygon, Shape, ShapeError,
};

/// The numbers of a shape.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ShapeDraft {
    Circle {
        center: Vec2,
        radius: f32,
    },
    Box {
        center: Vec2,
        size: Vec2,
    },
    Polygon {
        vertices: Vec<Vec2>,
        /// Full width and height. Changing it scales the vertices.
        size: Vec2,
        radius: f32,
    },
    Concave {
        outline: Vec<Vec2>,
        holes: Vec<Vec<Vec2>>,
        size: Vec2,
    },
    Compound(Vec<PartDraft>),
}

/// The numbers of a part of a compound.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PartDraft {
    pub(super) shape: ShapeDraft,
    pub(super) offset: Vec2,
    pub(super) rotation: f32,
}

/// Why a draft is no shape.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum DraftError {
    #[error("the size {0} is not finite and above 0")]
    Size(Vec2),
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

impl ShapeDraft {
    pub(super) fn of(shape: &Shape) -> Self {
        match shape {
            Shape::Circle(circle) => Self::Circle { center: circle.center, radius: circle.radius },
            Shape::Aabb(aabb) => Self::Box { center: aabb.center(), size: aabb.half_size() * 2.0 },
            Shape::ConvexPolygon(polygon) => {
                let vertices = polygon.vertices().to_vec();
                let size = size_of(&vertices);
                Self::Polygon { vertices, size, radius: polygon.radius() }
            }
            Shape::Concave(polygon) => {
                let outline = polygon.outline().to_vec();
                let size = size_of(&outline);
                Self::Concave { outline, holes: polygon.holes().to_vec(), size }
            }
            Shape::Compound(compound) => {
                let parts = compound.parts().iter().map(|part| PartDraft {
                    shape: Self::of(&part.shape),
                    offset: part.offset,
                    rotation: part.rotation,
                });
                Self::Compound(parts.collect())
            }
        }
    }

    /// Brings the numbers of a sound draft in line with each other: vertices and the size of all.
    pub(super) fn settle(&mut self) {
        match self {
            Self::Circle { .. } | Self::Box { .. } => {}
            Self::Polygon { vertices, size, .. } => {
                if let Ok(mut rings) = scaled([&*vertices], vertices, *size) {
                    *vertices = rings.remove(0);
                }
                *size = size_of(vertices);
            }
            Self::Concave { outline, holes, size } => {
                let rings = core::iter::once(&*outline).chain(&*holes);
                if let Ok(mut rings) = scaled(rings, outline, *size) {
                    *outline = rings.remove(0);
                    *holes = rings;
                }
                *size = size_of(outline);
            }
            Self::Compound(parts) => parts.iter_mut().for_each(|part| part.shape.settle()),
        }
    }

    /// The shape of these numbers.
    pub(super) fn build(&self) -> Result<Shape, DraftError> {
        let shape: Shape = match self {
            Self::Circle { center, radius } => Circle { center: *center, radius: *radius }.into(),
            Self::Box { center, size } => {
                let half = *size * 0.5;
                Aabb { min: *center - half, max: *center + half }.into()
            }
            Self::Polygon { vertices, size, radius } => {
                let vertices = scaled([vertices], vertices, *size)?.remove(0);
                let polygon = match vertices[..] {
                    [a, b] => ConvexPolygon::segment(a, b),
                    _ => ConvexPolygon::new(vertices),
                };
                let polygon = polygon.and_then(|polygon| polygon.with_radius(*radius));
                polygon.map_err(ShapeError::from)?.into()
            }
            Self::Concave { outline, holes, size } => {
                let rings = core::iter::once(outline).chain(holes);
                let mut rings = scaled(rings, outline, *size)?;
                let outline = rings.remove(0);
                ConcavePolygon::with_holes(outline, rings).map_err(ShapeError::from)?.into()
            }
            Self::Compound(parts) => {
                let parts: Result<Vec<_>, DraftError> = parts
                    .iter()
                    .map(|part| {
                        let shape = part.shape.build()?;
                        Ok(CompoundPart { shape, offset: part.offset, rotation: part.rotation })
                    })
                    .collect();
                Compound::new(parts?).map_err(ShapeError::from)?.into()
            }
        };
        shape.validate()?;
        Ok(shape)
    }
}

/// Rings of points, scaled so that `measured` among them gets a size. Around its middle, so that
/// the shape stays where it is.
fn scaled<'a>(
    rings: impl IntoIterator<Item = &'a Vec<Vec2>>,
    measured: &[Vec2],
    size: Vec2,
) -> Result<Vec<Vec<Vec2>>, DraftError> {
    let former = size_of(measured);
    let rings = rings.into_iter();
    if size == former || measured.is_empty() {
        return Ok(rings.cloned().collect());
    }
    // A segment along an axis has no size across it, which stays so.
    let is_sound =
        |size: f32, former: f32| size.is_finite() && (size > 0.0 || (size == 0.0 && former == 0.0));
    if !(is_sound(size.x, former.x) && is_sound(size.y, former.y)) {
        return Err(DraftError::Size(size));
    }
    let factor = |size: f32, former: f32| if former > 0.0 { size / former } else { 1.0 };
    let factor = Vec2::new(factor(size.x, former.x), factor(size.y, former.y));
    let (min, max) = bounds_of(measured);
    let center = min * 0.5 + max * 0.5;
    Ok(rings.map(|ring| ring.iter().map(|v| center + (v - center) * factor).collect()).collect())
}

fn size_of(points: &[Vec2]) -> Vec2 {
    let (min, max) = bounds_of(points);
    if points.is_empty() { Vec2::ZERO } else { max - min }
}

fn bounds_of(points: &[Vec2]) -> (Vec2, Vec2) {
    points.iter().fold((Vec2::MAX, Vec2::MIN), |(min, max), &p| (min.min(p), max.max(p)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes() -> Vec<Shape> {
        let dented = [(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (2.0, 1.0), (0.0, 2.0)].map(Vec2::from);
        let circle = Circle { center: Vec2::new(1.0, 2.0), radius: 3.0 };
        let capsule = ConvexPolygon::capsule(Vec2::ZERO, Vec2::X * 4.0, 1.0).expect("sound");
        vec![
            circle.into(),
            Aabb { min: Vec2::new(-1.0, -2.0), max: Vec2::new(3.0, 4.0) }.into(),
            ConvexPolygon::rectangle(Vec2::new(4.0, 2.0)).expect("sound").into(),
            capsule.into(),
            ConcavePolygon::new(dented).expect("simple").into(),
            Compound::new([CompoundPart::at(circle, Vec2::X).turned(1.0)]).expect("sound").into(),
        ]
    }

    #[test]
    fn a_draft_that_nobody_changed_is_the_shape_it_was_made_of() {
        for shape in shapes() {
            assert_eq!(ShapeDraft::of(&shape).build(), Ok(shape.clone()), "{}", shape.name());
        }
    }

    #[test]
    fn a_new_size_scales_around_the_middle() {
        let shape = ConvexPolygon::rectangle(Vec2::new(4.0, 2.0)).expect("sound").into();
        let mut draft = ShapeDraft::of(&shape);
        let ShapeDraft::Polygon { size, .. } = &mut draft else { panic!("a polygon") };
        assert_eq!(*size, Vec2::new(4.0, 2.0));
        *size = Vec2::new(8.0, 1.0);
        let larger = ConvexPolygon::rectangle(Vec2::new(8.0, 1.0)).expect("sound");
        assert_eq!(draft.build(), Ok(larger.into()));
    }

    #[test]
    fn unsound_numbers_are_refused_with_what_is_wrong() {
        for radius in [-1.0, f32::NAN, f32::INFINITY] {
            let draft = ShapeDraft::Circle { center: Vec2::ZERO, radius };
            let error = draft.build().expect_err("refused").to_string();
            assert!(error.contains("radius"), "{error}");
        }
        let draft = ShapeDraft::Box { center: Vec2::ZERO, size: Vec2::new(-2.0, 1.0) };
        assert!(draft.build().expect_err("refused").to_string().contains("inside out"));
        for bad in [0.0, -3.0, f32::NAN] {
            let shape = ConvexPolygon::rectangle(Vec2::new(4.0, 2.0)).expect("sound").into();
            let mut draft = ShapeDraft::of(&shape);
            let ShapeDraft::Polygon { size, .. } = &mut draft else { panic!("a polygon") };
            size.x = bad;
            assert!(matches!(draft.build(), Err(DraftError::Size(_))), "{bad}");
        }
        let mut draft = ShapeDraft::of(&shapes()[4]);
        let ShapeDraft::Concave { outline, size, .. } = &mut draft else { panic!("concave") };
        outline[3] = Vec2::new(2.0, -1.0);
        *size = size_of(outline);
        assert!(draft.build().is_err(), "its outline crosses itself");
    }

    #[test]
    fn a_segment_along_an_axis_keeps_its_width_of_nothing() {
        let shape = ConvexPolygon::segment(Vec2::ZERO, Vec2::X * 4.0).expect("sound").into();
        let mut draft = ShapeDraft::of(&shape);
        let ShapeDraft::Polygon { size, .. } = &mut draft else { panic!("a polygon") };
        size.x = 2.0;
        let shorter = ConvexPolygon::segment(Vec2::X, Vec2::X * 3.0).expect("sound");
        assert_eq!(draft.build(), Ok(shorter.into()));
    }
}
