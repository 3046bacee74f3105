//! What channels promise, in words that need no mathematics.

use super::largest_epsilon;
use lookalike::certify::Certified;
use lookalike::estimate::{HoldsFor, LimitsBasis};
use lookalike::exact::{Direction, Epsilon, decimal};
use lookalike::model::Mechanism;

/// What a mechanism promises of one report, in a sentence without its full stop.
///
/// What limits rest on is no part of the proof, so that without it the sentence is about all profiles within the limits, and with
/// it says how often they fail, and for whom.
///
/// # Example
/// `no report is more than 1.649 times as likely under one of two profiles that must look alike as under the other (epsilon 1/2; 18
/// pairs, proved in exact arithmetic for all profiles within their limits), unless a profile is off by more than its limits, which
/// happens in at most 1 of 20 fits`
pub fn promised(certified: &Certified<Mechanism>, limits_basis: Option<&LimitsBasis>) -> String {
    let (mechanism, pairs) = (certified.mechanism(), certified.certificate().pairs());
    let (epsilon, secrets) = (largest_epsilon(mechanism), mechanism.secrets().word());
    let times = match factor(epsilon) {
        Some(factor) => format!("{factor} times"),
        None => format!("e^({epsilon}) times"),
    };
    let has_limits = !mechanism.limits().is_empty();
    let (scope, proof, failure) = match limits_basis.filter(|_| has_limits) {
        Some(basis) => ("", " for all profiles within their limits", unless(basis)),
        None if has_limits => ("for all profiles within their limits ", "", String::new()),
        None => ("", "", String::new()),
    };
    let pairs = format!("{pairs} {}", if pairs == 1 { "pair" } else { "pairs" });
    format!(
        "{scope}no report is more than {times} as likely under one of two {secrets} that must look alike as under the other \
         (epsilon {epsilon}; {pairs}, proved in exact arithmetic{proof}){failure}"
    )
}

/// What the confidence of limits rests on, in sentences. Nobody can prove it from the records.
pub const LIMITS_REST_ON: &str = "This assumes that the records of the fit are independent draws of the very laws that reports \
    follow, and are not released themselves. Records of one person are not independent unless you know that they are.";

/// When the promise may fail, and how often.
fn unless(basis: &LimitsBasis) -> String {
    let error = basis.error();
    let often = format!("in at most {} of {} fits", error.numer(), error.denom());
    match basis.holds_for() {
        HoldsFor::EachPair => format!(
            ", unless one of the two is off by more than its limits, which happens for any one pair, chosen beforehand, {often}"
        ),
        HoldsFor::AllPairs => format!(", unless a profile is off by more than its limits, which happens {often}"),
    }
}

/// e^ε with three decimals, rounded up; nothing for one that is beyond reading.
fn factor(epsilon: &Epsilon) -> Option<String> {
    const BITS: u64 = 64;
    const MOST: f64 = 1e6;
    let upper = || epsilon.rational_exp(BITS).unwrap_or_else(|| epsilon.exp(BITS).upper().to_rational());
    (epsilon.to_f64() < MOST.ln()).then(|| decimal(&upper(), 3, Direction::Up))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Alone, MechanismKind, Spec};
    use lookalike::design::{MechanismName, Options, design};
    use lookalike::exact::parse_rational;

    fn sentence(epsilon: &str, more: &str, basis: Option<(&str, HoldsFor)>) -> String {
        let text =
            format!("epsilon = \"{epsilon}\"\ncategories = [\"no\", \"yes\"]\n{more}\n[graph]\nshape = \"complete\"\n");
        let spec = Spec::from_toml(&text, &Alone).unwrap();
        let options = Options { mechanism: Some(MechanismName::RandomizedResponse), ..Options::default() };
        let certified = design(&spec.problem, &options).unwrap().mechanism.prove().unwrap();
        let basis = basis
            .map(|(confidence, holds_for)| LimitsBasis::new(parse_rational(confidence).unwrap(), holds_for).unwrap());
        promised(&certified, basis.as_ref())
    }

    const TWO: &str = "profiles = { ana = 0.2, bo = 0.4 }";
    const THREE: &str = "profiles = { ana = 0.2, bo = 0.4, cleo = 0.5 }\nlimits.ana = [[0.5, 0.9], [0, 1]]";

    #[test]
    fn the_sentence_says_whom_it_is_about_and_how_often_it_fails() {
        let alike =
            |secrets: &str| format!("as likely under one of two {secrets} that must look alike as under the other");
        let profiles = alike("profiles");
        assert_eq!(
            sentence("1/2", TWO, None),
            format!("no report is more than 1.649 times {profiles} (epsilon 1/2; 1 pair, proved in exact arithmetic)")
        );
        assert_eq!(
            sentence("ln(3)", "secrets = \"values\"", None),
            format!(
                "no report is more than 3.000 times {} (epsilon ln(3); 1 pair, proved in exact arithmetic)",
                alike("values")
            )
        );
        assert_eq!(
            sentence("1/2", THREE, None),
            format!(
                "for all profiles within their limits no report is more than 1.649 times {profiles} (epsilon 1/2; 3 pairs, \
                 proved in exact arithmetic)"
            )
        );
        let within = format!(
            "no report is more than 1.649 times {profiles} (epsilon 1/2; 3 pairs, proved in exact arithmetic for all profiles \
             within their limits), unless "
        );
        assert_eq!(
            sentence("1/2", THREE, Some(("0.95", HoldsFor::AllPairs))),
            format!("{within}a profile is off by more than its limits, which happens in at most 1 of 20 fits")
        );
        assert_eq!(
            sentence("1/2", THREE, Some(("0.93", HoldsFor::EachPair))),
            format!(
                "{within}one of the two is off by more than its limits, which happens for any one pair, chosen beforehand, in \
                 at most 7 of 100 fits"
            )
        );
        // Limits that are not there cannot fail.
        assert_eq!(sentence("1/2", TWO, Some(("0.95", HoldsFor::AllPairs))), sentence("1/2", TWO, None));
    }

    #[test]
    fn the_factor_is_never_too_small() {
        // e^0.001 = 1.0010005…
        assert!(sentence("0.001", TWO, None).contains("more than 1.002 times"));
        assert!(sentence("14", TWO, None).contains("more than e^(14) times"));
    }
}
