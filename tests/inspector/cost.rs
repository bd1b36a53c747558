//! What the panel costs. Prints numbers and asserts none: they depend on the machine.
//!
//!     cargo test --release --features inspector --test inspector -- --ignored --nocapture cost

use std::time::{Duration, Instant};

use bevy::prelude::*;
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

#[test]
#[ignore = "prints times, which say something only in a release build"]
fn cost_of_the_panel_with_ten_thousand_contacts() {
    let mut panel = Panel::new(|world| {
        for index in 0..101 * 101u16 {
            let (x, y) = (f32::from(index % 101), f32::from(index / 101));
            let place = Transform::from_xyz(x * 8.0, y * 20.0, 0.0);
            world.spawn((Collider::circle(5.0), place));
        }
    });
    // All of them move in each step, which is the worst for what is copied.
    panel.app.add_systems(Update, |mut places: Query<&mut Transform>, mut way: Local<f32>| {
        *way = if *way > 0.0 { -0.01 } else { 0.01 };
        for mut place in &mut places {
            place.translation.x += *way;
        }
    });
    panel.inspector().open = false;
    panel.app.update();
    panel.app.update();
    let hidden = median(|| time(|| panel.app.update()));
    let contacts = panel.app.world().resource::<Contacts>().len();
    println!("{contacts} contacts; a frame of the game with the panel hidden: {hidden:.3} ms");
    panel.inspector().open = true;
    let world_with = median(|| time(|| panel.app.update()));
    println!("copying the step, all colliders moving: {:.3} ms", world_with - hidden);
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
