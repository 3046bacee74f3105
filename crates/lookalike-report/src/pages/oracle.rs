//! A page about a frequency oracle.

use super::kind_page::{KindPage, code};
use super::request::{HasPage, PageOutcome, PageRequest};
use super::{estimates, words};
use crate::plot::{Axis, Bar, BarRow, Bars, Style};
use lookalike::certify::{Certified, OracleProof};
use lookalike::design::Watch;
use lookalike::estimate::SupportEstimator;
use lookalike::exact::{Direction, Interval, decimal};
use lookalike::local::{auto, report_words};
use lookalike::model::Oracle;
use lookalike_engine::Cohort;
use lookalike_formats::{MechanismFile, MechanismKind, Result};
use maud::{Markup, html};

impl HasPage for Oracle {
    /// With what a report is, what it costs, and what was estimated.
    fn page(
        file: &MechanismFile<Self>,
        certified: &Certified<Self>,
        request: &PageRequest<'_>,
        _: Watch<'_>,
    ) -> Result<PageOutcome> {
        request.refuse_what_is_of_channels(Self::CALLED)?;
        let (oracle, name) = (certified.mechanism(), file.name.as_deref());
        let estimates = request.estimates(oracle)?;
        let count = words::count(oracle.size().into(), "value");
        let page = KindPage {
            title: format!("Privacy report: {count} that must look alike, ε = {}", words::epsilon(oracle.epsilon())),
            lead: html! {
                "Someone who sees one report cannot tell any two of " (count) " apart by more than this: no report is more than "
                strong { (words::factor(oracle.epsilon())) " times" } " as likely for one as for the other."
            },
            proof: proof(certified),
            sections: html! { (what_is_sent(oracle)) (cost(oracle, name)) (learnt(oracle, &estimates)) },
            not_promised: vec![
                html! { "The promise is about one report of one person. n reports of the same person are covered by n times ε." },
                html! { "Columns that are passed through beside the report, and the number of rows, are not covered." },
            ],
            claim: html! {
                "The claim: for all values x, x′ and every report r, Pr[r | x] ≤ e" sup { "ε" } " · Pr[r | x′]. Weights are whole "
                "numbers out of 2" sup { "53" } ", and they are what is drawn from."
            },
            facts: facts(certified, name),
        };
        Ok(page.page())
    }
}

fn learnt(oracle: &Oracle, estimates: &[Cohort]) -> Markup {
    let names = oracle.categories().names();
    html! {
        @if !estimates.is_empty() {
            section {
                h2 { "What was learnt" }
                @for (cohort, estimate) in estimates.iter().take(estimates::MOST_COHORTS) {
                    (estimates::of_values(names, names, cohort.as_deref(), estimate, "", &html! {}))
                }
            }
        }
    }
}

fn proof(certified: &Certified<Oracle>) -> Markup {
    let proof = certified.certificate();
    html! {
        p {
            @match proof.proof() {
                OracleProof::ExactLaw(reports) => {
                    "All " (words::grouped(reports)) " reports were written out with their exact probabilities for every "
                    "value, and the largest and the smallest of each were compared in whole numbers: no tolerance, no sample."
                },
                OracleProof::ClosedForm => {
                    "There are too many different reports to write them all out. The largest ratio of any report "
                    "between any two values has a closed form, which was compared with e^ε in whole numbers: no tolerance, "
                    "no sample."
                },
            }
        }
        dl class="facts" {
            div { dt { "Proved by" } dd { (proof.proof()) } }
            div {
                dt { "True ε" }
                dd {
                    (proof.achieved().map_or("infinite".to_owned(), |ends| at_most(&ends, 6)))
                    small { "of " (words::epsilon(proof.claimed())) " claimed" }
                }
            }
        }
    }
}

fn what_is_sent(oracle: &Oracle) -> Markup {
    html! {
        section {
            h2 { "What is sent" }
            p { (report_words(oracle)) }
        }
    }
}

fn cost(oracle: &Oracle, name: Option<&str>) -> Markup {
    let estimator = SupportEstimator::new(oracle);
    let error = |reports: f64| (estimator.variance(0.0) / reports).sqrt();
    let candidates = auto(oracle.categories(), oracle.epsilon()).map(|auto| auto.candidates).unwrap_or_default();
    let bars = Bars {
        title: "Standard error of a rare value's share from 10,000 reports".into(),
        axis: Axis::new("standard error"),
        series: vec![("standard error".into(), Style::Ours)],
        rows: candidates
            .iter()
            .map(|candidate| BarRow {
                name: candidate.protocol.to_string(),
                bars: vec![Bar::new((candidate.variance / 1e4).sqrt())],
            })
            .collect(),
    };
    html! {
        section {
            h2 { "What it costs" }
            p { "The share of a rare value is read back without bias, with this standard error:" }
            div class="scroll" {
                table {
                    thead { tr { th class="number" { "reports" } th class="number" { "standard error of a share" } } }
                    tbody {
                        @for reports in [1_000u64, 10_000, 100_000, 1_000_000] {
                            tr {
                                td class="number" { (words::grouped(reports)) }
                                td class="number" { (format!("{:.5}", error(reports as f64))) }
                            }
                        }
                    }
                }
            }
            @if !candidates.is_empty() {
                p { "Beside the other oracles at the same ε, each at the least noise of its kind:" }
                div class="figures" { figure { (bars.svg()) } }
                div class="scroll" {
                    table {
                        thead { tr { th { "oracle" } th class="number" { "n · variance" } th class="number" { "bits of a report" } } }
                        tbody {
                            @for candidate in &candidates {
                                tr {
                                    td {
                                        (candidate.protocol)
                                        @if name == Some(candidate.protocol.name()) { " (this one)" }
                                    }
                                    td class="number" { (format!("{:.4}", candidate.variance)) }
                                    td class="number" { (words::grouped(candidate.bits)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn facts(certified: &Certified<Oracle>, name: Option<&str>) -> Vec<(&'static str, Markup)> {
    let (oracle, proof) = (certified.mechanism(), certified.certificate());
    let [own, other] = oracle.support();
    let kind = oracle.kind_name();
    let mut facts = vec![("mechanism", html! { (words::cut(name.unwrap_or("not named"), 48)) ", kind " (kind) })];
    if let Some(ratio) = proof.ratio() {
        facts.push(("largest ratio", code(words::cut(&ratio.to_string(), 200))));
    }
    if let Some(ends) = proof.achieved() {
        facts.push(("true ε", html! { (at_most(&ends, 15)) }));
    }
    facts.push(("claimed ε", code(proof.claimed())));
    facts.push(("p, support of the own value", code(own)));
    facts.push(("q, support of any other", code(words::cut(&other.to_string(), 200))));
    facts
}

fn at_most(ends: &Interval, digits: u32) -> String {
    format!("at most {}", decimal(&ends.upper().to_rational(), digits, Direction::Up))
}
