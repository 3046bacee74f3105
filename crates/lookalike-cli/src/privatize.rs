//! `lookalike privatize`.

mod asked;
mod job;

use crate::Answer;
use crate::formats::Formats;
use crate::interrupt::Interrupt;
use crate::ledger::charge::{ChargeOptions, ChargeReport};
use crate::noise::width_text;
use crate::streams::{Stdout, check_stdout_before, is_closed_pipe, is_stdout, length};
use crate::terminal::{Terminal, count, spelled};
use indicatif::ProgressBar;
use job::Job;
use lookalike::exact::Epsilon;
use lookalike::model::{Noise, Secrets};
use lookalike::sample::RandomKey;
use lookalike_engine::noise::Width;
use lookalike_engine::{
    AtomicFile, Facts, Level, Privatized, ReleaseNote, RowsOut, Target, is_written_through, no_value_changed,
    repeated_reports,
};
use lookalike_formats::{Error, Result};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Release the records of a file through a certified mechanism
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike privatize m.json records.csv --profile user --value load -o private.csv
  lookalike privatize m.json records.parquet --profile user --value load --keep day -o private.parquet
  zcat big.csv.gz | lookalike privatize m.json - --profile user --value load -o - > private.csv
  lookalike privatize m.json records.csv --profile user --value load --ledger account.ledger --subject user -o private.csv
  producer | lookalike privatize m.json - --format arrow-stream --value load -o private.parquet

A file of the kind noise (`lookalike noise`) takes a column of numbers, and one of an oracle (`lookalike local`) releases reports.
The formats are told by the ends of names: .csv, .tsv, .csv.gz, .parquet, .arrow (also .feather, .ipc), .arrows for a
stream; --format and --output-format say otherwise.
Only the privatized column is written. Columns named with --keep are released in clear, outside epsilon.")]
pub struct Privatize {
    /// The mechanism file
    mechanism: PathBuf,
    /// The records: CSV, Parquet or Arrow; - for standard input
    data: PathBuf,
    /// Where to write; - for standard output
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// The column with the profile
    #[arg(long, value_name = "COLUMN", default_value = "profile")]
    profile: String,
    /// The column with the private value; several make one joint category, joined with |
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', default_value = "value")]
    value: Vec<String>,
    /// Columns to release in clear beside the privatized one
    #[arg(long, value_name = "COLUMN", value_delimiter = ',')]
    keep: Vec<String>,
    /// Release the profile in clear too: this gives the secret away
    #[arg(long)]
    keep_profile: bool,
    /// Allow what gives a secret away
    #[arg(long)]
    r#unsafe: bool,
    /// What to do with a value that is no category: error, or a category that takes its place
    #[arg(long, value_name = "error|CATEGORY", default_value = "error")]
    unknown: String,
    /// Release the rows in a random order, whatever their number; what does not fit in memory waits encrypted on disk
    #[arg(long)]
    shuffle: bool,
    /// Draw reproducibly, for tests and experiments only: whoever knows the seed can undo the noise
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    charge: ChargeOptions,
    /// With a ledger: write how many rows stand in for others to this file, for `estimate --note`
    #[arg(long, value_name = "FILE", requires = "ledger")]
    note: Option<PathBuf>,
    #[command(flatten)]
    formats: Formats,
}

/// What a run released.
enum Released {
    /// Every record.
    All(Box<Whole>),
    /// As many as the reader of a pipe wanted.
    Some,
}

/// A release of every record.
struct Whole {
    epsilon: Epsilon,
    secrets: Secrets,
    /// Where numbers were released.
    noise: Option<Box<Noise>>,
    charged: Option<ChargeReport>,
    said: Said,
    done: Privatized,
}

/// What is said of a release on the terminal alone, since it is about the private records.
struct Said {
    /// That no value was changed, and why the promise holds.
    unchanged: Option<String>,
    /// What the reports of one profile or person add up to.
    repeated: Option<String>,
}

impl Privatize {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        if terminal.json() && is_stdout(&self.output) {
            return Err(Error::input("--json and -o -: both would go to standard output, expected -o FILE"));
        }
        let Some(released) = self.released(terminal)? else {
            return Ok(Answer::No);
        };
        let Released::All(whole) = released else {
            // A reader that has seen enough, such as head, is not an error.
            return Ok(Answer::Yes);
        };
        let Whole { epsilon, secrets, noise, charged, said, done } = *whole;
        let width = noise.map(|noise| Width::of(&noise, &Level::usual())).transpose()?;
        self.report(terminal, (&epsilon, &secrets), width.as_ref(), charged.as_ref(), &said, &done)?;
        Ok(Answer::Yes)
    }

    /// Releases the records; `None` with a warning when the mechanism is not private.
    fn released(&self, terminal: &Terminal) -> Result<Option<Released>> {
        self.check()?;
        self.formats.check(&self.data, &self.output)?;
        let Some(mut job) = self.job(terminal)? else {
            return Ok(None);
        };
        // Before a row is charged.
        let note = self.note.as_ref().map(|path| AtomicFile::create(path, terminal.force())).transpose()?;
        let key = self.key()?;
        let bar = terminal.bytes(length(&self.data));
        let rows_out = rows_out(&self.output, &bar, "row");
        let done = if is_stdout(&self.output) {
            check_stdout_before(&self.data)?;
            match self.release(&mut job, Box::new(Stdout::new()), &key, &bar, rows_out.as_deref()) {
                Err(error) if is_closed_pipe(&error) => {
                    closed(terminal, rows_out.as_deref());
                    return Ok(Some(Released::Some));
                }
                done => {
                    let done = done?;
                    write_note(note, &job, done.rows)?;
                    done
                }
            }
        } else {
            let mut file = AtomicFile::create(&self.output, terminal.force())?;
            let done = self.release(&mut job, Box::new(&mut file), &key, &bar, rows_out.as_deref())?;
            // First the note, so that a release is not there without it.
            write_note(note, &job, done.rows)?;
            file.commit()?;
            done
        };
        bar.finish_and_clear();
        let charged = job.records.charging.as_deref().map(ChargeReport::of).transpose()?;
        let repeated = match &charged {
            Some(charged) => charged.repeated().map(str::to_owned),
            None => repeated_reports(&done, job.rule, &job.epsilon),
        };
        let unchanged = job.channels.as_ref().and_then(|mechanism| no_value_changed(&done, mechanism));
        let said = Said { unchanged, repeated };
        let Job { epsilon, secrets, noise, .. } = job;
        Ok(Some(Released::All(Box::new(Whole { epsilon, secrets, noise, charged, said, done }))))
    }

    /// Reads, draws and writes everything.
    fn release(
        &self,
        job: &mut Job,
        writer: Box<dyn Write + Send + '_>,
        key: &RandomKey,
        bar: &ProgressBar,
        rows_out: Option<&RowsOut>,
    ) -> Result<Privatized> {
        let target = Target {
            input: &self.data,
            output: &self.output,
            format: self.formats.output(&self.data, &self.output),
            name: self.value.join("|"),
            header: self.formats.has_header(),
            delimiter: self.formats.output_delimiter(&self.data, &self.output),
            escape_formulas: self.formats.escape_formulas(),
            compression: self.formats.compression(&self.output),
            shuffle: self.shuffle,
            rows_out,
            keep: &self.keep,
        };
        job.records.release(key, &target, writer, &mut |bytes| bar.set_position(bytes), &|| false)
    }

    fn key(&self) -> Result<RandomKey> {
        self.seed.map_or_else(|| fresh_key("nothing is released"), |seed| Ok(RandomKey::from_seed(seed)))
    }

    /// What the user should know of a release.
    fn warn(&self, terminal: &Terminal, done: &Privatized) {
        for warning in done.warnings(self.shuffle, self.seed) {
            terminal.warn(&spelled(&warning));
        }
    }

    fn report(
        &self,
        terminal: &Terminal,
        (epsilon, secrets): (&Epsilon, &Secrets),
        width: Option<&Width>,
        charged: Option<&ChargeReport>,
        said: &Said,
        done: &Privatized,
    ) -> Result<()> {
        self.warn(terminal, done);
        charged.iter().for_each(|charged| charged.warn(terminal));
        let clear = self.kept();
        let mut object = json!({
            "rows": done.rows,
            "seeded": self.seed.is_some(),
            "epsilon": epsilon.to_f64(),
            "epsilon_text": epsilon.to_string(),
            "secrets": secrets.word(),
            "released_in_clear": clear,
        });
        if let Some(width) = width {
            object["interval"] = width.facts().json();
        }
        if let Some(charged) = charged {
            object["ledger"] = charged.json().clone();
        }
        let text = || {
            let line = |said: &Option<String>| said.as_ref().map_or_else(String::new, |said| format!("{said}\n"));
            let mut text = line(&said.unchanged);
            text += &format!("Released {} at epsilon {epsilon} for {secrets}.\n", count(done.rows, "row"));
            text += &line(&said.repeated);
            text += &width.map_or_else(String::new, |width| width_text(width) + "\n");
            text += charged.map_or("", ChargeReport::text);
            if !clear.is_empty() {
                text += &format!("Released in clear, outside epsilon: {}.\n", clear.join(", "));
            }
            text
        };
        if terminal.json() {
            return terminal.answer(object, String::new);
        }
        // The output may be on standard output, so this goes beside it.
        terminal.note(text().trim_end());
        Ok(())
    }
}

/// Says how many of the rows stand in for others, where that is asked for.
fn write_note(file: Option<AtomicFile>, job: &Job, rows: u64) -> Result<()> {
    let (Some(file), Some(charging)) = (file, &job.records.charging) else { return Ok(()) };
    ReleaseNote { rows, stand_ins: charging.totals().constant }.write(file)
}

/// Counts the rows that leave for a pipe or a device, and tells of them on Ctrl-C; `None` for a file, which is there whole
/// or not at all.
pub fn rows_out(output: &Path, bar: &ProgressBar, noun: &'static str) -> Option<Arc<RowsOut>> {
    is_written_through(output).then(|| {
        let rows_out = Arc::new(RowsOut::new(noun));
        let told = Arc::clone(&rows_out);
        Interrupt::of_stream(bar, move || told.said().as_ref().map(spelled));
        rows_out
    })
}

/// Tells that a reader has seen enough, which is not an error: the rows that it has are out all the same.
pub fn closed(terminal: &Terminal, rows_out: Option<&RowsOut>) {
    if let Some(said) = rows_out.and_then(RowsOut::said) {
        terminal.note(&format!("The reader closed the pipe; {}.", spelled(&said)));
    }
}

/// A key from the operating system; without one, `refusal` says what is not done.
pub fn fresh_key(refusal: &str) -> Result<RandomKey> {
    lookalike_engine::fresh_bytes(refusal).map(RandomKey::from_bytes)
}
