//! Two convex shapes: relation, depth, normal, distance, nearest points.

use bevy::math::DVec2;
use bevy_nudge::geometry::ContactStatus;
use bevy_nudge::geometry::{Contact, Relation, Touch, TouchRule, contact, overlaps, separation};
use serde_json::Value;

use crate::read::{Case, list, number};
use crate::twin::{Solid, gap};
use crate::{Faults, run, tolerance};

#[test]
fn contact_vectors() {
    run("contact", |case, faults| {
        let (a, b) = (Case::read(&case["a"]), Case::read(&case["b"]));
        faults.ask("as given");
        check(&a, &b, &case["expect"], 1.0, faults);
        faults.ask("swapped");
        check(&b, &a, &case["expect"], -1.0, faults);
    });
}

/// The relation that a contact under the inclusive rule tells.
pub(crate) fn relation_of(contact: Option<Contact>) -> Relation {
    match contact.map(|contact| contact.status) {
        None => Relation::Separated,
        Some(ContactStatus::Touching) => Relation::Touching,
        Some(ContactStatus::Overlapping) => Relation::Overlapping,
    }
}

pub(crate) fn expected_relation(expect: &Value) -> Relation {
    match expect["relation"].as_str() {
        Some("separated") => Relation::Separated,
        Some("touching") => Relation::Touching,
        Some("overlapping") => Relation::Overlapping,
        other => panic!("unknown relation {other:?}"),
    }
}

/// The relation, the touching rules, and that all ways to ask agree.
pub(crate) fn check_relation(
    a: &Case,
    b: &Case,
    expect: &Value,
    tolerance: f64,
    faults: &mut Faults,
) {
    let inclusive = contact(&a.placed, &b.placed, TouchRule::Inclusive);
    let exclusive = contact(&a.placed, &b.placed, TouchRule::Exclusive);
    let (relation, expected) = (relation_of(inclusive), expected_relation(expect));
    let distance = f64::from(separation(&a.placed, &b.placed).distance);
    let in_band = number(&expect["separation"]).abs() <= tolerance && distance.abs() <= tolerance;
    faults.check(relation == expected || in_band, || {
        format!("{relation:?}, not {expected:?}; separation {distance}")
    });
    faults.check(exclusive.is_some() == (relation == Relation::Overlapping), || {
        format!("the rules disagree: {inclusive:?}, {exclusive:?}")
    });
    for (rule, contact) in [(TouchRule::Inclusive, inclusive), (TouchRule::Exclusive, exclusive)] {
        let answer = overlaps(&a.placed, &b.placed, Touch::from(rule));
        faults
            .check(answer == contact.is_some(), || format!("overlaps is {answer} under {rule:?}"));
    }
    let flipped = contact(&b.placed, &a.placed, TouchRule::Inclusive).map(Contact::flipped);
    let same_center = a.placed.origin() == b.placed.origin();
    faults.check(same_center || flipped == inclusive, || {
        format!("{inclusive:?}, in the other order {flipped:?}")
    });
}

/// Whether a unit vector is a normal as the README defines it: the gap of the two shapes along
/// it is their separation, or it is one of those listed.
pub(crate) fn is_normal(
    (a, b): (&Solid, &Solid),
    normal: DVec2,
    separation: f64,
    listed: &[DVec2],
    tolerance: f64,
) -> bool {
    let is_unit = (normal.length() - 1.0).abs() <= 1e-5;
    let is_listed = listed.iter().any(|listed| listed.distance(normal) <= 1e-4);
    is_unit && (gap(a, b, normal) >= separation - tolerance || is_listed)
}

/// The nearest points of shapes that are apart.
pub(crate) fn check_nearest(
    a: &Case,
    b: &Case,
    expected: f64,
    tolerance: f64,
    faults: &mut Faults,
) {
    let found = separation(&a.placed, &b.placed);
    let (on_a, on_b) = (found.point_a.as_dvec2(), found.point_b.as_dvec2());
    faults.close("from A to its nearest point", a.solid.distance(on_a), 0.0, tolerance);
    faults.close("from B to its nearest point", b.solid.distance(on_b), 0.0, tolerance);
    faults.close("between the nearest points", on_a.distance(on_b), expected, tolerance);
}

fn check(a: &Case, b: &Case, expect: &Value, sign: f64, faults: &mut Faults) {
    let tolerance = tolerance(a.solid.magnitude().max(b.solid.magnitude()));
    let expected = number(&expect["separation"]);
    let listed: Vec<DVec2> = list(&expect["normals"]).iter().map(|n| *n * sign).collect();
    let solids = (&a.solid, &b.solid);
    let is_normal = |normal| is_normal(solids, normal, expected, &listed, tolerance);

    check_relation(a, b, expect, tolerance, faults);
    if let Some(contact) = contact(&a.placed, &b.placed, TouchRule::Inclusive) {
        let depth = f64::from(contact.depth);
        faults.close("depth", depth, number(&expect["depth"]), tolerance);
        let normal = contact.normal.as_dvec2();
        faults.check(is_normal(normal), || format!("normal {normal} of the contact"));
        let mtv = contact.mtv().as_dvec2();
        faults.close("length of the MTV", mtv.length(), depth, tolerance);
        faults.check(mtv.length() <= tolerance || is_normal(mtv / mtv.length()), || {
            format!("MTV {mtv}")
        });
        let point = contact.point.as_dvec2();
        faults.close("from A to the point", a.solid.distance(point), 0.0, tolerance);
        faults.close("from B to the point", b.solid.distance(point), 0.0, tolerance);
    }
    let found = separation(&a.placed, &b.placed);
    faults.close("separation", f64::from(found.distance), expected, tolerance);
    let normal = found.normal.as_dvec2();
    faults.check(is_normal(normal), || format!("normal {normal} of the separation"));
    if expected_relation(expect) == Relation::Separated {
        check_nearest(a, b, expected, tolerance, faults);
    }
}
