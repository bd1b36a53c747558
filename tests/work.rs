//! How much work a step does, in counts: it must not grow where nothing asks for it.

mod common;

use bevy::prelude::*;
use bevy_nudge::CollisionStats;
use bevy_nudge::prelude::*;
use common::{app, step};

#[derive(Component)]
struct Mover;

fn move_all(mut movers: Query<&mut Transform, With<Mover>>) {
    for mut transform in &mut movers {
        transform.translation.x += 0.25;
    }
}

fn moving_app() -> App {
    let mut app = app();
    app.add_systems(FixedUpdate, move_all);
    app
}

fn stats(app: &App) -> CollisionStats {
    app.world().resource::<CollisionStats>().clone()
}

fn at(x: f32, y: f32) -> Transform {
    Transform::from_xyz(x, y, 0.0)
}

/// Numbers in 0..1, the same in every run.
fn noise() -> impl FnMut() -> f32 {
    let mut state = 7_u64;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 40) as f32 / (1_u64 << 24) as f32
    }
}

/// Movers at a density of one per 300 square units.
fn spread(app: &mut App, count: usize, middle: Vec2) {
    let side = (count as f32 * 300.0).sqrt();
    let mut random = noise();
    for i in 0..count {
        let place = middle + (Vec2::new(random(), random()) - 0.5) * side;
        let collider = match i % 3 {
            0 => Collider::circle(5.0),
            1 => Collider::aabb(10.0, 8.0),
            _ => Collider::regular_polygon(6, 5.0).expect("a hexagon"),
        };
        app.world_mut().spawn((collider, at(place.x, place.y), Mover));
    }
}

/// A level of tiles that share edges, and a few movers on it. Returns the tiles.
fn level(app: &mut App, side: usize, movers: usize) -> Vec<Entity> {
    let tile = |i: usize| at((i % side) as f32 * 16.0, (i / side) as f32 * 16.0);
    let tiles: Vec<Entity> = (0..side * side)
        .map(|i| app.world_mut().spawn((Collider::aabb(16.0, 16.0), StaticCollider, tile(i))).id())
        .collect();
    let mut random = noise();
    for _ in 0..movers {
        let (x, y) = (random() * side as f32 * 8.0, random() * side as f32 * 8.0);
        app.world_mut().spawn((Collider::circle(5.0), at(x, y), Mover));
    }
    tiles
}

#[test]
fn unchanged_static_colliders_are_not_looked_at() {
    let mut app = moving_app();
    let tiles = level(&mut app, 100, 50);
    step(&mut app);
    assert_eq!(stats(&app).read_colliders, 10_050, "all of them are new");
    assert_eq!(stats(&app).sorted_colliders, 10_050);
    step(&mut app);
    let still = stats(&app);
    assert_eq!((still.read_colliders, still.sorted_colliders), (50, 50));
    assert_eq!((still.colliders, still.static_colliders), (10_050, 10_000));
    assert!(still.contacts >= 50, "each mover lies on tiles: {}", still.contacts);

    // A tile that moves costs itself, in a small grid of what has changed.
    let place = tiles[5050];
    app.world_mut().get_mut::<Transform>(place).unwrap().translation.y += 4.0;
    step(&mut app);
    assert_eq!((stats(&app).read_colliders, stats(&app).sorted_colliders), (51, 51));
    step(&mut app);
    assert_eq!((stats(&app).read_colliders, stats(&app).sorted_colliders), (50, 50));

    // One that goes costs a look at the one that took its place in the table of the ECS, and one
    // that comes a look at itself.
    app.world_mut().despawn(tiles[77]);
    step(&mut app);
    assert_eq!(stats(&app).read_colliders, 51);
    assert!(stats(&app).sorted_colliders <= 52, "{}", stats(&app).sorted_colliders);
    assert_eq!(stats(&app).static_colliders, 9_999);
    app.world_mut().spawn((Collider::aabb(16.0, 16.0), StaticCollider, at(-100.0, 0.0)));
    step(&mut app);
    assert_eq!((stats(&app).read_colliders, stats(&app).static_colliders), (51, 10_000));
    app.world_mut().despawn(tiles[78]);
    step(&mut app);
    assert_eq!(stats(&app).static_colliders, 9_999);
    step(&mut app);
    assert_eq!((stats(&app).read_colliders, stats(&app).sorted_colliders), (50, 50));

    // So many changes that the level is sorted anew, once.
    for &tile in &tiles[1000..3000] {
        app.world_mut().get_mut::<Transform>(tile).unwrap().translation.y += 4.0;
    }
    step(&mut app);
    assert_eq!((stats(&app).read_colliders, stats(&app).sorted_colliders), (2050, 50 + 9_999));
    step(&mut app);
    assert_eq!((stats(&app).read_colliders, stats(&app).sorted_colliders), (50, 50));
}

#[test]
fn a_level_costs_a_mover_no_more_than_the_tiles_near_it() {
    let [small, large] = [40, 160].map(|side| {
        let mut app = moving_app();
        level(&mut app, side, 100);
        step(&mut app);
        step(&mut app);
        stats(&app)
    });
    // A mover of 10 by 10 looks at no more than 3 by 3 tiles of 16 by 16, and a column at each end.
    for stats in [small, large] {
        let each = stats.compared_bounds / 100;
        assert!(each <= 16, "{each} comparisons for each mover");
    }
}

#[test]
fn the_work_for_a_mover_does_not_grow_with_their_number() {
    let [few, many] = [1_000, 16_000].map(|count| {
        let mut app = moving_app();
        spread(&mut app, count, Vec2::ZERO);
        step(&mut app);
        step(&mut app);
        let stats = stats(&app);
        let each = |work: usize| work as f32 / count as f32;
        [each(stats.compared_bounds), each(stats.candidates), each(stats.contacts)]
    });
    // Only those at the border have fewer neighbours.
    for (few, many) in few.into_iter().zip(many) {
        assert!(many <= few * 1.15, "{few} for each of 1,000, {many} for each of 16,000");
    }
    let [compared, candidates, contacts] = many;
    assert!(compared <= 2.0 * candidates, "{compared} comparisons, {candidates} candidates");
    assert!(candidates <= 1.5 * contacts, "{candidates} candidates, {contacts} contacts");
}

#[test]
fn distance_from_the_origin_and_empty_space_cost_nothing() {
    let works = [Vec2::ZERO, Vec2::new(1e6, -1e6)].map(|middle| {
        let mut app = moving_app();
        spread(&mut app, 2_000, middle);
        // Two who are alone, far away from all others.
        for x in [-1e9, 1e9] {
            app.world_mut().spawn((Collider::circle(5.0), at(x, 1e9), Mover));
        }
        step(&mut app);
        step(&mut app);
        stats(&app).compared_bounds as f32
    });
    assert!((works[0] - works[1]).abs() <= 0.1 * works[0], "{works:?}");
}

#[test]
fn one_giant_and_many_sizes_do_not_make_all_meet_all() {
    let mut app = moving_app();
    spread(&mut app, 4_000, Vec2::ZERO);
    step(&mut app);
    step(&mut app);
    let without = stats(&app).compared_bounds;
    app.world_mut().spawn((Collider::circle(5_000.0), at(5_200.0, 0.0), Mover));
    step(&mut app);
    let with = stats(&app);
    // It is compared with what lies in its own rows, not each with it.
    let extra = with.compared_bounds - without;
    assert!(extra <= 4_000, "{extra} more comparisons for one giant among 4,000");

    // Sizes over six orders of magnitude.
    let mut app = moving_app();
    let mut random = noise();
    for _ in 0..4_000 {
        let radius = 10.0_f32.powf(random() * 6.0 - 3.0);
        let place = Vec2::new(random(), random()) * 32_000.0;
        app.world_mut().spawn((Collider::circle(radius), at(place.x, place.y), Mover));
    }
    step(&mut app);
    step(&mut app);
    let compared = stats(&app).compared_bounds;
    assert!(compared <= 4_000 * 12, "{compared} comparisons, all pairs would be 8 million");
}
