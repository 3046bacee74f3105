//! `lookalike counts release`.

use crate::Answer;
use crate::certify::refuted;
use crate::formats::{Formulas, InputFormat};
use crate::outcome::warn;
use crate::streams::{is_stdout, length};
use crate::terminal::{Terminal, count, print};
use lookalike_engine::counts::{CountsRelease, CountsReleased};
use lookalike_engine::records::{Columns, Encoder, Format, Input, RecordSource, open_source};
use lookalike_engine::{Facts, ReadFile, releases_csv, write_atomically};
use lookalike_formats::{Error, MechanismFile, Result, largest_epsilon};
use std::path::PathBuf;

/// Count the rows of each group that match, and release the counts through a mechanism
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike counts release m.json records.csv --group ward --where ill=yes -o private.csv
  lookalike counts release m.json records.parquet --group ward --where age=80-89,90+ -o private.csv

Protected: what the --where column says in one row. Which rows belong to which group is public, and so is how many they
are: at most n. Groups share no row, so that all counts together cost epsilon once; a person with k rows costs it k
times, in one group or in several.")]
pub struct Release {
    /// The mechanism file, over counts from 0 to n
    mechanism: PathBuf,
    /// The records: CSV, Parquet or Arrow; - for standard input
    records: PathBuf,
    /// The public column that says which group a row belongs to
    #[arg(long, value_name = "COLUMN")]
    group: String,
    /// What is counted: rows with one of these values in this private column
    #[arg(long, value_name = "COLUMN=VALUE[,VALUE]", value_parser = predicate)]
    r#where: Predicate,
    /// Where to write, as CSV; - for standard output
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Draw reproducibly, for tests and experiments only: whoever knows the seed can undo the noise
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    formulas: Formulas,
    #[command(flatten)]
    format: InputFormat,
}

/// A column and the values that match.
#[derive(Debug, Clone)]
struct Predicate {
    column: String,
    values: Vec<String>,
}

fn predicate(text: &str) -> std::result::Result<Predicate, String> {
    let parts = text.split_once('=').filter(|(column, _)| !column.is_empty());
    let (column, values) = parts.ok_or("expected a column and its values, like ill=yes or age=80-89,90+")?;
    let values: Vec<String> = values.split(',').map(str::to_owned).collect();
    if values.iter().any(String::is_empty) {
        return Err("an empty value, expected values like ill=yes or age=80-89,90+".into());
    }
    Ok(Predicate { column: column.to_owned(), values })
}

impl Release {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        self.check(terminal)?;
        let request = CountsRelease {
            mechanism: MechanismFile::read(&self.mechanism)?.mechanism,
            mechanism_at: Some(&self.mechanism),
            records_at: Some(&self.records),
            matching: self.r#where.values.clone(),
            group: self.group.clone(),
            seed: self.seed,
        };
        let bar = terminal.bytes(length(&self.records));
        let open = |groups, matches| self.open(groups, matches);
        let released = request.run(open, &mut |bytes| bar.set_position(bytes));
        bar.finish_and_clear();
        let released = match released? {
            Ok(released) => released,
            Err(found) => return refuted(&found, "nothing released", terminal),
        };
        let rows: Vec<(String, &str)> =
            released.released.iter().map(|(group, count)| (group.clone(), count.as_str())).collect();
        let csv = releases_csv([&self.group, "count"], &rows, self.formulas.escape)?;
        if is_stdout(&self.output) {
            print(&csv)?;
        } else {
            write_atomically(&self.output, terminal.force(), csv.as_bytes())?;
        }
        self.report(terminal, &released)?;
        Ok(Answer::Yes)
    }

    fn check(&self, terminal: &Terminal) -> Result<()> {
        if terminal.json() && is_stdout(&self.output) {
            return Err(Error::input("--json and -o -: both would go to standard output, expected -o FILE"));
        }
        if self.group == self.r#where.column {
            return Err(Error::input(format!(
                "--group and --where both name {:?}: groups are public, and what is counted is private",
                self.group
            )));
        }
        let is_plain = self.output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
        if Format::of(&self.output).is_some() && !is_plain {
            let path = self.output.display();
            return Err(Error::input(format!(
                "-o {path}: counts are released as plain CSV, expected a name like out.csv"
            )));
        }
        self.format.check(&self.records)
    }

    fn open(&self, groups: Encoder, matches: Encoder) -> Result<Box<dyn RecordSource>> {
        let columns =
            Columns { profile: Some(self.group.clone()), values: vec![self.r#where.column.clone()], keep: Vec::new() };
        let csv = self.format.csv_options(&self.records);
        let format = self.format.format(&self.records);
        let input = Input { path: &self.records, format, csv: &csv, columns: &columns, charging: None };
        open_source(&input, Some(groups), matches, None)
    }

    fn report(&self, terminal: &Terminal, released: &CountsReleased) -> Result<()> {
        warn(&released.warnings(), terminal);
        if terminal.json() {
            return terminal.answer(released.facts().json(), String::new);
        }
        let mechanism = released.certified.mechanism();
        let (epsilon, groups) = (largest_epsilon(mechanism), released.released.len());
        terminal.note(&format!(
            "Released the counts of {} at epsilon {epsilon} for {}.\n\
             Protected: {:?} of one row; not which rows are in which group, nor how many they are.\n\
             Groups share no row, so this is the epsilon of all counts together; a person with k rows adds it up k times.",
            count(groups as u64, "group"),
            mechanism.secrets(),
            self.r#where.column
        ));
        Ok(())
    }
}
