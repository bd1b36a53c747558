//! The answers to all questions, found another way: every body near enough in x is tried.

use bevy::math::{DVec2, Vec2};

use crate::plain::{Form, overlap};
use crate::queries::Questions;
use crate::scenes::{Body, Outline, Scene};

/// A question by number, and a body.
pub type Answer = [u32; 2];

/// How many answers are missing, and how many are wrong.
pub type Faults = [usize; 2];

/// Distances along a ray that differ by no more count as the same, in widths of a usual collider:
/// of two bodies at one place either may be first.
const SAME: f64 = 1e-4;

/// The bodies of a scene at one step, sorted by their left sides.
pub struct ExactAnswers<'a> {
    questions: &'a Questions,
    bodies: Vec<Placed>,
    /// Where each body lies in that list.
    order: Vec<u32>,
    widest: f32,
}

struct Placed {
    number: u32,
    place: Vec2,
    outline: Outline,
    form: Form,
    bounds: [Vec2; 2],
}

impl Placed {
    fn new(number: u32, body: &Body, step: u32) -> Self {
        let (form, place) = (Form::new(body.outline), body.place(step));
        Self { number, place, outline: body.outline, form, bounds: form.bounds(place) }
    }
}

impl<'a> ExactAnswers<'a> {
    pub fn new(scene: &Scene, questions: &'a Questions, step: u32) -> Self {
        let placed = |(number, body)| Placed::new(number, body, step);
        let mut bodies: Vec<Placed> = (0..).zip(&scene.bodies).map(placed).collect();
        bodies.sort_by(|a, b| a.bounds[0].x.total_cmp(&b.bounds[0].x));
        let mut order = vec![0; bodies.len()];
        for (at, body) in (0..).zip(&bodies) {
            order[body.number as usize] = at;
        }
        let widths = bodies.iter().map(|body| body.bounds[1].x - body.bounds[0].x);
        let widest = widths.fold(0.0, f32::max);
        Self { questions, bodies, order, widest }
    }

    pub fn check_points(&self, found: &[Answer]) -> Faults {
        self.check_shape(Outline::Circle { radius: 0.0 }, &self.questions.points, found)
    }

    pub fn check_boxes(&self, found: &[Answer]) -> Faults {
        let side = 2.0 * self.questions.half_box;
        self.check_shape(Outline::Box { width: side, height: side }, &self.questions.boxes, found)
    }

    fn check_shape(&self, outline: Outline, places: &[Vec2], found: &[Answer]) -> Faults {
        let form = Form::new(outline);
        let mut exact = Vec::new();
        for (question, place) in (0..).zip(places) {
            let near = self.near(form.bounds(*place)).filter(|body| {
                let between = body.place - *place;
                overlap(&form, &body.form, between)
            });
            exact.extend(near.map(|body| [question, body.number]));
        }
        exact.sort_unstable();
        let mut found = found.to_vec();
        found.sort_unstable();
        let missing = exact.iter().filter(|answer| found.binary_search(answer).is_err());
        let wrong = found.iter().filter(|answer| exact.binary_search(answer).is_err());
        [missing.count(), wrong.count()]
    }

    /// A ray's answer is right if nothing else is hit clearly sooner.
    pub fn check_rays(&self, found: &[Answer]) -> Faults {
        let same = SAME * f64::from(self.questions.half_box);
        let mut answers = vec![None; self.questions.rays.len()];
        for [question, body] in found {
            answers[*question as usize] = Some(&self.bodies[self.order[*body as usize] as usize]);
        }
        let mut faults = [0; 2];
        for ((start, way), answer) in self.questions.rays.iter().zip(answers) {
            let end = *start + *way * self.questions.ray_length;
            let hit = |body: &Placed| {
                let from = start.as_dvec2() - body.place.as_dvec2();
                let hit = first_hit(body.outline, from, way.as_dvec2());
                hit.filter(|distance| *distance <= f64::from(self.questions.ray_length))
            };
            let bounds = [start.min(end), start.max(end)];
            let first = self.near(bounds).filter_map(hit).fold(f64::INFINITY, f64::min);
            match answer {
                None => faults[0] += usize::from(first.is_finite()),
                Some(body) => {
                    let is_first = hit(body).is_some_and(|distance| distance <= first + same);
                    faults[1] += usize::from(!is_first);
                }
            }
        }
        faults
    }

    /// The bodies whose bounds meet a box.
    fn near(&self, [min, max]: [Vec2; 2]) -> impl Iterator<Item = &Placed> {
        let start = self.bodies.partition_point(|body| body.bounds[0].x < min.x - self.widest);
        self.bodies[start..].iter().take_while(move |body| body.bounds[0].x <= max.x).filter(
            move |body| {
                let [low, high] = body.bounds;
                low.cmple(max).all() && high.cmpge(min).all()
            },
        )
    }
}

/// How far along a ray an outline around the origin begins; 0 from inside.
fn first_hit(outline: Outline, from: DVec2, way: DVec2) -> Option<f64> {
    if let Outline::Circle { radius } = outline {
        let outside = from.length_squared() - f64::from(radius).powi(2);
        if outside <= 0.0 {
            return Some(0.0);
        }
        let toward = -from.dot(way);
        let root = toward * toward - outside;
        return (toward >= 0.0 && root >= 0.0).then(|| toward - root.sqrt());
    }
    let corners = outline.corners();
    let (mut enter, mut leave) = (0.0_f64, f64::INFINITY);
    for (start, end) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        let edge = (*end - *start).as_dvec2();
        let outside = (from - start.as_dvec2()).perp_dot(edge);
        let outward = way.perp_dot(edge);
        if outward < 0.0 {
            enter = enter.max(outside / -outward);
        } else if outward > 0.0 {
            leave = leave.min(-outside / outward);
        } else if outside > 0.0 {
            return None;
        }
    }
    (enter <= leave).then_some(enter)
}
