//! A small complete game: twelve coins against the clock, and four hazards in between.
//!
//!     cargo run --release --features examples --example coin_dash
//!
//! The player follows the mouse. A hazard sends it back to the start, and all coins back to their
//! places; the clock stops at the last coin. R: start over. F1: the contact panel. Esc: quit.
//!
//! `layers` says who meets whom, an observer on each coin collects it, and a reader of
//! `CollisionEvent` notices the hazards. Nothing is `Solid`, so nothing is pushed. Change first:
//! `SPEED`, or the layers of the hazards.

#[path = "shared/mod.rs"]
#[allow(dead_code, reason = "each example uses its part of what they share")]
mod shared;

use bevy::camera::ScalingMode;
use bevy::input::common_conditions::input_just_pressed;
use bevy::math::vec2;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_nudge::inspector::{CollisionInspector, CollisionInspectorPlugin, LayerNames};
use bevy_nudge::inspector::{keyboard_is_free, pointer_is_free};
use bevy_nudge::prelude::*;

/// Two colliders meet when each wants a layer of the other. Here all want only the player.
mod layers {
    pub(crate) const PLAYER: u32 = 1 << 0;
    pub(crate) const COIN: u32 = 1 << 1;
    pub(crate) const HAZARD: u32 = 1 << 2;
}

/// Half the width and height of the field.
const FIELD: Vec2 = vec2(600.0, 350.0);
const START: Vec2 = vec2(-530.0, 0.0);
/// Of the player, in world units per second.
const SPEED: f32 = 700.0;
/// Size, both ends of the way, and seconds for the way there and back.
const HAZARDS: [(Vec2, Vec2, Vec2, f32); 4] = [
    (vec2(30.0, 170.0), vec2(-175.0, 265.0), vec2(-175.0, -265.0), 3.0),
    (vec2(30.0, 170.0), vec2(325.0, -265.0), vec2(325.0, 265.0), 2.4),
    (vec2(170.0, 30.0), vec2(-380.0, 110.0), vec2(515.0, 110.0), 3.7),
    (vec2(170.0, 30.0), vec2(515.0, -110.0), vec2(-380.0, -110.0), 4.3),
];

fn main() -> AppExit {
    let options = shared::options::Options::parse_without_scene("coin_dash", "A small game.");
    shared::runner::run("bevy_nudge: coin dash", options, game)
}

fn game(app: &mut App) {
    let r_is_pressed = input_just_pressed(KeyCode::KeyR);
    app.add_plugins((CollisionPlugin::default(), CollisionInspectorPlugin))
        .insert_resource(CollisionInspector::closed())
        .insert_resource(LayerNames::new(["player", "coin", "hazard"]))
        .init_resource::<Clock>()
        .insert_resource(Target(START))
        .add_observer(send_all_back)
        .add_systems(Startup, (fit_view, spawn_all))
        .add_systems(Update, (aim.run_if(pointer_is_free), draw))
        .add_systems(Update, restart.run_if(keyboard_is_free.and_then(r_is_pressed)))
        // The collision step runs in `FixedPostUpdate`: move before it, react after it.
        .add_systems(FixedUpdate, (tick, walk, slide).chain().run_if(any_coin_is_left))
        .add_systems(FixedPostUpdate, mind_hazards.after(CollisionSystems::Publish));
}

#[derive(Component)]
struct Player;

/// A collected coin is hidden and disabled, which is more easily undone than a despawn.
#[derive(Component)]
struct Coin;

/// Slides from one place to another and back, in so many seconds.
#[derive(Component)]
struct Hazard(Vec2, Vec2, f32);

/// Seconds since the start of the game.
#[derive(Resource, Default)]
struct Clock(f32);

/// Where the player walks to.
#[derive(Resource)]
struct Target(Vec2);

/// The player goes to the start, and all coins to their places.
#[derive(Event)]
struct SendAllBack;

fn fit_view(mut projection: Single<&mut Projection, With<Camera2d>>) {
    if let Projection::Orthographic(view) = &mut **projection {
        view.scaling_mode = ScalingMode::AutoMin { min_width: 1280.0, min_height: 800.0 };
    }
}

fn spawn_all(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    let mut paint =
        |mesh: Mesh, color: Color| (Mesh2d(meshes.add(mesh)), MeshMaterial2d(materials.add(color)));
    commands.spawn((
        (Name::new("Player"), Player, Collider::circle(18.0)),
        CollisionLayers::new(layers::PLAYER, layers::COIN | layers::HAZARD),
        Transform::from_translation(START.extend(2.0)),
        paint(Circle::new(18.0).into(), Color::srgb(0.45, 0.72, 1.0)),
    ));
    let gold = paint(Circle::new(14.0).into(), Color::srgb(1.0, 0.82, 0.3));
    for index in 0..12 {
        let (column, row) = ((index / 3) as f32, (index % 3) as f32);
        let coin = (Name::new("Coin"), Coin, Collider::circle(14.0), CollisionEventsEnabled);
        let layers = CollisionLayers::new(layers::COIN, layers::PLAYER);
        let place = Transform::from_xyz(column * 250.0 - 300.0, row * 220.0 - 220.0, 0.0);
        commands.spawn((coin, layers, place, gold.clone())).observe(collect);
    }
    for (size, from, to, period) in HAZARDS {
        commands.spawn((
            (Name::new("Hazard"), Hazard(from, to, period), Collider::aabb(size.x, size.y)),
            CollisionLayers::new(layers::HAZARD, layers::PLAYER),
            Transform::from_translation(from.extend(1.0)),
            paint(Rectangle::from_size(size).into(), Color::srgb(1.0, 0.38, 0.3)),
        ));
    }
}

fn any_coin_is_left(coins: Query<(), (With<Coin>, Without<ColliderDisabled>)>) -> bool {
    !coins.is_empty()
}

fn aim(
    window: Option<Single<&Window, With<PrimaryWindow>>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    mut target: ResMut<Target>,
) {
    if let Some(cursor) = window.and_then(|window| window.cursor_position())
        && let Ok(place) = camera.0.viewport_to_world_2d(camera.1, cursor)
    {
        target.0 = place.clamp(-FIELD, FIELD);
    }
}

fn tick(time: Res<Time>, mut clock: ResMut<Clock>) {
    clock.0 += time.delta_secs();
}

fn walk(time: Res<Time>, target: Res<Target>, mut player: Single<&mut Transform, With<Player>>) {
    let (place, stride) = (player.translation.truncate(), SPEED * time.delta_secs());
    player.translation = place.move_towards(target.0, stride).extend(player.translation.z);
}

fn slide(clock: Res<Clock>, mut hazards: Query<(&Hazard, &mut Transform)>) {
    for (Hazard(from, to, period), mut transform) in &mut hazards {
        let way = 0.5 - 0.5 * (clock.0 / period * std::f32::consts::TAU).cos();
        transform.translation = from.lerp(*to, way).extend(transform.translation.z);
    }
}

/// Nothing but the player meets coins, so a coin need not ask who came.
fn collect(met: On<CollisionStarted>, mut commands: Commands) {
    commands.entity(met.entity).insert((ColliderDisabled, Visibility::Hidden));
}

fn mind_hazards(mut events: MessageReader<CollisionEvent>, mut commands: Commands) {
    for event in events.read().filter(|event| event.is_started()) {
        if (event.a.layers.memberships | event.b.layers.memberships) & layers::HAZARD != 0 {
            commands.trigger(SendAllBack);
        }
    }
}

fn send_all_back(
    _: On<SendAllBack>,
    mut player: Single<&mut Transform, With<Player>>,
    coins: Query<Entity, With<Coin>>,
    mut commands: Commands,
) {
    player.translation = START.extend(player.translation.z);
    for coin in &coins {
        commands.entity(coin).remove::<ColliderDisabled>().insert(Visibility::Inherited);
    }
}

fn restart(mut clock: ResMut<Clock>, mut commands: Commands) {
    *clock = Clock::default();
    commands.trigger(SendAllBack);
}

fn draw(mut gizmos: Gizmos, clock: Res<Clock>, coins: Query<Has<ColliderDisabled>, With<Coin>>) {
    let (all, score) = (coins.iter().len(), coins.iter().filter(|collected| *collected).count());
    let hint = if score == all { "Done! R: start over" } else { "R: start over    F1: contacts" };
    let text = format!("{score} of {all} coins    {:.1} s    {hint}", clock.0);
    gizmos.rect_2d(Vec2::ZERO, FIELD * 2.0, Color::srgb(0.3, 0.34, 0.42));
    gizmos.text_2d(vec2(-FIELD.x, FIELD.y + 24.0), &text, 26.0, vec2(-0.5, 0.0), Color::WHITE);
}

#[cfg(test)]
#[path = "coin_dash/tests.rs"]
mod tests;
