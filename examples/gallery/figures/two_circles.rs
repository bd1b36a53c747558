//! Two circles: the distance of their centres against the sum of their radii, and a test that is
//! often written instead.

use bevy::prelude::*;
use bevy_egui::egui::{self, Align2};
use bevy_nudge::geometry::{
    Circle, ContactStatus, PlacedShape, TouchRule, contact, overlaps, separation,
};

use crate::figure::{Body, Facts, Figure, Line, set_shape};
use crate::marks;
use crate::palette::{ANSWER, COLOR_A, COLOR_B, DIM, MTV, SHARED, TEXT, WRONG};
use crate::shared::canvas::Canvas;
use crate::shared::paint::overlap_region;
use crate::wording::{number, vector};

pub(crate) struct TwoCircles {
    radii: [f32; 2],
    /// Whether the wrong test runs beside the right one.
    shows_wrong: bool,
}

impl Default for TwoCircles {
    fn default() -> Self {
        Self { radii: [100.0, 70.0], shows_wrong: false }
    }
}

impl Figure for TwoCircles {
    fn explanation(&self) -> &'static str {
        "Two circles overlap when their centres are nearer than the sum of the radii. They leave each \
         other along the line of centres, by what is missing to that sum. Squares compare without a \
         root: d² against (r + s)². The sum has to be squared as a whole: r² + s² is less, so that \
         test overlooks contacts until the circles are deep in each other."
    }

    fn frame(&self) -> Rect {
        Rect::new(0.0, 0.0, 700.0, 420.0)
    }

    fn bodies(&self) -> Result<Vec<Body>> {
        let [a, b] = self.radii;
        Ok(vec![
            Body::new("A", Circle::new(Vec2::ZERO, a)?, Vec2::new(290.0, 195.0)),
            Body::new("B", Circle::new(Vec2::ZERO, b)?, Vec2::new(410.0, 230.0)),
        ])
    }

    fn update(&mut self, world: &mut World, bodies: &[Entity]) {
        for (&body, radius) in bodies.iter().zip(self.radii) {
            set_shape(world, body, Circle { center: Vec2::ZERO, radius });
        }
    }

    fn switches(&mut self) -> Vec<(&'static str, &mut bool)> {
        vec![("the wrong test beside it", &mut self.shows_wrong)]
    }

    fn controls(&mut self, ui: &mut egui::Ui) {
        ui.label("Radii:");
        for (radius, name) in self.radii.iter_mut().zip(["A", "B"]) {
            ui.add(
                egui::Slider::new(radius, 10.0..=150.0).step_by(5.0).fixed_decimals(0).text(name),
            );
        }
    }

    fn draw(&self, facts: &Facts, canvas: &Canvas) {
        let Some((a, b)) = facts.pair() else { return };
        if self.shows_wrong {
            draw_disagreement(canvas, a, b);
        }
        let shapes = [(a, COLOR_A), (b, COLOR_B)];
        shapes.iter().for_each(|&(shape, color)| canvas.shape(shape, color));
        canvas.tint(&overlap_region(a, b), SHARED.gamma_multiply(0.4));
        for (body, (shape, color)) in shapes.into_iter().enumerate() {
            // Shows how far it is turned.
            let side = [-2.0, -1.0][body];
            let radius = Vec2::from_angle(facts.angle(body) + side) * shape.rounding();
            canvas.line(shape.origin(), shape.origin() + radius, 1.0, color);
            let words = format!("r = {}", number(shape.rounding()));
            canvas.label(shape.origin() + radius * 0.55, color, &words);
        }
        canvas.line(a.origin(), b.origin(), 1.5, TEXT);
        for (shape, color, name) in [(a, COLOR_A, "A"), (b, COLOR_B, "B")] {
            canvas.dot(shape.origin(), 6.0, color);
            canvas.label_at(shape.origin(), Align2::CENTER_BOTTOM, color, name);
        }
        match contact(a, b, TouchRule::Inclusive) {
            Some(contact) => {
                marks::contact(canvas, b, &contact, b.origin(), Align2::LEFT_CENTER);
            }
            None => {
                let apart = separation(a, b);
                marks::distance(canvas, &apart, Align2::CENTER_BOTTOM, "distance");
            }
        }
        if self.shows_wrong {
            draw_disagreement_words(canvas, a, b);
        }
    }

    fn numbers(&self, facts: &Facts) -> Vec<Line> {
        let Some((a, b)) = facts.pair() else { return Vec::new() };
        let mut lines = right_test(a, b);
        if self.shows_wrong {
            lines.extend(wrong_test(a, b));
        } else {
            let words = "Key 1 runs the test beside it that adds the squares of the radii.";
            lines.extend([Line::new(DIM, words), Line::new(DIM, " ")]);
        }
        lines
    }
}

fn right_test(a: &PlacedShape, b: &PlacedShape) -> Vec<Line> {
    let (r, s) = (a.rounding(), b.rounding());
    let distance = number(a.origin().distance(b.origin()));
    let sum = number(r + s);
    let first =
        format!("Centres d = {distance} apart; radii {} + {} = {sum}", number(r), number(s));
    let second = match contact(a, b, TouchRule::Inclusive) {
        Some(contact) if a.origin() == b.origin() => Line::new(
            MTV,
            format!(
                "Concentric: every direction is as short, the crate takes +x. Contact, depth {}, MTV \
                 of B {}",
                number(contact.depth),
                vector(contact.mtv())
            ),
        ),
        Some(contact) if contact.status == ContactStatus::Touching => {
            Line::new(MTV, format!("d = {sum}: they touch, depth 0, at {}", vector(contact.point)))
        }
        Some(contact) => Line::new(
            MTV,
            format!(
                "{distance} < {sum}: contact. Depth {sum} - {distance} = {}, MTV of B {}, contact \
                 point {}",
                number(contact.depth),
                vector(contact.mtv()),
                vector(contact.point)
            ),
        ),
        None => Line::new(
            ANSWER,
            format!(
                "{distance} > {sum}: apart. Distance {distance} - {sum} = {}",
                number(separation(a, b).distance)
            ),
        ),
    };
    vec![Line::new(TEXT, first), second]
}

/// The test that adds the squares of the radii one by one. It is not the crate's: nobody should
/// have it.
fn wrong_test_reports(a: &PlacedShape, b: &PlacedShape) -> bool {
    let (r, s) = (a.rounding(), b.rounding());
    a.origin().distance_squared(b.origin()) <= r * r + s * s
}

/// The distance of the centres at which that test first reports.
fn wrong_reach(a: &PlacedShape, b: &PlacedShape) -> f32 {
    let (r, s) = (a.rounding(), b.rounding());
    (r * r + s * s).sqrt()
}

fn disagree(a: &PlacedShape, b: &PlacedShape) -> bool {
    wrong_test_reports(a, b) != overlaps(a, b, TouchRule::Inclusive)
}

fn wrong_test(a: &PlacedShape, b: &PlacedShape) -> [Line; 2] {
    let (r, s) = (a.rounding(), b.rounding());
    let verdict = if wrong_test_reports(a, b) { "contact" } else { "no contact" };
    let (color, agreement) =
        if disagree(a, b) { (WRONG, "the right one disagrees") } else { (DIM, "both agree") };
    let first = format!(
        "Wrong test: d² = {} against {}² + {}² = {} says {verdict}; {agreement}",
        number(a.origin().distance_squared(b.origin())),
        number(r),
        number(s),
        number(r * r + s * s),
    );
    let reach = wrong_reach(a, b);
    let second = format!(
        "It first reports at d = {}, {} % of the right distance {}",
        number(reach),
        number(100.0 * reach / (r + s)),
        number(r + s)
    );
    [Line::new(color, first), Line::new(WRONG, second)]
}

/// For centres of B in the ring the tests disagree.
fn draw_disagreement(canvas: &Canvas, a: &PlacedShape, b: &PlacedShape) {
    let (wrong, right) = (wrong_reach(a, b), a.rounding() + b.rounding());
    canvas.ring(a.origin(), wrong, right, WRONG.gamma_multiply(0.22));
    canvas.ring(a.origin(), right - canvas.length(1.0), right, ANSWER);
    canvas.ring(a.origin(), wrong - canvas.length(1.0), wrong, WRONG);
}

/// Says so, over everything else.
fn draw_disagreement_words(canvas: &Canvas, a: &PlacedShape, b: &PlacedShape) {
    let (wrong, right) = (wrong_reach(a, b), a.rounding() + b.rounding());
    let words =
        format!("with the centre of B in this ring they disagree, {} wide", number(right - wrong));
    canvas.label(a.origin() - Vec2::Y * (wrong + right) * 0.5, WRONG, &words);
    if disagree(a, b) {
        let above = b.origin() + Vec2::Y * (b.rounding() + canvas.length(14.0));
        canvas.label(above, WRONG, "in contact, and the wrong test does not see it");
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::Affine2;

    use super::*;

    fn circle(x: f32, y: f32, radius: f32) -> PlacedShape {
        let circle = Circle::new(Vec2::ZERO, radius).expect("a circle");
        let pose = Affine2::from_translation(Vec2::new(x, y));
        PlacedShape::new(&circle.into(), pose).expect("placed")
    }

    fn words(lines: &[Line]) -> Vec<&str> {
        lines.iter().map(|line| &*line.words).collect()
    }

    #[test]
    fn overlapping_circles_part_along_the_line_of_centres() {
        let (a, b) = (circle(0.0, 0.0, 50.0), circle(60.0, 0.0, 30.0));
        assert_eq!(
            words(&right_test(&a, &b)),
            [
                "Centres d = 60 apart; radii 50 + 30 = 80",
                "60 < 80: contact. Depth 80 - 60 = 20, MTV of B (20, 0), contact point (40, 0)",
            ]
        );
    }

    #[test]
    fn circles_apart_touching_and_concentric() {
        let a = circle(0.0, 0.0, 50.0);
        assert_eq!(
            words(&right_test(&a, &circle(0.0, 100.0, 30.0)))[1],
            "100 > 80: apart. Distance 100 - 80 = 20"
        );
        assert_eq!(
            words(&right_test(&a, &circle(0.0, 80.0, 30.0)))[1],
            "d = 80: they touch, depth 0, at (0, 50)"
        );
        assert_eq!(
            words(&right_test(&a, &circle(0.0, 0.0, 30.0)))[1],
            "Concentric: every direction is as short, the crate takes +x. Contact, depth 80, MTV of \
             B (80, 0)"
        );
    }

    /// For equal radii it sees nothing until the centres are at 1 / sqrt 2 of the right distance.
    #[test]
    fn the_wrong_test_reports_late() {
        let (a, b) = (circle(0.0, 0.0, 50.0), circle(80.0, 0.0, 50.0));
        assert!(disagree(&a, &b));
        assert_eq!(
            words(&wrong_test(&a, &b)),
            [
                "Wrong test: d² = 6400 against 50² + 50² = 5000 says no contact; the right one \
                 disagrees",
                "It first reports at d = 70.7, 70.7 % of the right distance 100",
            ]
        );
        let deep = circle(60.0, 0.0, 50.0);
        assert!(words(&wrong_test(&a, &deep))[0].ends_with("says contact; both agree"));
        let far = circle(120.0, 0.0, 50.0);
        assert!(words(&wrong_test(&a, &far))[0].ends_with("says no contact; both agree"));
    }
}
