//! What a game can set, with units and defaults.

use bevy::prelude::*;

use crate::geometry::{Touch, TouchRule};

/// Settings of the collision step. A change counts from the next step.
///
/// ```
/// use bevy_nudge::prelude::*;
/// let settings = CollisionSettings { touch_rule: TouchRule::Exclusive, ..Default::default() };
/// assert!(settings.persisted_events);
/// ```
#[derive(Resource, Clone, Debug, PartialEq, Reflect)]
#[reflect(Resource, Default, Clone, PartialEq, Debug)]
#[type_path = "bevy_nudge"]
pub struct CollisionSettings {
    /// Whether pairs that only touch are contacts. Default: they are.
    pub touch_rule: TouchRule,
    /// How far from touching still counts as touching, in world units, on top of the rounding of
    /// single precision. Default 0. Raise it for levels whose tiles meet only roughly.
    pub touch_tolerance: f32,
    /// Size of the cells of the broad phase. It changes cost, never results.
    pub cell_size: CellSize,
    /// Whether a [`CollisionEvent`](crate::CollisionEvent) is written in each later step of a
    /// contact too. Default: yes. A game that only wants starts and ends saves one message per
    /// contact and step.
    pub persisted_events: bool,
    /// Whether the step runs, stands still, or is taken one at a time. Default: it runs.
    pub stepping: Stepping,
    /// Push-out; read by [`ResolutionPlugin`](crate::ResolutionPlugin).
    pub resolution: ResolutionSettings,
}

impl Default for CollisionSettings {
    fn default() -> Self {
        Self {
            touch_rule: TouchRule::default(),
            touch_tolerance: 0.0,
            cell_size: CellSize::default(),
            persisted_events: true,
            stepping: Stepping::default(),
            resolution: ResolutionSettings::default(),
        }
    }
}

impl CollisionSettings {
    /// The touching rule and tolerance that every test of the step uses.
    #[must_use]
    pub fn touch(&self) -> Touch {
        Touch { rule: self.touch_rule, slop: self.touch_tolerance }
    }
}

/// Size of the grid cells of the broad phase, in world units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub enum CellSize {
    /// Chosen each step from the sizes of the colliders.
    #[default]
    Auto,
    /// Always this side. A value that is not above 0 and finite counts as [`CellSize::Auto`].
    Fixed(f32),
}

/// Whether the collision step runs.
///
/// While it is paused nothing is tested, no event is written and [`Contacts`](crate::Contacts)
/// stay as they are. Movement of the game is the game's own to pause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub struct Stepping {
    /// Whether the step stands still. Default: it runs, and every run of the schedule is a step.
    pub paused: bool,
    /// How many single steps have ever been asked for. While the step is paused, one is taken for
    /// each by which this number grows.
    pub single_steps: u32,
}

impl Stepping {
    /// Whether steps run freely.
    #[must_use]
    pub fn is_running(self) -> bool {
        !self.paused
    }

    /// Stops before the next step.
    pub fn pause(&mut self) {
        self.paused = true;
    }

    /// Runs freely again.
    pub fn resume(&mut self) {
        self.paused = false;
    }

    /// Takes one step and stands still. Pauses if the step is running.
    pub fn single_step(&mut self) {
        self.paused = true;
        self.single_steps = self.single_steps.wrapping_add(1);
    }
}

/// Settings of the push-out.
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub struct ResolutionSettings {
    /// Whether solids are pushed apart. Default: yes.
    pub enabled: bool,
    /// The most passes in one step. Default 4. Contacts are found anew for each pass, and no
    /// further pass is made once nothing overlaps by more than the allowed overlap, or nothing moves
    /// any more. A stack, a dense crowd, or masses of very different size may need several steps;
    /// more passes need fewer steps.
    pub passes: u32,
    /// How deep a pair of solids may overlap and stay, in world units. Default 0.01.
    ///
    /// A push all the way to touching would let a resting pair flicker between contact and none:
    /// always when touching does not count, and by rounding when it does. Choose it far below
    /// what is visible and above the single precision step of the coordinates (0.001 at a
    /// coordinate of 10,000). For pairs whose touching tolerance is larger a quarter more than that
    /// tolerance is allowed.
    pub allowed_overlap: f32,
}

impl Default for ResolutionSettings {
    fn default() -> Self {
        Self { enabled: true, passes: 4, allowed_overlap: 0.01 }
    }
}
