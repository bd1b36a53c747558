//! Pieces of the boundary of a convex part, and where two of them cross.

use bevy::math::DVec2;

/// Edges whose directions differ by less, as a sine, count as parallel: they have no crossing.
const PARALLEL: f64 = 1e-9;

/// A piece of the boundary of a part.
pub(super) enum Element {
    Edge {
        start: DVec2,
        edge: DVec2,
    },
    /// The whole circle; places on it that are inside the part are covered anyway.
    Arc {
        center: DVec2,
        radius: f64,
    },
}

impl Element {
    pub(super) fn distance(&self, point: DVec2) -> f64 {
        match *self {
            Self::Edge { start, edge } => {
                let along = (point - start).dot(edge) / edge.length_squared();
                (start + edge * along.clamp(0.0, 1.0)).distance(point)
            }
            Self::Arc { center, radius } => (center.distance(point) - radius).abs(),
        }
    }

    /// The places where two pieces of boundary cross, or meet up to the tolerance.
    pub(super) fn crossings(&self, other: &Self, tolerance: f64, mut found: impl FnMut(DVec2)) {
        match (self, other) {
            (&Self::Edge { start: a, edge: u }, &Self::Edge { start: b, edge: v }) => {
                let turn = u.perp_dot(v);
                if turn.abs() <= PARALLEL * u.length() * v.length() {
                    return;
                }
                let (along_u, along_v) = ((b - a).perp_dot(v) / turn, (b - a).perp_dot(u) / turn);
                let is_on = |along: f64, edge: DVec2| {
                    let slack = tolerance / edge.length();
                    (-slack..=1.0 + slack).contains(&along)
                };
                if is_on(along_u, u) && is_on(along_v, v) {
                    found(a + u * along_u);
                }
            }
            (&Self::Edge { start, edge }, &Self::Arc { center, radius })
            | (&Self::Arc { center, radius }, &Self::Edge { start, edge }) => {
                let squared = edge.length_squared();
                let middle = (center - start).dot(edge) / squared;
                let room = radius * radius - (start + edge * middle).distance_squared(center);
                if room < -tolerance * radius {
                    return;
                }
                let half = (room.max(0.0) / squared).sqrt();
                let slack = tolerance / squared.sqrt();
                for along in [middle - half, middle + half] {
                    if (-slack..=1.0 + slack).contains(&along) {
                        found(start + edge * along);
                    }
                }
            }
            (&Self::Arc { center: a, radius: r }, &Self::Arc { center: b, radius: s }) => {
                let between = b - a;
                let squared = between.length_squared();
                if squared == 0.0 {
                    return;
                }
                let along = 0.5 * (1.0 + (r * r - s * s) / squared);
                let room = r * r - along * along * squared;
                if room < -tolerance * r {
                    return;
                }
                let half = between.perp() * (room.max(0.0) / squared).sqrt();
                found(a + between * along + half);
                found(a + between * along - half);
            }
        }
    }
}
