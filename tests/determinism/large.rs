//! A world large enough that every stage shares its work among threads.

use std::hash::{DefaultHasher, Hash, Hasher};

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use crate::common::{app, at, noise, step};

const COUNT: usize = 40_000;
const SIDE: f32 = 1_600.0;
const STEPS: usize = 8;

/// A hash of all contacts and events, and how many contacts there were.
pub(crate) fn run() -> (u64, usize) {
    let mut app = app();
    let mut random = noise(7);
    let mut place = move || at(SIDE * random(), SIDE * random());
    let mut entities: Vec<Entity> =
        (0..COUNT).map(|i| app.world_mut().spawn((collider(i), place())).id()).collect();
    let mut hasher = DefaultHasher::new();
    let mut contacts = 0;
    for number in 0..STEPS {
        change(&mut app, &mut entities, number, &mut place);
        let mut movers = app.world_mut().query::<&mut Transform>();
        for (i, mut transform) in movers.iter_mut(app.world_mut()).enumerate() {
            transform.translation +=
                Vec3::new((i % 7) as f32 - 3.0, (i % 5) as f32 - 2.0, 0.0) * 0.2;
        }
        let events = step(&mut app);
        for pair in app.world().resource::<Contacts>().iter() {
            (pair.a, pair.b, pair.age).hash(&mut hasher);
            let (normal, point) = (pair.contact.normal, pair.contact.point);
            let numbers = [normal.x, normal.y, point.x, point.y, pair.contact.depth];
            numbers.map(f32::to_bits).hash(&mut hasher);
        }
        for event in &events {
            (event.entities(), format!("{:?}", event.phase)).hash(&mut hasher);
        }
        contacts += app.world().resource::<Contacts>().len();
    }
    (hasher.finish(), contacts)
}

fn collider(i: usize) -> Collider {
    match i % 4 {
        0 | 1 => Collider::circle(2.0 + (i % 3) as f32),
        2 => Collider::aabb(6.0, 4.0),
        // Boxes too large for a cell of the others.
        _ if i % 4_000 == 3 => Collider::aabb(200.0, 3.0),
        _ => Collider::rectangle(5.0, 5.0).unwrap(),
    }
}

/// Breaks up the stretches of colliders that are moved together, and mends them.
fn change(
    app: &mut App,
    entities: &mut Vec<Entity>,
    number: usize,
    place: &mut impl FnMut() -> Transform,
) {
    match number {
        2 => {
            for i in (0..200).rev() {
                app.world_mut().despawn(entities.swap_remove(i * 150));
            }
        }
        3 => {
            for i in 0..300 {
                entities.push(app.world_mut().spawn((collider(i), place())).id());
            }
        }
        4 => {
            for entity in entities.iter().skip(9_000).step_by(97) {
                let mut transform = app.world_mut().get_mut::<Transform>(*entity).unwrap();
                transform.rotation = Quat::from_xyzw(0.0, 0.0, 0.6, 0.8);
            }
        }
        5 => {
            for entity in entities.iter().step_by(1_001) {
                app.world_mut().entity_mut(*entity).insert(CollisionLayers::NONE);
            }
        }
        6 => {
            for entity in entities.iter().skip(5).step_by(1_003) {
                let mut transform = app.world_mut().get_mut::<Transform>(*entity).unwrap();
                transform.translation.x = f32::NAN;
            }
        }
        _ => {}
    }
}
