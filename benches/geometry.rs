//! Nanoseconds per call of the geometry functions, beside parry2d on the same shapes.
//!
//!     cargo bench --bench geometry
//!     cargo bench --bench geometry -- --quick octagon
//!
//! `--quick` measures fewer and shorter rounds; any other word keeps the rows whose question or
//! pairing holds it. Both libraries answer the same list of random placements, in turns; shown is
//! the median of the rounds, and how often both said yes. Machines differ and are noisy; compare
//! the ratios of one run.
//!
//! Placing a shape is not measured: the step does it once for each collider, not for each pair.
//! parry takes its shapes in their own space with a pose for each call.

use std::hint::black_box;
use std::time::Instant;

use bevy::math::{Affine2, Vec2};
use bevy_nudge::geometry::{
    Aabb, Circle, ConcavePolygon, ConvexPolygon, PlacedShape, Ray, Shape, TouchRule, cast_ray,
    contact, overlaps, separation, sweep,
};
use parry2d::math::{Pose, Vector};
use parry2d::query::details::contact_manifold_cuboid_cuboid;
use parry2d::query::{self, ContactManifold, ShapeCastOptions};
use parry2d::shape::SharedShape;

const RULE: TouchRule = TouchRule::Inclusive;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if words.iter().any(|word| word == "--help" || word == "-h") {
        println!("cargo bench --bench geometry -- [--quick] [WORD in the question or pairing]...");
        return;
    }
    let effort = match words.iter().any(|word| word == "--quick") {
        true => Effort { placements: 64, rounds: 5, nanoseconds: 2e5 },
        false => Effort { placements: 512, rounds: 31, nanoseconds: 2e6 },
    };
    let words: Vec<&String> = words.iter().filter(|word| *word != "--quick").collect();
    let is_wanted = |question: &str, pairing: &str| {
        words.is_empty()
            || words.iter().any(|word| question.contains(*word) || pairing.contains(*word))
    };

    println!(
        "{:<10} {:<22} {:>8} {:>8} {:>6}  {:>9} {:>9}",
        "question", "shapes", "nudge ns", "parry ns", "ratio", "nudge yes", "parry yes"
    );
    let subjects = subjects();
    for (i, a) in subjects.iter().enumerate() {
        for b in &subjects[i..] {
            let pairing = format!("{} - {}", a.name, b.name);
            for question in
                [Question::Contact, Question::Overlaps, Question::Separation, Question::Sweep]
            {
                if is_wanted(question.name(), &pairing) {
                    let pairs = question.placements(a, b, effort.placements);
                    print(question.name(), &pairing, &question.measure(&pairs, a, b, effort));
                }
            }
            if (a.name, b.name) == ("box", "box") && is_wanted("manifold", &pairing) {
                let pairs = Question::Contact.placements(a, b, effort.placements);
                print("manifold", &pairing, &measure_manifold(&pairs, a, b, effort));
            }
        }
    }
    for a in &subjects {
        if is_wanted("ray", a.name) {
            print("ray", a.name, &measure_rays(a, effort));
        }
    }
}

#[derive(Clone, Copy)]
struct Effort {
    placements: usize,
    rounds: usize,
    /// Aimed at for each library in each round.
    nanoseconds: f64,
}

/// The same shape for both libraries, about 10 units from its centre to its ends.
struct Subject {
    name: &'static str,
    shape: Shape,
    peer: SharedShape,
    turns: bool,
}

fn subjects() -> Vec<Subject> {
    let regular = |sides| ConvexPolygon::regular(sides, 10.0).expect("a polygon");
    let peer_of = |polygon: &ConvexPolygon| {
        let points = polygon.vertices().iter().map(|&vertex| peer(vertex)).collect();
        SharedShape::convex_polyline(points).expect("a polygon")
    };
    let ends = [Vec2::new(-6.0, 0.0), Vec2::new(6.0, 0.0)];
    let capsule = ConvexPolygon::capsule(ends[0], ends[1], 4.0).expect("a capsule");
    let square = Aabb::from_half_size(Vec2::ZERO, Vec2::new(10.0, 7.0)).expect("a box");
    let subject = |name, shape: Shape, peer| Subject { name, turns: name != "box", shape, peer };
    vec![
        subject(
            "circle",
            Circle::new(Vec2::ZERO, 10.0).expect("a circle").into(),
            SharedShape::ball(10.0),
        ),
        subject("box", square.into(), SharedShape::cuboid(10.0, 7.0)),
        subject(
            "turned box",
            ConvexPolygon::rectangle(Vec2::new(20.0, 14.0)).expect("a rectangle").into(),
            SharedShape::cuboid(10.0, 7.0),
        ),
        subject("octagon", regular(8).into(), peer_of(&regular(8))),
        subject("16-gon", regular(16).into(), peer_of(&regular(16))),
        subject("capsule", capsule.into(), SharedShape::capsule(peer(ends[0]), peer(ends[1]), 4.0)),
        subject("U", u_shape(), u_shape_of_peer()),
    ]
}

/// 20 wide and high, its floor and arms 4 thick.
fn u_shape() -> Shape {
    let corners = [
        (-10.0, -10.0),
        (10.0, -10.0),
        (10.0, 10.0),
        (6.0, 10.0),
        (6.0, -6.0),
        (-6.0, -6.0),
        (-6.0, 10.0),
        (-10.0, 10.0),
    ];
    ConcavePolygon::new(corners.map(Vec2::from)).expect("an outline").into()
}

/// The same as a compound. Its contact is that of one part: not the same answer, see the README.
fn u_shape_of_peer() -> SharedShape {
    let part = |x, y, half_width, half_height| {
        (Pose::new(Vector::new(x, y), 0.0), SharedShape::cuboid(half_width, half_height))
    };
    SharedShape::compound(vec![
        part(0.0, -8.0, 10.0, 2.0),
        part(-8.0, 2.0, 2.0, 8.0),
        part(8.0, 2.0, 2.0, 8.0),
    ])
}

fn peer(vector: Vec2) -> Vector {
    Vector::new(vector.x, vector.y)
}

/// A shape at a random place, for both libraries.
struct Place {
    placed: PlacedShape,
    pose: Pose,
}

impl Subject {
    fn place(&self, at: Vec2, random: &mut impl FnMut() -> f32) -> Place {
        let angle = if self.turns { random() * std::f32::consts::TAU } else { 0.0 };
        let placed = PlacedShape::new(&self.shape, Affine2::from_angle_translation(angle, at));
        Place { placed: placed.expect("a place"), pose: Pose::new(peer(at), angle) }
    }
}

struct Pair {
    a: Place,
    b: Place,
    displacement: Vec2,
}

#[derive(Clone, Copy, PartialEq)]
enum Question {
    /// Overlapping pairs only: depth and normal.
    Contact,
    /// Half of the pairs overlap: yes or no.
    Overlaps,
    /// Pairs that are apart. parry measures the distance alone, without the points.
    Separation,
    /// Pairs that are apart, moved towards each other or past.
    Sweep,
}

impl Question {
    fn name(self) -> &'static str {
        match self {
            Self::Contact => "contact",
            Self::Overlaps => "overlaps",
            Self::Separation => "separation",
            Self::Sweep => "sweep",
        }
    }

    /// Random placements that fit the question. Those within rounding of touching are left out, so
    /// that both libraries have to agree.
    fn placements(self, a: &Subject, b: &Subject, count: usize) -> Vec<Pair> {
        let mut random = noise();
        let mut pairs = Vec::new();
        while pairs.len() < count {
            let at = Vec2::new(random(), random()) * 200.0;
            let away = Vec2::from_angle(random() * std::f32::consts::TAU) * random() * 45.0;
            let (a, b) = (a.place(at, &mut random), b.place(at + away, &mut random));
            let gap = separation(&a.placed, &b.placed).distance;
            let should_overlap = match self {
                Self::Contact => true,
                Self::Overlaps => pairs.len() % 2 == 0,
                Self::Separation | Self::Sweep => false,
            };
            if gap.abs() < 0.05 || (gap < 0.0) != should_overlap {
                continue;
            }
            let aside = Vec2::from_angle(random() * std::f32::consts::TAU) * 50.0;
            pairs.push(Pair { a, b, displacement: -away * 1.5 + aside });
        }
        pairs
    }

    fn measure(self, pairs: &[Pair], a: &Subject, b: &Subject, effort: Effort) -> Measured {
        let (a, b) = (&*a.peer, &*b.peer);
        match self {
            Self::Contact => compare(
                pairs,
                effort,
                |pair| contact(&pair.a.placed, &pair.b.placed, RULE),
                |pair| query::contact(&pair.a.pose, a, &pair.b.pose, b, 0.0).ok().flatten(),
                Option::is_some,
                Option::is_some,
            ),
            Self::Overlaps => compare(
                pairs,
                effort,
                |pair| overlaps(&pair.a.placed, &pair.b.placed, RULE),
                |pair| query::intersection_test(&pair.a.pose, a, &pair.b.pose, b),
                |answer| *answer,
                |answer| answer.as_ref().is_ok_and(|answer| answer.intersecting),
            ),
            Self::Separation => compare(
                pairs,
                effort,
                |pair| separation(&pair.a.placed, &pair.b.placed),
                |pair| query::distance(&pair.a.pose, a, &pair.b.pose, b),
                |answer| answer.distance > 0.0,
                |answer| answer.as_ref().is_ok_and(|answer| answer.distance > 0.0),
            ),
            Self::Sweep => compare(
                pairs,
                effort,
                |pair| sweep(&pair.a.placed, &pair.b.placed, pair.displacement, RULE),
                |pair| {
                    let way = peer(pair.displacement);
                    let options = ShapeCastOptions::with_max_time_of_impact(1.0);
                    let still = Vector::ZERO;
                    query::cast_shapes(&pair.a.pose, still, a, &pair.b.pose, way, b, options)
                },
                Option::is_some,
                |answer| matches!(answer, Ok(Some(_))),
            ),
        }
    }
}

/// parry's contact of two boxes by its manifold: up to two points with their depths.
fn measure_manifold(pairs: &[Pair], a: &Subject, b: &Subject, effort: Effort) -> Measured {
    let (Some(a), Some(b)) = (a.peer.as_cuboid(), b.peer.as_cuboid()) else {
        panic!("two boxes");
    };
    compare(
        pairs,
        effort,
        |pair| contact(&pair.a.placed, &pair.b.placed, RULE),
        |pair| {
            let mut manifold = ContactManifold::<(), ()>::new();
            let pose = pair.a.pose.inv_mul(&pair.b.pose);
            contact_manifold_cuboid_cuboid(&pose, a, b, 0.0, &mut manifold);
            manifold.points.len()
        },
        Option::is_some,
        |points| *points > 0,
    )
}

/// Segments across the neighbourhood of a shape.
fn measure_rays(a: &Subject, effort: Effort) -> Measured {
    struct Cast {
        place: Place,
        ray: Ray,
        peer: query::Ray,
        length: f32,
    }
    let mut random = noise();
    let casts: Vec<Cast> = (0..effort.placements)
        .map(|_| {
            let at = Vec2::new(random(), random()) * 200.0;
            let place = a.place(at, &mut random);
            let from = at + Vec2::from_angle(random() * std::f32::consts::TAU) * 30.0;
            let to = at + Vec2::new(random() - 0.5, random() - 0.5) * 40.0;
            let (length, way) = (60.0, (to - from).normalize());
            let ray = Ray::new(from, way).expect("a ray").with_length(length);
            Cast { place, ray, peer: query::Ray::new(peer(from), peer(way)), length }
        })
        .collect();
    let shape = &*a.peer;
    compare(
        &casts,
        effort,
        |cast| cast_ray(&cast.place.placed, &cast.ray, RULE),
        |cast| shape.cast_ray_and_get_normal(&cast.place.pose, &cast.peer, cast.length, true),
        Option::is_some,
        Option::is_some,
    )
}

struct Measured {
    ours: f64,
    peer: f64,
    ours_yes: usize,
    peer_yes: usize,
    count: usize,
    agreed: usize,
}

/// Asks both libraries in turns, and counts how often they say yes.
fn compare<Q, A, B>(
    questions: &[Q],
    effort: Effort,
    ours: impl Fn(&Q) -> A,
    peer: impl Fn(&Q) -> B,
    is_yes: impl Fn(&A) -> bool,
    is_peer_yes: impl Fn(&B) -> bool,
) -> Measured {
    let answers: Vec<(bool, bool)> =
        questions.iter().map(|q| (is_yes(&ours(q)), is_peer_yes(&peer(q)))).collect();
    let repeats =
        |once: f64| (effort.nanoseconds / (once * questions.len() as f64)).max(1.0) as usize;
    let ours_repeats = repeats(nanoseconds(questions, 1, &ours));
    let peer_repeats = repeats(nanoseconds(questions, 1, &peer));
    let (mut ours_times, mut peer_times) = (Vec::new(), Vec::new());
    for _ in 0..effort.rounds {
        ours_times.push(nanoseconds(questions, ours_repeats, &ours));
        peer_times.push(nanoseconds(questions, peer_repeats, &peer));
    }
    Measured {
        ours: median(ours_times),
        peer: median(peer_times),
        ours_yes: answers.iter().filter(|answer| answer.0).count(),
        peer_yes: answers.iter().filter(|answer| answer.1).count(),
        count: answers.len(),
        agreed: answers.iter().filter(|answer| answer.0 == answer.1).count(),
    }
}

/// Per call.
fn nanoseconds<Q, A>(questions: &[Q], repeats: usize, ask: &impl Fn(&Q) -> A) -> f64 {
    let start = Instant::now();
    for _ in 0..repeats {
        for question in questions {
            black_box(ask(black_box(question)));
        }
    }
    start.elapsed().as_secs_f64() * 1e9 / (repeats * questions.len()) as f64
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn print(question: &str, pairing: &str, measured: &Measured) {
    let Measured { ours, peer, ours_yes, peer_yes, count, agreed } = *measured;
    let note = if agreed == count { String::new() } else { format!("  {} differ", count - agreed) };
    println!(
        "{question:<10} {pairing:<22} {ours:>8.1} {peer:>8.1} {:>6.2}  {ours_yes:>4}/{count:<4} {peer_yes:>4}/{count:<4}{note}",
        peer / ours,
    );
}

/// Numbers in 0..1 that are the same in every run.
fn noise() -> impl FnMut() -> f32 {
    let mut state = 1_u64;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1_u64 << 24) as f32
    }
}
