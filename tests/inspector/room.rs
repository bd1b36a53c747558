//! The panel in little room, and what it remembers.

use bevy::prelude::*;
use bevy_nudge::inspector::{CollisionInspector, Column, Selection, Tab, egui};
use bevy_nudge::prelude::*;

use crate::panel::{Panel, app, three_pairs};

#[test]
fn the_side_panel_never_covers_the_whole_scene() {
    let mut inspector = CollisionInspector::default();
    inspector.width = 5_000.0;
    // In points: 900 by 600 pixels at a scale of 100% and of 200%, and smaller still.
    for (width, height) in [(900.0, 600.0), (450.0, 300.0), (320.0, 240.0)] {
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width, height));
        let panel = inspector.side_panel_rect(screen).expect("open");
        assert!(panel.left() >= 150.0, "{width}: {panel}");
    }
}

#[test]
fn every_page_can_be_worked_in_little_room() {
    // What is left inside the edges of the side panel.
    for size in [egui::vec2(400.0, 584.0), egui::vec2(205.0, 284.0)] {
        let mut panel = Panel::new(three_pairs);
        panel.screen = size;
        let ant = panel.entity("ant");
        for tab in Tab::ALL {
            panel.inspector().tab = tab;
            panel.inspector().selection = Selection::Collider(ant);
            panel.step();
            panel.place("Pause");
            panel.place(Tab::List.title());
            if size.x > 330.0 {
                for (text, rect) in &panel.texts {
                    // The table scrolls sideways; all else fits.
                    let is_in_table = tab == Tab::List && rect.top() > 300.0;
                    assert!(is_in_table || rect.left() < size.x, "{tab:?}: {text} at {rect}");
                }
            }
        }
    }
}

/// What is left of the side panel in a window of 1280 by 800 pixels at a scale of 200%.
#[test]
fn at_twice_the_scale_rows_and_depths_are_in_sight_and_titles_are_whole() {
    let mut panel = Panel::new(three_pairs);
    panel.screen = egui::vec2(300.0, 352.0);
    panel.draw(Vec::new());
    for text in ["A", "B", "Status", "Depth", "2.000", "6.000", "4.000"] {
        let place = panel.place(text);
        assert!(place.right() <= 290.0 && place.bottom() <= 352.0, "{text} at {place}");
    }
    panel.click("Counts and times");
    panel.draw(Vec::new());
    for title in ["Colliders", "Compared", "Candidates", "Contacts", "Sync ms", "Publish"] {
        panel.place(title);
        assert!(!panel.cut.iter().any(|cut| cut == title), "{title} is cut");
    }
}

#[test]
fn tab_leads_to_nothing_that_is_out_of_sight() {
    let mut panel = Panel::new(three_pairs);
    // What is left in a window of 900 by 600 pixels at a scale of 200%.
    panel.screen = egui::vec2(205.0, 252.0);
    panel.draw(Vec::new());
    panel.click("Settings");
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, panel.screen);
    let (mut seen, mut rows, mut heads) = (0, 0, None);
    // Once around: buttons, pages, settings, filter, the heads of all columns.
    for tab in 0..45 {
        panel.key(egui::Key::Tab, egui::Modifiers::NONE);
        panel.draw(Vec::new());
        panel.draw(Vec::new());
        let Some(place) = panel.focused() else { continue };
        assert!(screen.contains(place.center()), "after {tab} tabs: {place}");
        seen += 1;
        rows += usize::from(panel.find("6.000").is_some_and(|row| row.bottom() < screen.bottom()));
        if panel.find("Status").is_some_and(|head| place.y_range().contains(head.center().y)) {
            heads = Some(tab);
        }
    }
    assert!(seen > 40, "{seen} places");
    assert!(rows > 0, "a row is in sight with the heads above it");
    // Once more, as far as the heads of the columns, and through them.
    let stops = heads.expect("the heads are a stop");
    assert!(stops < 44, "the last stop was another one");
    for _ in stops..44 {
        panel.key(egui::Key::Tab, egui::Modifiers::SHIFT);
        panel.draw(Vec::new());
    }
    for _ in Column::ALL {
        panel.key(egui::Key::ArrowRight, egui::Modifiers::NONE);
        panel.draw(Vec::new());
    }
    let last = panel.place("Point y");
    assert!(screen.contains_rect(last), "{last}");
}

#[test]
fn the_page_stays_open_while_the_panel_is_hidden() {
    let mut panel = Panel::new(three_pairs);
    panel.click("History");
    panel.inspector().open = false;
    panel.step();
    panel.inspector().open = true;
    panel.step();
    assert_eq!(panel.inspector().tab, Tab::History);
}

#[test]
fn what_is_open_is_kept_from_run_to_run() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("layout.json");
    if path.exists() {
        std::fs::remove_file(&path).expect("removed");
    }
    let run = |change: &dyn Fn(&mut CollisionInspector)| {
        let mut app = app(|world| {
            let mut inspector = world.resource_mut::<CollisionInspector>();
            inspector.layout_file = Some(path.clone());
        });
        let restored = app.world().resource::<CollisionInspector>();
        let restored = (restored.open, restored.tab, restored.width);
        change(&mut app.world_mut().resource_mut::<CollisionInspector>());
        app.world_mut().write_message(AppExit::Success);
        app.update();
        restored
    };
    let default = CollisionInspector::default();
    let first = run(&|inspector| {
        inspector.open = false;
        inspector.tab = Tab::Plots;
        inspector.width = 500.0;
    });
    assert_eq!(first, (default.open, default.tab, default.width));
    assert_eq!(run(&|_| {}), (false, Tab::Plots, 500.0));
    std::fs::write(&path, "nonsense").expect("written");
    assert_eq!(run(&|_| {}), (default.open, default.tab, default.width));
}

#[test]
fn settings_are_reached_by_keyboard_alone() {
    let mut panel = Panel::new(three_pairs);
    let before = panel.settings().touch_rule;
    // Tab goes through everything; Space works what has the focus.
    for _ in 0..40 {
        panel.key(egui::Key::Tab, egui::Modifiers::NONE);
        if panel.settings().stepping.paused {
            break;
        }
        panel.key(egui::Key::Space, egui::Modifiers::NONE);
        if panel.settings().touch_rule != before {
            break;
        }
        if panel.inspector().tab != Tab::List {
            panel.inspector().tab = Tab::List;
        }
        panel.app.world_mut().resource_mut::<CollisionSettings>().stepping.resume();
    }
    assert_ne!(panel.settings().touch_rule, before);
}
