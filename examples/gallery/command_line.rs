//! The command line of the gallery: scenes by name instead of by file.

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use crate::figures::ALL;
use crate::shared::options::{self, Options};

/// Figures to drag that show why two shapes collide.
#[derive(Parser)]
#[command(name = "gallery")]
struct Arguments {
    #[command(flatten)]
    options: Options,

    /// The same, as an option.
    #[arg(long = "scene", id = "named", value_name = "NAME", conflicts_with = "scene")]
    named: Option<String>,

    /// Print the names of the scenes, one a line, and exit.
    #[arg(long)]
    list_scenes: bool,
}

/// What the command line asks for, with the index of the scene to open. None if all is done.
///
/// A wrong option, value or name ends the program with a usage line and exit code 2.
pub(crate) fn parse() -> Option<(Options, usize)> {
    let help = "Name of the scene to open; --list-scenes prints them";
    let command = Arguments::command()
        .mut_arg("scene", |argument| argument.value_name("NAME").help(help).long_help(help));
    let Arguments { mut options, named, list_scenes } = options::parse(command.clone());
    if list_scenes {
        ALL.iter().for_each(|entry| println!("{}", entry.name));
        return None;
    }
    let word = options.scene.take().map(|word| word.to_string_lossy().into_owned());
    let Some(name) = named.or(word) else { return Some((options, 0)) };
    match ALL.iter().position(|entry| entry.name == name) {
        Some(scene) => Some((options, scene)),
        None => {
            let names: Vec<_> = ALL.iter().map(|entry| entry.name).collect();
            let fault = format!("there is no scene '{name}'. Scenes: {}", names.join(", "));
            let mut command = command;
            let error = command.error(ErrorKind::InvalidValue, fault);
            options::exit_with_usage(&error, &mut command)
        }
    }
}
