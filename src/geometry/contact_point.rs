//! Where two shapes meet: the line along the normal through the middle of what they share.

use bevy::math::DVec2;

use super::convex::Convex;
use super::placed::{PlacedShape, PolygonView};
use super::sat::{Interval, project};
use super::touch::Touch;

/// A line along the contact normal. Relative to A's origin.
pub(super) struct LineOfContact {
    base: DVec2,
    normal: DVec2,
    /// Where on the line A reaches farthest towards B, and B towards A.
    deepest: [f64; 2],
}

impl LineOfContact {
    /// Where A reaches farthest towards B, and B towards A.
    pub(super) fn deepest_points(&self) -> (DVec2, DVec2) {
        let [a, b] = self.deepest;
        (self.base + self.normal * a, self.base + self.normal * b)
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
    let line = line_of_contact(a, b, offset, normal);
    let on_line = |start: f64, end: f64| line.base + normal * (0.5 * (start + end));
    let skin = skin(a, b);
    let through_a = chord(a, line.base, normal, skin);
    let through_b = chord(b, line.base - offset, normal, skin);
    if let (Some(a), Some(b)) = (through_a, through_b) {
        // No shared point lies beyond the deepest ones. The skin adds a lot there at a sharp tip.
        let [of_a, of_b] = line.deepest;
        let start = a.min.max(b.min).max(of_a.min(of_b));
        let end = a.max.min(b.max).min(of_a.max(of_b));
        if start <= end {
            return on_line(start, end);
        }
    }
    mean_of_shared(a, b, offset, skin).unwrap_or_else(|| on_line(line.deepest[0], line.deepest[1]))
}

/// How much thicker polygons count here: without it rounding alone could let a line miss a corner
/// that it touches, or a segment, which has no width.
fn skin(a: &PlacedShape, b: &PlacedShape) -> f64 {
    Touch::RELATIVE * (f64::from(a.extent()) + f64::from(b.extent()))
}

/// The line along `normal` through the middle of the features that meet: through the centre of a
/// circle, else through the middle of what the nearest edges or corners share across the normal.
pub(super) fn line_of_contact(
    a: &PlacedShape,
    b: &PlacedShape,
    offset: DVec2,
    normal: DVec2,
) -> LineOfContact {
    let base = match (a.as_polygon(), b.as_polygon()) {
        (None, _) => DVec2::ZERO,
        (_, None) => offset,
        (Some(polygon_a), Some(polygon_b)) => {
            let tolerance = skin(a, b);
            let tangent = normal.perp();
            let on_a = feature_across(&polygon_a, normal, tangent, tolerance);
            let on_b = feature_across(&polygon_b, -normal, tangent, tolerance);
            let shift = tangent.dot(offset);
            let start = on_a.min.max(on_b.min + shift);
            let end = on_a.max.min(on_b.max + shift);
            tangent * (0.5 * (start + end))
        }
    };
    let height = normal.dot(base);
    let deepest_a = project(a, normal).max - height;
    let deepest_b = project(b, normal).min + normal.dot(offset) - height;
    LineOfContact { base, normal, deepest: [deepest_a, deepest_b] }
}

/// How far the part of a polygon that is farthest along `direction` (an edge or a corner) reaches
/// across it.
fn feature_across(
    polygon: &PolygonView<'_>,
    direction: DVec2,
    tangent: DVec2,
    tolerance: f64,
) -> Interval {
    let heights = || polygon.vertices().iter().map(|v| (v.as_dvec2(), direction.dot(v.as_dvec2())));
    let top = heights().fold(f64::MIN, |top, (_, height)| top.max(height));
    heights().filter(|&(_, height)| height >= top - tolerance).fold(
        Interval { min: f64::MAX, max: f64::MIN },
        |span, (vertex, _)| {
            let across = tangent.dot(vertex);
            Interval { min: span.min.min(across), max: span.max.max(across) }
        },
    )
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
