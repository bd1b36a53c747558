//! Why the selected pair is in contact or not: every stage that can let a pair go, and the axes.

use bevy::prelude::*;
use bevy_nudge::inspector::{Selection, Tab, Test, Verdict, egui, judge};
use bevy_nudge::prelude::*;

use crate::panel::{Panel, three_pairs};

/// The page, open at the pair of two names.
fn explaining(one: &str, other: &str, spawn: impl FnOnce(&mut World)) -> Panel {
    let mut panel = Panel::new(spawn);
    panel.inspector().tab = Tab::Why;
    panel.select_pair(one, other);
    panel
}

/// Two boxes of 10 by 10, at 0 and at `x`, with what they are to have.
fn two_boxes(x: f32, y: f32, change: impl FnOnce(&mut World, Entity, Entity)) -> Panel {
    explaining("one", "other", |world| {
        let mut spawn = |name: &str, place: Vec3| {
            let place = Transform::from_translation(place);
            world.spawn((Name::new(name.to_owned()), Collider::aabb(10.0, 10.0), place)).id()
        };
        let (a, b) = (spawn("one", Vec3::ZERO), spawn("other", Vec3::new(x, y, 0.0)));
        change(world, a, b);
    })
}

fn verdict(panel: &mut Panel) -> Verdict {
    let Selection::Pair(a, b) = panel.inspector().selection else { panic!("no pair") };
    let record = panel.inspector().history.shown().cloned().expect("a step");
    judge(&record, a, b)
}

#[test]
fn a_pair_in_contact_shows_every_axis_and_the_one_that_decides() {
    let mut panel = two_boxes(8.0, 3.0, |_, _, _| {});
    panel.assert_says("In contact: overlapping, depth 2.000.");
    panel.assert_says("The shortest way out is 2.000, along the axis of edge");
    for overlap in ["way out 2.000", "way out 7.000", "way out 13.000", "way out 18.000"] {
        panel.place(overlap);
    }
    let decides = panel.place("decides");
    let least = panel.place("way out 2.000");
    assert!((decides.top() - least.top()).abs() < 30.0, "{decides:?} {least:?}");
    // The numbers are those of the engine.
    let Verdict::Tested(Test { contact: Some(pair), pieces, .. }) = verdict(&mut panel) else {
        panic!("in contact")
    };
    assert_eq!(pieces[0].explanation.contact, Some(pair.contact));
}

#[test]
fn each_stage_that_lets_a_pair_go_is_named() {
    let layers = |world: &mut World, entity: Entity, memberships, filters| {
        world.entity_mut(entity).insert(CollisionLayers::new(memberships, filters));
    };
    let panel = two_boxes(8.0, 0.0, |world, a, b| {
        layers(world, a.min(b), 1, 2);
        layers(world, a.max(b), 2, 4);
    });
    panel.assert_says("No contact: their layers do not match.");
    panel.assert_says("A's filters hold a layer of B, and B's filters do not hold a layer of A.");

    let panel = two_boxes(8.0, 0.0, |world, a, b| {
        world.entity_mut(a).insert(StaticCollider);
        world.entity_mut(b).insert(StaticCollider);
    });
    panel.assert_says("No contact: both are static.");

    let panel = two_boxes(8.0, 0.0, |world, a, b| {
        world.entity_mut(a.max(b)).insert(ColliderDisabled);
    });
    panel.assert_says("Stage sync: B is disabled");

    let mut panel = two_boxes(8.0, 0.0, |_, _, _| {});
    let Selection::Pair(a, _) = panel.inspector().selection else { panic!("a pair") };
    panel.app.world_mut().entity_mut(a).insert(bevy::ecs::entity_disabling::Disabled);
    panel.step();
    panel.assert_says("Stage sync: A is disabled");

    let panel = two_boxes(8.0, 0.0, |world, a, b| {
        world.entity_mut(a.max(b)).insert(Collider::circle(-1.0));
    });
    panel.assert_says("Stage sync: the shape or the transform of B is unsound");

    let panel = two_boxes(14.0, 3.0, |_, _, _| {});
    panel.assert_says("No contact: their bounds are apart.");
    panel.assert_says("apart by 4.000 in x, so");

    let mut panel = two_boxes(8.0, 3.0, |_, _, _| {});
    let one = panel.entity("one");
    panel.app.world_mut().despawn(one);
    panel.step();
    panel.assert_says("has no collider, or is gone.");
}

#[test]
fn shapes_that_only_the_test_parts_show_their_separating_axis() {
    // A circle at the corner of a box: the bounds meet, the shapes do not.
    let panel = explaining("ball", "crate", |world| {
        let circle = (Name::new("ball"), Collider::circle(5.0), Transform::from_xyz(9.0, 9.0, 0.0));
        world.spawn(circle);
        world.spawn((Name::new("crate"), Collider::aabb(10.0, 10.0)));
    });
    // From the corner at (5, 5) to the centre at (9, 9), less the radius.
    panel.assert_says("No contact: the test parts them.");
    panel.assert_says("shows a gap of 0.657, and one gap is enough.");
    panel.assert_says("clamped point, corner 1 of");
    panel.place("gap 0.657");
}

#[test]
fn parallel_edges_of_both_are_no_tie() {
    for (y, is_tie) in [(3.0, false), (8.0, true)] {
        let panel = explaining("one", "other", |world| {
            for (name, place) in [("one", Vec3::ZERO), ("other", Vec3::new(8.0, y, 0.0))] {
                let square = Collider::rectangle(10.0, 10.0).expect("sound");
                world.spawn((Name::new(name), square, Transform::from_translation(place)));
            }
        });
        panel.assert_says("The shortest way out is 2.000");
        let says_so = panel.all_texts().iter().any(|text| text.contains("Others are as short"));
        assert_eq!(says_so, is_tie, "{y} higher");
    }
}

#[test]
fn touching_counts_by_the_rule_and_the_page_says_so() {
    let mut panel = two_boxes(10.0, 0.0, |_, _, _| {});
    panel.assert_says("In contact: touching, depth 0.000.");
    panel.assert_says("they just touch, and touching counts.");
    let mut settings = panel.app.world_mut().resource_mut::<CollisionSettings>();
    settings.touch_rule = TouchRule::Exclusive;
    panel.step();
    panel.assert_says("they only touch on the axis of edge");
    panel.assert_says("and touching does not count.");
    assert!(matches!(verdict(&mut panel), Verdict::Tested(Test { contact: None, .. })));
}

#[test]
fn what_is_explained_is_what_was_tested_although_the_push_has_moved_it() {
    let mut panel = two_boxes(8.0, 0.0, |world, a, b| {
        world.entity_mut(a).insert(Solid::default());
        world.entity_mut(b).insert(Solid::default());
    });
    panel.app.world_mut().resource_mut::<CollisionSettings>().resolution.allowed_overlap = 0.0;
    for _ in 0..3 {
        let other = panel.entity("other");
        let mut place = panel.app.world_mut().get_mut::<Transform>(other).expect("placed");
        place.translation.x -= 3.0;
        panel.step();
        let Verdict::Tested(Test { contact: Some(pair), pieces, .. }) = verdict(&mut panel) else {
            panic!("in contact")
        };
        assert!(pair.contact.depth > 2.5, "{}", pair.contact.depth);
        assert_eq!(pieces[0].explanation.contact, Some(pair.contact));
    }
}

#[test]
fn a_concave_pair_is_explained_piece_by_piece() {
    let mut panel = explaining("dented", "block", |world| {
        let corners =
            [(-20.0, -20.0), (20.0, -20.0), (20.0, 0.0), (0.0, 0.0), (0.0, 20.0), (-20.0, 20.0)];
        let dented = Collider::concave(corners.map(Vec2::from)).expect("simple");
        world.spawn((Name::new("dented"), dented));
        let block = (Name::new("block"), Collider::aabb(6.0, 6.0));
        world.spawn((block, Transform::from_xyz(6.0, 6.0, 0.0)));
    });
    panel.assert_says("each pair of pieces has an axis that parts it");
    panel.assert_says("pair 1 of 2");
    panel.place("gap 3.000");
    panel.click(">");
    panel.assert_says("pair 2 of 2");
    let block = panel.entity("block");
    let mut place = panel.app.world_mut().get_mut::<Transform>(block).expect("placed");
    place.translation.x = 2.0;
    panel.step();
    panel.assert_says("In contact: overlapping, depth 1.000.");
    panel.assert_says("some of their pieces meet");
}

#[test]
fn a_fast_mover_is_explained_by_its_way() {
    let mut panel = explaining("bullet", "wall", |world| {
        let at = |x: f32| Transform::from_xyz(x, 0.0, 0.0);
        world.spawn((Name::new("bullet"), Collider::circle(1.0), Swept, at(-21.0)));
        let wall = (Collider::aabb(2.0, 40.0), StaticCollider, at(0.0));
        world.spawn((Name::new("wall"), wall));
    });
    panel.assert_says("No contact: their bounds are apart.");
    let bullet = panel.entity("bullet");
    let mut place = panel.app.world_mut().get_mut::<Transform>(bullet).expect("placed");
    place.translation.x = 19.0;
    panel.step();
    panel.assert_says("met the other on its way, after 0.475 of the step");
}

#[test]
fn an_axis_is_chosen_by_click_and_by_key() {
    let mut panel = two_boxes(8.0, 3.0, |_, _, _| {});
    let in_sight = |panel: &mut Panel| panel.inspector().axis_in_sight().expect("an axis").gap;
    assert!((in_sight(&mut panel) + 2.0).abs() < 1e-6, "the one that decides");
    panel.click("way out 18.000");
    assert!((in_sight(&mut panel) + 18.0).abs() < 1e-6);
    // To the list of axes by Tab, whatever lies before it.
    for _ in 0..40 {
        panel.key(egui::Key::Tab, egui::Modifiers::NONE);
        panel.key(egui::Key::Home, egui::Modifiers::NONE);
        if (in_sight(&mut panel) + 18.0).abs() > 1e-6 {
            break;
        }
    }
    let first = in_sight(&mut panel);
    panel.key(egui::Key::ArrowDown, egui::Modifiers::NONE);
    assert!((in_sight(&mut panel) - first).abs() > 0.5, "the next one");
    panel.key(egui::Key::ArrowUp, egui::Modifiers::NONE);
    assert!((in_sight(&mut panel) - first).abs() < 1e-6);
    assert!(matches!(panel.inspector().selection, Selection::Pair(..)));
}

#[test]
fn two_colliders_are_selected_one_after_the_other() {
    let mut panel = Panel::new(three_pairs);
    let (ant, bee, cat) = (panel.entity("ant"), panel.entity("Bee"), panel.entity("cat"));
    let pair = |a: Entity, b: Entity| Selection::Pair(a.min(b), a.max(b));
    let mut inspector = panel.inspector();
    inspector.select_second(ant);
    assert_eq!(inspector.selection, Selection::Collider(ant));
    inspector.select_second(cat);
    assert_eq!(inspector.selection, pair(ant, cat));
    inspector.select_second(bee);
    assert_eq!(inspector.selection, pair(ant, bee), "the first stays");
    inspector.select_second(ant);
    assert_eq!(inspector.selection, Selection::Collider(ant));
    panel.inspector().tab = Tab::Why;
    panel.draw(Vec::new());
    panel.assert_says("ant is selected. Select a second one:");
}
