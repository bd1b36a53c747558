//! Looking back: the steps of the past, their events, and what is gone since.

use bevy::ecs::entity_disabling::DefaultQueryFilters;
use bevy::prelude::*;
use bevy_nudge::EndReason;
use bevy_nudge::inspector::{Selection, Tab, Test, Verdict, judge};
use bevy_nudge::prelude::*;

use crate::panel::{Panel, three_pairs};

/// A ball that is in contact with a wall in its second to fourth step, as of now.
fn ball_and_wall() -> Panel {
    let mut panel = Panel::new(|world| {
        let ball = (Name::new("ball"), Collider::circle(5.0), Transform::from_xyz(-20.0, 0.0, 0.0));
        world.spawn(ball);
        world.spawn((Name::new("wall"), Collider::aabb(10.0, 10.0), StaticCollider));
    });
    for x in [-8.0, -7.0, -6.0, -20.0, -20.0] {
        let ball = panel.entity("ball");
        panel.app.world_mut().get_mut::<Transform>(ball).expect("placed").translation.x = x;
        panel.step();
    }
    panel.inspector().tab = Tab::History;
    panel.select_pair("ball", "wall");
    panel
}

fn shown(panel: &mut Panel) -> u64 {
    panel.inspector().history.shown().expect("a step").step
}

#[test]
fn starts_and_ends_are_kept_with_their_reason() {
    let mut panel = ball_and_wall();
    let inspector = panel.inspector();
    let events: Vec<(u64, Option<EndReason>)> = inspector
        .history
        .steps()
        .flat_map(|record| record.events.iter().map(|event| (record.step, event.end)))
        .collect();
    assert_eq!(events, [(2, None), (5, Some(EndReason::MovedApart))]);
    panel.place("2 events");
    panel.assert_says("moved apart");
    assert!(!panel.clock_is_paused());
}

#[test]
fn the_first_contact_is_found_and_shown_while_the_game_stands_still() {
    let mut panel = ball_and_wall();
    panel.click("First contact");
    assert_eq!(shown(&mut panel), 2);
    panel.step();
    assert!(panel.clock_is_paused());
    // 10 less 8 deep, as it was then, though the ball is elsewhere now.
    let record = panel.inspector().history.shown().cloned().expect("a step");
    let Selection::Pair(a, b) = panel.inspector().selection else { panic!("a pair") };
    let Verdict::Tested(Test { contact: Some(pair), pieces, .. }) = judge(&record, a, b) else {
        panic!("in contact")
    };
    assert!((pair.contact.depth - 2.0).abs() < 1e-5);
    assert_eq!(pieces[0].explanation.contact, Some(pair.contact));

    panel.click("Event ⏵");
    assert_eq!(shown(&mut panel), 5);
    panel.click("⏴");
    assert_eq!(shown(&mut panel), 4);
    panel.inspector().tab = Tab::List;
    panel.draw(Vec::new());
    panel.assert_says("depth    4.000");
    panel.inspector().tab = Tab::History;
    panel.draw(Vec::new());
    panel.click("⏮");
    assert_eq!(shown(&mut panel), 1);
    panel.click("Live");
    assert_eq!(shown(&mut panel), 6);
    assert!(panel.clock_is_paused(), "looking at the present does not let it run");
    panel.click("Resume");
    panel.step();
    panel.step();
    assert!(shown(&mut panel) > 6);
}

#[test]
fn a_step_or_a_resume_leads_back_to_the_present() {
    for button in ["Step", "Resume"] {
        let mut panel = ball_and_wall();
        panel.click("⏮");
        assert!(panel.inspector().history.is_past());
        panel.click(button);
        assert!(!panel.inspector().history.is_past(), "{button}");
        panel.step();
        panel.step();
        assert!(shown(&mut panel) > 6, "{button}");
    }
}

#[test]
fn the_past_knows_the_names_of_what_is_gone() {
    let mut panel = ball_and_wall();
    let ball = panel.entity("ball");
    panel.app.world_mut().despawn(ball);
    panel.step();
    panel.step();
    panel.inspector().tab = Tab::List;
    panel.draw(Vec::new());
    panel.assert_says("(gone)");
    panel.inspector().tab = Tab::History;
    panel.draw(Vec::new());
    panel.click("First contact");
    panel.inspector().tab = Tab::List;
    panel.draw(Vec::new());
    let all = panel.all_texts().join("\n");
    assert!(all.contains("ball, circle") && !all.contains("(gone)"), "{all}");
    panel.place("1 contact");
}

#[test]
fn an_end_is_told_by_the_names_of_what_left() {
    let mut panel = ball_and_wall();
    let ball = panel.entity("ball");
    panel.app.world_mut().get_mut::<Transform>(ball).expect("placed").translation.x = -7.0;
    panel.step();
    panel.app.world_mut().despawn(ball);
    panel.step();
    let step = shown(&mut panel);
    let end = format!("{step}  ended  ");
    let told = |panel: &Panel| {
        let all = panel.all_texts();
        all.into_iter().find(|text| text.starts_with(&end)).expect("the end").to_owned()
    };
    let live = told(&panel);
    let words = ["ball", "wall", ", despawned"];
    assert!(words.iter().all(|word| live.contains(word)), "{live}");
    panel.inspector().history.view(step);
    panel.draw(Vec::new());
    assert_eq!(told(&panel), live, "looking back");
}

/// Of a contact that is yet to come, or long over, the list does not say that it has just ended.
#[test]
fn looking_back_the_list_shows_the_contacts_of_that_step_alone() {
    let mut panel = ball_and_wall();
    panel.inspector().tab = Tab::List;
    panel.draw(Vec::new());
    panel.place("ended");
    for (step, status) in [
        (1, None),
        (3, Some("overlapping")),
        (1, None),
        (4, Some("overlapping")),
        (5, Some("ended")),
    ] {
        panel.inspector().history.view(step);
        panel.draw(Vec::new());
        for word in ["overlapping", "ended"] {
            assert_eq!(panel.find(word).is_some(), status == Some(word), "step {step}: {word}");
        }
    }
}

#[test]
fn a_click_on_the_strip_goes_there() {
    let mut panel = ball_and_wall();
    let top = panel.place("⏮").bottom();
    let height = panel.place("First contact").top();
    let middle = 0.5 * (top + height);
    // Six steps share the width; the third of them.
    let width = panel.screen.x;
    panel.click_at(bevy_nudge::inspector::egui::pos2(width * 2.5 / 6.0, middle));
    assert_eq!(shown(&mut panel), 3);
}

#[test]
fn nothing_is_copied_while_the_panel_is_hidden() {
    let mut panel = Panel::new(three_pairs);
    panel.inspector().open = false;
    // The frame after the last drawing still counts as shown.
    panel.app.update();
    let before = panel.inspector().history.steps().len();
    for _ in 0..5 {
        panel.app.update();
    }
    assert_eq!(panel.inspector().history.steps().len(), before);
    panel.inspector().open = true;
    panel.app.update();
    assert_eq!(panel.inspector().history.steps().len(), before + 1);
}

#[test]
fn an_open_panel_that_nobody_draws_soon_copies_nothing() {
    let mut panel = Panel::new(three_pairs);
    for _ in 0..12 {
        panel.app.update();
    }
    let before = panel.inspector().history.steps().len();
    for _ in 0..5 {
        panel.app.update();
    }
    assert_eq!(panel.inspector().history.steps().len(), before);
    // Drawn after all.
    panel.step();
    panel.step();
    assert_eq!(panel.inspector().history.steps().len(), before + 1);
}

#[test]
fn a_panel_opened_while_the_step_stands_still_shows_the_last_step() {
    let mut panel = Panel::new(|world| {
        three_pairs(world);
        world.resource_mut::<bevy_nudge::inspector::CollisionInspector>().open = false;
    });
    assert_eq!(panel.inspector().history.steps().len(), 0);
    let mut settings = panel.app.world_mut().resource_mut::<CollisionSettings>();
    settings.stepping.pause();
    panel.inspector().open = true;
    panel.step();
    panel.place("3 contacts");
    let record = panel.inspector().history.shown().cloned().expect("a step");
    assert!(record.is_after_push);
}

#[test]
fn an_ended_contact_keeps_its_row_and_a_new_one_comes_last() {
    let mut panel = Panel::new(three_pairs);
    let order = |panel: &Panel| {
        let is_animal = |text: &&str| ["ant", "Bee", "cat", "dog"].contains(text);
        panel.column("").into_iter().filter(is_animal).map(str::to_owned).collect::<Vec<_>>()
    };
    let places = |panel: &Panel| ["ant", "Bee", "cat"].map(|name| panel.place(name));
    let before = (order(&panel), places(&panel));
    let first = panel.entity(&before.0[0]);
    let move_to = |panel: &mut Panel, x: f32| {
        let mut place = panel.app.world_mut().get_mut::<Transform>(first).expect("placed");
        place.translation.x = x;
        panel.step();
    };
    // On and off, a contact that flickers moves nothing.
    for x in [-50.0, 0.0, -50.0] {
        move_to(&mut panel, x);
        assert_eq!((order(&panel), places(&panel)), before, "at {x}");
    }
    panel.place("ended");
    panel.assert_says("2 contacts");
    let place = Transform::from_xyz(0.0, 300.0, 0.0);
    panel.app.world_mut().spawn((Name::new("dog"), Collider::circle(5.0), place));
    panel.app.world_mut().spawn((Collider::circle(5.0), place));
    panel.step();
    let mut with_dog = before.0.clone();
    with_dog.push("dog".to_owned());
    assert_eq!((order(&panel), places(&panel)), (with_dog, before.1));
    for _ in 0..70 {
        panel.step();
    }
    assert_eq!(order(&panel).len(), 3, "after a second its row goes");
}

/// A disabling component of the game's own, not kept in tables: queries of all colliders cannot go
/// through whole tables then.
#[derive(Component, Clone)]
#[component(storage = "SparseSet")]
struct Hidden;

#[test]
fn whatever_changes_of_a_collider_is_recorded_in_the_next_step() {
    for is_sparse in [false, true] {
        let mut panel = Panel::new(|world| {
            if is_sparse {
                let hidden = world.register_component::<Hidden>();
                world.resource_mut::<DefaultQueryFilters>().register_disabling_component(hidden);
            }
            for index in 0..200u16 {
                world.spawn((
                    Collider::circle(1.0),
                    Transform::from_xyz(f32::from(index), 0.0, 0.0),
                ));
            }
            let name = Name::new("Bee");
            world.spawn((name, Collider::circle(5.0), Transform::from_xyz(0.0, 90.0, 0.0)));
        });
        let bee = panel.entity("Bee");
        let known = |panel: &mut Panel| {
            panel.step();
            let record = panel.inspector().history.last().cloned().expect("a step");
            assert_eq!(record.colliders.len(), 201);
            let bee = record.collider(bee).expect("there");
            (bee.traits.clone(), bee.shape.map(|shape| shape.extent()))
        };
        let (first, size) = known(&mut panel);
        assert_eq!((first.name.as_deref(), first.kind, size), (Some("Bee"), "circle", Some(5.0)));
        let mut expected = first;

        panel.app.world_mut().get_mut::<Name>(bee).expect("named").set("Wasp");
        expected.name = Some("Wasp".to_owned());
        assert_eq!(known(&mut panel), (expected.clone(), Some(5.0)));

        panel.app.world_mut().get_mut::<CollisionLayers>(bee).expect("layers").filters = 6;
        expected.layers.filters = 6;
        assert_eq!(known(&mut panel), (expected.clone(), Some(5.0)));

        *panel.app.world_mut().get_mut::<Collider>(bee).expect("a collider") =
            Collider::aabb(6.0, 6.0);
        expected.kind = "box";
        assert_eq!(known(&mut panel), (expected.clone(), Some(3.0)));

        // Nobody looks meanwhile.
        panel.inspector().open = false;
        panel.app.update();
        panel.app.world_mut().get_mut::<Name>(bee).expect("named").set("Hornet");
        panel.app.update();
        panel.inspector().open = true;
        expected.name = Some("Hornet".to_owned());
        assert_eq!(known(&mut panel), (expected.clone(), Some(3.0)));

        panel.app.world_mut().entity_mut(bee).remove::<Name>().insert(Solid::default());
        (expected.name, expected.flags.is_solid) = (None, true);
        assert_eq!(known(&mut panel), (expected.clone(), Some(3.0)));

        panel.app.world_mut().entity_mut(bee).insert(ColliderDisabled);
        expected.flags.is_disabled = true;
        assert_eq!(known(&mut panel), (expected.clone(), None));
        // What was recorded before stays what it was.
        let inspector = panel.inspector();
        let names = inspector.history.steps().filter_map(|record| {
            record.collider(bee).map(|bee| bee.traits.name.clone().unwrap_or_default())
        });
        let names: std::collections::BTreeSet<_> = names.collect();
        assert_eq!(names.into_iter().collect::<Vec<_>>(), ["", "Bee", "Hornet", "Wasp"]);
    }
}
