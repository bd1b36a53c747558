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

    /// Flip a switch of the scene at the start, as the key of this number does.
    #[arg(long = "switch", value_name = "NUMBER")]
    switches: Vec<usize>,

    /// Print the names of the scenes, one a line, and exit.
    #[arg(long)]
    list_scenes: bool,
}

/// What to open first.
pub(crate) struct Start {
    /// Index of the figure.
    pub(crate) scene: usize,
    /// The switches to flip, counted from 1.
    pub(crate) switches: Vec<usize>,
}

/// What the command line asks for. None if all is done.
///
/// A wrong option, value or name ends the program with a usage line and exit code 2.
pub(crate) fn parse() -> Option<(Options, Start)> {
    let help = "Name of the scene to open; --list-scenes prints them";
    let mut command = Arguments::command()
        .mut_arg("scene", |argument| argument.value_name("NAME").help(help).long_help(help));
    let arguments: Arguments = options::parse(command.clone());
    if arguments.list_scenes {
        ALL.iter().for_each(|entry| println!("{}", entry.name));
        return None;
    }
    let mut options = arguments.options;
    let word = options.scene.take().map(|word| word.to_string_lossy().into_owned());
    match find_start(arguments.named.or(word), arguments.switches) {
        Ok(start) => Some((options, start)),
        Err(fault) => {
            let error = command.error(ErrorKind::InvalidValue, fault);
            options::exit_with_usage(&error, &mut command)
        }
    }
}

/// # Errors
/// Says that there is no such scene, or no such switch in it.
fn find_start(name: Option<String>, switches: Vec<usize>) -> Result<Start, String> {
    let scene = match name {
        None => 0,
        Some(name) => ALL.iter().position(|entry| entry.name == name).ok_or_else(|| {
            let names: Vec<_> = ALL.iter().map(|entry| entry.name).collect();
            format!("there is no scene '{name}'. Scenes: {}", names.join(", "))
        })?,
    };
    let count = (ALL[scene].make)().switches().len();
    match switches.iter().find(|&&switch| switch == 0 || switch > count) {
        None => Ok(Start { scene, switches }),
        Some(switch) => {
            let has = match count {
                0 => "no switch".to_owned(),
                1 => "only switch 1".to_owned(),
                _ => format!("switches 1 to {count}"),
            };
            Err(format!("--switch {switch}: the scene {} has {has}", ALL[scene].name))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_is_found_by_its_name() {
        for (index, entry) in ALL.iter().enumerate() {
            let start = find_start(Some(entry.name.to_owned()), Vec::new());
            assert_eq!(start.map(|start| start.scene), Ok(index), "{}", entry.name);
            let same = ALL.iter().filter(|other| other.name == entry.name).count();
            assert_eq!(same, 1, "{} is the name of one scene", entry.name);
        }
        assert_eq!(find_start(None, Vec::new()).map(|start| start.scene), Ok(0));
    }

    #[test]
    fn unknown_scenes_and_switches_are_named() {
        let fault = |name: &str, switches| find_start(Some(name.to_owned()), switches).err();
        let scene = fault("three_boxes", vec![]).expect("there is none");
        assert!(
            scene.starts_with("there is no scene 'three_boxes'. Scenes: two_boxes,"),
            "{scene}"
        );
        let switch = fault("two_circles", vec![1, 2]).expect("there is one only");
        assert_eq!(switch, "--switch 2: the scene two_circles has only switch 1");
        let switch = fault("two_boxes", vec![9]).expect("there is none");
        assert_eq!(switch, "--switch 9: the scene two_boxes has no switch");
        assert_eq!(fault("two_circles", vec![1]), None);
    }
}
