//! What a ledger says: how many subjects have lost how much.

use super::{Page, words};
use crate::plot::{Axis, Bar, BarRow, Bars, Style};
use lookalike::account::Worst;
use lookalike_engine::ledger::LedgerStatus;
use maud::{Markup, html};

/// More rows than this are left out.
const MOST_ROWS: usize = 12;

pub(super) fn section(page: &Page<'_>) -> Markup {
    let Some(status) = page.account else {
        return html! {};
    };
    html! {
        section {
            h2 { "The account" }
            p {
                (words::count(status.subjects, "subject")) " in the ledger, "
                (words::count(status.entries, "entry").replace("entrys", "entries")) ". Each release charges every pair of its "
                "graph for its subject, whatever the true secret."
            }
            @if !status.releases.is_empty() { (releases(status)) }
            (spent("In all", &status.spent, status.budgets.total.as_ref().map(ToString::to_string)))
            @if let Some((period, budget)) = &status.budgets.periodic {
                (spent(&format!("This {period}"), &status.spent_in_period, Some(budget.to_string())))
            }
            @if status.uncovered > 0 {
                p {
                    strong { (words::count(status.uncovered, "subject")) }
                    " had a release that no theorem covers. What they have lost is not known, and nothing more is released."
                }
            }
            p { "Head of the ledger: " code { (status.head) } ". " code { "lookalike ledger verify --head" } " checks against it." }
        }
    }
}

fn releases(status: &LedgerStatus) -> Markup {
    html! {
        table {
            thead { tr { th { "release" } th { "ε" } th { "charges" } } }
            tbody {
                @for release in status.releases.iter().take(MOST_ROWS) {
                    tr { td { (release.name) } td { (release.epsilon) } td { (super::words::grouped(release.charges)) } }
                }
            }
        }
        @if status.releases.len() > MOST_ROWS { p { "… and " (status.releases.len() - MOST_ROWS) " more." } }
    }
}

/// How many subjects have lost how much of a budget.
fn spent(when: &str, spent: &[(Worst, u64)], budget: Option<String>) -> Markup {
    let of = budget.map_or_else(String::new, |budget| format!(" of the budget {budget}"));
    let Some((most, _)) = spent.first() else {
        return html! { p { (when) ": nothing spent" (of) "." } };
    };
    let row = |(worst, subjects): &(Worst, u64)| BarRow {
        name: format!("ε = {}", worst.epsilon),
        bars: vec![Bar::new(*subjects as f64)],
    };
    let bars = Bars {
        title: "Subjects by what they have lost".into(),
        axis: Axis::new("subjects"),
        series: vec![("subjects".into(), Style::Ours)],
        rows: spent.iter().take(MOST_ROWS).map(row).collect(),
    };
    html! {
        p { (when) ": at most " strong { "ε = " (most.epsilon) } " spent" (of) "." }
        figure { (bars.svg()) }
        @if spent.len() > MOST_ROWS { p { "… and " (spent.len() - MOST_ROWS) " more, with less." } }
    }
}
