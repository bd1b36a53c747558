//! A convex shape that moves in a straight line against one that stays.

use bevy::math::{DVec2, Vec2};
use bevy_nudge::geometry::{Impact, Relation, TouchRule, sweep};
use serde_json::Value;

use crate::contact::is_normal;
use crate::read::{Case, list, number, vector};
use crate::twin::separation;
use crate::{Faults, run, tolerance};

#[test]
fn sweep_vectors() {
    run("sweep", |case, faults| {
        let (a, b) = (Case::read(&case["a"]), Case::read(&case["b"]));
        let displacement = vector(&case["displacement"]);
        for rule in [TouchRule::Inclusive, TouchRule::Exclusive] {
            let way = displacement.as_vec2();
            faults.ask(format!("{rule:?}"));
            let found = sweep(&a.placed, &b.placed, way, rule);
            Path { a: &a, b: &b, displacement }.check(found, rule, &case["expect"], faults);
            // The other one moves the other way: the same moment, seen from B.
            faults.ask(format!("{rule:?}, A moves"));
            let found = sweep(&b.placed, &a.placed, -way, rule).map(|impact| Impact {
                normal: -impact.normal,
                point: impact.point + way * impact.time,
                ..impact
            });
            Path { a: &a, b: &b, displacement }.check(found, rule, &case["expect"], faults);
        }
    });
}

struct Path<'a> {
    a: &'a Case,
    b: &'a Case,
    displacement: DVec2,
}

impl Path<'_> {
    fn check(&self, found: Option<Impact>, rule: TouchRule, expect: &Value, faults: &mut Faults) {
        let end = self.b.solid.moved(self.displacement).magnitude();
        let tolerance = tolerance(self.a.solid.magnitude().max(self.b.solid.magnitude()).max(end));
        let margin = number(&expect["margin"]);
        let start = number(&expect["initial_separation"]);
        let (in_band, starts_in_band) = (margin.abs() <= tolerance, start.abs() <= tolerance);
        let is_miss = expect["status"] == "miss";
        let only_touches = rule == TouchRule::Exclusive && margin == 0.0;
        if is_miss || only_touches {
            let may_hit = in_band || (is_miss && starts_in_band);
            faults.check(found.is_none() || (may_hit && !only_touches), || {
                format!("no impact, but {found:?}")
            });
            return;
        }
        let Some(found) = found else {
            faults.check(in_band, || "no impact".into());
            return;
        };
        let expected_start = match expect["status"].as_str() {
            Some("initial_overlap") => Relation::Overlapping,
            Some("initial_touch") => Relation::Touching,
            _ => Relation::Separated,
        };
        faults.check(found.start == expected_start || starts_in_band, || {
            format!("starts {:?}, not {expected_start:?}", found.start)
        });
        let (time, expected) = (f64::from(found.time), number(&expect["t"]));
        faults.check((0.0..=1.0).contains(&time), || format!("time {time}"));
        let is_contact_at_once = match found.start {
            Relation::Overlapping => true,
            Relation::Touching => rule == TouchRule::Inclusive,
            Relation::Separated => false,
        };
        faults.check(!is_contact_at_once || time == 0.0, || {
            format!("time {time} though they start {:?}", found.start)
        });
        let at_impact = self.b.solid.moved(self.displacement * time);
        let apart = separation(&self.a.solid, &at_impact);
        match expect["approach"].as_f64() {
            Some(approach) if approach >= 1e-3 * self.displacement.length() => {
                faults.close("time", time, expected, tolerance / approach);
            }
            Some(_) => faults.close("separation at the time", apart, 0.0, tolerance),
            None => faults.close("time", time, 0.0, 0.0),
        }
        let exact = self.b.solid.moved(self.displacement * expected);
        let listed = list(&expect["normals"]);
        let separation = start.min(0.0);
        let normal = found.normal.as_dvec2();
        faults.check(
            is_normal((&self.a.solid, &exact), normal, separation, &listed, tolerance),
            || format!("normal {normal}, not one of {listed:?}"),
        );
        let point = found.point.as_dvec2();
        faults.check(found.point != Vec2::NAN && point.is_finite(), || format!("point {point}"));
        faults.close("from A to the point", self.a.solid.distance(point), 0.0, tolerance);
        faults.close("from B to the point", at_impact.distance(point), 0.0, tolerance);
    }
}
