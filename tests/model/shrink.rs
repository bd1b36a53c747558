//! From a failing game to the few operations that matter.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::game::play;
use crate::generate::Script;
use crate::op::Op;
use crate::twin::Tally;

/// Plays a script; a panic is a fault too.
pub(crate) fn outcome(script: &Script) -> Result<Tally, String> {
    catch_unwind(AssertUnwindSafe(|| play(script))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or(panic.downcast_ref::<&str>().map(|&text| text.to_owned()));
        Err(format!("a panic: {}", text.unwrap_or_default()))
    })
}

/// Drops operations while the game still fails: in halves, quarters and so on down to single
/// ones, until none can be missed.
pub(crate) fn shrink(script: &Script, fault: &dyn Fn(&Script) -> Option<String>) -> Script {
    let mut best = script.clone();
    let mut tries = 3000;
    loop {
        let before = best.ops.len();
        let mut size = before.div_ceil(2);
        while size > 0 {
            let mut start = 0;
            while start < best.ops.len() && tries > 0 {
                tries -= 1;
                let mut shorter = best.clone();
                shorter.ops.drain(start..(start + size).min(best.ops.len()));
                if fault(&shorter).is_some() {
                    best = shorter;
                } else {
                    start += size;
                }
            }
            size /= 2;
        }
        for i in 0..best.ops.len() {
            let mut simpler = best.clone();
            simpler.ops[i] = match simpler.ops[i].clone() {
                Op::Handle(_, op) => *op,
                Op::Frame(2..) => Op::Frame(1),
                op => op,
            };
            if simpler.ops != best.ops && fault(&simpler).is_some() {
                best = simpler;
            }
        }
        if best.ops.len() == before || tries == 0 {
            return best;
        }
    }
}

/// What is printed of a game that fails.
pub(crate) fn report(seed: u64, script: &Script, fault: &str) -> String {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let short = shrink(script, &|script| outcome(script).err());
    let short_fault = outcome(&short).err().unwrap_or_default();
    std::panic::set_hook(hook);
    let mut text = format!(
        "NUDGE_SEED={seed} NUDGE_GAMES=1: {fault}\n\nshortened from {} to {} operations{}:\n",
        script.ops.len(),
        short.ops.len(),
        match (short.has_push_out, short.only_stops) {
            (true, true) => ", with push-out of no passes",
            (true, false) => ", with push-out",
            _ => "",
        }
    );
    for op in &short.ops {
        writeln!(text, "    {op:?},").expect("a string takes all");
    }
    write!(text, "which gives: {short_fault}").expect("a string takes all");
    text
}
