//! A scene in which something is spawned and despawned in every step, for a very long time.

use std::time::Instant;

use bevy::ecs::schedule::{ScheduleLabel, SingleThreadedExecutor};
use bevy::prelude::*;
use bevy_nudge::CollisionStats;
use bevy_nudge::prelude::*;

use crate::common::{at, noise};
use crate::{alone, bytes_in_use};

#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct Step;

const ALIVE: usize = 100;

#[derive(Component)]
struct Velocity(Vec2);

/// What is alive, and what has been heard.
#[derive(Resource, Default)]
struct Life {
    entities: Vec<Entity>,
    started: u64,
    ended: u64,
    observed: u64,
}

fn make_app() -> App {
    let mut app = App::new();
    app.add_plugins((CollisionPlugin::in_schedule(Step), ResolutionPlugin))
        .init_resource::<Life>()
        .add_systems(
            Step,
            (
                (drift, churn).chain().before(CollisionSystems::Sync),
                count.after(CollisionSystems::Publish),
            ),
        )
        .add_observer(|_: On<CollisionEnded>, mut life: ResMut<Life>| life.observed += 1)
        .edit_schedule(Step, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        });
    for x in -6..=6 {
        for side in [-1.0, 1.0] {
            let place = at(8.0 * x as f32, 44.0 * side);
            app.world_mut().spawn((
                Collider::aabb(8.0, 8.0),
                StaticCollider,
                Solid::default(),
                place,
            ));
        }
    }
    app
}

fn drift(mut movers: Query<(&mut Transform, &Velocity)>) {
    for (mut transform, velocity) in &mut movers {
        let place = transform.translation + velocity.0.extend(0.0);
        // Round and round; the walls above and below hold back the solids.
        transform.translation = (place + 40.0).rem_euclid(Vec3::splat(80.0)) - 40.0;
        transform.translation.z = 0.0;
    }
}

/// Spawns one thing of some kind, and despawns or changes another.
fn churn(world: &mut World, mut random: Local<Option<Box<dyn FnMut() -> f32 + Send>>>) {
    let random = random.get_or_insert_with(|| Box::new(noise(11)));
    let place = at(80.0 * random() - 40.0, 80.0 * random() - 40.0);
    let collider = match (random() * 7.0) as usize {
        0 | 1 => Collider::circle(1.0 + 2.0 * random()),
        2 => Collider::aabb(3.0, 1.0 + 4.0 * random()),
        3 => Collider::regular_polygon(3 + (random() * 5.0) as usize, 2.0).unwrap(),
        4 => Collider::capsule(Vec2::ZERO, Vec2::X * 3.0, 1.0).unwrap(),
        5 => Collider::concave([(0.0, 0.0), (4.0, 0.0), (1.0, 1.0), (0.0, 4.0)].map(Vec2::from))
            .unwrap(),
        _ => Collider::circle(f32::NAN),
    };
    let velocity = Velocity(Vec2::new(random() - 0.5, random() - 0.5));
    let mut entity = world.spawn((collider, place, velocity));
    match (random() * 6.0) as usize {
        0 | 1 => _ = entity.insert(Solid::new(1.0 + random())),
        2 => _ = entity.insert((Solid::default(), Swept)),
        3 => _ = entity.insert(CollisionEventsEnabled),
        _ => {}
    }
    let entity = entity.id();
    let mut life = world.resource_mut::<Life>();
    life.entities.push(entity);
    let chosen = (random() * life.entities.len() as f32) as usize;
    if life.entities.len() > ALIVE {
        let victim = life.entities.swap_remove(chosen);
        world.despawn(victim);
        return;
    }
    let chosen = life.entities[chosen];
    let mut chosen = world.entity_mut(chosen);
    match (random() * 3.0) as usize {
        0 => _ = chosen.insert(ColliderDisabled),
        1 => _ = chosen.remove::<ColliderDisabled>(),
        _ => _ = chosen.insert(Collider::circle(2.0)),
    }
}

fn count(mut events: MessageReader<CollisionEvent>, mut life: ResMut<Life>) {
    for event in events.read() {
        life.started += u64::from(event.is_started());
        life.ended += u64::from(event.is_ended());
    }
}

fn step(app: &mut App) {
    app.world_mut().resource_mut::<Messages<CollisionEvent>>().update();
    app.world_mut().run_schedule(Step);
    app.world_mut().clear_trackers();
}

/// A twentieth of the run.
struct Part {
    bytes: usize,
    /// Of the fastest hundred steps, in microseconds per step: what else the machine does only
    /// ever makes a step slower.
    time: f64,
}

fn run(steps: u32) -> (App, Vec<Part>) {
    let mut app = make_app();
    let mut parts = Vec::new();
    println!("   steps  KiB in use  µs per step (fastest hundred steps)  µs per step (mean)");
    for part in 1..=20 {
        let (mut fastest, start) = (f64::INFINITY, Instant::now());
        let hundreds = (steps / 2000).max(1);
        for _ in 0..hundreds {
            let start = Instant::now();
            (0..100).for_each(|_| step(&mut app));
            fastest = fastest.min(start.elapsed().as_secs_f64() * 1e4);
        }
        let mean = start.elapsed().as_secs_f64() * 1e4 / f64::from(hundreds);
        let done = part * hundreds * 100;
        let kib = bytes_in_use() as f64 / 1024.0;
        println!("{done:8}  {kib:10.1}  {fastest:35.1}  {mean:18.1}");
        parts.push(Part { bytes: bytes_in_use(), time: fastest });
    }
    (app, parts)
}

/// In the first quarter the lists grow to what the scene needs. After it the most in use may be no
/// more than a little above what was in use then, however long the run: a leak of one pointer in
/// each step would be 6 MB in a million.
fn assert_flat_memory(parts: &[Part]) {
    let most = |parts: &[Part]| parts.iter().map(|part| part.bytes).max().unwrap_or(0);
    let (early, late) = (most(&parts[..5]), most(&parts[5..]));
    assert!(late <= early + early / 10, "{early} bytes in use early on, {late} later");
}

fn assert_all_ends_heard(app: &mut App) {
    let open = app.world().resource::<Contacts>().len() as u64;
    let life = app.world().resource::<Life>();
    assert_eq!(life.started, life.ended + open, "every start has one end");
    assert!(life.observed > 0 && life.ended > 1000, "only {} ends", life.ended);
    assert!(app.world().resource::<CollisionStats>().invalid_colliders > 0);
    println!("{} starts, {} of them open", life.started, open);
}

#[test]
fn a_churning_scene_needs_no_more_memory_in_time() {
    let _alone = alone();
    let (mut app, parts) = run(10_000);
    assert_flat_memory(&parts);
    assert_all_ends_heard(&mut app);
}

#[test]
#[ignore = "long: a million steps"]
fn a_million_churning_steps_need_no_more_memory_and_time_at_the_end() {
    let _alone = alone();
    let steps = std::env::var("NUDGE_STEPS")
        .map_or(1_000_000, |steps| steps.parse().expect("NUDGE_STEPS must be a whole number"));
    let (mut app, parts) = run(steps);
    assert_flat_memory(&parts);
    assert_all_ends_heard(&mut app);
    let fastest = |parts: &[Part]| parts.iter().map(|part| part.time).fold(f64::INFINITY, f64::min);
    let (early, late) = (fastest(&parts[2..7]), fastest(&parts[15..]));
    assert!(late < 1.5 * early, "{early} µs per step early on, {late} at the end");
}
