//! The picture: all colliders in one mesh, made anew in each frame.
//!
//! An entity with a mesh for each would cost the renderer more than the whole collision step.

use std::time::Instant;

use bevy::asset::RenderAssetUsages;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use bevy_nudge::prelude::*;

use crate::clocks::OwnTimes;
use crate::crowd::{BOX_SIZE, MOST_SIDES, RADIUS, Walker, WalkerShape};
use crate::load::Load;
use crate::shared::view::View;

pub(crate) struct DrawingPlugin;

impl Plugin for DrawingPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Startup, spawn_picture)
            .add_systems(PostUpdate, draw.after(CollisionSystems::Publish));
    }
}

const APART: Color = Color::srgb(0.36, 0.5, 0.68);
const IN_CONTACT: Color = Color::srgb(1.0, 0.42, 0.2);

#[derive(Resource)]
struct Picture(Handle<Mesh>);

fn spawn_picture(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    let mesh = meshes.add(mesh(Vec::new(), Vec::new(), Vec::new()));
    commands.spawn((
        Mesh2d(mesh.clone()),
        MeshMaterial2d(materials.add(Color::WHITE)),
        // Its bounds change each frame, and it is always in sight.
        NoFrustumCulling,
    ));
    commands.insert_resource(Picture(mesh));
}

fn mesh(places: Vec<[f32; 3]>, colors: Vec<[f32; 4]>, triangles: Vec<u32>) -> Mesh {
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, places)
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colors)
        .with_inserted_indices(Indices::U32(triangles))
}

fn draw(
    load: Res<Load>,
    view: Res<View>,
    contacts: Res<Contacts>,
    walkers: Query<(&Walker, &Transform)>,
    picture: Res<Picture>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut times: ResMut<OwnTimes>,
) -> Result {
    let start = Instant::now();
    let (mut places, mut colors, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    if load.is_drawn {
        let mut in_contact = vec![false; load.colliders];
        for entity in contacts.iter().flat_map(|pair| [pair.a, pair.b]) {
            if let Ok((walker, _)) = walkers.get(entity) {
                in_contact[walker.index] = true;
            }
        }
        let outlines = Outlines::new(RADIUS / view.length(1.0));
        let [apart, touching] = [APART, IN_CONTACT].map(|color| color.to_linear().to_f32_array());
        places.reserve(load.colliders * 6);
        colors.reserve(load.colliders * 6);
        triangles.reserve(load.colliders * 12);
        for (walker, transform) in &walkers {
            let outline = outlines.of(walker.shape);
            let first = places.len() as u32;
            places
                .extend(outline.iter().map(|&corner| (transform.translation + corner).to_array()));
            let color = if in_contact[walker.index] { touching } else { apart };
            colors.extend(std::iter::repeat_n(color, outline.len()));
            let corners = outline.len() as u32;
            triangles.extend((2..corners).flat_map(|i| [first, first + i - 1, first + i]));
        }
    }
    meshes.insert(&picture.0, mesh(places, colors, triangles))?;
    times.drawing = start.elapsed();
    Ok(())
}

/// Corners of each shape, as many as can be seen.
struct Outlines {
    circle: Vec<Vec3>,
    aabb: [Vec3; 4],
    /// Of each number of sides.
    polygons: Vec<Vec<Vec3>>,
}

/// Below this radius in pixels, more corners than four cannot be seen.
const FEW_PIXELS: f32 = 2.0;

impl Outlines {
    /// For walkers of this radius in pixels.
    fn new(pixels: f32) -> Self {
        let sides = match pixels {
            ..FEW_PIXELS => 4,
            ..6.0 => 8,
            _ => 20,
        };
        let seen = |sides: usize| if pixels < FEW_PIXELS { sides.min(4) } else { sides };
        let half = BOX_SIZE * 0.5;
        Self {
            circle: regular(sides),
            aabb: [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                .map(|(x, y)| Vec3::new(half.x * x, half.y * y, 0.0)),
            polygons: (0..=MOST_SIDES).map(|sides| regular(seen(sides))).collect(),
        }
    }

    fn of(&self, shape: WalkerShape) -> &[Vec3] {
        match shape {
            WalkerShape::Circle => &self.circle,
            WalkerShape::Box => &self.aabb,
            WalkerShape::Polygon { sides } => &self.polygons[sides],
        }
    }
}

/// Counter-clockwise, one corner up, as the colliders are.
fn regular(sides: usize) -> Vec<Vec3> {
    let turn = std::f32::consts::TAU / sides as f32;
    let angles = (0..sides).map(|i| turn * i as f32);
    angles.map(|angle| Vec3::new(-angle.sin(), angle.cos(), 0.0) * RADIUS).collect()
}
