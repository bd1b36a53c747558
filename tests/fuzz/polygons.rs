//! Constructors of shapes: they give a sound shape or say what is wrong.

use std::hash::{DefaultHasher, Hash, Hasher};

use bevy::math::Vec2;
use bevy_nudge::geometry::{
    Aabb, Circle, ConcaveError, ConcavePolygon, ConvexPolygon, FillRule, PlacedShape, PolygonError,
    Shape, Touch, TouchRule, contains_point, locate_in_outline, ray_crossings, winding_number,
};

use crate::input::Input;

pub(crate) fn target(input: &mut Input<'_>) -> u64 {
    let mut features = DefaultHasher::new();
    let kind = input.below(9);
    kind.hash(&mut features);
    match kind {
        0 => polygon(ConvexPolygon::new(input.points(40)), &mut features),
        1 => polygon(ConvexPolygon::hull(input.points(40)), &mut features),
        2 => polygon(
            ConvexPolygon::regular(input.below(300) as usize, input.number()),
            &mut features,
        ),
        3 => polygon(
            ConvexPolygon::capsule(input.point(), input.point(), input.number()),
            &mut features,
        ),
        4 => polygon(ConvexPolygon::rectangle(input.point()), &mut features),
        5 => concave(ConcavePolygon::new(input.points(30)), input, &mut features),
        6 => {
            let outline = input.points(12);
            let holes: Vec<Vec<Vec2>> = (0..input.below(3)).map(|_| input.points(6)).collect();
            concave(ConcavePolygon::with_holes(outline, holes), input, &mut features);
        }
        7 => {
            Circle::new(input.point(), input.number()).is_ok().hash(&mut features);
            Aabb::from_half_size(input.point(), input.point()).is_ok().hash(&mut features);
            Aabb::from_size(input.point(), input.point()).is_ok().hash(&mut features);
        }
        _ => {
            // A closed line of any kind.
            let (outline, point) = (input.points(30), input.point());
            for rule in [FillRule::EvenOdd, FillRule::NonZero] {
                let place = locate_in_outline(&outline, point, rule, TouchRule::Inclusive);
                core::mem::discriminant(&place).hash(&mut features);
            }
            winding_number(&outline, point).hash(&mut features);
            ray_crossings(&outline, point).len().hash(&mut features);
        }
    }
    features.finish()
}

fn polygon(result: Result<ConvexPolygon, PolygonError>, features: &mut DefaultHasher) {
    match result {
        Err(error) => {
            core::mem::discriminant(&error).hash(features);
            assert!(!error.to_string().is_empty());
        }
        Ok(polygon) => {
            polygon.vertices().len().hash(features);
            (polygon.radius() > 0.0).hash(features);
            check(&polygon.clone().into(), features);
            // Sound means: its own vertices make the same polygon.
            if polygon.vertices().len() > 2 && polygon.radius() == 0.0 {
                let again = ConvexPolygon::new(polygon.vertices().iter().copied());
                assert_eq!(again.as_ref(), Ok(&polygon));
            }
        }
    }
}

fn concave(
    result: Result<ConcavePolygon, ConcaveError>,
    input: &mut Input<'_>,
    features: &mut DefaultHasher,
) {
    match result {
        Err(error) => {
            core::mem::discriminant(&error).hash(features);
            assert!(error != ConcaveError::NotCut, "{error}");
        }
        Ok(polygon) => {
            polygon.piece_count().hash(features);
            polygon.holes().len().hash(features);
            let area = |ring: &[Vec2]| -> f64 {
                let next = ring.iter().cycle().skip(1);
                ring.iter().zip(next).map(|(p, q)| p.as_dvec2().perp_dot(q.as_dvec2())).sum()
            };
            let rings = core::iter::once(polygon.outline())
                .chain(polygon.holes().iter().map(Vec::as_slice));
            let (whole, sizes) = rings.fold((0.0, 0.0_f64), |(sum, most), ring| {
                let largest =
                    ring.iter().map(|p| f64::from(p.abs().max_element())).fold(0.0, f64::max);
                (sum + area(ring), most.max(largest))
            });
            let pieces: f64 = polygon.pieces().map(area).sum();
            let slack = 1e-9 * sizes * sizes * (polygon.outline().len() as f64);
            assert!((whole - pieces).abs() <= slack, "area {whole}, of the pieces {pieces}");
            check(&polygon.into(), features);
            let _ = input;
        }
    }
}

/// What is sound can be placed, unless it is out of range, and is somewhere.
fn check(shape: &Shape, features: &mut DefaultHasher) {
    assert_eq!(shape.validate(), Ok(()), "{shape:?}");
    match PlacedShape::new(shape, bevy::math::Affine2::IDENTITY) {
        Err(error) => {
            core::mem::discriminant(&error).hash(features);
        }
        Ok(placed) => {
            let bounds = placed.bounds();
            assert!(bounds.min.is_finite() && bounds.max.is_finite(), "{shape:?}: {bounds:?}");
            assert!(bounds.min.cmple(bounds.max).all(), "{shape:?}: {bounds:?}");
            let corners = placed.edges().map(|edge| edge.start);
            for corner in corners {
                // As well as its coordinates tell: a round shape has no corner of its own.
                let slop = (f32::EPSILON * corner.abs().max_element()).max(1e-44);
                let touch = Touch { rule: TouchRule::Inclusive, slop };
                let is_inside = contains_point(&placed, corner, touch);
                assert!(is_inside, "{shape:?}: its corner {corner} is outside");
            }
        }
    }
}
