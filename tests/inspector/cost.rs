//! What the panel costs. Prints numbers and asserts none: they depend on the machine.
//!
//!     cargo test --release --features inspector --test inspector -- --ignored --nocapture cost

use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_nudge::inspector::Tab;

use crate::panel::Panel;
use bevy_nudge::prelude::*;

const FRAMES: u32 = 60;

/// The median of the times of some frames.
fn median(mut frame: impl FnMut() -> Duration) -> f64 {
    let mut times: Vec<Duration> = (0..FRAMES).map(|_| frame()).collect();
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

#[test]
#[ignore = "prints times, which say something only in a release build"]
fn cost_of_the_panel_with_ten_thousand_contacts() {
    let mut game = game_without_panel();
    let mut panel = Panel::new(spawn_crowd);
    panel.app.add_systems(Update, move_crowd);
    panel.inspector().open = false;
    panel.app.update();
    panel.app.update();
    // In turn, so that a slow moment of the machine hits both.
    let mut without = Vec::new();
    let hidden = median(|| {
        without.push(time(|| game.update()));
        time(|| panel.app.update())
    });
    let mut without = without.into_iter();
    let without = median(|| without.next().expect("as many frames"));
    let contacts = panel.app.world().resource::<Contacts>().len();
    println!("{contacts} contacts; a frame of the game without the plugin: {without:.3} ms");
    println!("with it, hidden: {hidden:.3} ms");
    panel.inspector().open = true;
    // Until the history is full: then the memory of the oldest step is used again.
    for _ in 0..120 {
        panel.app.update();
        panel.time_of_one_pass();
    }
    // What draws it comes along: an open panel that nobody draws copies nothing.
    let with_panel = median(|| {
        let frame = time(|| panel.app.update());
        panel.time_of_one_pass();
        frame
    });
    println!("copying the step, all colliders moving: {:.3} ms", with_panel - hidden);
    for tab in Tab::ALL {
        panel.inspector().tab = tab;
        // Without the step: only what the panel draws.
        let drawing = median(|| {
            panel.app.update();
            panel.time_of_one_pass()
        });
        println!("drawing the page {}: {drawing:.3} ms", tab.title());
    }
}
