//! One contestant with one scene in a process of its own, so that its peak memory is its own.
//!
//! It takes orders on its input, one a line, and answers each with one line:
//!
//! | order | answer |
//! |---|---|
//! | (start) | `ready` |
//! | `run N` | the nanoseconds of N steps |
//! | `ask` | the nanoseconds of answering all questions: points, rays, boxes |
//! | `check` | for points, rays, boxes: hits, and how many are missing and wrong |
//! | `end` | count of pairs, how many are missing and too many, peak memory in kB or a dash |

use std::io::{BufRead, stdin};

use crate::engines::{Contestant, Engine, Pair};
use crate::exact_answers::ExactAnswers;
use crate::plain;
use crate::queries::Questions;
use crate::scenes::Scene;

pub fn serve(scene: &Scene, engine: Engine, threads: usize) {
    let mut contestant = engine.start(scene, threads);
    let mut steps_made = 0;
    println!("ready");
    for line in stdin().lock().lines() {
        let Ok(line) = line else { return };
        match line.split_once(' ').unwrap_or((&line, "")) {
            ("run", steps) => {
                let steps: u32 = steps.parse().unwrap_or(0);
                steps_made += steps;
                let times: Vec<String> =
                    (0..steps).map(|_| contestant.step().as_nanos().to_string()).collect();
                println!("{}", times.join(" "));
            }
            ("ask", _) => {
                let answers = contestant.ask(&Questions::new(scene));
                let times = answers.map(|answers| answers.time.as_nanos().to_string());
                println!("{}", times.join(" "));
            }
            ("check", _) => println!("{}", check(&mut *contestant, scene, steps_made)),
            _ => {
                // Before anything is gathered that the contestant itself does not need.
                let peak = peak_memory();
                let found = sorted(contestant.pairs());
                let exact = sorted(plain::pairs(scene, steps_made));
                let missing = exact.iter().filter(|pair| found.binary_search(pair).is_err());
                let wrong = found.iter().filter(|pair| exact.binary_search(pair).is_err());
                println!("{} {} {} {peak}", found.len(), missing.count(), wrong.count());
                return;
            }
        }
    }
}

fn check(contestant: &mut dyn Contestant, scene: &Scene, step: u32) -> String {
    let questions = Questions::new(scene);
    let found = contestant.ask(&questions).map(|answers| {
        let number = |(question, entity)| [question, contestant.number(entity)];
        answers.found.into_iter().map(number).collect::<Vec<_>>()
    });
    let exact = ExactAnswers::new(scene, &questions, step);
    let [points, rays, boxes] = &found;
    let faults = [exact.check_points(points), exact.check_rays(rays), exact.check_boxes(boxes)];
    let texts = found.iter().zip(faults);
    let texts = texts.map(|(found, [missing, wrong])| format!("{} {missing} {wrong}", found.len()));
    texts.collect::<Vec<_>>().join(" ")
}

fn sorted(mut pairs: Vec<Pair>) -> Vec<Pair> {
    for pair in &mut pairs {
        pair.sort_unstable();
    }
    pairs.sort_unstable();
    pairs
}

/// The most memory this process ever had, as Linux tells it.
fn peak_memory() -> String {
    std::fs::read_to_string("/proc/self/status")
        .ok()
        .and_then(|status| {
            let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
            Some(line.split_whitespace().nth(1)?.to_owned())
        })
        .unwrap_or("-".to_owned())
}
