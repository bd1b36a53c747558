//! The pieces of the boundaries of convex parts: edges, and arcs around their corners.

use super::convex::{Convex, SAME_DIRECTION, outward};
use super::scratch::{ScratchList, stored};
use bevy::math::DVec2;

/// A piece of the boundary of a part.
pub(super) enum Element {
    Edge {
        start: DVec2,
        edge: DVec2,
        /// What of it may be on the boundary of the whole: from where to where, in lengths of the
        /// edge, in ascending order.
        open: ScratchList<[(f64, f64); 1]>,
    },
    /// The whole circle; places on it that are inside the part are covered anyway.
    Arc { center: DVec2, radius: f64 },
}

/// A piece of the boundary, with the index of the part it belongs to.
pub(super) type ElementOf = (usize, Element);

stored!(ElementOf);

pub(super) fn elements_of(part: &Convex) -> impl Iterator<Item = Element> {
    let radius = part.radius();
    let edges = part.edges().map(move |(start, edge)| Element::Edge {
        start: start + outward(edge) * radius,
        edge,
        open: [(0.0, 1.0)].into_iter().collect(),
    });
    let arcs = part.vertices().iter().filter(move |_| radius > 0.0);
    edges.chain(arcs.map(move |&center| Element::Arc { center, radius }))
}

/// From a point straight to each edge and arc.
pub(super) fn straight_ways(point: DVec2, elements: &[ElementOf]) -> ScratchList<[DVec2; 16]> {
    let mut ways = ScratchList::new();
    for (_, element) in elements {
        match *element {
            Element::Edge { start, edge, ref open } => {
                let along = (point - start).dot(edge) / edge.length_squared();
                if open.iter().any(|&(from, to)| (from..=to).contains(&along)) {
                    let normal = outward(edge);
                    ways.push(-normal * normal.dot(point - start));
                }
            }
            Element::Arc { center, radius } => {
                let from_center = point - center;
                let length = from_center.length();
                // From the centre of an arc all its points are as far.
                let normal = if length > 0.0 { from_center / length } else { DVec2::X };
                ways.push(normal * (radius - length));
                if length == 0.0 {
                    ways.extend([DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y].map(|n| n * radius));
                }
            }
        }
    }
    ways
}

impl Element {
    pub(super) fn distance(&self, point: DVec2) -> f64 {
        match *self {
            Self::Edge { start, edge, .. } => {
                let along = (point - start).dot(edge) / edge.length_squared();
                (start + edge * along.clamp(0.0, 1.0)).distance(point)
            }
            Self::Arc { center, radius } => (center.distance(point) - radius).abs(),
        }
    }

    /// The smallest box around what is open of an edge; none for an arc.
    pub(super) fn bounds(&self) -> Option<(DVec2, DVec2)> {
        let Self::Edge { start, edge, open } = self else { return None };
        let (from, to) = (open.first()?.0, open.last()?.1);
        let (from, to) = (*start + *edge * from, *start + *edge * to);
        Some((from.min(to), from.max(to)))
    }

    /// Whether nothing of it is open.
    pub(super) fn is_hidden(&self) -> bool {
        matches!(self, Self::Edge { open, .. } if open.is_empty())
    }

    /// Hides what is farther from a point than `radius`.
    pub(super) fn clip_to_disc(&mut self, point: DVec2, radius: f64) {
        let Self::Edge { start, edge, open } = self else { return };
        let squared = edge.length_squared();
        let middle = (point - *start).dot(*edge) / squared;
        let room = radius * radius - (*start + *edge * middle).distance_squared(point);
        let half = (room.max(0.0) / squared).sqrt();
        if half.is_finite() {
            open.retain(|(from, to)| {
                (*from, *to) = (from.max(middle - half), to.min(middle + half));
                from <= to
            });
        }
    }

    /// Hides what lies deeper than `inset` in a part.
    pub(super) fn hide_inside(&mut self, part: &Convex, inset: f64) {
        let Self::Edge { start, edge, open } = self else { return };
        let Some((enter, exit)) = part.chord_inside(*start, *edge, inset) else { return };
        let cut = |&(from, to): &(f64, f64)| from < exit && to > enter;
        if !open.iter().any(cut) {
            return;
        }
        *open = open
            .iter()
            .flat_map(|&(from, to)| [(from, to.min(enter)), (from.max(exit), to)])
            .filter(|(from, to)| from <= to)
            .collect();
        open.dedup();
    }

    /// The nearest place on what is open of it, but not at its very ends, where a part begins.
    pub(super) fn nearest_place(&self, point: DVec2, tolerance: f64) -> DVec2 {
        match *self {
            Self::Edge { start, edge, ref open } => {
                let along = (point - start).dot(edge) / edge.length_squared();
                let margin = 8.0 * tolerance / edge.length();
                let nearest = open.iter().map(|&(from, to)| {
                    let margin = margin.min(0.5 * (to - from));
                    along.max(from + margin).min(to - margin)
                });
                let closer = |one: f64, other: f64| {
                    if (other - along).abs() < (one - along).abs() { other } else { one }
                };
                start + edge * nearest.reduce(closer).unwrap_or(along)
            }
            Self::Arc { center, radius } => {
                let outward = (point - center).try_normalize().unwrap_or(DVec2::X);
                center + outward * radius
            }
        }
    }

    /// The places where two pieces of boundary cross, or meet up to the tolerance.
    pub(super) fn crossings(&self, other: &Self, tolerance: f64, mut found: impl FnMut(DVec2)) {
        match (self, other) {
            (
                &Self::Edge { start: a, edge: u, open: ref open_u },
                &Self::Edge { start: b, edge: v, open: ref open_v },
            ) => {
                let turn = u.perp_dot(v);
                if turn.abs() <= SAME_DIRECTION * 1e-3 * u.length() * v.length() {
                    return;
                }
                let (along_u, along_v) = ((b - a).perp_dot(v) / turn, (b - a).perp_dot(u) / turn);
                if is_on(open_u, along_u, tolerance / u.length())
                    && is_on(open_v, along_v, tolerance / v.length())
                {
                    found(a + u * along_u);
                }
            }
            (&Self::Edge { start, edge, ref open }, &Self::Arc { center, radius })
            | (&Self::Arc { center, radius }, &Self::Edge { start, edge, ref open }) => {
                let squared = edge.length_squared();
                let middle = (center - start).dot(edge) / squared;
                let room = radius * radius - (start + edge * middle).distance_squared(center);
                if room < -tolerance * radius {
                    return;
                }
                let half = (room.max(0.0) / squared).sqrt();
                let slack = tolerance / squared.sqrt();
                for along in [middle - half, middle + half] {
                    if is_on(open, along, slack) {
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

fn is_on(open: &[(f64, f64)], along: f64, slack: f64) -> bool {
    open.iter().any(|&(from, to)| (from - slack..=to + slack).contains(&along))
}
