//! The contact table: how its rows are drawn, and what clicks and keys in it do.

use bevy_egui::egui;

use crate::geometry::ContactStatus;

use super::Selection;
use super::cell::paint_cell;
use super::columns::{Column, Names, SortOrder, sort_after_click};
use super::list_keys::{ListKeys, list_keys};
use super::rows::{Row, Rows};

const ROW_HEIGHT: f32 = 20.0;
const COLUMN_GAP: f32 = 6.0;
/// What the bar at the right takes.
const SCROLL_BAR: f32 = 10.0;
/// Width of a name, in enough room and in little.
const NAME: f32 = 80.0;
const LEAST_NAME: f32 = 50.0;

/// How wide the names are in a table of this width: narrow enough for status and depth to be seen
/// beside them.
pub(super) fn name_width(table: f32) -> f32 {
    let others = Column::Status.width(NAME) + Column::Depth.width(NAME);
    (0.5 * (table - SCROLL_BAR - others - 4.0 * COLUMN_GAP)).clamp(LEAST_NAME, NAME)
}

/// What the table shows and what a click in it changes.
pub(super) struct Table<'a, 'n, 'w, 's> {
    pub(super) rows: &'a Rows,
    pub(super) names: &'a Names<'n, 'w, 's>,
    pub(super) selection: &'a mut Selection,
    pub(super) sort: &'a mut Option<(Column, SortOrder)>,
    /// See [`name_width`].
    pub(super) name_width: f32,
}

impl Table<'_, '_, '_, '_> {
    /// Draws heads and rows in `height` points. Only the rows in view are laid out, so that ten
    /// thousand contacts cost no more than twenty.
    pub(super) fn show(mut self, ui: &mut egui::Ui, height: f32) {
        let id = ui.id().with("contacts");
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing = egui::vec2(COLUMN_GAP, 0.0);
            // A bar that is always there does not push the numbers aside when rows come and go.
            ui.spacing_mut().scroll = egui::style::ScrollStyle::solid();
            let head_size = egui::vec2(ui.available_width(), ROW_HEIGHT);
            let (head, _) = ui.allocate_exact_size(head_size, egui::Sense::hover());
            let keys = self.keys(ui, id, head, height);
            let body = egui::ScrollArea::both()
                .id_salt("contact rows")
                .auto_shrink(false)
                .max_height(height - ROW_HEIGHT)
                .scroll_bar_visibility(egui::scroll_area::ScrollBarVisibility::AlwaysVisible);
            let body = keys.scrolled(body, ROW_HEIGHT).show_rows(
                ui,
                ROW_HEIGHT,
                self.rows.len(),
                |ui, range| {
                    ui.set_min_width(self.width());
                    for row in range {
                        self.row(ui, id, row);
                    }
                },
            );
            // Drawn last, to follow the body sideways without being a frame late.
            let left = body.inner_rect.left() - body.state.offset.x;
            let visible = egui::Rect::from_x_y_ranges(body.inner_rect.x_range(), head.y_range());
            if let Some(head) = self.heads(ui, id, visible, left) {
                let mut state = body.state;
                state.offset.x += (head.right() - visible.right()).max(0.0);
                state.offset.x += (head.left() - visible.left()).min(0.0);
                state.store(ui.ctx(), body.id);
            }
        });
    }

    /// Moves the selection with the keys that move through a list.
    fn keys(&mut self, ui: &mut egui::Ui, id: egui::Id, head: egui::Rect, height: f32) -> ListKeys {
        let at = match *self.selection {
            Selection::Pair(a, b) => self.rows.place_of(a, b),
            Selection::None | Selection::Collider(_) => None,
        };
        let page = (height / ROW_HEIGHT) as usize;
        let keys = list_keys(ui, id, head, "Contacts", at, self.rows.len(), page);
        if let Some(Row { contact, .. }) = keys.moved_to.and_then(|place| self.rows.get(place)) {
            *self.selection = Selection::Pair(contact.a, contact.b);
        }
        keys
    }

    fn row(&mut self, ui: &mut egui::Ui, id: egui::Id, row: usize) {
        let rows = self.rows;
        let (place, Some(row)) = (row, rows.get(row)) else { return };
        let Row { contact: pair, ended } = row;
        let width = self.width().max(ui.available_width());
        let (rect, _) = ui.allocate_exact_size(egui::vec2(width, ROW_HEIGHT), egui::Sense::hover());
        // The list as a whole takes the focus, not its rows: these come and go.
        let sense = egui::Sense::CLICK;
        let visible = rect.intersect(ui.clip_rect());
        let response = ui.interact(visible, id.with((pair.a, pair.b)), sense);
        response.widget_info(|| {
            let [a, b] = [Column::A, Column::B].map(|column| column.text(row, self.names));
            let label = format!("{a} and {b}");
            let is_selected = *self.selection == Selection::Pair(pair.a, pair.b);
            let kind = egui::WidgetType::SelectableLabel;
            let mut info = egui::WidgetInfo::selected(kind, true, is_selected, label);
            info.current_text_value = Some(self.spoken(row));
            info
        });
        // Rows may move while the button is down, so a press selects, not only a full click.
        let is_pressed = response.is_pointer_button_down_on()
            && ui.input(|input| input.pointer.primary_pressed());
        if is_pressed || response.clicked() {
            *self.selection = Selection::Pair(pair.a, pair.b);
        }
        let visuals = ui.visuals();
        let is_selected = *self.selection == Selection::Pair(pair.a, pair.b);
        let fill = match (is_selected, response.hovered(), place % 2) {
            (true, ..) => visuals.selection.bg_fill,
            (false, true, _) => visuals.widgets.hovered.weak_bg_fill,
            (false, false, 0) => visuals.faint_bg_color,
            _ => egui::Color32::TRANSPARENT,
        };
        let text_color = match (is_selected, ended) {
            (_, Some(_)) => visuals.weak_text_color(),
            (true, None) => visuals.strong_text_color(),
            (false, None) => visuals.text_color(),
        };
        ui.painter().rect_filled(rect, 0.0, fill);
        let mut cut_off = None;
        for (column, left) in self.column_lefts(rect.left()) {
            let cell = self.cell_rect(column, left, rect);
            if !ui.is_rect_visible(cell) {
                continue;
            }
            let text = column.text(row, self.names);
            let mut rich = egui::RichText::new(&text).color(text_color);
            if column.is_number() {
                rich = rich.monospace();
            } else if column == Column::Status && ended.is_none() && !is_selected {
                rich = rich.color(status_color(pair.contact.status));
            }
            let is_cut_off = paint_cell(ui, cell, rich, column_align(column));
            if is_cut_off && response.hover_pos().is_some_and(|pointer| cell.contains(pointer)) {
                cut_off = Some(text);
            }
        }
        if let Some(text) = cut_off {
            response.on_hover_text(text);
        }
    }

    /// Draws the heads. Returns the place of the one to which the keys have just gone.
    ///
    /// The heads as a whole are one stop for Tab: left and right go from one to the next, Enter and
    /// Space sort by it.
    fn heads(
        &mut self,
        ui: &mut egui::Ui,
        id: egui::Id,
        visible: egui::Rect,
        left: f32,
    ) -> Option<egui::Rect> {
        let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(visible));
        ui.set_clip_rect(visible.intersect(ui.clip_rect()));
        let keys = head_keys(&ui, id.with("heads"), visible);
        let mut gone_to = None;
        for (column, left) in self.column_lefts(left) {
            let cell = self.cell_rect(column, left, visible);
            let response = ui
                .interact(cell, id.with(column), egui::Sense::CLICK)
                .on_hover_text(column.explanation());
            response.widget_info(|| {
                egui::WidgetInfo::labeled(egui::WidgetType::Button, true, column.title())
            });
            let has_keys = keys.at == Some(column);
            if has_keys && keys.has_moved {
                gone_to = Some(cell);
                // Where it will be once the body has followed, for what scrolls around the table.
                let to_left = (visible.right() - cell.right()).min(0.0);
                let to_right = (visible.left() - cell.left()).max(0.0);
                ui.scroll_to_rect(cell.translate(egui::vec2(to_left + to_right, 0.0)), None);
            }
            if response.clicked() || (has_keys && keys.is_entered) {
                *self.sort = sort_after_click(*self.sort, column);
            }
            let arrow = match *self.sort {
                Some((sorted, SortOrder::Ascending)) if sorted == column => " ⏶",
                Some((sorted, SortOrder::Descending)) if sorted == column => " ⏷",
                _ => "",
            };
            if has_keys {
                ui.painter().rect_filled(cell, 2.0, ui.visuals().widgets.hovered.weak_bg_fill);
            }
            let mut text = egui::RichText::new(format!("{}{arrow}", column.title())).strong();
            if response.hovered() || has_keys {
                text = text.underline();
            }
            paint_cell(&ui, cell, text, column_align(column));
        }
        let line = visible.bottom() - 0.5;
        ui.painter().hline(visible.x_range(), line, ui.visuals().widgets.noninteractive.bg_stroke);
        gone_to
    }

    /// The cells of a row beside the names, for a screen reader.
    fn spoken(&self, row: Row) -> String {
        let columns = Column::ALL.into_iter();
        let columns = columns.filter(|column| !matches!(column, Column::A | Column::B));
        let cells = columns.map(|column| (column.title(), column.text(row, self.names)));
        let cells = cells.filter(|(_, text)| !text.is_empty());
        cells.map(|(title, text)| format!("{title} {text}")).collect::<Vec<_>>().join(", ")
    }

    fn width(&self) -> f32 {
        Column::ALL.iter().map(|column| column.width(self.name_width) + COLUMN_GAP).sum()
    }

    /// The columns and where each begins, in a table that begins at `left`.
    fn column_lefts(&self, left: f32) -> impl Iterator<Item = (Column, f32)> + use<> {
        let name = self.name_width;
        Column::ALL.into_iter().scan(left, move |next, column| {
            let left = *next;
            *next += column.width(name) + COLUMN_GAP;
            Some((column, left))
        })
    }

    fn cell_rect(&self, column: Column, left: f32, row: egui::Rect) -> egui::Rect {
        let columns = left..=left + column.width(self.name_width);
        egui::Rect::from_x_y_ranges(columns, row.y_range()).shrink2(egui::vec2(2.0, 0.0))
    }
}

/// The colours of the two states, as the drawing in the scene has them.
pub(super) fn status_color(status: ContactStatus) -> egui::Color32 {
    match status {
        ContactStatus::Touching => egui::Color32::from_rgb(255, 217, 51),
        ContactStatus::Overlapping => egui::Color32::from_rgb(255, 120, 90),
    }
}

/// What the keys do to the heads of the columns.
struct HeadKeys {
    /// The column at which the keys are, while the heads have the focus.
    at: Option<Column>,
    /// Whether they have just got there.
    has_moved: bool,
    /// Whether Enter or Space was pressed.
    is_entered: bool,
}

fn head_keys(ui: &egui::Ui, id: egui::Id, place: egui::Rect) -> HeadKeys {
    let response = ui.interact(place, id, egui::Sense::focusable_noninteractive());
    response.widget_info(|| {
        let kind = egui::WidgetType::Other;
        egui::WidgetInfo::labeled(kind, true, "Columns: left, right, and Enter to sort")
    });
    if !response.has_focus() {
        return HeadKeys { at: None, has_moved: false, is_entered: false };
    }
    let filter = egui::EventFilter { horizontal_arrows: true, ..Default::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
    let (left, right, is_entered) = ui.input(|input| {
        let presses = |key| input.num_presses(key);
        let is_entered = presses(egui::Key::Enter) + presses(egui::Key::Space) > 0;
        (presses(egui::Key::ArrowLeft), presses(egui::Key::ArrowRight), is_entered)
    });
    let last = Column::ALL.len() - 1;
    let former = ui.data(|data| data.get_temp(id)).unwrap_or(0_usize);
    let at = (former + right).saturating_sub(left).min(last);
    ui.data_mut(|data| data.insert_temp(id, at));
    let has_moved = at != former || response.gained_focus();
    HeadKeys { at: Some(Column::ALL[at]), has_moved, is_entered }
}

/// Numbers stand at the right of their cell, so that digits of equal value are below each other.
fn column_align(column: Column) -> egui::Align {
    if column.is_number() { egui::Align::RIGHT } else { egui::Align::LEFT }
}
