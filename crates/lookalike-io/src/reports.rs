//! Privatized records as counts, and what was estimated from them as JSON.

use crate::records::{Batch, Encode, Labels, RecordSource, unescaped};
use crate::tree::{Fields, Tree};
use crate::{Error, Result, read_text};
use lookalike::estimate::{Estimate, Figure};
use lookalike::exact::{Direction, to_f64};
use lookalike::model::{Mechanism, Names, Oracle};
use serde_json::{Value, json};
use std::borrow::Cow;
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

    fn way_out(&self) -> Cow<'static, str> {
        NOT_RELEASED.into()
    }
}

/// How often each output was reported, for each code of the source's profile column; one list where it has none.
///
/// # Errors
/// Those of the source, by row and column.
pub fn count_reports(
    source: &mut dyn RecordSource,
    outputs: usize,
    progress: &mut dyn FnMut(u64),
) -> Result<Vec<Vec<u64>>> {
    let mut counts: Vec<Vec<u64>> = Vec::new();
    let mut batch = Batch::default();
    while source.read_batch(&mut batch)? {
        for (row, &output) in batch.values.iter().enumerate() {
            let cohort = batch.profiles.get(row).map_or(0, |&cohort| cohort as usize);
            if counts.len() <= cohort {
                counts.resize(cohort + 1, vec![0; outputs]);
            }
            counts[cohort][output as usize] += 1;
        }
        progress(source.bytes_read());
    }
    Ok(counts)
}

/// What the figures of an estimate are about.
#[derive(Debug, Clone, Copy)]
pub struct EstimateNames<'a> {
    /// The categories of the true values.
    pub categories: &'a Names,
    /// The profiles; an oracle has none.
    pub profiles: Option<&'a Names>,
}

impl<'a> From<&'a Mechanism> for EstimateNames<'a> {
    fn from(mechanism: &'a Mechanism) -> Self {
        EstimateNames { categories: mechanism.inputs().names(), profiles: Some(mechanism.graph().names()) }
    }
}

impl<'a> From<&'a Oracle> for EstimateNames<'a> {
    fn from(oracle: &'a Oracle) -> Self {
        EstimateNames { categories: oracle.categories().names(), profiles: None }
    }
}

/// `confidence`, `simultaneous` and `cohorts`, each with its `name` (null for all), the number of `reports`, the
/// `histogram`, its `covariance`, and the `mix` of profiles; the last two are empty for an oracle.
pub fn estimates_json<'a>(names: impl Into<EstimateNames<'a>>, cohorts: &[Cohort]) -> Value {
    let EstimateNames { categories, profiles } = names.into();
    let cohort = |(name, estimate): &Cohort| {
        let size = estimate.histogram.len().max(1);
        json!({
            "name": name,
            "reports": estimate.reports,
            "histogram": figures_json(&estimate.histogram, "categories", categories),
            "covariance": estimate.covariance.chunks(size).collect::<Vec<_>>(),
            "mix": profiles.map_or_else(|| json!([]), |profiles| figures_json(&estimate.mix, "profiles", profiles)),
        })
    };
    let first = cohorts.first().map(|(_, estimate)| estimate);
    json!({
        "confidence": first.map(|estimate| estimate.confidence),
        "simultaneous": first.map(|estimate| estimate.simultaneous),
        "cohorts": cohorts.iter().map(cohort).collect::<Vec<_>>(),
    })
}

fn figures_json(figures: &[Figure], of: &str, names: &Names) -> Value {
    let figure = |figure: &Figure| {
        let members: Vec<&str> = figure.members.iter().map(|&member| names.name(member)).collect();
        json!({
            of: members,
            "unbiased": figure.unbiased,
            "bias": figure.bias,
            "likelihood": figure.likelihood,
            "lower": figure.lower,
            "upper": figure.upper,
            "cut": figure.cut,
        })
    };
    figures.iter().map(figure).collect()
}

/// Reads what [`estimates_json`] wrote about a mechanism.
///
/// # Errors
/// A file that is no such JSON, or names categories or profiles that the mechanism does not have.
pub fn read_estimates<'a>(path: &Path, names: impl Into<EstimateNames<'a>>) -> Result<Vec<Cohort>> {
    let names = names.into();
    let read = |text: &str| {
        let tree = Tree::from_json(text)?;
        let fields = Fields::with(&tree, &["confidence", "simultaneous", "cohorts"])?;
        let confidence = needed(fields.read("confidence", probability)?, "confidence")?;
        let simultaneous = needed(fields.read("simultaneous", Tree::bool)?, "simultaneous")?;
        let cohort = |tree: &Tree| read_cohort(tree, names, confidence, simultaneous);
        needed(fields.read("cohorts", |tree| tree.each("cohort", cohort))?, "cohorts")
    };
    read_text(path).and_then(|text| read(&text).map_err(|error| error.in_file(path)))
}

fn read_cohort(tree: &Tree, names: EstimateNames<'_>, confidence: f64, simultaneous: bool) -> Result<Cohort> {
    let fields = Fields::with(tree, &["name", "reports", "histogram", "covariance", "mix"])?;
    let name = fields.read("name", |tree| match tree {
        Tree::Null => Ok(None),
        other => other.text().map(|text| Some(text.to_owned())),
    })?;
    let figures = |key: &str, of: &str, names: Option<&Names>| {
        let figures = fields.read(key, |tree| tree.each("figure", |tree| read_figure(tree, of, names)))?;
        needed(figures, key)
    };
    let covariance = fields.read("covariance", |tree| tree.each("row", |row| row.each("entry", number)))?;
    let estimate = Estimate {
        reports: needed(fields.read("reports", Tree::integer)?, "reports")?,
        histogram: figures("histogram", "categories", Some(names.categories))?,
        covariance: needed(covariance, "covariance")?.into_iter().flatten().collect(),
        mix: figures("mix", "profiles", names.profiles)?,
        confidence,
        simultaneous,
    };
    Ok((name.flatten(), estimate))
}

fn read_figure(tree: &Tree, of: &str, names: Option<&Names>) -> Result<Figure> {
    let fields = Fields::with(tree, &[of, "unbiased", "bias", "likelihood", "lower", "upper", "cut"])?;
    let member = |tree: &Tree| {
        let name = tree.text()?;
        names
            .and_then(|names| names.place(name))
            .ok_or_else(|| Error::input(format!("{name:?} is not in the mechanism")))
    };
    let value = |key: &str| needed(fields.read(key, number)?, key);
    let (lower, upper) = (value("lower")?, value("upper")?);
    if !(0.0 <= lower && lower <= upper && upper <= 1.0) {
        return Err(Error::input(format!("an interval from {lower} to {upper}, expected one between 0 and 1")));
    }
    Ok(Figure {
        members: needed(fields.read(of, |tree| tree.each("name", member))?, of)?,
        unbiased: value("unbiased")?,
        bias: value("bias")?,
        likelihood: value("likelihood")?,
        lower,
        upper,
        cut: needed(fields.read("cut", Tree::bool)?, "cut")?,
    })
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

fn needed<T>(value: Option<T>, key: &str) -> Result<T> {
    value.ok_or_else(|| Error::input(format!("{key} is missing, expected what `lookalike estimate --json` prints")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::model::{Categories, Encoding, TOTAL};

    #[test]
    fn what_was_written_about_an_oracle_is_read_back_and_has_no_profiles() {
        let categories = Categories::new(["a", "b"]).unwrap();
        let encoding = Encoding::Unary { one: TOTAL / 2, other: TOTAL / 4 };
        let oracle = Oracle::new(categories, "ln(3)".parse().unwrap(), encoding).unwrap();
        let estimator = lookalike::estimate::SupportEstimator::new(&oracle);
        let estimate = estimator.estimate(&[40, 30], 100, Default::default()).unwrap();
        let cohorts = vec![(Some("mon".to_owned()), estimate)];
        let mut json = estimates_json(&oracle, &cohorts);
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
