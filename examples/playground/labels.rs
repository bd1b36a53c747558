//! Names each pair in contact, between its two shapes, counts the pairs, and writes down the answer
//! to the question that is asked.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use bevy_nudge::geometry::{Contact, ContactStatus, Shape};
use bevy_nudge::inspector::CollisionInspector;
use bevy_nudge::prelude::*;

use crate::bullets::Bullet;
use crate::overlay::{OverlaySystems, looks_at_now};
use crate::questions::Answer;
use crate::shared::bar::to_egui;
use crate::shared::dragging::Pointer;
use crate::shared::paint::{scene_painter, text_box};
use crate::shared::view::View;

pub(crate) struct LabelsPlugin;

impl Plugin for LabelsPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            EguiPrimaryContextPass,
            (draw_words, label_pairs.run_if(looks_at_now)).chain().after(OverlaySystems),
        );
        app.init_resource::<WordPlaces>();
    }
}

/// Where words stand in this frame, which no label is to hide.
#[derive(Resource, Default)]
struct WordPlaces(Vec<egui::Rect>);

const TEXT_COLOR: egui::Color32 = egui::Color32::from_rgb(240, 242, 246);
const LABEL_COLOR: egui::Color32 = egui::Color32::from_rgba_premultiplied(18, 20, 26, 225);
const LEADER_COLOR: egui::Color32 = egui::Color32::from_rgb(150, 156, 168);

fn label_pairs(
    mut contexts: EguiContexts,
    view: Res<View>,
    contacts: Res<Contacts>,
    words: Res<WordPlaces>,
    // What a bullet meets is told by its mark.
    colliders: Query<&Collider, Without<Bullet>>,
) -> Result {
    let painter = scene_painter(contexts.ctx_mut()?, &view);
    let font = egui::FontId::proportional(15.0 * word_scale(&painter));
    let mut taken = words.0.clone();
    for pair in contacts.iter() {
        let Ok([a, b]) = colliders.get_many([pair.a, pair.b]) else { continue };
        let text = format!("{}\n{}", test_name(&a.shape, &b.shape), depth_text(&pair.contact));
        let galley = painter.layout_no_wrap(text, font.clone(), TEXT_COLOR);
        let size = galley.size() + egui::vec2(14.0, 8.0);
        let anchor = view.to_screen(pair.contact.point);
        let place = free_place(anchor, pair.contact.normal, size, painter.clip_rect(), &taken);
        painter.line_segment([anchor, place.center()], egui::Stroke::new(1.0, LEADER_COLOR));
        painter.rect_filled(place, 5.0, LABEL_COLOR);
        painter.galley(place.min + egui::vec2(7.0, 4.0), galley, TEXT_COLOR);
        taken.push(place);
    }
    Ok(())
}

/// The name of the test for two shapes. There is one for each pairing, whichever of the two comes
/// first.
fn test_name(a: &Shape, b: &Shape) -> String {
    let rank = |shape: &Shape| match shape {
        Shape::Circle(_) => 0,
        Shape::Aabb(_) => 1,
        Shape::ConvexPolygon(_) => 2,
        Shape::Concave(_) => 3,
        Shape::Compound(_) => 4,
    };
    let (first, second) = if rank(a) <= rank(b) { (a, b) } else { (b, a) };
    format!("{} and {}", first.name(), second.name())
}

fn depth_text(contact: &Contact) -> String {
    match contact.status {
        ContactStatus::Touching => "touching".to_owned(),
        ContactStatus::Overlapping => format!("depth {:.2}", contact.depth),
    }
}

/// A place for a label beside its contact, across the normal so that it does not hide the arrows,
/// inside the scene, and clear of the labels that are there already.
fn free_place(
    anchor: egui::Pos2,
    normal: Vec2,
    size: egui::Vec2,
    scene: egui::Rect,
    taken: &[egui::Rect],
) -> egui::Rect {
    let across = if normal.x.abs() > normal.y.abs() {
        egui::vec2(0.0, -size.y * 0.5 - 16.0)
    } else {
        egui::vec2(size.x * 0.5 + 20.0, 0.0)
    };
    let inside = |rect: egui::Rect| {
        let low = (scene.min - rect.min).max(egui::Vec2::ZERO);
        let high = (scene.max - rect.max).min(egui::Vec2::ZERO);
        rect.translate(low + high)
    };
    // Beside the contact on either side, then further and further up and down.
    let step = egui::vec2(0.0, size.y + 4.0);
    let tries = (0..12).flat_map(|i| [across + step * i as f32, -across - step * i as f32]);
    tries
        .map(|offset| inside(egui::Rect::from_center_size(anchor + offset, size)))
        .find(|place| taken.iter().all(|other| !other.intersects(*place)))
        .unwrap_or_else(|| inside(egui::Rect::from_center_size(anchor + across, size)))
}

/// The counts in the corner, and the answer at the mouse.
fn draw_words(
    mut contexts: EguiContexts,
    mut words: ResMut<WordPlaces>,
    view: Res<View>,
    contacts: Res<Contacts>,
    pointer: Res<Pointer>,
    answer: Res<Answer>,
    colliders: Query<(NameOrEntity, &Collider)>,
    inspector: Res<CollisionInspector>,
) -> Result {
    let painter = scene_painter(contexts.ctx_mut()?, &view);
    // Of the step that is drawn.
    let past = inspector.history.shown().filter(|_| inspector.history.is_past());
    let (overlapping, all) = match past {
        Some(past) => (
            past.contacts.iter().filter(|pair| pair.contact.depth > 0.0).count(),
            past.contacts.len(),
        ),
        None => (contacts.iter().filter(|pair| pair.contact.depth > 0.0).count(), contacts.len()),
    };
    let touching = all - overlapping;
    let mut lines = vec![count(overlapping, "pair overlaps", "pairs overlap")];
    if touching > 0 {
        lines[0] += &format!(", {}", count(touching, "touches", "touch"));
    }
    if let Some(past) = past {
        lines.push(format!("looking back at step {}", past.step));
    } else if let Some((name, collider)) =
        pointer.target().and_then(|entity| colliders.get(entity).ok())
    {
        let verb = if pointer.grabbed.is_some() { "held" } else { "under the mouse" };
        lines.push(format!("{verb}: {name} ({})", collider.shape.name()));
    }
    let corner = painter.clip_rect().min + egui::vec2(8.0, 9.0);
    let lines = lines.into_iter().map(|line| (line, TEXT_COLOR));
    let size = 18.0 * word_scale(&painter);
    words.0.clear();
    words.0.push(text_box(&painter, egui::Align2::LEFT_TOP, corner, size, lines));
    if !answer.lines.is_empty() {
        // Beside the mouse, below what is drawn to its right.
        let mouse = pointer.position.map_or(corner, |position| view.to_screen(position));
        let lines = answer.lines.iter().map(|(line, color)| (line.clone(), to_egui(*color)));
        let place = mouse + egui::vec2(20.0, 24.0);
        words.0.push(text_box(&painter, egui::Align2::LEFT_TOP, place, 16.0, lines));
    }
    Ok(())
}

/// Words are smaller in a small scene, of which they would hide too much.
fn word_scale(painter: &egui::Painter) -> f32 {
    (painter.clip_rect().width() / 500.0).clamp(0.7, 1.0)
}

fn count(number: usize, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}
