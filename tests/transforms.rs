//! Colliders stand where their entities are, from the first step on.

mod common;

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

use bevy::prelude::*;
use bevy_nudge::prelude::*;
use common::*;

/// Whether a small probe at this point is in contact with `entity` in the next step.
fn hits(app: &mut App, entity: Entity, x: f32, y: f32) -> bool {
    let probe = spawn(app, (Collider::circle(0.01), at(x, y)));
    step(app);
    let hit = contacts(app).between(entity, probe).is_some();
    app.world_mut().despawn(probe);
    hit
}

#[test]
fn a_child_stands_where_its_parents_put_it_in_the_first_step() {
    let mut app = app();
    let parent = spawn(&mut app, at(20.0, 0.0));
    let child = spawn(&mut app, (Collider::aabb(4.0, 0.4), ChildOf(parent)));
    assert!(hits(&mut app, child, 20.0, 0.0));
    assert!(!hits(&mut app, child, 0.0, 0.0));
    assert!(!hits(&mut app, child, 40.0, 0.0));
    // And with the collider inserted two frames later.
    let late = spawn(&mut app, (at(5.0, 50.0), ChildOf(parent)));
    step(&mut app);
    step(&mut app);
    app.world_mut().entity_mut(late).insert(Collider::circle(1.0));
    assert!(hits(&mut app, late, 25.0, 50.0));
}

#[test]
fn nothing_is_ever_at_the_origin_first() {
    for schedule in 0..4 {
        let mut app = app();
        spawn(&mut app, (Collider::circle(10.0), at(0.0, 0.0)));
        let spawn_far = |mut commands: Commands, mut done: Local<bool>| {
            if !std::mem::replace(&mut *done, true) {
                commands.spawn((Collider::circle(10.0), at(0.0, -100.0)));
                commands.spawn(at(0.0, -150.0)).with_child(Collider::circle(10.0));
            }
        };
        match schedule {
            0 => app.add_systems(PreUpdate, spawn_far),
            1 => app.add_systems(FixedUpdate, spawn_far),
            2 => app.add_systems(Update, spawn_far),
            _ => app.add_systems(PostUpdate, spawn_far),
        };
        for _ in 0..4 {
            assert!(step(&mut app).is_empty(), "schedule {schedule}");
        }
        assert_eq!(app.world().resource::<bevy_nudge::CollisionStats>().colliders, 3);
    }
}

#[test]
fn changes_of_any_ancestor_are_followed_in_the_same_step() {
    let mut app = app();
    let grandparent = spawn(&mut app, at(0.0, 0.0));
    let parent = spawn(&mut app, (at(0.0, 0.0), ChildOf(grandparent)));
    let child = spawn(&mut app, (Collider::aabb(10.0, 2.0), at(10.0, 0.0), ChildOf(parent)));
    assert!(hits(&mut app, child, 10.0, 0.0));
    app.world_mut().get_mut::<Transform>(parent).unwrap().rotation =
        Quat::from_rotation_z(FRAC_PI_2);
    assert!(hits(&mut app, child, 0.0, 10.0));
    assert!(!hits(&mut app, child, 10.0, 0.0));
    place(&mut app, grandparent, 100.0, 0.0);
    assert!(hits(&mut app, child, 100.0, 10.0));
    // Re-parented, and then without a parent.
    let other = spawn(&mut app, at(0.0, -50.0));
    app.world_mut().entity_mut(child).insert(ChildOf(other));
    assert!(hits(&mut app, child, 10.0, -50.0));
    app.world_mut().entity_mut(child).remove::<ChildOf>();
    assert!(hits(&mut app, child, 10.0, 0.0));
    assert!(!hits(&mut app, child, 10.0, -50.0));
}

#[test]
fn a_mirrored_collider_is_mirrored() {
    for on_parent in [false, true] {
        for (sx, sy) in [(-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)] {
            let mut app = app();
            let mirror = Transform::from_scale(Vec3::new(sx, sy, 1.0));
            let corners = [Vec2::ZERO, Vec2::new(2.0, 0.0), Vec2::Y];
            let triangle = spawn(&mut app, Collider::polygon(corners).unwrap());
            if on_parent {
                let parent = spawn(&mut app, mirror);
                app.world_mut().entity_mut(triangle).insert(ChildOf(parent));
            } else {
                app.world_mut().entity_mut(triangle).insert(mirror);
            }
            assert!(hits(&mut app, triangle, 0.5 * sx, 0.25 * sy), "{sx} {sy}");
            assert!(!hits(&mut app, triangle, -0.5 * sx, -0.25 * sy), "{sx} {sy}");
            let circle = spawn(&mut app, (Collider::circle(0.1), at(0.5 * sx, -0.05 * sy)));
            step(&mut app);
            let mtv = contacts(&app).between(triangle, circle).unwrap().mtv_for(circle).unwrap();
            assert!(mtv.distance(Vec2::new(0.0, -0.05 * sy)) < 1e-6, "{mtv}");
        }
    }
}

#[test]
fn a_turned_child_of_a_stretched_parent_is_sheared() {
    let mut app = app();
    let parent = spawn(&mut app, Transform::from_scale(Vec3::new(2.0, 1.0, 1.0)));
    let turned = Transform::from_rotation(Quat::from_rotation_z(FRAC_PI_4));
    let child = spawn(&mut app, (Collider::rectangle(2.0, 2.0).unwrap(), turned, ChildOf(parent)));
    assert!(hits(&mut app, child, 2.5, 0.0));
    assert!(hits(&mut app, child, 0.0, 1.4));
    assert!(!hits(&mut app, child, 1.5, 1.0));
}

#[test]
fn a_stretched_circle_is_a_circle_of_its_larger_half() {
    let mut app = app();
    let squeezed = Transform::from_scale(Vec3::new(0.7, 0.3, 1.0));
    spawn(&mut app, (Collider::circle(50.0), squeezed));
    let b = spawn(&mut app, (Collider::circle(50.0), squeezed));
    for (x, y) in [(0.0, 69.9), (69.9, 0.0)] {
        place(&mut app, b, x, y);
        step(&mut app);
        assert_eq!(contacts(&app).len(), 1, "{x} {y}");
    }
    place(&mut app, b, 0.0, 70.1);
    step(&mut app);
    assert!(contacts(&app).is_empty());
}

#[test]
fn an_upright_box_ignores_rotation_and_follows_scale() {
    let mut app = app();
    let turned = Transform {
        rotation: Quat::from_rotation_z(FRAC_PI_4),
        scale: Vec3::new(2.0, 3.0, 0.0),
        translation: Vec3::new(100.0, 0.0, 7.0),
    };
    let upright = spawn(&mut app, (Collider::aabb(2.0, 2.0), turned));
    assert!(hits(&mut app, upright, 101.9, 2.9));
    assert!(!hits(&mut app, upright, 102.1, 0.0));
    assert!(!hits(&mut app, upright, 100.0, 3.1));
}

#[test]
fn a_mover_of_update_is_seen_in_the_same_frame_by_a_step_in_post_update() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, CollisionPlugin::in_schedule(PostUpdate)));
    #[derive(Component)]
    struct Bullet;
    #[derive(Resource, Default)]
    struct Started(Option<f32>);
    app.init_resource::<Started>();
    app.add_systems(Update, |mut bullets: Query<&mut Transform, With<Bullet>>| {
        for mut bullet in &mut bullets {
            bullet.translation.x += 30.0;
        }
    });
    app.add_systems(
        PostUpdate,
        (|mut events: MessageReader<CollisionEvent>,
          bullets: Query<&Transform, With<Bullet>>,
          mut started: ResMut<Started>| {
            if events.read().any(CollisionEvent::is_started) {
                started.0 = bullets.iter().next().map(|bullet| bullet.translation.x);
            }
        })
        .after(CollisionSystems::Publish),
    );
    spawn(&mut app, (Collider::aabb(20.0, 100.0), at(100.0, 0.0)));
    spawn(&mut app, (Collider::circle(2.0), Bullet));
    for _ in 0..5 {
        app.update();
    }
    assert_eq!(app.world().resource::<Started>().0, Some(90.0));
}

#[test]
fn far_from_the_origin_a_contact_is_the_same() {
    for x in [0.0, 1e3, 1e5, 1e6] {
        let mut app = app();
        let a = spawn(&mut app, (Collider::aabb(16.0, 16.0), at(x, x)));
        let b = spawn(&mut app, (Collider::aabb(16.0, 16.0), at(x + 15.5, x)));
        step(&mut app);
        let pair = *contacts(&app).between(a, b).unwrap();
        assert_eq!(pair.mtv_for(a), Some(Vec2::new(-0.5, 0.0)), "at {x}");
    }
}
