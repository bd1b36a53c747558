//! bevy_nudge beside other ways to find collisions, on the same scenes. See `../README.md`.
//!
//! Every contestant runs in a process of its own. All contestants of a scene are alive at once and
//! take turns, some steps each, so that a noisy moment of the machine hits all of them.

mod asking;
mod child;
mod engines;
mod exact_answers;
mod plain;
mod player;
mod queries;
#[path = "../../scenes/mod.rs"]
mod scenes;
mod table;

use std::process::ExitCode;

use clap::Parser;
use engines::Engine;
use player::Player;
use scenes::Recipe;
use table::{Measured, Table};

/// Steps before the clock counts, and turns that each contestant gets.
const WARM_UP: u32 = 12;
const ROUNDS: u32 = 6;

/// bevy_nudge beside other ways to find collisions, on the same scenes.
#[derive(Parser)]
struct Options {
    /// Scenes by name, with commas between; "all" for all of them, those that take long included.
    #[arg(long, value_delimiter = ',')]
    scenes: Vec<String>,
    /// Contestants by name, with commas between.
    #[arg(long, value_delimiter = ',')]
    engines: Vec<String>,
    /// Steps that count for each contestant. By default as many as the size allows, 24 to 240.
    #[arg(long)]
    steps: Option<u32>,
    /// Asks 10,000 questions of each kind about space instead of measuring steps.
    #[arg(long)]
    queries: bool,
    /// Few steps, and only scenes of at most 10,000 colliders.
    #[arg(long)]
    quick: bool,
    /// Threads for computing. With 1, each contestant is also tied to one core.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// The core to tie contestants to, as `taskset` takes it; "none" for none.
    #[arg(long, default_value = "0")]
    core: String,
    /// Lists scenes and contestants.
    #[arg(long)]
    list: bool,
    /// For the program itself: be one contestant.
    #[arg(long, hide = true)]
    child: bool,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), String> {
    if options.list {
        for recipe in scenes::RECIPES {
            println!("{:<14} {}", recipe.name, recipe.about);
        }
        println!();
        for engine in Engine::ALL {
            println!("{}", engine.name());
        }
        return Ok(());
    }
    let engines = choose_engines(&options.engines)?;
    let unknown = |name| format!("no scene is called {name}; --list lists them");
    if options.child {
        let recipes = scenes::choose(&options.scenes).map_err(unknown)?;
        let name = &options.engines[0];
        let engine = Engine::ALL.into_iter().find(|engine| engine.name() == name);
        child::serve(&recipes[0].scene(), engine.unwrap_or(Engine::Nothing), options.threads);
        return Ok(());
    }
    if options.threads > 1 && !cfg!(feature = "rapier-threads") {
        eprintln!("Rapier uses its threads only with `--features rapier-threads`.");
    }
    if options.queries {
        return asking::ask(&engines, options);
    }
    let table = Table::new(&engines);
    table.print_head();
    for recipe in scenes::choose(&options.scenes).map_err(unknown)? {
        let scene = recipe.scene();
        if options.quick && scene.bodies.len() > 20_000 {
            continue;
        }
        let steps = match options.steps {
            Some(steps) => steps,
            None if options.quick => 24,
            None => (1_000_000 / scene.bodies.len() as u32).clamp(24, 240),
        };
        let measured = measure(recipe, &engines, steps, options)?;
        table.print_scene(recipe, scene.bodies.len(), &measured);
    }
    Ok(())
}

/// The contestants asked for, always with the one to subtract and the one to compare with first.
fn choose_engines(names: &[String]) -> Result<Vec<Engine>, String> {
    if let Some(name) = names.iter().find(|name| Engine::ALL.iter().all(|e| e.name() != **name)) {
        return Err(format!("no contestant is called {name}; --list lists them"));
    }
    Ok(Engine::ALL
        .into_iter()
        .filter(|engine| {
            let always = matches!(engine, Engine::Nothing | Engine::Nudge);
            always || names.is_empty() || names.iter().any(|name| name == engine.name())
        })
        .collect())
}

fn measure(
    recipe: &Recipe,
    engines: &[Engine],
    steps: u32,
    options: &Options,
) -> Result<Vec<Measured>, String> {
    let mut players = Vec::new();
    for engine in engines {
        players.push(Player::start(recipe.name, *engine, options)?);
    }
    for player in &mut players {
        player.order(&format!("run {WARM_UP}"))?;
    }
    let mut times = vec![Vec::new(); players.len()];
    for _ in 0..ROUNDS {
        for (player, times) in players.iter_mut().zip(&mut times) {
            let answer = player.order(&format!("run {}", steps.div_ceil(ROUNDS) + 1))?;
            // The first step of a turn finds the caches full of another contestant.
            times.extend(answer.split(' ').skip(1).filter_map(|time| time.parse::<u64>().ok()));
        }
    }
    let mut measured = Vec::new();
    for (player, mut times) in players.into_iter().zip(times) {
        times.sort_unstable();
        let engine = player.engine;
        let answer = player.end()?;
        let mut words = answer.split(' ');
        let mut word = || words.next().unwrap_or_default().to_owned();
        measured.push(Measured {
            engine,
            step: times.get(times.len() / 2).map_or(f64::NAN, |time| *time as f64 * 1e-6),
            pairs: word().parse().unwrap_or(0),
            missing: word().parse().unwrap_or(0),
            wrong: word().parse().unwrap_or(0),
            peak_kilobytes: word().parse().ok(),
        });
    }
    Ok(measured)
}
