//! The way of one body out of everything immovable around it.

use core::cmp::Ordering;
use core::ops::ControlFlow;

use bevy::math::DVec2;
use bevy::prelude::*;

use super::push_planner::{Limits, REST_SHARE, required};
use crate::geometry::{PlacedShape, SeparatingAxis, Separation, separation, visit_axes};
use crate::plane_solver::{IMMOVABLE, Plane};

/// Something immovable near a body, as at the start of the pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wall {
    pub(super) body: u32,
    pub(super) row: u32,
    pub(super) separation: Separation,
}

/// A straight way out of one wall.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    normal: DVec2,
    length: f64,
    /// Which wall of the group.
    wall: usize,
}

/// The most ways to try. Shorter ones come first, and a body that finds no way among these is in
/// so deep that any is as good as another.
const MOST_WAYS: usize = 32;

/// Adds the planes of one body and the walls near it, given the deepest first.
///
/// The shortest way out of each wall by itself is not the way out of all: on a row of tiles the box
/// that has sunk in deep would be sent sideways, from one tile into the next. So the body is tried
/// at the place to which the planes lead, against all walls; and if it overlaps one there, or if
/// there is a shorter way, along every axis of the walls it is in.
pub(super) fn plan_walls(
    shape: &mut PlacedShape,
    shapes: &[PlacedShape],
    group: &[Wall],
    limits: &Limits,
    longest: f64,
    planes: &mut Vec<Plane>,
    ways: &mut Vec<Way>,
) {
    let origin = shape.origin();
    let first = planes.len();
    let push = plan_deepest_first(shape, shapes, group, limits, planes);
    if push != DVec2::ZERO && group.len() > 1 {
        let is_free = |shape: &PlacedShape| {
            group.iter().all(|wall| {
                let wall = &shapes[wall.row as usize];
                f64::from(separation(wall, shape).distance) >= -limits.allowed(wall, shape)
            })
        };
        shape.move_to(origin + push.as_vec2());
        let shortest = if is_free(shape) { push.length() } else { longest };
        shape.move_to(origin);
        list_ways(shape, shapes, group, limits, shortest, ways);
        let way = ways.iter().take(MOST_WAYS).find(|way| {
            shape.move_to(origin + (way.normal * way.length).as_vec2());
            is_free(shape)
        });
        if let Some(way) = way {
            planes.truncate(first);
            plan_way(shape, shapes, group, limits, way, planes);
        }
        shape.move_to(origin);
    }
}

/// Each plane counts only if the body still overlaps once it has obeyed the deeper ones: a tile that
/// a corner has just entered from the side is out of the way when the floor has pushed the box up,
/// and must not stop it. Answers where the planes lead.
fn plan_deepest_first(
    shape: &mut PlacedShape,
    shapes: &[PlacedShape],
    group: &[Wall],
    limits: &Limits,
    planes: &mut Vec<Plane>,
) -> DVec2 {
    let origin = shape.origin();
    let mut push = DVec2::ZERO;
    for wall in group {
        let placed = &shapes[wall.row as usize];
        let now = if push == DVec2::ZERO { wall.separation } else { separation(placed, shape) };
        let plane = plane(wall.body, &now, limits.allowed(placed, shape), push);
        planes.push(plane);
        if plane.guess > 0.0 {
            push += plane.normal * plane.guess;
            shape.move_to(origin + push.as_vec2());
        }
    }
    shape.move_to(origin);
    push
}

/// The planes of a body that takes this way: that of the way itself, and those of the other walls as
/// they are at its end, where `shape` stands.
fn plan_way(
    shape: &PlacedShape,
    shapes: &[PlacedShape],
    group: &[Wall],
    limits: &Limits,
    way: &Way,
    planes: &mut Vec<Plane>,
) {
    let push = way.normal * way.length;
    for (i, wall) in group.iter().enumerate() {
        if i == way.wall {
            planes.push(Plane {
                a: IMMOVABLE,
                b: wall.body,
                normal: way.normal,
                required: way.length,
                guess: way.length,
                point: wall.separation.point_a,
            });
        } else {
            let placed = &shapes[wall.row as usize];
            let now = separation(placed, shape);
            planes.push(plane(wall.body, &now, limits.allowed(placed, shape), push));
        }
    }
}

/// The plane of a wall for a body that has already moved by `push`.
fn plane(body: u32, now: &Separation, allowed: f64, push: DVec2) -> Plane {
    let normal = now.normal.as_dvec2();
    let needed = required(f64::from(now.distance), allowed);
    Plane {
        a: IMMOVABLE,
        b: body,
        normal,
        required: needed + normal.dot(push),
        guess: needed.max(0.0),
        point: now.point_a,
    }
}

/// Lists the ways out of each wall that the body is in too deep, the shortest first.
fn list_ways(
    shape: &PlacedShape,
    shapes: &[PlacedShape],
    group: &[Wall],
    limits: &Limits,
    shortest: f64,
    ways: &mut Vec<Way>,
) {
    ways.clear();
    for (wall, near) in group.iter().enumerate() {
        let placed = &shapes[near.row as usize];
        let allowed = limits.allowed(placed, shape);
        if -f64::from(near.separation.distance) <= allowed {
            continue;
        }
        visit_axes(placed, shape, &mut |axis: &SeparatingAxis<'_>| {
            let length = required(axis.gap(), allowed);
            // Shorter by more than a resting pair may be deeper than it is pushed to: of two about
            // equal ways, as on the seam of two tiles, that would prefer the one aside.
            if length > 0.0 && length < shortest - (1.0 - REST_SHARE) * allowed {
                ways.push(Way { normal: axis.normal().as_dvec2(), length, wall });
            }
            ControlFlow::Continue(())
        });
    }
    // DETERMINISM: by geometry. The walls themselves are in such an order.
    ways.sort_unstable_by(by_length);
}

fn by_length(p: &Way, q: &Way) -> Ordering {
    p.length
        .total_cmp(&q.length)
        .then(p.normal.x.total_cmp(&q.normal.x))
        .then(p.normal.y.total_cmp(&q.normal.y))
        .then(p.wall.cmp(&q.wall))
}
