//! Text painted straight into its place, for lists with many cells.
//!
//! A label of egui is a widget, with an id, a layout and a response, which costs several times what
//! its text does. Here the row as a whole is the widget.

use bevy_egui::egui;

/// Paints a line of text into a place, cut off where it does not fit. Whether it was cut off.
pub(super) fn paint_cell(
    ui: &egui::Ui,
    place: egui::Rect,
    text: impl Into<egui::WidgetText>,
    align: egui::Align,
) -> bool {
    let (wrap, font) = (egui::TextWrapMode::Truncate, egui::FontSelection::Default);
    let galley = text.into().into_galley(ui, Some(wrap), place.width(), font);
    let is_cut_off = galley.elided;
    let corner =
        egui::Align2([align, egui::Align::Center]).align_size_within_rect(galley.size(), place);
    ui.painter().galley(corner.min, galley, ui.visuals().text_color());
    is_cut_off
}
