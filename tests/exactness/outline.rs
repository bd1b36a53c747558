//! A point and an outline, which may cross itself: both fill rules, the winding number, distances.

use bevy::math::{DVec2, Vec2};
use bevy_nudge::geometry::{
    FillRule, PointLocation, TouchRule, locate_in_outline, project_on_outline,
    signed_distance_to_outline, winding_number,
};
use serde_json::Value;

use crate::point::expected_location;
use crate::read::{list, number};
use crate::twin::distance_to_segment;
use crate::{Faults, tolerance};

pub(crate) fn check_outline(
    points: &[DVec2],
    point: DVec2,
    expect: &Value,
    faults: &mut Faults,
) {
    let outline: Vec<Vec2> = points.iter().map(|point| point.as_vec2()).collect();
    let magnitude = points.iter().chain([&point]).map(|p| p.abs().max_element());
    let tolerance = tolerance(magnitude.fold(0.0, f64::max));
    let at = point.as_vec2();
    // Where the rules differ the answers carry their names.
    let answer = |name: &str, rule: &str| match expect.get(name) {
        Some(same) => same.clone(),
        None => expect[format!("{name}_{rule}")].clone(),
    };
    for (rule, name) in [(FillRule::EvenOdd, "even_odd"), (FillRule::NonZero, "nonzero")] {
        faults.ask(name);
        let distance = number(&answer("signed_distance", name));
        let found = signed_distance_to_outline(&outline, at, rule);
        faults.close("signed distance", f64::from(found), distance, tolerance);
        let expected = expected_location(&answer("class", name));
        for touch in [TouchRule::Inclusive, TouchRule::Exclusive] {
            let found = locate_in_outline(&outline, at, rule, touch);
            faults.check(found == expected || distance.abs() <= tolerance, || {
                format!("{found:?}, not {expected:?}, under {touch:?}")
            });
        }
        if expected != PointLocation::Boundary
            && let Some(winding) = expect["winding_number"].as_i64()
        {
            let found = winding_number(&outline, at);
            faults.check(i64::from(found) == winding, || format!("winding {found}, not {winding}"));
        }
    }
    faults.ask("nearest");
    let nearest = project_on_outline(&outline, at).as_dvec2();
    let edges = (0..points.len()).map(|i| (points[i], points[(i + 1) % points.len()]));
    let off = edges.map(|(a, b)| distance_to_segment(nearest, a, b)).fold(f64::MAX, f64::min);
    faults.close("from the outline to its nearest", off, 0.0, tolerance);
    let listed = list(&expect["closest_boundary"]);
    let distance = listed[0].distance(point);
    faults.close("to the nearest", nearest.distance(point), distance, tolerance);
}
