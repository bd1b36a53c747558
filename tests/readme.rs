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

/// Whether a text has a test of this name.
fn has_test(text: &str, name: &str) -> bool {
    let Some(place) = text.find(&format!("fn {name}(")) else { return false };
    let mut before = text[..place].trim_end().lines().rev().take(3);
    before.any(|line| line.trim() == "#[test]")
}

/// Each file and test that a table of promises names in its last column is there, and each row names
/// one. Of a name before any file the text to look in is given.
fn check_rows<'a>(rows: impl Iterator<Item = &'a str>, directory: &str, first: &str) -> usize {
    let mut named = 0;
    for row in rows {
        let held_by = row.trim_end_matches(" |").rsplit(" | ").next().unwrap_or_default();
        let mut file = (directory, first.to_owned());
        let before = named;
        for name in held_by.split('`').skip(1).step_by(2) {
            if name.ends_with(".rs") {
                file = (name, read(&format!("{directory}{name}")));
                continue;
            }
            if name.ends_with('/') {
                continue;
            }
            assert!(has_test(&file.1, name), "{} has no test {name}", file.0);
            named += 1;
        }
        let is_held = named > before || held_by.contains("tests named there");
        assert!(is_held, "no test holds: {row}");
    }
    named
}

#[test]
fn every_promise_names_tests_that_exist() {
    let page = read("docs/what-you-can-rely-on.md");
    let rows = page.lines().filter(|line| line.starts_with("| ") && !line.contains("| Held by |"));
    let named = check_rows(rows, "", "");
    assert!(named > 50, "only {named} tests are named");
}

/// Each report that users of other systems made has its tests.
#[test]
fn every_report_names_tests_that_exist() {
    let text = ["main", "life", "moving", "space"]
        .map(|file| read(&format!("tests/reports/{file}.rs")))
        .concat();
    let rows =
        text.lines().filter(|line| line.starts_with("//! | ") && !line.contains("| Held by |"));
    let numbers: Vec<&str> = rows.clone().filter_map(|row| row.split('|').nth(1)).collect();
    let expected = "1 3 4 6 7 10 11 12 13 15 16 17 19 20 21 23 24 25 26 28 30 31 32 33 34 37 39 41 42 \
                    44 47 48 49 52 53 54 56 58 59";
    let numbers: Vec<&str> = numbers.into_iter().map(str::trim).collect();
    assert_eq!(numbers.join(" "), expected, "the numbers of the collection");
    let named = check_rows(rows, "tests/", &text);
    assert!(named > 60, "only {named} tests are named");
}

fn read_bytes(path: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
