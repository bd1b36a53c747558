//! The settings of the collision step as a form.

use bevy_egui::egui;

use super::number_field::typed;

use crate::geometry::TouchRule;
use crate::{CellSize, CollisionSettings, CollisionStats};

/// The largest length a field takes, in world units.
const LARGEST: f32 = 1.0e6;

/// Draws the form and writes what the user changes.
///
/// `has_push_out` is whether the app has a push-out at all.
pub(super) fn settings_form(
    ui: &mut egui::Ui,
    settings: &mut CollisionSettings,
    stats: &CollisionStats,
    has_push_out: bool,
) {
    egui::Grid::new("collision settings").num_columns(2).spacing([10.0, 4.0]).show(ui, |ui| {
        ui.label("Touching").on_hover_text("Whether pairs that only touch are contacts");
        ui.horizontal(|ui| {
            ui.radio_value(&mut settings.touch_rule, TouchRule::Inclusive, "is a contact");
            ui.radio_value(&mut settings.touch_rule, TouchRule::Exclusive, "is none");
        });
        ui.end_row();

        ui.label("Tolerance").on_hover_text("How far from touching still counts as touching");
        length_field(ui, &mut settings.touch_tolerance, 0.01, 0.0);
        ui.end_row();

        ui.label("Cell size").on_hover_text("Of the grid. It changes cost, never results");
        ui.horizontal(|ui| cell_size_field(ui, &mut settings.cell_size, stats.cell_size));
        ui.end_row();

        ui.label("Push-out");
        ui.add_enabled_ui(has_push_out, |ui| {
            ui.horizontal(|ui| {
                ui.checkbox(&mut settings.resolution.enabled, "on");
                ui.label("  passes");
                let passes = egui::DragValue::new(&mut settings.resolution.passes);
                let passes = passes.range(1..=64).clamp_existing_to_range(false).speed(0.1);
                ui.add(typed(ui, passes, f64::is_finite))
                    .on_hover_text("The most passes in one step");
            })
        })
        .response
        .on_disabled_hover_text("Add ResolutionPlugin to push solids apart");
        ui.end_row();

        ui.label("Allowed overlap").on_hover_text("How deep a pair of solids may overlap and stay");
        ui.add_enabled_ui(has_push_out, |ui| {
            length_field(ui, &mut settings.resolution.allowed_overlap, 0.001, 0.0);
        });
        ui.end_row();
    });
}

fn cell_size_field(ui: &mut egui::Ui, cell_size: &mut CellSize, used: f32) {
    let mut is_auto = !matches!(cell_size, CellSize::Fixed(_));
    ui.radio_value(&mut is_auto, true, "auto");
    ui.radio_value(&mut is_auto, false, "fixed");
    let mut side = match *cell_size {
        CellSize::Fixed(side) => side,
        CellSize::Auto => used,
    };
    ui.add_enabled_ui(!is_auto, |ui| length_field(ui, &mut side, 0.5, 0.001));
    *cell_size = match (is_auto, *cell_size) {
        (true, _) => CellSize::Auto,
        // Before the first step there is no size to begin with.
        (false, CellSize::Auto) if used <= 0.0 => CellSize::Fixed(64.0),
        (false, _) => CellSize::Fixed(side),
    };
}

/// A field for a length in world units. A value the game has set is left as it is, even if it
/// is out of the field's range.
fn length_field(ui: &mut egui::Ui, value: &mut f32, speed: f64, smallest: f32) {
    let field = egui::DragValue::new(value)
        .range(smallest..=LARGEST)
        .clamp_existing_to_range(false)
        .speed(speed)
        .max_decimals(4)
        .min_decimals(1);
    // "nan" and "inf" are numbers to a parser, and lengths to nobody.
    let field = typed(ui, field, f64::is_finite);
    ui.add_sized([84.0, ui.spacing().interact_size.y], field)
        .on_hover_text("In world units. Drag, or click and type");
}
