//! Builds and runs the app of an example: in a window, or without one.

use std::path::Path;
use std::time::Duration;

use bevy::app::ScheduleRunnerPlugin;
use bevy::camera::RenderTarget;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::render_resource::TextureFormat;
use bevy::render::settings::{RenderCreation, WgpuSettings};
use bevy::time::TimeUpdateStrategy;
use bevy::window::{ExitCondition, WindowResolution};
use bevy::winit::{WinitPlugin, WinitSettings};

use super::display;
use super::finish::{FinishPlugin, Picture};
use super::options::Options;
use super::scenes::SceneChoice;

/// Size of the window, and of the picture without one.
const SIZE: UVec2 = UVec2::new(1280, 800);

/// Frames of a run without a window, when the command line names no number: nobody is there to
/// close it.
const FRAMES_WITHOUT_WINDOW: u32 = 120;

const BACKGROUND: Color = Color::srgb(0.075, 0.085, 0.11);

/// Runs an example. `example` adds the plugins and systems of its own; the camera is there already.
pub(crate) fn run(title: &str, options: Options, example: impl FnOnce(&mut App)) -> AppExit {
    run_sized(title, options, SIZE, example)
}

/// The same with another size of the window or the picture.
pub(crate) fn run_sized(
    title: &str,
    options: Options,
    size: UVec2,
    example: impl FnOnce(&mut App),
) -> AppExit {
    if let Some(Err(reason)) = options.screenshot.as_deref().map(check_target) {
        eprintln!("{reason}");
        return AppExit::error();
    }
    let renderer = display::start_renderer();
    let has_renderer = renderer.is_some();
    let windowed = open_display(&options, has_renderer);
    let is_windowed = windowed.is_some();

    let mut app = windowed.unwrap_or_default();
    app.add_plugins(
        DefaultPlugins
            .build()
            .disable::<WinitPlugin>()
            .set(LogPlugin { filter: log_filter(has_renderer).to_owned(), ..default() })
            .set(WindowPlugin {
                primary_window: is_windowed.then(|| window(title, size)),
                // The last frame may have to be saved first.
                exit_condition: ExitCondition::DontExit,
                close_when_requested: false,
                ..default()
            })
            .set(RenderPlugin {
                render_creation: renderer.unwrap_or_else(no_renderer),
                // A short run must not end before its shaders are compiled.
                synchronous_pipeline_compilation: !is_windowed || options.frames.is_some(),
                ..default()
            }),
    );
    app.insert_resource(ClearColor(BACKGROUND));

    let picture = if is_windowed {
        if options.frames.is_some() {
            // Counted frames should pass without the focus too.
            app.insert_resource(WinitSettings::continuous());
        }
        app.world_mut().spawn(Camera2d);
        Picture::Window
    } else {
        run_without_window(&mut app, has_renderer, size)
    };
    app.add_plugins(FinishPlugin {
        last_frame: options.frames.or((!is_windowed).then_some(FRAMES_WITHOUT_WINDOW)),
        screenshot: options.screenshot.clone(),
        picture,
        prints_contacts: !is_windowed,
    });
    app.insert_resource(SceneChoice(options.scene));
    example(&mut app);
    app.run()
}

/// Whether a file can be written there, as far as can be told before a long run.
fn check_target(path: &Path) -> Result<(), String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if path.is_dir() {
        Err(format!("{}: is a directory, not a file to save a picture in", path.display()))
    } else if folder.is_some_and(|folder| !folder.is_dir()) {
        Err(format!("{}: there is no such directory to save a picture in", path.display()))
    } else {
        Ok(())
    }
}

/// Without a renderer, Bevy's plugins complain about its absence, which has been told already. With
/// one, that of egui warns of a feature that software drivers lack and it can do without.
fn log_filter(has_renderer: bool) -> &'static str {
    if has_renderer {
        "warn,bevy_nudge=info,bevy_egui::render=error"
    } else {
        "warn,bevy_render=off,bevy_gizmos_render=off"
    }
}

/// An app with a window system, unless the run is without a window: because it should be, or
/// because it has to be. Says so in the second case.
fn open_display(options: &Options, has_renderer: bool) -> Option<App> {
    if !has_renderer {
        eprintln!("no graphics adapter: running without a window, nothing is drawn");
    }
    let app = if options.headless || !has_renderer {
        None
    } else {
        display::app_with_event_loop()
            .inspect_err(|reason| eprintln!("no display ({reason}): running without a window"))
            .ok()
    };
    if app.is_none() && options.frames.is_none() {
        eprintln!(
            "running {FRAMES_WITHOUT_WINDOW} frames without a window; --frames N sets the number"
        );
    }
    app
}

fn window(title: &str, size: UVec2) -> Window {
    Window {
        title: title.to_owned(),
        resolution: WindowResolution::new(size.x, size.y),
        ..default()
    }
}

fn no_renderer() -> RenderCreation {
    WgpuSettings { backends: None, ..default() }.into()
}

/// Sets up a run that draws into an image, as fast as it can, with the same time step in each
/// frame, so that it is repeatable.
fn run_without_window(app: &mut App, has_renderer: bool, size: UVec2) -> Picture {
    let image = Image::new_target_texture(size.x, size.y, TextureFormat::Rgba8UnormSrgb, None);
    let image = app.world_mut().resource_mut::<Assets<Image>>().add(image);
    app.world_mut().spawn((Camera2d, RenderTarget::Image(image.clone().into())));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / 60));
    app.add_plugins(ScheduleRunnerPlugin::run_loop(Duration::ZERO));
    if has_renderer { Picture::Image(image) } else { Picture::None }
}
