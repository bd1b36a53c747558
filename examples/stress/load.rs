//! What the colliders of the example are, and the keys that change it.

use bevy::prelude::*;
use bevy_nudge::inspector::keyboard_is_free;
use bevy_nudge::prelude::*;

pub(crate) struct LoadPlugin;

impl Plugin for LoadPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Load>()
            .add_systems(Startup, start_without_push_out)
            .add_systems(Update, change_by_key.in_set(LoadSystems).run_if(keyboard_is_free));
    }
}

/// The system in `Update` that writes [`Load`].
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LoadSystems;

/// What is asked for.
#[derive(Resource)]
pub(crate) struct Load {
    pub(crate) colliders: usize,
    /// Whether boxes and polygons are among the circles.
    pub(crate) is_mixed: bool,
    pub(crate) is_drawn: bool,
    pub(crate) is_moving: bool,
}

impl Default for Load {
    fn default() -> Self {
        Self { colliders: 10_000, is_mixed: true, is_drawn: true, is_moving: true }
    }
}

impl Load {
    pub(crate) const LEAST: usize = 100;
    pub(crate) const MOST: usize = 100_000;
    /// Steps of the keys and buttons to press.
    pub(crate) const STEPS: [usize; 6] = [100, 1_000, 5_000, 20_000, 50_000, 100_000];

    fn more(&mut self) {
        let next = Self::STEPS.into_iter().find(|&step| step > self.colliders);
        self.colliders = next.unwrap_or(Self::MOST);
    }

    fn fewer(&mut self) {
        let next = Self::STEPS.into_iter().rev().find(|&step| step < self.colliders);
        self.colliders = next.unwrap_or(Self::LEAST);
    }
}

fn start_without_push_out(mut settings: ResMut<CollisionSettings>) {
    settings.resolution.enabled = false;
}

fn change_by_key(
    keys: Res<ButtonInput<KeyCode>>,
    mut load: ResMut<Load>,
    mut settings: ResMut<CollisionSettings>,
) {
    for key in keys.get_just_pressed() {
        match key {
            KeyCode::ArrowUp => load.more(),
            KeyCode::ArrowDown => load.fewer(),
            KeyCode::KeyM => load.is_mixed ^= true,
            KeyCode::KeyP => settings.resolution.enabled ^= true,
            KeyCode::KeyD => load.is_drawn ^= true,
            KeyCode::Space => load.is_moving ^= true,
            _ => {}
        }
    }
}
