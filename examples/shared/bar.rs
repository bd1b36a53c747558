//! The bar at the lower edge: switches as keys and as buttons, what the colours mean, and a line of
//! help.

use bevy::gizmos::config::GizmoConfigStore;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use bevy_nudge::debug_draw::CollisionGizmos;
use bevy_nudge::inspector::{CollisionInspector, keyboard_is_free};
use bevy_nudge::prelude::*;

use super::view::View;

/// Adds the bar, with these words of help under the switches.
pub(crate) struct BarPlugin {
    /// What the mouse and the other keys do.
    pub(crate) help: &'static str,
}

impl Plugin for BarPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(Help { words: self.help, is_unfolded: false })
            .add_systems(
                Update,
                (switch_by_key, choose_by_key.run_if(resource_exists::<Choice>), unfold_help)
                    .run_if(keyboard_is_free),
            )
            .add_systems(EguiPrimaryContextPass, draw_bar.in_set(BarSystems));
    }
}

/// Draws the bar and writes into [`View::free`] what the bar and the panel leave of the screen.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BarSystems;

/// Things of which one is chosen, or none: a row of the bar, and keys. For an example to insert.
#[derive(Resource)]
pub(crate) struct Choice {
    /// What stands before them.
    pub(crate) title: &'static str,
    /// Key and words of each. The words begin with the key.
    pub(crate) options: &'static [(KeyCode, &'static str)],
    /// Which of them is chosen.
    pub(crate) chosen: Option<usize>,
}

impl Choice {
    /// Chooses one, or none if it is chosen already.
    fn flip(&mut self, option: usize) {
        self.chosen = (self.chosen != Some(option)).then_some(option);
    }
}

/// What the colours mean and what the mouse and the other keys do.
#[derive(Resource)]
struct Help {
    words: &'static str,
    /// In a low window it is folded at first, to leave the room to the scene.
    is_unfolded: bool,
}

/// Whatever the switches switch.
#[derive(bevy::ecs::system::SystemParam)]
struct Switches<'w> {
    settings: ResMut<'w, CollisionSettings>,
    gizmos: ResMut<'w, GizmoConfigStore>,
    inspector: ResMut<'w, CollisionInspector>,
}

#[derive(Clone, Copy)]
enum Switch {
    Touching,
    PushOut,
    Drawing,
    Panel,
}

impl Switch {
    const ALL: [Self; 4] = [Self::Touching, Self::PushOut, Self::Drawing, Self::Panel];

    fn label(self, is_on: bool) -> &'static str {
        match (self, is_on) {
            (Self::Touching, true) => "T  touching counts",
            (Self::Touching, false) => "T  only overlap counts",
            (Self::PushOut, true) => "P  push-out on",
            (Self::PushOut, false) => "P  push-out off",
            (Self::Drawing, true) => "D  drawing on",
            (Self::Drawing, false) => "D  drawing off",
            (Self::Panel, _) => "F1  panel",
        }
    }
}

impl Switches<'_> {
    fn is_on(&self, switch: Switch) -> bool {
        match switch {
            Switch::Touching => self.settings.touch_rule == TouchRule::Inclusive,
            Switch::PushOut => self.settings.resolution.enabled,
            Switch::Drawing => self.gizmos.config::<CollisionGizmos>().0.enabled,
            Switch::Panel => self.inspector.open,
        }
    }

    fn flip(&mut self, switch: Switch) {
        let on = !self.is_on(switch);
        match switch {
            Switch::Touching => {
                self.settings.touch_rule =
                    if on { TouchRule::Inclusive } else { TouchRule::Exclusive };
            }
            Switch::PushOut => self.settings.resolution.enabled = on,
            Switch::Drawing => self.gizmos.config_mut::<CollisionGizmos>().0.enabled = on,
            Switch::Panel => self.inspector.open = on,
        }
    }
}

/// The panel has its key by itself.
fn switch_by_key(keys: Res<ButtonInput<KeyCode>>, mut switches: Switches) {
    for (key, switch) in [
        (KeyCode::KeyT, Switch::Touching),
        (KeyCode::KeyP, Switch::PushOut),
        (KeyCode::KeyD, Switch::Drawing),
    ] {
        if keys.just_pressed(key) {
            switches.flip(switch);
        }
    }
}

fn choose_by_key(keys: Res<ButtonInput<KeyCode>>, mut choice: ResMut<Choice>) {
    let options = choice.options;
    for (option, (key, _)) in options.iter().enumerate() {
        if keys.just_pressed(*key) {
            choice.flip(option);
        }
    }
}

fn unfold_help(keys: Res<ButtonInput<KeyCode>>, mut help: ResMut<Help>) {
    help.is_unfolded ^= keys.just_pressed(KeyCode::KeyH);
}

const HELP_COLOR: egui::Color32 = egui::Color32::from_rgb(190, 196, 208);
const BAR_COLOR: egui::Color32 = egui::Color32::from_rgb(27, 30, 38);

/// In a window with less room than this the bar stays away, to leave it to the scene.
const LEAST_BAR_WIDTH: f32 = 240.0;

/// In a window lower than this the help folds, in points.
const LOW: f32 = 480.0;

fn draw_bar(
    mut contexts: EguiContexts,
    mut switches: Switches,
    mut choice: Option<ResMut<Choice>>,
    mut view: ResMut<View>,
    mut help: ResMut<Help>,
) -> Result {
    let context = contexts.ctx_mut()?;
    let mut free = context.viewport_rect();
    if let Some(panel) = switches.inspector.side_panel_rect(free) {
        free.max.x = panel.min.x;
    }
    if free.width() < LEAST_BAR_WIDTH {
        view.free = Some(free);
        return Ok(());
    }
    let bar = egui::Area::new("bar".into())
        .pivot(egui::Align2::LEFT_BOTTOM)
        .fixed_pos(free.left_bottom())
        .fade_in(false)
        .show(context, |ui| {
            egui::Frame::new().fill(BAR_COLOR).inner_margin(8).show(ui, |ui| {
                ui.set_width(free.width() - 16.0);
                let is_low = free.height() < LOW;
                ui.horizontal_wrapped(|ui| {
                    draw_switches(ui, &mut switches);
                    if is_low && ui.selectable_label(help.is_unfolded, "H  help").clicked() {
                        help.is_unfolded ^= true;
                    }
                });
                if let Some(choice) = &mut choice {
                    ui.horizontal_wrapped(|ui| draw_choice(ui, choice));
                }
                if !is_low || help.is_unfolded {
                    ui.horizontal_wrapped(|ui| draw_legend(ui, &switches.gizmos));
                    ui.label(egui::RichText::new(help.words).color(HELP_COLOR));
                }
            });
        });
    free.max.y = bar.response.rect.min.y;
    view.free = Some(free);
    Ok(())
}

fn draw_switches(ui: &mut egui::Ui, switches: &mut Switches) {
    for switch in Switch::ALL {
        let is_on = switches.is_on(switch);
        if ui.selectable_label(is_on, switch.label(is_on)).clicked() {
            switches.flip(switch);
        }
    }
}

fn draw_choice(ui: &mut egui::Ui, choice: &mut Choice) {
    ui.label(egui::RichText::new(choice.title).color(HELP_COLOR));
    let options = choice.options;
    for (option, (_, words)) in options.iter().enumerate() {
        if ui.selectable_label(choice.chosen == Some(option), *words).clicked() {
            choice.flip(option);
        }
    }
}

/// What is drawn, each in its colour.
fn draw_legend(ui: &mut egui::Ui, store: &GizmoConfigStore) {
    let (_, drawing) = store.config::<CollisionGizmos>();
    for (is_drawn, color, text) in [
        (drawing.outlines, drawing.apart_color, "⏹ apart"),
        (drawing.outlines, drawing.touching_color, "⏹ touching"),
        (drawing.outlines, drawing.overlapping_color, "⏹ overlapping"),
        (drawing.mtvs, drawing.mtv_color, "➡ MTV: the shortest way out"),
        (drawing.normals, drawing.normal_color, "➡ normal"),
        (drawing.contact_points, drawing.contact_point_color, "× contact point"),
    ] {
        if is_drawn {
            let text = egui::RichText::new(text).color(to_egui(color));
            ui.add(egui::Label::new(text).wrap_mode(egui::TextWrapMode::Extend));
            ui.add_space(6.0);
        }
    }
}

/// A colour of Bevy's as one of egui's.
pub(crate) fn to_egui(color: Color) -> egui::Color32 {
    let [red, green, blue, alpha] = color.to_srgba().to_u8_array();
    egui::Color32::from_rgba_unmultiplied(red, green, blue, alpha)
}
