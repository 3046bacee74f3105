//! `lookalike counts release`.

use crate::Answer;
use crate::certify::proved;
use crate::formats::{Formulas, InputFormat};
use crate::privatize::fresh_key;
use crate::streams::{at_input, is_stdout, length};
use crate::terminal::{Terminal, count, print};
use lookalike::model::Mechanism;
use lookalike::sample::RandomKey;
use lookalike_engine::records::{Columns, Encoder, Format, GrowingLabels, Input, open_source};
use lookalike_engine::{
    Matches, ReadFile, count_groups, protected_counts, release_counts, releases_csv, write_atomically,
};
use lookalike_formats::{Error, MechanismFile, Result, largest_epsilon};
use serde_json::json;
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
        let mechanism = MechanismFile::read(&self.mechanism)?.mechanism;
        let n = protected_counts(&mechanism).map_err(|error| error.in_file(&self.mechanism))?;
        let Some(certified) = proved(mechanism, "nothing released", terminal)? else {
            return Ok(Answer::No);
        };
        let groups = self.counted(n, terminal)?;
        let key = self.seed.map_or_else(|| fresh_key("nothing is released"), |seed| Ok(RandomKey::from_seed(seed)))?;
        let released = release_counts(&certified, &groups, &key)?;
        let csv = releases_csv([&self.group, "count"], &released, self.formulas.escape)?;
        if is_stdout(&self.output) {
            print(&csv)?;
        } else {
            write_atomically(&self.output, terminal.force(), csv.as_bytes())?;
        }
        self.report(terminal, certified.mechanism(), released.len())?;
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

    /// The true counts.
    fn counted(&self, n: usize, terminal: &Terminal) -> Result<Vec<(String, u32)>> {
        let groups = GrowingLabels::default();
        let (group, matches): (Encoder, Encoder) =
            (Box::new(groups.clone()), Box::new(Matches::any_of(self.r#where.values.clone())));
        let columns =
            Columns { profile: Some(self.group.clone()), values: vec![self.r#where.column.clone()], keep: Vec::new() };
        let csv = self.format.csv_options(&self.records);
        let format = self.format.format(&self.records);
        let input = Input { path: &self.records, format, csv: &csv, columns: &columns, charging: None };
        let named = |error| at_input(error, &self.records);
        let mut source = open_source(&input, Some(group), matches, None).map_err(named)?;
        let bar = terminal.bytes(length(&self.records));
        let counted = count_groups(&mut *source, || groups.names(), n, &mut |bytes| bar.set_position(bytes));
        bar.finish_and_clear();
        counted.map_err(named)
    }

    fn report(&self, terminal: &Terminal, mechanism: &Mechanism, groups: usize) -> Result<()> {
        if let Some(seed) = self.seed {
            terminal.warn(&format!("seeded with {seed}: reproducible, hence not private"));
        }
        let epsilon = largest_epsilon(mechanism);
        if terminal.json() {
            let object = json!({
                "groups": groups,
                "seeded": self.seed.is_some(),
                "epsilon": epsilon.to_f64(),
                "epsilon_text": epsilon.to_string(),
                "secrets": mechanism.secrets().word(),
                "released_in_clear": [self.group],
            });
            return terminal.answer(object, String::new);
        }
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
