//! 10,000 point, ray and box questions among the colliders of a scene.

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

const COUNT: usize = 10_000;
/// Length of the rays and half the side of the boxes, in widths of a usual collider.
const RAY: f32 = 20.0;
const BOX: f32 = 2.0;

pub struct Questions {
    pub points: Vec<Vec2>,
    /// Start and direction of length 1.
    pub rays: Vec<(Vec2, Dir2)>,
    pub ray_length: f32,
    pub boxes: Vec<Vec2>,
    pub half_box: f32,
}

impl Questions {
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

/// Time and hits of each kind: points, rays, boxes. None where a contestant has no answer.
pub type Answers = [Option<(Duration, usize)>; 3];

fn timed(ask: impl FnOnce() -> usize) -> Option<(Duration, usize)> {
    let start = Instant::now();
    let hits = ask();
    Some((start.elapsed(), hits))
}

pub fn ask_nudge(world: &mut World, questions: &Questions) -> Answers {
    let mut state = SystemState::<CollisionQuery>::new(world);
    let Ok(query) = state.get(world) else { return [None; 3] };
    let filter = CollisionFilter::default();
    let half = Vec2::splat(questions.half_box);
    [
        timed(|| questions.points.iter().map(|point| query.at_point(*point).len()).sum()),
        timed(|| {
            let hit = |(start, way): &&(Vec2, Dir2)| {
                Ray::new(*start, way.as_vec2()).is_ok_and(|ray| {
                    query.cast_ray(&ray.with_length(questions.ray_length), &filter).is_some()
                })
            };
            questions.rays.iter().filter(hit).count()
        }),
        timed(|| {
            let hits = |place: &Vec2| {
                query.in_box(Aabb2d { min: *place - half, max: *place + half }, &filter).len()
            };
            questions.boxes.iter().map(hits).sum()
        }),
    ]
}

pub fn ask_avian(world: &mut World, questions: &Questions) -> Answers {
    let mut state = SystemState::<SpatialQuery>::new(world);
    let Ok(query) = state.get(world) else { return [None; 3] };
    let filter = SpatialQueryFilter::default();
    let side = questions.half_box * 2.0;
    let shape = AvianCollider::rectangle(side, side);
    let length = questions.ray_length;
    [
        timed(|| {
            let points = questions.points.iter();
            points.map(|point| query.point_intersections(*point, &filter).len()).sum()
        }),
        timed(|| {
            let hit = |(start, way): &&(Vec2, Dir2)| {
                query.cast_ray(*start, *way, length, true, &filter).is_some()
            };
            questions.rays.iter().filter(hit).count()
        }),
        timed(|| {
            let hits = |place: &Vec2| query.shape_intersections(&shape, *place, 0.0, &filter).len();
            questions.boxes.iter().map(hits).sum()
        }),
    ]
}

pub fn ask_rapier(world: &mut World, questions: &Questions) -> Answers {
    let mut state = SystemState::<ReadRapierContext>::new(world);
    let Ok(read) = state.get(world) else { return [None; 3] };
    let Ok(context) = read.single() else { return [None; 3] };
    let shape = Cuboid::new(Vec2::splat(questions.half_box));
    let length = questions.ray_length;
    context.with_query_pipeline(QueryFilter::default(), |query| {
        [
            timed(|| {
                questions.points.iter().map(|point| query.intersect_point(*point).count()).sum()
            }),
            timed(|| {
                let hit = |(start, way): &&(Vec2, Dir2)| {
                    query.cast_ray(*start, way.as_vec2(), length, true).is_some()
                };
                questions.rays.iter().filter(hit).count()
            }),
            timed(|| {
                let hits = |place: &Vec2| query.intersect_shape(*place, 0.0, &shape).count();
                questions.boxes.iter().map(hits).sum()
            }),
        ]
    })
}
