//! A circle and a box: the clamped point, the nine regions, and the grown box that is often taken
//! instead.

mod grown_box;

use bevy::prelude::*;
use bevy_egui::egui::{self, Align2};
use bevy_nudge::geometry::{
    Aabb, Circle, ContactStatus, PlacedShape, TouchRule, contact, project_point, separation,
};

use crate::figure::{Body, Facts, Figure, Line, set_shape};
use crate::marks;
use crate::palette::{ANSWER, COLOR_A, COLOR_B, DIM, MTV, TEXT};
use crate::shared::canvas::Canvas;
use crate::wording::{number, vector};

use grown_box::{Count, count};

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
            grown_box::draw(canvas, a, b);
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
            Some(count) => lines.extend(grown_box::sentences(a, b, &count)),
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

#[cfg(test)]
mod tests {
    use super::grown_box::circle_at;
    use super::*;
    use bevy::math::Affine2;

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
}
