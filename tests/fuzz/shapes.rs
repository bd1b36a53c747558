//! All questions about any two shapes at any places.

use std::hash::{DefaultHasher, Hash, Hasher};

use bevy::math::Vec2;
use bevy_nudge::geometry::{
    Contact, Impact, PlacedShape, Ray, RayHit, StartInside, Touch, TouchRule, cast_ray, contact,
    contains_point, locate_point, overlaps, project_point, separation, sweep,
};

use crate::input::Input;

/// Shows the shapes of a case that fails.
struct Shown<'a>([&'a PlacedShape; 2]);

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("with {:?}\nand {:?}", self.0[0], self.0[1]);
        }
    }
}

/// Shows the motion of a case that fails.
struct ShownMotion(Vec2, Touch);

impl Drop for ShownMotion {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("moved by {:?}, {:?},", self.0, self.1);
        }
    }
}

pub(crate) fn target(input: &mut Input<'_>) -> u64 {
    let mut features = DefaultHasher::new();
    let placed = [(); 2].map(|()| {
        let shape = input.shape();
        let pose = input.pose();
        shape.map(|shape| (shape.name(), PlacedShape::new(&shape, pose)))
    });
    for placed in &placed {
        match placed {
            None => 0_u8.hash(&mut features),
            Some((name, Err(error))) => {
                (name, core::mem::discriminant(error)).hash(&mut features);
            }
            Some((name, Ok(placed))) => {
                (name, placed.pieces().count().min(5)).hash(&mut features);
                check_alone(placed, input, &mut features);
            }
        }
    }
    let [Some((_, Ok(a))), Some((_, Ok(b)))] = &placed else { return features.finish() };
    let _shown = Shown([a, b]);
    let rule = if input.below(2) == 0 { TouchRule::Inclusive } else { TouchRule::Exclusive };
    let slop = if input.below(4) == 0 { input.number() } else { 0.0 };
    let touch = Touch { rule, slop };
    check_pair(a, b, touch, &mut features);
    let displacement = input.point();
    let _moved = ShownMotion(displacement, touch);
    let impact = sweep(a, b, displacement, touch);
    let is_told =
        |impact: &Impact| impact.time > 0.0 && are_alike(a, b) && displacement.is_finite();
    if let Some(impact) = impact.filter(is_told) {
        // Seen from B the place is rounded as that of B is.
        let slack = (a.extent() + b.extent()) * 1e-6
            + touch.tolerance(f64::from(b.extent())) as f32
            + b.origin().abs().max_element() * 1e-6
            + displacement.abs().max_element() * 1e-6;
        assert_on(a, impact.point, slack, &impact);
    }
    if let Some(impact) = impact {
        assert!((0.0..=1.0).contains(&impact.time), "{impact:?}");
        assert_unit(impact.normal, &impact);
        assert!(impact.point.is_finite(), "{impact:?}");
        (impact.time > 0.0).hash(&mut features);
        impact.start.hash(&mut features);
    }
    features.finish()
}

/// Whether double precision tells how thick the thinner one is from the size of the larger one.
fn are_alike(a: &PlacedShape, b: &PlacedShape) -> bool {
    thickness(a).min(thickness(b)) >= 1e-12 * a.extent().max(b.extent())
}

/// How thick a shape is where it is thinnest.
fn thickness(shape: &PlacedShape) -> f32 {
    let of_piece = |piece: &PlacedShape| {
        let widths = piece.edges().map(|edge| {
            let heights = piece.edges().map(|other| edge.normal.dot(other.start - edge.start));
            -heights.fold(0.0, f32::min)
        });
        // A circle has no edges.
        widths.fold(piece.extent(), f32::min) + piece.rounding()
    };
    shape.pieces().map(|piece| of_piece(&piece)).fold(f32::MAX, f32::min)
}

fn assert_unit(normal: Vec2, what: &dyn core::fmt::Debug) {
    assert!((normal.length() - 1.0).abs() < 1e-5, "{what:?}");
}

/// A place on a shape is in its bounds, but for the rounding of both.
fn assert_on(shape: &PlacedShape, place: Vec2, slack: f32, what: &dyn core::fmt::Debug) {
    let slack = slack + (shape.extent() + shape.origin().abs().max_element()) * 1e-5;
    let bounds = shape.bounds();
    let is_near = place.cmpge(bounds.min - slack) & place.cmple(bounds.max + slack);
    assert!(is_near.all(), "{what:?} is not on {bounds:?}");
}

fn check_pair(a: &PlacedShape, b: &PlacedShape, touch: Touch, features: &mut DefaultHasher) {
    let found = contact(a, b, touch);
    let apart = separation(a, b);
    assert!(apart.distance.is_finite(), "{apart:?}");
    assert_unit(apart.normal, &apart);
    if apart.distance > 0.0 && are_alike(a, b) {
        // The other one's place is known to some 16 places, and all to the sizes of both.
        let slack = apart.distance * 1e-9 + (a.extent() + b.extent()) * 1e-6;
        assert_on(a, apart.point_a, slack, &apart);
        assert_on(b, apart.point_b, slack, &apart);
    }
    assert!(apart.point_a.is_finite() && apart.point_b.is_finite(), "{apart:?}");
    assert_eq!(found.is_some(), overlaps(a, b, touch), "{found:?}, {apart:?}");
    if a.origin() != b.origin() {
        assert_eq!(found, contact(b, a, touch).map(Contact::flipped));
        assert_eq!(apart, separation(b, a).flipped());
    }
    (apart.distance > 0.0, apart.distance == 0.0).hash(features);
    if let Some(contact) = found {
        assert!(contact.depth >= 0.0 && contact.depth.is_finite(), "{contact:?}");
        assert!(contact.point.is_finite(), "{contact:?}");
        assert_unit(contact.normal, &contact);
        contact.status.hash(features);
        (contact.normal.x == 0.0, contact.normal.y == 0.0).hash(features);
    }
}

fn check_alone(placed: &PlacedShape, input: &mut Input<'_>, features: &mut DefaultHasher) {
    let bounds = placed.bounds();
    assert!(bounds.min.is_finite() && bounds.max.is_finite(), "{bounds:?}");
    let (point, rule) = (input.point(), TouchRule::Inclusive);
    let place = locate_point(placed, point, rule);
    core::mem::discriminant(&place).hash(features);
    if point.is_finite() {
        let projection = project_point(placed, point);
        assert!(projection.signed_distance.is_finite(), "{projection:?}");
        assert!(projection.nearest.is_finite(), "{projection:?} of {point}");
        assert_on(placed, projection.on_boundary, 0.0, &projection);
        assert_unit(projection.normal, &projection);
    } else {
        assert!(!contains_point(placed, point, rule));
    }
    let ray = match input.below(2) {
        0 => Ray::new(point, input.point()),
        _ => Ray::segment(point, input.point()),
    };
    let Ok(ray) = ray else { return };
    for start in [StartInside::HitAtOnce, StartInside::FirstExit] {
        if let Some(hit) = cast_ray(placed, &ray.with_start_inside(start), rule) {
            let RayHit { distance, point, normal, starts_inside } = hit;
            assert!(distance >= 0.0 && distance.is_finite(), "{hit:?}");
            assert_unit(normal, &hit);
            // A point is met exactly or not at all, so from afar by luck alone. So is what is as
            // thin beside the whole.
            if placed.extent() > 0.0 && are_alike(placed, placed) {
                assert_on(placed, point, 0.0, &(hit, ray, placed));
            }
            let faces = starts_inside || distance == 0.0 || normal.dot(ray.direction()) <= 1e-5;
            assert!(faces, "{hit:?} of {ray:?} at {placed:?}");
            (starts_inside, distance == 0.0).hash(features);
        }
    }
}
