//! Answers about shapes that are farther apart than their sizes by more than numbers can tell, and
//! about shapes so thin that single precision bends them. Found by fuzzing.

#![allow(clippy::float_cmp, reason = "these numbers come out exactly")]

use bevy::math::{Affine2, DVec2, Vec2};
use bevy_nudge::geometry::{
    Aabb, Circle, Compound, CompoundPart, ConvexPolygon, PlacedShape, PointLocation, Ray, Shape,
    StartInside, TouchRule, cast_ray, contains_point, locate_point, project_point, separation,
    sweep,
};

const DISTANCES: [f32; 5] = [1e4, 3e7, 2e15, 1e30, 3e38];

fn placed(shape: impl Into<Shape>, place: Vec2) -> PlacedShape {
    PlacedShape::new(&shape.into(), Affine2::from_translation(place)).expect("placed")
}

/// A square of half size 2 in every form: each is met at x = -2 and left at x = 2 along y = 0.5.
fn squares() -> Vec<(&'static str, PlacedShape)> {
    let half = |center: Vec2| Aabb::from_half_size(center, Vec2::new(1.0, 2.0)).unwrap();
    let parts = [Vec2::NEG_X, Vec2::X].map(|center| CompoundPart::at(half(center), Vec2::ZERO));
    let inner = ConvexPolygon::rectangle(Vec2::splat(2.0)).unwrap();
    vec![
        ("box", placed(Aabb::from_half_size(Vec2::ZERO, Vec2::splat(2.0)).unwrap(), Vec2::ZERO)),
        ("polygon", placed(ConvexPolygon::rectangle(Vec2::splat(4.0)).unwrap(), Vec2::ZERO)),
        ("compound", placed(Compound::new(parts).unwrap(), Vec2::ZERO)),
        ("rounded polygon", placed(inner.with_radius(1.0).unwrap(), Vec2::ZERO)),
    ]
}

#[test]
fn a_ray_from_any_distance_meets_a_shape_where_it_is() {
    for (name, square) in squares() {
        for far in DISTANCES {
            for rule in [TouchRule::Inclusive, TouchRule::Exclusive] {
                for start in [StartInside::HitAtOnce, StartInside::FirstExit] {
                    let ray = |from: Vec2, to: Vec2| {
                        let ray = Ray::new(from, to).unwrap().with_start_inside(start);
                        cast_ray(&square, &ray, rule)
                    };
                    let hit = ray(Vec2::new(-far, 0.5), Vec2::X).expect(name);
                    assert_eq!(hit.point, Vec2::new(-2.0, 0.5), "{name} from {far}: {hit:?}");
                    assert_eq!(hit.normal, Vec2::NEG_X, "{name} from {far}: {hit:?}");
                    assert_eq!(hit.distance, far - 2.0, "{name} from {far}");
                    assert!(!hit.starts_inside);
                    // Past it, away from it, and too short.
                    assert!(ray(Vec2::new(-far, 2.5), Vec2::X).is_none(), "{name} from {far}");
                    assert!(ray(Vec2::new(-far, 0.5), Vec2::NEG_X).is_none(), "{name}");
                    let short = Ray::segment(Vec2::new(-far, 0.5), Vec2::new(-0.5 * far, 0.5));
                    assert!(cast_ray(&square, &short.unwrap(), rule).is_none(), "{name}");
                }
            }
        }
    }
}

#[test]
fn a_slanting_ray_meets_a_disc_from_as_far_as_its_direction_is_known() {
    let disc = placed(Circle::new(Vec2::ZERO, 5.0).unwrap(), Vec2::ZERO);
    for far in [1e3, 1e6, 1e8, 1e10] {
        // Along (3, 4), through the centre: both coordinates of the start are whole numbers.
        let start = Vec2::new(-3.0, -4.0) * far;
        let hit = cast_ray(&disc, &Ray::segment(start, Vec2::ZERO).unwrap(), TouchRule::Inclusive);
        let hit = hit.unwrap_or_else(|| panic!("met from {far}"));
        assert!(hit.point.distance(Vec2::new(-3.0, -4.0)) < 1e-4, "from {far}: {hit:?}");
        assert!(hit.normal.distance(Vec2::new(-0.6, -0.8)) < 1e-5, "from {far}: {hit:?}");
    }
}

/// A hit that is farther away than single precision can say.
#[test]
fn the_longest_distance_of_a_ray_is_the_largest_number() {
    let square = placed(Aabb::default(), Vec2::ZERO);
    // Both ends of the diagonal of all there is.
    let corner = Vec2::splat(f32::MAX);
    let ray = Ray::new(corner, -Vec2::ONE).unwrap();
    let hit = cast_ray(&square, &ray, TouchRule::Inclusive).expect("it goes through the centre");
    assert_eq!(hit.distance, f32::MAX, "{hit:?}");
    assert_eq!(hit.point, Vec2::splat(0.5), "{hit:?}");
    assert_eq!(Ray::segment(corner, -corner).unwrap().length(), f32::MAX);
    assert_eq!(ray.length(), f32::INFINITY);
}

#[test]
fn a_point_at_any_distance_has_the_nearest_place_of_the_shape() {
    let disc = placed(Circle::new(Vec2::ZERO, 2.0).unwrap(), Vec2::ZERO);
    for (name, shape) in squares().into_iter().chain([("disc", disc)]) {
        for far in DISTANCES {
            let found = project_point(&shape, Vec2::new(0.0, far));
            let top = Vec2::new(0.0, 2.0);
            assert!(found.nearest.distance(top) < 1e-5, "{name} from {far}: {found:?}");
            assert_eq!(found.on_boundary, found.nearest, "{name}");
            assert_eq!((found.normal, found.signed_distance), (Vec2::Y, far - 2.0), "{name}");
        }
    }
    // A single point, and the corner, from beyond all numbers.
    let point = PlacedShape::point(Vec2::new(6.96, -0.5));
    for far in [Vec2::splat(f32::MAX), Vec2::new(-1e38, 3e38), Vec2::new(7.0, -0.5)] {
        assert_eq!(project_point(&point, far).nearest, point.origin(), "from {far}");
    }
    let square = placed(Aabb::default(), Vec2::ZERO);
    let found = project_point(&square, Vec2::new(f32::MAX, f32::MAX));
    assert_eq!((found.nearest, found.signed_distance), (Vec2::splat(0.5), f32::MAX), "{found:?}");
}

#[test]
fn a_shape_that_comes_from_any_distance_is_met_where_it_is() {
    for (name, square) in squares() {
        for far in [1e4, 3e7, 2e15, 1e30, 9e36] {
            let ball = placed(Circle::new(Vec2::ZERO, 1.0).unwrap(), Vec2::new(-far, 0.5));
            for rule in [TouchRule::Inclusive, TouchRule::Exclusive] {
                // As seen from either of them.
                let impact = sweep(&square, &ball, Vec2::new(4.0 * far, 0.0), rule).expect(name);
                assert!((impact.time - 0.25).abs() < 1e-3, "{name} from {far}: {impact:?}");
                assert_eq!(impact.normal, Vec2::NEG_X, "{name} from {far}: {impact:?}");
                let point = Vec2::new(-2.0, 0.5);
                assert!(impact.point.distance(point) < 1e-3, "{name} from {far}: {impact:?}");
                let impact = sweep(&ball, &square, Vec2::new(-4.0 * far, 0.0), rule).expect(name);
                assert!((impact.time - 0.25).abs() < 1e-3, "{name} from {far}: {impact:?}");
                assert_eq!(impact.normal, Vec2::X, "{name} from {far}: {impact:?}");
                // Past it, away from it, and not far enough.
                for (y, part) in [(3.5, 4.0), (-4.0, 4.0), (0.5, -4.0), (0.5, 0.5)] {
                    let ball = placed(Circle::new(Vec2::ZERO, 1.0).unwrap(), Vec2::new(-far, y));
                    let found = sweep(&square, &ball, Vec2::new(part * far, 0.0), rule);
                    assert!(found.is_none(), "{name}, from {far} by {part} at {y}: {found:?}");
                }
            }
        }
    }
}

/// The end of the motion is far behind: that must not blur where it first meets something.
#[test]
fn an_endless_motion_meets_what_is_beside_it() {
    for (name, square) in squares() {
        let ball = placed(Circle::new(Vec2::ZERO, 1.0).unwrap(), Vec2::new(-8.0, 0.5));
        for rule in [TouchRule::Inclusive, TouchRule::Exclusive] {
            for far in [1e3, 1e15, 3e38] {
                let impact = sweep(&square, &ball, Vec2::new(far, 0.0), rule).expect(name);
                assert!((impact.time * far - 5.0).abs() < 1e-4, "{name} by {far}: {impact:?}");
                assert_eq!(impact.normal, Vec2::NEG_X, "{name} by {far}: {impact:?}");
                assert!(impact.point.distance(Vec2::new(-2.0, 0.5)) < 1e-4, "{name}: {impact:?}");
            }
        }
    }
}

#[test]
fn the_nearest_points_of_shapes_at_any_distance_are_on_them() {
    for (name, square) in squares() {
        for far in [1e4, 3e7, 2e15, 1e30, 9e36] {
            for away in [Vec2::X, Vec2::new(-0.6, 0.8), Vec2::new(0.96, -0.28)] {
                let ball = placed(Circle::new(Vec2::ZERO, 1.0).unwrap(), away * far);
                let apart = separation(&square, &ball);
                let back = separation(&ball, &square).flipped();
                assert_eq!(apart, back, "{name} at {far}");
                assert!(apart.normal.distance(away) < 1e-3, "{name} at {far}: {apart:?}");
                let place = locate_point(&square, apart.point_a, TouchRule::Inclusive);
                assert_eq!(place, PointLocation::Boundary, "{name} at {far}: {apart:?}");
                // No other place of the square reaches farther that way.
                let reach = |point: Vec2| point.as_dvec2().dot(away.as_dvec2());
                let corners = [(2, 2), (2, -2), (-2, 2), (-2, -2)];
                let rounded = if name == "rounded polygon" { 0.5 } else { 1.0 };
                let farthest = corners
                    .map(|(x, y)| DVec2::new(x.into(), y.into()) * rounded)
                    .map(|corner| corner.dot(away.as_dvec2()) + 2.0 * (1.0 - rounded))
                    .into_iter()
                    .fold(0.0, f64::max);
                assert!((reach(apart.point_a) - farthest).abs() < 1e-2, "{name}: {apart:?}");
            }
        }
    }
}

/// The normals of edges are rounded. On a long way that made more than the corner at the end of the edge.
#[test]
fn the_nearest_point_of_a_polygon_from_far_away_is_not_beside_it() {
    let triangle = [(-3.0, -1.0), (2.0, -2.0), (4.0, 1.0)].map(Vec2::from);
    let triangle = placed(ConvexPolygon::new(triangle).unwrap(), Vec2::ZERO);
    for far in [10.0, 1e3, 1e5, 1e7] {
        for degrees in 0..3600 {
            let away = Vec2::from_angle((degrees as f32 * 0.1).to_radians());
            let ball = placed(Circle::new(Vec2::ZERO, 0.25).unwrap(), away * far);
            let apart = separation(&triangle, &ball);
            let on = project_point(&triangle, apart.point_a);
            assert!(on.signed_distance.abs() < 1e-5, "{far} away at {degrees}: {apart:?}");
            let exact = project_point(&triangle, ball.origin());
            assert!(apart.point_a.distance(exact.on_boundary) < 1e-3, "{far} away: {apart:?}");
            assert!(apart.normal.distance(exact.normal) < 1e-5, "{far} away: {apart:?}");
        }
    }
}

/// So long that where a line enters it is known to less than how far away it is.
#[test]
fn a_sweep_against_a_capsule_of_cosmic_length_never_hits_before_its_start() {
    let octagon = placed(ConvexPolygon::regular(10, 4.547_285).unwrap(), Vec2::new(0.0, -2.94));
    for length in [1e12, 4.8e16, 1e25] {
        for radius in [1.0, 32.0, 87.85] {
            let capsule =
                ConvexPolygon::capsule(Vec2::ZERO, Vec2::new(-16.0, 2.0 * length), radius);
            let capsule = placed(capsule.unwrap(), Vec2::new(-40.0, 0.0));
            for way in [1e-9, 1.0, 1e4, 1e20] {
                for way in [Vec2::new(way, 0.0), Vec2::new(way, 0.3 * way), Vec2::new(0.0, -way)] {
                    for found in [
                        sweep(&octagon, &capsule, way, TouchRule::Inclusive),
                        sweep(&capsule, &octagon, -way, TouchRule::Inclusive),
                    ] {
                        let is_sound =
                            found.is_none_or(|impact| (0.0..=1.0).contains(&impact.time));
                        assert!(is_sound, "{length} long, {radius} wide, by {way}: {found:?}");
                    }
                }
            }
        }
    }
}

/// Its sides are nearer to each other than numbers tell, also where they are prolonged.
#[test]
fn a_ray_that_passes_the_tip_of_a_sliver_misses_it() {
    for thin in [1e-20_f32, 1e-17, 1e-9, 1e-3] {
        let sliver = [(-3.375, thin), (-3.2, -thin), (3.375, -thin)].map(Vec2::from);
        let sliver = placed(ConvexPolygon::new(sliver).unwrap(), Vec2::new(4.625, -1.0));
        let cast = |x: f32, way: Vec2, rule| {
            let from = Vec2::new(x, -1.0) - way * 2.0;
            cast_ray(&sliver, &Ray::new(from, way).unwrap(), rule)
        };
        // The tips are at 1.25 and 8.
        for x in [0.4, 1.1, 8.2, 20.0] {
            for way in [Vec2::Y, Vec2::NEG_Y, Vec2::new(-0.4, 1.0), Vec2::new(0.3, -1.0)] {
                for rule in [TouchRule::Inclusive, TouchRule::Exclusive] {
                    assert_eq!(cast(x, way, rule), None, "{thin} thin, at {x} along {way}");
                }
            }
        }
        for x in [1.3, 4.0, 7.9] {
            let hit =
                cast(x, Vec2::new(-0.4, 1.0), TouchRule::Inclusive).expect("it is in the way");
            assert!(hit.point.distance(Vec2::new(x, -1.0)) < 0.01, "{thin} thin: {hit:?}");
            assert!(hit.normal.y < -0.9, "{thin} thin: {hit:?}");
        }
    }
}

/// Two of its corners are so near each other that rounding turned their side about: its line then
/// cut off the corner at the other side.
#[test]
fn the_corners_of_a_sliver_belong_to_it() {
    let corners = [
        (-0.002_789_165_4, -0.002_789_165_4),
        (5.675_64, -760_145.94),
        (9.193_79, 5.998_701),
        (0.0, 0.0),
    ];
    let sliver = ConvexPolygon::new(corners.map(Vec2::from)).expect("it is convex");
    for turn in 0..24 {
        for mirror in [1.0, -1.0] {
            let turn = bevy::math::Mat2::from_angle(turn as f32 * 0.3);
            let pose = turn * bevy::math::Mat2::from_diagonal(Vec2::new(mirror, 1.0));
            let pose = Affine2::from_mat2_translation(pose, Vec2::ZERO);
            let placed = PlacedShape::new(&sliver.clone().into(), pose).expect("placed");
            for corner in corners.map(|corner| pose.transform_point2(corner.into())) {
                let is_inside = contains_point(&placed, corner, TouchRule::Inclusive);
                assert!(is_inside, "{corner} of {placed:?}");
            }
            let middle = pose.transform_point2(Vec2::new(5.0, -100_000.0));
            assert!(contains_point(&placed, middle, TouchRule::Exclusive), "the middle");
            for beside in [Vec2::new(-2.0, -100_000.0), Vec2::new(10.0, -100_000.0)] {
                let beside = pose.transform_point2(beside);
                assert!(!contains_point(&placed, beside, TouchRule::Inclusive), "{beside}");
            }
        }
    }
}
