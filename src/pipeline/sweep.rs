//! What fast movers meet between two steps, and where solids among them stop.

use bevy::math::DVec2;
use bevy::prelude::*;

use crate::candidate_pairs::CandidatePairs;
use crate::collider_table::ColliderTable;
use crate::contacts::Contacts;
use crate::geometry::{
    Contact, ContactStatus, FirstTouch, Relation, SweptPair, Touch, TwoPieces, piece_by_piece,
    slide_all, sweep_between, two_pieces, way_into,
};
use crate::impacts::{Impacts, SweptImpact};
use crate::pushes::Pushes;
use crate::settings::CollisionSettings;
use crate::stats::CollisionStats;

/// Finds the first moment of contact of each pair with a swept collider.
///
/// With push-out, solids among them stop at their first impact, and do not meet what lies behind
/// it. A solid that lies against something immovable from the start would stop at once; it slides
/// along it instead.
pub(super) fn sweep_fast_movers(
    mut table: ResMut<ColliderTable>,
    mut impacts: ResMut<Impacts>,
    candidates: Res<CandidatePairs>,
    contacts: Res<Contacts>,
    settings: Res<CollisionSettings>,
    stats: Res<CollisionStats>,
    pushes: Option<Res<Pushes>>,
    mut sweeps: Local<Sweeps>,
) {
    impacts.clear();
    if stats.swept_colliders == 0 {
        return;
    }
    sweeps.start(&table, &candidates, settings.touch());
    let is_stopping = pushes.is_some() && settings.resolution.enabled;
    let allowed = is_stopping.then(|| allowed_overlap(&settings));
    if let Some(allowed) = allowed {
        sweeps.slide_along_walls(&table, allowed);
    }
    sweeps.find_first_impacts(&table, allowed);
    let met = sweeps.met.iter().copied();
    impacts.replace(met.chain(sweeps.starts(&table, &contacts)));
    sweeps.stop(&table, &mut impacts);
    for stop in impacts.stops() {
        table.translate(stop.row as usize, stop.translation);
    }
}

fn allowed_overlap(settings: &CollisionSettings) -> f64 {
    let allowed = f64::from(settings.resolution.allowed_overlap);
    if allowed.is_finite() { allowed.max(0.0) } else { 0.0 }
}

/// A pair with a swept collider.
struct Sweep {
    /// A the lower entity.
    rows: [u32; 2],
    swept: SweptPair,
}

/// What a row lies against before it moves.
struct Against {
    row: u32,
    /// Index of the pair.
    sweep: usize,
    /// Which of its pieces.
    pieces: [u32; 2],
    /// Negative where they overlap.
    distance: f64,
    /// Towards the row.
    normal: DVec2,
}

/// What a pair meets on its way.
struct Ahead {
    first: FirstTouch,
    /// Index of the pair.
    sweep: usize,
    /// Of a pair that is in contact from the start, those that meet.
    pieces: Option<[u32; 2]>,
}

/// All of them, and the way that each row takes; kept for its buffers.
#[derive(Default)]
pub(super) struct Sweeps {
    touch: Touch,
    list: Vec<Sweep>,
    /// How each row moves in this step.
    motions: Vec<DVec2>,
    /// The part of its motion that each row makes.
    parts: Vec<f64>,
    /// What turned aside or stopped which row: normals towards it.
    normals: Vec<(u32, Vec2)>,
    against: Vec<Against>,
    ahead: Vec<Ahead>,
    met: Vec<SweptImpact>,
    /// Which rows slide.
    is_turned: Vec<bool>,
    /// The normals along which one row slides.
    along: Vec<Vec2>,
}

impl Sweeps {
    fn start(&mut self, table: &ColliderTable, candidates: &CandidatePairs, touch: Touch) {
        let Self { list, motions, parts, normals, .. } = self;
        self.touch = touch;
        motions.clear();
        motions.extend((0..table.len()).map(|row| table.displacement(row)));
        parts.clear();
        parts.resize(motions.len(), 1.0);
        normals.clear();
        let entity = |row: u32| table.row(row).entity;
        let swept = candidates.pairs.iter().filter(|rows| {
            let is_swept = |row: u32| table.row(row).is_swept();
            rows.iter().any(|&row| is_swept(row))
                && motions[rows[0] as usize] != motions[rows[1] as usize]
        });
        list.clear();
        list.extend(swept.map(|&[a, b]| {
            let rows = if entity(a) < entity(b) { [a, b] } else { [b, a] };
            Sweep { rows, swept: sweep_rows(table, motions, rows, &touch) }
        }));
        // DETERMINISM: from here on nothing depends on the order of rows.
        list.sort_unstable_by_key(|sweep| sweep.rows.map(entity));
    }

    /// Takes from the motion of each solid what leads into an immovable solid that it lies against.
    ///
    /// What lies on the seam of two tiles, or of two pieces of a floor, is also in the side of the
    /// one by a little. The deepest come first, and what is then passed over does not count.
    fn slide_along_walls(&mut self, table: &ColliderTable, allowed: f64) {
        let mut against = core::mem::take(&mut self.against);
        self.list_walls(table, &mut against);
        against.sort_unstable_by(|p, q| {
            let by_depth = p.distance.total_cmp(&q.distance);
            let by_x = p.normal.x.total_cmp(&q.normal.x);
            let by_normal = by_x.then(p.normal.y.total_cmp(&q.normal.y));
            let by_pieces = (p.sweep, p.pieces).cmp(&(q.sweep, q.pieces));
            p.row.cmp(&q.row).then(by_depth).then(by_normal).then(by_pieces)
        });
        self.is_turned.clear();
        self.is_turned.resize(self.motions.len(), false);
        for group in against.chunk_by(|p, q| p.row == q.row) {
            let row = group[0].row;
            let motion = self.motions[row as usize];
            self.along.clear();
            for wall in group {
                if self.motions[row as usize].dot(wall.normal) >= 0.0 {
                    continue;
                }
                let rows = self.list[wall.sweep].rows;
                // A slow motion leads nowhere deep in this step, but it does in time.
                let depth = self.depth_at_rest(table, rows, 2.0 * allowed);
                let way = self.way(rows);
                let way = way * (4.0 * depth / way.length()).max(1.0);
                let TwoPieces { a, b, offset } = pieces_at(table, rows, wall.pieces);
                if -way_into(a, b, offset, way).0 <= depth {
                    continue;
                }
                self.normals.push((row, wall.normal.as_vec2()));
                self.is_turned[row as usize] = true;
                self.along.push(wall.normal.as_vec2());
                self.motions[row as usize] = slide_all(motion.as_vec2(), &self.along).as_dvec2();
            }
        }
        self.against = against;
        for sweep in &mut self.list {
            if sweep.rows.iter().any(|&row| self.is_turned[row as usize]) {
                sweep.swept = sweep_rows(table, &self.motions, sweep.rows, &self.touch);
            }
        }
    }

    /// What solids that can stop touch or overlap before they move, piece by piece.
    fn list_walls(&self, table: &ColliderTable, against: &mut Vec<Against>) {
        against.clear();
        for (i, sweep) in self.list.iter().enumerate() {
            let [a, b] = sweep.rows;
            let is_against = |row, other| can_stop(table, row) && is_wall(table, other);
            let row = if is_against(a, b) { a } else { b };
            let is_against = is_against(a, b) || is_against(b, a);
            if sweep.swept.start == Relation::Separated || !is_against {
                continue;
            }
            let extents = extents(table, sweep.rows);
            for (pieces, TwoPieces { a, b, offset }) in pieces_of(table, sweep.rows) {
                let (distance, normal) = way_into(a, b, offset, DVec2::ZERO);
                if self.touch.relation(distance, extents) != Relation::Separated {
                    let normal = if row == sweep.rows[1] { normal } else { -normal };
                    against.push(Against { row, sweep: i, pieces, distance, normal });
                }
            }
        }
    }

    /// The contact of a pair that is one before it moves.
    fn start_of(&self, sweep: &Sweep) -> Option<FirstTouch> {
        sweep.swept.first.filter(|_| sweep.swept.start != Relation::Separated)
    }

    /// Finds what is met on the way, in the order of time. With an allowed overlap solids stop at
    /// their first impact.
    fn find_first_impacts(&mut self, table: &ColliderTable, allowed_overlap: Option<f64>) {
        self.met.clear();
        let mut ahead = core::mem::take(&mut self.ahead);
        ahead.clear();
        for (i, sweep) in self.list.iter().enumerate() {
            if sweep.swept.start == Relation::Separated {
                let first = sweep.swept.first;
                ahead.extend(first.map(|first| Ahead { first, sweep: i, pieces: None }));
            } else if allowed_overlap.is_some() && are_solid(table, sweep.rows) {
                self.list_other_pieces(table, i, &mut ahead);
            }
        }
        // DETERMINISM: pairs are listed in the order of entities.
        ahead.sort_unstable_by(|p, q| {
            let by_time = p.first.time.total_cmp(&q.first.time);
            by_time.then((p.sweep, p.pieces).cmp(&(q.sweep, q.pieces)))
        });
        for &Ahead { first, sweep, pieces } in &ahead {
            let (rows, time) = (self.list[sweep].rows, first.time);
            if rows.iter().any(|&row| self.parts[row as usize] < time) {
                continue;
            }
            let Some(allowed) = allowed_overlap.filter(|_| are_solid(table, rows)) else {
                self.met.push(self.impact(table, rows, &first, false));
                continue;
            };
            // What rests on a row of tiles overlaps all of them by a little, and would meet the side
            // of the next one. It passes over what is in its way by no more than that.
            let met = match pieces {
                Some(pieces) => pieces_at(table, rows, pieces),
                None => whole(table, rows),
            };
            let (into, normal) = way_into(met.a, met.b, met.offset, self.way(rows));
            let is_passed_over = -into <= self.depth_at_rest(table, rows, 2.0 * allowed);
            // A pair that was in contact from the start is not met once more.
            if pieces.is_none() {
                let normal = if is_passed_over { normal } else { first.normal };
                let impact = self.impact(table, rows, &FirstTouch { normal, ..first }, false);
                self.met.push(impact);
            }
            if is_passed_over {
                continue;
            }
            // Some of the allowed overlap keeps them in contact under either touching rule.
            let [a, b] = rows.map(|row| self.motions[row as usize]);
            let approach = -(b - a).dot(first.normal);
            let depth = self.depth_at_rest(table, rows, allowed);
            let end = if approach > 0.0 { (time + depth / approach).min(1.0) } else { 1.0 };
            for (row, _, normal) in sides(rows, first.normal) {
                if can_stop(table, row) && end < self.parts[row as usize] {
                    self.parts[row as usize] = end;
                    self.normals.push((row, normal.as_vec2()));
                }
            }
        }
        self.ahead = ahead;
    }

    /// Of two shapes that are in contact from the start, what their other pieces meet on the way: the
    /// other arm of a U, for what lies against the first.
    fn list_other_pieces(&self, table: &ColliderTable, sweep: usize, ahead: &mut Vec<Ahead>) {
        let rows = self.list[sweep].rows;
        if rows.iter().all(|&row| table.shape(row).is_convex()) {
            return;
        }
        let way = self.way(rows);
        for (pieces, TwoPieces { a, b, offset }) in pieces_of(table, rows) {
            let swept = sweep_between(a, b, offset, way, &self.touch);
            if swept.start == Relation::Separated {
                let first = swept.first;
                ahead.extend(first.map(|first| Ahead { first, sweep, pieces: Some(pieces) }));
            }
        }
    }

    /// How deep two solids lie in each other where one stops at the other.
    fn depth_at_rest(&self, table: &ColliderTable, rows: [u32; 2], allowed: f64) -> f64 {
        (0.5 * allowed).max(1.25 * self.touch.tolerance(extents(table, rows)))
    }

    /// How B moves, seen from A.
    fn way(&self, [a, b]: [u32; 2]) -> DVec2 {
        self.motions[b as usize] - self.motions[a as usize]
    }

    /// Pairs that were a contact before they moved and are new: a wall that has appeared in the way.
    fn starts<'s>(
        &'s self,
        table: &'s ColliderTable,
        contacts: &'s Contacts,
    ) -> impl Iterator<Item = SweptImpact> + 's {
        self.list.iter().filter_map(move |sweep| {
            let first = self.start_of(sweep)?;
            let [a, b] = sweep.rows.map(|row| table.row(row).entity);
            let is_new = contacts.between(a, b).is_none();
            is_new.then(|| self.impact(table, sweep.rows, &first, true))
        })
    }

    fn impact(
        &self,
        table: &ColliderTable,
        rows: [u32; 2],
        first: &FirstTouch,
        only_at_start: bool,
    ) -> SweptImpact {
        let row = rows[usize::from(first.is_seen_from_b)];
        let place = start_of(table, row) + self.motions[row as usize] * first.time;
        let contact = Contact {
            normal: first.normal.as_vec2(),
            depth: 0.0,
            point: (place + first.point).as_vec2(),
            status: ContactStatus::Touching,
        };
        SweptImpact { rows, time: first.time as f32, contact, only_at_start }
    }

    /// Lists the rows that do not arrive where they were going.
    fn stop(&mut self, table: &ColliderTable, impacts: &mut Impacts) {
        self.normals.sort_unstable_by(|p, q| {
            p.0.cmp(&q.0).then(p.1.x.total_cmp(&q.1.x)).then(p.1.y.total_cmp(&q.1.y))
        });
        for group in self.normals.chunk_by(|a, b| a.0 == b.0) {
            let row = group[0].0;
            let made = self.motions[row as usize] * self.parts[row as usize];
            let translation = (made - table.displacement(row as usize)).as_vec2();
            impacts.add_stop(row, translation, group.iter().map(|&(_, normal)| normal));
        }
    }
}

fn sweep_rows(
    table: &ColliderTable,
    motions: &[DVec2],
    rows: [u32; 2],
    touch: &Touch,
) -> SweptPair {
    let TwoPieces { a, b, offset } = whole(table, rows);
    let [motion_a, motion_b] = rows.map(|row| motions[row as usize]);
    sweep_between(a, b, offset, motion_b - motion_a, touch)
}

/// Two shapes as they lie before they move.
fn whole(table: &ColliderTable, rows: [u32; 2]) -> TwoPieces<'_> {
    let [a, b] = rows;
    let offset = start_of(table, b) - start_of(table, a);
    TwoPieces { a: table.shape(a), b: table.shape(b), offset }
}

fn pieces_of(
    table: &ColliderTable,
    rows: [u32; 2],
) -> impl Iterator<Item = ([u32; 2], TwoPieces<'_>)> {
    piece_by_piece(whole(table, rows))
}

/// Those two pieces that [`pieces_of`] gave this number.
fn pieces_at(table: &ColliderTable, rows: [u32; 2], pieces: [u32; 2]) -> TwoPieces<'_> {
    let whole = whole(table, rows);
    two_pieces(whole, pieces).unwrap_or(whole)
}

fn extents(table: &ColliderTable, rows: [u32; 2]) -> f64 {
    rows.iter().map(|&row| f64::from(table.shape(row).extent())).sum()
}

fn are_solid(table: &ColliderTable, rows: [u32; 2]) -> bool {
    rows.iter().all(|&row| !table.row(row).is_sensor)
}

/// Where the reference point of a row was before it moved.
fn start_of(table: &ColliderTable, row: u32) -> DVec2 {
    table.row(row).origin().as_dvec2() - table.displacement(row as usize)
}

/// Each row of a pair with the other one and the normal towards it.
fn sides([a, b]: [u32; 2], normal: DVec2) -> [(u32, u32, DVec2); 2] {
    [(a, b, -normal), (b, a, normal)]
}

fn can_stop(table: &ColliderTable, row: u32) -> bool {
    table.row(row).is_swept() && table.inverse_mass(row).is_some_and(|inverse| inverse > 0.0)
}

fn is_wall(table: &ColliderTable, row: u32) -> bool {
    table.inverse_mass(row) == Some(0.0)
}
