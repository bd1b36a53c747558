//! Which planes hold solids apart in a pass of the push-out.

use bevy::math::DVec2;
use bevy::math::bounding::Aabb2d;
use bevy::prelude::*;

use super::walls::{Wall, Way, plan_walls};
use crate::collider_table::ColliderTable;
use crate::contacts::Contacts;
use crate::geometry::{PlacedShape, Separation, Touch, separation};
use crate::grid::{Boxes, CellChoice, Corners, PairBuffer, SettledGrid, UniformGrid};
use crate::impacts::Impacts;
use crate::plane_solver::{IMMOVABLE, Plane, PlaneSolver};
use crate::pushes::Pushes;
use crate::settings::CollisionSettings;

/// Pairs are pushed until they overlap by this share of the allowed overlap. A little less than
/// all of it, so that rounding does not wake a resting pair; not much less, so that a pair that
/// is pressed together in each step stays where it is.
pub(super) const REST_SHARE: f64 = 0.9;
/// The longest move of a body in one pass, as a multiple of the deepest overlap around it. Out of a
/// corner of 30 degrees it takes a move of 3.9 times the depth in each wall.
const LONGEST_MOVE: f64 = 4.0;
/// Moves below this share of the longest that a body may make are no progress: it is squeezed.
const STANDSTILL_SHARE: f64 = 2e-5;

/// How deep pairs may overlap.
pub(super) struct Limits {
    allowed_overlap: f64,
    touch: Touch,
}

impl Limits {
    pub(super) fn new(settings: &CollisionSettings) -> Self {
        let allowed_overlap = settings.resolution.allowed_overlap;
        let is_sound = allowed_overlap.is_finite() && allowed_overlap > 0.0;
        let allowed_overlap = if is_sound { f64::from(allowed_overlap) } else { 0.0 };
        Self { allowed_overlap, touch: settings.touch() }
    }

    /// The setting, but not less than what the coordinates of the pair can resolve, and enough for
    /// a resting pair to overlap by more than the tolerance: it then is a contact under either
    /// touching rule.
    pub(super) fn allowed(&self, a: &PlacedShape, b: &PlacedShape) -> f64 {
        let size = |shape: &PlacedShape| shape.origin().abs().max_element() + shape.extent();
        let resolution = 4.0 * f64::from(f32::EPSILON) * f64::from(size(a).max(size(b)));
        let tolerance = self.touch.tolerance(f64::from(a.extent()) + f64::from(b.extent()));
        self.allowed_overlap.max(resolution).max(1.25 * tolerance)
    }
}

/// How far a pair has to part: to the resting overlap if it is too deep. Otherwise it may approach
/// until it overlaps by what is allowed.
pub(super) fn required(distance: f64, allowed: f64) -> f64 {
    if -distance > allowed {
        -distance - REST_SHARE * allowed
    } else {
        (-distance - allowed).min(0.0)
    }
}

/// A solid that can move.
#[derive(Clone, Copy, Debug)]
struct Body {
    row: u32,
    /// How far it was moved in this step.
    pushed: DVec2,
    /// The part of it that stopped it on its way; the grid knows that way.
    stopped: DVec2,
    /// How far things around it may move in this pass: the depth of its deepest pair a pass ago, or
    /// its own last move. 0 for a body at rest.
    reach: f64,
    /// The depth of its deepest pair that is too deep, in this pass.
    depth: f64,
}

/// What the passes of a step work with; kept for its buffers.
///
/// Only what is near an overlap takes part. A body that is pushed into another wakes it for the
/// next pass.
#[derive(Debug, Default)]
pub(super) struct PushPlanner {
    bodies: Vec<Body>,
    inverse_masses: Vec<f64>,
    /// For each row of the table its body, or [`IMMOVABLE`].
    body_of_row: Vec<u32>,
    near: UniformGrid,
    /// Scratch for building the two.
    boxes: Boxes,
    /// Bodies that may meet in a pass.
    near_pairs: Vec<[u32; 2]>,
    /// Solids of infinite mass that are not marked static.
    immovable: UniformGrid,
    walls: Vec<Wall>,
    ways: Vec<Way>,
    planes: Vec<Plane>,
    longest: Vec<f64>,
    solver: PlaneSolver,
    /// Body and normal, towards it, of each plane that pushed.
    normals: Vec<(u32, Vec2)>,
}

impl PushPlanner {
    /// Lists the bodies of the step. False if there is nothing to do.
    pub(super) fn start(
        &mut self,
        table: &ColliderTable,
        contacts: &Contacts,
        impacts: &Impacts,
        limits: &Limits,
    ) -> bool {
        let too_deep = || {
            contacts.iter().filter_map(|pair| {
                let [a, b] = pair.rows;
                // The contact of an impact is that of before.
                let depth = if pair.time_of_impact.is_some() {
                    -f64::from(separation(table.shape(a), table.shape(b)).distance)
                } else {
                    f64::from(pair.contact.depth)
                };
                let is_too_deep = are_pushed(table, [a, b])
                    && depth > limits.allowed(table.shape(a), table.shape(b));
                is_too_deep.then_some(([a, b], depth))
            })
        };
        if too_deep().next().is_none() && impacts.stops().len() == 0 {
            return false;
        }
        self.bodies.clear();
        self.inverse_masses.clear();
        self.normals.clear();
        self.body_of_row.clear();
        self.body_of_row.resize(table.len(), IMMOVABLE);
        for row in table.active() {
            let movable = table.inverse_mass(row).filter(|&inverse| inverse > 0.0);
            if let Some(inverse_mass) = movable {
                self.body_of_row[row as usize] = self.bodies.len() as u32;
                self.bodies.push(Body {
                    row,
                    pushed: DVec2::ZERO,
                    stopped: DVec2::ZERO,
                    reach: 0.0,
                    depth: 0.0,
                });
                self.inverse_masses.push(f64::from(inverse_mass));
            }
        }
        // A swept solid that was stopped has been pushed back already.
        for (stop, normals) in impacts.stops_and_normals() {
            let index = self.body_of_row[stop.row as usize];
            if let Some(body) = self.bodies.get_mut(index as usize) {
                body.stopped = stop.translation.as_dvec2();
                body.pushed = body.stopped;
                self.normals.extend(normals.iter().map(|&normal| (index, normal)));
            }
        }
        for (rows, depth) in too_deep() {
            for row in rows {
                if let Some(body) = self.bodies.get_mut(self.body_of_row[row as usize] as usize) {
                    body.reach = body.reach.max(depth);
                }
            }
        }
        let immovable = table
            .active()
            .filter(|&row| !table.row(row).is_static() && table.inverse_mass(row) == Some(0.0));
        self.boxes.clear();
        for row in immovable {
            let place = row as usize;
            self.boxes.push(row, Corners::new(&table.bounds(place)), table.groups(place));
        }
        self.immovable.build(&self.boxes, CellChoice::Fitting);
        true
    }

    /// One pass. False if no pair was too deep, or nothing moved any more.
    pub(super) fn pass(
        &mut self,
        table: &mut ColliderTable,
        statics: &SettledGrid,
        limits: &Limits,
    ) -> bool {
        self.planes.clear();
        self.plan_movers(table, limits);
        self.limit_moves();
        self.plan_walls(table, statics, limits);
        if self.bodies.iter().all(|body| body.depth <= 0.0) {
            return false;
        }
        let moves = self.solver.solve(&self.inverse_masses, &self.planes, &self.longest);
        let mut has_moved = false;
        for ((body, &step), &longest) in self.bodies.iter_mut().zip(moves).zip(&self.longest) {
            body.reach = body.depth.max(step.length());
            body.depth = 0.0;
            if step.length() > STANDSTILL_SHARE * longest && step.is_finite() {
                let before = table.row(body.row).origin();
                table.translate(body.row as usize, step.as_vec2());
                // What arrived, after rounding.
                let after = table.row(body.row).origin();
                body.pushed += after.as_dvec2() - before.as_dvec2();
                has_moved |= after != before;
            }
        }
        if !has_moved {
            return false;
        }
        for (i, plane) in self.planes.iter().enumerate() {
            if self.solver.is_pushing(i) {
                let normal = plane.normal.as_vec2();
                self.normals.push((plane.b, normal));
                if plane.a != IMMOVABLE {
                    self.normals.push((plane.a, -normal));
                }
            }
        }
        true
    }

    /// Adds the planes between bodies that overlap or that one of them may reach.
    fn plan_movers(&mut self, table: &ColliderTable, limits: &Limits) {
        self.boxes.clear();
        for (item, body) in (0..).zip(&self.bodies) {
            let row = body.row as usize;
            let bounds = grow(table.bounds(row), body.reach);
            self.boxes.push(item, Corners::new(&bounds), table.groups(row));
        }
        self.near.build(&self.boxes, CellChoice::Fitting);
        self.near_pairs.clear();
        let mut pairs = PairBuffer::new(&mut self.near_pairs);
        self.near.visit_pairs(0..self.near.len(), &mut pairs);
        pairs.finish();
        let (bodies, planes) = (&mut self.bodies, &mut self.planes);
        for &[a, b] in &self.near_pairs {
            let rows = [a, b].map(|body| bodies[body as usize].row);
            let [a, b] = if goes_after(table, rows[0], rows[1]) { [b, a] } else { [a, b] };
            let shapes = [a, b].map(|body| table.shape(bodies[body as usize].row));
            let separation = separation(shapes[0], shapes[1]);
            let distance = f64::from(separation.distance);
            let allowed = limits.allowed(shapes[0], shapes[1]);
            if distance > bodies[a as usize].reach + bodies[b as usize].reach {
                continue;
            }
            if -distance > allowed {
                for body in [a, b] {
                    bodies[body as usize].depth = bodies[body as usize].depth.max(-distance);
                }
            }
            planes.push(Plane {
                a,
                b,
                normal: separation.normal.as_dvec2(),
                required: required(distance, allowed),
                guess: 0.0,
                point: separation.point_a.midpoint(separation.point_b),
            });
        }
    }

    /// How far each body may move in this pass: by its own overlaps and those of its neighbours.
    fn limit_moves(&mut self) {
        let own = |body: &Body| LONGEST_MOVE * body.reach.max(body.depth);
        self.longest.clear();
        self.longest.extend(self.bodies.iter().map(own));
        for plane in &self.planes {
            let [a, b] = [plane.a as usize, plane.b as usize];
            self.longest[a] = self.longest[a].max(own(&self.bodies[b]));
            self.longest[b] = self.longest[b].max(own(&self.bodies[a]));
        }
    }

    /// Adds the planes between the bodies that may move and everything immovable in their way.
    fn plan_walls(&mut self, table: &mut ColliderTable, statics: &SettledGrid, limits: &Limits) {
        self.walls.clear();
        let walls = &mut self.walls;
        for (i, (body, &longest)) in self.bodies.iter().zip(&self.longest).enumerate() {
            if longest <= 0.0 {
                continue;
            }
            let row = body.row;
            let mut consider = |other: u32| {
                // A body that may move is not static, so layers alone decide who meets.
                let meets = || table.row(row).layers.interacts_with(table.row(other).layers);
                if table.inverse_mass(other) == Some(0.0) && meets() {
                    let separation = separation(table.shape(other), table.shape(row));
                    if f64::from(separation.distance) <= longest {
                        walls.push(Wall { body: i as u32, row: other, separation });
                    }
                }
            };
            let bounds = grow(table.bounds(row as usize), longest);
            statics.visit_box(bounds, &mut consider);
            self.immovable.visit_box(bounds, &mut consider);
        }
        // DETERMINISM: the deepest first, then by geometry; never by row.
        self.walls.sort_unstable_by(|p, q| {
            p.body.cmp(&q.body).then_with(|| by_depth(&p.separation, &q.separation))
        });
        for group in self.walls.chunk_by(|p, q| p.body == q.body) {
            let body = &mut self.bodies[group[0].body as usize];
            let longest = self.longest[group[0].body as usize];
            // Out of the table for as long as it is tried at other places.
            let mut shape = table.take_shape(body.row);
            for wall in group {
                let depth = -f64::from(wall.separation.distance);
                if depth > limits.allowed(table.shape(wall.row), &shape) {
                    body.depth = body.depth.max(depth);
                }
            }
            plan_walls(
                &mut shape,
                table.shapes(),
                group,
                limits,
                longest,
                &mut self.planes,
                &mut self.ways,
            );
            table.put_back(body.row, shape);
        }
    }

    /// Writes what the passes did. Answers the longest push.
    pub(super) fn report(&mut self, table: &ColliderTable, pushes: &mut Pushes) -> f32 {
        let mut longest = 0.0_f64;
        self.normals.sort_unstable_by(|p, q| {
            p.0.cmp(&q.0).then(p.1.x.total_cmp(&q.1.x)).then(p.1.y.total_cmp(&q.1.y))
        });
        let mut normals = &self.normals[..];
        for (i, body) in self.bodies.iter().enumerate() {
            let count = normals.partition_point(|(owner, _)| *owner <= i as u32);
            let (own, rest) = normals.split_at(count);
            normals = rest;
            if body.pushed != DVec2::ZERO {
                longest = longest.max((body.pushed - body.stopped).length());
                let entity = table.row(body.row).entity;
                pushes.add(entity, body.pushed.as_vec2(), own.iter().map(|(_, normal)| *normal));
            }
        }
        pushes.sort();
        (longest as f32).next_up()
    }
}

/// Whether both are solids and at least one of them can move.
fn are_pushed(table: &ColliderTable, rows: [u32; 2]) -> bool {
    let [a, b] = rows.map(|row| table.inverse_mass(row));
    matches!((a, b), (Some(a), Some(b)) if a > 0.0 || b > 0.0)
}

/// Whether of two solids at the very same place the first goes after the second: the smaller
/// first, then the heavier. Their direction would otherwise depend on their rows.
fn goes_after(table: &ColliderTable, first: u32, second: u32) -> bool {
    let (a, b) = (table.shape(first), table.shape(second));
    let key = |shape: &PlacedShape, row: u32| (shape.extent(), table.inverse_mass(row));
    a.origin() == b.origin() && key(a, first) > key(b, second)
}

fn by_depth(s: &Separation, t: &Separation) -> core::cmp::Ordering {
    s.distance
        .total_cmp(&t.distance)
        .then(s.normal.x.total_cmp(&t.normal.x))
        .then(s.normal.y.total_cmp(&t.normal.y))
        .then(s.point_a.x.total_cmp(&t.point_a.x))
        .then(s.point_a.y.total_cmp(&t.point_a.y))
}

fn grow(bounds: Aabb2d, margin: f64) -> Aabb2d {
    let margin = margin as f32;
    Aabb2d { min: bounds.min - margin, max: bounds.max + margin }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_too_deep_may_stay() {
        for (distance, expected) in [(-0.005, -0.005), (2.0, -2.01), (-1.0, 0.991)] {
            let required = required(distance, 0.01);
            assert!((required - expected).abs() < 1e-12, "{distance}: {required}");
        }
    }
}
