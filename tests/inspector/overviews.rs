//! The pages that show all at once: plots and layers.

use bevy::prelude::*;
use bevy_nudge::CollisionStats;
use bevy_nudge::inspector::{LayerNames, Tab, egui};
use bevy_nudge::prelude::*;

use crate::panel::{Panel, three_pairs};

#[test]
fn plots_show_the_last_counts_and_how_full_the_grid_is() {
    let mut panel = Panel::new(three_pairs);
    panel.inspector().tab = Tab::Plots;
    for _ in 0..3 {
        panel.step();
    }
    panel.place("Contacts 3");
    panel.place("Candidates 3");
    panel.assert_says("Step 0.");
    panel.assert_says("colliders each, at most");
    panel.app.world_mut().spawn((Collider::circle(1.0), Transform::from_xyz(0.0, 100.0, 0.0)));
    let before = panel.place("Candidates 3");
    panel.step();
    assert_eq!(panel.place("Candidates 4").top().to_bits(), before.top().to_bits(), "in its place");
}

#[test]
fn layers_show_who_meets_whom_by_name() {
    let mut panel = Panel::new(|world| {
        world.insert_resource(LayerNames::new(["player", "wall", "coin"]));
        let mut spawn = |count: usize, memberships, filters| {
            for _ in 0..count {
                world.spawn((Collider::circle(1.0), CollisionLayers::new(memberships, filters)));
            }
        };
        spawn(1, 0b001, 0b110);
        spawn(3, 0b010, 0b001);
        spawn(4, 0b100, 0b001);
    });
    panel.inspector().tab = Tab::Layers;
    panel.step();
    for text in ["player (1)", "wall (3)", "coin (4)"] {
        panel.place(text);
    }
    // Of the same layers, told apart by what they want to meet.
    panel.app.world_mut().spawn((Collider::circle(1.0), CollisionLayers::new(0b100, 0b010)));
    panel.step();
    for text in ["player (1)", "coin (4), meets player", "coin (1), meets wall"] {
        panel.place(text);
    }
}

#[test]
fn without_layers_or_names_the_page_says_what_to_do() {
    let mut panel = Panel::new(three_pairs);
    panel.inspector().tab = Tab::Layers;
    panel.step();
    panel.assert_says("give them CollisionLayers");
    panel.assert_says("Insert LayerNames");
    panel.place("all (6)");
}

#[test]
fn the_list_counts_what_there_is_and_what_the_step_did() {
    let mut panel = Panel::new(three_pairs);
    panel.step();
    let stats = panel.app.world().resource::<CollisionStats>().clone();
    assert!(stats.compared_bounds >= stats.candidates && stats.candidates == 3, "{stats:?}");
    let number_below = |panel: &Panel, title: &str| {
        let head = panel.place(title);
        let is_below = |rect: &egui::Rect| {
            (rect.left() - head.left()).abs() < 1.0
                && (0.0..4.0).contains(&(rect.top() - head.bottom()))
        };
        let found = panel.texts.iter().find(|(_, rect)| is_below(rect));
        found.unwrap_or_else(|| panic!("nothing below {title}")).0.clone()
    };
    let known = [
        ("Colliders", 6),
        ("static", 2),
        ("swept", 0),
        ("invalid", 0),
        ("Candidates", stats.candidates),
        ("Contacts", 3),
    ];
    let work = [
        ("Read", stats.read_colliders),
        ("Sorted", stats.sorted_colliders),
        ("Compared", stats.compared_bounds),
    ];
    for (title, count) in known.into_iter().chain(work) {
        assert_eq!(number_below(&panel, title), count.to_string(), "{title}");
    }
    // Of a step of the past the work is not kept.
    panel.inspector().history.view(1);
    panel.draw(Vec::new());
    for (title, count) in known {
        assert_eq!(number_below(&panel, title), count.to_string(), "{title}");
    }
    for (title, _) in work {
        assert_eq!(number_below(&panel, title), "-", "{title}");
    }
}
