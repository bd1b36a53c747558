//! The page of the past: a timeline of what started and ended, and the ways through it.

use std::sync::Arc;

use bevy::prelude::Entity;
use bevy_egui::egui;

use crate::{CollisionSettings, EndReason};

use super::columns::{Names, count_contacts};
use super::save_form::show_save_form;
use super::step_record::{RecordedEvent, StepRecord};
use super::{CollisionInspector, Selection};

const STRIP_HEIGHT: f32 = 76.0;
/// The band at the foot of the strip: when the selected pair was in contact.
const BAND_HEIGHT: f32 = 8.0;
const ROW_HEIGHT: f32 = 18.0;

pub(super) const STARTED_COLOR: egui::Color32 = egui::Color32::from_rgb(110, 200, 255);
pub(super) const ENDED_COLOR: egui::Color32 = egui::Color32::from_rgb(255, 140, 105);

/// Where to go.
#[derive(Clone, Copy, Debug)]
enum Go {
    By(isize),
    To(u64),
    Live,
    Play,
    Stop,
}

/// Draws the page.
pub(super) fn show_history(
    ui: &mut egui::Ui,
    inspector: &mut CollisionInspector,
    settings: &mut CollisionSettings,
    names: &Names,
) {
    show_memory(ui, inspector);
    let pair = match inspector.selection {
        Selection::Pair(a, b) => Some((a, b)),
        Selection::None | Selection::Collider(_) => None,
    };
    let by_buttons = show_buttons(ui, inspector);
    let by_strip = show_strip(ui, inspector, pair);
    let by_pair = show_jumps(ui, inspector, pair);
    show_save_form(ui, inspector);
    let by_list = show_events(ui, inspector, names);
    if let Some(go) = by_buttons.or(by_strip).or(by_pair).or(by_list) {
        inspector.player.is_playing = false;
        match go {
            Go::Stop => {}
            Go::Play => {
                inspector.pause(settings);
                inspector.play();
            }
            Go::Live => inspector.history.view_last(),
            Go::By(count) => inspector.look_back(settings, |history| history.move_by(count)),
            Go::To(step) => inspector.look_back(settings, |history| history.view(step)),
        }
    }
}

/// How much is kept, and whether any more is.
fn show_memory(ui: &mut egui::Ui, inspector: &mut CollisionInspector) {
    let history = &mut inspector.history;
    if inspector.is_replay {
        ui.weak(format!("{} steps from a file", history.steps().len()));
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.checkbox(&mut history.is_recording, "Keep steps")
            .on_hover_text("Off: only the last step is kept, and nothing to look back at");
        let size = |bytes: usize| format!("{:.1}", bytes as f64 / f64::from(1 << 20));
        let (count, used) = (history.steps().len(), size(history.bytes()));
        let most = size(history.max_bytes);
        ui.weak(format!("{count} of {} steps, {used} of {most} MiB", history.max_steps))
            .on_hover_text("When either is reached, the oldest steps are dropped");
        if ui.add_enabled(count > 1, egui::Button::new("Forget")).clicked() {
            history.clear();
        }
    });
}

/// Back, forward, and to the present.
fn show_buttons(ui: &mut egui::Ui, inspector: &CollisionInspector) -> Option<Go> {
    let history = &inspector.history;
    let mut go = None;
    ui.horizontal(|ui| {
        let can_move = history.steps().len() > 1;
        for (text, hint, target) in [
            ("⏮", "To the oldest step (Home)", Go::By(isize::MIN)),
            ("⏴", "One step back (left arrow)", Go::By(-1)),
            ("⏵", "One step forward (right arrow)", Go::By(1)),
            ("⏭", "To the newest step (End)", Go::By(isize::MAX)),
        ] {
            let button = egui::Button::new(text).min_size(egui::vec2(30.0, 20.0));
            if ui.add_enabled(can_move, button).on_hover_text(hint).clicked() {
                go = Some(target);
            }
        }
        let is_playing = inspector.player.is_playing;
        let play = egui::Button::new(if is_playing { "Stop" } else { "Play" });
        let play = ui.add_enabled(can_move, play.min_size(egui::vec2(44.0, 20.0)));
        if play.on_hover_text("Plays the kept steps while the game stands still").clicked() {
            go = Some(if is_playing { Go::Stop } else { Go::Play });
        }
        let can_be_live = history.is_past() && !inspector.is_replay;
        let live = ui.add_enabled(can_be_live, egui::Button::new("Live"));
        if live.on_hover_text("Show the last step, and each that comes").clicked() {
            go = Some(Go::Live);
        }
        if let Some(shown) = history.shown() {
            let when = if history.is_past() { "looking at" } else { "live," };
            // In less room the number at the top of the panel has to do.
            if ui.available_width() > 120.0 {
                ui.label(format!("{when} step {}", shown.step));
            }
        }
    });
    go
}

/// The strip: a column for each step, with what started above the middle and what ended below.
fn show_strip(
    ui: &mut egui::Ui,
    inspector: &CollisionInspector,
    pair: Option<(Entity, Entity)>,
) -> Option<Go> {
    let history = &inspector.history;
    let size = egui::vec2(ui.available_width(), STRIP_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, egui::Sense::click_and_drag());
    let label = format!("Timeline, {} steps", history.steps().len());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Slider, true, &label));
    let steps: Vec<&Arc<StepRecord>> = history.steps().collect();
    let strip = Strip { rect, count: steps.len() };
    let shown = history.shown().map_or(0, |shown| shown.step);
    strip.draw(ui, &steps, shown, history.is_past(), pair);
    if response.has_focus() {
        let stroke = ui.visuals().selection.stroke;
        ui.painter().rect_stroke(rect, 2.0, stroke, egui::StrokeKind::Inside);
    }
    let at = |position: egui::Pos2| strip.place_at(position.x).map(|place| steps[place]);
    if let Some(record) = response.hover_pos().and_then(at) {
        let started = record.events.iter().filter(|event| event.end.is_none()).count();
        let ended = record.events.len() - started;
        let contacts = count_contacts(record.contacts.len());
        let (step, ms) = (record.step, record.milliseconds);
        response.clone().on_hover_text_at_pointer(format!(
            "step {step}: {contacts}, {started} started, {ended} ended, {ms:.3} ms"
        ));
    }
    if response.clicked() || response.dragged() {
        response.request_focus();
        return response.interact_pointer_pos().and_then(at).map(|record| Go::To(record.step));
    }
    by_key(ui, &response)
}

/// The keys of the strip, while it has the focus.
fn by_key(ui: &egui::Ui, response: &egui::Response) -> Option<Go> {
    if !response.has_focus() {
        return None;
    }
    let filter = egui::EventFilter { horizontal_arrows: true, ..Default::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    ui.input(|input| {
        let presses = |key| isize::try_from(input.num_presses(key)).unwrap_or(1);
        let by = presses(egui::Key::ArrowRight) - presses(egui::Key::ArrowLeft)
            + 10 * (presses(egui::Key::PageDown) - presses(egui::Key::PageUp));
        if input.key_pressed(egui::Key::Home) {
            Some(Go::By(isize::MIN))
        } else if input.key_pressed(egui::Key::End) {
            Some(Go::By(isize::MAX))
        } else {
            (by != 0).then_some(Go::By(by))
        }
    })
}

/// Where each step stands.
struct Strip {
    rect: egui::Rect,
    count: usize,
}

impl Strip {
    fn x(&self, place: usize) -> f32 {
        self.rect.left() + self.rect.width() * place as f32 / self.count.max(1) as f32
    }

    fn place_at(&self, x: f32) -> Option<usize> {
        let last = self.count.checked_sub(1)?;
        let part = ((x - self.rect.left()) / self.rect.width()).clamp(0.0, 1.0);
        Some(((part * self.count as f32) as usize).min(last))
    }

    fn draw(
        &self,
        ui: &egui::Ui,
        steps: &[&Arc<StepRecord>],
        shown: u64,
        is_past: bool,
        pair: Option<(Entity, Entity)>,
    ) {
        let painter = ui.painter().with_clip_rect(self.rect.intersect(ui.clip_rect()));
        painter.rect_filled(self.rect, 2.0, ui.visuals().extreme_bg_color);
        let foot = self.rect.bottom() - BAND_HEIGHT;
        let middle = 0.5 * (self.rect.top() + foot);
        let most = steps.iter().map(|record| record.contacts.len()).max().unwrap_or(0).max(1);
        for (place, record) in steps.iter().enumerate() {
            // At least a point wide, also where several steps share one.
            let columns = self.x(place)..=self.x(place + 1).max(self.x(place) + 1.0);
            let column = |top, bottom| egui::Rect::from_x_y_ranges(columns.clone(), top..=bottom);
            let part = record.contacts.len() as f32 / most as f32;
            let top = foot - part * (foot - self.rect.top());
            painter.rect_filled(column(top, foot), 0.0, egui::Color32::from_gray(48));
            let started = record.events.iter().filter(|event| event.end.is_none()).count();
            let ended = record.events.len() - started;
            let half = middle - self.rect.top() - 3.0;
            if started > 0 {
                let top = middle - half * height(started);
                painter.rect_filled(column(top, middle), 0.0, STARTED_COLOR);
            }
            if ended > 0 {
                let bottom = middle + half * height(ended);
                painter.rect_filled(column(middle, bottom), 0.0, ENDED_COLOR);
            }
            if pair.is_some_and(|(a, b)| record.between(a, b).is_some()) {
                let color = egui::Color32::from_rgb(230, 230, 140);
                painter.rect_filled(column(foot + 1.0, self.rect.bottom()), 0.0, color);
            }
            if record.step == shown {
                let color = if is_past {
                    ui.visuals().strong_text_color()
                } else {
                    ui.visuals().weak_text_color()
                };
                let width = self.rect.width() / self.count as f32;
                let stroke = egui::Stroke::new(width.clamp(2.0, 6.0), color.gamma_multiply(0.7));
                painter.vline(self.x(place) + 0.5 * width, self.rect.y_range(), stroke);
            }
        }
        let line = egui::Stroke::new(1.0, ui.visuals().weak_text_color().gamma_multiply(0.5));
        painter.hline(self.rect.x_range(), middle, line);
    }
}

/// The height of a column for so many events, of 1: one is to be seen, and hundreds still differ.
fn height(events: usize) -> f32 {
    let doublings = (usize::BITS - events.leading_zeros()) as f32;
    (0.15 + 0.1 * doublings).min(1.0)
}

/// Jumps from event to event, and to the first contact of the selected pair.
fn show_jumps(
    ui: &mut egui::Ui,
    inspector: &CollisionInspector,
    pair: Option<(Entity, Entity)>,
) -> Option<Go> {
    let history = &inspector.history;
    let mut go = None;
    ui.horizontal_wrapped(|ui| {
        let of = if pair.is_some() { "of the selected pair" } else { "of any pair" };
        for (text, is_forward) in [("⏴ Event", false), ("Event ⏵", true)] {
            let target = history.next_event(is_forward, pair);
            let button = ui.add_enabled(target.is_some(), egui::Button::new(text));
            if button.on_hover_text(format!("The nearest start or end {of}")).clicked() {
                go = target.map(Go::To);
            }
        }
        let first = pair.and_then(|(a, b)| history.first_contact(a, b));
        let button = ui.add_enabled(first.is_some(), egui::Button::new("First contact"));
        let hint = "The first kept step in which the selected pair is in contact";
        if button.on_hover_text(hint).on_disabled_hover_text(hint).clicked() {
            go = first.map(Go::To);
        }
        for (color, text) in [(STARTED_COLOR, "⏹ started"), (ENDED_COLOR, "⏹ ended")] {
            let text = egui::RichText::new(text).color(color);
            // Whole, in whichever line.
            ui.add(egui::Label::new(text).extend());
        }
    });
    go
}

/// Every start and end that is kept, the newest last. A click goes there and selects the pair.
fn show_events(ui: &mut egui::Ui, inspector: &mut CollisionInspector, names: &Names) -> Option<Go> {
    let mut go = None;
    let mut selected = None;
    let history = &inspector.history;
    let steps: Vec<&Arc<StepRecord>> = history.steps().collect();
    // How many events there are up to each step.
    let ends: Vec<usize> = steps
        .iter()
        .scan(0, |sum, record| {
            *sum += record.events.len();
            Some(*sum)
        })
        .collect();
    let count = ends.last().copied().unwrap_or(0);
    let shown = history.shown().map_or(0, |shown| shown.step);
    ui.weak(if count == 1 { "1 event".to_owned() } else { format!("{count} events") });
    egui::ScrollArea::vertical()
        .id_salt("events")
        .auto_shrink(false)
        .min_scrolled_height(120.0)
        .stick_to_bottom(true)
        .show_rows(ui, ROW_HEIGHT - ui.spacing().item_spacing.y, count, |ui, range| {
            for row in range {
                let place = ends.partition_point(|end| *end <= row);
                let record = steps[place];
                let first = ends[place] - record.events.len();
                let event = &record.events[row - first];
                let former = place.checked_sub(1).map(|place| &**steps[place]);
                let text = describe(record, former, event, names);
                let color = if event.end.is_some() { ENDED_COLOR } else { STARTED_COLOR };
                let text = egui::RichText::new(text).color(color).size(12.0);
                let button = egui::Button::selectable(record.step == shown, text).truncate();
                let layout = egui::Layout::left_to_right(egui::Align::Center);
                let size = egui::vec2(ui.available_width(), ROW_HEIGHT - 4.0);
                let row = ui.allocate_ui_with_layout(size, layout, |ui| {
                    ui.spacing_mut().button_padding.y = 0.0;
                    ui.add(button)
                });
                if row.inner.clicked() {
                    go = Some(Go::To(record.step));
                    selected = Some(Selection::Pair(event.a, event.b));
                }
            }
        });
    if let Some(selected) = selected {
        inspector.selection = selected;
    }
    go
}

fn describe(
    record: &StepRecord,
    former: Option<&StepRecord>,
    event: &RecordedEvent,
    names: &Names,
) -> String {
    // As they were called in that step; what left in it, as in the one before.
    let name = |entity| match [Some(record), former]
        .into_iter()
        .flatten()
        .find_map(|record| record.collider(entity))
    {
        Some(collider) => collider.traits.name.clone().unwrap_or_else(|| entity.to_string()),
        None => names.label(entity),
    };
    let (step, a, b) = (record.step, name(event.a), name(event.b));
    match event.end {
        None => format!("{step}  started  {a} and {b}"),
        Some(reason) => format!("{step}  ended  {a} and {b}, {}", words(reason)),
    }
}

/// Why a contact ended, in words.
pub(super) fn words(reason: EndReason) -> &'static str {
    match reason {
        EndReason::MovedApart => "moved apart",
        EndReason::Despawned => "despawned",
        EndReason::ColliderRemoved => "collider removed",
        EndReason::Disabled => "disabled",
        EndReason::LayersChanged => "layers changed",
        EndReason::BothStatic => "both static",
        EndReason::BecameInvalid => "became invalid",
    }
}
