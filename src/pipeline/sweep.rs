//! What fast movers meet between two steps, and where solids among them stop.

use bevy::math::DVec2;
use bevy::prelude::*;

use crate::candidate_pairs::CandidatePairs;
use crate::collider_table::ColliderTable;
use crate::contacts::Contacts;
use crate::geometry::{
    Contact, ContactStatus, FirstTouch, Relation, SweptPair, Touch, TwoPieces, piece_by_piece,
    slide_all, sweep_between, way_into,
};
use crate::impacts::{Impacts, Stop, SweptImpact};
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
) {
    impacts.clear();
    if stats.swept_colliders == 0 {
        return;
    }
    let mut sweeps = Sweeps::new(&table, &candidates, settings.touch());
    let is_stopping = pushes.is_some() && settings.resolution.enabled;
    let allowed = is_stopping.then(|| allowed_overlap(&settings));
    if let Some(allowed) = allowed {
        sweeps.slide_along_walls(&table, allowed);
    }
    let met = sweeps.first_impacts(&table, allowed);
    impacts.replace(met.into_iter().chain(sweeps.starts(&table, &contacts)));
    impacts.stops = sweeps.stops(&table);
    for stop in &impacts.stops {
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
struct Against<'t> {
    row: u32,
    /// Index of the pair.
    sweep: usize,
    pieces: TwoPieces<'t>,
    /// Negative where they overlap.
    distance: f64,
    /// Towards the row.
    normal: DVec2,
}

/// What a pair meets on its way.
struct Ahead<'t> {
    first: FirstTouch,
    /// Index of the pair.
    sweep: usize,
    /// Of a pair that is in contact from the start, those that meet.
    pieces: Option<TwoPieces<'t>>,
}

/// All of them, and the way that each row takes.
struct Sweeps {
    touch: Touch,
    list: Vec<Sweep>,
    /// How each row moves in this step.
    motions: Vec<DVec2>,
    /// The part of its motion that each row makes.
    parts: Vec<f64>,
    /// What turned aside or stopped which row: normals towards it.
    normals: Vec<(u32, Vec2)>,
}

impl Sweeps {
    fn new(table: &ColliderTable, candidates: &CandidatePairs, touch: Touch) -> Self {
        let motions: Vec<DVec2> = (0..table.len()).map(|row| table.displacement(row)).collect();
        let parts = vec![1.0; motions.len()];
        let entity = |row: u32| table.entities[row as usize];
        let swept = candidates.pairs.iter().filter(|rows| {
            let is_swept = |row: u32| table.roles[row as usize].is_swept;
            rows.iter().any(|&row| is_swept(row))
                && motions[rows[0] as usize] != motions[rows[1] as usize]
        });
        let mut list: Vec<Sweep> = swept
            .map(|&[a, b]| {
                let rows = if entity(a) < entity(b) { [a, b] } else { [b, a] };
                Sweep { rows, swept: sweep_rows(table, &motions, rows, &touch) }
            })
            .collect();
        // DETERMINISM: from here on nothing depends on the order of rows.
        list.sort_unstable_by_key(|sweep| sweep.rows.map(entity));
        Self { touch, list, motions, parts, normals: Vec::new() }
    }

    /// Takes from the motion of each solid what leads into an immovable solid that it lies against.
    ///
    /// What lies on the seam of two tiles, or of two pieces of a floor, is also in the side of the
    /// one by a little. The deepest come first, and what is then passed over does not count.
    fn slide_along_walls(&mut self, table: &ColliderTable, allowed: f64) {
        let mut against = self.against_walls(table);
        against.sort_by(|p, q| {
            let by_depth = p.distance.total_cmp(&q.distance);
            let by_x = p.normal.x.total_cmp(&q.normal.x);
            p.row.cmp(&q.row).then(by_depth).then(by_x).then(p.normal.y.total_cmp(&q.normal.y))
        });
        let mut is_turned = vec![false; self.motions.len()];
        for group in against.chunk_by(|p, q| p.row == q.row) {
            let row = group[0].row;
            let motion = self.motions[row as usize];
            let first = self.normals.len();
            for wall in group {
                if self.motions[row as usize].dot(wall.normal) >= 0.0 {
                    continue;
                }
                let rows = self.list[wall.sweep].rows;
                // A slow motion leads nowhere deep in this step, but it does in time.
                let depth = self.depth_at_rest(table, rows, 2.0 * allowed);
                let way = self.way(rows);
                let way = way * (4.0 * depth / way.length()).max(1.0);
                let TwoPieces { a, b, offset } = wall.pieces;
                if -way_into(a, b, offset, way).0 <= depth {
                    continue;
                }
                self.normals.push((row, wall.normal.as_vec2()));
                is_turned[row as usize] = true;
                let normals: Vec<Vec2> =
                    self.normals[first..].iter().map(|&(_, normal)| normal).collect();
                self.motions[row as usize] = slide_all(motion.as_vec2(), &normals).as_dvec2();
            }
        }
        for sweep in &mut self.list {
            if sweep.rows.iter().any(|&row| is_turned[row as usize]) {
                sweep.swept = sweep_rows(table, &self.motions, sweep.rows, &self.touch);
            }
        }
    }

    /// What solids that can stop touch or overlap before they move, piece by piece.
    fn against_walls<'t>(&self, table: &'t ColliderTable) -> Vec<Against<'t>> {
        let mut against = Vec::new();
        for (i, sweep) in self.list.iter().enumerate() {
            let [a, b] = sweep.rows;
            let is_against = |row, other| can_stop(table, row) && is_wall(table, other);
            let row = if is_against(a, b) { a } else { b };
            let is_against = is_against(a, b) || is_against(b, a);
            if sweep.swept.start == Relation::Separated || !is_against {
                continue;
            }
            let extents = extents(table, sweep.rows);
            for pieces in pieces_of(table, sweep.rows) {
                let (distance, normal) = way_into(pieces.a, pieces.b, pieces.offset, DVec2::ZERO);
                if self.touch.relation(distance, extents) != Relation::Separated {
                    let normal = if row == b { normal } else { -normal };
                    against.push(Against { row, sweep: i, pieces, distance, normal });
                }
            }
        }
        against
    }

    /// The contact of a pair that is one before it moves.
    fn start_of(&self, sweep: &Sweep) -> Option<FirstTouch> {
        sweep.swept.first.filter(|_| sweep.swept.start != Relation::Separated)
    }

    /// What is met on the way, in the order of time. With an allowed overlap solids stop at their
    /// first impact.
    fn first_impacts(
        &mut self,
        table: &ColliderTable,
        allowed_overlap: Option<f64>,
    ) -> Vec<SweptImpact> {
        let mut ahead: Vec<Ahead<'_>> = Vec::new();
        for (i, sweep) in self.list.iter().enumerate() {
            if sweep.swept.start == Relation::Separated {
                let first = sweep.swept.first;
                ahead.extend(first.map(|first| Ahead { first, sweep: i, pieces: None }));
            } else if allowed_overlap.is_some() && are_solid(table, sweep.rows) {
                self.list_other_pieces(table, i, &mut ahead);
            }
        }
        // DETERMINISM: a stable sort, of what is listed in the order of entities and of pieces.
        ahead.sort_by(|p, q| p.first.time.total_cmp(&q.first.time));
        let mut met = Vec::new();
        for Ahead { first, sweep, pieces } in ahead {
            let (rows, time) = (self.list[sweep].rows, first.time);
            if rows.iter().any(|&row| self.parts[row as usize] < time) {
                continue;
            }
            let Some(allowed) = allowed_overlap.filter(|_| are_solid(table, rows)) else {
                met.push(self.impact(table, rows, &first, false));
                continue;
            };
            // What rests on a row of tiles overlaps all of them by a little, and would meet the side
            // of the next one. It passes over what is in its way by no more than that.
            let (into, normal) = match &pieces {
                Some(pieces) => self.way_into(pieces, rows),
                None => self.way_into(&whole(table, rows), rows),
            };
            let is_passed_over = -into <= self.depth_at_rest(table, rows, 2.0 * allowed);
            // A pair that was in contact from the start is not met once more.
            if pieces.is_none() {
                let normal = if is_passed_over { normal } else { first.normal };
                met.push(self.impact(table, rows, &FirstTouch { normal, ..first }, false));
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
        met
    }

    /// Of two shapes that are in contact from the start, what their other pieces meet on the way: the
    /// other arm of a U, for what lies against the first.
    fn list_other_pieces<'t>(
        &self,
        table: &'t ColliderTable,
        sweep: usize,
        ahead: &mut Vec<Ahead<'t>>,
    ) {
        let rows = self.list[sweep].rows;
        if rows.iter().all(|&row| table.shapes[row as usize].is_convex()) {
            return;
        }
        let way = self.way(rows);
        for pieces in pieces_of(table, rows) {
            let swept = sweep_between(pieces.a, pieces.b, pieces.offset, way, &self.touch);
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

    fn way_into(&self, pieces: &TwoPieces<'_>, rows: [u32; 2]) -> (f64, DVec2) {
        way_into(pieces.a, pieces.b, pieces.offset, self.way(rows))
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
            let [a, b] = sweep.rows.map(|row| table.entities[row as usize]);
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
        let a = rows[0] as usize;
        let place = start_of(table, a) + self.motions[a] * first.time;
        let contact = Contact {
            normal: first.normal.as_vec2(),
            depth: 0.0,
            point: (place + first.point).as_vec2(),
            status: ContactStatus::Touching,
        };
        SweptImpact { rows, time: first.time as f32, contact, only_at_start }
    }

    /// The rows that do not arrive where they were going.
    fn stops(&mut self, table: &ColliderTable) -> Vec<Stop> {
        self.normals.sort_by_key(|&(row, _)| row);
        let stops = self.normals.chunk_by(|a, b| a.0 == b.0).map(|group| {
            let row = group[0].0;
            let made = self.motions[row as usize] * self.parts[row as usize];
            Stop {
                row,
                translation: (made - table.displacement(row as usize)).as_vec2(),
                normals: group.iter().map(|&(_, normal)| normal).collect(),
            }
        });
        stops.collect()
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
    let [a, b] = rows.map(|row| row as usize);
    let offset = start_of(table, b) - start_of(table, a);
    TwoPieces { a: &table.shapes[a], b: &table.shapes[b], offset }
}

fn pieces_of(table: &ColliderTable, rows: [u32; 2]) -> impl Iterator<Item = TwoPieces<'_>> {
    let TwoPieces { a, b, offset } = whole(table, rows);
    piece_by_piece(a, b, offset)
}

fn extents(table: &ColliderTable, rows: [u32; 2]) -> f64 {
    rows.iter().map(|&row| f64::from(table.shapes[row as usize].extent())).sum()
}

fn are_solid(table: &ColliderTable, rows: [u32; 2]) -> bool {
    rows.iter().all(|&row| table.roles[row as usize].inverse_mass.is_some())
}

/// Where the reference point of a row was before it moved.
fn start_of(table: &ColliderTable, row: usize) -> DVec2 {
    table.shapes[row].origin().as_dvec2() - table.displacement(row)
}

/// Each row of a pair with the other one and the normal towards it.
fn sides([a, b]: [u32; 2], normal: DVec2) -> [(u32, u32, DVec2); 2] {
    [(a, b, -normal), (b, a, normal)]
}

fn can_stop(table: &ColliderTable, row: u32) -> bool {
    let role = &table.roles[row as usize];
    role.is_swept && role.inverse_mass.is_some_and(|inverse| inverse > 0.0)
}

fn is_wall(table: &ColliderTable, row: u32) -> bool {
    table.roles[row as usize].inverse_mass == Some(0.0)
}
