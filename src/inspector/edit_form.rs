//! The form that edits a collider.

use bevy::math::Vec2;
use bevy::prelude::Entity;
use bevy_egui::egui;

use crate::geometry::Shape;
use crate::{Collider, CollisionLayers, Solid};

use super::columns::Names;
use super::detail::show_entity;
use super::edits::Edit;
use super::layer_names::LayerNames;
use super::number_field::typed;
use super::scene::{COLOR_A, COLOR_B};
use super::shape_draft::{PartDraft, ShapeDraft};
use super::{CollisionInspector, Selection};

/// Lighter than egui's, which is hard to read on a dark panel.
pub(super) const ERROR_COLOR: egui::Color32 = egui::Color32::from_rgb(255, 130, 115);

/// The collider that is edited, and what was typed that is not yet sound.
#[derive(Debug, Default)]
pub(super) struct EditForm {
    /// Of a pair, whether B is edited.
    edits_b: bool,
    entity: Option<Entity>,
    /// The shape that the draft was made of.
    known: Option<Shape>,
    draft: Option<ShapeDraft>,
    /// The shape that the draft makes, once it is asked for.
    wanted: Option<Shape>,
    /// A mass that is not sound.
    mass: Option<f32>,
    error: Option<String>,
}

impl EditForm {
    /// Begins anew, if the entity is another one or the game has changed its shape.
    fn update(&mut self, entity: Entity, collider: &Collider) {
        if self.entity != Some(entity) {
            *self = Self { edits_b: self.edits_b, entity: Some(entity), ..Self::default() };
        }
        if self.known.as_ref() != Some(&collider.shape) {
            self.known = Some(collider.shape.clone());
            self.error = None;
            // Of a draft of one's own each number keeps its place. Made anew, it would lack a vertex
            // that lies on the line between its neighbours at the moment.
            if self.wanted.as_ref() != Some(&collider.shape) {
                self.draft = Some(ShapeDraft::of(&collider.shape));
                self.wanted = None;
            }
        }
    }

    /// The shape of the draft, if it is sound.
    fn build(&mut self) -> Option<Shape> {
        let draft = self.draft.as_mut()?;
        match draft.build() {
            Ok(shape) => {
                draft.settle();
                self.error = None;
                self.wanted = Some(shape.clone());
                Some(shape)
            }
            Err(error) => {
                self.error = Some(error.to_string());
                None
            }
        }
    }
}

/// Draws the form of the selected collider.
pub(super) fn show_edit_form(ui: &mut egui::Ui, inspector: &mut CollisionInspector, names: &Names) {
    let Some((entity, color)) = which(ui, inspector, names) else {
        let can = if inspector.is_replay { "see its layers" } else { "edit it" };
        ui.weak(format!("Select a collider to {can}."));
        return;
    };
    show_entity(ui, "", color, entity, None, names);
    if let Some(collider) = names.past.and_then(|past| past.collider(entity))
        && inspector.is_replay
    {
        let layers = collider.traits.layers;
        let [member_of, meets] =
            [layers.memberships, layers.filters].map(|mask| names.layers.describe(mask));
        ui.label(format!("Member of: {member_of}"));
        ui.label(format!("Meets: {meets}"));
        ui.weak("What comes from a file cannot be edited.");
        return;
    }
    if inspector.history.is_past() {
        ui.weak("What is edited is as it is now, not as it was in the step that is looked at.");
    }
    let Ok((_, Some(collider), layers, (is_static, solid, _))) = names.query.get(entity) else {
        ui.weak("It has no collider any more.");
        return;
    };
    let form = &mut inspector.edit_form;
    form.update(entity, collider);
    let mut edits = Vec::new();
    show_flags(ui, form, entity, (is_static, solid), &mut edits);
    show_shape(ui, form, entity, &mut edits);
    show_layers(ui, entity, layers.copied().unwrap_or_default(), names.layers, &mut edits);
    inspector.edits.append(&mut edits);
}

/// Which of the selected is edited.
fn which(
    ui: &mut egui::Ui,
    inspector: &mut CollisionInspector,
    names: &Names,
) -> Option<(Entity, bevy::color::Color)> {
    match inspector.selection {
        Selection::None => None,
        Selection::Collider(entity) => Some((entity, COLOR_A)),
        Selection::Pair(a, b) => {
            ui.horizontal(|ui| {
                ui.label("Edit");
                let form = &mut inspector.edit_form;
                ui.radio_value(&mut form.edits_b, false, format!("A, {}", names.label(a)));
                ui.radio_value(&mut form.edits_b, true, format!("B, {}", names.label(b)));
            });
            Some(if inspector.edit_form.edits_b { (b, COLOR_B) } else { (a, COLOR_A) })
        }
    }
}

fn show_flags(
    ui: &mut egui::Ui,
    form: &mut EditForm,
    entity: Entity,
    (is_static, solid): (bool, Option<&Solid>),
    edits: &mut Vec<Edit>,
) {
    ui.horizontal(|ui| {
        let mut wants_static = is_static;
        if ui.checkbox(&mut wants_static, "static").changed() {
            edits.push(Edit::Static(entity, wants_static));
        }
        let mut wants_solid = solid.is_some();
        if ui.checkbox(&mut wants_solid, "solid").changed() {
            form.mass = None;
            edits.push(Edit::Solid(entity, wants_solid.then_some(1.0)));
        }
        if let Some(solid) = solid {
            let mut mass = form.mass.unwrap_or(solid.mass);
            let label = ui.label("mass").id;
            if number(ui, &mut mass, label) {
                let is_sound = mass > 0.0;
                form.mass = (!is_sound).then_some(mass);
                if is_sound {
                    edits.push(Edit::Solid(entity, Some(mass)));
                }
            }
        }
    });
    if let Some(mass) = form.mass {
        refusal(ui, &format!("the mass {mass} is not above 0"));
        if ui.button("Revert").on_hover_text("Back to the mass the collider has").clicked() {
            form.mass = None;
        }
    }
}

fn show_shape(ui: &mut egui::Ui, form: &mut EditForm, entity: Entity, edits: &mut Vec<Edit>) {
    let Some(draft) = &mut form.draft else { return };
    let before = draft.clone();
    draft_fields(ui, draft);
    if *draft != before {
        edits.extend(form.build().map(|shape| Edit::Shape(entity, shape)));
    }
    if let Some(error) = &form.error {
        refusal(ui, error);
        let revert = ui.button("Revert").on_hover_text("Back to the shape the collider has");
        if revert.clicked() {
            (form.known, form.wanted) = (None, None);
        }
    }
}

/// What is wrong, at the place where it was typed. The collider stays as it is.
fn refusal(ui: &mut egui::Ui, error: &str) {
    ui.colored_label(ERROR_COLOR, format!("Refused: {error}."));
}

fn draft_fields(ui: &mut egui::Ui, draft: &mut ShapeDraft) {
    match draft {
        ShapeDraft::Circle { center, radius } => {
            row(ui, "Radius", |ui, label| number(ui, radius, label));
            vector_row(ui, "Centre", center);
        }
        ShapeDraft::Box { center, size } => {
            vector_row(ui, "Size", size);
            vector_row(ui, "Centre", center);
        }
        ShapeDraft::Polygon { vertices, size, radius } => {
            vector_row(ui, "Size", size);
            row(ui, "Radius", |ui, label| number(ui, radius, label));
            vertex_fields(ui, "Vertices", vertices, size);
        }
        ShapeDraft::Concave { outline, holes, size } => {
            vector_row(ui, "Size", size);
            vertex_fields(ui, "Outline", outline, size);
            for (index, hole) in holes.iter_mut().enumerate() {
                points(ui, &format!("Hole {index}"), hole);
            }
        }
        ShapeDraft::Compound(parts) => {
            for (index, PartDraft { shape, offset, rotation }) in parts.iter_mut().enumerate() {
                ui.push_id(index, |ui| {
                    ui.label(format!("Part {index}"));
                    ui.indent("part", |ui| {
                        vector_row(ui, "Offset", offset);
                        row(ui, "Angle", |ui, label| {
                            let changed = number(ui, rotation, label);
                            ui.weak("radians");
                            changed
                        });
                        draft_fields(ui, shape);
                    });
                });
            }
        }
    }
}

/// The vertices of a ring whose size is a field too: moving one changes the size.
fn vertex_fields(ui: &mut egui::Ui, title: &str, ring: &mut [Vec2], size: &mut Vec2) {
    if points(ui, title, ring) {
        let min = ring.iter().copied().reduce(Vec2::min).unwrap_or_default();
        let max = ring.iter().copied().reduce(Vec2::max).unwrap_or_default();
        *size = max - min;
    }
}

fn points(ui: &mut egui::Ui, title: &str, ring: &mut [Vec2]) -> bool {
    let mut changed = false;
    egui::CollapsingHeader::new(format!("{title}, {}", ring.len())).id_salt(title).show(ui, |ui| {
        for (index, point) in ring.iter_mut().enumerate() {
            ui.push_id(index, |ui| changed |= vector_row(ui, &index.to_string(), point));
        }
    });
    changed
}

fn row(
    ui: &mut egui::Ui,
    title: &str,
    field: impl FnOnce(&mut egui::Ui, egui::Id) -> bool,
) -> bool {
    ui.horizontal(|ui| {
        let (place, _) = ui.allocate_exact_size(egui::vec2(52.0, 20.0), egui::Sense::hover());
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        let mut title_ui = ui.new_child(egui::UiBuilder::new().max_rect(place).layout(layout));
        let label = title_ui.add(egui::Label::new(title).truncate()).id;
        field(ui, label)
    })
    .inner
}

fn vector_row(ui: &mut egui::Ui, title: &str, vector: &mut Vec2) -> bool {
    row(ui, title, |ui, label| {
        let x = number(ui, &mut vector.x, label);
        let y = number(ui, &mut vector.y, label);
        x || y
    })
}

/// A field that takes any number, sound or not: what is wrong with it is said below.
fn number(ui: &mut egui::Ui, value: &mut f32, label: egui::Id) -> bool {
    let field = egui::DragValue::new(value).speed(0.2).max_decimals(4).min_decimals(1);
    // "nan" is a number to a parser; here it is a slip, and the field goes back to what it held.
    let field = typed(ui, field, |number| !number.is_nan());
    let size = [84.0, ui.spacing().interact_size.y];
    ui.add_sized(size, field).labelled_by(label).changed()
}

fn show_layers(
    ui: &mut egui::Ui,
    entity: Entity,
    layers: CollisionLayers,
    names: &LayerNames,
    edits: &mut Vec<Edit>,
) {
    let mut new = layers;
    let titles = [
        ("Member of", "The layers it is in", &mut new.memberships),
        ("Meets", "The layers it wants to meet; the other side must agree", &mut new.filters),
    ];
    for (title, hint, mask) in titles {
        let text = format!("{title}: {}", names.describe(*mask));
        let header = egui::CollapsingHeader::new(text).id_salt(title);
        let shown = header.show(ui, |ui| {
            ui.horizontal(|ui| {
                for (text, all) in [("all", u32::MAX), ("none", 0)] {
                    if ui.small_button(text).clicked() {
                        *mask = all;
                    }
                }
            });
            egui::Grid::new(title).num_columns(4).show(ui, |ui| {
                for layer in 0..32 {
                    let bit = 1 << layer;
                    let mut is_in = *mask & bit != 0;
                    if ui.checkbox(&mut is_in, names.name(layer)).changed() {
                        *mask ^= bit;
                    }
                    if layer % 4 == 3 {
                        ui.end_row();
                    }
                }
            });
        });
        shown.header_response.on_hover_text(hint);
    }
    if new != layers {
        edits.push(Edit::Layers(entity, new));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::ConvexPolygon;

    fn polygon(vertices: &[(f32, f32)]) -> Shape {
        let vertices = vertices.iter().map(|&vertex| Vec2::from(vertex));
        ConvexPolygon::new(vertices.collect::<Vec<_>>()).expect("convex").into()
    }

    fn vertices(form: &EditForm) -> Vec<Vec2> {
        match &form.draft {
            Some(ShapeDraft::Polygon { vertices, .. }) => vertices.clone(),
            other => panic!("{other:?} is no polygon"),
        }
    }

    #[test]
    fn a_vertex_on_the_line_between_its_neighbours_stays_until_the_game_changes_the_shape() {
        let mut form = EditForm::default();
        let house = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 6.0), (0.0, 4.0)];
        let mut collider = Collider::from(polygon(&house));
        form.update(Entity::PLACEHOLDER, &collider);
        let Some(ShapeDraft::Polygon { vertices: ring, size, .. }) = &mut form.draft else {
            panic!("a polygon")
        };
        ring[3].y = 4.0;
        size.y = 4.0;
        let edited = ring.clone();
        collider.shape = form.build().expect("sound");
        assert_eq!(collider.shape, polygon(&[house[0], house[1], house[2], house[4]]));
        form.update(Entity::PLACEHOLDER, &collider);
        assert_eq!(vertices(&form), edited, "all five, in their places");
        // Twice as wide: the vertex on the line goes with the others.
        if let Some(ShapeDraft::Polygon { size, .. }) = &mut form.draft {
            size.x = 8.0;
        }
        collider.shape = form.build().expect("sound");
        form.update(Entity::PLACEHOLDER, &collider);
        assert_eq!(
            (vertices(&form)[2], vertices(&form)[3]),
            ((6.0, 4.0).into(), (2.0, 4.0).into())
        );
        let wanted = collider.shape.clone();
        collider.shape = polygon(&house[..3]);
        form.update(Entity::PLACEHOLDER, &collider);
        assert_eq!(vertices(&form).len(), 3);
        collider.shape = wanted;
        form.update(Entity::PLACEHOLDER, &collider);
        assert_eq!(vertices(&form).len(), 4, "that of the game, which was asked for once");
    }
}
