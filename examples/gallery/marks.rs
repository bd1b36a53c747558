//! What several figures draw: the push out of a contact, and the distance of shapes that are apart.

use bevy::math::Vec2;
use bevy_egui::egui::{Align2, Color32};
use bevy_nudge::geometry::{Contact, PlacedShape, Separation};

use crate::palette::{ANSWER, CONTACT_POINT, MTV};
use crate::shared::canvas::Canvas;
use crate::wording::number;

/// The contact point, and the MTV of B as an arrow from `start`, with the outline where B then rests.
/// `side` is that of the words at the tip.
pub(crate) fn contact(
    canvas: &Canvas,
    b: &PlacedShape,
    contact: &Contact,
    start: Vec2,
    side: Align2,
) {
    canvas.cross(contact.point, 12.0, CONTACT_POINT);
    canvas.label_at(contact.point, Align2::CENTER_TOP, CONTACT_POINT, "contact point");
    push(canvas, b, contact, start, side, MTV, "MTV of B");
}

/// The push of a contact as an arrow from `start`, with the outline where B then rests.
pub(crate) fn push(
    canvas: &Canvas,
    b: &PlacedShape,
    contact: &Contact,
    start: Vec2,
    side: Align2,
    color: Color32,
    words: &str,
) {
    canvas.ghost(b, contact.mtv(), color);
    if contact.depth > 0.0 {
        let tip = start + contact.mtv();
        canvas.arrow(start, tip, 3.0, color);
        canvas.label_at(tip, side, color, &format!("{words}, {}", number(contact.depth)));
    }
}

/// The nearest points of two shapes that are apart, and the line between them.
pub(crate) fn distance(canvas: &Canvas, apart: &Separation, side: Align2, words: &str) {
    canvas.line(apart.point_a, apart.point_b, 2.0, ANSWER);
    canvas.dot(apart.point_a, 7.0, ANSWER);
    canvas.dot(apart.point_b, 7.0, ANSWER);
    let middle = apart.point_a.midpoint(apart.point_b);
    canvas.label_at(middle, side, ANSWER, &format!("{words} {}", number(apart.distance)));
}
