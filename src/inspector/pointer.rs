//! Who owns a press of a pointer button and the drag that follows.

use bevy::prelude::*;
use bevy_egui::egui;

/// How far the pointer may move between press and release of a click, in egui points.
const CLICK_SLACK: f32 = 4.0;

/// A click with the primary button that began and ended in the scene, without a drag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SceneClick {
    /// The egui context that reported it.
    pub(super) context: Entity,
    /// Where, in points of that context.
    pub(super) position: egui::Pos2,
}

/// Who gets a press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The panel, or egui at large.
    Panel,
    /// The game.
    Game,
}

/// Follows presses and releases through a frame, in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct PointerTracker {
    /// Who got the press that began the drag under way.
    drag: Option<Side>,
    held: Vec<egui::PointerButton>,
    /// Buttons pressed in this frame: a second report of them comes from another egui context.
    pressed_now: Vec<egui::PointerButton>,
    /// Where the primary button was pressed in the scene.
    press: Option<SceneClick>,
    click: Option<SceneClick>,
    /// Whether a drag of the panel, or of the game, went on in this frame.
    panel_dragged: bool,
    game_dragged: bool,
    panel_pressed: bool,
}

impl PointerTracker {
    /// Forgets what counts for one frame only.
    pub(super) fn begin_frame(&mut self) {
        self.pressed_now.clear();
        self.click = None;
        self.panel_pressed = false;
        self.panel_dragged = self.drag == Some(Side::Panel);
        self.game_dragged = self.drag == Some(Side::Game);
    }

    /// A button goes down at a place of this side.
    pub(super) fn press(&mut self, button: egui::PointerButton, at: SceneClick, side: Side) {
        if self.pressed_now.contains(&button) {
            // Another context saw the same press. The panel's claim wins.
            if side == Side::Panel {
                self.take_for_panel();
            }
            return;
        }
        self.pressed_now.push(button);
        if self.held.contains(&button) {
            // Its release was lost, for example outside the window.
            self.held.clear();
        }
        if self.held.is_empty() {
            self.drag = Some(side);
        }
        self.held.push(button);
        match (side, self.drag) {
            (Side::Panel, Some(Side::Panel)) => self.take_for_panel(),
            (_, Some(Side::Game)) => {
                self.game_dragged = true;
                if button == egui::PointerButton::Primary && side == Side::Game {
                    self.press = Some(at);
                }
            }
            _ => {}
        }
    }

    fn take_for_panel(&mut self) {
        self.drag = Some(Side::Panel);
        self.panel_dragged = true;
        self.panel_pressed = true;
        self.press = None;
    }

    /// A button goes up.
    pub(super) fn release(&mut self, button: egui::PointerButton, at: SceneClick) {
        self.held.retain(|held| *held != button);
        if self.held.is_empty() {
            self.drag = None;
        }
        if button == egui::PointerButton::Primary
            && let Some(press) = self.press.take()
            && press.context == at.context
            && press.position.distance(at.position) <= CLICK_SLACK
        {
            self.click = Some(at);
        }
    }

    /// The click in the scene that ended in this frame.
    pub(super) fn click(&self) -> Option<SceneClick> {
        self.click
    }

    /// Whether a button went down on the panel in this frame.
    pub(super) fn is_panel_pressed(&self) -> bool {
        self.panel_pressed
    }

    /// Who has the pointer, when it is now over the panel or not.
    pub(super) fn owner(&self, is_over_panel: bool) -> Side {
        if self.panel_dragged {
            Side::Panel
        } else if self.game_dragged || !is_over_panel {
            Side::Game
        } else {
            Side::Panel
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::PointerButton::{Primary, Secondary};

    fn at(x: f32) -> SceneClick {
        SceneClick { context: Entity::PLACEHOLDER, position: egui::pos2(x, 0.0) }
    }

    #[test]
    fn a_press_on_the_panel_owns_the_drag_until_after_its_release() {
        let mut pointer = PointerTracker::default();
        pointer.begin_frame();
        pointer.press(Primary, at(0.0), Side::Panel);
        assert_eq!(pointer.owner(true), Side::Panel);
        pointer.begin_frame();
        assert_eq!(pointer.owner(false), Side::Panel, "dragged out");
        pointer.begin_frame();
        pointer.release(Primary, at(0.0));
        assert_eq!(pointer.owner(false), Side::Panel, "the release is the panel's");
        assert_eq!(pointer.click, None);
        pointer.begin_frame();
        assert_eq!(pointer.owner(false), Side::Game);
    }

    #[test]
    fn a_press_in_the_scene_owns_the_drag_over_the_panel() {
        let mut pointer = PointerTracker::default();
        pointer.begin_frame();
        pointer.press(Primary, at(0.0), Side::Game);
        pointer.begin_frame();
        assert_eq!(pointer.owner(true), Side::Game, "dragged over the panel");
        pointer.begin_frame();
        pointer.release(Primary, at(50.0));
        assert_eq!(pointer.owner(true), Side::Game, "the game sees the release");
        assert_eq!(pointer.click, None, "a drag is no click");
        pointer.begin_frame();
        assert_eq!(pointer.owner(true), Side::Panel);
    }

    #[test]
    fn press_and_release_in_one_frame_are_a_click_on_one_side() {
        for (side, click) in [(Side::Panel, None), (Side::Game, Some(at(1.0)))] {
            let mut pointer = PointerTracker::default();
            pointer.begin_frame();
            pointer.press(Primary, at(0.0), side);
            pointer.release(Primary, at(1.0));
            assert_eq!((pointer.owner(side == Side::Panel), pointer.click), (side, click));
        }
    }

    #[test]
    fn a_second_button_joins_the_drag_under_way() {
        let mut pointer = PointerTracker::default();
        pointer.begin_frame();
        pointer.press(Primary, at(0.0), Side::Panel);
        pointer.press(Secondary, at(90.0), Side::Game);
        pointer.begin_frame();
        pointer.release(Primary, at(90.0));
        pointer.begin_frame();
        assert_eq!(pointer.owner(false), Side::Panel, "until all buttons are up");
    }

    #[test]
    fn a_lost_release_is_mended_by_the_next_press() {
        let mut pointer = PointerTracker::default();
        pointer.begin_frame();
        pointer.press(Primary, at(0.0), Side::Panel);
        pointer.begin_frame();
        pointer.begin_frame();
        pointer.press(Primary, at(0.0), Side::Game);
        pointer.begin_frame();
        assert_eq!(pointer.owner(false), Side::Game);
    }

    #[test]
    fn of_two_contexts_that_see_a_press_the_one_with_the_panel_wins() {
        for sides in [[Side::Panel, Side::Game], [Side::Game, Side::Panel]] {
            let mut pointer = PointerTracker::default();
            pointer.begin_frame();
            for side in sides {
                pointer.press(Primary, at(0.0), side);
            }
            assert_eq!(pointer.owner(false), Side::Panel, "{sides:?}");
        }
    }
}
