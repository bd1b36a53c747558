//! What a figure is: shapes to drag, a drawing, numbers, and switches.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::egui;
use bevy_nudge::CollisionStats;
use bevy_nudge::geometry::{PlacedShape, Shape};
use bevy_nudge::prelude::*;

use crate::shared::canvas::Canvas;
use crate::shared::dragging::Pointer;
use crate::shared::selecting::Selectable;

/// In a window lower than this, in points, words and help give way to the figure.
pub(crate) const LOW: f32 = 480.0;

/// One figure of the gallery.
///
/// Starting over makes a new one, so what it holds in its fields starts over too.
pub(crate) trait Figure: Send + Sync + 'static {
    /// The idea, in one paragraph.
    fn explanation(&self) -> &'static str;

    /// The part of the world to show.
    fn frame(&self) -> Rect;

    /// The shapes to drag, from the bottom up. [`Facts`] counts them in this order.
    ///
    /// # Errors
    /// An unsound shape.
    fn bodies(&self) -> Result<Vec<Body>>;

    /// Adds what the figure needs besides: components of the bodies, entities of its own (with
    /// [`InFigure`]), settings. Called once, after the bodies are spawned. All settings are back at
    /// their defaults then, but for the push-out, which is off.
    fn open(&mut self, _world: &mut World, _bodies: &[Entity]) {}

    /// Called each frame after mouse and keys have moved things, before the collision step.
    fn update(&mut self, _world: &mut World, _bodies: &[Entity]) {}

    /// Switches, with their words. The gallery shows them, and the keys 1 to 9 flip them.
    fn switches(&mut self) -> Vec<(&'static str, &mut bool)> {
        Vec::new()
    }

    /// A key was pressed that neither the gallery nor a switch takes.
    fn press(&mut self, _key: KeyCode) {}

    /// Sliders and the like, below the switches.
    fn controls(&mut self, _ui: &mut egui::Ui) {}

    /// Draws the figure behind its panels.
    fn draw(&self, facts: &Facts, canvas: &Canvas);

    /// What stands under the figure, line by line. Always as many lines, so that the figure keeps
    /// its place.
    fn numbers(&self, facts: &Facts) -> Vec<Line>;

    /// Draws the numbers, for figures that have more to show than lines.
    fn below(&mut self, ui: &mut egui::Ui, facts: &Facts) {
        show_lines(ui, &self.numbers(facts));
    }
}

/// Draws lines of words.
pub(crate) fn show_lines(ui: &mut egui::Ui, lines: &[Line]) {
    // A low window has little room for them.
    let size = if ui.ctx().viewport_rect().height() < LOW { 12.5 } else { 14.0 };
    for line in lines {
        ui.label(egui::RichText::new(&line.words).color(line.color).size(size));
    }
}

/// A line under a figure.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) words: String,
    pub(crate) color: egui::Color32,
}

impl Line {
    pub(crate) fn new(color: egui::Color32, words: impl Into<String>) -> Self {
        Self { words: words.into(), color }
    }
}

/// A shape of a figure at its start.
pub(crate) struct Body {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    /// The place of its entity.
    pub(crate) place: Vec2,
    /// Its turn, counter-clockwise.
    pub(crate) degrees: f32,
}

impl Body {
    pub(crate) fn new(name: &'static str, shape: impl Into<Shape>, place: Vec2) -> Self {
        Self { name, shape: shape.into(), place, degrees: 0.0 }
    }

    pub(crate) fn turned(self, degrees: f32) -> Self {
        Self { degrees, ..self }
    }

    pub(crate) fn insert(self, world: &mut World, entity: Entity) {
        let turn = Quat::from_rotation_z(self.degrees.to_radians());
        let transform = Transform::from_translation(self.place.extend(0.0)).with_rotation(turn);
        let body = (InFigure, Name::new(self.name), Collider::new(self.shape), transform);
        world.entity_mut(entity).insert(body);
    }
}

/// Gives a body another shape, if it is another.
pub(crate) fn set_shape(world: &mut World, body: Entity, shape: impl Into<Shape>) {
    let shape = shape.into();
    if let Some(mut collider) = world.get_mut::<Collider>(body)
        && collider.shape != shape
    {
        collider.shape = shape;
    }
}

/// Marks what goes when its figure is closed.
#[derive(Component)]
pub(crate) struct InFigure;

/// The entities of the figure's bodies, in their order.
#[derive(Resource, Default)]
pub(crate) struct Bodies(pub(crate) Vec<Entity>);

/// What the last step knows about the shapes of a figure.
#[derive(SystemParam)]
pub(crate) struct Facts<'w, 's> {
    pub(crate) bodies: Res<'w, Bodies>,
    pub(crate) colliders: CollisionQuery<'w, 's>,
    pub(crate) transforms: Query<'w, 's, &'static Transform>,
    pub(crate) settings: Res<'w, CollisionSettings>,
    pub(crate) contacts: Res<'w, Contacts>,
    pub(crate) stats: Res<'w, CollisionStats>,
    pub(crate) pointer: Res<'w, Pointer>,
    pub(crate) selectable: Res<'w, Selectable>,
}

impl Facts<'_, '_> {
    /// A body as it is in the world.
    pub(crate) fn shape(&self, body: usize) -> Option<&PlacedShape> {
        self.colliders.get(*self.bodies.0.get(body)?)
    }

    /// The first two bodies, A and B.
    pub(crate) fn pair(&self) -> Option<(&PlacedShape, &PlacedShape)> {
        Some((self.shape(0)?, self.shape(1)?))
    }

    /// How far the entity of a body is turned, in radians.
    pub(crate) fn angle(&self, body: usize) -> f32 {
        let entity = self.bodies.0.get(body);
        let transform = entity.and_then(|entity| self.transforms.get(*entity).ok());
        transform.map_or(0.0, |transform| transform.rotation.to_euler(EulerRot::ZYX).0)
    }
}
