//! The certificate in words and numbers.

use super::{Page, words};
use lookalike::certify::{Achieved, Worst};
use lookalike::exact::{Direction, decimal};
use maud::{Markup, html};

pub(super) fn section(page: &Page<'_>) -> Markup {
    let (mechanism, certificate) = (page.mechanism(), page.certified.certificate());
    let worst = certificate.worst();
    let [one, other] = worst.secrets().map(|secret| mechanism.graph().names().name(secret));
    let output = mechanism.outputs().names().name(worst.output());
    html! {
        section {
            h2 { "The proof" }
            p {
                "This page was made only after the promise had been proved. For each protected pair and each value that "
                "can be released, the two exact probabilities were compared in whole numbers of any size, with e^ε between "
                "bounds that are narrowed until they decide: "
                "no tolerance, no sample. The probabilities are those of the very integers that are drawn from."
                @if !mechanism.limits().is_empty() {
                    " Each profile stands for every law within its limits: of the one secret that law was taken at which the value is "
                    "the likeliest, of the other that at which it is the least likely."
                }
            }
            dl class="facts" {
                div { dt { "Pairs proved" } dd { (words::grouped(certificate.pairs())) } }
                div {
                    dt { "Closest pair" }
                    dd {
                        (words::name(one)) " and " (words::name(other))
                        small { "when " (words::name(output)) " is released" }
                    }
                }
                div {
                    dt { "Their true ε" }
                    dd { (true_epsilon(worst)) small { "of " (words::epsilon(worst.claimed())) " claimed" } }
                }
                div {
                    dt { "Largest claim of any pair" }
                    dd {
                        "ε = " (words::epsilon(lookalike_formats::largest_epsilon(mechanism)))
                        small { "a factor of at most " (words::factor(lookalike_formats::largest_epsilon(mechanism))) }
                    }
                }
            }
            p {
                "The closest call: " (words::name(output)) " is " (ratio(worst)) " times as likely for "
                (words::name(one))
                " as for " (words::name(other)) ", and " (allowed(worst)) " times would be allowed."
            }
        }
    }
}

/// The true ε as an upper end, which is what counts.
fn true_epsilon(worst: &Worst) -> String {
    match worst.achieved() {
        Achieved::Infinite => "infinite".to_owned(),
        Achieved::Within(interval) => format!("at most {}", decimal(&interval.upper().to_rational(), 6, Direction::Up)),
    }
}

fn ratio(worst: &Worst) -> String {
    worst.ratio().map_or_else(|| "infinitely many".to_owned(), |ratio| decimal(&ratio, 6, Direction::Up))
}

/// e^ε, rounded as the ratio is.
fn allowed(worst: &Worst) -> String {
    if worst.claimed().to_f64() > 20.0 {
        return words::factor(worst.claimed());
    }
    decimal(&worst.claimed().exp(64).lower().to_rational(), 6, Direction::Up)
}
