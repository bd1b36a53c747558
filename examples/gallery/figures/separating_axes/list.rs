//! The list of axes: where each comes from, both shadows as bars to one scale, gap or way out.

use bevy_egui::egui::{self, Align2, Color32, FontId, Rangef, Rect, Sense};

use crate::palette::{ANSWER, COLOR_A, COLOR_B, DIM, MTV, TEXT};
use crate::wording::number;

use super::axes::{Candidate, name};
use super::drawing::between_color;

const ROW: f32 = 17.0;
/// The most of it that shows without scrolling, as a part of the screen.
const TALLEST: f32 = 0.3;

/// Draws the list; returns the row that was clicked.
pub(super) fn show(
    ui: &mut egui::Ui,
    axes: &[Candidate],
    drawn: usize,
    decides: usize,
) -> Option<usize> {
    // One scale for all rows, so that lengths compare.
    let ends = axes.iter().flat_map(|axis| axis.shadows);
    let (low, high) = ends.fold((f64::MAX, f64::MIN), |(low, high), shadow| {
        (low.min(shadow.min), high.max(shadow.max))
    });
    let tallest = ui.ctx().viewport_rect().height() * TALLEST;
    let mut clicked = None;
    egui::ScrollArea::vertical().max_height(tallest).auto_shrink([false, true]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for (index, axis) in axes.iter().enumerate() {
            let size = egui::vec2(ui.available_width() - 8.0, ROW);
            let (rect, response) = ui.allocate_exact_size(size, Sense::click());
            if index == drawn || response.hovered() {
                let strength = if index == drawn { 50 } else { 38 };
                ui.painter().rect_filled(rect, 2.0, Color32::from_gray(strength));
            }
            draw_row(ui.painter(), rect, axis, axes, index == decides, (low, high));
            if response.clicked() {
                clicked = Some(index);
            }
        }
    });
    clicked
}

fn draw_row(
    painter: &egui::Painter,
    rect: Rect,
    axis: &Candidate,
    axes: &[Candidate],
    decides: bool,
    (low, high): (f64, f64),
) {
    let font = FontId::proportional(12.5);
    let (left, right) = (rect.left_center() + egui::vec2(4.0, 0.0), rect.right_center());
    let color = if axis.same_as.is_some() { DIM } else { TEXT };
    painter.text(left, Align2::LEFT_CENTER, name(axis.source), font.clone(), color);
    let is_wide = rect.width() > 430.0;
    if let Some(first) = axis.same_as.and_then(|first| axes.get(first)) {
        let words = if is_wide {
            format!("parallel to {}", name(first.source))
        } else {
            "parallel".to_owned()
        };
        let at = left + egui::vec2(84.0, 0.0);
        painter.text(at, Align2::LEFT_CENTER, words, FontId::proportional(11.0), DIM);
    }
    let (words, color) = match (axis.parts(), decides) {
        (true, true) => (format!("gap {}, decides", number(axis.gap)), ANSWER),
        (true, false) => (format!("gap {}", number(axis.gap)), ANSWER),
        (false, true) => (format!("way out {}, decides", number(-axis.gap)), MTV),
        (false, false) => (format!("way out {}", number(-axis.gap)), TEXT),
    };
    let right = right - egui::vec2(4.0, 0.0);
    painter.text(right, Align2::RIGHT_CENTER, words, font, color);

    let bars = Rangef::new(left.x + if is_wide { 205.0 } else { 136.0 }, right.x - 136.0);
    let x = |at: f64| bars.min + bars.span() * ((at - low) / (high - low)) as f32;
    let bar = |from: f64, to: f64, top: f32, height: f32, color| {
        let min = egui::pos2(x(from.min(to)), rect.top() + top);
        let max = egui::pos2(x(from.max(to)), rect.top() + top + height);
        painter.rect_filled(Rect::from_min_max(min, max), 0.0, color);
    };
    if bars.span() > 20.0 {
        let [a, b] = axis.shadows;
        bar(a.min, a.max, 2.0, 5.0, COLOR_A);
        bar(b.min, b.max, 10.0, 5.0, COLOR_B);
        let shared = axis.shared();
        bar(shared.min, shared.max, 7.0, 3.0, between_color(axis));
    }
}
