//! The game without a window: the target takes the place of the mouse.

use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::log::LogPlugin;
use bevy::render::RenderPlugin;
use bevy::render::settings::WgpuSettings;
use bevy::time::TimeUpdateStrategy;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;

use super::*;

/// The game, one step of it in each update.
fn app() -> App {
    let mut app = App::new();
    app.add_plugins(
        DefaultPlugins
            .build()
            .disable::<WinitPlugin>()
            .disable::<LogPlugin>()
            .set(WindowPlugin {
                primary_window: None,
                exit_condition: ExitCondition::DontExit,
                ..default()
            })
            .set(RenderPlugin {
                render_creation: WgpuSettings { backends: None, ..default() }.into(),
                ..default()
            }),
    );
    app.world_mut().spawn(Camera2d);
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    game(&mut app);
    app.finish();
    app.cleanup();
    // The first update takes no time.
    app.update();
    app
}

fn player(app: &mut App) -> Vec2 {
    let mut players = app.world_mut().query_filtered::<&Transform, With<Player>>();
    players.single(app.world()).expect("one player").translation.truncate()
}

fn places<Kind: Component>(app: &mut App) -> Vec<Vec2> {
    let mut query = app.world_mut().query_filtered::<&Transform, With<Kind>>();
    query.iter(app.world()).map(|place| place.translation.truncate()).collect()
}

/// How many coins are collected; the same coins are hidden.
fn score(app: &mut App) -> usize {
    let mut coins =
        app.world_mut().query_filtered::<(Has<ColliderDisabled>, &Visibility), With<Coin>>();
    let coins: Vec<_> = coins.iter(app.world()).collect();
    assert!(coins.iter().all(|(collected, seen)| *collected == (**seen == Visibility::Hidden)));
    coins.into_iter().filter(|(collected, _)| *collected).count()
}

/// Walks until the player is there, or back at the start.
fn walk_to(app: &mut App, place: Vec2) {
    app.world_mut().resource_mut::<Target>().0 = place;
    for step in 0..200 {
        app.update();
        if player(app) == place || (step > 1 && player(app) == START) {
            return;
        }
    }
    panic!("the player does not arrive at {place}");
}

/// Puts the player on every coin in turn.
fn collect_all(app: &mut App) {
    for place in places::<Coin>(app) {
        app.world_mut().resource_mut::<Target>().0 = place;
        let mut players = app.world_mut().query_filtered::<&mut Transform, With<Player>>();
        players.single_mut(app.world_mut()).expect("one player").translation = place.extend(2.0);
        app.update();
    }
}

#[test]
fn walking_over_a_coin_collects_it_once() {
    let mut app = app();
    assert_eq!((places::<Coin>(&mut app).len(), places::<Hazard>(&mut app).len()), (12, 4));
    assert_eq!(score(&mut app), 0);
    walk_to(&mut app, vec2(-300.0, 0.0));
    assert_eq!(score(&mut app), 1);
    walk_to(&mut app, START + vec2(0.0, 50.0));
    walk_to(&mut app, vec2(-300.0, 0.0));
    assert_eq!(score(&mut app), 1);
}

#[test]
fn a_hazard_sends_the_player_back_and_restores_the_coins() {
    let mut app = app();
    walk_to(&mut app, vec2(-300.0, 0.0));
    assert_eq!(score(&mut app), 1);
    let clock = app.world().resource::<Clock>().0;
    // In the middle of the way of a hazard it is met sooner or later.
    app.world_mut().resource_mut::<Target>().0 = vec2(-175.0, 0.0);
    let back = (0..400).find(|_| {
        app.update();
        player(&mut app) == START
    });
    assert!(back.is_some(), "the hazard is met");
    assert_eq!(score(&mut app), 0);
    assert!(app.world().resource::<Clock>().0 > clock, "the clock goes on");
}

#[test]
fn the_clock_stops_at_the_last_coin_and_r_starts_over() {
    let mut app = app();
    collect_all(&mut app);
    assert_eq!(score(&mut app), 12);
    let clock = app.world().resource::<Clock>().0;
    let hazards = places::<Hazard>(&mut app);
    (0..20).for_each(|_| app.update());
    assert_eq!(app.world().resource::<Clock>().0.to_bits(), clock.to_bits());
    assert_eq!(places::<Hazard>(&mut app), hazards, "nothing moves any more");

    app.world_mut().write_message(KeyboardInput {
        key_code: KeyCode::KeyR,
        logical_key: Key::Character("r".into()),
        state: ButtonState::Pressed,
        text: None,
        repeat: false,
        window: Entity::PLACEHOLDER,
    });
    app.world_mut().resource_mut::<Target>().0 = START;
    app.update();
    assert_eq!((score(&mut app), player(&mut app)), (0, START));
    assert!(app.world().resource::<Clock>().0 < clock);
    app.update();
    assert_ne!(places::<Hazard>(&mut app), hazards, "the hazards move again");
}

/// A coin that a hazard covers all the time, or a start in its way, would be a game to lose.
#[test]
fn no_hazard_ever_touches_a_coin_or_the_start() {
    let mut app = app();
    let coins = places::<Coin>(&mut app);
    for _ in 0..400 {
        app.update();
        let mut hazards = app.world_mut().query_filtered::<(&Transform, &Collider), With<Hazard>>();
        for (place, collider) in hazards.iter(app.world()) {
            let bevy_nudge::geometry::Shape::Aabb(shape) = &collider.shape else { continue };
            let center = place.translation.truncate();
            for goal in coins.iter().chain([&START]) {
                let gap = (*goal - (*goal).clamp(center + shape.min, center + shape.max)).length();
                assert!(gap > 36.0, "a player of radius 18 has room at {goal}");
            }
        }
    }
}
