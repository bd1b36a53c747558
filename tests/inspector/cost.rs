//! What the panel costs. Prints numbers and asserts none: they depend on the machine.
//!
//!     cargo test --release --features inspector --test inspector -- --ignored --nocapture cost

use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_nudge::inspector::{Tab, egui};

use crate::panel::Panel;
use bevy_nudge::prelude::*;

const FRAMES: u32 = 120;

/// The median, in milliseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e3
}

fn time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// Ten thousand contacts. All colliders move in each step, which is the worst for what is copied.
fn spawn_crowd(world: &mut World) {
    for index in 0..101 * 101u16 {
        let (x, y) = (f32::from(index % 101), f32::from(index / 101));
        let place = Transform::from_xyz(x * 8.0, y * 20.0, 0.0);
        world.spawn((Collider::circle(5.0), place));
    }
}

fn move_crowd(mut places: Query<&mut Transform>, mut way: Local<f32>) {
    *way = if *way > 0.0 { -0.01 } else { 0.01 };
    for mut place in &mut places {
        place.translation.x += *way;
    }
}

/// The same game without the panel's plugin.
fn game_without_panel() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .add_plugins((CollisionPlugin::default(), ResolutionPlugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_systems(Update, move_crowd);
    spawn_crowd(app.world_mut());
    app.update();
    app.update();
    app
}

/// The same game with the panel.
fn game_with_panel(is_open: bool) -> Panel {
    let mut panel = Panel::new(spawn_crowd);
    // As large as the body of the side panel in a window of 1280 by 800.
    panel.screen = egui::vec2(400.0, 784.0);
    panel.app.add_systems(Update, move_crowd);
    panel.inspector().open = is_open;
    // Until the history is full: then the memory of the oldest step is used again.
    for _ in 0..if is_open { 250 } else { 2 } {
        panel.app.update();
        if is_open {
            panel.time_of_one_pass();
        }
    }
    panel
}

#[test]
#[ignore = "prints times, which say something only in a release build"]
fn cost_of_the_panel_with_ten_thousand_contacts() {
    let mut game = game_without_panel();
    let mut hidden = game_with_panel(false);
    let mut panel = game_with_panel(true);
    let contacts = panel.app.world().resource::<Contacts>().len();
    // In turn, so that a slow moment of the machine hits all.
    let mut times = [const { Vec::new() }; 3];
    for _ in 0..FRAMES {
        times[0].push(time(|| game.update()));
        times[1].push(time(|| hidden.app.update()));
        times[2].push(time(|| panel.app.update()));
        // An open panel that nobody draws copies nothing.
        panel.time_of_one_pass();
    }
    let [without, hidden, open] = times.map(median);
    println!("{contacts} contacts; a frame of the game without the plugin: {without:.3} ms");
    println!("with it, hidden: {hidden:.3} ms");
    println!("copying the step, all colliders moving: {:.3} ms", open - hidden);
    let history = &panel.inspector().history;
    println!("{} steps are kept in {} KiB", history.steps().len(), history.bytes() >> 10);
    for tab in Tab::ALL {
        panel.inspector().tab = tab;
        println!("drawing the page {}: {:.3} ms", tab.title(), drawing(&mut panel));
    }
    panel.inspector().tab = Tab::List;
    panel.screen = egui::vec2(1200.0, 800.0);
    println!("drawing the list with all columns in view: {:.3} ms", drawing(&mut panel));
}

/// What drawing one frame of the panel takes, without the step.
fn drawing(panel: &mut Panel) -> f64 {
    let one = |_| {
        panel.app.update();
        panel.time_of_one_pass()
    };
    median((0..FRAMES).map(one).collect())
}
