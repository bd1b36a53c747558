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

fn read_bytes(path: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
