//! The table of questions about space.

use crate::engines::Engine;
use crate::exact_answers::Faults;
use crate::player::Player;
use crate::queries::COUNT;
use crate::scenes::{self, Recipe};
use crate::{Options, WARM_UP};

/// The scenes that are asked about if none are named.
const USUAL: [&str; 2] = ["circles-100k", "mixed-100k"];
/// Turns that each contestant gets; in each it answers all questions.
const TURNS: usize = 11;
const KINDS: [&str; 3] = ["point", "ray", "box"];

/// What was measured of one contestant and one kind of questions.
struct Column {
    /// Median, for one question.
    microseconds: f64,
    hits: usize,
    /// What differs from the exact answers.
    faults: Faults,
}

/// Asks all contestants that can answer, and prints a line for each.
pub fn ask(engines: &[Engine], options: &Options) -> Result<(), String> {
    let usual = USUAL.map(str::to_owned).to_vec();
    let names = if options.scenes.is_empty() { &usual } else { &options.scenes };
    let recipes = scenes::choose(names)
        .map_err(|name| format!("no scene is called {name}; --list lists them"))?;
    let heads: String = KINDS
        .iter()
        .map(|kind| format!("{:>12}{:>7}{:>16}", format!("{kind} us"), "ratio", "hits"))
        .collect();
    println!("{:<14}{:<15}{heads}", "", "");
    for recipe in recipes {
        let measured = measure(recipe, engines, options)?;
        for (at, (engine, columns)) in measured.iter().enumerate() {
            let name = if at == 0 { recipe.name } else { "" };
            let cells: String = columns.iter().zip(&measured[0].1).map(cell).collect();
            println!("{name:<14}{:<15}{cells}", engine.name());
        }
    }
    Ok(())
}

fn cell((column, ours): (&Column, &Column)) -> String {
    let Column { microseconds, hits, faults: [missing, wrong] } = column;
    let hits = match missing + wrong {
        // An equals sign: not only as many as in the exact answer, but the same.
        0 => format!("{hits}="),
        _ => format!("{hits} +{wrong}-{missing}"),
    };
    format!("{microseconds:>12.3}{:>7.2}{hits:>16}", microseconds / ours.microseconds)
}

/// All contestants are alive at once and take turns, this crate first.
fn measure(
    recipe: &Recipe,
    engines: &[Engine],
    options: &Options,
) -> Result<Vec<(Engine, [Column; 3])>, String> {
    let mut players = Vec::new();
    for engine in engines.iter().filter(|engine| engine.answers_questions()) {
        let mut player = Player::start(recipe.name, *engine, options)?;
        player.order(&format!("run {WARM_UP}"))?;
        players.push((player, [const { Vec::new() }; 3]));
    }
    // The first turn does not count.
    for turn in 0..=TURNS {
        for (player, times) in &mut players {
            let answer = numbers(&player.order("ask")?);
            if turn > 0 {
                times.iter_mut().zip(answer).for_each(|(times, time)| times.push(time));
            }
        }
    }
    let mut measured = Vec::new();
    for (mut player, times) in players {
        let mut checked = numbers(&player.order("check")?).into_iter();
        let columns = times.map(|mut times| {
            times.sort_unstable();
            let mut next = || checked.next().unwrap_or(usize::MAX);
            Column {
                microseconds: times[TURNS / 2] as f64 * 1e-3 / COUNT as f64,
                hits: next(),
                faults: [next(), next()],
            }
        });
        measured.push((player.engine, columns));
        player.dismiss();
    }
    Ok(measured)
}

fn numbers(answer: &str) -> Vec<usize> {
    answer.split(' ').filter_map(|number| number.parse().ok()).collect()
}
