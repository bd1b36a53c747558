//! What the README says is what the repository holds.

use std::path::Path;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_quick_start_is_the_example_minimal() {
    let (readme, example) = (read("README.md"), read("examples/minimal.rs"));
    let start = example.find("fn example(").expect("the body of the example");
    assert!(
        readme.contains(example[start..].trim_end()),
        "copy examples/minimal.rs from `fn example(` on into README.md"
    );
}

#[test]
fn the_versions_are_those_of_the_manifest() {
    let (readme, manifest) = (read("README.md"), read("Cargo.toml"));
    let value = |key: &str| {
        let line = manifest.lines().find(|line| line.starts_with(key)).expect(key);
        let version = line.split('"').nth(1).expect("a quoted version");
        version.split('.').take(2).collect::<Vec<_>>().join(".")
    };
    let row = readme.lines().find(|line| line.starts_with("| 0.") || line.starts_with("| 1."));
    let row: Vec<&str> = row.expect("a row of versions").split('|').map(str::trim).collect();
    assert!(row[1].starts_with(&value("version")), "{row:?}");
    assert_eq!(row[2], value("bevy = "), "{row:?}");
    assert_eq!(row[3], value("bevy_egui = "), "{row:?}");
    assert_eq!(row[4], value("rust-version"), "{row:?}");
}

#[test]
fn every_file_it_links_to_is_there() {
    let readme = read("README.md");
    for link in readme.split("](").skip(1) {
        let target = link.split(')').next().unwrap_or_default();
        if !target.starts_with("http") {
            read_bytes(target);
        }
    }
}

/// Each file and test that the page names is there, and each promise names one.
#[test]
fn every_promise_names_tests_that_exist() {
    let page = read("docs/what-you-can-rely-on.md");
    let rows = page.lines().filter(|line| line.starts_with("| ") && !line.contains("| Held by |"));
    let mut named = 0;
    for row in rows {
        let held_by = row.trim_end_matches(" |").rsplit(" | ").next().unwrap_or_default();
        let mut file: Option<(&str, String)> = None;
        for name in held_by.split('`').skip(1).step_by(2) {
            if name.ends_with(".rs") {
                file = Some((name, read(name)));
                continue;
            }
            let (path, text) = file.as_ref().unwrap_or_else(|| panic!("no file before {name}"));
            let function = format!("fn {name}(");
            let place = text.find(&function).unwrap_or_else(|| panic!("{path} has no test {name}"));
            let before = text[..place].trim_end().lines().rev().take(2);
            let is_test = before.into_iter().any(|line| line.trim() == "#[test]");
            assert!(is_test, "{name} in {path} is no test");
            named += 1;
        }
        assert!(file.is_some(), "no test holds: {row}");
    }
    assert!(named > 50, "only {named} tests are named");
}

fn read_bytes(path: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
