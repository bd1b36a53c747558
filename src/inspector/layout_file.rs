//! What is open in the panel, kept in a file from one run to the next.

use std::path::Path;

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{CollisionInspector, Tab};

/// How long a change waits before it is written, in seconds: dragging an edge is many changes.
const WAIT: f64 = 1.0;

/// What is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Layout {
    open: bool,
    width: f32,
    page: String,
    keeps_steps: bool,
}

impl Layout {
    fn of(inspector: &CollisionInspector) -> Self {
        Self {
            open: inspector.open,
            width: inspector.width,
            page: inspector.tab.title().to_owned(),
            keeps_steps: inspector.history.is_recording,
        }
    }

    fn apply(&self, inspector: &mut CollisionInspector) {
        inspector.open = self.open;
        inspector.width = self.width;
        inspector.history.is_recording = self.keeps_steps;
        if let Some(tab) = Tab::ALL.into_iter().find(|tab| tab.title() == self.page) {
            inspector.tab = tab;
        }
    }
}

fn read(path: &Path) -> Option<Layout> {
    // Missing in the first run, and not worth a word if it is broken: it is written anew.
    serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()
}

/// Opens what was open in the last run.
pub(super) fn restore_layout(mut inspector: ResMut<CollisionInspector>) {
    if let Some(layout) = inspector.layout_file.as_deref().and_then(read) {
        layout.apply(&mut inspector);
    }
}

/// Writes what is open, when that has changed: a while later, or at the end of the app.
pub(super) fn keep_layout(
    inspector: Res<CollisionInspector>,
    clock: Option<Res<Time<Real>>>,
    mut exits: MessageReader<AppExit>,
    mut kept: Local<Option<Layout>>,
    mut changed: Local<Option<f64>>,
) {
    let Some(path) = &inspector.layout_file else { return };
    let layout = Layout::of(&inspector);
    if kept.is_none() {
        *kept = Some(layout);
        return;
    }
    if kept.as_ref() == Some(&layout) {
        *changed = None;
        return;
    }
    let now = clock.map_or(0.0, |clock| clock.elapsed_secs_f64());
    let since = *changed.get_or_insert(now);
    if now - since < WAIT && exits.read().next().is_none() {
        return;
    }
    let text = serde_json::to_string(&layout).unwrap_or_default();
    if let Err(error) = std::fs::write(path, text) {
        log::warn!("the layout of the contact panel is not kept: {}: {error}", path.display());
    }
    *kept = Some(layout);
    *changed = None;
}
