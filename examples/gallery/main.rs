//! Figures to drag that show why two shapes collide.
//!
//!     cargo run --release --features examples --example gallery
//!
//! Each figure is a few shapes, one idea, and the numbers that the crate's own functions give for
//! them. The menu on the left opens another one.
//!
//! - Mouse: drag a shape; the wheel turns it. Tab and Shift+Tab: select one. Arrow keys: move it by 5
//!   units, with Shift by 25. Q and E: turn it by 15 degrees.
//! - 1 to 9: the switches of the figure. R: start over. Page up and page down: another figure.
//! - M: the menu, where a narrow window has folded it. F1: the contact panel. Esc: quit.
//!
//! `--list-scenes` prints the names of the figures; `gallery two_boxes` opens one, and `--switch 1`
//! flips its first switch.
//!
//! Change first: a shape in a file of `figures/`. A new figure is a file there that implements
//! `Figure`, and a line in the list of `figures/mod.rs`.

#[path = "../shared/mod.rs"]
#[expect(dead_code, reason = "each example uses its part of what they share")]
mod shared;

mod command_line;
mod figure;
mod figures;
mod keys;
mod layout;
mod marks;
mod menu;
mod open_figure;
mod palette;
mod wording;

use bevy::prelude::*;
use bevy_nudge::inspector::{CollisionInspector, CollisionInspectorPlugin};
use bevy_nudge::prelude::*;

use command_line::Start;
use open_figure::OpenFigure;
use shared::dragging::DraggingPlugin;
use shared::selecting::SelectingPlugin;
use shared::view::ViewPlugin;

fn main() -> AppExit {
    let Some((options, start)) = command_line::parse() else { return AppExit::Success };
    shared::runner::run("bevy_nudge: gallery", options, |app| gallery(app, start))
}

fn gallery(app: &mut App, start: Start) {
    app.add_plugins((
        // In `PostUpdate` a step sees what the mouse did in the same frame.
        CollisionPlugin::in_schedule(PostUpdate),
        ResolutionPlugin,
        CollisionInspectorPlugin,
        ViewPlugin,
        DraggingPlugin,
        SelectingPlugin,
    ))
    .add_systems(Startup, close_panel)
    .insert_resource(OpenFigure::new(start))
    .add_plugins((open_figure::OpenFigurePlugin, keys::KeysPlugin, layout::LayoutPlugin));
}

/// The figures explain themselves. F1 opens the panel.
fn close_panel(mut inspector: ResMut<CollisionInspector>) {
    inspector.open = false;
}
