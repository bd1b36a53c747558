//! bevy_rapier2d, as sensors (yes or no) and as solid colliders (contact points).
//!
//! Colliders without bodies, the leanest way: what moves is the game's own, and Rapier is asked for
//! the pairs of all kinds of colliders. Kinematic bodies gave the pairs of the step before in a
//! trial, and cost more.

use bevy::prelude::*;
use bevy_rapier2d::plugin::context::{RapierContextColliders, RapierContextSimulation};
use bevy_rapier2d::prelude::*;
use bevy_rapier2d::rapier::geometry::ColliderHandle;

use super::{AppContestant, Contestant, Pair, app, number, spawn};
use crate::scenes::{Body, Outline, Scene};

pub fn start(scene: &Scene, threads: usize, sensors: bool) -> Box<dyn Contestant> {
    let mut app = app(threads);
    app.insert_resource(TimestepMode::Fixed { dt: 1.0 / 64.0, substeps: 1 })
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule());
    let mover =
        |body: &Body| (collider(body), ActiveCollisionTypes::all(), ActiveEvents::COLLISION_EVENTS);
    // Static colliders keep the default types, so they pair with movers and not with each other.
    if sensors {
        spawn(app.world_mut(), scene, |body| (mover(body), Sensor), collider);
        Box::new(AppContestant {
            ask: Some(crate::queries::ask_rapier),
            ..AppContestant::new(app, sensor_pairs)
        })
    } else {
        spawn(app.world_mut(), scene, mover, collider);
        Box::new(AppContestant::new(app, contact_pairs))
    }
}

fn collider(body: &Body) -> Collider {
    match body.outline {
        Outline::Circle { radius } => Collider::ball(radius),
        Outline::Box { width, height } => Collider::cuboid(width * 0.5, height * 0.5),
        Outline::Polygon { .. } => {
            Collider::convex_polyline(body.outline.corners()).expect("a regular polygon")
        }
    }
}

fn sensor_pairs(world: &mut World) -> Vec<Pair> {
    let mut contexts = world.query::<(&RapierContextSimulation, &RapierContextColliders)>();
    let (simulation, colliders) = contexts.single(world).expect("one context");
    simulation
        .narrow_phase
        .intersection_pairs()
        .filter(|(_, _, touching)| *touching)
        .map(|(a, b, _)| [of(world, colliders, a), of(world, colliders, b)])
        .collect()
}

fn contact_pairs(world: &mut World) -> Vec<Pair> {
    let mut contexts = world.query::<(&RapierContextSimulation, &RapierContextColliders)>();
    let (simulation, colliders) = contexts.single(world).expect("one context");
    simulation
        .narrow_phase
        .contact_pairs()
        // Rapier also keeps the contacts of pairs that are a little apart.
        .filter(|pair| pair.find_deepest_contact().is_some_and(|(_, point)| point.dist <= 0.0))
        .map(|pair| [of(world, colliders, pair.collider1), of(world, colliders, pair.collider2)])
        .collect()
}

fn of(world: &World, colliders: &RapierContextColliders, handle: ColliderHandle) -> u32 {
    colliders.collider_entity(handle).map_or(u32::MAX, |entity| number(world, entity))
}
