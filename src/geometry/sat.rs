//! The one loop over separating axes.
//!
//! Two convex shapes are apart exactly when some axis shows a gap between their shadows. Only a
//! few axes need a look: the edge normals of both shapes, the line between two centres, and the
//! line between a corner and what is nearest to it. The **largest** gap among them is the signed
//! separation of the pair, and its axis the normal.
//!
//! [`visit_axes`] shows these axes to a listener, one after the other. The listener of
//! [`contact`](super::contact) keeps the largest gap and stops at the first one that parts the
//! shapes; a listener that draws or explains can look at every axis. Both run the same loop, so
//! an explanation cannot disagree with the engine.
//!
//! Everything is computed in double precision and relative to A: products of single precision
//! numbers are exact there, squares do not overflow, and a pair far from the world's origin is as
//! exact as one near it.
//!
//! Method: separating axis theorem; Ericson, *Real-Time Collision Detection* (2005), section 5.2.
//! The circle against a polygon goes by the Voronoi regions of the nearest edge.

use core::ops::ControlFlow;

use bevy::math::{DVec2, Vec2};

use super::distance::{nearest_corner, nearest_points};
use super::placed::{BOX_NORMALS, Outline, PlacedShape, PolygonView};
use super::support::{Corners, lowest};
use super::touch::{Relation, TouchBand};

/// Where a candidate axis comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisSource {
    /// The normal of this edge of A, counted as in [`PlacedShape::edges`].
    EdgeOfA(usize),
    /// The normal of this edge of B.
    EdgeOfB(usize),
    /// From this corner of A to the centre of the circle B.
    CornerOfA(usize),
    /// From the centre of the circle A to this corner of B.
    CornerOfB(usize),
    /// From centre to centre of two circles.
    LineOfCenters,
    /// From the nearest corner of A to the nearest corner of B. Only looked at when no edge
    /// overlaps, since it cannot show a larger gap otherwise.
    NearestCorners,
}

/// The shadow of a shape on an axis: from the smallest to the largest coordinate along it, in
/// world units, relative to A's [`origin`](PlacedShape::origin).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub min: f64,
    /// The upper end.
    pub max: f64,
}

/// One candidate axis of a pair, directed from A to B.
#[derive(Clone, Copy)]
pub struct SeparatingAxis<'s> {
    source: AxisSource,
    pub(super) measure: Measure,
    a: &'s PlacedShape,
    b: &'s PlacedShape,
    /// From A's reference point to B's.
    offset: DVec2,
}

/// How the gap along an axis is known. The second form needs a square root only if someone asks
/// for the number.
#[derive(Clone, Copy)]
pub(super) enum Measure {
    Along {
        normal: DVec2,
        gap: f64,
    },
    /// Between two points `vector` apart; the gap is its length minus `reach`.
    Between {
        vector: DVec2,
        reach: f64,
    },
}

impl Measure {
    #[inline]
    pub(super) fn normal(&self) -> DVec2 {
        match *self {
            Self::Along { normal, .. } => normal,
            // Centres at one place: +x by convention.
            Self::Between { vector, .. } => vector.try_normalize().unwrap_or(DVec2::X),
        }
    }

    /// Normal and gap at once: one square root for both.
    #[inline]
    pub(super) fn resolve(&self) -> (DVec2, f64) {
        match *self {
            Self::Along { normal, gap } => (normal, gap),
            Self::Between { vector, reach } => {
                let length = vector.length();
                let normal = if length > 0.0 && length.is_finite() {
                    vector * (1.0 / length)
                } else {
                    DVec2::X
                };
                (normal, length - reach)
            }
        }
    }

    #[inline]
    pub(super) fn gap(&self) -> f64 {
        match *self {
            Self::Along { gap, .. } => gap,
            Self::Between { vector, reach } => vector.length() - reach,
        }
    }

    #[inline]
    pub(super) fn relation(&self, band: &TouchBand) -> Relation {
        match *self {
            Self::Along { gap, .. } => band.relation(gap),
            Self::Between { vector, reach } => {
                band.relation_squared(vector.length_squared(), reach)
            }
        }
    }
}

impl SeparatingAxis<'_> {
    /// Where the axis comes from.
    #[must_use]
    pub fn source(&self) -> AxisSource {
        self.source
    }

    /// The unit direction of the axis, from A to B.
    #[must_use]
    pub fn normal(&self) -> Vec2 {
        self.measure.normal().as_vec2()
    }

    /// The gap between the shadows along the axis: positive when they are apart, minus the way
    /// out in this direction when they overlap. World units.
    #[must_use]
    pub fn gap(&self) -> f64 {
        self.measure.gap()
    }

    /// The shadows of A and B on the axis.
    ///
    /// # Cost
    /// O(n) for the vertices of both; computed only when asked for.
    #[must_use]
    pub fn projections(&self) -> [Interval; 2] {
        let normal = self.measure.normal();
        let offset = self.offset.dot(normal);
        let b = project(self.b, normal);
        [project(self.a, normal), Interval { min: b.min + offset, max: b.max + offset }]
    }
}

/// Looks at the candidate axes of a pair.
pub trait AxisListener {
    /// Called for each axis in turn. Break to see no more of them.
    fn visit(&mut self, axis: &SeparatingAxis<'_>) -> ControlFlow<()>;
}

impl<F: FnMut(&SeparatingAxis<'_>) -> ControlFlow<()>> AxisListener for F {
    #[inline]
    fn visit(&mut self, axis: &SeparatingAxis<'_>) -> ControlFlow<()> {
        self(axis)
    }
}

/// Shows every candidate axis of the pair to the listener, until it breaks.
///
/// The largest gap among all of them is the signed separation of the shapes. They are about convex
/// shapes: a pair with a concave or compound shape has none of its own, and its
/// [`pieces`](PlacedShape::pieces) can be asked about instead.
///
/// # Cost
/// O((m + n)²) for m and n vertices if no axis breaks; no allocation.
///
/// ```
/// use bevy::math::{Affine2, Vec2};
/// use bevy_nudge::geometry::{Aabb, PlacedShape, SeparatingAxis, Shape, visit_axes};
/// use std::ops::ControlFlow;
///
/// let square = Shape::from(Aabb::default());
/// let a = PlacedShape::new(&square, Affine2::IDENTITY)?;
/// let b = PlacedShape::new(&square, Affine2::from_translation(Vec2::new(3.0, 0.0)))?;
/// let mut largest = f64::MIN;
/// visit_axes(&a, &b, &mut |axis: &SeparatingAxis<'_>| {
///     largest = largest.max(axis.gap());
///     ControlFlow::Continue(())
/// });
/// assert_eq!(largest, 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn visit_axes(a: &PlacedShape, b: &PlacedShape, listener: &mut impl AxisListener) {
    let offset = offset(a, b);
    visit_measures(a, b, offset, &mut |source, measure| {
        listener.visit(&SeparatingAxis { source, measure, a, b, offset })
    });
}

/// The loop behind [`visit_axes`], with the reference point of B at `offset` from that of A,
/// wherever the two say they are: pieces of a shape lie relative to it.
#[inline]
pub(super) fn visit_measures(
    a: &PlacedShape,
    b: &PlacedShape,
    offset: DVec2,
    visit: &mut impl FnMut(AxisSource, Measure) -> ControlFlow<()>,
) {
    // A break only means that nobody wants more.
    let reach = f64::from(a.rounding()) + f64::from(b.rounding());
    let _ = match (a.outline(), b.outline()) {
        (Outline::Point, Outline::Point) => {
            visit(AxisSource::LineOfCenters, Measure::Between { vector: offset, reach })
        }
        (Outline::Aabb { min: min_a, max: max_a }, Outline::Aabb { min: min_b, max: max_b }) => {
            visit_boxes((*min_a, *max_a), (*min_b, *max_b), offset, visit)
        }
        (Outline::Point, Outline::Aabb { min, max }) => {
            visit_circle_box((*min, *max), -offset, reach, |feature, measure| match feature {
                Feature::Edge(edge) => visit(AxisSource::EdgeOfB(edge), reversed(measure)),
                Feature::Corner(corner) => visit(AxisSource::CornerOfB(corner), reversed(measure)),
            })
        }
        (Outline::Point, _) => {
            let center = -offset;
            with_polygon(b, |b| {
                visit_circle(b, center, reach, |feature, measure| match feature {
                    Feature::Edge(edge) => visit(AxisSource::EdgeOfB(edge), reversed(measure)),
                    Feature::Corner(corner) => {
                        visit(AxisSource::CornerOfB(corner), reversed(measure))
                    }
                })
            })
        }
        (_, Outline::Point) => {
            let center = offset;
            with_polygon(a, |a| {
                visit_circle(a, center, reach, |feature, measure| match feature {
                    Feature::Edge(edge) => visit(AxisSource::EdgeOfA(edge), measure),
                    Feature::Corner(corner) => visit(AxisSource::CornerOfA(corner), measure),
                })
            })
        }
        (_, _) => with_polygon(a, |a_view| {
            with_polygon(b, |b_view| visit_polygons(a_view, b_view, offset, reach, visit))
        }),
    };
}

/// From A's origin to B's, in double precision.
#[inline]
pub(super) fn offset(a: &PlacedShape, b: &PlacedShape) -> DVec2 {
    b.origin().as_dvec2() - a.origin().as_dvec2()
}

#[inline]
fn reversed(measure: Measure) -> Measure {
    match measure {
        Measure::Along { normal, gap } => Measure::Along { normal: -normal, gap },
        Measure::Between { vector, reach } => Measure::Between { vector: -vector, reach },
    }
}

/// Runs `inner` with the vertices of a shape that is no circle.
#[inline]
fn with_polygon(
    shape: &PlacedShape,
    inner: impl FnOnce(&PolygonView<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    shape.as_polygon().map_or(ControlFlow::Continue(()), |view| inner(&view))
}

enum Feature {
    Edge(usize),
    Corner(usize),
}

/// The axes of a polygon against a circle, directed from the polygon to the circle. `radius` is
/// that of the circle and of a rounded polygon together.
///
/// 1. Each edge normal.
/// 2. If the centre lies outside, and beyond one of the ends of the edge with the largest gap: the
///    line from the nearest corner to the centre. On paper that is a corner of this edge. Where
///    edges are in line up to rounding another edge may win, so the corner is looked for.
#[inline]
fn visit_circle(
    polygon: &PolygonView<'_>,
    center: DVec2,
    radius: f64,
    mut visit: impl FnMut(Feature, Measure) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let (vertices, normals) = (polygon.vertices(), polygon.normals());
    let mut outermost = (f64::MIN, 0);
    for (edge, (middle, normal)) in middles(vertices).zip(normals).enumerate() {
        let normal = normal.as_dvec2();
        let height = normal.dot(center - middle);
        visit(Feature::Edge(edge), Measure::Along { normal, gap: height - radius })?;
        if height > outermost.0 {
            outermost = (height, edge);
        }
    }
    let (height, edge) = outermost;
    if height <= 0.0 {
        return ControlFlow::Continue(());
    }
    let n = vertices.len();
    let corner = |i: usize| vertices[i % n].as_dvec2();
    let edge_at = |i: usize| corner(i + 1) - corner(i);
    // The end of a segment is an edge of no length: all of it is corner.
    let along = edge_at(edge);
    let is_before = (center - corner(edge)).dot(along) < 0.0;
    let is_after = (center - corner(edge + 1)).dot(along) > 0.0;
    let nearest = if is_before && (center - corner(edge)).dot(edge_at(edge + n - 1)) >= 0.0 {
        Some(edge)
    } else if is_after && (center - corner(edge + 1)).dot(edge_at(edge + 1)) <= 0.0 {
        Some((edge + 1) % n)
    } else if is_before || is_after || along == DVec2::ZERO {
        // Edges in line up to rounding: another one may be nearer.
        nearest_corner(polygon, center)
    } else {
        None
    };
    if let Some(corner) = nearest {
        let vector = center - vertices[corner].as_dvec2();
        visit(Feature::Corner(corner), Measure::Between { vector, reach: radius })?;
    }
    ControlFlow::Continue(())
}

/// As [`visit_circle`], for a box, whose corners and normals need not be listed.
#[inline]
fn visit_circle_box(
    (min, max): (Vec2, Vec2),
    center: DVec2,
    radius: f64,
    mut visit: impl FnMut(Feature, Measure) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let beyond_max = center - max.as_dvec2();
    let beyond_min = min.as_dvec2() - center;
    let heights = [beyond_max.x, beyond_max.y, beyond_min.x, beyond_min.y];
    for (edge, (normal, height)) in BOX_NORMALS.into_iter().zip(heights).enumerate() {
        let measure = Measure::Along { normal: normal.as_dvec2(), gap: height - radius };
        visit(Feature::Edge(edge), measure)?;
    }
    let outside = beyond_max.max(beyond_min);
    if outside.x > 0.0 && outside.y > 0.0 {
        let (right, above) = (beyond_max.x > 0.0, beyond_max.y > 0.0);
        let apart = |above: f64, below: f64| if above > 0.0 { above } else { -below };
        let vector =
            DVec2::new(apart(beyond_max.x, beyond_min.x), apart(beyond_max.y, beyond_min.y));
        // Counted as the corners of a box are: from the lower right one on.
        let corner = match (right, above) {
            (true, false) => 0,
            (true, true) => 1,
            (false, true) => 2,
            (false, false) => 3,
        };
        visit(Feature::Corner(corner), Measure::Between { vector, reach: radius })?;
    }
    ControlFlow::Continue(())
}

/// The axes of two boxes: the edges of B are parallel to those of A and show the same gaps.
#[inline]
fn visit_boxes(
    (min_a, max_a): (Vec2, Vec2),
    (min_b, max_b): (Vec2, Vec2),
    offset: DVec2,
    mut visit: impl FnMut(AxisSource, Measure) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let right = min_b.as_dvec2() + offset - max_a.as_dvec2();
    let left = min_a.as_dvec2() - (max_b.as_dvec2() + offset);
    let axes =
        [(DVec2::X, right.x), (DVec2::Y, right.y), (DVec2::NEG_X, left.x), (DVec2::NEG_Y, left.y)];
    for (edge, (normal, gap)) in axes.into_iter().enumerate() {
        visit(AxisSource::EdgeOfA(edge), Measure::Along { normal, gap })?;
    }
    let apart = |right: f64, left: f64| if right > 0.0 { right } else { -left.max(0.0) };
    let vector = DVec2::new(apart(right.x, left.x), apart(right.y, left.y));
    if vector.x != 0.0 && vector.y != 0.0 {
        visit(AxisSource::NearestCorners, Measure::Between { vector, reach: 0.0 })?;
    }
    ControlFlow::Continue(())
}

/// The middle of each edge, in the order of the normals. How far a polygon reaches along the
/// rounded normal of an edge is measured there: a mirrored polygon has it at the mirrored place,
/// while the corner where an edge starts would be the other one.
#[inline]
fn middles(vertices: &[Vec2]) -> impl Iterator<Item = DVec2> {
    let next = vertices.iter().skip(1).chain(vertices.first());
    vertices.iter().zip(next).map(|(start, end)| 0.5 * (start.as_dvec2() + end.as_dvec2()))
}

/// The axes of two polygons.
///
/// 1. The edge normals of A, outward, and those of B, inward: these are the normals of the
///    Minkowski difference, so the largest gap of overlapping shapes is among them.
/// 2. If some gap is positive, the shapes are apart, and the edges show less than the distance
///    when corner faces corner: then the line between these corners.
#[inline]
fn visit_polygons(
    a: &PolygonView<'_>,
    b: &PolygonView<'_>,
    offset: DVec2,
    reach: f64,
    mut visit: impl FnMut(AxisSource, Measure) -> ControlFlow<()>,
) -> ControlFlow<()> {
    // Of the polygons without their radius: only where these are apart can corners matter.
    let mut largest = f64::MIN;
    let corners_b = Corners::new(b.vertices());
    for (edge, (middle, normal)) in middles(a.vertices()).zip(a.normals()).enumerate() {
        let normal = normal.as_dvec2();
        let gap = corners_b.lowest(normal) + normal.dot(offset - middle);
        largest = largest.max(gap);
        visit(AxisSource::EdgeOfA(edge), Measure::Along { normal, gap: gap - reach })?;
    }
    let corners_a = Corners::new(a.vertices());
    for (edge, (middle, normal)) in middles(b.vertices()).zip(b.normals()).enumerate() {
        let normal = normal.as_dvec2();
        let gap = corners_a.lowest(normal) - normal.dot(offset + middle);
        largest = largest.max(gap);
        visit(AxisSource::EdgeOfB(edge), Measure::Along { normal: -normal, gap: gap - reach })?;
    }
    if largest > 0.0 {
        let nearest = nearest_points(a, b, offset);
        // Corners at one place have no direction between them. The edges' normals do.
        let rounding = 1e-12 * (largest + offset.abs().max_element());
        if nearest.is_corner_to_corner && nearest.vector.abs().max_element() > rounding {
            visit(AxisSource::NearestCorners, Measure::Between { vector: nearest.vector, reach })?;
        }
    }
    ControlFlow::Continue(())
}

/// The shadow of a shape along a direction, relative to its own origin.
pub(super) fn project(shape: &PlacedShape, direction: DVec2) -> Interval {
    let radius = f64::from(shape.rounding());
    match shape.as_polygon() {
        None => Interval { min: -radius, max: radius },
        Some(polygon) => Interval {
            min: lowest(polygon.vertices(), direction) - radius,
            max: radius - lowest(polygon.vertices(), -direction),
        },
    }
}
