//! A steady step allocates nothing, and a long run needs no more memory and time at its end.
//!
//! The long run, a million steps:
//! `cargo test --release --test no_allocation -- --ignored --nocapture`. `NUDGE_STEPS` sets how
//! many.

mod churn;
#[path = "../common/mod.rs"]
mod common;
mod steady;

use std::alloc::System;
use std::sync::{Mutex, MutexGuard, PoisonError};

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The counts are those of the whole process, so only one test runs at a time.
fn alone() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How often `work` asks for memory, anew or for more of it.
fn allocations(work: impl FnOnce()) -> usize {
    let region = Region::new(ALLOCATOR);
    work();
    let change = region.change();
    change.allocations + change.reallocations
}

/// Bytes that are allocated now.
fn bytes_in_use() -> usize {
    let stats = ALLOCATOR.stats();
    stats.bytes_allocated - stats.bytes_deallocated
}

/// The least of a few tries: the threads of the test runner itself allocate now and then, and what
/// belongs to the work comes back in each try.
fn least_allocations(mut work: impl FnMut()) -> usize {
    (0..3).map(|_| allocations(&mut work)).min().unwrap_or_default()
}

#[test]
fn the_counter_counts() {
    const MEBIBYTE: usize = 1 << 20;
    let _alone = alone();
    let mut list = vec![0_u8; 8];
    assert_eq!(least_allocations(|| list.clear()), 0);
    assert_eq!(least_allocations(|| drop(std::hint::black_box(vec![0_u8; 64]))), 1);
    // Threads of other tests may give back what they had meanwhile, but not in each try.
    let is_seen = (0..5).any(|_| {
        let before = bytes_in_use();
        let list: Vec<u8> = std::hint::black_box(Vec::with_capacity(MEBIBYTE));
        let with_list = bytes_in_use();
        drop(list);
        with_list >= before + MEBIBYTE / 2
    });
    assert!(is_seen, "a mebibyte more is in use");
}
