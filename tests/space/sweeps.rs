//! Moving shapes against 10,000 small steps.

use bevy::math::{DVec2, Vec2};
use bevy_nudge::geometry::{Relation, TouchRule, sweep};
use proptest::prelude::*;

use crate::shapes::{any_form, placed};
use crate::twin::difference;
use crate::{config, rounding};

const STEPS: usize = 10_000;

fn ways() -> impl Strategy<Value = Vec2> {
    (-60.0_f32..60.0, -60.0_f32..60.0).prop_map(Vec2::from)
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn a_sweep_stops_where_small_steps_do(
        a in placed(any_form()), b in placed(any_form()), way in ways(), exclusive in prop::bool::ANY
    ) {
        let rule = if exclusive { TouchRule::Exclusive } else { TouchRule::Inclusive };
        let slack = rounding(a.solid.magnitude().max(b.solid.magnitude()) + 60.0);
        // Moved by v, B meets A where v lies in this.
        let space = difference(&a.solid, &b.solid);
        let start = space.signed_distance(DVec2::ZERO);
        // A seam looks like a boundary.
        prop_assume!(start.abs() > 4.0 * slack);
        let found = sweep(&a.placed, &b.placed, way, rule);
        if start < 0.0 {
            let impact = found.expect("they overlap at the start");
            prop_assert_eq!((impact.time, impact.start), (0.0, Relation::Overlapping));
            prop_assert!((impact.normal.length() - 1.0).abs() < 1e-5, "{impact:?}");
            return Ok(());
        }
        let displacement = way.as_dvec2();
        let inside = space.first_step(DVec2::ZERO, displacement, STEPS, |gap| gap < -slack);
        prop_assert!(found.is_some() || inside.is_none(), "tunnelled at {inside:?}");
        let Some(impact) = found else { return Ok(()) };
        let time = f64::from(impact.time);
        prop_assert_eq!(impact.start, Relation::Separated);
        prop_assert!((0.0..=1.0).contains(&time), "{impact:?}");
        let latest = inside.unwrap_or(1.0);
        prop_assert!(time <= latest + slack / displacement.length(), "{impact:?}, but inside at {latest}");
        let moved = displacement * time;
        let gap = space.signed_distance(moved);
        prop_assert!(gap.abs() <= slack, "{impact:?}: {gap} apart");
        prop_assert!(space.is_outward(moved, impact.normal.as_dvec2(), slack), "{impact:?}");
        prop_assert!(impact.normal.dot(way) <= 1e-5 * way.length(), "{impact:?} moves away");
        let point = impact.point.as_dvec2();
        let (on_a, on_b) = (a.solid.distance(point), b.solid.moved(moved).distance(point));
        prop_assert!(on_a <= slack && on_b <= slack, "{impact:?} is {on_a} and {on_b} away");
    }
}
