//! The smallest moves that satisfy all contact planes at once.
//!
//! Each contact is a plane: along its normal the two bodies have to part by at least so much (or
//! may approach by at most so much). Wanted are the moves with the least sum of
//! `mass * length²` that satisfy every plane. Adding up the pushes of the contacts would move a
//! box on the seam of two tiles twice; here the second plane finds itself satisfied.
//!
//! Method: projected Jacobi iteration on the dual problem, each body's mass split among its active
//! planes (Tonge, Benevolenski and Voroshilov, *Mass Splitting for Jitter-Free Parallel Rigid Body
//! Simulation*, 2012). Every plane is solved from the same state and all are applied at once, so
//! the order of bodies does not matter. Where no moves satisfy all planes, the error is spread
//! evenly, except that planes of immovable bodies are satisfied last and win.
//!
//! Bodies that planes connect are an island, and each island is solved on its own: most are a pair, and
//! are done in one iteration. So what happens elsewhere changes nothing here, not even a rounding.

mod islands;

use core::cmp::Ordering;

use bevy::math::{DVec2, Vec2};

use crate::geometry::{HalfPlane, nearest_in_half_planes};
use islands::{Island, Islands};

/// In place of a body that does not move.
pub(crate) const IMMOVABLE: u32 = u32::MAX;

/// One condition on the moves of two bodies: `normal.dot(move_b - move_a) >= required`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane {
    /// Body, or [`IMMOVABLE`].
    pub(crate) a: u32,
    /// Body; never immovable.
    pub(crate) b: u32,
    /// Unit vector from A to B.
    pub(crate) normal: DVec2,
    /// World units; negative if the bodies may still approach.
    pub(crate) required: f64,
    /// A first guess of how far B is pushed along the normal, in world units. Nearly parallel
    /// planes converge slowly from a bad one.
    pub(crate) guess: f64,
    /// Where the contact is. Only puts planes that are otherwise equal in an order.
    pub(crate) point: Vec2,
}

/// Solves sets of planes; keeps its buffers.
#[derive(Debug, Default)]
pub(crate) struct PlaneSolver {
    moves: Vec<DVec2>,
    /// How hard each plane pushes, never negative.
    pressures: Vec<f64>,
    steps: Vec<f64>,
    /// How many planes act on each body in this iteration.
    active: Vec<u32>,
    /// For each body the planes that act on it: `links[first[body]..first[body + 1]]`.
    first: Vec<u32>,
    links: Vec<Link>,
    islands: Islands,
}

/// A plane as one of its bodies sees it.
#[derive(Clone, Copy, Debug)]
struct Link {
    plane: u32,
    /// Towards the body.
    normal: DVec2,
    is_fixed: bool,
}

/// How well a plane is solved, as a share of the longest move of its bodies: the next pass starts from
/// exact contacts again.
const TOLERANCE: f64 = 0.005;
/// Enough for a chain of a few bodies; the next pass goes on where this one ends.
const MOST_ITERATIONS: usize = 60;

impl PlaneSolver {
    /// The move of each body, none longer than its entry of `longest`, which also is the measure of
    /// how well its planes are solved.
    pub(crate) fn solve(
        &mut self,
        inverse_masses: &[f64],
        planes: &[Plane],
        longest: &[f64],
    ) -> &[DVec2] {
        self.link(inverse_masses.len(), planes);
        self.pressures.clear();
        self.pressures
            .extend(planes.iter().map(|plane| plane.guess / inverse_masses[plane.b as usize]));
        self.moves.clear();
        self.moves.resize(inverse_masses.len(), DVec2::ZERO);
        self.steps.clear();
        self.steps.resize(planes.len(), 0.0);
        self.active.clear();
        self.active.resize(inverse_masses.len(), 0);
        let mut islands = core::mem::take(&mut self.islands);
        islands.find(inverse_masses.len(), planes);
        for island in islands.iter() {
            self.press(island, inverse_masses);
            for _ in 0..MOST_ITERATIONS {
                if !self.iterate(island, inverse_masses, planes, longest) {
                    break;
                }
            }
        }
        self.islands = islands;
        self.satisfy_fixed(planes, longest);
        for (step, &longest) in self.moves.iter_mut().zip(longest) {
            *step = step.clamp_length_max(longest);
        }
        &self.moves
    }

    /// Whether a plane pushed in the last solution.
    pub(crate) fn is_pushing(&self, plane: usize) -> bool {
        self.pressures[plane] > 0.0
    }

    /// Lists the planes of each body, in an order made by geometry alone.
    fn link(&mut self, bodies: usize, planes: &[Plane]) {
        self.first.clear();
        self.first.resize(bodies + 1, 0);
        let sides =
            |plane: &Plane| [plane.a, plane.b].into_iter().filter(|&body| body != IMMOVABLE);
        for body in planes.iter().flat_map(sides) {
            self.first[body as usize + 1] += 1;
        }
        for body in 0..bodies {
            self.first[body + 1] += self.first[body];
        }
        let nowhere = Link { plane: 0, normal: DVec2::ZERO, is_fixed: false };
        self.links.clear();
        self.links.resize(self.first[bodies] as usize, nowhere);
        self.active.clear();
        self.active.extend_from_slice(&self.first[..bodies]);
        for (i, plane) in planes.iter().enumerate() {
            for body in sides(plane) {
                let next = &mut self.active[body as usize];
                let normal = if body == plane.b { plane.normal } else { -plane.normal };
                let is_fixed = plane.a == IMMOVABLE;
                self.links[*next as usize] = Link { plane: i as u32, normal, is_fixed };
                *next += 1;
            }
        }
        // DETERMINISM: sums of rounded numbers depend on their order. This order does not depend
        // on entities, rows or threads.
        for body in 0..bodies {
            self.links[self.first[body] as usize..self.first[body + 1] as usize].sort_unstable_by(
                |p, q| {
                    let (plane_p, plane_q) = (&planes[p.plane as usize], &planes[q.plane as usize]);
                    plane_q
                        .required
                        .total_cmp(&plane_p.required)
                        .then_with(|| by_coordinates(p.normal, q.normal))
                        .then_with(|| {
                            by_coordinates(plane_p.point.as_dvec2(), plane_q.point.as_dvec2())
                        })
                },
            );
        }
    }

    /// One iteration; false when nothing was left to do.
    fn iterate(
        &mut self,
        island: Island,
        inverse_masses: &[f64],
        planes: &[Plane],
        longest: &[f64],
    ) -> bool {
        // 1. What each plane still lacks, from the moves so far.
        let mut is_solved = true;
        let longest_of = |body: u32| if body == IMMOVABLE { 0.0 } else { longest[body as usize] };
        for &body in island.bodies {
            self.active[body as usize] = 0;
        }
        for &i in island.planes {
            let plane = &planes[i as usize];
            let lacking =
                plane.required - plane.normal.dot(self.move_of(plane.b) - self.move_of(plane.a));
            let is_active = lacking > 0.0 || self.pressures[i as usize] > 0.0;
            if is_active {
                let scale = longest_of(plane.a).max(longest_of(plane.b));
                is_solved &= lacking.abs() <= TOLERANCE * scale;
                for body in [plane.a, plane.b] {
                    if body != IMMOVABLE {
                        self.active[body as usize] += 1;
                    }
                }
            }
            self.steps[i as usize] = if is_active { lacking } else { 0.0 };
        }
        if is_solved {
            return false;
        }
        // 2. All pressures at once, each plane having its share of the bodies' masses, and the
        //    moves that they make.
        for i in island.planes.iter().map(|&i| i as usize) {
            if self.steps[i] != 0.0 {
                let give = |body: u32| {
                    if body == IMMOVABLE {
                        0.0
                    } else {
                        inverse_masses[body as usize] * f64::from(self.active[body as usize])
                    }
                };
                let step = self.steps[i] / (give(planes[i].a) + give(planes[i].b));
                self.pressures[i] = (self.pressures[i] + step).max(0.0);
            }
        }
        self.press(island, inverse_masses);
        true
    }

    /// The moves that the pressures make.
    fn press(&mut self, island: Island, inverse_masses: &[f64]) {
        for body in island.bodies.iter().map(|&body| body as usize) {
            let sum: DVec2 = self
                .links_of(body)
                .iter()
                .map(|link| link.normal * self.pressures[link.plane as usize])
                .fold(DVec2::ZERO, |sum, push| sum + push);
            self.moves[body] = sum * inverse_masses[body];
        }
    }

    /// Moves each body the rest of the way out of what is immovable, by the shortest way. A body
    /// squeezed between immovable things has none and stays as it is.
    fn satisfy_fixed(&mut self, planes: &[Plane], longest: &[f64]) {
        for (body, &longest) in longest.iter().enumerate() {
            let fixed = self.links_of(body).iter().filter(|link| link.is_fixed).map(|link| {
                HalfPlane { normal: link.normal, height: planes[link.plane as usize].required }
            });
            if let Some(step) = nearest_in_half_planes(self.moves[body], fixed, 1e-9 * longest) {
                self.moves[body] = step;
            }
        }
    }

    fn links_of(&self, body: usize) -> &[Link] {
        &self.links[self.first[body] as usize..self.first[body + 1] as usize]
    }

    fn move_of(&self, body: u32) -> DVec2 {
        if body == IMMOVABLE { DVec2::ZERO } else { self.moves[body as usize] }
    }
}

fn by_coordinates(p: DVec2, q: DVec2) -> Ordering {
    p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wall(normal: DVec2, required: f64) -> Plane {
        Plane { a: IMMOVABLE, b: 0, normal, required, guess: 0.0, point: Vec2::ZERO }
    }

    fn solve_one(planes: &[Plane]) -> DVec2 {
        PlaneSolver::default().solve(&[1.0], planes, &[1e-6 + 4.0])[0]
    }

    #[test]
    fn equal_planes_push_once() {
        let push = solve_one(&[wall(DVec2::Y, 2.0), wall(DVec2::Y, 2.0), wall(DVec2::Y, 2.0)]);
        assert!(push.distance(DVec2::new(0.0, 2.0)) < 1e-6, "{push}");
    }

    #[test]
    fn a_corner_satisfies_both_walls_with_the_smallest_move() {
        let push = solve_one(&[wall(DVec2::Y, 2.0), wall(DVec2::X, 1.0)]);
        assert!(push.distance(DVec2::new(1.0, 2.0)) < 1e-6, "{push}");
        // Walls of a corner of 30 degrees, both 1 deep: out along the bisector.
        let slope = DVec2::from_angle(150_f64.to_radians()).perp();
        let push = solve_one(&[wall(DVec2::Y, 1.0), wall(-slope, 1.0)]);
        let bisector = (DVec2::Y - slope).normalize();
        let expected = bisector / bisector.dot(DVec2::Y);
        assert!(push.distance(expected) < 1e-2 * expected.length(), "{push} {expected}");
    }

    #[test]
    fn a_plane_that_is_not_reached_does_not_push() {
        let push =
            solve_one(&[wall(DVec2::Y, 1.0), wall(DVec2::NEG_X, -0.5), wall(DVec2::NEG_Y, -5.0)]);
        assert!(push.distance(DVec2::new(0.0, 1.0)) < 1e-6, "{push}");
    }

    #[test]
    fn squeezed_between_walls_stays_in_the_middle() {
        let push = solve_one(&[wall(DVec2::Y, 2.0), wall(DVec2::NEG_Y, 2.0)]);
        assert!(push.length() < 2.0 + 1e-6, "{push}");
    }

    #[test]
    fn two_bodies_share_by_inverse_mass() {
        let plane =
            Plane { a: 0, b: 1, normal: DVec2::X, required: 4.0, guess: 0.0, point: Vec2::ZERO };
        let mut solver = PlaneSolver::default();
        let moves = solver.solve(&[1.0, 1.0 / 3.0], &[plane], &[8.0, 8.0]);
        assert!(moves[0].distance(DVec2::new(-3.0, 0.0)) < 1e-6, "{}", moves[0]);
        assert!(moves[1].distance(DVec2::new(1.0, 0.0)) < 1e-6, "{}", moves[1]);
    }

    #[test]
    fn a_push_into_a_wall_goes_the_other_way() {
        // Body 0 touches a wall on its left and overlaps body 1 by 2: body 1 does all the moving.
        let planes = [
            wall(DVec2::X, 0.0),
            Plane { a: 0, b: 1, normal: DVec2::X, required: 2.0, guess: 0.0, point: Vec2::ZERO },
        ];
        let mut solver = PlaneSolver::default();
        let moves = solver.solve(&[1.0, 1.0], &planes, &[8.0, 8.0]);
        assert!(moves[0].length() < 1e-4, "{}", moves[0]);
        assert!(moves[1].distance(DVec2::new(2.0, 0.0)) < 0.1, "{}", moves[1]);
    }

    #[test]
    fn an_island_is_solved_as_if_there_were_no_other() {
        // A row of bodies that takes many iterations, and a pair that takes one.
        let between = |a: u32, b: u32, required: f64| Plane {
            normal: DVec2::from_angle(f64::from(b) * 0.1),
            ..Plane { a, b, required, ..wall(DVec2::X, 0.0) }
        };
        let row: Vec<Plane> = (1..6).map(|b| between(b - 1, b, 1.0 / f64::from(b))).collect();
        let pair = [between(0, 1, 0.7)];
        let mut solver = PlaneSolver::default();
        let alone = [
            solver.solve(&[1.0; 6], &row, &[4.0; 6]).to_vec(),
            solver.solve(&[1.0; 2], &pair, &[4.0; 2]).to_vec(),
        ];
        // The pair as the bodies 6 and 8, and 7 without any plane.
        let both: Vec<Plane> = row.into_iter().chain([Plane { a: 6, b: 8, ..pair[0] }]).collect();
        let together = solver.solve(&[1.0; 9], &both, &[4.0; 9]);
        assert_eq!(together[..6], alone[0]);
        assert_eq!([together[6], together[8]], alone[1][..]);
        assert_eq!(together[7], DVec2::ZERO);
        assert!((alone[1][1] - alone[1][0]).dot(pair[0].normal) > 0.699);
    }
}
