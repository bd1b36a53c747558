//! Draws figures with egui: shapes, arrows, and words that keep out of each other's way.

use std::cell::RefCell;

use bevy::prelude::*;
use bevy_egui::egui::{self, Align2, Color32, FontId, Pos2, Stroke};
use bevy_nudge::geometry::PlacedShape;

use super::paint::{dashed, fill, outlines};
use super::view::View;

/// What a figure is drawn on. Places are in world space, widths and font sizes in pixels.
pub(crate) struct Canvas<'v> {
    pub(crate) painter: egui::Painter,
    view: &'v View,
    words: Words,
    /// Where words stand already.
    taken: RefCell<Vec<egui::Rect>>,
}

/// How words in a figure look.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    pub(crate) size: f32,
    /// Behind them, to keep them legible over lines.
    pub(crate) backdrop: Color32,
}

impl Default for Words {
    fn default() -> Self {
        Self { size: 14.0, backdrop: Color32::from_rgba_premultiplied(15, 17, 22, 200) }
    }
}

impl<'v> Canvas<'v> {
    pub(crate) fn new(painter: egui::Painter, view: &'v View) -> Self {
        Self { painter, view, words: Words::default(), taken: RefCell::default() }
    }

    pub(crate) fn with_words(self, words: Words) -> Self {
        Self { words, ..self }
    }

    /// A font that is so large in a figure with room, and as much smaller as its words are.
    pub(crate) fn font(&self, size: f32) -> FontId {
        FontId::proportional(size * self.words.size / Words::default().size)
    }

    pub(crate) fn to_screen(&self, world: Vec2) -> Pos2 {
        self.view.to_screen(world)
    }

    /// How long so many pixels are in the world.
    pub(crate) fn length(&self, pixels: f32) -> f32 {
        self.view.length(pixels)
    }

    /// A shape with its outline.
    pub(crate) fn shape(&self, shape: &PlacedShape, color: Color32) {
        fill(&self.painter, shape, color.gamma_multiply(0.2), |at| self.to_screen(at));
        self.outline(shape, Stroke::new(2.0, color));
    }

    /// The outline of a shape alone.
    pub(crate) fn outline(&self, shape: &PlacedShape, stroke: Stroke) {
        for outline in outlines(shape, |at| self.to_screen(at)) {
            self.painter.add(egui::Shape::closed_line(outline, stroke));
        }
    }

    /// Where a shape would be after a move: dashed.
    pub(crate) fn ghost(&self, shape: &PlacedShape, shift: Vec2, color: Color32) {
        let stroke = Stroke::new(1.5, color);
        dashed(&self.painter, shape, stroke, |at| self.to_screen(at + shift));
    }

    /// A convex region, filled without an outline.
    pub(crate) fn tint(&self, corners: &[Vec2], color: Color32) {
        let corners = corners.iter().map(|&corner| self.to_screen(corner)).collect();
        self.painter.add(egui::Shape::convex_polygon(corners, color, Stroke::NONE));
    }

    pub(crate) fn line(&self, from: Vec2, to: Vec2, width: f32, color: Color32) {
        let ends = [self.to_screen(from), self.to_screen(to)];
        self.painter.line_segment(ends, Stroke::new(width, color));
    }

    /// A thin dashed line.
    pub(crate) fn dashes(&self, points: &[Vec2], color: Color32) {
        let points: Vec<Pos2> = points.iter().map(|&at| self.to_screen(at)).collect();
        let stroke = Stroke::new(1.0, color);
        self.painter.extend(egui::Shape::dashed_line(&points, stroke, 5.0, 4.0));
    }

    /// An arrow with a head that suits its length.
    pub(crate) fn arrow(&self, from: Vec2, to: Vec2, width: f32, color: Color32) {
        let (from, to) = (self.to_screen(from), self.to_screen(to));
        let way = to - from;
        if way.length() < 0.5 {
            return;
        }
        let head = (way.length() * 0.4).min(8.0 + 2.0 * width);
        let along = way.normalized();
        let (neck, side) = (to - along * head, along.rot90() * head * 0.45);
        self.painter.line_segment([from, neck], Stroke::new(width, color));
        let corners = vec![to, neck + side, neck - side];
        self.painter.add(egui::Shape::convex_polygon(corners, color, Stroke::NONE));
    }

    /// A region that is seen as a whole from `hub`: the triangles from there to a line of points.
    pub(crate) fn fan(&self, hub: Vec2, points: &[Vec2], color: Color32) {
        let mut mesh = egui::Mesh::default();
        mesh.colored_vertex(self.to_screen(hub), color);
        points.iter().for_each(|&point| mesh.colored_vertex(self.to_screen(point), color));
        for next in 1..points.len() as u32 {
            mesh.add_triangle(0, next, next + 1);
        }
        self.painter.add(egui::Shape::mesh(mesh));
    }

    /// The region between two circles around one centre.
    pub(crate) fn ring(&self, center: Vec2, inner: f32, outer: f32, color: Color32) {
        const SIDES: u32 = 96;
        let mut mesh = egui::Mesh::default();
        for side in 0..=SIDES {
            let direction = Vec2::from_angle(std::f32::consts::TAU * side as f32 / SIDES as f32);
            for radius in [inner, outer] {
                mesh.colored_vertex(self.to_screen(center + direction * radius), color);
            }
        }
        for first in (0..2 * SIDES).step_by(2) {
            mesh.add_triangle(first, first + 1, first + 2);
            mesh.add_triangle(first + 1, first + 2, first + 3);
        }
        self.painter.add(egui::Shape::mesh(mesh));
    }

    /// A round dot of so many pixels across.
    pub(crate) fn dot(&self, at: Vec2, size: f32, color: Color32) {
        self.painter.circle_filled(self.to_screen(at), size * 0.5, color);
    }

    /// A cross of so many pixels, as contact points are marked. Words stay off it.
    pub(crate) fn cross(&self, at: Vec2, size: f32, color: Color32) {
        let place = egui::Rect::from_center_size(self.to_screen(at), egui::Vec2::splat(size - 4.0));
        self.taken.borrow_mut().push(place);
        let (at, arm) = (self.to_screen(at), size * 0.5);
        for arm in [egui::vec2(arm, arm), egui::vec2(arm, -arm)] {
            self.painter.line_segment([at - arm, at + arm], Stroke::new(2.5, color));
        }
    }

    /// Words around a place, moved up or down where other words or the edge are in the way.
    pub(crate) fn label(&self, at: Vec2, color: Color32, words: &str) {
        self.words(self.to_screen(at), Align2::CENTER_CENTER, color, words);
    }

    /// Words beside a place: `side` names the side of the words that is at the place.
    pub(crate) fn label_at(&self, at: Vec2, side: Align2, color: Color32, words: &str) {
        let gap = side.to_sign() * -6.0;
        self.words(self.to_screen(at) + gap, side, color, words);
    }

    /// Words around one place, with a thin line to another.
    pub(crate) fn note(&self, at: Vec2, about: Vec2, color: Color32, words: &str) {
        let target = self.to_screen(about);
        let rect = self.words(self.to_screen(at), Align2::CENTER_CENTER, color, words);
        let from = rect.expand(1.0).clamp(target);
        self.painter.line_segment([from, target], Stroke::new(1.0, color.gamma_multiply(0.7)));
    }

    fn words(&self, place: Pos2, anchor: Align2, color: Color32, words: &str) -> egui::Rect {
        let font = FontId::proportional(self.words.size);
        let galley = self.painter.layout_no_wrap(words.to_owned(), font, color);
        let rect = anchor.anchor_size(place, galley.size()).expand2(egui::vec2(3.0, 1.0));
        let rect = self.free_place(rect);
        self.painter.rect_filled(rect, 3.0, self.words.backdrop);
        self.painter.galley(rect.min + egui::vec2(3.0, 1.0), galley, color);
        rect
    }

    /// The place nearest to `wanted`, above or below it, where no words are yet.
    fn free_place(&self, wanted: egui::Rect) -> egui::Rect {
        let scene = self.painter.clip_rect().shrink(2.0);
        let inside = |rect: egui::Rect| {
            let low = (scene.min - rect.min).max(egui::Vec2::ZERO);
            let high = (scene.max - rect.max).min(egui::Vec2::ZERO);
            rect.translate(low + high)
        };
        let mut taken = self.taken.borrow_mut();
        let step = egui::vec2(0.0, wanted.height());
        let tries = (0..10).flat_map(|i| [-step * i as f32, step * i as f32]);
        let place = tries
            .map(|shift| inside(wanted.translate(shift)))
            .find(|place| taken.iter().all(|other| !other.shrink(1.0).intersects(*place)))
            .unwrap_or_else(|| inside(wanted));
        taken.push(place);
        place
    }
}
