//! Fills the shapes by their state, outlines the one under the mouse, and shows the MTV of each
//! pair: an arrow, and a dashed outline where the second shape would rest after it.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use bevy_nudge::debug_draw::CollisionGizmos;
use bevy_nudge::geometry::ContactStatus;
use bevy_nudge::inspector::CollisionInspector;
use bevy_nudge::prelude::*;

use crate::shared::bar::{BarSystems, to_egui};
use crate::shared::dragging::Pointer;
use crate::shared::paint::{dashed, fill, outlines, scene_painter};
use crate::shared::view::View;

pub(crate) struct OverlayPlugin;

impl Plugin for OverlayPlugin {
    fn build(&self, app: &mut App) {
        app.configure_sets(EguiPrimaryContextPass, OverlaySystems.after(BarSystems)).add_systems(
            EguiPrimaryContextPass,
            (
                (fill_shapes, draw_pushes.run_if(shows_pushes)).chain().run_if(looks_at_now),
                outline_hovered,
            )
                .chain()
                .in_set(OverlaySystems),
        );
    }
}

/// Looking back, the panel draws the step of the past, and what is now would lie over it.
pub(crate) fn looks_at_now(inspector: Res<CollisionInspector>) -> bool {
    !inspector.history.is_past()
}

/// The systems that draw over the scene.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct OverlaySystems;

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
        fill(&painter, shape, to_egui(color).gamma_multiply(opacity), |at| view.to_screen(at));
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
        dashed(&painter, shape, ghost, |at| view.to_screen(at + pair.contact.mtv()));
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
        for outline in outlines(shape, |at| view.to_screen(at)) {
            painter.add(egui::Shape::closed_line(outline, stroke));
        }
    }
    Ok(())
}
