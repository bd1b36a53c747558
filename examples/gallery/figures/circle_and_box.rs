//! A circle and a box: the clamped point, the nine regions, and the grown box that is often taken
//! instead.

use bevy::math::Affine2;
use bevy::prelude::*;
use bevy_egui::egui::{self, Align2};
use bevy_nudge::geometry::{
    Aabb, Circle, ContactStatus, PlacedShape, TouchRule, contact, contains_point, overlaps,
    project_point, separation,
};

use crate::figure::{Body, Facts, Figure, Line, set_shape};
use crate::marks;
use crate::palette::{ANSWER, COLOR_A, COLOR_B, DIM, MTV, TEXT, WRONG};
use crate::shared::canvas::Canvas;
use crate::wording::{number, vector};

pub(crate) struct CircleAndBox {
    radius: f32,
    /// Whether the grown box is shown over the true region.
    shows_grown: bool,
    /// The count for a radius, which is kept: it takes a few milliseconds.
    counted: Option<Count>,
}

impl Default for CircleAndBox {
    fn default() -> Self {
        Self { radius: 60.0, shows_grown: false, counted: None }
    }
}

const SIZE: Vec2 = Vec2::new(240.0, 140.0);
const TOUCH: TouchRule = TouchRule::Inclusive;

impl Figure for CircleAndBox {
    fn explanation(&self) -> &'static str {
        "Clamp the centre of the circle to the box: that is the point of the box nearest to it. The \
         two overlap when it is nearer than the radius. Beside the box the nearest point lies on a \
         side, beyond a corner it is the corner: nine regions. A centre inside has no nearest point \
         outside; it leaves by the nearest side. Growing the box by the radius instead is wrong \
         beyond the corners, where the true region is round."
    }

    fn frame(&self) -> Rect {
        Rect::new(0.0, 0.0, 700.0, 420.0)
    }

    fn bodies(&self) -> Result<Vec<Body>> {
        Ok(vec![
            Body::new("A", Aabb::from_size(Vec2::ZERO, SIZE)?, Vec2::new(330.0, 200.0)),
            Body::new("B", Circle::new(Vec2::ZERO, self.radius)?, Vec2::new(490.0, 300.0)),
        ])
    }

    fn update(&mut self, world: &mut World, bodies: &[Entity]) {
        let circle = Circle { center: Vec2::ZERO, radius: self.radius };
        if let Some(&body) = bodies.get(1) {
            set_shape(world, body, circle);
        }
        let is_counted = self.counted.is_some_and(|count| count.is_about(self.radius));
        if self.shows_grown && !is_counted {
            self.counted = count(SIZE, self.radius);
        }
    }

    fn switches(&mut self) -> Vec<(&'static str, &mut bool)> {
        vec![("the grown box over it", &mut self.shows_grown)]
    }

    fn controls(&mut self, ui: &mut egui::Ui) {
        ui.add(
            egui::Slider::new(&mut self.radius, 10.0..=100.0)
                .step_by(5.0)
                .fixed_decimals(0)
                .text("r"),
        );
    }

    fn draw(&self, facts: &Facts, canvas: &Canvas) {
        let Some((a, b)) = facts.pair() else { return };
        draw_regions(canvas, a, b, self.frame());
        if self.shows_grown {
            draw_grown(canvas, a, b);
        }
        canvas.shape(a, COLOR_A);
        canvas.shape(b, COLOR_B);
        let mark = Vec2::from_angle(facts.angle(1) + 2.0) * b.rounding();
        canvas.line(b.origin(), b.origin() + mark, 1.0, COLOR_B);
        canvas.label(b.origin() + mark * 0.6, COLOR_B, &format!("r = {}", number(b.rounding())));
        canvas.label(a.origin(), COLOR_A, "A");
        canvas.dot(b.origin(), 6.0, COLOR_B);
        canvas.label_at(b.origin(), Align2::LEFT_CENTER, COLOR_B, "B");

        let nearest = project_point(a, b.origin());
        if nearest.signed_distance > 0.0 {
            canvas.line(b.origin(), nearest.nearest, 2.0, TEXT);
            canvas.label_at(nearest.nearest, Align2::RIGHT_TOP, TEXT, "clamped point");
        } else {
            canvas.line(b.origin(), nearest.on_boundary, 2.0, TEXT);
            canvas.label_at(nearest.on_boundary, Align2::RIGHT_BOTTOM, TEXT, "nearest side");
        }
        canvas.dot(nearest.on_boundary, 8.0, TEXT);
        if let Some(contact) = contact(a, b, TOUCH) {
            marks::contact(canvas, b, &contact, b.origin(), Align2::LEFT_BOTTOM);
        }
    }

    fn numbers(&self, facts: &Facts) -> Vec<Line> {
        let Some((a, b)) = facts.pair() else { return Vec::new() };
        let mut lines = clamping(a, b);
        match self.counted.filter(|_| self.shows_grown) {
            Some(count) => lines.extend(grown_box(a, b, &count)),
            None => {
                let words = "Key 1 lays the box grown by r over the true region, with its false \
                             corners.";
                lines.extend([Line::new(DIM, words), Line::new(DIM, " ")]);
            }
        }
        lines
    }
}

/// Which of the nine regions of a box a point lies in: -1, 0 or 1 on each axis.
fn region(a: &PlacedShape, point: Vec2) -> (i32, i32) {
    let corners = || a.edges().map(|edge| edge.start);
    let (min, max) = (corners().fold(Vec2::MAX, Vec2::min), corners().fold(Vec2::MIN, Vec2::max));
    let side = |at: f32, min: f32, max: f32| i32::from(at > max) - i32::from(at < min);
    (side(point.x, min.x, max.x), side(point.y, min.y, max.y))
}

fn region_name(region: (i32, i32)) -> &'static str {
    match region {
        (-1, -1) => "beyond the lower left corner",
        (0, -1) => "below the box",
        (1, -1) => "beyond the lower right corner",
        (-1, 0) => "left of the box",
        (1, 0) => "right of the box",
        (-1, 1) => "beyond the upper left corner",
        (0, 1) => "above the box",
        (1, 1) => "beyond the upper right corner",
        _ => "inside the box",
    }
}

fn clamping(a: &PlacedShape, b: &PlacedShape) -> Vec<Line> {
    let (center, radius) = (b.origin(), b.rounding());
    let nearest = project_point(a, center);
    let place = region_name(region(a, center));
    let (distance, r) = (number(nearest.signed_distance.abs()), number(radius));
    let is_inside = nearest.signed_distance <= 0.0;
    let first = if is_inside {
        format!("The centre {} lies {place}, m = {distance} from the nearest side", vector(center))
    } else {
        format!(
            "The centre {} lies {place}; clamped to it {}, {distance} away",
            vector(center),
            vector(nearest.nearest)
        )
    };
    let second = match contact(a, b, TOUCH) {
        None => Line::new(
            ANSWER,
            format!(
                "{distance} > r = {r}: apart. Distance {distance} - {r} = {}",
                number(separation(a, b).distance)
            ),
        ),
        Some(contact) if contact.status == ContactStatus::Touching => Line::new(
            MTV,
            format!("{distance} = r: they touch, depth 0, at {}", vector(contact.point)),
        ),
        Some(contact) => {
            let how = if is_inside {
                format!("It leaves by that side: depth r + m = {r} + {distance}")
            } else {
                format!("{distance} < r = {r}: contact. Depth {r} - {distance}")
            };
            let words = format!(
                "{how} = {}, MTV of B {}, contact point {}",
                number(contact.depth),
                vector(contact.mtv()),
                vector(contact.point)
            );
            Line::new(MTV, words)
        }
    };
    vec![Line::new(TEXT, first), second]
}

/// A box grown by the radius on each side: the naive test for the centre of a circle.
fn grown(a: &PlacedShape, radius: f32) -> Option<PlacedShape> {
    let corners = || a.edges().map(|edge| edge.start);
    let min = corners().fold(Vec2::MAX, Vec2::min) - radius;
    let max = corners().fold(Vec2::MIN, Vec2::max) + radius;
    PlacedShape::new(&Aabb::from_corners(min, max).ok()?.into(), Affine2::IDENTITY).ok()
}

fn circle_at(center: Vec2, radius: f32) -> Option<PlacedShape> {
    let circle = Circle::new(center, radius).ok()?;
    PlacedShape::new(&circle.into(), Affine2::IDENTITY).ok()
}

/// How often the naive test is wrong: for centres one world unit apart, so points are area.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Count {
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
    fn is_about(&self, radius: f32) -> bool {
        self.radius.to_bits() == radius.to_bits()
    }
}

fn count(size: Vec2, radius: f32) -> Option<Count> {
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

fn grown_box_hits(a: &PlacedShape, b: &PlacedShape) -> bool {
    grown(a, b.rounding()).is_some_and(|grown| contains_point(&grown, b.origin(), TOUCH))
}

fn grown_box(a: &PlacedShape, b: &PlacedShape, count: &Count) -> Vec<Line> {
    let radius = b.rounding();
    let (says_hit, is_hit) = (grown_box_hits(a, b), overlaps(a, b, TOUCH));
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

/// The lines that part the nine regions, and the region that the centre is in.
fn draw_regions(canvas: &Canvas, a: &PlacedShape, b: &PlacedShape, frame: Rect) {
    let corners = || a.edges().map(|edge| edge.start);
    let (min, max) = (corners().fold(Vec2::MAX, Vec2::min), corners().fold(Vec2::MIN, Vec2::max));
    let (low, high) = (frame.min - 400.0, frame.max + 400.0);
    let (column, row) = region(a, b.origin());
    let span = |side: i32, low: f32, min: f32, max: f32, high: f32| match side {
        -1 => (low, min),
        0 => (min, max),
        _ => (max, high),
    };
    let (left, right) = span(column, low.x, min.x, max.x, high.x);
    let (bottom, top) = span(row, low.y, min.y, max.y, high.y);
    let here = [
        Vec2::new(left, bottom),
        Vec2::new(right, bottom),
        Vec2::new(right, top),
        Vec2::new(left, top),
    ];
    canvas.tint(&here, COLOR_B.gamma_multiply(0.07));
    for x in [min.x, max.x] {
        canvas.dashes(&[Vec2::new(x, low.y), Vec2::new(x, high.y)], DIM.gamma_multiply(0.6));
    }
    for y in [min.y, max.y] {
        canvas.dashes(&[Vec2::new(low.x, y), Vec2::new(high.x, y)], DIM.gamma_multiply(0.6));
    }
}

/// The grown box in red over the rounded region in green, and what it has too much.
fn draw_grown(canvas: &Canvas, a: &PlacedShape, b: &PlacedShape) {
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
    if grown_box_hits(a, b) != overlaps(a, b, TOUCH) {
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

    fn words(x: f32, y: f32, radius: f32) -> Vec<String> {
        let circle = circle_at(Vec2::new(x, y), radius).expect("a circle");
        clamping(&the_box(), &circle).into_iter().map(|line| line.words).collect()
    }

    #[test]
    fn beyond_a_corner_the_clamped_point_is_the_corner() {
        assert_eq!(
            words(230.0, 140.0, 60.0),
            [
                "The centre (230, 140) lies beyond the upper right corner; clamped to it (200, 100), \
                 50 away",
                "50 < r = 60: contact. Depth 60 - 50 = 10, MTV of B (6, 8), contact point (197, 96)",
            ]
        );
        assert_eq!(words(230.0, 140.0, 40.0)[1], "50 > r = 40: apart. Distance 50 - 40 = 10");
        assert_eq!(words(230.0, 140.0, 50.0)[1], "50 = r: they touch, depth 0, at (200, 100)");
    }

    #[test]
    fn a_centre_inside_leaves_by_the_nearest_side() {
        assert_eq!(
            words(20.0, 60.0, 30.0),
            [
                "The centre (20, 60) lies inside the box, m = 20 from the nearest side",
                "It leaves by that side: depth r + m = 30 + 20 = 50, MTV of B (-50, 0), contact \
                 point (25, 60)",
            ]
        );
    }

    #[test]
    fn all_nine_regions_have_their_names() {
        let names: Vec<_> = [150.0, 50.0, -50.0]
            .into_iter()
            .flat_map(|y| [-50.0, 100.0, 250.0].map(|x| region(&the_box(), Vec2::new(x, y))))
            .map(region_name)
            .collect();
        assert_eq!(
            names,
            [
                "beyond the upper left corner",
                "above the box",
                "beyond the upper right corner",
                "left of the box",
                "inside the box",
                "right of the box",
                "beyond the lower left corner",
                "below the box",
                "beyond the lower right corner",
            ]
        );
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
        let (a, count) = (the_box(), count(SIZE, 50.0).expect("counted"));
        let lines =
            |x, y| grown_box(&a, &circle_at(Vec2::new(x, y), 50.0).expect("circle"), &count);
        assert_eq!(lines(245.0, 145.0)[0].words, "Grown box: hit, but they are 13.6 apart");
        assert_eq!(lines(240.0, 50.0)[0].words, "Grown box: hit, and the exact test agrees here");
        let far = "Grown box: no hit, and the exact test agrees here";
        assert_eq!(lines(300.0, 50.0)[0].words, far);
    }
}
