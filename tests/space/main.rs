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

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Rounding of single precision at numbers of this size.
fn rounding(magnitude: f64) -> f64 {
    32.0 * f64::from(f32::EPSILON) * magnitude
}
