//! The answers of an exact rational oracle, see `tests/vectors/README.md`.
//!
//! `NUDGE_VECTORS=DIR cargo test --release --test exactness` runs the vectors of another
//! directory. A family without a file there is skipped, with a line that says so.

mod concave;
mod contact;
mod grid;
mod outline;
mod point;
mod ray;
mod read;
mod sweep;
#[path = "../twin/mod.rs"]
mod twin;

use std::path::{Path, PathBuf};

use serde_json::Value;

const FAMILIES: [&str; 6] = ["contact", "grid", "point", "ray", "sweep", "concave"];

fn directory() -> PathBuf {
    std::env::var_os("NUDGE_VECTORS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors"), PathBuf::from)
}

/// The cases of one family in the directory; none if there is no such file.
fn cases(family: &str) -> Option<Vec<Value>> {
    let path = directory().join(format!("{family}.json"));
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            println!("{family}: no {}, skipped", path.display());
            return None;
        }
        Err(error) => panic!("{}: {error}", path.display()),
    };
    let file: Value =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(file["schema"], "collision2d-vectors/1", "{}", path.display());
    assert_eq!(file["family"], family, "{}", path.display());
    let cases = file["cases"].as_array().expect("a list of cases").clone();
    assert_eq!(file["count"].as_u64(), Some(cases.len() as u64), "{}", path.display());
    assert!(!cases.is_empty(), "{}: no cases", path.display());
    Some(cases)
}

/// Runs a check over all cases of a family, and reports all that is wrong at once.
fn run(family: &str, check: impl Fn(&Value, &mut Faults)) {
    let Some(cases) = cases(family) else { return };
    let mut wrong = Vec::new();
    let mut wrong_cases = 0;
    for case in &cases {
        let mut faults = Faults::default();
        check(case, &mut faults);
        wrong_cases += usize::from(!faults.list.is_empty());
        let name = |fault| format!("{} ({}): {fault}", case["id"], case["note"]);
        wrong.extend(faults.list.into_iter().map(name));
    }
    println!("{family}: {} cases, {wrong_cases} wrong", cases.len());
    let shown = wrong.iter().take(400).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} faults in {wrong_cases} cases:\n{shown}", wrong.len());
}

/// What is wrong with the answers to one case.
#[derive(Default)]
struct Faults {
    list: Vec<String>,
    /// Which of several questions is asked at the moment.
    asked: String,
}

impl Faults {
    fn ask(&mut self, question: impl Into<String>) {
        self.asked = question.into();
    }

    fn check(&mut self, is_right: bool, fault: impl FnOnce() -> String) {
        if !is_right {
            self.list.push(format!("{}: {}", self.asked, fault()));
        }
    }

    /// Within a tolerance. NaN is not.
    fn close(&mut self, what: &str, found: f64, expected: f64, tolerance: f64) {
        self.check((found - expected).abs() <= tolerance, || {
            format!("{what} {found}, not {expected}, off by {:e}, tolerance {tolerance:e}", {
                (found - expected).abs()
            })
        });
    }
}

/// The README's tolerance for single precision, from the largest number of a case.
fn tolerance(magnitude: f64) -> f64 {
    1e-12 + 8.0 * 2_f64.powi(-23) * magnitude
}

#[test]
fn every_file_is_run_or_named_as_skipped() {
    let entries = std::fs::read_dir(directory()).expect("the directory of the vectors");
    let mut run = 0;
    for entry in entries {
        let path = entry.expect("an entry").path();
        let family = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        match family {
            _ if path.extension().is_none_or(|extension| extension != "json") => {}
            _ if FAMILIES.contains(&family) => run += 1,
            _ => println!("{family}: not supported, skipped"),
        }
    }
    assert!(run > 0, "no vectors of a supported family in {}", directory().display());
}
