//! The page of layers: who may meet whom, by name.

use std::collections::BTreeMap;

use bevy_egui::egui;

use crate::CollisionLayers;

use super::layer_names::LayerNames;
use super::step_record::StepRecord;

const CELL: f32 = 20.0;
const GAP: f32 = 4.0;

const MEET_COLOR: egui::Color32 = egui::Color32::from_rgb(110, 200, 130);
/// The likely reason when two were meant to meet and do not.
const ONE_SIDED_COLOR: egui::Color32 = egui::Color32::from_rgb(225, 165, 75);

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
    for collider in record.colliders.iter() {
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
pub(super) fn show_layers(ui: &mut egui::Ui, record: &StepRecord, names: &LayerNames) {
    let groups = groups(record);
    let count = groups.len();
    if count == 0 {
        ui.weak("There are no colliders.");
        return;
    }
    ui.label("Colliders with the same layers, and whom they may meet. Both sides must want to.");
    ui.horizontal(|ui| {
        ui.colored_label(MEET_COLOR, "⏹ they meet");
        ui.colored_label(ONE_SIDED_COLOR, "⏹ only one of them wants to");
    });
    if groups.iter().all(|group| group.layers == CollisionLayers::ALL) {
        ui.weak("All are members of all layers and meet all: give them CollisionLayers.");
    }
    if names.named() == 0 {
        ui.weak("Layers have numbers here. Insert LayerNames to call them by name.");
    }
    let shown = &groups[..count.min(MOST_GROUPS)];
    let titles: Vec<String> = shown.iter().map(|group| title(group, &groups, names)).collect();
    // What the cells leave, so that long names are cut off only where they must be.
    let cells = (CELL + GAP) * (shown.len() + 1) as f32;
    let name_width = (ui.available_width() - cells - 2.0 * GAP).clamp(150.0, 320.0);
    egui::ScrollArea::both().id_salt("layers").auto_shrink(false).show(ui, |ui| {
        egui::Grid::new("layer matrix").spacing([GAP, GAP]).min_col_width(CELL).show(ui, |ui| {
            ui.weak("");
            ui.weak("member of");
            for column in 1..=shown.len() {
                ui.weak(column.to_string());
            }
            ui.end_row();
            for (row, (group, title)) in shown.iter().zip(&titles).enumerate() {
                ui.weak((row + 1).to_string());
                let layout = egui::Layout::left_to_right(egui::Align::Center);
                let size = egui::vec2(name_width, CELL);
                let name = ui.allocate_ui_with_layout(size, layout, |ui| {
                    ui.set_min_width(name_width);
                    ui.add(egui::Label::new(title).truncate())
                });
                name.inner.on_hover_text(format!(
                    "{} colliders, members of {}, that want to meet {}",
                    group.count,
                    names.describe(group.layers.memberships),
                    names.describe(group.layers.filters)
                ));
                for (other, other_title) in shown.iter().zip(&titles) {
                    show_cell(ui, [group, other], [title, other_title]);
                }
                ui.end_row();
            }
        });
        if count > shown.len() {
            ui.weak(format!("and {} more groups", count - shown.len()));
        }
    });
}

/// What a group is called: by what it is a member of, and where that is not enough, by what it wants to
/// meet too.
fn title(group: &Group, groups: &[Group], names: &LayerNames) -> String {
    let Group { layers, count } = group;
    let alike = groups.iter().filter(|other| other.layers.memberships == layers.memberships);
    let mut title = format!("{} ({count})", names.group(*layers));
    if alike.count() > 1 {
        title += &format!(", meets {}", names.describe(layers.filters));
    }
    title
}

fn show_cell(ui: &mut egui::Ui, [row, column]: [&Group; 2], [a, b]: [&str; 2]) {
    let meets = row.layers.interacts_with(column.layers);
    let row_wants = row.layers.filters & column.layers.memberships != 0;
    let column_wants = column.layers.filters & row.layers.memberships != 0;
    let (rect, response) = ui.allocate_exact_size(egui::Vec2::splat(CELL), egui::Sense::hover());
    let color = match (meets, row_wants || column_wants) {
        (true, _) => MEET_COLOR,
        (false, true) => ONE_SIDED_COLOR.gamma_multiply(0.7),
        (false, false) => ui.visuals().extreme_bg_color,
    };
    ui.painter().rect_filled(rect.shrink(2.0), 2.0, color);
    let wants = |holds: bool| if holds { "wants" } else { "does not want" };
    let answer = if meets { "meet" } else { "do not meet" };
    let text = format!(
        "{a} and {b} {answer}: {a} {} {b}, {b} {} {a}",
        wants(row_wants),
        wants(column_wants),
    );
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, &text));
    response.on_hover_text(text);
}

#[cfg(test)]
mod tests {
    use bevy::prelude::Entity;

    use super::super::recorded_colliders::{ColliderTraits, RecordedColliders};
    use super::super::recorder::{Listed, Recorder, SeenTraits};
    use super::*;

    #[test]
    fn colliders_with_the_same_layers_are_one_group() {
        let none = ColliderTraits::default();
        let mut listed = Listed::default();
        for (memberships, filters) in [(2, 1), (1, 2), (2, 1), (2, 3)] {
            let layers = CollisionLayers::new(memberships, filters);
            listed.push(Entity::PLACEHOLDER, None, SeenTraits { layers, ..(&none).into() });
        }
        let mut recorder = Recorder::new(None, RecordedColliders::default());
        recorder.add(&listed);
        let record = StepRecord { colliders: recorder.finish(), ..Default::default() };
        let group = |memberships, filters, count| Group {
            layers: CollisionLayers::new(memberships, filters),
            count,
        };
        let groups = groups(&record);
        assert_eq!(groups, [group(1, 2, 1), group(2, 1, 2), group(2, 3, 1)]);
        let names = LayerNames::new(["player", "wall"]);
        let titles: Vec<_> = groups.iter().map(|group| title(group, &groups, &names)).collect();
        assert_eq!(
            titles,
            ["player (1)", "wall (2), meets player", "wall (1), meets player, wall"],
            "told apart by what they want to meet"
        );
    }
}
