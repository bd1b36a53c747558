//! The candidate axes as the crate visits them, and what they say.

use std::ops::ControlFlow;

use bevy::prelude::*;
use bevy_nudge::geometry::{
    AxisSource, Interval, PlacedShape, SeparatingAxis, TouchRule, contact, separation, visit_axes,
};

use crate::figure::Line;
use crate::palette::{ANSWER, MTV, TEXT};
use crate::wording::{direction, interval, number, vector};

/// A candidate axis, kept.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) source: AxisSource,
    /// From A to B.
    pub(super) normal: Vec2,
    /// Positive if the shadows are apart; otherwise minus the way out along the normal.
    pub(super) gap: f64,
    /// The shadows of A and of B, measured from the middle of A.
    pub(super) shadows: [Interval; 2],
    /// The first axis before it on the same line, if there is one.
    pub(super) same_as: Option<usize>,
}

impl Candidate {
    pub(super) fn parts(&self) -> bool {
        self.gap > 0.0
    }

    /// Whether the shadows are apart the other way round: B lies behind A, seen along the normal.
    pub(super) fn lies_behind(&self) -> bool {
        let shared = self.shared();
        !self.parts() && shared.max < shared.min
    }

    /// What the shadows share or what lies between them, in words.
    pub(super) fn middle(&self) -> String {
        let shared = self.shared();
        if self.parts() {
            format!("gap {}", number(self.gap))
        } else if self.lies_behind() {
            format!("apart by {}, B behind A", number(shared.min - shared.max))
        } else {
            format!("overlap {}", number(shared.max - shared.min))
        }
    }

    /// What the shadows share, or inside out the gap between them.
    pub(super) fn shared(&self) -> Interval {
        let [a, b] = self.shadows;
        Interval { min: a.min.max(b.min), max: a.max.min(b.max) }
    }
}

/// All axes of the pair, in the order of the crate.
pub(super) fn candidates(a: &PlacedShape, b: &PlacedShape) -> Vec<Candidate> {
    let mut list: Vec<Candidate> = Vec::new();
    visit_axes(a, b, &mut |axis: &SeparatingAxis<'_>| {
        let normal = axis.normal();
        let is_parallel = |other: &Candidate| other.normal.perp_dot(normal).abs() < 1e-4;
        list.push(Candidate {
            source: axis.source(),
            normal,
            gap: axis.gap(),
            shadows: axis.projections(),
            same_as: list.iter().position(is_parallel),
        });
        ControlFlow::Continue(())
    });
    list
}

/// Which axis decides: that of the contact, or else the one with the largest gap.
pub(super) fn deciding(axes: &[Candidate], a: &PlacedShape, b: &PlacedShape) -> usize {
    let normal = contact(a, b, TouchRule::Inclusive).map(|contact| contact.normal);
    let is_meant = |axis: &Candidate| normal.is_none_or(|normal| axis.normal.dot(normal) > 0.9999);
    let mut best = None;
    for (index, axis) in axes.iter().enumerate().filter(|(_, axis)| is_meant(axis)) {
        if best.is_none_or(|best: usize| axis.gap > axes[best].gap) {
            best = Some(index);
        }
    }
    best.unwrap_or(0)
}

/// What an axis is called in the list: edges and corners count from 0, as in the panel and the API.
pub(super) fn name(source: AxisSource) -> String {
    match source {
        AxisSource::EdgeOfA(edge) => format!("edge {edge} of A"),
        AxisSource::EdgeOfB(edge) => format!("edge {edge} of B"),
        AxisSource::CornerOfA(corner) => format!("corner {corner} of A"),
        AxisSource::CornerOfB(corner) => format!("corner {corner} of B"),
        AxisSource::LineOfCenters => "line of centres".to_owned(),
        AxisSource::NearestCorners => "nearest corners".to_owned(),
    }
}

pub(super) fn sentences(
    a: &PlacedShape,
    b: &PlacedShape,
    axes: &[Candidate],
    drawn: usize,
) -> Vec<Line> {
    let redundant = axes.iter().filter(|axis| axis.same_as.is_some()).count();
    let first = format!(
        "A has {} edges, B has {}: {} axes, {redundant} of them parallel to one before",
        a.edges().count(),
        b.edges().count(),
        axes.len()
    );
    let mut lines = vec![Line::new(TEXT, first)];
    if let Some(axis) = axes.get(drawn) {
        let [shadow_a, shadow_b] = axis.shadows.map(interval);
        let mut verdict = axis.middle();
        if !axis.parts() {
            verdict += &format!(", way out {}", number(-axis.gap));
        }
        let words = format!(
            "Drawn: {}, direction {}. From the middle of A: {shadow_a} and {shadow_b}, \
             {verdict}",
            name(axis.source),
            direction(axis.normal)
        );
        lines.push(Line::new(TEXT, words));
    }
    let decides = axes.get(deciding(axes, a, b)).map_or_else(String::new, |axis| name(axis.source));
    lines.push(match contact(a, b, TouchRule::Inclusive) {
        Some(contact) => Line::new(
            MTV,
            format!(
                "No gap on any axis: contact. Shortest way out on {decides}: depth {}, MTV of B {}, \
                 contact point {}",
                number(contact.depth),
                vector(contact.mtv()),
                vector(contact.point)
            ),
        ),
        None => {
            let gaps = axes.iter().filter(|axis| axis.parts()).count();
            let distance = number(separation(a, b).distance);
            let words = format!(
                "{gaps} of {} axes show a gap, and one is enough: apart. The largest, on {decides}, is \
                 the distance {distance}",
                axes.len()
            );
            Line::new(ANSWER, words)
        }
    });
    lines
}

#[cfg(test)]
mod tests {
    use bevy::math::Affine2;
    use bevy_nudge::geometry::ConvexPolygon;

    use super::*;

    fn square(x: f32, y: f32, degrees: f32) -> PlacedShape {
        let square = ConvexPolygon::rectangle(Vec2::splat(100.0)).expect("a square");
        let pose = Affine2::from_angle_translation(degrees.to_radians(), Vec2::new(x, y));
        PlacedShape::new(&square.into(), pose).expect("placed")
    }

    fn words(a: &PlacedShape, b: &PlacedShape) -> Vec<String> {
        let axes = candidates(a, b);
        let drawn = deciding(&axes, a, b);
        sentences(a, b, &axes, drawn).into_iter().map(|line| line.words).collect()
    }

    /// Of the eight edges of two upright squares only two lines are different.
    #[test]
    fn overlapping_squares_have_six_redundant_axes() {
        let (a, b) = (square(0.0, 0.0, 0.0), square(80.0, 30.0, 0.0));
        assert_eq!(
            words(&a, &b),
            [
                "A has 4 edges, B has 4: 8 axes, 6 of them parallel to one before",
                "Drawn: edge 1 of A, direction (1, 0). From the middle of A: [-50, 50] and [30, \
                 130], overlap 20, way out 20",
                "No gap on any axis: contact. Shortest way out on edge 1 of A: depth 20, MTV of B (20, \
                 0), contact point (40, 15)",
            ]
        );
        let axes = candidates(&a, &b);
        let back = axes.iter().find(|axis| axis.normal == Vec2::NEG_X).expect("the other way");
        assert!((back.gap + 180.0).abs() < 1e-9, "to the left it is farther: {}", back.gap);
    }

    #[test]
    fn a_turned_square_adds_its_own_axes() {
        let axes = candidates(&square(0.0, 0.0, 0.0), &square(90.0, 0.0, 45.0));
        let redundant: Vec<_> = axes.iter().map(|axis| axis.same_as).collect();
        let expected = [None, None, Some(0), Some(1), None, None, Some(4), Some(5)];
        assert_eq!(redundant, expected);
    }

    #[test]
    fn squares_apart_are_parted_by_the_largest_gap() {
        let (a, b) = (square(0.0, 0.0, 0.0), square(130.0, 0.0, 0.0));
        let words_apart = words(&a, &b);
        assert_eq!(
            words_apart[1],
            "Drawn: edge 1 of A, direction (1, 0). From the middle of A: [-50, 50] and [80, \
             180], gap 30"
        );
        // The same edge of B shows it too.
        assert_eq!(
            words_apart[2],
            "2 of 8 axes show a gap, and one is enough: apart. The largest, on edge 1 of A, is the \
             distance 30"
        );
        // Seen the other way, B lies behind A: nothing is shared there, and the way out leads past A.
        let axes = candidates(&a, &b);
        let left = axes.iter().position(|axis| axis.normal == Vec2::NEG_X).expect("to the left");
        assert!(axes[left].lies_behind());
        let behind = &sentences(&a, &b, &axes, left)[1].words;
        assert!(behind.ends_with("apart by 30, B behind A, way out 230"), "{behind}");
        let b = square(140.0, 130.0, 0.0);
        let corner = words(&a, &b);
        assert!(corner[1].starts_with("Drawn: nearest corners"), "{corner:?}");
        assert!(corner[2].ends_with("on nearest corners, is the distance 50"), "{corner:?}");
    }
}
