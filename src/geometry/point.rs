//! Points against shapes.

use bevy::math::{DVec2, Vec2};
use bevy::reflect::Reflect;

use super::approach::is_far;
use super::convex::{Convex, Nearest};
use super::placed::PlacedShape;
use super::ray::length_as_f32;
use super::touch::{Relation, Touch};
use super::union::{Seams, Union};

/// How a point lies to a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Reflect)]
#[reflect(Clone, PartialEq, Debug)]
pub enum PointLocation {
    /// Inside, farther from the boundary than the tolerance.
    Inside,
    /// On the boundary, within the tolerance.
    Boundary,
    /// Outside.
    Outside,
}

/// The places of a shape nearest to a point, all in world space.
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, PartialEq, Debug)]
pub struct PointProjection {
    /// Distance to the boundary, negative inside. At most [`f32::MAX`] where it is still longer.
    pub signed_distance: f32,
    /// The nearest point of the solid shape: the point itself unless it lies outside.
    pub nearest: Vec2,
    /// The nearest point of the boundary.
    pub on_boundary: Vec2,
    /// Outward unit normal at the nearest point of the boundary.
    pub normal: Vec2,
}

/// Tells whether a point lies inside, on the boundary or outside.
///
/// World space. The boundary is as thick as the tolerance of the touching rule.
///
/// # Cost
/// O(n) for n vertices; inside a concave or compound shape as [`project_point`].
///
/// # Method
/// The signed distance to the boundary, compared with zero by [`Touch::relation`].
#[must_use]
pub fn locate_point(shape: &PlacedShape, point: Vec2, touch: impl Into<Touch>) -> PointLocation {
    let touch = touch.into();
    if !point.is_finite() {
        return PointLocation::Outside;
    }
    if shape.is_convex() {
        let from = point.as_dvec2() - shape.origin().as_dvec2();
        let tolerance = touch.tolerance(f64::from(shape.extent()));
        match Convex::of(shape, DVec2::ZERO).surely_holds(from, tolerance) {
            Some(true) => return PointLocation::Inside,
            Some(false) => return PointLocation::Outside,
            None => {}
        }
    }
    let (union, from) = relative(shape, point);
    let distance = union.nearest(from).distance;
    match touch.relation(distance, f64::from(shape.extent())) {
        Relation::Overlapping => PointLocation::Inside,
        Relation::Touching => PointLocation::Boundary,
        Relation::Separated => PointLocation::Outside,
    }
}

/// Whether a point belongs to a shape: inside always, on the boundary if touching counts.
///
/// World space. False for a point that is not finite. Cost and method as [`locate_point`].
#[must_use]
pub fn contains_point(shape: &PlacedShape, point: Vec2, touch: impl Into<Touch>) -> bool {
    let touch = touch.into();
    match locate_point(shape, point, touch) {
        PointLocation::Inside => true,
        PointLocation::Boundary => touch.counts(Relation::Touching),
        PointLocation::Outside => false,
    }
}

/// Finds the places of a shape nearest to a point, and the signed distance to its boundary.
///
/// World space, world units. Of several nearest places the one is taken whose direction has the
/// smallest angle as an undirected axis; from the centre of a circle it is the one in direction
/// +x. A point that is not finite gives NaN.
///
/// # Cost
/// O(n) for n vertices; inside a concave or compound shape O(n²) at worst.
///
/// # Method
/// Convex shapes: the nearest edge inside, the nearest edge or corner outside. Others: the
/// nearest boundary of the union of their pieces.
///
/// ```
/// use bevy::math::{Affine2, Vec2};
/// use bevy_nudge::geometry::{Aabb, PlacedShape, project_point};
///
/// let wall = Aabb::from_half_size(Vec2::ZERO, Vec2::new(4.0, 2.0))?;
/// let wall = PlacedShape::new(&wall.into(), Affine2::IDENTITY)?;
/// let inside = project_point(&wall, Vec2::new(1.0, 1.5));
/// assert_eq!((inside.signed_distance, inside.on_boundary), (-0.5, Vec2::new(1.0, 2.0)));
/// let outside = project_point(&wall, Vec2::new(7.0, 6.0));
/// assert_eq!((outside.signed_distance, outside.nearest), (5.0, Vec2::new(4.0, 2.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn project_point(shape: &PlacedShape, point: Vec2) -> PointProjection {
    let (union, from) = relative(shape, point);
    let extent = f64::from(shape.extent());
    let is_elsewhere = extent == 0.0 && from != DVec2::ZERO;
    let is_far = from.is_finite() && (is_elsewhere || is_far(from.length_squared(), extent));
    let (nearest, on_boundary) = if is_far {
        nearest_from_afar(&union, from)
    } else {
        let nearest = union.nearest(from);
        (nearest, nearest.on_boundary(from))
    };
    let on_boundary = (shape.origin().as_dvec2() + on_boundary).as_vec2();
    PointProjection {
        signed_distance: length_as_f32(nearest.distance),
        nearest: if nearest.distance > 0.0 { on_boundary } else { point },
        on_boundary,
        normal: nearest.normal.as_vec2(),
    }
}

/// As [`Union::nearest`], from so far away that the numbers of the distance do not tell the place; and
/// that place.
///
/// How much nearer than the origin a place is can be told in numbers of its own size.
fn nearest_from_afar(union: &Union, from: DVec2) -> (Nearest, DVec2) {
    let length = from.length();
    let direction = from / length;
    let mut best: Option<(f64, DVec2, f64)> = None;
    let mut try_place = |place: DVec2, radius: f64| {
        let squared = |place| direction.perp_dot(place).powi(2);
        let nearer = direction.dot(place) - 0.5 * squared(place) / length + radius;
        let is_better = best.is_none_or(|(best_nearer, best_place, _)| {
            // What lies square to the way is as near all along, as far as numbers tell.
            let tie = 1e-15 * (nearer.abs() + best_nearer.abs());
            let is_straighter = squared(place) < squared(best_place);
            nearer > best_nearer + tie || (nearer > best_nearer - tie && is_straighter)
        });
        if is_better {
            best = Some((nearer, place, radius));
        }
    };
    for part in union.parts.iter() {
        for &vertex in part.vertices() {
            try_place(vertex, part.radius());
        }
        for (start, edge) in part.edges() {
            let along = (from - start).dot(edge) / edge.length_squared();
            if along > 0.0 && along < 1.0 {
                try_place(start + edge * along, part.radius());
            }
        }
    }
    let (nearer, place, radius) = best.unwrap_or_default();
    let normal = (from - place).normalize();
    (Nearest { distance: length - nearer, normal }, place + normal * radius)
}

/// The pieces of a shape, and a point, relative to the shape's origin.
fn relative(shape: &PlacedShape, point: Vec2) -> (Union, DVec2) {
    let parts = shape.parts().map(|(part, offset)| Convex::of(part, offset));
    let union = Union::new(parts, Touch::RELATIVE * f64::from(shape.extent()), Seams::Inside);
    (union, point.as_dvec2() - shape.origin().as_dvec2())
}
