//! The menu at the left, the numbers under the figure, and the figure in what is left. Where there is
//! no room for the menu beside the figure, it folds into a bar above it.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use bevy_nudge::inspector::CollisionInspector;

use crate::figure::{Facts, LOW};
use crate::menu::{HELP, HELP_COLOR, Menu, PANEL_COLOR, draw_bar, draw_menu, raise_contrast};
use crate::open_figure::OpenFigure;
use crate::shared::canvas::{Canvas, Words};
use crate::shared::paint::scene_painter;
use crate::shared::view::View;

pub(crate) struct LayoutPlugin;

impl Plugin for LayoutPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Menu>().add_systems(EguiPrimaryContextPass, draw_gallery);
    }
}

/// The most of the height that the numbers take before they scroll.
const LARGEST_STRIP: f32 = 0.42;

/// Below this width the menu folds, in points.
const LEAST_WIDTH: f32 = 560.0;
/// Height of the folded menu.
const BAR: f32 = 32.0;

/// The most that the numbers took since this figure was opened. They get as much in every frame, so
/// that the figure keeps its size when lines grow longer.
#[derive(Default)]
struct Strip {
    figure: usize,
    width: f32,
    height: f32,
}

/// How the screen is shared out.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Places {
    /// The menu, or where it unfolds.
    menu: egui::Rect,
    /// The bar of a menu that is folded.
    bar: Option<egui::Rect>,
    /// For the figure and its numbers.
    rest: egui::Rect,
}

impl Places {
    /// Shares out what the contact panel leaves.
    fn of(free: egui::Rect) -> Self {
        if free.width() < LEAST_WIDTH {
            let (bar, rest) = free.split_top_bottom_at_y(free.top() + BAR);
            let menu = rest.with_max_x(rest.left() + rest.width().min(290.0));
            return Self { menu, bar: Some(bar), rest };
        }
        let width = (free.width() * 0.22).clamp(190.0, 270.0);
        let (menu, rest) = free.split_left_right_at_x(free.left() + width);
        Self { menu, bar: None, rest }
    }

    /// Whether the help stands under the figure, and not in the menu.
    fn has_help_below(&self) -> bool {
        self.bar.is_none() && self.rest.height() >= LOW
    }
}

fn draw_gallery(
    mut contexts: EguiContexts,
    mut view: ResMut<View>,
    mut open: ResMut<OpenFigure>,
    mut menu: ResMut<Menu>,
    mut strip: Local<Strip>,
    inspector: Res<CollisionInspector>,
    facts: Facts,
) -> Result {
    let context = contexts.ctx_mut()?.clone();
    leave_tab_to_figure(&context);
    let mut free = context.viewport_rect();
    if let Some(panel) = inspector.side_panel_rect(free) {
        free.max.x = panel.min.x;
    }
    let places = Places::of(free);
    let helps = !places.has_help_below();
    match places.bar {
        Some(bar) => {
            draw_bar(&context, bar, &mut open, &mut menu);
            if menu.is_unfolded {
                let former = open.request;
                draw_menu(&context, places.menu, &mut open, helps);
                menu.is_unfolded = open.request == former;
            }
        }
        None => draw_menu(&context, places.menu, &mut open, helps),
    }
    let mut free = places.rest;
    free.max.y = draw_numbers(&context, &places, &mut open, &mut strip, &facts).min.y;
    view.free = Some(free);
    // A figure that was opened in this frame stands where it belongs at once.
    view.fit();

    let words = Words { size: words_size(&view), ..default() };
    let canvas = Canvas::new(scene_painter(&context, &view), &view).with_words(words);
    open.figure.draw(&facts, &canvas);
    outline_selected(&facts, &canvas);
    Ok(())
}

/// Words shrink with the figure, to stay off one another.
fn words_size(view: &View) -> f32 {
    let width = view.scene().map_or(0.0, |scene| scene.width()) / view.length(1.0);
    (width / 40.0).clamp(10.0, Words::default().size)
}

/// Tab selects shapes. egui would take it to give the focus to a button.
fn leave_tab_to_figure(context: &egui::Context) {
    let is_pressed = context.input(|input| input.key_pressed(egui::Key::Tab));
    if is_pressed && context.memory(|memory| memory.focused().is_none()) {
        context.memory_mut(|memory| memory.move_focus(egui::FocusDirection::None));
    }
}

/// Draws the strip under the figure and returns where it is.
fn draw_numbers(
    context: &egui::Context,
    places: &Places,
    open: &mut OpenFigure,
    strip: &mut Strip,
    facts: &Facts,
) -> egui::Rect {
    let free = places.rest;
    if (strip.figure, strip.width) != (open.index, free.width()) {
        *strip = Strip { figure: open.index, width: free.width(), height: 0.0 };
        // How high it is shows only when it is drawn.
        context.request_discard("the numbers are of another figure");
    }
    let area = egui::Area::new("gallery numbers".into())
        .pivot(egui::Align2::LEFT_BOTTOM)
        .fixed_pos(free.left_bottom())
        .constrain(false)
        .fade_in(false);
    let most = LARGEST_STRIP * free.height();
    let response = area.show(context, |ui| {
        // An area is as large as it was in the last frame. What is in it has to be free to grow.
        let room = egui::vec2(free.width(), free.height());
        let place = egui::Rect::from_min_size(ui.max_rect().min, room);
        let mut inside = ui.new_child(egui::UiBuilder::new().max_rect(place));
        let frame = egui::Frame::new().fill(PANEL_COLOR).inner_margin(8);
        let shown = frame.show(&mut inside, |ui| {
            raise_contrast(ui);
            // A bar that is seen tells that there is more.
            ui.spacing_mut().scroll = egui::style::ScrollStyle::thin();
            ui.set_width(free.width() - 16.0);
            ui.set_min_height(strip.height);
            // The figure keeps at least as much room as the words about it.
            egui::ScrollArea::vertical()
                .max_height(most)
                .auto_shrink([false, true])
                .show(ui, |ui| open.figure.below(ui, facts));
            if places.has_help_below() {
                ui.label(egui::RichText::new(HELP).color(HELP_COLOR).size(12.0));
            }
            ui.min_rect().height()
        });
        strip.height = strip.height.max(shown.inner);
        ui.allocate_rect(shown.response.rect, egui::Sense::hover());
    });
    response.response.rect
}

/// The shape under the mouse, and the one that the keys move.
fn outline_selected(facts: &Facts, canvas: &Canvas) {
    let hovered = facts.pointer.target();
    for (entity, width) in [(hovered, 1.5), (facts.selectable.selected(), 3.0)] {
        if let Some(shape) = entity.and_then(|entity| facts.colliders.get(entity)) {
            canvas.outline(shape, egui::Stroke::new(width, egui::Color32::WHITE));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the panel leaves of windows of 1280 by 800 and of 900 by 600, at 100% and at 200%.
    #[test]
    fn the_figure_keeps_most_of_the_width_in_every_window() {
        for (width, height, is_folded) in [
            (1280.0, 800.0, false),
            (860.0, 800.0, false),
            (900.0, 600.0, false),
            (480.0, 600.0, true),
            (640.0, 400.0, false),
            (320.0, 400.0, true),
            (450.0, 300.0, true),
            (225.0, 300.0, true),
        ] {
            let free = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width, height));
            let places = Places::of(free);
            assert_eq!(places.bar.is_some(), is_folded, "{width} x {height}");
            assert!(places.rest.width() >= 0.7 * width, "{width} x {height}: {places:?}");
            assert!(free.contains_rect(places.menu), "{width} x {height}: {places:?}");
        }
    }

    /// For one frame it stood where the one before had been, out of sight if that was far away.
    #[test]
    fn another_figure_is_in_sight_in_its_first_frame() {
        let free = egui::Rect::from_min_size(egui::pos2(200.0, 0.0), egui::vec2(600.0, 400.0));
        let mut view = View::default();
        view.free = Some(free);
        for corner in [Vec2::splat(1e6), Vec2::ZERO] {
            view.show(Rect { min: corner, max: corner + Vec2::new(700.0, 420.0) });
            view.fit();
            assert_eq!(view.to_screen(corner + Vec2::new(350.0, 210.0)), free.center());
            assert!(free.expand(0.1).contains(view.to_screen(corner)));
        }
    }
}
