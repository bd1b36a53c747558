//! The selected pair or collider, in full.

use bevy::prelude::*;
use bevy_egui::egui;

use crate::geometry::{Separation, separation};

use super::columns::{Names, count_contacts, eight_digits, status};
use super::scene::{COLOR_A, COLOR_B, Form, to_egui};
use super::step_record::{RecordedContact, StepRecord};
use super::table::status_color;
use super::{CollisionInspector, Selection};

/// What the detail takes, in points. The same for every selection, so that nothing moves when it
/// changes.
pub(super) const DETAIL_HEIGHT: f32 = 178.0;

/// Draws what is selected.
pub(super) fn show_detail(
    ui: &mut egui::Ui,
    inspector: &mut CollisionInspector,
    record: &StepRecord,
    names: &Names,
) {
    let size = egui::vec2(ui.available_width(), DETAIL_HEIGHT);
    let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    let ui = &mut ui.new_child(egui::UiBuilder::new().max_rect(rect));
    ui.set_clip_rect(rect.intersect(ui.clip_rect()));
    ui.separator();
    let selection = inspector.selection;
    // None in the frame of a click that selects: the next one knows.
    let watched = inspector.watched.about(selection).copied();
    let is_past = inspector.history.is_past();
    let form = |entity| match is_past {
        true => record.shape(entity).map(Form::of),
        false => watched?.form(entity),
    };
    let (is_out, distance) = if is_past {
        in_the_past(selection, record)
    } else {
        let is_out = watched.is_some_and(|watched| !watched.is_in_play());
        (is_out, watched.and_then(|watched| watched.distance))
    };
    match selection {
        Selection::None => {
            ui.weak("Select a row, or click a collider in the scene.");
        }
        Selection::Pair(a, b) => {
            show_title(ui, "Selected pair", &mut inspector.selection);
            show_entity(ui, "A", COLOR_A, a, form(a), names);
            show_entity(ui, "B", COLOR_B, b, form(b), names);
            match record.between(a, b) {
                Some(pair) => show_contact(ui, pair),
                None if is_out => {
                    ui.label("Not in contact: one takes no part, or is gone.");
                }
                None => {
                    ui.label("Not in contact.");
                    if let Some((_, apart)) = distance {
                        show_distance(ui, &apart, ["on A", "on B"]);
                    }
                }
            }
        }
        Selection::Collider(entity) => {
            show_title(ui, "Selected collider", &mut inspector.selection);
            show_entity(ui, "", COLOR_A, entity, form(entity), names);
            let own = record.contacts.iter().filter(|pair| pair.involves(entity));
            ui.label(count_contacts(own.count()));
            if is_out {
                ui.weak("It takes no part in the step: disabled, invalid, or gone.");
            } else if let Some((other, apart)) = distance {
                let text = format!("Nearest: {}", names.label(other));
                ui.add(egui::Label::new(text).truncate());
                show_distance(ui, &apart, ["on this", "on the other"]);
            }
        }
    }
}

/// Whether one of the selected takes no part in a step of the past, and how far a pair was apart.
fn in_the_past(selection: Selection, record: &StepRecord) -> (bool, Option<(Entity, Separation)>) {
    let is_out = selection.entities().any(|entity| record.shape(entity).is_none());
    let distance = match selection {
        Selection::Pair(a, b) => record
            .shape(a)
            .zip(record.shape(b))
            .map(|(shape_a, shape_b)| (b, separation(shape_a, shape_b))),
        Selection::None | Selection::Collider(_) => None,
    };
    (is_out, distance)
}

fn show_title(ui: &mut egui::Ui, title: &str, selection: &mut Selection) {
    ui.horizontal(|ui| {
        ui.strong(title);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.button("Deselect").clicked() {
                *selection = Selection::None;
            }
        });
    });
}

/// Side, name and shape of one entity. The side has the colour it is lit up with in the scene.
pub(super) fn show_entity(
    ui: &mut egui::Ui,
    side: &str,
    color: Color,
    entity: Entity,
    form: Option<Form>,
    names: &Names,
) {
    let color = to_egui(color);
    let name = names.label(entity);
    let mut text = format!("{name}, {}", names.shape(entity).unwrap_or("no collider"));
    match form {
        Some(Form { pieces: pieces @ 2.., .. }) => text += &format!(" of {pieces} pieces"),
        Some(Form { rounding, .. }) if rounding > 0.0 => {
            text += &format!(" with radius {}", eight_digits(rounding));
        }
        _ => {}
    }
    if names.is_swept(entity) {
        text += ", swept";
    }
    let id = entity.to_string();
    if name != id {
        text += &format!(", {id}");
    }
    ui.horizontal(|ui| {
        if !side.is_empty() {
            ui.label(egui::RichText::new(side).strong().color(color));
        }
        ui.add(egui::Label::new(egui::RichText::new(text).color(color)).truncate());
    });
}

fn show_contact(ui: &mut egui::Ui, pair: &RecordedContact) {
    let contact = &pair.contact;
    let steps = if ui.available_width() < 340.0 { "" } else { " steps" };
    ui.horizontal(|ui| {
        ui.colored_label(status_color(contact.status), status(contact.status));
        ui.add_space(6.0);
        ui.monospace(format!("depth {:>8}", eight_digits(contact.depth)));
        ui.add_space(6.0);
        ui.monospace(format!("age {:>6}{steps}", pair.age));
    });
    show_vector(ui, "Normal", contact.normal, "from A to B");
    show_vector(ui, "MTV", contact.mtv(), "moves B out of A");
    show_vector(ui, "Point", contact.point, "in both");
    if let Some(time) = pair.time_of_impact {
        show_number(ui, "Impact", time, "of the step, time of impact");
    }
}

/// A distance and the two places where it is measured.
fn show_distance(ui: &mut egui::Ui, apart: &Separation, places: [&str; 2]) {
    let meaning = match apart.distance {
        0.0 => "no gap between them",
        distance if distance < 0.0 => "they overlap",
        _ => "they are apart",
    };
    show_number(ui, "Dist.", apart.distance, meaning);
    for (point, place) in [apart.point_a, apart.point_b].into_iter().zip(places) {
        show_vector(ui, "Point", point, place);
    }
}

/// A number in the first column of the vectors.
fn show_number(ui: &mut egui::Ui, title: &str, number: f32, meaning: &str) {
    ui.horizontal(|ui| {
        ui.monospace(format!("{title:<6} {:>8}", eight_digits(number)));
        show_meaning(ui, meaning);
    });
}

pub(super) fn show_vector(ui: &mut egui::Ui, title: &str, vector: Vec2, meaning: &str) {
    let (x, y) = (eight_digits(vector.x), eight_digits(vector.y));
    ui.horizontal(|ui| {
        ui.monospace(format!("{title:<6} {x:>8} {y:>8}"));
        show_meaning(ui, meaning);
    });
}

/// What a number means, as far as there is room.
fn show_meaning(ui: &mut egui::Ui, meaning: &str) {
    ui.add(egui::Label::new(egui::RichText::new(meaning).weak()).truncate());
}
