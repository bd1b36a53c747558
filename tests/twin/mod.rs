//! A slow twin of the crate's geometry: double precision, brute force, short enough to be seen
//! to be right.
//!
//! A solid is a union of convex pieces. Everything between two solids A and B is asked of their
//! Minkowski difference, the solid of all `a - b`: moved by `v`, B meets A exactly when `v` lies
//! in it.
#![allow(dead_code, unreachable_pub, reason = "each test uses its own part of this module")]

use bevy::math::DVec2;

/// The convex hull of some points, grown by a radius.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Counter-clockwise, without repeated or collinear points.
    pub points: Vec<DVec2>,
    pub radius: f64,
}

impl Piece {
    pub fn new(points: impl IntoIterator<Item = DVec2>, radius: f64) -> Self {
        Self { points: hull(points.into_iter().collect()), radius }
    }

    pub fn edges(&self) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
        let n = self.points.len();
        (0..n).map(move |i| (self.points[i], self.points[(i + 1) % n]))
    }

    /// Largest coordinate along a direction.
    pub fn support(&self, direction: DVec2) -> f64 {
        let along = self.points.iter().map(|point| point.dot(direction));
        along.fold(f64::MIN, f64::max) + self.radius * direction.length()
    }

    /// Distance to the boundary, negative inside.
    pub fn signed_distance(&self, point: DVec2) -> f64 {
        let to_edges =
            self.edges().map(|(a, b)| distance_to_segment(point, a, b)).fold(f64::MAX, f64::min);
        let is_inside =
            self.points.len() > 2 && self.edges().all(|(a, b)| (b - a).perp_dot(point - a) >= 0.0);
        if is_inside { -to_edges - self.radius } else { to_edges - self.radius }
    }

    /// Points of the boundary with the outward direction there: `count` to each edge and corner.
    fn boundary(&self, count: usize) -> Vec<(DVec2, DVec2)> {
        let mut samples = Vec::new();
        for (a, b) in self.edges() {
            let out = -(b - a).normalize_or_zero().perp();
            let on_edge = |i| a.lerp(b, i as f64 / count as f64) + out * self.radius;
            samples.extend((0..=count).map(|i| (on_edge(i), out)));
        }
        if self.radius > 0.0 || self.points.len() < 3 {
            for &corner in &self.points {
                for i in 0..count {
                    let out = DVec2::from_angle(std::f64::consts::TAU * i as f64 / count as f64);
                    let point = corner + out * self.radius;
                    if self.signed_distance(point) > -1e-9 * self.radius {
                        samples.push((point, out));
                    }
                }
            }
        }
        samples
    }

    /// How far two neighbours among the points of the boundary are apart at most.
    fn spacing(&self, count: usize) -> f64 {
        let longest = self.edges().map(|(a, b)| a.distance(b)).fold(0.0, f64::max);
        longest.max(std::f64::consts::TAU * self.radius) / count as f64
    }
}

/// A union of convex pieces.
#[derive(Clone, Debug)]
pub struct Solid {
    pub pieces: Vec<Piece>,
}

impl Solid {
    pub fn convex(points: impl IntoIterator<Item = DVec2>, radius: f64) -> Self {
        Self { pieces: vec![Piece::new(points, radius)] }
    }

    /// The largest coordinate.
    pub fn magnitude(&self) -> f64 {
        let of_piece = |piece: &Piece| {
            piece.points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max) + piece.radius
        };
        self.pieces.iter().map(of_piece).fold(0.0, f64::max)
    }

    pub fn support(&self, direction: DVec2) -> f64 {
        self.pieces.iter().map(|piece| piece.support(direction)).fold(f64::MIN, f64::max)
    }

    /// Distance to the solid; inside, minus the depth in the deepest single piece.
    pub fn signed_distance(&self, point: DVec2) -> f64 {
        self.pieces.iter().map(|piece| piece.signed_distance(point)).fold(f64::MAX, f64::min)
    }

    /// Distance to the solid, 0 inside.
    pub fn distance(&self, point: DVec2) -> f64 {
        self.signed_distance(point).max(0.0)
    }

    pub fn moved(&self, by: DVec2) -> Self {
        let piece = |piece: &Piece| Piece {
            points: piece.points.iter().map(|&point| point + by).collect(),
            radius: piece.radius,
        };
        Self { pieces: self.pieces.iter().map(piece).collect() }
    }

    /// The distance from a point to the boundary, by samples, and by how much it may be too large.
    ///
    /// Samples of a piece count if a step outward leaves the solid: else it is an inner seam.
    pub fn distance_to_boundary(&self, point: DVec2, count: usize) -> (f64, f64) {
        let step = 1e-7 * (1.0 + self.magnitude());
        let samples = self.pieces.iter().flat_map(|piece| piece.boundary(count));
        let outer = samples.filter(|(on, out)| self.signed_distance(*on + *out * step) > 0.0);
        let distance = outer.map(|(on, _)| on.distance(point)).fold(f64::MAX, f64::min);
        let spacing = self.pieces.iter().map(|piece| piece.spacing(count)).fold(0.0, f64::max);
        (distance, spacing)
    }

    /// Whether a unit vector is an outward normal of the solid at a point of its boundary: one of
    /// the pieces that meet there lies wholly behind the line through the point.
    pub fn is_outward(&self, point: DVec2, normal: DVec2, tolerance: f64) -> bool {
        let is_unit = (normal.length() - 1.0).abs() <= 1e-5;
        let mut there =
            self.pieces.iter().filter(|piece| piece.signed_distance(point).abs() <= tolerance);
        is_unit && there.any(|piece| piece.support(normal) - normal.dot(point) <= 2.0 * tolerance)
    }

    /// The first of many equal steps from `start` along `way` (the whole of it) at which the
    /// signed distance is as asked, as a part of the way.
    pub fn first_step(
        &self,
        start: DVec2,
        way: DVec2,
        steps: usize,
        is_it: impl Fn(f64) -> bool,
    ) -> Option<f64> {
        let parts = (0..=steps).map(|i| i as f64 / steps as f64);
        parts.into_iter().find(|part| is_it(self.signed_distance(start + way * *part)))
    }
}

/// The Minkowski difference: all the moves of `b` after which it meets `a`.
pub fn difference(a: &Solid, b: &Solid) -> Solid {
    let of_pair = |a: &Piece, b: &Piece| {
        let points = a.points.iter().flat_map(|&p| b.points.iter().map(move |&q| p - q));
        Piece::new(points, a.radius + b.radius)
    };
    let pieces = a.pieces.iter().flat_map(|a| b.pieces.iter().map(move |b| of_pair(a, b)));
    Solid { pieces: pieces.collect() }
}

/// The distance of two solids; if they overlap, minus the depth of the deepest pair of pieces.
pub fn separation(a: &Solid, b: &Solid) -> f64 {
    difference(a, b).signed_distance(DVec2::ZERO)
}

/// How far B lies beyond A along a unit vector: negative where their shadows overlap.
pub fn gap(a: &Solid, b: &Solid, normal: DVec2) -> f64 {
    -b.support(-normal) - a.support(normal)
}

pub fn distance_to_segment(point: DVec2, a: DVec2, b: DVec2) -> f64 {
    let edge = b - a;
    let along = (point - a).dot(edge) / edge.length_squared();
    // A single point divides by zero.
    let along = if along.is_finite() { along.clamp(0.0, 1.0) } else { 0.0 };
    point.distance(a + edge * along)
}

/// The convex hull, counter-clockwise. (Andrew's monotone chain.)
fn hull(mut points: Vec<DVec2>) -> Vec<DVec2> {
    points.sort_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |points: &mut dyn Iterator<Item = DVec2>| {
        let mut chain: Vec<DVec2> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && (b - a).perp_dot(point - a) <= 0.0
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut lower = half(&mut points.iter().copied());
    lower.extend(half(&mut points.iter().rev().copied()));
    lower
}
