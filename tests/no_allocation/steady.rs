//! Scenes in which everything moves, and that come back to where they were every 16 steps.

use bevy::ecs::schedule::{ScheduleLabel, SingleThreadedExecutor};
use bevy::math::Affine2;
use bevy::prelude::*;
use bevy::tasks::{ComputeTaskPool, TaskPoolBuilder};
use bevy_nudge::CollisionStats;
use bevy_nudge::geometry::{CompoundPart, ConcavePolygon, PlacedShape};
use bevy_nudge::prelude::*;

use crate::common::{at, child_mode, noise, run_in_a_child, spawn};
use crate::{alone, least_allocations};

/// The collision step and what is around it, by one thread.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct Step;

/// Steps until everything is back where it was.
const PERIOD: u32 = 16;

#[derive(Component)]
struct Orbit {
    center: Vec2,
    radius: f32,
    phase: u32,
}

/// Counts steps, and what readers and observers have met.
#[derive(Resource, Default)]
struct Tally {
    steps: u32,
    met: usize,
}

fn go_round(mut movers: Query<(&mut Transform, &Orbit)>, mut tally: ResMut<Tally>) {
    for (mut transform, orbit) in &mut movers {
        let turn = (tally.steps + orbit.phase) % PERIOD;
        let angle = turn as f32 * std::f32::consts::TAU / PERIOD as f32;
        let place = orbit.center + Vec2::from_angle(angle) * orbit.radius;
        transform.translation = place.extend(0.0);
        transform.rotation = Quat::from_rotation_z(angle);
    }
    tally.steps += 1;
}

fn make_app() -> App {
    let mut app = App::new();
    app.add_plugins(CollisionPlugin::in_schedule(Step))
        .init_resource::<Tally>()
        .add_systems(Step, go_round.before(CollisionSystems::Sync))
        .edit_schedule(Step, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        });
    app
}

fn step(app: &mut App) {
    app.world_mut().resource_mut::<Messages<CollisionEvent>>().update();
    app.world_mut().run_schedule(Step);
}

/// Movers of all convex kinds, in a square in which about half of them meet another.
fn spawn_crowd(app: &mut App, count: usize) -> Vec<Entity> {
    let mut random = noise(3);
    let side = 6.0 * (count as f32).sqrt();
    let shapes = [
        Collider::circle(2.0),
        Collider::aabb(3.0, 4.0),
        Collider::regular_polygon(5, 2.0).unwrap(),
        Collider::capsule(Vec2::NEG_X, Vec2::X, 1.0).unwrap(),
        Collider::segment(Vec2::NEG_Y, Vec2::Y * 2.0).unwrap(),
    ];
    let crowd = (0..count).map(|i| {
        let center = Vec2::new(random(), random()) * side;
        let (radius, phase) = (1.0 + 4.0 * random(), (random() * PERIOD as f32) as u32);
        let shape = shapes[i % shapes.len()].clone();
        spawn(app, (shape, at(0.0, 0.0), Orbit { center, radius, phase }))
    });
    crowd.collect()
}

/// Movers of many corners, of many pieces, and of many parts.
fn spawn_dented(app: &mut App) {
    let star = (0..20).map(|i| {
        let radius = if i % 2 == 0 { 3.0 } else { 1.5 };
        Vec2::from_angle(i as f32 * std::f32::consts::TAU / 20.0) * radius
    });
    let star = ConcavePolygon::new(star).unwrap();
    let parts = [
        CompoundPart::from(star.clone()),
        CompoundPart::at(Collider::circle(1.0).shape, Vec2::X * 4.0),
        CompoundPart::at(Collider::rectangle(8.0, 1.0).unwrap().shape, Vec2::NEG_Y * 3.0),
    ];
    let shapes = [
        Collider::new(star),
        Collider::compound(parts).unwrap(),
        Collider::regular_polygon(15, 3.0).unwrap(),
    ];
    let crowd = spawn_crowd(app, 45);
    for (i, entity) in crowd.into_iter().enumerate() {
        app.world_mut().entity_mut(entity).insert(shapes[i % shapes.len()].clone());
    }
}

fn spawn_tiles(app: &mut App, side: i32) {
    for x in 0..side {
        for y in 0..side {
            let place = at(12.0 * x as f32, 12.0 * y as f32);
            spawn(app, (Collider::aabb(8.0, 8.0), StaticCollider, place));
        }
    }
}

fn make_solid(app: &mut App) {
    let mut colliders = app.world_mut().query_filtered::<Entity, With<Collider>>();
    let all: Vec<Entity> = colliders.iter(app.world()).collect();
    for (i, entity) in all.into_iter().enumerate() {
        app.world_mut().entity_mut(entity).insert(Solid::new(1.0 + (i % 3) as f32));
    }
}

fn make_swept(app: &mut App) {
    let mut movers = app.world_mut().query_filtered::<Entity, With<Orbit>>();
    let all: Vec<Entity> = movers.iter(app.world()).collect();
    for entity in all.into_iter().step_by(2) {
        app.world_mut().entity_mut(entity).insert(Swept);
    }
}

fn read_events(mut events: MessageReader<CollisionEvent>, mut tally: ResMut<Tally>) {
    tally.met += events.read().count();
}

fn read_contacts(
    contacts: Res<Contacts>,
    movers: Query<Entity, With<Orbit>>,
    mut tally: ResMut<Tally>,
) {
    for mover in &movers {
        tally.met += contacts.of(mover).count();
    }
}

fn ask(colliders: CollisionQuery, mut tally: ResMut<Tally>) {
    let everything = CollisionFilter::default();
    let probe = Collider::circle(3.0).shape;
    for i in 0..20 {
        let point = Vec2::splat(3.0 * i as f32);
        let placed = PlacedShape::new(&probe, Affine2::from_translation(point)).unwrap();
        let ray = bevy_nudge::geometry::Ray::new(point, Vec2::new(0.3, -1.0)).unwrap();
        tally.met += usize::from(colliders.first_at_point(point, &everything).is_some());
        tally.met += usize::from(colliders.cast_ray(&ray, &everything).is_some());
        tally.met +=
            usize::from(colliders.cast_shape(&placed, Vec2::X * 50.0, &everything).is_some());
    }
}

/// How often the steps of two periods allocate, after so many of them that lists of changing lengths
/// have all been long.
fn steady(app: &mut App, periods: u32) -> usize {
    for _ in 0..periods * PERIOD {
        step(app);
    }
    app.world_mut().resource_mut::<Tally>().met = 0;
    least_allocations(|| (0..2 * PERIOD).for_each(|_| step(app)))
}

struct Case {
    name: &'static str,
    build: fn(&mut App),
    /// Whether something reads, hears or asks, and so must have met something.
    is_heard: bool,
}

const CASES: [Case; 13] = [
    Case {
        name: "movers of all convex kinds",
        build: |app| _ = spawn_crowd(app, 300),
        is_heard: false,
    },
    Case { name: "concave and compound movers", build: spawn_dented, is_heard: false },
    Case {
        name: "concave and compound solids, swept",
        build: |app| {
            app.add_plugins(ResolutionPlugin);
            spawn_dented(app);
            spawn_tiles(app, 9);
            make_solid(app);
            make_swept(app);
        },
        is_heard: false,
    },
    Case {
        name: "movers among static ones",
        build: |app| {
            spawn_crowd(app, 300);
            spawn_tiles(app, 9);
        },
        is_heard: false,
    },
    Case {
        name: "children of moving parents",
        build: |app| {
            for parent in spawn_crowd(app, 150) {
                spawn(app, (Collider::circle(1.5), at(2.0, 1.0), ChildOf(parent)));
            }
        },
        is_heard: false,
    },
    Case {
        name: "unsound colliders among sound ones",
        build: |app| {
            spawn_crowd(app, 300);
            for i in 0..20 {
                spawn(app, (Collider::circle(-1.0), at(i as f32, 0.0)));
                spawn(app, (Collider::circle(1.0), at(f32::NAN, 0.0)));
            }
        },
        is_heard: false,
    },
    Case {
        name: "a reader of all messages",
        build: |app| {
            spawn_crowd(app, 300);
            app.add_systems(Step, read_events.after(CollisionSystems::Publish));
        },
        is_heard: true,
    },
    Case {
        name: "a reader of the contacts of each entity",
        build: |app| {
            spawn_crowd(app, 300);
            app.add_systems(Step, read_contacts.after(CollisionSystems::Publish));
        },
        is_heard: true,
    },
    Case {
        name: "observers of starts and ends",
        build: |app| {
            let crowd = spawn_crowd(app, 300);
            for mover in crowd {
                app.world_mut().entity_mut(mover).insert(CollisionEventsEnabled);
            }
            app.add_observer(|_: On<CollisionStarted>, mut tally: ResMut<Tally>| tally.met += 1);
            app.add_observer(|_: On<CollisionEnded>, mut tally: ResMut<Tally>| tally.met += 1);
        },
        is_heard: true,
    },
    Case {
        name: "queries",
        build: |app| {
            spawn_crowd(app, 300);
            spawn_tiles(app, 9);
            app.add_systems(Step, ask.after(CollisionSystems::Publish));
        },
        is_heard: true,
    },
    Case {
        name: "push-out",
        build: |app| {
            app.add_plugins(ResolutionPlugin);
            spawn_crowd(app, 300);
            spawn_tiles(app, 9);
            make_solid(app);
        },
        is_heard: false,
    },
    Case {
        name: "swept sensors",
        build: |app| {
            spawn_crowd(app, 300);
            spawn_tiles(app, 9);
            make_swept(app);
        },
        is_heard: false,
    },
    Case {
        name: "swept solids with push-out",
        build: |app| {
            app.add_plugins(ResolutionPlugin);
            spawn_crowd(app, 300);
            spawn_tiles(app, 9);
            make_solid(app);
            make_swept(app);
        },
        is_heard: false,
    },
];

#[test]
fn a_steady_step_allocates_nothing() {
    let _alone = alone();
    let mut faults = Vec::new();
    for case in &CASES {
        let mut app = make_app();
        (case.build)(&mut app);
        // What is pushed does not come back to the same places soon.
        let count = steady(&mut app, 24);
        let name = case.name;
        println!("{name}: {count} allocations in {} steps", 2 * PERIOD);
        if count > 0 {
            faults.push(format!("{name}: {count}"));
        }
        let contacts = app.world().resource::<CollisionStats>().contacts;
        assert!(contacts > 20, "{name}: only {contacts} contacts");
        let pushes = app.world().get_resource::<Pushes>().map(|pushes| pushes.iter().len());
        assert!(pushes.is_none_or(|pushes| pushes > 20), "{name}: only {pushes:?} pushes");
        let met = app.world().resource::<Tally>().met;
        assert!(!case.is_heard || met > 20, "{name}: only {met} were heard");
    }
    assert!(faults.is_empty(), "allocations in {} steps: {faults:#?}", 2 * PERIOD);
}

/// In a process of its own, whose task pool has four threads.
#[test]
fn the_task_pool_costs_a_few_allocations_whatever_the_number_of_colliders() {
    let _alone = alone();
    if child_mode().is_none() {
        let name = "steady::the_task_pool_costs_a_few_allocations_whatever_the_number_of_colliders";
        println!("{}", run_in_a_child(name, "four threads"));
        return;
    }
    ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(4).build());
    let per_step = |count: usize| {
        let mut app = make_app();
        spawn_crowd(&mut app, count);
        let allocations = steady(&mut app, 4);
        let contacts = app.world().resource::<CollisionStats>().contacts;
        assert!(contacts > count / 4, "only {contacts} contacts of {count}");
        allocations as f32 / (2 * PERIOD) as f32
    };
    let counts = [5_000, 10_000, 20_000].map(per_step);
    println!("{counts:?} allocations per step");
    // At most four tasks for each thread in each of three places, each with its future, its handle
    // and its place in the queue.
    let most = 4.0 * 4.0 * 3.0 * 3.0;
    assert!(counts.iter().all(|&count| count <= most), "{counts:?} allocations per step");
}
