//! Worlds of colliders with any transform and any bounds, in cells of any size.

use std::hash::{DefaultHasher, Hash, Hasher};

use bevy::math::bounding::Aabb2d;
use bevy::prelude::*;
use bevy_nudge::CollisionStats;
use bevy_nudge::geometry::{PlacedShape, Ray, overlaps};
use bevy_nudge::prelude::*;

use crate::common::contacts;
use crate::input::Input;

/// The shapes as they were placed before the push-out.
#[derive(Resource, Default)]
struct Placed(Vec<(Entity, PlacedShape)>);

/// A point and a box to ask about.
#[derive(Resource)]
struct Asked(Vec2, Vec2);

fn note_placed(colliders: CollisionQuery, mut placed: ResMut<Placed>) {
    placed.0 = colliders.iter().map(|(entity, shape)| (entity, shape.clone())).collect();
}

/// Any question has an answer.
fn ask(colliders: CollisionQuery, asked: Res<Asked>) {
    let everything = CollisionFilter::default();
    let Asked(point, other) = *asked;
    let found = colliders.at_point(point);
    assert!(point.is_finite() || found.is_empty());
    _ = colliders.in_box(Aabb2d { min: point.min(other), max: point.max(other) }, &everything);
    for (_, projection) in colliders.nearest(point, 3, &everything) {
        assert!(projection.signed_distance.is_finite(), "{projection:?}");
    }
    if let Ok(ray) = Ray::new(point, other) {
        for (_, hit) in colliders.cast_ray_all(&ray, &everything) {
            assert!(hit.point.is_finite() && hit.distance >= 0.0, "{hit:?}");
        }
        let (all, first) =
            (colliders.cast_ray_all(&ray, &everything), colliders.cast_ray(&ray, &everything));
        assert_eq!(all.first().map(|hit| hit.1.distance), first.map(|hit| hit.1.distance));
    }
}

pub(crate) fn target(input: &mut Input<'_>) -> u64 {
    let mut features = DefaultHasher::new();
    let mut app = App::new();
    app.add_plugins(CollisionPlugin::in_schedule(Update))
        .init_resource::<Placed>()
        .insert_resource(Asked(input.point(), input.point()))
        .add_systems(
            Update,
            (
                note_placed.after(CollisionSystems::NarrowPhase).before(CollisionSystems::Resolve),
                ask.after(CollisionSystems::Publish),
            ),
        );
    let has_push_out = input.below(2) == 0;
    if has_push_out {
        app.add_plugins(ResolutionPlugin);
    }
    {
        let mut settings = app.world_mut().resource_mut::<CollisionSettings>();
        if input.below(2) == 0 {
            settings.cell_size = CellSize::Fixed(input.number());
        }
        if input.below(4) == 0 {
            settings.touch_tolerance = input.number();
        }
        if input.below(4) == 0 {
            settings.resolution.allowed_overlap = input.number();
        }
    }
    let mut alive = Vec::new();
    for _ in 0..input.below(24) {
        let shape = input.shape().unwrap_or_default();
        let transform = transform(input);
        let mut entity = app.world_mut().spawn((Collider::new(shape), transform));
        let roles = input.below(16);
        if roles & 1 != 0 {
            entity.insert(Solid::new(if roles & 8 != 0 { input.number() } else { 1.0 }));
        }
        if roles & 6 == 2 {
            entity.insert(StaticCollider);
        }
        if roles & 6 == 4 {
            entity.insert(Swept);
        }
        if roles & 6 == 6
            && let Some(&parent) = alive.last()
        {
            entity.insert(ChildOf(parent));
        }
        alive.push(entity.id());
    }
    for step in 0..3 {
        app.update();
        check(&app, &alive, &mut features);
        if step == 1 && input.is_empty() {
            break;
        }
        for &entity in &alive {
            let by = input.point();
            let mut transform = app.world_mut().get_mut::<Transform>(entity).unwrap();
            transform.translation += by.extend(0.0);
        }
    }
    features.finish()
}

fn transform(input: &mut Input<'_>) -> Transform {
    let place = input.point();
    let transform = Transform::from_xyz(place.x, place.y, 0.0);
    match input.below(3) {
        0 => transform,
        1 => transform.with_rotation(Quat::from_rotation_z(input.number() % 7.0)),
        _ => transform
            .with_rotation(Quat::from_xyzw(0.0, 0.0, input.number(), input.number()))
            .with_scale(input.point().extend(1.0)),
    }
}

fn check(app: &App, alive: &[Entity], features: &mut DefaultHasher) {
    let stats = app.world().resource::<CollisionStats>();
    assert_eq!(stats.colliders + stats.invalid_colliders, alive.len());
    stats.invalid_colliders.min(3).hash(features);
    stats.contacts.min(4).hash(features);
    stats.static_colliders.min(2).hash(features);
    let found = contacts(app);
    for pair in found.iter() {
        let contact = pair.contact;
        assert!(contact.depth >= 0.0 && contact.depth.is_finite(), "{contact:?}");
        assert!(contact.point.is_finite(), "{contact:?}");
        assert!((contact.normal.length() - 1.0).abs() < 1e-5, "{contact:?}");
    }
    // Each pair that meets where it is, and no other but those that met on their way.
    let is_static = |entity| app.world().get::<StaticCollider>(entity).is_some();
    let touch = app.world().resource::<CollisionSettings>().touch();
    let placed = &app.world().resource::<Placed>().0;
    for (i, (one, shape)) in placed.iter().enumerate() {
        for (other, other_shape) in &placed[i + 1..] {
            let may_meet = !(is_static(*one) && is_static(*other));
            let meets = may_meet && overlaps(shape, other_shape, touch);
            let pair = found.between(*one, *other);
            let on_the_way = pair.is_some_and(|pair| pair.time_of_impact.is_some());
            assert!(
                pair.is_some() == meets || on_the_way,
                "{one} and {other}: {pair:?}, {meets}; {touch:?}\n{shape:?}\n{other_shape:?}"
            );
        }
    }
    let pushes = app.world().get_resource::<Pushes>();
    for push in pushes.into_iter().flat_map(Pushes::iter) {
        assert!(push.translation.is_finite(), "{push:?}");
        let transform = app.world().get::<Transform>(push.entity).unwrap();
        assert!(transform.translation.truncate().is_finite(), "{push:?} led to {transform:?}");
    }
    pushes.map(|pushes| pushes.iter().len().min(3)).hash(features);
}
