//! Shapes and numbers of the vectors.

use bevy::math::{Affine2, DVec2};
use bevy_nudge::geometry::{Aabb, Circle, ConvexPolygon, PlacedShape, Shape};
use serde_json::Value;

use crate::twin::Solid;

pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("a number, not {value}"))
}

pub(crate) fn vector(value: &Value) -> DVec2 {
    DVec2::new(number(&value[0]), number(&value[1]))
}

pub(crate) fn list(value: &Value) -> Vec<DVec2> {
    value.as_array().map_or(Vec::new(), |list| list.iter().map(vector).collect())
}

/// A shape of the vectors twice: as the crate takes it, and as a twin for the checks.
pub(crate) struct Case {
    pub(crate) placed: PlacedShape,
    pub(crate) solid: Solid,
}

impl Case {
    pub(crate) fn read(value: &Value) -> Self {
        let (shape, solid): (Shape, _) = match value["type"].as_str() {
            Some("circle") => {
                let (center, radius) = (vector(&value["center"]), number(&value["radius"]));
                let circle = Circle::new(center.as_vec2(), radius as f32).expect("a circle");
                (circle.into(), Solid::convex([center], radius))
            }
            Some("aabb") => {
                let (min, max) = (vector(&value["min"]), vector(&value["max"]));
                let aabb = Aabb::from_corners(min.as_vec2(), max.as_vec2()).expect("a box");
                let corners = [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)];
                (aabb.into(), Solid::convex(corners, 0.0))
            }
            Some("polygon") => {
                let points = list(&value["points"]);
                (convex(&points).into(), Solid::convex(points, 0.0))
            }
            other => panic!("unknown shape {other:?}"),
        };
        Self { placed: place(&shape), solid }
    }
}

pub(crate) fn convex(points: &[DVec2]) -> ConvexPolygon {
    let polygon = match points {
        [a, b] => ConvexPolygon::segment(a.as_vec2(), b.as_vec2()),
        _ => ConvexPolygon::new(points.iter().map(|point| point.as_vec2())),
    };
    polygon.unwrap_or_else(|error| panic!("{points:?}: {error}"))
}

pub(crate) fn place(shape: &Shape) -> PlacedShape {
    PlacedShape::new(shape, Affine2::IDENTITY).expect("a place")
}
