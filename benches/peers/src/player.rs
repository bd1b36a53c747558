//! A contestant as the main process sees it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::Options;
use crate::engines::Engine;

/// A contestant in its process.
pub struct Player {
    pub engine: Engine,
    child: Child,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Player {
    pub fn start(scene: &str, engine: Engine, options: &Options) -> Result<Self, String> {
        let failed = |error| format!("cannot start {}: {error}", engine.name());
        let program = std::env::current_exe().map_err(failed)?;
        let tied = options.threads == 1
            && options.core != "none"
            && Command::new("taskset").arg("--version").stdout(Stdio::null()).status().is_ok();
        let mut command = if tied {
            let mut command = Command::new("taskset");
            command.args(["-c", &options.core]).arg(program);
            command
        } else {
            Command::new(program)
        };
        let mut child = command
            .args(["--child", "--scenes", scene, "--engines", engine.name(), "--threads"])
            .arg(options.threads.to_string())
            .env("RAYON_NUM_THREADS", options.threads.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let (orders, answers) = (child.stdin.take(), child.stdout.take());
        let (Some(orders), Some(answers)) = (orders, answers) else {
            return Err("a child without pipes".to_owned());
        };
        let mut player = Self { engine, child, orders, answers: BufReader::new(answers) };
        player.answer()?;
        Ok(player)
    }

    pub fn order(&mut self, order: &str) -> Result<String, String> {
        // A child that is gone is noticed by its answer.
        _ = writeln!(self.orders, "{order}");
        self.answer()
    }

    fn answer(&mut self) -> Result<String, String> {
        let mut line = String::new();
        match self.answers.read_line(&mut line) {
            Ok(length) if length > 0 => Ok(line.trim_end().to_owned()),
            _ => Err(format!("{} ended early", self.engine.name())),
        }
    }

    /// Gives the last order, and waits until the process is gone.
    pub fn end(mut self) -> Result<String, String> {
        let answer = self.order("end");
        _ = self.child.wait();
        answer
    }

    /// Lets the process go, which ends with its input.
    pub fn dismiss(mut self) {
        drop(self.orders);
        _ = self.child.wait();
    }
}
