//! Finds out, before an app is built, whether this machine can open a window and draw.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};

use bevy::prelude::*;
use bevy::render::renderer::initialize_renderer;
use bevy::render::settings::{Backends, RenderCreation, WgpuSettings};
use bevy::tasks::block_on;
use bevy::winit::WinitPlugin;

/// An app that has a connection to the window system, or the reason why there is none.
///
/// The window system itself is asked: a variable that is set proves nothing.
pub(crate) fn app_with_event_loop() -> Result<App, String> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    if cfg!(target_os = "linux") && set("DISPLAY").is_none() {
        return Err(match set("WAYLAND_DISPLAY") {
            None => "neither DISPLAY nor WAYLAND_DISPLAY is set".to_owned(),
            Some(_) => "the examples open windows through X11, and DISPLAY is not set".to_owned(),
        });
    }
    without_panic(|| {
        let mut app = App::new();
        app.add_plugins(WinitPlugin::default());
        app
    })
    .ok_or_else(|| match set("DISPLAY") {
        Some(display) => format!("no window system answers at DISPLAY={}", display.display()),
        None => "no window system answers".to_owned(),
    })
}

/// A renderer on the graphics adapter of this machine, if there is one.
pub(crate) fn start_renderer() -> Option<RenderCreation> {
    let settings = WgpuSettings::default();
    let allowed = settings.backends?;
    // OpenGL last: looking for it makes some systems print errors of their own.
    [allowed & Backends::PRIMARY, allowed]
        .into_iter()
        .find_map(|backends| {
            without_panic(|| block_on(initialize_renderer(backends, None, &settings)))
        })
        .map(RenderCreation::Manual)
}

/// Bevy's start panics where there is no display or adapter, with no way to ask first. An example
/// has a way to go on, so the panic is caught here, and its report, which would look like a crash,
/// is held back.
fn without_panic<T>(attempt: impl FnOnce() -> T) -> Option<T> {
    let hook = take_hook();
    set_hook(Box::new(|_| {}));
    let result = catch_unwind(AssertUnwindSafe(attempt));
    set_hook(hook);
    result.ok()
}
