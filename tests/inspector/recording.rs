//! A stretch of steps in a file, and the selection as text.

use bevy::prelude::*;
use bevy_nudge::inspector::{
    LayerNames, Recording, RecordingError, Selection, StepRecord, Tab, egui, report,
};
use bevy_nudge::prelude::*;

use crate::panel::{Panel, three_pairs};

/// Every kind of shape, some of them moving, one that goes.
fn busy() -> Panel {
    let mut panel = Panel::new(|world| {
        three_pairs(world);
        let dented = [(0.0, 0.0), (40.0, 0.0), (40.0, 20.0), (20.0, 10.0), (0.0, 20.0)];
        let dented = Collider::concave(dented.map(Vec2::from)).expect("simple");
        let turned = Transform::from_xyz(5.3, 9.7, 0.0).with_rotation(Quat::from_rotation_z(0.4));
        world.spawn((Name::new("dented"), dented, turned, Swept));
        let capsule = Collider::capsule(Vec2::ZERO, Vec2::X * 7.0, 1.5).expect("sound");
        world.spawn((Name::new("capsule"), capsule, CollisionLayers::new(1, 3), turned));
        world.spawn((Collider::circle(-1.0), Solid::default()));
    });
    for step in 0..4 {
        let bee = panel.entity("Bee");
        let mut place = panel.app.world_mut().get_mut::<Transform>(bee).expect("placed");
        place.translation.x += 0.3;
        if step == 2 {
            let cat = panel.entity("cat");
            panel.app.world_mut().despawn(cat);
        }
        panel.step();
    }
    panel
}

fn written(panel: &mut Panel) -> Vec<u8> {
    let mut bytes = Vec::new();
    let recording = Recording::of(&panel.inspector().history, 0..=u64::MAX);
    recording.write(&mut bytes).expect("written to memory");
    bytes
}

/// All that two steps have to have in common.
fn assert_same(one: &StepRecord, other: &StepRecord) {
    let step = one.step;
    assert_eq!((other.step, other.touch), (step, one.touch));
    assert_eq!((&other.contacts, &other.events), (&one.contacts, &one.events), "step {step}");
    assert_eq!(other.colliders.len(), one.colliders.len(), "step {step}");
    for collider in one.colliders.iter() {
        let again = other.collider(collider.entity).expect("there");
        assert_eq!((&again.shape, &again.traits), (&collider.shape, &collider.traits));
    }
}

#[test]
fn what_is_read_is_what_was_written_to_the_bit() {
    let mut panel = busy();
    let read = Recording::read(&written(&mut panel)[..]).expect("a recording");
    let inspector = panel.inspector();
    assert_eq!(read.steps().len(), inspector.history.steps().len());
    assert!(read.steps().len() >= 5);
    for (one, other) in inspector.history.steps().zip(read.steps()) {
        assert_same(one, other);
    }
    assert!(read.steps().iter().any(|record| !record.events.is_empty()));
    let part = Recording::of(&inspector.history, 2..=3);
    assert_eq!(part.steps().iter().map(|record| record.step).collect::<Vec<_>>(), [2, 3]);
}

#[test]
fn a_cut_off_file_says_how_much_is_left() {
    let mut panel = busy();
    let whole = written(&mut panel);
    let text = String::from_utf8(whole.clone()).expect("text");
    let steps = text.lines().count() - 2;
    for lines in 1..=steps {
        let part: String = text.lines().take(lines).map(|line| format!("{line}\n")).collect();
        let error = Recording::read(part.as_bytes()).expect_err("cut off");
        assert!(
            matches!(error, RecordingError::Truncated { found, expected }
                if found == lines - 1 && expected == steps),
            "{lines}: {error}"
        );
    }
    // Anywhere at all: never a panic, never taken for whole.
    for end in (0..whole.len() - 1).step_by(97) {
        assert!(Recording::read(&whole[..end]).is_err(), "{end} bytes");
    }
}

#[test]
fn a_foreign_or_broken_file_gives_a_clear_error() {
    let mut panel = busy();
    let text = String::from_utf8(written(&mut panel)).expect("text");
    let error = |text: &str| Recording::read(text.as_bytes()).expect_err("refused").to_string();
    for foreign in ["", "\n\n", "(resources: {})", "{\"format\": \"other\", \"version\": 1}"] {
        assert!(error(foreign).contains("not a recording of bevy_nudge"), "{foreign}");
    }
    let folder = Recording::load(std::path::Path::new(env!("CARGO_TARGET_TMPDIR")));
    assert!(matches!(folder, Err(RecordingError::Unreadable(_))), "{folder:?}");
    let png = Recording::read(&b"\x89PNG\r\n\x1a\n\xff\xfe"[..]).expect_err("refused");
    assert!(matches!(png, RecordingError::Foreign), "{png}");
    let newer = text.replacen("\"version\":1", "\"version\":7", 1);
    assert!(error(&newer).contains("version 7"), "{}", error(&newer));
    for (from, to, expected) in [
        ("\"radius\":10.0", "\"radius\":-10.0", "line 2: a radius or a size is negative"),
        ("\"radius\":10.0", "\"radius\":\"x\"", "line 2: "),
        ("\"contacts\":", "\"contracts\":", "line 2: unknown field"),
        ("\"step\":2", "\"step\":1", "line 3: the number of the step does not grow"),
        ("{\"end\":", "{\"finish\":", "the end of the recording should stand here"),
        ("\"kind\":\"circle\"", "\"kind\":\"blob\"", "line 2: there is no kind of shape \"blob\""),
        ("\"steps\":", "\"steps\":1", "the end stands here, after "),
        ("\"gone\":[", "\"gone\":[x", "line 5: expected value, at column "),
    ] {
        assert!(text.contains(from), "{from}");
        let error = error(&text.replacen(from, to, 1));
        assert!(error.contains(expected), "{from}: {error}");
        assert!(!error.contains("line 1 "), "one number of a line is enough: {error}");
    }
    // A fault in the midst of a file is none of its end.
    let cut_line = text.replacen("\"name\":\"dented\"", "\"name\":\"den\n", 1);
    assert!(
        error(&cut_line).starts_with("line 2: EOF while parsing a string"),
        "{}",
        error(&cut_line)
    );
    let line = text.lines().nth(2).expect("a step");
    let open_line = text.replacen(line, &line[..line.len() - 1], 1);
    assert!(error(&open_line).starts_with("line 3: EOF while parsing"), "{}", error(&open_line));
    let marked = format!("\u{feff}{text}");
    assert!(Recording::read(marked.as_bytes()).is_ok(), "as some editors save it");
    // Numbers that no step has.
    for (field, number, expected) in [
        ("tolerance", "-5", "line 2: the tolerance -5 is below 0"),
        ("tolerance", "1e300", "line 2: the tolerance inf is below 0 or too large"),
        ("ms", "-1", "line 2: the time of -1 milliseconds"),
        ("depth", "-1", "line 2: a contact has a depth below 0"),
    ] {
        let name = format!("\"{field}\":");
        let at = text.find(&name).expect("a field") + name.len();
        let digits = text[at..].find(',').expect("more follows");
        let error = error(&format!("{}{number}{}", &text[..at], &text[at + digits..]));
        assert!(error.starts_with(expected), "{field}: {error}");
    }
    // A contact of something that is not there.
    let wall = panel.entity("wall Bee").to_bits();
    let without_wall = text.replacen("\"gone\":[", &format!("\"gone\":[{wall},"), 1);
    let expected = format!("a contact of {wall}, which is no collider of the step");
    assert!(error(&without_wall).contains(&expected), "{}", error(&without_wall));
}

#[test]
fn a_recording_is_looked_at_like_the_past() {
    let mut panel = busy();
    let recording = Recording::read(&written(&mut panel)[..]).expect("a recording");
    let first = recording.steps()[0].clone();
    let mut other = Panel::new(|_| {});
    other.inspector().replay(recording);
    other.step();
    assert_eq!(other.inspector().tab, Tab::History);
    let shown = |panel: &mut Panel| panel.inspector().history.shown().expect("a step").step;
    assert_eq!(shown(&mut other), first.step);
    other.click("Step");
    assert_eq!(shown(&mut other), first.step + 1);
    other.step();
    other.step();
    assert_eq!(shown(&mut other), first.step + 1, "its own steps do not count");
    other.inspector().tab = Tab::List;
    other.draw(Vec::new());
    other.place("Bee");
    // The settings of this app are not those of the file.
    other.assert_says("In this step touching is a contact, with a tolerance of 0.");
    assert_eq!(other.find("Settings"), None);
    other.inspector().tab = Tab::Entities;
    other.inspector().selection = Selection::Collider(first.contacts[0].a);
    other.draw(Vec::new());
    other.assert_says("Meets: ");
    other.assert_says("cannot be edited");
    let contacts = first.contacts[0];
    other.inspector().tab = Tab::Why;
    other.inspector().selection = Selection::Pair(contacts.a, contacts.b);
    other.draw(Vec::new());
    other.assert_says("In contact");
    other.click("Play");
    assert!(other.inspector().is_playing());
}

#[test]
fn a_recording_is_saved_from_the_panel() {
    let mut panel = busy();
    panel.inspector().tab = Tab::History;
    panel.draw(Vec::new());
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("saved.jsonl");
    if path.exists() {
        std::fs::remove_file(&path).expect("removed");
    }
    panel.click("recording.jsonl");
    panel.key(egui::Key::A, egui::Modifiers::COMMAND);
    panel.draw(vec![egui::Event::Text(path.display().to_string())]);
    let save = panel.texts.iter().rfind(|(text, _)| text == "Save").expect("a button").1;
    panel.click_at(save.center());
    panel.assert_says("steps saved to");
    assert!(!Recording::load(&path).expect("a recording").steps().is_empty());
    panel.click(&path.display().to_string());
    panel.key(egui::Key::A, egui::Modifiers::COMMAND);
    panel.draw(vec![egui::Event::Text("/nowhere/at/all.jsonl".to_owned())]);
    panel.click_at(save.center());
    panel.assert_says("/nowhere/at/all.jsonl: ");
}

#[test]
fn a_stretch_may_be_chosen_from_either_end() {
    let mut panel = busy();
    panel.inspector().tab = Tab::History;
    panel.inspector().history.view(4);
    panel.draw(Vec::new());
    panel.click("from here");
    panel.inspector().history.view(2);
    panel.draw(Vec::new());
    panel.click("to here");
    panel.place("3 steps, 2 to 4");
    panel.click("all");
    let kept = panel.inspector().history.steps().len();
    panel.assert_says(&format!("{kept} steps, 1 to "));
}

#[test]
fn the_button_says_that_it_has_copied() {
    let mut panel = busy();
    let before = panel.place("Copy");
    panel.click("Copy");
    assert_eq!(panel.place("Copied").center().y.to_bits(), before.center().y.to_bits());
    for _ in 0..10 {
        panel.draw(Vec::new());
    }
    panel.place("Copy");
}

#[test]
fn the_selection_as_text_has_all_that_a_bug_report_needs() {
    let mut panel = busy();
    panel.select_pair("Bee", "wall Bee");
    let selection = panel.inspector().selection;
    let record = panel.inspector().history.shown().cloned().expect("a step");
    let names = LayerNames::default();
    let text = report(&record, selection, &names);
    for part in ["bevy_nudge 0.", "Bee (", "wall Bee (", "circle", "static", "depth 7.2", "decides"]
    {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
    assert!(!text.contains("-0,") && !text.contains("-0]"), "{text}");
    let all = report(&record, Selection::None, &names);
    assert!(all.contains(&format!("{} contacts", record.contacts.len())), "{all}");
    assert!(all.lines().count() >= record.contacts.len(), "{all}");
}
