//! The form that saves a stretch of steps to a file.

use std::path::Path;

use bevy_egui::egui;

use super::CollisionInspector;
use super::edit_form::ERROR_COLOR;
use super::recording::Recording;

/// Which steps are saved, where, and what came of it.
#[derive(Debug)]
pub(super) struct SaveForm {
    path: String,
    first: Option<u64>,
    last: Option<u64>,
    /// The path of a file that is there already, after the first click on Save.
    asked: Option<String>,
    /// What to say about the last attempt, and whether it went well.
    outcome: Option<(bool, String)>,
}

impl Default for SaveForm {
    fn default() -> Self {
        Self {
            path: "recording.jsonl".to_owned(),
            first: None,
            last: None,
            asked: None,
            outcome: None,
        }
    }
}

/// Draws the form.
pub(super) fn show_save_form(ui: &mut egui::Ui, inspector: &mut CollisionInspector) {
    let history = &inspector.history;
    let form = &mut inspector.save_form;
    let shown = history.shown().map(|shown| shown.step);
    let (Some(oldest), Some(newest)) =
        (history.steps().next().map(|record| record.step), history.last().map(|last| last.step))
    else {
        return;
    };
    let stretch = ui.horizontal_wrapped(|ui| {
        ui.label("Save").on_hover_text("To look at it with the example replay");
        let hint = "The stretch begins, or ends, with the step that is shown";
        if ui.small_button("from here").on_hover_text(hint).clicked() {
            form.first = shown;
        }
        if ui.small_button("to here").on_hover_text(hint).clicked() {
            form.last = shown;
        }
        if ui.small_button("all").clicked() {
            (form.first, form.last) = (None, None);
        }
        let (one, other) = (form.first.unwrap_or(oldest), form.last.unwrap_or(newest));
        // Whichever end was chosen first.
        let (first, last) = (one.min(other), one.max(other));
        let stretch = Recording::of(history, first..=last);
        ui.weak(format!("{} steps, {first} to {last}", stretch.steps().len()));
        stretch
    });
    let recording = stretch.inner;
    let count = recording.steps().len();
    ui.horizontal(|ui| {
        let field = egui::TextEdit::singleline(&mut form.path).id_salt("recording path");
        ui.add(field.desired_width(ui.available_width() - 60.0).hint_text("path of the file"));
        let can_save = count > 0 && !form.path.trim().is_empty();
        if ui.add_enabled(can_save, egui::Button::new("Save")).clicked() {
            let path = Path::new(form.path.trim());
            let place = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
            let place = place.display();
            if path.is_file() && form.asked.as_ref() != Some(&form.path) {
                form.asked = Some(form.path.clone());
                form.outcome = Some((false, format!("{place} is there. Save again to replace it")));
                return;
            }
            form.asked = None;
            form.outcome = Some(match recording.save(path) {
                Ok(()) => (true, format!("{count} steps saved to {place}")),
                Err(error) => (false, format!("{place}: {error}")),
            });
        }
    });
    if let Some((is_saved, text)) = &form.outcome {
        let color = if *is_saved { ui.visuals().weak_text_color() } else { ERROR_COLOR };
        ui.colored_label(color, text);
    }
}
