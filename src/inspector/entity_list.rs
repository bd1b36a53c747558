//! The list of all colliders, to select one or two of them.

use bevy::prelude::Entity;
use bevy_egui::egui;

use super::cell::paint_cell;
use super::columns::Names;
use super::list_keys::{list_head, list_keys};
use super::recorded_colliders::{ColliderTraits, RecordedCollider};
use super::scene::{COLOR_A, COLOR_B, to_egui};
use super::step_record::StepRecord;
use super::{CollisionInspector, Selection};

const ROW_HEIGHT: f32 = 19.0;

/// Which colliders are listed, kept while nothing changes that decides it.
#[derive(Debug, Default)]
pub(super) struct EntityList {
    pub(super) filter: String,
    /// Where the keys are.
    cursor: Option<Entity>,
    rows: Vec<Entity>,
    /// What the rows were made of: the step, how many colliders it had, and the filter.
    made_of: Option<(u64, usize, String)>,
    /// The step that was shown last.
    shown: Option<u64>,
}

/// In a list of more colliders than this, what is listed changes only every few steps.
const MANY: usize = 1_000;
const STEPS_OF_LIST: u64 = 16;

impl EntityList {
    fn update(&mut self, record: &StepRecord) {
        let count = record.colliders.len();
        // Where the game stands still there is time for the list of that very step.
        let stands_still = self.shown.replace(record.step) == Some(record.step);
        if let Some((step, former, filter)) = &self.made_of {
            let wait = if count > MANY && !stands_still { STEPS_OF_LIST } else { 1 };
            let is_old = record.step.abs_diff(*step) >= wait;
            if *filter == self.filter && *former == count && !is_old {
                return;
            }
        }
        let wanted = self.filter.trim().to_lowercase();
        let is_found = |collider: &RecordedCollider| {
            let ColliderTraits { name, kind, .. } = collider.traits;
            let holds = |text: &str| text.to_lowercase().contains(&wanted);
            wanted.is_empty()
                || holds(kind)
                || name.as_deref().map_or_else(|| holds(&collider.entity.to_string()), holds)
        };
        self.rows.clear();
        self.rows.extend(record.colliders.iter().filter(is_found).map(|c| c.entity));
        // By entity, so that none moves when its components change.
        self.rows.sort_unstable();
        self.made_of = Some((record.step, count, self.filter.clone()));
    }
}

/// Draws the list in `height` points.
pub(super) fn show_entity_list(
    ui: &mut egui::Ui,
    inspector: &mut CollisionInspector,
    record: &StepRecord,
    names: &Names,
    height: f32,
) {
    let top = ui.cursor().top();
    inspector.entities.update(record);
    ui.horizontal(|ui| {
        ui.label("Filter");
        let field = egui::TextEdit::singleline(&mut inspector.entities.filter);
        ui.add(field.hint_text("name or shape").desired_width(130.0).id_salt("entity filter"));
        let (shown, all) = (inspector.entities.rows.len(), record.colliders.len());
        ui.weak(if shown == all {
            format!("{all} colliders")
        } else {
            format!("{shown} of {all} colliders")
        });
    });
    let hint = "Click or Enter: select one. With Shift: a second.";
    let head = list_head(ui, hint, 18.0);
    let room = (height - (ui.cursor().top() - top)).max(3.0 * ROW_HEIGHT);
    let id = ui.id().with("entities");
    let list = &mut inspector.entities;
    let at = list.cursor.and_then(|cursor| list.rows.binary_search(&cursor).ok());
    let page = (room / ROW_HEIGHT) as usize;
    let keys = list_keys(ui, id, head, "Colliders", at, list.rows.len(), page);
    if let Some(place) = keys.moved_to {
        list.cursor = list.rows.get(place).copied();
    }
    let adds = ui.input(|input| input.modifiers.shift);
    let mut chosen = list.cursor.filter(|_| keys.is_entered);
    let (cursor, count) = (list.cursor, list.rows.len());
    let selection = inspector.selection;
    let rows = &inspector.entities.rows;
    let area = egui::ScrollArea::vertical().id_salt("entity rows").auto_shrink(false);
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.spacing_mut().scroll = egui::style::ScrollStyle::solid();
        keys.scrolled(area.max_height(room), ROW_HEIGHT).show_rows(
            ui,
            ROW_HEIGHT,
            count,
            |ui, range| {
                for entity in &rows[range] {
                    let Some(collider) = record.collider(*entity) else { continue };
                    let row = Row { collider, selection, is_cursor: cursor == Some(*entity) };
                    if row.show(ui, id, names) {
                        chosen = Some(*entity);
                    }
                }
            },
        );
    });
    if let Some(entity) = chosen {
        inspector.entities.cursor = Some(entity);
        if adds {
            inspector.select_second(entity);
        } else {
            inspector.selection = Selection::Collider(entity);
        }
    }
}

struct Row<'a> {
    collider: RecordedCollider<'a>,
    selection: Selection,
    is_cursor: bool,
}

impl Row<'_> {
    /// Draws the row. Whether it was clicked.
    fn show(&self, ui: &mut egui::Ui, id: egui::Id, names: &Names) -> bool {
        let entity = self.collider.entity;
        let size = egui::vec2(ui.available_width(), ROW_HEIGHT);
        let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
        let response = ui.interact(rect, id.with(entity), egui::Sense::CLICK);
        let name = names.label_with_id(entity);
        let remarks = self.remarks();
        let side = self.selection.entities().position(|selected| selected == entity);
        response.widget_info(|| {
            let kind = egui::WidgetType::SelectableLabel;
            let mut info = egui::WidgetInfo::selected(kind, true, side.is_some(), &name);
            info.current_text_value = Some(remarks.clone());
            info
        });
        let visuals = ui.visuals();
        if side.is_some() {
            ui.painter().rect_filled(rect, 0.0, visuals.selection.bg_fill);
        } else if response.hovered() {
            ui.painter().rect_filled(rect, 0.0, visuals.widgets.hovered.weak_bg_fill);
        }
        if self.is_cursor {
            let stroke = visuals.widgets.hovered.bg_stroke;
            ui.painter().rect_stroke(rect, 0.0, stroke, egui::StrokeKind::Inside);
        }
        let color = match side {
            Some(0) => to_egui(COLOR_A),
            Some(_) => to_egui(COLOR_B),
            None if self.collider.shape.is_none() => visuals.weak_text_color(),
            None => visuals.text_color(),
        };
        let weak = if side.is_some() { visuals.text_color() } else { visuals.weak_text_color() };
        let inside = rect.shrink2(egui::vec2(4.0, 0.0));
        let (left, right) = inside.split_left_right_at_x(inside.left() + 0.45 * inside.width());
        let pointer = response.hover_pos();
        let is_clicked = response.clicked();
        let mut cut_off = None;
        for (place, text, color) in [(left, name, color), (right, remarks, weak)] {
            let is_cut_off =
                paint_cell(ui, place, egui::RichText::new(&text).color(color), egui::Align::LEFT);
            if is_cut_off && pointer.is_some_and(|pointer| place.contains(pointer)) {
                cut_off = Some(text);
            }
        }
        if let Some(text) = cut_off {
            response.on_hover_text(text);
        }
        is_clicked
    }

    /// Shape and marks.
    fn remarks(&self) -> String {
        let ColliderTraits { kind, flags, .. } = self.collider.traits;
        let is_left_out = self.collider.shape.is_none() && !flags.is_disabled;
        let marks = [
            (flags.is_static, ", static"),
            (flags.is_solid, ", solid"),
            (flags.is_swept, ", swept"),
            (flags.is_disabled, ", disabled"),
            (is_left_out, ", left out"),
        ];
        let marks = marks.into_iter().filter_map(|(is_so, mark)| is_so.then_some(mark));
        core::iter::once(*kind).chain(marks).collect()
    }
}

#[cfg(test)]
mod tests {
    use bevy::prelude::World;

    use super::super::recorded_colliders::RecordedColliders;
    use super::super::recorder::{Listed, Recorder};
    use super::*;

    fn step(number: u64, entities: &[Entity]) -> StepRecord {
        let traits = ColliderTraits::default();
        let mut listed = Listed::default();
        entities.iter().for_each(|&entity| listed.push(entity, None, (&traits).into()));
        let mut recorder = Recorder::new(None, RecordedColliders::default());
        recorder.add(&listed);
        StepRecord { step: number, colliders: recorder.finish(), ..Default::default() }
    }

    #[test]
    fn a_long_list_is_made_anew_at_times_and_where_the_game_stands_still() {
        let mut world = World::new();
        let mut entities: Vec<Entity> =
            core::iter::repeat_with(|| world.spawn_empty().id()).take(MANY + 1).collect();
        let mut list = EntityList::default();
        list.update(&step(1, &entities));
        let lost = entities[7];
        entities[7] = world.spawn_empty().id();
        let next = step(2, &entities);
        list.update(&next);
        assert!(list.rows.contains(&lost), "as many as before: kept for a while");
        list.update(&next);
        assert!(!list.rows.contains(&lost), "the same step again");
        entities[9] = world.spawn_empty().id();
        list.update(&step(2 + STEPS_OF_LIST, &entities));
        assert!(list.rows.contains(&entities[9]), "old");
    }
}
