//! The selected pair or collider, in full.

use bevy::prelude::*;
use bevy_egui::egui;

use crate::{ContactPair, Contacts};

use super::columns::{Names, count_contacts, eight_digits, status};
use super::scene::{COLOR_A, COLOR_B, Watched};
use super::table::status_color;
use super::{CollisionInspector, Selection};

/// What the detail takes, in points. The same for every selection, so that nothing moves when it
/// changes.
pub(super) const DETAIL_HEIGHT: f32 = 158.0;

/// Draws what is selected.
pub(super) fn show_detail(
    ui: &mut egui::Ui,
    inspector: &mut CollisionInspector,
    contacts: &Contacts,
    names: &Names,
) {
    let size = egui::vec2(ui.available_width(), DETAIL_HEIGHT);
    let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    let ui = &mut ui.new_child(egui::UiBuilder::new().max_rect(rect));
    ui.set_clip_rect(rect.intersect(ui.clip_rect()));
    ui.separator();
    match inspector.selection {
        Selection::None => {
            ui.weak("Select a row, or click a collider in the scene.");
        }
        Selection::Pair(a, b) => {
            show_title(ui, "Selected pair", &mut inspector.selection);
            show_entity(ui, "A", COLOR_A, a, names);
            show_entity(ui, "B", COLOR_B, b, names);
            match contacts.between(a, b) {
                Some(pair) => show_contact(ui, pair),
                None => show_gap(ui, inspector.watched),
            }
        }
        Selection::Collider(entity) => {
            show_title(ui, "Selected collider", &mut inspector.selection);
            show_entity(ui, "", COLOR_A, entity, names);
            ui.label(count_contacts(contacts.of(entity).count()));
            if let Watched::OutOfPlay = inspector.watched {
                ui.weak("It takes no part in the step: disabled, invalid, or gone.");
            }
        }
    }
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
fn show_entity(ui: &mut egui::Ui, side: &str, color: Color, entity: Entity, names: &Names) {
    let [red, green, blue, _] = color.to_srgba().to_u8_array();
    let color = egui::Color32::from_rgb(red, green, blue);
    let name = names.label(entity);
    let id = entity.to_string();
    let shape = names.shape(entity).unwrap_or("no collider");
    let text =
        if name == id { format!("{name}, {shape}") } else { format!("{name}, {shape}, {id}") };
    ui.horizontal(|ui| {
        if !side.is_empty() {
            ui.label(egui::RichText::new(side).strong().color(color));
        }
        ui.add(egui::Label::new(egui::RichText::new(text).color(color)).truncate());
    });
}

fn show_contact(ui: &mut egui::Ui, pair: &ContactPair) {
    let contact = &pair.contact;
    ui.horizontal(|ui| {
        ui.colored_label(status_color(contact.status), status(contact.status));
        ui.add_space(6.0);
        ui.monospace(format!("depth {:>8}", eight_digits(contact.depth)));
        ui.add_space(6.0);
        ui.monospace(format!("age {:>6} steps", pair.age));
    });
    show_vector(ui, "Normal", contact.normal, "from A to B");
    show_vector(ui, "MTV", contact.mtv(), "moves B out of A");
    show_vector(ui, "Point", contact.point, "in both");
}

fn show_vector(ui: &mut egui::Ui, title: &str, vector: Vec2, meaning: &str) {
    let (x, y) = (eight_digits(vector.x), eight_digits(vector.y));
    ui.horizontal(|ui| {
        ui.monospace(format!("{title:<6} {x:>8} {y:>8}"));
        ui.weak(meaning);
    });
}

fn show_gap(ui: &mut egui::Ui, watched: Watched) {
    match watched {
        Watched::Gap(gap) => {
            ui.label(format!("Not in contact. They are {} apart.", eight_digits(gap)))
        }
        Watched::InPlay => ui.label("Not in contact."),
        Watched::OutOfPlay => ui.label("Not in contact: one takes no part, or is gone."),
    };
}
