//! The numbers of [`CollisionStats`] in Bevy's diagnostics store.
//!
//! They appear there when the app has a `DiagnosticsPlugin` (part of `DefaultPlugins`), and in the
//! log when it has a `LogDiagnosticsPlugin`.

use bevy::diagnostic::{Diagnostic, DiagnosticPath, Diagnostics, RegisterDiagnostic};
use bevy::prelude::*;

use crate::stats::CollisionStats;

/// Colliders that take part.
pub const COLLIDERS: DiagnosticPath = DiagnosticPath::const_new("nudge/colliders");
/// Colliders left out because they are unsound.
pub const INVALID_COLLIDERS: DiagnosticPath = DiagnosticPath::const_new("nudge/invalid_colliders");
/// Colliders that were looked at: all but static ones of which nothing has changed.
pub const READ_COLLIDERS: DiagnosticPath = DiagnosticPath::const_new("nudge/read_colliders");
/// Colliders that were sorted into a grid.
pub const SORTED_COLLIDERS: DiagnosticPath = DiagnosticPath::const_new("nudge/sorted_colliders");
/// Pairs of bounds that the broad phase compared.
pub const COMPARED_BOUNDS: DiagnosticPath = DiagnosticPath::const_new("nudge/compared_bounds");
/// Pairs that the narrow phase tested.
pub const CANDIDATES: DiagnosticPath = DiagnosticPath::const_new("nudge/candidates");
/// Pairs in contact.
pub const CONTACTS: DiagnosticPath = DiagnosticPath::const_new("nudge/contacts");
/// Time of the whole step, in milliseconds.
pub const STEP_TIME: DiagnosticPath = DiagnosticPath::const_new("nudge/step");
/// Time of [`CollisionSystems::Sync`](crate::CollisionSystems::Sync), in milliseconds.
pub const SYNC_TIME: DiagnosticPath = DiagnosticPath::const_new("nudge/step/sync");
/// Time of [`CollisionSystems::BroadPhase`](crate::CollisionSystems::BroadPhase), in milliseconds.
pub const BROAD_PHASE_TIME: DiagnosticPath = DiagnosticPath::const_new("nudge/step/broad_phase");
/// Time of [`CollisionSystems::NarrowPhase`](crate::CollisionSystems::NarrowPhase), in
/// milliseconds.
pub const NARROW_PHASE_TIME: DiagnosticPath = DiagnosticPath::const_new("nudge/step/narrow_phase");
/// Time of [`CollisionSystems::Resolve`](crate::CollisionSystems::Resolve), in milliseconds.
pub const RESOLVE_TIME: DiagnosticPath = DiagnosticPath::const_new("nudge/step/resolve");
/// Time of [`CollisionSystems::Publish`](crate::CollisionSystems::Publish), in milliseconds.
pub const PUBLISH_TIME: DiagnosticPath = DiagnosticPath::const_new("nudge/step/publish");

pub(crate) fn add_diagnostics(app: &mut App) {
    for path in [
        COLLIDERS,
        INVALID_COLLIDERS,
        READ_COLLIDERS,
        SORTED_COLLIDERS,
        COMPARED_BOUNDS,
        CANDIDATES,
        CONTACTS,
    ] {
        app.register_diagnostic(Diagnostic::new(path));
    }
    for path in
        [STEP_TIME, SYNC_TIME, BROAD_PHASE_TIME, NARROW_PHASE_TIME, RESOLVE_TIME, PUBLISH_TIME]
    {
        app.register_diagnostic(Diagnostic::new(path).with_suffix(" ms"));
    }
    app.add_systems(Last, write_diagnostics.run_if(resource_changed::<CollisionStats>));
}

fn write_diagnostics(stats: Res<CollisionStats>, mut diagnostics: Diagnostics) {
    let counts = [
        (COLLIDERS, stats.colliders),
        (INVALID_COLLIDERS, stats.invalid_colliders),
        (READ_COLLIDERS, stats.read_colliders),
        (SORTED_COLLIDERS, stats.sorted_colliders),
        (COMPARED_BOUNDS, stats.compared_bounds),
        (CANDIDATES, stats.candidates),
        (CONTACTS, stats.contacts),
    ];
    for (path, count) in &counts {
        diagnostics.add_measurement(path, || *count as f64);
    }
    let times = [
        (STEP_TIME, stats.times.total()),
        (SYNC_TIME, stats.times.sync),
        (BROAD_PHASE_TIME, stats.times.broad_phase),
        (NARROW_PHASE_TIME, stats.times.narrow_phase),
        (RESOLVE_TIME, stats.times.resolve),
        (PUBLISH_TIME, stats.times.publish),
    ];
    for (path, time) in &times {
        diagnostics.add_measurement(path, || time.as_secs_f64() * 1e3);
    }
}
