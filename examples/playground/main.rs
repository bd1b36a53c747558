//! Shapes to drag around, with every contact drawn, named and listed.
//!
//!     cargo run --release --features examples --example playground
//!
//! Drag a shape into another. Both light up; between them stand the name of the test that found
//! the pair and how deep they overlap; an arrow shows the shortest way out, and a dashed outline
//! where it takes the second of the two. The panel on the right lists every contact.
//!
//! - Mouse: drag. Q and E, or the wheel: turn. R: start over.
//! - T: whether touching counts. P: push-out. D: the drawing. F1: the panel. Esc: quit.
//!
//! Change first: a shape in `assets/scenes/playground.scn.ron`. Another scene opens with its path
//! as argument, for example `scenes/nested.scn.ron`.

#[path = "../shared/mod.rs"]
#[expect(dead_code, reason = "each example uses its part of what they share")]
mod shared;

mod labels;
mod overlay;

use bevy::prelude::*;
use bevy_nudge::debug_draw::CollisionDebugDrawPlugin;
use bevy_nudge::inspector::{CollisionInspectorPlugin, keyboard_is_free};
use bevy_nudge::prelude::*;

use shared::bar::BarPlugin;
use shared::dragging::{DraggingPlugin, Stack};
use shared::options::Options;
use shared::scenes::{BuiltInScene, spawn_chosen};
use shared::view::{View, ViewPlugin};

const SCENE: BuiltInScene = BuiltInScene {
    path: "assets/scenes/playground.scn.ron",
    text: include_str!("../../assets/scenes/playground.scn.ron"),
};

const HELP: &str = "Drag a shape with the mouse.   Q, E or the wheel: turn it.   R: start over.   \
                    Esc: quit.   Dashed: where the MTV takes the second shape.";

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
        BarPlugin { help: HELP },
    ))
    .add_plugins((overlay::OverlayPlugin, labels::LabelsPlugin))
    .init_resource::<SceneEntities>()
    .add_systems(Startup, (let_shapes_overlap, start_over))
    .add_systems(Update, start_over.run_if(reset_is_asked_for.and_then(keyboard_is_free)));
}

/// The entities of the open scene, in the order of its file.
#[derive(Resource, Default)]
struct SceneEntities(Vec<Entity>);

/// Push-out is off at first: with it, two shapes could not be seen to overlap.
fn let_shapes_overlap(mut settings: ResMut<CollisionSettings>) {
    settings.resolution.enabled = false;
}

fn reset_is_asked_for(keys: Res<ButtonInput<KeyCode>>) -> bool {
    keys.just_pressed(KeyCode::KeyR)
}

fn start_over(world: &mut World) {
    for entity in std::mem::take(&mut world.resource_mut::<SceneEntities>().0) {
        // A child goes with its parent.
        if let Ok(entity) = world.get_entity_mut(entity) {
            entity.despawn();
        }
    }
    let entities = spawn_chosen(world, SCENE);
    world.resource_mut::<Stack>().reset(entities.iter().copied());
    world.resource_mut::<SceneEntities>().0 = entities;
    world.resource_mut::<View>().show_all();
}
