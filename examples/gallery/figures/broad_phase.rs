//! Broad phase: hundreds of movers over the grid, and how many pairs are looked at for how many
//! contacts.

use bevy::math::bounding::{Aabb2d, BoundingVolume};
use bevy::prelude::*;
use bevy_egui::egui::{self, Align2, Color32, FontId, RichText, Stroke};
use bevy_nudge::geometry::{Aabb, Circle, PlacedShape};
use bevy_nudge::prelude::*;

use crate::figure::{Body, Facts, Figure, Line, show_lines};
use crate::palette::{ANSWER, COLOR_A, DIM, SHARED, TEXT};
use crate::shared::canvas::Canvas;
use crate::shared::dragging::Pointer;
use crate::shared::selecting::Selectable;

pub(crate) struct BroadPhase {
    movers: usize,
    /// None: as the crate chooses it.
    cell_size: Option<f32>,
    stands_still: bool,
    is_automatic: bool,
    velocities: Vec<Vec2>,
}

const MOST_MOVERS: usize = 500;
const FRAME: Rect = Rect { min: Vec2::ZERO, max: Vec2::new(700.0, 420.0) };
/// Room between where movers turn and the edge of the figure.
const MARGIN: f32 = 12.0;
/// World units per second.
const SPEED: f32 = 40.0;

impl Default for BroadPhase {
    fn default() -> Self {
        let mut random = noise();
        let velocity = |_| Vec2::from_angle(random() * std::f32::consts::TAU) * SPEED;
        let velocities = (0..MOST_MOVERS).map(velocity).collect();
        Self { movers: 300, cell_size: None, stands_still: false, is_automatic: true, velocities }
    }
}

/// Numbers from 0 to 1, the same in every run.
fn noise() -> impl FnMut() -> f32 {
    let mut state = 0x2545_F491_u32;
    move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32
    }
}

impl Figure for BroadPhase {
    fn explanation(&self) -> &'static str {
        "Testing all pairs takes N(N-1)/2 tests: 44,850 for 300 movers, to find about a hundred \
         contacts. The grid puts each mover into the cell of its lower left corner and compares \
         it only with those in the cells around. Pairs whose bounds meet are candidates for the \
         test of shapes. Cells too large hold movers that are far apart; cells smaller than a \
         mover are no use to it. The bars grow with the logarithm of the counts."
    }

    fn frame(&self) -> Rect {
        FRAME
    }

    fn bodies(&self) -> Result<Vec<Body>> {
        let mut random = noise();
        (0..MOST_MOVERS)
            .map(|index| {
                let place = FRAME.min + FRAME.size() * Vec2::new(random(), random());
                let size = 4.0 + 5.0 * random();
                Ok(if index % 3 == 0 {
                    let sides = Vec2::new(size, size * (0.6 + 0.6 * random()));
                    Body::new("Box", Aabb::from_half_size(Vec2::ZERO, sides)?, place)
                } else {
                    Body::new("Circle", Circle::new(Vec2::ZERO, size)?, place)
                })
            })
            .collect()
    }

    fn update(&mut self, world: &mut World, bodies: &[Entity]) {
        self.cell_size = self.cell_size.filter(|_| !self.is_automatic);
        world.resource_mut::<CollisionSettings>().cell_size =
            self.cell_size.map_or(CellSize::Auto, CellSize::Fixed);
        for (index, &body) in bodies.iter().enumerate() {
            let mut body = world.entity_mut(body);
            if body.contains::<ColliderDisabled>() == (index < self.movers) {
                if index < self.movers {
                    body.remove::<ColliderDisabled>();
                } else {
                    body.insert(ColliderDisabled);
                }
            }
        }
        if !self.stands_still {
            self.walk(world, bodies);
        }
    }

    fn switches(&mut self) -> Vec<(&'static str, &mut bool)> {
        vec![("stand still", &mut self.stands_still), ("automatic cells", &mut self.is_automatic)]
    }

    fn controls(&mut self, ui: &mut egui::Ui) {
        ui.spacing_mut().slider_width -= 14.0;
        ui.add(egui::Slider::new(&mut self.movers, 2..=MOST_MOVERS).text("movers"));
        let mut size = self.cell_size.unwrap_or(20.0);
        let slider = egui::Slider::new(&mut size, 4.0..=400.0).logarithmic(true).text("cell size");
        if ui.add(slider.fixed_decimals(0)).changed() {
            self.is_automatic = false;
        }
        if !self.is_automatic {
            self.cell_size = Some(size);
        }
    }

    fn draw(&self, facts: &Facts, canvas: &Canvas) {
        draw_cells(facts, canvas);
        draw_neighbourhood(facts, canvas);
        for (a, b) in candidates(facts) {
            let is_contact = facts.contacts.between(a, b).is_some();
            if let (Some(a), Some(b)) = (facts.colliders.get(a), facts.colliders.get(b)) {
                let color = if is_contact { SHARED } else { CANDIDATE };
                canvas.line(a.origin(), b.origin(), 2.0, color);
            }
        }
        for &body in &facts.bodies.0 {
            if let Some(shape) = facts.colliders.get(body) {
                let touches = facts.contacts.of(body).next().is_some();
                draw_mover(canvas, shape, if touches { SHARED } else { COLOR_A });
            }
        }
    }

    fn numbers(&self, facts: &Facts) -> Vec<Line> {
        let cells = facts.colliders.cells();
        let (count, most) =
            cells.fold((0, 0), |(count, most), cell| (count + 1, cell.colliders.max(most)));
        let words = format!(
            "{count} cells in use, of {:.0} a side or of 4, 16, ... times that for larger movers; at \
             most {most} movers in one.",
            facts.stats.cell_size
        );
        let hint = "Point at a mover to see the cells it is compared with. Lines join candidates: \
                    yellow if only their bounds meet, red if they are in contact.";
        vec![Line::new(TEXT, words), Line::new(DIM, hint)]
    }

    fn below(&mut self, ui: &mut egui::Ui, facts: &Facts) {
        let stats = &facts.stats;
        let all = stats.colliders * stats.colliders.saturating_sub(1) / 2;
        for (words, count, color) in [
            (format!("all pairs of {}, N(N-1)/2", stats.colliders), all, DIM),
            ("bounds compared in the grid".to_owned(), stats.compared_bounds, COLOR_A),
            ("candidates: bounds meet".to_owned(), stats.candidates, CANDIDATE),
            ("contacts: shapes meet".to_owned(), stats.contacts, SHARED),
        ] {
            show_bar(ui, &words, count, all, color);
        }
        show_lines(ui, &self.numbers(facts));
    }
}

const CANDIDATE: Color32 = Color32::from_rgb(255, 217, 51);

impl BroadPhase {
    fn walk(&mut self, world: &mut World, bodies: &[Entity]) {
        let seconds = world.resource::<Time>().delta_secs().min(0.1);
        let held = world.resource::<Pointer>().grabbed;
        let selected = world.resource::<Selectable>().selected();
        for (&body, velocity) in bodies.iter().zip(&mut self.velocities).take(self.movers) {
            let Some(mut transform) = world.get_mut::<Transform>(body) else { continue };
            if Some(body) == held || Some(body) == selected {
                continue;
            }
            let place = transform.translation.truncate();
            let outside = place - place.clamp(FRAME.min + MARGIN, FRAME.max - MARGIN);
            let way = velocity.abs();
            // Back inside, whichever way it went.
            velocity.x = if outside.x == 0.0 { velocity.x } else { -way.x * outside.x.signum() };
            velocity.y = if outside.y == 0.0 { velocity.y } else { -way.y * outside.y.signum() };
            transform.translation += (*velocity * seconds).extend(0.0);
        }
    }
}

/// All pairs whose bounds meet, each once.
fn candidates(facts: &Facts) -> Vec<(Entity, Entity)> {
    let mut pairs = Vec::new();
    for (entity, shape) in facts.colliders.iter() {
        let all = CollisionFilter::new();
        facts.colliders.for_each_in_bounds(shape.bounds(), &all, |other, _| {
            if entity < other {
                pairs.push((entity, other));
            }
        });
    }
    pairs
}

/// The cells in the colours of a heat map, by how many movers they hold.
fn draw_cells(facts: &Facts, canvas: &Canvas) {
    for cell in facts.colliders.cells() {
        let rect = screen_rect(canvas, &cell.bounds);
        let heat = 1.0 - 0.7_f32.powi(cell.colliders as i32 - 1);
        let color = egui::lerp(egui::Rgba::from(COLD)..=egui::Rgba::from(HOT), heat);
        canvas.painter.rect_filled(rect, 0.0, color.multiply(0.18 + 0.24 * heat));
        canvas.painter.rect_stroke(rect, 0.0, Stroke::new(1.0, CELL), egui::StrokeKind::Inside);
        if cell.colliders > 1 && rect.width() > 26.0 {
            let corner = rect.left_top() + egui::vec2(3.0, 1.0);
            let font = canvas.font(11.0);
            canvas.painter.text(corner, Align2::LEFT_TOP, cell.colliders, font, TEXT);
        }
    }
}

const COLD: Color32 = Color32::from_rgb(40, 90, 200);
/// Far from the red of contacts, which are to be seen on it.
const HOT: Color32 = Color32::from_rgb(190, 70, 230);
const CELL: Color32 = Color32::from_rgb(52, 60, 78);

fn screen_rect(canvas: &Canvas, bounds: &Aabb2d) -> egui::Rect {
    egui::Rect::from_two_pos(canvas.to_screen(bounds.min), canvas.to_screen(bounds.max))
}

/// The cells around that of the mover under the mouse, or of the selected one, and those in them.
fn draw_neighbourhood(facts: &Facts, canvas: &Canvas) {
    let watched = facts.pointer.target().or(facts.selectable.selected());
    let Some(shape) = watched.and_then(|entity| facts.colliders.get(entity)) else { return };
    let corner = shape.bounds().min;
    // Its own cell is the smallest that holds its lower left corner and is larger than it.
    let size = (shape.bounds().half_size() * 2.0).max_element();
    let holds = |bounds: &Aabb2d| bounds.contains(&Aabb2d { min: corner, max: corner });
    let width = |bounds: &Aabb2d| bounds.max.x - bounds.min.x;
    let own = facts
        .colliders
        .cells()
        .map(|cell| cell.bounds)
        .filter(|bounds| holds(bounds) && width(bounds) >= size)
        .min_by(|one, other| width(one).total_cmp(&width(other)));
    let Some(own) = own else { return };
    let around = own.grow(Vec2::splat(width(&own)));
    let rect = screen_rect(canvas, &around);
    canvas.painter.rect_stroke(rect, 0.0, Stroke::new(2.0, ANSWER), egui::StrokeKind::Outside);
    let is_inside = |cell: &Aabb2d| around.grow(Vec2::splat(0.01)).contains(cell);
    let cells = facts.colliders.cells().filter(|cell| is_inside(&cell.bounds));
    let others = cells.map(|cell| cell.colliders).sum::<usize>().saturating_sub(1);
    let words = format!("compared with {others}");
    canvas.label_at(Vec2::new(own.center().x, around.max.y), Align2::CENTER_BOTTOM, ANSWER, &words);
}

/// Plain shapes of egui: hundreds of them in each frame.
fn draw_mover(canvas: &Canvas, shape: &PlacedShape, color: Color32) {
    let stroke = Stroke::new(1.5, color);
    let fill = color.gamma_multiply(0.35);
    match shape.radius() {
        Some(radius) => {
            let radius = radius / canvas.length(1.0);
            canvas.painter.circle(canvas.to_screen(shape.origin()), radius, fill, stroke);
        }
        None => {
            let rect = screen_rect(canvas, &shape.bounds());
            canvas.painter.rect(rect, 0.0, fill, stroke, egui::StrokeKind::Middle);
        }
    }
}

/// A count with a bar that grows with its logarithm, if there is room for one.
fn show_bar(ui: &mut egui::Ui, words: &str, count: usize, all: usize, color: Color32) {
    let share = 100.0 * count as f64 / all.max(1) as f64;
    let numbers = RichText::new(format!("{count}  ({share:.1} %)")).color(color).size(13.5);
    let room = ui.available_width() - 340.0;
    if room < 40.0 {
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new(words).color(color).size(12.5));
            ui.label(numbers.size(12.5));
        });
        return;
    }
    ui.horizontal(|ui| {
        let (_, name) = ui.allocate_space(egui::vec2(200.0, 16.0));
        let font = FontId::proportional(13.5);
        ui.painter().text(name.left_center(), Align2::LEFT_CENTER, words, font, color);
        let (_, bar) = ui.allocate_space(egui::vec2(room, 12.0));
        let logarithm = |count: usize| ((count + 1) as f32).ln();
        let part = logarithm(count) / logarithm(all).max(1.0);
        let filled = egui::Rect::from_min_size(bar.min, egui::vec2(room * part.min(1.0), 12.0));
        ui.painter().rect_filled(bar, 2.0, color.gamma_multiply(0.12));
        ui.painter().rect_filled(filled, 2.0, color.gamma_multiply(0.8));
        ui.label(numbers);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_movers_are_sound_and_the_same_each_time() {
        let bodies = || BroadPhase::default().bodies().expect("bodies");
        let (one, other) = (bodies(), bodies());
        assert_eq!(one.len(), MOST_MOVERS);
        for (one, other) in one.iter().zip(&other) {
            assert_eq!((one.place, &one.shape), (other.place, &other.shape));
            assert!(FRAME.contains(one.place));
        }
    }
}
