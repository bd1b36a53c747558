//! A point and a shape: inside, boundary or outside, nearest points, signed distance.

use bevy::math::DVec2;
use bevy_nudge::geometry::{PointLocation, TouchRule, contains_point, locate_point, project_point};
use serde_json::Value;

use crate::outline::check_outline;
use crate::read::{Case, list, number, vector};
use crate::{Faults, run, tolerance};

#[test]
fn point_vectors() {
    run("point", |case, faults| {
        let point = vector(&case["b"]["at"]);
        if case["a"]["type"] == "outline" {
            check_outline(&list(&case["a"]["points"]), point, &case["expect"], faults);
        } else {
            check(&Case::read(&case["a"]), point, &case["expect"], faults);
        }
    });
}

pub(crate) fn expected_location(class: &Value) -> PointLocation {
    match class.as_str() {
        Some("inside") => PointLocation::Inside,
        Some("boundary") => PointLocation::Boundary,
        Some("outside") => PointLocation::Outside,
        other => panic!("unknown class {other:?}"),
    }
}

fn check(shape: &Case, point: DVec2, expect: &Value, faults: &mut Faults) {
    let tolerance = tolerance(shape.solid.magnitude().max(point.abs().max_element()));
    let distance = number(&expect["signed_distance"]);
    let at = point.as_vec2();

    let expected = expected_location(&expect["class"]);
    let found = locate_point(&shape.placed, at, TouchRule::Inclusive);
    faults.check(found == expected || distance.abs() <= tolerance, || {
        format!("{found:?}, not {expected:?}")
    });
    for (rule, is_in) in [
        (TouchRule::Inclusive, found != PointLocation::Outside),
        (TouchRule::Exclusive, found == PointLocation::Inside),
    ] {
        let location = locate_point(&shape.placed, at, rule);
        faults.check(location == found, || format!("{location:?} under {rule:?}, else {found:?}"));
        let answer = contains_point(&shape.placed, at, rule);
        faults.check(answer == is_in, || format!("contains is {answer} under {rule:?}"));
    }

    let found = project_point(&shape.placed, at);
    faults.close("signed distance", f64::from(found.signed_distance), distance, tolerance);
    let nearest = found.nearest.as_dvec2();
    faults.close("from the solid to its nearest", shape.solid.distance(nearest), 0.0, tolerance);
    faults.close("to the nearest", nearest.distance(point), distance.max(0.0), tolerance);
    let boundary = found.on_boundary.as_dvec2();
    let off = shape.solid.signed_distance(boundary);
    faults.close("from the boundary to its nearest", off, 0.0, tolerance);
    faults.close("to the boundary", boundary.distance(point), distance.abs(), tolerance);
    // The normal's supporting line goes through the nearest point and leaves the shape behind it.
    let normal = found.normal.as_dvec2();
    faults.close("length of the normal", normal.length(), 1.0, 1e-5);
    let behind = shape.solid.support(normal) - normal.dot(boundary);
    faults.close("the shape beyond the normal's line", behind, 0.0, 2.0 * tolerance);
    let along = normal.dot(point - boundary);
    faults.close("distance along the normal", along, distance, 2.0 * tolerance);
}
