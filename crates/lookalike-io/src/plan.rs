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

use crate::tree::{Fields, Tree};
use crate::{Error, Result, read_text};
use std::path::{Path, PathBuf};

/// The keys of a plan that a spec does not have; a spec may have them too, and pays no attention.
pub(crate) const KEYS: [&str; 5] = ["data", "fit", "estimate", "output", "seed"];
/// What a run writes beside the released records.
const RESERVED: [&str; 5] = ["spec.toml", "limits.csv", "m.json", "estimate.json", "report.html"];
/// The keys of a plan whose spec is elsewhere.
const WITHOUT_SPEC: [&str; 5] = ["spec", "data", "estimate", "output", "seed"];
/// The keys of a plan whose spec is fitted.
const WITH_FIT: [&str; 8] = ["epsilon", "objective", "channel", "fit", "data", "estimate", "output", "seed"];

/// What a plan says beside its spec.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The file with the spec, where it is not in the plan itself.
    pub spec: Option<PathBuf>,
    /// The records to release.
    pub data: PlanData,
    /// How profiles are found in records, where the plan does not list them: the options of `fit` by name.
    pub fit: Option<PlanFit>,
    /// What is estimated.
    pub estimate: PlanEstimate,
    /// Where everything is written.
    pub folder: PathBuf,
    /// The name of the released records in that folder.
    pub released: String,
    /// For draws that can be repeated.
    pub seed: Option<u64>,
    /// `epsilon`, `objective` and `channel` as options of `fit` and `design`, for a plan whose spec is fitted.
    pub asked: Vec<(String, String)>,
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
    /// Whether rows are released in a random order.
    pub shuffle: bool,
    /// How CSV is read.
    pub csv: PlanCsv,
}

/// How CSV is read, in `[data]` and `[fit]`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlanCsv {
    /// What separates fields.
    pub delimiter: Option<String>,
    /// The names of the columns, where the file has no header.
    pub columns: Option<Vec<String>>,
    /// Whether blanks around fields are dropped.
    pub trim: bool,
}

/// `[fit]`: words for the command line of `fit`, so that the plan and the verb cannot differ.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanFit {
    /// The file that profiles are found in.
    pub records: PathBuf,
    /// Whether the plan allows that these are the records that are released.
    pub same_data: bool,
    /// `--name value` and `--name`.
    pub options: Vec<String>,
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
}

impl Plan {
    /// Reads what a plan says beside its spec, which [`crate::Spec::read`] reads from the same file.
    ///
    /// # Errors
    /// A file that cannot be read, or tables and keys that are not those of a plan; the error says where.
    pub fn read(path: &Path) -> Result<Plan> {
        let text = read_text(path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        let tree = if json { Tree::from_json(&text) } else { Tree::from_toml(&text) };
        tree.and_then(|tree| Plan::from_tree(&tree, folder)).map_err(|error| error.in_file(path))
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
            (None, None) => fields.only(&crate::spec::KEYS.into_iter().chain(KEYS).collect::<Vec<_>>())?,
        }
        let data = fields.read("data", |tree| read_data(tree, folder))?.ok_or_else(|| {
            Error::input("data is missing (a table [data] with records = \"records.csv\"; design takes a spec alone)")
        })?;
        let fit = fields.read("fit", |tree| read_fit(tree, folder, &data))?;
        if fit.is_some() && fields.get("epsilon").is_none() {
            return Err(Error::input(
                "epsilon is missing (for example epsilon = 0.5): what is promised must be chosen",
            ));
        }
        let estimate = fields.read("estimate", read_estimate)?.unwrap_or(PlanEstimate::default());
        if let Some(by) = estimate.by.as_ref().filter(|by| !data.keep.contains(by)) {
            return Err(Error::input(format!(
                "estimate: by: column {by:?} is not released (add it to keep in [data], which releases it in clear)"
            )));
        }
        let (out, released) = fields.read("output", read_output)?.unwrap_or_else(|| ("out".into(), None));
        Ok(Plan {
            spec,
            folder: folder.join(out),
            released: released.unwrap_or_else(|| "private.csv".to_owned()),
            seed: fields.read("seed", Tree::integer)?,
            asked: read_asked(&fields)?,
            data,
            fit,
            estimate,
        })
    }
}

fn read_asked(fields: &Fields<'_>) -> Result<Vec<(String, String)>> {
    let mut asked = Vec::new();
    for key in ["epsilon", "objective", "channel"] {
        let text = fields.read(key, |tree| Ok(tree.number_text()?.to_owned()))?;
        asked.extend(text.map(|text| (key.to_owned(), text)));
    }
    Ok(asked)
}

impl Default for PlanEstimate {
    fn default() -> Self {
        PlanEstimate { by: None, confidence: 0.95, simultaneous: false }
    }
}

fn read_data(tree: &Tree, folder: &Path) -> Result<PlanData> {
    let known = ["records", "profile", "value", "keep", "unknown", "shuffle", "delimiter", "columns", "trim"];
    let fields = Fields::with(tree, &known)?;
    let text = |key: &str, default: &str| -> Result<String> {
        Ok(fields.read(key, Tree::text)?.unwrap_or(default).to_owned())
    };
    Ok(PlanData {
        records: folder.join(fields.required("records", file_name)?),
        profile: text("profile", "profile")?,
        value: fields.read("value", one_or_more)?.unwrap_or_else(|| vec!["value".to_owned()]),
        keep: fields.read("keep", one_or_more)?.unwrap_or_default(),
        unknown: text("unknown", "error")?,
        shuffle: fields.read("shuffle", Tree::bool)?.unwrap_or(false),
        csv: PlanCsv {
            delimiter: fields.read("delimiter", Tree::text)?.map(str::to_owned),
            columns: fields.read("columns", one_or_more)?,
            trim: fields.read("trim", Tree::bool)?.unwrap_or(false),
        },
    })
}

/// The options of `fit`, each as the plan's key with `_` for `-`.
fn read_fit(tree: &Tree, folder: &Path, data: &PlanData) -> Result<PlanFit> {
    let fields = Fields::of(tree)?;
    let records = fields.read("records", file_name)?.map(|name| folder.join(name));
    let same_data = fields.read("same_data", Tree::bool)?.unwrap_or(false);
    let mut options = Vec::new();
    let has = |key: &str| fields.get(key).is_some();
    let (profile, value, csv) = (!has("profile"), !has("value"), !has("delimiter") && !has("columns") && !has("trim"));
    for (key, entry) in tree.table()? {
        if ["records", "same_data"].contains(&key.as_str()) {
            continue;
        }
        let flag = format!("--{}", key.replace('_', "-"));
        match entry {
            Tree::Bool(true) => options.push(flag),
            Tree::Bool(false) => {}
            Tree::Number(text) | Tree::Text(text) => options.push(format!("{flag}={text}")),
            Tree::List(items) => {
                let items =
                    items.iter().map(|item| item.number_text().and_then(without_comma)).collect::<Result<Vec<_>>>();
                options.push(format!("{flag}={}", items.map_err(|error| error.at(key))?.join(",")));
            }
            other => return Err(Error::input(format!("found {}, expected a value", other.kind())).at(key)),
        }
    }
    if profile {
        options.push(format!("--profile={}", data.profile));
    }
    if value {
        options.push(format!("--value={}", data.value.join(",")));
    }
    if csv && records.is_none() {
        options.extend(data.csv.options());
    }
    Ok(PlanFit { records: records.unwrap_or_else(|| data.records.clone()), same_data, options })
}

impl PlanCsv {
    /// As on the command line.
    pub fn options(&self) -> Vec<String> {
        let mut options = Vec::new();
        if let Some(delimiter) = &self.delimiter {
            options.push(format!("--delimiter={delimiter}"));
        }
        if let Some(columns) = &self.columns {
            options.push(format!("--columns={}", columns.join(",")));
        }
        if self.trim {
            options.push("--trim".to_owned());
        }
        options
    }
}

fn read_estimate(tree: &Tree) -> Result<PlanEstimate> {
    let fields = Fields::with(tree, &["by", "confidence", "simultaneous"])?;
    let default = PlanEstimate::default();
    let confidence = fields.read("confidence", |tree| match tree.number_text()?.parse() {
        Ok(level) if level > 0.0 && level < 1.0 => Ok(level),
        _ => Err(Error::input("expected a number strictly between 0 and 1 such as 0.95")),
    })?;
    Ok(PlanEstimate {
        by: fields.read("by", Tree::text)?.map(str::to_owned),
        confidence: confidence.unwrap_or(default.confidence),
        simultaneous: fields.read("simultaneous", Tree::bool)?.unwrap_or(default.simultaneous),
    })
}

fn read_output(tree: &Tree) -> Result<(PathBuf, Option<String>)> {
    let fields = Fields::with(tree, &["folder", "records"])?;
    let released = fields.read("records", |tree| match tree.text()? {
        name if RESERVED.contains(&name) => {
            Err(Error::input(format!("{name:?} is the name of another file of a run, expected a name of its own")))
        }
        name if Path::new(name).file_name() == Some(name.as_ref()) => Ok(name.to_owned()),
        name => Err(Error::input(format!("{name:?}, expected the name of a file in the folder"))),
    })?;
    let folder = fields.read("folder", Tree::text)?.unwrap_or("out");
    Ok((folder.into(), released))
}

/// A text, or a list of them.
fn one_or_more(tree: &Tree) -> Result<Vec<String>> {
    let texts = match tree {
        Tree::Text(text) => vec![text.as_str()],
        list => list.texts()?,
    };
    texts.into_iter().map(|text| without_comma(text).map(str::to_owned)).collect()
}

/// Lists go on as on the command line, separated by commas.
fn without_comma(text: &str) -> Result<&str> {
    match text.contains(',') {
        false => Ok(text),
        true => {
            Err(Error::input(format!("{text:?} has a comma, which a plan cannot pass on (use the verbs one by one)")))
        }
    }
}

/// The name of a file; a plan does not read standard input.
fn file_name(tree: &Tree) -> Result<&str> {
    match tree.text()? {
        "-" => Err(Error::input("found \"-\", expected the name of a file")),
        name => Ok(name),
    }
}
