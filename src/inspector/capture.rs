//! Copies each step for the panel, while the panel is shown.

use bevy::ecs::system::{SystemChangeTick, SystemParam};
use bevy::prelude::*;

use crate::{
    CollisionEvent, CollisionPlugin, CollisionQuery, CollisionSettings, CollisionStats,
    CollisionSystems, Contacts,
};

use super::CollisionInspector;
use super::recorder::Recorder;
use super::seen_table::{SeenColliders, record_colliders};
use super::step_record::{RecordedContact, RecordedEvent, StepRecord};

/// Adds the copying to the schedule in which the step runs.
pub(super) fn add_capture(app: &mut App) {
    let plugins = app.get_added_plugins::<CollisionPlugin>();
    let Some(schedule) = plugins.first().map(|plugin| plugin.schedule()) else { return };
    app.add_systems(
        schedule,
        (
            // In the set, it runs only if a step is due.
            note_step.in_set(CollisionSystems::Sync),
            copy_narrow_phase
                .after(CollisionSystems::NarrowPhase)
                .before(CollisionSystems::Resolve),
            copy_events.after(CollisionSystems::Publish),
        )
            .run_if(is_watched),
    );
}

/// How far the copying of a step has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Copying {
    /// Nothing to copy.
    #[default]
    Idle,
    /// A step is under way.
    Begun,
    /// Its shapes and contacts are copied, not yet its events.
    Contacts,
}

/// Whether the body of the panel is drawn, wherever that is.
#[derive(Debug, Default)]
pub(super) struct Drawing {
    /// In this frame.
    pub(super) is_drawn: bool,
    /// In the frame before.
    pub(super) was_drawn: bool,
    /// For how many frames the panel has been open without being drawn.
    undrawn_frames: u8,
}

/// An open panel that has not been drawn for so many frames never will be: the app has no egui.
const PATIENCE: u8 = 8;

impl Drawing {
    /// Whether an open panel is going to be drawn.
    pub(super) fn is_expected(&self) -> bool {
        self.undrawn_frames < PATIENCE
    }
}

/// Whether anyone looks at the steps of this app.
pub(super) fn is_watched(inspector: Res<CollisionInspector>) -> bool {
    inspector.is_shown() && !inspector.is_replay
}

/// Notes whether the body was drawn in the frame before. Runs first in each frame.
pub(super) fn note_drawing(mut inspector: ResMut<CollisionInspector>) {
    let inspector = inspector.bypass_change_detection();
    let drawing = &mut inspector.drawing;
    drawing.was_drawn = core::mem::take(&mut drawing.is_drawn);
    let is_waiting = inspector.open && !drawing.was_drawn;
    drawing.undrawn_frames = if is_waiting { drawing.undrawn_frames.saturating_add(1) } else { 0 };
}

fn note_step(mut inspector: ResMut<CollisionInspector>) {
    inspector.bypass_change_detection().copying = Copying::Begun;
}

/// What is read of each collider.
#[derive(SystemParam)]
pub(super) struct StepData<'w, 's> {
    query: CollisionQuery<'w, 's>,
    colliders: SeenColliders<'w, 's>,
    contacts: Res<'w, Contacts>,
    settings: Res<'w, CollisionSettings>,
    stats: Res<'w, CollisionStats>,
    messages: Res<'w, Messages<CollisionEvent>>,
    ticks: SystemChangeTick,
}

/// Copies what the narrow phase tested and found, before the push-out moves it.
fn copy_narrow_phase(mut inspector: ResMut<CollisionInspector>, data: StepData) {
    let inspector = inspector.bypass_change_detection();
    if inspector.copying != Copying::Begun {
        return;
    }
    inspector.copying = Copying::Contacts;
    inspector.messages.clear(&data.messages);
    // The counter moves on at the end of a step, and this one is not over.
    let step = data.stats.steps + 1;
    let spare = inspector.history.take_spare().unwrap_or_default();
    let before = inspector.history.last().map(|last| &**last);
    let record = data.copy(before, step, spare);
    inspector.history.push(record);
}

/// Copies which contacts started and ended, once that is known.
fn copy_events(
    mut inspector: ResMut<CollisionInspector>,
    data: StepData,
    clock: Option<Res<Time<Real>>>,
) {
    let inspector = inspector.bypass_change_detection();
    if core::mem::take(&mut inspector.copying) != Copying::Contacts {
        return;
    }
    inspector.samples.take(&data.stats, clock.map_or(0.0, |clock| clock.elapsed_secs_f64()));
    let messages = &mut inspector.messages;
    inspector.history.finish_last(|record| {
        let events = messages.read(&data.messages).filter(|event| !event.is_persisted());
        record.events.extend(events.map(|event| RecordedEvent {
            a: event.a.entity,
            b: event.b.entity,
            end: event.end_reason(),
        }));
        record.events.sort_by_key(|event| (event.a, event.b));
        record.milliseconds = data.stats.times.total().as_secs_f32() * 1e3;
    });
}

/// Copies the last step after the fact, if it was taken while nobody looked.
pub(super) fn catch_up(mut inspector: ResMut<CollisionInspector>, data: StepData) {
    let inspector = inspector.bypass_change_detection();
    let is_known = inspector.history.last().is_some_and(|last| last.step >= data.stats.steps);
    if is_known || data.stats.steps == 0 {
        return;
    }
    let spare = inspector.history.take_spare().unwrap_or_default();
    let before = inspector.history.last().map(|last| &**last);
    let mut record = data.copy(before, data.stats.steps, spare);
    record.is_after_push = true;
    record.milliseconds = data.stats.times.total().as_secs_f32() * 1e3;
    inspector.history.push(record);
}

impl StepData<'_, '_> {
    /// The step as it is now, in the memory of one that nobody needs any more. What did not change
    /// since the step before is shared with it.
    fn copy(&self, before: Option<&StepRecord>, step: u64, spare: StepRecord) -> StepRecord {
        let StepRecord { colliders, mut contacts, mut events, .. } = spare;
        let mut recorder = Recorder::new(before.map(|record| &record.colliders), colliders);
        let since = before.and_then(|record| record.copied_at);
        record_colliders(&self.colliders, &self.query, since, &mut recorder);
        let colliders = recorder.finish();
        contacts.clear();
        contacts.extend(self.contacts.iter().map(|pair| RecordedContact {
            a: pair.a,
            b: pair.b,
            contact: pair.contact,
            age: pair.age,
            time_of_impact: pair.time_of_impact,
        }));
        events.clear();
        StepRecord {
            step,
            touch: self.settings.touch(),
            colliders,
            contacts,
            events,
            candidates: self.stats.candidates,
            active_colliders: self.stats.colliders,
            copied_at: Some(self.ticks.this_run()),
            ..default()
        }
    }
}
