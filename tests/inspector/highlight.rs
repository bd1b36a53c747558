//! The selection in the scene, read back from the lines that were made of it.

use std::any::TypeId;

use bevy::gizmos::{GizmoHandles, GizmoPlugin};
use bevy::mesh::MeshPlugin;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_nudge::inspector::{
    CollisionInspector, CollisionInspectorPlugin, InspectorGizmos, Selection,
};
use bevy_nudge::prelude::*;

/// The corners of all that is lit up, after one more step.
fn lit_up(app: &mut App, selection: Selection) -> Option<(Vec2, Vec2)> {
    app.world_mut().resource_mut::<CollisionInspector>().selection = selection;
    app.update();
    let handles = app.world().resource::<GizmoHandles>().handles();
    let handle = handles.get(&TypeId::of::<InspectorGizmos>())?.as_ref()?;
    let asset = app.world().resource::<Assets<GizmoAsset>>().get(handle)?;
    let buffer = asset.buffer().buffer();
    let vertices = buffer.list_positions.iter().chain(buffer.strip_positions);
    // Strips are kept apart by a vertex that is not a number.
    let vertices = vertices.filter(|vertex| vertex.is_finite()).map(|vertex| vertex.truncate());
    Some(vertices.fold((Vec2::MAX, Vec2::MIN), |(min, max), v| (min.min(v), max.max(v))))
}

#[test]
fn what_is_selected_is_lit_up_and_nothing_else() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .add_plugins((AssetPlugin::default(), MeshPlugin, GizmoPlugin))
        .add_plugins((CollisionPlugin::default(), CollisionInspectorPlugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();
    let mut spawn = |x: f32| {
        let collider = Collider::aabb(10.0, 4.0);
        app.world_mut().spawn((collider, Transform::from_xyz(x, 0.0, 0.0))).id()
    };
    let (one, other, third) = (spawn(0.0), spawn(8.0), spawn(50.0));
    app.update();
    app.update();

    let corners = |x: [f32; 2]| Some((Vec2::new(x[0], -2.0), Vec2::new(x[1], 2.0)));
    assert_eq!(lit_up(&mut app, Selection::None), None);
    // With the way to its nearest neighbour, and a dot at the end of that.
    let (min, max) = lit_up(&mut app, Selection::Collider(third)).expect("lit up");
    assert!((12.0..13.0).contains(&min.x) && (54.9..55.1).contains(&max.x), "{min} {max}");
    let pair = Selection::Pair(one.min(other), one.max(other));
    assert_eq!(lit_up(&mut app, pair), corners([-5.0, 13.0]));
    app.world_mut().despawn(one);
    assert_eq!(lit_up(&mut app, pair), corners([3.0, 13.0]), "what is left of it");
    app.world_mut().despawn(other);
    assert_eq!(lit_up(&mut app, pair), None);
}
