//! Random shapes of every kind against a slow twin that is obviously right: points, rays, sweeps,
//! distances and pushes.

mod points;
mod pushes;
mod rays;
mod reported;
mod shapes;
mod sweeps;
#[path = "../twin/mod.rs"]
mod twin;

use proptest::prelude::ProptestConfig;

/// `PROPTEST_CASES=20000 cargo test --release --test space` searches longer.
fn config(cases: u32) -> ProptestConfig {
    let default = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let is_asked = std::env::var_os("PROPTEST_CASES").is_some();
    ProptestConfig { cases: if is_asked { default.cases } else { cases }, ..default }
}

/// Rounding of single precision at numbers of this size.
fn rounding(magnitude: f64) -> f64 {
    32.0 * f64::from(f32::EPSILON) * magnitude
}
