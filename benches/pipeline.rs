//! Cost of one collision step at 1,000, 10,000 and 100,000 moving colliders.
//!
//!     cargo bench --bench pipeline
//!
//! Prints one row per scene and size: the median time that the step adds to a frame (the same app
//! without the plugin subtracted), its stages, and the cost per collider relative to the smallest
//! size. Machines differ and are noisy; compare the ratios of one run.

use std::time::{Duration, Instant};

use bevy::app::TaskPoolPlugin;
use bevy::prelude::*;
use bevy_nudge::prelude::*;
use bevy_nudge::{CollisionStats, StageTimes};

const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

/// How the colliders of a scene look.
type Shapes = fn(usize) -> Collider;

const SCENES: [(&str, Shapes); 2] = [
    ("circles", |_| Collider::circle(5.0)),
    ("mixed", |i| match i % 3 {
        0 => Collider::circle(5.0),
        1 => Collider::aabb(10.0, 8.0),
        _ => Collider::regular_polygon(5 + i % 3, 5.0).unwrap_or_default(),
    }),
];

fn main() {
    println!(
        "{:<8} {:>7} {:>8} {:>7} {:>7} {:>7} {:>7} {:>9} {:>8} {:>6}",
        "scene",
        "movers",
        "step ms",
        "sync",
        "broad",
        "narrow",
        "publish",
        "contacts",
        "ns each",
        "growth"
    );
    for (name, shapes) in SCENES {
        let mut smallest = None;
        for movers in SIZES {
            let with = measure(movers, Some(shapes));
            let without = measure(movers, None);
            let step = with.frame.saturating_sub(without.frame);
            let each = step.as_secs_f64() * 1e9 / movers as f64;
            let growth = each / *smallest.get_or_insert(each);
            println!(
                "{name:<8} {movers:>7} {:>8.3} {:>7.3} {:>7.3} {:>7.3} {:>7.3} {:>9} {each:>8.1} {growth:>6.2}",
                milliseconds(step),
                milliseconds(with.times.sync),
                milliseconds(with.times.broad_phase),
                milliseconds(with.times.narrow_phase),
                milliseconds(with.times.publish),
                with.contacts,
            );
        }
    }
}

struct Measured {
    frame: Duration,
    times: StageTimes,
    contacts: usize,
}

/// Median of many frames in which every entity moves. Without shapes the entities move, and
/// nothing collides.
fn measure(movers: usize, shapes: Option<Shapes>) -> Measured {
    let mut app = App::new();
    app.add_plugins(TaskPoolPlugin::default());
    app.init_resource::<CollisionStats>()
        .add_systems(Update, wander.before(CollisionSystems::Sync));
    if shapes.is_some() {
        app.add_plugins(CollisionPlugin::in_schedule(Update));
    }
    // An area in which about every second collider touches another.
    let side = (movers as f32 * 310.0).sqrt();
    let mut random = noise();
    for i in 0..movers {
        let place = Transform::from_xyz(side * random(), side * random(), 0.0);
        let angle = random() * std::f32::consts::TAU;
        let mut entity =
            app.world_mut().spawn((place, Heading(Vec2::from_angle(angle) * 0.5, side)));
        if let Some(shapes) = shapes {
            entity.insert(shapes(i));
        }
    }
    let frames = (200_000 / movers).clamp(20, 200);
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
    Measured { frame: median(|sample| sample.0), times, contacts: stats.contacts }
}

#[derive(Component)]
struct Heading(Vec2, f32);

/// Straight on, and back in at the other side.
fn wander(mut movers: Query<(&mut Transform, &Heading)>) {
    for (mut transform, heading) in &mut movers {
        let place = transform.translation.truncate() + heading.0;
        transform.translation = place.rem_euclid(Vec2::splat(heading.1)).extend(0.0);
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Numbers in 0..1 that are the same in every run.
fn noise() -> impl FnMut() -> f32 {
    let mut state = 1_u64;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1_u64 << 24) as f32
    }
}
