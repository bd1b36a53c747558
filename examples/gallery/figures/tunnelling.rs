//! Tunnelling: a bullet that goes farther in a step than a wall is thick, looked at only where it
//! arrives, and on its whole way.

use bevy::prelude::*;
use bevy_egui::egui::{self, Align2, Stroke};
use bevy_nudge::geometry::{Circle, ConvexPolygon, PlacedShape};
use bevy_nudge::prelude::*;

use crate::figure::{Body, Facts, Figure, Line, set_shape};
use crate::palette::{ANSWER, COLOR_A, COLOR_B, CONTACT_POINT, DIM, SHARED, TEXT, WRONG};
use crate::shared::canvas::Canvas;
use crate::shared::dragging::OutOfReach;
use crate::wording::{direction, number};

pub(crate) struct Tunnelling {
    /// World units in a step.
    speed: f32,
    thickness: f32,
    is_solid: bool,
    starts_alike: bool,
    flight: Flight,
    seconds: f32,
    tally: Tally,
}

impl Default for Tunnelling {
    fn default() -> Self {
        Self {
            speed: 120.0,
            thickness: 10.0,
            is_solid: false,
            starts_alike: false,
            flight: Flight::default(),
            seconds: 0.0,
            tally: Tally::default(),
        }
    }
}

/// What the two bullets of a flight have met so far: the discrete one, then the swept one.
#[derive(Default)]
struct Flight {
    /// Steps since the start; none before it.
    steps: Option<u32>,
    trails: [Vec<Stop>; 2],
}

/// Where a bullet was after a step.
#[derive(Clone, Copy)]
struct Stop {
    place: Vec2,
    contact: Option<Hit>,
}

#[derive(Clone, Copy)]
struct Hit {
    time: Option<f32>,
    point: Vec2,
    /// From the wall towards the bullet.
    normal: Vec2,
}

/// Flights that are over, and in how many of them each bullet met the wall.
#[derive(Clone, Copy, Default, PartialEq)]
struct Tally {
    flights: u32,
    met: [u32; 2],
}

const RADIUS: f32 = 9.0;
const LANES: [f32; 2] = [290.0, 120.0];
const NAMES: [&str; 2] = ["discrete: looked at where it arrives", "swept: looked at on its way"];
const START: f32 = 40.0;
const END: f32 = 680.0;
/// Seconds between two steps of the bullets: slow enough to watch.
const BEAT: f32 = 0.3;
/// Steps for which the end of a flight is shown.
const REST: u32 = 3;
const WALL: usize = 2;

impl Figure for Tunnelling {
    fn explanation(&self) -> &'static str {
        "A game moves in steps. A bullet that goes farther in a step than the wall is thick can be \
         before it in one step and behind it in the next: no place in which it is tested lies in \
         the wall, and it goes through. With Swept the step looks at the whole way and finds the \
         first moment of contact. Only luck lets the upper bullet hit: the share (wall + 2r) / speed \
         of all starts. Drag the wall."
    }

    fn frame(&self) -> Rect {
        Rect::new(0.0, 0.0, 720.0, 420.0)
    }

    fn bodies(&self) -> Result<Vec<Body>> {
        let bullet = |lane: usize, name| -> Result<Body> {
            let circle = Circle::new(Vec2::ZERO, RADIUS)?;
            Ok(Body::new(name, circle, Vec2::new(START, LANES[lane])))
        };
        Ok(vec![
            bullet(0, "Discrete bullet")?,
            bullet(1, "Swept bullet")?,
            Body::new("Wall", self.wall()?, Vec2::new(380.0, 205.0)),
        ])
    }

    fn open(&mut self, world: &mut World, bodies: &[Entity]) {
        for (lane, &bullet) in bodies[..WALL].iter().enumerate() {
            let layer = 1 << lane;
            // The bullets do not meet each other.
            let layers = CollisionLayers::new(layer, 1 << WALL);
            world.entity_mut(bullet).insert((OutOfReach, layers));
        }
        let layers = CollisionLayers::new(1 << WALL, u32::MAX);
        world.entity_mut(bodies[WALL]).insert((StaticCollider, Solid::default(), layers));
    }

    fn update(&mut self, world: &mut World, bodies: &[Entity]) {
        world.resource_mut::<CollisionSettings>().resolution.enabled = self.is_solid;
        if let Ok(wall) = self.wall() {
            set_shape(world, bodies[WALL], wall);
        }
        self.note_last_step(world, bodies);
        self.seconds += world.resource::<Time>().delta_secs();
        if self.flight.steps.is_none() {
            self.start(world, bodies);
        } else if self.seconds >= BEAT {
            self.seconds = 0.0;
            self.advance(world, bodies);
        }
    }

    fn switches(&mut self) -> Vec<(&'static str, &mut bool)> {
        vec![
            ("bullets and wall are solid", &mut self.is_solid),
            ("start each flight alike", &mut self.starts_alike),
        ]
    }

    fn controls(&mut self, ui: &mut egui::Ui) {
        let before = (self.speed, self.thickness);
        ui.spacing_mut().slider_width -= 12.0;
        ui.add(egui::Slider::new(&mut self.speed, 10.0..=300.0).step_by(5.0).text("per step"));
        let wall = egui::Slider::new(&mut self.thickness, 2.0..=100.0);
        ui.add(wall.step_by(2.0).fixed_decimals(0).text("wall"));
        if before != (self.speed, self.thickness) {
            // What was counted counts no more.
            self.tally = Tally::default();
        }
    }

    fn draw(&self, facts: &Facts, canvas: &Canvas) {
        if let Some(wall) = facts.shape(WALL) {
            canvas.shape(wall, COLOR_A);
        }
        for (lane, trail) in self.flight.trails.iter().enumerate() {
            let y = LANES[lane];
            canvas.dashes(&[Vec2::new(0.0, y), Vec2::new(720.0, y)], DIM.gamma_multiply(0.6));
            let above = Vec2::new(8.0, y + 62.0);
            canvas.label_at(above, Align2::LEFT_CENTER, TEXT, NAMES[lane]);
            if lane == 1 {
                draw_ways(canvas, trail);
            }
            draw_trail(canvas, trail);
            if let Some(bullet) = facts.shape(lane) {
                canvas.shape(bullet, COLOR_B);
            }
        }
        self.draw_miss(facts, canvas);
    }

    fn numbers(&self, _: &Facts) -> Vec<Line> {
        let [discrete, swept] = &self.flight.trails;
        let mut lines = vec![
            share_sentence(self.thickness, self.speed),
            discrete_sentence(discrete, self.flight.is_over()),
            swept_sentence(swept),
        ];
        lines.push(Line::new(DIM, self.tally.sentence()));
        lines
    }
}

impl Tunnelling {
    fn wall(&self) -> Result<ConvexPolygon> {
        Ok(ConvexPolygon::rectangle(Vec2::new(self.thickness, 330.0))?)
    }

    /// Puts the bullets at the start, each time a little elsewhere: luck is to be seen.
    fn start(&mut self, world: &mut World, bodies: &[Entity]) {
        // Steps of the golden ratio cover all starts evenly.
        let flights = if self.starts_alike { 0 } else { self.tally.flights };
        let aside = (flights as f32 * 0.618_034).fract() * self.speed;
        for (lane, &bullet) in bodies[..WALL].iter().enumerate() {
            let place = Vec2::new(START + aside, LANES[lane]);
            let mut bullet = world.entity_mut(bullet);
            bullet.insert(Transform::from_translation(place.extend(0.0)));
            if self.is_solid {
                bullet.insert(Solid::default());
            } else {
                bullet.remove::<Solid>();
            }
            if lane == 1 {
                // Inserted anew, it does not look at the way back to the start.
                bullet.insert(Swept);
            }
        }
        self.flight = Flight { steps: Some(0), ..default() };
        self.seconds = 0.0;
    }

    fn advance(&mut self, world: &mut World, bodies: &[Entity]) {
        let steps = self.flight.steps.map_or(0, |steps| steps + 1);
        self.flight.steps = Some(steps);
        if self.flight.is_over() {
            let rested = self.flight.trails[0].len() as u32 + REST;
            if steps >= rested {
                self.tally.add(&self.flight);
                self.flight = Flight::default();
            }
            return;
        }
        for &bullet in &bodies[..WALL] {
            if let Some(mut transform) = world.get_mut::<Transform>(bullet) {
                transform.translation.x += self.speed;
            }
        }
    }

    /// After a step in which the bullets moved: where they are, and what they met.
    fn note_last_step(&mut self, world: &mut World, bodies: &[Entity]) {
        let Some(steps) = self.flight.steps else { return };
        let is_noted = self.flight.trails[0].len() as u32 > steps;
        if is_noted || self.flight.is_over() {
            return;
        }
        for (lane, &bullet) in bodies[..WALL].iter().enumerate() {
            let place = world.get::<Transform>(bullet).map(|place| place.translation.truncate());
            let pair = world.resource::<Contacts>().between(bullet, bodies[WALL]);
            let contact = pair.map(|pair| Hit {
                time: pair.time_of_impact,
                point: pair.contact.point,
                normal: if pair.b == bullet { pair.contact.normal } else { -pair.contact.normal },
            });
            self.flight.trails[lane].push(Stop { place: place.unwrap_or_default(), contact });
        }
    }

    /// Says it where the upper bullet has gone through.
    fn draw_miss(&self, facts: &Facts, canvas: &Canvas) {
        let trail = &self.flight.trails[0];
        let Some(wall) = facts.shape(WALL).map(PlacedShape::origin) else { return };
        let is_past = |pair: &&[Stop]| pair[0].place.x < wall.x && pair[1].place.x > wall.x;
        let is_met = trail.iter().any(|stop| stop.contact.is_some());
        if let Some(pair) = trail.windows(2).find(is_past).filter(|_| !is_met) {
            let middle = pair[0].place.midpoint(pair[1].place);
            let below = middle - Vec2::Y * canvas.length(34.0);
            canvas.label(below, WRONG, "before the wall, then behind it: no contact");
        }
    }
}

impl Flight {
    /// Whether the discrete bullet has left the figure or does not get on. By then the swept one has
    /// too: it meets the wall sooner or as soon.
    fn is_over(&self) -> bool {
        match &self.trails[0][..] {
            [.., before, last] => last.place.x > END || last.place.x - before.place.x < 1.0,
            _ => false,
        }
    }

    fn met(&self, lane: usize) -> bool {
        self.trails[lane].iter().any(|stop| stop.contact.is_some())
    }
}

impl Tally {
    fn add(&mut self, flight: &Flight) {
        self.flights += 1;
        for (lane, met) in self.met.iter_mut().enumerate() {
            *met += u32::from(flight.met(lane));
        }
    }

    fn sentence(&self) -> String {
        let Self { flights, met: [discrete, swept] } = self;
        format!(
            "Flights so far: {flights}. The wall was met by the discrete bullet in {discrete} of them, \
             by the swept one in {swept}."
        )
    }
}

fn share_sentence(thickness: f32, speed: f32) -> Line {
    let reach = thickness + 2.0 * RADIUS;
    let share = (100.0 * reach / speed).min(100.0);
    let words = format!(
        "Wall {} thick, bullet of radius {}, {} in a step: {} / {} = {} % of flights end a step in an \
         upright wall.",
        number(thickness),
        number(RADIUS),
        number(speed),
        number(reach),
        number(speed),
        number(share)
    );
    Line::new(TEXT, words)
}

fn discrete_sentence(trail: &[Stop], is_over: bool) -> Line {
    match trail.iter().position(|stop| stop.contact.is_some()) {
        Some(step) => {
            Line::new(SHARED, format!("Discrete: in step {step} it happened to land in the wall."))
        }
        None if is_over => {
            let words = format!(
                "Discrete: {} places, none of them in the wall. It went through.",
                trail.len()
            );
            Line::new(WRONG, words)
        }
        None => Line::new(TEXT, format!("Discrete: {} places so far, no contact.", trail.len())),
    }
}

fn swept_sentence(trail: &[Stop]) -> Line {
    let hit = trail.iter().enumerate().find_map(|(step, stop)| Some((step, stop.contact?)));
    let Some((step, hit)) = hit else {
        return Line::new(
            TEXT,
            format!("Swept: {} ways so far, no contact.", trail.len().saturating_sub(1)),
        );
    };
    let when = match hit.time {
        Some(time) => format!("after {time:.2} of its way"),
        None => "where it arrived".to_owned(),
    };
    let words = format!(
        "Swept: in step {step} contact {when}, normal of the wall {}.",
        direction(hit.normal)
    );
    Line::new(ANSWER, words)
}

/// The places in which a bullet was tested.
fn draw_trail(canvas: &Canvas, trail: &[Stop]) {
    for (step, stop) in trail.iter().enumerate() {
        let color = if stop.contact.is_some() { SHARED } else { COLOR_B };
        let center = canvas.to_screen(stop.place);
        let radius = RADIUS / canvas.length(1.0);
        canvas.painter.circle(center, radius, color.gamma_multiply(0.25), Stroke::new(1.5, color));
        let below = stop.place - Vec2::Y * (RADIUS + canvas.length(2.0));
        canvas.label_at(below, Align2::CENTER_TOP, DIM, &step.to_string());
    }
}

/// What a bullet sweeps on its ways, with the impact.
fn draw_ways(canvas: &Canvas, trail: &[Stop]) {
    for pair in trail.windows(2) {
        let [from, to] = [pair[0].place, pair[1].place];
        let side = (to - from).normalize_or_zero().perp() * RADIUS;
        let corners = [from + side, from - side, to - side, to + side];
        canvas.tint(&corners, ANSWER.gamma_multiply(0.12));
        canvas.line(from + side, to + side, 1.0, ANSWER.gamma_multiply(0.5));
        canvas.line(from - side, to - side, 1.0, ANSWER.gamma_multiply(0.5));
    }
    for hit in trail.iter().filter_map(|stop| stop.contact) {
        let Some(time) = hit.time else { continue };
        canvas.arrow(hit.point, hit.point + hit.normal * canvas.length(46.0), 2.0, ANSWER);
        canvas.cross(hit.point, 12.0, CONTACT_POINT);
        let above = hit.point + Vec2::Y * canvas.length(30.0);
        canvas.label(above, ANSWER, &format!("impact after {time:.2} of the way"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stop(x: f32, contact: Option<Hit>) -> Stop {
        Stop { place: Vec2::new(x, 0.0), contact }
    }

    const HIT: Hit = Hit { time: Some(0.25), point: Vec2::ZERO, normal: Vec2::NEG_X };

    #[test]
    fn the_share_of_lucky_flights() {
        assert!(share_sentence(10.0, 140.0).words.contains(": 28 / 140 = 20 % of flights"));
        assert!(share_sentence(100.0, 10.0).words.contains(": 118 / 10 = 100 % of flights"));
    }

    #[test]
    fn what_is_said_of_a_flight() {
        let missed = [stop(0.0, None), stop(100.0, None)];
        assert_eq!(
            discrete_sentence(&missed, false).words,
            "Discrete: 2 places so far, no contact."
        );
        assert_eq!(
            discrete_sentence(&missed, true).words,
            "Discrete: 2 places, none of them in the wall. It went through."
        );
        let met = [stop(0.0, None), stop(100.0, Some(HIT)), stop(200.0, None)];
        assert_eq!(
            discrete_sentence(&met, true).words,
            "Discrete: in step 1 it happened to land in the wall."
        );
        assert_eq!(
            swept_sentence(&met).words,
            "Swept: in step 1 contact after 0.25 of its way, normal of the wall (-1, 0)."
        );
    }

    #[test]
    fn flights_are_counted() {
        let mut tally = Tally::default();
        let trails = [vec![stop(0.0, None)], vec![stop(0.0, Some(HIT))]];
        tally.add(&Flight { steps: Some(1), trails });
        tally.add(&Flight::default());
        assert!(tally == Tally { flights: 2, met: [0, 1] });
    }
}
