//! Distances and pushes against the Minkowski difference, and both orders of a pair.

use bevy::math::DVec2;
use bevy_nudge::geometry::{Contact, TouchRule, contact, overlaps, separation};
use proptest::prelude::*;

use crate::shapes::{Sample, any_form, concave, convex, placed, sliver};
use crate::twin::difference;
use crate::{config, rounding};

fn slack(a: &Sample, b: &Sample) -> f64 {
    rounding(a.solid.magnitude().max(b.solid.magnitude()))
}

fn check_separation(a: &Sample, b: &Sample) -> Result<(), TestCaseError> {
    let slack = slack(a, b);
    let space = difference(&a.solid, &b.solid);
    let expected = space.signed_distance(DVec2::ZERO);
    let found = separation(&a.placed, &b.placed);
    let distance = f64::from(found.distance);
    let inclusive = contact(&a.placed, &b.placed, TouchRule::Inclusive);
    prop_assert_eq!(inclusive.is_some(), overlaps(&a.placed, &b.placed, TouchRule::Inclusive));
    if expected > slack {
        prop_assert!((distance - expected).abs() <= slack, "{found:?}, not {expected}");
        prop_assert!(inclusive.is_none(), "{inclusive:?}, {expected} apart");
        let (on_a, on_b) = (found.point_a.as_dvec2(), found.point_b.as_dvec2());
        prop_assert!(a.solid.distance(on_a) <= slack, "{found:?}");
        prop_assert!(b.solid.distance(on_b) <= slack, "{found:?}");
        prop_assert!((on_a.distance(on_b) - expected).abs() <= slack, "{found:?}");
        let along = (on_b - on_a) - found.normal.as_dvec2() * distance;
        prop_assert!(along.length() <= 2.0 * slack, "{found:?}");
    }
    if expected < -slack {
        let found = inclusive.expect("they overlap");
        let exclusive = contact(&a.placed, &b.placed, TouchRule::Exclusive);
        prop_assert_eq!(exclusive, Some(found));
        prop_assert!((distance + f64::from(found.depth)).abs() <= slack);
        let point = found.point.as_dvec2();
        prop_assert!(a.solid.distance(point) <= slack, "{found:?} is outside A");
        prop_assert!(b.solid.distance(point) <= slack, "{found:?} is outside B");
    }
    Ok(())
}

/// After the push they only touch, and along no direction does a shorter one free them.
fn check_push(a: &Sample, b: &Sample) -> Result<(), TestCaseError> {
    let slack = slack(a, b);
    let space = difference(&a.solid, &b.solid);
    let Some(found) = contact(&a.placed, &b.placed, TouchRule::Exclusive) else { return Ok(()) };
    let (depth, normal) = (f64::from(found.depth), found.normal.as_dvec2());
    prop_assert!((normal.length() - 1.0).abs() <= 1e-5, "{found:?}");
    let left = space.signed_distance(normal * depth);
    prop_assert!(left.abs() <= slack, "after {found:?} they are {left} apart");
    let turns = (0..720).map(|i| DVec2::from_angle(std::f64::consts::TAU * f64::from(i) / 720.0));
    // Where an exact answer may lie: straight out of an edge, or at a corner.
    let edges = space.pieces.iter().flat_map(|piece| piece.edges());
    let others = edges.flat_map(|(a, b)| [-(b - a).perp(), a]).map(DVec2::normalize_or_zero);
    for direction in turns.chain(others) {
        for part in 1..=24 {
            let way = (depth - 2.0 * slack) * f64::from(part) / 24.0;
            let gap = space.signed_distance(direction * way);
            prop_assert!(gap <= slack, "{found:?}, but {way} along {direction} leaves {gap}");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn convex_shapes_are_as_far_apart_as_their_difference(a in placed(convex()), b in placed(convex())) {
        check_separation(&a, &b)?;
        let space = difference(&a.solid, &b.solid);
        let (expected, slack) = (space.signed_distance(DVec2::ZERO), slack(&a, &b));
        let found = separation(&a.placed, &b.placed);
        prop_assert!((f64::from(found.distance) - expected).abs() <= slack, "{found:?}, not {expected}");
        let normal = found.normal.as_dvec2();
        let gap = -space.support(normal);
        prop_assert!(gap >= expected - slack, "{found:?}: {gap} along it, not {expected}");
        // By samples of the boundary too, which know nothing of half-planes.
        let (nearest, spacing) = space.distance_to_boundary(DVec2::ZERO, 100);
        let distance = f64::from(found.distance).abs();
        prop_assert!((nearest - spacing - slack..=nearest + slack).contains(&distance), "{found:?}, {nearest}");
        check_push(&a, &b)?;
    }

    #[test]
    fn any_two_shapes_are_as_far_apart_as_their_difference(a in placed(any_form()), b in placed(any_form())) {
        check_separation(&a, &b)?;
    }

    #[test]
    fn slivers_are_as_far_apart_as_their_nearest_points(a in placed(sliver()), b in placed(sliver())) {
        check_separation(&a, &b)?;
    }

    #[test]
    fn the_push_of_a_concave_shape_is_the_shortest(a in placed(concave()), b in placed(convex())) {
        check_push(&a, &b)?;
        check_push(&b, &a)?;
    }

    #[test]
    fn both_orders_agree_to_the_bit(a in placed(any_form()), b in placed(any_form())) {
        prop_assume!(a.placed.origin() != b.placed.origin());
        for rule in [TouchRule::Inclusive, TouchRule::Exclusive] {
            let found = contact(&a.placed, &b.placed, rule);
            prop_assert_eq!(found, contact(&b.placed, &a.placed, rule).map(Contact::flipped));
            prop_assert_eq!(found.is_some(), overlaps(&b.placed, &a.placed, rule));
        }
        prop_assert_eq!(separation(&a.placed, &b.placed), separation(&b.placed, &a.placed).flipped());
    }
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn the_push_of_two_concave_shapes_is_the_shortest(a in placed(concave()), b in placed(concave())) {
        check_push(&a, &b)?;
    }
}
