//! Is a point inside? Crossing count, winding number and the test for convex polygons, on five
//! outlines, and where they disagree.

mod answers;

use bevy::prelude::*;
use bevy_egui::egui::{self, Align2, Color32, RichText};
use bevy_nudge::geometry::{
    Aabb, Circle, ConcavePolygon, ConvexPolygon, FillRule, PlacedShape, PointLocation,
    ray_crossings, winding_number,
};
use bevy_nudge::prelude::*;

use crate::figure::{Body, Facts, Figure, Line, show_lines};
use crate::palette::{ANSWER, COLOR_A, COLOR_B, DIM, TEXT, WRONG};
use crate::shared::canvas::Canvas;
use crate::shared::dragging::{OutOfReach, Pointer};
use crate::shared::view::View;
use crate::wording::{number, vector};

use answers::{Answers, Target, nearest};

pub(crate) struct PointTests {
    marks_disagreement: bool,
    is_even_odd: bool,
    /// Where the mouse was: only when it moves does the point follow, so that keys move it too.
    mouse: Option<Vec2>,
}

impl Default for PointTests {
    fn default() -> Self {
        Self { marks_disagreement: true, is_even_odd: false, mouse: None }
    }
}

/// The shapes, in the order of the bodies. After them comes the point.
const NAMES: [&str; 5] = ["circle", "box", "hexagon", "notched pentagon", "pentagram"];
const PENTAGRAM: usize = 4;
const POINT: usize = NAMES.len();

impl Figure for PointTests {
    fn explanation(&self) -> &'static str {
        "A ray from the point crosses an outline an odd number of times if it starts inside. Counting \
         crossings upwards as +1 and downwards as -1 gives the winding number instead: how often the \
         outline goes around the point. Both work for dents; where an outline crosses itself, as \
         in the pentagram, they are two different rules. \"Left of all edges\" is right for convex \
         outlines only. Move the point with the mouse, drag the shapes."
    }

    fn frame(&self) -> Rect {
        Rect::new(0.0, 0.0, 720.0, 440.0)
    }

    fn bodies(&self) -> Result<Vec<Body>> {
        let hexagon = [
            (-80.0, -20.0),
            (-20.0, -75.0),
            (60.0, -60.0),
            (85.0, 10.0),
            (35.0, 70.0),
            (-50.0, 60.0),
        ];
        let notched = [
            (0.0, 100.0),
            (-95.0, 30.0),
            (-60.0, -80.0),
            (0.0, -10.0),
            (60.0, -80.0),
            (95.0, 30.0),
        ];
        Ok(vec![
            Body::new("Circle", Circle::new(Vec2::ZERO, 75.0)?, Vec2::new(110.0, 330.0)),
            Body::new(
                "Box",
                Aabb::from_size(Vec2::ZERO, Vec2::new(150.0, 110.0))?,
                Vec2::new(320.0, 330.0),
            ),
            Body::new(
                "Hexagon",
                ConvexPolygon::new(hexagon.map(Vec2::from))?,
                Vec2::new(560.0, 330.0),
            ),
            Body::new(
                "Notched pentagon",
                ConcavePolygon::new(notched.map(Vec2::from))?,
                Vec2::new(185.0, 115.0),
            ),
            // As a shape it is all that the lines enclose.
            Body::new("Pentagram", ConcavePolygon::new(star())?, Vec2::new(490.0, 110.0)),
            Body::new("Point", Circle::new(Vec2::ZERO, 0.0)?, Vec2::new(130.0, 75.0)),
        ])
    }

    fn open(&mut self, world: &mut World, bodies: &[Entity]) {
        // Under the mouse it would be what the mouse takes.
        world.entity_mut(bodies[POINT]).insert((OutOfReach, CollisionLayers::NONE));
        self.mouse = world.resource::<Pointer>().position;
    }

    fn update(&mut self, world: &mut World, bodies: &[Entity]) {
        let Some(mouse) = world.resource::<Pointer>().position else { return };
        let view = world.resource::<View>();
        let is_over_figure = view.free.is_some_and(|free| free.contains(view.to_screen(mouse)));
        if self.mouse.replace(mouse) != Some(mouse)
            && is_over_figure
            && let Some(mut transform) = world.get_mut::<Transform>(bodies[POINT])
        {
            transform.translation = mouse.extend(0.0);
        }
    }

    fn switches(&mut self) -> Vec<(&'static str, &mut bool)> {
        vec![
            ("mark where they disagree", &mut self.marks_disagreement),
            ("pentagram: even-odd rule", &mut self.is_even_odd),
        ]
    }

    fn draw(&self, facts: &Facts, canvas: &Canvas) {
        let Some(point) = facts.shape(POINT).map(PlacedShape::origin) else { return };
        let targets = self.targets(facts);
        let answers: Vec<Answers> = targets.iter().map(|target| target.ask(point)).collect();
        let watched = nearest(&answers);
        for (index, (target, answers)) in targets.iter().zip(&answers).enumerate() {
            let color = if answers.location == PointLocation::Outside { COLOR_A } else { COLOR_B };
            draw_target(canvas, target, color);
            if self.marks_disagreement {
                mark_disagreement(canvas, target);
            }
            if watched == Some(index) && !target.outline.is_empty() {
                draw_ray(canvas, target, point);
            }
        }
        draw_point(canvas, point);
    }

    fn numbers(&self, facts: &Facts) -> Vec<Line> {
        let Some(point) = facts.shape(POINT).map(PlacedShape::origin) else { return Vec::new() };
        let answers: Vec<_> = self.targets(facts).iter().map(|target| target.ask(point)).collect();
        let Some(watched) = nearest(&answers) else { return Vec::new() };
        vec![
            Line::new(TEXT, format!("The point {}; nearest: {}", vector(point), NAMES[watched])),
            answers[watched].sentence(NAMES[watched]),
        ]
    }

    fn below(&mut self, ui: &mut egui::Ui, facts: &Facts) {
        show_lines(ui, &self.numbers(facts));
        let Some(point) = facts.shape(POINT).map(PlacedShape::origin) else { return };
        let cells = Cells::that_fit(ui.available_width());
        // Narrower than all of them, the table can be scrolled.
        egui::ScrollArea::horizontal().id_salt("point tests").show(ui, |ui| {
            let grid = egui::Grid::new("point tests").num_columns(6).min_col_width(0.0);
            grid.spacing([cells.spacing, 2.0]).show(ui, |ui| {
                for title in cells.titles {
                    ui.label(RichText::new(title).color(DIM).size(cells.size));
                }
                ui.end_row();
                for (name, target) in NAMES.iter().zip(self.targets(facts)) {
                    cells.show_row(ui, name, &target.ask(point));
                }
            });
        });
    }
}

/// Corners of a five-pointed star, outer and inner in turn.
fn star() -> Vec<Vec2> {
    const OUTER: f32 = 105.0;
    /// Where the lines of the pentagram cross, for an outer radius of 1.
    const INNER: f32 = 0.381_966;
    let corner = |i: usize| {
        let radius = if i.is_multiple_of(2) { OUTER } else { OUTER * INNER };
        Vec2::from_angle(std::f32::consts::TAU * (0.25 + i as f32 * 0.1)) * radius
    };
    (0..10).map(corner).collect()
}

impl PointTests {
    fn targets<'a>(&self, facts: &'a Facts) -> Vec<Target<'a>> {
        let fill = if self.is_even_odd { FillRule::EvenOdd } else { FillRule::NonZero };
        let touch = facts.settings.touch();
        let shapes = (0..NAMES.len()).filter_map(|body| Some((body, facts.shape(body)?)));
        shapes
            .map(|(body, shape)| match body {
                PENTAGRAM => Target::pentagram(shape, fill, touch),
                _ => Target::plain(shape, touch),
            })
            .collect()
    }
}

fn draw_target(canvas: &Canvas, target: &Target, color: Color32) {
    let Some(fill) = target.fill else { return canvas.shape(target.shape, color) };
    let star = target.shape.outlines(3).swap_remove(0);
    let corner = |i: usize| star[i % star.len()];
    for tip in (0..star.len()).step_by(2) {
        let tip = [corner(tip + star.len() - 1), corner(tip), corner(tip + 1)];
        canvas.tint(&tip, color.gamma_multiply(0.2));
    }
    if fill == FillRule::NonZero {
        let middle: Vec<Vec2> = star.iter().copied().skip(1).step_by(2).collect();
        canvas.tint(&middle, color.gamma_multiply(0.2));
    }
    for (from, to) in edges(&target.outline) {
        canvas.line(from, to, 2.0, color);
    }
}

fn edges(outline: &[Vec2]) -> impl Iterator<Item = (Vec2, Vec2)> {
    let ends = outline.iter().cycle().skip(1);
    outline.iter().copied().zip(ends.copied())
}

/// A grid of dots where the three tests do not all say the same.
fn mark_disagreement(canvas: &Canvas, target: &Target) {
    const SPACING: f32 = 7.0;
    if target.outline.is_empty() {
        return;
    }
    let bounds = target.shape.bounds();
    let (columns, rows) = {
        let size = (bounds.max - bounds.min) / SPACING;
        (size.x as usize, size.y as usize)
    };
    for (column, row) in (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row))) {
        let point = bounds.min + (Vec2::new(column as f32, row as f32) + 0.5) * SPACING;
        if target.count(point).disagree() {
            canvas.dot(point, 3.0, WRONG);
        }
    }
}

/// The ray to the right with the crossings, each with what it adds to the winding number.
fn draw_ray(canvas: &Canvas, target: &Target, point: Vec2) {
    for (from, to) in edges(&target.outline) {
        let middle = from.midpoint(to);
        let along = (to - from).normalize_or_zero() * canvas.length(7.0);
        canvas.arrow(middle - along, middle + along, 1.5, TEXT);
    }
    let crossings = ray_crossings(&target.outline, point);
    let end = target.shape.bounds().max.x.max(point.x) + canvas.length(40.0);
    canvas.arrow(point, Vec2::new(end, point.y), 1.5, ANSWER);
    for (index, &at) in crossings.iter().enumerate() {
        canvas.dot(at, 9.0, ANSWER);
        // Between two crossings the winding number is that of any point there.
        let before = if index == 0 { point } else { crossings[index - 1] };
        let after = crossings.get(index + 1).map_or(end, |next| next.x);
        let around = |from: f32, to: f32| {
            winding_number(&target.outline, Vec2::new(f32::midpoint(from, to), point.y))
        };
        let step = around(before.x, at.x) - around(at.x, after);
        if step != 0 {
            canvas.label_at(at, Align2::CENTER_BOTTOM, ANSWER, &format!("{step:+}"));
        }
    }
}

fn draw_point(canvas: &Canvas, point: Vec2) {
    canvas.dot(point, 11.0, Color32::BLACK);
    canvas.dot(point, 8.0, Color32::WHITE);
}

/// How the table is written, so that it fits.
struct Cells {
    titles: [&'static str; 6],
    size: f32,
    spacing: f32,
    /// For inside and outside.
    words: [&'static str; 2],
    on_boundary: &'static str,
    has_no_edges: &'static str,
}

impl Cells {
    const LONG: Self = Self {
        titles: ["", "locate_point", "distance", "crossings", "winding", "left of all edges"],
        size: 13.0,
        spacing: 22.0,
        words: ["inside", "outside"],
        on_boundary: "on the boundary",
        has_no_edges: "has no edges",
    };
    const SHORT: Self = Self {
        titles: ["", "point", "distance", "crossings", "winding", "left of all"],
        size: 11.0,
        spacing: 9.0,
        words: ["in", "out"],
        on_boundary: "on it",
        has_no_edges: "none",
    };

    const SHORTEST: Self = Self {
        titles: ["", "is", "dist.", "cross.", "wind.", "left"],
        spacing: 6.0,
        ..Self::SHORT
    };

    fn that_fit(width: f32) -> Self {
        match width {
            ..360.0 => Self::SHORTEST,
            ..640.0 => Self::SHORT,
            _ => Self::LONG,
        }
    }

    fn show_row(&self, ui: &mut egui::Ui, name: &str, answers: &Answers) {
        let word = |is_inside: bool| self.words[usize::from(!is_inside)];
        let (location, color) = match answers.location {
            PointLocation::Inside => (word(true), COLOR_B),
            PointLocation::Boundary => (self.on_boundary, ANSWER),
            PointLocation::Outside => (word(false), TEXT),
        };
        let mut cells = vec![
            (name.to_owned(), TEXT),
            (location.to_owned(), color),
            (number(answers.distance), TEXT),
        ];
        match answers.counts {
            None => cells.extend((0..3).map(|_| (self.has_no_edges.to_owned(), DIM))),
            Some(counts) => {
                let right = answers.location == PointLocation::Inside;
                let is_wrong =
                    |verdict| answers.location != PointLocation::Boundary && verdict != right;
                let [odd, around, left] = counts.verdicts();
                let color = |verdict| if is_wrong(verdict) { WRONG } else { TEXT };
                cells.extend([
                    (format!("{}: {}", counts.crossings, word(odd)), color(odd)),
                    (format!("{}: {}", counts.winding, word(around)), color(around)),
                    (format!("{}: {}", if left { "yes" } else { "no" }, word(left)), color(left)),
                ]);
            }
        }
        for (words, color) in cells {
            let words = RichText::new(words).color(color).size(self.size);
            ui.add(egui::Label::new(words).extend());
        }
        ui.end_row();
    }
}
