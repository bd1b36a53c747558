//! Imports point downhill. This table is the rule: a new module must be given a layer here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Modules from the bottom up. A module may use those of lower layers and its own folder; in a
/// layer marked so, also those to its left.
const LAYERS: &[(&[&str], Within)] = &[
    (&["geometry"], Within::Nothing),
    (&["parallel", "radix_sort", "grid", "plane_solver"], Within::ToTheLeft),
    (
        &[
            "components",
            "settings",
            "events",
            "entity_order",
            "world_pose",
            "collider_table",
            "candidate_pairs",
            "collision_grid",
            "contacts",
            "impacts",
            "pushes",
            "stats",
        ],
        Within::ToTheLeft,
    ),
    (&["pipeline"], Within::Nothing),
    (&["query", "diagnostics", "plugin"], Within::ToTheLeft),
    (&["debug_draw", "inspector"], Within::Nothing),
];

/// What modules of one layer may use of each other.
#[derive(Clone, Copy, PartialEq)]
enum Within {
    Nothing,
    ToTheLeft,
}

/// Readers use the crate as a game does: only the names at its root, and the geometry.
const READERS: &[&str] = &["debug_draw", "inspector"];

fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The text without comments and without what stands behind `#[cfg(test)]`.
fn code(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("a source file");
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The first names behind `crate::`, those in braces too.
fn used(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for part in code.split("crate::").skip(1) {
        if let Some(group) = part.strip_prefix('{') {
            let mut depth = 0;
            let mut item = String::new();
            for letter in group.chars() {
                match letter {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => names.push(std::mem::take(&mut item)),
                    _ if depth == 0 => item.push(letter),
                    _ => {}
                }
            }
            names.push(item);
        } else {
            names.push(part.to_owned());
        }
    }
    let first_word = |name: String| {
        let name = name.trim_start();
        name.chars()
            .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
            .collect::<String>()
    };
    names.into_iter().map(first_word).filter(|name| !name.is_empty()).collect()
}

#[test]
fn every_import_points_to_a_lower_layer() {
    let mut place = BTreeMap::new();
    for (layer, (modules, _)) in LAYERS.iter().enumerate() {
        for (column, module) in modules.iter().enumerate() {
            place.insert(*module, (layer, column));
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut faults = Vec::new();
    let mut checked = 0;
    for file in files {
        let inside = file.strip_prefix(&root).expect("inside src");
        if inside == Path::new("lib.rs") {
            continue;
        }
        let module = inside.components().next().expect("a name").as_os_str().to_string_lossy();
        let module = module.trim_end_matches(".rs");
        let Some(&(layer, column)) = place.get(module) else {
            faults.push(format!("{module} has no layer: give it one in this table"));
            continue;
        };
        for name in used(&code(&file)) {
            checked += 1;
            let is_reader = READERS.contains(&module);
            let allowed = match place.get(name.as_str()) {
                _ if name == module => true,
                // Types from the root of the crate: only readers may take them there.
                None => is_reader,
                Some(_) if is_reader => ["geometry", "diagnostics"].contains(&name.as_str()),
                Some(&(other, other_column)) => {
                    let to_the_left = LAYERS[layer].1 == Within::ToTheLeft && other_column < column;
                    other < layer || (other == layer && to_the_left)
                }
            };
            if !allowed {
                faults.push(format!("{} may not use crate::{name}", inside.display()));
            }
        }
    }
    assert!(checked > 50, "only {checked} imports found: the reading of the sources is broken");
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn stages_do_not_know_each_other() {
    let stages = ["sync", "broad_phase", "narrow_phase", "resolve", "publish"];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/pipeline");
    for stage in stages {
        let code = code(&folder.join(stage).with_extension("rs"));
        for other in stages {
            let is_used = code.contains(&format!("super::{other}"))
                || code.contains(&format!("pipeline::{other}"));
            assert!(!is_used, "{stage} uses {other}");
        }
    }
}

#[test]
fn features_stand_only_where_modules_are_named() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    for file in files.iter().filter(|file| !file.ends_with("lib.rs")) {
        assert!(!code(file).contains("feature ="), "{} depends on a feature", file.display());
    }
}
