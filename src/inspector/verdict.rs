//! Why a pair is in contact or not: which stage of the step let it go, or what the test saw.

use bevy::math::Vec2;
use bevy::prelude::Entity;

use crate::geometry::{Explanation, PlacedShape, explain};

use super::recorded_colliders::RecordedCollider;
use super::step_record::{RecordedContact, StepRecord};

/// Side A or B of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The lower of the two entities.
    A,
    /// The higher of the two entities.
    B,
}

/// What became of a pair in a step, in the order in which the stages ask.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// One has no collider, or is gone. Sync did not meet it.
    Missing(Side),
    /// One is disabled. Sync passed over it.
    Disabled(Side),
    /// One is left out by sync because its shape or transform is unsound, or it came too late.
    LeftOut(Side),
    /// The layers of the two do not match. The broad phase drops such pairs.
    Layers {
        /// Whether A's filters hold a layer of B.
        a_filters_b: bool,
        /// Whether B's filters hold a layer of A.
        b_filters_a: bool,
    },
    /// Both are static, and static colliders never pair.
    BothStatic,
    /// The bounds do not meet, so that the pair was no candidate.
    BoundsApart {
        /// The gap between the bounds in x and y, in world units; not above 0 where they meet.
        gap: Vec2,
    },
    /// The narrow phase tested the pair.
    Tested(Test),
}

/// What the narrow phase saw of a pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// The contact of the step, if there is one.
    pub contact: Option<RecordedContact>,
    /// Each pair of convex pieces with its axes, the deepest or nearest first. Convex shapes have
    /// one. At most [`MOST_PAIRS_OF_PIECES`](Self::MOST_PAIRS_OF_PIECES) are listed.
    pub pieces: Vec<PairOfPieces>,
    /// How many pairs of pieces there are.
    pub count: usize,
}

/// A convex piece of A and one of B.
#[derive(Clone, Debug, PartialEq)]
pub struct PairOfPieces {
    /// Which piece of A and of B, counted as in [`PlacedShape::pieces`].
    pub places: [usize; 2],
    /// The pieces in world space.
    pub shapes: [PlacedShape; 2],
    /// Their axes.
    pub explanation: Explanation,
}

impl Test {
    /// How many pairs of pieces are listed.
    pub const MOST_PAIRS_OF_PIECES: usize = 32;
}

/// Finds out what became of a pair in a step.
#[must_use]
pub fn judge(record: &StepRecord, a: Entity, b: Entity) -> Verdict {
    let (one, other) = match (record.collider(a), record.collider(b)) {
        (None, _) => return Verdict::Missing(Side::A),
        (_, None) => return Verdict::Missing(Side::B),
        (Some(one), Some(other)) => (one, other),
    };
    let is_disabled = |collider: &RecordedCollider| collider.traits.flags.is_disabled;
    let (shape_a, shape_b) = match (one.shape, other.shape) {
        _ if is_disabled(&one) => return Verdict::Disabled(Side::A),
        _ if is_disabled(&other) => return Verdict::Disabled(Side::B),
        (None, _) => return Verdict::LeftOut(Side::A),
        (_, None) => return Verdict::LeftOut(Side::B),
        (Some(a), Some(b)) => (a, b),
    };
    let contact = record.between(a, b).copied();
    if contact.is_none() {
        let (layers_a, layers_b) = (one.traits.layers, other.traits.layers);
        if !layers_a.interacts_with(layers_b) {
            return Verdict::Layers {
                a_filters_b: layers_a.filters & layers_b.memberships != 0,
                b_filters_a: layers_b.filters & layers_a.memberships != 0,
            };
        }
        if one.traits.flags.is_static && other.traits.flags.is_static {
            return Verdict::BothStatic;
        }
        let gap = gap_of_bounds(shape_a, shape_b, record);
        if gap.max_element() > 0.0 {
            return Verdict::BoundsApart { gap };
        }
    }
    let (pieces_a, pieces_b) = (pieces(shape_a), pieces(shape_b));
    let mut pieces = Vec::new();
    for (i, piece_a) in pieces_a.iter().enumerate() {
        for (j, piece_b) in pieces_b.iter().enumerate() {
            if let Some(explanation) = explain(piece_a, piece_b, record.touch) {
                let shapes = [piece_a.clone(), piece_b.clone()];
                pieces.push(PairOfPieces { places: [i, j], shapes, explanation });
            }
        }
    }
    let gap = |pair: &PairOfPieces| {
        pair.explanation.axes.iter().fold(f64::MIN, |largest, axis| largest.max(axis.gap))
    };
    pieces.sort_by(|one, other| gap(one).total_cmp(&gap(other)));
    let count = pieces.len();
    pieces.truncate(Test::MOST_PAIRS_OF_PIECES);
    Verdict::Tested(Test { contact, pieces, count })
}

/// The pieces of a shape; a convex one stays exactly what it is.
fn pieces(shape: &PlacedShape) -> Vec<PlacedShape> {
    if shape.is_convex() { vec![shape.clone()] } else { shape.pieces().collect() }
}

/// As the broad phase compares them, the touching tolerance included.
fn gap_of_bounds(a: &PlacedShape, b: &PlacedShape, record: &StepRecord) -> Vec2 {
    let (a, b) = (a.touch_bounds(&record.touch), b.touch_bounds(&record.touch));
    (b.min - a.max).max(a.min - b.max)
}
