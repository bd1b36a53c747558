//! The table: four lines per scene, one column per contestant.

use crate::engines::Engine;
use crate::scenes::Recipe;

/// What was measured of one contestant in one scene.
pub struct Measured {
    pub engine: Engine,
    /// Median of the steps, in milliseconds, the rest of the frame included.
    pub step: f64,
    pub pairs: usize,
    /// Pairs of the exact answer that it did not find, and pairs it found that are not in it.
    pub missing: usize,
    pub wrong: usize,
    pub peak_kilobytes: Option<u64>,
}

pub struct Table {
    engines: Vec<Engine>,
}

impl Table {
    pub fn new(engines: &[Engine]) -> Self {
        Self { engines: engines.to_vec() }
    }

    pub fn print_head(&self) {
        let names: Vec<&str> = self.engines.iter().map(|engine| engine.name()).collect();
        line("", "", &names.iter().map(ToString::to_string).collect::<Vec<_>>());
    }

    pub fn print_scene(&self, recipe: &Recipe, bodies: usize, all: &[Measured]) {
        let find = |engine| all.iter().find(|measured| measured.engine == engine);
        let frame = find(Engine::Nothing).map_or(0.0, |nothing| nothing.step);
        let added = |measured: &Measured| match measured.engine {
            Engine::Nothing => measured.step,
            engine if engine.has_frame() => measured.step - frame,
            _ => measured.step,
        };
        let ours = find(Engine::Nudge);
        let print = |name, what, cell: &dyn Fn(&Measured) -> String| {
            line(name, what, &all.iter().map(cell).collect::<Vec<_>>());
        };
        print(recipe.name, "ms", &|measured| format!("{:.3}", added(measured)));
        print("", "ratio", &|measured| match (measured.engine, ours) {
            (Engine::Nothing, _) | (_, None) => "-".to_owned(),
            (_, Some(ours)) => format!("{:.2}", added(measured) / added(ours)),
        });
        print("", "pairs", &|measured| {
            let Measured { engine, pairs, missing, wrong, .. } = measured;
            match engine {
                Engine::Nothing => "-".to_owned(),
                Engine::Floor => format!("{pairs} given"),
                // An equals sign: not only as many as in the exact answer, but the same.
                _ if missing + wrong == 0 => format!("{pairs}="),
                _ => format!("{pairs} +{wrong}-{missing}"),
            }
        });
        let empty = find(Engine::Nothing).and_then(|nothing| nothing.peak_kilobytes);
        print("", "MB", &|measured| {
            measured
                .peak_kilobytes
                .map_or("-".into(), |peak| format!("{:.1}", peak as f64 / 1024.0))
        });
        print("", "B each", &|measured| match (measured.peak_kilobytes, empty) {
            (Some(peak), Some(empty))
                if measured.engine != Engine::Nothing && measured.engine.has_frame() =>
            {
                format!("{:.0}", (peak as f64 - empty as f64) * 1024.0 / bodies as f64)
            }
            _ => "-".to_owned(),
        });
    }
}

fn line(name: &str, what: &str, cells: &[String]) {
    let cells: String = cells.iter().map(|cell| format!("{cell:>15}")).collect();
    println!("{name:<14}{what:<7}{cells}");
}
