//! Estimates for people.

use super::Readback;
use crate::terminal::{count, figure, table};
use lookalike::estimate::{Estimate, Figure};
use lookalike::model::{Kind, Names};
use lookalike_io::Cohort;

/// Cohorts shown one by one.
const MOST_COHORTS: usize = 20;

/// For people.
pub fn text(readback: &Readback<'_>, cohorts: &[Cohort]) -> String {
    let names = readback.names();
    let mut text = String::new();
    for (name, estimate) in cohorts.iter().take(MOST_COHORTS) {
        let of = name.as_ref().map_or_else(String::new, |name| format!(" of {name:?}"));
        let kind = if estimate.simultaneous { "all at once" } else { "each by itself" };
        let level = (1e6 * estimate.confidence).round() / 1e4;
        text += &format!("{}{of}; {level} % intervals, {kind}.\n", count(estimate.reports, "report"));
        text += &figures(&estimate.histogram, "category", names.categories);
        if let (Some(profiles), 2..) = (names.profiles, estimate.mix.len()) {
            text += &figures(&estimate.mix, "profile", profiles);
        }
        text += &remarks(estimate);
    }
    if cohorts.len() > MOST_COHORTS {
        text += &format!("… and {} more cohorts; --json has them all.\n", cohorts.len() - MOST_COHORTS);
    }
    let Readback::Channels(mechanism, estimator) = readback else { return text };
    if mechanism.kind() == Kind::Aware {
        text +=
            "The reports do not name their profiles: these figures hold if the profiles of the mechanism are right.\n";
    }
    if estimator.is_crowded() {
        text += "Too many profiles for shares of their own.\n";
    }
    text
}

fn figures(figures: &[Figure], what: &str, names: &Names) -> String {
    let row = |shown: &Figure| {
        let members: Vec<&str> = shown.members.iter().map(|&member| names.name(member)).collect();
        let numbers = [shown.unbiased, shown.lower, shown.upper, shown.likelihood].map(figure);
        std::iter::once(members.join(" + ")).chain(numbers).collect()
    };
    table(&[what, "share", "at least", "at most", "most likely"], figures.iter().map(row))
}

/// What a reader of the table must know.
fn remarks(estimate: &Estimate) -> String {
    let figures = || estimate.histogram.iter().chain(&estimate.mix);
    let mut text = String::new();
    let cut = figures().filter(|figure| figure.cut).count();
    if cut > 0 {
        text += &format!("{} cut at 0 or 1; a share may lie beyond.\n", count(cut as u64, "interval"));
    }
    let open: Vec<f64> = figures().map(|figure| figure.bias).filter(|&bias| bias > 0.0).collect();
    if let Some(largest) = open.iter().copied().reduce(f64::max) {
        text += &format!(
            "However many reports there are, {} stay open by up to {}; the intervals have room for that.\n",
            count(open.len() as u64, "share"),
            figure(largest)
        );
    }
    if estimate.mix.len() == 1 {
        text += "There are more profiles than the reports can tell apart, so no shares of profiles.\n";
    } else if figures().any(|figure| figure.members.len() > 1) {
        text += "Joined by +: the reports do not tell these apart, only their total is known.\n";
    }
    text
}
