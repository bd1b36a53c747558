//! rapier2d without Bevy: its collision pipeline alone, with sensors.
//!
//! There is no frame to subtract. Where things are is known before the clock starts; writing it
//! into Rapier counts.

use std::time::{Duration, Instant};

use bevy::math::Vec2;
use bevy_rapier2d::rapier::prelude::*;

use super::{Contestant, Pair};
use crate::scenes::{Body, Outline, Scene};

pub fn start(scene: &Scene) -> Box<dyn Contestant> {
    let mut colliders = ColliderSet::new();
    let handles = scene
        .bodies
        .iter()
        .enumerate()
        .map(|(number, body)| {
            let mut builder = shape(body).translation(body.place(0)).user_data(number as u128);
            if !body.is_static() {
                builder = builder
                    .sensor(true)
                    .active_collision_types(ActiveCollisionTypes::all())
                    .active_events(ActiveEvents::COLLISION_EVENTS);
            }
            colliders.insert(builder)
        })
        .collect();
    Box::new(Bare {
        bodies: scene.bodies.clone(),
        handles,
        colliders,
        rigid_bodies: RigidBodySet::new(),
        islands: IslandManager::new(),
        broad_phase: DefaultBroadPhase::new(),
        narrow_phase: NarrowPhase::new(),
        pipeline: CollisionPipeline::new(),
        places: Vec::new(),
        step: 0,
    })
}

fn shape(body: &Body) -> ColliderBuilder {
    match body.outline {
        Outline::Circle { radius } => ColliderBuilder::ball(radius),
        Outline::Box { width, height } => ColliderBuilder::cuboid(width * 0.5, height * 0.5),
        Outline::Polygon { .. } => {
            ColliderBuilder::convex_polyline(body.outline.corners()).expect("a regular polygon")
        }
    }
}

struct Bare {
    bodies: Vec<Body>,
    handles: Vec<ColliderHandle>,
    colliders: ColliderSet,
    rigid_bodies: RigidBodySet,
    islands: IslandManager,
    broad_phase: DefaultBroadPhase,
    narrow_phase: NarrowPhase,
    pipeline: CollisionPipeline,
    places: Vec<(ColliderHandle, Vec2)>,
    step: u32,
}

impl Contestant for Bare {
    fn step(&mut self) -> Duration {
        self.step += 1;
        let movers = self.bodies.iter().zip(&self.handles).filter(|(body, _)| !body.is_static());
        self.places.clear();
        self.places.extend(movers.map(|(body, handle)| (*handle, body.place(self.step))));
        let start = Instant::now();
        for (handle, place) in &self.places {
            if let Some(collider) = self.colliders.get_mut(*handle) {
                collider.set_translation(*place);
            }
        }
        self.pipeline.step(
            0.002,
            &mut self.islands,
            &mut self.broad_phase,
            &mut self.narrow_phase,
            &mut self.rigid_bodies,
            &mut self.colliders,
            &(),
            &(),
        );
        start.elapsed()
    }

    fn pairs(&mut self) -> Vec<Pair> {
        let number = |handle| self.colliders.get(handle).map_or(u32::MAX, |c| c.user_data as u32);
        self.narrow_phase
            .intersection_pairs()
            .filter(|(_, _, touching)| *touching)
            .map(|(a, b, _)| [number(a), number(b)])
            .collect()
    }
}
