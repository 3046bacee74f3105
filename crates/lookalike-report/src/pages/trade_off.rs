//! Utility against ε.

use super::{Page, counts, words};
use crate::plot::{Axis, LineChart, Mark, Series, Style};
use lookalike::counts::CountLoss;
use lookalike::design::Objective;
use maud::{Markup, html};

/// The objective at one ε.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TradeOffPoint {
    /// The largest budget of any pair.
    pub epsilon: f64,
    /// What the design reaches there.
    pub value: f64,
    /// What nothing can go below there.
    pub lower_bound: f64,
    /// What local DP reaches there.
    pub baseline: f64,
}

/// What the design minimizes, and what it reaches.
pub(super) fn words(page: &Page<'_>) -> Markup {
    let value = page.file.objective.as_ref().and_then(|objective| objective.get("value")?.as_f64());
    html! {
        @if let Some(name) = name(page) {
            p {
                "The design minimizes the " (meaning(name)) " (" code { (words::cut(name, 48)) } ")"
                @if let Some(value) = value { "; this mechanism reaches " strong { (format!("{value:.5}")) } }
                "."
            }
        }
        // Counts have curves of their own.
        @if page.trade_off.len() < 2 && !counts::is_about(page) {
            p class="note" {
                "The curve over other ε was not computed for this page; "
                code { "lookalike design spec.toml --sweep 0.05..3" }
                " prints it as a table."
            }
        }
    }
}

/// The curve with the chosen point.
pub(super) fn figure(page: &Page<'_>) -> Markup {
    let chosen = lookalike_formats::largest_epsilon(page.mechanism());
    html! {
        @if page.trade_off.len() > 1 {
            figure {
                (chart(page, chosen).svg())
                figcaption {
                    "Lower is better; to the right there is less privacy. Each point is a mechanism of its own"
                    @if page.mechanism().graph().epsilons().len() > 1 { ", with all budgets scaled together" }
                    ". All " (page.secret()) "s weigh the same."
                }
            }
        }
    }
}

/// The name of the objective, if the file has one.
fn name<'a>(page: &Page<'a>) -> Option<&'a str> {
    page.file.objective.as_ref()?.get("name")?.as_str()
}

fn chart(page: &Page<'_>, chosen: &lookalike::model::Epsilon) -> LineChart {
    let series = |name: &str, style: Style, value: fn(&TradeOffPoint) -> f64| Series {
        name: name.into(),
        points: page.trade_off.iter().map(|point| (point.epsilon, value(point))).collect(),
        style,
    };
    LineChart {
        title: "What each ε would cost".into(),
        x: Axis::new("ε, the largest budget of any pair").logarithmic(),
        y: Axis::new(name(page).map_or("objective", meaning)),
        series: vec![
            series("this kind of mechanism", Style::Ours, |point| point.value),
            series("local DP", Style::Baseline, |point| point.baseline),
            series("nothing can go below", Style::Bound, |point| point.lower_bound),
        ],
        marks: vec![Mark { x: chosen.to_f64(), label: format!("chosen: ε = {}", words::epsilon(chosen)) }],
    }
}

/// Whether the design kept a loss of counts small.
pub(super) fn is_of_counts(page: &Page<'_>) -> bool {
    name(page).is_some_and(|name| name.parse::<CountLoss>().is_ok())
}

/// An objective in words.
fn meaning(name: &str) -> &str {
    if let Some(objective) = Objective::of_name(name) {
        return objective.words();
    }
    match name {
        Objective::LOSS => "expected loss",
        "l0" => "probability of a wrong count, on a scale where guessing has 1",
        name if name.parse::<CountLoss>().is_ok() => "expected cost of a wrong count, times (n+1)/n",
        _ => "objective",
    }
}
