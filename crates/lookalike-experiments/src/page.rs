//! One HTML page with every experiment of a run.

use crate::experiment::{Experiment, Finding, Outcome};
use crate::files::table_name;
use crate::table::{Cell, Table};
use lookalike_report::plot;
use maud::{Markup, html};

/// The page: what each experiment shows, its pictures and main numbers, what agrees and what is open.
pub(crate) fn page(outcomes: &[(Experiment, Outcome)]) -> String {
    let body = html! {
        h1 { "Published experiments, done again" }
        p.lead {
            "The evaluation of Geumlek and Chaudhuri, " i { "Profile-Based Privacy for Locally Private Computations" }
            " (2019), the examples of a lecture on differential privacy, the mechanisms for counts of small groups of \
             Cormode, Kulkarni and Srivastava (2018), the examples of Song, Wang and Chaudhuri, "
            i { "Pufferfish Privacy Mechanisms for Correlated Data" } " (2017), and the noise on places of Andrés, Bordenabe, Chatzikokolakis and Palamidessi, "
            i { "Geo-Indistinguishability" } " (2013), with the optimal mechanisms of Bordenabe, Chatzikokolakis and Palamidessi \
             (2014): all with mechanisms whose privacy is proved in \
             exact arithmetic before any number of them is shown."
        }
        @if outcomes.len() > 1 { (contents(outcomes)) }
        @for (experiment, outcome) in outcomes { (section(experiment, outcome)) }
    };
    plot::page("Published experiments, done again", body)
}

/// The experiments with the state of their statements.
fn contents(outcomes: &[(Experiment, Outcome)]) -> Markup {
    html! {
        ul { @for (experiment, outcome) in outcomes { li {
            a href={"#" (experiment.name)} { (experiment.name) } ": " (experiment.title) " "
            span.note { "(statements that hold: " (holding(&outcome.findings)) " of " (outcome.findings.len()) ")" }
        } } }
    }
}

fn holding(findings: &[Finding]) -> usize {
    findings.iter().filter(|finding| finding.holds).count()
}

fn section(experiment: &Experiment, outcome: &Outcome) -> Markup {
    html! {
        section id=(experiment.name) {
            h2 { (experiment.name) ": " (experiment.title) }
            p { (outcome.caption) }
            div.figures { @for chart in &outcome.charts { figure { (chart.chart.svg()) } } }
            h3 { "What the source says, held against the numbers" }
            ul { @for finding in &outcome.findings { li {
                strong { (if finding.holds { "Holds" } else { "Does not hold" }) } ": " (finding.statement)
                " " span.note { "(" (finding.evidence) ")" }
            } } }
            @if !outcome.open.is_empty() {
                h3 { "What it leaves open" }
                ul { @for open in &outcome.open { li { (open) } } }
            }
            h3 { "Numbers" }
            (table(&outcome.highlights))
            p.note.small { "All of them: " a href=(table_name(experiment)) { (table_name(experiment)) } }
        }
    }
}

fn table(table: &Table) -> Markup {
    let is_number = |column: usize| {
        table.rows().iter().all(|row| match &row[column] {
            Cell::Number(_) => true,
            Cell::Text(text) => text.parse::<f64>().is_ok(),
        })
    };
    let class = |column: usize| is_number(column).then_some("number");
    html! {
        div.scroll { table {
            thead { tr { @for (at, name) in table.columns().iter().enumerate() { th class=[class(at)] { (name) } } } }
            tbody { @for row in table.texts() { tr {
                @for (at, text) in row.iter().enumerate() { td class=[class(at)] { (text) } }
            } } }
        } }
    }
}
