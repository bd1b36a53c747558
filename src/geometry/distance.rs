//! Distance and nearest points of shapes that are apart; the deepest points of those that overlap.

use bevy::math::DVec2;

use super::approach::is_far;
use super::collide::{comes_first, deepest_axis};
use super::contact::Separation;
use super::contact_point::{feature_across, line_of_contact};
use super::convex::Convex;
use super::pieces;
use super::placed::{Outline, PlacedShape, PolygonView};
use super::sat::offset;
use super::touch::Touch;

/// Measures the signed separation of two shapes, with the points where it is measured.
///
/// World space, world units, normal from `a` to `b`. For shapes that are apart this is their
/// distance and their nearest points (any of them where edges run parallel); for touching shapes
/// 0 up to rounding; for overlapping ones minus the depth of their [`contact`](super::contact), with the same
/// normal and tie rule. Rounded to single precision at the end only.
///
/// # Cost
/// O(m n) for m and n vertices. Use [`contact`](super::contact) or [`overlaps`](super::overlaps)
/// where shapes that are apart do not matter: they stop early.
///
/// # Method
/// Overlapping: separating axis theorem. Apart: the distance of the origin to the Minkowski
/// difference.
///
/// ```
/// use bevy::math::{Affine2, Vec2};
/// use bevy_nudge::geometry::{Circle, PlacedShape, Shape, separation};
///
/// let unit = Shape::from(Circle { center: Vec2::ZERO, radius: 1.0 });
/// let a = PlacedShape::new(&unit, Affine2::IDENTITY)?;
/// let b = PlacedShape::new(&unit, Affine2::from_translation(Vec2::new(5.0, 0.0)))?;
/// let apart = separation(&a, &b);
/// assert_eq!((apart.distance, apart.normal), (3.0, Vec2::X));
/// assert_eq!((apart.point_a, apart.point_b), (Vec2::X, Vec2::new(4.0, 0.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn separation(a: &PlacedShape, b: &PlacedShape) -> Separation {
    if comes_first(b, a) { separation_in_order(b, a).flipped() } else { separation_in_order(a, b) }
}

fn separation_in_order(a: &PlacedShape, b: &PlacedShape) -> Separation {
    let measured = if a.is_convex() && b.is_convex() {
        measure(a, b, offset(a, b))
    } else {
        pieces::measure(a, b)
    };
    Separation {
        distance: measured.distance as f32,
        normal: measured.normal.as_vec2(),
        point_a: (a.origin().as_dvec2() + measured.on_a).as_vec2(),
        point_b: (b.origin().as_dvec2() + measured.on_b).as_vec2(),
    }
}

/// The signed separation of two shapes, in double precision.
#[derive(Clone, Copy)]
pub(super) struct Measured {
    pub(super) distance: f64,
    pub(super) normal: DVec2,
    /// Relative to the reference point of A.
    pub(super) on_a: DVec2,
    /// Relative to that of B.
    pub(super) on_b: DVec2,
}

/// Measures two convex shapes, with the reference point of B at `offset` from that of A.
pub(super) fn measure(a: &PlacedShape, b: &PlacedShape, offset: DVec2) -> Measured {
    let (normal, distance) = polygons_apart(a, b, offset)
        .or_else(|| circle_apart(a, b, offset))
        .unwrap_or_else(|| deepest_axis(a, b, offset));
    let extents = f64::from(a.extent()) + f64::from(b.extent());
    if is_far(offset.length_squared(), extents) {
        let on_a = farthest_point(a, normal, offset);
        let on_b = farthest_point(b, -normal, -offset);
        return Measured { distance, normal, on_a, on_b };
    }
    // The way between them is known to the last place of their sizes.
    let tilt = if distance > 0.0 { f64::EPSILON * extents / distance } else { 0.0 };
    let (on_a, on_b) = line_of_contact(a, b, offset, normal, tilt).deepest_points();
    Measured { distance, normal, on_a, on_b: on_b - offset }
}

/// Where a convex shape reaches farthest in a direction: of a whole edge that does, the place nearest
/// to the line from `other`, which is so far away that its numbers do not tell more.
fn farthest_point(shape: &PlacedShape, direction: DVec2, other: DVec2) -> DVec2 {
    let radius = f64::from(shape.rounding());
    let Some(polygon) = shape.as_polygon() else { return direction * radius };
    let tangent = direction.perp();
    let skin = Touch::RELATIVE * f64::from(shape.extent());
    let (top, across) = feature_across(&polygon, direction, tangent, skin);
    direction * (top + radius) + tangent * tangent.dot(other).clamp(across.min, across.max)
}

/// Normal and distance of two polygons that are apart without their radius; none for other pairs.
fn polygons_apart(a: &PlacedShape, b: &PlacedShape, offset: DVec2) -> Option<(DVec2, f64)> {
    let way = nearest_points(&a.as_polygon()?, &b.as_polygon()?, offset);
    let gap = way.vector.length();
    // Nearly touching, the vector is made of rounding; the normals of edges are not.
    let is_clear = way.is_apart && gap > 1e-9 * f64::from(a.extent() + b.extent());
    is_clear.then(|| (way.vector / gap, gap - f64::from(a.rounding()) - f64::from(b.rounding())))
}

/// Normal and distance of a circle and a polygon that are apart; none for other pairs.
///
/// Not by the normals of edges: these are rounded, and on a long way that makes more than a corner
/// does.
fn circle_apart(a: &PlacedShape, b: &PlacedShape, offset: DVec2) -> Option<(DVec2, f64)> {
    let of_polygon = |shape: &PlacedShape, place: DVec2| {
        // The normals of a box are exact: only from far away a corner is taken for its side.
        let far = 1024.0 * f64::from(shape.extent());
        let is_exact = matches!(shape.outline(), Outline::Aabb { .. });
        let polygon = shape.as_polygon()?;
        let matters = !is_exact || place.length_squared() > far * far;
        let vertices = polygon.vertices().iter();
        matters.then(|| Convex::core(vertices.map(|vertex| vertex.as_dvec2() + place)))
    };
    // The polygon, seen from the centre of the circle.
    let (polygon, sign) = match (a.outline(), b.outline()) {
        (Outline::Point, _) => (of_polygon(b, offset)?, 1.0),
        (_, Outline::Point) => (of_polygon(a, -offset)?, -1.0),
        _ => return None,
    };
    if polygon.holds_origin() {
        return None;
    }
    let way = polygon.way_from_origin().0;
    let gap = way.length();
    let distance = gap - f64::from(a.rounding()) - f64::from(b.rounding());
    (distance > 1e-9 * f64::from(a.extent() + b.extent())).then(|| (way * (sign / gap), distance))
}

/// The shortest way between two polygons that are apart.
pub(super) struct NearestPoints {
    /// From A to B. If they are not apart, out of A.
    pub(super) vector: DVec2,
    pub(super) is_corner_to_corner: bool,
    pub(super) is_apart: bool,
}

/// Without their radius. The distance of the origin to the Minkowski difference, which is O(m + n).
pub(super) fn nearest_points(
    a: &PolygonView<'_>,
    b: &PolygonView<'_>,
    offset: DVec2,
) -> NearestPoints {
    let core = |polygon: &PolygonView<'_>, place| {
        Convex::core(polygon.vertices().iter().map(|v| v.as_dvec2() + place))
    };
    let difference = Convex::minkowski_difference(&core(a, DVec2::ZERO), &core(b, offset));
    let (vector, is_corner_to_corner) = difference.way_from_origin();
    let is_apart = !difference.holds_origin();
    NearestPoints { vector: -vector, is_corner_to_corner, is_apart }
}

/// Which corner of a polygon is nearest to `point` of all its outline, if it is a corner.
pub(super) fn nearest_corner(polygon: &PolygonView<'_>, point: DVec2) -> Option<usize> {
    let vertices = polygon.vertices();
    let mut nearest = None;
    let mut smallest = f64::INFINITY;
    for (i, start) in vertices.iter().enumerate() {
        let next = (i + 1) % vertices.len();
        let start = start.as_dvec2();
        let edge = vertices[next].as_dvec2() - start;
        let length_squared = edge.length_squared();
        let along =
            if length_squared > 0.0 { (point - start).dot(edge) / length_squared } else { 0.0 };
        let (candidate, corner) = if along <= 0.0 {
            (start, Some(i))
        } else if along >= 1.0 {
            (vertices[next].as_dvec2(), Some(next))
        } else {
            (start + edge * along, None)
        };
        let distance = candidate.distance_squared(point);
        if distance < smallest {
            smallest = distance;
            nearest = corner;
        }
    }
    nearest
}
