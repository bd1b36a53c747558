//! Shapes and their distances in double precision: slow and plain.

use bevy::math::{DAffine3, DMat2, DQuat, DVec2, DVec3};
use bevy::prelude::*;
use bevy_nudge::geometry::Shape;

use crate::game::Snapshot;

/// A collider in the world: the union of its pieces.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) pieces: Vec<Piece>,
    /// The linear part of its pose, and the place of its entity.
    pub(crate) pose: (DMat2, DVec2),
    /// How far the placement of the crate, in single precision, may be from this one.
    pub(crate) rounding: f64,
}

/// All points within `radius` of the hull of `points`.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    points: Vec<DVec2>,
    radius: f64,
}

/// Why a collider takes no part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Unsound {
    Certainly,
    /// So nearly flat that either answer is right.
    Perhaps,
}

impl Body {
    pub(crate) fn is_convex(&self) -> bool {
        self.pieces.len() == 1
    }

    /// Whether some piece is a point or a segment.
    pub(crate) fn has_thin_piece(&self) -> bool {
        self.pieces.iter().any(|piece| {
            let (min, max) = piece.bounds();
            (max - min).min_element() == 0.0 || (piece.radius == 0.0 && piece.points.len() < 3)
        })
    }

    /// Half the longer side of the bounds.
    pub(crate) fn extent(&self) -> f64 {
        let (min, max) = self.bounds();
        0.5 * (max - min).max_element()
    }

    pub(crate) fn bounds(&self) -> (DVec2, DVec2) {
        self.pieces
            .iter()
            .map(Piece::bounds)
            .fold((DVec2::MAX, DVec2::MIN), |all, (min, max)| (all.0.min(min), all.1.max(max)))
    }

    /// Largest coordinate along a unit vector.
    pub(crate) fn reach(&self, direction: DVec2) -> f64 {
        let along = self
            .pieces
            .iter()
            .flat_map(|piece| piece.points.iter().map(|point| point.dot(direction) + piece.radius));
        along.fold(f64::MIN, f64::max)
    }

    pub(crate) fn point(at: DVec2) -> Self {
        let pieces = vec![Piece { points: vec![at], radius: 0.0 }];
        Self { pieces, pose: (DMat2::IDENTITY, at), rounding: 0.0 }
    }

    pub(crate) fn moved(&self, by: DVec2) -> Self {
        let mut moved = self.clone();
        for piece in &mut moved.pieces {
            piece.points.iter_mut().for_each(|point| *point += by);
        }
        moved
    }

    /// Put at another place in single precision.
    pub(crate) fn at_rest_after(&self, by: DVec2) -> Self {
        let mut moved = self.moved(by);
        moved.pose.1 += by;
        let (min, max) = moved.bounds();
        moved.rounding += f64::from(f32::EPSILON) * min.abs().max(max.abs()).max_element();
        moved
    }

    /// All that it covers on a straight way: the hulls of its pieces here and there.
    pub(crate) fn swept(&self, way: DVec2) -> Self {
        let mut swept = self.clone();
        for piece in &mut swept.pieces {
            let there: Vec<DVec2> = piece.points.iter().map(|point| *point + way).collect();
            piece.points.extend(there);
        }
        swept
    }
}

impl Piece {
    fn bounds(&self) -> (DVec2, DVec2) {
        let min = self.points.iter().fold(DVec2::MAX, |min, &p| min.min(p));
        let max = self.points.iter().fold(DVec2::MIN, |max, &p| max.max(p));
        (min - self.radius, max + self.radius)
    }
}

/// The signed distance of two bodies: the distance, or minus the shortest way apart. For bodies of
/// several pieces that of the nearest or deepest two pieces, which may be less than the whole way.
pub(crate) fn separation(a: &Body, b: &Body) -> f64 {
    let pairs = a.pieces.iter().flat_map(|a| b.pieces.iter().map(move |b| separation_of(a, b)));
    pairs.fold(f64::MAX, f64::min)
}

/// It is that of the origin from the hull of all differences of their points.
fn separation_of(a: &Piece, b: &Piece) -> f64 {
    let differences = b.points.iter().flat_map(|b| a.points.iter().map(move |a| *b - *a));
    distance_of_origin(&hull(differences.collect())) - a.radius - b.radius
}

/// The convex hull, counter-clockwise: the monotone chain of Andrew (1979).
fn hull(mut points: Vec<DVec2>) -> Vec<DVec2> {
    points.sort_by(|p, q| (p.x, p.y).partial_cmp(&(q.x, q.y)).expect("finite points"));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let chain = |points: &mut dyn Iterator<Item = DVec2>| {
        let mut chain: Vec<DVec2> = Vec::new();
        for point in points {
            while let [.., before, last] = chain[..]
                && (last - before).perp_dot(point - last) <= 0.0
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut hull = chain(&mut points.iter().copied());
    hull.extend(chain(&mut points.iter().rev().copied()));
    hull
}

fn distance_of_origin(hull: &[DVec2]) -> f64 {
    let edges = || (0..hull.len()).map(|i| (hull[i], hull[(i + 1) % hull.len()]));
    let is_inside = hull.len() > 2 && edges().all(|(p, q)| (q - p).perp_dot(-p) >= 0.0);
    if is_inside {
        // The nearest edge is also the nearest line.
        -edges().map(|(p, q)| (q - p).perp_dot(-p) / p.distance(q)).fold(f64::MAX, f64::min)
    } else {
        edges().map(|(p, q)| distance_of_origin_from_edge(p, q)).fold(f64::MAX, f64::min)
    }
}

fn distance_of_origin_from_edge(p: DVec2, q: DVec2) -> f64 {
    let edge = q - p;
    let along = if p == q { 0.0 } else { (-p.dot(edge) / edge.length_squared()).clamp(0.0, 1.0) };
    (p + edge * along).length()
}

/// The body of an entity's collider.
pub(crate) fn body(world: &Snapshot, entity: Entity) -> Result<Body, Unsound> {
    let seen = &world.entities[&entity];
    let shape = &seen.collider.as_ref().expect("a collider").shape;
    check_shape(shape)?;
    let mut pose = seen.transform.map(affine).ok_or(Unsound::Certainly)?;
    // For the rounding: how far the parts of the sum lie out, and the largest scale.
    let mut lengths = seen.transform.map(length);
    let mut scale = seen.transform.map_or(1.0, largest_scale);
    let mut levels = 1.0;
    let mut parent = seen.parent;
    while let Some(above) = parent {
        let ancestor = &world.entities[&above];
        if let Some(transform) = ancestor.transform {
            pose = affine(transform) * pose;
            lengths = lengths.map(|sum| length(transform) + largest_scale(transform) * sum);
            scale *= largest_scale(transform);
        }
        levels += 1.0;
        parent = ancestor.parent;
    }
    let matrix = DMat2::from_cols(pose.matrix3.x_axis.truncate(), pose.matrix3.y_axis.truncate());
    let origin = pose.translation.truncate();
    check_pose(matrix, origin)?;

    let pieces = place(shape, matrix, origin);
    let points = || pieces.iter().flat_map(|piece| piece.points.iter().map(|p| (p, piece.radius)));
    let reach = points().map(|(p, radius)| p.distance(origin) + radius).fold(0.0, f64::max);
    let is_exact = points().all(|(p, radius)| [p.x, p.y, radius].into_iter().all(is_on_lattice));
    let size = lengths.unwrap_or(0.0) + reach + scale * size_of(shape);
    let rounding = if is_exact { 0.0 } else { 2e-6 * levels * size };
    // Huge places that cancel each other out leave nothing of their precision.
    if size > 1e30 {
        Err(Unsound::Perhaps)
    } else {
        Ok(Body { pieces, pose: (matrix, origin), rounding })
    }
}

fn place(shape: &Shape, matrix: DMat2, origin: DVec2) -> Vec<Piece> {
    let place = |point: Vec2| origin + matrix * point.as_dvec2();
    let (points, radius) = match shape {
        Shape::Circle(circle) => (vec![place(circle.center)], circle.radius),
        Shape::Aabb(aabb) => {
            // Upright whatever the rotation; the offset turns along.
            let center = place(aabb.center());
            let size = aabb.max.as_dvec2() - aabb.min.as_dvec2();
            let half = DVec2::new(matrix.x_axis.length(), matrix.y_axis.length()) * 0.5 * size;
            let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
            (corners.map(|corner| center + half * DVec2::from(corner)).to_vec(), 0.0)
        }
        Shape::ConvexPolygon(polygon) => {
            (polygon.vertices().iter().map(|&vertex| place(vertex)).collect(), polygon.radius())
        }
        Shape::Concave(polygon) => {
            let pieces = polygon.pieces().map(|piece| Piece {
                points: piece.iter().map(|&vertex| place(vertex)).collect(),
                radius: 0.0,
            });
            return pieces.collect();
        }
        Shape::Compound(compound) => {
            let parts = compound.parts().iter().flat_map(|part| {
                let turn = matrix * DMat2::from_angle(f64::from(part.rotation));
                self::place(&part.shape, turn, place(part.offset))
            });
            return parts.collect();
        }
    };
    vec![Piece { points, radius: f64::from(radius) * stretch(matrix) }]
}

fn affine(transform: Transform) -> DAffine3 {
    let rotation = transform.rotation;
    let [x, y, z, w] = [rotation.x, rotation.y, rotation.z, rotation.w].map(f64::from);
    DAffine3::from_scale_rotation_translation(
        transform.scale.as_dvec3(),
        DQuat::from_xyzw(x, y, z, w),
        transform.translation.as_dvec3(),
    )
}

fn length(transform: Transform) -> f64 {
    transform.translation.as_dvec3().length()
}

fn largest_scale(transform: Transform) -> f64 {
    DVec3::abs(transform.scale.as_dvec3()).max_element()
}

/// The largest factor by which a map stretches a length.
fn stretch(m: DMat2) -> f64 {
    let turn = DVec2::new(m.x_axis.x + m.y_axis.y, m.x_axis.y - m.y_axis.x);
    let flip = DVec2::new(m.x_axis.x - m.y_axis.y, m.x_axis.y + m.y_axis.x);
    0.5 * (turn.length() + flip.length())
}

/// Whether single precision computes with a number without rounding.
fn is_on_lattice(x: f64) -> bool {
    x.abs() < 4096.0 && (x * 1024.0).fract() == 0.0
}

fn size_of(shape: &Shape) -> f64 {
    let far = |point: Vec2| point.as_dvec2().length();
    let farthest = |points: &[Vec2]| points.iter().map(|&p| far(p)).fold(0.0, f64::max);
    match shape {
        Shape::Circle(circle) => far(circle.center) + f64::from(circle.radius),
        Shape::Aabb(aabb) => far(aabb.min).max(far(aabb.max)),
        Shape::ConvexPolygon(polygon) => farthest(polygon.vertices()) + f64::from(polygon.radius()),
        Shape::Concave(polygon) => farthest(polygon.outline()),
        Shape::Compound(compound) => {
            let parts = compound.parts().iter();
            parts.map(|part| far(part.offset) + size_of(&part.shape)).fold(0.0, f64::max)
        }
    }
}

fn check_shape(shape: &Shape) -> Result<(), Unsound> {
    let is_sound = match shape {
        Shape::Circle(circle) => {
            circle.center.is_finite() && circle.radius.is_finite() && circle.radius >= 0.0
        }
        Shape::Aabb(aabb) => {
            aabb.min.is_finite() && aabb.max.is_finite() && aabb.min.cmple(aabb.max).all()
        }
        Shape::ConvexPolygon(polygon) => {
            let vertices = polygon.vertices();
            let n = vertices.len();
            let turns = (0..n).map(|i| {
                let [p, q, r] = [i, i + 1, i + 2].map(|i| vertices[i % n].as_dvec2());
                (q - p).perp_dot(r - q)
            });
            n == 2 || turns.fold(f64::MAX, f64::min) > 0.0
        }
        // The game makes no unsound ones.
        Shape::Concave(_) => true,
        Shape::Compound(compound) => {
            return compound.parts().iter().try_for_each(|part| check_shape(&part.shape));
        }
    };
    if is_sound { Ok(()) } else { Err(Unsound::Certainly) }
}

fn check_pose(matrix: DMat2, origin: DVec2) -> Result<(), Unsound> {
    if !matrix.is_finite() || !origin.is_finite() || origin.abs().max_element() > 1e30 {
        return Err(Unsound::Certainly);
    }
    let sides = matrix.x_axis.length() * matrix.y_axis.length();
    let sine = if sides == 0.0 { 0.0 } else { matrix.determinant().abs() / sides };
    match sine {
        // Twice the rounding of a matrix in single precision.
        ..1e-9 => Err(Unsound::Certainly),
        1e-9..1e-4 => Err(Unsound::Perhaps),
        _ => Ok(()),
    }
}
