//! Estimates for people.

use super::ReportReader;
use crate::terminal::{count, figure, spelled, table};
use lookalike::estimate::{Estimate, Figure, Trust};
use lookalike::model::Names;
use lookalike_engine::{Cohort, FigureChoice, about_text, misfit_text};
use lookalike_report::percent;

/// Cohorts shown one by one.
const MOST_COHORTS: usize = 20;

/// For people.
pub fn text(reader: &ReportReader<'_>, cohorts: &[Cohort], chosen: FigureChoice) -> String {
    let names = reader.names();
    let mut text = String::new();
    for (name, estimate) in cohorts.iter().take(MOST_COHORTS) {
        let of = name.as_ref().map_or_else(String::new, |name| format!(" of {name:?}"));
        let kind = if estimate.simultaneous { "all taken together" } else { "each taken separately" };
        let (reports, confidence) = (count(estimate.reports, "report"), percent(estimate.confidence));
        text += &format!("{reports}{of}; {confidence} intervals, {kind}.\n");
        if estimate.stand_ins > 0 {
            text += &format!("{} that stood in for others taken out.\n", count(estimate.stand_ins, "more record"));
        }
        if let Some(misfit) = &estimate.misfit {
            text += &format!("{}\n", spelled(&misfit_text(names.outputs.name(misfit.output), misfit, estimate.trust)));
        }
        text += &figures(&estimate.histogram, "category", names.categories, chosen);
        if let (Some(profiles), 2..) = (names.profiles, estimate.mix.len()) {
            text += &figures(&estimate.mix, "profile", profiles, chosen);
        }
        text += &remarks(estimate);
    }
    if cohorts.len() > MOST_COHORTS {
        text += &format!("… and {} more cohorts; --json has them all.\n", cohorts.len() - MOST_COHORTS);
    }
    text += about_text(cohorts.first().map_or(Trust::Nothing, |(_, estimate)| estimate.trust));
    text += "\n";
    if matches!(reader, ReportReader::Channels(_, estimator) if estimator.is_crowded()) {
        text += "Too many profiles for shares of their own.\n";
    }
    text
}

fn figures(figures: &[Figure], what: &str, names: &Names, chosen: FigureChoice) -> String {
    let has_counts = figures.iter().any(|figure| figure.counted.is_some());
    let name = |figure: &Figure| {
        let members: Vec<&str> = figure.members.iter().map(|&member| names.name(member)).collect();
        members.join(" + ")
    };
    let row = |shown: &Figure| {
        let numbers = [shown.share, shown.lower, shown.upper].map(figure);
        let counted = has_counts.then(|| shown.counted.map_or_else(String::new, figure));
        std::iter::once(name(shown)).chain(numbers).chain(counted).collect()
    };
    let head = [what, "share", "lower", "upper", "counted"];
    let shown = chosen.of(figures, name);
    let more = match figures.len() - shown.len() {
        0 => String::new(),
        more => format!("… and {more} more with smaller shares\n"),
    };
    table(&head[..if has_counts { 5 } else { 4 }], shown.into_iter().map(row)) + &more
}

/// What a reader of the table must know.
fn remarks(estimate: &Estimate) -> String {
    let figures = || estimate.histogram.iter().chain(&estimate.mix);
    let mut text = String::new();
    if figures().any(|figure| figure.unbiased.is_none()) {
        text +=
            "Some shares cannot be determined exactly, however many reports there are; the intervals allow for that.\n";
    }
    if estimate.trust.is_about_population() && estimate.mix.is_empty() {
        text += "No shares of profiles: the reports do not tell them apart.\n";
    } else if figures().any(|figure| figure.members.len() > 1) {
        text += "Joined by +: the reports do not tell these apart, only their total is known.\n";
    }
    text
}
