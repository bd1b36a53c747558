//! What figures are drawn on: gizmos for the geometry, egui for fills and labels.

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_nudge::debug_draw::draw_outline;
use bevy_nudge::geometry::PlacedShape;

use crate::shared::bar::to_egui;
use crate::shared::canvas::{Canvas as Paper, Words};
use crate::shared::paint::fill;
use crate::shared::view::View;

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
    paper: Paper<'a>,
}

impl<'a, 'w, 's> Canvas<'a, 'w, 's> {
    /// `view` shows as much as [`SIZE`].
    pub(crate) fn new(
        gizmos: &'a mut Gizmos<'w, 's, FigureGizmos>,
        context: &egui::Context,
        view: &'a View,
    ) -> Self {
        // Plain words, which keep the files small.
        let words = Words { size: 17.0, backdrop: egui::Color32::TRANSPARENT };
        let painter = context.layer_painter(egui::LayerId::background());
        Self { gizmos, paper: Paper::new(painter, view).with_words(words) }
    }

    /// A shape with its outline.
    pub(crate) fn shape(&mut self, shape: &PlacedShape, color: Color) {
        let tint = to_egui(color).gamma_multiply(0.2);
        fill(&self.paper.painter, shape, tint, |at| self.paper.to_screen(at));
        draw_outline(self.gizmos, shape, color);
    }

    /// Where a shape would be after a move.
    pub(crate) fn ghost(&self, shape: &PlacedShape, shift: Vec2, color: Color) {
        self.paper.ghost(shape, shift, to_egui(color));
    }

    /// A convex region without an outline.
    pub(crate) fn tint(&self, corners: &[Vec2], color: Color) {
        self.paper.tint(corners, to_egui(color).gamma_multiply(0.25));
    }

    /// A small square on whole pixels, which keeps the files small.
    pub(crate) fn dot(&self, at: Vec2, color: Color) {
        let corner = self.paper.to_screen(at).floor() - egui::vec2(2.0, 2.0);
        let rect = egui::Rect::from_min_size(corner, egui::Vec2::splat(5.0));
        self.paper.painter.rect_filled(rect, 0.0, to_egui(color));
    }

    /// An arrow of the geometry, with a head that suits its length.
    pub(crate) fn arrow(&mut self, from: Vec2, to: Vec2, color: Color) {
        let tip = (from.distance(to) * 0.3).min(12.0);
        self.gizmos.arrow_2d(from, to, color).with_tip_length(tip);
    }

    /// Words around a place.
    pub(crate) fn label(&self, at: Vec2, color: Color, words: &str) {
        self.paper.label(at, to_egui(color), words);
    }

    /// Words around one place, with a thin line to another.
    pub(crate) fn note(&self, at: Vec2, about: Vec2, color: Color, words: &str) {
        self.paper.note(at, about, to_egui(color), words);
    }
}
