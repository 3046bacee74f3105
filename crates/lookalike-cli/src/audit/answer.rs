//! What an audit says.

use crate::terminal::{count, figure, table};
use lookalike::audit::{Audit, Family, Seen, Test};
use lookalike::certify::{Achieved, Certificate};
use lookalike::exact::{Direction, decimal};
use lookalike_engine::audit::{AuditOutcome, Question, Verdict};
use lookalike_report::{at_least, grouped, percent};

/// An audit for people.
pub fn text(outcome: &AuditOutcome) -> String {
    Found(outcome).text()
}

/// The outcome of an audit with all that is said about it.
struct Found<'a>(&'a AuditOutcome);

impl Found<'_> {
    fn worst(&self) -> &Test {
        self.0.worst()
    }

    fn question(&self) -> &Question {
        &self.0.question
    }

    fn text(&self) -> String {
        let Audit { tests, chosen_on, tested_on, .. } = &self.0.audit;
        let mut text = self.verdict() + "\n" + &self.detail() + "\n";
        if let Some(certificate) = self.0.certificate() {
            let claimed = certificate.worst().claimed();
            text += &format!(
                "Certified for this pair, in exact arithmetic: {} of {claimed} claimed.\n",
                certified(certificate)
            );
        }
        let echo = if tests.iter().any(|test| test.family == Family::Echo) {
            " (echo: on later ones of the first)"
        } else {
            ""
        };
        let (chosen_on, tested_on) = (grouped(*chosen_on), grouped(*tested_on));
        text += &format!("Chosen on {chosen_on} draws, made on {tested_on} others{echo}:\n");
        text += &table(
            &["test", "pair", "event", "share", "share of 2nd", "at least"],
            tests.iter().map(|test| self.row(test)),
        );
        text += &self.laws();
        text += "A low bound proves nothing: another event might tell more.\n";
        let (attacked, all) = (self.question().pairs().len() as u64, self.question().all_pairs());
        if attacked < all {
            text += &format!("Attacked {} of {} pairs.\n", grouped(attacked), grouped(all));
        }
        text
    }

    /// Which laws within the limits values were drawn from.
    fn laws(&self) -> String {
        let Some((first, others)) = self.0.least_alike.split_first() else { return String::new() };
        let [one, other] = first.map(|secret| self.question().names().name(secret));
        let more = match others.len() {
            0 => String::new(),
            more => format!(", and so for {}", count(more as u64, "more pair")),
        };
        format!(
            "Values were drawn from laws within the limits of the profiles: those at which {one:?} and {other:?} are least alike{more}.\n"
        )
    }

    /// `epsilon`, or `delta at epsilon 1`.
    fn measure(&self) -> String {
        self.question().delta_at().map_or_else(|| "epsilon".to_owned(), |epsilon| format!("delta at epsilon {epsilon}"))
    }

    /// `epsilon 1/2`, or `delta 1/100 at epsilon 1`.
    fn claim(&self, value: &str) -> String {
        match self.question().delta_at() {
            None => format!("epsilon {value}"),
            Some(epsilon) => format!("delta {value} at epsilon {epsilon}"),
        }
    }

    fn verdict(&self) -> String {
        let worst = self.worst();
        let (bound, pair) = (self.bound(worst), self.pair(worst));
        match self.0.verdict {
            Verdict::NoClaim => format!("{} is at least {bound}.", capitalized(&self.measure())),
            Verdict::AgainstClaim => {
                let claimed = self.question().claimed_text(worst.secrets).unwrap_or_default();
                format!("EVIDENCE AGAINST {}: it is at least {bound} for {pair}.", self.claim(&claimed))
            }
            Verdict::AgainstFreshNoise => format!(
                "EVIDENCE AGAINST FRESH NOISE: an output tells the secret of the call next to it, {} at least {bound} for {pair}.\nFresh \
                 noise for each call would tell 0 of it; what is claimed and what the other tests say supposes fresh noise.",
                self.measure()
            ),
            Verdict::AgainstProof => format!(
                "EVIDENCE AGAINST THE PROOF: epsilon is at least {bound} for {pair}, more than was proved.\nWhat was drawn \
                 from is not what was proved; please report this."
            ),
            Verdict::Nothing => match self.question().common_claim() {
                Some(claimed) => format!("No evidence against {}.", self.claim(&claimed)),
                None => format!("No evidence against the {} of any pair.", self.measure()),
            },
        }
    }

    fn detail(&self) -> String {
        let worst = self.worst();
        let of = if worst.family == Family::Carried { " of the other call" } else { "" };
        let begin = format!("At {} confidence {}{of} is at least", percent(self.0.audit.confidence), self.measure());
        if worst.bound <= 0.0 {
            return format!("{begin} 0: the draws show no difference that is more than chance.");
        }
        let [one, other] = worst.seen.map(|seen| format!("{} of {}", grouped(seen.hits), grouped(seen.draws)));
        let (bound, pair, event) = (self.bound(worst), self.pair(worst), &worst.event);
        let claimed = match (self.question().common_claim(), self.question().claim_of(worst)) {
            (None, Some(claimed)) => format!(", of {claimed} claimed"),
            _ => String::new(),
        };
        format!("{begin} {bound} for {pair}{claimed}: {event}\n({one} against {other} draws).")
    }

    /// The bound of a test, seen to be above its claim or its proof where it is.
    fn bound(&self, test: &Test) -> String {
        let proved = self.0.proofs.as_ref().map_or(f64::INFINITY, |proofs| proofs.upper(test));
        let limits = [test.claimed.unwrap_or(f64::INFINITY), proved];
        at_least(test.bound, limits.into_iter().filter(|limit| test.bound > *limit).reduce(f64::max))
    }

    fn pair(&self, test: &Test) -> String {
        let [one, other] = test.secrets.map(|secret| self.question().names().name(secret));
        format!("{one:?} against {other:?}")
    }

    fn row(&self, test: &Test) -> Vec<String> {
        let [one, other] = test.secrets.map(|secret| self.question().names().name(secret));
        let share = |seen: Seen| figure(seen.hits as f64 / seen.draws.max(1) as f64);
        vec![
            test.family.to_string(),
            format!("{one}, {other}"),
            shortened(&test.event),
            share(test.seen[0]),
            share(test.seen[1]),
            self.bound(test),
        ]
    }
}

fn certified(certificate: &Certificate) -> String {
    match certificate.worst().achieved() {
        Achieved::Infinite => "epsilon is infinite".to_owned(),
        Achieved::Within(interval) => {
            format!("epsilon is at most {}", decimal(&interval.upper().to_rational(), 12, Direction::Up))
        }
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// An event that fits in a table.
fn shortened(event: &str) -> String {
    const LONGEST: usize = 50;
    match event.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &event[..end]),
        None => event.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::certify::certify;
    use lookalike::model::{Categories, Channel, Mechanism, SecretGraph, TOTAL};

    /// Warner's coin at ln 3 with a claim of 2, and a made-up bound.
    fn found(bound: f64, check: impl Fn(&AuditOutcome)) {
        let bits = Categories::new(["no", "yes"]).unwrap();
        let mut builder = SecretGraph::builder(bits.names().clone());
        builder.chain(&"2".parse().unwrap());
        let (keep, flip) = (3 * (TOTAL / 4), TOTAL / 4);
        let warner = Channel::rows(vec![vec![keep, flip], vec![flip, keep]]).unwrap();
        let mechanism = Mechanism::point(bits.clone(), bits, builder.build().unwrap(), warner).unwrap();
        let certified = certify(mechanism).unwrap();
        let question = Question::of_mechanism(&certified, None, &[]).unwrap();
        let test = Test {
            family: Family::Single,
            secrets: [0, 1],
            event: "the output is \"no\"".to_owned(),
            seen: [Seen { hits: 9, draws: 10 }; 2],
            bound,
            claimed: Some(2.0),
        };
        let audit = Audit { tests: vec![test], chosen_on: 20, tested_on: 20, confidence: 0.999 };
        check(&AuditOutcome::of_mechanism(question, audit, certified.mechanism(), None).unwrap());
    }

    #[test]
    fn a_bound_above_the_proof_is_evidence_even_within_the_claim() {
        let verdict = |found: &AuditOutcome| found.facts().verdict;
        found(1.09, |found| {
            assert!(!found.is_evidence());
            assert_eq!(verdict(found), "no evidence against");
            assert!(text(found).starts_with("No evidence against epsilon 2.\n"));
        });
        found(1.1, |found| {
            assert!(found.is_evidence());
            assert_eq!(verdict(found), "evidence against the proof");
            assert!(text(found).starts_with("EVIDENCE AGAINST THE PROOF: epsilon is at least 1.1 for"));
        });
        found(2.1, |found| {
            assert!(found.is_evidence());
            assert_eq!(verdict(found), "evidence against");
        });
    }

    #[test]
    fn a_bound_above_its_limit_is_seen_to_be() {
        found(2.000_000_1, |found| {
            assert!(
                text(found).starts_with("EVIDENCE AGAINST epsilon 2: it is at least 2.0000001 for "),
                "{}",
                text(found)
            );
        });
        let proved = 3f64.ln() + 1e-9;
        found(proved, |found| {
            let text = text(found);
            let shown = text.split("is at least ").nth(1).unwrap().split(' ').next().unwrap();
            assert!(shown.parse::<f64>().unwrap() > 3f64.ln(), "{text}");
            assert!(text.contains("At 99.9 % confidence"), "{text}");
        });
    }
}
