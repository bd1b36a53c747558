//! Fills the shapes by their state, outlines the one under the mouse, and shows the MTV of each
//! pair: an arrow, and a dashed outline where the second shape would rest after it.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use bevy_nudge::debug_draw::CollisionGizmos;
use bevy_nudge::geometry::{ContactStatus, PlacedShape};
use bevy_nudge::prelude::*;

use crate::shared::bar::{BarSystems, to_egui};
use crate::shared::dragging::Pointer;
use crate::shared::view::View;

pub(crate) struct OverlayPlugin;

impl Plugin for OverlayPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            EguiPrimaryContextPass,
            (fill_shapes, draw_pushes.run_if(shows_pushes), outline_hovered)
                .chain()
                .after(BarSystems)
                .in_set(OverlaySystems),
        );
    }
}

/// The systems that draw over the scene.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct OverlaySystems;

/// A painter behind the bar and the panel, for the part of the screen that they leave free.
pub(crate) fn scene_painter(context: &egui::Context, view: &View) -> egui::Painter {
    let painter = context.layer_painter(egui::LayerId::background());
    painter.with_clip_rect(view.free.unwrap_or(egui::Rect::NOTHING))
}

const SIDES_OF_A_CIRCLE: usize = 64;

/// The outline of a shape on the screen, moved in the world by `shift`.
fn outline(view: &View, shape: &PlacedShape, shift: Vec2) -> Vec<egui::Pos2> {
    let points: Vec<Vec2> = match shape.radius() {
        None => shape.edges().map(|edge| edge.start).collect(),
        Some(radius) => (0..SIDES_OF_A_CIRCLE)
            .map(|side| side as f32 / SIDES_OF_A_CIRCLE as f32 * std::f32::consts::TAU)
            .map(|angle| shape.origin() + Vec2::from_angle(angle) * radius)
            .collect(),
    };
    points.into_iter().map(|point| view.to_screen(point + shift)).collect()
}

fn fill_shapes(
    mut contexts: EguiContexts,
    view: Res<View>,
    colliders: CollisionQuery,
    contacts: Res<Contacts>,
    gizmos: Res<GizmoConfigStore>,
) -> Result {
    let painter = scene_painter(contexts.ctx_mut()?, &view);
    let (_, colors) = gizmos.config::<CollisionGizmos>();
    let mut states: HashMap<Entity, ContactStatus> = HashMap::new();
    for pair in contacts.iter() {
        for entity in [pair.a, pair.b] {
            let state = states.entry(entity).or_insert(pair.contact.status);
            if pair.contact.status == ContactStatus::Overlapping {
                *state = ContactStatus::Overlapping;
            }
        }
    }
    for (entity, shape) in colliders.iter() {
        let (color, opacity) = match states.get(&entity) {
            None => (colors.apart_color, 0.12),
            Some(ContactStatus::Touching) => (colors.touching_color, 0.3),
            Some(ContactStatus::Overlapping) => (colors.overlapping_color, 0.3),
        };
        let points = outline(&view, shape, Vec2::ZERO);
        let fill = to_egui(color).gamma_multiply(opacity);
        painter.add(egui::Shape::convex_polygon(points, fill, egui::Stroke::NONE));
    }
    Ok(())
}

/// With push-out on, the shapes have moved since the contact was found.
fn shows_pushes(settings: Res<CollisionSettings>, gizmos: Res<GizmoConfigStore>) -> bool {
    !settings.resolution.enabled && gizmos.config::<CollisionGizmos>().0.enabled
}

fn draw_pushes(
    mut contexts: EguiContexts,
    view: Res<View>,
    colliders: CollisionQuery,
    contacts: Res<Contacts>,
    gizmos: Res<GizmoConfigStore>,
) -> Result {
    let painter = scene_painter(contexts.ctx_mut()?, &view);
    let color = to_egui(gizmos.config::<CollisionGizmos>().1.mtv_color);
    let ghost = egui::Stroke::new(1.5, color.gamma_multiply(0.8));
    let arrow = egui::Stroke::new(3.0, color);
    for pair in contacts.iter().filter(|pair| pair.contact.depth > 0.0) {
        let Some(shape) = colliders.get(pair.b) else { continue };
        let mut points = outline(&view, shape, pair.contact.mtv());
        points.extend(points.first().copied());
        painter.extend(egui::Shape::dashed_line(&points, ghost, 7.0, 5.0));
        // From the deepest point of the second shape to the surface of the first.
        let (point, half) = (pair.contact.point, pair.contact.mtv() * 0.5);
        let (start, end) = (view.to_screen(point - half), view.to_screen(point + half));
        painter.arrow(start, end - start, arrow);
    }
    Ok(())
}

fn outline_hovered(
    mut contexts: EguiContexts,
    view: Res<View>,
    colliders: CollisionQuery,
    pointer: Res<Pointer>,
) -> Result {
    let painter = scene_painter(contexts.ctx_mut()?, &view);
    if let Some(shape) = pointer.target().and_then(|entity| colliders.get(entity)) {
        let stroke = egui::Stroke::new(3.0, egui::Color32::WHITE);
        painter.add(egui::Shape::closed_line(outline(&view, shape, Vec2::ZERO), stroke));
    }
    Ok(())
}
