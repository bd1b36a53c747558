//! What fast movers meet between two steps, and where solids among them stop.

use bevy::math::DVec2;
use bevy::prelude::*;

use crate::candidate_pairs::CandidatePairs;
use crate::collider_table::ColliderTable;
use crate::contacts::Contacts;
use crate::geometry::{
    Contact, ContactStatus, FirstTouch, Relation, SweptPair, Touch, slide_all, sweep_between,
    way_into,
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
    if is_stopping {
        sweeps.slide_along_walls(&table);
    }
    let met = sweeps.first_impacts(&table, is_stopping.then(|| allowed_overlap(&settings)));
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
    fn slide_along_walls(&mut self, table: &ColliderTable) {
        for sweep in &self.list {
            let Some(first) = self.start_of(sweep) else { continue };
            for (row, other, normal) in sides(sweep.rows, first.normal) {
                let is_into = self.motions[row as usize].dot(normal) < 0.0;
                if is_into && can_stop(table, row) && is_wall(table, other) {
                    self.normals.push((row, normal.as_vec2()));
                }
            }
        }
        self.normals.sort_by_key(|&(row, _)| row);
        let mut is_turned = vec![false; self.motions.len()];
        for group in self.normals.chunk_by(|a, b| a.0 == b.0) {
            let row = group[0].0 as usize;
            let normals: Vec<Vec2> = group.iter().map(|&(_, normal)| normal).collect();
            self.motions[row] = slide_all(self.motions[row].as_vec2(), &normals).as_dvec2();
            is_turned[row] = true;
        }
        for sweep in &mut self.list {
            if sweep.rows.iter().any(|&row| is_turned[row as usize]) {
                sweep.swept = sweep_rows(table, &self.motions, sweep.rows, &self.touch);
            }
        }
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
        let mut order: Vec<(f64, usize)> = (0..self.list.len())
            .filter(|&i| self.list[i].swept.start == Relation::Separated)
            .filter_map(|i| Some((self.list[i].swept.first?.time, i)))
            .collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut met = Vec::new();
        for (time, i) in order {
            let rows = self.list[i].rows;
            let Some(first) = self.list[i].swept.first else { continue };
            if rows.iter().any(|&row| self.parts[row as usize] < time) {
                continue;
            }
            let is_solid = |row: u32| table.roles[row as usize].inverse_mass.is_some();
            let Some(allowed) = allowed_overlap.filter(|_| rows.iter().all(|&row| is_solid(row)))
            else {
                met.push(self.impact(table, rows, &first, false));
                continue;
            };
            // What rests on a row of tiles overlaps all of them by a little, and would meet the side
            // of the next one. It passes over what is in its way by no more than that.
            let (into, normal) = self.way_into(table, rows);
            if -into <= self.depth_at_rest(table, rows, 2.0 * allowed) {
                met.push(self.impact(table, rows, &FirstTouch { normal, ..first }, false));
                continue;
            }
            met.push(self.impact(table, rows, &first, false));
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

    /// How deep two solids lie in each other where one stops at the other.
    fn depth_at_rest(&self, table: &ColliderTable, rows: [u32; 2], allowed: f64) -> f64 {
        let [a, b] = rows.map(|row| f64::from(table.shapes[row as usize].extent()));
        (0.5 * allowed).max(1.25 * self.touch.tolerance(a + b))
    }

    fn way_into(&self, table: &ColliderTable, rows: [u32; 2]) -> (f64, DVec2) {
        let [a, b] = rows.map(|row| row as usize);
        let offset = start_of(table, b) - start_of(table, a);
        let way = self.motions[b] - self.motions[a];
        way_into(&table.shapes[a], &table.shapes[b], offset, way)
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
    let [a, b] = rows.map(|row| row as usize);
    let offset = start_of(table, b) - start_of(table, a);
    sweep_between(&table.shapes[a], &table.shapes[b], offset, motions[b] - motions[a], touch)
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
