//! Scene files on the way by which a game loads them: read by Bevy's own loader, written into the
//! world, and stepped. Any text: no panic, no NaN in an answer, no hang, bounded memory. And a file
//! that changes while the game runs.
//!
//! The driver is that of `tests/fuzz`. For as long as wanted:
//! `NUDGE_FUZZ_SECONDS=600 cargo test --release --all-features --test scene_files -- --ignored --nocapture`.

#[path = "../common/mod.rs"]
mod common;
#[path = "../fuzz/driver.rs"]
mod driver;
#[path = "../fuzz/input.rs"]
#[allow(dead_code, reason = "it also makes shapes, for other targets")]
mod input;
mod reload;
mod text;
mod world;

use std::alloc::System;

use driver::{Budget, fuzz, long};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

#[test]
fn a_scene_file_of_any_text_is_refused_or_steps() {
    fuzz("scenes", world::target, Budget::Cases(800));
}

#[test]
#[ignore = "long: ten minutes"]
fn long_scenes() {
    fuzz("scenes", world::target, long());
}
