//! Takes, drags and turns colliders with the mouse, and turns them by keys.

use bevy::ecs::system::SystemParam;
use bevy::input::mouse::AccumulatedMouseScroll;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_nudge::inspector::{egui, keyboard_is_free, pointer_is_free};
use bevy_nudge::prelude::*;

use super::view::View;

/// Lets the mouse drag colliders and the wheel turn them.
pub(crate) struct DraggingPlugin;

impl Plugin for DraggingPlugin {
    fn build(&self, app: &mut App) {
        let chain = (
            stack_new_colliders,
            point,
            point_at_nothing.run_if(not(pointer_is_free)),
            grab.run_if(pointer_is_free),
            release,
            drag,
            turn_by_wheel.run_if(pointer_is_free),
        );
        app.init_resource::<Pointer>()
            .init_resource::<Stack>()
            .add_systems(Update, chain.chain().in_set(DraggingSystems));
    }
}

/// Lets the keys Q and E turn what is under the mouse, for as long as they are held.
pub(crate) struct TurningPlugin;

impl Plugin for TurningPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, turn_by_keys.after(DraggingSystems).run_if(keyboard_is_free));
    }
}

/// The systems in `Update` that write [`Pointer`] and move what is dragged.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DraggingSystems;

/// What the mouse points at and holds.
#[derive(Resource, Default)]
pub(crate) struct Pointer {
    /// Where it is in the world, if it is over the scene.
    pub(crate) position: Option<Vec2>,
    /// The topmost collider under it, by the point test.
    pub(crate) hovered: Option<Entity>,
    /// The collider that is being dragged.
    pub(crate) grabbed: Option<Entity>,
    /// From the mouse to the origin of the grabbed entity, so that it keeps its place under the
    /// cursor.
    offset: Vec2,
}

impl Pointer {
    /// The collider to turn or to tell about.
    pub(crate) fn target(&self) -> Option<Entity> {
        self.grabbed.or(self.hovered)
    }
}

/// A collider that the mouse does not take and that is on nobody's stack, such as a bullet.
#[derive(Component)]
pub(crate) struct OutOfReach;

/// The order in which colliders lie on each other, from the bottom up, among those of the same z.
///
/// The order of `Entity` would not do: it is not that of spawning.
#[derive(Resource, Default)]
pub(crate) struct Stack(Vec<Entity>);

impl Stack {
    /// Starts anew with these, from the bottom up.
    pub(crate) fn reset(&mut self, entities: impl IntoIterator<Item = Entity>) {
        self.0 = entities.into_iter().collect();
    }

    /// The height of an entity above the bottom.
    pub(crate) fn height(&self, entity: Entity) -> Option<usize> {
        self.0.iter().position(|&other| other == entity)
    }

    /// The uppermost: the one that was taken last.
    pub(crate) fn top(&self) -> Option<Entity> {
        self.0.last().copied()
    }

    fn raise(&mut self, entity: Entity) {
        self.0.retain(|&other| other != entity);
        self.0.push(entity);
    }
}

fn stack_new_colliders(
    mut stack: ResMut<Stack>,
    added: Query<Entity, (Added<Collider>, Without<OutOfReach>)>,
) {
    for entity in &added {
        if stack.height(entity).is_none() {
            stack.0.push(entity);
        }
    }
}

/// Finds what is under the mouse.
#[derive(SystemParam)]
struct UnderMouse<'w, 's> {
    window: Option<Single<'w, 's, &'static Window, With<PrimaryWindow>>>,
    view: Res<'w, View>,
    colliders: CollisionQuery<'w, 's>,
    places: Query<'w, 's, &'static GlobalTransform, Without<OutOfReach>>,
    stack: Res<'w, Stack>,
}

impl UnderMouse<'_, '_> {
    /// Where the mouse is. What it holds stays in the part of the screen that the panels leave free.
    fn position(&self, holds: bool) -> Option<Vec2> {
        let mut cursor = self.window.as_ref()?.cursor_position()?;
        if let Some(free) = self.view.free.filter(|free| holds && free.is_positive()) {
            let corner = |corner: egui::Pos2| Vec2::new(corner.x, corner.y);
            cursor = cursor.clamp(corner(free.min), corner(free.max));
        }
        Some(self.view.to_world(cursor))
    }

    fn topmost(&self, position: Vec2) -> Option<Entity> {
        let height = |entity: &Entity| {
            let z = self.places.get(*entity).map_or(0.0, |place| place.translation().z);
            (z, self.stack.height(*entity))
        };
        self.colliders
            .at_point(position)
            .into_iter()
            .filter(|entity| self.places.contains(*entity))
            .max_by(|a, b| height(a).partial_cmp(&height(b)).unwrap_or(std::cmp::Ordering::Equal))
    }
}

fn point(under_mouse: UnderMouse, mut pointer: ResMut<Pointer>) {
    pointer.position = under_mouse.position(pointer.grabbed.is_some());
    pointer.hovered = pointer.position.and_then(|position| under_mouse.topmost(position));
}

/// What lies under the panel is not pointed at.
fn point_at_nothing(mut pointer: ResMut<Pointer>) {
    pointer.hovered = None;
}

fn grab(
    buttons: Res<ButtonInput<MouseButton>>,
    mut pointer: ResMut<Pointer>,
    mut stack: ResMut<Stack>,
    places: Query<&GlobalTransform>,
) {
    if !buttons.just_pressed(MouseButton::Left) {
        return;
    }
    if let (Some(position), Some(entity)) = (pointer.position, pointer.hovered)
        && let Ok(place) = places.get(entity)
    {
        pointer.grabbed = Some(entity);
        pointer.offset = place.translation().truncate() - position;
        stack.raise(entity);
    }
}

fn release(buttons: Res<ButtonInput<MouseButton>>, mut pointer: ResMut<Pointer>) {
    if !buttons.pressed(MouseButton::Left) {
        pointer.grabbed = None;
    }
}

fn drag(
    pointer: Res<Pointer>,
    mut transforms: Query<(&mut Transform, Option<&ChildOf>)>,
    parents: Query<&GlobalTransform>,
) {
    let (Some(entity), Some(position)) = (pointer.grabbed, pointer.position) else {
        return;
    };
    let Ok((mut transform, parent)) = transforms.get_mut(entity) else {
        return;
    };
    let target = (position + pointer.offset).extend(0.0);
    // A child is moved in the space of its parent.
    let target = parent
        .and_then(|parent| parents.get(parent.parent()).ok())
        .map_or(target, |parent| parent.affine().inverse().transform_point3(target));
    if transform.translation.truncate() != target.truncate() {
        transform.translation = target.truncate().extend(transform.translation.z);
    }
}

/// Radians per notch of the wheel.
const TURN_PER_NOTCH: f32 = std::f32::consts::TAU / 48.0;
/// Radians per second while a key is held.
const TURN_PER_SECOND: f32 = std::f32::consts::TAU / 4.0;

fn turn_by_wheel(
    wheel: Res<AccumulatedMouseScroll>,
    pointer: Res<Pointer>,
    mut transforms: Query<&mut Transform>,
) {
    if wheel.delta.y != 0.0
        && let Some(mut transform) = pointer.target().and_then(|e| transforms.get_mut(e).ok())
    {
        transform.rotate_z(wheel.delta.y.signum() * TURN_PER_NOTCH);
    }
}

fn turn_by_keys(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    pointer: Res<Pointer>,
    mut transforms: Query<&mut Transform>,
) {
    let side = f32::from(u8::from(keys.pressed(KeyCode::KeyQ)))
        - f32::from(u8::from(keys.pressed(KeyCode::KeyE)));
    if side != 0.0
        && let Some(mut transform) = pointer.target().and_then(|e| transforms.get_mut(e).ok())
    {
        transform.rotate_z(side * TURN_PER_SECOND * time.delta_secs());
    }
}
