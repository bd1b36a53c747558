//! Every scene file opens and steps; a broken one is refused with file, line and reason.

#[path = "../examples/shared/scenes.rs"]
mod scenes;

use std::path::{Path, PathBuf};

use bevy::asset::AssetPlugin;
use bevy::prelude::*;
use bevy_nudge::CollisionStats;
use bevy_nudge::geometry::ContactStatus;
use bevy_nudge::prelude::*;

use scenes::{BuiltInScene, SceneChoice, SceneError};

/// An app that takes one step per update.
fn test_app() -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        AssetPlugin::default(),
        TransformPlugin,
        CollisionPlugin::in_schedule(Update),
        ResolutionPlugin,
    ));
    app
}

fn app_with_scene(name: &str) -> (App, Vec<Entity>) {
    let mut app = test_app();
    let path = Path::new("scenes").join(name);
    let entities = scenes::spawn_file(app.world_mut(), &path).expect("the scene opens");
    (app, entities)
}

fn named(app: &mut App, name: &str) -> Entity {
    let mut names = app.world_mut().query::<(Entity, &Name)>();
    let found = names.iter(app.world()).find(|(_, other)| other.as_str() == name);
    found.unwrap_or_else(|| panic!("an entity named {name}")).0
}

/// The contacts as names of both entities, in alphabetical order, with status and depth.
fn contacts(app: &mut App) -> Vec<(String, String, ContactStatus, f32)> {
    let world = app.world();
    let name = |entity| world.get::<Name>(entity).map_or_else(String::new, ToString::to_string);
    let mut list: Vec<_> = world
        .resource::<Contacts>()
        .iter()
        .map(|pair| {
            let (a, b) = (name(pair.a), name(pair.b));
            let (first, second) = if a < b { (a, b) } else { (b, a) };
            (first, second, pair.contact.status, pair.contact.depth)
        })
        .collect();
    list.sort_by(|one, other| (&one.0, &one.1).cmp(&(&other.0, &other.1)));
    list
}

fn scene_files() -> Vec<PathBuf> {
    let directory = scenes::assets_directory().join("scenes");
    let mut files: Vec<_> = std::fs::read_dir(directory)
        .expect("the directory of scenes")
        .map(|entry| entry.expect("an entry of the directory").path())
        .filter(|path| path.to_string_lossy().ends_with(".scn.ron"))
        .collect();
    files.sort();
    files
}

#[test]
fn every_scene_file_opens_and_steps() {
    let files = scene_files();
    assert!(files.len() >= 4, "{files:?}");
    for file in files {
        let mut app = test_app();
        let entities = scenes::spawn_file(app.world_mut(), &file).unwrap_or_else(|e| panic!("{e}"));
        let mut colliders = 0;
        for &entity in &entities {
            let entity = app.world().entity(entity);
            assert!(entity.contains::<Name>(), "{file:?}: each entity has a name");
            assert!(entity.contains::<Transform>(), "{file:?}: each entity has a place");
            colliders += usize::from(entity.contains::<Collider>());
        }
        for _ in 0..3 {
            app.update();
        }
        let stats = app.world().resource::<CollisionStats>();
        assert_eq!(stats.invalid_colliders, 0, "{file:?}");
        assert_eq!(stats.colliders, colliders, "{file:?}");
    }
}

#[test]
fn the_playground_starts_with_two_overlapping_pairs_and_a_touching_one() {
    let (mut app, _) = app_with_scene("playground.scn.ron");
    app.world_mut().resource_mut::<CollisionSettings>().resolution.enabled = false;
    app.update();
    let contacts = contacts(&mut app);
    let pairs: Vec<_> = contacts.iter().map(|(a, b, status, _)| (&**a, &**b, *status)).collect();
    assert_eq!(
        pairs,
        [
            ("Ground", "Small circle", ContactStatus::Touching),
            ("Large circle", "Upright box", ContactStatus::Overlapping),
            ("Octagon", "Pentagon", ContactStatus::Overlapping),
        ]
    );
    // From the file: the circle's right end is at -120 + 62, the box begins at -75.
    assert!((contacts[1].3 - 17.0).abs() < 1e-3, "{contacts:?}");
}

#[test]
fn what_lies_in_a_dent_or_a_hole_is_no_contact() {
    let (mut app, _) = app_with_scene("dents.scn.ron");
    app.world_mut().resource_mut::<CollisionSettings>().resolution.enabled = false;
    app.update();
    let contacts = contacts(&mut app);
    let pairs: Vec<_> = contacts.iter().map(|(a, b, status, _)| (&**a, &**b, *status)).collect();
    // The square lies in the notch of the U, the pearl in the hole of the ring.
    assert_eq!(
        pairs,
        [
            ("Ball", "Notched pentagon", ContactStatus::Overlapping),
            ("Ground", "Rounded box", ContactStatus::Touching),
        ]
    );
}

#[test]
fn a_ball_too_wide_for_a_notch_is_pushed_out_of_it_whole() {
    let (mut app, _) = app_with_scene("dents.scn.ron");
    for _ in 0..20 {
        app.update();
    }
    let contacts = contacts(&mut app);
    let slop = app.world().resource::<CollisionSettings>().resolution.allowed_overlap;
    assert!(contacts.iter().all(|(.., depth)| *depth <= slop + 1e-3), "{contacts:?}");
    let ball = named(&mut app, "Ball");
    let pentagon = named(&mut app, "Notched pentagon");
    let place =
        |app: &App, entity| app.world().get::<Transform>(entity).expect("placed").translation;
    // Straight down, until it is 28 from both walls: 86.53 below the middle of the pentagon.
    let apart = place(&app, pentagon) - place(&app, ball);
    assert!(apart.x.abs() < 1e-2 && (apart.y - 86.5).abs() < 0.1, "{apart}");
}

#[test]
fn a_box_on_the_seam_of_two_tiles_is_lifted_once() {
    let (mut app, _) = app_with_scene("two_tiles.scn.ron");
    let resting = named(&mut app, "Box");
    for _ in 0..3 {
        app.update();
    }
    let place = app.world().get::<Transform>(resting).expect("the box").translation;
    let slop = app.world().resource::<CollisionSettings>().resolution.allowed_overlap;
    assert!((place.y - 40.0).abs() <= slop + 1e-4, "lifted from 36 to {}", place.y);
    assert!(place.x.abs() < 1e-6, "moved aside by {}", place.x);
}

#[test]
fn nested_shapes_follow_mirror_turn_and_shear() {
    #[derive(Resource, Default)]
    struct Bounds(Vec<(Entity, Rect)>);

    let (mut app, _) = app_with_scene("nested.scn.ron");
    app.world_mut().resource_mut::<CollisionSettings>().resolution.enabled = false;
    app.init_resource::<Bounds>().add_systems(
        Last,
        |colliders: CollisionQuery, mut bounds: ResMut<Bounds>| {
            let rect = |b: bevy::math::bounding::Aabb2d| Rect::from_corners(b.min, b.max);
            bounds.0 = colliders.iter().map(|(e, placed)| (e, rect(placed.bounds()))).collect();
        },
    );
    app.update();
    let (half, turn) = (45.0_f32, 30.0_f32.to_radians());
    let reach = half * (turn.cos() + turn.sin());
    for (name, expected) in [
        ("Mirrored triangle", Rect::new(-240.0, 10.0, -120.0, 130.0)),
        ("Upright box", Rect::new(90.0, 42.5, 210.0, 117.5)),
        (
            "Sheared square",
            Rect::new(-reach * 2.0, -120.0 - reach * 0.6, reach * 2.0, -120.0 + reach * 0.6),
        ),
    ] {
        let entity = named(&mut app, name);
        let bounds = &app.world().resource::<Bounds>().0;
        let (_, rect) = bounds.iter().find(|(other, _)| *other == entity).expect(name);
        let error = (rect.min - expected.min).abs().max((rect.max - expected.max).abs());
        assert!(error.max_element() < 1e-2, "{name}: {rect:?} instead of {expected:?}");
    }
}

#[test]
fn a_file_names_parents_only_and_the_children_are_linked() {
    let (mut app, _) = app_with_scene("nested.scn.ron");
    let turntable = named(&mut app, "Turntable");
    let children = app.world().get::<Children>(turntable).expect("children of the turntable");
    assert_eq!(children.len(), 2);
    app.world_mut().despawn(turntable);
    let mut names = app.world_mut().query::<&Name>();
    assert!(names.iter(app.world()).all(|name| name.as_str() != "Moon"), "it goes with its parent");
}

/// A scene with one entity whose components begin at line 4.
fn with_components(components: &str) -> String {
    format!(
        "(resources: {{}}, entities: {{\n    1: (\n        components: {{\n{components}\n}},\n),\n}})"
    )
}

#[test]
fn a_malformed_file_is_refused_with_file_line_and_reason() {
    let cases = [
        (
            "a comma is missing",
            with_components("\"bevy_ecs::name::Name\": \"A\"\n\"bevy_nudge::StaticCollider\": (),"),
            5,
            "comma",
        ),
        (
            "an unknown component",
            with_components("\n\"bevy_nudge::Colider\": (),"),
            5,
            "bevy_nudge::Colider",
        ),
        (
            "a misspelt field",
            with_components("\"bevy_nudge::Collider\": (shape: Circle((\nradus: 1.0))),"),
            5,
            "radus",
        ),
        (
            "an unknown shape",
            with_components("\"bevy_nudge::Collider\": (shape: Ellipse((radius: 1.0))),"),
            4,
            "Ellipse",
        ),
        (
            "a text for a number",
            with_components("\"bevy_nudge::Solid\": (\n\nmass: \"heavy\"),"),
            6,
            "float",
        ),
        ("no resources", "(\n    entities: {},\n)".to_owned(), 3, "resources"),
        (
            "an unfinished file",
            "(\n    resources: {},\n    entities: {\n".to_owned(),
            3,
            "end of RON",
        ),
        ("text after the scene", "(resources: {}, entities: {})\nrest".to_owned(), 2, "railing"),
        (
            "an entity 0",
            "(resources: {}, entities: {\n0: (components: {}),\n})".to_owned(),
            2,
            "ntity",
        ),
    ];
    for (name, text, expected_line, expected_reason) in cases {
        let mut app = test_app();
        let before = app.world().entities().len();
        let error = scenes::spawn_text(app.world_mut(), Path::new("levels/broken.scn.ron"), &text)
            .expect_err(name);
        let message = error.to_string();
        let SceneError::Malformed { path, line, reason, .. } = error else {
            panic!("{name}: {message}");
        };
        assert_eq!(path, Path::new("levels/broken.scn.ron"), "{name}");
        assert_eq!(line, expected_line, "{name}: {message}");
        assert!(reason.contains(expected_reason), "{name}: {message}");
        let start = format!("levels/broken.scn.ron:{expected_line}:");
        assert!(message.starts_with(&start), "{name}: {message}");
        assert_eq!(app.world().entities().len(), before, "{name}: nothing is spawned");
    }
}

#[test]
fn parents_in_a_circle_are_refused() {
    let mut app = test_app();
    let before = app.world().entities().len();
    let member = |name, id, parent| {
        let name = format!("\"bevy_ecs::name::Name\": \"{name}\"");
        let parent = format!("\"bevy_ecs::hierarchy::ChildOf\": ({parent})");
        format!("{id}: (components: {{ {name}, {parent} }}),")
    };
    let entities = [member("hen", 1, 2), member("egg", 2, 1)].concat();
    let text = format!("(resources: {{}}, entities: {{ {entities} }})");
    let error = scenes::spawn_text(app.world_mut(), Path::new("hen.scn.ron"), &text)
        .expect_err("nothing can be its own ancestor");
    assert_eq!(error.to_string(), "hen.scn.ron: the parents of hen go round in a circle");
    assert_eq!(app.world().entities().len(), before, "nothing is left behind");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let mut app = test_app();
    let path = Path::new("scenes/no_such_scene.scn.ron");
    let error = scenes::spawn_file(app.world_mut(), path).expect_err("there is no such file");
    assert!(matches!(error, SceneError::NotFound { .. }), "{error}");
    assert!(error.to_string().contains("scenes/no_such_scene.scn.ron"), "{error}");
}

#[test]
fn instead_of_a_broken_file_the_built_in_scene_opens() {
    let built_in = BuiltInScene {
        path: "built_in.scn.ron",
        text: include_str!("../assets/scenes/two_tiles.scn.ron"),
    };
    for choice in [None, Some("scenes/no_such_scene.scn.ron"), Some("Cargo.toml")] {
        let mut app = test_app();
        app.insert_resource(SceneChoice(choice.map(PathBuf::from)));
        let entities = scenes::spawn_chosen(app.world_mut(), built_in);
        assert_eq!(entities.len(), 3, "{choice:?}");
    }
}
