//! What `fit` says of the profiles it fitted.

use crate::terminal::{count, figure, table, whole_table, wrapped};
use lookalike::estimate::HoldsFor;
use lookalike::exact::{Direction, to_f64};
use lookalike_engine::fit::{Coarser, FitFacts, Fitted, FittedProfile, Granularity};
use lookalike_formats::{FitGraph, LIMITS_REST_ON, Result, Small, shown};

/// The fit, with what coarser profiles would cost.
pub struct Summary<'a> {
    fitted: &'a Fitted,
    coarser: Option<Coarser>,
}

/// Categories shown in the table; with more it would be wider than a screen.
const MOST_CATEGORIES: usize = 8;
/// Profiles named one by one that never use a category.
const MOST_NAMED: usize = 10;

impl<'a> Summary<'a> {
    pub fn new(fitted: &'a Fitted) -> Result<Self> {
        Ok(Summary { fitted, coarser: fitted.coarser()? })
    }

    /// For machines.
    pub fn facts(&self) -> FitFacts<'_> {
        self.fitted.facts(self.coarser.as_ref())
    }

    /// For people.
    pub fn text(&self) -> String {
        let (fitted, (least, most)) = (self.fitted, self.fitted.records_per_profile());
        let range = if least == most { format!("{least}") } else { format!("{least} to {most}") };
        let mut text = format!(
            "{} over {} from {}; {range} records per profile.\n",
            count(fitted.profiles.len() as u64, "profile"),
            categories(fitted.categories.len()),
            count(fitted.rows, "record"),
        );
        text += &self.small();
        text += &self.profiles();
        text += &self.never();
        text += &self.coarser();
        let public = if self.fitted.options.trust_profiles {
            "These profiles become"
        } else {
            "These profiles and their limits become"
        };
        text + &format!(
            "{public} public with the spec, and epsilon does not cover what they tell about these records.\n"
        )
    }

    fn small(&self) -> String {
        let small = &self.fitted.small;
        if small.is_empty() {
            return String::new();
        }
        let (number, fewer) = (count(small.len() as u64, "profile"), self.fitted.options.minimum);
        match &self.fitted.options.small {
            Small::Pool(name) => format!(
                "{number} with fewer than {fewer} records made one, {name:?}: write that name in their place before \
                 privatizing.\n"
            ),
            _ => format!("{number} with fewer than {fewer} records left out: their records cannot be privatized.\n"),
        }
    }

    fn profiles(&self) -> String {
        let fitted = self.fitted;
        let names: Vec<&str> = fitted.categories.names().iter().collect();
        let columns = if names.len() <= MOST_CATEGORIES { &names[..] } else { &[] };
        let header: Vec<&str> =
            ["profile", "records"].into_iter().chain(columns.iter().copied()).chain(["widest limits"]).collect();
        let row = |profile: &FittedProfile| {
            let shares =
                (0..columns.len()).map(|place| figure(to_f64(&profile.law.probability(place), Direction::Nearest)));
            let widest = profile.limits.iter().map(|[lower, upper]| upper - lower).fold(0.0, f64::max);
            let first = [profile.name.clone(), profile.total().to_string()];
            first.into_iter().chain(shares).chain([figure(widest)]).collect()
        };
        let table = table(&header, fitted.profiles.iter().map(row));
        table + &self.limits()
    }

    /// Whom the limits hold for, what that rests on, and what the spec has of it.
    fn limits(&self) -> String {
        let sure = match self.fitted.limits_basis() {
            Ok(basis) => {
                let who = match basis.holds_for() {
                    HoldsFor::EachPair => {
                        "The two profiles of any one pair, chosen beforehand, lie within their limits with {} confidence; all \
                         of them at once with --simultaneous only."
                    }
                    HoldsFor::AllPairs => "All profiles at once lie within their limits with {} confidence.",
                };
                wrapped(&who.replace("{}", &basis.percent())) + &wrapped(LIMITS_REST_ON)
            }
            Err(why) => format!("No confidence of the limits is stated: {why}.\n"),
        };
        let trusted = match self.fitted.options.trust_profiles {
            true => {
                "The profiles are trusted: the spec has no limits, and what is promised holds for these very laws only. \
                 certify\n--profiles-within says what epsilon may be within the limits.\n"
            }
            false => "",
        };
        sure + trusted
    }

    /// The categories that a profile never uses, and what that means.
    fn never(&self) -> String {
        let names = self.fitted.categories.names();
        let users: Vec<&FittedProfile> =
            self.fitted.profiles.iter().filter(|profile| profile.never().next().is_some()).collect();
        if users.is_empty() {
            return String::new();
        }
        let line = |profile: &&FittedProfile| {
            let never: Vec<_> = profile.never().map(|place| shown(names.name(place))).collect();
            format!("  {}: {}\n", shown(&profile.name), never.join(", "))
        };
        let more = match users.len().checked_sub(MOST_NAMED) {
            None | Some(0) => String::new(),
            Some(more) => format!("  … and {more} more; --json lists them\n"),
        };
        let meaning = match self.fitted.options.trust_profiles {
            true => {
                "Such an output would tell a profile that causes it from one that never does, unless the mechanism hides it \
                 with noise.\nWhat has not occurred yet may still occur: --pseudo-count 1 gives every category a small \
                 probability."
            }
            false => {
                "What has not occurred yet may still occur: the limits allow for it, and the mechanism hides it with noise."
            }
        };
        let named = users.iter().take(MOST_NAMED).map(line).collect::<String>();
        format!("Never used:\n{named}{more}{meaning}\n")
    }

    /// The utility against granularity.
    fn coarser(&self) -> String {
        let Some(Coarser { granularity, local_dp }) = &self.coarser else {
            return String::new();
        };
        let graph = match &self.fitted.options.graph {
            FitGraph::Open => "if every two profiles had to look alike".to_owned(),
            FitGraph::Complete => "every two profiles alike".to_owned(),
            FitGraph::Chain => "neighbours by name alike".to_owned(),
            FitGraph::GroupBy(column) => format!("profiles with the same {column:?} alike"),
        };
        let row = |level: &Granularity| {
            vec![
                level.column.as_ref().map_or("everyone as one".to_owned(), |column| format!("each {column}")),
                level.profiles.to_string(),
                level.least_records.to_string(),
                level.value.map_or("in two groups".to_owned(), figure),
                figure(*local_dp),
            ]
        };
        let header = ["a profile for", "profiles", "least records", "max-flip", "local DP"];
        format!(
            "Utility against granularity at epsilon {}, {graph}:\n{}Coarser profiles cost less noise and promise less: \
             nothing is said about two who share one.\n",
            self.fitted.options.budget(),
            whole_table(&header, granularity.iter().map(row)),
        )
    }
}

fn categories(number: usize) -> String {
    if number == 1 { "1 category".to_owned() } else { format!("{number} categories") }
}
