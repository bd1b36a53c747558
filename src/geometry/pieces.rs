//! Contacts and distances of shapes of several pieces.

use super::approach::is_far;
use super::collide::extents;
use super::contact::{Contact, ContactStatus};
use super::contact_point::point_of_contact;
use super::convex::{Convex, Nearest};
use super::distance::{self, Measured};
use super::placed::PlacedShape;
use super::sat::offset;
use super::scratch::{ScratchList, stored};
use super::support::lowest;
use super::touch::{Relation, Touch};
use super::union::{Seams, Union};
use bevy::math::DVec2;

/// A convex piece of a shape.
pub(super) struct Piece {
    /// Where its reference point is, seen from that of the whole.
    offset: DVec2,
    /// Where its reference point is.
    place: DVec2,
    pub(super) convex: Convex,
    bounds: (DVec2, DVec2),
}

stored!(Piece);

/// The pieces of a shape, in its order.
pub(super) struct PieceList<'s> {
    shape: &'s PlacedShape,
    list: ScratchList<[Piece; 1]>,
}

impl PieceList<'_> {
    /// How far a piece reaches along a unit vector, from the reference point of the whole.
    fn reach(&self, piece: usize, direction: DVec2) -> f64 {
        let part = self.shape.part(piece);
        let core = part.as_polygon().map_or(0.0, |core| -lowest(core.vertices(), -direction));
        direction.dot(self.list[piece].offset) + core + f64::from(part.rounding())
    }
}

/// What it means for pieces to fill the room between others.
pub(super) fn seams_of(a: &PieceList<'_>, b: &PieceList<'_>, tolerance: f64) -> Seams {
    let are_thick = |pieces: &PieceList<'_>| {
        pieces.list.iter().all(|piece| piece.convex.least_inner_radius() > THICK * tolerance)
    };
    if are_thick(a) && are_thick(b) { Seams::Slots } else { Seams::Inside }
}

/// The inner radius of what cannot hide on a seam, in tolerances.
const THICK: f64 = 8.0;

/// The pieces of a shape whose reference point is at `place`.
pub(super) fn pieces_of(shape: &PlacedShape, place: DVec2) -> PieceList<'_> {
    let parts = shape.parts().map(|(part, offset)| {
        let place = place + offset;
        let convex = Convex::of(part, place);
        let bounds = convex.bounds();
        Piece { offset, place, convex, bounds }
    });
    PieceList { shape, list: parts.collect() }
}

/// A piece of A and a piece of B.
#[derive(Clone, Copy)]
pub(super) struct PiecePair<'p> {
    a: &'p PieceList<'p>,
    b: &'p PieceList<'p>,
    /// Which piece of A and which of B.
    pub(super) pieces: [u32; 2],
}

/// Which pieces of A and B, for the pairs that matter.
pub(super) type PairNumbers = ScratchList<[[u32; 2]; 1]>;

impl<'p> PiecePair<'p> {
    pub(super) fn at(a: &'p PieceList<'p>, b: &'p PieceList<'p>, pieces: [u32; 2]) -> Self {
        Self { a, b, pieces }
    }

    fn piece_a(&self) -> &'p Piece {
        &self.a.list[self.pieces[0] as usize]
    }

    fn piece_b(&self) -> &'p Piece {
        &self.b.list[self.pieces[1] as usize]
    }

    fn shapes(&self) -> (&'p PlacedShape, &'p PlacedShape) {
        let [a, b] = self.pieces;
        (self.a.shape.part(a as usize), self.b.shape.part(b as usize))
    }
}

impl PiecePair<'_> {
    /// The translations of B at which the pieces meet.
    pub(super) fn minkowski_difference(&self) -> Convex {
        Convex::minkowski_difference(&self.piece_a().convex, &self.piece_b().convex)
    }

    /// How far the bounds of the pieces are apart: no more than the pieces themselves.
    fn gap_of_bounds(&self) -> f64 {
        let ((min_a, max_a), (min_b, max_b)) = (self.piece_a().bounds, self.piece_b().bounds);
        (min_b - max_a).max(min_a - max_b).max(DVec2::ZERO).length()
    }

    /// Whether the pieces may meet while B moves by `displacement`.
    pub(super) fn may_meet(&self, displacement: DVec2, tolerance: f64) -> bool {
        let ((min_a, max_a), (min_b, max_b)) = (self.piece_a().bounds, self.piece_b().bounds);
        let min_b = min_b + displacement.min(DVec2::ZERO) - tolerance;
        let max_b = max_b + displacement.max(DVec2::ZERO) + tolerance;
        (min_b.cmple(max_a) & min_a.cmple(max_b)).all()
    }

    /// A point in both pieces, once B has moved by `displacement`.
    pub(super) fn point(&self, displacement: DVec2, normal: DVec2) -> DVec2 {
        let (place_a, place_b) = (self.piece_a().place, self.piece_b().place);
        let (a, b) = self.shapes();
        place_a + point_of_contact(a, b, place_b + displacement - place_a, normal)
    }
}

pub(super) fn pairs<'p>(
    a: &'p PieceList<'p>,
    b: &'p PieceList<'p>,
) -> impl Iterator<Item = PiecePair<'p>> + Clone {
    let (count_a, count_b) = (a.list.len() as u32, b.list.len() as u32);
    (0..count_a).flat_map(move |i| (0..count_b).map(move |j| PiecePair::at(a, b, [i, j])))
}

/// How two shapes in contact lie to each other.
struct Meeting {
    /// What B has to leave, seen from where it is. The normal points from A to B.
    nearest: Nearest,
    relation: Relation,
    /// A point in both shapes, relative to A.
    point: DVec2,
}

/// Whether two shapes are a contact.
pub(super) fn overlaps(a: &PlacedShape, b: &PlacedShape, touch: &Touch) -> bool {
    let extents = extents(a, b);
    let tolerance = touch.tolerance(extents);
    let (pieces_a, pieces_b) = (pieces_of(a, DVec2::ZERO), pieces_of(b, offset(a, b)));
    let mut is_touching = false;
    for pair in pairs(&pieces_a, &pieces_b).filter(|pair| pair.gap_of_bounds() <= tolerance) {
        let distance = pair.minkowski_difference().nearest(DVec2::ZERO).distance;
        let relation = touch.relation(distance, extents);
        if touch.counts(relation) {
            return true;
        }
        is_touching |= relation == Relation::Touching;
    }
    // No pair of pieces overlaps, but what is thin may lie on the seam between two pieces.
    is_touching && meet(a, b, touch).is_some()
}

/// As [`contact`](super::contact), for shapes of which at least one has pieces.
pub(super) fn contact(a: &PlacedShape, b: &PlacedShape, touch: &Touch) -> Option<Contact> {
    let Meeting { nearest, relation, point } = meet(a, b, touch)?;
    let (depth, status) = match relation {
        Relation::Overlapping => (-nearest.distance, ContactStatus::Overlapping),
        Relation::Touching | Relation::Separated => (0.0, ContactStatus::Touching),
    };
    Some(Contact {
        normal: nearest.normal.as_vec2(),
        depth: depth as f32,
        point: (a.origin().as_dvec2() + point).as_vec2(),
        status,
    })
}

/// None if the shapes are no contact.
fn meet(a: &PlacedShape, b: &PlacedShape, touch: &Touch) -> Option<Meeting> {
    let extents = extents(a, b);
    let (pieces_a, pieces_b) = (pieces_of(a, DVec2::ZERO), pieces_of(b, offset(a, b)));
    let (near, nearest) = blocked(&pieces_a, &pieces_b, touch.tolerance(extents), extents)?;
    // The shortest way out of the whole may lead through a piece, so what the two pieces share is
    // found along their own.
    let (pair, own) = near
        .iter()
        .map(|&pieces| PiecePair::at(&pieces_a, &pieces_b, pieces))
        .map(|pair| (pair, pair.minkowski_difference().nearest(DVec2::ZERO)))
        .reduce(|one, other| if other.1.distance < one.1.distance { other } else { one })?;
    // The way out of the whole is no shorter than that of the deepest two pieces. Where the tolerance
    // is wider than a piece it may seem so.
    let counts = |nearest: Nearest| touch.counts(touch.relation(nearest.distance, extents));
    let nearest = [nearest, own].into_iter().find(|&nearest| counts(nearest))?;
    let relation = touch.relation(nearest.distance, extents);
    let normal = if own.distance < 0.0 { own.normal } else { nearest.normal };
    Some(Meeting { nearest, relation, point: pair.point(DVec2::ZERO, normal) })
}

/// What B has to leave, seen from where it is, and the pairs of pieces that matter for it; none
/// if the shapes are farther apart than `tolerance`.
///
/// Pieces farther away than the way out cannot block it. So the search starts with those that
/// meet, and takes in more only as far as the way out so far is long.
fn blocked(
    a: &PieceList<'_>,
    b: &PieceList<'_>,
    tolerance: f64,
    extents: f64,
) -> Option<(PairNumbers, Nearest)> {
    let seams = seams_of(a, b, Touch::RELATIVE * extents);
    let mut reach = tolerance;
    let mut found: Option<(usize, Nearest)> = None;
    loop {
        let near = pairs(a, b).filter(|pair| pair.gap_of_bounds() <= reach);
        let near: PairNumbers = near.map(|pair| pair.pieces).collect();
        if near.is_empty() {
            return None;
        }
        if let Some((before, nearest)) = found
            && before == near.len()
        {
            return Some((near, nearest));
        }
        let differences =
            near.iter().map(|&pieces| PiecePair::at(a, b, pieces).minkowski_difference());
        let union = Union::new(differences, Touch::RELATIVE * extents, seams);
        let nearest = union.nearest(DVec2::ZERO);
        if -nearest.distance <= reach {
            return Some((near, nearest));
        }
        reach = -nearest.distance;
        found = Some((near.len(), nearest));
    }
}

/// The pieces of two shapes that reach farthest towards each other, where these are so far apart
/// that the numbers of the distance do not tell them from those behind.
struct OuterPieces {
    direction: DVec2,
    /// How far a piece of A reaches at least along the direction, and one of B against it.
    least: [f64; 2],
}

fn outer_pieces(a: &PieceList<'_>, b: &PieceList<'_>, offset: DVec2) -> Option<OuterPieces> {
    let extents = extents(a.shape, b.shape);
    if !is_far(offset.length_squared(), extents) {
        return None;
    }
    let distance = offset.length();
    let direction = offset / distance;
    let farthest = |pieces: &PieceList<'_>, direction: DVec2| {
        let reaches = (0..pieces.list.len()).map(|i| pieces.reach(i, direction));
        reaches.fold(f64::NEG_INFINITY, f64::max)
    };
    // How much nearer something beside the direction may be, and the rounding of a reach.
    let margin = 2.0 * extents * (extents / distance) + 0.5 * Touch::RELATIVE * extents;
    let least = [farthest(a, direction) - margin, farthest(b, -direction) - margin];
    Some(OuterPieces { direction, least })
}

impl OuterPieces {
    fn holds(&self, pair: &PiecePair<'_>) -> bool {
        let [a, b] = pair.pieces.map(|piece| piece as usize);
        pair.a.reach(a, self.direction) >= self.least[0]
            && pair.b.reach(b, -self.direction) >= self.least[1]
    }
}

/// As [`measure`](distance::measure), for shapes of which at least one has pieces.
pub(super) fn measure(a: &PlacedShape, b: &PlacedShape) -> Measured {
    let touch = Touch::default();
    let (pieces_a, pieces_b) = (pieces_of(a, DVec2::ZERO), pieces_of(b, offset(a, b)));
    if let Some(Meeting { nearest, relation: Relation::Overlapping, point }) = meet(a, b, &touch) {
        let half = nearest.normal * (0.5 * nearest.distance);
        return Measured {
            distance: nearest.distance,
            normal: nearest.normal,
            on_a: point - half,
            on_b: point + half - offset(a, b),
        };
    }
    let mut nearest: Option<Measured> = None;
    let outer = outer_pieces(&pieces_a, &pieces_b, offset(a, b));
    for pair in pairs(&pieces_a, &pieces_b) {
        if outer.as_ref().is_some_and(|outer| !outer.holds(&pair)) {
            continue;
        }
        if nearest.is_some_and(|nearest| nearest.distance < pair.gap_of_bounds()) {
            continue;
        }
        let (piece_a, piece_b) = (pair.piece_a(), pair.piece_b());
        let (a, b) = pair.shapes();
        let measured = distance::measure(a, b, piece_b.place - piece_a.place);
        if nearest.is_none_or(|nearest| measured.distance < nearest.distance) {
            nearest = Some(Measured {
                on_a: measured.on_a + piece_a.offset,
                on_b: measured.on_b + piece_b.offset,
                ..measured
            });
        }
    }
    // Every shape has a piece; the fallback is never read.
    let fallback =
        Measured { distance: 0.0, normal: DVec2::X, on_a: DVec2::ZERO, on_b: DVec2::ZERO };
    nearest.unwrap_or(fallback)
}
