//! Two upright boxes, their shadows on both axes, and the push that parts them.

use std::ops::ControlFlow;

use bevy::prelude::*;
use bevy_egui::egui::{Align2, Color32};
use bevy_nudge::geometry::{
    Aabb, AxisSource, Interval, PlacedShape, Relation, SeparatingAxis, Touch, TouchRule, contact,
    separation, visit_axes,
};

use crate::figure::{Body, Facts, Figure, Line};
use crate::marks;
use crate::palette::{ANSWER, COLOR_A, COLOR_B, DIM, MTV, SHARED, TEXT};
use crate::shared::canvas::Canvas;
use crate::wording::{interval, number, vector};

#[derive(Default)]
pub(crate) struct TwoBoxes;

const SIZE_A: Vec2 = Vec2::new(190.0, 160.0);
const SIZE_B: Vec2 = Vec2::new(150.0, 80.0);
/// Where the figure begins.
const LEFT: f32 = -125.0;
const BOTTOM: f32 = -50.0;

impl Figure for TwoBoxes {
    fn explanation(&self) -> &'static str {
        "Light from above throws the shadow of a box on the x axis, light from the side one on the \
         y axis. The boxes overlap exactly when the shadows overlap on both axes; one gap is \
         enough to part them. The push is the shorter way out along an axis. That is not always \
         the length that the shadows share: drag B right into A, and on both axes it has farther to \
         go than it shares."
    }

    fn frame(&self) -> Rect {
        // Room for the words beside the shadows, in a small window too.
        Rect::new(LEFT, BOTTOM, 660.0, 420.0)
    }

    fn bodies(&self) -> Result<Vec<Body>> {
        Ok(vec![
            Body::new("A", Aabb::from_size(Vec2::ZERO, SIZE_A)?, Vec2::new(225.0, 230.0)),
            Body::new("B", Aabb::from_size(Vec2::ZERO, SIZE_B)?, Vec2::new(355.0, 290.0)),
        ])
    }

    fn draw(&self, facts: &Facts, canvas: &Canvas) {
        let Some((a, b)) = facts.pair() else { return };
        for (axis, direction) in shadows(a, b).iter().zip([Vec2::X, Vec2::Y]) {
            draw_shadows(canvas, axis, direction, [a, b]);
        }
        for (body, (shape, color)) in [(a, COLOR_A), (b, COLOR_B)].into_iter().enumerate() {
            canvas.shape(shape, color);
            draw_turned_sprite(canvas, shape, facts.angle(body), color);
            // The first corner of a box is the lower right one.
            let corner = shape.edges().nth(2).map_or(shape.origin(), |edge| edge.start);
            canvas.label_at(corner, Align2::LEFT_TOP, color, ["A", "B"][body]);
        }
        match contact(a, b, TouchRule::Inclusive) {
            Some(contact) => {
                marks::contact(canvas, b, &contact, b.origin(), Align2::LEFT_BOTTOM);
            }
            None => {
                let apart = separation(a, b);
                marks::distance(canvas, &apart, Align2::CENTER_BOTTOM, "distance");
            }
        }
    }

    fn numbers(&self, facts: &Facts) -> Vec<Line> {
        let Some((a, b)) = facts.pair() else { return Vec::new() };
        let mut lines = sentences(a, b);
        let is_turned = (0..2).any(|body| facts.angle(body).abs() > 1e-3);
        let words = if is_turned {
            "An Aabb stays upright when its entity turns (dashed); for one that turns along take a \
             polygon."
        } else {
            "Both are of the kind Aabb, which stays upright however its entity turns: try Q and E."
        };
        lines.push(Line::new(DIM, words));
        lines
    }
}

/// Both shadows on one axis of the world, and the two ways out along it.
struct Shadows {
    name: &'static str,
    a: Interval,
    b: Interval,
    /// The gap if B lies on the upper side of A, and on the lower: minus the way out there.
    gaps: [f64; 2],
    /// The upper and the lower direction in words.
    directions: [&'static str; 2],
    relation: Relation,
}

impl Shadows {
    fn gap(&self) -> f64 {
        self.gaps[0].max(self.gaps[1])
    }

    fn is_parting(&self) -> bool {
        self.relation == Relation::Separated
    }

    fn shared(&self) -> Interval {
        Interval { min: self.a.min.max(self.b.min), max: self.a.max.min(self.b.max) }
    }

    fn sentence(&self) -> String {
        let (a, b) = (interval(self.a), interval(self.b));
        let start = format!("{}: {a} and {b}", self.name);
        let (gap, shared) = (self.gap(), self.shared());
        match self.relation {
            Relation::Separated => return format!("{start} are apart, gap {}", number(gap)),
            Relation::Touching => return format!("{start} touch at {}", number(shared.min)),
            Relation::Overlapping => {}
        }
        let length = shared.max - shared.min;
        let way = if self.gaps[0] >= self.gaps[1] { 0 } else { 1 };
        let mut sentence = format!(
            "{start} share {}; the way out is {} {}",
            number(length),
            number(-gap),
            self.directions[way]
        );
        if -gap > length * 1.001 {
            sentence += ", more than they share: one lies within the other";
        }
        sentence
    }
}

/// From the very axes that the crate looks at.
fn shadows(a: &PlacedShape, b: &PlacedShape) -> [Shadows; 2] {
    let nothing = Interval { min: 0.0, max: 0.0 };
    let axis = |name, directions| Shadows {
        name,
        a: nothing,
        b: nothing,
        gaps: [f64::MIN; 2],
        directions,
        relation: Relation::Separated,
    };
    let mut shadows = [axis("x", ["to the right", "to the left"]), axis("y", ["up", "down"])];
    visit_axes(a, b, &mut |axis: &SeparatingAxis<'_>| {
        let normal = axis.normal();
        if axis.source() == AxisSource::NearestCorners {
            // For the distance only.
            return ControlFlow::Continue(());
        }
        let index = usize::from(normal.x.abs() < normal.y.abs());
        let shadow = &mut shadows[index];
        if normal[index] > 0.0 {
            // Shadows are measured from the origin of A.
            let origin = f64::from(a.origin()[index]);
            let [of_a, of_b] = axis.projections();
            let shift = |i: Interval| Interval { min: i.min + origin, max: i.max + origin };
            (shadow.a, shadow.b) = (shift(of_a), shift(of_b));
            shadow.gaps[0] = axis.gap();
        } else {
            shadow.gaps[1] = axis.gap();
        }
        ControlFlow::Continue(())
    });
    let sizes = f64::from(a.extent()) + f64::from(b.extent());
    for shadow in &mut shadows {
        shadow.relation = Touch::default().relation(shadow.gap(), sizes);
    }
    shadows
}

fn sentences(a: &PlacedShape, b: &PlacedShape) -> Vec<Line> {
    let shadows = shadows(a, b);
    let mut lines: Vec<Line> = shadows
        .iter()
        .map(|axis| Line::new(if axis.is_parting() { ANSWER } else { TEXT }, axis.sentence()))
        .collect();
    match contact(a, b, TouchRule::Inclusive) {
        Some(contact) => {
            let words = format!(
                "No axis has a gap: contact. Depth {}, the shorter way out; MTV of B {}; contact \
                 point {}",
                number(contact.depth),
                vector(contact.mtv()),
                vector(contact.point)
            );
            lines.push(Line::new(MTV, words));
        }
        None => {
            let apart = separation(a, b);
            let words = format!(
                "A gap: no contact. Distance {}, from {} of A to {} of B",
                number(apart.distance),
                vector(apart.point_a),
                vector(apart.point_b)
            );
            lines.push(Line::new(ANSWER, words));
        }
    }
    lines
}

/// The shadows of both along one edge of the figure, what they share or the gap between them, and
/// the lines of light that throw them.
fn draw_shadows(canvas: &Canvas, axis: &Shadows, direction: Vec2, shapes: [&PlacedShape; 2]) {
    // Out of the figure, away from the axis.
    let out = if direction == Vec2::X { Vec2::NEG_Y } else { Vec2::NEG_X };
    let (length, place) =
        (if direction == Vec2::X { 650.0 } else { 410.0 }, |at: f64, row: f32| {
            direction * at as f32 + out * row
        });
    canvas.arrow(Vec2::ZERO, direction * length, 1.0, DIM);
    let end = direction * (length - 4.0) - out * 4.0;
    canvas.label_at(end, Align2::RIGHT_BOTTOM, DIM, axis.name);
    for tick in (100..length as usize).step_by(100) {
        let at = tick as f64;
        canvas.line(place(at, -3.0), place(at, 3.0), 1.0, DIM);
        let side = if direction == Vec2::X { Align2::CENTER_BOTTOM } else { Align2::LEFT_CENTER };
        canvas.label_at(place(at, 0.0), side, DIM, &number(at));
    }
    let rows = [(axis.a, 12.0, COLOR_A), (axis.b, 22.0, COLOR_B)];
    for ((shadow, row, color), shape) in rows.into_iter().zip(shapes) {
        canvas.line(place(shadow.min, row), place(shadow.max, row), 6.0, color);
        for end in [shadow.min, shadow.max] {
            // From the near side of the box to the axis.
            let near = shape.edges().map(|edge| -edge.start.dot(out)).fold(f32::MAX, f32::min);
            canvas.dashes(&[place(end, -near), place(end, row)], color.gamma_multiply(0.45));
        }
    }
    let shared = axis.shared();
    let (row, color) = (33.0, if axis.is_parting() { ANSWER } else { SHARED });
    canvas.line(place(shared.min, row), place(shared.max, row), 4.0, color);
    let words = if axis.is_parting() {
        format!("gap {}", number(axis.gap()))
    } else {
        // Beside the y axis of a small figure there is no room for more than the number.
        let has_room = direction == Vec2::X || canvas.length(75.0) < -LEFT - row;
        let word = if has_room { "overlap " } else { "" };
        format!("{word}{}", number(shared.max - shared.min))
    };
    let middle = (shared.min + shared.max) * 0.5;
    let (at, side) = match direction {
        // Below the x axis of a small figure there is no room at all.
        Vec2::X if canvas.length(18.0) > -BOTTOM - row => (shared.max, Align2::LEFT_CENTER),
        Vec2::X => (middle, Align2::CENTER_TOP),
        _ => (middle, Align2::RIGHT_CENTER),
    };
    canvas.label_at(place(at, row), side, color, &words);
}

/// A box stays upright; what turns is whatever is drawn for its entity.
fn draw_turned_sprite(canvas: &Canvas, shape: &PlacedShape, angle: f32, color: Color32) {
    if angle.abs() < 1e-3 {
        return;
    }
    let turn = Vec2::from_angle(angle);
    let mut corners: Vec<Vec2> = shape
        .edges()
        .map(|edge| shape.origin() + turn.rotate(edge.start - shape.origin()))
        .collect();
    corners.extend(corners.first().copied());
    canvas.dashes(&corners, color.gamma_multiply(0.6));
}

#[cfg(test)]
mod tests {
    use bevy::math::Affine2;

    use super::*;

    fn placed(min: (f32, f32), max: (f32, f32)) -> PlacedShape {
        let aabb = Aabb::from_corners(min.into(), max.into()).expect("a box");
        PlacedShape::new(&aabb.into(), Affine2::IDENTITY).expect("placed")
    }

    fn words(a: &PlacedShape, b: &PlacedShape) -> Vec<String> {
        sentences(a, b).into_iter().map(|line| line.words).collect()
    }

    #[test]
    fn boxes_apart_on_one_axis() {
        let (a, b) =
            (placed((130.0, 150.0), (320.0, 310.0)), placed((380.0, 190.0), (530.0, 270.0)));
        assert_eq!(
            words(&a, &b),
            [
                "x: [130, 320] and [380, 530] are apart, gap 60",
                "y: [150, 310] and [190, 270] share 80; the way out is 120 up, more than they \
                 share: one lies within the other",
                "A gap: no contact. Distance 60, from (320, 230) of A to (380, 230) of B",
            ]
        );
    }

    #[test]
    fn boxes_apart_on_both_axes_are_farther_apart_than_either_gap() {
        let (a, b) = (placed((0.0, 0.0), (10.0, 10.0)), placed((40.0, -90.0), (50.0, -30.0)));
        assert_eq!(
            words(&a, &b),
            [
                "x: [0, 10] and [40, 50] are apart, gap 30",
                "y: [0, 10] and [-90, -30] are apart, gap 30",
                "A gap: no contact. Distance 42.4, from (10, 0) of A to (40, -30) of B",
            ]
        );
    }

    #[test]
    fn the_push_is_the_way_out_and_not_what_is_shared() {
        let (a, b) = (placed((0.0, 0.0), (100.0, 100.0)), placed((60.0, 30.0), (70.0, 50.0)));
        assert_eq!(
            words(&a, &b),
            [
                "x: [0, 100] and [60, 70] share 10; the way out is 40 to the right, more than they \
                 share: one lies within the other",
                "y: [0, 100] and [30, 50] share 20; the way out is 50 down, more than they share: \
                 one lies within the other",
                "No axis has a gap: contact. Depth 40, the shorter way out; MTV of B (40, 0); \
                 contact point (65, 40)",
            ]
        );
    }

    #[test]
    fn boxes_that_touch_share_a_point_of_an_axis() {
        let (a, b) = (placed((0.0, 0.0), (100.0, 100.0)), placed((100.0, 0.0), (150.0, 50.0)));
        assert_eq!(words(&a, &b)[0], "x: [0, 100] and [100, 150] touch at 100");
        assert_eq!(
            words(&a, &b)[2],
            "No axis has a gap: contact. Depth 0, the shorter way out; MTV of B (0, 0); contact \
             point (100, 25)"
        );
    }
}
