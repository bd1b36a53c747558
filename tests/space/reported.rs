//! Worked cases of geometry that users of other engines and libraries reported, with the right
//! answers, beside their neighbours.

use bevy::math::{Affine2, Mat2, Vec2};
use bevy_nudge::geometry::{
    Aabb, Circle, Compound, CompoundPart, ConcavePolygon, ContactStatus, ConvexPolygon,
    PlacedShape, PolygonError, Ray, RayError, Shape, StartInside, TouchRule, cast_ray, contact,
    contains_point, overlaps, separation, sweep,
};

fn placed(shape: impl Into<Shape>) -> PlacedShape {
    placed_at(shape, Vec2::ZERO)
}

fn placed_at(shape: impl Into<Shape>, place: Vec2) -> PlacedShape {
    PlacedShape::new(&shape.into(), Affine2::from_translation(place)).unwrap()
}

fn vec2(point: (f32, f32)) -> Vec2 {
    point.into()
}

/// A box by its centre and half sizes.
fn aabb(center: (f32, f32), half: (f32, f32)) -> Aabb {
    Aabb::from_half_size(vec2(center), vec2(half)).unwrap()
}

fn between(corner: (f32, f32), opposite: (f32, f32)) -> Aabb {
    Aabb::from_corners(vec2(corner), vec2(opposite)).unwrap()
}

fn circle(center: (f32, f32), radius: f32) -> Circle {
    Circle::new(vec2(center), radius).unwrap()
}

fn polygon(points: &[(f32, f32)]) -> ConvexPolygon {
    ConvexPolygon::new(points.iter().copied().map(vec2)).unwrap()
}

/// The same box as a polygon.
fn as_polygon(aabb: Aabb) -> ConvexPolygon {
    let (min, max) = (aabb.min, aabb.max);
    ConvexPolygon::new([min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)]).unwrap()
}

fn compound(parts: impl IntoIterator<Item = Shape>) -> Compound {
    Compound::new(parts.into_iter().map(CompoundPart::from)).unwrap()
}

fn outline(points: &[(f32, f32)]) -> ConcavePolygon {
    ConcavePolygon::new(points.iter().copied().map(vec2)).unwrap()
}

/// How the second shape leaves the first.
fn push(a: &PlacedShape, b: &PlacedShape) -> Vec2 {
    let found = contact(a, b, TouchRule::Inclusive).expect("a contact");
    let swapped = contact(b, a, TouchRule::Inclusive).expect("a contact");
    assert!(found.mtv().distance(-swapped.mtv()) < 1e-4, "{found:?}, swapped {swapped:?}");
    found.mtv()
}

fn assert_near(found: Vec2, expected: (f32, f32), what: &str) {
    assert!(found.distance(vec2(expected)) < 1e-5, "{what}: {found}, not {expected:?}");
}

/// Report 37.
#[test]
fn inner_edges_of_a_compound() {
    let (bottom, left) = (between((0.0, 0.0), (4.0, 1.0)), between((0.0, 0.0), (1.0, 4.0)));
    let corners = [(0.0, 0.0), (4.0, 0.0), (4.0, 1.0), (1.0, 1.0), (1.0, 4.0), (0.0, 4.0)];
    let forms: [(&str, Shape); 3] = [
        ("boxes", compound([bottom.into(), left.into()]).into()),
        ("polygons", compound([as_polygon(bottom).into(), as_polygon(left).into()]).into()),
        ("an outline", outline(&corners).into()),
    ];
    for (name, shape) in forms {
        let angle = placed(shape);
        let leave = |x, y| push(&angle, &placed(aabb((x, y), (0.25, 0.25))));
        assert_near(leave(0.9, 0.9), (0.35, 0.35), name);
        assert_near(leave(2.0, 0.9), (0.0, 0.35), name);
        assert_near(leave(0.9, 2.0), (0.35, 0.0), name);
        // Down or left, always the same of the two.
        let deep = leave(0.5, 0.5);
        let is_one = [(0.0, -0.75), (-0.75, 0.0)].iter().any(|&p| deep.distance(vec2(p)) < 1e-5);
        assert!(is_one, "{name}: {deep}");
        assert_eq!(deep, leave(0.5, 0.5), "{name}");
        // The free quarter.
        let free = placed(aabb((1.26, 1.26), (0.25, 0.25)));
        assert!(!overlaps(&angle, &free, TouchRule::Inclusive), "{name}");
        // A circle over the inner corner touches both arms after the push.
        let round = push(&angle, &placed(circle((1.1, 1.1), 0.25)));
        assert_near(round, (0.15, 0.15), name);
    }
}

/// Report 37, tiles.
#[test]
fn a_box_over_the_seam_of_two_tiles_leaves_straight_up() {
    let (left, right) = (between((0.0, 0.0), (16.0, 16.0)), between((16.0, 0.0), (32.0, 16.0)));
    let corners = [(0.0, 0.0), (16.0, 0.0), (32.0, 0.0), (32.0, 16.0), (16.0, 16.0), (0.0, 16.0)];
    let forms: [(&str, Shape); 3] = [
        ("boxes", compound([left.into(), right.into()]).into()),
        ("polygons", compound([as_polygon(left).into(), as_polygon(right).into()]).into()),
        ("an outline", outline(&corners).into()),
    ];
    for (name, shape) in forms {
        let tiles = placed(shape);
        for x in [16.05, 10.05, 16.0, 21.9, 15.95] {
            let found = push(&tiles, &placed(aabb((x, 21.9), (6.0, 6.0))));
            assert_near(found, (0.0, 22.0 - 21.9), name);
            let found = push(&tiles, &placed(circle((x, 21.9), 6.0)));
            assert_near(found, (0.0, 22.0 - 21.9), name);
        }
    }
}

/// The forms of the square from (-1,-1) to (1,1), and the circle in it.
fn solids() -> Vec<(&'static str, PlacedShape)> {
    let square = aabb((0.0, 0.0), (1.0, 1.0));
    let (lower, upper) = (between((-1.0, -1.0), (1.0, 0.0)), between((-1.0, 0.0), (1.0, 1.0)));
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    vec![
        ("circle", placed(circle((0.0, 0.0), 1.0))),
        ("box", placed(square)),
        ("polygon", placed(as_polygon(square))),
        ("rounded box", {
            let core = ConvexPolygon::rectangle(Vec2::splat(1.5)).unwrap();
            placed(core.with_radius(0.25).unwrap())
        }),
        (
            "capsule",
            placed(ConvexPolygon::capsule(Vec2::ZERO, Vec2::ZERO.with_x(0.5), 1.0).unwrap()),
        ),
        ("compound", placed(compound([lower.into(), upper.into()]))),
        ("outline", placed(outline(&corners))),
    ]
}

/// Report 44.
#[test]
fn ray_that_starts_inside() {
    let ray = Ray::segment(vec2((0.0, 0.5)), vec2((0.0, 1.5))).unwrap();
    for (name, shape) in solids() {
        for rule in [TouchRule::Inclusive, TouchRule::Exclusive] {
            let hit = cast_ray(&shape, &ray, rule).unwrap_or_else(|| panic!("{name}: no hit"));
            assert_eq!((hit.distance, hit.point), (0.0, vec2((0.0, 0.5))), "{name}");
            assert_eq!((hit.normal, hit.starts_inside), (Vec2::NEG_Y, true), "{name}");
            let hollow = ray.with_start_inside(StartInside::FirstExit);
            let hit = cast_ray(&shape, &hollow, rule).unwrap_or_else(|| panic!("{name}: no exit"));
            assert!((hit.distance - 0.5).abs() < 1e-6, "{name}: {hit:?}");
            assert_near(hit.point, (0.0, 1.0), name);
            assert_near(hit.normal, (0.0, 1.0), name);
            assert!(hit.starts_inside, "{name}");
            // Too short to leave.
            assert_eq!(cast_ray(&shape, &hollow.with_length(0.25), rule), None, "{name}");
        }
    }
}

#[test]
fn a_ray_of_no_length_asks_about_its_point() {
    for (name, shape) in solids() {
        for (point, is_in) in [((0.0, 0.5), true), ((0.0, 0.0), true), ((0.0, 1.5), false)] {
            let ray = Ray::segment(vec2(point), vec2(point)).unwrap();
            for rule in [TouchRule::Inclusive, TouchRule::Exclusive] {
                let hit = cast_ray(&shape, &ray, rule);
                assert_eq!(hit.is_some(), is_in, "{name} at {point:?} {rule:?}: {hit:?}");
                assert_eq!(contains_point(&shape, vec2(point), rule), is_in, "{name} {point:?}");
                let short = Ray::new(vec2(point), Vec2::X).unwrap().with_length(0.0);
                assert_eq!(cast_ray(&shape, &short, rule).is_some(), is_in, "{name} {point:?}");
                let hollow = short.with_start_inside(StartInside::FirstExit);
                assert_eq!(cast_ray(&shape, &hollow, rule).is_some(), is_in, "{name} {point:?}");
                if let Some(hit) = hit {
                    assert_eq!((hit.distance, hit.point), (0.0, vec2(point)), "{name}");
                    assert!((hit.normal.length() - 1.0).abs() < 1e-6, "{name}: {hit:?}");
                }
            }
        }
        // On the boundary, as the rule says.
        let ray = Ray::segment(Vec2::Y, Vec2::Y).unwrap();
        assert!(cast_ray(&shape, &ray, TouchRule::Inclusive).is_some(), "{name}");
        assert!(cast_ray(&shape, &ray, TouchRule::Exclusive).is_none(), "{name}");
    }
}

#[test]
fn rays_that_are_none() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for direction in [Vec2::new(bad, 1.0), Vec2::new(1.0, bad)] {
            let error = Ray::new(Vec2::ZERO, direction);
            assert!(matches!(error, Err(RayError::Direction(_))), "{error:?}");
            let error = Ray::new(direction, Vec2::X);
            assert!(matches!(error, Err(RayError::NonFiniteOrigin(_))), "{error:?}");
            assert!(Ray::segment(Vec2::ZERO, direction).is_err());
            assert!(Ray::segment(direction, Vec2::ZERO).is_err());
        }
    }
    assert_eq!(Ray::new(Vec2::ONE, Vec2::ZERO), Err(RayError::Direction(Vec2::ZERO)));
    let short = Ray::new(Vec2::ZERO, Vec2::X).unwrap();
    for bad in [f32::NAN, -3.0] {
        assert!(short.with_length(bad).length() <= 0.0, "{bad}");
    }
    // The smallest and the largest directions are directions.
    for direction in [Vec2::new(1e-45, 0.0), Vec2::new(f32::MAX, 0.0)] {
        assert_eq!(Ray::new(Vec2::ZERO, direction).unwrap().direction(), Vec2::X);
    }
    // A sweep along what is no number finds nothing, and does not panic.
    let (a, b) = (placed(circle((0.0, 0.0), 1.0)), placed(circle((5.0, 0.0), 1.0)));
    for way in [Vec2::NAN, Vec2::new(f32::NEG_INFINITY, 0.0), Vec2::new(0.0, f32::NAN)] {
        let found = sweep(&a, &b, way, TouchRule::Inclusive);
        assert!(found.is_none_or(|impact| impact.point.is_finite()), "{way}: {found:?}");
    }
}

#[test]
fn rays_along_an_edge_and_through_a_vertex() {
    let square = aabb((0.0, 0.0), (1.0, 1.0));
    let (lower, upper) = (between((-1.0, -1.0), (1.0, 0.0)), between((-1.0, 0.0), (1.0, 1.0)));
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let shapes: [(&str, PlacedShape); 4] = [
        ("box", placed(square)),
        ("polygon", placed(as_polygon(square))),
        ("compound", placed(compound([lower.into(), upper.into()]))),
        ("outline", placed(outline(&corners))),
    ];
    for (name, shape) in &shapes {
        for (from, way, distance) in [
            // Along the top, and along the right side.
            ((-3.0, 1.0), (1.0, 0.0), 2.0),
            ((1.0, 4.0), (0.0, -1.0), 3.0),
            // Past a corner, only touching it.
            ((0.0, 2.0), (1.0, -1.0), 2.0_f32.sqrt()),
        ] {
            let ray = Ray::new(vec2(from), vec2(way)).unwrap();
            let hit = cast_ray(shape, &ray, TouchRule::Inclusive);
            let hit = hit.unwrap_or_else(|| panic!("{name}: no hit from {from:?}"));
            assert!((hit.distance - distance).abs() < 1e-5, "{name} from {from:?}: {hit:?}");
            assert!((hit.normal.length() - 1.0).abs() < 1e-5, "{name} from {from:?}: {hit:?}");
            let grazing = cast_ray(shape, &ray, TouchRule::Exclusive);
            assert_eq!(grazing, None, "{name} from {from:?}");
        }
        // Through a corner into the middle: the same under both rules.
        let ray = Ray::new(Vec2::splat(3.0), Vec2::splat(-1.0)).unwrap();
        for rule in [TouchRule::Inclusive, TouchRule::Exclusive] {
            let hit = cast_ray(shape, &ray, rule).unwrap_or_else(|| panic!("{name}: no hit"));
            assert!((hit.distance - 8.0_f32.sqrt()).abs() < 1e-5, "{name}: {hit:?}");
            assert!(hit.normal.min_element() >= -1e-6, "{name}: {hit:?}");
        }
        // Along the inner seam: the surface counts, not the seam.
        let ray = Ray::new(vec2((-3.0, 0.0)), Vec2::X).unwrap();
        for rule in [TouchRule::Inclusive, TouchRule::Exclusive] {
            let hit = cast_ray(shape, &ray, rule).unwrap_or_else(|| panic!("{name}: no hit"));
            assert!((hit.distance - 2.0).abs() < 1e-5, "{name}: {hit:?}");
            assert_near(hit.normal, (-1.0, 0.0), name);
            let inside = Ray::new(vec2((-0.5, 0.0)), Vec2::X).unwrap();
            let hollow = inside.with_start_inside(StartInside::FirstExit);
            let hit = cast_ray(shape, &hollow, rule).unwrap_or_else(|| panic!("{name}: no exit"));
            assert_near(hit.point, (1.0, 0.0), name);
        }
    }
}

/// Report 28.
#[test]
fn clockwise_polygons_are_the_same_shapes() {
    let both = |points: &[(f32, f32)]| {
        let mut reversed = points.to_vec();
        reversed.reverse();
        [polygon(points), polygon(&reversed)]
    };
    let turned = |shape: ConvexPolygon| {
        let turn = Mat2::from_angle(2.717_398_2);
        let pose = Affine2::from_mat2_translation(turn, Vec2::new(750.0, 294.0));
        PlacedShape::new(&shape.into(), pose).unwrap()
    };
    for triangle in both(&[(1.0, -70.0), (-60.0, 46.0), (60.0, 46.0)]).map(turned) {
        let far = placed(circle((444.0, 571.0), 67.0));
        assert_eq!(contact(&triangle, &far, TouchRule::Inclusive), None);
        let distance = separation(&triangle, &far).distance;
        assert!((distance - (374.9 - 67.0)).abs() < 0.1, "{distance}");
    }
    let [one, other] = both(&[(0.0, 20.0), (8.0, 50.0), (20.0, 50.0), (0.0, 0.0)]).map(placed);
    let ball = placed(circle((8.0, 30.0), 3.0));
    let found = contact(&one, &ball, TouchRule::Exclusive).expect("they overlap");
    assert_eq!(contact(&other, &ball, TouchRule::Exclusive), Some(found));
}

/// Report 31, a small box near the corner of a large one.
#[test]
fn the_shortest_push_is_along_an_axis() {
    let large = aabb((0.0, 0.0), (0.5, 0.5));
    let small = aabb((0.4, 0.4), (0.1, 0.1));
    for a in [placed(large), placed(as_polygon(large))] {
        for b in [placed(small), placed(as_polygon(small))] {
            let found = push(&a, &b);
            assert_near(found, (0.2, 0.0), "along x of the two");
        }
    }
}

/// Report 32.
#[test]
fn shapes_wholly_inside_others_leave_by_the_whole_way() {
    for x in [0.0, 40.0] {
        for shape in [aabb((0.0, 0.0), (50.0, 50.0))] {
            for outer in [placed(shape), placed(as_polygon(shape))] {
                let found = push(&outer, &placed(circle((x, 0.0), 5.0)));
                assert!((found.length() - (55.0 - x)).abs() < 1e-4, "{found}");
            }
        }
    }
    let [a, b] = [placed(circle((0.0, 0.0), 10.0)), placed(circle((0.0, 0.0), 10.0))];
    let found = contact(&a, &b, TouchRule::Inclusive).unwrap();
    assert_eq!((found.depth, found.normal.length()), (20.0, 1.0));
}

/// Report 33.
#[test]
fn a_square_that_slides_along_a_wall_keeps_its_normal() {
    let wall = placed(aabb((0.0, 0.0), (50.0, 0.5)));
    let mut place = Vec2::new(-49.0, 0.999);
    let square = Shape::from(aabb((0.0, 0.0), (0.5, 0.5)));
    for step in 0..200_000 {
        place.x += 98.0 / 200_000.0;
        let Some(found) = contact(&wall, &placed_at(square.clone(), place), TouchRule::Inclusive)
        else {
            continue;
        };
        assert!(found.normal.distance(Vec2::Y) < 1e-5, "step {step}: {found:?}");
        assert!(step == 0 || found.depth < 1e-3, "step {step}: {found:?}");
        place += found.mtv();
    }
    assert!((place.y - 1.0).abs() < 1e-5, "{place}");
}

/// Report 33, the end of a capsule exactly on a box.
#[test]
fn a_round_end_just_touches() {
    let floor = placed(aabb((-2.037_373_5, -1.25), (4.0, 0.5)));
    let capsule = ConvexPolygon::capsule(vec2((0.0, -0.25)), vec2((0.0, 0.75)), 0.5).unwrap();
    for shape in [placed(circle((0.0, -0.25), 0.5)), placed(capsule)] {
        let found = contact(&floor, &shape, TouchRule::Inclusive).expect("they touch");
        assert_eq!(found.status, ContactStatus::Touching);
        assert!(found.depth < 1e-6, "{found:?}");
        assert_near(found.normal, (0.0, 1.0), "normal");
        assert_near(found.point, (0.0, -0.75), "point");
        assert_eq!(contact(&floor, &shape, TouchRule::Exclusive), None);
    }
}

/// Report 34.
#[test]
fn degenerate_polygons_are_refused_or_cleaned() {
    let new = |points: &[(f32, f32)]| ConvexPolygon::new(points.iter().copied().map(vec2));
    let bad: [&[(f32, f32)]; 6] = [
        &[(0.0, 0.0), (10.0, 10.0), (5.0, 5.0), (3.0, 3.0)],
        &[],
        &[(1.0, 1.0)],
        &[(0.0, 0.0), (1.0, 1.0)],
        &[(0.0, 0.0), (1e-23, 0.0), (0.0, 1e-23)],
        &[(9.58, 1.15), (15.65, 6.90), (5.36, 5.60), (11.43, 11.36)],
    ];
    for points in bad {
        // Points within 1e-23 make a sound, if tiny, triangle: either answer will do.
        let refused = new(points).is_err() || points.iter().all(|p| p.0.abs() < 1e-20);
        assert!(refused, "{points:?}");
        let as_outline = ConcavePolygon::new(points.iter().copied().map(vec2));
        assert!(as_outline.is_err() || points.iter().all(|p| p.0.abs() < 1e-20), "{points:?}");
    }
    let error = new(&[(0.0, 0.0), (1.0, 0.0), (f32::NAN, 1.0)]);
    assert!(matches!(error, Err(PolygonError::NonFinite { vertex: 2, .. })), "{error:?}");
    let twice = [(-3.0, 15.0), (8.0, -5.0), (28.0, 0.0), (36.0, 1.0), (23.0, 28.0), (23.0, 28.0)];
    // It has a dent at (28, 0), which only an outline may have.
    assert!(new(&twice).is_err());
    let cleaned = ConcavePolygon::new(twice.into_iter().map(vec2)).unwrap();
    assert_eq!(cleaned.outline().len(), 5);
    let straight = new(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (1.0, 2.0)]).unwrap();
    assert_eq!(straight.vertices().len(), 3);
}

/// Report 39.
#[test]
fn all_forms_of_two_shapes_that_touch_agree() {
    let pair = [between((-50.0, -200.0), (50.0, -100.0)), between((-10.0, -225.0), (49.0, -200.0))];
    let corner = [between((0.0, 0.0), (1.0, 1.0)), between((1.0, 1.0), (2.0, 2.0))];
    for [a, b] in [pair, corner] {
        for a in [placed(a), placed(as_polygon(a))] {
            for b in [placed(b), placed(as_polygon(b))] {
                for (first, second) in [(&a, &b), (&b, &a)] {
                    assert!(overlaps(first, second, TouchRule::Inclusive));
                    assert!(!overlaps(first, second, TouchRule::Exclusive));
                    let found = contact(first, second, TouchRule::Inclusive).unwrap();
                    assert_eq!((found.depth, found.status), (0.0, ContactStatus::Touching));
                }
            }
        }
    }
    let [a, b] = [0.0, 20.0].map(|x| placed(circle((x, 0.0), 10.0)));
    assert!(overlaps(&a, &b, TouchRule::Inclusive) && !overlaps(&a, &b, TouchRule::Exclusive));
}

/// Report 42.
#[test]
fn the_push_is_the_same_far_from_the_origin() {
    let square = aabb((0.0, 0.0), (8.0, 8.0));
    let dent = outline(&[(-8.0, -8.0), (8.0, -8.0), (8.0, 8.0), (0.0, 4.0), (-8.0, 8.0)]);
    for x in [0.0, 1e3, 1e5, 1e6] {
        let shapes: [Shape; 3] = [square.into(), as_polygon(square).into(), dent.clone().into()];
        for shape in shapes {
            let a = placed_at(square, Vec2::splat(x));
            let b = placed_at(shape.clone(), Vec2::new(x + 15.5, x));
            assert_eq!(push(&b, &a), Vec2::new(-0.5, 0.0), "at {x}: {shape:?}");
        }
    }
}
