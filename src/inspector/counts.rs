//! What a step counted and how long it took, as numbers below their titles.

use bevy_egui::egui;

use crate::{CollisionStats, StageTimes};

use super::recorded_colliders::RecordedCollider;
use super::step_record::StepRecord;

/// Counts and times of the last step.
pub(super) fn show_numbers(ui: &mut egui::Ui, stats: &CollisionStats, times: &StageTimes) {
    let work = [stats.read_colliders, stats.sorted_colliders, stats.compared_bounds];
    show_counts(ui, stats, work.map(|count| count.to_string()));
    let stages = [
        times.sync,
        times.broad_phase,
        times.narrow_phase,
        times.resolve,
        times.publish,
        times.total(),
    ];
    show_times(ui, stages.map(|time| format!("{:.3}", time.as_secs_f64() * 1e3)));
}

/// The same of a step of the past, as far as it is kept.
pub(super) fn show_numbers_of_past(ui: &mut egui::Ui, past: &StepRecord) {
    let unknown = || "-".to_owned();
    show_counts(ui, &counts_of(past), [unknown(), unknown(), unknown()]);
    let total = format!("{:.3}", past.milliseconds);
    show_times(ui, [unknown(), unknown(), unknown(), unknown(), unknown(), total]);
}

fn counts_of(past: &StepRecord) -> CollisionStats {
    let active = || past.colliders.iter().filter(|collider| collider.shape.is_some());
    let is_left_out = |collider: &RecordedCollider| {
        collider.shape.is_none() && !collider.traits.flags.is_disabled
    };
    CollisionStats {
        colliders: active().count(),
        static_colliders: active().filter(|collider| collider.traits.flags.is_static).count(),
        swept_colliders: active().filter(|collider| collider.traits.flags.is_swept).count(),
        invalid_colliders: past.colliders.iter().filter(is_left_out).count(),
        candidates: past.candidates,
        contacts: past.contacts.len(),
        ..CollisionStats::default()
    }
}

/// What there is, and in a row of its own what the step did with it, from stage to stage.
fn show_counts(ui: &mut egui::Ui, stats: &CollisionStats, [read, sorted, compared]: [String; 3]) {
    let invalid = egui::RichText::new(stats.invalid_colliders.to_string());
    let invalid = if stats.invalid_colliders > 0 {
        invalid.color(ui.visuals().error_fg_color)
    } else {
        invalid
    };
    show_row(
        ui,
        [
            (
                "Colliders",
                "That take part, static ones included",
                stats.colliders.to_string().into(),
            ),
            ("static", "Have StaticCollider", stats.static_colliders.to_string().into()),
            ("swept", "Looked at on their whole way", stats.swept_colliders.to_string().into()),
            ("invalid", "Left out: shape or transform is unsound", invalid),
            ("", "", "".into()),
        ],
    );
    show_row(
        ui,
        [
            ("Read", "Colliders looked at: all but static ones that did not change", read.into()),
            (
                "Sorted",
                "Colliders sorted into the grid: all that move, and static ones where some changed",
                sorted.into(),
            ),
            ("Compared", "Pairs of bounds that the grid compared", compared.into()),
            (
                "Candidates",
                "Pairs whose bounds meet and whose layers match: the narrow phase tests them",
                stats.candidates.to_string().into(),
            ),
            ("Contacts", "Pairs in contact", stats.contacts.to_string().into()),
        ],
    );
}

fn show_times(ui: &mut egui::Ui, [sync, broad, narrow, resolve, publish, total]: [String; 6]) {
    show_row(
        ui,
        [
            ("Sync ms", "Reads colliders and places. All in milliseconds", sync.into()),
            ("Broad", "Broad phase: finds candidates in the grid", broad.into()),
            ("Narrow", "Narrow phase: tests candidates", narrow.into()),
            ("Resolve", "Pushes solids apart", resolve.into()),
            ("Publish", "Writes contacts and events", publish.into()),
            ("Total", "All stages together", total.into()),
        ],
    );
}

/// In less width than this, in points, titles and numbers are smaller and closer.
const NARROW: f32 = 330.0;

/// Titles with a number below each, in columns of equal width whatever the numbers are.
fn show_row<const N: usize>(ui: &mut egui::Ui, numbers: [(&str, &str, egui::RichText); N]) {
    let is_narrow = ui.available_width() < NARROW;
    let gap = ui.spacing().item_spacing.x;
    let (gap, title_size, number_size) =
        if is_narrow { (3.0, 10.0, 11.0) } else { (gap, 11.0, 13.0) };
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = gap;
        show_columns(ui, numbers, title_size, number_size);
    });
}

fn show_columns<const N: usize>(
    ui: &mut egui::Ui,
    numbers: [(&str, &str, egui::RichText); N],
    title_size: f32,
    number_size: f32,
) {
    ui.columns(N, |columns| {
        for (ui, (title, hint, number)) in columns.iter_mut().zip(numbers) {
            ui.spacing_mut().item_spacing.y = 0.0;
            let title = egui::RichText::new(title).weak().size(title_size);
            let title = ui.add(egui::Label::new(title).truncate());
            let number = ui.add(egui::Label::new(number.monospace().size(number_size)).truncate());
            if !hint.is_empty() {
                (title | number).on_hover_text(hint);
            }
        }
    });
}
