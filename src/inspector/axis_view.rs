//! The page that explains the selected pair: which stage decided, and every axis with the shadows
//! of both shapes on it.

use bevy::prelude::*;
use bevy_egui::egui;

use crate::geometry::{ExplainedAxis, Explanation, Interval, PlacedShape, Relation};

use super::columns::{Names, eight_digits};
use super::detail::{show_entity, show_vector};
use super::list_keys::{list_head, list_keys};
use super::panel::copy_button;
use super::scene::{COLOR_A, COLOR_B, to_egui};
use super::step_record::StepRecord;
use super::table::status_color;
use super::verdict::{Test, Verdict, judge};
use super::{CollisionInspector, Selection, axis_words};

const ROW_HEIGHT: f32 = 38.0;
const SOURCE_WIDTH: f32 = 118.0;
const FINDING_WIDTH: f32 = 106.0;

/// The verdict on the selected pair, and what of it is looked at.
#[derive(Debug, Default)]
pub(super) struct Why {
    /// Which pair and step the verdict is about.
    about: Option<(Entity, Entity, u64)>,
    pub(super) verdict: Option<Verdict>,
    /// The pair of pieces that is looked at.
    pieces: usize,
    /// The axis that is looked at; none for the one that decided.
    axis: Option<usize>,
}

impl Why {
    /// Judges the selected pair anew, if it or the step is another one.
    pub(super) fn update(&mut self, selection: Selection, record: Option<&StepRecord>) {
        let (Selection::Pair(a, b), Some(record)) = (selection, record) else {
            *self = Self::default();
            return;
        };
        let about = (a, b, record.step);
        if self.about == Some(about) {
            return;
        }
        if self.about.is_none_or(|(former_a, former_b, _)| (former_a, former_b) != (a, b)) {
            (self.pieces, self.axis) = (0, None);
        }
        self.about = Some(about);
        self.verdict = Some(judge(record, a, b));
    }

    fn test(&self) -> Option<&Test> {
        match self.verdict.as_ref()? {
            Verdict::Tested(test) => Some(test),
            _ => None,
        }
    }

    /// The pair of pieces that is looked at: its shapes, its axes, and the axis in sight.
    pub(super) fn in_sight(&self) -> Option<([&PlacedShape; 2], &Explanation, usize)> {
        let test = self.test()?;
        let pieces = test.pieces.get(self.pieces).or(test.pieces.first())?;
        let why = &pieces.explanation;
        let axis = self.axis.filter(|axis| *axis < why.axes.len()).unwrap_or(why.deciding);
        let [a, b] = &pieces.shapes;
        Some(([a, b], why, axis))
    }
}

/// Draws the page.
pub(super) fn show_why(
    ui: &mut egui::Ui,
    inspector: &mut CollisionInspector,
    record: &StepRecord,
    names: &Names,
) {
    inspector.why.update(inspector.selection, Some(record));
    let Selection::Pair(a, b) = inspector.selection else {
        show_how_to_select(ui, inspector.selection, names);
        return;
    };
    show_entity(ui, "A", COLOR_A, a, None, names);
    show_entity(ui, "B", COLOR_B, b, None, names);
    let Some(verdict) = &inspector.why.verdict else { return };
    let color = match verdict {
        Verdict::Tested(Test { contact: Some(pair), .. }) => status_color(pair.contact.status),
        _ => ui.visuals().strong_text_color(),
    };
    ui.horizontal(|ui| {
        ui.label(egui::RichText::new(axis_words::headline(verdict)).strong().color(color));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            copy_button(ui, record, inspector.selection, names);
        });
    });
    ui.label(axis_words::reason(verdict, record));
    if let Verdict::Tested(Test { contact: Some(pair), .. }) = verdict {
        show_vector(ui, "Normal", pair.contact.normal, "from A to B");
        show_vector(ui, "MTV", pair.contact.mtv(), "moves B out of A");
    }
    show_pieces(ui, &mut inspector.why);
    show_axes(ui, &mut inspector.why);
}

fn show_how_to_select(ui: &mut egui::Ui, selection: Selection, names: &Names) {
    match selection {
        Selection::Collider(entity) => {
            ui.label(format!("{} is selected. Select a second one:", names.label(entity)));
        }
        _ => {
            ui.label("Select two colliders to see why they are in contact, or why not:");
        }
    }
    for way in [
        "click one in the scene, and another with Shift held;",
        "or a row of the list of contacts;",
        "or two rows of the page Entities, the second with Shift held. By keyboard: Tab to the \
         list, up and down, Shift+Enter for the second.",
    ] {
        ui.horizontal_wrapped(|ui| {
            ui.label("•");
            ui.label(way);
        });
    }
}

/// Which pair of pieces is looked at.
fn show_pieces(ui: &mut egui::Ui, why: &mut Why) {
    let Some(test) = why.test().filter(|test| test.count > 1) else { return };
    let (listed, count) = (test.pieces.len(), test.count);
    let at = why.pieces.min(listed - 1);
    let [a, b] = test.pieces[at].places;
    let mut to = at;
    ui.horizontal(|ui| {
        if ui.add_enabled(at > 0, egui::Button::new("<")).clicked() {
            to = at - 1;
        }
        if ui.add_enabled(at + 1 < listed, egui::Button::new(">")).clicked() {
            to = at + 1;
        }
        ui.label(format!("piece {a} of A, piece {b} of B: pair {} of {count}", at + 1));
    });
    if to != at {
        (why.pieces, why.axis) = (to, None);
    }
}

fn show_axes(ui: &mut egui::Ui, why: &mut Why) {
    let Some((_, explanation, in_sight)) = why.in_sight() else { return };
    let explanation = explanation.clone();
    ui.add_space(4.0);
    let id = ui.id().with("axes");
    let count = explanation.axes.len();
    let title = format!("{count} candidate axes. The lit one is drawn in the scene.");
    let head = list_head(ui, &title, 20.0);
    let page = (ui.available_height() / ROW_HEIGHT) as usize;
    let keys = list_keys(ui, id, head, "Candidate axes", Some(in_sight), count, page);
    if keys.moved_to.is_some() {
        why.axis = keys.moved_to;
    }
    let in_sight = why.axis.unwrap_or(explanation.deciding).min(count - 1);
    let scale = Scale::of(&explanation);
    let area =
        egui::ScrollArea::vertical().id_salt("axes").auto_shrink(false).min_scrolled_height(120.0);
    keys.scrolled(area, ROW_HEIGHT).show_rows(ui, ROW_HEIGHT, count, |ui, range| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for index in range {
            let axis = &explanation.axes[index];
            let decides = index == explanation.deciding;
            if show_axis(ui, id.with(index), axis, decides, index == in_sight, scale) {
                why.axis = Some(index);
            }
        }
    });
}

/// How many world units the bars of all axes span: one scale, so that they can be compared.
#[derive(Clone, Copy)]
struct Scale(f64);

impl Scale {
    fn of(explanation: &Explanation) -> Self {
        let spans = explanation.axes.iter().map(|axis| {
            let [a, b] = axis.projections;
            a.max.max(b.max) - a.min.min(b.min)
        });
        Self(spans.fold(f64::MIN_POSITIVE, f64::max))
    }
}

/// A row: where the axis comes from, both shadows, and what they show. Whether it was clicked.
fn show_axis(
    ui: &mut egui::Ui,
    id: egui::Id,
    axis: &ExplainedAxis,
    decides: bool,
    is_in_sight: bool,
    Scale(span): Scale,
) -> bool {
    let size = egui::vec2(ui.available_width(), ROW_HEIGHT);
    let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    let response = ui.interact(rect, id, egui::Sense::CLICK);
    let source = axis_words::source(axis.source);
    let finding = axis_words::finding(axis);
    response.widget_info(|| {
        let label = format!("axis of {source}: {finding}");
        egui::WidgetInfo::selected(egui::WidgetType::SelectableLabel, true, is_in_sight, label)
    });
    let visuals = ui.visuals();
    if is_in_sight {
        ui.painter().rect_filled(rect, 2.0, visuals.selection.bg_fill.gamma_multiply(0.6));
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 2.0, visuals.widgets.hovered.weak_bg_fill);
    }
    let dim = if axis.is_tested { 1.0 } else { 0.45 };
    let strong = visuals.strong_text_color().gamma_multiply(dim);
    let weak = visuals.weak_text_color().gamma_multiply(dim);
    let finding_color = match axis.relation {
        Relation::Separated => egui::Color32::from_rgb(130, 225, 140),
        Relation::Touching => egui::Color32::from_rgb(255, 217, 51),
        Relation::Overlapping => egui::Color32::from_rgb(255, 120, 90),
    };
    let [left, middle, right] = parts(rect);
    let normal = format!("({}, {})", eight_digits(axis.normal.x), eight_digits(axis.normal.y));
    two_lines(ui, left, (&source, strong), (&normal, weak), egui::Align::Min);
    let note = match (decides, axis.is_tested) {
        (true, _) => "decides",
        (false, true) => "",
        (false, false) => "not tested",
    };
    let finding = (finding.as_str(), finding_color.gamma_multiply(dim));
    two_lines(ui, right, finding, (note, if decides { strong } else { weak }), egui::Align::Max);
    draw_bars(ui.painter(), middle, axis, span, dim);
    response.clicked()
}

fn parts(rect: egui::Rect) -> [egui::Rect; 3] {
    let rect = rect.shrink2(egui::vec2(4.0, 2.0));
    let source = SOURCE_WIDTH.min(0.34 * rect.width());
    let finding = FINDING_WIDTH.min(0.32 * rect.width());
    let (left, rest) = rect.split_left_right_at_x(rect.left() + source);
    let (middle, right) = rest.split_left_right_at_x(rest.right() - finding);
    [left, middle.shrink2(egui::vec2(4.0, 0.0)), right]
}

fn two_lines(
    ui: &mut egui::Ui,
    rect: egui::Rect,
    above: (&str, egui::Color32),
    below: (&str, egui::Color32),
    side: egui::Align,
) {
    let (top, bottom) = rect.split_top_bottom_at_y(rect.center().y);
    for (rect, (text, color)) in [(top, above), (bottom, below)] {
        let layout = if side == egui::Align::Min {
            egui::Layout::left_to_right(egui::Align::Center)
        } else {
            egui::Layout::right_to_left(egui::Align::Center)
        };
        let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(rect).layout(layout));
        let text = egui::RichText::new(text).color(color).size(11.5);
        ui.add(egui::Label::new(text).truncate().selectable(false));
    }
}

/// Both shadows to scale, A's above B's, with what they share or what lies between them.
fn draw_bars(painter: &egui::Painter, rect: egui::Rect, axis: &ExplainedAxis, span: f64, dim: f32) {
    let [a, b] = axis.projections;
    let center = 0.5 * (a.min.min(b.min) + a.max.max(b.max));
    let unit = 0.96 * f64::from(rect.width()) / span;
    let x = |at: f64| rect.center().x + ((at - center) * unit) as f32;
    let bar = |interval: Interval, top: f32, color: Color| {
        // A point has a shadow too.
        let right = x(interval.max).max(x(interval.min) + 1.5);
        let place = egui::Rect::from_x_y_ranges(x(interval.min)..=right, top..=top + 9.0);
        painter.rect_filled(place, 1.0, to_egui(color).gamma_multiply(0.85 * dim));
    };
    let (top, bottom) = (rect.center().y - 11.0, rect.center().y + 2.0);
    bar(a, top, COLOR_A);
    bar(b, bottom, COLOR_B);
    // From the end of A to the beginning of B: a gap, or what they share in this direction.
    let (from, to) = (x(a.max), x(b.min));
    let color = match axis.relation {
        Relation::Separated => egui::Color32::from_rgb(130, 225, 140),
        Relation::Touching => egui::Color32::from_rgb(255, 217, 51),
        Relation::Overlapping => egui::Color32::from_rgb(255, 120, 90),
    }
    .gamma_multiply(dim);
    let middle = rect.center().y;
    for end in [from, to] {
        painter.vline(end, top - 1.0..=bottom + 10.0, egui::Stroke::new(1.0, color));
    }
    painter.hline(from.min(to)..=from.max(to), middle - 0.5, egui::Stroke::new(2.0, color));
}
