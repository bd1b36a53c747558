//! Draws with gizmos what the collision step tested and what it found.
//!
//! [`CollisionDebugDrawPlugin`] draws in `PostUpdate`, after transforms are propagated and after
//! the step, from [`CollisionQuery`] and [`Contacts`]: the placed shapes that were tested, not the
//! transforms they came from. A circle under an unequal scale is therefore drawn as the circle it
//! is tested as. Colliders that take no part (disabled, invalid) are not drawn.
//!
//! Contacts are those found before the push-out, the shapes stand where the push-out left them:
//! in a step with a push an arrow begins where its pair overlapped, a push away from the outline.
//! The contact of a fast mover is that at the moment of impact, with a ring around its point.
//!
//! [`draw_ray`], [`draw_shape_cast`] and [`draw_separation`] draw what a game asked and what it was
//! told; [`draw_outline`], [`draw_pieces`] and [`draw_contact`] a single shape or contact. All of
//! them draw in any gizmo group.
//!
//! What is drawn, and in which colour, is in the config group [`CollisionGizmos`]; line width and
//! render layers are in Bevy's `GizmoConfig` beside it.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use bevy_nudge::debug_draw::{CollisionDebugDrawPlugin, CollisionGizmos};
//! use bevy_nudge::prelude::*;
//!
//! fn show_the_grid(mut store: ResMut<GizmoConfigStore>) {
//!     let (config, gizmos) = store.config_mut::<CollisionGizmos>();
//!     config.line.width = 1.5;
//!     gizmos.grid_cells = true;
//! }
//!
//! App::new()
//!     .add_plugins((DefaultPlugins, CollisionPlugin::default(), CollisionDebugDrawPlugin))
//!     .add_systems(Startup, show_the_grid)
//!     .run();
//! ```

mod answers;

use bevy::ecs::entity::EntityHashMap;
use bevy::math::bounding::{Aabb2d, BoundingVolume};
use bevy::prelude::*;

use crate::geometry::{Contact, ContactStatus, PlacedShape};
use crate::{CollisionQuery, CollisionSystems, Contacts};

use answers::draw_cross;
pub use answers::{AnswerStyle, draw_ray, draw_separation, draw_shape_cast};

/// Draws colliders and contacts with gizmos, as set in [`CollisionGizmos`].
///
/// It needs Bevy's `GizmoPlugin`, which is part of `DefaultPlugins` with the feature
/// `bevy_gizmos`, and a renderer with `bevy_gizmos_render` to see the lines. In an app without
/// gizmos it draws nothing and says so once; everything else works.
#[derive(Clone, Copy, Debug, Default)]
pub struct CollisionDebugDrawPlugin;

impl Plugin for CollisionDebugDrawPlugin {
    fn build(&self, app: &mut App) {
        // The settings exist without gizmos too, so that a game may set them in any app.
        let mut store = app.world_mut().get_resource_or_init::<GizmoConfigStore>();
        if store.get_config::<CollisionGizmos>().is_none() {
            store.insert(GizmoConfig::default(), CollisionGizmos::default());
        }
        add_drawing(app);
    }

    fn finish(&self, app: &mut App) {
        // Bevy's plugins may have been added after this one.
        if !app.world().contains_resource::<DrawingIsAdded>() {
            add_drawing(app);
        }
        if !app.world().contains_resource::<DrawingIsAdded>() {
            log::warn!(
                "colliders are not drawn: the app has no gizmos. Add Bevy's GizmoPlugin (it is in \
                 DefaultPlugins with the feature bevy_gizmos), or leave CollisionDebugDrawPlugin out"
            );
        }
    }
}

#[derive(Resource)]
struct DrawingIsAdded;

/// Adds the drawing system if the app has gizmos.
fn add_drawing(app: &mut App) {
    if !app.world().contains_resource::<Assets<GizmoAsset>>() {
        return;
    }
    // Making the group resets its settings.
    let store = app.world().resource::<GizmoConfigStore>();
    let Some((config, group)) = store.get_config::<CollisionGizmos>() else { return };
    let (config, group) = (config.clone(), group.clone());
    app.insert_gizmo_config(group, config).insert_resource(DrawingIsAdded).add_systems(
        PostUpdate,
        draw_collisions
            .after(TransformSystems::Propagate)
            .after(CollisionSystems::Publish)
            .run_if(resource_exists::<Contacts>),
    );
}

/// What is drawn, and in which colours. Reached through `GizmoConfigStore::config_mut`.
///
/// The colours are bright, for a dark background.
#[derive(Clone, Debug, PartialEq, Reflect, GizmoConfigGroup)]
#[reflect(Default, Clone, PartialEq, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches, set one by one")]
pub struct CollisionGizmos {
    /// The outline of each collider, coloured by the worst state among its contacts. Default: on.
    pub outlines: bool,
    /// The convex pieces of each concave or compound shape. Where two of them meet, the seam shows
    /// inside the outline. Default: on.
    pub pieces: bool,
    /// The normal of each contact, an arrow from the surface of A towards B. Default: on.
    pub normals: bool,
    /// The MTV of each overlapping pair: from the deepest point of B to where the shortest way
    /// out takes it. Default: on.
    pub mtvs: bool,
    /// A cross at the contact point. Default: on.
    pub contact_points: bool,
    /// A ring around the contact point of a pair that met on its way, which has a
    /// [`time_of_impact`](crate::ContactPair::time_of_impact). Default: on.
    pub impacts: bool,
    /// The bounds of each collider, which decide its grid cells. Default: off.
    pub bounds: bool,
    /// The cells of the grid that hold a collider. Default: off.
    pub grid_cells: bool,
    /// Outlines of colliders without contacts. Default: light steel blue.
    pub apart_color: Color,
    /// Outlines of colliders that touch others and overlap none. Default: yellow.
    pub touching_color: Color,
    /// Outlines of colliders that overlap another. Default: orange-red.
    pub overlapping_color: Color,
    /// Pieces. Default: a dim grey blue.
    pub piece_color: Color,
    /// Normals. Default: cyan.
    pub normal_color: Color,
    /// MTV arrows. Default: magenta.
    pub mtv_color: Color,
    /// Contact points. Default: white.
    pub contact_point_color: Color,
    /// Rings of impacts. Default: green.
    pub impact_color: Color,
    /// Bounds. Default: a dim blue.
    pub bounds_color: Color,
    /// Grid cells. Default: a dim green.
    pub grid_cell_color: Color,
}

impl Default for CollisionGizmos {
    fn default() -> Self {
        Self {
            outlines: true,
            pieces: true,
            normals: true,
            mtvs: true,
            contact_points: true,
            impacts: true,
            bounds: false,
            grid_cells: false,
            apart_color: Color::srgb(0.62, 0.72, 0.84),
            touching_color: Color::srgb(1.0, 0.85, 0.2),
            overlapping_color: Color::srgb(1.0, 0.38, 0.25),
            piece_color: Color::srgb(0.3, 0.35, 0.43),
            normal_color: Color::srgb(0.25, 0.9, 1.0),
            mtv_color: Color::srgb(1.0, 0.35, 0.95),
            contact_point_color: Color::WHITE,
            impact_color: Color::srgb(0.45, 0.95, 0.5),
            bounds_color: Color::srgb(0.3, 0.4, 0.68),
            grid_cell_color: Color::srgb(0.2, 0.5, 0.32),
        }
    }
}

impl CollisionGizmos {
    fn outline_color(&self, state: Option<ContactStatus>) -> Color {
        match state {
            None => self.apart_color,
            Some(ContactStatus::Touching) => self.touching_color,
            Some(ContactStatus::Overlapping) => self.overlapping_color,
        }
    }
}

/// Draws the outline of a placed shape, exactly as it is tested: the arcs of a rounded one, the
/// holes of a concave one, all parts of a compound.
///
/// For a game that draws single shapes in its own system and gizmo group.
pub fn draw_outline<Group: GizmoConfigGroup>(
    gizmos: &mut Gizmos<Group>,
    shape: &PlacedShape,
    color: impl Into<Color>,
) {
    let color = color.into();
    for outline in shape.outlines(CIRCLE_RESOLUTION) {
        gizmos.lineloop_2d(outline, color);
    }
}

/// Draws the outlines of the convex pieces that a concave or compound shape is made of; nothing
/// for a convex shape. Draw it before the [outline](draw_outline), which covers all but the seams.
pub fn draw_pieces<Group: GizmoConfigGroup>(
    gizmos: &mut Gizmos<Group>,
    shape: &PlacedShape,
    color: impl Into<Color>,
) {
    let color = color.into();
    if !shape.is_convex() {
        for piece in shape.pieces() {
            draw_outline(gizmos, &piece, color);
        }
    }
}

/// Sides of a drawn circle. At 64 the outline of a circle 400 pixels wide is off by a quarter of
/// a pixel; fewer would show in a contact.
const CIRCLE_RESOLUTION: usize = 64;

fn draw_collisions(
    mut gizmos: Gizmos<CollisionGizmos>,
    query: CollisionQuery,
    contacts: Res<Contacts>,
    mut states: Local<EntityHashMap<ContactStatus>>,
) {
    if !gizmos.config.enabled {
        return;
    }
    let config = gizmos.config_ext.clone();
    // First what lies behind.
    if config.grid_cells {
        for cell in query.cells() {
            draw_box(&mut gizmos, &cell.bounds, config.grid_cell_color);
        }
    }
    if config.bounds {
        for (_, shape) in query.iter() {
            draw_box(&mut gizmos, &shape.bounds(), config.bounds_color);
        }
    }
    if config.pieces {
        for (_, shape) in query.iter() {
            draw_pieces(&mut gizmos, shape, config.piece_color);
        }
    }
    if config.outlines {
        collect_states(&contacts, &mut states);
        for (entity, shape) in query.iter() {
            let state = states.get(&entity).copied();
            draw_outline(&mut gizmos, shape, config.outline_color(state));
        }
    }
    if config.normals || config.mtvs || config.contact_points || config.impacts {
        for pair in contacts.iter() {
            // A collider may have been despawned since the step; its contact lives until the next.
            let (Some(a), Some(b)) = (query.get(pair.a), query.get(pair.b)) else { continue };
            let size = mark_size(a, b);
            draw_contact(&mut gizmos, &pair.contact, &config, size);
            if config.impacts && pair.time_of_impact.is_some() {
                gizmos.circle_2d(pair.contact.point, size * 0.3, config.impact_color);
            }
        }
    }
}

/// The worst state of each collider in contact.
fn collect_states(contacts: &Contacts, states: &mut EntityHashMap<ContactStatus>) {
    states.clear();
    for pair in contacts.iter() {
        for entity in [pair.a, pair.b] {
            let state = states.entry(entity).or_insert(ContactStatus::Touching);
            if pair.contact.status == ContactStatus::Overlapping {
                *state = ContactStatus::Overlapping;
            }
        }
    }
}

fn draw_box(gizmos: &mut Gizmos<CollisionGizmos>, bounds: &Aabb2d, color: Color) {
    gizmos.rect_2d(bounds.center(), bounds.half_size() * 2.0, color);
}

/// Draws the normal, the MTV and the point of a contact, as far as they are switched on in
/// `config`, in its colours. The normal is `size` world units long, other marks a part of it.
pub fn draw_contact<Group: GizmoConfigGroup>(
    gizmos: &mut Gizmos<Group>,
    contact: &Contact,
    config: &CollisionGizmos,
    size: f32,
) {
    if config.contact_points {
        // Its arms lie across the arrows, so that neither hides the other.
        let arm = contact.normal * (size * 0.17);
        draw_cross(gizmos, contact.point, arm, config.contact_point_color);
    }
    // The contact point is halfway between the deepest point of B and the surface of A above it.
    let half_mtv = contact.mtv() * 0.5;
    let (deepest, surface) = (contact.point - half_mtv, contact.point + half_mtv);
    if config.normals {
        let tip = surface + contact.normal * size;
        gizmos.arrow_2d(surface, tip, config.normal_color).with_tip_length(size * 0.3);
    }
    if config.mtvs && contact.status == ContactStatus::Overlapping {
        let tip_length = (contact.depth * 0.4).min(size * 0.3);
        gizmos.arrow_2d(deepest, surface, config.mtv_color).with_tip_length(tip_length);
    }
}

/// A length for marks at a contact, in world units, that suits the size of the two shapes.
fn mark_size(a: &PlacedShape, b: &PlacedShape) -> f32 {
    let (smaller, larger) = (a.extent().min(b.extent()), a.extent().max(b.extent()));
    match (smaller > 0.0, larger > 0.0) {
        (true, _) => smaller * 0.6,
        // A point against a shape, and two points.
        (false, true) => larger * 0.3,
        (false, false) => 1.0,
    }
}
