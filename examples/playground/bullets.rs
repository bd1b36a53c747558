//! Bullets that are too fast for their steps, and marks where they hit.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use bevy_nudge::inspector::keyboard_is_free;
use bevy_nudge::prelude::*;

use crate::overlay::{OverlaySystems, looks_at_now};
use crate::questions::{AnswerGizmos, Muzzle};
use crate::shared::bar::to_egui;
use crate::shared::dragging::{DraggingSystems, OutOfReach, Pointer};
use crate::shared::paint::{scene_painter, text_box};
use crate::shared::view::View;

pub(crate) struct BulletsPlugin;

impl Plugin for BulletsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Marks>()
            .add_systems(
                Update,
                (fly, fire.run_if(keyboard_is_free)).chain().after(DraggingSystems),
            )
            .add_systems(
                PostUpdate,
                (keep_marks, draw_marks.run_if(looks_at_now))
                    .chain()
                    .after(CollisionSystems::Publish)
                    .before(bevy_egui::EguiPostUpdateSet::EndPass),
            )
            .add_systems(
                EguiPrimaryContextPass,
                label_marks.run_if(looks_at_now).after(OverlaySystems),
            );
    }
}

/// A bullet and how fast it flies.
#[derive(Component)]
pub(crate) struct Bullet {
    /// World units per second.
    velocity: Vec2,
}

/// World units per second: at 60 steps a second, many times the thickness of the thin wall in each.
const SPEED: f32 = 4000.0;
const RADIUS: f32 = 5.0;

fn fire(
    keys: Res<ButtonInput<KeyCode>>,
    view: Res<View>,
    pointer: Res<Pointer>,
    muzzle: Res<Muzzle>,
    mut commands: Commands,
) {
    let Some(place) = muzzle.place(&view).filter(|_| keys.just_pressed(KeyCode::Space)) else {
        return;
    };
    let way = pointer.position.map(|mouse| mouse - place);
    let direction = way.and_then(Vec2::try_normalize).unwrap_or(Vec2::X);
    commands.spawn((
        Name::new("Bullet"),
        Bullet { velocity: direction * SPEED },
        // Without `Solid` it is a sensor: it goes through everything and reports all it meets.
        Collider::circle(RADIUS),
        Swept,
        OutOfReach,
        Transform::from_translation(place.extend(0.0)),
    ));
}

fn fly(
    time: Res<Time>,
    view: Res<View>,
    mut bullets: Query<(Entity, &Bullet, &mut Transform)>,
    mut commands: Commands,
) {
    for (entity, bullet, mut transform) in &mut bullets {
        if view.scene().is_some_and(|scene| scene.contains(transform.translation.truncate())) {
            transform.translation += (bullet.velocity * time.delta_secs()).extend(0.0);
        } else {
            commands.entity(entity).despawn();
        }
    }
}

/// Where bullets have hit, the last one last.
#[derive(Resource, Default)]
struct Marks(Vec<Mark>);

struct Mark {
    place: Vec2,
    /// Against the flight of the bullet.
    normal: Vec2,
    time_of_impact: f32,
    /// Seconds of the app's time at which it fades.
    until: f32,
}

/// Seconds for which a mark stays.
const STAY: f32 = 3.0;
const MOST_MARKS: usize = 12;
const MARK_COLOR: Color = Color::srgb(0.45, 0.95, 0.5);

/// A contact lasts no longer than a bullet is in the shape, too short to see: its mark stays.
fn keep_marks(
    time: Res<Time>,
    mut marks: ResMut<Marks>,
    mut events: MessageReader<CollisionEvent>,
    bullets: Query<&Bullet>,
) {
    let now = time.elapsed_secs();
    marks.0.retain(|mark| mark.until > now);
    for event in events.read().filter(|event| event.is_started()) {
        let bullet = event.entities().into_iter().find(|entity| bullets.contains(*entity));
        if let (Some(bullet), Some(time_of_impact)) = (bullet, event.time_of_impact) {
            let normal = event.normal_for(bullet).unwrap_or_default();
            let until = now + STAY;
            marks.0.push(Mark { place: event.contact.point, normal, time_of_impact, until });
        }
    }
    let surplus = marks.0.len().saturating_sub(MOST_MARKS);
    marks.0.drain(..surplus);
}

fn draw_marks(mut gizmos: Gizmos<AnswerGizmos>, view: Res<View>, marks: Res<Marks>) {
    for mark in &marks.0 {
        gizmos.circle_2d(mark.place, view.length(7.0), MARK_COLOR).resolution(24);
        let tip = mark.place + mark.normal * view.length(26.0);
        gizmos.arrow_2d(mark.place, tip, MARK_COLOR).with_tip_length(view.length(8.0));
    }
}

/// About the room that a label takes, in points.
const LABEL_SIZE: egui::Vec2 = egui::vec2(150.0, 20.0);

fn label_marks(mut contexts: EguiContexts, view: Res<View>, marks: Res<Marks>) -> Result {
    let painter = scene_painter(contexts.ctx_mut()?, &view);
    let mut taken: Vec<egui::Pos2> = Vec::new();
    for mark in &marks.0 {
        let mut place = view.to_screen(mark.place) + egui::vec2(6.0, -8.0);
        // A label over another one goes on top of it.
        let overlaps = |other: &egui::Pos2, place: egui::Pos2| {
            let apart = (*other - place).abs();
            apart.x < LABEL_SIZE.x && apart.y < LABEL_SIZE.y
        };
        while let Some(other) = taken.iter().find(|other| overlaps(other, place)) {
            place.y = other.y - LABEL_SIZE.y;
        }
        taken.push(place);
        let line = format!("hit at {:.2} of the step", mark.time_of_impact);
        let line = (line, to_egui(MARK_COLOR));
        text_box(&painter, egui::Align2::LEFT_BOTTOM, place, 14.0, [line]);
    }
    Ok(())
}
