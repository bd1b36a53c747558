//! What holds for every pair of shapes: both orders agree, the push parts them, the point is in
//! both, and nothing depends on the place in the world. The same for whole worlds.

#[path = "../common/mod.rs"]
mod common;
mod worlds;

use bevy::math::{Affine2, Mat2, Vec2};
use bevy_nudge::geometry::{
    Aabb, Circle, Contact, ConvexPolygon, PlacedShape, Shape, TouchRule, contact, overlaps,
    separation,
};
use proptest::prelude::*;

fn shapes() -> impl Strategy<Value = Shape> {
    let size = || 0.05_f32..20.0;
    prop_oneof![
        size().prop_map(|radius| Circle::new(Vec2::ZERO, radius).unwrap().into()),
        (size(), size())
            .prop_map(|(w, h)| Aabb::from_half_size(Vec2::ZERO, Vec2::new(w, h)).unwrap().into()),
        (size(), size())
            .prop_map(|(w, h)| ConvexPolygon::rectangle(Vec2::new(w, h)).unwrap().into()),
        (3_usize..12, size()).prop_map(|(n, r)| ConvexPolygon::regular(n, r).unwrap().into()),
        prop::collection::vec((-20.0_f32..20.0, -20.0_f32..20.0), 4..12).prop_filter_map(
            "points on one line",
            |points| ConvexPolygon::hull(points.into_iter().map(Vec2::from)).ok().map(Shape::from)
        ),
        (-9.0_f32..9.0, -9.0_f32..9.0).prop_filter_map("a point", |(x, y)| {
            ConvexPolygon::segment(Vec2::ZERO, Vec2::new(x, y)).ok().map(Shape::from)
        }),
    ]
}

/// Shapes whose outline does not depend on an angle.
fn round_or_upright() -> impl Strategy<Value = Shape> {
    prop_oneof![
        (0.05_f32..20.0).prop_map(|radius| Circle::new(Vec2::ZERO, radius).unwrap().into()),
        (0.05_f32..20.0, 0.05_f32..20.0).prop_map(|(w, h)| Aabb::from_half_size(
            Vec2::ZERO,
            Vec2::new(w, h)
        )
        .unwrap()
        .into()),
    ]
}

fn poses() -> impl Strategy<Value = Affine2> {
    (-15.0_f32..15.0, -15.0_f32..15.0, -4.0_f32..4.0, 0.3_f32..2.0, prop::bool::ANY, -0.5_f32..0.5)
        .prop_map(|(x, y, angle, scale, mirror, shear)| {
            let flip = if mirror { -1.0 } else { 1.0 };
            let stretch = Mat2::from_cols(Vec2::new(scale * flip, 0.0), Vec2::new(shear, scale));
            Affine2::from_mat2_translation(Mat2::from_angle(angle) * stretch, Vec2::new(x, y))
        })
}

fn placed() -> impl Strategy<Value = PlacedShape> {
    (shapes(), poses()).prop_map(|(shape, pose)| PlacedShape::new(&shape, pose).unwrap())
}

/// Rounding of the coordinates and sizes of a pair.
fn rounding(a: &PlacedShape, b: &PlacedShape) -> f32 {
    let size = |s: &PlacedShape| s.origin().abs().max_element() + s.extent();
    16.0 * f32::EPSILON * size(a).max(size(b))
}

fn moved(shape: &Shape, pose: Affine2, by: Vec2) -> PlacedShape {
    let moved = Affine2::from_mat2_translation(pose.matrix2, pose.translation + by);
    PlacedShape::new(shape, moved).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..default() })]

    #[test]
    fn both_orders_agree_to_the_bit(a in placed(), b in placed()) {
        prop_assume!(a.origin() != b.origin());
        for rule in [TouchRule::Inclusive, TouchRule::Exclusive] {
            let one = contact(&a, &b, rule);
            prop_assert_eq!(one, contact(&b, &a, rule).map(Contact::flipped));
            prop_assert_eq!(one.is_some(), overlaps(&a, &b, rule));
            prop_assert_eq!(one.is_some(), overlaps(&b, &a, rule));
        }
        prop_assert_eq!(separation(&a, &b), separation(&b, &a).flipped());
    }

    #[test]
    fn the_push_parts_the_pair_and_no_shorter_one_does(
        a in placed(), shape in shapes(), pose in poses()
    ) {
        let b = PlacedShape::new(&shape, pose).unwrap();
        let Some(contact) = contact(&a, &b, TouchRule::Exclusive) else { return Ok(()) };
        let slack = rounding(&a, &b);
        let after = separation(&a, &moved(&shape, pose, contact.mtv()));
        prop_assert!(after.distance.abs() <= slack, "{:?} leaves {}", contact, after.distance);
        // Along any other direction the same way does not suffice.
        for i in 0..32 {
            let direction = Vec2::from_angle(i as f32 * std::f32::consts::TAU / 32.0);
            let after = separation(&a, &moved(&shape, pose, direction * contact.depth));
            prop_assert!(after.distance <= slack, "{:?}: {} is shorter", contact, direction);
        }
    }

    #[test]
    fn the_point_is_in_both(a in placed(), b in placed()) {
        let Some(contact) = contact(&a, &b, TouchRule::Inclusive) else { return Ok(()) };
        let point = PlacedShape::point(contact.point);
        for shape in [&a, &b] {
            let distance = separation(shape, &point).distance;
            prop_assert!(distance <= rounding(&a, &b), "{:?} is {} away", contact, distance);
        }
        prop_assert!((contact.normal.length() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn separation_and_contact_agree(a in placed(), b in placed()) {
        let apart = separation(&a, &b);
        match contact(&a, &b, TouchRule::Inclusive) {
            Some(contact) => {
                prop_assert!((apart.distance + contact.depth).abs() <= rounding(&a, &b));
            }
            None => {
                prop_assert!(apart.distance > 0.0);
                let between = apart.point_b - apart.point_a;
                prop_assert!((between.length() - apart.distance).abs() <= rounding(&a, &b));
                prop_assert!((between - apart.normal * apart.distance).length() <= rounding(&a, &b));
            }
        }
    }

    #[test]
    fn the_place_in_the_world_does_not_matter(
        first in round_or_upright(), second in round_or_upright(), x in -64_i32..64, y in -64_i32..64, far in 0_u32..20
    ) {
        // Offsets on a grid that single precision resolves at this distance too.
        let by = Vec2::splat((1_u32 << far) as f32);
        let offset = Vec2::new(x as f32, y as f32) * 0.25;
        let at = |place: Vec2, shape: &Shape| {
            PlacedShape::new(shape, Affine2::from_translation(place)).unwrap()
        };
        let near = contact(&at(Vec2::ZERO, &first), &at(offset, &second), TouchRule::Inclusive);
        let away = contact(&at(by, &first), &at(by + offset, &second), TouchRule::Inclusive);
        prop_assert_eq!(near.map(|c| (c.normal, c.depth, c.status)), away.map(|c| (c.normal, c.depth, c.status)));
    }
}

fn default() -> ProptestConfig {
    ProptestConfig::default()
}

#[test]
fn a_centred_square_in_a_square_leaves_along_x() {
    let square = |half: f32, x: f32, y: f32| {
        let shape = Aabb::from_half_size(Vec2::ZERO, Vec2::splat(half)).unwrap().into();
        PlacedShape::new(&shape, Affine2::from_translation(Vec2::new(x, y))).unwrap()
    };
    let (large, small) = (square(0.5, 0.0, 0.0), square(0.1, 0.4, 0.4));
    let contact = contact(&large, &small, TouchRule::Inclusive).unwrap();
    assert!((contact.depth - 0.2).abs() < 1e-6, "{contact:?}");
    assert_eq!(contact.normal, Vec2::X);
}

#[test]
fn concentric_circles_part_along_x_in_both_orders() {
    let circle = |radius| {
        let shape = Circle::new(Vec2::ZERO, radius).unwrap().into();
        PlacedShape::new(&shape, Affine2::IDENTITY).unwrap()
    };
    for (a, b) in [(10.0, 10.0), (10.0, 5.0), (5.0, 10.0)] {
        let contact = contact(&circle(a), &circle(b), TouchRule::Inclusive).unwrap();
        assert_eq!((contact.normal, contact.depth), (Vec2::X, a + b));
    }
}

/// Worked cases that users of other systems reported; the MTV is that of the second shape.
#[test]
fn reported_cases_have_the_right_push() {
    let polygon = |points: &[(f32, f32)]| -> Shape {
        ConvexPolygon::new(points.iter().map(|&p| Vec2::from(p))).unwrap().into()
    };
    let aabb = |x: f32, y: f32, half: f32| -> Shape {
        Aabb::from_half_size(Vec2::new(x, y), Vec2::splat(half)).unwrap().into()
    };
    let triangle = polygon(&[(0.0, 0.0), (2.0, 0.0), (0.0, 2.0)]);
    let kite = polygon(&[(30.0, 30.0), (130.0, 40.0), (100.0, 80.0), (40.0, 60.0)]);
    let mut cases = vec![
        (
            kite,
            Aabb::from_corners(Vec2::splat(50.0), Vec2::splat(90.0)).unwrap().into(),
            Vec2::new(-8.0, 24.0),
        ),
        (
            aabb(0.0, 0.0, 50.0),
            Circle::new(Vec2::new(40.0, 0.0), 5.0).unwrap().into(),
            Vec2::new(15.0, 0.0),
        ),
        (
            aabb(0.0, 0.0, 50.0),
            Circle::new(Vec2::new(1.0, 0.0), 5.0).unwrap().into(),
            Vec2::new(54.0, 0.0),
        ),
    ];
    for (at, push) in [(0.9, 0.2), (0.95, 0.15), (1.0, 0.1), (1.05, 0.05)] {
        cases.push((triangle.clone(), aabb(at, at, 0.1), Vec2::splat(push)));
    }
    for (first, second, expected) in cases {
        let place = |shape: &Shape| PlacedShape::new(shape, Affine2::IDENTITY).unwrap();
        let contact = contact(&place(&first), &place(&second), TouchRule::Inclusive).unwrap();
        assert!(contact.mtv().distance(expected) < 1e-4, "{first:?} {second:?}: {}", contact.mtv());
    }
}
