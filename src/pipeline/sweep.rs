//! What fast movers meet between two steps, and where solids among them stop.

use core::cmp::Ordering;
use std::collections::BinaryHeap;

use bevy::math::DVec2;
use bevy::prelude::*;

use super::ways::Ways;
use crate::candidate_pairs::CandidatePairs;
use crate::collider_table::ColliderTable;
use crate::contacts::Contacts;
use crate::geometry::{
    Contact, ContactStatus, FirstTouch, Relation, SweptPair, Touch, TouchRule, TwoPieces,
    piece_by_piece, slide_all, sweep_between, thickness_along, way_into,
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
    /// When one of the two came to rest last, and how often its way was looked at anew for that:
    /// what seemed to be ahead before is so no more.
    from: f64,
    looks: u32,
    is_met: bool,
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
#[derive(Clone, Copy)]
struct Meeting {
    /// Index of the pair.
    sweep: usize,
    /// The pieces at which solids may stop; none for the pair as a whole, which becomes a contact.
    pieces: Option<[u32; 2]>,
    first: FirstTouch,
    /// Of which look at its way this is.
    look: u32,
}

/// What lies ahead of a row or pair.
enum Ahead {
    Meets(Meeting),
    /// A row that was stopped gets to where it stays.
    Rests {
        row: u32,
        time: f64,
    },
}

impl Ahead {
    /// By time; of pairs before rows, so that what is met at the last moment is met.
    fn key(&self) -> (f64, bool, usize, Option<[u32; 2]>) {
        match *self {
            Self::Meets(Meeting { sweep, pieces, first, .. }) => (first.time, false, sweep, pieces),
            Self::Rests { row, time } => (time, true, row as usize, None),
        }
    }
}

/// The first to come is the greatest, as a heap wants it.
impl Ord for Ahead {
    fn cmp(&self, other: &Self) -> Ordering {
        let ((time, ..), (other_time, ..)) = (self.key(), other.key());
        let by_rest = |ahead: &Self| {
            let (_, rests, index, pieces) = ahead.key();
            (rests, index, pieces)
        };
        other_time.total_cmp(&time).then_with(|| by_rest(other).cmp(&by_rest(self)))
    }
}

impl PartialOrd for Ahead {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ahead {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ahead {}

/// All of them, and the way that each row takes; kept for its buffers.
#[derive(Default)]
pub(super) struct Sweeps {
    touch: Touch,
    list: Vec<Sweep>,
    ways: Ways,
    /// Rows that can stop, each with the indices of its pairs, in order.
    pairs_of_rows: Vec<(u32, usize)>,
    /// What turned aside or stopped which row: normals towards it.
    normals: Vec<(u32, Vec2)>,
    against: Vec<Against>,
    ahead: BinaryHeap<Ahead>,
    met: Vec<SweptImpact>,
    /// Which rows slide.
    is_turned: Vec<bool>,
    /// The normals along which one row slides.
    along: Vec<Vec2>,
    /// Along which of the walls near it.
    is_along: Vec<bool>,
}

impl Sweeps {
    fn start(&mut self, table: &ColliderTable, candidates: &CandidatePairs, touch: Touch) {
        let Self { list, ways, normals, .. } = self;
        self.touch = touch;
        ways.start(table);
        normals.clear();
        let entity = |row: u32| table.row(row).entity;
        let swept = candidates.pairs.iter().filter(|rows| {
            let is_swept = |row: u32| table.row(row).is_swept();
            rows.iter().any(|&row| is_swept(row)) && rows.iter().any(|&row| ways.moves(row))
        });
        list.clear();
        list.extend(swept.map(|&[a, b]| {
            let rows = if entity(a) < entity(b) { [a, b] } else { [b, a] };
            Sweep {
                rows,
                swept: sweep_rows(table, ways, rows, &touch),
                from: 0.0,
                looks: 0,
                is_met: false,
            }
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
        self.is_turned.resize(table.len(), false);
        for group in against.chunk_by(|p, q| p.row == q.row) {
            let row = group[0].row;
            let motion = self.ways.motion(row);
            self.along.clear();
            self.is_along.clear();
            self.is_along.resize(group.len(), false);
            // What slides along one may be led into another that it was leaving.
            while let Some(next) = self.next_wall(table, group, allowed) {
                let wall = &group[next];
                self.is_along[next] = true;
                self.normals.push((row, wall.normal.as_vec2()));
                self.is_turned[row as usize] = true;
                self.along.push(wall.normal.as_vec2());
                let slid = slide_all(motion.as_vec2(), &self.along).as_dvec2();
                self.ways.turn_aside(row, slid);
            }
        }
        self.against = against;
        for sweep in &mut self.list {
            if sweep.rows.iter().any(|&row| self.is_turned[row as usize]) {
                sweep.swept = sweep_rows(table, &self.ways, sweep.rows, &self.touch);
            }
        }
    }

    /// The first of the walls of a row that its motion leads into, of those along which it does not
    /// slide yet.
    fn next_wall(&self, table: &ColliderTable, group: &[Against], allowed: f64) -> Option<usize> {
        let leads_into = |wall: &Against| {
            if self.ways.motion(wall.row).dot(wall.normal) >= 0.0 {
                return false;
            }
            let rows = self.list[wall.sweep].rows;
            let met = self.ways.pieces(table, rows, Some(wall.pieces), 0.0);
            // A slow motion leads nowhere deep in this step, but it does in time.
            let way = self.ways.rest_of_way(rows, 0.0);
            let depth = self.depth_at_rest(table, rows, 2.0 * allowed);
            let way = way * (4.0 * depth / way.length()).max(1.0);
            let (into, out) = way_into(met.a, met.b, met.offset, way);
            -into > self.depth_in(table, rows, (&met, out, 0.0), (2.0 * allowed, MOST_OF_THIN))
        };
        (0..group.len()).find(|&i| !self.is_along[i] && leads_into(&group[i]))
    }

    /// What solids that can stop touch or overlap before they move, piece by piece.
    fn list_walls(&self, table: &ColliderTable, against: &mut Vec<Against>) {
        against.clear();
        for (i, sweep) in self.list.iter().enumerate() {
            let [a, b] = sweep.rows;
            let is_against = |row, other| can_stop(table, row) && is_wall(table, other);
            let row = if is_against(a, b) { a } else { b };
            let is_against = is_against(a, b) || is_against(b, a);
            if !is_against {
                continue;
            }
            let gap = self.touch.tolerance(extents(table, sweep.rows));
            let gap = gap.max(2.0 * self.least_gap(table, sweep.rows, 0.0));
            let whole = self.ways.whole(table, sweep.rows, 0.0);
            for (pieces, TwoPieces { a, b, offset }) in piece_by_piece(whole) {
                let (distance, normal) = way_into(a, b, offset, DVec2::ZERO);
                if distance <= gap {
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
    /// their first impact; the others then find them at rest.
    fn find_first_impacts(&mut self, table: &ColliderTable, allowed_overlap: Option<f64>) {
        self.met.clear();
        self.ahead.clear();
        self.pairs_of_rows.clear();
        let pairs = self.list.iter().enumerate();
        let of_rows = pairs.flat_map(|(i, sweep)| sweep.rows.map(|row| (row, i)));
        self.pairs_of_rows.extend(of_rows.filter(|&(row, _)| can_stop(table, row)));
        self.pairs_of_rows.sort_unstable();
        for i in 0..self.list.len() {
            self.look_ahead(table, i, allowed_overlap);
        }
        // DETERMINISM: at equal times in the order of pairs, which are listed in that of entities.
        while let Some(next) = self.ahead.pop() {
            match next {
                Ahead::Meets(meeting) => self.meet(table, &meeting, allowed_overlap),
                Ahead::Rests { row, time } => self.rest(table, row, time, allowed_overlap),
            }
        }
    }

    /// From now on a row stands still; what else comes its way does not.
    fn rest(&mut self, table: &ColliderTable, row: u32, time: f64, allowed_overlap: Option<f64>) {
        // Something has stopped it even before.
        if self.ways.part(row) < time {
            return;
        }
        let first = self.pairs_of_rows.partition_point(|&(of, _)| of < row);
        for i in first..self.pairs_of_rows.len() {
            let (of, sweep) = self.pairs_of_rows[i];
            if of != row {
                break;
            }
            self.list[sweep].from = time;
            self.list[sweep].looks += 1;
            self.look_ahead(table, sweep, allowed_overlap);
        }
    }

    /// Lists what a pair meets on the rest of its way.
    fn look_ahead(&mut self, table: &ColliderTable, sweep: usize, allowed_overlap: Option<f64>) {
        let Self { ways, ahead, touch, list, .. } = self;
        let &Sweep { rows, swept: from_start, from, looks, is_met } = &list[sweep];
        let (whole, way) = (ways.whole(table, rows, from), ways.rest_of_way(rows, from));
        let mut add = |first: FirstTouch, pieces| {
            let first = FirstTouch { time: from + (1.0 - from) * first.time, ..first };
            ahead.push(Ahead::Meets(Meeting { sweep, pieces, first, look: looks }));
        };
        let swept = match looks {
            0 => from_start,
            _ => sweep_between(whole.a, whole.b, whole.offset, way, touch),
        };
        let is_contact = swept.start != Relation::Separated;
        let was_contact = is_met || from_start.start != Relation::Separated;
        if !(is_contact && was_contact) {
            swept.first.into_iter().for_each(|first| add(first, None));
        }
        if allowed_overlap.is_none() || !are_solid(table, rows) {
            return;
        }
        // Solids stop at the pieces of each other, whether or not touching is a contact: the other arm of
        // a U, for what lies against the first.
        let touch = Touch { rule: TouchRule::Inclusive, ..*touch };
        for (pieces, TwoPieces { a, b, offset }) in piece_by_piece(whole) {
            let swept = sweep_between(a, b, offset, way, &touch);
            if swept.start == Relation::Separated {
                swept.first.into_iter().for_each(|first| add(first, Some(pieces)));
            }
        }
    }

    /// Two meet, unless one of them came to rest before: as a whole they become a contact, and where
    /// their pieces meet solids stop.
    fn meet(&mut self, table: &ColliderTable, meeting: &Meeting, allowed_overlap: Option<f64>) {
        let &Meeting { sweep, pieces, first, look } = meeting;
        let &Sweep { rows, swept: from_start, from, looks, is_met } = &self.list[sweep];
        if look != looks {
            return;
        }
        let met = self.ways.pieces(table, rows, pieces, from);
        let rest_of_way = self.ways.rest_of_way(rows, from);
        // What rests on a row of tiles overlaps all of them by a little, and would meet the side
        // of the next one. It passes over what is in its way by no more than that.
        let (into, out) = way_into(met.a, met.b, met.offset, rest_of_way);
        let is_passed_over = |allowed: f64| {
            let limit = (2.0 * allowed, MOST_OF_THIN);
            -into <= self.depth_in(table, rows, (&met, out, first.time), limit)
        };
        let allowed = allowed_overlap.filter(|_| are_solid(table, rows));
        if pieces.is_none() {
            // A pair that was in contact from the start is not met once more.
            if !is_met && from_start.start == Relation::Separated {
                let normal = if allowed.is_some_and(is_passed_over) { out } else { first.normal };
                let impact = self.impact(table, rows, &FirstTouch { normal, ..first }, false);
                self.met.push(impact);
                self.list[sweep].is_met = true;
            }
            return;
        }
        let Some(allowed) = allowed.filter(|&allowed| !is_passed_over(allowed)) else { return };
        // Some of the allowed overlap keeps them in contact under either touching rule.
        let approach = -rest_of_way.dot(first.normal);
        let limit = (allowed, 0.5 * MOST_OF_THIN);
        let further = self.depth_in(table, rows, (&met, first.normal, first.time), limit);
        let further = if approach > 0.0 { (1.0 - from) * further / approach } else { 1.0 };
        let end = (first.time + further).min(1.0).max(from);
        for (row, _, normal) in sides(rows, first.normal) {
            if can_stop(table, row) && self.ways.moves(row) && end < self.ways.part(row) {
                self.ways.stop(row, end);
                self.normals.push((row, normal.as_vec2()));
                self.ahead.push(Ahead::Rests { row, time: end });
            }
        }
    }

    /// How deep two solids lie in each other where one stops at the other.
    fn depth_at_rest(&self, table: &ColliderTable, rows: [u32; 2], allowed: f64) -> f64 {
        (0.5 * allowed).max(1.25 * self.touch.tolerance(extents(table, rows)))
    }

    /// The same of two pieces, along a normal, at a time. Of what is thin no more than a share of its
    /// thickness, for it must be told on which side they are; and where there is no inside to speak
    /// of, minus the gap that is left.
    fn depth_in(
        &self,
        table: &ColliderTable,
        rows: [u32; 2],
        (met, normal, time): (&TwoPieces, DVec2, f64),
        (allowed, share): (f64, f64),
    ) -> f64 {
        let gap = self.least_gap(table, rows, time);
        let thin = share * thickness_along(met, normal);
        if thin > 2.0 * gap { self.depth_at_rest(table, rows, allowed).min(thin) } else { -gap }
    }

    /// How far two stay apart that have no inside to overlap: within their tolerance if single
    /// precision can tell on which side they are.
    fn least_gap(&self, table: &ColliderTable, rows: [u32; 2], time: f64) -> f64 {
        let far = rows.map(|row| self.ways.place(table, row, time).abs().max_element());
        let step = f64::from(f32::EPSILON) * far[0].max(far[1]);
        step.max(0.5 * self.touch.tolerance(extents(table, rows)))
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
        let place = self.ways.place(table, row, first.time);
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
            let not_made = self.ways.made(row) - table.displacement(row as usize);
            let translation = not_made.as_vec2();
            impacts.add_stop(row, translation, group.iter().map(|&(_, normal)| normal));
        }
    }
}

fn sweep_rows(table: &ColliderTable, ways: &Ways, rows: [u32; 2], touch: &Touch) -> SweptPair {
    let TwoPieces { a, b, offset } = ways.whole(table, rows, 0.0);
    sweep_between(a, b, offset, ways.rest_of_way(rows, 0.0), touch)
}

/// The part of the thickness of two shapes that one may lie in the other: far less than half, which
/// is the other side.
const MOST_OF_THIN: f64 = 0.25;

fn extents(table: &ColliderTable, rows: [u32; 2]) -> f64 {
    rows.iter().map(|&row| f64::from(table.shape(row).extent())).sum()
}

fn are_solid(table: &ColliderTable, rows: [u32; 2]) -> bool {
    rows.iter().all(|&row| !table.row(row).is_sensor)
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
