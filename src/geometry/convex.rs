//! Convex cores with a radius, in double precision: what every question about points, rays, sweeps
//! and unions comes down to.
//!
//! A circle is a point with a radius, a capsule a segment with one. The **Minkowski difference**
//! of two of them is another: the translations of B at which A and B meet. So the distance of two
//! shapes is the distance of a point to their difference, and a moving shape is a ray against it.
//!
//! Methods: Minkowski difference by merging the edges of both in order of their angle (de Berg et
//! al., *Computational Geometry* (2008), section 13.3); lines clipped edge by edge (Cyrus and
//! Beck, 1978).

use core::ops::RangeInclusive;

use super::placed::PlacedShape;
use super::scratch::{ScratchList, stored};
use bevy::math::DVec2;

/// A convex polygon, a segment or a point, grown by a radius.
#[derive(Clone, Debug)]
pub(super) struct Convex {
    // INVARIANT: counter-clockwise, no two in a row at one place, at least one.
    vertices: ScratchList<[DVec2; 8]>,
    radius: f64,
}

stored!(Convex);

/// How far directions may differ that count as the same: edges of pieces that were placed apart
/// differ by a rounding of single precision.
pub(super) const SAME_DIRECTION: f64 = 1e-6;

/// The part of a line inside a shape: from where to where in lengths of its direction, with the
/// outward normals there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chord {
    pub(super) enter: f64,
    pub(super) exit: f64,
    pub(super) enter_normal: DVec2,
    pub(super) exit_normal: DVec2,
}

/// What is plain to see of a line and a shape.
pub(super) enum PlainEntry {
    Enters {
        at: f64,
        normal: DVec2,
    },
    Misses,
    /// It starts inside or near the boundary, or brushes past: a closer look is needed.
    NotPlain,
}

/// The boundary seen from a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    /// Distance to the boundary, negative inside.
    pub(super) distance: f64,
    /// Outward unit normal at the nearest point of the boundary.
    pub(super) normal: DVec2,
}

impl Nearest {
    /// The nearest point of the boundary, given the point from which it was looked for.
    pub(super) fn on_boundary(&self, point: DVec2) -> DVec2 {
        point - self.normal * self.distance
    }
}

impl Convex {
    /// A placed convex shape whose reference point is at `offset`.
    pub(super) fn of(shape: &PlacedShape, offset: DVec2) -> Self {
        let mut vertices = ScratchList::new();
        match shape.as_polygon() {
            None => vertices.push(offset),
            Some(polygon) => {
                vertices.extend(polygon.vertices().iter().map(|v| v.as_dvec2() + offset));
            }
        }
        Self::from_vertices(vertices, f64::from(shape.rounding()))
    }

    /// A polygon of these vertices, counter-clockwise, without a radius.
    pub(super) fn core(vertices: impl Iterator<Item = DVec2>) -> Self {
        Self::from_vertices(vertices.collect(), 0.0)
    }

    pub(super) fn segment(a: DVec2, b: DVec2) -> Self {
        Self::from_vertices([a, b].into_iter().collect(), 0.0)
    }

    fn from_vertices(mut vertices: ScratchList<[DVec2; 8]>, radius: f64) -> Self {
        vertices.dedup();
        while vertices.len() > 1 && vertices[0] == vertices[vertices.len() - 1] {
            vertices.pop();
        }
        Self { vertices, radius }
    }

    /// The translations of `b` at which it meets `a`: all differences of a point of `a` and one of
    /// `b`.
    pub(super) fn minkowski_difference(a: &Self, b: &Self) -> Self {
        // The smallest vertex by y, then x, where the edges of a counter-clockwise outline begin
        // to turn from +x. Mirroring `b` through the origin keeps its winding.
        let lowest = |vertices: &[DVec2], sign: f64| {
            let key = |i: usize| (sign * vertices[i].y, sign * vertices[i].x);
            (1..vertices.len()).fold(0, |low, i| if key(i) < key(low) { i } else { low })
        };
        let (n, m) = (a.vertices.len(), b.vertices.len());
        let (start_a, start_b) = (lowest(&a.vertices, 1.0), lowest(&b.vertices, -1.0));
        let vertex_a = |i: usize| a.vertices[(start_a + i) % n];
        let vertex_b = |j: usize| -b.vertices[(start_b + j) % m];
        // A point has no edge.
        let (edges_a, edges_b) = (if n > 1 { n } else { 0 }, if m > 1 { m } else { 0 });
        let mut vertices = ScratchList::new();
        let (mut i, mut j) = (0, 0);
        while i < edges_a || j < edges_b {
            vertices.push(vertex_a(i) + vertex_b(j));
            let turn = if i == edges_a {
                -1.0
            } else if j == edges_b {
                1.0
            } else {
                let edge_a = vertex_a(i + 1) - vertex_a(i);
                let edge_b = vertex_b(j + 1) - vertex_b(j);
                // Edges that point up come before those that point down.
                match (is_upper(edge_a), is_upper(edge_b)) {
                    (true, false) => 1.0,
                    (false, true) => -1.0,
                    _ => edge_a.perp_dot(edge_b),
                }
            };
            i += usize::from(turn >= 0.0);
            j += usize::from(turn <= 0.0);
        }
        if vertices.is_empty() {
            vertices.push(vertex_a(0) + vertex_b(0));
        }
        Self::from_vertices(vertices, a.radius + b.radius)
    }

    pub(super) fn radius(&self) -> f64 {
        self.radius
    }

    pub(super) fn vertices(&self) -> &[DVec2] {
        &self.vertices
    }

    /// The smallest box around it, as its lower left and upper right corners.
    pub(super) fn bounds(&self) -> (DVec2, DVec2) {
        let (min, max) = self
            .vertices
            .iter()
            .fold((DVec2::MAX, DVec2::MIN), |(min, max), &v| (min.min(v), max.max(v)));
        (min - self.radius, max + self.radius)
    }

    /// No more than the radius of the largest circle inside.
    pub(super) fn least_inner_radius(&self) -> f64 {
        let (mut area, mut perimeter) = (0.0, 0.0);
        for (start, edge) in self.edges() {
            area += 0.5 * (start - self.vertices[0]).perp_dot(edge);
            perimeter += edge.length();
        }
        let core = if perimeter > 0.0 { area / perimeter } else { 0.0 };
        core + self.radius
    }

    /// Start and direction of each edge; none for a point, two for a segment.
    pub(super) fn edges(&self) -> impl Iterator<Item = (DVec2, DVec2)> {
        let n = self.vertices.len();
        (0..if n > 1 { n } else { 0 })
            .map(move |i| (self.vertices[i], self.vertices[(i + 1) % n] - self.vertices[i]))
    }

    /// The boundary as seen from `point`.
    pub(super) fn nearest(&self, point: DVec2) -> Nearest {
        if let [vertex] = self.vertices[..] {
            let vector = point - vertex;
            let length = vector.length();
            let normal = if length > 0.0 { vector / length } else { DVec2::X };
            return Nearest { distance: length - self.radius, normal };
        }
        let mut deepest = Nearest { distance: f64::MIN, normal: DVec2::X };
        let mut outside = (f64::INFINITY, DVec2::ZERO, None);
        let mut height = f64::MIN;
        for (start, edge) in self.edges() {
            let from_start = point - start;
            let length_squared = edge.length_squared();
            let normal = outward(edge);
            let above = normal.dot(from_start);
            height = height.max(above);
            if above > deepest.distance {
                deepest = Nearest { distance: above, normal };
            }
            if above >= 0.0 {
                let along = from_start.dot(edge) / length_squared;
                let is_edge = (0.0..=1.0).contains(&along);
                let vector = from_start - edge * along.clamp(0.0, 1.0);
                let distance = vector.length_squared();
                if distance < outside.0 {
                    outside = (distance, vector, is_edge.then_some(normal));
                }
            }
        }
        // A segment has no inside: beyond its ends no edge is below the point.
        let is_outside = height > 0.0 || self.vertices.len() == 2;
        if is_outside && outside.0 > 0.0 && outside.0.is_finite() {
            let length = outside.0.sqrt();
            // Where the nearest place is on an edge, its normal is more exact than the vector.
            let normal = outside.2.unwrap_or(outside.1 / length);
            return Nearest { distance: length - self.radius, normal };
        }
        Nearest { distance: deepest.distance.min(0.0) - self.radius, ..deepest }
    }

    /// The part of the line `base + s * direction` inside, with the shape thicker by `grow`; none
    /// where the line misses it.
    pub(super) fn chord(&self, base: DVec2, direction: DVec2, grow: f64) -> Option<Chord> {
        let radius = self.radius + grow;
        let chord = if radius == 0.0 && self.vertices.len() > 2 {
            self.clip(base, direction)
        } else {
            self.clip_rounded(base, direction, radius)
        };
        // Along a sliver all edges may seem parallel to the line, or to be left by it.
        let is_bounded = chord.enter_normal != DVec2::ZERO && chord.exit_normal != DVec2::ZERO;
        if chord.enter <= chord.exit && !is_bounded {
            let chord = self.clip_rounded(base, direction, radius);
            return (chord.enter <= chord.exit).then_some(chord);
        }
        let is_crossed =
            chord.enter <= chord.exit && !self.is_passed_beyond_a_tip(&chord, base, direction);
        is_crossed.then_some(chord)
    }

    /// Whether a line crosses the sides of a sliver where they are prolonged: beyond its tip they are
    /// nearer to each other than numbers tell, and seem to hold the line still.
    fn is_passed_beyond_a_tip(&self, chord: &Chord, base: DVec2, direction: DVec2) -> bool {
        let size =
            || self.vertices.iter().fold(0.0, |size: f64, v| size.max(v.abs().max_element()));
        let made = (chord.exit - chord.enter) * direction.abs().max_element();
        if made > 1e-9 * (base.abs().max_element() + (direction * chord.exit).abs().max_element()) {
            return false;
        }
        self.nearest(base + direction * chord.enter).distance > 1e-6 * size()
    }

    /// Where a line that brushes past first is beside a corner, within a range of it.
    pub(super) fn first_corner_beside(
        &self,
        base: DVec2,
        direction: DVec2,
        tolerance: f64,
        range: RangeInclusive<f64>,
    ) -> Option<f64> {
        let squared = direction.length_squared();
        let reach = self.radius + tolerance;
        let beside = self.vertices.iter().filter_map(|&vertex| {
            let from_base = vertex - base;
            let across = from_base.perp_dot(direction);
            let at = from_base.dot(direction) / squared;
            (across * across <= reach * reach * squared && range.contains(&at)).then_some(at)
        });
        beside.reduce(f64::min)
    }

    /// Whether the boundary of a rounded shape is an arc, as seen from the nearest point of the core
    /// in the direction of a tangent, a unit vector.
    pub(super) fn bends_towards(&self, on_core: DVec2, tangent: DVec2, tolerance: f64) -> bool {
        let n = self.vertices.len();
        let is_near = |v: &DVec2| v.distance_squared(on_core) <= tolerance * tolerance;
        let Some(i) = self.vertices.iter().position(is_near) else { return false };
        let is_straight = |side: DVec2| {
            let along = side.dot(tangent);
            along > 0.0 && side.perp_dot(tangent).abs() <= SAME_DIRECTION * along
        };
        let here = self.vertices[i];
        ![(i + 1) % n, (i + n - 1) % n].iter().any(|&k| is_straight(self.vertices[k] - here))
    }

    /// From where to where a line lies deeper inside than `inset`, or a little less; none if it
    /// does not.
    pub(super) fn chord_inside(
        &self,
        base: DVec2,
        direction: DVec2,
        inset: f64,
    ) -> Option<(f64, f64)> {
        let (mut enter, mut exit) = (f64::MIN, f64::MAX);
        if self.radius > inset {
            let chord = self.clip_rounded(base, direction, self.radius - inset);
            (enter, exit) = (chord.enter, chord.exit);
        } else if self.vertices.len() < 3 {
            return None;
        } else {
            for (start, edge) in self.edges() {
                let normal = DVec2::new(edge.y, -edge.x);
                let rate = normal.dot(direction);
                // The sum of the sides is a little longer than the edge, and takes no square root.
                let height = normal.dot(start - base) - inset * (edge.x.abs() + edge.y.abs());
                if rate < 0.0 {
                    enter = enter.max(height / rate);
                } else if rate > 0.0 {
                    exit = exit.min(height / rate);
                } else if height < 0.0 {
                    return None;
                }
                if enter >= exit {
                    return None;
                }
            }
        }
        (enter < exit).then_some((enter, exit))
    }

    /// From the origin, which is not inside, to the nearest point, without the radius; and whether
    /// that is a corner.
    pub(super) fn way_from_origin(&self) -> (DVec2, bool) {
        let mut nearest = (self.vertices[0], true);
        let mut smallest = nearest.0.length_squared();
        for (start, edge) in self.edges() {
            let squared = start.length_squared();
            if squared < smallest {
                smallest = squared;
                nearest = (start, true);
            }
            // All edges, not only those that face the origin: it may be inside by a rounding.
            let length_squared = edge.length_squared();
            let along = -start.dot(edge);
            if along > 0.0 && along < length_squared {
                // Straight across the edge, so that a zero stays one.
                let across = edge.perp();
                let way = across * (across.dot(start + edge * 0.5) / length_squared);
                let squared = way.length_squared();
                if squared < smallest {
                    smallest = squared;
                    nearest = (way, false);
                }
            }
        }
        nearest
    }

    /// Whether the origin is inside, without the radius and the boundary.
    pub(super) fn holds_origin(&self) -> bool {
        self.vertices.len() > 2 && self.edges().all(|(start, edge)| start.perp_dot(edge) > 0.0)
    }

    /// Whether a point is inside or outside, if it is farther from the boundary than a tolerance by
    /// a good margin. Takes no square root and no division.
    pub(super) fn surely_holds(&self, point: DVec2, tolerance: f64) -> Option<bool> {
        let reach = self.radius + 2.0 * tolerance;
        if let [vertex] = self.vertices[..] {
            let squared = point.distance_squared(vertex);
            let inner = self.radius - 2.0 * tolerance;
            let is_inside = inner > 0.0 && squared < inner * inner;
            return (is_inside || squared > reach * reach).then_some(is_inside);
        }
        let mut is_inside = self.vertices.len() > 2;
        for (start, edge) in self.edges() {
            let above = DVec2::new(edge.y, -edge.x).dot(point - start);
            let scaled = above * above;
            let squared = edge.length_squared();
            if above > 0.0 && scaled > reach * reach * squared {
                return Some(false);
            }
            is_inside &= above < 0.0 && scaled > 4.0 * tolerance * tolerance * squared;
        }
        is_inside.then_some(true)
    }

    /// Where the line from `base` enters within `length` times `direction`, if that is plain to
    /// see: if it starts well outside, and enters or passes by at more than a tolerance.
    pub(super) fn plain_entry(
        &self,
        base: DVec2,
        direction: DVec2,
        length: f64,
        tolerance: f64,
    ) -> PlainEntry {
        if self.surely_holds(base, tolerance) != Some(false) {
            return PlainEntry::NotPlain;
        }
        if let [vertex] = self.vertices[..]
            && self.radius > 0.0
        {
            // As below, without the normal of the far side: two square roots less for the most
            // frequent shape.
            let within = |&(enter, exit): &(f64, f64)| exit >= 0.0 && enter <= length;
            let crossed = |radius| disc_chord(vertex, radius, base, direction).filter(within);
            return match crossed(self.radius) {
                // Entered before it starts outside: rounding decides.
                Some((at, _)) if at < 0.0 => PlainEntry::NotPlain,
                Some((at, _)) => {
                    let normal = disc_normal(vertex, base, direction, at);
                    PlainEntry::Enters { at, normal: facing(normal, direction) }
                }
                None if crossed(self.radius + tolerance).is_some() => PlainEntry::NotPlain,
                None => PlainEntry::Misses,
            };
        }
        let within = |chord: &Chord| chord.exit >= 0.0 && chord.enter <= length;
        match self.chord(base, direction, 0.0).filter(within) {
            Some(chord) if chord.enter < 0.0 => PlainEntry::NotPlain,
            Some(chord) => {
                let normal = facing(chord.enter_normal, direction);
                PlainEntry::Enters { at: chord.enter, normal }
            }
            None if self.chord(base, direction, tolerance).filter(within).is_some() => {
                PlainEntry::NotPlain
            }
            None => PlainEntry::Misses,
        }
    }

    fn clip(&self, base: DVec2, direction: DVec2) -> Chord {
        let mut chord = Chord {
            enter: f64::MIN,
            exit: f64::MAX,
            enter_normal: DVec2::ZERO,
            exit_normal: DVec2::ZERO,
        };
        // At a corner both edges are met at once: the one that faces the line more counts.
        let faces_more = |one: DVec2, other: DVec2| {
            let slope = |normal: DVec2| normal.dot(direction).abs() / normal.length();
            other != DVec2::ZERO && slope(one) > slope(other)
        };
        for (start, edge) in self.edges() {
            let normal = DVec2::new(edge.y, -edge.x);
            let rate = normal.dot(direction);
            let height = normal.dot(start - base);
            if rate < 0.0 {
                let at = height / rate;
                if at > chord.enter || (at >= chord.enter && faces_more(normal, chord.enter_normal))
                {
                    (chord.enter, chord.enter_normal) = (at, normal);
                }
            } else if rate > 0.0 {
                let at = height / rate;
                if at < chord.exit || (at <= chord.exit && faces_more(normal, chord.exit_normal)) {
                    (chord.exit, chord.exit_normal) = (at, normal);
                }
            } else if height < 0.0 {
                // Along this edge and outside of it all the way.
                return Chord { enter: f64::MAX, exit: f64::MIN, ..chord };
            }
        }
        chord.enter_normal = chord.enter_normal.normalize_or_zero();
        chord.exit_normal = chord.exit_normal.normalize_or_zero();
        chord
    }

    /// Everything in the shape lies in the disc of a vertex, the strip of an edge or the core, and
    /// the shape is convex: the chord reaches from the first of the places where the line meets
    /// the boundary of one of these to the last.
    fn clip_rounded(&self, base: DVec2, direction: DVec2, radius: f64) -> Chord {
        let mut chord = Chord {
            enter: f64::MAX,
            exit: f64::MIN,
            enter_normal: DVec2::ZERO,
            exit_normal: DVec2::ZERO,
        };
        for &vertex in &self.vertices {
            if let Some((enter, exit)) = disc_chord(vertex, radius, base, direction) {
                if enter < chord.enter {
                    chord.enter = enter;
                    chord.enter_normal = disc_normal(vertex, base, direction, enter);
                    if radius == 0.0 {
                        chord.enter_normal = -direction.normalize_or_zero();
                    }
                }
                if exit > chord.exit {
                    chord.exit = exit;
                    chord.exit_normal = disc_normal(vertex, base, direction, exit);
                }
            }
        }
        for (start, edge) in self.edges() {
            let normal = outward(edge);
            let rate = normal.dot(direction);
            if rate == 0.0 {
                continue;
            }
            let crossing = (normal.dot(start - base) + radius) / rate;
            let along = (base + direction * crossing - start).dot(edge);
            if along < 0.0 || along > edge.length_squared() {
                continue;
            }
            if rate < 0.0 && crossing <= chord.enter {
                (chord.enter, chord.enter_normal) = (crossing, normal);
            }
            if rate > 0.0 && crossing >= chord.exit {
                (chord.exit, chord.exit_normal) = (crossing, normal);
            }
        }
        chord
    }
}

/// From where to where the line `base + s * direction` lies in a disc.
#[inline]
fn disc_chord(center: DVec2, radius: f64, base: DVec2, direction: DVec2) -> Option<(f64, f64)> {
    let squared = direction.length_squared();
    let middle = (center - base).dot(direction) / squared;
    let across = base + direction * middle - center;
    let room = radius * radius - across.length_squared();
    (room >= 0.0).then(|| {
        let half = (room / squared).sqrt();
        (middle - half, middle + half)
    })
}

/// The outward normal of a disc where a line is `at` times its direction.
#[inline]
fn disc_normal(center: DVec2, base: DVec2, direction: DVec2, at: f64) -> DVec2 {
    let outward = base + direction * at - center;
    outward.try_normalize().unwrap_or_else(|| direction.normalize_or_zero())
}

/// The normal of what a line meets from outside. Of something so thin that both of its sides are within
/// the tolerance it may be that of the far side, which leads along the line.
pub(super) fn facing(normal: DVec2, direction: DVec2) -> DVec2 {
    let squared = direction.length_squared();
    let along = normal.dot(direction) / squared;
    if along * along * squared <= SAME_DIRECTION * SAME_DIRECTION || along < 0.0 {
        return normal;
    }
    let beside = normal - direction * along;
    let is_clear = beside.length_squared() > SAME_DIRECTION;
    if is_clear { beside.normalize() } else { -direction / squared.sqrt() }
}

/// The directions from +x, included, to -x, excluded, counter-clockwise.
pub(super) fn is_upper(edge: DVec2) -> bool {
    edge.y > 0.0 || (edge.y == 0.0 && edge.x > 0.0)
}

/// The unit normal to the right of a counter-clockwise edge.
pub(super) fn outward(edge: DVec2) -> DVec2 {
    DVec2::new(edge.y, -edge.x) / edge.length()
}
