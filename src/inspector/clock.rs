//! Holds the game's clock while the panel has paused the step.
//!
//! The step itself is paused through [`CollisionSettings`]. That alone would leave the game
//! running: things would move on through each other without contacts. So the panel also pauses
//! `Time<Virtual>`, and with it the fixed schedules and all movement by `Time::delta`.

use bevy::prelude::*;

use crate::CollisionSettings;

use super::CollisionInspector;

/// What the buttons ask of the clock.
#[derive(Debug, Default)]
pub(super) struct ClockHold {
    /// Whether the clock shall stand.
    pub(super) wanted: bool,
    /// Single steps that have been asked for and not yet been given to the clock.
    pub(super) steps: u32,
    /// Whether it was the panel that paused the clock. Only then it may let it go.
    paused_by_panel: bool,
}

/// Pauses `Time<Virtual>` or lets it go, at the end of the frame in which that was asked for, so
/// that the next frame has the right delta already.
pub(super) fn hold_or_release(
    mut inspector: ResMut<CollisionInspector>,
    settings: Res<CollisionSettings>,
    clock: Option<ResMut<Time<Virtual>>>,
) {
    let Some(mut clock) = clock else { return };
    let hold = &mut inspector.bypass_change_detection().clock;
    if settings.stepping.is_running() {
        // The game may have resumed by itself.
        hold.wanted = false;
        hold.steps = 0;
    }
    if hold.wanted && !hold.paused_by_panel && !clock.is_paused() {
        clock.pause();
        hold.paused_by_panel = true;
    } else if !hold.wanted && hold.paused_by_panel {
        clock.unpause();
        hold.paused_by_panel = false;
    }
}

/// Moves the paused clocks on by one fixed timestep for each single step.
///
/// `Time<Virtual>` itself advances, not only the overstep of `Time<Fixed>`: movement in `Update`
/// gets its share too, and the fixed clock never gets ahead of the virtual one. Since the
/// timestep is what the fixed schedule waits for, it runs exactly once for it.
pub(super) fn advance_single_step(
    mut inspector: ResMut<CollisionInspector>,
    virtual_clock: Option<ResMut<Time<Virtual>>>,
    fixed_clock: Option<Res<Time<Fixed>>>,
    generic_clock: Option<ResMut<Time>>,
) {
    let steps = core::mem::take(&mut inspector.bypass_change_detection().clock.steps);
    let (Some(mut virtual_clock), Some(fixed_clock), Some(mut generic_clock)) =
        (virtual_clock, fixed_clock, generic_clock)
    else {
        return;
    };
    if steps > 0 && virtual_clock.is_paused() {
        virtual_clock.advance_by(fixed_clock.timestep() * steps);
        *generic_clock = virtual_clock.as_generic();
    }
}
