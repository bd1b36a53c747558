//! The page of layers: who may meet whom, by name.

use std::collections::BTreeMap;

use bevy_egui::egui;

use crate::CollisionLayers;

use super::layer_names::LayerNames;
use super::step_record::StepRecord;

const CELL: f32 = 20.0;

/// More groups than this are not shown: nobody could read them.
const MOST_GROUPS: usize = 48;

/// Colliders with the same layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Group {
    layers: CollisionLayers,
    count: usize,
}

/// The colliders of a step by their layers, in the order of the layers.
fn groups(record: &StepRecord) -> Vec<Group> {
    let mut counts: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for collider in &record.colliders {
        let CollisionLayers { memberships, filters } = collider.traits.layers;
        *counts.entry((memberships, filters)).or_default() += 1;
    }
    let group = |((memberships, filters), count)| Group {
        layers: CollisionLayers::new(memberships, filters),
        count,
    };
    counts.into_iter().map(group).collect()
}

/// Draws the page.
///
/// Rows and columns are the groups of colliders with the same layers, which is what decides: a
/// matrix of single layers could not say that a collider of two layers meets another.
pub(super) fn show_layers(ui: &mut egui::Ui, record: &StepRecord, names: Option<&LayerNames>) {
    let without_names = LayerNames::default();
    let names = names.unwrap_or(&without_names);
    let groups = groups(record);
    let count = groups.len();
    if count == 0 {
        ui.weak("There are no colliders.");
        return;
    }
    ui.label("Colliders with the same layers, and whom they may meet. Both sides must want to.");
    if groups.iter().all(|group| group.layers == CollisionLayers::ALL) {
        ui.weak("All are members of all layers and meet all: give them CollisionLayers.");
    }
    if names.named() == 0 {
        ui.weak("Layers have numbers here. Insert LayerNames to call them by name.");
    }
    let shown = &groups[..count.min(MOST_GROUPS)];
    egui::ScrollArea::both().id_salt("layers").auto_shrink(false).show(ui, |ui| {
        egui::Grid::new("layer matrix").spacing([4.0, 4.0]).min_col_width(CELL).show(ui, |ui| {
            ui.weak("");
            ui.weak("member of");
            for column in 1..=shown.len() {
                ui.weak(column.to_string());
            }
            ui.end_row();
            for (row, group) in shown.iter().enumerate() {
                ui.weak((row + 1).to_string());
                let text = format!("{} ({})", names.group(group.layers), group.count);
                let label = egui::Label::new(egui::RichText::new(text)).truncate();
                ui.add_sized([150.0, CELL], label).on_hover_text(format!(
                    "{} colliders, members of {}, that want to meet {}",
                    group.count,
                    names.describe(group.layers.memberships),
                    names.describe(group.layers.filters)
                ));
                for other in shown {
                    show_cell(ui, group, other, names);
                }
                ui.end_row();
            }
        });
        if count > shown.len() {
            ui.weak(format!("and {} more groups", count - shown.len()));
        }
    });
}

fn show_cell(ui: &mut egui::Ui, row: &Group, column: &Group, names: &LayerNames) {
    let meets = row.layers.interacts_with(column.layers);
    let (rect, response) = ui.allocate_exact_size(egui::Vec2::splat(CELL), egui::Sense::hover());
    let color =
        if meets { egui::Color32::from_rgb(110, 200, 130) } else { ui.visuals().extreme_bg_color };
    ui.painter().rect_filled(rect.shrink(2.0), 2.0, color);
    let (a, b) = (names.group(row.layers), names.group(column.layers));
    let wants = |holds: bool| if holds { "wants" } else { "does not want" };
    let answer = if meets { "meet" } else { "do not meet" };
    let text = format!(
        "{a} and {b} {answer}: {a} {} {b}, {b} {} {a}",
        wants(row.layers.filters & column.layers.memberships != 0),
        wants(column.layers.filters & row.layers.memberships != 0),
    );
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, &text));
    response.on_hover_text(text);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bevy::prelude::Entity;

    use super::super::step_record::{ColliderTraits, RecordedCollider};
    use super::*;

    #[test]
    fn colliders_with_the_same_layers_are_one_group() {
        let collider = |memberships, filters| RecordedCollider {
            entity: Entity::PLACEHOLDER,
            shape: None,
            traits: Arc::new(ColliderTraits {
                layers: CollisionLayers::new(memberships, filters),
                ..Default::default()
            }),
        };
        let colliders = vec![collider(2, 1), collider(1, 2), collider(2, 1), collider(2, 3)];
        let record = StepRecord { colliders, ..Default::default() };
        let group = |memberships, filters, count| Group {
            layers: CollisionLayers::new(memberships, filters),
            count,
        };
        assert_eq!(groups(&record), [group(1, 2, 1), group(2, 1, 2), group(2, 3, 1)]);
    }
}
