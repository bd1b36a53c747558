//! The exact numbers of a placed shape, to keep and to make it again from.

use bevy::math::Vec2;
use thiserror::Error;

use super::placing::{extent_of, push_normals};
use super::{Outline, Pieces, PlacedShape};

/// The numbers that a placed shape is made of. World units; all but the origin relative to it.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedForm {
    /// See [`PlacedShape::origin`].
    pub origin: Vec2,
    /// See [`PlacedShape::extent`].
    pub extent: f32,
    /// See [`PlacedShape::rounding`].
    pub radius: f32,
    /// See [`PlacedShape::has_stretched_radius`].
    pub has_stretched_radius: bool,
    /// What the radius is around.
    pub core: FormCore,
}

/// The core of a placed shape, without its radius.
#[derive(Clone, Debug, PartialEq)]
pub enum FormCore {
    /// The origin: with a radius, a circle.
    Point,
    /// A box parallel to the axes.
    Box {
        /// Lower left corner.
        min: Vec2,
        /// Upper right corner.
        max: Vec2,
    },
    /// The vertices, counter-clockwise. A segment has both ends twice.
    Polygon(Vec<Vec2>),
    /// Convex pieces of a concave or compound shape.
    Pieces {
        /// The pieces, each with its origin relative to that of the whole.
        pieces: Vec<PlacedForm>,
        /// The lines that bound a concave shape.
        rings: Vec<Vec<Vec2>>,
    },
}

/// Why numbers are no placed shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FormError {
    /// A number is NaN or infinite, or beyond [`PlacedShape::FARTHEST`].
    #[error("a number of the shape is not finite, or beyond the range of 1e37 world units")]
    OutOfRange,
    /// A radius or a size is negative.
    #[error("a radius or a size is negative")]
    Negative,
    /// A polygon has fewer than three vertices.
    #[error("a polygon has fewer than three vertices")]
    TooFewVertices,
    /// A polygon runs clockwise or has a dent.
    #[error("a polygon is not convex and counter-clockwise")]
    NotConvex,
    /// A shape of pieces has none, or a piece has pieces itself.
    #[error("a shape of pieces has none, or a piece has pieces itself")]
    Pieces,
}

impl PlacedShape {
    /// The numbers of the shape.
    #[must_use]
    pub fn form(&self) -> PlacedForm {
        let core = match &self.outline {
            Outline::Point => FormCore::Point,
            Outline::Aabb { min, max } => FormCore::Box { min: *min, max: *max },
            Outline::Polygon(corners) => FormCore::Polygon(corners[..corners.len() / 2].to_vec()),
            Outline::Pieces(pieces) => FormCore::Pieces {
                pieces: pieces.list.iter().map(Self::form).collect(),
                rings: pieces.rings.clone(),
            },
        };
        PlacedForm {
            origin: self.origin,
            extent: self.extent,
            radius: self.radius,
            has_stretched_radius: self.stretched_radius,
            core,
        }
    }

    /// The shape of these numbers: to the bit the one whose [`form`](Self::form) they are.
    ///
    /// # Errors
    /// Numbers that no placed shape has.
    pub fn from_form(form: &PlacedForm) -> Result<Self, FormError> {
        Self::from_form_of(form, Depth::Whole)
    }

    fn from_form_of(form: &PlacedForm, depth: Depth) -> Result<Self, FormError> {
        let is_near = |x: f32| x.abs() <= Self::FARTHEST;
        let are_near = |points: &[Vec2]| points.iter().all(|p| is_near(p.x) && is_near(p.y));
        if !are_near(&[form.origin]) || !is_near(form.radius) || !is_near(form.extent) {
            return Err(FormError::OutOfRange);
        }
        if form.radius < 0.0 || form.extent < 0.0 {
            return Err(FormError::Negative);
        }
        let mut extent = form.extent;
        let outline = match &form.core {
            FormCore::Point => {
                extent = form.radius;
                Outline::Point
            }
            FormCore::Box { min, max } => {
                if !are_near(&[*min, *max]) {
                    return Err(FormError::OutOfRange);
                }
                if !min.cmple(*max).all() {
                    return Err(FormError::Negative);
                }
                extent = max.max(-min).max_element();
                Outline::Aabb { min: *min, max: *max }
            }
            FormCore::Polygon(vertices) => {
                if !are_near(vertices) {
                    return Err(FormError::OutOfRange);
                }
                let is_segment = match vertices[..] {
                    [a, b, c, d] => a == d && b == c,
                    [_, _, _, ..] => false,
                    _ => return Err(FormError::TooFewVertices),
                };
                extent = extent_of(vertices) + form.radius;
                if !is_segment && !turns_left(vertices, extent) {
                    return Err(FormError::NotConvex);
                }
                let mut corners = vertices.clone();
                push_normals(&mut corners, is_segment);
                if corners.iter().any(|corner| !corner.is_finite()) {
                    return Err(FormError::NotConvex);
                }
                Outline::Polygon(corners)
            }
            FormCore::Pieces { pieces, rings } => {
                if pieces.is_empty() || depth == Depth::Piece {
                    return Err(FormError::Pieces);
                }
                if !rings.iter().all(|ring| are_near(ring)) {
                    return Err(FormError::OutOfRange);
                }
                let list = pieces.iter().map(|piece| Self::from_form_of(piece, Depth::Piece));
                let list = list.collect::<Result<_, _>>()?;
                let rings = rings.clone();
                Outline::Pieces(Box::new(Pieces { list, rings, ..Pieces::default() }))
            }
        };
        Ok(Self {
            origin: form.origin,
            extent,
            radius: form.radius,
            stretched_radius: form.has_stretched_radius,
            outline,
        })
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Depth {
    Whole,
    Piece,
}

/// Whether a closed line turns left at every corner, up to rounding, and once around in all.
fn turns_left(vertices: &[Vec2], extent: f32) -> bool {
    let n = vertices.len();
    let at = |i: usize| vertices[i % n].as_dvec2();
    let tolerance = 8.0 * f64::from(f32::EPSILON) * f64::from(extent);
    let mut area = 0.0;
    for i in 0..n {
        let (before, corner, after) = (at(i), at(i + 1), at(i + 2));
        area += before.perp_dot(corner);
        let base = after - before;
        if base.perp_dot(corner - before) > tolerance * base.length() {
            return false;
        }
        // Seen from one corner, a line that goes around twice turns back.
        if i > 0 && (corner - at(0)).perp_dot(after - at(0)) < -tolerance * base.length() {
            return false;
        }
    }
    area >= 0.0
}

#[cfg(test)]
mod tests {
    use bevy::math::Affine2;

    use super::super::super::{
        Aabb, Circle, Compound, CompoundPart, ConcavePolygon, ConvexPolygon, Shape,
    };
    use super::*;

    fn shapes() -> Vec<Shape> {
        let dented = [(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (2.0, 1.0), (0.0, 2.0)].map(Vec2::from);
        let capsule = ConvexPolygon::capsule(Vec2::ZERO, Vec2::X * 4.0, 1.0).expect("sound");
        let dented = ConcavePolygon::new(dented).expect("simple");
        let parts: [CompoundPart; 2] =
            [capsule.clone().into(), CompoundPart::at(dented.clone(), Vec2::Y).turned(0.4)];
        vec![
            Circle { center: Vec2::ONE, radius: 3.0 }.into(),
            Aabb { min: Vec2::new(-1.0, -2.0), max: Vec2::new(3.0, 4.0) }.into(),
            ConvexPolygon::regular(7, 2.0).expect("sound").into(),
            ConvexPolygon::segment(Vec2::ZERO, Vec2::new(3.0, 1.0)).expect("sound").into(),
            capsule.into(),
            dented.into(),
            Compound::new(parts).expect("sound").into(),
        ]
    }

    #[test]
    fn a_shape_made_from_its_form_is_the_same_to_the_bit() {
        for shape in shapes() {
            for (angle, scale) in [(0.0, Vec2::ONE), (0.7, Vec2::new(2.0, -0.3)), (2.9, Vec2::ONE)]
            {
                let pose =
                    Affine2::from_scale_angle_translation(scale, angle, Vec2::new(1e4, -0.1));
                let placed = PlacedShape::new(&shape, pose).expect("placed");
                let again = PlacedShape::from_form(&placed.form());
                assert_eq!(again, Ok(placed), "{} {angle}", shape.name());
            }
        }
    }

    #[test]
    fn numbers_of_no_shape_are_refused() {
        let point = PlacedShape::point(Vec2::ZERO).form();
        let polygon = |points: &[(f32, f32)]| PlacedForm {
            core: FormCore::Polygon(points.iter().map(|&p| Vec2::from(p)).collect()),
            ..point.clone()
        };
        let star: Vec<_> = (0..5).map(|i| Vec2::from_angle(i as f32 * 2.513).into()).collect();
        let pieces = |pieces| PlacedForm {
            core: FormCore::Pieces { pieces, rings: Vec::new() },
            ..point.clone()
        };
        for (name, form, error) in [
            ("radius", PlacedForm { radius: -1.0, ..point.clone() }, FormError::Negative),
            ("NaN", PlacedForm { radius: f32::NAN, ..point.clone() }, FormError::OutOfRange),
            (
                "far",
                PlacedForm { origin: Vec2::splat(1e38), ..point.clone() },
                FormError::OutOfRange,
            ),
            ("short", polygon(&[(0.0, 0.0), (1.0, 0.0)]), FormError::TooFewVertices),
            ("clockwise", polygon(&[(0.0, 0.0), (0.0, 1.0), (1.0, 0.0)]), FormError::NotConvex),
            ("star", polygon(&star), FormError::NotConvex),
            ("at one place", polygon(&[(1.0, 1.0); 5]), FormError::NotConvex),
            ("no pieces", pieces(Vec::new()), FormError::Pieces),
            ("nested", pieces(vec![pieces(vec![point.clone()])]), FormError::Pieces),
        ] {
            assert_eq!(PlacedShape::from_form(&form), Err(error), "{name}");
        }
    }
}
