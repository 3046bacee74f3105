//! Plan files: a spec with the records it is for.
//!
//! ```toml
//! epsilon = 0.5                  # the spec, as ever
//! categories = ["idle", "busy"]
//! seed = 1                       # only for tests and examples
//!
//! [profiles]                     # or [fit], which finds them in records
//! ana = [0.2, 0.8]
//! bo  = [0.3, 0.7]
//!
//! [graph]
//! shape = "complete"
//!
//! [data]
//! records = "records.csv"        # beside the plan
//! profile = "user"
//! value = "load"
//!
//! [output]
//! folder = "out"                 # beside the plan
//! ```
//!
//! The whole format is described in `docs/run.md`.

mod design;
mod fit;

pub use design::PlanDesign;
pub use fit::{FIT, PlanFit};

use crate::error::{Error, Result, Table};
use crate::records::{CsvOptions, Format};
use crate::spec::{KEYS, PLAN_KEYS};
use crate::text::{Fields, Tree};
use lookalike::estimate::Trust;
use lookalike::exact::{Epsilon, EpsilonSum};
use std::path::{Path, PathBuf};

/// What a run writes beside the released records.
const RESERVED: [&str; 5] = ["spec.toml", "limits.csv", "m.json", "estimate.json", "report.html"];
/// The keys of a plan whose spec is elsewhere.
const WITHOUT_SPEC: [&str; 6] = ["spec", "data", "design", "estimate", "output", "seed"];
/// `[data]`, whose keys are options of `privatize`, and what only a run needs.
pub static DATA: Table = Table {
    name: "data",
    keys: &[
        "records",
        "profile",
        "value",
        "keep",
        "unknown",
        "shuffle",
        "subject",
        "budget",
        "delimiter",
        "columns",
        "trim",
        "record_limit",
    ],
};
/// The keys of a plan whose spec is fitted.
const WITH_FIT: [&str; 9] = ["epsilon", "objective", "channel", "fit", "data", "design", "estimate", "output", "seed"];

/// What a plan says beside its spec.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The file with the spec, where it is not in the plan itself.
    pub spec: Option<PathBuf>,
    /// The records to release.
    pub data: PlanData,
    /// How profiles are found in records, where the plan does not list them.
    pub fit: Option<PlanFit>,
    /// What is asked of the design beside its spec.
    pub design: PlanDesign,
    /// What is estimated.
    pub estimate: PlanEstimate,
    /// Where everything is written.
    pub folder: PathBuf,
    /// The name of the released records in that folder.
    pub released: String,
    /// Whether texts in released CSV that a spreadsheet would take for a formula get an apostrophe in front.
    pub escape_formulas: bool,
    /// For draws that can be repeated.
    pub seed: Option<u64>,
    /// The budget, for a plan whose spec is fitted.
    pub epsilon: Option<Epsilon>,
    /// What to keep small, and the kind of channel, for such a plan.
    pub objective: Option<String>,
    /// `aware` or `shared`.
    pub channel: Option<String>,
}

/// `[data]`.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanData {
    /// The file.
    pub records: PathBuf,
    /// The profile's column.
    pub profile: String,
    /// The private columns.
    pub value: Vec<String>,
    /// Columns that are released in clear.
    pub keep: Vec<String>,
    /// What stands for a value that is no category.
    pub unknown: String,
    /// Whether rows are released in a random order, as they are unless the plan says otherwise.
    pub shuffle: bool,
    /// The column that says whose rows are counted together, where it is not the profile's.
    pub subject: Option<String>,
    /// The most that the reports of one profile, or subject, may add up to.
    pub budget: Option<EpsilonSum>,
    /// How CSV is read.
    pub csv: PlanCsv,
}

/// How CSV is read, in `[data]` and `[fit]`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlanCsv {
    /// What separates fields.
    pub delimiter: Option<u8>,
    /// The names of the columns, where the file has no header.
    pub columns: Option<Vec<String>>,
    /// Whether blanks around fields are dropped.
    pub trim: bool,
    /// The longest record, in bytes.
    pub record_limit: Option<usize>,
}

/// `[estimate]`.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanEstimate {
    /// A public column.
    pub by: Option<String>,
    /// The confidence of the intervals.
    pub confidence: f64,
    /// Whether they cover all at once.
    pub simultaneous: bool,
    /// What they rest on; `None` for what is usual with the mechanism.
    pub trust: Option<Trust>,
}

impl Plan {
    /// What a plan says beside its spec, in a TOML text; files that it names are in `folder`.
    ///
    /// # Errors
    /// Tables and keys that are not those of a plan.
    pub fn from_toml(text: &str, folder: &Path) -> Result<Plan> {
        Plan::from_tree(&Tree::from_toml(text)?, folder)
    }

    /// What a plan says beside its spec, in a JSON text; files that it names are in `folder`.
    ///
    /// # Errors
    /// Tables and keys that are not those of a plan.
    pub fn from_json(text: &str, folder: &Path) -> Result<Plan> {
        Plan::from_tree(&Tree::from_json(text)?, folder)
    }

    fn from_tree(tree: &Tree, folder: &Path) -> Result<Plan> {
        let fields = Fields::of(tree)?;
        let spec = fields.read("spec", Tree::text)?.map(|name| folder.join(name));
        match (&spec, fields.get("fit")) {
            (Some(_), _) => fields.only(&WITHOUT_SPEC).map_err(|error| error.at("with spec"))?,
            (None, Some(_)) => {
                fields
                    .only(&WITH_FIT)
                    .map_err(|error| error.at("with [fit], which finds profiles and graph in records"))?;
            }
            (None, None) => fields.only(&KEYS.into_iter().chain(PLAN_KEYS).collect::<Vec<_>>())?,
        }
        let data = fields.read("data", |tree| read_data(tree, folder))?.ok_or_else(|| {
            Error::input("data is missing (a table [data] with records = \"records.csv\"; design takes a spec alone)")
        })?;
        let fit = fields.read("fit", |tree| fit::read(tree, folder, &data))?;
        if fit.is_some() && fields.get("epsilon").is_none() {
            return Err(Error::input(
                "epsilon is missing (for example epsilon = 0.5): what is promised must be chosen",
            ));
        }
        let design = fields.read("design", design::read)?.unwrap_or_default();
        let estimate = fields.read("estimate", read_estimate)?.unwrap_or(PlanEstimate::default());
        if let Some(by) = estimate.by.as_ref().filter(|by| !data.keep.contains(by)) {
            return Err(Error::input(format!(
                "estimate: by: column {by:?} is not released (add it to keep in [data], which releases it in clear)"
            )));
        }
        let output = fields.read("output", read_output)?.unwrap_or_default();
        let released = output.released.unwrap_or_else(|| "private.csv".to_owned());
        let format = Format::of(Path::new(&released)).or_else(|| Format::of(&data.records)).unwrap_or(Format::Csv);
        if output.escape_formulas && format != Format::Csv {
            let message = format!("escape_formulas is for CSV, and the released records are {format}");
            return Err(Error::input(message).at("output"));
        }
        Ok(Plan {
            spec,
            folder: folder.join(output.folder.unwrap_or_else(|| "out".into())),
            released,
            escape_formulas: output.escape_formulas,
            seed: fields.read("seed", Tree::integer)?,
            epsilon: if fit.is_some() { fields.read("epsilon", read_epsilon)? } else { None },
            objective: if fit.is_some() { fields.read("objective", owned_text)? } else { None },
            channel: if fit.is_some() { fields.read("channel", owned_text)? } else { None },
            data,
            fit,
            design,
            estimate,
        })
    }
}

fn read_epsilon(tree: &Tree) -> Result<Epsilon> {
    Ok(tree.number_text()?.parse()?)
}

fn owned_text(tree: &Tree) -> Result<String> {
    Ok(tree.text()?.to_owned())
}

impl Default for PlanEstimate {
    fn default() -> Self {
        PlanEstimate { by: None, confidence: 0.95, simultaneous: false, trust: None }
    }
}

fn read_data(tree: &Tree, folder: &Path) -> Result<PlanData> {
    let fields = Fields::with(tree, DATA.keys)?;
    let text = |key: &str, default: &str| -> Result<String> {
        Ok(fields.read(key, Tree::text)?.unwrap_or(default).to_owned())
    };
    Ok(PlanData {
        records: folder.join(fields.required("records", file_name)?),
        profile: text("profile", "profile")?,
        value: fields.read("value", one_or_more)?.unwrap_or_else(|| vec!["value".to_owned()]),
        keep: fields.read("keep", one_or_more)?.unwrap_or_default(),
        unknown: text("unknown", "error")?,
        shuffle: fields.read("shuffle", Tree::bool)?.unwrap_or(true),
        subject: fields.read("subject", owned_text)?,
        budget: fields.read("budget", |tree| Ok(tree.number_text()?.parse()?))?,
        csv: read_csv(&fields)?,
    })
}

fn read_csv(fields: &Fields<'_>) -> Result<PlanCsv> {
    Ok(PlanCsv {
        delimiter: fields.read("delimiter", |tree| CsvOptions::parse_delimiter(tree.text()?))?,
        columns: fields.read("columns", one_or_more)?,
        trim: fields.read("trim", Tree::bool)?.unwrap_or(false),
        record_limit: fields.read("record_limit", Tree::integer)?.map(|bytes| bytes as usize),
    })
}

impl PlanCsv {
    /// How the records of a file of this format are read.
    ///
    /// # Errors
    /// Options about CSV, or other text, for a file that is none.
    pub fn options(&self, path: &Path, format: Format) -> Result<CsvOptions> {
        let given = [
            ("delimiter", self.delimiter.is_some()),
            ("columns", self.columns.is_some()),
            ("trim", self.trim),
            ("record_limit", self.record_limit.is_some()),
        ];
        for (key, _) in given.iter().filter(|(_, given)| *given) {
            if let Some(formats) = format.ignores(key) {
                return Err(Error::input(format!("{key} is for {formats}, and the records are {format}")));
            }
        }
        Ok(CsvOptions {
            delimiter: self.delimiter.unwrap_or_else(|| CsvOptions::delimiter_of(path)),
            columns: self.columns.clone(),
            trim: self.trim,
            record_limit: self.record_limit.unwrap_or(CsvOptions::default().record_limit),
        })
    }
}

fn read_estimate(tree: &Tree) -> Result<PlanEstimate> {
    let fields = Fields::with(tree, &["by", "confidence", "simultaneous", "trust"])?;
    let default = PlanEstimate::default();
    let confidence = fields.read("confidence", |tree| match tree.number_text()?.parse() {
        Ok(level) if level > 0.0 && level < 1.0 => Ok(level),
        _ => Err(Error::input("expected a number strictly between 0 and 1 such as 0.95")),
    })?;
    Ok(PlanEstimate {
        by: fields.read("by", Tree::text)?.map(str::to_owned),
        confidence: confidence.unwrap_or(default.confidence),
        simultaneous: fields.read("simultaneous", Tree::bool)?.unwrap_or(default.simultaneous),
        trust: fields.read("trust", |tree| Ok(tree.text()?.parse()?))?,
    })
}

/// `[output]`.
#[derive(Default)]
struct PlanOutput {
    folder: Option<PathBuf>,
    released: Option<String>,
    escape_formulas: bool,
}

fn read_output(tree: &Tree) -> Result<PlanOutput> {
    let fields = Fields::with(tree, &["folder", "records", "escape_formulas"])?;
    let released = fields.read("records", |tree| match tree.text()? {
        name if RESERVED.contains(&name) => {
            Err(Error::input(format!("{name:?} is the name of another file of a run, expected a name of its own")))
        }
        name if Path::new(name).file_name() == Some(name.as_ref()) => Ok(name.to_owned()),
        name => Err(Error::input(format!("{name:?}, expected the name of a file in the folder"))),
    })?;
    let folder = fields.read("folder", Tree::text)?.map(PathBuf::from);
    let escape_formulas = fields.read("escape_formulas", Tree::bool)?.unwrap_or(false);
    Ok(PlanOutput { folder, released, escape_formulas })
}

/// A text, or a list of them.
fn one_or_more(tree: &Tree) -> Result<Vec<String>> {
    let texts = match tree {
        Tree::Text(text) => vec![text.as_str()],
        list => list.texts()?,
    };
    Ok(texts.into_iter().map(str::to_owned).collect())
}

/// The name of a file; a plan does not read standard input.
fn file_name(tree: &Tree) -> Result<&str> {
    match tree.text()? {
        "-" => Err(Error::input("found \"-\", expected the name of a file")),
        name => Ok(name),
    }
}
