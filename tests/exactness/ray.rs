//! A ray or segment against a convex shape.

use bevy::math::{DVec2, Vec2};
use bevy_nudge::geometry::{Ray, RayHit, StartInside, TouchRule, cast_ray};
use serde_json::Value;

use crate::read::{Case, list, number, vector};
use crate::{Faults, run, tolerance};

#[test]
fn ray_vectors() {
    run("ray", |case, faults| {
        let expect = &case["expect"];
        let origin = vector(&case["b"]["origin"]);
        let direction = vector(&case["b"]["direction"]);
        let ray = Ray::new(origin.as_vec2(), direction.as_vec2());
        if expect["result"] == "invalid" {
            faults.check(ray.is_err(), || format!("{ray:?} is not an error"));
            return;
        }
        let mut ray = ray.unwrap_or_else(|error| panic!("{}: {error}", case["id"]));
        if let Some(max) = case["b"]["max"].as_f64() {
            ray = ray.with_length(max as f32);
        }
        let query =
            Query { shape: Case::read(&case["a"]), ray, origin, way: direction.normalize() };
        for rule in [TouchRule::Inclusive, TouchRule::Exclusive] {
            for start_inside in [StartInside::HitAtOnce, StartInside::FirstExit] {
                faults.ask(format!("{rule:?}, {start_inside:?}"));
                query.check(rule, start_inside, expect, faults);
            }
        }
    });
}

struct Query {
    shape: Case,
    ray: Ray,
    origin: DVec2,
    way: DVec2,
}

/// Where a ray should meet the shape.
struct Place {
    distance: f64,
    normals: Vec<DVec2>,
}

impl Place {
    fn read(value: &Value) -> Self {
        Self { distance: number(&value["distance"]), normals: list(&value["normals"]) }
    }
}

impl Query {
    fn tolerance(&self, distance: f64) -> f64 {
        let end = self.origin.abs().max_element().max(distance);
        tolerance(self.shape.solid.magnitude().max(end))
    }

    fn check(&self, rule: TouchRule, start: StartInside, expect: &Value, faults: &mut Faults) {
        let found = cast_ray(&self.shape.placed, &self.ray.with_start_inside(start), rule);
        let margin = number(&expect["margin"]);
        if expect["result"] == "miss" {
            let tolerance = self.tolerance(0.0);
            faults
                .check(found.is_none() || margin <= tolerance, || format!("no hit, but {found:?}"));
            return;
        }
        let first = Place::read(expect);
        let exit = expect.get("exit").map(Place::read);
        let within_max = expect["exit"]["within_max"] == true;
        let tolerance = self.tolerance(exit.as_ref().unwrap_or(&first).distance);
        let kind = expect["kind"].as_str().expect("a kind");
        // Under the exclusive rule a ray must go through the interior.
        if rule == TouchRule::Exclusive && margin == 0.0 {
            faults.check(found.is_none(), || format!("only touches, but {found:?}"));
            return;
        }
        let is_in_band = margin.abs() <= tolerance;
        if start == StartInside::FirstExit && kind == "inside" {
            let exit = exit.as_ref().expect("an exit");
            if !within_max {
                let near_end = exit.distance - f64::from(self.ray.length()) <= tolerance;
                faults.check(found.is_none() || near_end || is_in_band, || {
                    format!("ends inside, but {found:?}")
                });
                return;
            }
        }
        let Some(found) = found else {
            faults.check(is_in_band, || "no hit".into());
            return;
        };
        match (kind, start) {
            ("inside", StartInside::HitAtOnce) => self.check_inside(&found, tolerance, faults),
            ("inside", StartInside::FirstExit) => {
                faults.check(found.starts_inside || is_in_band, || format!("outside: {found:?}"));
                self.check_place(&found, exit.as_ref().expect("an exit"), tolerance, faults);
            }
            // On the boundary within the tolerance it may also count as inside.
            ("boundary", StartInside::HitAtOnce) => {
                faults.close("distance", f64::from(found.distance), 0.0, tolerance);
                let normal = found.normal.as_dvec2();
                let is_reversed = found.starts_inside && normal.distance(-self.way) <= 1e-5;
                faults.check(is_reversed || self.is_normal(&found, &first, tolerance), || {
                    format!("normal {normal}")
                });
            }
            ("boundary", StartInside::FirstExit) => {
                let exit = exit.as_ref().expect("an exit");
                let place = if f64::from(found.distance) <= tolerance { &first } else { exit };
                self.check_place(&found, place, tolerance, faults);
            }
            _ => {
                faults.check(!found.starts_inside || is_in_band, || format!("inside: {found:?}"));
                self.check_place(&found, &first, tolerance, faults);
            }
        }
    }

    /// A hit at once: distance 0, at the origin, with a normal against the ray.
    fn check_inside(&self, found: &RayHit, tolerance: f64, faults: &mut Faults) {
        let is_on_boundary = self.shape.solid.signed_distance(self.origin).abs() <= tolerance;
        faults.check(found.starts_inside || is_on_boundary, || format!("not inside: {found:?}"));
        faults.close("distance", f64::from(found.distance), 0.0, tolerance);
        faults.close("point", found.point.as_dvec2().distance(self.origin), 0.0, tolerance);
        let normal = found.normal.as_dvec2();
        faults.check(is_on_boundary || normal.distance(-self.way) <= 1e-5, || {
            format!("normal {normal}, not against the ray")
        });
    }

    fn check_place(&self, found: &RayHit, place: &Place, tolerance: f64, faults: &mut Faults) {
        let distance = f64::from(found.distance);
        let point = found.point.as_dvec2();
        let steepness = place.normals.iter().map(|normal| normal.dot(self.way).abs());
        let steepness = steepness.fold(1.0, f64::min);
        if steepness >= 1e-3 {
            faults.close("distance", distance, place.distance, tolerance / steepness);
        }
        faults.check(found.distance <= self.ray.length().next_up(), || {
            format!("past the end: {found:?}")
        });
        let on_ray = self.origin + self.way * distance;
        faults.close("from the ray to the point", point.distance(on_ray), 0.0, tolerance);
        let off = self.shape.solid.signed_distance(point);
        faults.close("from the boundary to the point", off, 0.0, tolerance);
        faults
            .check(self.is_normal(found, place, tolerance), || format!("normal {}", found.normal));
    }

    /// An outward normal of the shape at the point that was found.
    fn is_normal(&self, found: &RayHit, place: &Place, tolerance: f64) -> bool {
        let (point, normal) = (found.point.as_dvec2(), found.normal.as_dvec2());
        let is_unit = (normal.length() - 1.0).abs() <= 1e-5 && found.normal != Vec2::ZERO;
        let is_listed = place.normals.iter().any(|listed| listed.distance(normal) <= 1e-4);
        let behind = self.shape.solid.support(normal) - normal.dot(point);
        is_unit && (is_listed || behind.abs() <= 2.0 * tolerance)
    }
}
