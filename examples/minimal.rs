//! Three colliders, a few steps, and each event with its MTV.
//!
//!     cargo run --example minimal
//!
//! Change first: the speed of the player, or leave `Solid` out.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

#[path = "shared/options.rs"]
#[expect(dead_code, reason = "the examples with a window parse more")]
mod options;

fn main() {
    let options = options::Options::parse_without_window("minimal", "Prints a few collisions.");
    let mut app = App::new();
    example(&mut app);
    for _ in 0..options.frames.unwrap_or(8) {
        app.update();
    }
}

fn example(app: &mut App) {
    // In `Update` every frame is a step, so that the output is always the same.
    app.add_plugins((MinimalPlugins, CollisionPlugin::in_schedule(Update), ResolutionPlugin))
        .add_systems(Startup, spawn)
        .add_systems(Update, walk.before(CollisionSystems::Sync))
        .add_systems(Update, print_events.after(CollisionSystems::Publish));
}

#[derive(Component)]
struct Player;

fn spawn(mut commands: Commands) {
    commands.spawn((Name::new("player"), Player, Solid::default(), Collider::circle(1.0)));
    commands.spawn((Name::new("coin"), Collider::circle(0.5), Transform::from_xyz(2.5, 0.5, 0.0)));
    commands.spawn((
        Name::new("wall"),
        Collider::aabb(2.0, 8.0),
        Solid::default(),
        StaticCollider,
        Transform::from_xyz(7.5, 0.0, 0.0),
    ));
}

fn walk(mut player: Single<&mut Transform, With<Player>>) {
    player.translation.x += 1.0;
}

fn print_events(mut events: MessageReader<CollisionEvent>, names: Query<&Name>) -> Result {
    for event in events.read() {
        let [a, b] = event.entities();
        let (a, b) = (names.get(a)?, names.get(b)?);
        println!("{a} and {b}: {:?}, MTV of {b} {:.2}", event.phase, event.mtv());
    }
    Ok(())
}
