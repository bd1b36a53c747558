//! Random shapes, each twice: as the crate takes it, and as its twin.

use bevy::math::{Affine2, DVec2, Mat2, Vec2};
use bevy_nudge::geometry::{Aabb, Circle, ConcavePolygon, ConvexPolygon, PlacedShape, Shape};
use proptest::prelude::*;

use crate::twin::{Piece, Solid};

/// A shape in its own space, with the pieces of its twin.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub(crate) shape: Shape,
    pieces: Vec<Vec<Vec2>>,
    radius: f32,
}

/// A shape in the world.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) placed: PlacedShape,
    pub(crate) solid: Solid,
}

impl Form {
    pub(crate) fn new(shape: impl Into<Shape>, pieces: Vec<Vec<Vec2>>, radius: f32) -> Self {
        Self { shape: shape.into(), pieces, radius }
    }

    pub(crate) fn place(&self, pose: Affine2) -> Sample {
        let scale = pose.matrix2.x_axis.as_dvec2().length();
        // A box keeps its sides upright.
        let turn = match self.shape {
            Shape::Aabb(_) => bevy::math::DMat2::from_diagonal(DVec2::splat(scale)),
            _ => pose.matrix2.as_dmat2(),
        };
        let place = |point: &Vec2| turn * point.as_dvec2() + pose.translation.as_dvec2();
        let radius = f64::from(self.radius) * scale;
        let piece = |points: &Vec<Vec2>| Piece::new(points.iter().map(place), radius);
        let solid = Solid { pieces: self.pieces.iter().map(piece).collect() };
        Sample { placed: PlacedShape::new(&self.shape, pose).expect("a place"), solid }
    }
}

fn size() -> impl Strategy<Value = f32> {
    0.2_f32..10.0
}

fn point() -> impl Strategy<Value = Vec2> {
    (-10.0_f32..10.0, -10.0_f32..10.0).prop_map(Vec2::from)
}

/// Convex shapes without a radius, points and segments too.
pub(crate) fn plain() -> impl Strategy<Value = Form> {
    let around =
        |half: Vec2| vec![-half, Vec2::new(half.x, -half.y), half, Vec2::new(-half.x, half.y)];
    prop_oneof![
        (0.0_f32..10.0).prop_map(|radius| {
            Form::new(Circle::new(Vec2::ZERO, radius).unwrap(), vec![vec![Vec2::ZERO]], radius)
        }),
        (size(), size()).prop_map(move |(w, h)| {
            let half = Vec2::new(w, h);
            Form::new(Aabb::from_half_size(Vec2::ZERO, half).unwrap(), vec![around(half)], 0.0)
        }),
        polygon().prop_map(|polygon| {
            let vertices = polygon.vertices().to_vec();
            Form::new(polygon, vec![vertices], 0.0)
        }),
    ]
}

fn polygon() -> impl Strategy<Value = ConvexPolygon> {
    prop_oneof![
        (3_usize..12, size()).prop_map(|(n, r)| ConvexPolygon::regular(n, r).unwrap()),
        prop::collection::vec(point(), 4..12)
            .prop_filter_map("points on one line", |points| ConvexPolygon::hull(points).ok()),
        (point(), point()).prop_filter_map("a point", |(a, b)| ConvexPolygon::segment(a, b).ok()),
    ]
}

/// Rounded polygons and capsules.
pub(crate) fn rounded() -> impl Strategy<Value = Form> {
    prop_oneof![
        (polygon(), 0.05_f32..4.0).prop_map(|(polygon, radius)| {
            let vertices = polygon.vertices().to_vec();
            Form::new(polygon.with_radius(radius).unwrap(), vec![vertices], radius)
        }),
        (point(), point(), 0.05_f32..4.0).prop_filter_map("a point", |(a, b, radius)| {
            let capsule = ConvexPolygon::capsule(a, b, radius).ok()?;
            Some(Form::new(capsule, vec![vec![a, b]], radius))
        }),
    ]
}

pub(crate) fn convex() -> impl Strategy<Value = Form> {
    prop_oneof![2 => plain(), 1 => rounded()]
}

/// Needles: a thousand to a million times as long as thick.
pub(crate) fn sliver() -> impl Strategy<Value = Form> {
    (1.0_f32..10.0, 3.0_f32..6.0).prop_map(|(half, thinness)| {
        let thin = half * 10.0_f32.powf(-thinness);
        let corners = [(-half, -thin), (half, -thin), (half, thin), (-half, thin)];
        let corners = corners.map(Vec2::from).to_vec();
        let needle = ConvexPolygon::new(corners.clone()).expect("a rectangle");
        Form::new(needle, vec![corners], 0.0)
    })
}

/// Simple outlines with dents: random stars around a centre, U and L.
pub(crate) fn concave() -> impl Strategy<Value = Form> {
    prop_oneof![
        3 => prop::collection::vec((1.0_f32..10.0, 0.5_f32..1.0), 5..9).prop_map(star),
        1 => (2.0_f32..9.0, 1.0_f32..8.0, 0.2_f32..0.8).prop_map(|(half, height, notch)| {
            let inner = half * notch;
            let outline = [
                (-half, 0.0), (half, 0.0), (half, height + 1.0), (inner, height + 1.0),
                (inner, 1.0), (-inner, 1.0), (-inner, height + 1.0), (-half, height + 1.0),
            ];
            pieces_of(&outline, &[&[0, 1, 4, 5], &[1, 2, 3, 4], &[0, 5, 6, 7]])
        }),
        1 => (1.0_f32..6.0, 1.0_f32..6.0, 0.5_f32..4.0).prop_map(|(x, y, width)| {
            let (w, h) = (x + width, y + width);
            let outline =
                [(0.0, 0.0), (w, 0.0), (w, width), (width, width), (width, h), (0.0, h)];
            pieces_of(&outline, &[&[0, 1, 2, 3], &[0, 3, 4, 5]])
        }),
    ]
}

fn pieces_of(outline: &[(f32, f32)], pieces: &[&[usize]]) -> Form {
    let outline: Vec<Vec2> = outline.iter().map(|&point| Vec2::from(point)).collect();
    let piece = |indices: &&[usize]| indices.iter().map(|&i| outline[i]).collect();
    let pieces = pieces.iter().map(piece).collect();
    Form::new(ConcavePolygon::new(outline.iter().copied()).unwrap(), pieces, 0.0)
}

/// Corners at these distances, and these parts of a turn, around the origin. The pieces are the
/// triangles between the origin and two neighbours.
fn star(corners: Vec<(f32, f32)>) -> Form {
    let whole: f32 = corners.iter().map(|corner| corner.1).sum();
    let mut angle = 0.0;
    let mut outline: Vec<Vec2> = Vec::new();
    for &(distance, part) in &corners {
        outline.push(Vec2::from_angle(angle) * distance);
        // Of 5 corners none turns by more than a third: the origin stays inside.
        angle += std::f32::consts::TAU * part / whole;
    }
    let n = outline.len();
    let triangle = |i: usize| vec![Vec2::ZERO, outline[i], outline[(i + 1) % n]];
    let pieces = (0..n).map(triangle).collect();
    match ConcavePolygon::new(outline.iter().copied()) {
        Ok(concave) => Form::new(concave, pieces, 0.0),
        Err(error) => panic!("{outline:?}: {error}"),
    }
}

pub(crate) fn any_form() -> impl Strategy<Value = Form> {
    prop_oneof![3 => convex(), 2 => concave()]
}

/// Turned, scaled alike on both axes, mirrored.
pub(crate) fn poses() -> impl Strategy<Value = Affine2> {
    (-15.0_f32..15.0, -15.0_f32..15.0, -4.0_f32..4.0, 0.3_f32..2.0, prop::bool::ANY).prop_map(
        |(x, y, angle, scale, mirror)| {
            let flip = if mirror { -scale } else { scale };
            let stretch = Mat2::from_diagonal(Vec2::new(flip, scale));
            Affine2::from_mat2_translation(Mat2::from_angle(angle) * stretch, Vec2::new(x, y))
        },
    )
}

pub(crate) fn placed(form: impl Strategy<Value = Form>) -> impl Strategy<Value = Sample> {
    (form, poses()).prop_map(|(form, pose)| form.place(pose))
}
