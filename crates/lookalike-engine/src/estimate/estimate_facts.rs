//! What is said of estimates.

use super::reports::{Cohort, EstimateNames, about_text};
use lookalike::estimate::{Estimate, Figure, Misfit};
use lookalike::model::Names;
use serde::Serialize;

/// What reports tell of the true values.
#[derive(Debug, Clone, Serialize)]
pub struct EstimateFacts<'a> {
    /// What the figures rest on: `nothing`, `limits` or `profiles`.
    pub trust: Option<&'static str>,
    /// Whom the figures are about, and what has to be true for that, in a sentence.
    pub about: Option<String>,
    /// How often an interval covers the truth.
    pub confidence: Option<f64>,
    /// Whether all do at once with that probability.
    pub simultaneous: Option<bool>,
    /// All reports together, or each value of a public column.
    pub cohorts: Vec<CohortFacts<'a>>,
}

/// The reports of a cohort.
#[derive(Debug, Clone, Serialize)]
pub struct CohortFacts<'a> {
    /// Its name; null for all reports together.
    pub name: Option<&'a str>,
    /// How many reports there are.
    pub reports: u64,
    /// How many stood in for others beside them, and were taken out.
    pub stand_ins: u64,
    /// The evidence that the reports do not fit; null where there is none.
    pub misfit: Option<MisfitFacts<'a>>,
    /// The shares of the categories.
    pub histogram: Vec<ShareFacts<'a>>,
    /// Their covariances, a row for each category.
    pub covariance: Vec<&'a [f64]>,
    /// The shares of the profiles; none where reports do not tell of them.
    pub mix: Vec<ShareFacts<'a>>,
}

/// Reports that do not fit.
#[derive(Debug, Clone, Serialize)]
pub struct MisfitFacts<'a> {
    /// The output that gives it away.
    pub output: &'a str,
    /// Its share of the reports.
    pub reported: f64,
    /// Its share in the law that fits best.
    pub fitted: f64,
    /// How likely that is by chance, at most.
    pub probability: f64,
}

/// A share with its interval.
#[derive(Debug, Clone, Serialize)]
pub struct ShareFacts<'a> {
    /// What it is the share of: several, where reports do not tell them apart.
    #[serde(flatten)]
    pub of: Members<'a>,
    /// The estimate, within its interval.
    pub share: f64,
    /// The least that is not refuted.
    pub lower: f64,
    /// The most.
    pub upper: f64,
    /// The share in the released column as it stands; null where reports are no categories.
    pub counted: Option<f64>,
    /// The estimate without bias, which may lie outside 0 to 1; null where there is none.
    pub unbiased: Option<f64>,
}

/// What a share is the share of.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Members<'a> {
    /// Categories of true values.
    Categories(Vec<&'a str>),
    /// Profiles.
    Profiles(Vec<&'a str>),
}

impl<'a> EstimateFacts<'a> {
    /// What is said of these cohorts.
    pub fn of(names: impl Into<EstimateNames<'a>>, cohorts: &'a [Cohort]) -> Self {
        let names = names.into();
        let first = cohorts.first().map(|(_, estimate)| estimate);
        EstimateFacts {
            trust: first.map(|estimate| estimate.trust.name()),
            about: first.map(|estimate| about_text(estimate.trust).to_owned()),
            confidence: first.map(|estimate| estimate.confidence),
            simultaneous: first.map(|estimate| estimate.simultaneous),
            cohorts: cohorts.iter().map(|(name, estimate)| cohort(names, name.as_deref(), estimate)).collect(),
        }
    }
}

fn cohort<'a>(names: EstimateNames<'a>, name: Option<&'a str>, estimate: &'a Estimate) -> CohortFacts<'a> {
    let EstimateNames { categories, profiles, outputs } = names;
    let misfit = |misfit: &Misfit| MisfitFacts {
        output: outputs.name(misfit.output),
        reported: misfit.reported,
        fitted: misfit.fitted,
        probability: misfit.probability,
    };
    let shares = |figures: &[Figure], names: &'a Names, of: fn(Vec<&'a str>) -> Members<'a>| {
        let one = |figure: &Figure| ShareFacts {
            of: of(figure.members.iter().map(|&member| names.name(member)).collect()),
            share: figure.share,
            lower: figure.lower,
            upper: figure.upper,
            counted: figure.counted,
            unbiased: figure.unbiased,
        };
        figures.iter().map(one).collect()
    };
    CohortFacts {
        name,
        reports: estimate.reports,
        stand_ins: estimate.stand_ins,
        misfit: estimate.misfit.as_ref().map(misfit),
        histogram: shares(&estimate.histogram, categories, Members::Categories),
        covariance: estimate.covariance.chunks(categories.len().max(1)).collect(),
        mix: profiles.map_or_else(Vec::new, |profiles| shares(&estimate.mix, profiles, Members::Profiles)),
    }
}
