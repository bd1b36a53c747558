//! avian2d, twice: all of its plugins, and without those that only move bodies.
//!
//! Movers are kinematic bodies whose `Transform` the game writes: a collider without a body never
//! pairs with another one. They have no velocity, so that avian predicts nothing, and do not sleep,
//! since for want of a velocity they would.

use avian2d::collision::broad_phase::{BroadPhaseCorePlugin, BvhBroadPhasePlugin};
use avian2d::collision::collider::{
    ColliderBackendPlugin, collider_hierarchy::ColliderHierarchyPlugin,
    collider_transform::ColliderTransformPlugin,
};
use avian2d::prelude::*;
use bevy::prelude::*;

use super::{AppContestant, Contestant, Pair, app, number, spawn};
use crate::scenes::{Body, Outline, Scene};

pub fn start(scene: &Scene, threads: usize, as_shipped: bool) -> Box<dyn Contestant> {
    let mut app = app(threads);
    if as_shipped {
        app.add_plugins(PhysicsPlugins::default());
    } else {
        app.add_plugins((
            PhysicsSchedulePlugin::default(),
            PhysicsTransformPlugin::default(),
            ColliderHierarchyPlugin,
            ColliderTransformPlugin::default(),
            ColliderBackendPlugin::<Collider>::default(),
            ColliderTreePlugin::<Collider>::default(),
            BroadPhaseCorePlugin,
            BvhBroadPhasePlugin::<()>::default(),
            NarrowPhasePlugin::<Collider>::new(PhysicsSchedule, false),
        ));
        // The trees are tended at the end of the solver, whose own plugins are not here.
        app.configure_sets(
            PhysicsSchedule,
            SolverSystems::Finalize.in_set(PhysicsStepSystems::Solver),
        );
    }
    spawn(
        app.world_mut(),
        scene,
        |body| {
            let kinematic = (RigidBody::Kinematic, SleepingDisabled);
            (kinematic, collider(body), Sensor, CollisionEventsEnabled)
        },
        |body| (RigidBody::Static, collider(body)),
    );
    Box::new(AppContestant {
        ask: Some(crate::queries::ask_avian),
        ..AppContestant::new(app, pairs)
    })
}

fn collider(body: &Body) -> Collider {
    match body.outline {
        Outline::Circle { radius } => Collider::circle(radius),
        Outline::Box { width, height } => Collider::rectangle(width, height),
        Outline::Polygon { .. } => {
            Collider::convex_polyline(body.outline.corners()).expect("a regular polygon")
        }
    }
}

fn pairs(world: &mut World) -> Vec<Pair> {
    let graph = world.resource::<ContactGraph>();
    graph
        .iter_active_touching()
        .chain(graph.iter_sleeping_touching())
        .map(|pair| [number(world, pair.collider1), number(world, pair.collider2)])
        .collect()
}
