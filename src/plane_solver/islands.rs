//! Which bodies and planes of a push-out belong together.

use super::{IMMOVABLE, Plane};

/// Which bodies, and which planes, belong together.
#[derive(Debug, Default)]
pub(super) struct Islands {
    /// For each body another one of its island, nearer to the one that stands for it, or itself.
    parents: Vec<u32>,
    /// Bodies and planes, island after island.
    bodies: Vec<u32>,
    planes: Vec<u32>,
    /// Where each island ends in the two lists.
    ends: Vec<[u32; 2]>,
    /// For each body its island, if it stands for one.
    numbers: Vec<u32>,
}

/// The bodies and planes of one island.
#[derive(Clone, Copy)]
pub(super) struct Island<'a> {
    pub(super) bodies: &'a [u32],
    pub(super) planes: &'a [u32],
}

impl Islands {
    /// Finds the islands. Bodies without a plane are in none.
    ///
    /// Method: union and find with path halving (Tarjan and van Leeuwen, 1984).
    pub(super) fn find(&mut self, bodies: usize, planes: &[Plane]) {
        let Self { parents, numbers, ends, .. } = self;
        parents.clear();
        parents.extend(0..bodies as u32);
        for plane in planes.iter().filter(|plane| plane.a != IMMOVABLE) {
            let (a, b) = (root(parents, plane.a), root(parents, plane.b));
            parents[a.max(b) as usize] = a.min(b);
        }
        // Counted, then filled: two lists sorted by island.
        numbers.clear();
        numbers.resize(bodies, NO_ISLAND);
        ends.clear();
        for plane in planes {
            let root = root(parents, plane.b) as usize;
            if numbers[root] == NO_ISLAND {
                numbers[root] = ends.len() as u32;
                ends.push([0, 0]);
            }
            ends[numbers[root] as usize][1] += 1;
        }
        for body in 0..bodies as u32 {
            let number = numbers[root(parents, body) as usize];
            if let Some(counts) = ends.get_mut(number as usize) {
                counts[0] += 1;
            }
        }
        let mut next = [0, 0];
        for counts in ends.iter_mut() {
            let start = next;
            next = [next[0] + counts[0], next[1] + counts[1]];
            *counts = start;
        }
        self.bodies.clear();
        self.bodies.resize(next[0] as usize, 0);
        self.planes.clear();
        self.planes.resize(next[1] as usize, 0);
        for body in 0..bodies as u32 {
            let number = numbers[root(parents, body) as usize];
            if let Some([end, _]) = ends.get_mut(number as usize) {
                self.bodies[*end as usize] = body;
                *end += 1;
            }
        }
        for (i, plane) in (0..).zip(planes) {
            let [_, end] = &mut ends[numbers[root(parents, plane.b) as usize] as usize];
            self.planes[*end as usize] = i;
            *end += 1;
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Island<'_>> {
        let starts = [[0, 0]].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| Island {
            bodies: &self.bodies[start[0] as usize..end[0] as usize],
            planes: &self.planes[start[1] as usize..end[1] as usize],
        })
    }
}

const NO_ISLAND: u32 = u32::MAX;

/// The body that stands for the island of a body.
fn root(parents: &mut [u32], mut body: u32) -> u32 {
    while parents[body as usize] != body {
        let above = parents[parents[body as usize] as usize];
        parents[body as usize] = above;
        body = above;
    }
    body
}
