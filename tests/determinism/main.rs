//! The same input gives the same bits: across runs, threads, build profiles and spawn orders.
//!
//! The release build: `cargo test --release --test determinism`.

#[path = "../common/mod.rs"]
mod common;
mod large;
mod record;
mod scenes;

use bevy::tasks::{ComputeTaskPool, TaskPoolBuilder};
use common::{child_mode, run_in_a_child};
use record::{Order, run};
use scenes::SCENES;

/// What each scene says in [`STEPS`](record::STEPS) steps, in every build and with any number of
/// threads. Changes only with the results; say why in the commit.
const GOLDEN: [(&str, u64); 4] = [
    ("bouncing", 0x9fbd_d8f9_1370_0c5c),
    ("crowd", 0x7b44_7411_f524_c72b),
    ("bullets", 0x9fdf_b72a_8cac_e076),
    ("life", 0x608a_1a07_623f_ef03),
];

fn start_threads(count: usize) {
    let pool = ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(count).build());
    assert_eq!(pool.thread_num(), count);
}

#[test]
fn any_number_of_threads_gives_the_golden_bits() {
    if let Some(threads) = child_mode() {
        start_threads(threads.parse().expect("a number of threads"));
        for scene in &SCENES {
            let said = run(scene, &Order::As(|i, _| i));
            println!("{}", said.summary(scene.name));
        }
        return;
    }
    for threads in ["1", "2", "8"] {
        let said = run_in_a_child("any_number_of_threads_gives_the_golden_bits", threads);
        println!("{threads} threads:\n{said}");
        for (name, hash) in GOLDEN {
            let expected = format!("{name}: hash {hash:016x},");
            assert!(said.contains(&expected), "{threads} threads, expected {expected}:\n{said}");
        }
    }
}

#[test]
fn a_large_world_is_the_same_on_one_thread_and_on_many() {
    let name = "a_large_world_is_the_same_on_one_thread_and_on_many";
    if let Some(threads) = child_mode() {
        start_threads(threads.parse().expect("a number of threads"));
        let (hash, contacts) = large::run();
        println!("hash {hash:016x}, {contacts} contacts");
        return;
    }
    let said = ["1", "2", "3", "8"].map(|threads| {
        let said = run_in_a_child(name, threads);
        let line = said.lines().find(|line| line.contains("contacts")).map(str::to_owned);
        line.expect("a line of the child")
    });
    println!("{said:#?}");
    assert!(said.iter().all(|other| *other == said[0]), "{said:#?}");
    let contacts = said[0].split(' ').nth(2).and_then(|count| count.parse::<usize>().ok());
    assert!(contacts.is_some_and(|count| count > 100_000), "{said:#?}");
}

#[test]
fn runs_spawn_orders_and_unrelated_entities_change_nothing() {
    // More threads than the machine may have, so that work is split.
    start_threads(4);
    for scene in &SCENES {
        let expected = run(scene, &Order::As(|i, _| i));
        expected.assert_worth_it(scene);
        for (name, order) in [
            ("another run", Order::As(|i, _| i)),
            ("spawned in reverse", Order::As(|i, count| count - 1 - i)),
            ("spawned in disorder, among others", Order::AmongOthers(|i, count| i * 1009 % count)),
        ] {
            let said = run(scene, &order);
            said.assert_same(&expected, &format!("{}: {name}", scene.name));
        }
    }
}
