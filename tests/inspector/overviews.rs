//! The pages that show all at once: plots and layers.

use bevy::prelude::*;
use bevy_nudge::inspector::{LayerNames, Tab};
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
