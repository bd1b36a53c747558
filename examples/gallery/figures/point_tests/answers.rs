//! What the tests say of a point.

use bevy::prelude::*;
use bevy_nudge::geometry::{
    FillRule, PlacedShape, PointLocation, Touch, crossing_count, is_left_of_all_edges,
    locate_in_outline, locate_point, project_point, signed_distance_to_outline, winding_number,
};

use crate::figure::Line;
use crate::palette::{ANSWER, DIM, WRONG};

/// A shape as it stands in the world.
pub(super) struct Target<'a> {
    pub(super) shape: &'a PlacedShape,
    /// Its corners in order; none of a circle. Those of the pentagram are joined across.
    pub(super) outline: Vec<Vec2>,
    /// The rule, if the outline crosses itself.
    pub(super) fill: Option<FillRule>,
    pub(super) touch: Touch,
}

/// What each test says of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Answers {
    pub(super) location: PointLocation,
    pub(super) distance: f32,
    /// Of outlines with corners.
    pub(super) counts: Option<Counts>,
    pub(super) crosses_itself: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Counts {
    pub(super) crossings: usize,
    pub(super) winding: i32,
    pub(super) is_left_of_all: bool,
}

impl Counts {
    /// Crossing count, winding number and convex test: inside or not.
    pub(super) fn verdicts(self) -> [bool; 3] {
        [self.crossings % 2 == 1, self.winding != 0, self.is_left_of_all]
    }

    pub(super) fn disagree(self) -> bool {
        self.verdicts().iter().any(|&verdict| verdict != self.verdicts()[0])
    }
}

impl<'a> Target<'a> {
    pub(super) fn plain(shape: &'a PlacedShape, touch: Touch) -> Self {
        let corners = || shape.outlines(3).swap_remove(0);
        let outline = if shape.radius().is_some() { Vec::new() } else { corners() };
        Self { shape, outline, fill: None, touch }
    }

    /// The tips of a star in the order in which a pen draws them.
    pub(super) fn pentagram(star: &'a PlacedShape, fill: FillRule, touch: Touch) -> Self {
        let tips: Vec<Vec2> = star.outlines(3).swap_remove(0).into_iter().step_by(2).collect();
        let outline = (0..tips.len()).map(|i| tips[2 * i % tips.len()]).collect();
        Self { shape: star, outline, fill: Some(fill), touch }
    }

    pub(super) fn ask(&self, point: Vec2) -> Answers {
        let outline = &self.outline;
        let (location, distance) = match self.fill {
            Some(fill) => (
                locate_in_outline(outline, point, fill, self.touch),
                signed_distance_to_outline(outline, point, fill),
            ),
            None => (
                locate_point(self.shape, point, self.touch),
                project_point(self.shape, point).signed_distance,
            ),
        };
        let counts = (!outline.is_empty()).then(|| self.count(point));
        Answers { location, distance, counts, crosses_itself: self.fill.is_some() }
    }

    pub(super) fn count(&self, point: Vec2) -> Counts {
        Counts {
            crossings: crossing_count(&self.outline, point),
            winding: winding_number(&self.outline, point),
            is_left_of_all: is_left_of_all_edges(&self.outline, point),
        }
    }
}

/// The shape that holds the point, or else the nearest.
pub(super) fn nearest(answers: &[Answers]) -> Option<usize> {
    let distance = |index: &usize| answers[*index].distance;
    (0..answers.len()).min_by(|one, other| distance(one).total_cmp(&distance(other)))
}

impl Answers {
    pub(super) fn sentence(&self, name: &str) -> Line {
        let Some(counts) = self.counts else {
            let words = "A circle has no edges to cross: the distance of its centre against its radius \
                         decides.";
            return Line::new(DIM, words);
        };
        if self.location == PointLocation::Boundary {
            let words = "On the line itself the counts may say either; only the distance to the line \
                         tells, and the touching rule decides.";
            return Line::new(WRONG, words);
        }
        let Counts { crossings, winding, is_left_of_all } = counts;
        if !counts.disagree() {
            let verdict = if is_left_of_all { "inside" } else { "outside" };
            return Line::new(ANSWER, format!("All three tests agree: {verdict}."));
        }
        let [is_odd, goes_around, _] = counts.verdicts();
        if self.crosses_itself && is_odd != goes_around {
            let words = format!(
                "The outline goes around it {} times and is crossed {crossings} times: inside by the \
                 non-zero rule, outside by the even-odd rule. Both are right, as rules.",
                winding.abs()
            );
            return Line::new(WRONG, words);
        }
        let words = format!(
            "Inside: crossing count {crossings}, winding number {winding}. Yet it is not left of all edges: \
             that test is wrong for the {name}, which is not convex."
        );
        Line::new(WRONG, words)
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::Affine2;
    use bevy_nudge::geometry::{Shape, TouchRule};

    use super::super::{PENTAGRAM, PointTests};
    use super::*;
    use crate::figure::Figure;

    fn place(body: usize) -> PlacedShape {
        let body = PointTests::default().bodies().expect("bodies").swap_remove(body);
        PlacedShape::new(&body.shape, Affine2::IDENTITY).expect("placed")
    }

    fn words(answers: &Answers, name: &str) -> String {
        answers.sentence(name).words
    }

    #[test]
    fn under_the_dent_the_convex_test_misses() {
        let notched = place(3);
        let target = Target::plain(&notched, TouchRule::Inclusive.into());
        let foot = target.ask(Vec2::new(-50.0, -50.0));
        assert_eq!(
            words(&foot, "notched pentagon"),
            "Inside: crossing count 3, winding number 1. Yet it is not left of all edges: that test is \
             wrong for the notched pentagon, which is not convex."
        );
        let top = target.ask(Vec2::new(0.0, 50.0));
        assert_eq!(words(&top, ""), "All three tests agree: inside.");
        let notch = target.ask(Vec2::new(0.0, -40.0));
        assert_eq!(notch.counts.map(|counts| (counts.crossings, counts.winding)), Some((2, 0)));
        assert_eq!(words(&notch, ""), "All three tests agree: outside.");
    }

    #[test]
    fn in_the_middle_of_the_pentagram_the_rules_differ() {
        let star = place(PENTAGRAM);
        for (fill, expected) in [
            (FillRule::NonZero, PointLocation::Inside),
            (FillRule::EvenOdd, PointLocation::Outside),
        ] {
            let target = Target::pentagram(&star, fill, TouchRule::Inclusive.into());
            assert_eq!(target.outline.len(), 5);
            let reach: Vec<f32> = target.outline.iter().map(|tip| tip.length()).collect();
            assert!(reach.iter().all(|reach| (reach - 105.0).abs() < 0.01), "the tips: {reach:?}");
            let middle = target.ask(Vec2::new(3.0, 4.0));
            assert_eq!(middle.location, expected, "{fill:?}");
            assert!(
                words(&middle, "")
                    .starts_with("The outline goes around it 2 times and is crossed 2")
            );
            let tip = target.ask(Vec2::new(0.0, 80.0));
            assert_eq!(tip.location, PointLocation::Inside, "{fill:?}");
            assert!(
                words(&tip, "pentagram").ends_with("wrong for the pentagram, which is not convex.")
            );
        }
    }

    #[test]
    fn a_circle_has_nothing_to_count() {
        let circle = place(0);
        let target = Target::plain(&circle, TouchRule::Inclusive.into());
        let answers = target.ask(Vec2::new(0.0, 35.0));
        assert_eq!((answers.distance, answers.counts), (-40.0, None));
        assert!(matches!(
            PointTests::default().bodies().expect("bodies")[0].shape,
            Shape::Circle(_)
        ));
    }

    #[test]
    fn the_nearest_shape_is_watched_and_the_one_around_the_point_first() {
        let answers = |distance| Answers {
            location: PointLocation::Outside,
            distance,
            counts: None,
            crosses_itself: false,
        };
        assert_eq!(nearest(&[answers(4.0), answers(-1.0), answers(0.5)]), Some(1));
        assert_eq!(nearest(&[]), None);
    }
}
