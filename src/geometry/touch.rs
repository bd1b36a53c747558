//! When two shapes count as touching: the only place that compares a separation with zero, but for
//! `circles.rs`, which does so for many pairs at once and is held to this by a test.

use bevy::reflect::{Reflect, std_traits::ReflectDefault};

/// Whether shapes that only touch are a contact.
///
/// One rule decides for every test in an app, so that a contact, a yes-or-no test and a point
/// test can never disagree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub enum TouchRule {
    /// Touching pairs are contacts of depth 0. A character at rest on the floor keeps its contact.
    #[default]
    Inclusive,
    /// Only overlapping pairs are contacts. Tiles laid side by side have none.
    Exclusive,
}

/// How two shapes lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Reflect)]
#[reflect(Clone, PartialEq, Debug)]
pub enum Relation {
    /// A gap larger than the tolerance lies between them.
    Separated,
    /// Their boundaries meet, within the tolerance.
    Touching,
    /// They share more than their boundaries.
    Overlapping,
}

/// A touching rule with its tolerance: everything needed to decide whether a pair is a contact.
///
/// With the signed separation `s` of a pair (the distance when apart, minus the depth when
/// overlapping) and the tolerance `t`, a pair is separated for `s > t`, touching for `|s| <= t`
/// and overlapping for `s < -t`.
///
/// The tolerance is [`Touch::RELATIVE`] times the sizes of both shapes, plus
/// [`slop`](Touch::slop).
///
/// ```
/// use bevy_nudge::geometry::{Touch, TouchRule, Relation};
/// let touch = Touch::from(TouchRule::Exclusive);
/// assert_eq!(touch.relation(0.0, 2.0), Relation::Touching);
/// assert!(!touch.counts(Relation::Touching));
/// assert!(touch.counts(Relation::Overlapping));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub struct Touch {
    /// Whether touching counts.
    pub rule: TouchRule,
    /// Extra tolerance in world units, on top of the relative one. Zero by default. A negative or
    /// non-finite value counts as zero.
    pub slop: f32,
}

impl From<TouchRule> for Touch {
    fn from(rule: TouchRule) -> Self {
        Self { rule, slop: 0.0 }
    }
}

impl Touch {
    /// The relative tolerance: four units in the last place of the sizes involved.
    ///
    /// Placing a shape rounds each of its corners by up to 1.5 such units, and a unit normal adds
    /// about another half on each side. With less, tiles that share a turned edge would flicker
    /// between touching and apart; with more, real gaps would be swallowed.
    pub const RELATIVE: f64 = 4.0 * f32::EPSILON as f64;

    /// The tolerance in world units for a pair whose shapes have these sizes added up
    /// (see [`PlacedShape::extent`](super::PlacedShape::extent)).
    #[must_use]
    #[inline]
    pub fn tolerance(&self, extents: f64) -> f64 {
        let slop = if self.slop.is_finite() { self.slop.max(0.0) } else { 0.0 };
        Self::RELATIVE * extents + f64::from(slop)
    }

    /// The rule and tolerance for one pair whose shapes have these extents added up.
    #[inline]
    pub(super) fn band(&self, extents: f64) -> TouchBand {
        TouchBand { tolerance: self.tolerance(extents), rule: self.rule }
    }

    /// Classifies a signed separation, in world units, of shapes with these extents added up.
    #[must_use]
    #[inline]
    pub fn relation(&self, separation: f64, extents: f64) -> Relation {
        classify(separation, self.tolerance(extents))
    }

    /// Classifies two shapes whose reference points are `distance_squared` apart (squared world
    /// units) and touch at the distance `reach`. Takes no square root.
    #[must_use]
    #[inline]
    pub fn relation_squared(&self, distance_squared: f64, reach: f64, extents: f64) -> Relation {
        classify_squared(distance_squared, reach, self.tolerance(extents))
    }

    /// Whether a pair in this relation is a contact.
    #[must_use]
    #[inline]
    pub fn counts(&self, relation: Relation) -> bool {
        self.rule.counts(relation)
    }
}

impl TouchRule {
    #[inline]
    fn counts(self, relation: Relation) -> bool {
        match relation {
            Relation::Separated => false,
            Relation::Touching => self == Self::Inclusive,
            Relation::Overlapping => true,
        }
    }
}

/// A [`Touch`] for one pair, its tolerance worked out.
#[derive(Clone, Copy, Debug)]
pub(super) struct TouchBand {
    tolerance: f64,
    rule: TouchRule,
}

impl TouchBand {
    #[inline]
    pub(super) fn relation(&self, separation: f64) -> Relation {
        classify(separation, self.tolerance)
    }

    #[inline]
    pub(super) fn relation_squared(&self, distance_squared: f64, reach: f64) -> Relation {
        classify_squared(distance_squared, reach, self.tolerance)
    }

    #[inline]
    pub(super) fn counts(&self, relation: Relation) -> bool {
        self.rule.counts(relation)
    }
}

#[inline]
fn classify(separation: f64, tolerance: f64) -> Relation {
    if separation < -tolerance {
        Relation::Overlapping
    } else if separation <= tolerance {
        Relation::Touching
    } else {
        Relation::Separated
    }
}

#[inline]
fn classify_squared(distance_squared: f64, reach: f64, tolerance: f64) -> Relation {
    let outer = reach + tolerance;
    let inner = reach - tolerance;
    if inner > 0.0 && distance_squared < inner * inner {
        Relation::Overlapping
    } else if distance_squared <= outer * outer {
        Relation::Touching
    } else {
        Relation::Separated
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_band_around_zero_is_touching_and_closed() {
        let touch = Touch { rule: TouchRule::Inclusive, slop: 0.5 };
        let cases = [
            ("beyond the band", 0.500_1, Relation::Separated),
            ("its outer end", 0.5, Relation::Touching),
            ("zero", 0.0, Relation::Touching),
            ("its inner end", -0.5, Relation::Touching),
            ("deeper", -0.500_1, Relation::Overlapping),
        ];
        for (name, separation, expected) in cases {
            assert_eq!(touch.relation(separation, 0.0), expected, "{name}");
            let distance = 3.0 + separation;
            let squared = touch.relation_squared(distance * distance, 3.0, 0.0);
            assert_eq!(squared, expected, "{name}, squared");
        }
    }

    #[test]
    fn an_unsound_slop_counts_as_none() {
        for slop in [f32::NAN, f32::INFINITY, -1.0] {
            let touch = Touch { rule: TouchRule::Inclusive, slop };
            assert_eq!(touch.relation(1e-9, 0.0), Relation::Separated, "slop {slop}");
        }
    }

    #[test]
    fn two_points_at_one_place_touch() {
        let touch = Touch::default();
        assert_eq!(touch.relation_squared(0.0, 0.0, 0.0), Relation::Touching);
        assert_eq!(touch.relation(0.0, 0.0), Relation::Touching);
    }
}
