//! Keeps what has the keyboard in sight.

use bevy_egui::egui;

/// How much below it is to be seen too, in points: of a list, which has the focus as a whole, some rows.
const BELOW: f32 = 80.0;

/// Scrolls what has just got the focus into the sight of the scroll area that `ui` is in: egui leaves
/// it where it is, and in a low panel Tab would lead out of sight.
///
/// To be called when all in the area is drawn.
pub(super) fn follow_focus(ui: &mut egui::Ui) {
    let id = ui.id().with("focus followed");
    let focused = ui.memory(|memory| memory.focused());
    let former: Option<egui::Id> = ui.data(|data| data.get_temp(id)).flatten();
    if focused == former {
        return;
    }
    if let Some(response) = focused.and_then(|focused| ui.ctx().read_response(focused))
        && response.layer_id == ui.layer_id()
    {
        if !ui.min_rect().contains_rect(response.rect) {
            // An area within this one has yet to scroll there.
            return;
        }
        let mut place = response.rect.expand(4.0);
        place.max.y += BELOW;
        ui.scroll_to_rect(place, None);
        ui.data_mut(|data| data.insert_temp(last_focused_id(), response.id));
    }
    ui.data_mut(|data| data.insert_temp(id, focused));
}

/// What of the panel had the focus last, if it is still there. Enter in a field ends the typing and
/// takes the focus away, and nobody wants to walk there again.
pub(super) fn last_focused(context: &egui::Context) -> Option<egui::Id> {
    let last = context.data(|data| data.get_temp::<egui::Id>(last_focused_id()))?;
    context.read_response(last).map(|response| response.id)
}

fn last_focused_id() -> egui::Id {
    egui::Id::new("last focused in the contact panel")
}
