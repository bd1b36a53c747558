//! What figures are drawn on: gizmos for the geometry, egui for fills and labels.

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_nudge::debug_draw::draw_outline;
use bevy_nudge::geometry::PlacedShape;

use crate::shared::bar::to_egui;
use crate::shared::paint::{dashed, fill};

/// Width and height of a figure. A world unit is a pixel, and the origin lies in the middle.
pub(crate) const SIZE: UVec2 = UVec2::new(720, 380);

pub(crate) const COLOR_A: Color = Color::srgb(0.45, 0.72, 1.0);
pub(crate) const COLOR_B: Color = Color::srgb(1.0, 0.72, 0.32);
pub(crate) const TEXT_COLOR: Color = Color::srgb(0.92, 0.93, 0.96);
pub(crate) const DIM_COLOR: Color = Color::srgb(0.58, 0.61, 0.68);
pub(crate) const WRONG_COLOR: Color = Color::srgb(1.0, 0.42, 0.36);

#[derive(Default, Reflect, GizmoConfigGroup)]
pub(crate) struct FigureGizmos;

pub(crate) struct Canvas<'a, 'w, 's> {
    pub(crate) gizmos: &'a mut Gizmos<'w, 's, FigureGizmos>,
    painter: egui::Painter,
}

impl<'a, 'w, 's> Canvas<'a, 'w, 's> {
    pub(crate) fn new(
        gizmos: &'a mut Gizmos<'w, 's, FigureGizmos>,
        context: &egui::Context,
    ) -> Self {
        Self { gizmos, painter: context.layer_painter(egui::LayerId::background()) }
    }

    /// A shape with its outline.
    pub(crate) fn shape(&mut self, shape: &PlacedShape, color: Color) {
        fill(&self.painter, shape, to_egui(color).gamma_multiply(0.2), to_screen);
        draw_outline(self.gizmos, shape, color);
    }

    /// Where a shape would be after a move.
    pub(crate) fn ghost(&self, shape: &PlacedShape, shift: Vec2, color: Color) {
        let stroke = egui::Stroke::new(1.5, to_egui(color));
        dashed(&self.painter, shape, stroke, |at| to_screen(at + shift));
    }

    /// A convex region without an outline.
    pub(crate) fn tint(&self, corners: &[Vec2], color: Color) {
        let corners = corners.iter().map(|&corner| to_screen(corner)).collect();
        let fill = to_egui(color).gamma_multiply(0.25);
        self.painter.add(egui::Shape::convex_polygon(corners, fill, egui::Stroke::NONE));
    }

    /// A small square on whole pixels, which keeps the files small.
    pub(crate) fn dot(&self, at: Vec2, color: Color) {
        let corner = to_screen(at).floor() - egui::vec2(2.0, 2.0);
        let rect = egui::Rect::from_min_size(corner, egui::Vec2::splat(5.0));
        self.painter.rect_filled(rect, 0.0, to_egui(color));
    }

    /// An arrow of the geometry, with a head that suits its length.
    pub(crate) fn arrow(&mut self, from: Vec2, to: Vec2, color: Color) {
        let tip = (from.distance(to) * 0.3).min(12.0);
        self.gizmos.arrow_2d(from, to, color).with_tip_length(tip);
    }

    /// Words around a place.
    pub(crate) fn label(&self, at: Vec2, color: Color, words: &str) {
        let font = egui::FontId::proportional(17.0);
        let galley = self.painter.layout_no_wrap(words.to_owned(), font, to_egui(color));
        let rect = egui::Align2::CENTER_CENTER.anchor_size(to_screen(at), galley.size());
        self.painter.galley(rect.min, galley, to_egui(color));
    }

    /// Words around one place, with a thin line to another.
    pub(crate) fn note(&self, at: Vec2, about: Vec2, color: Color, words: &str) {
        let font = egui::FontId::proportional(17.0);
        let galley = self.painter.layout_no_wrap(words.to_owned(), font, to_egui(color));
        let rect = egui::Align2::CENTER_CENTER.anchor_size(to_screen(at), galley.size());
        let target = to_screen(about);
        let from = rect.expand(4.0).clamp(target);
        let stroke = egui::Stroke::new(1.0, to_egui(color).gamma_multiply(0.7));
        self.painter.line_segment([from, target], stroke);
        self.painter.galley(rect.min, galley, to_egui(color));
    }
}

fn to_screen(world: Vec2) -> egui::Pos2 {
    let middle = SIZE.as_vec2() * 0.5;
    egui::pos2(middle.x + world.x, middle.y - world.y)
}
