//! The body of the contact panel, a plain function on an `egui::Ui`.

use std::sync::Arc;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::egui;

use crate::geometry::TouchRule;
use crate::{CollisionSettings, CollisionStats, Pushes};

use super::axis_view::show_why;
use super::columns::{Names, NamesQuery, count_contacts};
use super::counts::{show_numbers, show_numbers_of_past};
use super::detail::{DETAIL_HEIGHT, show_detail};
use super::edit_form::show_edit_form;
use super::entity_list::show_entity_list;
use super::focus::{follow_focus, last_focused};
use super::layer_matrix::show_layers;
use super::layer_names::LayerNames;
use super::plots::show_plots;
use super::report::report;
use super::rows::Arrangement;
use super::settings_form::settings_form;
use super::step_record::StepRecord;
use super::table::{Table, name_width};
use super::tabs::show_tabs;
use super::timeline::show_history;
use super::{CollisionInspector, Selection, Tab};

/// The least height of the table, in points. In less room the whole body scrolls.
const LEAST_TABLE_HEIGHT: f32 = 120.0;

/// The least width of the body, in points. In less room it scrolls sideways.
const LEAST_BODY_WIDTH: f32 = 290.0;
/// Height of the panel below which the settings and the numbers are folded at first, in points: the
/// list needs the room.
const LEAST_ROOM_FOR_ALL: f32 = 460.0;

/// What the panel shows and changes, as a system parameter.
///
/// Of the game's data it writes [`CollisionSettings`] only. What the user edits of a collider is
/// carried out at the end of the frame, by one system that takes [`Edit`](super::Edit)s.
#[derive(SystemParam)]
pub struct ContactPanelData<'w, 's> {
    pub(super) inspector: ResMut<'w, CollisionInspector>,
    settings: ResMut<'w, CollisionSettings>,
    stats: Res<'w, CollisionStats>,
    pushes: Option<Res<'w, Pushes>>,
    layer_names: Option<Res<'w, LayerNames>>,
    colliders: NamesQuery<'w, 's>,
}

/// Draws the body of the contact panel into any `Ui`.
///
/// [`CollisionInspectorPlugin`](super::CollisionInspectorPlugin) draws it in a panel at the right
/// edge. A game that would rather have it in a window of its own keeps the plugin, sets
/// [`CollisionInspector::open`] to `false`, and calls this. One call in a frame.
///
/// It fills the width and height it is given and scrolls when that is too little; 400 by 600
/// points show everything.
///
/// ```no_run
/// use bevy::prelude::*;
/// use bevy_egui::{EguiContexts, EguiPrimaryContextPass};
/// use bevy_nudge::inspector::{CollisionInspectorPlugin, ContactPanelData, contact_panel, egui};
/// use bevy_nudge::prelude::*;
///
/// fn contact_window(mut contexts: EguiContexts, mut data: ContactPanelData) -> Result {
///     egui::Window::new("Contacts").default_size([420.0, 640.0]).show(contexts.ctx_mut()?, |ui| {
///         contact_panel(ui, &mut data);
///     });
///     Ok(())
/// }
///
/// App::new()
///     .add_plugins((DefaultPlugins, CollisionPlugin::default(), CollisionInspectorPlugin))
///     .add_systems(EguiPrimaryContextPass, contact_window)
///     .run();
/// ```
pub fn contact_panel(ui: &mut egui::Ui, data: &mut ContactPanelData) {
    data.inspector.body = Some(ui.max_rect().intersect(ui.clip_rect()));
    // A bar that takes a little room, and no digits away.
    ui.spacing_mut().scroll = egui::style::ScrollStyle::thin();
    let room = ui.available_height();
    // Inside another scroll area there is no end of room.
    let room = if room.is_finite() { room } else { 640.0 };
    egui::ScrollArea::both().id_salt("contact panel").auto_shrink(false).max_height(room).show(
        ui,
        |ui| {
            ui.set_width(ui.available_width().max(LEAST_BODY_WIDTH));
            show_body(ui, data, room);
            follow_focus(ui);
        },
    );
}

fn show_body(ui: &mut egui::Ui, data: &mut ContactPanelData, room: f32) {
    let bottom = ui.cursor().top() + room;
    let inspector = &mut *data.inspector;
    inspector.drawing.is_drawn = true;
    let record = inspector.history.shown().cloned().unwrap_or_default();
    let past = Some(&*record).filter(|_| inspector.history.is_past());
    let without_names = LayerNames::default();
    let layers = data.layer_names.as_deref().unwrap_or(&without_names);
    let names = Names { query: &data.colliders, past, layers };
    let mut settings = data.settings.clone();

    let step = past.map_or(data.stats.steps, |past| past.step);
    show_stepping(ui, inspector, &mut settings, step);
    show_tabs(ui, &mut inspector.tab);
    match inspector.tab {
        Tab::List => {
            let has_room = room > LEAST_ROOM_FOR_ALL;
            let mut show_numbers = |ui: &mut egui::Ui| match past {
                Some(past) => show_numbers_of_past(ui, past),
                None => {
                    let now = ui.input(|input| input.time);
                    show_numbers(ui, &data.stats, &inspector.stage_means.update(&data.stats, now));
                }
            };
            if has_room {
                show_numbers(ui);
            } else {
                egui::CollapsingHeader::new("Counts and times").show_unindented(ui, show_numbers);
            }
            if inspector.is_replay {
                // Those of this app have nothing to do with the file.
                ui.weak(touching_words(&record));
            } else {
                let header = egui::CollapsingHeader::new("Settings").default_open(has_room);
                header.show_unindented(ui, |ui| {
                    settings_form(ui, &mut settings, &data.stats, data.pushes.is_some());
                });
            }
            ui.separator();
            show_list(ui, inspector, &record, &names, bottom);
        }
        Tab::Why => show_why(ui, inspector, &record, &names),
        Tab::History => show_history(ui, inspector, &mut settings, &names),
        Tab::Entities => show_entities(ui, inspector, &record, &names, bottom),
        Tab::Plots => {
            let room = bottom - ui.cursor().top();
            show_plots(ui, inspector, room);
        }
        Tab::Layers => show_layers(ui, &record, layers),
    }
    // A change counts from the next step; without one the game sees no change.
    data.settings.set_if_neq(settings);
}

/// By which rule and tolerance a step was taken.
fn touching_words(record: &StepRecord) -> String {
    let counts = match record.touch.rule {
        TouchRule::Inclusive => "is a contact",
        TouchRule::Exclusive => "is none",
    };
    format!("In this step touching {counts}, with a tolerance of {}.", record.touch.slop)
}

/// The table of contacts, and what is selected in it.
fn show_list(
    ui: &mut egui::Ui,
    inspector: &mut CollisionInspector,
    record: &Arc<StepRecord>,
    names: &Names,
    bottom: f32,
) {
    show_filter(ui, inspector, record, names);
    let only = match inspector.selection {
        Selection::Collider(entity) => Some(entity),
        Selection::None | Selection::Pair(..) => None,
    };
    let wanted = Arrangement { filter: inspector.filter.clone(), sort: inspector.sort, only };
    inspector.rows.update(record, wanted, names);
    let (live, all) = (inspector.rows.live(), record.contacts.len());
    ui.weak(if live == all {
        count_contacts(all)
    } else {
        format!("{live} of {}", count_contacts(all))
    });
    let height = (bottom - ui.cursor().top() - DETAIL_HEIGHT - 8.0).max(LEAST_TABLE_HEIGHT);
    Table {
        rows: &inspector.rows,
        names,
        selection: &mut inspector.selection,
        sort: &mut inspector.sort,
        name_width: name_width(ui.available_width()),
    }
    .show(ui, height);
    show_detail(ui, inspector, record, names);
}

/// For how long the button says that it has copied.
const SECONDS_OF_COPIED: f64 = 2.0;

/// Copies what is selected as text.
pub(super) fn copy_button(
    ui: &mut egui::Ui,
    record: &StepRecord,
    selection: Selection,
    names: &Names,
) {
    let hint = "What is selected as text, for a bug report: to the log, and to the clipboard if \
                bevy_egui has its feature manage_clipboard";
    let (id, now) = (ui.id().with("copied"), ui.input(|input| input.time));
    let copied: Option<f64> = ui.data(|data| data.get_temp(id));
    let is_done = copied.is_some_and(|copied| now - copied < SECONDS_OF_COPIED);
    let button = egui::Button::new(if is_done { "Copied" } else { "Copy" });
    if ui.add(button.min_size(egui::vec2(54.0, 0.0))).on_hover_text(hint).clicked() {
        let text = report(record, selection, names.layers);
        log::info!("copied from the contact panel:\n{text}");
        ui.ctx().copy_text(text);
        ui.data_mut(|data| data.insert_temp(id, now));
    }
}

/// All colliders, and the selected one to edit below them.
fn show_entities(
    ui: &mut egui::Ui,
    inspector: &mut CollisionInspector,
    record: &StepRecord,
    names: &Names,
    bottom: f32,
) {
    let room = bottom - ui.cursor().top();
    show_entity_list(ui, inspector, record, names, 0.45 * room);
    ui.separator();
    egui::ScrollArea::vertical()
        .id_salt("edit form")
        .auto_shrink(false)
        .min_scrolled_height(120.0)
        .show(ui, |ui| {
            show_edit_form(ui, inspector, names);
            follow_focus(ui);
        });
}

/// Pause or resume, single step, and whether the step runs.
fn show_stepping(
    ui: &mut egui::Ui,
    inspector: &mut CollisionInspector,
    settings: &mut CollisionSettings,
    steps: u64,
) {
    ui.horizontal(|ui| {
        let is_narrow = ui.available_width() < 340.0;
        let size = if is_narrow { [54.0, 24.0] } else { [72.0, 24.0] };
        let asks_for_focus = core::mem::take(&mut inspector.focus_request);
        if inspector.is_replay {
            let first = show_replaying(ui, inspector, size);
            if asks_for_focus {
                give_or_take_focus(&first);
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.monospace(format!("step {steps:>7}"));
            });
            return;
        }
        let is_running = settings.stepping.is_running();
        // One place for both, so that two clicks there pause and resume.
        let first =
            ui.add_sized(size, egui::Button::new(if is_running { "Pause" } else { "Resume" }));
        if asks_for_focus {
            give_or_take_focus(&first);
        }
        if first.clicked() {
            if is_running {
                inspector.pause(settings);
            } else {
                inspector.resume(settings);
            }
        }
        let step = ui.add_sized(size, egui::Button::new("Step"));
        if step.on_hover_text("Takes one collision step and pauses").clicked() {
            inspector.single_step(settings);
        }
        let state = match (inspector.history.is_past(), is_running) {
            (true, _) => "looking back",
            (false, true) => "running",
            (false, false) => "paused",
        };
        ui.label(state);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let words = if is_narrow { "" } else { "step " };
            ui.monospace(format!("{words}{steps:>7}")).on_hover_text("Number of the step");
        });
    });
}

/// The same buttons, for the steps of a file.
fn show_replaying(
    ui: &mut egui::Ui,
    inspector: &mut CollisionInspector,
    size: [f32; 2],
) -> egui::Response {
    let is_playing = inspector.player.is_playing;
    let play = egui::Button::new(if is_playing { "Stop" } else { "Play" });
    let first = ui.add_sized(size, play);
    if first.clicked() {
        if is_playing {
            inspector.player.is_playing = false;
        } else {
            inspector.play();
        }
    }
    if ui.add_sized(size, egui::Button::new("Step")).clicked() {
        inspector.player.is_playing = false;
        inspector.history.move_by(1);
    }
    for (text, speed) in [("1/4", 0.25), ("1", 1.0), ("4", 4.0)] {
        ui.selectable_value(&mut inspector.player.speed, speed, text).on_hover_text("Speed");
    }
    first
}

/// Gives the keyboard to what had it last, at first to the first button of the panel; or back to the
/// game if some widget has it.
fn give_or_take_focus(first: &egui::Response) {
    let focused = first.ctx.memory(|memory| memory.focused());
    let last = last_focused(&first.ctx).unwrap_or(first.id);
    match focused {
        Some(focused) => first.ctx.memory_mut(|memory| memory.surrender_focus(focused)),
        None => first.ctx.memory_mut(|memory| memory.request_focus(last)),
    }
}

/// The text to filter by, and which collider the table is limited to.
fn show_filter(
    ui: &mut egui::Ui,
    inspector: &mut CollisionInspector,
    record: &StepRecord,
    names: &Names,
) {
    ui.horizontal(|ui| {
        ui.label("Filter");
        let field = egui::TextEdit::singleline(&mut inspector.filter);
        ui.add(field.hint_text("name").desired_width(130.0).id_salt("contact filter"));
        if ui.add_enabled(!inspector.filter.is_empty(), egui::Button::new("Clear")).clicked() {
            inspector.filter.clear();
        }
        copy_button(ui, record, inspector.selection, names);
        if let Selection::Collider(entity) = inspector.selection {
            let chip = egui::Button::selectable(true, format!("only {}  x", names.label(entity)));
            if ui.add(chip.truncate()).on_hover_text("Show all contacts again").clicked() {
                inspector.selection = Selection::None;
            }
        }
    });
}
