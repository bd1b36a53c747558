//! Shapes in the world: what is tested, and what is drawn.

mod form;
mod lines;
mod placing;

use bevy::math::{Affine2, DVec2, Vec2, bounding::Aabb2d};
use std::sync::Arc;
use thiserror::Error;

pub use form::{FormCore, FormError, PlacedForm};

use super::cut::Cut;
use super::shape::{Shape, ShapeError};
use super::touch::Touch;

/// Why a shape has no place in the world.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PlacementError {
    /// The shape itself is unsound.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The transform holds NaN or infinity.
    #[error("its transform is not finite")]
    NonFinitePose,
    /// The transform flattens the plane: a scale of 0, or a shear without area.
    #[error("its transform is singular: a scale of 0 flattens it")]
    SingularPose,
    /// The place or size is beyond [`PlacedShape::FARTHEST`].
    #[error("its place or size is beyond the range of 1e37 world units")]
    OutOfRange,
}

/// A shape in world space.
///
/// It is an origin in the world and an outline relative to it, each rounded once to single
/// precision. This *is* the shape: every test is about exactly these numbers, and
/// drawing shows them. Because the outline does not contain the place, moving a shape never
/// changes its form, and pairs are as exact far from the world's origin as near it.
///
/// ```
/// use bevy::math::{Affine2, Vec2};
/// use bevy_nudge::geometry::{ConvexPolygon, PlacedShape, Shape};
///
/// let triangle = ConvexPolygon::triangle(Vec2::ZERO, Vec2::new(2.0, 0.0), Vec2::Y)?;
/// let mirrored = Affine2::from_scale(Vec2::new(-1.0, 1.0));
/// let placed = PlacedShape::new(&triangle.into(), mirrored)?;
/// assert!(placed.edges().any(|edge| edge.start == Vec2::new(-2.0, 0.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedShape {
    origin: Vec2,
    extent: f32,
    /// How far the shape reaches beyond its outline.
    radius: f32,
    stretched_radius: bool,
    outline: Outline,
}

/// The form of a placed shape, relative to its origin.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Outline {
    /// A single point, the origin: with a radius, a circle.
    Point,
    /// Parallel to the axes.
    Aabb { min: Vec2, max: Vec2 },
    /// The vertices, counter-clockwise, and after them as many outward unit normals: each of the
    /// edge that starts at its vertex. One list, which keeps the shape small and its numbers
    /// together.
    ///
    /// A segment is a rectangle of no width: its ends stand twice in the list, so that its four
    /// normals include both directions along it, which separate segments on one line.
    Polygon(Vec<Vec2>),
    /// Convex pieces, each with its origin relative to that of the whole.
    Pieces(Box<Pieces>),
}

/// The pieces of a concave or compound shape.
#[derive(Clone, Debug, Default)]
pub(super) struct Pieces {
    // INVARIANT: not empty once placed, and none of them has pieces itself.
    pub(super) list: Vec<PlacedShape>,
    /// The closed outlines of a concave shape, hole after hole. Relative to the origin.
    pub(super) rings: Vec<Vec<Vec2>>,
    /// The parts of a compound, each placed as a whole; scratch, kept for its buffers.
    parts: Vec<PlacedShape>,
    /// What the pieces of a concave shape were placed from, to use again when it turns.
    cut: Arc<Cut>,
}

impl PartialEq for Pieces {
    /// Compares where the pieces are, not what they were placed from.
    fn eq(&self, other: &Self) -> bool {
        self.list == other.list && self.rings == other.rings
    }
}

/// What of a shape a first look needs, small enough to be copied: a circle as a whole, of any other
/// shape where it is and how far it reaches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Disc {
    pub(crate) origin: Vec2,
    pub(crate) extent: f32,
    pub(crate) is_circle: bool,
}

impl Disc {
    #[inline]
    pub(crate) fn is_circle(&self) -> bool {
        self.is_circle
    }
}

/// One side of a polygon or box: for the panel and for drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Where it starts, in world space.
    pub start: Vec2,
    /// Where it ends, counter-clockwise from the start.
    pub end: Vec2,
    /// Outward unit normal.
    pub normal: Vec2,
}

impl PlacedShape {
    /// The largest coordinate and extent of a placed shape, in world units: sums and depths of two
    /// such shapes stay within single precision.
    pub const FARTHEST: f32 = 1e37;

    /// Places a shape by an affine map: translation, rotation, scale, mirror and shear.
    ///
    /// Polygons are exact under all of it. A circle under an unequal scale stays a circle with
    /// the larger semi-axis as radius, see [`has_stretched_radius`](Self::has_stretched_radius). An
    /// [`Aabb`](super::Aabb) takes the lengths of the map's axes as scale and ignores the rotation.
    ///
    /// # Errors
    /// An unsound shape; a map that is not finite or flattens the plane; a result beyond the
    /// range of `f32`.
    ///
    /// # Cost
    /// O(n) for n vertices.
    pub fn new(shape: &Shape, pose: Affine2) -> Result<Self, PlacementError> {
        shape.validate()?;
        let mut placed = Self::point(Vec2::ZERO);
        placed.place(shape, pose)?;
        Ok(placed)
    }

    /// A single point, as a circle of radius 0.
    #[must_use]
    pub fn point(point: Vec2) -> Self {
        Self {
            origin: point,
            extent: 0.0,
            radius: 0.0,
            stretched_radius: false,
            outline: Outline::Point,
        }
    }

    fn check_range(&self) -> Result<(), PlacementError> {
        let is_near = |x: f32| x.abs() <= Self::FARTHEST;
        if is_near(self.origin.x) && is_near(self.origin.y) && is_near(self.extent) {
            Ok(())
        } else {
            Err(PlacementError::OutOfRange)
        }
    }

    /// The reference point of the shape in the world: its centre.
    #[must_use]
    #[inline]
    pub fn origin(&self) -> Vec2 {
        self.origin
    }

    /// The largest coordinate of the outline relative to the [`origin`](Self::origin), in world
    /// units: half the longer side of the bounds. The rounding of every test is relative to it.
    #[must_use]
    #[inline]
    pub fn extent(&self) -> f32 {
        self.extent
    }

    /// Whether this is a circle or rounded polygon under an unequal scale, whose radius is that of
    /// the larger semi-axis: its arcs stay circles and do not become ellipses.
    #[must_use]
    pub fn has_stretched_radius(&self) -> bool {
        self.stretched_radius
    }

    /// The radius, if the shape is a circle.
    #[must_use]
    pub fn radius(&self) -> Option<f32> {
        matches!(self.outline, Outline::Point).then_some(self.radius)
    }

    #[inline]
    pub(crate) fn disc(&self) -> Disc {
        let is_circle = matches!(self.outline, Outline::Point);
        Disc { origin: self.origin, extent: self.extent, is_circle }
    }

    /// How far the shape reaches beyond its core, which is the centre of a circle and the polygon
    /// of the vertices of a rounded polygon. World units; 0 for all other shapes.
    #[must_use]
    pub fn rounding(&self) -> f32 {
        self.radius
    }

    /// The smallest box in world space that surely holds the shape, rounded outward.
    #[must_use]
    pub fn bounds(&self) -> Aabb2d {
        self.bounds_with_margin(0.0)
    }

    /// The bounds, grown on each side by the tolerance that two shapes may need to touch: what the
    /// broad phase compares. Colliders whose boxes do not meet are never tested.
    #[must_use]
    pub fn touch_bounds(&self, touch: &Touch) -> Aabb2d {
        self.bounds_with_margin(touch.tolerance(f64::from(self.extent)) as f32)
    }

    /// The bounds relative to the origin, grown on each side by the tolerance that two shapes may
    /// need to touch.
    pub(crate) fn touch_reach(&self, touch: &Touch) -> Aabb2d {
        let (min, max) = self.reach(touch.tolerance(f64::from(self.extent)) as f32);
        Aabb2d { min, max }
    }

    pub(crate) fn bounds_with_margin(&self, margin: f32) -> Aabb2d {
        let (min, max) = self.reach(margin);
        // Each addition may round towards the inside.
        let down = |x: f32| x.next_down().max(f32::MIN);
        let up = |x: f32| x.next_up().min(f32::MAX);
        Aabb2d { min: (self.origin + min).map(down), max: (self.origin + max).map(up) }
    }

    /// From where to where the shape reaches relative to its origin, and so much farther, rounded
    /// outward.
    fn reach(&self, margin: f32) -> (Vec2, Vec2) {
        let (min, max) = self.reach_rounded();
        let (min, max) = (min - Vec2::splat(margin), max + Vec2::splat(margin));
        (min.map(f32::next_down), max.map(f32::next_up))
    }

    /// As [`reach`](Self::reach), rounded to the nearest.
    fn reach_rounded(&self) -> (Vec2, Vec2) {
        match &self.outline {
            Outline::Point => (Vec2::splat(-self.radius), Vec2::splat(self.radius)),
            Outline::Aabb { min, max } => (*min, *max),
            Outline::Polygon(corners) => {
                let (min, max) = bounds_of(&corners[..corners.len() / 2]);
                (min - self.radius, max + self.radius)
            }
            Outline::Pieces(pieces) => {
                pieces.list.iter().fold((Vec2::MAX, Vec2::MIN), |(min, max), piece| {
                    let bounds = piece.bounds();
                    (min.min(bounds.min), max.max(bounds.max))
                })
            }
        }
    }

    /// Whether the [`touch_bounds`](Self::touch_bounds) of two shapes meet.
    pub(super) fn bounds_meet(&self, other: &Self, touch: &Touch) -> bool {
        // Nearly always they meet without being grown, and outward rounding takes most of the time.
        let place = |shape: &Self| {
            let (origin, (min, max)) = (shape.origin.as_dvec2(), shape.reach_rounded());
            (origin + min.as_dvec2(), origin + max.as_dvec2())
        };
        let ((min, max), (other_min, other_max)) = (place(self), place(other));
        if (min.cmple(other_max) & other_min.cmple(max)).all() {
            return true;
        }
        let (one, other) = (self.touch_bounds(touch), other.touch_bounds(touch));
        (one.min.cmple(other.max) & other.min.cmple(one.max)).all()
    }

    /// The shape moved by a vector in world units, as by an MTV. Its form stays the same to the bit;
    /// its place is rounded to single precision.
    ///
    /// # Errors
    /// [`PlacementError::OutOfRange`] if the new place is not finite or beyond
    /// [`FARTHEST`](Self::FARTHEST).
    ///
    /// # Cost
    /// That of a clone.
    ///
    /// ```
    /// use bevy::math::{Affine2, Vec2};
    /// use bevy_nudge::geometry::{Aabb, PlacedShape, TouchRule, contact};
    ///
    /// let square = PlacedShape::new(&Aabb::default().into(), Affine2::IDENTITY)?;
    /// let other = square.translated(Vec2::new(0.75, 0.0))?;
    /// let push = contact(&square, &other, TouchRule::Exclusive).unwrap().mtv();
    /// let parted = other.translated(push)?;
    /// assert!(contact(&square, &parted, TouchRule::Exclusive).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn translated(&self, displacement: Vec2) -> Result<Self, PlacementError> {
        let mut moved = self.clone();
        moved.origin += displacement;
        moved.check_range().map(|()| moved)
    }

    /// How much memory the shape takes, with all that it holds, in bytes. What copies of a concave
    /// shape share is not counted.
    #[must_use]
    pub fn memory_size(&self) -> usize {
        let held = match &self.outline {
            Outline::Point | Outline::Aabb { .. } => 0,
            Outline::Polygon(corners) => corners.capacity() * size_of::<Vec2>(),
            Outline::Pieces(pieces) => {
                let rings = pieces
                    .rings
                    .iter()
                    .map(|ring| size_of::<Vec<Vec2>>() + ring.capacity() * size_of::<Vec2>());
                size_of::<Pieces>()
                    + pieces.list.iter().map(Self::memory_size).sum::<usize>()
                    + rings.sum::<usize>()
            }
        };
        size_of::<Self>() + held
    }

    /// Moves the shape in the world. Its form stays as it is, to the bit.
    pub(crate) fn move_to(&mut self, origin: Vec2) {
        self.origin = origin;
    }

    /// Whether the shape is one convex piece, as all are but concave and compound ones.
    #[must_use]
    #[inline]
    pub fn is_convex(&self) -> bool {
        !matches!(self.outline, Outline::Pieces(_))
    }

    /// The convex pieces, each with its reference point relative to that of the whole. A convex
    /// shape is its own single piece.
    pub(super) fn parts(&self) -> impl Iterator<Item = (&Self, DVec2)> {
        let (list, is_nested) = match &self.outline {
            Outline::Pieces(pieces) => (&pieces.list[..], true),
            _ => (core::slice::from_ref(self), false),
        };
        list.iter()
            .map(move |part| (part, if is_nested { part.origin.as_dvec2() } else { DVec2::ZERO }))
    }

    /// One of the [`parts`](Self::parts).
    pub(super) fn part(&self, index: usize) -> &Self {
        match &self.outline {
            Outline::Pieces(pieces) => &pieces.list[index],
            _ => self,
        }
    }

    pub(super) fn outline(&self) -> &Outline {
        &self.outline
    }

    /// Reads the first and the last corner: whoever does so for many shapes before looking at any of
    /// them waits for memory once.
    #[inline]
    pub(crate) fn glance(&self) -> f32 {
        match &self.outline {
            Outline::Polygon(corners) => {
                let x = |corner: Option<&Vec2>| corner.map_or(0.0, |corner| corner.x);
                x(corners.first()) + x(corners.last())
            }
            Outline::Point | Outline::Aabb { .. } | Outline::Pieces(_) => 0.0,
        }
    }

    /// The shape as vertices and normals, unless it is a circle or has pieces. The radius comes on
    /// top.
    pub(super) fn as_polygon(&self) -> Option<PolygonView<'_>> {
        match &self.outline {
            Outline::Point | Outline::Pieces(_) => None,
            Outline::Aabb { min, max } => Some(PolygonView::Aabb(box_corners(*min, *max))),
            Outline::Polygon(corners) => {
                let (vertices, normals) = corners.split_at(corners.len() / 2);
                Some(PolygonView::Polygon(vertices, normals))
            }
        }
    }
}

/// Vertices and outward normals relative to the shape's origin; those of a box are made on the
/// spot.
pub(super) enum PolygonView<'a> {
    Aabb([Vec2; 4]),
    Polygon(&'a [Vec2], &'a [Vec2]),
}

impl PolygonView<'_> {
    #[inline]
    pub(super) fn vertices(&self) -> &[Vec2] {
        match self {
            Self::Aabb(vertices) => vertices,
            Self::Polygon(vertices, _) => vertices,
        }
    }

    #[inline]
    pub(super) fn normals(&self) -> &[Vec2] {
        match self {
            Self::Aabb(_) => &BOX_NORMALS,
            Self::Polygon(_, normals) => normals,
        }
    }
}

/// The outward normals of a box, in the order of [`box_corners`].
pub(super) const BOX_NORMALS: [Vec2; 4] = [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y];

fn box_corners(min: Vec2, max: Vec2) -> [Vec2; 4] {
    [Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y), min]
}

fn bounds_of(points: &[Vec2]) -> (Vec2, Vec2) {
    points.iter().fold((Vec2::MAX, Vec2::MIN), |(min, max), &p| (min.min(p), max.max(p)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::ConvexPolygon;

    #[test]
    fn a_translated_shape_is_the_one_placed_there() {
        let triangle = ConvexPolygon::triangle(Vec2::ZERO, Vec2::new(2.0, 0.0), Vec2::Y);
        let triangle = Shape::from(triangle.expect("a triangle"));
        let place = |at| PlacedShape::new(&triangle, Affine2::from_translation(at));
        let here = place(Vec2::new(0.25, -3.0)).expect("placed");
        assert_eq!(here.translated(Vec2::new(1.5, 0.5)), place(Vec2::new(1.75, -2.5)));
        for away in
            [Vec2::NAN, Vec2::splat(f32::INFINITY), Vec2::new(2.0 * PlacedShape::FARTHEST, 0.0)]
        {
            assert_eq!(here.translated(away), Err(PlacementError::OutOfRange), "{away}");
        }
    }
}
