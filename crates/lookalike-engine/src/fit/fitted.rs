//! Profiles that were fitted.

use super::limits::{self, FoundLimits};
use super::profiles::{Group, Raw, check_groups, enough};
use lookalike::Sentence;
use lookalike::design::Problem;
use lookalike::exact::{Epsilon, Rational};
use lookalike::model::{Categories, Distribution, Limits, Names, SecretGraph};
use lookalike_formats::spec::read_law;
use lookalike_formats::{Error, FitGraph, FitOptions, Result};
use std::collections::BTreeMap;

/// A profile with the counts it was made from.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedProfile {
    /// Its name.
    pub name: String,
    /// How many records each category has.
    pub counts: Vec<u64>,
    /// The fractions of the counts, each with the pseudo-count added.
    pub law: Distribution,
    /// The limits of each probability, from the counts alone ([`lookalike::estimate::LimitsBasis::limits`]). They tell the counts.
    pub limits: Vec<[f64; 2]>,
    /// The limits for the spec, rounded outward; they contain the law, even one that a pseudo-count pushes out of the others.
    pub within: Limits,
}

impl FittedProfile {
    /// How many records it has.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The places of the categories with probability 0.
    pub fn never(&self) -> impl Iterator<Item = u32> {
        (0..self.law.len()).filter(|&place| self.law.numerator(place).is_zero()).map(|place| place as u32)
    }
}

/// Fitted profiles, by name, with the graph that was asked for.
#[derive(Debug, Clone)]
pub struct Fitted {
    /// What a value can be.
    pub categories: Categories,
    /// The profiles, in the order of their names.
    pub profiles: Vec<FittedProfile>,
    /// How many records were read.
    pub rows: u64,
    /// The names of profiles with too few records, which were left out or made one.
    pub small: Vec<String>,
    /// How it was fitted.
    pub options: FitOptions,
    /// The groups with the places of their members, by name.
    pub(super) groups: Vec<(String, Vec<u32>)>,
    /// The users behind the roles, where profiles are roles.
    pub(super) users: Option<Vec<Raw>>,
}

impl Fitted {
    pub(super) fn new(
        categories: Categories,
        profiles: Vec<Raw>,
        users: Option<Vec<Raw>>,
        rows: u64,
        options: &FitOptions,
    ) -> Result<Self> {
        if let FitGraph::GroupBy(column) = &options.graph {
            check_groups(&profiles, column)?;
        }
        let (profiles, small) = enough(profiles, options)?;
        let groups = groups(&profiles);
        let laws = laws(&profiles, &categories, options)?;
        let limits = limits::of(&counts(&profiles), &laws, options)?;
        let profile = |((raw, law), FoundLimits { exact, public }): ((Raw, Distribution), FoundLimits)| FittedProfile {
            name: raw.name,
            counts: raw.counts,
            law,
            limits: exact,
            within: public,
        };
        let profiles = profiles.into_iter().zip(laws).zip(limits).map(profile).collect();
        let fitted = Fitted { categories, profiles, rows, small, options: options.clone(), groups, users };
        fitted.check_graph()?;
        Ok(fitted)
    }

    /// The groups with the places of their members, by name; empty unless profiles are grouped by a column.
    pub fn groups(&self) -> &[(String, Vec<u32>)] {
        &self.groups
    }

    /// The fewest and the most records of a profile.
    pub fn records_per_profile(&self) -> (u64, u64) {
        let totals = || self.profiles.iter().map(FittedProfile::total);
        (totals().min().unwrap_or(0), totals().max().unwrap_or(0))
    }

    /// What is to be designed, within the limits unless the profiles are trusted; `None` while the graph is to be filled in.
    ///
    /// # Errors
    /// None that a fit lets through.
    pub fn problem(&self) -> Result<Option<Problem>> {
        let names: Vec<&str> = self.profiles.iter().map(|profile| profile.name.as_str()).collect();
        let Some(graph) = graph(&names, &self.options.graph, &self.groups, &self.options.budget())? else {
            return Ok(None);
        };
        let laws = self.profiles.iter().map(|profile| profile.law.clone()).collect();
        let problem = Problem::profiles(self.categories.clone(), graph, laws)?;
        Ok(Some(match self.options.trust_profiles {
            true => problem,
            false => problem.within(self.profiles.iter().map(|profile| profile.within.clone()).collect())?,
        }))
    }

    /// A spec must protect somebody.
    fn check_graph(&self) -> Result<()> {
        let (count, largest) = (self.profiles.len(), self.groups.iter().map(|(_, members)| members.len()).max());
        match (&self.options.graph, largest) {
            (FitGraph::GroupBy(column), Some(1)) => Err(Error::input(format!(
                "column {column:?}: each of the {count} groups has one profile, so nothing would be protected"
            ))
            .hint(Sentence::from("expected a coarser column, ").option("complete").text(" or ").option("chain"))),
            (FitGraph::Complete | FitGraph::Chain, _) if count == 1 => {
                Err(Error::input("one profile, expected two or more that must look alike"))
            }
            _ => Ok(()),
        }
    }
}

/// The fractions of counts, each with the pseudo-count added.
pub(super) fn laws(profiles: &[Raw], categories: &Categories, options: &FitOptions) -> Result<Vec<Distribution>> {
    let law = |raw: &Raw| {
        let weight = |&count: &u64| Rational::from_integer(count.into()) + &options.pseudo_count;
        let weights: Vec<Rational> = raw.counts.iter().map(weight).collect();
        read_law(&weights, categories, true).map_err(|error| error.at("pseudo-count"))
    };
    profiles.iter().map(law).collect()
}

/// The counts of profiles.
pub(super) fn counts(profiles: &[Raw]) -> Vec<&[u64]> {
    profiles.iter().map(|raw| &raw.counts[..]).collect()
}

/// The places of profiles in the same group.
pub(super) fn groups(profiles: &[Raw]) -> Vec<(String, Vec<u32>)> {
    let mut groups: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (raw, place) in profiles.iter().zip(0..) {
        if let Group::One(name) = &raw.group {
            groups.entry(name).or_default().push(place);
        }
    }
    groups.into_iter().map(|(name, members)| (name.to_owned(), members)).collect()
}

/// The graph over these names; `None` while it is to be filled in.
pub(super) fn graph(
    names: &[&str],
    kind: &FitGraph,
    groups: &[(String, Vec<u32>)],
    epsilon: &Epsilon,
) -> Result<Option<SecretGraph>> {
    let mut builder = SecretGraph::builder(Names::new("profile", names)?);
    match kind {
        FitGraph::Open => return Ok(None),
        FitGraph::Complete => builder.complete(epsilon),
        FitGraph::Chain => builder.chain(epsilon),
        FitGraph::GroupBy(_) => {
            for (name, members) in groups {
                builder.group(name, members.clone(), epsilon.clone())?;
            }
        }
    }
    Ok(Some(builder.build()?))
}
