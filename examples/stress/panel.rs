//! The panel: the slider, and what it costs.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use bevy_nudge::CollisionStats;
use bevy_nudge::prelude::*;

use crate::clocks::{Clocks, Part};
use crate::load::Load;
use crate::shared::view::View;

pub(crate) struct PanelPlugin;

impl Plugin for PanelPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(EguiPrimaryContextPass, draw_panel);
    }
}

/// Width of the panel in points.
const WIDTH: f32 = 330.0;

const PANEL_COLOR: egui::Color32 = egui::Color32::from_rgb(27, 30, 38);
const TEXT_COLOR: egui::Color32 = egui::Color32::from_rgb(240, 242, 246);
const DIM_COLOR: egui::Color32 = egui::Color32::from_rgb(175, 181, 193);
const STEP_COLOR: egui::Color32 = egui::Color32::from_rgb(255, 150, 70);
const OTHER_COLOR: egui::Color32 = egui::Color32::from_rgb(96, 140, 200);

fn draw_panel(
    mut contexts: EguiContexts,
    mut load: ResMut<Load>,
    mut settings: ResMut<CollisionSettings>,
    mut view: ResMut<View>,
    clocks: Res<Clocks>,
    stats: Res<CollisionStats>,
) -> Result {
    let context = contexts.ctx_mut()?;
    let screen = context.viewport_rect();
    let mut panel = screen;
    panel.min.x = (screen.right() - WIDTH).max(screen.center().x);
    // An area and not one of egui's panels: those lie in the background, where clicks on them
    // would count as clicks into the scene.
    egui::Area::new("stress".into()).fixed_pos(panel.min).constrain(false).fade_in(false).show(
        context,
        |ui| {
            ui.set_clip_rect(panel);
            ui.allocate_rect(panel, egui::Sense::hover());
            ui.painter().rect_filled(panel, 0.0, PANEL_COLOR);
            let body = panel.shrink2(egui::vec2(14.0, 12.0));
            let ui = &mut ui.new_child(egui::UiBuilder::new().max_rect(body));
            ui.visuals_mut().override_text_color = Some(TEXT_COLOR);
            // A bar that is seen tells that there is more.
            ui.spacing_mut().scroll = egui::style::ScrollStyle::thin();
            egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                show_load(ui, &mut load, &mut settings);
                show_frame(ui, &clocks);
                show_counts(ui, &stats);
            });
        },
    );
    view.free = Some(egui::Rect::from_min_max(screen.min, panel.left_bottom()));
    Ok(())
}

fn show_load(ui: &mut egui::Ui, load: &mut Load, settings: &mut CollisionSettings) {
    ui.label(egui::RichText::new("Colliders  (Up, Down)").size(16.0).strong());
    ui.spacing_mut().slider_width = ui.available_width() - 76.0;
    ui.add(
        egui::Slider::new(&mut load.colliders, Load::LEAST..=Load::MOST)
            .logarithmic(true)
            .custom_formatter(|count, _| thousands(count as usize))
            .custom_parser(|words| words.replace(',', "").parse().ok()),
    );
    ui.horizontal_wrapped(|ui| {
        for step in Load::STEPS {
            let words = if step < 1_000 { step.to_string() } else { format!("{}k", step / 1_000) };
            ui.selectable_value(&mut load.colliders, step, words);
        }
    });
    ui.horizontal_wrapped(|ui| {
        ui.checkbox(&mut load.is_mixed, "M  boxes and polygons");
        ui.checkbox(&mut load.is_moving, "Space  moving");
        ui.checkbox(&mut load.is_drawn, "D  picture");
        ui.checkbox(&mut settings.resolution.enabled, "P  push-out");
    });
    ui.add_space(12.0);
}

fn show_frame(ui: &mut egui::Ui, clocks: &Clocks) {
    let frame = clocks.millis(Part::Frame);
    ui.horizontal(|ui| {
        ui.label(egui::RichText::new(format!("Frame {frame:.1} ms")).size(16.0).strong());
        let rate = if frame > 0.0 { 1e3 / frame } else { 0.0 };
        ui.label(egui::RichText::new(format!("{rate:.0} per second")).color(DIM_COLOR));
    });
    let known = [Part::Step, Part::Moving, Part::Drawing];
    let rest = (frame - known.map(|part| clocks.millis(part)).iter().sum::<f64>()).max(0.0);
    let whole = frame.max(1e-3);
    for (name, part, color) in [
        ("collision step", Part::Step, STEP_COLOR),
        ("    sync", Part::Sync, STEP_COLOR),
        ("    broad phase", Part::BroadPhase, STEP_COLOR),
        ("    narrow phase", Part::NarrowPhase, STEP_COLOR),
        ("    push-out", Part::Resolve, STEP_COLOR),
        ("    events", Part::Publish, STEP_COLOR),
        ("moving them", Part::Moving, OTHER_COLOR),
        ("making the picture", Part::Drawing, OTHER_COLOR),
    ] {
        show_time(ui, name, clocks.millis(part), whole, color);
    }
    show_time(ui, "Bevy: renderer and all else", rest, whole, OTHER_COLOR);
    ui.add_space(12.0);
}

/// A time in milliseconds with a bar: its part of the whole.
fn show_time(ui: &mut egui::Ui, name: &str, millis: f64, whole: f64, color: egui::Color32) {
    let size = egui::vec2(ui.available_width(), 21.0);
    let (_, rect) = ui.allocate_space(size);
    let painter = ui.painter_at(rect);
    let mut bar = rect;
    bar.min.y = rect.bottom() - 3.0;
    painter.rect_filled(bar, 1.0, color.gamma_multiply(0.2));
    bar.set_width(rect.width() * (millis / whole).clamp(0.0, 1.0) as f32);
    painter.rect_filled(bar, 1.0, color);
    let font = egui::FontId::proportional(13.5);
    let base = rect.bottom() - 4.0;
    let [left, right] = [rect.left(), rect.right()].map(|x| egui::pos2(x, base));
    painter.text(left, egui::Align2::LEFT_BOTTOM, name, font.clone(), DIM_COLOR);
    let time = format!("{millis:.2} ms");
    painter.text(right, egui::Align2::RIGHT_BOTTOM, time, font, TEXT_COLOR);
}

fn show_counts(ui: &mut egui::Ui, stats: &CollisionStats) {
    ui.label(egui::RichText::new("The last step").size(16.0).strong());
    let pairs = stats.colliders * stats.colliders.saturating_sub(1) / 2;
    egui::Grid::new("counts").num_columns(2).spacing([18.0, 5.0]).show(ui, |ui| {
        for (name, count) in [
            ("colliders", thousands(stats.colliders)),
            ("pairs there are, n(n-1)/2", thousands(pairs)),
            ("bounds compared", thousands(stats.compared_bounds)),
            ("candidates: bounds meet", thousands(stats.candidates)),
            ("contacts: shapes meet", thousands(stats.contacts)),
            ("cell size of the grid", format!("{:.1}", stats.cell_size)),
        ] {
            ui.label(egui::RichText::new(name).color(DIM_COLOR));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.label(count);
            });
            ui.end_row();
        }
    });
}

/// A count with commas: 12,345.
fn thousands(count: usize) -> String {
    let digits = count.to_string();
    let mut words = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            words.push(',');
        }
        words.push(digit);
    }
    words
}
