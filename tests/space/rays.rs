//! Rays against 10,000 small steps.

use bevy::math::{Affine2, Vec2};
use bevy_nudge::geometry::{
    ConvexPolygon, PlacedShape, Ray, StartInside, TouchRule, cast_ray, sweep,
};
use proptest::prelude::*;

use crate::shapes::{any_form, placed};
use crate::{config, rounding};

const STEPS: usize = 10_000;

fn points() -> impl Strategy<Value = Vec2> {
    (-25.0_f32..25.0, -25.0_f32..25.0).prop_map(Vec2::from)
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn a_ray_hits_where_small_steps_do(
        a in placed(any_form()), from in points(), to in points(), exclusive in prop::bool::ANY
    ) {
        let rule = if exclusive { TouchRule::Exclusive } else { TouchRule::Inclusive };
        prop_assume!(from != to);
        let (start, way) = (from.as_dvec2(), to.as_dvec2() - from.as_dvec2());
        let slack = rounding(a.solid.magnitude().max(50.0));
        let at_start = a.solid.signed_distance(start);
        // Whether it starts inside is another test's question; a seam looks like a boundary here.
        prop_assume!(at_start.abs() > 4.0 * slack);
        let ray = Ray::segment(from, to).unwrap();
        let found = cast_ray(&a.placed, &ray, rule);
        let hollow = cast_ray(&a.placed, &ray.with_start_inside(StartInside::FirstExit), rule);

        if at_start < 0.0 {
            let hit = found.expect("it starts inside");
            prop_assert!(hit.starts_inside && hit.distance == 0.0 && hit.point == from, "{hit:?}");
            prop_assert!(hit.normal.distance(-ray.direction()) < 1e-6, "{hit:?}");
            let exit = a.solid.first_step(start, way, STEPS, |distance| distance > slack);
            match (exit, hollow) {
                (None, None) => {}
                (None, Some(hit)) => {
                    // It leaves by less than the slack, or within the last step.
                    let at = a.solid.signed_distance(start + way);
                    prop_assert!(at.abs() <= slack, "{hit:?}, but it ends inside by {at}");
                }
                (Some(part), None) => prop_assert!(false, "no exit, but it is out at {part}"),
                (Some(part), Some(hit)) => {
                    let distance = f64::from(hit.distance);
                    let step = way.length() / STEPS as f64;
                    prop_assert!(hit.starts_inside, "{hit:?}");
                    prop_assert!(distance <= part * way.length() + slack, "{hit:?} is late");
                    // Not early either: what follows lies outside, or it left for less than a step.
                    let after = start + way.normalize() * (distance + step);
                    let after = a.solid.signed_distance(after);
                    prop_assert!(after > -step - slack, "{hit:?} is early: inside by {after} after");
                    prop_assert!(a.solid.is_outward(hit.point.as_dvec2(), hit.normal.as_dvec2(), slack), "{hit:?}");
                    prop_assert!(hit.normal.dot(ray.direction()) >= -1e-5, "{hit:?}");
                }
            }
            return Ok(());
        }

        prop_assert_eq!(found, hollow);
        let inside = a.solid.first_step(start, way, STEPS, |distance| distance < -slack);
        prop_assert!(found.is_some() || inside.is_none(), "it went through at {inside:?}");
        if let Some(hit) = found {
            let distance = f64::from(hit.distance);
            let latest = inside.map_or(1.0, |part| part) * way.length();
            prop_assert!(distance <= latest + slack, "{hit:?}, but inside at {latest}");
            let on_ray = start + way.normalize() * distance;
            prop_assert!(on_ray.distance(hit.point.as_dvec2()) <= slack, "{hit:?} is off the ray");
            let away = a.solid.signed_distance(on_ray);
            prop_assert!(away.abs() <= slack, "{hit:?} is {away} from the shape");
            prop_assert!(!hit.starts_inside, "{hit:?}");
            prop_assert!(a.solid.is_outward(hit.point.as_dvec2(), hit.normal.as_dvec2(), slack), "{hit:?}");
            prop_assert!(hit.normal.dot(ray.direction()) <= 1e-5, "{hit:?}");
        }
    }

    /// A wall without thickness has no inside to step into, but crossing it is more than touching.
    #[test]
    fn a_wall_without_thickness_is_not_tunnelled(
        wall in (points(), points()), part in 0.05_f32..0.95, way in points(), back in 0.05_f32..2.0,
        exclusive in prop::bool::ANY
    ) {
        let rule = if exclusive { TouchRule::Exclusive } else { TouchRule::Inclusive };
        let (a, b) = wall;
        let through = a.lerp(b, part);
        let (from, to) = (through - way * back, through + way);
        let sine = (b - a).normalize_or_zero().perp_dot(way.normalize_or_zero()).abs();
        prop_assume!(sine > 0.01 && a.distance(b) > 0.1 && way.length() * back.min(1.0) > 0.1);
        let segment = ConvexPolygon::segment(a, b).unwrap();
        let placed = PlacedShape::new(&segment.into(), Affine2::IDENTITY).unwrap();
        let slack = rounding(100.0) / f64::from(sine);

        let ray = Ray::segment(from, to).unwrap();
        let hit = cast_ray(&placed, &ray, rule).expect("the ray crosses the wall");
        let distance = f64::from(hit.distance) - f64::from(from.distance(through));
        prop_assert!(distance.abs() <= slack, "{hit:?} is {distance} off");
        prop_assert!(hit.normal.dot(ray.direction()) < 0.0, "{hit:?} does not face the ray");
        prop_assert!(hit.normal.dot((b - a).normalize()).abs() < 1e-4, "{hit:?}");

        let point = PlacedShape::point(from);
        let impact = sweep(&placed, &point, to - from, rule).expect("the point crosses the wall");
        let distance = f64::from(impact.time * from.distance(to)) - f64::from(from.distance(through));
        prop_assert!(distance.abs() <= slack, "{impact:?} is {distance} off");
        prop_assert!(impact.normal.dot(to - from) < 0.0, "{impact:?} moves away");
    }
}
