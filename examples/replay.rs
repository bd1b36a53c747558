//! Plays a recording of collision steps that the contact panel has saved.
//!
//!     cargo run --release --features examples --example replay -- recording.jsonl
//!
//! In any game with the panel: page History, Save. Here the steps of the file play and can be walked
//! through, with every outline and contact drawn, and why each pair was in contact or not.
//!
//! - Space: play and stop. Left and right: a step back and forward; with Shift ten. Home and End.
//! - Click one shape, Shift+click another: select the pair. The page Why explains it.
//! - F1: the panel. Esc: quit.
//!
//! A file that is no recording, or is cut off, ends the program with exit code 2 and says why.

#[path = "shared/mod.rs"]
#[expect(dead_code, reason = "each example uses its part of what they share")]
mod shared;

use bevy::prelude::*;
use bevy_nudge::inspector::{
    CollisionInspector, CollisionInspectorPlugin, Recording, egui, keyboard_is_free,
};
use bevy_nudge::prelude::*;

use shared::options::Options;
use shared::view::{View, ViewPlugin};

fn main() -> AppExit {
    let options = Options::parse_for_recording("replay", "Plays a recording of collision steps.");
    let Some(path) = options.scene.clone() else {
        eprintln!("which recording? Give its path: replay FILE");
        return AppExit::from_code(2);
    };
    let recording = match Recording::load(&path) {
        Ok(recording) => recording,
        Err(error) => {
            eprintln!("{}: {error}", path.display());
            return AppExit::from_code(2);
        }
    };
    let title = format!("bevy_nudge: replay of {}", path.display());
    shared::runner::run(&title, options, move |app| replay(app, recording))
}

fn replay(app: &mut App, recording: Recording) {
    // Without colliders of its own: all that is shown comes from the file.
    app.add_plugins((CollisionPlugin::default(), CollisionInspectorPlugin, ViewPlugin))
        .add_systems(Update, fit_view)
        .add_systems(Update, walk.run_if(keyboard_is_free));
    let bounds = bounds_of(&recording);
    app.world_mut().resource_mut::<CollisionInspector>().replay(recording);
    if let Some(bounds) = bounds {
        app.world_mut().resource_mut::<View>().show(bounds);
    }
}

/// All that the shapes of the recording ever cover, with a margin for the bars of an axis.
fn bounds_of(recording: &Recording) -> Option<Rect> {
    let shapes = recording.steps().iter().flat_map(|record| record.colliders.iter());
    let bounds = shapes
        .filter_map(|collider| collider.shape)
        .map(|shape| shape.bounds())
        .map(|bounds| Rect::from_corners(bounds.min, bounds.max))
        .reduce(|all, bounds| all.union(bounds))?;
    Some(bounds.inflate(0.08 * bounds.size().max_element().max(1.0)))
}

/// The panel covers the right part of the screen.
fn fit_view(
    mut view: ResMut<View>,
    inspector: Res<CollisionInspector>,
    camera: Single<&Camera, With<Camera2d>>,
) {
    let Some(size) = camera.logical_target_size() else { return };
    let size = egui::vec2(size.x, size.y);
    let mut free = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
    if let Some(panel) = inspector.side_panel_rect(free) {
        free.max.x = panel.min.x;
    }
    view.free = Some(free);
}

fn walk(keys: Res<ButtonInput<KeyCode>>, mut inspector: ResMut<CollisionInspector>) {
    let count = if keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]) { 10 } else { 1 };
    if keys.just_pressed(KeyCode::Space) {
        if inspector.is_playing() {
            inspector.stop();
        } else {
            inspector.play();
        }
    }
    for (key, by) in [
        (KeyCode::ArrowLeft, -count),
        (KeyCode::ArrowRight, count),
        (KeyCode::Home, isize::MIN),
        (KeyCode::End, isize::MAX),
    ] {
        if keys.just_pressed(key) {
            inspector.stop();
            inspector.history.move_by(by);
        }
    }
}
