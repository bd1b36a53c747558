//! Pushes solids apart.

use bevy::math::DVec2;
use bevy::platform::time::Instant;
use bevy::prelude::*;

use crate::collider_table::ColliderTable;
use crate::collision_grid::CollisionGrid;
use crate::contacts::Contacts;
use crate::geometry::{PlacedShape, Separation, separation};
use crate::grid::UniformGrid;
use crate::plane_solver::{IMMOVABLE, Plane, PlaneSolver};
use crate::pushes::Pushes;
use crate::settings::CollisionSettings;
use crate::stats::CollisionStats;
use crate::world_pose::Ancestors;

/// Pairs are pushed until they overlap by this share of the allowed overlap. A little less than
/// all of it, so that rounding does not wake a resting pair; not much less, so that a pair that
/// is pressed together in each step stays where it is.
const REST_SHARE: f64 = 0.9;
/// The longest move of a body in one pass, as a multiple of the deepest overlap. Out of a corner of
/// 30 degrees it takes a move of 3.9 times the depth in each wall.
const LONGEST_MOVE: f64 = 4.0;
/// How well the planes of a pass are solved, as a share of its deepest overlap or of the allowed
/// overlap, whichever is larger: the next pass starts from exact contacts again.
const SOLVER_SHARE: f64 = 0.02;

/// Moves overlapping solids apart by the smallest moves that part them.
///
/// 1. If no pair of solids overlaps by more than is allowed, nothing happens.
/// 2. Each pass lists the solids that can move, and every pair of solids near enough to matter in
///    this pass, with its separation computed anew. Pairs that are apart take part too, so that
///    nothing is pushed into a thing it did not overlap.
/// 3. All moves are solved from the same poses and then made at once.
/// 4. When a pass finds nothing more to do, or the passes are used up, the moves are written to
///    the transforms.
pub(super) fn push_apart(
    mut table: ResMut<ColliderTable>,
    mut grid: ResMut<CollisionGrid>,
    mut pushes: ResMut<Pushes>,
    mut stats: ResMut<CollisionStats>,
    contacts: Res<Contacts>,
    settings: Res<CollisionSettings>,
    mut transforms: ParamSet<(Ancestors, Query<&mut Transform>)>,
    mut workspace: Local<Workspace>,
) {
    let start = Instant::now();
    pushes.clear();
    let limits = Limits::new(settings.resolution.allowed_overlap);
    if settings.resolution.enabled {
        let deepest = contacts
            .iter()
            .filter(|pair| are_pushed(&table, pair.rows))
            .filter(|pair| {
                let [a, b] = pair.rows.map(|row| &table.shapes[row as usize]);
                f64::from(pair.contact.depth) > limits.allowed(a, b)
            })
            .map(|pair| f64::from(pair.contact.depth))
            .fold(0.0, f64::max);
        if deepest > 0.0 {
            workspace.start(&table);
            let mut deepest = deepest;
            for _ in 0..settings.resolution.passes {
                match workspace.pass(&mut table, &grid.statics, &limits, deepest) {
                    Some(found) => deepest = found,
                    None => break,
                }
            }
            let moved = workspace.report(&table, &mut pushes);
            grid.moved_since = moved;
            write_transforms(&pushes, &mut transforms, &mut workspace.local_pushes);
        }
    }
    stats.times.resolve = start.elapsed();
}

/// Whether both are solids and at least one of them can move.
fn are_pushed(table: &ColliderTable, rows: [u32; 2]) -> bool {
    let [a, b] = rows.map(|row| table.roles[row as usize].inverse_mass);
    matches!((a, b), (Some(a), Some(b)) if a > 0.0 || b > 0.0)
}

/// Writes the pushes into the transforms, each in the space of its parent.
fn write_transforms(
    pushes: &Pushes,
    transforms: &mut ParamSet<(Ancestors, Query<&mut Transform>)>,
    local_pushes: &mut Vec<(Entity, Vec2)>,
) {
    let ancestors = transforms.p0();
    local_pushes.clear();
    local_pushes.extend(pushes.iter().map(|push| {
        let parent = ancestors.parent_pose(push.entity).matrix2;
        (push.entity, parent.inverse() * push.translation)
    }));
    let mut transforms = transforms.p1();
    for &(entity, push) in local_pushes.iter() {
        if let Ok(mut transform) = transforms.get_mut(entity)
            && push.is_finite()
        {
            transform.translation += push.extend(0.0);
        }
    }
}

/// How deep pairs may overlap.
struct Limits {
    allowed_overlap: f64,
}

impl Limits {
    fn new(allowed_overlap: f32) -> Self {
        let is_sound = allowed_overlap.is_finite() && allowed_overlap > 0.0;
        Self { allowed_overlap: if is_sound { f64::from(allowed_overlap) } else { 0.0 } }
    }

    /// The setting, but not less than what the coordinates of the pair can resolve.
    fn allowed(&self, a: &PlacedShape, b: &PlacedShape) -> f64 {
        let size = |shape: &PlacedShape| shape.origin().abs().max_element() + shape.extent();
        let resolution = 4.0 * f64::from(f32::EPSILON) * f64::from(size(a).max(size(b)));
        self.allowed_overlap.max(resolution)
    }
}

/// A solid that can move.
#[derive(Clone, Copy, Debug)]
struct Body {
    row: u32,
    pushed: DVec2,
}

/// What the passes of a step work with; kept for its buffers.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    bodies: Vec<Body>,
    inverse_masses: Vec<f64>,
    /// For each row of the table its body, or [`IMMOVABLE`].
    body_of_row: Vec<u32>,
    near: UniformGrid,
    fixed: Vec<Fixed>,
    planes: Vec<Plane>,
    solver: PlaneSolver,
    /// Body and normal, towards it, of each plane that pushed.
    normals: Vec<(u32, Vec2)>,
    local_pushes: Vec<(Entity, Vec2)>,
}

/// A body near something immovable, as at the start of the pass.
#[derive(Clone, Copy, Debug)]
struct Fixed {
    body: u32,
    row: u32,
    separation: Separation,
}

impl Workspace {
    fn start(&mut self, table: &ColliderTable) {
        self.bodies.clear();
        self.inverse_masses.clear();
        self.normals.clear();
        self.body_of_row.clear();
        self.body_of_row.resize(table.len(), IMMOVABLE);
        for row in table.active() {
            if let Some(inverse_mass) =
                table.roles[row].inverse_mass.filter(|&inverse| inverse > 0.0)
            {
                self.body_of_row[row] = self.bodies.len() as u32;
                self.bodies.push(Body { row: row as u32, pushed: DVec2::ZERO });
                self.inverse_masses.push(f64::from(inverse_mass));
            }
        }
    }

    /// One pass. `depth` is how deep the deepest pair was a pass ago, and with it the measure of
    /// how far things move now. Answers how deep the deepest pair was at the start of this pass,
    /// or none if no pair was too deep.
    fn pass(
        &mut self,
        table: &mut ColliderTable,
        statics: &UniformGrid,
        limits: &Limits,
        depth: f64,
    ) -> Option<f64> {
        // No body moves so far that it could meet something immovable that is not among the planes.
        // Movers farther apart than two such depths are left to the next pass: planes between all
        // of them would cost more than they help.
        let longest = LONGEST_MOVE * depth;
        self.planes.clear();
        let deepest = self
            .plan_movers(table, limits, 2.0 * depth)
            .max(self.plan_fixed(table, statics, limits, longest));
        if deepest <= 0.0 {
            return None;
        }
        let moves = self.solver.solve(
            &self.inverse_masses,
            &self.planes,
            longest,
            SOLVER_SHARE * limits.allowed_overlap.max(deepest),
        );
        for (body, &step) in self.bodies.iter_mut().zip(moves) {
            if step != DVec2::ZERO {
                let before = table.shapes[body.row as usize].origin();
                table.translate(body.row as usize, step.as_vec2());
                // What arrived, after rounding.
                let after = table.shapes[body.row as usize].origin();
                body.pushed += after.as_dvec2() - before.as_dvec2();
            }
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
        Some(deepest)
    }

    /// Adds the planes between bodies. Answers how deep the deepest pair is that is too deep.
    fn plan_movers(&mut self, table: &ColliderTable, limits: &Limits, margin: f64) -> f64 {
        let half = (0.5 * margin) as f32;
        let items = self.bodies.iter().enumerate();
        self.near.build(
            items.map(|(i, body)| {
                let mut bounds = table.bounds[body.row as usize];
                bounds.min -= half;
                bounds.max += half;
                (i as u32, bounds)
            }),
            None,
        );
        let mut deepest = 0.0_f64;
        let (bodies, planes) = (&self.bodies, &mut self.planes);
        self.near.visit_pairs(0..self.near.cell_count(), |a, b| {
            let rows = [a, b].map(|body| bodies[body as usize].row as usize);
            if !table.roles[rows[0]].pairs_with(&table.roles[rows[1]]) {
                return;
            }
            let shapes = rows.map(|row| &table.shapes[row]);
            let separation = separation(shapes[0], shapes[1]);
            let distance = f64::from(separation.distance);
            if distance <= margin {
                let allowed = limits.allowed(shapes[0], shapes[1]);
                deepest = deepest.max(if -distance > allowed { -distance } else { 0.0 });
                planes.push(Plane {
                    a,
                    b,
                    normal: separation.normal.as_dvec2(),
                    required: required(distance, allowed),
                    guess: 0.0,
                    point: separation.point_a.midpoint(separation.point_b),
                });
            }
        });
        deepest
    }

    /// Adds the planes between bodies and what is immovable.
    fn plan_fixed(
        &mut self,
        table: &mut ColliderTable,
        statics: &UniformGrid,
        limits: &Limits,
        margin: f64,
    ) -> f64 {
        self.fixed.clear();
        let fixed = &mut self.fixed;
        for (i, body) in self.bodies.iter().enumerate() {
            let row = body.row as usize;
            let mut bounds = table.bounds[row];
            bounds.min -= margin as f32;
            bounds.max += margin as f32;
            let mut consider = |other: u32| {
                let role = &table.roles[other as usize];
                if role.inverse_mass == Some(0.0) && table.roles[row].pairs_with(role) {
                    let separation = separation(&table.shapes[other as usize], &table.shapes[row]);
                    if f64::from(separation.distance) <= margin {
                        fixed.push(Fixed { body: i as u32, row: other, separation });
                    }
                }
            };
            statics.visit_box(bounds, &mut consider);
        }
        self.fixed.extend(immovable_movers(table, &self.bodies, margin));
        // DETERMINISM: the deepest first, then by geometry; never by row.
        self.fixed.sort_unstable_by(|p, q| {
            let (s, t) = (&p.separation, &q.separation);
            p.body
                .cmp(&q.body)
                .then(s.distance.total_cmp(&t.distance))
                .then(s.normal.x.total_cmp(&t.normal.x))
                .then(s.normal.y.total_cmp(&t.normal.y))
                .then(s.point_a.x.total_cmp(&t.point_a.x))
                .then(s.point_a.y.total_cmp(&t.point_a.y))
        });
        let mut deepest = 0.0_f64;
        for group in self.fixed.chunk_by(|p, q| p.body == q.body) {
            let row = self.bodies[group[0].body as usize].row as usize;
            // Out of the table for as long as it is tried at other places.
            let nothing = PlacedShape::point(Vec2::ZERO);
            let mut shape = core::mem::replace(&mut table.shapes[row], nothing);
            let depth =
                plan_fixed_of_body(&mut shape, &table.shapes, group, limits, &mut self.planes);
            table.shapes[row] = shape;
            deepest = deepest.max(depth);
        }
        deepest
    }

    /// Writes what the passes did. Answers the longest push.
    fn report(&mut self, table: &ColliderTable, pushes: &mut Pushes) -> f32 {
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
                longest = longest.max(body.pushed.length());
                let entity = table.entities[body.row as usize];
                pushes.add(entity, body.pushed.as_vec2(), own.iter().map(|(_, normal)| *normal));
            }
        }
        pushes.sort();
        (longest as f32).next_up()
    }
}

/// Solids of infinite mass that are not marked static lie in the grid of the movers, and are few:
/// each is compared with every body.
fn immovable_movers<'t>(
    table: &'t ColliderTable,
    bodies: &'t [Body],
    margin: f64,
) -> impl Iterator<Item = Fixed> + use<'t> {
    let immovable = table.active().filter(|&row| {
        let role = &table.roles[row];
        !role.is_static && role.inverse_mass == Some(0.0)
    });
    immovable.flat_map(move |row| {
        bodies.iter().enumerate().filter_map(move |(i, body)| {
            let other = body.row as usize;
            if !table.roles[row].pairs_with(&table.roles[other]) {
                return None;
            }
            let separation = separation(&table.shapes[row], &table.shapes[other]);
            let is_near = f64::from(separation.distance) <= margin;
            is_near.then_some(Fixed { body: i as u32, row: row as u32, separation })
        })
    })
}

/// Adds the planes of one body and everything immovable near it, the deepest first.
///
/// A plane counts only if the body still overlaps once it has obeyed the deeper ones. On a row of
/// tiles the floor under most of the box pushes it up; the tile that one of its corners has just
/// entered from the side is then out of the way, and must not stop it.
fn plan_fixed_of_body(
    shape: &mut PlacedShape,
    walls: &[PlacedShape],
    group: &[Fixed],
    limits: &Limits,
    planes: &mut Vec<Plane>,
) -> f64 {
    let origin = shape.origin();
    let mut push = DVec2::ZERO;
    let mut deepest = 0.0_f64;
    for fixed in group {
        let wall = &walls[fixed.row as usize];
        let allowed = limits.allowed(wall, shape);
        let depth = -f64::from(fixed.separation.distance);
        deepest = deepest.max(if depth > allowed { depth } else { 0.0 });
        let now = if push == DVec2::ZERO { fixed.separation } else { separation(wall, shape) };
        let normal = now.normal.as_dvec2();
        let needed = required(f64::from(now.distance), allowed);
        planes.push(Plane {
            a: IMMOVABLE,
            b: fixed.body,
            normal,
            required: needed + normal.dot(push),
            guess: needed.max(0.0),
            point: now.point_a,
        });
        if needed > 0.0 {
            push += normal * needed;
            shape.move_to(origin + push.as_vec2());
        }
    }
    shape.move_to(origin);
    deepest
}

/// How far a pair has to part: to the resting overlap if it is too deep. Otherwise it may approach
/// until it overlaps by what is allowed.
fn required(distance: f64, allowed: f64) -> f64 {
    if -distance > allowed {
        -distance - REST_SHARE * allowed
    } else {
        (-distance - allowed).min(0.0)
    }
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
