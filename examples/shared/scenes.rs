//! Reads scene files in Bevy's own `.scn.ron` format, at once rather than in the background, so
//! that an example can say what is wrong with a file and go on.

use std::path::{Path, PathBuf};

use bevy::asset::AssetServer;
use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::reflect::AppTypeRegistry;
use bevy::prelude::*;
use bevy::world_serialization::DynamicWorld;
use bevy::world_serialization::serde::WorldDeserializer;
use ron::error::Position;
use serde::de::DeserializeSeed;

/// The scene file that the command line names, if any.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct SceneChoice(pub(crate) Option<PathBuf>);

/// A scene that is compiled into an example, for when the command line names none or a broken one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BuiltInScene {
    /// Where its text is from.
    pub(crate) path: &'static str,
    /// Its text.
    pub(crate) text: &'static str,
}

/// Spawns the chosen scene, or else the built-in one. Says on the error stream what is wrong with
/// a chosen file, and goes on.
pub(crate) fn spawn_chosen(world: &mut World, built_in: BuiltInScene) -> Vec<Entity> {
    let chosen = world.get_resource::<SceneChoice>().and_then(|choice| choice.0.clone());
    if let Some(path) = chosen {
        match spawn_file(world, &path) {
            Ok(entities) => return entities,
            Err(error) => eprintln!("{error}\nopening {} instead", built_in.path),
        }
    }
    spawn_built_in(world, built_in)
}

/// Spawns a built-in scene.
pub(crate) fn spawn_built_in(world: &mut World, built_in: BuiltInScene) -> Vec<Entity> {
    spawn_text(world, Path::new(built_in.path), built_in.text).unwrap_or_else(|error| {
        eprintln!("{error}\nstarting with an empty scene");
        Vec::new()
    })
}

/// Why a scene file could not be opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SceneError {
    /// There is no such file.
    #[error("{}: no such file, here or in the crate's assets directory", path.display())]
    NotFound {
        /// The path as it was given.
        path: PathBuf,
    },
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The text is not a scene.
    #[error("{}:{line}:{column}: {reason}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Line of the fault, from 1.
        line: usize,
        /// Column of the fault, from 1.
        column: usize,
        /// What is wrong.
        reason: String,
    },
    /// The scene was read, but its components do not fit into this app.
    #[error("{}: {reason}", path.display())]
    Unspawnable {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

/// Reads the scene file at `path` and spawns its entities. They are returned in the order in which
/// the file lists them.
///
/// # Errors
/// A missing or unreadable file, and a malformed one with line, column and reason. Nothing is
/// spawned then.
pub(crate) fn spawn_file(world: &mut World, path: &Path) -> Result<Vec<Entity>, SceneError> {
    let file = find_file(path).ok_or_else(|| SceneError::NotFound { path: path.to_owned() })?;
    let text = std::fs::read_to_string(&file)
        .map_err(|source| SceneError::Unreadable { path: file.clone(), source })?;
    spawn_text(world, &file, &text)
}

/// Spawns the entities of a scene from its text; `path` serves the error messages.
///
/// # Errors
/// As [`spawn_file`].
pub(crate) fn spawn_text(
    world: &mut World,
    path: &Path,
    text: &str,
) -> Result<Vec<Entity>, SceneError> {
    let scene = parse(world, path, text)?;
    let mut spawned = EntityHashMap::default();
    let written = scene.write_to_world(world, &mut spawned).map_err(|error| error.to_string());
    let entities: Vec<Entity> =
        scene.entities.iter().filter_map(|e| spawned.get(&e.entity).copied()).collect();
    if let Err(reason) = written.and_then(|()| check_parents(world, &entities)) {
        for &entity in &entities {
            world.despawn(entity);
        }
        return Err(SceneError::Unspawnable { path: path.to_owned(), reason });
    }
    link_children(world, &entities);
    Ok(entities)
}

/// Bevy and everything that follows parents would never come to an end in a circle of them.
fn check_parents(world: &World, entities: &[Entity]) -> Result<(), String> {
    for &entity in entities {
        let parent = |entity: &Entity| world.get::<ChildOf>(*entity).map(ChildOf::parent);
        let ancestors = std::iter::successors(Some(entity), parent);
        if ancestors.take(entities.len() + 1).count() > entities.len() {
            let name = world.get::<Name>(entity).map_or("an entity", Name::as_str);
            return Err(format!("the parents of {name} go round in a circle"));
        }
    }
    Ok(())
}

fn parse(world: &World, path: &Path, text: &str) -> Result<DynamicWorld, SceneError> {
    let malformed = |at: Position, error: &ron::Error| SceneError::Malformed {
        path: path.to_owned(),
        line: at.line,
        column: at.col,
        reason: explain(error),
    };
    let registry = world.resource::<AppTypeRegistry>().read();
    if text.trim().is_empty() {
        let (path, reason) = (path.to_owned(), "the file is empty".to_owned());
        return Err(SceneError::Malformed { path, line: 1, column: 1, reason });
    }
    let mut deserializer =
        ron::Deserializer::from_str(text).map_err(|e| malformed(e.span.start, &e.code))?;
    let seed = WorldDeserializer {
        type_registry: &registry,
        load_from_path: &mut world.resource::<AssetServer>(),
    };
    let scene = seed.deserialize(&mut deserializer).map_err(|error| {
        let error = deserializer.span_error(error);
        malformed(error.span.start, &error.code)
    })?;
    deserializer.end().map_err(|error| {
        let error = deserializer.span_error(error);
        // The span begins where the scene ends and ends where the rest begins.
        malformed(error.span.end, &error.code)
    })?;
    Ok(scene)
}

/// The parser quotes what it found, which may be a whole file.
const LONGEST_REASON: usize = 200;

/// What is wrong, in the words of someone who writes a scene file.
fn explain(error: &ron::Error) -> String {
    let text = error.to_string();
    // Bevy's reflection adds the types that it came through.
    let text = text.split(" (stack:").next().unwrap_or_default();
    match text.strip_prefix("no registration found for ") {
        Some(name) => format!("this app knows no component {name}; is the name complete?"),
        None if text.chars().count() > LONGEST_REASON => {
            text.chars().take(LONGEST_REASON).chain("...".chars()).collect()
        }
        None => text.to_owned(),
    }
}

/// Writes `Children` from `ChildOf`. Bevy expects both in a scene, as it saves both; a person who
/// writes one should have to name the parent only.
fn link_children(world: &mut World, entities: &[Entity]) {
    for &entity in entities {
        if let Some(parent) = world.get::<ChildOf>(entity).map(ChildOf::parent) {
            world.entity_mut(entity).remove::<ChildOf>();
            world.entity_mut(entity).insert(ChildOf(parent));
        }
    }
}

/// The file at `path`, seen from the current directory or else from the crate's assets.
pub(crate) fn find_file(path: &Path) -> Option<PathBuf> {
    let in_assets = assets_directory().join(path);
    [path.to_owned(), in_assets].into_iter().find(|candidate| candidate.exists())
}

/// The assets of this crate.
pub(crate) fn assets_directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets")
}
