//! The menu: which figure, its switches, what it is about.

use bevy::prelude::*;
use bevy_egui::egui;

use crate::figure::LOW;
use crate::figures::ALL;
use crate::open_figure::OpenFigure;

pub(crate) const PANEL_COLOR: egui::Color32 = egui::Color32::from_rgb(27, 30, 38);
const WORDS_COLOR: egui::Color32 = egui::Color32::from_rgb(205, 209, 218);
pub(crate) const HELP_COLOR: egui::Color32 = egui::Color32::from_rgb(150, 157, 170);

pub(crate) const HELP: &str = "Drag a shape, or Tab: select, arrows: move by 5 (Shift: 25), Q and E: turn by 15°.   \
     R: start over.   Page up, page down: other figures.   F1: contact panel.   Esc: quit.";

/// The menu where there is no room for it beside the figure.
#[derive(Resource, Default)]
pub(crate) struct Menu {
    /// Whether it lies over the figure.
    pub(crate) is_unfolded: bool,
}

/// Room for a row of buttons, in points.
const FOOTER: f32 = 28.0;

/// The menu in one line: unfolds it, names the figure, starts it over.
pub(crate) fn draw_bar(
    context: &egui::Context,
    rect: egui::Rect,
    open: &mut OpenFigure,
    menu: &mut Menu,
) {
    area(context, "gallery bar", rect, |ui| {
        ui.horizontal_centered(|ui| {
            ui.add_space(8.0);
            if ui.selectable_label(menu.is_unfolded, "M  Menu").clicked() {
                menu.is_unfolded ^= true;
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.add_space(8.0);
                reset_button(ui, open);
                let title = egui::Label::new(egui::RichText::new(title(open.index)).strong());
                ui.add(title.truncate());
            });
        });
    });
}

/// The menu. What does not fit scrolls; the button to start over stays in sight.
pub(crate) fn draw_menu(
    context: &egui::Context,
    rect: egui::Rect,
    open: &mut OpenFigure,
    helps: bool,
) {
    area(context, "gallery menu", rect, |ui| {
        let body = rect.shrink2(egui::vec2(10.0, 8.0));
        let (body, foot) = body.split_top_bottom_at_y(body.bottom() - FOOTER);
        let mut foot = ui.new_child(
            egui::UiBuilder::new()
                .max_rect(foot)
                .layout(egui::Layout::left_to_right(egui::Align::Max)),
        );
        reset_button(&mut foot, open);
        let mut body = ui.new_child(egui::UiBuilder::new().max_rect(body));
        // A bar that is seen tells that there is more.
        body.spacing_mut().scroll = egui::style::ScrollStyle::thin();
        egui::ScrollArea::vertical().auto_shrink(false).show(&mut body, |ui| {
            choose_figure(ui, open, rect.height() < LOW);
            ui.separator();
            // Above the words, which are long: what can be done is in sight in a low window too.
            show_controls(ui, open);
            let words = egui::RichText::new(open.figure.explanation()).color(WORDS_COLOR);
            ui.label(words.size(13.0));
            if helps {
                ui.add_space(6.0);
                ui.label(egui::RichText::new(HELP).color(HELP_COLOR).size(12.0));
            }
        });
    });
}

fn title(index: usize) -> String {
    format!("{}  {}", index + 1, ALL[index].title)
}

fn reset_button(ui: &mut egui::Ui, open: &mut OpenFigure) {
    if ui.button("R  Reset").clicked() {
        open.request = Some(open.index);
    }
}

/// All figures below each other, or where that is too high, in a list that drops down.
fn choose_figure(ui: &mut egui::Ui, open: &mut OpenFigure, is_low: bool) {
    let list = |ui: &mut egui::Ui, open: &mut OpenFigure| {
        ui.spacing_mut().item_spacing.y = 1.0;
        for index in 0..ALL.len() {
            if ui.selectable_label(index == open.index, title(index)).clicked() {
                open.request = Some(index);
            }
        }
    };
    if is_low {
        let width = ui.available_width();
        egui::ComboBox::from_id_salt("figures")
            .selected_text(title(open.index))
            .width(width)
            .height(260.0)
            .show_ui(ui, |ui| list(ui, open));
    } else {
        ui.heading("Why do they collide?");
        ui.add_space(4.0);
        ui.scope(|ui| list(ui, open));
    }
}

fn show_controls(ui: &mut egui::Ui, open: &mut OpenFigure) {
    let top = ui.cursor().top();
    ui.scope(|ui| {
        for (index, (words, switch)) in open.figure.switches().into_iter().enumerate() {
            ui.checkbox(switch, format!("{}  {words}", index + 1));
        }
        // The numbers and the words of a slider need the rest.
        ui.spacing_mut().slider_width = (ui.available_width() - 90.0).max(60.0);
        open.figure.controls(ui);
    });
    if ui.cursor().top() > top + 4.0 {
        ui.separator();
    }
}

pub(crate) fn raise_contrast(ui: &mut egui::Ui) {
    let widgets = &mut ui.visuals_mut().widgets;
    widgets.noninteractive.fg_stroke.color = WORDS_COLOR;
    widgets.inactive.fg_stroke.color = egui::Color32::from_gray(225);
}

/// A panel as an area: egui's own panels lie in the background layer, where the pointer counts as
/// free.
fn area(
    context: &egui::Context,
    name: &'static str,
    rect: egui::Rect,
    contents: impl FnOnce(&mut egui::Ui),
) {
    let area = egui::Area::new(name.into()).fixed_pos(rect.min).constrain(false).fade_in(false);
    if egui::AreaState::load(context, name.into()).is_none() {
        // egui hides an area in its first pass, to measure it.
        context.request_discard("this panel is new");
    }
    area.show(context, |ui| {
        ui.set_clip_rect(rect);
        ui.allocate_rect(rect, egui::Sense::hover());
        ui.painter().rect_filled(rect, 0.0, PANEL_COLOR);
        let mut inside = ui.new_child(egui::UiBuilder::new().max_rect(rect));
        raise_contrast(&mut inside);
        contents(&mut inside);
    });
}
