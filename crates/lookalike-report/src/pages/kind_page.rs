//! The page about a mechanism that is no channels between categories: the same parts for every kind.

use super::request::PageOutcome;
use crate::plot;
use lookalike_formats::{FORMAT, VERSION};
use maud::{Markup, html};

/// The parts of such a page. The same mechanism gives the same bytes.
pub(super) struct KindPage {
    pub title: String,
    /// The promise in a sentence.
    pub lead: Markup,
    /// What was proved, and how.
    pub proof: Markup,
    /// What it costs, and what else there is: whole sections.
    pub sections: Markup,
    /// What the promise leaves out, a point each.
    pub not_promised: Vec<Markup>,
    /// The claim for a reviewer.
    pub claim: Markup,
    /// The facts of the file for a reviewer, each with its name.
    pub facts: Vec<(&'static str, Markup)>,
}

impl KindPage {
    pub fn page(self) -> PageOutcome {
        let body = html! {
            header {
                h1 { (self.title) }
                p class="lead" { (self.lead) }
            }
            section {
                h2 { "The proof" }
                (self.proof)
            }
            (self.sections)
            section {
                h2 { "What is not promised" }
                ul { @for point in &self.not_promised { li { (point) } } }
            }
            section {
                h2 { "For a reviewer" }
                p { (self.claim) " Check it with nothing but the file:" }
                pre { code { "lookalike certify m.json" } }
                div class="scroll" {
                    table {
                        caption { "Facts" }
                        tbody {
                            tr { th { "format" } td { code { (FORMAT) } ", version " (VERSION) } }
                            @for (name, fact) in &self.facts { tr { th { (name) } td { (fact) } } }
                        }
                    }
                }
            }
        };
        PageOutcome { html: plot::page(&self.title, body), notes: Vec::new() }
    }
}

/// A fact as code.
pub(super) fn code(fact: impl std::fmt::Display) -> Markup {
    html! { code { (fact.to_string()) } }
}
