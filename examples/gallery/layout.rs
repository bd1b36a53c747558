//! The menu at the left, the numbers under the figure, and the figure in what is left.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use bevy_nudge::inspector::CollisionInspector;

use crate::figure::Facts;
use crate::figures::ALL;
use crate::open_figure::OpenFigure;
use crate::shared::canvas::Canvas;
use crate::shared::paint::scene_painter;
use crate::shared::view::View;

pub(crate) struct LayoutPlugin;

impl Plugin for LayoutPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(EguiPrimaryContextPass, draw_gallery);
    }
}

const PANEL_COLOR: egui::Color32 = egui::Color32::from_rgb(27, 30, 38);
const WORDS_COLOR: egui::Color32 = egui::Color32::from_rgb(205, 209, 218);
const HELP_COLOR: egui::Color32 = egui::Color32::from_rgb(150, 157, 170);

const HELP: &str = "Drag a shape, or Tab: select, arrows: move by 5 (Shift: 25), Q and E: turn by 15°.   \
                    R: start over.   Page up, page down: other figures.   F1: contact panel.   Esc: quit.";

/// The most of the height that the numbers take before they scroll.
const LARGEST_STRIP: f32 = 0.45;

/// The most that the numbers took since this figure was opened. They get as much in every frame, so
/// that the figure keeps its size when lines grow longer.
#[derive(Default)]
struct Strip {
    figure: usize,
    width: f32,
    height: f32,
}

fn draw_gallery(
    mut contexts: EguiContexts,
    mut view: ResMut<View>,
    mut open: ResMut<OpenFigure>,
    mut strip: Local<Strip>,
    inspector: Res<CollisionInspector>,
    facts: Facts,
) -> Result {
    let context = contexts.ctx_mut()?.clone();
    leave_tab_to_figure(&context);
    let mut free = context.viewport_rect();
    if let Some(panel) = inspector.side_panel_rect(free) {
        free.max.x = panel.min.x;
    }
    let menu = free.with_max_x(free.min.x + menu_width(free.width()));
    draw_menu(&context, menu, &mut open);
    free.min.x = menu.max.x;
    free.max.y = draw_numbers(&context, free, &mut open, &mut strip, &facts).min.y;
    view.free = Some(free);

    let canvas = Canvas::new(scene_painter(&context, &view), &view);
    open.figure.draw(&facts, &canvas);
    outline_selected(&facts, &canvas);
    Ok(())
}

/// Tab selects shapes. egui would take it to give the focus to a button.
fn leave_tab_to_figure(context: &egui::Context) {
    let is_pressed = context.input(|input| input.key_pressed(egui::Key::Tab));
    if is_pressed && context.memory(|memory| memory.focused().is_none()) {
        context.memory_mut(|memory| memory.move_focus(egui::FocusDirection::None));
    }
}

fn menu_width(screen: f32) -> f32 {
    (screen * 0.22).clamp(190.0, 270.0).min(screen * 0.5)
}

fn draw_menu(context: &egui::Context, rect: egui::Rect, open: &mut OpenFigure) {
    let footer = |ui: &mut egui::Ui, open: &mut OpenFigure| {
        if ui.button("R  Reset").clicked() {
            open.request = Some(open.index);
        }
    };
    panel(context, "gallery menu", rect, open, footer, |ui, open| {
        ui.heading("Why do they collide?");
        ui.add_space(4.0);
        for (index, entry) in ALL.iter().enumerate() {
            let words = format!("{}  {}", index + 1, entry.title);
            if ui.selectable_label(index == open.index, words).clicked() {
                open.request = Some(index);
            }
        }
        ui.separator();
        ui.label(egui::RichText::new(open.figure.explanation()).color(WORDS_COLOR).size(13.0));
        ui.add_space(6.0);
        for (index, (words, switch)) in open.figure.switches().into_iter().enumerate() {
            ui.checkbox(switch, format!("{}  {words}", index + 1));
        }
        // The numbers and the words of a slider need the rest.
        ui.spacing_mut().slider_width = (ui.available_width() - 90.0).max(60.0);
        open.figure.controls(ui);
    });
}

/// Room for a row of buttons, in points.
const FOOTER: f32 = 28.0;

/// A panel as an area: egui's own panels lie in the background layer, where the pointer counts as
/// free. What does not fit scrolls; the footer stays in sight.
fn panel(
    context: &egui::Context,
    name: &'static str,
    rect: egui::Rect,
    open: &mut OpenFigure,
    footer: impl FnOnce(&mut egui::Ui, &mut OpenFigure),
    contents: impl FnOnce(&mut egui::Ui, &mut OpenFigure),
) {
    let area = egui::Area::new(name.into()).fixed_pos(rect.min).constrain(false).fade_in(false);
    area.show(context, |ui| {
        ui.set_clip_rect(rect);
        ui.allocate_rect(rect, egui::Sense::hover());
        ui.painter().rect_filled(rect, 0.0, PANEL_COLOR);
        let body = rect.shrink2(egui::vec2(10.0, 8.0));
        let (body, foot) = body.split_top_bottom_at_y(body.bottom() - FOOTER);
        let mut foot = ui.new_child(
            egui::UiBuilder::new()
                .max_rect(foot)
                .layout(egui::Layout::left_to_right(egui::Align::Max)),
        );
        raise_contrast(&mut foot);
        footer(&mut foot, open);
        let mut body = ui.new_child(egui::UiBuilder::new().max_rect(body));
        raise_contrast(&mut body);
        // A bar that is seen tells that there is more.
        body.spacing_mut().scroll = egui::style::ScrollStyle::thin();
        egui::ScrollArea::vertical().auto_shrink(false).show(&mut body, |ui| contents(ui, open));
    });
}

fn raise_contrast(ui: &mut egui::Ui) {
    let widgets = &mut ui.visuals_mut().widgets;
    widgets.noninteractive.fg_stroke.color = WORDS_COLOR;
    widgets.inactive.fg_stroke.color = egui::Color32::from_gray(225);
}

/// Draws the strip under the figure and returns where it is.
fn draw_numbers(
    context: &egui::Context,
    free: egui::Rect,
    open: &mut OpenFigure,
    strip: &mut Strip,
    facts: &Facts,
) -> egui::Rect {
    if (strip.figure, strip.width) != (open.index, free.width()) {
        *strip = Strip { figure: open.index, width: free.width(), height: 0.0 };
    }
    let area = egui::Area::new("gallery numbers".into())
        .pivot(egui::Align2::LEFT_BOTTOM)
        .fixed_pos(free.left_bottom())
        .constrain(false)
        .fade_in(false);
    let response = area.show(context, |ui| {
        let frame = egui::Frame::new().fill(PANEL_COLOR).inner_margin(8);
        let response = frame.show(ui, |ui| {
            raise_contrast(ui);
            ui.set_width(free.width() - 16.0);
            ui.set_min_height(strip.height);
            // The figure keeps at least as much room as the words about it.
            egui::ScrollArea::vertical()
                .max_height(LARGEST_STRIP * free.height())
                .auto_shrink([false, true])
                .show(ui, |ui| open.figure.below(ui, facts));
            ui.label(egui::RichText::new(HELP).color(HELP_COLOR).size(12.0));
            ui.min_rect().height()
        });
        strip.height = strip.height.max(response.inner);
    });
    response.response.rect
}

/// The shape under the mouse, and the one that the keys move.
fn outline_selected(facts: &Facts, canvas: &Canvas) {
    let hovered = facts.pointer.target();
    for (entity, width) in [(hovered, 1.5), (facts.selectable.selected(), 3.0)] {
        if let Some(shape) = entity.and_then(|entity| facts.colliders.get(entity)) {
            canvas.outline(shape, egui::Stroke::new(width, egui::Color32::WHITE));
        }
    }
}
