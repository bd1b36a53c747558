//! Opens figures, closes them and starts them over.

use bevy::prelude::*;
use bevy_nudge::inspector::{CollisionInspector, Selection};
use bevy_nudge::prelude::*;

use crate::command_line::Start;
use crate::figure::{Bodies, Figure, InFigure};
use crate::figures::ALL;
use crate::shared::dragging::Stack;
use crate::shared::selecting::{Selectable, SelectingSystems};
use crate::shared::view::View;

pub(crate) struct OpenFigurePlugin;

impl Plugin for OpenFigurePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Bodies>()
            .add_systems(Update, (open_requested, update_figure).chain().after(SelectingSystems))
            .add_systems(PreUpdate, deselect_without_panel);
    }
}

/// The figure that is open.
#[derive(Resource)]
pub(crate) struct OpenFigure {
    /// Which one of [`ALL`].
    pub(crate) index: usize,
    pub(crate) figure: Box<dyn Figure>,
    /// What the menu or a key asks for: this figure, from its start.
    pub(crate) request: Option<usize>,
    /// Switches to flip when the first figure is open, counted from 1.
    flip: Vec<usize>,
}

impl OpenFigure {
    /// To be opened with the first frame.
    pub(crate) fn new(start: Start) -> Self {
        let index = start.scene;
        let figure = (ALL[index].make)();
        Self { index, figure, request: Some(index), flip: start.switches }
    }
}

fn open_requested(world: &mut World) {
    let Some(index) = world.resource_mut::<OpenFigure>().request.take() else { return };
    let old: Vec<Entity> = world.query_filtered::<Entity, With<InFigure>>().iter(world).collect();
    for entity in old {
        // A child goes with its parent.
        if let Ok(entity) = world.get_entity_mut(entity) {
            entity.despawn();
        }
    }
    let mut settings = CollisionSettings::default();
    // With push-out, two shapes could not be seen to overlap.
    settings.resolution.enabled = false;
    world.insert_resource(settings);

    let mut figure = (ALL[index].make)();
    for switch in std::mem::take(&mut world.resource_mut::<OpenFigure>().flip) {
        if let Some((_, is_on)) = figure.switches().get_mut(switch - 1) {
            **is_on ^= true;
        }
    }
    let bodies = figure.bodies().unwrap_or_else(|error| {
        error!("{}: {error}", ALL[index].name);
        Vec::new()
    });
    // In the order of entities, so that the panel too calls the first A.
    let mut entities: Vec<Entity> = bodies.iter().map(|_| world.spawn_empty().id()).collect();
    entities.sort_unstable();
    for (body, &entity) in bodies.into_iter().zip(&entities) {
        body.insert(world, entity);
    }
    let bodies = entities;
    world.resource_mut::<Stack>().reset(bodies.iter().copied());
    world.resource_mut::<Selectable>().reset(bodies.iter().copied());
    world.resource_mut::<View>().show(figure.frame());
    figure.open(world, &bodies);
    world.insert_resource(Bodies(bodies));
    let mut open = world.resource_mut::<OpenFigure>();
    open.index = index;
    open.figure = figure;
}

fn update_figure(world: &mut World) {
    world.resource_scope(|world, mut open: Mut<OpenFigure>| {
        world.resource_scope(|world, bodies: Mut<Bodies>| open.figure.update(world, &bodies.0));
    });
}

/// What the contact panel selects is lit up, also while it is hidden. Here the figures are to be
/// seen alone.
fn deselect_without_panel(mut inspector: ResMut<CollisionInspector>) {
    if !inspector.open && inspector.selection != Selection::None {
        inspector.selection = Selection::None;
    }
}

#[cfg(test)]
mod tests {
    use bevy::ecs::system::SystemState;

    use super::*;
    use crate::figure::Facts;
    use crate::shared::dragging::Pointer;

    fn gallery() -> App {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin))
            .add_plugins((CollisionPlugin::in_schedule(PostUpdate), ResolutionPlugin))
            .insert_resource(OpenFigure::new(Start { scene: 0, switches: Vec::new() }))
            .init_resource::<CollisionInspector>()
            .init_resource::<Pointer>()
            .init_resource::<Selectable>()
            .init_resource::<Stack>()
            .init_resource::<View>()
            .add_plugins(OpenFigurePlugin);
        app
    }

    /// No frame is shown in which it is empty, neither when it is opened nor when it is reset.
    #[test]
    fn a_figure_has_its_shapes_in_the_frame_in_which_it_is_opened() {
        let mut app = gallery();
        for index in (0..ALL.len()).flat_map(|index| [index, index]) {
            app.world_mut().resource_mut::<OpenFigure>().request = Some(index);
            app.update();
            let mut state = SystemState::<Facts>::new(app.world_mut());
            let facts = state.get_mut(app.world_mut()).expect("all resources");
            let figure = &ALL[index];
            let expected = (figure.make)().bodies().expect("bodies").len();
            // The movers that its slider leaves out are disabled.
            let expected = if figure.name == "broad_phase" { 300 } else { expected };
            let shown = (0..facts.bodies.0.len()).filter(|&body| facts.shape(body).is_some());
            assert_eq!(shown.count(), expected, "{}", figure.name);
        }
    }
}
