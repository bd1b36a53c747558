//! Selects, moves and turns colliders by keys, for who has no mouse or wants exact steps.

use bevy::input::keyboard::KeyboardInput;
use bevy::prelude::*;
use bevy_nudge::inspector::{InputOwner, keyboard_is_free};

use super::dragging::{DraggingSystems, Pointer};

/// Lets Tab select one collider after the other, the arrow keys move it and Q and E turn it, in
/// steps. What the mouse takes is selected too.
pub(crate) struct SelectingPlugin;

impl Plugin for SelectingPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Selectable>().add_systems(
            Update,
            (select_grabbed, work_by_keys).chain().after(DraggingSystems).in_set(SelectingSystems),
        );
    }
}

/// The systems in `Update` that select and move.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SelectingSystems;

/// World units of a step, without and with Shift.
const STEP: f32 = 5.0;
const LONG_STEP: f32 = 25.0;
/// Radians of a turn.
const TURN: f32 = std::f32::consts::TAU / 24.0;

/// What can be selected, in the order of Tab, and what is.
#[derive(Resource, Default)]
pub(crate) struct Selectable {
    entities: Vec<Entity>,
    selected: Option<usize>,
}

impl Selectable {
    /// Starts anew with these, none of them selected.
    pub(crate) fn reset(&mut self, entities: impl IntoIterator<Item = Entity>) {
        self.entities = entities.into_iter().collect();
        self.selected = None;
    }

    /// The entity that the keys move.
    pub(crate) fn selected(&self) -> Option<Entity> {
        self.entities.get(self.selected?).copied()
    }

    /// Selects this one, if it can be.
    pub(crate) fn select(&mut self, entity: Entity) {
        if let Some(index) = self.entities.iter().position(|&other| other == entity) {
            self.selected = Some(index);
        }
    }

    fn select_next(&mut self) {
        let next = self.selected.map_or(0, |index| index + 1);
        self.selected = (!self.entities.is_empty()).then(|| next % self.entities.len());
    }

    fn select_previous(&mut self) {
        let last = self.entities.len().checked_sub(1);
        self.selected = self.selected.and_then(|index| index.checked_sub(1)).or(last);
    }
}

fn select_grabbed(pointer: Res<Pointer>, mut selectable: ResMut<Selectable>) {
    if let Some(entity) = pointer.grabbed {
        selectable.select(entity);
    }
}

const SHIFT: [KeyCode; 2] = [KeyCode::ShiftLeft, KeyCode::ShiftRight];

/// Goes by the messages: a key that is held repeats, as in a text, and Shift counts as it was when
/// the other key went down, also if both are up again in the same frame.
fn work_by_keys(
    mut presses: MessageReader<KeyboardInput>,
    keys: Res<ButtonInput<KeyCode>>,
    owner: Option<Res<InputOwner>>,
    mut is_shifted: Local<bool>,
    mut selectable: ResMut<Selectable>,
    mut transforms: Query<&mut Transform>,
) {
    let is_free = keyboard_is_free(owner);
    // Read them all, so that what was meant for the panel is not taken later.
    for press in presses.read() {
        let is_down = press.state.is_pressed();
        if SHIFT.contains(&press.key_code) {
            *is_shifted = is_down;
        }
        if !is_down || !is_free {
            continue;
        }
        match press.key_code {
            KeyCode::Tab if *is_shifted => selectable.select_previous(),
            KeyCode::Tab => selectable.select_next(),
            _ => {}
        }
        let selected = selectable.selected().and_then(|entity| transforms.get_mut(entity).ok());
        if let (Some(mut transform), Some(step)) = (selected, step(press.key_code, *is_shifted)) {
            match step {
                Step::Move(way) => transform.translation += way.extend(0.0),
                Step::Turn(angle) => transform.rotate_z(angle),
            }
        }
    }
    // A release may go to another window.
    *is_shifted = keys.any_pressed(SHIFT);
}

enum Step {
    Move(Vec2),
    Turn(f32),
}

fn step(key: KeyCode, is_long: bool) -> Option<Step> {
    let length = if is_long { LONG_STEP } else { STEP };
    Some(match key {
        KeyCode::ArrowLeft => Step::Move(Vec2::NEG_X * length),
        KeyCode::ArrowRight => Step::Move(Vec2::X * length),
        KeyCode::ArrowUp => Step::Move(Vec2::Y * length),
        KeyCode::ArrowDown => Step::Move(Vec2::NEG_Y * length),
        KeyCode::KeyQ => Step::Turn(TURN),
        KeyCode::KeyE => Step::Turn(-TURN),
        _ => return None,
    })
}
