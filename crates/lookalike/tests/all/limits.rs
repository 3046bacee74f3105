//! Mechanisms over profiles with limits: what else may be asked of them, and what needs one law per secret.

use lookalike::account::{Guarantee, Pairs};
use lookalike::certify::delta_at;
use lookalike::exact::{Rational, parse_rational};
use lookalike::local::tupling;
use lookalike::model::{Categories, Channel, Distribution, Limits, Mechanism, Names, SecretGraph, TOTAL};
use lookalike::pufferfish::{learned, most_learned};

fn number(text: &str) -> Rational {
    parse_rational(text).unwrap()
}

/// Warner's response at ln 3 to profiles of which nothing is known.
fn warner() -> Mechanism {
    let bits = Categories::new(["no", "yes"]).unwrap();
    let mut builder = SecretGraph::builder(Names::new("profile", ["ana", "bo"]).unwrap());
    builder.complete(&"ln(3)".parse().unwrap());
    let (keep, flip) = (3 * (TOTAL / 4), TOTAL / 4);
    let channel = Channel::rows(vec![vec![keep, flip], vec![flip, keep]]).unwrap();
    let half = Distribution::new(&[number("1/2"), number("1/2")]).unwrap();
    let mechanism = Mechanism::shared(bits.clone(), bits, builder.build().unwrap(), vec![half; 2], channel).unwrap();
    let anything = Limits::new(&vec![[number("0"), number("1")]; 2]).unwrap();
    mechanism.within(vec![anything; 2]).unwrap()
}

#[test]
fn what_needs_one_law_a_secret_is_refused() {
    let (mechanism, epsilon) = (warner(), "1".parse().unwrap());
    let coin = Distribution::new(&[number("1/2"), number("1/2")]).unwrap();
    let refusals = [delta_at(&mechanism, &epsilon).err(), tupling(&mechanism, &coin, &[1], &epsilon).err()];
    let refusals = refusals.map(|refusal| refusal.unwrap());
    assert!(refusals.iter().all(|refusal| refusal.is_inapplicable()));
    let rest = "needs one output law for each secret, and profiles within limits have many";
    assert_eq!(
        refusals.map(|refusal| refusal.to_string()),
        ["delta at an epsilon", "tupling"].map(|what| format!("{what} {rest}"))
    );
}

#[test]
fn what_rests_on_epsilon_or_the_worst_laws_is_answered() {
    let mechanism = warner();
    let guarantee = Guarantee::of_mechanism(&mechanism).unwrap();
    assert_eq!(guarantee.pairs(), &Pairs::Graph(mechanism.graph().clone()));
    // At the worst laws, ana always "no" and bo always "yes", the odds move by 3: from a half to three quarters.
    let most = most_learned(&mechanism, &number("1/2")).unwrap();
    assert_eq!(most.achieved, number("3/4"));
    assert_eq!(learned(&mechanism, most.secrets, &number("1/2")).unwrap(), most);
}
