//! Keeps the whole scene in sight, in the part of the screen that the panels leave free.

use bevy::camera::Projection;
use bevy::prelude::*;
use bevy_egui::egui;
use bevy_nudge::prelude::*;

/// Fits the camera to the scene and to the screen, each frame.
pub(crate) struct ViewPlugin;

impl Plugin for ViewPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<View>().add_systems(PreUpdate, (measure_scene, fit_camera).chain());
    }
}

/// What the camera shows, and where on the screen.
///
/// Screen coordinates are egui's: logical pixels from the upper left corner, y down.
#[derive(Resource)]
pub(crate) struct View {
    /// The part of the world to show, in world units.
    scene: Option<Rect>,
    /// The part of the screen that no panel covers. The interface writes it each frame.
    pub(crate) free: Option<egui::Rect>,
    /// The place in the world that stands in the middle of the free part.
    center: Vec2,
    /// World units per logical pixel.
    scale: f32,
}

impl Default for View {
    fn default() -> Self {
        Self { scene: None, free: None, center: Vec2::ZERO, scale: 1.0 }
    }
}

impl View {
    /// A screen of this size without panels. A world unit is a pixel, and the origin of the world lies
    /// in the middle.
    pub(crate) fn of_size(size: UVec2) -> Self {
        let size = egui::vec2(size.x as f32, size.y as f32);
        Self { free: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, size)), ..Self::default() }
    }

    /// Shows the colliders as they will be in the next step, wherever they are.
    pub(crate) fn show_all(&mut self) {
        self.scene = None;
    }

    /// Shows this part of the world, wherever the colliders are.
    pub(crate) fn show(&mut self, scene: Rect) {
        self.scene = Some(scene);
    }

    /// The part of the world that is shown.
    pub(crate) fn scene(&self) -> Option<Rect> {
        self.scene
    }

    /// How long so many logical pixels are in the world.
    pub(crate) fn length(&self, pixels: f32) -> f32 {
        pixels * self.scale
    }

    /// Fits the scene into the free part of the screen. To be called after either has changed, so that
    /// what is drawn next stands where it belongs.
    pub(crate) fn fit(&mut self) {
        let (Some(scene), Some(free)) = (self.scene, self.free) else { return };
        let size = Vec2::new(free.width(), free.height()).max(Vec2::ONE);
        self.center = scene.center();
        self.scale = (scene.size() / size).max_element();
    }

    /// Where a place in the world is on the screen.
    pub(crate) fn to_screen(&self, world: Vec2) -> egui::Pos2 {
        let middle = self.free.map_or(egui::Pos2::ZERO, |free| free.center());
        let offset = (world - self.center) / self.scale;
        middle + egui::vec2(offset.x, -offset.y)
    }

    /// Which place in the world is at this point of the screen.
    pub(crate) fn to_world(&self, screen: Vec2) -> Vec2 {
        let middle = self.free.map_or(egui::Pos2::ZERO, |free| free.center());
        let offset = Vec2::new(screen.x - middle.x, middle.y - screen.y);
        self.center + offset * self.scale
    }
}

/// Room around the scene, as a part of its size.
const MARGIN: f32 = 0.04;

fn measure_scene(mut view: ResMut<View>, colliders: CollisionQuery) {
    if view.scene.is_some() {
        return;
    }
    let bounds = colliders
        .iter()
        .map(|(_, placed)| placed.bounds())
        .map(|bounds| Rect::from_corners(bounds.min, bounds.max))
        .reduce(|all, bounds| all.union(bounds));
    view.scene = bounds.map(|bounds| bounds.inflate(bounds.size().max_element() * MARGIN));
}

fn fit_camera(
    mut view: ResMut<View>,
    camera: Single<(&Camera, &mut Projection, &mut Transform), With<Camera2d>>,
) {
    let (camera, mut projection, mut transform) = camera.into_inner();
    view.fit();
    let (Some(_), Some(free), Some(screen)) = (view.scene, view.free, camera.logical_target_size())
    else {
        return;
    };
    let Projection::Orthographic(orthographic) = &mut *projection else {
        return;
    };
    orthographic.scale = view.scale;

    // The camera looks at the middle of the whole screen.
    let aside = Vec2::new(free.center().x, free.center().y) - screen * 0.5;
    let position = view.center - Vec2::new(aside.x, -aside.y) * view.scale;
    transform.translation = position.extend(transform.translation.z);
}
