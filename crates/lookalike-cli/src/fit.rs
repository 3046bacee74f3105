//! `lookalike fit`.

mod summary;

use crate::Answer;
use crate::formats::InputFormat;
use crate::streams::{is_stdout, length};
use crate::terminal::{Terminal, print, say};
use lookalike::exact::{Epsilon, Rational, parse_rational};
use lookalike_engine::Facts;
use lookalike_engine::fit::{FitRequest, Fitted, WrittenFacts};
use lookalike_engine::records::{RecordFile, Records};
use lookalike_engine::{AtomicFile, is_same_place, note_input, write_atomically, write_for_owner};
use lookalike_formats::{DEFAULT_LIMITS_GRID, DEFAULT_MINIMUM, Domain, Error, FitGraph, FitOptions, Result, Small};
use std::path::{Path, PathBuf};
use summary::Summary;

/// Fit profiles to records and write a spec with them
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike fit records.csv --profile user --value load --categories idle,light,busy,full --complete -o spec.toml
  lookalike fit records.parquet --profile user --value hours --bins 0,20,40 --group-by team -o spec.toml
  lookalike fit records.csv --profile user --value load --categories idle,busy --trust-profiles --limits limits.csv -o spec.toml
  lookalike certify m.json --profiles-within limits.csv    # what if the profiles that were trusted are wrong?

The spec says how wrong each profile may be, and what is designed for it keeps its promise for every law within these limits.
Profiles and limits become public with the spec. Epsilon does not cover what they tell about the records they were fitted from.")]
pub struct Fit {
    /// The records: CSV, Parquet or Arrow; - for standard input
    data: PathBuf,
    /// The spec to write; standard output by default
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Also write the counts, and the exact limits that come from them, as CSV for your eyes only
    #[arg(long, value_name = "FILE")]
    limits: Option<PathBuf>,
    /// The column with the profile
    #[arg(long, value_name = "COLUMN", default_value = "profile")]
    profile: String,
    /// The column with the value; several make one joint category, joined with |
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', default_value = "value")]
    value: Vec<String>,
    /// What a value can be
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    categories: Option<Vec<String>>,
    /// The lower edges of bins, for a column of numbers
    #[arg(long, value_name = "EDGES", value_delimiter = ',', allow_hyphen_values = true, value_parser = number)]
    bins: Option<Vec<Rational>>,
    /// Bins with about equally many records each; needs --public-data, since edges are values of the data
    #[arg(long, value_name = "K")]
    quantiles: Option<u32>,
    /// The values of the data are public
    #[arg(long, requires = "quantiles")]
    public_data: bool,
    /// Take the categories found in the data, sorted: this makes them public
    #[arg(long)]
    public_categories: bool,
    /// What to do with a value that is no category: error, or a category that takes its place
    #[arg(long, value_name = "error|CATEGORY", default_value = "error")]
    unknown: String,
    /// A column of roles: all records of a role make one profile; prints what coarser profiles cost
    #[arg(long, value_name = "COLUMN")]
    profile_by: Option<String>,
    /// Profiles with the same value in this public column must look alike
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["complete", "chain"])]
    group_by: Option<String>,
    /// Every two profiles must look alike
    #[arg(long, conflicts_with = "chain")]
    complete: bool,
    /// Each profile and the next one by name must look alike
    #[arg(long)]
    chain: bool,
    /// The budget of the spec; by default 1, with a remark
    #[arg(long, value_name = "E")]
    epsilon: Option<Epsilon>,
    /// Add this to the count of every category, so that none has probability 0
    #[arg(long, value_name = "C", default_value = "0", allow_hyphen_values = true, value_parser = number)]
    pseudo_count: Rational,
    /// The fewest records of a profile
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MINIMUM)]
    minimum: u64,
    /// Leave out profiles with fewer records
    #[arg(long, conflicts_with = "pool_small")]
    drop_small: bool,
    /// Make profiles with fewer records one of this name; with --group-by one a group
    #[arg(long, value_name = "NAME")]
    pool_small: Option<String>,
    /// How surely the two profiles of any one pair lie within their limits
    #[arg(long, value_name = "P", default_value = "0.95", value_parser = number)]
    confidence: Rational,
    /// The confidence is that of all pairs at once
    #[arg(long)]
    simultaneous: bool,
    /// Round the limits of the spec outward to multiples of 1/N
    #[arg(long, value_name = "N", default_value_t = DEFAULT_LIMITS_GRID)]
    limits_grid: u32,
    /// Write no limits into the spec: the promise then holds for these very profiles only
    #[arg(long)]
    trust_profiles: bool,
    /// These records will be released too, so that nothing is certain of the limits
    #[arg(long)]
    same_data: bool,
    #[command(flatten)]
    format: InputFormat,
}

impl Fit {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let fitted = self.fitted(terminal)?;
        let bar = terminal.spinner("designing at each granularity");
        let summary = Summary::new(&fitted)?;
        bar.finish_and_clear();
        self.write(&fitted, terminal)?;
        self.say(&fitted, &summary, terminal)?;
        Ok(Answer::Yes)
    }

    /// The profiles of the records; nothing is written yet.
    pub fn fitted(&self, terminal: &Terminal) -> Result<Fitted> {
        self.check_outputs(terminal)?;
        self.format.check(&self.data)?;
        let options = self.options()?;
        let csv = self.format.csv_options(&self.data);
        let input = RecordFile { path: &self.data, format: self.format.format(&self.data), csv: &csv };
        let bar = terminal.bytes(length(&self.data));
        let request = FitRequest { records: Records::File(input), options: &options };
        let fitted = request.run(&mut |bytes| bar.set_position(bytes))?;
        bar.finish_and_clear();
        Ok(fitted)
    }

    /// What cannot be written is better known before a long fit than after it.
    fn check_outputs(&self, terminal: &Terminal) -> Result<()> {
        if terminal.json() && self.output.as_deref().is_some_and(is_stdout) {
            return Err(Error::input("--json and -o -: both would go to standard output, expected -o FILE"));
        }
        if self.limits.as_deref().is_some_and(is_stdout) {
            return Err(Error::input(
                "--limits -: expected a file, since the spec or its summary is on standard output",
            ));
        }
        if self.limits.as_ref().zip(self.output.as_ref()).is_some_and(|(limits, output)| is_same_place(limits, output))
        {
            return Err(Error::input("-o and --limits name the same file, expected two"));
        }
        note_input(&self.data);
        let files = [&self.output, &self.limits].into_iter().flatten().filter(|path| !is_stdout(path));
        for path in files.filter(|path| !path.metadata().is_ok_and(|metadata| !metadata.is_file())) {
            drop(AtomicFile::create(path, terminal.force())?);
        }
        Ok(())
    }

    fn options(&self) -> Result<FitOptions> {
        let domain = Domain::choose(
            self.categories.as_deref(),
            self.bins.clone(),
            self.quantiles,
            self.public_data,
            self.public_categories,
        )?;
        let small = match (&self.pool_small, self.drop_small) {
            (Some(name), _) => Small::Pool(name.clone()),
            (None, true) => Small::Drop,
            (None, false) => Small::Refuse,
        };
        let graph = match (&self.group_by, self.complete, self.chain) {
            (Some(column), ..) => FitGraph::GroupBy(column.clone()),
            (None, true, _) => FitGraph::Complete,
            (None, false, true) => FitGraph::Chain,
            (None, false, false) => FitGraph::Open,
        };
        Ok(FitOptions {
            unknown: Some(self.unknown.clone()).filter(|name| name != "error"),
            profile_by: self.profile_by.clone(),
            pseudo_count: self.pseudo_count.clone(),
            minimum: self.minimum,
            small,
            confidence: self.confidence.clone(),
            simultaneous: self.simultaneous,
            limits_grid: self.limits_grid,
            trust_profiles: self.trust_profiles,
            same_data: self.same_data,
            graph,
            epsilon: self.epsilon.clone(),
            ..FitOptions::new(self.profile.clone(), self.value.clone(), domain)
        })
    }

    /// Writes the files that were asked for.
    pub fn write(&self, fitted: &Fitted, terminal: &Terminal) -> Result<()> {
        if let Some(path) = &self.limits {
            write_for_owner(path, terminal.force(), fitted.limits_csv().as_bytes())?;
        }
        if let Some(path) = self.file() {
            write_atomically(path, terminal.force(), fitted.spec_toml().as_bytes())?;
        }
        Ok(())
    }

    /// The file of the spec, unless it goes to standard output.
    fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| !is_stdout(path))
    }

    fn say(&self, fitted: &Fitted, summary: &Summary<'_>, terminal: &Terminal) -> Result<()> {
        let (spec, file) = (fitted.spec_toml(), self.file());
        let files: Vec<String> =
            file.into_iter().chain(self.limits.as_deref()).map(|path| path.display().to_string()).collect();
        let text = || {
            let wrote = if files.is_empty() { String::new() } else { format!("Wrote {}.\n", files.join(" and ")) };
            summary.text() + &wrote
        };
        if terminal.json() {
            let shown = |path: &Path| path.display().to_string();
            let files = WrittenFacts {
                fit: summary.facts(),
                file: file.map(shown),
                limits_file: self.limits.as_deref().map(shown),
                spec: file.is_none().then_some(spec),
            };
            return terminal.answer(files.json(), String::new);
        }
        if file.is_some() {
            return say(&text());
        }
        // The spec is on standard output, so what is said of it goes beside it.
        print(&spec)?;
        terminal.note(text().trim_end());
        Ok(())
    }
}

fn number(text: &str) -> std::result::Result<Rational, String> {
    parse_rational(text).map_err(|error| error.to_string())
}
