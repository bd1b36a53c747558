//! The panel's side of the scene: what a click selects, what is known of the selection, and how it
//! is lit up.

use bevy::camera::{NormalizedRenderTarget, RenderTarget};
use bevy::ecs::system::SystemParam;
use bevy::math::bounding::BoundingVolume;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_egui::input::WindowToEguiContextMap;
use bevy_egui::{EguiZoomFactor, egui};

use crate::geometry::{PlacedShape, Separation, separation};
use crate::{CollisionFilter, CollisionLayers, CollisionQuery, Contacts};

use super::axis_gizmos::draw_axis;
use super::input::InputOwner;
use super::pointer::SceneClick;
use super::step_record::StepRecord;
use super::{CollisionInspector, Selection, Tab};

/// The colour of A in the scene and in the panel, and of a collider that is selected alone.
pub(super) const COLOR_A: Color = Color::srgb(0.35, 0.85, 1.0);
/// The colour of B.
pub(super) const COLOR_B: Color = Color::srgb(1.0, 0.7, 0.25);

/// A colour of Bevy's as one of egui's.
pub(super) fn to_egui(color: Color) -> egui::Color32 {
    let [red, green, blue, alpha] = color.to_srgba().to_u8_array();
    egui::Color32::from_rgba_unmultiplied(red, green, blue, alpha)
}

/// The gizmo group that lights up the selection. `GizmoConfigStore::config_mut` reaches its line
/// width (4 pixels by default) and render layers.
#[derive(Clone, Debug, Default, Reflect, GizmoConfigGroup)]
#[reflect(Default, Clone, Debug)]
pub struct InspectorGizmos;

/// What the last step knew about the selection, beyond its contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Watched {
    /// What this is about: a click may have selected something else since.
    selection: Selection,
    /// The form of the first selected collider and of the second; none if it takes no part.
    forms: [Option<Form>; 2],
    /// Where the two of a pair are nearest, if they are apart. Of a single collider, its nearest
    /// neighbour and where, with the collider as A.
    pub(super) distance: Option<(Entity, Separation)>,
}

/// What a placed shape is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Form {
    /// Convex pieces.
    pub(super) pieces: usize,
    /// Radius of its rounded corners, in world units; of a circle none.
    pub(super) rounding: f32,
}

impl Form {
    pub(super) fn of(shape: &PlacedShape) -> Self {
        let rounding = if shape.radius().is_some() { 0.0 } else { shape.rounding() };
        Self { pieces: shape.pieces().count(), rounding }
    }
}

impl Watched {
    /// The same, unless it is about another selection than this one.
    pub(super) fn about(&self, selection: Selection) -> Option<&Self> {
        (self.selection == selection).then_some(self)
    }

    /// The form of a selected collider, if it takes part.
    pub(super) fn form(&self, entity: Entity) -> Option<Form> {
        self.selection.entities().zip(self.forms).find(|(selected, _)| *selected == entity)?.1
    }

    /// Whether all that is selected takes part in the step.
    pub(super) fn is_in_play(&self) -> bool {
        self.selection.entities().zip(self.forms).all(|(_, form)| form.is_some())
    }
}

#[derive(Resource)]
struct HighlightsAreAdded;

/// Adds the lighting of the selection, if the app has gizmos and it is not there yet.
pub(super) fn add_highlights(app: &mut App) {
    let can_draw = app.world().contains_resource::<Assets<GizmoAsset>>();
    if !can_draw || app.world().contains_resource::<HighlightsAreAdded>() {
        return;
    }
    let line = GizmoLineConfig { width: 4.0, ..default() };
    app.insert_gizmo_config(InspectorGizmos, GizmoConfig { line, ..default() })
        .insert_resource(HighlightsAreAdded)
        .add_systems(
            PostUpdate,
            highlight_selection
                .after(TransformSystems::Propagate)
                .after(watch_selection)
                .run_if(resource_exists::<Contacts>),
        );
}

/// Looks up what the panel shows about the selection and cannot ask itself, since it writes the
/// settings that the query reads.
pub(super) fn watch_selection(
    mut inspector: ResMut<CollisionInspector>,
    query: CollisionQuery,
    layers: Query<&CollisionLayers>,
) {
    let selection = inspector.selection;
    let mut entities = selection.entities();
    let shapes = [entities.next(), entities.next()].map(|entity| query.get(entity?));
    let distance = match (selection, shapes) {
        (Selection::Collider(entity), [Some(shape), _]) => {
            let mut others = CollisionFilter::new().excluding(entity);
            if let Ok(layers) = layers.get(entity) {
                others = others.as_layers(*layers);
            }
            query.nearest_to_shape(shape, 1, &others).pop()
        }
        (Selection::Pair(_, other), [Some(a), Some(b)]) => {
            Some((other, separation(a, b))).filter(|(_, apart)| apart.distance > 0.0)
        }
        _ => None,
    };
    let forms = shapes.map(|shape| shape.map(Form::of));
    let inspector = inspector.bypass_change_detection();
    inspector.watched = Watched { selection, forms, distance };
    let record = inspector.history.shown().cloned();
    if inspector.tab == Tab::Why {
        inspector.why.update(selection, record.as_deref());
    }
}

fn highlight_selection(
    mut gizmos: Gizmos<InspectorGizmos>,
    inspector: Res<CollisionInspector>,
    query: CollisionQuery,
) {
    if inspector.grid.is_drawn && inspector.tab == Tab::Plots && inspector.is_shown() {
        draw_grid(&mut gizmos, &query);
    }
    let record = inspector.history.shown();
    let past = record.filter(|_| inspector.history.is_past());
    if let Some(past) = past {
        draw_past(&mut gizmos, past);
    }
    let shape = |entity| match past {
        Some(past) => past.shape(entity),
        None => query.get(entity),
    };
    for (entity, color) in inspector.selection.entities().zip([COLOR_A, COLOR_B]) {
        if let Some(shape) = shape(entity) {
            draw_highlight(&mut gizmos, shape, color);
        }
    }
    let explains = inspector.tab == Tab::Why && inspector.is_shown();
    if explains && let Some((shapes, why, axis)) = inspector.why.in_sight() {
        draw_axis(&mut gizmos, shapes, &why.axes[axis]);
    }
    if past.is_none()
        && let Some(watched) = inspector.watched.about(inspector.selection)
        && let Some((other, apart)) = &watched.distance
        && let Some(other) = query.get(*other)
    {
        // As large as the smaller of the two allows: beside a ground a ring would swallow it.
        let selected = inspector.selection.entities().filter_map(|entity| query.get(entity));
        let extents = selected.chain([other]).map(PlacedShape::extent);
        let extents = extents.filter(|&extent| extent > 0.0);
        let reach = extents.reduce(f32::min).unwrap_or(apart.distance.abs());
        draw_distance(&mut gizmos, apart, 0.08 * reach);
    }
    if let Selection::Pair(a, b) = inspector.selection
        && let Some(pair) = record.and_then(|record| record.between(a, b))
        && let (Some(a), Some(b)) = (shape(a), shape(b))
    {
        let radius = 0.15 * a.extent().min(b.extent());
        gizmos.circle_2d(pair.contact.point, radius, Color::WHITE);
    }
}

/// The cells in use, the brighter the fuller.
fn draw_grid(gizmos: &mut Gizmos<InspectorGizmos>, query: &CollisionQuery) {
    for cell in query.cells().filter(|cell| cell.colliders > 0) {
        let heat = 1.0 - 1.0 / (1.0 + 0.25 * cell.colliders as f32);
        let color = Color::srgb(0.25 + 0.75 * heat, 0.3 + 0.3 * heat, 0.75 - 0.55 * heat);
        gizmos.rect_2d(cell.bounds.center(), cell.bounds.half_size() * 2.0, color);
        // Filled with lines, as dense as the cell is full.
        let lines = cell.colliders.min(24) as u16;
        let size = cell.bounds.half_size() * 2.0;
        for line in 1..=lines {
            let x = cell.bounds.min.x + size.x * f32::from(line) / f32::from(lines + 1);
            let foot = Vec2::new(x, cell.bounds.min.y);
            gizmos.line_2d(foot, foot + Vec2::Y * size.y, color.with_alpha(0.25));
        }
    }
}

/// The colour of the outlines of a step of the past.
const COLOR_PAST: Color = Color::srgb(0.62, 0.64, 0.72);

/// The colour of the contacts of a step of the past.
const COLOR_PAST_CONTACT: Color = Color::srgb(1.0, 0.47, 0.35);

/// A step of the past: every outline, and every contact with its way out.
fn draw_past(gizmos: &mut Gizmos<InspectorGizmos>, past: &StepRecord) {
    for shape in past.colliders.iter().filter_map(|collider| collider.shape) {
        draw_highlight(gizmos, shape, COLOR_PAST);
    }
    for pair in &past.contacts {
        let (Some(a), Some(b)) = (past.shape(pair.a), past.shape(pair.b)) else { continue };
        let size = 0.5 * a.extent().min(b.extent());
        let (point, contact) = (pair.contact.point, &pair.contact);
        gizmos.circle_2d(point, 0.1 * size, COLOR_PAST_CONTACT).resolution(12);
        let tip = point + contact.normal * size.max(contact.depth);
        gizmos.arrow_2d(point, tip, COLOR_PAST_CONTACT).with_tip_length(0.25 * size);
    }
}

fn draw_highlight(gizmos: &mut Gizmos<InspectorGizmos>, shape: &PlacedShape, color: Color) {
    for outline in shape.outlines(64) {
        gizmos.lineloop_2d(outline, color);
    }
}

/// The way between the nearest points, and a dot at either.
fn draw_distance(gizmos: &mut Gizmos<InspectorGizmos>, apart: &Separation, dot_radius: f32) {
    gizmos.line_2d(apart.point_a, apart.point_b, Color::WHITE);
    for point in [apart.point_a, apart.point_b] {
        gizmos.circle_2d(point, dot_radius, Color::WHITE).resolution(16);
    }
}

/// Selects the collider under a click in the scene; a click beside all of them deselects. With Shift
/// held it selects a second one, and the pair with it.
///
/// A press that is dragged is no click, so that dragging things about leaves the selection alone.
pub(super) fn select_clicked_collider(
    owner: Res<InputOwner>,
    mut inspector: ResMut<CollisionInspector>,
    view: SceneView,
    query: CollisionQuery,
    places: Query<&GlobalTransform>,
    keyboard: Option<Res<ButtonInput<KeyCode>>>,
) {
    let Some(point) = owner.scene_click().and_then(|click| view.world_point(click)) else { return };
    let height = |entity: &Entity| places.get(*entity).map_or(f32::MIN, |at| at.translation().z);
    // In a step of the past things were elsewhere.
    let found = match inspector.history.shown() {
        Some(past) if inspector.history.is_past() => past.at_point(point),
        _ => query.at_point(point),
    };
    // The one in front; of equals the one that comes last.
    let front = found.into_iter().max_by(|a, b| height(a).total_cmp(&height(b)));
    let shift = [KeyCode::ShiftLeft, KeyCode::ShiftRight];
    let adds = keyboard.is_some_and(|keyboard| keyboard.any_pressed(shift));
    match front {
        Some(entity) if adds => inspector.select_second(entity),
        Some(entity) => inspector.selection = Selection::Collider(entity),
        None if adds => {}
        None => inspector.selection = Selection::None,
    }
}

/// The way from a place in an egui context to a place in the world.
#[derive(SystemParam)]
pub(super) struct SceneView<'w, 's> {
    windows: Option<Res<'w, WindowToEguiContextMap>>,
    zooms: Query<'w, 's, &'static EguiZoomFactor>,
    primary_window: Query<'w, 's, Entity, With<PrimaryWindow>>,
    cameras: Query<'w, 's, (&'static Camera, &'static RenderTarget, &'static GlobalTransform)>,
}

impl SceneView<'_, '_> {
    /// The point of the world under a click, seen through the frontmost camera there.
    fn world_point(&self, click: SceneClick) -> Option<Vec2> {
        let window = *self.windows.as_ref()?.context_to_window.get(&click.context)?;
        let zoom = self.zooms.get(click.context).ok()?.zoom_factor;
        let position = Vec2::new(click.position.x, click.position.y) * zoom;
        let primary_window = self.primary_window.single().ok();
        let shows_position = |camera: &Camera, target: &RenderTarget| {
            let is_in_window = matches!(
                target.normalize(primary_window),
                Some(NormalizedRenderTarget::Window(target)) if target.entity() == window
            );
            let covers = |rect: Rect| rect.contains(position);
            is_in_window && camera.is_active && camera.logical_viewport_rect().is_some_and(covers)
        };
        let (camera, _, place) = self
            .cameras
            .iter()
            .filter(|(camera, target, _)| shows_position(camera, target))
            .max_by_key(|(camera, ..)| camera.order)?;
        camera.viewport_to_world_2d(place, position).ok()
    }
}
