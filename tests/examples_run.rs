//! Runs the examples as a user does, without a window, and looks at what they print, save and
//! return. Cargo builds the examples before it runs this test.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The examples that this build of the crate has.
fn examples() -> &'static [&'static str] {
    if cfg!(feature = "examples") {
        &["minimal", "playground", "crowd", "gallery", "coin_dash", "stress"]
    } else {
        &["minimal"]
    }
}

/// Those that draw a scene. The example `pictures` has a test of its own.
fn examples_with_pictures() -> &'static [&'static str] {
    &examples()[1..]
}

/// Those that open scene files.
fn examples_with_scene_files() -> &'static [&'static str] {
    if cfg!(feature = "examples") { &["playground", "crowd"] } else { &[] }
}

/// The built example: beside this test, in the folder `examples` of the target directory.
fn example(name: &str) -> Command {
    let this = std::env::current_exe().expect("the path of this test");
    let profile = this.parent().and_then(Path::parent).expect("target/profile/deps/test");
    let path = profile.join("examples").join(name).with_extension(std::env::consts::EXE_EXTENSION);
    assert!(path.is_file(), "{} is not built: run the tests with cargo test", path.display());
    let mut command = Command::new(path);
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

/// An example without any display to open a window on.
fn without_display(name: &str) -> Command {
    let mut command = example(name);
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
    command
}

fn run(command: &mut Command) -> (Output, String, String) {
    let output = command.output().expect("the example starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    (output, stdout, stderr)
}

/// A path for a file in a directory of its own, so that tests do not meet.
fn scratch_file(directory: &str, name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(directory);
    std::fs::create_dir_all(&directory).expect("a directory for scratch files");
    let path = directory.join(name);
    if path.exists() {
        std::fs::remove_file(&path).expect("the file of an earlier run can be removed");
    }
    path
}

#[cfg(feature = "examples")]
fn read_text(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn a_few_frames_without_a_window_end_well() {
    for name in examples() {
        let (output, _, stderr) = run(example(name).args(["--frames", "5", "--headless"]));
        assert_eq!(output.status.code(), Some(0), "{name}: {stderr}");
        assert!(!stderr.contains("panicked"), "{name}: {stderr}");
    }
}

#[test]
fn without_a_display_one_line_says_so_and_the_run_goes_on() {
    for name in examples_with_pictures() {
        let (output, _, stderr) = run(without_display(name).args(["--frames", "3"]));
        assert_eq!(output.status.code(), Some(0), "{name}: {stderr}");
        let lines = stderr.lines().filter(|line| line.contains("running without a window"));
        assert_eq!(lines.count(), 1, "{name}: {stderr}");
        assert!(!stderr.contains("panicked"), "{name}: {stderr}");
    }
}

#[test]
fn a_display_that_does_not_answer_counts_as_none() {
    for name in examples_with_pictures() {
        let mut command = without_display(name);
        let (output, _, stderr) = run(command.env("DISPLAY", ":7654").args(["--frames", "3"]));
        assert_eq!(output.status.code(), Some(0), "{name}: {stderr}");
        assert!(stderr.contains("running without a window"), "{name}: {stderr}");
        assert!(!stderr.contains("panicked"), "{name}: {stderr}");
    }
}

#[test]
fn wrong_options_and_values_give_a_usage_line_and_exit_code_2() {
    let wrong: [&[&str]; 5] = [
        &["--no-such-option"],
        &["--frames", "many"],
        &["--frames", "-1"],
        &["--frames", "0"],
        &["--frames"],
    ];
    for name in examples() {
        for arguments in wrong {
            let (output, _, stderr) = run(without_display(name).args(arguments));
            assert_eq!(output.status.code(), Some(2), "{name} {arguments:?}: {stderr}");
            assert!(stderr.contains(arguments[0]), "{name} {arguments:?}: {stderr}");
            let usage = format!("Usage: {name}");
            assert!(stderr.contains(&usage), "{name} {arguments:?}: {stderr}");
        }
    }
}

#[test]
fn minimal_has_no_picture_and_no_scene_to_offer() {
    for arguments in [&["--screenshot", "a.png"][..], &["a.scn.ron"]] {
        let (output, _, stderr) = run(example("minimal").args(arguments));
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.contains("Usage: minimal"), "{arguments:?}: {stderr}");
    }
}

#[test]
fn minimal_prints_the_same_events_each_time() {
    let (_, first, stderr) = run(&mut example("minimal"));
    let (_, second, _) = run(&mut example("minimal"));
    assert_eq!(first, second);
    for word in ["player", "coin", "wall", "Started", "Persisted", "Ended", "MTV"] {
        assert!(first.contains(word), "{word} is missing in:\n{first}{stderr}");
    }
}

/// Whether this machine can draw. Says so where it cannot, since half of the test is then void.
#[cfg(feature = "examples")]
fn is_rendered(stderr: &str) -> bool {
    let rendered = !stderr.contains("no graphics adapter");
    if !rendered {
        println!("not tested: this machine has no graphics adapter");
    }
    rendered
}

/// Width and height of a picture, and how many colours it has.
#[cfg(feature = "examples")]
fn look_at(picture: &Path) -> (u32, u32, usize) {
    use bevy::asset::RenderAssetUsages;
    use bevy::image::{CompressedImageFormats, Image, ImageFormat, ImageSampler, ImageType};

    let image = Image::from_buffer(
        &std::fs::read(picture).expect("the picture is there"),
        ImageType::Format(ImageFormat::Png),
        CompressedImageFormats::NONE,
        true,
        ImageSampler::Default,
        RenderAssetUsages::MAIN_WORLD,
    )
    .expect("the picture is a PNG");
    let pixels = image.data.as_deref().expect("the picture has pixels").chunks_exact(4);
    let colors: std::collections::HashSet<_> = pixels.collect();
    (image.width(), image.height(), colors.len())
}

#[test]
#[cfg(feature = "examples")]
fn a_screenshot_is_a_png_of_the_scene() {
    for name in examples_with_pictures() {
        let picture = scratch_file("screenshot", &format!("{name}.png"));
        let arguments = ["--headless", "--frames", "20", "--screenshot"];
        let (output, _, stderr) = run(example(name).args(arguments).arg(&picture));
        if !is_rendered(&stderr) {
            assert_eq!(output.status.code(), Some(1), "{name}: no picture is a failure: {stderr}");
            continue;
        }
        assert_eq!(output.status.code(), Some(0), "{name}: {stderr}");
        let (width, height, colors) = look_at(&picture);
        assert_eq!((width, height), (1280, 800), "{name}");
        // Nothing but a background and a line of text would have fewer.
        assert!(colors > 10, "{name}: the picture has {colors} colours");
    }
}

/// The figures of the page, drawn anew and as they are there.
#[test]
#[cfg(feature = "examples")]
fn the_page_of_pictures_has_every_figure() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let page = read_text("docs/pictures.md");
    let directory = scratch_file("figures", "x").with_file_name("");
    let (output, stdout, stderr) = run(example("pictures").arg(&directory));
    if !is_rendered(&stderr) {
        assert_eq!(output.status.code(), Some(1), "no picture is a failure: {stderr}");
        return;
    }
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    let saved: Vec<&str> = stdout.lines().filter_map(|line| line.strip_prefix("saved ")).collect();
    assert!(saved.len() >= 6, "{stdout}");
    for path in saved.iter().map(Path::new) {
        let (width, height, colors) = look_at(path);
        assert_eq!((width, height), (720, 380), "{path:?}");
        assert!(colors > 40, "{path:?} has {colors} colours");
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        assert!(page.contains(&format!("(pictures/{name})")), "{name} is on the page");
        let kept = std::fs::metadata(root.join("pictures").join(name)).expect("a kept picture");
        assert!(kept.len() < 60_000, "{name} is {} bytes large", kept.len());
    }
    let (output, _, stderr) = run(example("pictures").arg("no/such/directory"));
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("no/such/directory"), "{stderr}");
}

#[test]
fn a_picture_that_cannot_be_saved_is_an_error_and_no_panic() {
    for name in examples_with_pictures() {
        let picture = scratch_file("missing", "x").join("no_such_directory/picture.png");
        let arguments = ["--headless", "--frames", "3", "--screenshot"];
        let (output, _, stderr) = run(example(name).args(arguments).arg(&picture));
        assert_eq!(output.status.code(), Some(1), "{name}: {stderr}");
        assert!(stderr.contains("picture"), "{name}: {stderr}");
        assert!(!stderr.contains("panicked"), "{name}: {stderr}");
    }
}

#[test]
fn a_scene_on_the_command_line_opens_and_a_broken_one_is_named() {
    for name in examples_with_scene_files() {
        let arguments = ["scenes/two_tiles.scn.ron", "--headless", "--frames", "2"];
        let (output, _, stderr) = run(example(name).args(arguments));
        assert_eq!(output.status.code(), Some(0), "{name}: {stderr}");
        assert!(!stderr.contains("instead"), "{name}: {stderr}");

        let broken = scratch_file(name, "broken.scn.ron");
        std::fs::write(&broken, "(\n    resources: {},\n    entities: [],\n)").expect("a file");
        let arguments = ["--headless", "--frames", "2"];
        let (output, _, stderr) = run(example(name).arg(&broken).args(arguments));
        assert_eq!(output.status.code(), Some(0), "{name} goes on: {stderr}");
        assert!(stderr.contains("broken.scn.ron:3:"), "{name}: {stderr}");
    }
}

#[test]
#[cfg(feature = "examples")]
fn the_gallery_lists_its_scenes_and_opens_them_by_name() {
    let (output, stdout, stderr) = run(example("gallery").arg("--list-scenes"));
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    let scenes: Vec<&str> = stdout.lines().collect();
    assert!(scenes.len() >= 10 && scenes.contains(&"separating_axes"), "{stdout}");

    let page = read_text("docs/gallery.md");
    for scene in scenes {
        assert!(page.contains(&format!("`gallery {scene}")), "{scene} is on the page");
        assert!(page.contains(&format!("(pictures/gallery-{scene}.png)")), "{scene} has a picture");
        let picture = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(format!("docs/pictures/gallery-{scene}.png"));
        let size = std::fs::metadata(&picture).map(|kept| kept.len());
        assert!(size.is_ok_and(|size| size < 40_000), "{} is kept small", picture.display());
    }

    let few_frames = ["--headless", "--frames", "3"];
    for (arguments, deepest) in [
        (&["--scene", "two_boxes"][..], "overlap by 40.000"),
        (&["two_circles", "--switch", "1"], "overlap by 45.000"),
        (&[], "overlap by 40.000"),
    ] {
        let (output, stdout, stderr) = run(example("gallery").args(arguments).args(few_frames));
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {stderr}");
        assert!(stdout.contains(deepest), "{arguments:?}: {stdout}{stderr}");
    }
    for arguments in [
        &["--scene", "three_boxes"][..],
        &["three_boxes"],
        &["two_boxes", "--scene", "two_circles"],
        &["two_boxes", "--switch", "1"],
    ] {
        let (output, _, stderr) = run(example("gallery").args(arguments).args(few_frames));
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.contains("Usage: gallery"), "{arguments:?}: {stderr}");
    }
}

/// With no adapter to find, the run goes on without drawing and prints the contacts.
#[test]
fn without_a_graphics_adapter_the_contacts_are_printed() {
    for name in examples_with_pictures() {
        let mut command = without_display(name);
        // Names a backend that no machine with tests has.
        command.env("WGPU_BACKEND", "webgpu").args(["--headless", "--frames", "30"]);
        let (output, stdout, stderr) = run(&mut command);
        assert_eq!(output.status.code(), Some(0), "{name}: {stderr}");
        assert!(stdout.contains("contacts in the last step"), "{name}: {stdout}{stderr}");

        let picture = scratch_file("no_adapter", &format!("{name}.png"));
        let (output, _, stderr) = run(command.arg("--screenshot").arg(&picture));
        assert_eq!(output.status.code(), Some(1), "{name}: {stderr}");
        assert!(stderr.contains("no picture could be made"), "{name}: {stderr}");
    }
}

#[test]
fn runs_without_a_window_repeat_themselves() {
    for name in examples_with_pictures() {
        let arguments = ["--headless", "--frames", "90"];
        let (_, first, _) = run(example(name).args(arguments));
        let (_, second, _) = run(example(name).args(arguments));
        assert!(first.contains("contacts in the last step"), "{name}: {first}");
        assert_eq!(without_ids(&first), without_ids(&second), "{name}");
    }
}

/// What was printed, without ids of entities: what else Bevy has spawned by then may differ by one.
fn without_ids(text: &str) -> String {
    let is_id = |word: &str| {
        let (index, generation) = word.split_once('v').unwrap_or_default();
        [index, generation].iter().all(|part| part.parse::<u32>().is_ok())
    };
    let line = |line: &str| {
        let words = line.split(' ').map(|word| if is_id(word) { "entity" } else { word });
        words.collect::<Vec<_>>().join(" ")
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// A recording of one step with a circle, as `docs/recording.md` describes it.
#[cfg(feature = "examples")]
const RECORDING: &str = r#"{"format":"bevy_nudge recording","version":1,"steps":1}
{"step":1,"touching_counts":true,"tolerance":0.0,"candidates":0,"active":1,"ms":0.1,"set":[{"id":4294967290,"kind":"circle","member_of":1,"meets":1,"shape":{"at":[0.0,0.0],"extent":5.0,"radius":5.0,"core":"point"}}]}
{"end":1}
"#;

#[cfg(feature = "examples")]
#[test]
fn replay_plays_a_recording_and_refuses_all_else_with_code_2() {
    let file = scratch_file("replay", "recording.jsonl");
    std::fs::write(&file, RECORDING).expect("written");
    let picture = scratch_file("replay", "recording.png");
    let mut command = example("replay");
    command.arg(&file).args(["--headless", "--frames", "10"]).arg("--screenshot").arg(&picture);
    let (output, _, stderr) = run(&mut command);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");

    let cut_off: String = RECORDING.lines().take(2).map(|line| format!("{line}\n")).collect();
    for (text, expected) in [
        (cut_off.as_str(), "cut off after 1 of 1 steps"),
        ("(resources: {}, entities: {})", "not a recording of bevy_nudge"),
        (&RECORDING.replace("\"version\":1", "\"version\":2"), "version 2"),
    ] {
        std::fs::write(&file, text).expect("written");
        let (output, _, stderr) = run(example("replay").arg(&file).args(["--headless"]));
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(expected), "no {expected:?} in {stderr}");
    }
    let (output, _, stderr) = run(example("replay").args(["nowhere.jsonl", "--headless"]));
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("nowhere.jsonl"), "{stderr}");
    let (output, _, _) = run(&mut example("replay"));
    assert_eq!(output.status.code(), Some(2), "no file at all");
}
