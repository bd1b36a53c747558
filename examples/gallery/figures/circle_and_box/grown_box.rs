//! The box grown by the radius of the circle, which many take for the true region, and how wrong it
//! is.

use bevy::math::Affine2;
use bevy::prelude::*;
use bevy_egui::egui::{self, Align2};
use bevy_nudge::geometry::{Aabb, Circle, PlacedShape, contains_point, overlaps, separation};

use crate::figure::Line;
use crate::palette::{ANSWER, DIM, TEXT, WRONG};
use crate::shared::canvas::Canvas;
use crate::wording::number;

use super::TOUCH;

/// A box grown by the radius on each side: the naive test for the centre of a circle.
fn grown(a: &PlacedShape, radius: f32) -> Option<PlacedShape> {
    let corners = || a.edges().map(|edge| edge.start);
    let min = corners().fold(Vec2::MAX, Vec2::min) - radius;
    let max = corners().fold(Vec2::MIN, Vec2::max) + radius;
    PlacedShape::new(&Aabb::from_corners(min, max).ok()?.into(), Affine2::IDENTITY).ok()
}

pub(super) fn circle_at(center: Vec2, radius: f32) -> Option<PlacedShape> {
    let circle = Circle::new(center, radius).ok()?;
    PlacedShape::new(&circle.into(), Affine2::IDENTITY).ok()
}

/// How often the naive test is wrong: for centres one world unit apart, so points are area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Count {
    /// Of the circle.
    radius: f32,
    /// Centres in the grown box of which the circle does not overlap the box.
    wrong: usize,
    /// Centres in the grown box.
    all: usize,
    /// How much too far away the farthest of them are: the distance of a circle around a corner of
    /// the grown box.
    over_reach: f32,
}

impl Count {
    pub(super) fn is_about(&self, radius: f32) -> bool {
        self.radius.to_bits() == radius.to_bits()
    }
}

pub(super) fn count(size: Vec2, radius: f32) -> Option<Count> {
    let a = Aabb::from_corners(Vec2::ZERO, size).ok()?;
    let a = PlacedShape::new(&a.into(), Affine2::IDENTITY).ok()?;
    let grown = grown(&a, radius)?;
    let (columns, rows) = ((size.x + 2.0 * radius) as usize, (size.y + 2.0 * radius) as usize);
    let mut count = Count { radius, wrong: 0, all: 0, over_reach: 0.0 };
    for row in 0..rows {
        for column in 0..columns {
            let center = Vec2::new(column as f32, row as f32) + 0.5 - radius;
            if contains_point(&grown, center, TOUCH) {
                count.all += 1;
                count.wrong += usize::from(!overlaps(&a, &circle_at(center, radius)?, TOUCH));
            }
        }
    }
    count.over_reach = separation(&a, &circle_at(size + radius, radius)?).distance;
    Some(count)
}

fn reports_hit(a: &PlacedShape, b: &PlacedShape) -> bool {
    grown(a, b.rounding()).is_some_and(|grown| contains_point(&grown, b.origin(), TOUCH))
}

pub(super) fn sentences(a: &PlacedShape, b: &PlacedShape, count: &Count) -> Vec<Line> {
    let radius = b.rounding();
    let (says_hit, is_hit) = (reports_hit(a, b), overlaps(a, b, TOUCH));
    let name = |hit| if hit { "hit" } else { "no hit" };
    let first = if says_hit == is_hit {
        Line::new(DIM, format!("Grown box: {}, and the exact test agrees here", name(says_hit)))
    } else {
        let apart = number(separation(a, b).distance);
        let words = format!("Grown box: {}, but they are {apart} apart", name(says_hit));
        Line::new(WRONG, words)
    };
    let second = format!(
        "Wrong for {} of {} centres counted one unit apart; (4 - π) r² = {}. At the corners it reaches {} \
         too far; r (√2 - 1) = {}",
        count.wrong,
        count.all,
        number((4.0 - std::f64::consts::PI) * f64::from(radius * radius)),
        number(count.over_reach),
        number(f64::from(radius) * (std::f64::consts::SQRT_2 - 1.0)),
    );
    vec![first, Line::new(WRONG, second)]
}

/// The grown box in red over the rounded region in green, and what it has too much.
pub(super) fn draw(canvas: &Canvas, a: &PlacedShape, b: &PlacedShape) {
    let radius = b.rounding();
    let Some(grown) = grown(a, radius) else { return };
    let corners: Vec<Vec2> = a.edges().map(|edge| edge.start).collect();
    let mut true_outline = Vec::new();
    for (i, (&corner, grown)) in corners.iter().zip(grown.edges()).enumerate() {
        // The first corner of a box is the lower right one.
        let from = -std::f32::consts::FRAC_PI_2 * (1.0 - i as f32);
        let arc: Vec<Vec2> = (0..=24)
            .map(|step| from + std::f32::consts::FRAC_PI_2 * step as f32 / 24.0)
            .map(|angle| corner + Vec2::from_angle(angle) * radius)
            .collect();
        canvas.fan(grown.start, &arc, WRONG.gamma_multiply(0.45));
        true_outline.extend(arc);
    }
    true_outline.extend(true_outline.first().copied());
    canvas.outline(&grown, egui::Stroke::new(1.5, WRONG));
    for ends in true_outline.windows(2) {
        canvas.line(ends[0], ends[1], 1.5, ANSWER);
    }
    if reports_hit(a, b) != overlaps(a, b, TOUCH) {
        let above = b.origin() + Vec2::Y * (radius + canvas.length(14.0));
        canvas.label(above, WRONG, "the grown box reports a hit: false");
    }
    // The over-reach, at the corner to the lower left: the other ones are often covered.
    let corner = corners[3];
    let out = Vec2::splat(-std::f32::consts::FRAC_1_SQRT_2);
    let ends = [corner + out * radius, corner - radius];
    canvas.line(ends[0], ends[1], 3.0, TEXT);
    let words = format!("over-reach {}", number(ends[0].distance(ends[1])));
    canvas.note(ends[1] + Vec2::new(-20.0, -25.0), ends[1], TEXT, &words);
    canvas.label_at(
        grown.origin() + Vec2::Y * (grown.origin().y - corners[0].y + radius),
        Align2::CENTER_BOTTOM,
        DIM,
        "where a centre is near enough: rounded (green), not square (red)",
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn the_box() -> PlacedShape {
        let aabb = Aabb::from_corners(Vec2::ZERO, Vec2::new(200.0, 100.0)).expect("a box");
        PlacedShape::new(&aabb.into(), Affine2::IDENTITY).expect("placed")
    }

    /// The counted area is that of four squares without their quarter discs.
    #[test]
    fn the_grown_box_is_wrong_by_four_minus_pi_times_the_squared_radius() {
        for radius in [20.0, 60.0] {
            let count = count(Vec2::new(200.0, 100.0), radius).expect("counted");
            let area = (4.0 - std::f32::consts::PI) * radius * radius;
            assert!((count.wrong as f32 - area).abs() < 0.02 * area + 4.0, "{count:?} and {area}");
            let all = (200.0 + 2.0 * radius) * (100.0 + 2.0 * radius);
            assert_eq!(count.all, all as usize);
            let over_reach = radius * (2.0_f32.sqrt() - 1.0);
            assert!((count.over_reach - over_reach).abs() < 1e-3, "{count:?} and {over_reach}");
        }
    }

    #[test]
    fn in_a_false_corner_the_tests_disagree() {
        let (a, count) = (the_box(), count(Vec2::new(200.0, 100.0), 50.0).expect("counted"));
        let lines =
            |x, y| sentences(&a, &circle_at(Vec2::new(x, y), 50.0).expect("circle"), &count);
        assert_eq!(lines(245.0, 145.0)[0].words, "Grown box: hit, but they are 13.6 apart");
        assert_eq!(lines(240.0, 50.0)[0].words, "Grown box: hit, and the exact test agrees here");
        let far = "Grown box: no hit, and the exact test agrees here";
        assert_eq!(lines(300.0, 50.0)[0].words, far);
    }
}
