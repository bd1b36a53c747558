//! Four scenes that together use every part of the step. None of them uses a number that differs
//! between machines, such as a sine.

use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy_nudge::geometry::{Compound, CompoundPart, ConcavePolygon, Shape};
use bevy_nudge::prelude::*;

use crate::common::{at, noise};
use crate::record::{Numbers, Order, spawn_batch};

/// An entity that is to be.
pub(crate) struct Plan {
    pub(crate) number: u32,
    pub(crate) collider: Collider,
    pub(crate) transform: Transform,
    pub(crate) parent: Option<u32>,
    pub(crate) dress: Box<dyn Fn(&mut EntityWorldMut)>,
}

fn plan(number: u32, collider: Collider, transform: Transform) -> Plan {
    Plan { number, collider, transform, parent: None, dress: Box::new(|_| {}) }
}

impl Plan {
    fn dressed(self, bundle: impl Bundle + Clone) -> Self {
        let before = self.dress;
        let dress = move |entity: &mut EntityWorldMut<'_>| {
            before(entity);
            entity.insert(bundle.clone());
        };
        Self { dress: Box::new(dress), ..self }
    }

    fn child_of(self, parent: u32) -> Self {
        Self { parent: Some(parent), ..self }
    }
}

pub(crate) struct Scene {
    pub(crate) name: &'static str,
    pub(crate) plans: fn() -> Vec<Plan>,
    /// What the game does before a step.
    pub(crate) drive: fn(&mut App, u32, &Order),
    /// So many contacts there are in all steps, or the scene shows nothing.
    pub(crate) least_contacts: usize,
}

pub(crate) const SCENES: [Scene; 4] = [
    Scene { name: "bouncing", plans: bouncing, drive: drift_and_turn, least_contacts: 300_000 },
    Scene { name: "crowd", plans: crowd, drive: press_to_the_middle, least_contacts: 30_000 },
    Scene { name: "bullets", plans: bullets, drive: fly, least_contacts: 20_000 },
    Scene { name: "life", plans: life, drive: live, least_contacts: 100_000 },
];

#[derive(Component, Clone, Copy)]
struct Velocity(Vec2);

/// A rotation by an angle whose half has this tangent, without a sine.
fn turned(tangent: f32) -> Quat {
    let length = (1.0 + tangent * tangent).sqrt();
    Quat::from_xyzw(0.0, 0.0, tangent / length, 1.0 / length)
}

fn any_shape(i: u32, random: &mut impl FnMut() -> f32) -> Collider {
    match i % 5 {
        0 => Collider::circle(2.0 + 3.0 * random()),
        1 => Collider::aabb(8.0, 3.0 + 4.0 * random()),
        2 => Collider::regular_polygon(3 + i as usize % 7, 4.0).unwrap(),
        3 => Collider::capsule(Vec2::NEG_X * 2.0, Vec2::X, 2.0 + random()).unwrap(),
        _ => Collider::rectangle(5.0 + random(), 2.0).unwrap(),
    }
}

fn concave(i: u32) -> Collider {
    let u = [(0, 0), (6, 0), (6, 5), (4, 5), (4, 2), (2, 2), (2, 5), (0, 5)];
    let u = u.map(|(x, y)| Vec2::new(x as f32 - 3.0, y as f32 - 2.5));
    match i % 2 {
        0 => Collider::concave(u).unwrap(),
        _ => {
            let parts = [
                CompoundPart::from(Shape::from(ConcavePolygon::new(u).unwrap())),
                CompoundPart::at(Collider::circle(2.0).shape, Vec2::new(0.0, 5.0)),
                CompoundPart::at(Collider::rectangle(7.0, 1.0).unwrap().shape, Vec2::NEG_Y * 4.0),
            ];
            Collider::new(Compound::new(parts).unwrap())
        }
    }
}

/// 2,500 movers of all kinds, most of them sensors, in a space where each meets another now and then.
fn bouncing() -> Vec<Plan> {
    (0..2500)
        .map(|i| {
            let mut random = noise(u64::from(i));
            let place = at(500.0 * random(), 500.0 * random());
            let velocity = Velocity(Vec2::new(random() - 0.5, random() - 0.5));
            let collider = if i % 50 == 0 { concave(i / 50) } else { any_shape(i, &mut random) };
            let plan = plan(i, collider, place).dressed(velocity);
            let mass = 1.0 + random();
            if i.is_multiple_of(7) { plan.dressed(Solid::new(mass)) } else { plan }
        })
        .collect()
}

fn drift_and_turn(app: &mut App, _: u32, _: &Order) {
    let turn = turned(0.05);
    let mut movers = app.world_mut().query::<(&mut Transform, &mut Velocity)>();
    for (mut transform, mut velocity) in movers.iter_mut(app.world_mut()) {
        let place = transform.translation.truncate();
        for axis in 0..2 {
            if (place[axis] < 0.0 && velocity.0[axis] < 0.0)
                || (place[axis] > 500.0 && velocity.0[axis] > 0.0)
            {
                velocity.0[axis] *= -1.0;
            }
        }
        transform.translation += velocity.0.extend(0.0);
        transform.rotation = (transform.rotation * turn).normalize();
    }
}

/// 300 solids of different mass that all want to where a few static ones stand.
fn crowd() -> Vec<Plan> {
    let movers = (0..300).map(|i| {
        let mut random = noise(1000 + u64::from(i));
        let place = at(300.0 * random() - 150.0, 300.0 * random() - 150.0);
        let mass = if i % 40 == 0 { f32::INFINITY } else { 0.5 + 3.0 * random() };
        plan(i, any_shape(i, &mut random), place).dressed(Solid::new(mass))
    });
    let walls = (0..20).map(|i| {
        let place = at(16.0 * (i % 5) as f32 - 32.0, 20.0 * (i / 5) as f32 - 40.0);
        plan(300 + i, Collider::aabb(16.0, 4.0), place).dressed((Solid::default(), StaticCollider))
    });
    movers.chain(walls).collect()
}

fn press_to_the_middle(app: &mut App, step: u32, _: &Order) {
    // Together, apart, together.
    let towards = if step % 100 < 70 { -0.6 } else { 0.9 };
    let mut movers = app
        .world_mut()
        .query_filtered::<&mut Transform, (With<Collider>, Without<StaticCollider>)>();
    for mut transform in movers.iter_mut(app.world_mut()) {
        let place = transform.translation;
        let length = place.length().max(1.0);
        transform.translation += place / length * towards;
        transform.rotation = (transform.rotation * turned(0.01)).normalize();
    }
}

/// Swept things, solid and not, fast among thin walls and concave obstacles.
fn bullets() -> Vec<Plan> {
    let flying = (0..200).map(|i| {
        let mut random = noise(2000 + u64::from(i));
        let place = at(200.0 * random() - 100.0, 200.0 * random() - 100.0);
        let velocity = Velocity(Vec2::new(random() - 0.5, random() - 0.5) * 40.0);
        let collider = match i % 4 {
            0 => Collider::circle(0.5 + random()),
            1 => Collider::regular_polygon(5, 1.5).unwrap(),
            2 => Collider::aabb(1.0, 2.0),
            _ => Collider::capsule(Vec2::NEG_X, Vec2::X, 0.5).unwrap(),
        };
        let plan = plan(i, collider, place).dressed((velocity, Swept));
        if i % 3 == 0 { plan } else { plan.dressed(Solid::default()) }
    });
    let walls = (200..260).map(|i| {
        let mut random = noise(3000 + u64::from(i));
        let place = at(240.0 * random() - 120.0, 240.0 * random() - 120.0)
            .with_rotation(turned(random() - 0.5));
        let collider = match i % 3 {
            0 => Collider::segment(Vec2::NEG_Y * 8.0, Vec2::Y * 8.0).unwrap(),
            1 => Collider::rectangle(20.0, 0.5).unwrap(),
            _ => concave(i),
        };
        let plan = plan(i, collider, place).dressed(StaticCollider);
        if i % 4 == 0 { plan } else { plan.dressed(Solid::default()) }
    });
    flying.chain(walls).collect()
}

fn fly(app: &mut App, step: u32, _: &Order) {
    let mut back = Vec::new();
    let mut flying = app.world_mut().query::<(Entity, &mut Transform, &mut Velocity)>();
    for (entity, mut transform, mut velocity) in flying.iter_mut(app.world_mut()) {
        let place = transform.translation;
        if place.abs().max_element() > 130.0 {
            // A teleport to the other side.
            transform.translation = -place * 0.9;
            back.push(entity);
        }
        if step.is_multiple_of(37) {
            velocity.0 = velocity.0.perp();
        }
        transform.translation += velocity.0.extend(0.0);
    }
    for entity in back {
        app.world_mut().entity_mut(entity).insert(Swept);
    }
}

/// Families that turn, mirrored and sheared, and a life of changes.
fn life() -> Vec<Plan> {
    let mut plans = Vec::new();
    for i in 0..60 {
        let mut random = noise(4000 + u64::from(i));
        let place = at(120.0 * random() - 60.0, 120.0 * random() - 60.0);
        let scale = Vec3::new(if i % 3 == 0 { -1.0 } else { 1.0 }, 1.0 + random(), 1.0);
        let parent = 4 * i;
        plans.push(plan(parent, any_shape(i, &mut random), place.with_scale(scale)));
        for child in 1..4 {
            let place = at(8.0 * random() - 4.0, 8.0 * random() - 4.0)
                .with_rotation(turned(random() - 0.5));
            let parent = parent + if child == 3 { 2 } else { 0 };
            let collider = any_shape(i + child, &mut random);
            plans.push(plan(4 * i + child, collider, place).child_of(parent));
        }
    }
    plans
}

fn live(app: &mut App, step: u32, order: &Order) {
    let mut random = noise(5000 + u64::from(step));
    let mut pick = |app: &App| {
        let numbers = app.world().resource::<Numbers>();
        let number = (random() * (240.0 + 3.0 * step as f32)) as u32;
        let entity = numbers.entities.get(&number).copied();
        entity.filter(|&entity| app.world().get_entity(entity).is_ok())
    };
    let chosen: Vec<Option<Entity>> = (0..12).map(|_| pick(app)).collect();
    for (i, entity) in chosen.into_iter().enumerate() {
        let Some(entity) = entity else { continue };
        // A family goes with its eldest, and a choice may be made twice.
        let Ok(mut entity) = app.world_mut().get_entity_mut(entity) else { continue };
        match (i, step % 2) {
            (0, 0) => entity.despawn(),
            (1, 0) => _ = entity.insert(ColliderDisabled),
            (1, _) => _ = entity.remove::<ColliderDisabled>(),
            (2, 0) => _ = entity.insert(Disabled),
            (2, _) => _ = entity.remove::<Disabled>(),
            (3, 0) => _ = entity.insert(StaticCollider),
            (3, _) => _ = entity.remove::<StaticCollider>(),
            (4, 0) => _ = entity.insert(CollisionLayers::new(1 << (step % 3), 5)),
            (4, _) => _ = entity.insert(CollisionLayers::ALL),
            (5, 0) => _ = entity.insert(Collider::circle(3.0)),
            (6, 0) => _ = entity.insert(Collider::circle(f32::NAN)),
            (7, _) => _ = entity.insert(Collider::aabb(4.0, 6.0)),
            (8, 0) => _ = entity.remove::<Collider>(),
            (9, _) => _ = entity.insert(Collider::rectangle(6.0, 2.0).unwrap()),
            (10, 0) => _ = entity.insert(Solid::default()),
            (11, 0) => _ = entity.remove::<Solid>(),
            _ => {}
        }
    }
    let mut all = app.world_mut().query::<(&mut Transform, Has<ChildOf>)>();
    for (mut transform, is_child) in all.iter_mut(app.world_mut()) {
        transform.rotation = (transform.rotation * turned(0.03)).normalize();
        if !is_child {
            let place = transform.translation;
            transform.translation += Vec3::new(-place.y, place.x, 0.0) * 0.01 - place * 0.002;
        }
    }
    let mut random = noise(6000 + u64::from(step));
    let newborn = (0..3).map(|i| {
        let place = at(120.0 * random() - 60.0, 120.0 * random() - 60.0);
        plan(240 + 3 * step + i, any_shape(step + i, &mut random), place)
    });
    spawn_batch(app, newborn.collect(), order);
}
