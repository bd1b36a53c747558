//! The panel at the right edge of the window: its place, its edge to drag, and the toggle key.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};

use super::CollisionInspector;
use super::input::{InputOwner, keyboard_is_free};
use super::panel::{ContactPanelData, contact_panel};

/// Shows the main columns of the table without scrolling, and leaves two thirds of a window of
/// 1280 to the scene.
pub(super) const DEFAULT_WIDTH: f32 = 420.0;

/// Below this the numbers of the head would be cut off.
const LEAST_WIDTH: f32 = 360.0;

/// What a panel leaves to the scene, in points, in a window that has the room.
const LEAST_SCENE: f32 = 160.0;

/// Where the panel stands on the screen. All in points.
///
/// Drawing and input both ask here, so that they agree before the first drawing too.
pub(super) fn panel_rect(screen: egui::Rect, width: f32) -> egui::Rect {
    // In a narrow window the panel gives way: half is the scene's.
    let half = 0.5 * screen.width();
    let least = LEAST_WIDTH.min(half);
    let widest = if half < LEAST_WIDTH { half } else { screen.width() - LEAST_SCENE };
    let width = if width.is_finite() { width } else { DEFAULT_WIDTH };
    let width = width.clamp(least, widest.max(least));
    egui::Rect::from_min_max(egui::pos2(screen.right() - width, screen.top()), screen.max)
}

/// Hides or shows the panel, and notes that it is to have the keyboard.
pub(super) fn toggle_panel(
    keyboard: Option<Res<ButtonInput<KeyCode>>>,
    mut inspector: ResMut<CollisionInspector>,
) {
    if let Some(key) = inspector.toggle_key
        && keyboard.as_ref().is_some_and(|keyboard| keyboard.just_pressed(key))
    {
        inspector.open = !inspector.open;
    }
    if let Some(key) = inspector.focus_key
        && keyboard.is_some_and(|keyboard| keyboard.just_pressed(key))
    {
        inspector.open = true;
        inspector.focus_request = true;
    }
}

/// Draws the panel into the primary egui context.
///
/// It is an area and not one of egui's panels: those lie in the background layer, over which
/// egui, and with it the picking of `bevy_egui`, thinks the pointer free.
pub(super) fn draw_side_panel(
    mut contexts: EguiContexts,
    mut data: ContactPanelData,
    owner: Option<Res<InputOwner>>,
) {
    if !data.inspector.open {
        return;
    }
    let Ok(context) = contexts.ctx_mut() else { return };
    let context = context.clone();
    let screen = context.viewport_rect();
    let rect = panel_rect(screen, data.inspector.width);
    let tab = keyboard_is_free(owner).then(|| hold_tab_back(&context)).flatten();
    let id = egui::Id::new("bevy_nudge contact panel");
    if egui::AreaState::load(&context, id).is_none() {
        // egui hides an area in its first pass, to measure it.
        context.request_discard("the contact panel is new");
    }
    egui::Area::new(id).fixed_pos(rect.min).constrain(false).fade_in(false).show(&context, |ui| {
        ui.set_clip_rect(rect);
        ui.allocate_rect(rect, egui::Sense::hover());
        ui.painter().rect_filled(rect, 0.0, ui.visuals().panel_fill);
        let body = rect.shrink2(egui::vec2(10.0, 8.0));
        let mut body_ui = ui.new_child(egui::UiBuilder::new().max_rect(body));
        raise_contrast(&mut body_ui);
        show_title(&mut body_ui, &mut data.inspector);
        contact_panel(&mut body_ui, &mut data);
        drag_edge(ui, id, rect, screen, &mut data.inspector.width);
    });
    if let Some(direction) = tab {
        context.memory_mut(|memory| memory.move_focus(direction));
    }
}

/// Keeps a Tab that belongs to the game from giving the panel the focus, and with it the
/// keyboard. Returns the direction in which it would go, for what egui draws afterwards.
fn hold_tab_back(context: &egui::Context) -> Option<egui::FocusDirection> {
    let is_pressed = context.input(|input| input.key_pressed(egui::Key::Tab));
    if !is_pressed || context.memory(|memory| memory.focused().is_some()) {
        return None;
    }
    context.memory_mut(|memory| memory.move_focus(egui::FocusDirection::None));
    let goes_back = context.input(|input| input.modifiers.shift);
    Some(if goes_back { egui::FocusDirection::Previous } else { egui::FocusDirection::Next })
}

/// Brighter text than egui's on a dark panel: small numbers are to be read beside a bright scene.
fn raise_contrast(ui: &mut egui::Ui) {
    let visuals = ui.visuals_mut();
    if visuals.dark_mode {
        visuals.widgets.noninteractive.fg_stroke.color = egui::Color32::from_gray(205);
        visuals.widgets.inactive.fg_stroke.color = egui::Color32::from_gray(220);
        visuals.weak_text_color = Some(egui::Color32::from_gray(155));
    }
}

fn show_title(ui: &mut egui::Ui, inspector: &mut CollisionInspector) {
    ui.horizontal(|ui| {
        ui.heading("Contacts");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let text = match inspector.toggle_key {
                Some(key) => format!("Hide ({key:?})"),
                None => "Hide".to_owned(),
            };
            if ui.button(text).clicked() {
                inspector.open = false;
            }
        });
    });
}

/// The left edge, which changes the width when dragged.
fn drag_edge(
    ui: &mut egui::Ui,
    id: egui::Id,
    rect: egui::Rect,
    screen: egui::Rect,
    width: &mut f32,
) {
    let mut edge = rect;
    edge.set_width(6.0);
    let response = ui.interact(edge, id.with("edge"), egui::Sense::drag());
    if response.hovered() || response.dragged() {
        ui.set_cursor_icon(egui::CursorIcon::ResizeHorizontal);
    }
    if let Some(pointer) = response.interact_pointer_pos()
        && response.dragged()
    {
        *width = panel_rect(screen, screen.right() - pointer.x).width();
    }
    let stroke = ui.style().interact(&response).fg_stroke;
    let line = if response.hovered() || response.dragged() {
        stroke
    } else {
        ui.visuals().widgets.noninteractive.bg_stroke
    };
    ui.painter().vline(rect.left() + 0.5, rect.y_range(), line);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_panel_stands_at_the_right_and_leaves_room_for_the_scene() {
        let place = |screen_width, width| {
            let screen =
                egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(screen_width, 800.0));
            let rect = panel_rect(screen, width);
            (rect.left(), rect.right())
        };
        assert_eq!(place(1280.0, DEFAULT_WIDTH), (860.0, 1280.0));
        assert_eq!(place(1280.0, 10.0), (920.0, 1280.0), "not too narrow to read");
        assert_eq!(place(1280.0, 5000.0), (160.0, 1280.0), "some scene is left");
        assert_eq!(place(800.0, DEFAULT_WIDTH), (380.0, 800.0));
        assert_eq!(place(400.0, DEFAULT_WIDTH), (200.0, 400.0), "half is the scene's");
        assert_eq!(place(1280.0, f32::NAN), (860.0, 1280.0));
    }
}
