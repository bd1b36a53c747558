//! A rectangle and a polygon, every candidate axis with both shadows, and the one that decides.

mod axes;
mod corners;
mod drawing;
mod list;

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_nudge::geometry::{AxisSource, ConvexPolygon, PlacedShape, PolygonError};

use crate::figure::{Body, Facts, Figure, Line, show_lines};
use crate::palette::{DIM, WRONG};
use crate::shared::canvas::Canvas;

use axes::{Candidate, candidates, deciding, sentences};
use corners::Corners;

#[derive(Default)]
pub(crate) struct SeparatingAxes {
    corners: Corners,
    /// The axis that was chosen to be drawn, if it is there; otherwise the one that decides.
    chosen: Option<AxisSource>,
    /// Those of the last frame, for the keys to go through.
    listed: Vec<AxisSource>,
}

/// The place of B and its turn.
const PLACE_B: Vec2 = Vec2::new(425.0, 250.0);

impl Figure for SeparatingAxes {
    fn explanation(&self) -> &'static str {
        "Two convex shapes are apart exactly when some axis shows a gap between their shadows. Only a \
         few axes need a look: those across an edge of either shape. The first gap settles it: apart. \
         Without a gap they overlap, and the axis with the shortest way out gives the push. Parallel \
         edges throw the same shadows; they only add the way out to the other side."
    }

    fn frame(&self) -> Rect {
        Rect::new(0.0, 0.0, 760.0, 440.0)
    }

    fn bodies(&self) -> Result<Vec<Body>> {
        let rectangle = ConvexPolygon::rectangle(Vec2::new(210.0, 110.0))?;
        let polygon = ConvexPolygon::new(self.corners.vertices().to_vec())?;
        Ok(vec![
            Body::new("A", rectangle, Vec2::new(290.0, 200.0)).turned(20.0),
            Body::new("B", polygon, PLACE_B),
        ])
    }

    fn update(&mut self, world: &mut World, bodies: &[Entity]) {
        if let [a, b] = *bodies {
            self.corners.update(world, [a, b]);
        }
    }

    fn press(&mut self, key: KeyCode) {
        if key == KeyCode::KeyX {
            let next = self.chosen.and_then(|chosen| {
                self.listed.iter().position(|&source| source == chosen).map(|index| index + 1)
            });
            self.chosen = self.listed.get(next.unwrap_or(0)).copied();
        }
    }

    fn controls(&mut self, ui: &mut egui::Ui) {
        ui.horizontal_wrapped(|ui| {
            ui.label("Corners of B:");
            for count in Corners::COUNTS {
                let is_chosen = self.corners.count() == count;
                if ui.selectable_label(is_chosen, count.to_string()).clicked() {
                    self.corners = Corners::regular(count);
                }
            }
        });
        ui.label("Drag its corners to reshape it.");
        let words = "X  draws one axis after the other, or click one in the list.";
        ui.label(words);
    }

    fn draw(&self, facts: &Facts, canvas: &Canvas) {
        let Some((a, b)) = facts.pair() else { return };
        let axes = candidates(a, b);
        let Some(axis) = axes.get(self.drawn(&axes, a, b)) else { return };
        drawing::draw(canvas, axis, a, b, self.frame());
    }

    fn numbers(&self, facts: &Facts) -> Vec<Line> {
        let Some((a, b)) = facts.pair() else { return Vec::new() };
        let axes = candidates(a, b);
        let mut lines = sentences(a, b, &axes, self.drawn(&axes, a, b));
        lines.push(match self.corners.refusal() {
            Some(reason) => Line::new(WRONG, format!("Refused: {}", in_short(reason))),
            None => Line::new(DIM, "A corner that would dent B stays where it was."),
        });
        lines
    }

    fn below(&mut self, ui: &mut egui::Ui, facts: &Facts) {
        let lines = self.numbers(facts);
        let width = ui.available_width();
        // Side by side if there is room.
        if width < 560.0 {
            show_lines(ui, &lines);
            return self.list(ui, facts);
        }
        ui.horizontal_top(|ui| {
            ui.vertical(|ui| {
                ui.set_width(width * 0.42);
                show_lines(ui, &lines);
            });
            ui.add_space(8.0);
            ui.vertical(|ui| self.list(ui, facts));
        });
    }
}

/// The reason on one line, so that the figure keeps its size while a corner is dragged.
fn in_short(reason: &PolygonError) -> String {
    match reason {
        PolygonError::Concave { .. } => "that would dent B".to_owned(),
        PolygonError::SelfCrossing { .. } => "B would cross itself".to_owned(),
        PolygonError::NoArea => "no area would be left of B".to_owned(),
        other => other.to_string(),
    }
}

impl SeparatingAxes {
    /// The list of axes, of which a click chooses one.
    fn list(&mut self, ui: &mut egui::Ui, facts: &Facts) {
        let Some((a, b)) = facts.pair() else { return };
        let axes = candidates(a, b);
        let (drawn, decides) = (self.drawn(&axes, a, b), deciding(&axes, a, b));
        if let Some(clicked) = list::show(ui, &axes, drawn, decides) {
            let source = axes[clicked].source;
            self.chosen = (self.chosen != Some(source)).then_some(source);
        }
        self.listed = axes.iter().map(|axis| axis.source).collect();
    }

    /// Which axis to draw: the chosen one, or else the one that decides.
    fn drawn(&self, axes: &[Candidate], a: &PlacedShape, b: &PlacedShape) -> usize {
        let chosen = axes.iter().position(|axis| Some(axis.source) == self.chosen);
        chosen.unwrap_or_else(|| deciding(axes, a, b))
    }
}
