//! A few hundred movers walk to the mouse and push each other apart among walls.
//!
//!     cargo run --release --features examples --example crowd
//!
//! Without a mouse they follow a point that circles slowly. The panel shows every contact live,
//! and what each stage of the step costs.
//!
//! - T: whether touching counts. P: push-out. D: the drawing. F1: the panel. Esc: quit.
//!
//! Change first: `MOVERS`, or `passes` of the push-out in the panel.

#[path = "shared/mod.rs"]
#[expect(dead_code, reason = "each example uses its part of what they share")]
mod shared;

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use bevy_nudge::CollisionStats;
use bevy_nudge::debug_draw::{CollisionDebugDrawPlugin, CollisionGizmos};
use bevy_nudge::inspector::{CollisionInspectorPlugin, pointer_is_free};
use bevy_nudge::prelude::*;

use shared::bar::{BarPlugin, BarSystems};
use shared::options::Options;
use shared::scenes::{BuiltInScene, spawn_chosen};
use shared::view::{View, ViewPlugin};

const SCENE: BuiltInScene = BuiltInScene {
    path: "assets/scenes/crowd.scn.ron",
    text: include_str!("../assets/scenes/crowd.scn.ron"),
};

const MOVERS: usize = 300;
const ROWS: usize = 30;
/// World units between movers at the start.
const SPACING: f32 = 25.0;
/// World units per second.
const SPEED: f32 = 150.0;
/// World units from the target at which a mover is content.
const NEAR_ENOUGH: f32 = 10.0;

fn main() -> AppExit {
    let options = Options::parse_for("crowd", "Movers that walk to the mouse among walls.");
    shared::runner::run("bevy_nudge: crowd", options, crowd)
}

fn crowd(app: &mut App) {
    app.add_plugins((
        CollisionPlugin::default(),
        ResolutionPlugin,
        CollisionDebugDrawPlugin,
        CollisionInspectorPlugin,
        ViewPlugin,
        BarPlugin { help: "The crowd walks to the mouse.   Esc: quit." },
    ))
    .init_resource::<Target>()
    .add_systems(Startup, (spawn_walls, spawn_movers, draw_outlines_only))
    .add_systems(Update, (circle_target, follow_mouse.run_if(pointer_is_free)).chain())
    .add_systems(FixedUpdate, walk)
    .add_systems(EguiPrimaryContextPass, draw_readout.after(BarSystems));
}

#[derive(Component)]
struct Mover;

/// Where the crowd walks to.
#[derive(Resource, Default)]
struct Target(Vec2);

fn spawn_walls(world: &mut World) {
    spawn_chosen(world, SCENE);
}

fn spawn_movers(mut commands: Commands) {
    for index in 0..MOVERS {
        let (column, row) = (index / ROWS, index % ROWS);
        let place = Vec2::new(column as f32, row as f32 - ROWS as f32 * 0.5) * SPACING;
        // A few sizes, and weights to match.
        let radius = 8.0 + (index % 5) as f32;
        commands.spawn((
            Name::new(format!("Mover {}", index + 1)),
            Mover,
            Collider::circle(radius),
            Solid::new(radius * radius),
            Transform::from_xyz(place.x - 780.0, place.y, 0.0),
        ));
    }
}

/// Hundreds of arrows would hide the crowd.
fn draw_outlines_only(mut gizmos: ResMut<GizmoConfigStore>) {
    let (_, drawing) = gizmos.config_mut::<CollisionGizmos>();
    drawing.normals = false;
    drawing.mtvs = false;
    drawing.contact_points = false;
}

fn circle_target(time: Res<Time>, mut target: ResMut<Target>) {
    target.0 = Vec2::from_angle(time.elapsed_secs() * 0.2) * 450.0;
}

fn follow_mouse(
    window: Option<Single<&Window, With<PrimaryWindow>>>,
    view: Res<View>,
    mut target: ResMut<Target>,
) {
    if let Some(cursor) = window.and_then(|window| window.cursor_position()) {
        target.0 = view.to_world(cursor);
    }
}

fn walk(time: Res<Time>, target: Res<Target>, mut movers: Query<&mut Transform, With<Mover>>) {
    for mut transform in &mut movers {
        let way = target.0 - transform.translation.truncate();
        let stride = (SPEED * time.delta_secs()).min(way.length() - NEAR_ENOUGH);
        if stride > 0.0 {
            transform.translation += (way.normalize() * stride).extend(0.0);
        }
    }
}

fn draw_readout(
    mut contexts: EguiContexts,
    view: Res<View>,
    target: Res<Target>,
    stats: Res<CollisionStats>,
) -> Result {
    let painter = contexts.ctx_mut()?.layer_painter(egui::LayerId::background());
    let painter = painter.with_clip_rect(view.free.unwrap_or(egui::Rect::NOTHING));
    let text = format!("{} colliders, {} contacts", stats.colliders, stats.contacts);
    let color = egui::Color32::from_rgb(240, 242, 246);
    let corner = painter.clip_rect().min + egui::vec2(14.0, 12.0);
    painter.text(corner, egui::Align2::LEFT_TOP, text, egui::FontId::proportional(18.0), color);
    let stroke = egui::Stroke::new(2.0, color);
    painter.circle_stroke(view.to_screen(target.0), 6.0, stroke);
    Ok(())
}
