//! A U with a square in its notch and another in its corner: why a dented shape needs its pieces,
//! and why a piece alone does not know the way out.

use bevy::math::Affine2;
use bevy::prelude::*;
use bevy_egui::egui::{Align2, Color32, Stroke};
use bevy_nudge::geometry::{
    ConcavePolygon, Contact, ContactStatus, ConvexPolygon, PlacedShape, TouchRule, contact,
    separation,
};

use crate::figure::{Body, Facts, Figure, Line};
use crate::marks;
use crate::palette::{ANSWER, COLOR_A, COLOR_B, COLOR_C, DIM, MTV, WRONG};
use crate::shared::canvas::Canvas;
use crate::wording::{number, vector};

#[derive(Default)]
pub(crate) struct ConcaveU;

const TOUCH: TouchRule = TouchRule::Inclusive;

/// Body, name and colour of the squares.
const SQUARES: [(usize, &str, Color32); 2] = [(1, "B", COLOR_B), (2, "C", COLOR_C)];

impl Figure for ConcaveU {
    fn explanation(&self) -> &'static str {
        "Tests for convex shapes see a U as if its notch were filled: they hit what only lies in the \
         notch. Cut into convex pieces, the U meets B when a piece does. But a piece alone does not \
         know the way out: the push out of the deepest one may lead into its neighbour, as with C in \
         the corner. The exact push-out is the shortest way out of all pieces together."
    }

    fn frame(&self) -> Rect {
        Rect::new(0.0, 0.0, 700.0, 420.0)
    }

    fn bodies(&self) -> Result<Vec<Body>> {
        let square = ConvexPolygon::rectangle(Vec2::splat(70.0))?;
        Ok(vec![
            Body::new("A", the_u()?, Vec2::new(350.0, 210.0)),
            Body::new("B", square.clone(), Vec2::new(370.0, 285.0)),
            Body::new("C", square, Vec2::new(245.0, 150.0)),
        ])
    }

    fn draw(&self, facts: &Facts, canvas: &Canvas) {
        let Some(u) = facts.shape(0) else { return };
        canvas.shape(u, COLOR_A);
        for piece in u.pieces() {
            canvas.outline(&piece, Stroke::new(1.0, COLOR_A.gamma_multiply(0.7)));
        }
        if let Some(hull) = hull_of(u) {
            canvas.ghost(&hull, Vec2::ZERO, WRONG.gamma_multiply(0.8));
            let top = hull.edges().map(|edge| edge.start).max_by(|a, b| a.y.total_cmp(&b.y));
            let words = "what the plain test sees";
            canvas.label_at(top.unwrap_or_default(), Align2::RIGHT_BOTTOM, WRONG, words);
        }
        for (body, name, color) in SQUARES {
            let Some(shape) = facts.shape(body) else { continue };
            canvas.shape(shape, color);
            canvas.label(shape.origin() - canvas.length(22.0), color, name);
            draw_answers(canvas, u, shape);
        }
    }

    fn numbers(&self, facts: &Facts) -> Vec<Line> {
        let Some(u) = facts.shape(0) else { return Vec::new() };
        let known = SQUARES.iter().filter_map(|(body, name, _)| Some((facts.shape(*body)?, *name)));
        known.flat_map(|(shape, name)| sentences(u, shape, name)).collect()
    }
}

fn the_u() -> Result<ConcavePolygon> {
    let corners = [
        (-180.0, -130.0),
        (180.0, -130.0),
        (180.0, 130.0),
        (90.0, 130.0),
        (90.0, -40.0),
        (-90.0, -40.0),
        (-90.0, 130.0),
        (-180.0, 130.0),
    ];
    Ok(ConcavePolygon::new(corners.map(Vec2::from))?)
}

/// What a test for convex shapes takes the U for.
fn hull_of(u: &PlacedShape) -> Option<PlacedShape> {
    let hull = ConvexPolygon::hull(u.outlines(3).into_iter().flatten()).ok()?;
    PlacedShape::new(&hull.into(), Affine2::IDENTITY).ok()
}

/// The contact with the piece that is the deepest, which many take for that of the whole.
fn deepest_piece(u: &PlacedShape, shape: &PlacedShape) -> Option<Contact> {
    let contacts = u.pieces().filter_map(|piece| contact(&piece, shape, TOUCH));
    contacts.max_by(|one, other| one.depth.total_cmp(&other.depth))
}

/// How deep a shape still is in the U after a push.
fn depth_after(u: &PlacedShape, shape: &PlacedShape, push: Vec2) -> f32 {
    let pushed = shape.translated(push).ok();
    let left = pushed.and_then(|pushed| contact(u, &pushed, TouchRule::Exclusive));
    left.map_or(0.0, |left| left.depth)
}

fn sentences(u: &PlacedShape, shape: &PlacedShape, name: &str) -> [Line; 2] {
    let plain = hull_of(u).and_then(|hull| contact(&hull, shape, TOUCH));
    let exact = contact(u, shape, TOUCH);
    let plain_words = match plain {
        Some(plain) => format!("hit, {} deep", number(plain.depth)),
        None => "no hit".to_owned(),
    };
    let pieces = u.pieces().count();
    let hit = u.pieces().filter(|piece| contact(piece, shape, TOUCH).is_some()).count();
    let exact_words = match exact {
        None => format!("apart, distance {}", number(separation(u, shape).distance)),
        Some(contact) if contact.status == ContactStatus::Touching => {
            "it touches, depth 0".to_owned()
        }
        Some(_) => format!("{hit} of them hit"),
    };
    let color = if plain.is_some() == exact.is_some() { DIM } else { WRONG };
    let first = format!(
        "{name}: plain test, as if A were convex: {plain_words}. Its {pieces} pieces: {exact_words}"
    );

    let (Some(exact), Some(deepest)) = (exact, deepest_piece(u, shape)) else {
        return [Line::new(color, first), Line::new(ANSWER, format!("{name} needs no push."))];
    };
    let left = depth_after(u, shape, deepest.mtv());
    let verdict = if left > 0.05 {
        format!("{name} is then still {} deep", number(left))
    } else if deepest.depth > exact.depth * 1.001 {
        format!("{} farther than needed", number(deepest.depth - exact.depth))
    } else {
        "the same here".to_owned()
    };
    let second = format!(
        "{name}: exact push-out {}, {} far. Out of the deepest piece {}, {} far: {verdict}",
        vector(exact.mtv()),
        number(exact.depth),
        vector(deepest.mtv()),
        number(deepest.depth)
    );
    [Line::new(color, first), Line::new(MTV, second)]
}

fn draw_answers(canvas: &Canvas, u: &PlacedShape, shape: &PlacedShape) {
    let Some(exact) = contact(u, shape, TOUCH) else {
        let apart = separation(u, shape);
        let words = if canvas.length(1.0) > 1.4 { "apart" } else { "pieces: apart, distance" };
        marks::distance(canvas, &apart, Align2::LEFT_CENTER, words);
        return;
    };
    let start = shape.origin();
    if let Some(deepest) = deepest_piece(u, shape) {
        let is_wrong = depth_after(u, shape, deepest.mtv()) > 0.05;
        // The words under the figure say the same at length.
        let is_small = canvas.length(1.0) > 1.4;
        let words = match (is_wrong, is_small) {
            (true, false) => "out of the deepest piece: still in A",
            (true, true) => "still in A",
            (false, _) => "deepest piece",
        };
        marks::push(canvas, shape, &deepest, start, Align2::RIGHT_BOTTOM, WRONG, words);
    }
    marks::push(canvas, shape, &exact, start, Align2::LEFT_BOTTOM, MTV, "exact push-out");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(shape: impl Into<bevy_nudge::geometry::Shape>, x: f32, y: f32) -> PlacedShape {
        let pose = Affine2::from_translation(Vec2::new(x, y));
        PlacedShape::new(&shape.into(), pose).expect("placed")
    }

    fn words(x: f32, y: f32) -> [String; 2] {
        let u = place(the_u().expect("a U"), 0.0, 0.0);
        let square = ConvexPolygon::rectangle(Vec2::splat(70.0)).expect("a square");
        sentences(&u, &place(square, x, y), "B").map(|line| line.words)
    }

    #[test]
    fn in_the_notch_the_plain_test_is_wrong() {
        let [first, second] = words(0.0, 35.0);
        let start = "B: plain test, as if A were convex: hit, 130 deep. Its ";
        assert!(first.starts_with(start), "{first}");
        assert!(first.ends_with(" pieces: apart, distance 40"), "{first}");
        assert_eq!(second, "B needs no push.");
    }

    /// 50 to the right and 55 up, both at once.
    #[test]
    fn in_the_corner_the_deepest_piece_leads_into_its_neighbour() {
        let [first, second] = words(-105.0, -60.0);
        assert!(first.contains("hit, "), "{first}");
        assert!(second.starts_with("B: exact push-out (50, 55), 74.3 far."), "{second}");
        assert!(second.contains("B is then still "), "{second}");
    }

    #[test]
    fn far_away_all_agree() {
        let [first, second] = words(400.0, 0.0);
        assert!(first.contains("convex: no hit"), "{first}");
        assert!(first.ends_with("apart, distance 185"), "{first}");
        assert_eq!(second, "B needs no push.");
    }
}
