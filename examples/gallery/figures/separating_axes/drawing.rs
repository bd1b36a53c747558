//! The two shapes, one axis beside them, and the lines that cast the shadows on it.

use bevy::prelude::*;
use bevy_egui::egui::{Align2, Color32, Stroke};
use bevy_nudge::geometry::{AxisSource, PlacedShape, TouchRule, contact, separation};

use crate::marks;
use crate::palette::{ANSWER, COLOR_A, COLOR_B, DIM, SHARED};
use crate::shared::canvas::Canvas;
use crate::shared::paint::overlap_region;

use super::axes::{Candidate, name};

pub(super) fn draw(
    canvas: &Canvas,
    axis: &Candidate,
    a: &PlacedShape,
    b: &PlacedShape,
    frame: Rect,
) {
    draw_axis(canvas, axis, a, b, frame);
    canvas.shape(a, COLOR_A);
    canvas.shape(b, COLOR_B);
    canvas.tint(&overlap_region(a, b), SHARED.gamma_multiply(0.4));
    canvas.label(a.origin(), COLOR_A, "A");
    canvas.label(b.origin(), COLOR_B, "B");
    for corner in b.edges().map(|edge| edge.start) {
        canvas.painter.circle(
            canvas.to_screen(corner),
            5.0,
            Color32::from_rgb(40, 34, 22),
            Stroke::new(2.0, COLOR_B),
        );
    }
    // The edge across which the axis runs.
    let edge = match axis.source {
        AxisSource::EdgeOfA(edge) => a.edges().nth(edge).zip(Some(COLOR_A)),
        AxisSource::EdgeOfB(edge) => b.edges().nth(edge).zip(Some(COLOR_B)),
        _ => None,
    };
    if let Some((edge, color)) = edge {
        canvas.line(edge.start, edge.end, 5.0, color);
    }
    if let Some(contact) = contact(a, b, TouchRule::Inclusive) {
        // The push begins where it has to part them.
        marks::contact(canvas, b, &contact, contact.point, Align2::LEFT_BOTTOM);
    } else {
        marks::distance(canvas, &separation(a, b), Align2::LEFT_BOTTOM, "distance");
    }
}

/// World units from the shapes to the axis.
const ASIDE: f32 = 32.0;

fn draw_axis(canvas: &Canvas, axis: &Candidate, a: &PlacedShape, b: &PlacedShape, frame: Rect) {
    let (along, [shadow_a, shadow_b]) = (axis.normal, axis.shadows);
    let low = shadow_a.min.min(shadow_b.min) as f32;
    let high = shadow_a.max.max(shadow_b.max) as f32;
    // Shadows are measured from the middle of A.
    let zero = |across: Vec2| {
        let reach = |shape: &PlacedShape| {
            shape.edges().map(|e| (e.start - a.origin()).dot(across)).fold(f32::MIN, f32::max)
        };
        a.origin() + across * (reach(a).max(reach(b)) + ASIDE)
    };
    // On the side where more of it is in the figure.
    let room = |across: Vec2| {
        let ends = [low, high].map(|end| zero(across) + along * end);
        ends.map(|at| (at - frame.min).min(frame.max - at).min_element())
            .into_iter()
            .fold(f32::MAX, f32::min)
    };
    let sides = [along.perp(), -along.perp()];
    let across = if room(sides[0]) >= room(sides[1]) { sides[0] } else { sides[1] };
    let zero = zero(across);
    let place = |at: f64, row: f32| zero + along * at as f32 + across * row;

    let ends = [place(f64::from(low - 25.0), 0.0), place(f64::from(high + 35.0), 0.0)];
    canvas.arrow(ends[0], ends[1], 1.0, DIM);
    canvas.label_at(ends[1], beyond(along), DIM, &name(axis.source));
    for (shape, shadow, row, color) in [(a, shadow_a, 7.0, COLOR_A), (b, shadow_b, 16.0, COLOR_B)] {
        canvas.line(place(shadow.min, row), place(shadow.max, row), 6.0, color);
        for end in [shadow.min, shadow.max] {
            // From the corner that casts the end of the shadow.
            let miss = |at: &Vec2| ((*at - a.origin()).dot(along) - end as f32).abs();
            let corners = shape.edges().map(|edge| edge.start);
            if let Some(corner) = corners.min_by(|one, two| miss(one).total_cmp(&miss(two))) {
                canvas.dashes(&[corner, place(end, row)], color.gamma_multiply(0.5));
            }
        }
    }
    let shared = axis.shared();
    let color = between_color(axis);
    canvas.line(place(shared.min, 25.0), place(shared.max, 25.0), 4.0, color);
    let middle = (shared.min + shared.max) * 0.5;
    canvas.label_at(place(middle, 26.0), beyond(across), color, &axis.middle());
    if axis.parts() {
        // The line that parts them runs across the axis, through the gap.
        let ends = [place(middle, 30.0), place(middle, -1000.0)];
        canvas.dashes(&ends, ANSWER);
    }
}

/// The colour of what the shadows share or of what lies between them.
pub(super) fn between_color(axis: &Candidate) -> Color32 {
    match (axis.parts(), axis.lies_behind()) {
        (true, _) => ANSWER,
        (false, true) => DIM,
        (false, false) => SHARED,
    }
}

/// The side of words that lies at a place, for words that lie beyond it in this direction.
fn beyond(direction: Vec2) -> Align2 {
    if direction.x.abs() > direction.y.abs() {
        if direction.x > 0.0 { Align2::LEFT_CENTER } else { Align2::RIGHT_CENTER }
    } else if direction.y > 0.0 {
        Align2::CENTER_BOTTOM
    } else {
        Align2::CENTER_TOP
    }
}
