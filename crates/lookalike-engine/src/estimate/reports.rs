//! Privatized records as counts, and what was estimated from them as JSON.

use super::named_counts::whole;
use super::report_reader::TOO_MANY;
use arrow_schema::FieldRef;
use lookalike::Sentence;
use lookalike::estimate::{Estimate, Figure, Misfit, Trust};
use lookalike::exact::{Direction, to_f64};
use lookalike::model::{Mechanism, Names, Oracle};
use lookalike_formats::tree::{Fields, Tree};
use lookalike_formats::{Error, Result};
use lookalike_records::{Batch, Encode, Labels, RecordSource, Texts, at_field, kept_arrays, read_text, unescaped};
use std::path::Path;

/// An estimate, with the name of its cohort where there are several.
pub type Cohort = (Option<String>, Estimate);

/// What may be the matter with reports that are none.
pub(crate) const NOT_RELEASED: &str = " (records that another mechanism released, or that were never released?)";

/// The codes of a mechanism's outputs in privatized records.
pub struct Outputs(Labels);

impl Outputs {
    /// Those of a mechanism.
    ///
    /// # Errors
    /// None for a mechanism.
    pub fn of(mechanism: &Mechanism) -> Result<Self> {
        Ok(Outputs(Labels::new(mechanism.outputs().names().iter().map(str::to_owned))?))
    }
}

impl Encode for Outputs {
    /// A label as it is, or as `--escape-formulas` writes it: which refuses labels that this could mix up.
    fn encode(&self, text: &str) -> Option<u32> {
        self.0.encode(text).or_else(|| self.0.encode(unescaped(text)?))
    }

    fn count(&self) -> usize {
        self.0.count()
    }

    fn hint(&self) -> Sentence {
        NOT_RELEASED.into()
    }
}

/// How often each output was reported, for each code of the source's profile column; one list where it has none.
///
/// With the name of a `counted` column each row stands for as many reports as it says there: the first kept column.
///
/// # Errors
/// Those of the source, and a count that is no whole number, by row and column; more reports than 64 bits count.
pub fn count_reports(
    source: &mut dyn RecordSource,
    outputs: usize,
    counted: Option<&str>,
    progress: &mut dyn FnMut(u64),
) -> Result<Vec<Vec<u64>>> {
    let kept = source.schema().kept;
    let mut counts: Vec<Vec<u64>> = Vec::new();
    let mut batch = Batch::default();
    while source.read_batch(&mut batch)? {
        let rows = counted.map(|column| reports_of_rows(&batch, &kept, column)).transpose()?;
        for (row, &output) in batch.values.iter().enumerate() {
            let cohort = batch.profiles.get(row).map_or(0, |&cohort| cohort as usize);
            if counts.len() <= cohort {
                counts.resize(cohort + 1, vec![0; outputs]);
            }
            let count = &mut counts[cohort][output as usize];
            let reports = rows.as_ref().map_or(1, |rows| rows[row]);
            *count = count.checked_add(reports).ok_or_else(|| Error::input(TOO_MANY))?;
        }
        progress(source.bytes_read());
    }
    Ok(counts)
}

/// For how many reports each row of a batch stands, as its first kept column says.
fn reports_of_rows(batch: &Batch, kept: &[FieldRef], column: &str) -> Result<Vec<u64>> {
    let arrays = kept_arrays(batch, kept)?;
    let texts = Texts::of(&arrays[0]);
    let mut text = String::new();
    let of_row = |row: usize| {
        text.clear();
        texts.append(row, &mut text);
        let count = whole(text.trim()).and_then(|count| u64::try_from(count).ok());
        count.ok_or_else(|| {
            let wrong = "not a whole number from 0 on, expected how many reports the row stands for";
            at_field(batch.first_row + row as u64 + 1, column, wrong)
        })
    };
    (0..batch.len()).map(of_row).collect()
}

/// What the figures of an estimate are about.
#[derive(Debug, Clone, Copy)]
pub struct EstimateNames<'a> {
    /// The categories of the true values.
    pub categories: &'a Names,
    /// The profiles; an oracle has none.
    pub profiles: Option<&'a Names>,
    /// What is counted: outputs, or the categories that reports of an oracle support.
    pub outputs: &'a Names,
}

impl<'a> From<&'a Mechanism> for EstimateNames<'a> {
    fn from(mechanism: &'a Mechanism) -> Self {
        EstimateNames {
            categories: mechanism.inputs().names(),
            profiles: Some(mechanism.graph().names()),
            outputs: mechanism.outputs().names(),
        }
    }
}

impl<'a> From<&'a Oracle> for EstimateNames<'a> {
    fn from(oracle: &'a Oracle) -> Self {
        let names = oracle.categories().names();
        EstimateNames { categories: names, profiles: None, outputs: names }
    }
}

/// Whom figures are about, and what has to be true for that.
pub fn about_text(trust: Trust) -> &'static str {
    match trust {
        Trust::Profiles => {
            "About the population that the reports come from: true if values are drawn from the profiles of the mechanism."
        }
        Trust::Limits => {
            "About the population that the reports come from: true if the values of each profile are drawn from one law within its limits."
        }
        _ => "About those who reported; nothing is assumed of them.",
    }
}

/// That the reports do not fit, with the evidence and what to do about it.
pub fn misfit_text(output: &str, misfit: &Misfit, trust: Trust) -> Sentence {
    let evidence = Sentence::from(format!(
        "The reports do not fit: {:.4} of them are {output:?}, and {:.4} in the law that fits best; by chance that happens with \
         probability {:.1e} at most. ",
        misfit.reported, misfit.fitted, misfit.probability
    ));
    let wrong = match trust {
        Trust::Profiles => Some("profiles"),
        Trust::Limits => Some("limits of the profiles"),
        _ => None,
    };
    match wrong {
        Some(wrong) => evidence
            .text(format!("The {wrong} are wrong for these respondents: read the figures back with "))
            .option("trust")
            .word("nothing")
            .text("."),
        None => evidence
            .text(
                "They were not made by this mechanism, or not independently: look at which file released them, and whether a \
                 ledger replaced rows",
            )
            .hint(Sentence::new().option("stand-ins"))
            .text("."),
    }
}

/// Reads [`EstimateFacts`](super::EstimateFacts) about a mechanism.
///
/// # Errors
/// A file that is no such JSON, or names categories or profiles that the mechanism does not have.
pub fn read_estimates<'a>(path: &Path, names: impl Into<EstimateNames<'a>>) -> Result<Vec<Cohort>> {
    let names = names.into();
    let read = |text: &str| {
        let tree = Tree::from_json(text)?;
        let fields = Fields::with(&tree, &["trust", "about", "confidence", "simultaneous", "cohorts"])?;
        let of_all = OfAll {
            trust: needed(fields.read("trust", |tree| Ok(tree.text()?.parse()?))?, "trust")?,
            confidence: needed(fields.read("confidence", probability)?, "confidence")?,
            simultaneous: needed(fields.read("simultaneous", Tree::bool)?, "simultaneous")?,
        };
        let cohort = |tree: &Tree| read_cohort(tree, names, &of_all);
        needed(fields.read("cohorts", |tree| tree.each("cohort", cohort))?, "cohorts")
    };
    read_text(path).and_then(|text| read(&text).map_err(|error| error.in_file(path)))
}

/// What all cohorts of a file share.
struct OfAll {
    trust: Trust,
    confidence: f64,
    simultaneous: bool,
}

fn read_cohort(tree: &Tree, names: EstimateNames<'_>, of_all: &OfAll) -> Result<Cohort> {
    let keys = ["name", "reports", "stand_ins", "misfit", "histogram", "covariance", "mix"];
    let fields = Fields::with(tree, &keys)?;
    let name = fields.read("name", |tree| optional(tree, |tree| tree.text().map(str::to_owned)))?;
    let figures = |key: &str, of: &str, names: Option<&Names>| {
        let figures = fields.read(key, |tree| tree.each("figure", |tree| read_figure(tree, of, names)))?;
        needed(figures, key)
    };
    let covariance = fields.read("covariance", |tree| tree.each("row", |row| row.each("entry", number)))?;
    let estimate = Estimate {
        reports: needed(fields.read("reports", Tree::integer)?, "reports")?,
        stand_ins: needed(fields.read("stand_ins", Tree::integer)?, "stand_ins")?,
        trust: of_all.trust,
        histogram: figures("histogram", "categories", Some(names.categories))?,
        covariance: needed(covariance, "covariance")?.into_iter().flatten().collect(),
        mix: figures("mix", "profiles", names.profiles)?,
        confidence: of_all.confidence,
        simultaneous: of_all.simultaneous,
        misfit: fields.read("misfit", |tree| optional(tree, |tree| read_misfit(tree, names.outputs)))?.flatten(),
    };
    Ok((name.flatten(), estimate))
}

fn read_misfit(tree: &Tree, outputs: &Names) -> Result<Misfit> {
    let fields = Fields::with(tree, &["output", "reported", "fitted", "probability"])?;
    let value = |key: &str| needed(fields.read(key, number)?, key);
    Ok(Misfit {
        output: needed(fields.read("output", |tree| member(tree, Some(outputs)))?, "output")?,
        reported: value("reported")?,
        fitted: value("fitted")?,
        probability: value("probability")?,
    })
}

fn read_figure(tree: &Tree, of: &str, names: Option<&Names>) -> Result<Figure> {
    let fields = Fields::with(tree, &[of, "share", "lower", "upper", "counted", "unbiased"])?;
    let value = |key: &str| needed(fields.read(key, number)?, key);
    let (lower, share, upper) = (value("lower")?, value("share")?, value("upper")?);
    if !(0.0 <= lower && lower <= share && share <= upper && upper <= 1.0) {
        return Err(Error::input(format!(
            "a share of {share} and an interval from {lower} to {upper}, expected 0 ≤ lower ≤ share ≤ upper ≤ 1"
        )));
    }
    Ok(Figure {
        members: needed(fields.read(of, |tree| tree.each("name", |tree| member(tree, names)))?, of)?,
        share,
        lower,
        upper,
        counted: fields.read("counted", |tree| optional(tree, number))?.flatten(),
        unbiased: fields.read("unbiased", |tree| optional(tree, number))?.flatten(),
    })
}

/// The place of a name.
fn member(tree: &Tree, names: Option<&Names>) -> Result<u32> {
    let name = tree.text()?;
    let place = names.and_then(|names| names.place(name));
    place.ok_or_else(|| Error::input(format!("{name:?} is not in the mechanism")))
}

/// What is there, or `None` for null.
fn optional<T>(tree: &Tree, read: impl Fn(&Tree) -> Result<T>) -> Result<Option<T>> {
    match tree {
        Tree::Null => Ok(None),
        other => read(other).map(Some),
    }
}

/// A number as the nearest double.
pub(crate) fn number(tree: &Tree) -> Result<f64> {
    let value = to_f64(&tree.rational()?, Direction::Nearest);
    if value.is_finite() { Ok(value) } else { Err(Error::input("a number beyond all measure, expected a finite one")) }
}

/// A number strictly between 0 and 1.
pub(crate) fn probability(tree: &Tree) -> Result<f64> {
    match number(tree)? {
        level if level > 0.0 && level < 1.0 => Ok(level),
        level => Err(Error::input(format!("found {level}, expected a number strictly between 0 and 1"))),
    }
}

/// The error for a key that is missing in what a verb prints as JSON.
pub(crate) fn missing(key: &str, verb: &'static str) -> Error {
    let expected = Sentence::from(format!("{key} is missing, expected what `")).verb_with(verb, "json");
    Error::input(expected.text("` prints"))
}

fn needed<T>(value: Option<T>, key: &str) -> Result<T> {
    value.ok_or_else(|| missing(key, "lookalike estimate"))
}

#[cfg(test)]
mod tests {
    use super::super::EstimateFacts;
    use super::*;
    use crate::facts::Facts;
    use lookalike::model::{Categories, Encoding, TOTAL};
    use serde_json::{Value, json};

    #[test]
    fn what_was_written_about_an_oracle_is_read_back_and_has_no_profiles() {
        let categories = Categories::new(["a", "b"]).unwrap();
        let encoding = Encoding::Unary { one: TOTAL / 2, other: TOTAL / 4 };
        let oracle = Oracle::new(categories, "ln(3)".parse().unwrap(), encoding).unwrap();
        let estimator = lookalike::estimate::SupportEstimator::new(&oracle);
        let estimate = estimator.estimate(&[40, 30], 100, 0, Default::default()).unwrap();
        let cohorts = vec![(Some("mon".to_owned()), estimate)];
        let mut json = EstimateFacts::of(&oracle, &cohorts).json();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("estimate.json");
        let read = |json: &Value| {
            std::fs::write(&path, json.to_string()).unwrap();
            read_estimates(&path, &oracle)
        };
        assert_eq!(read(&json).unwrap(), cohorts);
        let mut figure = json["cohorts"][0]["histogram"][0].clone();
        let members = figure.as_object_mut().unwrap().remove("categories").unwrap();
        figure["profiles"] = members;
        json["cohorts"][0]["mix"] = json!([figure]);
        let error = read(&json).unwrap_err().to_string();
        assert!(error.ends_with("mix: figure 1: profiles: name 1: \"a\" is not in the mechanism"), "{error}");
    }
}
