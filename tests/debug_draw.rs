//! What debug drawing hands to Bevy's gizmos, read back from the lines it made.
#![cfg(feature = "debug_draw")]

use std::any::TypeId;

use bevy::color::LinearRgba;
use bevy::gizmos::{GizmoHandles, GizmoPlugin};
use bevy::mesh::MeshPlugin;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_nudge::debug_draw::{CollisionDebugDrawPlugin, CollisionGizmos};
use bevy_nudge::prelude::*;

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .add_plugins((AssetPlugin::default(), MeshPlugin, GizmoPlugin))
        .add_plugins((CollisionPlugin::default(), CollisionDebugDrawPlugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app
}

/// Makes a step and returns the drawn vertices with their colours.
fn drawn(app: &mut App) -> Vec<(Vec2, LinearRgba)> {
    app.update();
    app.update();
    let world = app.world();
    let handles = world.resource::<GizmoHandles>().handles();
    let Some(Some(handle)) = handles.get(&TypeId::of::<CollisionGizmos>()) else {
        return Vec::new();
    };
    let asset = world.resource::<Assets<GizmoAsset>>().get(handle).expect("a live handle");
    let buffer = asset.buffer().buffer();
    let lists = buffer.list_positions.iter().zip(buffer.list_colors);
    let strips = buffer.strip_positions.iter().zip(buffer.strip_colors);
    lists
        .chain(strips)
        // Strips are kept apart by a vertex that is not a number.
        .filter(|(position, _)| position.is_finite())
        .map(|(position, color)| (position.truncate(), *color))
        .collect()
}

/// The drawn vertices of one colour.
fn drawn_in(app: &mut App, color: Color) -> Vec<Vec2> {
    let color = color.to_linear();
    drawn(app).into_iter().filter(|vertex| vertex.1 == color).map(|vertex| vertex.0).collect()
}

fn config(app: &mut App) -> Mut<'_, GizmoConfigStore> {
    app.world_mut().resource_mut::<GizmoConfigStore>()
}

fn all_off(app: &mut App) {
    let mut store = config(app);
    let gizmos = store.config_mut::<CollisionGizmos>().1;
    *gizmos = CollisionGizmos {
        outlines: false,
        normals: false,
        mtvs: false,
        contact_points: false,
        bounds: false,
        grid_cells: false,
        ..default()
    };
}

fn extremes(vertices: &[Vec2]) -> (Vec2, Vec2) {
    vertices.iter().fold((Vec2::MAX, Vec2::MIN), |(min, max), &v| (min.min(v), max.max(v)))
}

#[track_caller]
fn assert_near(actual: (Vec2, Vec2), expected: ([f32; 2], [f32; 2])) {
    let (min, max) = (Vec2::from(expected.0), Vec2::from(expected.1));
    let error = (actual.0 - min).abs().max((actual.1 - max).abs()).max_element();
    assert!(error < 1e-3, "{actual:?} is not {expected:?}");
}

/// Two circles that overlap by 5 along x, around x = 7.5.
fn spawn_overlap(app: &mut App) {
    app.world_mut().spawn((Collider::circle(10.0), Transform::from_xyz(0.0, 0.0, 3.0)));
    app.world_mut().spawn((Collider::circle(10.0), Transform::from_xyz(15.0, 0.0, 0.0)));
}

#[test]
fn each_switch_draws_its_part_and_nothing_else() {
    type Switch = fn(&mut CollisionGizmos) -> (&mut bool, Color);
    let switches: [(&str, Switch); 6] = [
        ("outlines", |gizmos| (&mut gizmos.outlines, gizmos.overlapping_color)),
        ("normals", |gizmos| (&mut gizmos.normals, gizmos.normal_color)),
        ("mtvs", |gizmos| (&mut gizmos.mtvs, gizmos.mtv_color)),
        ("contact points", |gizmos| (&mut gizmos.contact_points, gizmos.contact_point_color)),
        ("bounds", |gizmos| (&mut gizmos.bounds, gizmos.bounds_color)),
        ("grid cells", |gizmos| (&mut gizmos.grid_cells, gizmos.grid_cell_color)),
    ];
    for (name, switch) in switches {
        let mut app = app();
        spawn_overlap(&mut app);
        all_off(&mut app);
        assert_eq!(drawn(&mut app), [], "{name}: nothing while all is off");
        let color = {
            let mut store = config(&mut app);
            let (on, color) = switch(store.config_mut::<CollisionGizmos>().1);
            *on = true;
            color.to_linear()
        };
        let vertices = drawn(&mut app);
        assert!(!vertices.is_empty(), "{name}: drawn");
        assert!(vertices.iter().all(|vertex| vertex.1 == color), "{name}: only in its colour");
    }
}

#[test]
fn the_colour_of_an_outline_is_the_worst_state_of_its_contacts() {
    let mut app = app();
    let world = app.world_mut();
    // From left to right: apart; touching the next; touching one and overlapping the other; that.
    for x in [-40.0, 0.0, 10.0, 18.0] {
        world.spawn((Collider::aabb(10.0, 10.0), Transform::from_xyz(x, 0.0, 0.0)));
    }
    let colors = CollisionGizmos::default();
    let columns = |app: &mut App, color| {
        let (min, max) = extremes(&drawn_in(app, color));
        (min.x, max.x)
    };
    assert_eq!(columns(&mut app, colors.apart_color), (-45.0, -35.0));
    assert_eq!(columns(&mut app, colors.touching_color), (-5.0, 5.0));
    assert_eq!(columns(&mut app, colors.overlapping_color), (5.0, 23.0));
}

#[test]
fn the_mtv_leads_from_the_deepest_point_of_b_to_where_it_rests() {
    let mut app = app();
    spawn_overlap(&mut app);
    let color = CollisionGizmos::default().mtv_color;
    let (min, max) = extremes(&drawn_in(&mut app, color));
    assert!((min.x - 5.0).abs() < 1e-4 && (max.x - 10.0).abs() < 1e-4, "{min} {max}");

    let normal_color = CollisionGizmos::default().normal_color;
    let (min, max) = extremes(&drawn_in(&mut app, normal_color));
    // The normal goes on from the surface of A: to the right of 10 if A is the left circle, to
    // the left of 5 if it is the right one.
    assert!((min.x - 10.0).abs() < 1e-4 || (max.x - 5.0).abs() < 1e-4, "{min} {max}");
}

#[test]
fn a_touching_pair_has_a_normal_and_no_mtv() {
    let mut app = app();
    for x in [0.0, 20.0] {
        app.world_mut().spawn((Collider::circle(10.0), Transform::from_xyz(x, 0.0, 0.0)));
    }
    let colors = CollisionGizmos::default();
    assert!(!drawn_in(&mut app, colors.normal_color).is_empty());
    assert!(drawn_in(&mut app, colors.mtv_color).is_empty());
    assert!(!drawn_in(&mut app, colors.touching_color).is_empty());
}

#[test]
fn outlines_are_the_shapes_that_are_tested() {
    let quarter_turn = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let cases = [
        // A circle stays a circle, with the larger scale.
        (
            Collider::circle(10.0),
            Transform::from_scale(Vec3::new(2.0, 1.0, 1.0)),
            ([-20.0; 2], [20.0; 2]),
        ),
        // A box ignores the rotation, a rectangle turns.
        (
            Collider::aabb(40.0, 10.0),
            Transform::from_rotation(quarter_turn),
            ([-20.0, -5.0], [20.0, 5.0]),
        ),
        (
            Collider::rectangle(40.0, 10.0).expect("sound"),
            Transform::from_rotation(quarter_turn),
            ([-5.0, -20.0], [5.0, 20.0]),
        ),
        // A mirrored triangle lies on the other side.
        (
            Collider::polygon([Vec2::ZERO, Vec2::new(30.0, 0.0), Vec2::new(0.0, 10.0)])
                .expect("sound"),
            Transform::from_scale(Vec3::new(-1.0, 1.0, 1.0)),
            ([-30.0, 0.0], [0.0, 10.0]),
        ),
    ];
    for (collider, transform, expected) in cases {
        let mut app = app();
        app.world_mut().spawn((collider, transform));
        let outline = drawn_in(&mut app, CollisionGizmos::default().apart_color);
        assert_near(extremes(&outline), expected);
    }
}

#[test]
fn colliders_that_take_no_part_are_not_drawn() {
    let mut app = app();
    app.world_mut().spawn((Collider::circle(10.0), ColliderDisabled));
    app.world_mut().spawn(Collider::circle(-1.0));
    assert_eq!(drawn(&mut app), []);
}

#[test]
fn a_despawn_after_the_step_is_no_error() {
    let mut app = app();
    spawn_overlap(&mut app);
    app.update();
    app.update();
    let colliders: Vec<Entity> =
        app.world_mut().query_filtered::<Entity, With<Collider>>().iter(app.world()).collect();
    // No step in this frame: the contact of the last one is still there.
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(0));
    app.world_mut().despawn(colliders[0]);
    app.update();
}

#[test]
fn an_app_without_gizmos_runs_on() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .add_plugins((CollisionPlugin::default(), CollisionDebugDrawPlugin));
    app.finish();
    app.cleanup();
    spawn_overlap(&mut app);
    // A game may set what is drawn in any app.
    config(&mut app).config_mut::<CollisionGizmos>().1.bounds = true;
    app.update();
    app.update();
}

#[test]
fn the_order_of_plugins_does_not_matter() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, CollisionDebugDrawPlugin, CollisionPlugin::default()));
    config(&mut app).config_mut::<CollisionGizmos>().1.outlines = false;
    app.add_plugins((TransformPlugin, AssetPlugin::default(), MeshPlugin, GizmoPlugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();
    spawn_overlap(&mut app);
    let colors = CollisionGizmos::default();
    let vertices = drawn(&mut app);
    assert!(!vertices.is_empty());
    let outline = colors.overlapping_color.to_linear();
    assert!(vertices.iter().all(|vertex| vertex.1 != outline), "settings made before are kept");
}
