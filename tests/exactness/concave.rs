//! A concave polygon, as one outline and as the compound of its pieces, against a convex shape.

use bevy::math::DVec2;
use bevy_nudge::geometry::{
    Compound, CompoundPart, ConcavePolygon, Relation, Shape, TouchRule, contact, separation,
};
use serde_json::Value;

use crate::contact::{check_nearest, check_relation, expected_relation};
use crate::read::{Case, convex, list, number, place};
use crate::twin::{Piece, Solid, difference};
use crate::{Faults, run, tolerance};

#[test]
fn concave_vectors() {
    run("concave", |case, faults| {
        let [(a, a_pieces), (b, b_pieces)] = [&case["a"], &case["b"]].map(|value| {
            let is_concave = value["type"] == "concave";
            if is_concave { read(value) } else { (Case::read(value), Case::read(value)) }
        });
        for (form, a, b) in [("outline", &a, &b), ("pieces", &a_pieces, &b_pieces)] {
            faults.ask(format!("{form}, as given"));
            check(a, b, &case["expect"], 1.0, faults);
            faults.ask(format!("{form}, swapped"));
            check(b, a, &case["expect"], -1.0, faults);
        }
    });
}

/// A concave shape by its outline, and by the pieces that the file gives.
fn read(value: &Value) -> (Case, Case) {
    let pieces: Vec<Vec<DVec2>> =
        value["pieces"].as_array().expect("pieces").iter().map(list).collect();
    let solid = Solid { pieces: pieces.iter().map(|p| Piece::new(p.clone(), 0.0)).collect() };
    let outline = list(&value["outline"]).into_iter().map(|point| point.as_vec2());
    let concave = ConcavePolygon::new(outline).unwrap_or_else(|error| panic!("{value}: {error}"));
    let whole = Case { placed: place(&concave.into()), solid: solid.clone() };
    let parts = pieces.iter().map(|piece| CompoundPart::from(Shape::from(convex(piece))));
    let compound = Compound::new(parts).expect("a compound");
    (whole, Case { placed: place(&compound.into()), solid })
}

fn check(a: &Case, b: &Case, expect: &Value, sign: f64, faults: &mut Faults) {
    let tolerance = tolerance(a.solid.magnitude().max(b.solid.magnitude()));
    check_relation(a, b, expect, tolerance, faults);
    if expect["mtv_omitted"] == true {
        return;
    }
    let is_stable = expect["stable"] != false;
    let slack = tolerance * expect["sensitivity"].as_f64().unwrap_or(1.0).max(1.0);
    let expected = number(&expect["separation"]);
    let listed: Vec<DVec2> = list(&expect["normals"]).iter().map(|n| *n * sign).collect();

    let found = separation(&a.placed, &b.placed);
    let distance = f64::from(found.distance);
    if is_stable {
        faults.close("separation", distance, expected, slack);
    }
    let normal = found.normal.as_dvec2();
    faults.close("length of the normal of the separation", normal.length(), 1.0, 1e-5);
    if expected_relation(expect) == Relation::Separated {
        check_nearest(a, b, expected, tolerance, faults);
        // Very near each other the nearest points are too coarse for a direction.
        let vector = (found.point_b.as_dvec2() - found.point_a.as_dvec2()) / expected;
        let blur = 1e-4 + 2.0 * tolerance / expected;
        faults.check(normal.distance(vector) <= blur, || format!("{normal} is not {vector}"));
        if expect["closest_unique"] == true && blur < 0.1 {
            faults.check(listed.iter().any(|listed| listed.distance(normal) <= blur), || {
                format!("normal {normal} of the separation, not {listed:?}")
            });
        }
    }

    let Some(contact) = contact(&a.placed, &b.placed, TouchRule::Inclusive) else { return };
    let (depth, normal) = (f64::from(contact.depth), contact.normal.as_dvec2());
    if is_stable {
        faults.close("depth", depth, number(&expect["depth"]), slack);
    } else {
        let range = &expect["depth_range"];
        let (least, most) = (number(&range[0]) - tolerance, number(&range[1]) + tolerance);
        faults.check((least..=most).contains(&depth), || {
            format!("depth {depth}, not in {least} to {most}")
        });
    }
    faults.close("length of the normal", normal.length(), 1.0, 1e-5);
    let mtv = contact.mtv().as_dvec2();
    faults.close("length of the MTV", mtv.length(), depth, tolerance);
    // After the push no piece is deeper than the tolerance in another.
    let left = difference(&a.solid, &b.solid).signed_distance(mtv);
    faults.check(left >= -slack, || format!("the MTV {mtv} leaves {:e} of {slack:e}", -left));
    if expected_relation(expect) == Relation::Overlapping && is_stable {
        faults.check(left <= slack, || format!("the MTV {mtv} leaves a gap of {left:e}"));
    }
    let point = contact.point.as_dvec2();
    faults.close("from A to the point", a.solid.distance(point), 0.0, tolerance);
    faults.close("from B to the point", b.solid.distance(point), 0.0, tolerance);
}
