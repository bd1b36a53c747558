//! The answers of an exact rational oracle, see `tests/vectors/README.md`.
//!
//! `NUDGE_VECTORS=DIR cargo test --release --test exactness` runs the vectors of another
//! directory. Families that this crate does not answer yet are skipped, with a line that says so.

use std::path::{Path, PathBuf};

use bevy::math::{Affine2, DVec2};
use bevy_nudge::geometry::{
    Aabb, Circle, Contact, ContactStatus, ConvexPolygon, PlacedShape, Shape, Touch, TouchRule,
    contact, overlaps, separation,
};
use serde_json::Value;

fn directory() -> PathBuf {
    std::env::var_os("NUDGE_VECTORS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors"), PathBuf::from)
}

/// The cases of each file of one family in the directory; none if there is no such file.
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

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("a number, not {value}"))
}

fn vector(value: &Value) -> DVec2 {
    DVec2::new(number(&value[0]), number(&value[1]))
}

fn list(value: &Value) -> Vec<DVec2> {
    value.as_array().map_or(Vec::new(), |list| list.iter().map(vector).collect())
}

/// A shape of the vectors twice: as the crate takes it, and as plain numbers for the checks.
struct Case {
    placed: PlacedShape,
    points: Vec<DVec2>,
    radius: f64,
}

impl Case {
    fn read(value: &Value) -> Self {
        let (shape, points, radius): (Shape, _, _) = match value["type"].as_str() {
            Some("circle") => {
                let (center, radius) = (vector(&value["center"]), number(&value["radius"]));
                let circle = Circle::new(center.as_vec2(), radius as f32).expect("a circle");
                (circle.into(), vec![center], radius)
            }
            Some("aabb") => {
                let (min, max) = (vector(&value["min"]), vector(&value["max"]));
                let aabb = Aabb::from_corners(min.as_vec2(), max.as_vec2()).expect("a box");
                (
                    aabb.into(),
                    vec![min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)],
                    0.0,
                )
            }
            Some("polygon") => {
                let points = list(&value["points"]);
                let corners = points.iter().map(|point| point.as_vec2());
                let polygon = match points.len() {
                    2 => ConvexPolygon::segment(points[0].as_vec2(), points[1].as_vec2()),
                    _ => ConvexPolygon::new(corners),
                };
                let polygon = polygon.unwrap_or_else(|error| panic!("{value}: {error}"));
                (polygon.into(), points, 0.0)
            }
            other => panic!("unknown shape {other:?}"),
        };
        let placed = PlacedShape::new(&shape, Affine2::IDENTITY).expect("a place");
        Self { placed, points, radius }
    }

    fn magnitude(&self) -> f64 {
        let farthest = self.points.iter().map(|point| point.abs().max_element());
        farthest.fold(0.0, f64::max) + self.radius
    }

    /// Largest coordinate along a direction.
    fn support(&self, direction: DVec2) -> f64 {
        let along = self.points.iter().map(|point| point.dot(direction));
        along.fold(f64::MIN, f64::max) + self.radius * direction.length()
    }

    /// Distance from a point to the solid shape.
    fn distance(&self, point: DVec2) -> f64 {
        let n = self.points.len();
        if n == 1 {
            return (point.distance(self.points[0]) - self.radius).max(0.0);
        }
        let edges = || (0..n).map(|i| (self.points[i], self.points[(i + 1) % n]));
        let area: f64 =
            edges().map(|(a, b)| (a - self.points[0]).perp_dot(b - self.points[0])).sum();
        if area > 0.0 && edges().all(|(a, b)| (b - a).perp_dot(point - a) >= 0.0) {
            return 0.0;
        }
        edges()
            .map(|(a, b)| {
                let edge = b - a;
                let along = if edge == DVec2::ZERO {
                    0.0
                } else {
                    (point - a).dot(edge) / edge.length_squared()
                };
                point.distance(a + edge * along.clamp(0.0, 1.0))
            })
            .fold(f64::INFINITY, f64::min)
    }
}

/// The support gap of the README: how far B is from A along a direction.
fn gap(a: &Case, b: &Case, normal: DVec2) -> f64 {
    -b.support(-normal) - a.support(normal)
}

#[derive(PartialEq, Clone, Copy, Debug)]
enum Relation {
    Separated,
    Touching,
    Overlapping,
}

/// Collects what is wrong, to report all of it at once.
struct Report {
    family: &'static str,
    cases: usize,
    wrong: Vec<String>,
}

impl Report {
    fn finish(self) {
        println!("{}: {} cases, {} wrong", self.family, self.cases, self.wrong.len());
        let shown = self.wrong.iter().take(400).map(String::as_str).collect::<Vec<_>>().join("\n");
        assert!(self.wrong.is_empty(), "{} wrong:\n{shown}", self.wrong.len());
    }
}

#[test]
fn contact_vectors() {
    let Some(cases) = cases("contact") else { return };
    let mut report = Report { family: "contact", cases: cases.len(), wrong: Vec::new() };
    for case in &cases {
        let (a, b) = (Case::read(&case["a"]), Case::read(&case["b"]));
        for is_swapped in [false, true] {
            let (first, second) = if is_swapped { (&b, &a) } else { (&a, &b) };
            for fault in check_contact(first, second, &case["expect"], is_swapped) {
                let order = if is_swapped { "swapped" } else { "as given" };
                report.wrong.push(format!("{} ({}), {order}: {fault}", case["id"], case["note"]));
            }
        }
    }
    report.finish();
}

fn check_contact(a: &Case, b: &Case, expect: &Value, is_swapped: bool) -> Vec<String> {
    let mut faults = Vec::new();
    let tolerance = 1e-12 + 8.0 * 2_f64.powi(-23) * a.magnitude().max(b.magnitude());
    let expected = number(&expect["separation"]);
    let expected_relation = match expect["relation"].as_str() {
        Some("separated") => Relation::Separated,
        Some("touching") => Relation::Touching,
        Some("overlapping") => Relation::Overlapping,
        other => panic!("unknown relation {other:?}"),
    };
    let mut check = |ok: bool, what: String| {
        if !ok {
            faults.push(what);
        }
    };

    let found = separation(&a.placed, &b.placed);
    let distance = f64::from(found.distance);
    check(
        (distance - expected).abs() <= tolerance,
        format!("separation {distance}, not {expected}"),
    );

    // The relation, and both rules agree with it and with the yes-or-no test.
    let inclusive = contact(&a.placed, &b.placed, TouchRule::Inclusive);
    let exclusive = contact(&a.placed, &b.placed, TouchRule::Exclusive);
    let relation = match inclusive.map(|contact| contact.status) {
        None => Relation::Separated,
        Some(ContactStatus::Touching) => Relation::Touching,
        Some(ContactStatus::Overlapping) => Relation::Overlapping,
    };
    let in_band = expected.abs() <= tolerance && distance.abs() <= tolerance;
    check(
        relation == expected_relation || in_band,
        format!("{relation:?}, not {expected_relation:?}"),
    );
    check(exclusive.is_some() == (relation == Relation::Overlapping), "the rules disagree".into());
    for (rule, contact) in [(TouchRule::Inclusive, inclusive), (TouchRule::Exclusive, exclusive)] {
        let answer = overlaps(&a.placed, &b.placed, Touch::from(rule));
        check(answer == contact.is_some(), format!("overlaps is {answer} under {rule:?}"));
    }

    // Both orders of the arguments.
    let flipped = contact(&b.placed, &a.placed, TouchRule::Inclusive).map(Contact::flipped);
    let same_center = a.placed.origin() == b.placed.origin();
    check(same_center || flipped == inclusive, format!("{inclusive:?} against {flipped:?}"));

    let is_normal = |normal: DVec2| {
        let sign = if is_swapped { -1.0 } else { 1.0 };
        let is_unit = (normal.length() - 1.0).abs() <= 1e-5;
        let is_listed =
            list(&expect["normals"]).iter().any(|&listed| (listed * sign).distance(normal) <= 1e-4);
        is_unit && (gap(a, b, normal) >= expected - tolerance || is_listed)
    };
    if let Some(contact) = inclusive {
        let depth = f64::from(contact.depth);
        let expected_depth = number(&expect["depth"]);
        check(
            (depth - expected_depth).abs() <= tolerance,
            format!("depth {depth}, not {expected_depth}"),
        );
        let normal = contact.normal.as_dvec2();
        check(is_normal(normal), format!("normal {normal}, gap {}", gap(a, b, normal)));
        let mtv = contact.mtv().as_dvec2();
        check(
            (mtv.length() - depth).abs() <= tolerance,
            format!("MTV {mtv} of length {}", mtv.length()),
        );
        check(mtv.length() <= tolerance || is_normal(mtv / mtv.length()), format!("MTV {mtv}"));
        let point = contact.point.as_dvec2();
        let (to_a, to_b) = (a.distance(point), b.distance(point));
        check(
            to_a.max(to_b) <= tolerance,
            format!("point {point} is {to_a} from A and {to_b} from B"),
        );
    }
    let normal = found.normal.as_dvec2();
    check(is_normal(normal), format!("direction {normal}, gap {}", gap(a, b, normal)));
    if expected_relation == Relation::Separated {
        let (on_a, on_b) = (found.point_a.as_dvec2(), found.point_b.as_dvec2());
        check(
            a.distance(on_a) <= tolerance,
            format!("nearest point {on_a} is {} from A", a.distance(on_a)),
        );
        check(
            b.distance(on_b) <= tolerance,
            format!("nearest point {on_b} is {} from B", b.distance(on_b)),
        );
        let between = on_a.distance(on_b);
        check(
            (between - expected).abs() <= tolerance,
            format!("nearest points {between} apart, not {expected}"),
        );
    }
    faults
}

#[test]
fn grid_vectors() {
    use bevy::prelude::*;
    use bevy_nudge::prelude::*;

    let Some(cases) = cases("grid") else { return };
    let mut report = Report { family: "grid", cases: cases.len(), wrong: Vec::new() };
    for case in &cases {
        let boxes = case["boxes"].as_array().expect("a list of boxes");
        for (rule, key) in
            [(TouchRule::Inclusive, "inclusive"), (TouchRule::Exclusive, "exclusive")]
        {
            for cell_size in [CellSize::Auto, CellSize::Fixed(1.0), CellSize::Fixed(50.0)] {
                let mut app = App::new();
                app.add_plugins((MinimalPlugins, CollisionPlugin::in_schedule(Update)));
                let mut settings = app.world_mut().resource_mut::<CollisionSettings>();
                settings.touch_rule = rule;
                settings.cell_size = cell_size;
                let entities: Vec<Entity> = boxes
                    .iter()
                    .map(|corners| {
                        let corner = |i: usize| number(&corners[i]) as f32;
                        let collider = Collider::aabb_from_corners(
                            Vec2::new(corner(0), corner(1)),
                            Vec2::new(corner(2), corner(3)),
                        );
                        app.world_mut().spawn(collider).id()
                    })
                    .collect();
                app.update();
                let index = |entity| entities.iter().position(|&e| e == entity).expect("a box");
                let mut found: Vec<(usize, usize)> = app
                    .world()
                    .resource::<Contacts>()
                    .iter()
                    .map(|pair| {
                        (index(pair.a).min(index(pair.b)), index(pair.a).max(index(pair.b)))
                    })
                    .collect();
                found.sort_unstable();
                let expected: Vec<(usize, usize)> = case["expect"][key]
                    .as_array()
                    .expect("a list of pairs")
                    .iter()
                    .map(|pair| (number(&pair[0]) as usize, number(&pair[1]) as usize))
                    .collect();
                if found != expected {
                    let missing = expected.iter().filter(|pair| !found.contains(pair)).count();
                    let extra = found.iter().filter(|pair| !expected.contains(pair)).count();
                    report.wrong.push(format!(
                        "{} ({}) {rule:?} {cell_size:?}: {missing} missing, {extra} extra of {}",
                        case["id"],
                        case["note"],
                        expected.len()
                    ));
                }
            }
        }
    }
    report.finish();
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
            "contact" | "grid" => run += 1,
            _ => println!("{family}: not supported yet, skipped"),
        }
    }
    assert!(run > 0, "no vectors of a supported family in {}", directory().display());
}
