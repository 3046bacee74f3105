//! What was read back from privatized records.

use super::{Page, words};
use crate::plot::{Axis, Bar, BarRow, Bars, Style};
use lookalike::estimate::{Estimate, Figure, Trust};
use lookalike::model::Names;
use lookalike_engine::misfit_text;
use lookalike_formats::CommandLine;
use maud::{Markup, html};

/// More cohorts than this are left out.
pub(super) const MOST_COHORTS: usize = 20;
/// More figures than this are not shown one by one.
const MOST_FIGURES: usize = 40;

pub(super) fn section(page: &Page<'_>) -> Markup {
    html! {
        @if !page.estimates.is_empty() {
            section {
                h2 { "What was learnt" }
                @for (cohort, estimate) in page.estimates.iter().take(MOST_COHORTS) {
                    (of(page, cohort.as_deref(), estimate))
                }
                @if page.estimates.len() > MOST_COHORTS {
                    p { "The first " (MOST_COHORTS) " of " (page.estimates.len()) " cohorts." }
                }
            }
        }
    }
}

fn of(page: &Page<'_>, cohort: Option<&str>, estimate: &Estimate) -> Markup {
    let mechanism = page.mechanism();
    let note = match estimate.trust {
        Trust::Profiles => {
            " This is about the population the records come from, and holds if the profiles of the mechanism are right."
        }
        Trust::Limits => {
            " This is about the population the records come from, and holds if the values of each profile come from a law within its \
             limits."
        }
        _ => " This is about those who reported, and holds whatever the profiles are.",
    };
    // One figure for all profiles says nothing.
    let mix = if estimate.mix.len() > 1 { &estimate.mix[..] } else { &[] };
    let profiles = figures("Share of each profile", mechanism.graph().names(), mix);
    of_values(mechanism.inputs().names(), mechanism.outputs().names(), cohort, estimate, note, &profiles)
}

/// The shares of the true values, with a note and more figures beside them.
pub(super) fn of_values(
    names: &Names,
    outputs: &Names,
    cohort: Option<&str>,
    estimate: &Estimate,
    note: &str,
    beside: &Markup,
) -> Markup {
    let percent = format!("{}", (estimate.confidence * 1000.0).round() / 10.0);
    html! {
        @if let Some(cohort) = cohort { h3 { (words::name(cohort)) } }
        p {
            "From " (words::count(estimate.reports, "privatized record")) ". The true share lies in "
            @if estimate.simultaneous { "every interval at once" } @else { "an interval" }
            " with a probability of at least " (percent) " %." (note)
            @if estimate.stand_ins > 0 {
                " " (words::count(estimate.stand_ins, "more record")) " stood in for others and were taken out."
            }
        }
        @if let Some(misfit) = &estimate.misfit {
            p class="warning" { (misfit_text(outputs.name(misfit.output), misfit, estimate.trust).spelled(&CommandLine)) }
        }
        div class="figures" {
            (figures("Share of each value among the true ones", names, &estimate.histogram))
            (beside)
        }
    }
}

/// Bars with intervals, and the numbers behind them.
fn figures(title: &str, names: &Names, figures: &[Figure]) -> Markup {
    if figures.is_empty() {
        return html! {};
    }
    let label = |figure: &Figure| {
        const MOST: usize = 3;
        let members = figure.members.iter().take(MOST).map(|&member| words::cut(names.name(member), 24));
        let more = if figure.members.len() > MOST { " + …" } else { "" };
        members.collect::<Vec<_>>().join(" + ") + more
    };
    // The largest shares of many.
    let mut shown: Vec<&Figure> = figures.iter().collect();
    if shown.len() > MOST_FIGURES {
        shown.sort_by(|one, other| other.share.total_cmp(&one.share));
        shown.truncate(MOST_FIGURES);
    }
    let row = |figure: &&Figure| BarRow {
        name: label(figure),
        bars: vec![Bar { value: figure.share, interval: Some((figure.lower, figure.upper)) }],
    };
    let bars = Bars {
        title: title.into(),
        axis: Axis::new("share of all records"),
        series: vec![("share".into(), Style::Ours)],
        rows: shown.iter().map(row).collect(),
    };
    html! {
        figure {
            (bars.svg())
            @if figures.iter().any(|figure| figure.members.len() > 1) {
                figcaption { "Where names stand together only their total can be told: their records look exactly alike." }
            }
            @if figures.iter().any(|figure| figure.unbiased.is_none()) {
                figcaption { "No number of records narrows these shares down to a point; the intervals have room for what stays open." }
            }
            @if figures.len() > shown.len() { figcaption { "The " (shown.len()) " largest of " (figures.len()) "." } }
            div class="scroll" {
                table {
                    thead { tr {
                        th { "of" }
                        @for head in ["share", "lower", "upper", "counted", "unbiased"] { th class="number" { (head) } }
                    } }
                    tbody {
                        @for figure in &shown {
                            tr {
                                td { (words::names(figure.members.iter().map(|&member| names.name(member)), 6)) }
                                @for value in [Some(figure.share), Some(figure.lower), Some(figure.upper), figure.counted, figure.unbiased] {
                                    td class="number" { (value.map_or_else(String::new, |value| format!("{value:.4}"))) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
