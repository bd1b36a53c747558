//! This crate, as a game uses it: the plugin, and a message per touching pair and step.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use super::{AppContestant, Contestant, Pair, app, number, spawn};
use crate::scenes::{Body, Outline, Scene};

pub fn start(scene: &Scene, threads: usize) -> Box<dyn Contestant> {
    let mut app = app(threads);
    app.add_plugins(CollisionPlugin::default());
    spawn(app.world_mut(), scene, collider, |body| (collider(body), StaticCollider));
    Box::new(AppContestant {
        ask: Some(crate::queries::ask_nudge),
        ..AppContestant::new(app, pairs)
    })
}

fn collider(body: &Body) -> Collider {
    match body.outline {
        Outline::Circle { radius } => Collider::circle(radius),
        Outline::Box { width, height } => Collider::aabb(width, height),
        Outline::Polygon { .. } => {
            Collider::polygon(body.outline.corners()).expect("a regular polygon")
        }
    }
}

fn pairs(world: &mut World) -> Vec<Pair> {
    let contacts = world.resource::<Contacts>();
    contacts.iter().map(|pair| [number(world, pair.a), number(world, pair.b)]).collect()
}
