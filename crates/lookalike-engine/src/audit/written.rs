//! Draws that were written down.

use crate::fit::Kept;
use lookalike::audit::{Collect, Run, Schedule, Source, Text};
use lookalike::model::Names;
use lookalike_formats::records::{Columns, CsvOptions, Format};
use lookalike_formats::{Error, Result};
use lookalike_records::{Batch, GrowingLabels, Input, open_source};
use std::path::Path;

/// The file of draws and its two columns.
#[derive(Debug, Clone)]
pub struct WrittenInput<'a> {
    /// The file; `-` is standard input.
    pub path: &'a Path,
    /// Its format.
    pub format: Format,
    /// How CSV is read.
    pub csv: &'a CsvOptions,
    /// The column of secrets.
    pub secret: &'a str,
    /// The column of outputs: text, also empty, or numbers of any kind.
    pub output: &'a str,
}

/// Draws from a file, one a row: a secret and what was released for it.
///
/// The even draws of each secret choose what to test, the odd ones test it, counted from 0 in the order of the file.
/// Nothing can be drawn again, so nothing is known about a fresh start.
#[derive(Debug)]
pub struct Written {
    secrets: Names,
    /// The outputs that occur, by their codes.
    outputs: Vec<Text>,
    /// The codes of each secret's outputs, in the order of the file.
    draws: Vec<Vec<u32>>,
}

impl Written {
    /// The draws of a file. `outputs` are those that may occur, where they are known; `progress` is told the bytes read
    /// so far.
    ///
    /// # Errors
    /// Records that cannot be read, a secret or an output that is not known, by row and column.
    ///
    /// # Complexity
    /// One pass; four bytes a draw and a text for each different output.
    pub fn read(
        input: &WrittenInput<'_>,
        secrets: &Names,
        outputs: Option<&Names>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Self> {
        let (found, texts) = (GrowingLabels::default(), GrowingLabels::with_empty());
        // A kept column has any type; a source wants a value that it can match, and gets the secret.
        let (secret, output) = (input.secret.to_owned(), input.output.to_owned());
        let columns = Columns { profile: Some(secret.clone()), values: vec![secret], keep: vec![output] };
        let source =
            Input { path: input.path, format: input.format, csv: input.csv, columns: &columns, charging: None };
        let mut source = open_source(&source, Some(Box::new(found.clone())), Box::new(found.clone()), None)?;
        let mut draws = vec![Vec::new(); secrets.len()];
        let what = if outputs.is_some() { "secrets of the mechanism" } else { "secrets" };
        let mut places = Places { labels: found, known: secrets, what, of_code: Vec::new() };
        let what = "outputs of the mechanism";
        let mut known =
            outputs.map(|outputs| Places { labels: texts.clone(), known: outputs, what, of_code: Vec::new() });
        let mut batch = Batch::default();
        while source.read_batch(&mut batch)? {
            let kept = Kept { batch: &batch, place: 0, name: input.output, trim: input.csv.trim };
            let codes = kept.codes(&texts, None)?;
            for (at, (&secret, &output)) in batch.profiles.iter().zip(&codes).enumerate() {
                let row = batch.first_row + at as u64 + 1;
                let secret = places.of(secret).ok_or_else(|| places.refusal(row, input.secret))?;
                if let Some(known) = &mut known {
                    known.of(output).ok_or_else(|| known.refusal(row, input.output))?;
                }
                draws[secret as usize].push(output);
            }
            progress(source.bytes_read());
        }
        let outputs = texts.names().iter().map(|text| Text::new(text)).collect();
        Ok(Written { secrets: secrets.clone(), outputs, draws })
    }

    /// How many draws there are.
    pub fn len(&self) -> u64 {
        self.draws.iter().map(|draws| draws.len() as u64).sum()
    }

    /// Whether there is no draw.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The places of labels among known names, found when they are first met.
struct Places<'a> {
    labels: GrowingLabels,
    known: &'a Names,
    what: &'static str,
    of_code: Vec<Option<u32>>,
}

impl Places<'_> {
    fn of(&mut self, code: u32) -> Option<u32> {
        if self.of_code.len() <= code as usize {
            self.of_code = self.labels.names().iter().map(|name| self.known.place(name)).collect();
        }
        self.of_code[code as usize]
    }

    fn refusal(&self, row: u64, column: &str) -> Error {
        Error::input(format!("row {row}, column {column:?}: none of the {} {}", self.known.len(), self.what))
    }
}

impl Source for Written {
    type Output = Text;

    fn run<C: Collect<Text>>(
        &self,
        run: Run,
        schedule: &Schedule,
        new: &(dyn Fn() -> C + Sync),
    ) -> lookalike::Result<C> {
        let mut secrets = schedule.secrets();
        if let Some(&secret) = secrets.iter().find(|&&secret| self.draws[secret as usize].len() < 2) {
            let (name, found) = (self.secrets.name(secret), self.draws[secret as usize].len());
            return Err(lookalike::Error::failed(format!(
                "secret {name:?} has {found} of the draws, expected at least 2: one to choose the tests, one to make them"
            )));
        }
        // In turns, since an audit looks closer at the first draws of a run.
        let (mut collector, mut place, mut round) = (new(), 0, usize::from(run == Run::Testing));
        while !secrets.is_empty() {
            let before = place;
            secrets.retain(|&secret| {
                let output = self.draws[secret as usize].get(round);
                if let Some(&output) = output {
                    collector.see(secret, place, &self.outputs[output as usize]);
                    place += 1;
                }
                output.is_some()
            });
            collector.progress(place - before);
            round += 2;
        }
        Ok(collector)
    }

    fn starts_afresh(&self) -> bool {
        false
    }
}

#[cfg(test)]
#[path = "written_tests.rs"]
mod tests;
