//! Touching: what counts as a contact when two shapes only just meet, and what rounding does to it
//! far from the origin.

use bevy::prelude::*;
use bevy_egui::egui::{self, Align2, Color32, Stroke};
use bevy_nudge::geometry::{Aabb, Circle, PlacedShape, Relation, Touch, contact, separation};
use bevy_nudge::prelude::*;

use crate::figure::{Body, Facts, Figure, Line};
use crate::palette::{ANSWER, COLOR_A, COLOR_B, DIM, SHARED, TEXT};
use crate::shared::canvas::Canvas;
use crate::shared::view::View;

#[derive(Default)]
pub(crate) struct Touching {
    is_exclusive: bool,
    tolerance: f32,
    /// The figure stands at this power of ten on both axes; at the origin for 0.
    exponent: u32,
    /// Where the bodies are, seen from there. Empty at the start.
    places: Vec<Vec2>,
    /// Where they were put. What is elsewhere has been dragged.
    put: Vec<Vec2>,
}

/// Each pair with the place of its line of separations.
const PAIRS: [(&str, [usize; 2], Vec2); 2] = [
    ("tiles A and B", [0, 1], Vec2::new(170.0, 85.0)),
    ("circle C on floor D", [2, 3], Vec2::new(530.0, 85.0)),
];
/// Half the length of such a line, in units of the figure.
const HALF_SCALE: f32 = 150.0;
const NAMES: [&str; 4] = ["A", "B", "C", "D"];
const FRAME: Rect = Rect { min: Vec2::ZERO, max: Vec2::new(700.0, 420.0) };

impl Figure for Touching {
    fn explanation(&self) -> &'static str {
        "The separation of two shapes is their distance when apart, minus the depth when they \
         overlap. At 0 they touch. One rule says whether that is a contact: inclusive, and a \
         circle at rest keeps its floor; exclusive, and tiles side by side have none. Far from \
         the origin f32 has wide steps, and shapes that met no longer quite do. A tolerance \
         makes them touch again."
    }

    fn frame(&self) -> Rect {
        FRAME
    }

    fn bodies(&self) -> Result<Vec<Body>> {
        // Sizes that f32 cannot hold exactly, as sizes mostly are.
        let tile = Aabb::from_size(Vec2::ZERO, Vec2::splat(110.1))?;
        let floor = Aabb::from_size(Vec2::ZERO, Vec2::new(270.3, 60.2))?;
        Ok(vec![
            Body::new("A", tile, Vec2::new(114.95, 270.0)),
            Body::new("B", tile, Vec2::new(225.05, 270.0)),
            Body::new("C", Circle::new(Vec2::ZERO, 60.4)?, Vec2::new(530.0, 310.7)),
            Body::new("D", floor, Vec2::new(530.0, 220.2)),
        ])
    }

    fn update(&mut self, world: &mut World, bodies: &[Entity]) {
        let mut settings = world.resource_mut::<CollisionSettings>();
        settings.touch_rule =
            if self.is_exclusive { TouchRule::Exclusive } else { TouchRule::Inclusive };
        settings.touch_tolerance = self.tolerance;
        self.place(world, bodies);
        let base = Vec2::splat(self.base());
        let frame = Rect { min: base + FRAME.min, max: base + FRAME.max };
        world.resource_mut::<View>().show(frame);
    }

    fn switches(&mut self) -> Vec<(&'static str, &mut bool)> {
        vec![("exclusive: touching is no contact", &mut self.is_exclusive)]
    }

    fn controls(&mut self, ui: &mut egui::Ui) {
        // The words are longer than most.
        ui.spacing_mut().slider_width -= 28.0;
        let tolerance = egui::Slider::new(&mut self.tolerance, 0.0..=10.0);
        ui.add(tolerance.logarithmic(true).smallest_positive(0.001).text("tolerance"));
        let origin = egui::Slider::new(&mut self.exponent, 0..=7).text("place");
        ui.add(origin.custom_formatter(|exponent, _| match exponent as u32 {
            0 => "0".to_owned(),
            exponent => format!("10^{exponent}"),
        }));
    }

    fn draw(&self, facts: &Facts, canvas: &Canvas) {
        for (body, name) in NAMES.into_iter().enumerate() {
            let Some(shape) = facts.shape(body) else { continue };
            let color = if body % 2 == 0 { COLOR_A } else { COLOR_B };
            canvas.shape(shape, color);
            canvas.label(shape.origin(), color, name);
        }
        let touch = facts.settings.touch();
        for (name, pair, place) in PAIRS {
            let [Some(a), Some(b)] = pair.map(|body| facts.shape(body)) else { continue };
            draw_place(canvas, a, b, &Meeting::of(a, b, touch));
            let place = Vec2::splat(self.base()) + place;
            Scale::new(canvas, place, &Meeting::of(a, b, touch)).draw(name, pair);
        }
    }

    fn numbers(&self, facts: &Facts) -> Vec<Line> {
        let touch = facts.settings.touch();
        let mut lines = vec![place_sentence(self.base())];
        for (name, pair, _) in PAIRS {
            if let [Some(a), Some(b)] = pair.map(|body| facts.shape(body)) {
                lines.push(Meeting::of(a, b, touch).sentence(name, touch.rule));
            }
        }
        lines
    }
}

impl Touching {
    fn base(&self) -> f32 {
        if self.exponent == 0 { 0.0 } else { 10.0_f32.powi(self.exponent as i32) }
    }

    /// Puts the bodies where they belong, unless they were dragged: then that is where they belong.
    fn place(&mut self, world: &mut World, bodies: &[Entity]) {
        let base = Vec2::splat(self.base());
        for (index, &body) in bodies.iter().enumerate() {
            let Some(mut transform) = world.get_mut::<Transform>(body) else { continue };
            let now = transform.translation.truncate();
            if self.places.len() == index {
                self.places.push(now);
                self.put.push(now);
            }
            if now != self.put[index] {
                self.places[index] = now - base;
            }
            // The sum is where the rounding happens.
            let place = base + self.places[index];
            if now != place && now == self.put[index] {
                transform.translation = place.extend(0.0);
            }
            self.put[index] = transform.translation.truncate();
        }
    }
}

fn place_sentence(base: f32) -> Line {
    let at = base + 200.0;
    let step = f64::from(at.next_up()) - f64::from(at);
    let place = if base == 0.0 { "the origin".to_owned() } else { format!("({base}, {base})") };
    let words = format!("The figure stands at {place}. There f32 has steps of {}.", fine(step));
    Line::new(DIM, words)
}

/// How two shapes meet.
#[derive(Clone, Copy, Debug)]
struct Meeting {
    separation: f64,
    tolerance: f64,
    relation: Relation,
    is_contact: bool,
}

impl Meeting {
    fn of(a: &PlacedShape, b: &PlacedShape, touch: Touch) -> Self {
        let extents = f64::from(a.extent()) + f64::from(b.extent());
        let separation = f64::from(separation(a, b).distance);
        Self {
            separation,
            tolerance: touch.tolerance(extents),
            relation: touch.relation(separation, extents),
            is_contact: contact(a, b, touch).is_some(),
        }
    }

    fn color(&self) -> Color32 {
        color_of(self.relation)
    }

    fn sentence(&self, name: &str, rule: TouchRule) -> Line {
        let Self { separation, tolerance, .. } = self;
        let (size, band) = (fine(separation.abs()), fine(*tolerance));
        let fact = match self.relation {
            Relation::Separated => format!("{size} apart, more than the tolerance {band}"),
            Relation::Touching if *separation == 0.0 => {
                format!("they touch exactly, within {band}")
            }
            Relation::Touching if *separation > 0.0 => {
                format!("{size} apart, within the tolerance {band}: touching")
            }
            Relation::Touching => format!("{size} deep, within the tolerance {band}: touching"),
            Relation::Overlapping => format!("overlap by {size}, more than the tolerance {band}"),
        };
        let rule = match rule {
            TouchRule::Inclusive => "inclusive",
            TouchRule::Exclusive => "exclusive",
        };
        let verdict = if self.is_contact { "a contact" } else { "no contact" };
        Line::new(self.color(), format!("{name}: {fact}. By the {rule} rule {verdict}."))
    }
}

fn color_of(relation: Relation) -> Color32 {
    match relation {
        Relation::Separated => ANSWER,
        Relation::Touching => YELLOW,
        Relation::Overlapping => SHARED,
    }
}

const YELLOW: Color32 = Color32::from_rgb(255, 217, 51);

/// A small number with three digits that count.
fn fine(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let digits = (2 - value.abs().log10().floor() as i32).clamp(0, 9) as usize;
    let words = format!("{value:.digits$}");
    if words.contains('.') {
        words.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        words
    }
}

/// Marks where the two meet.
fn draw_place(canvas: &Canvas, a: &PlacedShape, b: &PlacedShape, meeting: &Meeting) {
    let nearest = separation(a, b);
    if meeting.relation == Relation::Separated {
        canvas.line(nearest.point_a, nearest.point_b, 2.0, ANSWER);
    }
    canvas.dot(nearest.point_a.midpoint(nearest.point_b), 8.0, meeting.color());
}

/// A line of all separations around the tolerance, with the one of a pair.
struct Scale<'a> {
    canvas: &'a Canvas<'a>,
    meeting: &'a Meeting,
    middle: egui::Pos2,
    /// Half its length in points.
    half: f32,
    /// The separation at its end.
    reach: f64,
}

impl<'a> Scale<'a> {
    /// Shorter than this in points, it has room for short words only.
    const NARROW: f32 = 120.0;

    fn new(canvas: &'a Canvas, place: Vec2, meeting: &'a Meeting) -> Self {
        let half = HALF_SCALE / canvas.length(1.0).max(f32::MIN_POSITIVE);
        let reach = 4.0 * meeting.tolerance;
        Self { canvas, meeting, middle: canvas.to_screen(place), half: half.min(260.0), reach }
    }

    fn at(&self, separation: f64) -> egui::Pos2 {
        let along = (separation / self.reach).clamp(-1.0, 1.0) as f32;
        self.middle + egui::vec2(along * self.half, 0.0)
    }

    fn draw(&self, name: &str, [a, b]: [usize; 2]) {
        let is_narrow = self.half < Self::NARROW;
        self.zones(is_narrow);
        self.tolerance(is_narrow);
        let separation = signed(self.meeting.separation);
        let (title, size, height) = if is_narrow {
            (format!("{} and {}: {separation}", NAMES[a], NAMES[b]), 13.0, 9.0)
        } else {
            (format!("separation of {name}: {separation}"), 14.0, 14.0)
        };
        // Above the words about the tolerance.
        let font = self.canvas.font(size);
        let above = self.middle - egui::vec2(0.0, height + 1.4 * font.size);
        self.canvas.painter.text(above, Align2::CENTER_BOTTOM, title, font, TEXT);
        draw_marker(self.canvas, self.at(self.meeting.separation), self.meeting, self.reach);
    }

    /// What the separations along the line mean; in little room only what that of the pair does.
    fn zones(&self, is_narrow: bool) {
        let (painter, font) = (&self.canvas.painter, self.canvas.font(13.0));
        let tolerance = self.meeting.tolerance;
        for (from, to, relation, words) in [
            (-self.reach, -tolerance, Relation::Overlapping, "overlapping"),
            (-tolerance, tolerance, Relation::Touching, "touching"),
            (tolerance, self.reach, Relation::Separated, "apart"),
        ] {
            let (from, to, color) = (self.at(from), self.at(to), color_of(relation));
            let rect = egui::Rect::from_two_pos(from, to).expand2(egui::vec2(0.0, 5.0));
            painter.rect_filled(rect, 0.0, color.gamma_multiply(0.35));
            let x = if is_narrow { self.middle.x } else { rect.center().x };
            if !is_narrow || relation == self.meeting.relation {
                let below = egui::pos2(x, rect.bottom() + 3.0);
                painter.text(below, Align2::CENTER_TOP, words, font.clone(), color);
            }
        }
    }

    /// Both ends of the tolerance, written outwards so that they keep off each other.
    fn tolerance(&self, is_narrow: bool) {
        let (painter, font) = (&self.canvas.painter, self.canvas.font(13.0));
        let (tolerance, up) = (self.meeting.tolerance, egui::vec2(0.0, 7.0));
        for (end, side) in [(-tolerance, Align2::RIGHT_BOTTOM), (tolerance, Align2::LEFT_BOTTOM)] {
            let mark = self.at(end);
            painter.line_segment([mark - up, mark + up], Stroke::new(1.0, TEXT));
            if !is_narrow {
                painter.text(mark - up, side, signed(end), font.clone(), DIM);
            }
        }
        if is_narrow {
            let words = format!("±{}", fine(tolerance));
            painter.text(self.middle - up, Align2::CENTER_BOTTOM, words, font, DIM);
        }
    }
}

/// The mark of a separation; an arrow at the end of the scale for one beyond it.
fn draw_marker(canvas: &Canvas, at: egui::Pos2, meeting: &Meeting, reach: f64) {
    let painter = &canvas.painter;
    if meeting.separation.abs() <= reach {
        painter.circle_filled(at, 7.0, Color32::BLACK);
        painter.circle_filled(at, 5.5, meeting.color());
        return;
    }
    let side = if meeting.separation > 0.0 { 1.0 } else { -1.0 };
    let tip = at + egui::vec2(side * 16.0, 0.0);
    let corners = vec![tip, at + egui::vec2(0.0, 8.0), at - egui::vec2(0.0, 8.0)];
    painter.add(egui::Shape::convex_polygon(corners, meeting.color(), Stroke::NONE));
}

fn signed(separation: f64) -> String {
    if separation < 0.0 { format!("-{}", fine(-separation)) } else { fine(separation) }
}

#[cfg(test)]
mod tests {
    use bevy::math::Affine2;

    use super::*;

    fn meeting(base: f32, touch: Touch, pair: [usize; 2]) -> Meeting {
        let bodies = Touching::default().bodies().expect("bodies");
        let [a, b] = pair.map(|body| {
            let pose = Affine2::from_translation(Vec2::splat(base) + bodies[body].place);
            PlacedShape::new(&bodies[body].shape, pose).expect("placed")
        });
        Meeting::of(&a, &b, touch)
    }

    #[test]
    fn at_the_origin_both_pairs_touch_and_the_rule_decides() {
        for (name, pair, _) in PAIRS {
            for (rule, verdict) in
                [(TouchRule::Inclusive, "a contact."), (TouchRule::Exclusive, "no contact.")]
            {
                let words = meeting(0.0, rule.into(), pair).sentence(name, rule).words;
                assert!(words.starts_with(name) && words.contains("touch"), "{words}");
                assert!(words.ends_with(&format!("rule {verdict}")), "{words}");
            }
        }
    }

    /// 114.95 and 225.05 are rounded to sixteenths there, to 114.9375 and 225.0625.
    #[test]
    fn far_away_the_tiles_no_longer_meet_until_a_tolerance_lets_them() {
        let touch = Touch::from(TouchRule::Inclusive);
        let far = meeting(1e6, touch, [0, 1]);
        assert_ne!(far.relation, Relation::Touching, "{far:?}");
        assert!((far.separation.abs() - 0.025).abs() < 1e-3, "{far:?}");
        let tolerant = meeting(1e6, Touch { slop: 0.05, ..touch }, [0, 1]);
        assert_eq!(tolerant.relation, Relation::Touching);
        assert!(tolerant.is_contact);
    }

    #[test]
    fn small_numbers_keep_three_digits() {
        for (value, expected) in [
            (0.0, "0"),
            (0.000_026_4, "0.0000264"),
            (0.0375, "0.0375"),
            (0.0625, "0.0625"),
            (12.0, "12"),
            (1234.5, "1234"),
            (0.05, "0.05"),
        ] {
            assert_eq!(fine(value), expected, "{value}");
        }
    }

    #[test]
    fn the_steps_of_single_precision_are_told() {
        assert!(place_sentence(1e6).words.ends_with("There f32 has steps of 0.0625."));
        assert!(place_sentence(0.0).words.starts_with("The figure stands at the origin."));
    }
}
