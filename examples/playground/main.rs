//! Shapes to drag around, with every contact drawn, named and listed.
//!
//!     cargo run --release --features examples --example playground
//!
//! Drag a shape into another. Both light up; between them stand the name of the test that found
//! the pair and how deep they overlap; an arrow shows the shortest way out, and a dashed outline
//! where it takes the second of the two. The panel on the right lists every contact.
//!
//! - Mouse: drag. Q and E, or the wheel: turn. R: start over. N: the next scene, with dented shapes.
//! - 1: is the point under the mouse inside? The crossing count beside the convex test, which is
//!   wrong in dents. 2: a ray to the mouse. 3: the shape held last, cast to the mouse. 4: its nearest
//!   neighbour. The same key again: nothing.
//! - Space: a bullet towards the mouse, through everything. It and the ray start where the scene was
//!   last clicked beside the shapes.
//! - T: whether touching counts. P: push-out. D: the drawing. F1: the panel. Esc: quit.
//!
//! Change first: a shape in `assets/scenes/dents.scn.ron`. Another scene opens with its path as
//! argument, for example `scenes/nested.scn.ron`.

#[path = "../shared/mod.rs"]
#[expect(dead_code, reason = "each example uses its part of what they share")]
mod shared;

mod bullets;
mod labels;
mod overlay;
mod questions;

use bevy::input::common_conditions::input_just_pressed;
use bevy::prelude::*;
use bevy_nudge::debug_draw::CollisionDebugDrawPlugin;
use bevy_nudge::inspector::{CollisionInspectorPlugin, keyboard_is_free};
use bevy_nudge::prelude::*;

use shared::bar::BarPlugin;
use shared::dragging::{DraggingPlugin, Stack, TurningPlugin};
use shared::options::Options;
use shared::scenes::{BuiltInScene, SceneChoice, spawn_built_in, spawn_chosen};
use shared::view::{View, ViewPlugin};

const SCENES: [BuiltInScene; 2] = [
    BuiltInScene {
        path: "assets/scenes/playground.scn.ron",
        text: include_str!("../../assets/scenes/playground.scn.ron"),
    },
    BuiltInScene {
        path: "assets/scenes/dents.scn.ron",
        text: include_str!("../../assets/scenes/dents.scn.ron"),
    },
];

const HELP: &str = "Drag a shape with the mouse.   Q, E or the wheel: turn it.   R: start over.   \
                    N: next scene.   Space: fire a bullet.   Click beside the shapes: rays and \
                    bullets start there.   Esc: quit.   Dashed: where the MTV takes the second shape.";

fn main() -> AppExit {
    let options = Options::parse_for("playground", "Shapes to drag around, with every contact.");
    shared::runner::run("bevy_nudge: playground", options, playground)
}

fn playground(app: &mut App) {
    app.add_plugins((
        // In `PostUpdate` a step sees what the mouse did in the same frame.
        CollisionPlugin::in_schedule(PostUpdate),
        ResolutionPlugin,
        CollisionDebugDrawPlugin,
        CollisionInspectorPlugin,
        ViewPlugin,
        DraggingPlugin,
        TurningPlugin,
        BarPlugin { help: HELP },
    ))
    .add_plugins((
        overlay::OverlayPlugin,
        labels::LabelsPlugin,
        questions::QuestionsPlugin,
        bullets::BulletsPlugin,
    ))
    .init_resource::<OpenScene>()
    .add_systems(Startup, (let_shapes_overlap, start_over))
    .add_systems(
        Update,
        (
            start_over.run_if(input_just_pressed(KeyCode::KeyR)),
            next_scene.run_if(input_just_pressed(KeyCode::KeyN)),
        )
            .run_if(keyboard_is_free),
    );
}

/// The scene that is open.
#[derive(Resource, Default)]
struct OpenScene {
    /// Which one: that of the command line, if there is one, then the built-in ones.
    index: usize,
    /// Its entities, in the order of its file.
    entities: Vec<Entity>,
}

/// Push-out is off at first: with it, two shapes could not be seen to overlap.
fn let_shapes_overlap(mut settings: ResMut<CollisionSettings>) {
    settings.resolution.enabled = false;
}

/// How many scenes the command line names.
fn named_scenes(world: &World) -> usize {
    usize::from(world.resource::<SceneChoice>().0.is_some())
}

fn next_scene(world: &mut World) {
    let count = named_scenes(world) + SCENES.len();
    let mut open = world.resource_mut::<OpenScene>();
    open.index = (open.index + 1) % count;
    start_over(world);
}

fn start_over(world: &mut World) {
    for entity in std::mem::take(&mut world.resource_mut::<OpenScene>().entities) {
        // A child goes with its parent.
        if let Ok(entity) = world.get_entity_mut(entity) {
            entity.despawn();
        }
    }
    let entities = match world.resource::<OpenScene>().index.checked_sub(named_scenes(world)) {
        None => spawn_chosen(world, SCENES[0]),
        Some(index) => spawn_built_in(world, SCENES[index]),
    };
    world.resource_mut::<Stack>().reset(entities.iter().copied());
    world.resource_mut::<OpenScene>().entities = entities;
    world.resource_mut::<View>().show_all();
}
