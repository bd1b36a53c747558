//! Any bits as input: no panic, no NaN in an answer, no hang, bounded memory.
//!
//! Each target turns a list of words into a call of the public API. The driver changes lists that
//! have led to something new and keeps those that do so again: the target says in a few bits what
//! has happened, such as which error, how many corners are left, how two shapes lie. What goes
//! wrong is shortened and printed, and from then on is in `cases.rs`, or has a name in
//! `tests/regressions.rs` or `tests/far_away.rs`. Scene files are fuzzed in `tests/scene_files`.
//!
//! A few thousand cases of each run always. As long as wanted, each by its name:
//! `NUDGE_FUZZ_SECONDS=600 cargo test --release --test fuzz -- --ignored --nocapture long_contact`.
//! The case that a failure printed, alone: `NUDGE_WORDS=0x40ef40a4,0x40f80000,..` before the same.

mod cases;
#[path = "../common/mod.rs"]
mod common;
mod driver;
mod input;
mod polygons;
mod shapes;
mod worlds;

use std::alloc::System;

use driver::{Budget, Target, fuzz, long, run_case};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

#[test]
fn polygons_of_any_points_are_sound_or_refused() {
    fuzz("polygons", polygons::target, Budget::Cases(20_000));
}

#[test]
fn any_two_shapes_have_a_sound_answer() {
    fuzz("contact", shapes::target, Budget::Cases(20_000));
}

#[test]
fn a_world_of_any_bounds_steps_and_loses_no_pair() {
    fuzz("world", worlds::target, Budget::Cases(400));
}

#[test]
fn what_failed_once_does_not_fail_again() {
    let of_shapes = cases::OF_SHAPES.iter().map(|words| (shapes::target as Target, words));
    let of_worlds = cases::OF_WORLDS.iter().map(|words| (worlds::target as Target, words));
    for (i, (target, words)) in of_shapes.chain(of_worlds).enumerate() {
        run_case(target, words).unwrap_or_else(|fault| panic!("case {i}: {fault}"));
    }
}

#[test]
#[ignore = "long: ten minutes"]
fn long_polygons() {
    fuzz("polygons", polygons::target, long());
}

#[test]
#[ignore = "long: ten minutes"]
fn long_contact() {
    fuzz("contact", shapes::target, long());
}

#[test]
#[ignore = "long: ten minutes"]
fn long_world() {
    fuzz("world", worlds::target, long());
}
