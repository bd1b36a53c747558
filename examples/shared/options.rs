//! The command line that all examples share.

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, value_parser};

/// What the command line of an example asks for.
///
/// A wrong option or value ends the program with a usage line and exit code 2.
#[derive(Parser, Clone, Debug, Default)]
pub(crate) struct Options {
    /// Scene file to open, in Bevy's `.scn.ron` format. A relative path is looked up in the
    /// current directory, then in the crate's `assets` directory.
    #[arg(value_name = "SCENE")]
    pub(crate) scene: Option<PathBuf>,

    /// Run this many frames, then exit.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u32).range(1..))]
    pub(crate) frames: Option<u32>,

    /// Save the last frame as a PNG. Without --frames, that is the one in which Esc is pressed.
    #[arg(long, value_name = "PATH")]
    pub(crate) screenshot: Option<PathBuf>,

    /// Run without a window. Each frame then takes 1/60 s of the game's time.
    #[arg(long)]
    pub(crate) headless: bool,
}

const NO_SCENE: &str = "this example opens no scene file; try the examples playground and crowd";

impl Options {
    /// Reads the command line of the example `name`, which shows `about`.
    pub(crate) fn parse_for(name: &'static str, about: &'static str) -> Self {
        parse(Self::command().name(name).about(about).long_about(about))
    }

    /// Reads the command line of an example that makes its scene itself.
    pub(crate) fn parse_without_scene(name: &'static str, about: &'static str) -> Self {
        let mut command = Self::without_scene(name, about);
        let options: Self = parse(command.clone());
        if options.scene.is_some() {
            command.error(ErrorKind::ArgumentConflict, NO_SCENE).exit();
        }
        options
    }

    /// Reads the command line of an example that opens a recording in place of a scene.
    pub(crate) fn parse_for_recording(name: &'static str, about: &'static str) -> Self {
        let command = Self::command().name(name).about(about).long_about(about);
        parse(command.mut_arg("scene", |argument| {
            argument
                .value_name("FILE")
                .required(true)
                .help("Recording that the contact panel saved.")
        }))
    }

    /// Reads the command line of an example that draws nothing and has no scene file.
    pub(crate) fn parse_without_window(name: &'static str, about: &'static str) -> Self {
        let hide = |argument: clap::Arg| argument.hide(true);
        let mut command = Self::without_scene(name, about).mut_arg("screenshot", hide);
        let options: Self = parse(command.clone());
        let fault = if options.screenshot.is_some() {
            "--screenshot: this example draws nothing, there is no picture to save"
        } else if options.scene.is_some() {
            NO_SCENE
        } else {
            return options;
        };
        command.error(ErrorKind::ArgumentConflict, fault).exit()
    }

    /// A scene is read all the same, to say that there is none.
    fn without_scene(name: &'static str, about: &'static str) -> clap::Command {
        let command = Self::command().name(name).about(about).long_about(about);
        let usage = format!("{name} [OPTIONS]");
        command.mut_arg("scene", |scene| scene.hide(true)).override_usage(usage)
    }
}

/// Reads the command line, or ends the program with the fault and the usage.
pub(crate) fn parse<Arguments: Parser>(mut command: clap::Command) -> Arguments {
    command
        .try_get_matches_from_mut(std::env::args_os())
        .and_then(|matches| Arguments::from_arg_matches(&matches))
        .unwrap_or_else(|error| exit_with_usage(&error, &mut command))
}

/// Prints the error, and the usage too: by itself clap leaves it out when a value is bad.
pub(crate) fn exit_with_usage(error: &clap::Error, command: &mut clap::Command) -> ! {
    let text = error.render().to_string();
    // Asking for help counts as an error too, the one that is none.
    if error.use_stderr() && !text.contains("Usage:") {
        eprintln!("{}\n\n{}", text.trim_end(), command.render_usage());
        std::process::exit(error.exit_code());
    }
    error.exit()
}
