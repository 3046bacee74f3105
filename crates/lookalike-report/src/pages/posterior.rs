//! What an adversary can learn, in terms of belief.

use super::{Page, words};
use lookalike::exact::{Direction, Rational, decimal};
use lookalike::pufferfish::{Learned, learned, most_learned};
use maud::{Markup, html};
use num_bigint::BigInt;

/// The beliefs before a release of a page for which nobody chose any: one that hesitates, 1/2, and one that doubts, 1/10.
pub(super) fn usual_priors() -> Vec<Rational> {
    [2, 10].map(|parts| Rational::new(1.into(), parts.into())).to_vec()
}

/// A row for each belief before the release: what it can become by the promise, and by this mechanism.
pub(super) fn section(page: &Page<'_>) -> Markup {
    let mechanism = page.mechanism();
    let Some(most) = page.priors.first().and_then(|prior| most_learned(mechanism, prior).ok()) else {
        return html! {};
    };
    // The largest ratio of two probabilities decides for every belief.
    let of_prior = |prior: &Rational| learned(mechanism, most.secrets, prior).ok();
    let rows: Vec<Learned> = page.priors.iter().filter_map(of_prior).collect();
    let [one, other] = most.secrets.map(|secret| words::name(mechanism.graph().names().name(secret)));
    html! {
        section {
            h2 { "What an adversary can learn" }
            p {
                "An adversary knows that one of two protected " (page.secret()) "s is the true one, knows this mechanism, and "
                "believes in the first with some probability before the release. The table shows the largest "
                "probability afterwards, whatever was released. The pair is the one about which this mechanism tells the "
                "most: " (one) " rather than " (other) "."
            }
            div class="scroll" {
                table {
                    caption { "Belief in " (one) " rather than " (other) }
                    thead { tr {
                        th class="number" { "before" }
                        th class="number" { "after, by the promise at most" }
                        th class="number" { "after, by this mechanism at most" }
                    } }
                    tbody {
                        @for row in &rows {
                            tr {
                                td class="number" { (percent(&row.prior)) }
                                td class="number" { (row.promised.as_ref().map_or_else(|| "anything".to_owned(), percent)) }
                                td class="number" { (percent(&row.achieved)) }
                            }
                        }
                    }
                }
            }
            p class="note" {
                "The promise is that the odds of one against the other grow at most by the factor e" sup { "ε" }
                ", the same for every belief that one starts from. It says nothing of what was known before, nor of what "
                "is true of everybody. Figures are rounded up."
            }
        }
    }
}

fn percent(belief: &Rational) -> String {
    let text = decimal(&(belief * BigInt::from(100)), 2, Direction::Up);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}
