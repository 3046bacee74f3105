//! From counts to profiles.

use super::tally::{Level, Membership};
use lookalike::Sentence;
use lookalike_formats::{Error, FitOptions, Result, Small};
use std::collections::{BTreeMap, BTreeSet};

/// The counts of one profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Raw {
    pub name: String,
    pub counts: Vec<u64>,
    pub group: Group,
}

/// The group of a profile by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Group {
    None,
    One(String),
    /// Two, found in these rows.
    Two([u64; 2]),
}

impl Raw {
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }
}

/// The profiles that have a record, by name.
pub(super) fn raw(level: &Level, groups: &[String], place_of_code: &[u32], size: usize) -> Vec<Raw> {
    let mut profiles: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
    for (&(profile, code), count) in &level.counts {
        let counts = profiles.entry(profile).or_insert_with(|| vec![0; size]);
        counts[place_of_code[code as usize] as usize] += count;
    }
    let name = |code: u32| groups[code as usize].clone();
    let profile = |(code, counts): (u32, Vec<u64>)| {
        let group = match level.groups.get(&code) {
            None => Group::None,
            Some(&Membership::One(group, _)) => Group::One(name(group)),
            Some(&Membership::Two(rows)) => Group::Two(rows),
        };
        Raw { name: level.names[code as usize].clone(), counts, group }
    };
    let mut profiles: Vec<Raw> = profiles.into_iter().map(profile).collect();
    profiles.sort_by(|a, b| a.name.cmp(&b.name));
    profiles
}

/// Refuses a profile in two groups. They are not shown: a column that was named by mistake may be private.
pub(super) fn check_groups(profiles: &[Raw], column: &str) -> Result<()> {
    let two = |raw: &Raw| match raw.group {
        Group::Two(rows) => Some(rows),
        _ => None,
    };
    match profiles.iter().find_map(two) {
        None => Ok(()),
        Some([first, second]) => Err(Error::input(format!(
            "column {column:?}: rows {first} and {second} are of one profile and have two values, expected one"
        ))),
    }
}

/// The profiles with enough records, by name, and the names of those with fewer, which were left out or made one.
pub(super) fn enough(profiles: Vec<Raw>, options: &FitOptions) -> Result<(Vec<Raw>, Vec<String>)> {
    let minimum = options.minimum;
    let (mut large, small): (Vec<Raw>, Vec<Raw>) = profiles.into_iter().partition(|raw| raw.total() >= minimum);
    let Some(least) = small.iter().map(Raw::total).min() else {
        return Ok((large, Vec::new()));
    };
    match &options.small {
        Small::Drop => {}
        Small::Pool(name) => {
            large.extend(pool(name, &small, &large, minimum)?);
            large.sort_by(|a, b| a.name.cmp(&b.name));
        }
        Small::Refuse => {
            let (count, all) = (small.len(), small.len() + large.len());
            let have = if count == 1 { "has" } else { "have" };
            let found = format!("{count} of {all} profiles {have} fewer than {minimum} records, the least {least}");
            let lower = Sentence::from("expected a lower ").option("minimum");
            let left_out = lower.text(", ").option("drop-small").text(" to leave them out, or ");
            let pooled = left_out.option("pool-small").taking("NAME").text(" to make them one profile");
            return Err(Error::input(found).hint(pooled));
        }
    }
    if large.is_empty() {
        let most = small.iter().map(Raw::total).max().unwrap_or(0);
        let lower = Sentence::from("expected a lower ").option("minimum");
        let hint = lower.text(" or coarser profiles, ").option("profile-by").taking("COLUMN");
        return Err(Error::input(format!("no profile has {minimum} records, the most {most}")).hint(hint));
    }
    Ok((large, small.into_iter().map(|raw| raw.name).collect()))
}

/// One profile of all small ones; one a group where they have groups.
fn pool(name: &str, small: &[Raw], large: &[Raw], minimum: u64) -> Result<Vec<Raw>> {
    let mut pools: BTreeMap<String, Raw> = BTreeMap::new();
    for raw in small {
        let name = match &raw.group {
            Group::One(group) => format!("{name} ({group})"),
            _ => name.to_owned(),
        };
        let empty = || Raw { name: name.clone(), counts: vec![0; raw.counts.len()], group: raw.group.clone() };
        let pool = pools.entry(name.clone()).or_insert_with(empty);
        pool.counts.iter_mut().zip(&raw.counts).for_each(|(sum, count)| *sum += count);
    }
    let asked = Sentence::new().option("pool-small").quoted(name);
    let names: BTreeSet<&str> = large.iter().map(|raw| raw.name.as_str()).collect();
    if pools.keys().any(|name| names.contains(name.as_str())) {
        return Err(Error::input("a profile has this name already, expected another").at_option(asked));
    }
    if let Some(raw) = pools.values().find(|raw| raw.total() < minimum) {
        let whose = if pools.len() == 1 { "" } else { " of a group" };
        let total = raw.total();
        let found = format!("all small profiles{whose} together have {total} records, expected {minimum}");
        let hint = Sentence::new().option("minimum").text(" lower, or ").option("drop-small");
        return Err(Error::input(found).at_option(asked).hint(hint));
    }
    Ok(pools.into_values().collect())
}
