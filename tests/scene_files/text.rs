//! Texts of scenes: the real ones with changes, and made-up ones.

use std::fmt::Write;

use crate::input::Input;

const REAL: [&str; 5] = [
    include_str!("../../assets/scenes/two_tiles.scn.ron"),
    include_str!("../../assets/scenes/nested.scn.ron"),
    include_str!("../../assets/scenes/playground.scn.ron"),
    include_str!("../../assets/scenes/dents.scn.ron"),
    include_str!("../../assets/scenes/crowd.scn.ron"),
];

/// What may stand in place of any other piece of a text.
const PIECES: [&str; 64] = [
    "0.0",
    "-0.0",
    "1.0",
    "-1.0",
    "NaN",
    "-NaN",
    "inf",
    "-inf",
    "1e38",
    "3.5e38",
    "-1e39",
    "1e-45",
    "1e-30",
    "1e37",
    "16777216.0",
    "0.01",
    "100.0",
    "0",
    "1",
    "2",
    "3",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "-5",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
    "'",
    "//",
    "/*",
    "true",
    "false",
    "Circle",
    "Aabb",
    "ConvexPolygon",
    "Concave",
    "Compound",
    "vertices",
    "outline",
    "holes",
    "parts",
    "radius",
    "center",
    "min",
    "max",
    "mass",
    "shape",
    "rotation",
    "scale",
    "translation",
    "()",
    "Some",
    "None",
    "\u{0}",
    "\u{fffd}",
    "\u{1f4a5}",
    "entities",
];

/// A text that one of the first words chooses, changed by those that follow.
pub(crate) fn text(input: &mut Input<'_>) -> String {
    let base = input.below(9);
    let text = match REAL.get(base as usize) {
        Some(real) => (*real).to_owned(),
        None => made_up(input),
    };
    if base == 8 {
        return text;
    }
    let mut pieces = pieces_of(&text);
    let mut changes = 0;
    while !input.is_empty() && changes < 40 {
        change(&mut pieces, input);
        changes += 1;
    }
    let mut bytes = pieces.concat().into_bytes();
    if input.below(4) == 3 {
        let place = input.word() as usize % (bytes.len() + 1);
        bytes.truncate(place);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Words, numbers, and everything else by itself.
fn pieces_of(text: &str) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || "_.-".contains(c);
    let mut pieces: Vec<String> = Vec::new();
    let mut in_word = false;
    for c in text.chars() {
        match pieces.last_mut().filter(|_| in_word && is_word(c)) {
            Some(word) => word.push(c),
            None => pieces.push(c.to_string()),
        }
        in_word = is_word(c);
    }
    pieces
}

fn change(pieces: &mut Vec<String>, input: &mut Input<'_>) {
    let kind = input.below(8);
    // Most pieces are spaces: a change there tells nothing new.
    let telling: Vec<usize> = (0..pieces.len()).filter(|&i| !pieces[i].trim().is_empty()).collect();
    let Some(&place) = telling.get(input.word() as usize % telling.len().max(1)) else { return };
    let is_number = pieces[place].parse::<f32>().is_ok();
    match kind {
        0 => _ = pieces.remove(place),
        1 => pieces.insert(place, PIECES[input.below(64) as usize].to_owned()),
        2 => pieces[place] = PIECES[input.below(64) as usize].to_owned(),
        3 => {
            // A part of the text twice, or in place of what follows.
            let length = 1 + input.below(120) as usize;
            let copied = pieces[place..(place + length).min(pieces.len())].to_vec();
            let to = telling[input.word() as usize % telling.len()];
            pieces.splice(to..to, copied);
        }
        4 => {
            let other = telling[input.word() as usize % telling.len()];
            pieces.swap(place, other);
        }
        // A number where there was one: these go farthest.
        _ => {
            let after = telling.iter().copied().filter(|&i| i >= place);
            let number = after.into_iter().find(|&i| pieces[i].parse::<f32>().is_ok());
            let number = number.unwrap_or(place);
            if is_number || kind != 5 {
                pieces[number] = format!("{:?}", input.number());
            } else {
                pieces[number] = PIECES[input.below(25) as usize].to_owned();
            }
        }
    }
}

/// A scene that is one by its form, of any components with any numbers.
fn made_up(input: &mut Input<'_>) -> String {
    let mut text = String::from("(resources: {");
    if input.below(3) == 0 {
        settings(&mut text, input);
    }
    text.push_str("}, entities: {");
    for id in 1..=1 + input.below(12) {
        let id = if input.below(16) == 15 { input.word() } else { id };
        _ = write!(text, "{id}: (components: {{");
        for _ in 0..input.below(7) {
            component(&mut text, input);
        }
        text.push_str("}),");
    }
    text.push_str("})");
    text
}

fn settings(text: &mut String, input: &mut Input<'_>) {
    let rule = ["Inclusive", "Exclusive"][input.below(2) as usize];
    let cells = match input.below(2) {
        0 => "Auto".to_owned(),
        _ => format!("Fixed({:?})", input.number()),
    };
    _ = write!(
        text,
        "\"bevy_nudge::CollisionSettings\": (touch_rule: {rule}, touch_tolerance: {:?}, \
         cell_size: {cells}, persisted_events: {}, stepping: (paused: {}, single_steps: {}), \
         resolution: (enabled: {}, passes: {}, allowed_overlap: {:?})),",
        input.number(),
        input.below(2) == 0,
        input.below(4) == 3,
        input.word(),
        input.below(4) != 3,
        input.below(40),
        input.number(),
    );
}

fn component(text: &mut String, input: &mut Input<'_>) {
    let kind = input.below(16);
    match kind {
        0 => _ = write!(text, "\"bevy_nudge::Solid\": (mass: {:?}),", input.number()),
        1 => text.push_str("\"bevy_nudge::StaticCollider\": (),"),
        2 => text.push_str("\"bevy_nudge::Swept\": (),"),
        3 => text.push_str("\"bevy_nudge::ColliderDisabled\": (),"),
        4 => text.push_str("\"bevy_nudge::CollisionEventsEnabled\": (),"),
        5 => {
            let (memberships, filters) = (input.word(), input.word());
            let layers = format!("(memberships: {memberships}, filters: {filters})");
            _ = write!(text, "\"bevy_nudge::CollisionLayers\": {layers},");
        }
        6 => {
            // Of itself, of what comes later, of what is not there: all of it can be written.
            let parent = 1 + input.below(14);
            _ = write!(text, "\"bevy_ecs::hierarchy::ChildOf\": ({parent}),");
        }
        7..=9 => {
            let numbers: Vec<String> = (0..10).map(|_| format!("{:?}", input.number())).collect();
            _ = write!(
                text,
                "\"bevy_transform::components::transform::Transform\": (translation: ({}), \
                 rotation: ({}), scale: ({})),",
                numbers[..3].join(", "),
                numbers[3..7].join(", "),
                numbers[7..].join(", "),
            );
        }
        _ => {
            text.push_str("\"bevy_nudge::Collider\": (shape: ");
            shape(text, input, 0);
            text.push_str("),");
        }
    }
}

fn point(input: &mut Input<'_>) -> String {
    format!("({:?}, {:?})", input.number(), input.number())
}

fn points(input: &mut Input<'_>) -> String {
    let points: Vec<String> = (0..input.below(9)).map(|_| point(input)).collect();
    format!("[{}]", points.join(", "))
}

fn shape(text: &mut String, input: &mut Input<'_>, depth: u32) {
    match input.below(if depth < 3 { 6 } else { 4 }) {
        0 => _ = write!(text, "Circle((center: {}, radius: {:?}))", point(input), input.number()),
        1 => _ = write!(text, "Aabb((min: {}, max: {}))", point(input), point(input)),
        2 => {
            _ = write!(
                text,
                "ConvexPolygon((vertices: {}, radius: {:?}))",
                points(input),
                input.number()
            );
        }
        3 => {
            let holes: Vec<String> = (0..input.below(3)).map(|_| points(input)).collect();
            let outline = points(input);
            _ = write!(text, "Concave((outline: {outline}, holes: [{}]))", holes.join(", "));
        }
        _ => {
            text.push_str("Compound((parts: [");
            for _ in 0..input.below(4) {
                text.push_str("(shape: ");
                shape(text, input, depth + 1);
                _ = write!(text, ", offset: {}, rotation: {:?}),", point(input), input.number());
            }
            text.push_str("]))");
        }
    }
}
