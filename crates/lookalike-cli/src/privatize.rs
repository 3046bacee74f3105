//! `lookalike privatize`.

use crate::Answer;
use crate::certify::proved;
use crate::formats::Formats;
use crate::streams::{NamedSink, NamedSource, at_input, at_output, is_closed_pipe, is_stdout, length};
use crate::terminal::{Terminal, count, one_of};
use indicatif::ProgressBar;
use lookalike::certify::Certified;
use lookalike::model::{Kind, Mechanism};
use lookalike::sample::{RandomKey, Sampler};
use lookalike_io::records::{
    Bins, Columns, CountLabels, Encoder, Input, Labels, Output, RecordSchema, RecordSink, RecordSource, Shuffle,
    create_sink, open_source,
};
use lookalike_io::{AtomicFile, Error, MechanismFile, Privatized, Result, largest_epsilon, privatize};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// Release the records of a file through a certified mechanism
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike privatize m.json records.csv --profile user --value load -o private.csv
  lookalike privatize m.json records.parquet --profile user --value load --keep day -o private.parquet
  zcat big.csv.gz | lookalike privatize m.json - --profile user --value load -o - > private.csv
  producer | lookalike privatize m.json - --format arrow-stream --value load -o private.parquet

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
    /// Release the rows in a random order; holds them in memory
    #[arg(long)]
    shuffle: bool,
    /// Draw reproducibly, for tests and experiments only: whoever knows the seed can undo the noise
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    formats: Formats,
}

/// What a run released.
pub enum Released {
    /// Every record.
    All { certified: Box<Certified<Mechanism>>, done: Privatized },
    /// As many as the reader of a pipe wanted.
    Some,
}

impl Privatize {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        if terminal.json() && is_stdout(&self.output) {
            return Err(Error::input("--json and -o -: both would go to standard output"));
        }
        let Some(released) = self.released(terminal)? else {
            return Ok(Answer::No);
        };
        let Released::All { certified, done } = released else {
            // A reader that has seen enough, such as head, is not an error.
            return Ok(Answer::Yes);
        };
        self.report(terminal, certified.mechanism(), &done)?;
        Ok(Answer::Yes)
    }

    /// Releases the records; `None` with a warning when the mechanism is not private.
    pub fn released(&self, terminal: &Terminal) -> Result<Option<Released>> {
        self.check_columns()?;
        self.formats.check(&self.data, &self.output)?;
        let mechanism = MechanismFile::read(&self.mechanism)?.mechanism;
        let Some(certified) = proved(mechanism, "nothing released", terminal)? else {
            return Ok(None);
        };
        if let Some(warning) = self.misplaced_counts(certified.mechanism())? {
            terminal.warn(&warning);
        }
        let mut source = self.source(certified.mechanism())?;
        let schema = source.schema();
        let key = self.key()?;
        let bar = terminal.bytes(length(&self.data));
        let mut run = |sink: Box<dyn RecordSink + '_>| self.release(&certified, &key, &mut *source, sink, &bar);
        let done = if is_stdout(&self.output) {
            match run(self.sink(certified.mechanism(), &schema, Box::new(std::io::stdout()), &key)?) {
                Err(error) if is_closed_pipe(&error) => return Ok(Some(Released::Some)),
                done => done?,
            }
        } else {
            let mut file = AtomicFile::create(&self.output, terminal.force())?;
            let done = run(self.sink(certified.mechanism(), &schema, Box::new(&mut file), &key)?)?;
            file.commit()?;
            done
        };
        bar.finish_and_clear();
        Ok(Some(Released::All { certified: Box::new(certified), done }))
    }

    /// A warning where a count that is too large would be taken for one that is not its neighbour.
    fn misplaced_counts(&self, mechanism: &Mechanism) -> Result<Option<String>> {
        let largest = CountLabels::of(mechanism)?.map(|counts| counts.largest().to_string());
        let misplaced = largest.filter(|largest| self.unknown != "error" && self.unknown != *largest);
        Ok(misplaced.map(|largest| {
            format!(
                "--unknown {}: a count above {largest} is a neighbour of {largest}, so epsilon does not cover it \
                 (--unknown {largest} is covered)",
                self.unknown
            )
        }))
    }

    /// What may be released in clear.
    fn check_columns(&self) -> Result<()> {
        if let Some(name) = self.keep.iter().find(|name| self.value.contains(name)) {
            return Err(Error::input(format!(
                "--keep {name}: this is the private column, it cannot be released in clear"
            )));
        }
        let twice = |name: &&String| self.keep.iter().filter(|other| other == name).count() > 1;
        if let Some(name) = self.keep.iter().find(twice) {
            return Err(Error::input(format!("--keep {name}: named twice, expected once")));
        }
        if self.keep.contains(&self.profile) {
            return Err(Error::input(format!(
                "--keep {}: this is the profile, the secret itself (--keep-profile --unsafe releases it all the same)",
                self.profile
            )));
        }
        if self.keep_profile && !self.r#unsafe {
            return Err(Error::input("--keep-profile releases the secret itself: it needs --unsafe"));
        }
        Ok(())
    }

    fn kept(&self) -> Vec<String> {
        let profile = self.keep_profile.then(|| self.profile.clone());
        profile.into_iter().chain(self.keep.iter().cloned()).collect()
    }

    fn source(&self, mechanism: &Mechanism) -> Result<Box<dyn RecordSource>> {
        let labels = |names: &lookalike::model::Names| Labels::new(names.iter().map(str::to_owned));
        let aware = mechanism.kind() == Kind::Aware;
        let profile: Option<Encoder> = if aware { Some(Box::new(labels(mechanism.graph().names())?)) } else { None };
        let value: Encoder = match (mechanism.inputs().bins(), CountLabels::of(mechanism)?) {
            (Some(_), _) => Box::new(Bins::new(mechanism.inputs().clone())),
            (None, Some(counts)) => Box::new(counts),
            (None, None) => Box::new(labels(mechanism.inputs().names())?),
        };
        let unknown = match self.unknown.as_str() {
            "error" => None,
            name => Some(mechanism.inputs().names().place(name).ok_or_else(|| {
                let (file, known) = (self.mechanism.display(), one_of(mechanism.inputs().names().iter()));
                Error::input(format!("--unknown {name:?} is not a category of {file}, expected error or {known}"))
            })?),
        };
        let columns =
            Columns { profile: aware.then(|| self.profile.clone()), values: self.value.clone(), keep: self.kept() };
        let csv = self.formats.csv_options(&self.data);
        let input = Input { path: &self.data, format: self.formats.input(&self.data), csv: &csv, columns: &columns };
        open_source(&input, profile, value, unknown).map_err(|error| at_input(error, &self.data))
    }

    fn sink<'a>(
        &'a self,
        mechanism: &Mechanism,
        schema: &RecordSchema,
        writer: Box<dyn Write + Send + 'a>,
        key: &RandomKey,
    ) -> Result<Box<dyn RecordSink + 'a>> {
        let labels: Vec<String> = mechanism.outputs().names().iter().map(str::to_owned).collect();
        let output = Output {
            format: self.formats.output(&self.data, &self.output),
            name: self.value.join("|"),
            header: self.formats.has_header(),
            delimiter: self.formats.output_delimiter(&self.data, &self.output),
            compression: self.formats.compression(&self.output),
            labels: &labels,
            schema,
        };
        let sink = create_sink(writer, &output).map_err(|error| at_output(error, &self.output))?;
        let sink = Box::new(NamedSink { sink, path: &self.output });
        Ok(if self.shuffle { Box::new(Shuffle::new(sink, key.clone())) } else { sink })
    }

    fn key(&self) -> Result<RandomKey> {
        self.seed.map_or_else(|| fresh_key("nothing is released"), |seed| Ok(RandomKey::from_seed(seed)))
    }

    fn release(
        &self,
        certified: &Certified<Mechanism>,
        key: &RandomKey,
        source: &mut dyn RecordSource,
        mut sink: Box<dyn RecordSink + '_>,
        bar: &ProgressBar,
    ) -> Result<Privatized> {
        let sampler = Sampler::new(certified);
        let mut source = NamedSource { source, path: &self.data };
        let done = privatize(&sampler, key, &mut source, &mut *sink, &mut |bytes| bar.set_position(bytes))?;
        sink.finish()?;
        Ok(done)
    }

    /// What the user should know of a release.
    pub fn warn(&self, terminal: &Terminal, done: &Privatized) {
        if done.sorted_by_profile && !self.shuffle {
            terminal.warn("the rows were sorted by profile, so their order reveals it (--shuffle releases them in a random order)");
        }
        if let Some(seed) = self.seed {
            terminal.warn(&format!("seeded with {seed}: reproducible, hence not private"));
        }
    }

    fn report(&self, terminal: &Terminal, mechanism: &Mechanism, done: &Privatized) -> Result<()> {
        self.warn(terminal, done);
        let (epsilon, clear) = (largest_epsilon(mechanism), self.kept());
        let object = json!({
            "rows": done.rows,
            "seeded": self.seed.is_some(),
            "epsilon": epsilon.to_f64(),
            "epsilon_text": epsilon.to_string(),
            "released_in_clear": clear,
        });
        let text = || {
            let mut text = format!("Released {} at epsilon {epsilon}.\n", count(done.rows, "row"));
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

/// A key from the operating system; without one, `refusal` says what is not done.
pub fn fresh_key(refusal: &str) -> Result<RandomKey> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::input(format!("the operating system gives no random numbers ({error}): {refusal}")))?;
    Ok(RandomKey::from_bytes(bytes))
}
