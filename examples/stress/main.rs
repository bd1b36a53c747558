//! How much is too much: up to 100,000 moving colliders, and what each stage of a step costs.
//!
//!     cargo run --release --features examples --example stress
//!
//! One frame is one step. The panel shows the time of the frame, of the step by stage, and of what
//! the example itself does: moving the colliders and making the picture.
//!
//! - Up and Down: more and fewer colliders. M: circles only, or boxes and polygons too.
//! - P: push-out. D: the picture, to see the step without it. Space: stand still. Esc: quit.
//!
//! Change first: `AREA` in `crowd.rs`, the room of each collider.

#[path = "../shared/mod.rs"]
#[expect(dead_code, reason = "each example uses its part of what they share")]
mod shared;

mod clocks;
mod crowd;
mod drawing;
mod load;
mod panel;

use bevy::prelude::*;
use bevy::window::PresentMode;
use bevy_nudge::inspector::{CollisionInspector, CollisionInspectorPlugin};
use bevy_nudge::prelude::*;

use shared::options::Options;
use shared::view::ViewPlugin;

fn main() -> AppExit {
    let options = Options::parse_without_scene("stress", "Up to 100,000 moving colliders.");
    shared::runner::run("bevy_nudge: stress", options, stress)
}

fn stress(app: &mut App) {
    let mut contact_panel = CollisionInspector::closed();
    (contact_panel.toggle_key, contact_panel.focus_key) = (None, None);
    app.add_plugins((
        // In a fixed schedule a slow step would be followed by several more in the same frame, to
        // catch up.
        CollisionPlugin::in_schedule(PostUpdate),
        ResolutionPlugin,
        // It tells whether a key is meant for the panel of this example.
        CollisionInspectorPlugin,
        ViewPlugin,
    ))
    .insert_resource(contact_panel)
    .add_plugins((
        load::LoadPlugin,
        crowd::CrowdPlugin,
        drawing::DrawingPlugin,
        clocks::ClocksPlugin,
        panel::PanelPlugin,
    ))
    .add_systems(Startup, free_frame_rate);
}

/// The time of a frame is to be that of its work, not that of the screen.
fn free_frame_rate(window: Option<Single<&mut Window>>) {
    if let Some(mut window) = window {
        window.present_mode = PresentMode::AutoNoVsync;
    }
}
