//! The same input gives the same bits: across runs, threads, and spawn orders.

mod common;

use bevy::app::TaskPoolPlugin;
use bevy::prelude::*;
use bevy::tasks::{ComputeTaskPool, TaskPoolBuilder};
use bevy_nudge::prelude::*;
use common::*;

const MOVERS: usize = 3000;

#[derive(Component)]
struct Velocity(Vec2);

/// Bounces about in a box; the bits of everything that was said in 30 steps, and the last places.
fn run(order: impl Fn(usize) -> usize, junk: usize) -> (u64, Vec<Vec2>, usize) {
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin::default(),
        CollisionPlugin::in_schedule(Update),
        ResolutionPlugin,
    ));
    app.add_systems(
        Update,
        (|mut movers: Query<(&mut Transform, &Velocity)>| {
            for (mut transform, velocity) in &mut movers {
                transform.translation += velocity.0.extend(0.0);
                transform.rotate_z(0.1);
            }
        })
        .before(CollisionSystems::Sync),
    );
    let mut entities = vec![Entity::PLACEHOLDER; MOVERS];
    for count in 0..MOVERS {
        for _ in 0..(count * junk) % 3 {
            spawn(&mut app, Transform::default());
        }
        let i = order(count);
        let mut random = noise(i as u64);
        let place = at(400.0 * random(), 400.0 * random());
        let velocity = Velocity(Vec2::new(random() - 0.5, random() - 0.5));
        let collider = match i % 3 {
            0 => Collider::circle(2.0 + 3.0 * random()),
            1 => Collider::aabb(8.0, 3.0 + 4.0 * random()),
            _ => Collider::regular_polygon(3 + i % 5, 4.0).unwrap(),
        };
        entities[i] = spawn(&mut app, (collider, place, velocity));
        if i.is_multiple_of(4) {
            app.world_mut().entity_mut(entities[i]).insert(Solid::new(1.0 + random()));
        }
    }
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut contacts_met = 0;
    let index: std::collections::HashMap<Entity, usize> =
        entities.iter().enumerate().map(|(i, entity)| (*entity, i)).collect();
    for _ in 0..30 {
        app.update();
        // By index, so that the order of spawning does not show.
        let mut lines: Vec<[u32; 7]> = contacts(&app)
            .iter()
            .map(|pair| {
                let (a, b) = (index[&pair.a], index[&pair.b]);
                let contact = if a < b { pair.contact } else { pair.contact.flipped() };
                // A zero may have either sign after a flip.
                let bits = |x: f32| (x + 0.0).to_bits();
                [
                    a.min(b) as u32,
                    a.max(b) as u32,
                    bits(contact.normal.x),
                    bits(contact.normal.y),
                    bits(contact.depth),
                    bits(contact.point.x),
                    bits(contact.point.y),
                ]
            })
            .collect();
        lines.sort_unstable();
        contacts_met += lines.len();
        for word in lines.into_iter().flatten() {
            // FNV-1a (Fowler, Noll and Vo).
            hash = (hash ^ u64::from(word)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    (hash, entities.iter().map(|&entity| position(&app, entity)).collect(), contacts_met)
}

#[test]
fn runs_spawn_orders_and_neighbours_change_nothing() {
    // More threads than the machine may have, so that work is split.
    ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(4).build());
    assert_eq!(ComputeTaskPool::get().thread_num(), 4);
    let expected = run(|i| i, 0);
    assert!(expected.2 > 10_000, "only {} contacts", expected.2);
    assert_eq!(run(|i| i, 0), expected, "another run");
    assert_eq!(run(|i| MOVERS - 1 - i, 0), expected, "spawned in reverse");
    assert_eq!(run(|i| (i * 1009) % MOVERS, 1), expected, "spawned in disorder, with junk between");
    println!("hash {:016x}", expected.0);
    // Also the same in debug and release builds.
    assert_eq!(expected.0, GOLDEN);
}

/// What [`run`] says, on every machine. Changes only with the results; say why in the commit.
const GOLDEN: u64 = 0x1b1d_04a0_98c7_cb2c;
