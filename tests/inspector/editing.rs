//! What is edited in the panel counts from the next step, and nothing unsound gets through.

use bevy::prelude::*;
use bevy_nudge::geometry::Shape;
use bevy_nudge::inspector::{LayerNames, Selection, Tab};
use bevy_nudge::prelude::*;

use crate::panel::{Panel, three_pairs};

fn editing(name: &str) -> (Panel, Entity) {
    let mut panel = Panel::new(|world| {
        three_pairs(world);
        world.insert_resource(LayerNames::new(["player", "wall"]));
    });
    let entity = panel.entity(name);
    panel.inspector().tab = Tab::Entities;
    panel.inspector().selection = Selection::Collider(entity);
    panel.draw(Vec::new());
    (panel, entity)
}

#[test]
fn flags_are_added_and_removed_and_act() {
    let (mut panel, ant) = editing("ant");
    let contacts = |panel: &Panel| panel.app.world().resource::<Contacts>().len();
    assert_eq!(contacts(&panel), 3);
    panel.click("static");
    panel.step();
    assert!(panel.app.world().get::<StaticCollider>(ant).is_some());
    let wall = panel.entity("wall ant");
    panel.inspector().selection = Selection::Collider(wall);
    panel.draw(Vec::new());
    panel.click("static");
    panel.step();
    panel.step();
    assert_eq!(contacts(&panel), 2, "two static ones never pair");
    panel.click("solid");
    panel.step();
    assert_eq!(panel.app.world().get::<Solid>(wall), Some(&Solid::new(1.0)));
    panel.click("solid");
    panel.step();
    assert_eq!(panel.app.world().get::<Solid>(wall), None);
}

#[test]
fn layers_are_edited_by_name() {
    let (mut panel, ant) = editing("ant");
    panel.click("Meets: all");
    panel.click("wall");
    panel.step();
    let layers = *panel.app.world().get::<CollisionLayers>(ant).expect("layers");
    assert_eq!(layers, CollisionLayers::new(u32::MAX, !0b10));
    panel.assert_says("Meets: all but wall");
    panel.click("none");
    panel.step();
    panel.step();
    assert_eq!(panel.app.world().resource::<Contacts>().len(), 2, "it meets nothing now");
}

#[test]
fn drawing_the_form_changes_nothing() {
    let (mut panel, ant) = editing("ant");
    let tick = |panel: &Panel| {
        panel.app.world().entity(ant).get_ref::<Collider>().expect("there").last_changed()
    };
    let before = tick(&panel);
    for _ in 0..5 {
        panel.step();
    }
    assert_eq!(tick(&panel), before);
}

#[test]
fn every_kind_of_shape_has_its_numbers() {
    let dented = [(0.0, 0.0), (40.0, 0.0), (40.0, 20.0), (20.0, 10.0), (0.0, 20.0)].map(Vec2::from);
    let shapes: [(Shape, &[&str]); 4] = [
        (Collider::aabb(8.0, 4.0).shape, &["Size", "Centre", "8.0", "4.0"]),
        (Collider::rectangle(8.0, 4.0).expect("sound").shape, &["Size", "Radius", "Vertices, 4"]),
        (Collider::concave(dented).expect("simple").shape, &["Size", "Outline, 5", "40.0"]),
        (
            Collider::compound([Collider::circle(3.0).shape.into()]).expect("sound").shape,
            &["Part 0", "Offset", "Angle", "Radius", "3.0"],
        ),
    ];
    for (shape, texts) in shapes {
        let (mut panel, ant) = editing("ant");
        panel.app.world_mut().get_mut::<Collider>(ant).expect("there").shape = shape;
        panel.step();
        for text in texts {
            panel.place(text);
        }
    }
}

#[test]
fn an_entity_that_goes_while_it_is_edited_harms_nothing() {
    let (mut panel, ant) = editing("ant");
    panel.click("static");
    panel.app.world_mut().despawn(ant);
    panel.step();
    panel.assert_says("It has no collider any more.");
}
