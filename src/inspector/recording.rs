//! Steps in a file: written from the history, read back to look at elsewhere.
//!
//! `docs/recording.md` in the repository describes the format.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::sync::Arc;

use bevy::prelude::Entity;
use thiserror::Error;

use super::history::History;
use super::recorded_colliders::{RecordedCollider, RecordedColliders};
use super::recorder::{Listed, Recorder};
use super::recording_lines::{ColliderLine, EndLine, FirstLine, StepLine, entity_of};
use super::step_record::StepRecord;

/// What stands in the first line of every recording.
pub(super) const FORMAT: &str = "bevy_nudge recording";

/// The version of the format that this crate writes, and the only one that it reads.
const VERSION: u32 = 1;

/// A stretch of steps, to save and to look at later.
///
/// ```
/// use bevy_nudge::inspector::{CollisionInspector, Recording};
///
/// fn save(inspector: &CollisionInspector) -> std::io::Result<()> {
///     Recording::of(&inspector.history, 0..=u64::MAX).save("bug.jsonl".as_ref())
/// }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Recording {
    steps: Vec<Arc<StepRecord>>,
}

/// Why a file is no recording that can be read.
#[derive(Debug, Error)]
pub enum RecordingError {
    /// The file cannot be opened or read.
    #[error("{0}")]
    Unreadable(#[from] io::Error),
    /// The first line is not that of a recording.
    #[error("it is not a recording of bevy_nudge: its first line does not say so")]
    Foreign,
    /// It was written in a version of the format that this crate does not know.
    #[error("it has version {0} of the format, and this program reads version {VERSION}")]
    Version(u32),
    /// A line is not what should stand there.
    #[error("line {line}: {reason}")]
    Malformed {
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The file ends before the recording does.
    #[error("it is cut off after {found} of {expected} steps")]
    Truncated {
        /// How many whole steps there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
}

impl Recording {
    /// The kept steps with these numbers.
    #[must_use]
    pub fn of(history: &History, steps: core::ops::RangeInclusive<u64>) -> Self {
        let is_in = |record: &&Arc<StepRecord>| steps.contains(&record.step);
        Self { steps: history.steps().filter(is_in).cloned().collect() }
    }

    /// The steps, the oldest first.
    #[must_use]
    pub fn steps(&self) -> &[Arc<StepRecord>] {
        &self.steps
    }

    /// The steps, to be looked at.
    pub(super) fn into_steps(self) -> Vec<Arc<StepRecord>> {
        self.steps
    }

    /// Writes the recording into a file, which is made anew.
    ///
    /// # Errors
    /// What the system says.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let mut file = io::BufWriter::new(std::fs::File::create(path)?);
        self.write(&mut file)?;
        file.flush()
    }

    /// Reads a recording from a file.
    ///
    /// # Errors
    /// A file that cannot be read, that is no recording, or that is cut off.
    pub fn load(path: &Path) -> Result<Self, RecordingError> {
        Self::read(io::BufReader::new(std::fs::File::open(path)?))
    }

    /// Writes the recording.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let steps = self.steps.len();
        let first = FirstLine { format: FORMAT.to_owned(), version: VERSION, steps };
        write_line(to, &first)?;
        // Each with the step in which it was last seen.
        let mut known: BTreeMap<Entity, (u64, RecordedCollider)> = BTreeMap::new();
        for record in &self.steps {
            let mut line = StepLine::of(record);
            for collider in record.colliders.iter() {
                let former = known.insert(collider.entity, (record.step, collider));
                if former.is_none_or(|(_, former)| former != collider) {
                    line.set.push(ColliderLine::of(collider));
                }
            }
            known.retain(|entity, (step, _)| {
                if *step != record.step {
                    line.gone.push(entity.to_bits());
                }
                *step == record.step
            });
            write_line(to, &line)?;
        }
        write_line(to, &EndLine { end: steps })
    }

    /// Reads a recording.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn read(mut from: impl BufRead) -> Result<Self, RecordingError> {
        let first = next_line(&mut from)?;
        let first: FirstLine = first
            // Some editors put a mark in front.
            .and_then(|line| serde_json::from_str(line.trim_start_matches('\u{feff}')).ok())
            .filter(|first: &FirstLine| first.format == FORMAT)
            .ok_or(RecordingError::Foreign)?;
        if first.version != VERSION {
            return Err(RecordingError::Version(first.version));
        }
        let expected = first.steps;
        let mut steps: Vec<Arc<StepRecord>> = Vec::new();
        let mut known = BTreeMap::new();
        loop {
            let number = steps.len() + 2;
            let cut_off = RecordingError::Truncated { found: steps.len(), expected };
            let Some(line) = next_line(&mut from)? else { return Err(cut_off) };
            let malformed = |reason: String| RecordingError::Malformed { line: number, reason };
            if steps.len() == expected {
                let end = serde_json::from_str::<EndLine>(&line);
                let is_end = end.is_ok_and(|end| end.end == expected);
                let reason = "the end of the recording should stand here".to_owned();
                return if is_end { Ok(Self { steps }) } else { Err(malformed(reason)) };
            }
            if serde_json::from_str::<EndLine>(&line).is_ok() {
                let found = steps.len();
                let reason = format!("the end stands here, after {found} of {expected} steps");
                return Err(malformed(reason));
            }
            let line: StepLine = match serde_json::from_str(&line) {
                Ok(line) => line,
                Err(error) if error.is_eof() && next_line(&mut from)?.is_none() => {
                    return Err(cut_off);
                }
                Err(error) => return Err(malformed(reason_of(&error))),
            };
            if steps.last().is_some_and(|last| last.step >= line.step) {
                return Err(malformed("the number of the step does not grow".to_owned()));
            }
            for gone in &line.gone {
                known.remove(&entity_of(*gone).map_err(malformed)?);
            }
            for collider in &line.set {
                let (entity, shape, traits) = collider.read().map_err(malformed)?;
                known.insert(entity, (shape, traits));
            }
            let former = steps.last().map(|record| &record.colliders);
            let mut recorder = Recorder::new(former, RecordedColliders::default());
            let mut listed = Listed::default();
            for (entity, (shape, traits)) in &known {
                listed.push(*entity, shape.as_ref(), traits.into());
            }
            recorder.add(&listed);
            let colliders = recorder.finish();
            let record = line.read(colliders).map_err(malformed)?;
            let mut met = record.contacts.iter().flat_map(|pair| [pair.a, pair.b]);
            if let Some(stranger) = met.find(|entity| !known.contains_key(entity)) {
                let id = stranger.to_bits();
                return Err(malformed(format!(
                    "a contact of {id}, which is no collider of the step"
                )));
            }
            steps.push(Arc::new(record));
        }
    }
}

fn write_line(to: &mut impl Write, line: &impl serde::Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *to, line)?;
    to.write_all(b"\n")
}

/// The next line that is not empty; none at the end of the file.
fn next_line(from: &mut impl BufRead) -> Result<Option<String>, RecordingError> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if from.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        // What is no text, in a foreign file or at a cut, is no JSON either, which is told then.
        let text = String::from_utf8_lossy(&line);
        if !text.trim().is_empty() {
            return Ok(Some(text.trim_end().to_owned()));
        }
    }
}

/// What is wrong with a line of JSON, and where in it. serde's own words count lines, which would be
/// a second number beside that of the line in the file.
fn reason_of(error: &serde_json::Error) -> String {
    let words = error.to_string();
    let words = words.rsplit_once(" at line ").map_or(&*words, |(words, _)| words);
    format!("{words}, at column {}", error.column())
}
