//! Points against half-planes and dense samples of the boundary.

use bevy::math::Vec2;
use bevy_nudge::geometry::{PointLocation, TouchRule, contains_point, locate_point, project_point};
use proptest::prelude::*;

use crate::shapes::{any_form, convex, placed};
use crate::{config, rounding};

/// Parts of a shape's size, to place a point in and around it.
fn points() -> impl Strategy<Value = Vec2> {
    (-1.5_f32..1.5, -1.5_f32..1.5).prop_map(Vec2::from)
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn convex_shapes_agree_with_their_half_planes(a in placed(convex()), point in points()) {
        let point = a.placed.origin() + point * a.placed.extent();
        let at = point.as_dvec2();
        let slack = rounding(a.solid.magnitude().max(at.abs().max_element()));
        let distance = a.solid.signed_distance(at);
        let found = project_point(&a.placed, point);
        prop_assert!((f64::from(found.signed_distance) - distance).abs() <= slack, "{found:?}, not {distance}");
        let location = locate_point(&a.placed, point, TouchRule::Inclusive);
        let expected = if distance > 0.0 { PointLocation::Outside } else { PointLocation::Inside };
        prop_assert!(location == expected || distance.abs() <= slack, "{location:?} at {distance}");
        prop_assert!(a.solid.is_outward(found.on_boundary.as_dvec2(), found.normal.as_dvec2(), slack), "{found:?}");
    }

    #[test]
    fn every_shape_agrees_with_samples_of_its_boundary(a in placed(any_form()), point in points()) {
        let point = a.placed.origin() + point * a.placed.extent();
        let at = point.as_dvec2();
        let slack = rounding(a.solid.magnitude().max(at.abs().max_element()));
        let (nearest, spacing) = a.solid.distance_to_boundary(at, 200);
        let is_in = a.solid.signed_distance(at) <= 1e-9;
        let found = project_point(&a.placed, point);
        let distance = f64::from(found.signed_distance);
        prop_assert!(distance.abs() <= nearest + slack, "{found:?}, samples at {nearest}");
        prop_assert!(distance.abs() >= nearest - spacing - slack, "{found:?}, samples at {nearest}");
        // Nearer the boundary than the slack both answers are right.
        if distance.abs() > slack {
            prop_assert_eq!(distance < 0.0, is_in, "{:?}", found);
            let location = locate_point(&a.placed, point, TouchRule::Exclusive);
            prop_assert_eq!(location == PointLocation::Inside, is_in, "{:?}", location);
            prop_assert_eq!(contains_point(&a.placed, point, TouchRule::Inclusive), is_in);
            prop_assert_eq!(contains_point(&a.placed, point, TouchRule::Exclusive), is_in);
        }
        let (on_boundary, solid) = (found.on_boundary.as_dvec2(), found.nearest.as_dvec2());
        prop_assert!((on_boundary.distance(at) - distance.abs()).abs() <= slack, "{found:?}");
        prop_assert!(a.solid.distance(on_boundary) <= slack, "{found:?} is off the boundary");
        prop_assert!((solid.distance(at) - distance.max(0.0)).abs() <= slack, "{found:?}");
        let normal = found.normal.as_dvec2();
        if distance.abs() > 100.0 * slack {
            // In a dent the nearest corner has no side whose normal this is.
            let way = (at - on_boundary) / distance;
            prop_assert!(normal.distance(way) <= 0.05, "{found:?}, not {way}");
        } else {
            prop_assert!(a.solid.is_outward(on_boundary, normal, 2.0 * slack), "{found:?}");
        }
    }
}
