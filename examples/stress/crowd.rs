//! The colliders: as many as are asked for, each walking to and fro around its home.

use std::f32::consts::{PI, TAU};
use std::time::Instant;

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use crate::clocks::OwnTimes;
use crate::load::{Load, LoadSystems};
use crate::shared::view::View;

pub(crate) struct CrowdPlugin;

impl Plugin for CrowdPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Crowd>()
            .add_systems(Startup, spawn_and_despawn)
            .add_systems(Update, (spawn_and_despawn, walk).chain().after(LoadSystems));
    }
}

/// World units from the middle of a collider to its farthest point.
pub(crate) const RADIUS: f32 = 5.0;
/// Width and height of the boxes.
pub(crate) const BOX_SIZE: Vec2 = Vec2::new(10.0, 8.0);
/// Polygons have from 5 to so many sides.
pub(crate) const MOST_SIDES: usize = 8;

/// World units of area for each collider. With this every second one touches another.
const AREA: f32 = 310.0;

/// The colliders, from the middle of the crowd outwards.
#[derive(Resource, Default)]
pub(crate) struct Crowd {
    entities: Vec<Entity>,
    is_mixed: bool,
}

/// One of the crowd.
#[derive(Component)]
pub(crate) struct Walker {
    /// Its place in the list of all.
    pub(crate) index: usize,
    pub(crate) shape: WalkerShape,
    home: Vec2,
    /// How far it goes in a frame.
    heading: Vec2,
    /// Where in its walk it starts.
    phase: u32,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum WalkerShape {
    Circle,
    Box,
    Polygon { sides: usize },
}

impl WalkerShape {
    fn collider(self) -> Collider {
        match self {
            Self::Circle => Collider::circle(RADIUS),
            Self::Box => Collider::aabb(BOX_SIZE.x, BOX_SIZE.y),
            Self::Polygon { sides } => Collider::regular_polygon(sides, RADIUS)
                .unwrap_or_else(|_| Collider::circle(RADIUS)),
        }
    }
}

impl Walker {
    fn new(index: usize, is_mixed: bool) -> Self {
        let shape = match index % 3 {
            1 if is_mixed => WalkerShape::Box,
            2 if is_mixed => WalkerShape::Polygon { sides: 5 + index / 3 % (MOST_SIDES - 4) },
            _ => WalkerShape::Circle,
        };
        let mut random = noise(index as u32);
        // On a spiral of the golden angle any number of walkers fills a disc evenly. That is too
        // even: few would meet.
        let angle = TAU * (0.381_966_01 * index as f64).fract() as f32;
        let home = Vec2::from_angle(angle) * (AREA / PI * (index as f32 + 0.5)).sqrt();
        let aside = Vec2::new(random() - 0.5, random() - 0.5) * (1.5 * AREA.sqrt());
        let heading = Vec2::from_angle(TAU * random()) * 0.5;
        let phase = (random() * (2 * WALK) as f32) as u32;
        Self { index, shape, home: home + aside, heading, phase }
    }

    fn place(&self, frame: u32) -> Vec2 {
        self.home + self.heading * to_and_fro(frame.wrapping_add(self.phase))
    }
}

/// Frames from one turning point of a walk to the next.
const WALK: u32 = 32;

fn to_and_fro(frame: u32) -> f32 {
    let at = frame % (2 * WALK);
    at.min(2 * WALK - at) as f32 - (WALK / 2) as f32
}

/// Numbers from 0 to 1, the same for each index in every run.
fn noise(index: u32) -> impl FnMut() -> f32 {
    let mut state = index.wrapping_mul(4);
    move || {
        state = state.wrapping_add(1);
        // Neighbours get numbers without a likeness (the mixing of MurmurHash3, by Appleby).
        let mut mixed = state ^ (state >> 16);
        mixed = mixed.wrapping_mul(0x85EB_CA6B);
        mixed ^= mixed >> 13;
        mixed = mixed.wrapping_mul(0xC2B2_AE35);
        mixed ^= mixed >> 16;
        (mixed >> 8) as f32 / (1 << 24) as f32
    }
}

/// Makes the crowd what the load asks for. Other shapes need a new crowd; another number needs
/// only the difference.
fn spawn_and_despawn(
    load: Res<Load>,
    mut crowd: ResMut<Crowd>,
    mut view: ResMut<View>,
    mut commands: Commands,
) {
    let (count, is_mixed) = (load.colliders, load.is_mixed);
    if crowd.entities.len() == count && crowd.is_mixed == is_mixed {
        return;
    }
    let kept = if crowd.is_mixed == is_mixed { count.min(crowd.entities.len()) } else { 0 };
    let gone = crowd.entities.split_off(kept);
    gone.into_iter().for_each(|entity| commands.entity(entity).despawn());
    crowd.is_mixed = is_mixed;
    for index in crowd.entities.len()..count {
        let walker = Walker::new(index, is_mixed);
        let place = Transform::from_translation(walker.place(0).extend(0.0));
        let entity = commands.spawn((walker.shape.collider(), Solid::default(), walker, place));
        crowd.entities.push(entity.id());
    }
    let reach = (AREA / PI * count as f32).sqrt() + 4.0 * RADIUS;
    view.show(Rect::from_center_half_size(Vec2::ZERO, Vec2::splat(reach)));
}

/// World units that a walker goes in a frame at most: pushed away, it comes back slowly.
const STRIDE: f32 = 2.0;

fn walk(
    load: Res<Load>,
    mut frame: Local<u32>,
    mut times: ResMut<OwnTimes>,
    mut walkers: Query<(&Walker, &mut Transform)>,
) {
    let start = Instant::now();
    if load.is_moving {
        *frame = frame.wrapping_add(1);
        let frame = *frame;
        walkers.par_iter_mut().for_each(|(walker, mut transform)| {
            let place = transform.translation.truncate();
            transform.translation = place.move_towards(walker.place(frame), STRIDE).extend(0.0);
        });
    }
    times.moving = start.elapsed();
}
