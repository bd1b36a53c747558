//! Makes inputs, keeps those that lead to something new, and shortens those that fail.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crate::ALLOCATOR;
use crate::input::{Input, Random, any_word};

/// How much to try.
#[derive(Clone, Copy)]
pub(crate) enum Budget {
    Cases(u64),
    Time(Duration),
}

/// Ten minutes, unless the environment says otherwise.
pub(crate) fn long() -> Budget {
    let seconds = std::env::var("NUDGE_FUZZ_SECONDS")
        .map_or(600, |seconds| seconds.parse().expect("NUDGE_FUZZ_SECONDS must be a whole number"));
    Budget::Time(Duration::from_secs(seconds))
}

/// Says in a few bits what has happened; panics at what must not.
pub(crate) type Target = fn(&mut Input<'_>) -> u64;

/// Far longer than any case takes, even where many other things run.
const HANG: Duration = Duration::from_secs(20);
/// What all allocations of one case together may come to.
const MOST_MEMORY: usize = 512 << 20;
const LONGEST: usize = 400;
/// Lists that are kept; beyond it new ones take the place of old ones.
const MOST_KEPT: usize = 4000;

/// The words of a case through a target: what has happened, or what went wrong.
pub(crate) fn run_case(target: Target, words: &[u32]) -> Result<u64, String> {
    let (start, before) = (Instant::now(), ALLOCATOR.stats().bytes_allocated);
    let result = catch_unwind(AssertUnwindSafe(|| target(&mut Input::new(words))));
    let (elapsed, memory) = (start.elapsed(), ALLOCATOR.stats().bytes_allocated - before);
    let features = result.map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default()
    })?;
    if elapsed > HANG {
        // The machine may have done other things meanwhile, but not twice.
        let start = Instant::now();
        target(&mut Input::new(words));
        let again = start.elapsed();
        if again > HANG {
            return Err(format!("it took {elapsed:?}, and then {again:?}"));
        }
    }
    // Other tests of the process count too, but none of them needs as much.
    if memory > MOST_MEMORY {
        return Err(format!("it asked for {memory} bytes"));
    }
    Ok(features)
}

/// The words of one case as a failure printed them, to be run alone.
fn asked_for() -> Option<Vec<u32>> {
    let text = std::env::var("NUDGE_WORDS").ok()?;
    let words = text.split(',').map(|word| word.trim().trim_start_matches("0x"));
    let words = words.filter(|word| !word.is_empty());
    Some(words.map(|word| u32::from_str_radix(word, 16).expect("words in hex")).collect())
}

pub(crate) fn fuzz(name: &str, target: Target, budget: Budget) {
    if let Some(words) = asked_for() {
        run_case(target, &words).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        return;
    }
    let seed = std::env::var("NUDGE_SEED")
        .map_or(1, |seed| seed.parse().expect("NUDGE_SEED must be a whole number"));
    let mut random = Random::new(seed);
    let mut kept: Vec<Vec<u32>> = vec![Vec::new()];
    let mut seen = HashSet::new();
    let (start, mut said) = (Instant::now(), Instant::now());
    let mut cases = 0_u64;
    while match budget {
        Budget::Cases(most) => cases < most,
        Budget::Time(time) => start.elapsed() < time,
    } {
        let words = change(&kept, &mut random);
        match run_case(target, &words) {
            Ok(features) => {
                if seen.insert(features) {
                    if kept.len() < MOST_KEPT {
                        kept.push(words);
                    } else {
                        let place = random.below(kept.len());
                        kept[place] = words;
                    }
                }
            }
            Err(fault) => {
                let short = shorten(target, words);
                panic!("{name}, case {cases} of seed {seed}: {fault}\n{short:#x?}");
            }
        }
        cases += 1;
        if said.elapsed() > Duration::from_secs(60) {
            said = Instant::now();
            println!("{name}: {cases} cases, {} kinds, {:?}", seen.len(), start.elapsed());
        }
    }
    println!("{name}: {cases} cases, {} kinds, {:?}, none failed", seen.len(), start.elapsed());
    assert!(seen.len() > 20, "{name}: only {} kinds of outcomes", seen.len());
}

/// A new list, most often from a kept one.
fn change(kept: &[Vec<u32>], random: &mut Random) -> Vec<u32> {
    let mut words = kept[random.below(kept.len())].clone();
    for _ in 0..1 + random.below(6) {
        let place = random.below(words.len() + 1);
        match random.below(9) {
            0 => words.insert(place, any_word(random)),
            1 => {
                let more = 1 + random.below(12);
                words.extend((0..more).map(|_| any_word(random)));
            }
            2 if place < words.len() => _ = words.remove(place),
            3 => words.truncate(place),
            4 if !words.is_empty() => {
                // The same number again: equal coordinates, shapes in one place.
                let from = words[random.below(words.len())];
                words.insert(place, from);
            }
            5 => {
                let other = &kept[random.below(kept.len())];
                let from = random.below(other.len() + 1);
                words.truncate(place);
                words.extend_from_slice(&other[from..]);
            }
            6 if place < words.len() => words[place] ^= 1 << random.below(32),
            7 if place < words.len() => {
                // The next number up or down.
                words[place] = words[place].wrapping_add([1, u32::MAX, 2][random.below(3)]);
            }
            _ if place < words.len() => words[place] = any_word(random),
            _ => words.push(any_word(random)),
        }
    }
    words.truncate(LONGEST);
    words
}

/// Leaves out words for as long as it still fails.
fn shorten(target: Target, mut words: Vec<u32>) -> Vec<u32> {
    let mut length = words.len() / 2;
    while length > 0 {
        let mut start = 0;
        while start + length <= words.len() {
            let mut shorter = words.clone();
            shorter.drain(start..start + length);
            if run_case(target, &shorter).is_err() {
                words = shorter;
            } else {
                start += length;
            }
        }
        length /= 2;
    }
    words
}
