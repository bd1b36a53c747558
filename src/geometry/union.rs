//! Unions of convex parts: what is inside, what is nearest, what a ray meets.
//!
//! A place on the boundary of several parts at once can still be inside: on the seam between two
//! pieces. It is inside when the directions into the parts fill the whole circle around it. But
//! where the parts are Minkowski differences with something thick, such a place is a slot that is
//! filled exactly: see [`Seams`].

use super::convex::{Chord, Convex, Nearest, SAME_DIRECTION, facing};
use super::scratch::{ScratchList, stored};
use super::touch::{Touch, TouchRule};
use bevy::math::DVec2;

/// Convex parts that together are one solid.
pub(super) struct Union {
    // INVARIANT: as many bounds as parts, in the same order.
    pub(super) parts: ScratchList<[Convex; 2]>,
    pub(super) bounds: ScratchList<[(DVec2, DVec2); 2]>,
    /// Places nearer to a boundary than this count as on it.
    pub(super) tolerance: f64,
    /// Whether what lies on the seam of two parts lies inside.
    seams: Seams,
}

/// What lies on the boundaries of several parts and deep inside none, with parts all around.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Seams {
    /// A seam, deep inside: so for points, and for shapes not thicker than the tolerance.
    Inside,
    /// A slot that is filled exactly. What is thicker cannot lie on a seam without being deep in one
    /// of the pieces beside it.
    Slots,
}

/// Where a line meets the union.
#[derive(Clone, Copy)]
pub(super) struct Hit {
    /// In lengths of the line's direction.
    pub(super) at: f64,
    /// Outward unit normal.
    pub(super) normal: DVec2,
    /// Index of the part that is met.
    pub(super) part: usize,
}

stored!(Hit);

/// Directions into a part from a place on its boundary: from `start` counter-clockwise to `end`,
/// unit vectors, at most half a turn.
struct Cone {
    start: DVec2,
    end: DVec2,
    /// Whether the boundary bends away from the direction of the start, or of the end: then it
    /// leaves room between itself and what it touches.
    start_bends: bool,
    end_bends: bool,
}

stored!(Cone);
stored!((Chord, usize));
stored!((usize, f64, f64));

impl Cone {
    /// Without a bend at either side.
    fn straight(start: DVec2, end: DVec2) -> Self {
        Self { start, end, start_bends: false, end_bends: false }
    }

    /// Whether one of its sides lies in a direction.
    fn has_along(&self, direction: DVec2) -> bool {
        [self.start, self.end].into_iter().any(|side| {
            side.perp_dot(direction).abs() <= SAME_DIRECTION && side.dot(direction) > 0.0
        })
    }

    /// Whether this one goes on behind the end of another.
    fn goes_on(&self, other: &Self) -> bool {
        let is_seam = self.start.perp_dot(other.end).abs() <= SAME_DIRECTION;
        self.holds(other.end) && !(is_seam && (self.start_bends || other.end_bends))
    }

    fn holds(&self, direction: DVec2) -> bool {
        let from_start = self.start.perp_dot(direction);
        if from_start.abs() <= SAME_DIRECTION {
            return self.start.dot(direction) > 0.0;
        }
        from_start > 0.0 && direction.perp_dot(self.end) > SAME_DIRECTION
    }
}

/// The outward normals of the sides of parts.
fn sides_of(cones: &[Cone]) -> impl Iterator<Item = DVec2> {
    cones.iter().flat_map(|cone| [-cone.start.perp(), cone.end.perp()])
}

fn leads_into(cones: &[Cone], normal: DVec2) -> bool {
    cones.iter().any(|cone| !cone.has_along(normal) && cone.holds(normal))
}

/// Whether a normal leads neither into a part nor along its side.
fn is_clear(cones: &[Cone], normal: DVec2) -> bool {
    !cones.iter().any(|cone| cone.has_along(normal) || cone.holds(normal))
}

impl Union {
    pub(super) fn new(
        parts: impl IntoIterator<Item = Convex>,
        tolerance: f64,
        seams: Seams,
    ) -> Self {
        let parts: ScratchList<[Convex; 2]> = parts.into_iter().collect();
        let bounds = parts.iter().map(Convex::bounds).collect();
        Self { parts, bounds, tolerance, seams }
    }

    /// The parts whose bounds hold a place, with the index of each.
    fn near(&self, place: DVec2) -> impl Iterator<Item = (usize, &Convex)> {
        self.parts.iter().enumerate().filter(move |&(i, _)| {
            let (min, max) = self.bounds[i];
            (place.cmpge(min - self.tolerance) & place.cmple(max + self.tolerance)).all()
        })
    }

    /// Whether a place is inside the union, not on its boundary and not outside.
    pub(super) fn covers(&self, place: DVec2) -> bool {
        let mut cones: ScratchList<[Cone; 8]> = ScratchList::new();
        for (_, part) in self.near(place) {
            // Most parts need no closer look.
            match part.surely_holds(place, self.tolerance) {
                Some(true) => return true,
                Some(false) => continue,
                None => {}
            }
            let nearest = part.nearest(place);
            if nearest.distance < -self.tolerance {
                return true;
            }
            if self.seams == Seams::Inside && nearest.distance <= self.tolerance {
                cones.extend(self.cone(part, place, nearest));
            }
        }
        // The circle is full when behind the end of each cone another one goes on.
        !cones.is_empty() && cones.iter().all(|one| cones.iter().any(|other| other.goes_on(one)))
    }

    /// The directions into a part from a place on its boundary; none into a part without inside.
    fn cone(&self, part: &Convex, place: DVec2, nearest: Nearest) -> Option<Cone> {
        if part.radius() > self.tolerance {
            let start = nearest.normal.perp();
            let on_core = place - nearest.normal * (nearest.distance + part.radius());
            let bends = |side| part.bends_towards(on_core, side, 2.0 * self.tolerance);
            let (start_bends, end_bends) = (bends(start), bends(-start));
            return Some(Cone { start, end: -start, start_bends, end_bends });
        }
        if part.vertices().len() < 3 {
            return None;
        }
        let n = part.vertices().len();
        let near = |v: DVec2| v.distance_squared(place) <= self.tolerance * self.tolerance * 4.0;
        if let Some(i) = part.vertices().iter().position(|&v| near(v)) {
            let (before, here, after) = (
                part.vertices()[(i + n - 1) % n],
                part.vertices()[i],
                part.vertices()[(i + 1) % n],
            );
            let (incoming, outgoing) = (here - before, after - here);
            return Some(Cone::straight(outgoing.normalize(), -incoming.normalize()));
        }
        let start = nearest.normal.perp();
        Some(Cone::straight(start, -start))
    }

    /// The boundary as seen from `point`: the distance is negative inside.
    pub(super) fn nearest(&self, point: DVec2) -> Nearest {
        let nearest = self.parts.iter().map(|part| part.nearest(point));
        let nearest =
            nearest.reduce(|one, other| if other.distance < one.distance { other } else { one });
        let Some(nearest) = nearest else {
            return Nearest { distance: f64::INFINITY, normal: DVec2::X };
        };
        if self.parts.len() == 1 || nearest.distance > self.tolerance {
            return nearest;
        }
        if self.covers(point) {
            let exit = self.exit_from(point);
            let normal = exit.try_normalize().unwrap_or(nearest.normal);
            return Nearest { distance: -exit.length(), normal };
        }
        let normals = self.parts.iter().map(|part| part.nearest(point));
        let normals = normals.filter(|one| one.distance <= nearest.distance + self.tolerance);
        let normal =
            self.outward_of(point, normals.map(|one| one.normal)).unwrap_or(nearest.normal);
        Nearest { normal, ..nearest }
    }

    /// Of several normals at a place on the boundary, the first that does not lead into a part.
    ///
    /// One that leads along the side of a part is taken last: at the end of a seam it is a normal of
    /// the seam, and of no side of the whole. In a dent there may be no other.
    fn outward_of(&self, place: DVec2, normals: impl Iterator<Item = DVec2>) -> Option<DVec2> {
        let cones = self.cones_at(place);
        let normals: ScratchList<[DVec2; 4]> = normals.collect();
        let mut free = normals.iter().copied().filter(|&normal| !leads_into(&cones, normal));
        // Of a corner only one side has been named.
        let clear = free.clone().chain(sides_of(&cones)).find(|&normal| is_clear(&cones, normal));
        clear.or_else(|| free.next())
    }

    /// The normal of the side that faces a line most, at a place on the boundary.
    fn facing_side(&self, place: DVec2, direction: DVec2) -> Option<DVec2> {
        let cones = self.cones_at(place);
        let facing = |sides: &mut dyn Iterator<Item = DVec2>| {
            sides.min_by(|one, other| one.dot(direction).total_cmp(&other.dot(direction)))
        };
        let clear = facing(&mut sides_of(&cones).filter(|&side| is_clear(&cones, side)));
        clear.or_else(|| facing(&mut sides_of(&cones).filter(|&side| !leads_into(&cones, side))))
    }

    /// The directions into each part on whose boundary a place is.
    fn cones_at(&self, place: DVec2) -> ScratchList<[Cone; 8]> {
        let cones = self.near(place).filter_map(|(_, part)| {
            let nearest = part.nearest(place);
            let is_on = nearest.distance.abs() <= self.tolerance;
            is_on.then(|| self.cone(part, place, nearest)).flatten()
        });
        cones.collect()
    }

    /// The index of the part that is nearest to a point, or holds it deepest.
    pub(super) fn nearest_part(&self, point: DVec2) -> usize {
        let distances = self.parts.iter().map(|part| part.nearest(point).distance).enumerate();
        let nearest = distances.reduce(|one, other| if other.1 < one.1 { other } else { one });
        nearest.map_or(0, |(i, _)| i)
    }

    /// Where the line from `base`, which is outside or on the boundary, first meets the union
    /// within `length` times `direction`.
    ///
    /// Under the exclusive rule a part only counts when the line goes through its inside.
    pub(super) fn first_hit(
        &self,
        base: DVec2,
        direction: DVec2,
        length: f64,
        touch: &Touch,
        tolerance: f64,
    ) -> Option<Hit> {
        let mut hits: ScratchList<[Hit; 4]> = ScratchList::new();
        let mut grazed: ScratchList<[(usize, f64, f64); 4]> = ScratchList::new();
        for (i, part) in self.parts.iter().enumerate() {
            let within = |chord: &Chord| chord.exit >= 0.0 && chord.enter <= length;
            // Where the line is no farther away than the tolerance.
            let beside = |near: &Chord| {
                let (from, to) = (near.enter.max(0.0), near.exit.min(length));
                (from, to, part.first_corner_beside(base, direction, tolerance, from..=to))
            };
            let exact = part.chord(base, direction, 0.0).filter(within);
            let chord = match (exact, touch.rule) {
                (Some(chord), TouchRule::Inclusive) => chord,
                (Some(chord), TouchRule::Exclusive) => {
                    let way = Convex::segment(base, base + direction * length);
                    let margin = Convex::minkowski_difference(part, &way).nearest(DVec2::ZERO);
                    if margin.distance >= -tolerance {
                        let near = part.chord(base, direction, tolerance).unwrap_or(chord);
                        let (from, to, corner) = beside(&near);
                        grazed.push((i, corner.unwrap_or(from), to));
                        continue;
                    }
                    chord
                }
                // Missed by no more than the tolerance, or by rounding: met where it first is nearest.
                (None, rule) => {
                    let Some(near) = part.chord(base, direction, tolerance).filter(within) else {
                        continue;
                    };
                    let (from, to, corner) = beside(&near);
                    // A segment has no inside, but a line across it does more than touch.
                    if rule == TouchRule::Exclusive {
                        let way = Convex::segment(base, base + direction * length);
                        let margin = Convex::minkowski_difference(part, &way).nearest(DVec2::ZERO);
                        if margin.distance >= -tolerance {
                            grazed.push((i, corner.unwrap_or(from), to));
                            continue;
                        }
                    }
                    let at = corner.unwrap_or(0.5 * (from + to));
                    let place = base + direction * at;
                    let Nearest { distance, normal } = part.nearest(place);
                    let is_flat = part.vertices().len() == 2 && part.radius() == 0.0;
                    hits.push(if is_flat && distance <= self.tolerance {
                        // Of the two sides the one that faces the line. Beside its end it has none.
                        let faces = normal.dot(direction) <= 0.0;
                        Hit { at, normal: if faces { normal } else { -normal }, part: i }
                    } else {
                        // At a corner the side that faces it most, but not that of a seam.
                        let side = corner.and_then(|_| self.facing_side(place, direction));
                        side.map_or(Hit { at, normal, part: i }, |normal| Hit {
                            at,
                            normal,
                            part: self.part_behind(place, normal),
                        })
                    });
                    continue;
                }
            };
            hits.push(self.entry(base, i, &chord));
        }
        hits.extend(self.seams_along(base, direction, &grazed).drain());
        let first = hits.iter().map(|hit| hit.at).reduce(f64::min)?;
        let slack = self.tolerance / direction.length();
        hits.retain(|hit| hit.at <= first + slack);
        if let [hit] = hits[..] {
            return Some(Hit { normal: facing(hit.normal, direction), ..hit });
        }
        // Where several parts are met at once, the normal must not lead into one of them. Of the
        // others the one that faces the line most.
        let place = base + direction * first;
        hits.sort_by(|a, b| a.normal.dot(direction).total_cmp(&b.normal.dot(direction)));
        let normal = self.outward_of(place, hits.iter().map(|hit| hit.normal));
        let normal = normal.unwrap_or(hits[0].normal);
        let hit = hits.iter().find(|hit| hit.normal == normal);
        let part = hit.map_or_else(|| self.part_behind(place, normal), |hit| hit.part);
        Some(Hit { at: first, normal: facing(normal, direction), part })
    }

    /// Of the parts on whose boundary a place is, the one of which least is before it in a direction:
    /// that whose side has this normal there.
    fn part_behind(&self, place: DVec2, normal: DVec2) -> usize {
        let height = |part: &Convex| {
            let heights = part.vertices().iter().map(|&vertex| normal.dot(vertex - place));
            heights.fold(f64::MIN, f64::max) + part.radius()
        };
        let behind = self
            .near(place)
            .filter(|(_, part)| part.nearest(place).distance.abs() <= 2.0 * self.tolerance);
        let behind = behind.map(|(i, part)| (i, height(part)));
        let lowest = behind.reduce(|one, other| if other.1 < one.1 { other } else { one });
        lowest.map_or_else(|| self.nearest_part(place), |(i, _)| i)
    }

    fn entry(&self, base: DVec2, part: usize, chord: &Chord) -> Hit {
        let (at, normal) = if chord.enter >= 0.0 {
            // Without the sign of a zero.
            (chord.enter + 0.0, chord.enter_normal)
        } else {
            (0.0, self.parts[part].nearest(base).normal)
        };
        Hit { at, normal, part }
    }

    /// Where a line goes in along the seam between two parts, given those that it brushes past: it is
    /// inside of neither, but inside of both together.
    fn seams_along(
        &self,
        base: DVec2,
        direction: DVec2,
        grazed: &[(usize, f64, f64)],
    ) -> ScratchList<[Hit; 4]> {
        let mut hits = ScratchList::new();
        if self.seams == Seams::Slots {
            return hits;
        }
        for (i, &(part, from, to)) in grazed.iter().enumerate() {
            for &(_, other_from, other_to) in &grazed[i + 1..] {
                let (at, end) = (from.max(other_from), to.min(other_to));
                if at < end && self.covers(base + direction * (0.5 * (at + end))) {
                    let place = base + direction * at;
                    let side = self.facing_side(place, direction);
                    let hit = |normal| Hit { at, normal, part: self.part_behind(place, normal) };
                    let of_part =
                        || Hit { at, normal: self.parts[part].nearest(place).normal, part };
                    hits.push(side.map_or_else(of_part, hit));
                }
            }
        }
        hits
    }

    /// Where the line from `base`, which is inside, first leaves the union.
    pub(super) fn first_exit(&self, base: DVec2, direction: DVec2) -> Option<Hit> {
        let slack = self.tolerance / direction.length();
        let mut chords: ScratchList<[(Chord, usize); 4]> = ScratchList::new();
        chords.extend(self.parts.iter().enumerate().filter_map(|(i, part)| {
            let chord = part.chord(base, direction, 0.0)?;
            (chord.exit >= -slack).then_some((chord, i))
        }));
        chords.sort_unstable_by(|a, b| a.0.enter.total_cmp(&b.0.enter).then(a.1.cmp(&b.1)));
        let mut at = 0.0;
        for (chord, _) in &chords {
            if chord.enter > at + slack {
                break;
            }
            at = chord.exit.max(at);
        }
        let mut last: ScratchList<[Hit; 4]> = chords
            .iter()
            .filter(|(chord, _)| (chord.exit - at).abs() <= slack)
            .map(|&(chord, part)| Hit { at, normal: chord.exit_normal, part })
            .collect();
        last.sort_by(|a, b| b.normal.dot(direction).total_cmp(&a.normal.dot(direction)));
        let place = base + direction * at;
        let normal = self.outward_of(place, last.iter().map(|hit| hit.normal));
        let hit = normal.and_then(|normal| last.iter().find(|hit| hit.normal == normal));
        let hit = hit.or(last.first()).copied()?;
        Some(Hit { normal: normal.unwrap_or(hit.normal), ..hit })
    }
}
