//! Tests of the worst ε within limits: against brute force over the corners of all boxes, and against the plain proof.

use super::*;
use crate::certify::{Achieved, certify, certify_within, delta_at};
use crate::exact::{Epsilon, exceeds, parse_rational};
use crate::model::corners_for_tests::corners;
use crate::model::strategies::channel;
use crate::model::{Categories, Channel, Distribution, Names, SecretGraph, TOTAL};
use num_traits::{One, Zero};
use proptest::prelude::*;

type Ends = Vec<Vec<[Rational; 2]>>;

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
fn instance() -> impl Strategy<Value = (Mechanism, Ends)> {
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

/// The largest ratio over all pairs that must look alike, outputs and corners; `None` when infinite.
fn brute_force(mechanism: &Mechanism, limits: &Ends) -> Option<Rational> {
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
fn points(mechanism: &Mechanism) -> Ends {
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
        let wide: Ends = rows.map(|(row, by)| row.iter().zip(by).map(widen).collect()).collect();
        let [narrow, wide] = [&limits, &wide].map(|limits| within(&mechanism, limits).unwrap().ratio());
        prop_assert!(wide.is_none() || narrow.is_some_and(|narrow| Some(narrow) <= wide));
    }
}

fn region(ends: &Ends) -> Vec<Limits> {
    ends.iter().map(|ends| Limits::new(ends).unwrap()).collect()
}

/// Whether every pair keeps its own ε at every corner, straight from the definition.
fn keeps_its_claim(mechanism: &Mechanism, ends: &Ends) -> bool {
    let pairs = (0..SECRETS as u32).flat_map(|s| (0..SECRETS as u32).map(move |t| (s, t))).filter(|(s, t)| s != t);
    pairs.filter_map(|(s, t)| Some((s, t, mechanism.graph().epsilon_between(s, t)?))).all(|(s, t, epsilon)| {
        (0..SIZE).all(|y| {
            let of = |secret: u32| {
                corners(&ends[secret as usize]).into_iter().map(move |law| probability(mechanism, secret, y, &law))
            };
            of(s).all(|more| of(t).all(|less| !exceeds(&whole(&more, &less), epsilon, &whole(&less, &more))))
        })
    })
}

fn whole(a: &Rational, over: &Rational) -> Natural {
    (a.numer() * over.denom()).magnitude().clone().into()
}

fn probability(mechanism: &Mechanism, secret: u32, y: usize, law: &[Rational]) -> Rational {
    law.iter().enumerate().map(|(x, p)| p * mechanism.channel(secret).probability(x, y)).sum()
}

proptest! {
    #[test]
    fn a_claim_within_limits_holds_exactly_when_it_does_at_all_corners((mechanism, ends) in instance(), mix in 0..=7u32) {
        let expected = keeps_its_claim(&mechanism, &ends);
        let found = certify(mechanism.clone().within(region(&ends)).unwrap());
        prop_assert_eq!(found.is_ok(), expected);
        let certificate = match &found {
            Ok(certified) => certified.certificate(),
            Err(violation) => violation.certificate(),
        };
        let other = certify_within(&mechanism, &region(&ends)).unwrap();
        prop_assert_eq!(other.as_ref().unwrap_or_else(|violation| violation.certificate()), certificate);
        // The witness: laws within the limits that are exactly this far apart.
        let worst = certificate.worst();
        let laws = worst.laws(&mechanism, &region(&ends));
        let [more, less] = [0, 1].map(|at| {
            let secret = worst.secrets()[at];
            assert!(region(&ends)[secret as usize].contains(&laws[at]));
            probability(&mechanism, secret, worst.output() as usize, &laws[at].probabilities().collect::<Vec<_>>())
        });
        prop_assert_eq!(worst.ratio(), (!less.is_zero()).then(|| more / less));
        // Laws between the corners keep it as well.
        if expected {
            let share = Rational::new(mix.into(), 7.into());
            let between = |secret: usize| {
                let corners = corners(&ends[secret]);
                let (one, other) = (&corners[0], &corners[corners.len() - 1]);
                let law: Vec<_> = one.iter().zip(other).map(|(p, q)| p * &share + q * (Rational::one() - &share)).collect();
                Distribution::new(&law).unwrap()
            };
            let (categories, graph) = (mechanism.inputs().clone(), mechanism.graph().clone());
            let laws: Vec<_> = (0..SECRETS).map(between).collect();
            let channels = mechanism.channels().to_vec();
            let mixed = Mechanism::aware(categories.clone(), categories, graph, laws, channels, mechanism.assignment().to_vec()).unwrap();
            prop_assert!(certify(mixed).is_ok());
        }
    }

    // Two-sided: private at the logarithm of the largest ratio, and not by one part in 2^60 below.
    #[test]
    fn the_largest_ratio_within_limits_is_the_least_claim((mechanism, ends) in instance()) {
        let mechanism = mechanism.within(region(&ends)).unwrap();
        let mut builder = SecretGraph::builder(mechanism.graph().names().clone());
        builder.complete(&"1".parse().unwrap());
        let mechanism = mechanism.with_graph(builder.build().unwrap()).unwrap();
        let ratio = within(&mechanism, &ends).unwrap().ratio();
        prop_assume!(ratio.as_ref().is_some_and(|ratio| *ratio > Rational::one() + Rational::new(1.into(), 1000.into())));
        let claim = |ratio: Rational| {
            let mut builder = SecretGraph::builder(mechanism.graph().names().clone());
            builder.complete(&Epsilon::ln(Rational::one(), ratio).unwrap());
            certify(mechanism.clone().with_graph(builder.build().unwrap()).unwrap())
        };
        let (ratio, step) = (ratio.unwrap(), Rational::new(1.into(), (1u64 << 60).into()));
        prop_assert!(claim(ratio.clone()).is_ok());
        prop_assert!(claim(ratio * (Rational::one() - step)).is_err());
    }

    #[test]
    fn limits_of_one_law_are_no_limits((mechanism, _) in instance()) {
        let points = mechanism.profiles().iter().map(Limits::of_law).collect::<Vec<_>>();
        prop_assert_eq!(&mechanism.clone().within(points.clone()).unwrap(), &mechanism);
        let verdict = certify_within(&mechanism, &points).unwrap();
        let found = certify(mechanism);
        prop_assert_eq!(verdict.is_ok(), found.is_ok());
        let ratio = |worst: &Worst| (worst.secrets(), worst.output(), worst.ratio());
        let verdict = verdict.unwrap_or_else(|violation| violation.certificate().clone());
        let found = found.map_or_else(|violation| violation.certificate().clone(), |found| found.certificate().clone());
        prop_assert_eq!(ratio(verdict.worst()), ratio(found.worst()));
    }
}

fn half_or_quarters(more: u64) -> [Channel; 2] {
    let rows = vec![vec![3 * (TOTAL / 4) + more, TOTAL / 4 - more], vec![TOTAL / 4 - more, 3 * (TOTAL / 4) + more]];
    [Channel::rows(rows).unwrap(), Channel::rows(vec![vec![TOTAL / 2; 2]; 2]).unwrap()]
}

#[test]
fn an_edge_between_profiles_of_which_nothing_is_known_is_no_local_privacy() {
    let bits = Categories::new(["no", "yes"]).unwrap();
    let anything = Limits::new(&vec![[Rational::zero(), Rational::one()]; 2]).unwrap();
    let half = Distribution::new(&["1/2", "1/2"].map(|text| parse_rational(text).unwrap())).unwrap();
    let of = |channels: Vec<Channel>, assignment: Vec<u32>, epsilon: &str| {
        let mut builder = SecretGraph::builder(Names::new("profile", ["ana", "bo"]).unwrap());
        builder.chain(&epsilon.parse().unwrap());
        let (graph, laws) = (builder.build().unwrap(), vec![half.clone(); 2]);
        let mechanism = Mechanism::aware(bits.clone(), bits.clone(), graph, laws, channels, assignment).unwrap();
        certify(mechanism.within(vec![anything.clone(); 2]).unwrap())
    };
    // 3/4 ≤ 2·1/2 and 1/2 ≤ 2·1/4, though rows of the first channel are 3 apart.
    assert!(of(half_or_quarters(0).to_vec(), vec![0, 1], "ln(2)").is_ok());
    let violation = of(half_or_quarters(1).to_vec(), vec![0, 1], "ln(2)").unwrap_err();
    assert_eq!(violation.certificate().worst().secrets(), [1, 0], "one unit of 2^-53 too much");
    // One channel for both is ln 3-local, and no better.
    assert!(of(half_or_quarters(0).to_vec(), vec![0, 0], "ln(3)").is_ok());
    assert!(of(half_or_quarters(1).to_vec(), vec![0, 0], "ln(3)").is_err());
}

#[test]
fn an_input_that_no_law_has_is_free_and_any_other_counts() {
    let rows = |third: [u64; 3]| {
        let half = [TOTAL / 2, TOTAL / 2, 0];
        let channel = Channel::rows(vec![half.to_vec(), half.to_vec(), third.to_vec()]).unwrap();
        let abc = Categories::new(["a", "b", "c"]).unwrap();
        let mut builder = SecretGraph::builder(Names::new("profile", ["ana", "bo"]).unwrap());
        builder.chain(&"1".parse().unwrap());
        let half = Distribution::new(&["1/2", "1/2", "0"].map(|text| parse_rational(text).unwrap())).unwrap();
        Mechanism::shared(abc.clone(), abc, builder.build().unwrap(), vec![half; 2], channel).unwrap()
    };
    let texts = |upper: &str| {
        [["0.2", "0.6"], ["0.4", "0.8"], ["0", upper]].map(|ends| ends.map(|text| parse_rational(text).unwrap()))
    };
    let limits = |upper: &str| vec![Limits::new(&texts(upper)).unwrap(); 2];
    let mechanism = rows([0, 0, TOTAL]);
    assert!(certify(mechanism.clone().within(limits("0")).unwrap()).is_ok());
    let violation = certify(mechanism.clone().within(limits("1e-20")).unwrap()).unwrap_err();
    assert_eq!(violation.certificate().worst().achieved(), Achieved::Infinite);
    // The lower limits alone sum to 1, so that the third is impossible, whatever its upper limit says.
    let tight = ["1/2", "1/2", "0"].map(|lower| [parse_rational(lower).unwrap(), Rational::one()]);
    assert!(certify(mechanism.within(vec![Limits::new(&tight).unwrap(); 2]).unwrap()).is_ok());
}

#[test]
fn what_does_not_fit_limits_is_refused() {
    let mechanism = two(Channel::identity(2).unwrap());
    let message = |texts| mechanism.clone().within(region(&limits(texts))).unwrap_err().to_string();
    assert_eq!(
        message([["0", "1"], ["0", "1"], ["0.6", "0.7"], ["0.3", "0.4"]]),
        "profile \"bo\": its law is not within its limits"
    );
    let some = mechanism.clone().within(region(&limits([["0.4", "0.6"]; 4]))).unwrap();
    assert_eq!(some.limits().len(), 2);
    assert_eq!(some.then(&Channel::identity(2).unwrap(), some.outputs().clone()).unwrap().limits(), some.limits());
    let error = delta_at(&some, &"1".parse().unwrap()).unwrap_err();
    assert!(error.is_inapplicable());
    assert_eq!(
        error.to_string(),
        "delta at an epsilon needs one output law for each secret, and profiles within limits have many"
    );
    let short = certify_within(&mechanism, &region(&limits([["0", "1"]; 4]))[..1]).unwrap_err().to_string();
    assert_eq!(short, "limits of 1 profiles, expected 2");
}

fn two(channel: Channel) -> Mechanism {
    let bits = Categories::new(["no", "yes"]).unwrap();
    let mut builder = SecretGraph::builder(Names::new("profile", ["ana", "bo"]).unwrap());
    builder.chain(&"ln(3)".parse().unwrap());
    let half = Distribution::new(&[Rational::new(1.into(), 2.into()), Rational::new(1.into(), 2.into())]).unwrap();
    Mechanism::shared(bits.clone(), bits, builder.build().unwrap(), vec![half.clone(), half], channel).unwrap()
}

fn limits(texts: [[&str; 2]; 4]) -> Ends {
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
