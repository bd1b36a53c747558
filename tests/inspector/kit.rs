//! The panel by its accessibility tree: what a screen reader tells of it, and what a user does who
//! finds things by their label.

use bevy::ecs::system::SystemState;
use bevy::prelude::*;
use bevy_nudge::inspector::{
    CollisionInspector, Column, ContactPanelData, Selection, SortOrder, Tab, contact_panel, egui,
};
use bevy_nudge::prelude::*;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

use crate::panel::{app, entity, three_pairs};

type Kit = Harness<'static, App>;

fn draw(ui: &mut egui::Ui, app: &mut App) {
    let mut state = SystemState::<ContactPanelData>::new(app.world_mut());
    let mut data = state.get_mut(app.world_mut()).expect("all resources");
    contact_panel(ui, &mut data);
}

/// The body of the side panel in a window of 1280 by 800.
fn harness(app: App) -> Kit {
    let mut harness =
        Harness::builder().with_size(egui::vec2(400.0, 784.0)).build_ui_state(draw, app);
    harness.run_steps(2);
    harness
}

fn inspector(harness: &mut Kit) -> Mut<'_, CollisionInspector> {
    harness.state_mut().world_mut().resource_mut()
}

/// One frame of the game and two of the panel.
fn frame(harness: &mut Kit) {
    harness.state_mut().update();
    harness.run_steps(2);
}

fn pair(harness: &mut Kit, one: &str, other: &str) -> (Selection, String) {
    let world = harness.state_mut().world_mut();
    let (a, b) = (entity(world, one), entity(world, other));
    let label = if a < b { format!("{one} and {other}") } else { format!("{other} and {one}") };
    (Selection::Pair(a.min(b), a.max(b)), label)
}

fn click(harness: &mut Kit, label: &str) {
    harness.get_by_label(label).click();
    harness.run_steps(3);
}

#[test]
fn a_row_of_the_list_selects_its_pair() {
    let mut harness = harness(app(three_pairs));
    let (expected, label) = pair(&mut harness, "Bee", "wall Bee");
    click(&mut harness, &label);
    assert_eq!(inspector(&mut harness).selection, expected);
    harness.get_by_label("Selected pair");
}

#[test]
fn the_list_is_walked_by_keyboard() {
    let mut harness = harness(app(three_pairs));
    harness.get_by_label("Contacts, 3 rows").focus();
    harness.run_steps(2);
    let mut seen = Vec::new();
    for key in [egui::Key::ArrowDown, egui::Key::ArrowDown, egui::Key::End, egui::Key::Home] {
        harness.key_press(key);
        harness.run_steps(3);
        seen.push(inspector(&mut harness).selection);
    }
    assert!(seen.iter().all(|selection| matches!(selection, Selection::Pair(..))), "{seen:?}");
    assert!(seen[0] != seen[1] && seen[1] != seen[2], "down, down, to the end: {seen:?}");
    assert_eq!(seen[3], seen[0], "home");
}

#[test]
fn a_pair_of_colliders_is_picked_in_the_list_of_entities() {
    let mut harness = harness(app(three_pairs));
    click(&mut harness, "Entities");
    assert_eq!(inspector(&mut harness).tab, Tab::Entities);
    let world = harness.state_mut().world_mut();
    let (ant, cat) = (entity(world, "ant"), entity(world, "cat"));
    // With the id, since two may have one name.
    let row = |harness: &Kit, name: &str, entity: Entity| {
        let label = format!("{name} {entity}");
        let rows = harness.get_all_by_label(&label);
        // The row comes before the text in it.
        rows.into_iter().next().map(|node| node.rect().center()).expect("a row")
    };
    let at = row(&harness, "ant", ant);
    press(&mut harness, at, egui::Modifiers::NONE);
    assert_eq!(inspector(&mut harness).selection, Selection::Collider(ant));
    let at = row(&harness, "cat", cat);
    press(&mut harness, at, egui::Modifiers::SHIFT);
    let expected = Selection::Pair(ant.min(cat), ant.max(cat));
    assert_eq!(inspector(&mut harness).selection, expected);

    // The same by keyboard.
    inspector(&mut harness).selection = Selection::None;
    harness.get_by_label("Colliders, 6 rows").focus();
    harness.run_steps(2);
    harness.key_press(egui::Key::Home);
    harness.run_steps(2);
    harness.key_press(egui::Key::Enter);
    harness.run_steps(2);
    let Selection::Collider(first) = inspector(&mut harness).selection else { panic!("one") };
    harness.key_press(egui::Key::End);
    harness.run_steps(2);
    harness.key_press_modifiers(egui::Modifiers::SHIFT, egui::Key::Enter);
    harness.run_steps(2);
    let Selection::Pair(a, b) = inspector(&mut harness).selection else { panic!("two") };
    assert!(a == first || b == first);
}

fn press(harness: &mut Kit, pos: egui::Pos2, modifiers: egui::Modifiers) {
    harness.event(egui::Event::ModifiersChanged(modifiers));
    harness.event(egui::Event::PointerMoved(pos));
    for pressed in [true, false] {
        let button = egui::PointerButton::Primary;
        harness.event(egui::Event::PointerButton { pos, button, pressed, modifiers });
    }
    harness.event(egui::Event::ModifiersChanged(egui::Modifiers::NONE));
    harness.run_steps(3);
}

#[test]
fn the_explanation_tells_each_axis() {
    let mut harness = harness(app(three_pairs));
    let (selection, _) = pair(&mut harness, "Bee", "wall Bee");
    inspector(&mut harness).selection = selection;
    click(&mut harness, "Why");
    harness.get_by_label("In contact: overlapping, depth 6.000.");
    let axes = harness.get_all_by_label_contains("axis of edge");
    // Four edges of the box; the sentence above speaks of one too.
    assert_eq!(axes.into_iter().count(), 5);
}

#[test]
fn the_timeline_leads_back_by_keyboard_while_the_game_stands_still() {
    let mut harness = harness(app(three_pairs));
    for _ in 0..5 {
        frame(&mut harness);
    }
    click(&mut harness, "History");
    let now = inspector(&mut harness).history.last().expect("a step").step;
    harness.get_by_label_contains("Timeline").focus();
    harness.run_steps(2);
    for back in 1..=3 {
        harness.key_press(egui::Key::ArrowLeft);
        harness.run_steps(2);
        let shown = inspector(&mut harness).history.shown().expect("a step").step;
        assert_eq!(shown, now - back);
    }
    harness.get_by_label("looking back");
    assert!(harness.state().world().resource::<CollisionSettings>().stepping.paused);
    frame(&mut harness);
    frame(&mut harness);
    assert_eq!(inspector(&mut harness).history.last().expect("a step").step, now);
    click(&mut harness, "Live");
    assert!(!inspector(&mut harness).history.is_past());
}

#[test]
fn a_radius_is_edited_and_an_unsound_one_refused_in_place() {
    let mut harness = harness(app(three_pairs));
    let ant = entity(harness.state_mut().world_mut(), "ant");
    inspector(&mut harness).selection = Selection::Collider(ant);
    click(&mut harness, "Entities");
    let radius =
        |harness: &Kit| harness.state().world().get::<Collider>(ant).expect("a collider").clone();
    for (typed, end, expected) in [
        ("20", egui::Key::Enter, 20.0),
        ("-5", egui::Key::Enter, 20.0),
        ("4", egui::Key::Enter, 4.0),
        ("nan", egui::Key::Enter, 4.0),
        ("1,5", egui::Key::Enter, 4.0),
        ("7.5", egui::Key::Enter, 7.5),
        ("9", egui::Key::Escape, 7.5),
        ("8", egui::Key::Tab, 8.0),
    ] {
        let at = field(&harness, "Radius");
        press(&mut harness, at, egui::Modifiers::NONE);
        harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
        harness.event(egui::Event::Text(typed.to_owned()));
        harness.run_steps(2);
        harness.key_press(end);
        harness.run_steps(3);
        frame(&mut harness);
        assert_eq!(radius(&harness), Collider::circle(expected), "typed {typed}");
        let refusals = harness.query_all_by_label_contains("Refused: the radius -5").count();
        assert_eq!(refusals, usize::from(typed == "-5"), "typed {typed}");
    }
}

#[test]
fn a_setting_counts_when_it_is_typed_in_full_and_not_after_escape() {
    let mut harness = harness(app(three_pairs));
    let tolerance = |harness: &Kit| {
        harness.state().world().resource::<CollisionSettings>().touch_tolerance.to_bits()
    };
    let at = harness.get_by_label("Tolerance").rect().right_center() + egui::vec2(60.0, 0.0);
    for (end, expected) in [(egui::Key::Escape, 0.0), (egui::Key::Enter, 2.5_f32)] {
        press(&mut harness, at, egui::Modifiers::NONE);
        harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
        harness.event(egui::Event::Text("2.5".to_owned()));
        harness.run_steps(2);
        assert_eq!(tolerance(&harness), 0, "not yet");
        harness.key_press(end);
        harness.run_steps(3);
        assert_eq!(tolerance(&harness), expected.to_bits(), "after {end:?}");
    }
}

/// Where the number with this title stands.
fn field(harness: &Kit, title: &str) -> egui::Pos2 {
    let fields = harness.get_all_by_role_and_label(egui::accesskit::Role::SpinButton, title);
    fields.into_iter().next().expect("a field").rect().center()
}

#[test]
fn the_heads_are_one_stop_for_tab_and_sort_by_keyboard() {
    let mut harness = harness(app(three_pairs));
    let heads = "Columns: left, right, and Enter to sort";
    harness.get_by_label("Contacts, 3 rows").focus();
    harness.run_steps(2);
    harness.key_press(egui::Key::Tab);
    harness.run_steps(2);
    assert!(harness.get_by_label(heads).is_focused(), "behind the list");
    let mut press = |keys: &[egui::Key]| {
        for &key in keys {
            harness.key_press(key);
            harness.run_steps(2);
        }
        inspector(&mut harness).sort
    };
    use egui::Key::{ArrowLeft, ArrowRight, Enter, Space};
    assert_eq!(press(&[Enter]), Some((Column::A, SortOrder::Ascending)));
    let depth = press(&[ArrowRight, ArrowRight, ArrowRight, Space]);
    assert_eq!(depth, Some((Column::Depth, SortOrder::Ascending)));
    assert_eq!(press(&[Enter]), Some((Column::Depth, SortOrder::Descending)));
    assert_eq!(press(&[Enter]), None);
    let status = press(&[ArrowLeft, Enter]);
    assert_eq!(status, Some((Column::Status, SortOrder::Ascending)));
    // The last column lies far to the right and is scrolled to.
    assert_eq!(press(&[ArrowRight; 20]), status);
    let last = harness.get_by_label("Point y").rect();
    assert!(last.right() <= 400.0, "{last:?}");
    harness.key_press(egui::Key::Tab);
    harness.run_steps(2);
    assert!(!harness.get_by_label(heads).is_focused(), "and on");
}

#[test]
fn a_row_is_read_out_with_its_numbers() {
    let mut harness = harness(app(three_pairs));
    let (_, label) = pair(&mut harness, "Bee", "wall Bee");
    let value = harness.get_by_label(&label).value().expect("told");
    assert!(value.starts_with("Status overlapping, Depth 6.000, Age "), "{value}");
    assert!(value.contains("Point y 100.000"), "{value}");
    let world = harness.state_mut().world_mut();
    let bee = entity(world, "Bee");
    world.despawn(bee);
    frame(&mut harness);
    let value = harness.get_by_label(&label).value().expect("told, by the name it had");
    assert!(value.starts_with("Status ended, Depth 6.000, Shapes "), "{value}");
}

#[test]
fn a_tiny_number_is_not_shown_as_zero() {
    let mut harness = harness(app(|world| {
        world.spawn((Name::new("speck"), Collider::circle(1e-30)));
    }));
    let speck = entity(harness.state_mut().world_mut(), "speck");
    inspector(&mut harness).tab = Tab::Entities;
    inspector(&mut harness).selection = Selection::Collider(speck);
    harness.run_steps(3);
    let radius = harness.get_by(|node| node.value().is_some_and(|value| value.contains("e-30")));
    assert_eq!(radius.value().as_deref(), Some("1e-30"));
}
