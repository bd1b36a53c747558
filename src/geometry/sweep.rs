//! Moving shapes: the first moment of contact.

use super::approach::NearbyWay;
use super::collide::{comes_first, extents};
use super::contact_point::point_of_contact;
use super::convex::{Convex, PlainEntry};
use super::pieces::{PairNumbers, PiecePair, pairs, pieces_of, seams_of};
use super::placed::PlacedShape;
use super::sat::{offset, project};
use super::touch::{Relation, Touch, TouchRule};
use super::union::{Hit, Union};
use bevy::math::{DVec2, Vec2};
use bevy::reflect::Reflect;

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
    /// How the shapes lie before the motion. If that is a contact under the touching rule, the time
    /// is 0. Shapes that only touch at the start may overlap later under the exclusive rule.
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
/// The direction of a displacement is known to about 16 places: shapes that are smaller than this part
/// of its length may be missed.
///
/// # Cost
/// O(m + n) for m and n vertices; times the pairs of pieces of concave and compound shapes.
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
    let displacement = if displacement.is_finite() { displacement } else { Vec2::ZERO };
    let swept = sweep_between(a, b, offset(a, b), displacement.as_dvec2(), &touch.into());
    let hit = swept.first?;
    let from = if hit.is_seen_from_b {
        b.origin().as_dvec2() + displacement.as_dvec2() * hit.time
    } else {
        a.origin().as_dvec2()
    };
    Some(Impact {
        time: hit.time as f32,
        normal: hit.normal.as_vec2(),
        point: (from + hit.point).as_vec2(),
        start: swept.start,
    })
}

/// What a moving shape meets, in double precision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweptPair {
    /// How the shapes lie before the motion.
    pub(crate) start: Relation,
    /// The first moment of contact.
    pub(crate) first: Option<FirstTouch>,
}

/// The first moment of contact of a moving shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FirstTouch {
    pub(crate) time: f64,
    /// From A to B.
    pub(crate) normal: DVec2,
    /// Relative to the reference point of A at that moment, or to that of B.
    pub(crate) point: DVec2,
    /// DETERMINISM: of which is decided by geometry, so that the rounding of the place in the world
    /// does not depend on the order of the two.
    pub(crate) is_seen_from_b: bool,
    /// How B then lies to A, if the motion is so long that its numbers do not tell.
    pub(crate) far_offset: Option<DVec2>,
}

/// As [`sweep`], with the reference point of B at `offset` from that of A, wherever the two say
/// they are.
pub(crate) fn sweep_between(
    a: &PlacedShape,
    b: &PlacedShape,
    offset: DVec2,
    displacement: DVec2,
    touch: &Touch,
) -> SweptPair {
    if !is_swapped(a, b, offset) {
        return sweep_in_order(a, b, offset, displacement, touch);
    }
    // The same motion seen from B, where A moves the other way.
    let swept = sweep_in_order(b, a, -offset, -displacement, touch);
    let first = swept.first.map(|hit| match hit.far_offset {
        None => FirstTouch { normal: -hit.normal, is_seen_from_b: true, ..hit },
        // A is near where it is, B is not yet.
        Some(offset) => FirstTouch { normal: -hit.normal, point: hit.point - offset, ..hit },
    });
    SweptPair { first, ..swept }
}

/// Whether the pair is computed with B before A. Pieces of shapes all have the origin of their whole,
/// so where they lie decides too.
fn is_swapped(a: &PlacedShape, b: &PlacedShape, offset: DVec2) -> bool {
    let by_offset = || !comes_first(a, b) && (offset.x, offset.y) < (0.0, 0.0);
    comes_first(b, a) || by_offset()
}

/// How deep the whole way of B leads into A, and the normal from A to B along which it is least
/// deep: the distance is negative where they overlap on the way. B's reference point starts at
/// `offset` from that of A.
pub(crate) fn way_into(
    a: &PlacedShape,
    b: &PlacedShape,
    offset: DVec2,
    displacement: DVec2,
) -> (f64, DVec2) {
    if is_swapped(a, b, offset) {
        let (distance, normal) = way_into_in_order(b, a, -offset, -displacement);
        return (distance, -normal);
    }
    way_into_in_order(a, b, offset, displacement)
}

fn way_into_in_order(
    a: &PlacedShape,
    b: &PlacedShape,
    offset: DVec2,
    displacement: DVec2,
) -> (f64, DVec2) {
    let (pieces_a, pieces_b) = (pieces_of(a, DVec2::ZERO), pieces_of(b, offset));
    let way = Convex::segment(DVec2::ZERO, displacement);
    let ways = pairs(&pieces_a, &pieces_b).map(|pair| {
        let difference = pair.minkowski_difference();
        Convex::minkowski_difference(&difference, &way).nearest(DVec2::ZERO)
    });
    let deepest = ways.reduce(|p, q| if q.distance < p.distance { q } else { p });
    deepest.map_or((f64::INFINITY, DVec2::X), |nearest| (nearest.distance, nearest.normal))
}

/// How thick the Minkowski difference of two shapes is along a unit normal.
pub(crate) fn thickness_along(pair: &TwoPieces, normal: DVec2) -> f64 {
    let width = |shape: &PlacedShape| {
        let shadow = project(shape, normal);
        shadow.max - shadow.min
    };
    width(pair.a) + width(pair.b)
}

/// A convex piece of one shape and one of another.
#[derive(Clone, Copy)]
pub(crate) struct TwoPieces<'s> {
    pub(crate) a: &'s PlacedShape,
    pub(crate) b: &'s PlacedShape,
    /// The reference point of the piece of B, seen from that of the piece of A.
    pub(crate) offset: DVec2,
}

/// Each piece of one shape with each of another, and which of their pieces they are. Convex shapes
/// are their own only piece.
pub(crate) fn piece_by_piece(
    whole: TwoPieces<'_>,
) -> impl Iterator<Item = ([u32; 2], TwoPieces<'_>)> {
    let TwoPieces { a, b, offset } = whole;
    a.parts().enumerate().flat_map(move |(i, (a, place_a))| {
        b.parts().enumerate().map(move |(j, (b, place_b))| {
            let offset = offset + place_b - place_a;
            ([i as u32, j as u32], TwoPieces { a, b, offset })
        })
    })
}

/// The pieces to which [`piece_by_piece`] gave these numbers.
pub(crate) fn two_pieces(whole: TwoPieces<'_>, [i, j]: [u32; 2]) -> Option<TwoPieces<'_>> {
    let (a, place_a) = whole.a.parts().nth(i as usize)?;
    let (b, place_b) = whole.b.parts().nth(j as usize)?;
    Some(TwoPieces { a, b, offset: whole.offset + place_b - place_a })
}

fn sweep_in_order(
    a: &PlacedShape,
    b: &PlacedShape,
    offset: DVec2,
    displacement: DVec2,
    touch: &Touch,
) -> SweptPair {
    let apart = SweptPair { start: Relation::Separated, first: None };
    let extents = extents(a, b);
    let tolerance = touch.tolerance(extents);
    // Both lie within circles around their reference points: most pass each other by.
    let room = core::f64::consts::SQRT_2 * extents + tolerance;
    let along = if displacement == DVec2::ZERO {
        0.0
    } else {
        (-offset.dot(displacement) / displacement.length_squared()).clamp(0.0, 1.0)
    };
    if (offset + displacement * along).length_squared() > room * room {
        return apart;
    }
    let Some(way) = NearbyWay::new(offset, displacement, room) else { return apart };
    let NearbyWay { offset, displacement, .. } = way;
    let first_touch = |at: f64, normal: DVec2, point: DVec2| FirstTouch {
        time: way.time(at),
        normal,
        point,
        is_seen_from_b: false,
        far_offset: (way.share < 1.0).then(|| offset + displacement * at),
    };

    if a.is_convex() && b.is_convex() && touch.rule == TouchRule::Inclusive {
        let (core_a, core_b) = (Convex::of(a, DVec2::ZERO), Convex::of(b, offset));
        let difference = Convex::minkowski_difference(&core_a, &core_b);
        match difference.plain_entry(DVec2::ZERO, displacement, 1.0, tolerance) {
            PlainEntry::Enters { at, normal } => {
                let point = point_of_contact(a, b, offset + displacement * at, normal);
                return SweptPair { first: Some(first_touch(at, normal, point)), ..apart };
            }
            PlainEntry::Misses => return apart,
            PlainEntry::NotPlain => {}
        }
    }
    let (pieces_a, pieces_b) = (pieces_of(a, DVec2::ZERO), pieces_of(b, offset));
    let pairs = pairs(&pieces_a, &pieces_b).filter(|pair| pair.may_meet(displacement, tolerance));
    let pairs: PairNumbers = pairs.map(|pair| pair.pieces).collect();
    if pairs.is_empty() {
        return apart;
    }
    let pair = |pieces: [u32; 2]| PiecePair::at(&pieces_a, &pieces_b, pieces);
    let differences = pairs.iter().map(|&pieces| pair(pieces).minkowski_difference());
    let rounding = Touch::RELATIVE * extents;
    let union = Union::new(differences, rounding, seams_of(&pieces_a, &pieces_b, rounding));
    let nearest = union.nearest(DVec2::ZERO);
    let start = touch.relation(nearest.distance, extents);
    let hit = if touch.counts(start) {
        let part = union.nearest_part(DVec2::ZERO);
        Some(Hit { at: 0.0, normal: nearest.normal, part })
    } else if displacement == DVec2::ZERO {
        None
    } else {
        union.first_hit(DVec2::ZERO, displacement, 1.0, touch, tolerance)
    };
    let first = hit.map(|hit| {
        let point = pair(pairs[hit.part]).point(displacement * hit.at, hit.normal);
        first_touch(hit.at, hit.normal, point)
    });
    SweptPair { start, first }
}
