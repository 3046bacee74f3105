//! A self-contained HTML page about a mechanism: what it promises, the proof, what it costs and how to check it again.
//!
//! Large mechanisms are summarised: no part of the page grows with the number of profiles.

mod about;
#[cfg(feature = "ledger")]
mod account;
mod audit;
mod bounds;
mod certificate;
mod chain;
mod channels;
mod counts;
#[cfg(test)]
mod counts_tests;
mod errors;
mod estimates;
mod graph;
mod kind_page;
mod laws;
mod noise;
mod numbers;
mod oracle;
mod planar;
mod posterior;
mod request;
#[cfg(test)]
mod tests;
mod tightness;
mod trade_off;
mod within;
#[cfg(not(feature = "ledger"))]
mod without_ledger;
mod words;

pub use about::run_page;
pub use bounds::at_least;
pub use chain::ChainPage;
pub use lookalike_engine::percent;
pub use planar::planar_map;
pub use request::{Curve, HasPage, PageEstimates, PageFacts, PageOutcome, PageRequest, parse_prior};
pub use trade_off::TradeOffPoint;
#[cfg(not(feature = "ledger"))]
use without_ledger as account;
#[cfg(not(feature = "ledger"))]
use without_ledger::{LedgerAt, LedgerStatus};
pub use words::grouped;

use crate::plot;
use lookalike::certify::Certified;
use lookalike::estimate::Estimate;
use lookalike::exact::Rational;
use lookalike::model::{Kind, Mechanism};
use lookalike_engine::AuditFigures;
#[cfg(feature = "ledger")]
use lookalike_engine::{LedgerAt, ledger::LedgerStatus};
use lookalike_formats::MechanismFile;
use maud::{Markup, html};
use within::Compared;

/// What a page is made of.
struct Page<'a> {
    /// The file: its name of the mechanism and what the design reached.
    file: &'a MechanismFile,
    /// The mechanism with its proof.
    certified: &'a Certified<Mechanism>,
    /// What local DP would do at the same ε: k-ary randomized response over the same secrets.
    baseline: &'a Mechanism,
    /// The objective at other ε; may be empty.
    trade_off: &'a [TradeOffPoint],
    /// Where profiles have limits, what the mechanism is compared with.
    compared: Option<&'a Compared>,
    /// What was estimated from privatized records, with the name of a cohort where there are several; may be empty.
    estimates: &'a [(Option<String>, Estimate)],
    /// What an attack found, if there was one.
    audit: Option<&'a AuditFigures>,
    /// What a ledger adds up to, if there is one.
    account: Option<&'a LedgerStatus>,
    /// What an adversary may believe before the release, from 0 to 1; may be empty.
    priors: &'a [Rational],
}

/// More secrets than this are summarised.
const MOST_SECRETS: usize = 40;

impl Page<'_> {
    /// The page. The same inputs give the same bytes.
    fn html(&self) -> String {
        let tightness = tightness::of(self.mechanism());
        let body = html! {
            (self.opening())
            (certificate::section(self))
            (posterior::section(self))
            (audit::section(self))
            (graph::section(self, &tightness))
            (errors::section(self))
            (counts::section(self))
            (laws::section(self))
            (channels::section(self))
            (estimates::section(self))
            (account::section(self))
            (words::limits(self))
            (numbers::section(self))
        };
        plot::page(&self.title(), body)
    }

    fn mechanism(&self) -> &Mechanism {
        self.certified.mechanism()
    }

    /// What a secret is called.
    fn secret(&self) -> &'static str {
        if self.mechanism().kind() == Kind::Point { "value" } else { "profile" }
    }

    /// Whether what is released can be compared with what was true.
    fn is_square(&self) -> bool {
        self.mechanism().inputs() == self.mechanism().outputs()
    }

    fn title(&self) -> String {
        let (mechanism, epsilon) =
            (self.mechanism(), words::epsilon(lookalike_formats::largest_epsilon(self.mechanism())));
        let count = words::count(mechanism.graph().names().len() as u64, self.secret());
        format!("Privacy report: {count} that must look alike, ε = {epsilon}")
    }

    fn opening(&self) -> Markup {
        html! {
            header {
                h1 { (self.title()) }
                p class="lead" { (words::promise(self)) }
            }
        }
    }
}
