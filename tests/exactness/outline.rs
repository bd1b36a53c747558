//! A point and an outline, which may cross itself: both fill rules, the winding number, distances.

use bevy::math::{DVec2, Vec2};
use bevy_nudge::geometry::{
    ConcavePolygon, FillRule, PointLocation, TouchRule, locate_in_outline, locate_point,
    project_on_outline, project_point, signed_distance_to_outline, winding_number,
};
use serde_json::Value;

use crate::point::expected_location;
use crate::read::{list, number, place};
use crate::twin::distance_to_segment;
use crate::{Faults, tolerance};

pub(crate) fn check_outline(points: &[DVec2], point: DVec2, expect: &Value, faults: &mut Faults) {
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
    let found = project_on_outline(&outline, at).expect("an outline with points");
    let nearest = found.nearest.as_dvec2();
    let edges = || (0..points.len()).map(|i| (points[i], points[(i + 1) % points.len()]));
    let off = edges().map(|(a, b)| distance_to_segment(nearest, a, b)).fold(f64::MAX, f64::min);
    faults.close("from the outline to its nearest", off, 0.0, tolerance);
    let listed = list(&expect["closest_boundary"]);
    let distance = listed[0].distance(point);
    faults.close("to the nearest", nearest.distance(point), distance, tolerance);
    faults.close("distance", f64::from(found.distance), distance, tolerance);
    // A simple outline is a shape as well.
    if expect.get("class").is_some()
        && let Ok(concave) = ConcavePolygon::new(outline.iter().copied())
    {
        faults.ask("as a shape");
        let placed = place(&concave.into());
        let expected = expected_location(&expect["class"]);
        let distance = number(&expect["signed_distance"]);
        let found = locate_point(&placed, at, TouchRule::Inclusive);
        faults.check(found == expected || distance.abs() <= tolerance, || {
            format!("{found:?}, not {expected:?}")
        });
        let found = project_point(&placed, at);
        faults.close("signed distance", f64::from(found.signed_distance), distance, tolerance);
        let boundary = found.on_boundary.as_dvec2();
        let off =
            edges().map(|(a, b)| distance_to_segment(boundary, a, b)).fold(f64::MAX, f64::min);
        faults.close("from the boundary to its nearest", off, 0.0, tolerance);
        faults.close("to the boundary", boundary.distance(point), distance.abs(), tolerance);
        faults.close(
            "to the solid",
            found.nearest.as_dvec2().distance(point),
            distance.max(0.0),
            tolerance,
        );
        faults.close("length of the normal", found.normal.as_dvec2().length(), 1.0, 1e-5);
        if distance.abs() > 100.0 * tolerance {
            let way = (point - boundary) / distance;
            faults.check(found.normal.as_dvec2().distance(way) <= 0.05, || {
                format!("normal {}, not {way}", found.normal)
            });
        }
    }
}
