//! The whole plugin against a slow and obvious twin, in random games.
//!
//! Each game is a list of operations made from a seed. After every step the twin computes from
//! the entities as they were when the step began what it must have told: pairs, phases, reasons,
//! ages, contacts, impacts on the way, observers, counters. Its own poses, shapes and distances are in double
//! precision. A game that fails is shortened and printed.
//!
//! The long run:
//! `cargo test --test model -- --ignored --nocapture`. `NUDGE_SEED` sets the first seed and
//! `NUDGE_GAMES` how many games either run plays.

#![allow(clippy::float_cmp, reason = "the twin asks whether bits are the same")]

/// Ends a check with a message unless something holds.
macro_rules! demand {
    ($condition:expr, $($message:tt)+) => {
        let holds: bool = $condition;
        if !holds {
            return Err(format!($($message)+));
        }
    };
}

mod game;
mod generate;
mod geometry;
mod op;
mod relation;
mod shrink;
mod stops;
mod sweep;
mod twin;

use game::play;
use generate::script;
use shrink::{outcome, report};
use twin::Tally;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| {
        value.parse().unwrap_or_else(|_| panic!("{name} must be a whole number, not {value:?}"))
    })
}

fn run(games: u64, steps: usize) -> Tally {
    let (first, games) = (setting("NUDGE_SEED", 0), setting("NUDGE_GAMES", games));
    let mut tally = Tally::default();
    for seed in first..first + games {
        let script = script(seed, steps);
        match outcome(&script) {
            Ok(game) => tally.add(game),
            Err(fault) => panic!("{}", report(seed, &script, &fault)),
        }
    }
    println!("{games} games: {tally:?}");
    tally
}

#[test]
fn random_games_agree_with_the_twin() {
    let tally = run(300, 20);
    if std::env::var_os("NUDGE_GAMES").is_none() {
        // The games are worth their time.
        assert!(tally.contacts > 20 * tally.steps / 10, "{tally:?}");
        assert!(tally.touching > tally.contacts / 50 && tally.observed > 1000, "{tally:?}");
        assert!(tally.pushes > 100 && tally.impacts > 100 && tally.stops > 20, "{tally:?}");
        assert!(tally.unsure < tally.contacts / 10 && tally.given_up == 0, "{tally:?}");
    }
}

#[test]
#[ignore = "long: 10,000 games of 50 steps"]
fn many_long_random_games_agree_with_the_twin() {
    run(10_000, 50);
}

/// The driver itself: a game that breaks is caught and shortened.
#[test]
fn a_failing_game_is_shortened_to_what_matters() {
    let script = script(1, 20);
    let full = script.ops.len();
    let short = shrink::shrink(&script, &|script| {
        // As if any frame after a move were wrong.
        let moves = script.ops.iter().position(|op| matches!(op, op::Op::Move(..)))?;
        script.ops[moves..].contains(&op::Op::Frame(1)).then(|| "a fault".to_owned())
    });
    assert_eq!(short.ops.len(), 2, "of {full}: {:?}", short.ops);
    assert!(play(&short).is_ok());
}
