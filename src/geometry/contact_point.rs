//! Where two shapes meet: the line along the normal through the middle of what they share.

use bevy::math::DVec2;

use super::convex::Convex;
use super::distance::measure;
use super::placed::{Outline, PlacedShape, PolygonView};
use super::sat::Interval;
use super::support::lowest;
use super::touch::Touch;

/// A line along the contact normal. Relative to A's origin.
pub(super) struct LineOfContact {
    base: DVec2,
    normal: DVec2,
    /// Where on the line A reaches farthest towards B, and B towards A.
    deepest: [f64; 2],
    /// How far beside the line these places are: only of shapes that do not face each other.
    beside: [DVec2; 2],
}

impl LineOfContact {
    /// Where A reaches farthest towards B, and B towards A.
    pub(super) fn deepest_points(&self) -> (DVec2, DVec2) {
        let [a, b] = [0, 1].map(|i| self.base + self.normal * self.deepest[i] + self.beside[i]);
        (a, b)
    }
}

/// A point in both shapes of a contact, relative to A's reference point, with B's at `offset`
/// from it.
///
/// The middle of what the shapes share along the line of contact: halfway between the deepest
/// points, unless one shape is so thin that this would be beyond it. Where the shapes share
/// nothing on that line (one lies deep in the other), the mean of what they share at all.
pub(super) fn point_of_contact(
    a: &PlacedShape,
    b: &PlacedShape,
    offset: DVec2,
    normal: DVec2,
) -> DVec2 {
    if let (Outline::Aabb { min: min_a, max: max_a }, Outline::Aabb { min: min_b, max: max_b }) =
        (a.outline(), b.outline())
    {
        // What two boxes share is a box.
        let min = min_a.as_dvec2().max(min_b.as_dvec2() + offset);
        let max = max_a.as_dvec2().min(max_b.as_dvec2() + offset);
        return (min + max) * 0.5;
    }
    if let (Outline::Point, Outline::Point) = (a.outline(), b.outline()) {
        let radii = [a, b].map(|circle| f64::from(circle.rounding()));
        return point_of_circles(radii, offset, normal);
    }
    if let (Outline::Point, Outline::Aabb { min, max }) = (a.outline(), b.outline()) {
        // The line through the centre, from the deepest point of the circle to that of the box.
        let (min, max) = (min.as_dvec2() + offset, max.as_dvec2() + offset);
        let radius = f64::from(a.rounding());
        let lowest = DVec2::select(normal.cmpgt(DVec2::ZERO), min, max);
        let of_box = normal.dot(lowest);
        let (of_circle, skin) = (normal * radius, skin(a, b));
        let holds = |p: DVec2| (p.cmpge(min - skin) & p.cmple(max + skin)).all();
        if of_box.abs() <= radius + skin && holds(of_circle) && holds(normal * of_box) {
            return normal * (0.5 * (radius + of_box));
        }
    }
    let line = line_of_contact(a, b, offset, normal, 0.0);
    let on_line = |start: f64, end: f64| line.base + normal * (0.5 * (start + end));
    let skin = skin(a, b);
    let [of_a, of_b] = line.deepest;
    if of_b - of_a > skin {
        // Apart by no more than a tolerance that a game has set.
        let (on_a, on_b) = line.deepest_points();
        return 0.5 * (on_a + on_b);
    }
    let deepest = [of_a, of_b].map(|at| line.base + normal * at);
    // Nearly always both deepest points are in both shapes.
    if deepest.iter().all(|&p| holds(a, p, skin) && holds(b, p - offset, skin)) {
        return on_line(of_a, of_b);
    }
    let through_a = chord(a, line.base, normal, skin);
    let through_b = chord(b, line.base - offset, normal, skin);
    if let (Some(a), Some(b)) = (through_a, through_b) {
        // No shared point lies beyond the deepest ones. The skin adds a lot there at a sharp tip.
        let start = a.min.max(b.min).max(of_a.min(of_b));
        let end = a.max.min(b.max).min(of_a.max(of_b));
        // What is shared may be a single point, and rounding can turn it inside out.
        if start <= end + skin {
            return on_line(start, end);
        }
    }
    mean_of_shared(a, b, offset, skin).unwrap_or_else(|| {
        // They share nothing: whoever asks takes them for touching within a tolerance.
        let nearest = measure(a, b, offset);
        0.5 * (nearest.on_a + nearest.on_b + offset)
    })
}

/// As [`point_of_contact`], for two circles.
#[inline]
pub(super) fn point_of_circles(
    [radius_a, radius_b]: [f64; 2],
    offset: DVec2,
    normal: DVec2,
) -> DVec2 {
    let distance = normal.dot(offset);
    let start = (-radius_a).max(distance - radius_b);
    let end = radius_a.min(distance + radius_b);
    normal * (0.5 * (start + end))
}

/// Whether a point, relative to the shape's origin, surely is in the shape. A polygon counts as
/// thicker by `skin`; of a rounded one only the core is asked.
fn holds(shape: &PlacedShape, point: DVec2, skin: f64) -> bool {
    match shape.as_polygon() {
        None => {
            let radius = f64::from(shape.rounding()) + skin;
            point.length_squared() <= radius * radius
        }
        Some(polygon) => {
            // Without an early end: the loop then has no branches.
            let highest = polygon.vertices().iter().zip(polygon.normals()).fold(
                f64::MIN,
                |highest: f64, (vertex, normal)| {
                    let height = normal.as_dvec2().dot(point - vertex.as_dvec2());
                    if height > highest { height } else { highest }
                },
            );
            highest <= skin
        }
    }
}

/// How much thicker polygons count here: without it rounding alone could let a line miss a corner
/// that it touches, or a segment, which has no width.
fn skin(a: &PlacedShape, b: &PlacedShape) -> f64 {
    Touch::RELATIVE * (f64::from(a.extent()) + f64::from(b.extent()))
}

/// The line along `normal` through the middle of the features that meet: through the centre of a
/// circle, else through the middle of what the nearest edges or corners share across the normal.
/// `tilt` is by how much the direction of the normal may be wrong.
pub(super) fn line_of_contact(
    a: &PlacedShape,
    b: &PlacedShape,
    offset: DVec2,
    normal: DVec2,
    tilt: f64,
) -> LineOfContact {
    let (radius_a, radius_b) = (f64::from(a.rounding()), f64::from(b.rounding()));
    let mut beside = [DVec2::ZERO; 2];
    let (base, top_a, top_b) = match (a.as_polygon(), b.as_polygon()) {
        (None, None) => (DVec2::ZERO, 0.0, 0.0),
        (None, Some(b)) => (DVec2::ZERO, 0.0, -lowest(b.vertices(), normal)),
        (Some(a), None) => (offset, -lowest(a.vertices(), -normal), 0.0),
        (Some(polygon_a), Some(polygon_b)) => {
            let tolerance = skin(a, b) + tilt * (f64::from(a.extent()) + f64::from(b.extent()));
            let tangent = normal.perp();
            let (top_a, on_a) = feature_across(&polygon_a, normal, tangent, tolerance);
            let (top_b, on_b) = feature_across(&polygon_b, -normal, tangent, tolerance);
            let shift = tangent.dot(offset);
            let start = on_a.min.max(on_b.min + shift);
            let end = on_a.max.min(on_b.max + shift);
            let middle = 0.5 * (start + end);
            if start > end {
                let nearest = |on: Interval| middle.clamp(on.min, on.max) - middle;
                let on_b = Interval { min: on_b.min + shift, max: on_b.max + shift };
                beside = [nearest(on_a), nearest(on_b)].map(|way| tangent * way);
            }
            (tangent * middle, top_a, top_b)
        }
    };
    let height = normal.dot(base);
    let deepest_a = top_a + radius_a - height;
    let deepest_b = normal.dot(offset) - top_b - radius_b - height;
    LineOfContact { base, normal, deepest: [deepest_a, deepest_b], beside }
}

/// How far a polygon reaches along `direction`, and how far the part of it that is farthest there
/// (an edge or a corner) reaches across it.
pub(super) fn feature_across(
    polygon: &PolygonView<'_>,
    direction: DVec2,
    tangent: DVec2,
    tolerance: f64,
) -> (f64, Interval) {
    let vertices = polygon.vertices();
    let top = -lowest(vertices, -direction);
    let mut across = Interval { min: f64::MAX, max: f64::MIN };
    for vertex in vertices.iter().map(|vertex| vertex.as_dvec2()) {
        if direction.dot(vertex) >= top - tolerance {
            let along = tangent.dot(vertex);
            across = Interval { min: across.min.min(along), max: across.max.max(along) };
        }
    }
    (top, across)
}

/// The part of the line `base + s * direction` inside a shape; none where it misses the shape.
/// Relative to the shape's origin. Whether it misses is asked of the shape grown by `skin`.
fn chord(shape: &PlacedShape, base: DVec2, direction: DVec2, skin: f64) -> Option<Interval> {
    let inside = match shape.as_polygon() {
        None => {
            let radius = f64::from(shape.rounding());
            let squared = direction.length_squared();
            let middle = -direction.dot(base) / squared;
            let across = (base + direction * middle).length_squared();
            // A point, a circle of radius 0, is missed by rounding alone.
            let reach = radius * (1.0 + 5e-7) + skin;
            if across > reach * reach {
                return None;
            }
            let half = ((radius * radius - across).max(0.0) / squared).sqrt();
            Interval { min: middle - half, max: middle + half }
        }
        Some(polygon) if shape.rounding() == 0.0 => clip(&polygon, base, direction, skin),
        Some(_) => {
            let chord = Convex::of(shape, DVec2::ZERO).chord(base, direction, skin)?;
            Interval { min: chord.enter, max: chord.exit }
        }
    };
    (inside.min <= inside.max).then_some(inside)
}

/// Clips a line by each edge of a polygon in turn (Cyrus and Beck, 1978).
fn clip(polygon: &PolygonView<'_>, base: DVec2, direction: DVec2, skin: f64) -> Interval {
    let mut inside = Interval { min: f64::MIN, max: f64::MAX };
    for (vertex, normal) in polygon.vertices().iter().zip(polygon.normals()) {
        let normal = normal.as_dvec2();
        let rate = normal.dot(direction);
        let height = normal.dot(vertex.as_dvec2() - base) + skin;
        // Normals are unit vectors in single precision.
        if rate.abs() <= 1e-9 * direction.length() {
            // Along this edge: inside it all the way, or outside.
            if height < 0.0 {
                return Interval { min: f64::MAX, max: f64::MIN };
            }
        } else if rate > 0.0 {
            inside.max = inside.max.min(height / rate);
        } else {
            inside.min = inside.min.max(height / rate);
        }
    }
    inside
}

/// The mean of the ends of all pieces of edges that lie inside the other shape. All of them are
/// in both shapes, and these are convex, so the mean is too.
fn mean_of_shared(a: &PlacedShape, b: &PlacedShape, offset: DVec2, skin: f64) -> Option<DVec2> {
    let mut sum = DVec2::ZERO;
    let mut count = 0.0;
    // Each shape with its own place and that of the other, relative to A.
    for (shape, place, other, other_place) in
        [(a, DVec2::ZERO, b, offset), (b, offset, a, DVec2::ZERO)]
    {
        let Some(polygon) = shape.as_polygon() else { continue };
        let vertices = polygon.vertices();
        for (i, start) in vertices.iter().enumerate() {
            let start = start.as_dvec2();
            let edge = vertices[(i + 1) % vertices.len()].as_dvec2() - start;
            if edge == DVec2::ZERO {
                continue;
            }
            let Some(piece) = chord(other, start + place - other_place, edge, skin) else {
                continue;
            };
            let (from, to) = (piece.min.max(0.0), piece.max.min(1.0));
            if from <= to {
                sum += (start + place) * 2.0 + edge * (from + to);
                count += 2.0;
            }
        }
    }
    (count > 0.0).then(|| sum / count)
}
