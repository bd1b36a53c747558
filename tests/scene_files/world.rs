//! A text as a scene: read, written into a world, stepped.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use bevy::app::MainSchedulePlugin;
use bevy::asset::{AssetPlugin, AssetServer};
use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::reflect::AppTypeRegistry;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;
use bevy::world_serialization::DynamicWorld;
use bevy::world_serialization::serde::WorldDeserializer;
use bevy_nudge::CollisionStats;
use bevy_nudge::prelude::*;
use serde::de::DeserializeSeed;

use crate::common::contacts;
use crate::input::Input;
use crate::text::text;

/// Shows the text of a case that fails.
struct Shown<'a>(&'a str);

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("with {}", self.0);
        }
    }
}

/// As Bevy's loader of scene files does it.
fn read(world: &World, text: &str) -> Result<DynamicWorld, String> {
    let registry = world.resource::<AppTypeRegistry>().read();
    let mut deserializer =
        ron::Deserializer::from_bytes(text.as_bytes()).map_err(|error| error.to_string())?;
    let seed = WorldDeserializer {
        type_registry: &registry,
        load_from_path: &mut world.resource::<AssetServer>(),
    };
    seed.deserialize(&mut deserializer).map_err(|error| error.to_string())
}

/// The kind of an error: its first words, without what it quotes.
fn kind(error: &str) -> String {
    error.chars().take_while(|c| c.is_alphabetic() || *c == ' ').take(24).collect()
}

/// What is the same in each case: to register all types takes longer than all the rest.
static SHARED: LazyLock<(AppTypeRegistry, AssetServer)> = LazyLock::new(|| {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), AssetPlugin::default()))
        .add_plugins((CollisionPlugin::in_schedule(Update), ResolutionPlugin));
    let world = app.world();
    (world.resource::<AppTypeRegistry>().clone(), world.resource::<AssetServer>().clone())
});

/// An app that takes a step per update. Without Bevy's own transforms, which never come to an end in
/// a circle of parents.
fn app() -> App {
    let mut app = App::empty();
    app.main_mut().update_schedule = Some(Main.intern());
    app.insert_resource(SHARED.0.clone())
        .insert_resource(SHARED.1.clone())
        .add_plugins(MainSchedulePlugin)
        .add_plugins((CollisionPlugin::in_schedule(Update), ResolutionPlugin));
    app
}

pub(crate) fn target(input: &mut Input<'_>) -> u64 {
    let text = text(input);
    let _shown = Shown(&text);
    let mut features = DefaultHasher::new();
    let mut app = app();
    let scene = match read(app.world(), &text) {
        Err(error) => {
            (0_u8, kind(&error)).hash(&mut features);
            return features.finish();
        }
        Ok(scene) => scene,
    };
    // Where something cannot be written, what comes before it is there all the same.
    let written = scene.write_to_world(app.world_mut(), &mut EntityHashMap::default());
    written.map_err(|error| kind(&error.to_string())).hash(&mut features);
    for _ in 0..3 {
        app.update();
        check(&mut app, &mut features);
    }
    features.finish()
}

fn check(app: &mut App, features: &mut DefaultHasher) {
    let stats = app.world().resource::<CollisionStats>().clone();
    stats.colliders.min(6).hash(features);
    stats.invalid_colliders.min(3).hash(features);
    stats.static_colliders.min(2).hash(features);
    let settings = app.world().resource::<CollisionSettings>();
    if settings.stepping.is_running() {
        let mut all = app.world_mut().query_filtered::<Entity, With<Collider>>();
        let all = all.iter(app.world()).count();
        assert!(stats.colliders + stats.invalid_colliders <= all, "{stats:?} of {all}");
    }
    for pair in contacts(app).iter() {
        let contact = pair.contact;
        assert!(contact.depth >= 0.0 && contact.depth.is_finite(), "{contact:?}");
        assert!(contact.point.is_finite(), "{contact:?}");
        assert!((contact.normal.length() - 1.0).abs() < 1e-5, "{contact:?}");
    }
    contacts(app).len().min(5).hash(features);
    let pushes = app.world().resource::<Pushes>();
    for push in pushes.iter() {
        assert!(push.translation.is_finite(), "{push:?}");
        let transform = app.world().get::<Transform>(push.entity).unwrap();
        assert!(transform.translation.truncate().is_finite(), "{push:?} led to {transform:?}");
    }
    pushes.iter().len().min(3).hash(features);
}
