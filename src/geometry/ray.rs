//! Rays and segments against shapes.

use bevy::math::{DVec2, Ray2d, Vec2};
use bevy::reflect::{Reflect, std_traits::ReflectDefault};
use thiserror::Error;

use super::approach::Approach;
use super::convex::{Convex, PlainEntry};
use super::placed::PlacedShape;
use super::touch::{Relation, Touch, TouchRule};
use super::union::{Seams, Union};

/// Why there is no ray.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum RayError {
    /// The origin or an end holds NaN or infinity.
    #[error("the ray's origin or end {0} is not finite")]
    NonFiniteOrigin(Vec2),
    /// The direction has no length, or is not finite.
    #[error("the ray's direction {0} has no length, or is not finite")]
    Direction(Vec2),
}

/// What a ray finds that starts inside a shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub enum StartInside {
    /// Shapes are solid: the ray hits at distance 0, with a normal against its direction.
    #[default]
    HitAtOnce,
    /// Shapes are hollow: the ray hits where it first leaves the shape, with the outward normal
    /// of that place.
    FirstExit,
}

/// A half-line or a segment in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    origin: Vec2,
    /// Unit vector.
    direction: DVec2,
    length: f64,
    start_inside: StartInside,
}

impl Ray {
    /// A ray without end.
    ///
    /// # Errors
    /// A direction without length, or anything not finite.
    pub fn new(origin: Vec2, direction: Vec2) -> Result<Self, RayError> {
        if !origin.is_finite() {
            return Err(RayError::NonFiniteOrigin(origin));
        }
        if !direction.is_finite() || direction == Vec2::ZERO {
            return Err(RayError::Direction(direction));
        }
        Ok(Self {
            origin,
            direction: direction.as_dvec2().normalize(),
            length: f64::INFINITY,
            start_inside: StartInside::default(),
        })
    }

    /// The segment between two points, seen as a ray from the first. Both at one place ask about
    /// that point alone.
    ///
    /// # Errors
    /// An end that is not finite.
    pub fn segment(from: Vec2, to: Vec2) -> Result<Self, RayError> {
        if let Some(end) = [from, to].into_iter().find(|end| !end.is_finite()) {
            return Err(RayError::NonFiniteOrigin(end));
        }
        let way = to.as_dvec2() - from.as_dvec2();
        Ok(Self {
            origin: from,
            direction: way.try_normalize().unwrap_or(DVec2::X),
            length: way.length(),
            start_inside: StartInside::default(),
        })
    }

    /// The same ray, ending after this many world units. A negative or NaN length counts as 0.
    #[must_use]
    pub fn with_length(self, length: f32) -> Self {
        Self { length: f64::from(length).max(0.0), ..self }
    }

    /// The same ray with another rule for starting inside.
    #[must_use]
    pub fn with_start_inside(self, start_inside: StartInside) -> Self {
        Self { start_inside, ..self }
    }

    /// Where it starts.
    #[must_use]
    pub fn origin(&self) -> Vec2 {
        self.origin
    }

    /// The unit vector along it.
    #[must_use]
    pub fn direction(&self) -> Vec2 {
        self.direction.as_vec2()
    }

    /// The unit vector along it and its length, as exact as they are known.
    pub(crate) fn direction_and_length(&self) -> (DVec2, f64) {
        (self.direction, self.length)
    }

    /// Its length in world units, infinite for a ray without end. That of a segment is at most
    /// [`f32::MAX`].
    #[must_use]
    pub fn length(&self) -> f32 {
        if self.length.is_finite() { length_as_f32(self.length) } else { f32::INFINITY }
    }

    /// The point at this distance from the origin.
    #[must_use]
    pub fn at(&self, distance: f32) -> Vec2 {
        (self.origin.as_dvec2() + self.direction * f64::from(distance)).as_vec2()
    }

    /// What it finds when it starts inside a shape.
    #[must_use]
    pub fn start_inside(&self) -> StartInside {
        self.start_inside
    }
}

/// A length in single precision, where it may be longer than any number there is.
pub(super) fn length_as_f32(length: f64) -> f32 {
    length.clamp(f32::MIN.into(), f32::MAX.into()) as f32
}

impl From<Ray2d> for Ray {
    fn from(ray: Ray2d) -> Self {
        Self {
            origin: ray.origin,
            direction: ray.direction.as_dvec2().normalize(),
            length: f64::INFINITY,
            start_inside: StartInside::default(),
        }
    }
}

/// Where a ray meets a shape.
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, PartialEq, Debug)]
pub struct RayHit {
    /// World units from the ray's origin. Never negative, and at most [`f32::MAX`] where the hit is
    /// still farther away.
    pub distance: f32,
    /// Where, in world space.
    pub point: Vec2,
    /// Outward unit normal of the shape there. Against the ray's direction if it hits at once
    /// from inside.
    pub normal: Vec2,
    /// Whether the ray's origin lies inside the shape.
    pub starts_inside: bool,
}

/// Finds where a ray first meets a shape.
///
/// World space, world units. Whether a ray that only touches (a tangent, a corner, along an edge,
/// ending on the surface) hits, is decided by the touching rule:
///
/// | The ray | [`Inclusive`](super::TouchRule::Inclusive) | [`Exclusive`](super::TouchRule::Exclusive) |
/// |---|---|---|
/// | crosses the surface from outside | where it enters | where it enters |
/// | only touches | where it first touches | no hit |
/// | starts inside | as [`StartInside`] says | as [`StartInside`] says |
/// | starts on the surface and goes in | at 0 | at 0 |
/// | starts on the surface and goes along or away | at 0 | no hit |
/// | is a single point | as [`contains_point`](super::contains_point) | as [`contains_point`](super::contains_point) |
///
/// At a corner the normal is that of the side which faces the ray most.
///
/// A ray may start as far away as `f32` reaches. Its direction is known to about 16 places: a shape
/// that is smaller than this part of its distance may be missed.
///
/// # Cost
/// O(n) for n vertices.
///
/// # Method
/// The line clipped by each edge (Cyrus and Beck, 1978), and the discs of the corners of a
/// rounded polygon; the union of the pieces of a concave or compound shape.
///
/// ```
/// use bevy::math::{Affine2, Vec2};
/// use bevy_nudge::geometry::{Circle, PlacedShape, Ray, Shape, StartInside, TouchRule, cast_ray};
///
/// let circle = Shape::from(Circle { center: Vec2::ZERO, radius: 1.0 });
/// let circle = PlacedShape::new(&circle, Affine2::IDENTITY)?;
/// let ray = Ray::new(Vec2::new(-3.0, 0.0), Vec2::X)?;
/// let hit = cast_ray(&circle, &ray, TouchRule::Inclusive).unwrap();
/// assert_eq!((hit.distance, hit.point, hit.normal), (2.0, Vec2::NEG_X, Vec2::NEG_X));
///
/// let from_inside = Ray::segment(Vec2::new(0.0, 0.5), Vec2::new(0.0, 1.5))?;
/// let hit = cast_ray(&circle, &from_inside, TouchRule::Inclusive).unwrap();
/// assert_eq!((hit.distance, hit.starts_inside), (0.0, true));
/// let hollow = from_inside.with_start_inside(StartInside::FirstExit);
/// let hit = cast_ray(&circle, &hollow, TouchRule::Inclusive).unwrap();
/// assert_eq!((hit.point, hit.normal), (Vec2::Y, Vec2::Y));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn cast_ray(shape: &PlacedShape, ray: &Ray, touch: impl Into<Touch>) -> Option<RayHit> {
    let touch = touch.into();
    let base = ray.origin.as_dvec2() - shape.origin().as_dvec2();
    let extent = f64::from(shape.extent());
    let tolerance = touch.tolerance(extent);
    // A shape lies within its extent of its reference point on both axes: most rays pass by.
    let room = core::f64::consts::SQRT_2 * extent + tolerance;
    if ray.direction.perp_dot(base).abs() > room || base.length() - ray.length > room {
        return None;
    }
    let Approach { base, skipped } = Approach::new(base, ray.direction, room)?;
    let length = (ray.length - skipped).max(0.0).min(1.001 * base.length() + 2.0 * room);
    let origin =
        if skipped > 0.0 { shape.origin().as_dvec2() + base } else { ray.origin.as_dvec2() };
    let hit = |at: f64, normal: DVec2, starts_inside| RayHit {
        distance: length_as_f32(skipped + at),
        point: (origin + ray.direction * at).as_vec2(),
        normal: normal.as_vec2(),
        starts_inside,
    };

    if shape.is_convex() && touch.rule == TouchRule::Inclusive {
        let convex = Convex::of(shape, DVec2::ZERO);
        match convex.plain_entry(base, ray.direction, length, tolerance) {
            PlainEntry::Enters { at, normal } => return Some(hit(at, normal, false)),
            PlainEntry::Misses => return None,
            PlainEntry::NotPlain => {}
        }
    }
    let parts = shape.parts().map(|(part, offset)| Convex::of(part, offset));
    let union = Union::new(parts, Touch::RELATIVE * extent, Seams::Inside);
    let start = union.nearest(base);
    let relation = touch.relation(start.distance, extent);
    if relation == Relation::Overlapping {
        return match ray.start_inside {
            // A single point leaves nothing.
            _ if ray.length == 0.0 => Some(hit(0.0, -ray.direction, true)),
            StartInside::HitAtOnce => Some(hit(0.0, -ray.direction, true)),
            StartInside::FirstExit => {
                let exit = union.first_exit(base, ray.direction)?;
                (exit.at <= ray.length + tolerance)
                    .then(|| hit(exit.at.min(ray.length), exit.normal, true))
            }
        };
    }
    if touch.counts(relation) {
        return Some(hit(0.0, start.normal, false));
    }
    let first = union.first_hit(base, ray.direction, length, &touch, tolerance)?;
    Some(hit(first.at, first.normal, false))
}
