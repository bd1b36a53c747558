//! Moving through a list by keyboard.
//!
//! Only the rows in view are laid out, and rows come and go, so the list as a whole takes the
//! focus, and the keys move what is selected in it.

use bevy_egui::egui;

use super::cell::paint_cell;

/// What the keys did to a list in this frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ListKeys {
    /// The row to which the keys moved.
    pub(super) moved_to: Option<usize>,
    /// How high the list is, in rows.
    page: usize,
    /// Whether Enter or Space was pressed.
    pub(super) is_entered: bool,
}

impl ListKeys {
    /// A scroll area that shows the row to which the keys moved.
    pub(super) fn scrolled(self, area: egui::ScrollArea, row_height: f32) -> egui::ScrollArea {
        let Some(row) = self.moved_to else { return area };
        // In the middle, so that the rows around it are seen too.
        area.vertical_scroll_offset((row as f32 - 0.5 * self.page as f32).max(0.0) * row_height)
    }
}

/// A line of weak text above a list, cut off where it does not fit. Returns its place.
pub(super) fn list_head(ui: &mut egui::Ui, text: &str, height: f32) -> egui::Rect {
    let size = egui::vec2(ui.available_width(), height);
    let (place, response) = ui.allocate_exact_size(size, egui::Sense::hover());
    let inside = place.shrink2(egui::vec2(4.0, 0.0));
    let rich = egui::RichText::new(text).weak().size(11.5);
    if paint_cell(ui, inside, rich, egui::Align::LEFT) {
        response.on_hover_text(text);
    }
    place
}

/// Lets the list be reached by Tab, and reads the keys while it has the focus: up, down, page up,
/// page down, home and end move.
///
/// The focus is shown as a frame around `place`. `at` is the row at which the list is, of `len`.
pub(super) fn list_keys(
    ui: &mut egui::Ui,
    id: egui::Id,
    place: egui::Rect,
    label: &str,
    at: Option<usize>,
    len: usize,
    page: usize,
) -> ListKeys {
    let id = id.with("keys");
    let response = ui.interact(place, id, egui::Sense::focusable_noninteractive());
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::WidgetType::Other, true, format!("{label}, {len} rows"))
    });
    let mut keys = ListKeys { page, ..Default::default() };
    if !response.has_focus() {
        return keys;
    }
    let filter = egui::EventFilter { vertical_arrows: true, ..Default::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
    let stroke = ui.visuals().selection.stroke;
    ui.painter().rect_stroke(place, 2.0, stroke, egui::StrokeKind::Inside);
    let last = len.saturating_sub(1);
    let page = page.max(1);
    let moves: [(egui::Key, &dyn Fn(usize) -> usize); 6] = [
        (egui::Key::ArrowDown, &|at| at + 1),
        (egui::Key::ArrowUp, &|at| at.saturating_sub(1)),
        (egui::Key::PageDown, &|at| at + page),
        (egui::Key::PageUp, &|at| at.saturating_sub(page)),
        (egui::Key::Home, &|_| 0),
        (egui::Key::End, &|_| last),
    ];
    ui.input(|input| {
        for (key, moved) in moves {
            for _ in 0..input.num_presses(key) {
                let from = keys.moved_to.or(at);
                // Into the list, from outside.
                keys.moved_to = Some(from.map_or(0, moved).min(last));
            }
        }
        keys.is_entered =
            input.key_pressed(egui::Key::Enter) || input.key_pressed(egui::Key::Space);
    });
    keys.moved_to = keys.moved_to.filter(|_| len > 0);
    keys
}
