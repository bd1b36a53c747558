//! Plays the kept steps at the pace of the game, while the game stands still.

use bevy::prelude::*;

use super::CollisionInspector;

/// Steps in a second: Bevy's fixed timestep.
const STEPS_PER_SECOND: f64 = 64.0;

/// Whether kept steps play by themselves, and how fast.
#[derive(Debug)]
pub(super) struct Player {
    pub(super) is_playing: bool,
    /// How fast, of the pace of the game.
    pub(super) speed: f64,
    /// Steps that are due, in parts.
    due: f64,
}

impl Default for Player {
    fn default() -> Self {
        Self { is_playing: false, speed: 1.0, due: 0.0 }
    }
}

impl CollisionInspector {
    /// Begins to play the kept steps from the one that is looked at; from the oldest, if that is the
    /// last. Pause first: the game does not stand still by itself.
    pub fn play(&mut self) {
        self.player.is_playing = true;
        self.player.due = 0.0;
        let last = self.history.last().map(|last| last.step);
        if self.history.shown().map(|shown| shown.step) == last {
            self.history.move_by(isize::MIN);
        }
    }

    /// Stops playing, at the step that is looked at.
    pub fn stop(&mut self) {
        self.player.is_playing = false;
    }

    /// Whether kept steps play by themselves.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.player.is_playing
    }
}

/// Moves on by as many steps as are due.
pub(super) fn play_steps(
    mut inspector: ResMut<CollisionInspector>,
    clock: Option<Res<Time<Real>>>,
) {
    if !inspector.player.is_playing {
        return;
    }
    let inspector = &mut *inspector;
    if !inspector.history.is_past() {
        // Someone went back to the present.
        inspector.player.is_playing = false;
        return;
    }
    let seconds = clock.map_or(0.0, |clock| clock.delta_secs_f64());
    inspector.player.due += seconds * STEPS_PER_SECOND * inspector.player.speed;
    let count = inspector.player.due.floor();
    inspector.player.due -= count;
    if count > 0.0 {
        inspector.history.move_by(count as isize);
    }
    let last = inspector.history.last().map(|last| last.step);
    if inspector.history.shown().map(|shown| shown.step) == last {
        inspector.player.is_playing = false;
    }
}
