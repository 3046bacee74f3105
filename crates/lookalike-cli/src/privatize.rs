//! `lookalike privatize`.

mod asked;
mod text;

use crate::Answer;
use crate::certify::proved;
use crate::formats::Formats;
use crate::interrupt::Interrupt;
use crate::ledger::charge::ChargeOptions;
use crate::streams::{Stdout, check_stdout_before, is_closed_pipe, is_stdout, length};
use crate::terminal::{Terminal, spelled};
use indicatif::ProgressBar;
pub use lookalike_engine::fresh_key;
use lookalike_engine::ledger::Charging;
use lookalike_engine::records::{RecordFile, Records};
use lookalike_engine::{
    AtomicFile, Facts, OutputFile, ReadFile, Releasable, ReleaseOutcome, ReleaseRequest, Released, RowsOut, Written,
    is_written_through,
};
use lookalike_formats::{AnyMechanism, Error, Result, of_kind};
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

impl Privatize {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        const REFUSAL: &str = "nothing released";
        if terminal.json() && is_stdout(&self.output) {
            return Err(Error::input("--json and -o -: both would go to standard output, expected -o FILE"));
        }
        self.check()?;
        self.formats.check(&self.data, &self.output)?;
        let mechanism = AnyMechanism::read(&self.mechanism)?;
        // Before a certificate is computed, which may take long: what is missing is said at once.
        let charging = self.charge.charging(&mechanism, &self.columns(), &self.data, &self.output, terminal)?;
        of_kind!(mechanism, file => {
            Released::check_column(&file).map_err(|error| error.in_file(&self.mechanism))?;
            match proved(file.mechanism, REFUSAL, terminal)? {
                Some(certified) => self.release(Released::releasable(&certified)?, charging, terminal),
                None => Ok(Answer::No),
            }
        })
    }

    /// Reads, draws and writes everything.
    fn release<'a>(
        &'a self,
        mechanism: Box<dyn Releasable + 'a>,
        charging: Option<Arc<Charging>>,
        terminal: &Terminal,
    ) -> Result<Answer> {
        let (format, csv) = (self.formats.input(&self.data), self.formats.csv_options(&self.data));
        let (records, options) = (RecordFile { path: &self.data, format, csv: &csv }, self.options());
        let release = ReleaseRequest { mechanism, records: Records::File(records), options, charging }.open()?;
        // Before a row is charged.
        let note = self.note.as_ref().map(|path| AtomicFile::create(path, terminal.force())).transpose()?;
        let bar = terminal.bytes(length(&self.data));
        let rows_out = rows_out(&self.output, &bar, "row");
        let output = OutputFile {
            path: &self.output,
            format: self.formats.output(&self.data, &self.output),
            header: self.formats.has_header(),
            delimiter: self.formats.output_delimiter(&self.data, &self.output),
            escape_formulas: self.formats.escape_formulas(),
            compression: self.formats.compression(&self.output),
            rows_out: rows_out.as_deref(),
        };
        let written = written(&self.data, &self.output, terminal)?;
        let to_stdout = matches!(written, Written::Stream(_));
        let outcome = match release.write(&output, written, note, &mut |bytes| bar.set_position(bytes), &|| false) {
            // A reader that has seen enough, such as head, is not an error.
            Err(error) if to_stdout && is_closed_pipe(&error) => {
                closed(terminal, rows_out.as_deref());
                return Ok(Answer::Yes);
            }
            outcome => outcome?,
        };
        bar.finish_and_clear();
        self.report(&outcome, terminal)?;
        Ok(Answer::Yes)
    }

    fn report(&self, outcome: &ReleaseOutcome<'_>, terminal: &Terminal) -> Result<()> {
        outcome.warnings().iter().for_each(|warning| terminal.warn(&spelled(warning)));
        if terminal.json() {
            return terminal.answer(outcome.facts()?.json(), String::new);
        }
        // The output may be on standard output, so this goes beside it.
        terminal.note(text::text(outcome)?.trim_end());
        Ok(())
    }
}

/// Where the bytes of an output go; standard output is refused where it leads to something that is read.
fn written(data: &Path, output: &Path, terminal: &Terminal) -> Result<Written<'static>> {
    if !is_stdout(output) {
        return Ok(Written::File(AtomicFile::create(output, terminal.force())?));
    }
    check_stdout_before(data)?;
    Ok(Written::Stream(Box::new(Stdout::new())))
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
