//! What profiles of users, of roles or of everyone would cost.

use super::fitted::{Fitted, counts, graph, groups, laws};
use super::limits;
use super::profiles::{Group, Raw};
use lookalike::design::{Options, Problem, design, randomized_response};
use lookalike::model::SecretGraph;
use lookalike_formats::{FitGraph, Result};
use serde::Serialize;

/// The utility of the best design with profiles of one granularity.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Granularity {
    /// The column whose values are the profiles; `None` for everyone as one.
    pub column: Option<String>,
    /// How many profiles there are.
    pub profiles: usize,
    /// The fewest records of a profile.
    pub least_records: u64,
    /// The objective of the best design; 0 when no two profiles need look alike, and `None` when a profile is in two
    /// groups, so that there is no graph.
    pub value: Option<f64>,
}

impl Fitted {
    /// The utility for users, for roles and for everyone as one, from fine to coarse, with the same kind of graph at each;
    /// a complete one while it is to be filled in. Empty unless profiles are roles.
    ///
    /// # Errors
    /// Those of the design.
    pub fn granularity(&self) -> Result<Vec<Granularity>> {
        let (Some(users), Some(role)) = (&self.users, &self.options.profile_by) else {
            return Ok(Vec::new());
        };
        let roles: Vec<Raw> = self
            .profiles
            .iter()
            .zip(0..)
            .map(|(profile, place)| {
                let group = self.groups.iter().find(|(_, members)| members.contains(&place));
                let group = group.map_or(Group::None, |(name, _)| Group::One(name.clone()));
                Raw { name: profile.name.clone(), counts: profile.counts.clone(), group }
            })
            .collect();
        let mut everyone = Raw { name: "everyone".into(), counts: vec![0; self.categories.len()], group: Group::None };
        for raw in users {
            everyone.counts.iter_mut().zip(&raw.counts).for_each(|(sum, count)| *sum += count);
        }
        Ok(vec![
            self.at(Some(self.options.profile.clone()), users)?,
            self.at(Some(role.clone()), &roles)?,
            self.at(None, &[everyone])?,
        ])
    }

    /// The objective of local DP at the same ε, which no profile changes.
    ///
    /// # Errors
    /// Fewer than two categories.
    pub fn local_dp(&self) -> Result<f64> {
        let mut builder = SecretGraph::builder(self.categories.names().clone());
        builder.complete(&self.options.budget());
        let problem = Problem::values(self.categories.clone(), builder.build()?)?;
        Ok(randomized_response(&problem)?.objective.value)
    }

    fn at(&self, column: Option<String>, profiles: &[Raw]) -> Result<Granularity> {
        let least_records = profiles.iter().map(Raw::total).min().unwrap_or(0);
        Ok(Granularity { column, profiles: profiles.len(), least_records, value: self.value(profiles)? })
    }

    fn value(&self, profiles: &[Raw]) -> Result<Option<f64>> {
        if profiles.iter().any(|raw| matches!(raw.group, Group::Two(..))) {
            return Ok(None);
        }
        let kind = match &self.options.graph {
            FitGraph::Open => &FitGraph::Complete,
            kind => kind,
        };
        let groups = groups(profiles);
        let is_alone = match kind {
            FitGraph::GroupBy(_) => groups.iter().all(|(_, members)| members.len() < 2),
            _ => profiles.len() < 2,
        };
        if is_alone {
            return Ok(Some(0.0));
        }
        let names: Vec<&str> = profiles.iter().map(|raw| raw.name.as_str()).collect();
        let Some(graph) = graph(&names, kind, &groups, &self.options.budget())? else {
            return Ok(None);
        };
        let laws = laws(profiles, &self.categories, &self.options)?;
        let limits = limits::of(&counts(profiles), &laws, &self.options)?;
        let mut problem = Problem::profiles(self.categories.clone(), graph, laws)?;
        if !self.options.trust_profiles {
            problem = problem.within(limits.into_iter().map(|found| found.public).collect())?;
        }
        Ok(Some(design(&problem, &Options::default())?.objective.value))
    }
}
