//! What is released, secret by secret: the laws that the proof compares.

use super::{MOST_SECRETS, Page, within, words};
use crate::plot::{Axis, Bar, BarRow, Bars, HeatMap, Style};
use lookalike::exact::{Direction, to_f64};
use lookalike::model::{Categories, Distribution, Kind, OutputLaws};
use maud::{Markup, html};

/// More categories than this are not drawn side by side.
pub(super) const MOST_CATEGORIES: usize = 32;

pub(super) fn section(page: &Page<'_>) -> Markup {
    let mechanism = page.mechanism();
    let is_small = mechanism.graph().names().len() <= MOST_SECRETS
        && mechanism.outputs().len().max(mechanism.inputs().len()) <= MOST_CATEGORIES;
    html! {
        // The laws of values are the rows of their channel, which is drawn as such.
        @if !is_small || mechanism.kind() != Kind::Point {
            section {
                h2 { "What an observer sees" }
                (within::limits(page))
                @if is_small { (maps(page)) } @else { (ranges(page)) }
            }
        }
    }
}

/// The laws before and after, as colours.
fn maps(page: &Page<'_>) -> Markup {
    let mechanism = page.mechanism();
    let before = "Before: how often each value is true";
    let after = "After: how often each value is released";
    html! {
        p {
            "After the mechanism, the rows of a protected pair must be alike: in no column may they differ by more than "
            "their factor. "
            "That is all that an observer of one released value can go by."
            @if !mechanism.limits().is_empty() {
                " The rows are those of the profiles themselves; the proof compares all that the limits allow."
            }
        }
        div class="figures" {
            figure { (map(page, before, mechanism.inputs(), mechanism.profiles().iter().map(floats).collect())) }
            figure { (map(page, after, mechanism.outputs(), mechanism.output_laws().iter().map(floats).collect())) }
        }
    }
}

fn map(page: &Page<'_>, title: &str, columns: &Categories, values: Vec<Vec<f64>>) -> Markup {
    HeatMap {
        title: title.into(),
        row_label: page.secret().into(),
        column_label: "value".into(),
        rows: page.mechanism().graph().names().iter().map(|name| words::cut(name, 48)).collect(),
        columns: columns.names().iter().map(|name| words::cut(name, 48)).collect(),
        values,
    }
    .svg()
}

fn floats(law: &Distribution) -> Vec<f64> {
    law.probabilities().map(|probability| to_f64(&probability, Direction::Nearest)).collect()
}

/// For each output the least, mean and greatest probability over all secrets; of many outputs the likeliest.
fn ranges(page: &Page<'_>) -> Markup {
    let mechanism = page.mechanism();
    let laws = OutputLaws::of(mechanism);
    let unit = 2f64.powi(-62);
    let range = |output: usize| {
        let column = laws.column(output);
        let floors = column.floors();
        let (least, most) = (floors.iter().min().copied().unwrap_or(0), floors.iter().max().copied().unwrap_or(0));
        let mean = floors.iter().map(|&floor| floor as f64).sum::<f64>() / floors.len() as f64;
        (output, mean * unit, least as f64 * unit, most as f64 * unit)
    };
    let mut ranges: Vec<_> = (0..mechanism.outputs().len()).map(range).collect();
    let shown = ranges.len().min(MOST_CATEGORIES);
    if ranges.len() > shown {
        ranges.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        ranges.truncate(shown);
    }
    let row = |&(output, mean, least, most): &(usize, f64, f64, f64)| BarRow {
        name: words::cut(mechanism.outputs().names().name(output as u32), 48),
        bars: vec![Bar { value: mean, interval: Some((least, most)) }],
    };
    let bars = Bars {
        title: "How often each value is released".into(),
        axis: Axis::new("probability"),
        series: vec![("mean".into(), Style::Ours)],
        rows: ranges.iter().map(row).collect(),
    };
    html! {
        figure {
            (bars.svg())
            figcaption {
                "Bars are means over all " (page.secret()) "s; the lines reach from the one that releases the value least to "
                "the one that does so most."
                @if mechanism.outputs().len() > shown {
                    " The " (shown) " likeliest of " (words::count(mechanism.outputs().len() as u64, "value")) "."
                }
            }
        }
    }
}
