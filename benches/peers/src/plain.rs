//! Shapes and the yes-or-no test for the contestants that are no engine.

use bevy::prelude::*;

use crate::scenes::{Outline, Scene};

const MOST_CORNERS: usize = 8;

/// A shape around its own origin, without a heap.
#[derive(Component, Clone, Copy)]
pub struct Form {
    /// Radius of a circle; a shape with corners has none.
    radius: f32,
    count: u32,
    corners: [Vec2; MOST_CORNERS],
    min: Vec2,
    max: Vec2,
}

impl Form {
    pub fn new(outline: Outline) -> Self {
        if let Outline::Circle { radius } = outline {
            let (min, max) = (Vec2::splat(-radius), Vec2::splat(radius));
            return Self { radius, count: 0, corners: [Vec2::ZERO; MOST_CORNERS], min, max };
        }
        let mut form = Self {
            radius: 0.0,
            count: 0,
            corners: [Vec2::ZERO; MOST_CORNERS],
            min: Vec2::INFINITY,
            max: Vec2::NEG_INFINITY,
        };
        for corner in outline.corners() {
            form.corners[form.count as usize] = corner;
            form.count += 1;
            (form.min, form.max) = (form.min.min(corner), form.max.max(corner));
        }
        form
    }

    pub fn is_circle(&self) -> bool {
        self.count == 0
    }

    pub fn radius(&self) -> f32 {
        self.radius
    }

    pub fn bounds(&self, place: Vec2) -> [Vec2; 2] {
        [place + self.min, place + self.max]
    }

    fn corners(&self) -> &[Vec2] {
        &self.corners[..self.count as usize]
    }

    fn edges(&self) -> impl Iterator<Item = (Vec2, Vec2)> {
        let corners = self.corners();
        corners.iter().zip(corners.iter().cycle().skip(1)).map(|(a, b)| (*a, *b))
    }
}

/// Whether two shapes touch, the second one `between` away from the first.
pub fn overlap(a: &Form, b: &Form, between: Vec2) -> bool {
    match (a.is_circle(), b.is_circle()) {
        (true, true) => {
            let reach = a.radius + b.radius;
            between.length_squared() <= reach * reach
        }
        (true, false) => circle_and_corners(a.radius, b, -between),
        (false, true) => circle_and_corners(b.radius, a, between),
        (false, false) => !parted(a, b, between) && !parted(b, a, -between),
    }
}

/// Whether a circle at `center` touches a convex polygon around the origin.
fn circle_and_corners(radius: f32, polygon: &Form, center: Vec2) -> bool {
    let mut inside = true;
    for (start, end) in polygon.edges() {
        let (edge, arm) = (end - start, center - start);
        if edge.perp_dot(arm) < 0.0 {
            inside = false;
            let along = (arm.dot(edge) / edge.length_squared()).clamp(0.0, 1.0);
            if (arm - edge * along).length_squared() <= radius * radius {
                return true;
            }
        }
    }
    inside
}

/// Whether an edge of `a` has all of `b` outside of it.
fn parted(a: &Form, b: &Form, between: Vec2) -> bool {
    a.edges().any(|(start, end)| {
        let edge = end - start;
        b.corners().iter().all(|corner| edge.perp_dot(*corner + between - start) < 0.0)
    })
}

/// The pairs of a scene that touch at a step, slowly and surely: sorted by their left sides.
pub fn pairs(scene: &Scene, step: u32) -> Vec<[u32; 2]> {
    let forms: Vec<Form> = scene.bodies.iter().map(|body| Form::new(body.outline)).collect();
    let places: Vec<Vec2> = scene.bodies.iter().map(|body| body.place(step)).collect();
    let bounds: Vec<[Vec2; 2]> =
        forms.iter().zip(&places).map(|(form, place)| form.bounds(*place)).collect();
    let mut order: Vec<usize> = (0..forms.len()).collect();
    order.sort_by(|a, b| bounds[*a][0].x.total_cmp(&bounds[*b][0].x));
    let mut pairs = Vec::new();
    for (at, &i) in order.iter().enumerate() {
        for &j in &order[at + 1..] {
            if bounds[j][0].x > bounds[i][1].x {
                break;
            }
            let meet = bounds[i][0].y <= bounds[j][1].y && bounds[j][0].y <= bounds[i][1].y;
            let both_fixed = scene.bodies[i].is_static() && scene.bodies[j].is_static();
            if meet && !both_fixed && overlap(&forms[i], &forms[j], places[j] - places[i]) {
                pairs.push([i as u32, j as u32]);
            }
        }
    }
    pairs
}
