//! 10,000 point, ray and box questions among the colliders of a scene, and how each contestant is
//! asked: through its public interface, by the call that answers the question fastest.

use std::time::{Duration, Instant};

use avian2d::prelude::{Collider as AvianCollider, SpatialQuery, SpatialQueryFilter};
use bevy::ecs::system::SystemState;
use bevy::math::bounding::Aabb2d;
use bevy::prelude::*;
use bevy_nudge::geometry::Ray;
use bevy_nudge::prelude::*;
use bevy_rapier2d::parry::shape::Cuboid;
use bevy_rapier2d::plugin::ReadRapierContext;
use bevy_rapier2d::prelude::QueryFilter;

use crate::scenes::{Scene, noise};

pub const COUNT: usize = 10_000;
/// Length of the rays and half the side of the boxes, in widths of a usual collider.
const RAY: f32 = 30.0;
const BOX: f32 = 2.0;

/// The same for all contestants and in every run.
pub struct Questions {
    /// Which colliders hold this point?
    pub points: Vec<Vec2>,
    /// Which collider is first on this ray, where, and with what normal? Start and direction.
    pub rays: Vec<(Vec2, Dir2)>,
    pub ray_length: f32,
    /// Which colliders' shapes meet the square around this place?
    pub boxes: Vec<Vec2>,
    pub half_box: f32,
}

impl Questions {
    /// Evenly over the scene.
    pub fn new(scene: &Scene) -> Self {
        let homes = || scene.bodies.iter().map(|body| body.home);
        let min = homes().fold(Vec2::INFINITY, Vec2::min);
        let size = homes().fold(Vec2::NEG_INFINITY, Vec2::max) - min;
        let mut random = noise();
        let mut points = || -> Vec<Vec2> {
            (0..COUNT).map(|_| min + size * Vec2::new(random(), random())).collect()
        };
        let (points, starts, boxes) = (points(), points(), points());
        let rays = starts
            .into_iter()
            .map(|start| (start, Dir2::from_xy(random() - 0.5, random() - 0.5).unwrap_or(Dir2::X)))
            .collect();
        let width = scene.cell * 0.5;
        Self { points, rays, ray_length: RAY * width, boxes, half_box: BOX * width }
    }
}

/// The answers to all questions of one kind.
pub struct Answers {
    pub time: Duration,
    /// The number of a question, and what was found.
    pub found: Vec<(u32, Entity)>,
}

/// Points, rays and boxes.
pub type AllAnswers = [Answers; 3];

/// Asks each question of a kind. What is found is noted, as a game would use it; that costs all
/// contestants the same.
fn asked<Q>(questions: &[Q], mut ask: impl FnMut(&Q, &mut dyn FnMut(Entity))) -> Answers {
    let mut found = Vec::with_capacity(questions.len() * 16);
    let start = Instant::now();
    for (number, question) in (0..).zip(questions) {
        ask(question, &mut |entity| found.push((number, entity)));
    }
    Answers { time: start.elapsed(), found }
}

pub fn ask_nudge(world: &mut World, questions: &Questions) -> AllAnswers {
    let mut state = SystemState::<CollisionQuery>::new(world);
    let query = state.get(world).expect("the plugin was added");
    let filter = CollisionFilter::default();
    let half = Vec2::splat(questions.half_box);
    [
        asked(&questions.points, |point, found| {
            query.at_point(*point).into_iter().for_each(found);
        }),
        asked(&questions.rays, |(start, way), found| {
            let ray = Ray::new(*start, way.as_vec2()).expect("finite, and of length 1");
            let hit = query.cast_ray(&ray.with_length(questions.ray_length), &filter);
            hit.into_iter().for_each(|(entity, _)| found(entity));
        }),
        asked(&questions.boxes, |place, found| {
            let bounds = Aabb2d { min: *place - half, max: *place + half };
            query.in_box(bounds, &filter).into_iter().for_each(found);
        }),
    ]
}

pub fn ask_avian(world: &mut World, questions: &Questions) -> AllAnswers {
    let mut state = SystemState::<SpatialQuery>::new(world);
    let query = state.get(world).expect("the plugin was added");
    let filter = SpatialQueryFilter::default();
    let side = questions.half_box * 2.0;
    let shape = AvianCollider::rectangle(side, side);
    [
        asked(&questions.points, |point, found| {
            query.point_intersections_callback(*point, &filter, |entity| {
                found(entity);
                true
            });
        }),
        asked(&questions.rays, |(start, way), found| {
            let hit = query.cast_ray(*start, *way, questions.ray_length, true, &filter);
            hit.into_iter().for_each(|hit| found(hit.entity));
        }),
        asked(&questions.boxes, |place, found| {
            query.shape_intersections_callback(&shape, *place, 0.0, &filter, |entity| {
                found(entity);
                true
            });
        }),
    ]
}

pub fn ask_rapier(world: &mut World, questions: &Questions) -> AllAnswers {
    let mut state = SystemState::<ReadRapierContext>::new(world);
    let read = state.get(world).expect("the plugin was added");
    let context = read.single().expect("one context");
    let shape = Cuboid::new(Vec2::splat(questions.half_box));
    let length = questions.ray_length;
    // One pipeline for all questions: cheaper than one for each, which the shorter calls make.
    context.with_query_pipeline(QueryFilter::default(), |query| {
        [
            asked(&questions.points, |point, found| query.intersect_point(*point).for_each(found)),
            asked(&questions.rays, |(start, way), found| {
                let hit = query.cast_ray_and_get_normal(*start, way.as_vec2(), length, true);
                hit.into_iter().for_each(|(entity, _)| found(entity));
            }),
            asked(&questions.boxes, |place, found| {
                query.intersect_shape(*place, 0.0, &shape).for_each(found);
            }),
        ]
    })
}
