//! Fields into which numbers are typed.

use bevy_egui::egui;

/// A field whose number counts when it is typed in full: on the way to 150 lies 1. What is no number,
/// or none that is accepted, and what is given up with Escape, leaves the field as it was.
pub(super) fn typed<'a>(
    ui: &egui::Ui,
    field: egui::DragValue<'a>,
    accepts: impl Fn(f64) -> bool + 'a,
) -> egui::DragValue<'a> {
    let is_given_up = is_given_up(ui);
    let parse = move |text: &str| {
        let number = text.trim().parse().ok();
        number.filter(|&number| !is_given_up && accepts(number))
    };
    field.update_while_editing(false).custom_parser(parse).custom_formatter(|number, decimals| {
        let text = egui::emath::format_with_decimals_in_range(number, decimals);
        let is_lost = number != 0.0 && text.parse() == Ok(0.0);
        // What is edited is an `f32`, of which this has all digits.
        if is_lost { format!("{:e}", number as f32) } else { text }
    })
}

/// Whether Escape was pressed in this pass or the one before. egui takes over what was typed in the
/// pass after the one in which Escape ended the typing.
fn is_given_up(ui: &egui::Ui) -> bool {
    let id = egui::Id::new("pass in which a number was given up");
    let now = ui.ctx().cumulative_pass_nr();
    if ui.input(|input| input.key_pressed(egui::Key::Escape)) {
        ui.data_mut(|data| data.insert_temp(id, now));
    }
    ui.data(|data| data.get_temp::<u64>(id)).is_some_and(|pass| now <= pass + 1)
}
