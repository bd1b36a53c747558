//! The floor: what any crate has to do. Reads every collider, computes its bounds, writes one
//! message per touching pair. Which pairs touch is given (those of the first step).

use bevy::prelude::*;

use super::{AppContestant, Contestant, Phase, Touch, app, spawn, touching_pairs};
use crate::plain::{self, Form};
use crate::scenes::Scene;

pub fn start(scene: &Scene, threads: usize) -> Box<dyn Contestant> {
    let mut app = app(threads);
    app.add_message::<Touch>().add_systems(FixedPostUpdate, touch);
    spawn(app.world_mut(), scene, |body| Form::new(body.outline), |body| Form::new(body.outline));
    let mut entities = app.world_mut().query::<(Entity, &super::Number)>();
    let mut by_number = vec![Entity::PLACEHOLDER; scene.bodies.len()];
    for (entity, number) in entities.iter(app.world()) {
        by_number[number.0 as usize] = entity;
    }
    let given = plain::pairs(scene, 1)
        .into_iter()
        .map(|[a, b]| (by_number[a as usize], by_number[b as usize]))
        .collect();
    app.insert_resource(Floor { given, bounds: Vec::new() });
    Box::new(AppContestant::new(app, touching_pairs))
}

#[derive(Resource)]
struct Floor {
    given: Vec<(Entity, Entity)>,
    bounds: Vec<[Vec2; 2]>,
}

fn touch(
    mut floor: ResMut<Floor>,
    colliders: Query<(&Transform, &Form)>,
    mut touches: MessageWriter<Touch>,
) {
    let Floor { given, bounds } = &mut *floor;
    bounds.clear();
    for (transform, form) in &colliders {
        bounds.push(form.bounds(transform.translation.truncate()));
    }
    std::hint::black_box(&bounds);
    touches.write_batch(given.iter().map(|&(a, b)| Touch { a, b, phase: Phase::Touching }));
}
