//! Tests of the worst ε within limits: against brute force over the corners of all boxes, and against the plain proof.

use super::*;
use crate::certify::{Achieved, certify};
use crate::exact::parse_rational;
use crate::model::strategies::channel;
use crate::model::{Categories, Channel, Distribution, Names, SecretGraph, TOTAL};
use proptest::prelude::*;

type Limits = Vec<Vec<[Rational; 2]>>;

const SECRETS: usize = 4;
const SIZE: usize = 3;

fn twelfths(n: u64) -> Rational {
    Rational::new(n.into(), 12.into())
}

/// A law in twelfths, and limits that contain it.
fn profile() -> impl Strategy<Value = (Vec<u64>, Vec<(u64, u64)>)> {
    let law = (0..=12u64, 0..=12u64).prop_map(|(a, b)| vec![a.min(b), a.abs_diff(b), 12 - a.max(b)]);
    (law, prop::collection::vec((0..4u64, 0..4u64), SIZE))
}

/// A chain of four with a group of three in it, and limits around its profiles.
fn instance() -> impl Strategy<Value = (Mechanism, Limits)> {
    let parts = (prop::collection::vec(profile(), SECRETS), prop::collection::vec(channel(SIZE), 2), any::<bool>());
    parts.prop_map(|(profiles, channels, shared)| {
        let abc = Categories::new(["a", "b", "c"]).unwrap();
        let mut builder = SecretGraph::builder(Names::new("profile", ["p", "q", "r", "s"]).unwrap());
        builder.edge(0, 3, "1/3".parse().unwrap()).unwrap();
        builder.group("three", vec![1, 2, 3], "1".parse().unwrap()).unwrap();
        let graph = builder.build().unwrap();
        let law = |law: &[u64]| Distribution::new(&law.iter().map(|&n| twelfths(n)).collect::<Vec<_>>()).unwrap();
        let laws: Vec<_> = profiles.iter().map(|(numbers, _)| law(numbers)).collect();
        let limits = |(law, around): &(Vec<u64>, Vec<(u64, u64)>)| {
            let ends = law.iter().zip(around);
            ends.map(|(&n, &(down, up))| [twelfths(n.saturating_sub(down)), twelfths((n + up).min(12))]).collect()
        };
        let limits = profiles.iter().map(limits).collect();
        let mechanism = if shared {
            Mechanism::shared(abc.clone(), abc, graph, laws, channels[0].clone()).unwrap()
        } else {
            Mechanism::aware(abc.clone(), abc, graph, laws, channels, vec![0, 1, 1, 0]).unwrap()
        };
        (mechanism, limits)
    })
}

/// The corners of a box of laws: all probabilities but one at an end.
fn corners(limits: &[[Rational; 2]]) -> Vec<Vec<Rational>> {
    let mut found = Vec::new();
    for free in 0..limits.len() {
        for ends in 0..1usize << limits.len() {
            let mut law: Vec<Rational> =
                limits.iter().enumerate().map(|(x, ends_of)| ends_of[ends >> x & 1].clone()).collect();
            law[free] = Rational::zero();
            law[free] = Rational::one() - law.iter().sum::<Rational>();
            if limits[free][0] <= law[free] && law[free] <= limits[free][1] {
                found.push(law);
            }
        }
    }
    found
}

/// The largest ratio over all pairs that must look alike, outputs and corners; `None` when infinite.
fn brute_force(mechanism: &Mechanism, limits: &Limits) -> Option<Rational> {
    let mut largest = Rational::zero();
    for (s, t) in (0..SECRETS as u32).flat_map(|s| (0..SECRETS as u32).map(move |t| (s, t))) {
        if s == t || mechanism.graph().epsilon_between(s, t).is_none() {
            continue;
        }
        for y in 0..SIZE {
            let probability = |secret: u32, law: &[Rational]| {
                law.iter().enumerate().map(|(x, p)| p * mechanism.channel(secret).probability(x, y)).sum::<Rational>()
            };
            let of =
                |secret: u32| corners(&limits[secret as usize]).into_iter().map(move |law| probability(secret, &law));
            let (most, least) = (of(s).max().unwrap(), of(t).min().unwrap());
            if least.is_zero() && !most.is_zero() {
                return None;
            }
            if !most.is_zero() {
                largest = largest.max(most / least);
            }
        }
    }
    Some(largest)
}

/// The limits that hold the mechanism's own profiles and nothing else.
fn points(mechanism: &Mechanism) -> Limits {
    mechanism.profiles().iter().map(|law| law.probabilities().map(|p| [p.clone(), p]).collect()).collect()
}

proptest! {
    #[test]
    fn the_worst_ratio_is_that_of_the_worst_corners((mechanism, limits) in instance()) {
        let worst = within(&mechanism, &limits).unwrap();
        prop_assert_eq!(worst.ratio(), brute_force(&mechanism, &limits));
        let [more, less] = worst.secrets();
        prop_assert!(more != less && mechanism.graph().epsilon_between(more, less).is_some());
    }

    #[test]
    fn limits_of_one_law_give_the_plain_certificate((mechanism, _) in instance()) {
        let worst = within(&mechanism, &points(&mechanism)).unwrap();
        prop_assert_eq!(worst.ratio(), brute_force(&mechanism, &points(&mechanism)));
        // With one ε for all pairs, the pair closest to its claim is the one with the largest ratio.
        let one = mechanism.graph().clone();
        let mut builder = SecretGraph::builder(one.names().clone());
        builder.complete(&"1".parse().unwrap());
        let mechanism = mechanism.with_graph(builder.build().unwrap()).unwrap();
        let worst = within(&mechanism, &points(&mechanism)).unwrap();
        let plain = certify(mechanism);
        let plain = match &plain {
            Ok(certified) => certified.certificate(),
            Err(violation) => violation.certificate(),
        };
        prop_assert_eq!(worst.ratio(), plain.worst().ratio());
    }

    #[test]
    fn wider_limits_are_never_better((mechanism, limits) in instance(), wider in prop::collection::vec(0..3u64, SECRETS * SIZE)) {
        let widen = |([lower, upper], by): (&[Rational; 2], &u64)| {
            [(lower - twelfths(*by)).max(Rational::zero()), (upper + twelfths(*by)).min(Rational::one())]
        };
        let rows = limits.iter().zip(wider.chunks(SIZE));
        let wide: Limits = rows.map(|(row, by)| row.iter().zip(by).map(widen).collect()).collect();
        let [narrow, wide] = [&limits, &wide].map(|limits| within(&mechanism, limits).unwrap().ratio());
        prop_assert!(wide.is_none() || narrow.is_some_and(|narrow| Some(narrow) <= wide));
    }
}

fn two(channel: Channel) -> Mechanism {
    let bits = Categories::new(["no", "yes"]).unwrap();
    let mut builder = SecretGraph::builder(Names::new("profile", ["ana", "bo"]).unwrap());
    builder.chain(&"ln(3)".parse().unwrap());
    let half = Distribution::new(&[Rational::new(1.into(), 2.into()), Rational::new(1.into(), 2.into())]).unwrap();
    Mechanism::shared(bits.clone(), bits, builder.build().unwrap(), vec![half.clone(), half], channel).unwrap()
}

fn limits(texts: [[&str; 2]; 4]) -> Limits {
    let limits = texts.map(|ends| ends.map(|text| parse_rational(text).unwrap()));
    limits.chunks(2).map(<[_]>::to_vec).collect()
}

#[test]
fn limits_that_say_nothing_give_the_ratio_of_the_channel_itself() {
    // Warner at ln 3 hides even which value it was, so nothing about profiles matters.
    let (keep, flip) = (3 * (TOTAL / 4), TOTAL / 4);
    let warner = two(Channel::rows(vec![vec![keep, flip], vec![flip, keep]]).unwrap());
    let worst = within(&warner, &limits([["0", "1"]; 4])).unwrap();
    assert_eq!(worst.ratio().unwrap().to_string(), "3");
    assert_eq!(worst.claimed().to_string(), "ln(3)");
    let unchanged = two(Channel::identity(2).unwrap());
    assert_eq!(within(&unchanged, &limits([["0", "1"]; 4])).unwrap().achieved(), Achieved::Infinite);
    let some = limits([["0.4", "0.6"], ["0.3", "0.7"], ["0.2", "0.5"], ["0.5", "0.9"]]);
    assert_eq!(within(&unchanged, &some).unwrap().ratio().unwrap().to_string(), "3", "0.6 against 0.2");
}

#[test]
fn limits_without_a_law_are_refused_by_name() {
    let mechanism = two(Channel::identity(2).unwrap());
    let message = |texts| within(&mechanism, &limits(texts)).unwrap_err().to_string();
    let fine = ["0", "1"];
    assert_eq!(
        message([fine, fine, ["0.6", "0.7"], ["0.5", "0.9"]]),
        "profile \"bo\": no law lies within the limits: the lower ones sum to more than 1"
    );
    assert_eq!(
        message([["0", "0.4"], ["0", "0.5"], fine, fine]),
        "profile \"ana\": no law lies within the limits: the upper ones sum to less than 1"
    );
    for limits in [[fine, ["0.5", "0.4"], fine, fine], [fine, ["-0.1", "1"], fine, fine]] {
        assert_eq!(
            message(limits),
            "profile \"ana\": category 2: its limits are not in order, expected 0 ≤ lower ≤ upper"
        );
    }
    let short = within(&mechanism, &limits([fine; 4])[..1]).unwrap_err().to_string();
    assert_eq!(short, "limits of 1 profiles, expected 2");
    let few = vec![vec![[Rational::zero(), Rational::one()]]; 2];
    let few = within(&mechanism, &few).unwrap_err().to_string();
    assert_eq!(few, "profile \"ana\": 1 limits, expected 2, one for each category");
}
