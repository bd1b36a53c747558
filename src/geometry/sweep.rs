//! Moving shapes: the first moment of contact.

use bevy::math::{DVec2, Vec2};
use bevy::reflect::Reflect;
use smallvec::SmallVec;

use super::collide::extents;
use super::pieces::{PiecePair, pairs, pieces_of};
use super::placed::PlacedShape;
use super::sat::offset;
use super::touch::{Relation, Touch};
use super::union::{Hit, Union};

/// Where and when a moving shape B first meets a shape A.
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, PartialEq, Debug)]
pub struct Impact {
    /// Time of impact: the part of the displacement after which the shapes first touch, 0 to 1.
    pub time: f32,
    /// Unit vector from A towards B at that moment.
    pub normal: Vec2,
    /// Where they meet, in world space.
    pub point: Vec2,
    /// How the shapes lie before the motion. Unless separated, the time is 0.
    pub start: Relation,
}

/// Moves `b` by `displacement` in a straight line and finds when it first meets `a`, which stays.
///
/// World space, world units. Both may have moved: pass the displacement of `b` minus that of `a`.
/// Nothing is tunnelled, however far the way and however thin the shapes.
///
/// Shapes that are a contact before the motion give time 0 and the relation in which they start.
/// A motion that only touches (brushing past, or arriving exactly at its end) is an impact under
/// [`TouchRule::Inclusive`](super::TouchRule::Inclusive) and none under
/// [`TouchRule::Exclusive`](super::TouchRule::Exclusive). A non-finite displacement counts as none.
///
/// # Cost
/// O(m + n) for m and n vertices, with a small allocation; times the pairs of pieces of concave
/// and compound shapes.
///
/// # Method
/// A ray from the origin along the displacement against the Minkowski difference of the shapes.
/// Exact for straight motion, without iteration.
///
/// ```
/// use bevy::math::{Affine2, Vec2};
/// use bevy_nudge::geometry::{Aabb, Circle, PlacedShape, Shape, TouchRule, sweep};
///
/// let wall = Shape::from(Aabb::from_half_size(Vec2::ZERO, Vec2::new(62.5, 5.0))?);
/// let wall = PlacedShape::new(&wall, Affine2::IDENTITY)?;
/// let ball = Shape::from(Circle::new(Vec2::new(0.0, 15.0), 4.0)?);
/// let ball = PlacedShape::new(&ball, Affine2::IDENTITY)?;
/// let impact = sweep(&wall, &ball, Vec2::new(0.0, -30.0), TouchRule::Inclusive).unwrap();
/// assert_eq!((impact.time, impact.normal), (0.2, Vec2::Y));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn sweep(
    a: &PlacedShape,
    b: &PlacedShape,
    displacement: Vec2,
    touch: impl Into<Touch>,
) -> Option<Impact> {
    let touch = touch.into();
    let displacement = if displacement.is_finite() { displacement.as_dvec2() } else { DVec2::ZERO };
    let extents = extents(a, b);
    let offset = offset(a, b);
    let tolerance = touch.tolerance(extents);
    // Both lie within circles around their reference points: most pass each other by.
    let room = core::f64::consts::SQRT_2 * extents + tolerance;
    let along = if displacement == DVec2::ZERO {
        0.0
    } else {
        (-offset.dot(displacement) / displacement.length_squared()).clamp(0.0, 1.0)
    };
    if (offset + displacement * along).length_squared() > room * room {
        return None;
    }

    let (pieces_a, pieces_b) = (pieces_of(a, DVec2::ZERO), pieces_of(b, offset));
    let pairs: SmallVec<[PiecePair<'_>; 1]> =
        pairs(&pieces_a, &pieces_b).filter(|pair| pair.may_meet(displacement, tolerance)).collect();
    let differences = pairs.iter().map(PiecePair::minkowski_difference);
    let union = Union::new(differences, Touch::RELATIVE * extents);
    let start = union.nearest(DVec2::ZERO);
    let relation = touch.relation(start.distance, extents);
    let hit = if touch.counts(relation) {
        Hit { at: 0.0, normal: start.normal, part: union.nearest_part(DVec2::ZERO) }
    } else if displacement == DVec2::ZERO {
        return None;
    } else {
        union.first_hit(DVec2::ZERO, displacement, 1.0, &touch, tolerance)?
    };
    let moved = displacement * hit.at;
    let point = a.origin().as_dvec2() + pairs.get(hit.part)?.point(moved, hit.normal);
    Some(Impact {
        time: hit.at as f32,
        normal: hit.normal.as_vec2(),
        point: point.as_vec2(),
        start: relation,
    })
}
