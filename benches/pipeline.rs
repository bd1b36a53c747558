//! Cost of one collision step in the scenes of `scenes/mod.rs`, by stage.
//!
//!     cargo bench --bench pipeline
//!     cargo bench --bench pipeline -- circles-10k clusters-100k --threads 2
//!
//! Prints one row per scene: the median time that the step adds to a frame (the same app without
//! the plugin subtracted), its stages, and the cost per mover relative to the smallest scene of the
//! kind. Machines differ and are noisy; compare the ratios of one run.

mod scenes;

use std::time::{Duration, Instant};

use bevy::app::{TaskPoolOptions, TaskPoolPlugin, TaskPoolThreadAssignmentPolicy};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_nudge::prelude::*;
use bevy_nudge::{CollisionStats, StageTimes};
use clap::Parser;
use scenes::{Body, Outline, Recipe, Scene};

/// Cost of one collision step, by stage.
#[derive(Parser)]
struct Options {
    /// Scenes by name; "all" for all of them, those that take long included; "start" for the first
    /// steps after a game spawns and despawns much at once; "edits" for a level of which one tile changes.
    scenes: Vec<String>,
    /// Threads for computing. Bevy's own choice on a machine of two cores is 1.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Push colliders apart, all of them solid. They go back to their places in every step.
    #[arg(long)]
    push_out: bool,
    /// What cargo hands to every bench.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() {
    let options = Options::parse();
    if options.scenes == ["start"] {
        return print_start(&options);
    }
    if options.scenes == ["edits"] {
        return print_edits(&options);
    }
    let recipes = match scenes::choose(&options.scenes) {
        Ok(recipes) => recipes,
        Err(name) => {
            let names: Vec<&str> = scenes::RECIPES.iter().map(|recipe| recipe.name).collect();
            eprintln!("no scene is called {name}; there are {}", names.join(", "));
            std::process::exit(1);
        }
    };
    print_stages(&recipes, &options);
    if options.scenes.is_empty() {
        println!();
        print_start(&options);
        print_edits(&options);
    }
}

fn print_stages(recipes: &[&Recipe], options: &Options) {
    println!(
        "{:<14} {:>7} {:>8} {:>7} {:>7} {:>7} {:>8} {:>7} {:>10} {:>8} {:>8} {:>10} {:>6}",
        "scene",
        "movers",
        "step ms",
        "sync",
        "broad",
        "narrow",
        "push-out",
        "publish",
        "candidates",
        "contacts",
        "ns each",
        "ns/contact",
        "growth"
    );
    let mut smallest: Option<(&str, f64)> = None;
    for recipe in recipes {
        let scene = recipe.scene();
        let with = measure(&scene, true, options);
        let without = measure(&scene, false, options);
        // The noise of two apps can be larger than a small step, which is no less than its stages.
        let step = with.frame.saturating_sub(without.frame).max(with.times.total());
        let nanoseconds = step.as_secs_f64() * 1e9;
        let each = nanoseconds / scene.movers() as f64;
        let kind = recipe.name.rsplit_once('-').map_or(recipe.name, |(kind, _)| kind);
        let (_, first) = *match &mut smallest {
            Some(smallest) if smallest.0 == kind => smallest,
            other => other.insert((kind, each)),
        };
        println!(
            "{:<14} {:>7} {:>8.3} {:>7.3} {:>7.3} {:>7.3} {:>8.3} {:>7.3} {:>10} {:>8} {each:>8.1} {:>10.1} {:>6.2}",
            recipe.name,
            scene.movers(),
            milliseconds(step),
            milliseconds(with.times.sync),
            milliseconds(with.times.broad_phase),
            milliseconds(with.times.narrow_phase),
            milliseconds(with.times.resolve),
            milliseconds(with.times.publish),
            with.candidates,
            with.contacts,
            nanoseconds / with.contacts.max(1) as f64,
            each / first,
        );
    }
}

/// What the steps cost in which much is new or gone, beside a steady one.
fn print_start(options: &Options) {
    let scene =
        scenes::choose(&["circles-100k".to_owned()]).expect("a scene of that name")[0].scene();
    let [with, without] = [true, false].map(|collides| {
        let mut app = app(collides, options);
        let mut frames = Vec::new();
        let mut frame = |app: &mut App| {
            let start = Instant::now();
            app.update();
            frames.push(start.elapsed());
        };
        let entities = spawn(&mut app, &scene, collides);
        // The first update always has a delta of zero and so makes no step.
        app.update();
        frame(&mut app);
        for entity in entities.iter().step_by(2) {
            app.world_mut().despawn(*entity);
        }
        frame(&mut app);
        for _ in 0..21 {
            frame(&mut app);
        }
        frames
    });
    let mut steps: Vec<f64> = with
        .iter()
        .zip(&without)
        .map(|(with, without)| milliseconds(with.saturating_sub(*without)))
        .collect();
    let mut steady = steps.split_off(2);
    steady.sort_by(f64::total_cmp);
    let steady = steady[steady.len() / 2];
    println!(
        "ms of a step: first with 100,000 circles {:.2}, half of them gone {:.2}, steady with 50,000 {steady:.2}",
        steps[0], steps[1]
    );
}

/// What a step costs in which one of 100,000 tiles moves, is gone or is new, beside a steady one.
fn print_edits(options: &Options) {
    let scene =
        scenes::choose(&["tiles-100k".to_owned()]).expect("a scene of that name")[0].scene();
    let mut app = app(true, options);
    let entities = spawn(&mut app, &scene, true);
    let mut tiles = scene.bodies.iter().zip(entities).filter(|(body, _)| body.is_static());
    (0..5).for_each(|_| app.update());
    let mut median = |edit: &mut dyn FnMut(&mut World)| {
        let mut times: Vec<Duration> = (0..41)
            .map(|_| {
                edit(app.world_mut());
                app.update();
                app.world().resource::<CollisionStats>().times.total()
            })
            .collect();
        times.sort_unstable();
        milliseconds(times[times.len() / 2])
    };
    let mut tile = || tiles.nth(101).expect("enough tiles");
    let steady = median(&mut |_| ());
    let moved = median(&mut |world| {
        world.get_mut::<Transform>(tile().1).expect("a tile").translation.y += 0.5;
    });
    let gone = median(&mut |world| _ = world.despawn(tile().1));
    let new = median(&mut |world| {
        let body = tile().0;
        let place = Transform::from_translation(body.place(0).extend(0.0));
        world.spawn((place, collider(body), StaticCollider));
    });
    println!(
        "ms of a step on 100,000 tiles: steady {steady:.3}, one tile moved {moved:.3}, gone {gone:.3}, new {new:.3}"
    );
}

struct Measured {
    frame: Duration,
    times: StageTimes,
    candidates: usize,
    contacts: usize,
}

/// Median of many frames in which every mover moves. Without collision the entities move, and that
/// is all.
fn measure(scene: &Scene, collides: bool, options: &Options) -> Measured {
    let mut app = app(collides, options);
    spawn(&mut app, scene, collides);
    app.update();
    let frames = (1_000_000 / scene.bodies.len()).clamp(20, 200);
    let mut samples = Vec::new();
    for frame in 0..frames + 5 {
        let start = Instant::now();
        app.update();
        let elapsed = start.elapsed();
        if frame >= 5 {
            samples.push((elapsed, app.world().resource::<CollisionStats>().times));
        }
    }
    let stats = app.world().resource::<CollisionStats>();
    let median = |pick: fn(&(Duration, StageTimes)) -> Duration| {
        let mut all: Vec<Duration> = samples.iter().map(pick).collect();
        all.sort_unstable();
        all[all.len() / 2]
    };
    let times = StageTimes {
        sync: median(|sample| sample.1.sync),
        broad_phase: median(|sample| sample.1.broad_phase),
        narrow_phase: median(|sample| sample.1.narrow_phase),
        resolve: median(|sample| sample.1.resolve),
        publish: median(|sample| sample.1.publish),
    };
    Measured {
        frame: median(|sample| sample.0),
        times,
        candidates: stats.candidates,
        contacts: stats.contacts,
    }
}

/// A headless app whose every update is one step.
fn app(collides: bool, options: &Options) -> App {
    let some = |threads| TaskPoolThreadAssignmentPolicy {
        min_threads: threads,
        max_threads: threads,
        percent: 1.0,
        on_thread_spawn: None,
        on_thread_destroy: None,
    };
    let task_pool_options = TaskPoolOptions {
        min_total_threads: options.threads + 2,
        max_total_threads: options.threads + 2,
        io: some(1),
        async_compute: some(1),
        compute: some(options.threads),
    };
    let mut app = App::new();
    app.add_plugins((MinimalPlugins.set(TaskPoolPlugin { task_pool_options }), TransformPlugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .init_resource::<CollisionStats>()
        .add_systems(FixedPreUpdate, walk);
    if collides {
        app.add_plugins(CollisionPlugin::default());
    }
    if collides && options.push_out {
        app.add_plugins(ResolutionPlugin);
        app.add_observer(|added: On<Add, Collider>, mut commands: Commands| {
            commands.entity(added.entity).insert(Solid::default());
        });
    }
    app.finish();
    app.cleanup();
    app
}

fn spawn(app: &mut App, scene: &Scene, collides: bool) -> Vec<Entity> {
    let world = app.world_mut();
    let spawn = |body: &Body| {
        let place = Transform::from_translation(body.place(0).extend(0.0));
        match (collides, body.is_static()) {
            (true, false) => world.spawn((place, Mover(*body), collider(body))),
            (true, true) => world.spawn((place, collider(body), StaticCollider)),
            (false, false) => world.spawn((place, Mover(*body))),
            (false, true) => world.spawn(place),
        }
        .id()
    };
    scene.bodies.iter().map(spawn).collect()
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

#[derive(Component)]
struct Mover(Body);

fn walk(mut step: Local<u32>, mut movers: Query<(&mut Transform, &Mover)>) {
    *step += 1;
    for (mut transform, mover) in &mut movers {
        transform.translation = mover.0.place(*step).extend(0.0);
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
