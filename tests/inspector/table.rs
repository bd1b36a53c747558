//! What the panel lists, sorts, filters and selects.

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_nudge::inspector::{Column, Selection, SortOrder, egui};
use bevy_nudge::prelude::*;

use crate::panel::{Panel, three_pairs};

/// The names of the circles in the table, from top to bottom.
fn animals(panel: &Panel) -> Vec<&str> {
    let is_animal = |text: &&str| ["ant", "Bee", "cat"].contains(text);
    panel.column("").into_iter().filter(is_animal).collect()
}

#[test]
fn every_contact_is_listed_with_all_that_is_known() {
    let panel = Panel::new(three_pairs);
    for text in ["ant", "wall ant", "Bee", "wall Bee", "2.000", "6.000", "4.000", "overlapping"] {
        panel.place(text);
    }
    let shapes = ["circle and box", "box and circle"];
    assert!(shapes.iter().any(|shapes| panel.find(shapes).is_some()), "{:?}", panel.all_texts());
    for column in Column::ALL {
        panel.place(column.title());
    }
    panel.place("3 contacts");
    // Counts: six colliders, two of them static, none invalid, three contacts.
    for (title, count) in [("Colliders", "6"), ("static", "2"), ("invalid", "0"), ("Contacts", "3")]
    {
        let title = panel.place(title);
        let below = |rect: &egui::Rect| {
            (rect.left() - title.left()).abs() < 2.0
                && (0.0..30.0).contains(&(rect.top() - title.top()))
        };
        assert!(panel.texts.iter().any(|(text, rect)| text == count && below(rect)), "{count}");
    }
}

#[test]
fn a_click_on_a_head_sorts_up_then_down_then_not() {
    let mut panel = Panel::new(three_pairs);
    let unsorted: Vec<String> = animals(&panel).into_iter().map(str::to_owned).collect();
    panel.click("Depth");
    assert_eq!(panel.inspector().sort, Some((Column::Depth, SortOrder::Ascending)));
    assert_eq!(animals(&panel), ["ant", "cat", "Bee"]);
    panel.click("Depth ⏶");
    assert_eq!(animals(&panel), ["Bee", "cat", "ant"]);
    panel.click("Depth ⏷");
    assert_eq!(animals(&panel), unsorted);
}

#[test]
fn every_column_sorts() {
    let mut panel = Panel::new(three_pairs);
    for column in Column::ALL {
        panel.inspector().sort = None;
        panel.draw(Vec::new());
        panel.click(column.title());
        assert_eq!(panel.inspector().sort, Some((column, SortOrder::Ascending)));
    }
    // The contact points are at y = 0, 100 and 200.
    panel.click("Point y ⏶");
    assert_eq!(animals(&panel), ["cat", "Bee", "ant"]);
}

#[test]
fn text_filters_by_name_in_upper_and_lower_case() {
    let mut panel = Panel::new(three_pairs);
    panel.click("name");
    panel.draw(vec![egui::Event::Text("BEE".to_owned())]);
    assert_eq!(panel.inspector().filter, "BEE");
    assert_eq!(animals(&panel), ["Bee"]);
    panel.place("1 of 3 contacts");
    panel.click("Clear");
    assert_eq!(animals(&panel).len(), 3);
}

#[test]
fn a_click_on_a_row_selects_its_pair_and_shows_it_in_full() {
    let mut panel = Panel::new(three_pairs);
    panel.click("wall cat");
    let (cat, wall) = (panel.entity("cat"), panel.entity("wall cat"));
    let pair = Selection::Pair(cat.min(wall), cat.max(wall));
    assert_eq!(panel.inspector().selection, pair);
    panel.place("Selected pair");
    let all = panel.all_texts().join("\n");
    assert!(all.contains("depth    4.000"), "{all}");
    let (normal, mtv) = if cat < wall {
        ("Normal    1.000    0.000", "MTV       4.000    0.000")
    } else {
        ("Normal   -1.000    0.000", "MTV      -4.000    0.000")
    };
    assert!(all.contains(normal) && all.contains(mtv), "{all}");
    // Halfway between the circle's edge at 10 and the box's at 6.
    assert!(all.contains("Point     8.000  200.000"), "{all}");

    panel.click("Deselect");
    assert_eq!(panel.inspector().selection, Selection::None);
}

#[test]
fn a_selected_pair_that_parts_shows_its_distance() {
    let mut panel = Panel::new(three_pairs);
    panel.click("wall ant");
    let ant = panel.entity("ant");
    panel.app.world_mut().entity_mut(ant).get_mut::<Transform>().expect("placed").translation.x =
        -7.0;
    panel.step();
    let all = panel.all_texts().join("\n");
    assert!(all.contains("Not in contact"), "{all}");
    // The circle reaches to 3, the box begins at 8.
    assert!(all.contains("Dist.     5.000"), "{all}");
    assert!(all.contains("Point     3.000    0.000") && all.contains("Point     8.000"), "{all}");
    panel.app.world_mut().despawn(ant);
    panel.step();
    let all = panel.all_texts().join("\n");
    assert!(all.contains("(gone)"), "{all}");
}

fn spawn_pair(world: &mut World, name: &str, y: f32) {
    let at = |x: f32| Transform::from_xyz(x, y, 0.0);
    world.spawn((Name::new(name.to_owned()), Collider::circle(10.0), at(0.0)));
    world.spawn((Name::new(format!("wall {name}")), Collider::aabb(20.0, 20.0), at(15.0)));
}

#[test]
fn a_new_contact_takes_the_row_of_one_that_cannot_come_back_and_all_others_stay() {
    let mut panel = Panel::new(three_pairs);
    let row = |panel: &Panel, name: &str| panel.place(name).y_range();
    let [ant, bee, cat] = ["ant", "Bee", "cat"].map(|name| row(&panel, name));
    let (lost, aside) = (panel.entity("Bee"), panel.entity("cat"));
    panel.app.world_mut().despawn(lost);
    panel.step();
    assert_eq!(row(&panel, "Bee"), bee, "by the name it had");
    assert!(panel.column("none").is_empty(), "and the shape");
    panel.inspector().filter = "bee".to_owned();
    panel.draw(Vec::new());
    panel.place("Bee");
    assert!(panel.find("ant").is_none());
    panel.inspector().filter.clear();
    panel.draw(Vec::new());
    // This one ends too, but may come back.
    let mut place = panel.app.world_mut().get_mut::<Transform>(aside).expect("placed");
    place.translation.x = -40.0;
    panel.step();
    for (name, y) in [("dog", 300.0), ("eel", 400.0)] {
        spawn_pair(panel.app.world_mut(), name, y);
    }
    panel.step();
    panel.place("3 contacts");
    let [dog, eel] = ["dog", "eel"].map(|name| row(&panel, name));
    assert_eq!([row(&panel, "ant"), row(&panel, "cat")], [ant, cat]);
    let (first, last) = if dog.min < eel.min { (dog, eel) } else { (eel, dog) };
    assert_eq!(first, bee, "the free row");
    assert!([ant, bee, cat].iter().all(|row| last.min > row.min), "and below all others");
    assert!(panel.find("Bee").is_none());
    // Back again, in its row.
    let mut place = panel.app.world_mut().get_mut::<Transform>(aside).expect("placed");
    place.translation.x = 0.0;
    panel.step();
    panel.place("4 contacts");
    assert_eq!(["ant", "cat", "dog", "eel"].map(|name| row(&panel, name)), [ant, cat, dog, eel]);
    // Of several steps at once too.
    panel.app.insert_resource(TimeUpdateStrategy::FixedTimesteps(3));
    let lost = panel.entity("eel");
    panel.app.world_mut().despawn(lost);
    panel.step();
    panel.place("eel");
}

#[test]
fn a_selected_collider_leaves_only_its_contacts() {
    let mut panel = Panel::new(three_pairs);
    let bee = panel.entity("Bee");
    panel.inspector().selection = Selection::Collider(bee);
    panel.draw(Vec::new());
    panel.place("1 of 3 contacts");
    panel.place("wall Bee");
    assert!(panel.find("ant").is_none());
    panel.click("only Bee  x");
    assert_eq!(panel.inspector().selection, Selection::None);
    panel.place("3 contacts");
}

#[test]
fn a_selected_collider_shows_what_it_is_and_its_nearest_neighbour() {
    let mut panel = Panel::new(|world| {
        let at = |x: f32| Transform::from_xyz(x, 0.0, 0.0);
        let corners =
            [(-20.0, -20.0), (20.0, -20.0), (20.0, 0.0), (0.0, 0.0), (0.0, 20.0), (-20.0, 20.0)];
        let dented = Collider::concave(corners.map(Vec2::from)).expect("simple");
        world.spawn((Name::new("dented"), dented, Swept, at(0.0)));
        let (left, right) = (Vec2::new(-5.0, 0.0), Vec2::new(5.0, 0.0));
        let capsule = Collider::capsule(left, right, 3.0).expect("sound");
        world.spawn((Name::new("capsule"), capsule, at(40.0)));
        // Nearer, but of no interest.
        let alien = (Collider::circle(1.0), CollisionLayers::NONE, at(24.0));
        world.spawn((Name::new("alien"), alien));
    });
    let dented = panel.entity("dented");
    panel.inspector().selection = Selection::Collider(dented);
    panel.step();
    let all = panel.all_texts().join("\n");
    assert!(all.contains(&format!("dented, concave of 2 pieces, swept, {dented}")), "{all}");
    assert!(all.contains("Nearest: capsule"), "{all}");
    // From the side of the L at 20 to the end of the capsule at 32.
    assert!(all.contains("Dist.    12.000"), "{all}");
    assert!(all.contains("Point    20.000") && all.contains("Point    32.000    0.000"), "{all}");

    let capsule = panel.entity("capsule");
    panel.inspector().selection = Selection::Collider(capsule);
    panel.draw(Vec::new());
    let all = panel.all_texts().join("\n");
    assert!(!all.contains("Nearest"), "nothing is said about the one before: {all}");
    panel.step();
    let all = panel.all_texts().join("\n");
    assert!(all.contains("capsule, polygon with radius 3.000"), "{all}");
}

#[test]
fn a_fast_mover_shows_when_it_hit() {
    let mut panel = Panel::new(|world| {
        let at = |x: f32| Transform::from_xyz(x, 0.0, 0.0);
        world.spawn((Name::new("bullet"), Collider::circle(1.0), Swept, at(-21.0)));
        let wall = (Collider::aabb(2.0, 40.0), StaticCollider, at(0.0));
        world.spawn((Name::new("wall"), wall));
    });
    let (bullet, wall) = (panel.entity("bullet"), panel.entity("wall"));
    let mut place = panel.app.world_mut().get_mut::<Transform>(bullet).expect("placed");
    place.translation.x = 19.0;
    panel.inspector().selection = Selection::Pair(bullet.min(wall), bullet.max(wall));
    panel.step();
    // From -21 to -2 of a way of 40, in the table and in the detail.
    let time = panel.column("0.475");
    assert_eq!(time.len(), 1, "{:?}", panel.all_texts());
    let impact = panel.place("Impact").x_range();
    assert!(impact.expand(10.0).contains(panel.place("0.475").center().x));
    panel.place("Impact    0.475");
}

#[test]
fn ten_thousand_contacts_lay_out_only_the_rows_in_view() {
    let mut panel = Panel::new(|world| {
        // 101 rows of 101 circles, each of which overlaps its right neighbour.
        for index in 0..101 * 101u16 {
            let (x, y) = (f32::from(index % 101), f32::from(index / 101));
            let place = Transform::from_xyz(x * 8.0, y * 20.0, 0.0);
            world.spawn((Collider::circle(5.0), place));
        }
    });
    panel.place("10100 contacts");
    assert!(panel.texts.len() < 700, "{} texts", panel.texts.len());
    panel.click("A");
    panel.inspector().filter = "v0".to_owned();
    panel.draw(Vec::new());
    assert!(panel.texts.len() < 700, "{} texts", panel.texts.len());
    // Scrolled to somewhere in the middle.
    let place = panel.place("A ⏶").center() + egui::vec2(0.0, 60.0);
    panel.draw(vec![
        egui::Event::PointerMoved(place),
        egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: egui::vec2(0.0, -40_000.0),
            phase: egui::TouchPhase::Move,
            modifiers: egui::Modifiers::NONE,
        },
    ]);
    assert!(panel.texts.len() < 700, "{} texts", panel.texts.len());
}

#[test]
fn nothing_moves_when_numbers_change() {
    let mut panel = Panel::new(three_pairs);
    let titles = ["Colliders", "Sync ms", "Total", "Depth", "Point y", "Settings", "Step"];
    let places = |panel: &Panel| titles.map(|title| panel.place(title));
    let before = places(&panel);
    panel.click("wall cat");
    three_pairs(panel.app.world_mut());
    panel.app.world_mut().spawn(Collider::circle(f32::NAN));
    for _ in 0..20 {
        panel.step();
    }
    assert_eq!(places(&panel), before);
}

#[test]
fn the_default_width_shows_the_main_columns_and_cuts_nothing_off() {
    let mut panel = Panel::new(three_pairs);
    // The body of the side panel in a window of 1280 by 800.
    panel.screen = egui::vec2(400.0, 784.0);
    panel.click("wall Bee");
    let right_edge = |text: &str| panel.place(text).right();
    for text in ["A", "B", "Status", "Depth", "Age", "Contacts", "Total", "Publish"] {
        assert!(right_edge(text) <= 400.0, "{text} ends at {}", right_edge(text));
    }
    for text in ["Normal", "MTV", "Point"] {
        let found = panel.texts.iter().filter(|(found, _)| found.starts_with(text));
        assert!(found.clone().count() > 0, "{text}");
        for (found, rect) in found.filter(|(_, rect)| rect.top() > 600.0) {
            assert!(rect.bottom() <= 784.0 && rect.right() <= 400.0, "{found}: {rect:?}");
        }
    }
}
