//! What an attack found: the lower bound of the draws and the certified upper one as one bar.

use super::bounds::{Bounds, Standing, at_least};
use super::{Page, words};
use lookalike::audit::{Family, Seen, Test};
use lookalike_engine::percent;
use lookalike_engine::{AuditFigures, AuditSource};
use maud::{Markup, html};

/// More tests than this are left out.
const MOST_TESTS: usize = 20;
/// The longest event that is shown whole: names of outputs are in it.
const MOST_EVENT: usize = 240;

pub(super) fn section(page: &Page<'_>) -> Markup {
    let Some(figures) = page.audit else {
        return html! {};
    };
    let attack = Attack { page, figures, bounds: Bounds::of(figures) };
    html! {
        section {
            h2 { "The attack" }
            (attack.opening())
            (attack.verdict())
            figure {
                (attack.bounds.bar(figures, &attack.claim(figures.worst())).svg())
                figcaption {
                    "One number, the ε of " (attack.pair(figures.worst())) ": the draws prove a lower bound"
                    @match (attack.bounds.standing, &attack.bounds.upper) {
                        (Standing::AboveClaim, _) => ", which is above the claim.",
                        (Standing::AboveNothing, _) => " on what one call tells of another, which should be 0.",
                        (Standing::AboveCertified, _) => ", which is above the certified upper one.",
                        (Standing::Below, Some(_)) => ", the proof an upper one.",
                        (Standing::Below, None) => ", and nothing certifies an upper one for what was drawn from.",
                    }
                }
            }
            (attack.facts())
            p {
                strong { "A low bound proves nothing: " }
                "another event, or more draws, might tell more. No number of draws can show that a mechanism is private."
            }
            (attack.tests())
        }
    }
}

/// An attack on the mechanism of a page.
struct Attack<'a> {
    page: &'a Page<'a>,
    figures: &'a AuditFigures,
    bounds: Bounds,
}

impl Attack<'_> {
    fn opening(&self) -> Markup {
        let [attacked, all] = self.figures.pairs;
        html! {
            p {
                @match self.figures.source {
                    AuditSource::Mechanism => "The sampler of this mechanism was run and its draws searched",
                    AuditSource::Program => "A program that should do what this mechanism does was run and its draws searched",
                    AuditSource::Records => "Draws that should be those of this mechanism were searched",
                }
                " for anything that gives a protected pair away. No draw that chose a pair and an event has a part in their "
                "test, so that the choice cannot flatter the result. "
                @if attacked == all { (words::count(all, "pair")) @if all == 1 { " was" } @else { " were" } " attacked." }
                @else { (words::grouped(attacked)) " of " (words::count(all, "pair")) " were attacked." }
                @if let Some(seed) = self.figures.seed { " The seed was " (seed) "." }
            }
        }
    }

    /// What follows, no stronger than it is.
    fn verdict(&self) -> Markup {
        let (worst, bounds) = (self.figures.worst(), &self.bounds);
        let proved = html! {
            "The draws prove, with a confidence of " (percent(self.figures.audit.confidence)) ", that the ε of "
            (self.pair(worst)) " is at least " strong { (bounds.lower) }
        };
        html! {
            p {
                @match bounds.standing {
                    Standing::AboveClaim => {
                        strong { "Evidence against the claim. " }
                        (proved) ", and only " (self.claim(worst)) " is claimed. "
                        "What was drawn from does not keep the promise of this page. " (self.false_alarm())
                    }
                    Standing::AboveNothing => {
                        strong { "Evidence against fresh noise. " }
                        (proved) " in what the output of one call tells of the secret of the call next to it, where fresh noise tells "
                        "nothing. What was drawn from does not draw fresh noise for each call, as all promises of this page "
                        "and the other tests suppose. " (self.false_alarm())
                    }
                    Standing::AboveCertified => {
                        strong { "No evidence against the claim, but against the proof. " }
                        (proved) ": within the claim of " (self.claim(worst)) ", and more than is certified. "
                        "What was drawn from is not what was proved. " (self.false_alarm())
                    }
                    Standing::Below if worst.bound == 0.0 => {
                        strong { (self.no_evidence()) } "No event was found that is more frequent under one secret of a pair than "
                        "under the other, beyond what chance explains."
                    }
                    Standing::Below => { strong { (self.no_evidence()) } (proved) "." }
                }
            }
        }
    }

    fn no_evidence(&self) -> &'static str {
        if self.figures.worst().claimed.is_some() {
            "No evidence against the claim. "
        } else {
            "There was no claim to test. "
        }
    }

    fn false_alarm(&self) -> Markup {
        // A hair, so that 99.9 % is one in 1,000 and not in 999.
        let rate = (1.0 / (1.0 - self.figures.audit.confidence) + 1e-6).floor() as u64;
        html! { "(An honest mechanism is accused in at most one of " (words::grouped(rate)) " such attacks.)" }
    }

    fn facts(&self) -> Markup {
        let (worst, audit) = (self.figures.worst(), &self.figures.audit);
        html! {
            dl class="facts" {
                div {
                    dt { "Proved by the draws" }
                    dd { "ε ≥ " (self.bounds.lower) small { "with a confidence of " (percent(audit.confidence)) } }
                }
                div {
                    dt { "Certified" }
                    @match (&self.bounds.upper, self.figures.certified) {
                        (Some(upper), _) => dd { "ε ≤ " (upper) small { "by the proof, for the mechanism file" } },
                        (None, Some(_)) => dd { "no bound" small { "the true ε is infinite" } },
                        (None, None) => dd { "nothing" small { "about what was drawn from" } },
                    }
                }
                div { dt { "The pair" } dd { (self.pair(worst)) small { "the event: " (event(worst)) } } }
                div {
                    dt { "Draws" }
                    dd {
                        (words::grouped(audit.tested_on)) " to test"
                        small { "and " (words::grouped(audit.chosen_on)) " to choose what to test" }
                    }
                }
            }
        }
    }

    /// The claim for the pair of a test as people write it.
    fn claim(&self, test: &Test) -> String {
        let [one, other] = test.secrets;
        if test.family == Family::Carried {
            return "0".to_owned();
        }
        let claim = self.page.mechanism().graph().epsilon_between(one, other).map(words::epsilon);
        claim.or_else(|| test.claimed.map(|claimed| claimed.to_string())).unwrap_or_default()
    }

    fn pair(&self, test: &Test) -> Markup {
        let [one, other] = test.secrets.map(|secret| self.page.mechanism().graph().names().name(secret));
        html! { (words::name(one)) " and " (words::name(other)) }
    }

    fn tests(&self) -> Markup {
        let tests = &self.figures.audit.tests;
        let seen = |seen: Seen| format!("{} of {}", words::grouped(seen.hits), words::grouped(seen.draws));
        html! {
            p class="note" {
                @if tests.len() > MOST_TESTS { "The first " (MOST_TESTS) " of " (tests.len()) " tests. " }
                "The bounds of all tests hold together with the stated confidence. Hits are draws that show the event."
            }
            div class="scroll" {
                table {
                    thead { tr {
                        @for head in ["kind", "pair", "event"] { th { (head) } }
                        @for head in ["hits, first", "hits, second", "ε at least", "claimed"] { th class="number" { (head) } }
                    } }
                    tbody {
                        @for test in tests.iter().take(MOST_TESTS) {
                            tr {
                                td { (test.family.name()) }
                                td { (self.pair(test)) }
                                td { (event(test)) }
                                @for seen in test.seen.map(seen) { td class="number" { (seen) } }
                                td class="number" { (at_least(test.bound, test.claimed)) }
                                td class="number" { (test.claimed.map_or_else(|| "none".to_owned(), |_| self.claim(test))) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn event(test: &Test) -> Markup {
    html! { bdi { (words::cut(&test.event, MOST_EVENT)) } }
}

#[cfg(test)]
#[path = "audit_tests.rs"]
mod tests;
