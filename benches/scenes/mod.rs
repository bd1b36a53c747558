//! The scenes that the benches share: `pipeline.rs` and the crate in `peers/`.
//!
//! A scene is a list of bodies and nothing of any engine. Where a mover is at a step is a function
//! of the step alone, so every contestant sees the very same places, and pair counts can be
//! compared. Movers walk to and fro around their home: the density of a scene does not change, and
//! nothing jumps from one border to the other. Numbers come from one small generator, the same in
//! every run.
#![allow(dead_code, unreachable_pub, reason = "each bench uses its own part of this module")]

use std::f32::consts::{PI, TAU};

use bevy::math::Vec2;

/// What a body looks like, around its own origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outline {
    Circle { radius: f32 },
    Box { width: f32, height: f32 },
    Polygon { sides: usize, radius: f32 },
}

impl Outline {
    /// Corners of a regular polygon or a box, counter-clockwise; none of a circle.
    pub fn corners(self) -> Vec<Vec2> {
        match self {
            Self::Circle { .. } => Vec::new(),
            Self::Box { width, height } => {
                let half = Vec2::new(width, height) * 0.5;
                [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                    .map(|(x, y)| half * Vec2::new(x, y))
                    .to_vec()
            }
            Self::Polygon { sides, radius } => (0..sides)
                .map(|i| Vec2::from_angle(TAU * (0.25 + i as f32 / sides as f32)) * radius)
                .collect(),
        }
    }

    /// Distance from the origin to the farthest point.
    pub fn reach(self) -> f32 {
        match self {
            Self::Circle { radius } | Self::Polygon { radius, .. } => radius,
            Self::Box { width, height } => Vec2::new(width, height).length() * 0.5,
        }
    }
}

/// One collider of a scene.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    pub outline: Outline,
    /// The middle of its walk.
    pub home: Vec2,
    /// How far it goes in a step; zero for what never moves.
    pub heading: Vec2,
    /// Where in its walk it starts.
    pub phase: u32,
}

impl Body {
    pub fn is_static(&self) -> bool {
        self.heading == Vec2::ZERO
    }

    /// Where the body is after so many steps: to and fro, one heading per step.
    pub fn place(&self, step: u32) -> Vec2 {
        self.home + self.heading * to_and_fro(step.wrapping_add(self.phase))
    }
}

/// Steps from one turning point of a walk to the next.
const WALK: u32 = 32;

/// -16, -15, ... 15, 16, 15, ... -15, -16, ...
fn to_and_fro(step: u32) -> f32 {
    let at = step % (2 * WALK);
    (if at < WALK { at } else { 2 * WALK - at }) as f32 - (WALK / 2) as f32
}

/// A named list of bodies.
pub struct Scene {
    pub name: &'static str,
    pub bodies: Vec<Body>,
    /// The cell size that someone who knows the scene would choose: twice the mean width.
    pub cell: f32,
}

impl Scene {
    fn new(name: &'static str, bodies: Vec<Body>) -> Self {
        let widths: f64 = bodies.iter().map(|body| 2.0 * f64::from(body.outline.reach())).sum();
        let cell = (2.0 * widths / bodies.len().max(1) as f64) as f32;
        Self { name, bodies, cell }
    }

    pub fn movers(&self) -> usize {
        self.bodies.iter().filter(|body| !body.is_static()).count()
    }
}

/// A name, what it is, and how to make it.
pub struct Recipe {
    pub name: &'static str,
    pub about: &'static str,
    /// Whether it runs when no scene is asked for.
    pub usual: bool,
    make: fn() -> Vec<Body>,
}

impl Recipe {
    pub fn scene(&self) -> Scene {
        Scene::new(self.name, (self.make)())
    }
}

const fn recipe(name: &'static str, about: &'static str, make: fn() -> Vec<Body>) -> Recipe {
    Recipe { name, about, usual: true, make }
}

/// All scenes. One touching pair per two colliders and all of them moving, unless it says else.
pub const RECIPES: &[Recipe] = &[
    recipe("circles-1k", "1,000 circles", || spread(1_000, AREA, circle)),
    recipe("circles-10k", "10,000 circles", || spread(10_000, AREA, circle)),
    recipe("circles-100k", "100,000 circles", || spread(100_000, AREA, circle)),
    Recipe {
        usual: false,
        ..recipe("circles-1m", "1,000,000 circles", || spread(1_000_000, AREA, circle))
    },
    recipe("mixed-1k", "1,000 circles, boxes and polygons", || spread(1_000, AREA, mixed)),
    recipe("mixed-10k", "10,000 circles, boxes and polygons", || spread(10_000, AREA, mixed)),
    recipe("mixed-100k", "100,000 circles, boxes and polygons", || spread(100_000, AREA, mixed)),
    recipe("tiles-100k", "100,000 static boxes sharing edges, 2,000 moving circles", tiles),
    recipe("clusters-100k", "100 gaussian piles of 1,000 circles, 2.7 pairs each", clusters),
    recipe("giant-100k", "100,000 circles and one a thousand times the size", giant),
    recipe("sizes-10k", "10,000 circles, radii over six orders of magnitude", sizes),
    recipe("one-cell-10k", "10,000 circles in a patch no larger than one of 10 others", one_cell),
    recipe("one-point-500", "500 circles on one another: all pairs touch", one_point),
    recipe("line-100k", "100,000 circles on one line", line),
    recipe("far-100k", "100,000 circles at (1,000,000, -1,000,000)", far),
    recipe("dense-100k", "100,000 circles, 8 contacts each (4 pairs each)", || {
        spread(100_000, AREA / 8.0, circle)
    }),
];

/// The recipes with these names, or the usual ones. An unknown name is handed back.
pub fn choose(names: &[String]) -> Result<Vec<&'static Recipe>, String> {
    match names {
        [] => Ok(RECIPES.iter().filter(|recipe| recipe.usual).collect()),
        [all] if all == "all" => Ok(RECIPES.iter().collect()),
        names => names
            .iter()
            .map(|name| RECIPES.iter().find(|recipe| recipe.name == name).ok_or(name.clone()))
            .collect(),
    }
}

/// Area per circle of radius 5 at which every second one touches another.
const AREA: f32 = 310.0;

fn circle(_: usize) -> Outline {
    Outline::Circle { radius: 5.0 }
}

fn mixed(i: usize) -> Outline {
    match i % 3 {
        0 => Outline::Circle { radius: 5.0 },
        1 => Outline::Box { width: 10.0, height: 8.0 },
        _ => Outline::Polygon { sides: 5 + i % 4, radius: 5.0 },
    }
}

/// Evenly over a square.
fn spread(count: usize, area: f32, outline: fn(usize) -> Outline) -> Vec<Body> {
    let side = (count as f32 * area).sqrt();
    let mut random = noise();
    (0..count)
        .map(|i| {
            let home = Vec2::new(side * random(), side * random());
            mover(outline(i), home, &mut random)
        })
        .collect()
}

/// Movers walk a twentieth of their width in a step, in any direction.
fn mover(outline: Outline, home: Vec2, random: &mut impl FnMut() -> f32) -> Body {
    let heading = Vec2::from_angle(random() * TAU) * (outline.reach() * 0.1);
    Body { outline, home, heading, phase: (random() * (2 * WALK) as f32) as u32 }
}

/// A level of 400 by 250 boxes without a gap, and circles on it.
fn tiles() -> Vec<Body> {
    const SIDE: f32 = 16.0;
    let (columns, rows) = (400, 250);
    let mut random = noise();
    let tile = |i: usize| Body {
        outline: Outline::Box { width: SIDE, height: SIDE },
        home: Vec2::new((i % columns) as f32, (i / columns) as f32) * SIDE,
        heading: Vec2::ZERO,
        phase: 0,
    };
    let mut bodies: Vec<Body> = (0..columns * rows).map(tile).collect();
    let level = Vec2::new(columns as f32, rows as f32) * SIDE;
    bodies.extend((0..2_000).map(|i| {
        let home = Vec2::new(random(), random()) * level;
        mover(circle(i), home, &mut random)
    }));
    bodies
}

fn clusters() -> Vec<Body> {
    // 1,000 circles of radius 5 touch 2.7 pairs each at this deviation.
    const DEVIATION: f32 = 68.0;
    let mut random = noise();
    let mut bodies = Vec::new();
    for _ in 0..100 {
        let middle = Vec2::new(random(), random()) * 20_000.0;
        for i in 0..1_000 {
            // A sum of twelve even numbers is close to a gaussian one of deviation 1.
            let mut gaussian = || (0..12).map(|_| random()).sum::<f32>() - 6.0;
            let home = middle + Vec2::new(gaussian(), gaussian()) * DEVIATION;
            bodies.push(mover(circle(i), home, &mut random));
        }
    }
    bodies
}

fn giant() -> Vec<Body> {
    let mut bodies = spread(100_000, AREA, circle);
    // Its rim reaches over one corner of the others.
    let outline = Outline::Circle { radius: 5_000.0 };
    bodies.push(Body { outline, home: Vec2::splat(-2_500.0), heading: Vec2::splat(0.3), phase: 0 });
    bodies
}

fn sizes() -> Vec<Body> {
    let mut random = noise();
    // Half a pair each: the mean of (r + q)^2 for two radii of this law is 83,000.
    let side = (10_000.0 * PI * 83_000.0).sqrt();
    (0..10_000)
        .map(|_| {
            let outline = Outline::Circle { radius: 10.0_f32.powf(random() * 6.0 - 3.0) };
            let home = Vec2::new(side * random(), side * random());
            mover(outline, home, &mut random)
        })
        .collect()
}

/// Small circles at the usual density, and a few so large that all small ones lie in a cell of
/// their size.
fn one_cell() -> Vec<Body> {
    let mut bodies = spread(10_000, AREA, circle);
    let mut random = noise();
    bodies.extend((0..10).map(|i| {
        let outline = Outline::Circle { radius: 900.0 };
        mover(outline, Vec2::new(-1_200.0, 400.0 * i as f32), &mut random)
    }));
    bodies
}

fn one_point() -> Vec<Body> {
    let mut random = noise();
    (0..500)
        .map(|i| {
            let mut body = mover(circle(i), Vec2::ZERO, &mut random);
            body.heading *= 0.1;
            body
        })
        .collect()
}

fn line() -> Vec<Body> {
    let mut random = noise();
    let length = 100_000.0 * 20.0;
    (0..100_000)
        .map(|i| {
            let mut body = mover(circle(i), Vec2::X * (length * random()), &mut random);
            body.heading = Vec2::X * body.heading.length();
            body
        })
        .collect()
}

fn far() -> Vec<Body> {
    let mut bodies = spread(100_000, AREA, circle);
    for body in &mut bodies {
        body.home += Vec2::new(1e6, -1e6);
    }
    bodies
}

/// Numbers in 0..1 that are the same in every run.
pub fn noise() -> impl FnMut() -> f32 {
    let mut state = 1_u64;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1_u64 << 24) as f32
    }
}
