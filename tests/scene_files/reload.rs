//! A scene file that changes while the game runs: the asset server loads it anew.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bevy::asset::io::AssetSourceBuilder;
use bevy::asset::io::memory::{Dir, MemoryAssetReader};
use bevy::asset::{AssetApp, AssetPlugin, AssetServer, LoadState};
use bevy::prelude::*;
use bevy::world_serialization::{DynamicWorld, DynamicWorldRoot, WorldSerializationPlugin};
use bevy_nudge::CollisionStats;
use bevy_nudge::prelude::*;

use crate::common::Heard;

const FILE: &str = "level.scn.ron";

/// One large box, with `balls` that lie in its top and a child of the last one over it.
fn level(balls: u32) -> String {
    let transform = "\"bevy_transform::components::transform::Transform\"";
    let mut text = String::from(
        "(resources: {}, entities: {
        1: (components: {
            \"bevy_nudge::Collider\": (shape: Aabb((min: (-100.0, -1.0), max: (100.0, 1.0)))),
            \"bevy_nudge::StaticCollider\": (),
        }),",
    );
    for i in 0..balls {
        let (id, x) = (10 + i, 10.0 * i as f32 - 50.0);
        // Bevy wants both sides of a family, as it saves both.
        let is_last = i + 1 == balls;
        let children = if is_last { "\"bevy_ecs::hierarchy::Children\": ([99])," } else { "" };
        text += &format!(
            "{id}: (components: {{
                {transform}: (translation: ({x:?}, 1.5, 0.0)),
                \"bevy_nudge::Collider\": (shape: Circle((center: (0.0, 0.0), radius: 1.0))),
                {children}
            }}),"
        );
    }
    text += &format!(
        "99: (components: {{
            {transform}: (translation: (0.0, 1.5, 0.0)),
            \"bevy_nudge::Collider\": (shape: Circle((center: (0.0, 0.0), radius: 1.0))),
            \"bevy_ecs::hierarchy::ChildOf\": ({}),
        }}),
        }})",
        9 + balls
    );
    text
}

struct Game {
    app: App,
    files: Dir,
    events: Vec<CollisionEvent>,
}

impl Game {
    /// With files in memory.
    fn new(text: &str) -> Self {
        let files = Dir::default();
        files.insert_asset_text(Path::new(FILE), text);
        let root = files.clone();
        let mut app = App::new();
        app.register_asset_source(
            bevy::asset::io::AssetSourceId::Default,
            AssetSourceBuilder::new(move || Box::new(MemoryAssetReader { root: root.clone() })),
        );
        app.add_plugins((
            MinimalPlugins,
            AssetPlugin::default(),
            WorldSerializationPlugin,
            TransformPlugin,
            CollisionPlugin::in_schedule(Update),
        ))
        .init_resource::<Heard>()
        .add_systems(
            Last,
            |mut events: MessageReader<CollisionEvent>, mut heard: ResMut<Heard>| {
                heard.0.extend(events.read().copied());
            },
        );
        Self { app, files, events: Vec::new() }
    }

    fn update(&mut self) {
        self.app.update();
        let heard = std::mem::take(&mut self.app.world_mut().resource_mut::<Heard>().0);
        self.events.extend(heard);
    }

    /// Frames until it is so, for the loading goes on in the background.
    fn until(&mut self, what: &str, is_so: impl Fn(&mut App) -> bool) {
        let start = Instant::now();
        while !is_so(&mut self.app) {
            assert!(start.elapsed() < Duration::from_secs(60), "never: {what}");
            std::thread::sleep(Duration::from_millis(1));
            self.update();
        }
        // Bevy waits for a few frames whether more changes come.
        for _ in 0..6 {
            self.update();
        }
    }

    fn write(&mut self, text: &str) {
        self.files.insert_asset_text(Path::new(FILE), text);
        self.app.world().resource::<AssetServer>().reload(PathBuf::from(FILE));
    }

    fn colliders(&mut self) -> Vec<Entity> {
        let mut colliders = self.app.world_mut().query_filtered::<Entity, With<Collider>>();
        colliders.iter(self.app.world()).collect()
    }

    /// That the plugin knows these colliders and no other, and that their contacts are `expected`.
    fn check(&mut self, colliders: usize, expected: usize) {
        let alive = self.colliders();
        assert_eq!(alive.len(), colliders);
        let world = self.app.world();
        assert_eq!(world.resource::<CollisionStats>().colliders, colliders);
        let contacts = world.resource::<Contacts>();
        assert_eq!(contacts.len(), expected);
        assert!(contacts.iter().all(|pair| alive.contains(&pair.a) && alive.contains(&pair.b)));
        let (mut open, mut ended) = (Vec::new(), 0);
        for event in &self.events {
            let pair = event.entities();
            if event.is_started() {
                assert!(!open.contains(&pair), "started twice: {event:?}");
                open.push(pair);
            } else if event.is_ended() {
                let place = open.iter().position(|other| *other == pair);
                open.swap_remove(place.unwrap_or_else(|| panic!("never started: {event:?}")));
                ended += 1;
                assert_eq!(event.end_reason(), Some(EndReason::Despawned), "{event:?}");
            }
        }
        assert_eq!(open.len(), expected, "after {ended} ends");
        assert!(open.iter().flatten().all(|entity| alive.contains(entity)));
    }
}

#[test]
fn a_scene_file_that_is_reloaded_leaves_no_old_collider_behind() {
    let mut game = Game::new(&level(3));
    let handle: Handle<DynamicWorld> = game.app.world().resource::<AssetServer>().load(FILE);
    let root = game.app.world_mut().spawn(DynamicWorldRoot(handle.clone())).id();
    let count = |expected: usize| {
        move |app: &mut App| {
            app.world_mut().query::<&Collider>().iter(app.world()).count() == expected
        }
    };
    // The child stands 1.5 above the last ball and overlaps it alone.
    game.until("the first scene is there", count(5));
    game.check(5, 4);
    for balls in [6, 1, 6, 4] {
        let before = game.colliders();
        game.write(&level(balls));
        game.until("the changed scene is there", count(balls as usize + 2));
        game.check(balls as usize + 2, balls as usize + 1);
        let after = game.colliders();
        assert!(before.iter().all(|entity| !after.contains(entity)), "all are new");
    }
    // As many as before: only the entities tell that it has been loaded.
    let before = game.colliders();
    game.write(&level(4));
    game.until("it is loaded once more", |app| {
        let mut colliders = app.world_mut().query_filtered::<Entity, With<Collider>>();
        colliders.iter(app.world()).all(|entity| !before.contains(&entity))
    });
    game.check(6, 5);
    // A broken file changes nothing.
    let before = game.colliders();
    game.write("(resources: {}, entities: {");
    let id = handle.id();
    game.until("it is refused", |app| {
        let state = app.world().resource::<AssetServer>().load_state(id);
        matches!(state, LoadState::Failed(_))
    });
    assert_eq!(game.colliders(), before);
    game.check(6, 5);
    // It goes with the entity that asked for it.
    game.app.world_mut().despawn(root);
    game.update();
    game.check(0, 0);
}
