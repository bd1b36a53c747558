//! Every public component and resource can be seen, edited and saved by tools.

mod common;

use bevy::ecs::reflect::{AppTypeRegistry, ReflectComponent, ReflectResource};
use bevy::prelude::*;
use bevy::reflect::std_traits::ReflectDefault;
use bevy::reflect::{GetPath, PartialReflect};
use bevy_nudge::geometry::{self, CompoundPart, ConcavePolygon};
use bevy_nudge::prelude::*;
use common::*;

/// Ten wide and ten high, walls 2 thick, open at the top.
const U: [(f32, f32); 8] = [
    (-5.0, -5.0),
    (5.0, -5.0),
    (5.0, 5.0),
    (3.0, 5.0),
    (3.0, -3.0),
    (-3.0, -3.0),
    (-3.0, 5.0),
    (-5.0, 5.0),
];

#[test]
fn all_components_are_registered_with_what_tools_need() {
    let app = app();
    let registry = app.world().resource::<AppTypeRegistry>().read();
    for path in [
        "bevy_nudge::Collider",
        "bevy_nudge::CollisionLayers",
        "bevy_nudge::StaticCollider",
        "bevy_nudge::Solid",
        "bevy_nudge::ColliderDisabled",
        "bevy_nudge::CollisionEventsEnabled",
        "bevy_nudge::Swept",
    ] {
        let registration = registry.get_with_type_path(path).unwrap_or_else(|| panic!("{path}"));
        assert!(registration.data::<ReflectComponent>().is_some(), "{path}");
        assert!(registration.data::<ReflectDefault>().is_some(), "{path}");
    }
    let settings = registry.get_with_type_path("bevy_nudge::CollisionSettings").expect("settings");
    assert!(
        settings.data::<ReflectResource>().is_some() && settings.data::<ReflectDefault>().is_some()
    );
}

#[test]
fn an_edit_by_reflection_acts_in_the_next_step() {
    let mut app = app();
    let a = spawn(&mut app, Collider::circle(10.0));
    spawn(&mut app, (Collider::circle(1.0), at(12.5, 0.0)));
    assert!(step(&mut app).is_empty());
    let mut collider = app.world_mut().get_mut::<Collider>(a).unwrap();
    *collider.as_mut().path_mut::<f32>("shape.0.radius").unwrap() = 12.0;
    assert_eq!(phases(&step(&mut app)), ["start"]);
}

#[test]
fn a_collider_survives_being_taken_apart_and_put_together() {
    let colliders = [
        Collider::circle_at(Vec2::ONE, 3.0),
        Collider::aabb(3.0, 4.0),
        Collider::regular_polygon(7, 2.0).unwrap(),
        Collider::segment(Vec2::ZERO, Vec2::ONE).unwrap(),
        Collider::capsule(Vec2::ZERO, Vec2::ONE, 0.5).unwrap(),
        Collider::rounded_rectangle(8.0, 4.0, 1.0).unwrap(),
        Collider::concave(U.map(Vec2::from)).unwrap(),
        Collider::compound([
            CompoundPart::at(geometry::Circle::default(), Vec2::Y),
            CompoundPart::at(ConcavePolygon::default(), Vec2::X).turned(0.3),
        ])
        .unwrap(),
    ];
    for collider in colliders {
        let dynamic = collider.to_dynamic();
        let rebuilt = <Collider as bevy::reflect::FromReflect>::from_reflect(dynamic.as_ref());
        assert_eq!(rebuilt.as_ref(), Some(&collider));
    }
}

#[test]
fn an_edited_outline_is_cut_anew() {
    let mut app = app();
    let u = spawn(&mut app, Collider::concave(U.map(Vec2::from)).unwrap());
    let ball = spawn(&mut app, (Collider::circle(1.0), at(0.0, 2.0)));
    assert!(step(&mut app).is_empty(), "the ball is in the notch");
    // The bottom of the notch is raised into the ball.
    let mut collider = app.world_mut().get_mut::<Collider>(u).unwrap();
    for corner in [4, 5] {
        let path = format!("shape.0.outline[{corner}].y");
        *collider.as_mut().path_mut::<f32>(path.as_str()).unwrap() = 1.5;
    }
    let events = step(&mut app);
    assert_eq!(phases(&events), ["start"]);
    assert_eq!(events[0].mtv_for(ball), Some(Vec2::new(0.0, 0.5)));
    // An outline that crosses itself is kept out, and comes back when it is mended.
    let mut collider = app.world_mut().get_mut::<Collider>(u).unwrap();
    *collider.as_mut().path_mut::<f32>("shape.0.outline[3].x").unwrap() = -20.0;
    assert_eq!(phases(&step(&mut app)), ["end BecameInvalid"]);
    let mut collider = app.world_mut().get_mut::<Collider>(u).unwrap();
    *collider.as_mut().path_mut::<f32>("shape.0.outline[3].x").unwrap() = 3.0;
    assert_eq!(phases(&step(&mut app)), ["start"]);
}
