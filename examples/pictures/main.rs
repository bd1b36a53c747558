//! Draws the figures of `docs/pictures.md` with the crate's own geometry and gizmos.
//!
//!     cargo run --features examples --example pictures
//!
//! Without a window: each figure is drawn into an image and saved as a PNG in `docs/pictures`, or in
//! the directory named on the command line. The numbers in them are computed, none is written down.
//!
//! Change first: a shape in `figures.rs`.

#[path = "../shared/mod.rs"]
#[expect(dead_code, reason = "each example uses its part of what they share")]
mod shared;

mod canvas;
mod figures;

use std::path::PathBuf;

use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy_egui::{EguiContexts, EguiPlugin, EguiPrimaryContextPass};
use clap::Parser;

use canvas::{Canvas, FigureGizmos, SIZE};
use shared::finish::{FinishPlugin, Picture, write_png};
use shared::options::Options;
use shared::view::View;

/// Draws the figures of docs/pictures.md and saves them as PNG files.
#[derive(Parser)]
#[command(name = "pictures")]
struct Arguments {
    /// Where to save them.
    #[arg(default_value = "docs/pictures")]
    directory: PathBuf,
}

fn main() -> AppExit {
    let Arguments { directory } = Arguments::parse();
    if !directory.is_dir() {
        eprintln!("{}: there is no such directory to save pictures in", directory.display());
        return AppExit::error();
    }
    // It ends by itself, after the last figure.
    let options = Options { headless: true, frames: Some(u32::MAX), ..default() };
    shared::runner::run_sized("bevy_nudge: pictures", options, SIZE, |app| {
        let line = GizmoLineConfig { width: 2.5, ..default() };
        if app.get_sub_app(bevy::render::RenderApp).is_some() {
            app.add_plugins(EguiPlugin::default());
        }
        app.insert_gizmo_config(FigureGizmos, GizmoConfig { line, ..default() })
            .insert_resource(Album { directory, figure: 0, frames: 0 })
            .add_systems(EguiPrimaryContextPass, draw_figure)
            .add_systems(Last, take_picture);
    })
}

/// How far the work is.
#[derive(Resource)]
struct Album {
    directory: PathBuf,
    /// The figure that is drawn now.
    figure: usize,
    /// For how many frames.
    frames: u32,
}

/// Frames before a picture is taken: the first ones of egui have no text.
const WARM_UP: u32 = 4;
/// Frames after which a picture that did not come is given up.
const GIVE_UP_AFTER: u32 = 600;

fn draw_figure(
    mut gizmos: Gizmos<FigureGizmos>,
    mut contexts: EguiContexts,
    album: Res<Album>,
) -> Result {
    let view = View::of_size(SIZE);
    let mut canvas = Canvas::new(&mut gizmos, contexts.ctx_mut()?, &view);
    match figures::ALL.get(album.figure) {
        Some((_, draw)) => draw(&mut canvas),
        None => Ok(()),
    }
}

fn take_picture(
    mut album: ResMut<Album>,
    plan: Res<FinishPlugin>,
    mut commands: Commands,
    mut exit: MessageWriter<AppExit>,
) {
    let Picture::Image(image) = &plan.picture else {
        eprintln!("no picture could be made: this machine has no graphics adapter to draw with");
        exit.write(AppExit::error());
        return;
    };
    album.frames += 1;
    if album.frames == WARM_UP {
        commands.spawn(Screenshot::image(image.clone())).observe(save_picture);
    } else if album.frames == GIVE_UP_AFTER {
        eprintln!("no picture came back from the renderer");
        exit.write(AppExit::error());
    }
}

fn save_picture(
    captured: On<ScreenshotCaptured>,
    mut album: ResMut<Album>,
    mut exit: MessageWriter<AppExit>,
) {
    let Some((name, _)) = figures::ALL.get(album.figure) else { return };
    let path = album.directory.join(name).with_extension("png");
    if let Err(reason) = write_png(&captured.image, &path) {
        eprintln!("cannot save the picture to {}: {reason}", path.display());
        exit.write(AppExit::error());
        return;
    }
    println!("saved {}", path.display());
    album.figure += 1;
    album.frames = 0;
    if album.figure == figures::ALL.len() {
        exit.write(AppExit::Success);
    }
}
