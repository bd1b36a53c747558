//! Times that can be read: means over half a second.

use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_nudge::CollisionStats;

pub(crate) struct ClocksPlugin;

impl Plugin for ClocksPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<OwnTimes>().init_resource::<Clocks>().add_systems(Last, take_times);
    }
}

/// What the example itself takes in a frame, beside the collision step.
#[derive(Resource, Default)]
pub(crate) struct OwnTimes {
    pub(crate) moving: Duration,
    pub(crate) drawing: Duration,
}

/// The parts of a frame of which the time is shown.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Part {
    Frame,
    Step,
    Sync,
    BroadPhase,
    NarrowPhase,
    Resolve,
    Publish,
    Moving,
    Drawing,
}

const PARTS: usize = Part::Drawing as usize + 1;

/// For how long times are added up before the shown means change.
const WINDOW: Duration = Duration::from_millis(500);

/// Mean times of the last half second.
#[derive(Resource)]
pub(crate) struct Clocks {
    sums: [Duration; PARTS],
    frames: u32,
    window_start: Instant,
    /// When the last frame ended. Of the wall clock: in a run without a window Bevy's own is not.
    last_frame: Instant,
    means: [Duration; PARTS],
}

impl Default for Clocks {
    fn default() -> Self {
        let now = Instant::now();
        let none = [Duration::ZERO; PARTS];
        Self { sums: none, frames: 0, window_start: now, last_frame: now, means: none }
    }
}

impl Clocks {
    /// The mean time of this part of a frame, in milliseconds.
    pub(crate) fn millis(&self, part: Part) -> f64 {
        self.means[part as usize].as_secs_f64() * 1e3
    }
}

fn take_times(stats: Res<CollisionStats>, own: Res<OwnTimes>, mut clocks: ResMut<Clocks>) {
    let now = Instant::now();
    let clocks = &mut *clocks;
    for (part, taken) in [
        (Part::Frame, now - clocks.last_frame),
        (Part::Step, stats.times.total()),
        (Part::Sync, stats.times.sync),
        (Part::BroadPhase, stats.times.broad_phase),
        (Part::NarrowPhase, stats.times.narrow_phase),
        (Part::Resolve, stats.times.resolve),
        (Part::Publish, stats.times.publish),
        (Part::Moving, own.moving),
        (Part::Drawing, own.drawing),
    ] {
        clocks.sums[part as usize] += taken;
    }
    clocks.last_frame = now;
    clocks.frames += 1;
    if now - clocks.window_start >= WINDOW {
        clocks.means = clocks.sums.map(|sum| sum / clocks.frames);
        clocks.sums = [Duration::ZERO; PARTS];
        clocks.frames = 0;
        clocks.window_start = now;
    }
}
