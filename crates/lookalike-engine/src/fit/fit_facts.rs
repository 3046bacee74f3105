//! What is said of profiles that were fitted.

use super::fitted::{Fitted, FittedProfile};
use super::granularity::Granularity;
use crate::facts::nearest;
use lookalike_formats::{LimitsBasisFacts, Result};
use serde::Serialize;
use std::collections::BTreeMap;

/// Profiles that were fitted to records.
#[derive(Debug, Clone, Serialize)]
pub struct FitFacts<'a> {
    /// How many records were read.
    pub rows: u64,
    /// What a value can be.
    pub categories: Vec<&'a str>,
    /// The fewest records of a profile.
    pub least_records: u64,
    /// The most.
    pub most_records: u64,
    /// The confidence of the limits that was asked for.
    pub confidence: f64,
    /// Whether it is that of all pairs at once.
    pub simultaneous: bool,
    /// What the limits rest on; null where no confidence can be stated.
    pub limits_basis: Option<LimitsBasisFacts>,
    /// Why none can be stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_confidence: Option<&'static str>,
    /// What limits in the spec are multiples of: one part in so many.
    pub limits_grid: u32,
    /// Whether the spec has no limits, so that the promise holds for the profiles alone.
    pub trust_profiles: bool,
    /// The ε that the spec has.
    pub epsilon: String,
    /// The profiles, in the order of their names.
    pub profiles: Vec<ProfileFacts<'a>>,
    /// The members of each group, where profiles are grouped by a column.
    pub groups: BTreeMap<&'a str, Vec<&'a str>>,
    /// Profiles with too few records, which were left out or made one.
    pub small: &'a [String],
    /// The edges of bins, where categories are bins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bins: Option<Vec<String>>,
    /// What coarser profiles would cost, where that was designed.
    #[serde(flatten)]
    pub coarser: Option<Coarser>,
}

/// A fit with the files that were written.
#[derive(Debug, Clone, Serialize)]
pub struct WrittenFacts<'a> {
    /// What was fitted.
    #[serde(flatten)]
    pub fit: FitFacts<'a>,
    /// The file of the spec; null where there is none.
    pub file: Option<String>,
    /// The file of the limits; null where there is none.
    pub limits_file: Option<String>,
    /// The spec itself, where no file has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spec: Option<String>,
}

/// A profile that was fitted.
#[derive(Debug, Clone, Serialize)]
pub struct ProfileFacts<'a> {
    /// Its name.
    pub name: &'a str,
    /// How many records it has.
    pub records: u64,
    /// How many of them are in each category.
    pub counts: &'a [u64],
    /// Its law, as fractions.
    pub probabilities: Vec<String>,
    /// The exact lower limit of each probability, which tells the counts.
    pub lower: Vec<f64>,
    /// The upper limit of each.
    pub upper: Vec<f64>,
    /// The limits in the spec, as fractions; null where the profiles are trusted.
    pub limits: Option<Vec<[String; 2]>>,
    /// The categories that it never has.
    pub never: Vec<&'a str>,
}

/// What profiles of users, of roles or of everyone would cost.
#[derive(Debug, Clone, Serialize)]
pub struct Coarser {
    /// From fine to coarse.
    pub granularity: Vec<Granularity>,
    /// What local DP costs, which no profile changes.
    pub local_dp: f64,
}

impl Fitted {
    /// What coarser profiles would cost; `None` unless profiles are roles.
    ///
    /// # Errors
    /// Those of the designs.
    pub fn coarser(&self) -> Result<Option<Coarser>> {
        let granularity = self.granularity()?;
        if granularity.is_empty() {
            return Ok(None);
        }
        Ok(Some(Coarser { granularity, local_dp: self.local_dp()? }))
    }

    /// What is said of it.
    pub fn facts(&self, coarser: Option<&Coarser>) -> FitFacts<'_> {
        let (least_records, most_records) = self.records_per_profile();
        let member = |&place: &u32| self.profiles[place as usize].name.as_str();
        let groups = self.groups().iter().map(|(name, members)| (name.as_str(), members.iter().map(member).collect()));
        FitFacts {
            rows: self.rows,
            categories: self.categories.names().iter().collect(),
            least_records,
            most_records,
            confidence: nearest(&self.options.confidence),
            simultaneous: self.options.simultaneous,
            limits_basis: self.limits_basis().ok().as_ref().map(LimitsBasisFacts::of),
            no_confidence: self.limits_basis().err(),
            limits_grid: self.options.limits_grid,
            trust_profiles: self.options.trust_profiles,
            epsilon: self.options.budget().to_string(),
            profiles: self.profiles.iter().map(|profile| self.profile_facts(profile)).collect(),
            groups: groups.collect(),
            small: &self.small,
            bins: self.categories.bins().map(|edges| edges.iter().map(ToString::to_string).collect()),
            coarser: coarser.cloned(),
        }
    }

    fn profile_facts<'a>(&'a self, profile: &'a FittedProfile) -> ProfileFacts<'a> {
        let (lower, upper) = profile.limits.iter().map(|&[lower, upper]| (lower, upper)).unzip();
        let public = (0..profile.within.len()).map(|place| profile.within.ends(place).map(|end| end.to_string()));
        ProfileFacts {
            name: &profile.name,
            records: profile.total(),
            counts: &profile.counts,
            probabilities: profile.law.probabilities().map(|p| p.to_string()).collect(),
            lower,
            upper,
            limits: (!self.options.trust_profiles).then(|| public.collect()),
            never: profile.never().map(|place| self.categories.names().name(place)).collect(),
        }
    }
}
