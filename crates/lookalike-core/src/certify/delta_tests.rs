//! Tests of δ: against brute force over all sets of outputs, closed forms and wide enclosures.

use super::*;
use crate::certify::{Achieved, certify};
use crate::exact::{Direction, parse_rational, to_f64};
use crate::model::strategies::channel;
use crate::model::{Categories, Channel, GraphBuilder, Names, SecretGraph, TOTAL};
use num_bigint::BigUint;
use num_traits::Signed;
use proptest::prelude::*;

const SECRETS: u32 = 4;
const SIZE: usize = 3;

fn epsilon(text: &str) -> Epsilon {
    text.parse().unwrap()
}

fn rational(text: &str) -> Rational {
    parse_rational(text).unwrap()
}

fn graph(count: u32, fill: impl FnOnce(&mut GraphBuilder)) -> SecretGraph {
    let mut builder = SecretGraph::builder(Names::new("profile", (0..count).map(|at| format!("p{at}"))).unwrap());
    fill(&mut builder);
    builder.build().unwrap()
}

/// Profiles released as they are.
fn released_unchanged(profiles: &[&[&str]], graph: SecretGraph) -> Mechanism {
    let law = |law: &&[&str]| Distribution::new(&law.iter().map(|text| rational(text)).collect::<Vec<_>>()).unwrap();
    let categories = Categories::new((0..profiles[0].len()).map(|at| format!("c{at}"))).unwrap();
    let identity = Channel::identity(categories.len()).unwrap();
    let profiles: Vec<_> = profiles.iter().map(law).collect();
    Mechanism::shared(categories.clone(), categories, graph, profiles, identity).unwrap()
}

/// Weights of a few bits, which meet ratios exactly, or of up to 200.
fn law() -> impl Strategy<Value = Distribution> {
    let weight = prop_oneof![4 => (0u64..9, Just(0)), 1 => (any::<u64>(), 0u32..140)];
    prop::collection::vec(weight, SIZE).prop_filter_map("zero sum", |weights| {
        let weights = weights.into_iter().map(|(digits, by)| Natural::from(BigUint::from(digits) << by));
        Distribution::from_weights(weights.collect()).ok()
    })
}

/// An edge and a group that may share secrets, over a mechanism of any kind.
fn mechanism() -> impl Strategy<Value = Mechanism> {
    let group = prop::collection::btree_set(0..SECRETS - 1, 2..SECRETS as usize);
    let parts =
        (prop::collection::vec(law(), SECRETS as usize), prop::collection::vec(channel(SIZE), 2), group, 0..3u8);
    parts.prop_map(|(profiles, channels, group, kind)| {
        let abc = Categories::new(["a", "b", "c"]).unwrap();
        let fill = |builder: &mut GraphBuilder| {
            builder.edge(0, 1, epsilon("1/3")).unwrap();
            builder.group("g", group.into_iter().collect(), epsilon("ln(2)")).unwrap();
            if kind < 2 {
                builder.edge(2, 3, epsilon("5")).unwrap();
            }
        };
        if kind == 2 {
            let mut builder = SecretGraph::builder(abc.names().clone());
            fill(&mut builder);
            return Mechanism::point(abc.clone(), abc, builder.build().unwrap(), channels[0].clone()).unwrap();
        }
        let graph = graph(SECRETS, fill);
        match kind {
            0 => Mechanism::shared(abc.clone(), abc, graph, profiles, channels[0].clone()).unwrap(),
            _ => Mechanism::aware(abc.clone(), abc, graph, profiles, channels, vec![0, 1, 1, 0]).unwrap(),
        }
    })
}

/// Forms of ε with a rational e^ε, and that.
fn rational_power() -> impl Strategy<Value = (Epsilon, Rational)> {
    let forms = [
        ("ln(2)", "2"),
        ("ln(3/2)", "3/2"),
        ("2*ln(3/2)", "9/4"),
        ("1/2*ln(9/4)", "3/2"),
        ("ln(101/100)", "101/100"),
        ("ln(40)", "40"),
        ("30*ln(10)", "1e30"),
    ];
    prop::sample::select(forms.to_vec()).prop_map(|(text, power)| (epsilon(text), rational(power)))
}

fn laws(mechanism: &Mechanism) -> Vec<Vec<Rational>> {
    mechanism.output_laws().iter().map(|law| law.probabilities().collect()).collect()
}

/// Every ordered pair that must look alike, in order.
fn all_pairs(mechanism: &Mechanism) -> Vec<[u32; 2]> {
    let count = mechanism.graph().names().len() as u32;
    let all = (0..count).flat_map(|s| (0..count).map(move |t| [s, t]));
    all.filter(|[s, t]| s != t && mechanism.graph().epsilon_between(*s, *t).is_some()).collect()
}

/// The largest q(S) − e^ε q'(S) over all sets S of outputs, the empty one too.
fn over_all_sets(q: &[Rational], power: &Rational, q_prime: &[Rational]) -> Rational {
    let advantage = |set: usize| {
        let inside = (0..q.len()).filter(|y| set >> y & 1 == 1);
        inside.map(|y| &q[y] - power * &q_prime[y]).sum::<Rational>()
    };
    (0..1usize << q.len()).map(advantage).max().unwrap()
}

proptest! {
    #[test]
    fn delta_is_the_largest_over_all_pairs_and_sets(mechanism in mechanism(), (epsilon, power) in rational_power()) {
        let (laws, delta) = (laws(&mechanism), delta_at(&mechanism, &epsilon).unwrap());
        let of = |[s, t]: [u32; 2]| over_all_sets(&laws[s as usize], &power, &laws[t as usize]);
        let expected = all_pairs(&mechanism).into_iter().map(of).max().unwrap();
        prop_assert_eq!(delta.exact().unwrap(), expected.clone());
        prop_assert_eq!(Some(delta.secrets()), all_pairs(&mechanism).into_iter().find(|&pair| of(pair) == expected));
        let shares = delta.secrets().map(|secret| {
            delta.outputs().iter().map(|&y| laws[secret as usize][y as usize].clone()).sum::<Rational>()
        });
        prop_assert_eq!(delta.probabilities(), &shares);
        prop_assert_eq!(delta.is_zero(), expected.is_zero());
        prop_assert!(delta.enclosure().contains(&expected));
        // The first look encloses every pair.
        let first_look = Laws::of(&mechanism, &epsilon);
        for pair in all_pairs(&mechanism) {
            let unit = Rational::from_integer(BigInt::one() << (62 + first_look.fraction_bits));
            let [lower, upper] = first_look.ends(pair).map(|end| Rational::from_integer(end.into()) / &unit);
            let delta = of(pair);
            prop_assert!(lower <= delta && delta <= upper);
            prop_assert!(power > rational("1000") || upper - lower < rational("1e-15"));
        }
    }

    #[test]
    fn an_irrational_exponential_is_enclosed_like_by_200_bits(
        mechanism in mechanism(), text in prop_oneof![Just("1/2"), Just("1e-9"), Just("sqrt(2)"), Just("ln(2)/3"), Just("7"), Just("60")],
    ) {
        let (laws, delta) = (laws(&mechanism), delta_at(&mechanism, &epsilon(text)).unwrap());
        let power = epsilon(text).exp(200);
        let ends = [power.upper(), power.lower()].map(|power| {
            let of = |[s, t]: [u32; 2]| over_all_sets(&laws[s as usize], &power.to_rational(), &laws[t as usize]);
            all_pairs(&mechanism).into_iter().map(of).max().unwrap()
        });
        let [lower, upper] = [delta.enclosure().lower().to_rational(), delta.enclosure().upper().to_rational()];
        prop_assert!(lower <= ends[1] && ends[0] <= upper);
        prop_assert!((&upper - &lower) * (BigInt::one() << 60u32) <= lower);
        prop_assert!(delta.is_zero() == lower.is_zero() && delta.is_zero() == ends[1].is_zero());
    }

    // Two-sided: 0 at the true ε and positive just below.
    #[test]
    fn delta_ends_at_the_true_epsilon(mechanism in mechanism()) {
        let mut builder = SecretGraph::builder(mechanism.graph().names().clone());
        builder.complete(&epsilon("100000"));
        let mechanism = mechanism.with_graph(builder.build().unwrap()).unwrap();
        match certify(mechanism.clone()) {
            Err(violation) => {
                prop_assert_eq!(violation.certificate().worst().achieved(), Achieved::Infinite);
                prop_assert!(!delta_at(&mechanism, &epsilon("100000")).unwrap().is_zero());
            }
            Ok(certified) => {
                let ratio = certified.certificate().worst().ratio().unwrap();
                prop_assume!(!ratio.is_one());
                let achieved = Epsilon::ln(Rational::one(), ratio).unwrap();
                prop_assert!(delta_at(&mechanism, &achieved).unwrap().is_zero());
                let below = achieved.scale(&rational("99/100")).unwrap();
                prop_assert!(!delta_at(&mechanism, &below).unwrap().is_zero());
            }
        }
    }

    #[test]
    fn a_group_has_the_delta_of_its_pairs(mechanism in mechanism(), text in prop_oneof![Just("ln(2)"), Just("1/10"), Just("2")]) {
        let names = mechanism.graph().names().clone();
        let with = |fill: &dyn Fn(&mut GraphBuilder)| {
            let mut builder = SecretGraph::builder(names.clone());
            fill(&mut builder);
            delta_at(&mechanism.clone().with_graph(builder.build().unwrap()).unwrap(), &epsilon(text)).unwrap()
        };
        let group = with(&|builder| builder.group("g", vec![2, 1, 0], epsilon("1")).unwrap());
        let edges = with(&|builder| {
            for [a, b] in [[2, 1], [0, 2], [1, 0]] {
                builder.edge(a, b, epsilon("3")).unwrap();
            }
        });
        prop_assert_eq!(group, edges);
    }
}

/// Randomized response over d values that keeps a value with weight `keep` out of `total`, others with 1.
fn k_rr(d: usize, keep: u64, total: u64) -> Mechanism {
    let values = Categories::new((0..d).map(|at| format!("v{at}"))).unwrap();
    let weight = |x: usize, y: usize| TOTAL / total * if x == y { keep } else { 1 };
    let rows = (0..d).map(|x| (0..d).map(|y| weight(x, y)).collect()).collect();
    let mut builder = SecretGraph::builder(values.names().clone());
    builder.complete(&epsilon("1"));
    Mechanism::point(values.clone(), values, builder.build().unwrap(), Channel::rows(rows).unwrap()).unwrap()
}

// At the true value e^ε − e^ε' is to be gained over e^ε + d − 1; at every other output the ratio is at most 1.
#[test]
fn randomized_response_has_its_closed_form() {
    for (d, power, smaller) in [(2, 3, "2"), (2, 7, "3/2"), (4, 5, "11/10"), (4, 13, "12"), (3, 2, "3/2")] {
        let total = power + d as u64 - 1;
        let delta = delta_at(&k_rr(d, power, total), &epsilon(&format!("ln({smaller})"))).unwrap();
        let gained = Rational::from_integer(power.into()) - rational(smaller);
        assert_eq!(delta.exact().unwrap(), gained / BigInt::from(total), "{d} {power} {smaller}");
        assert_eq!((delta.secrets(), delta.outputs()), ([0, 1], &[0][..]), "all pairs tie: the first is named");
        assert!(delta_at(&k_rr(d, power, total), &epsilon(&format!("ln({power})"))).unwrap().is_zero());
    }
    // As designed, weights are rounded to units of 2^−53.
    let (d, claimed, smaller) = (5, epsilon("1/2"), epsilon("1/4"));
    let values = Categories::new((0..d).map(|at| format!("v{at}"))).unwrap();
    let mut builder = SecretGraph::builder(values.names().clone());
    builder.complete(&claimed);
    // k-ary randomized response: the own value with e^ε times the weight of any other, the rest for the rounding.
    let power = to_f64(&claimed.exp(90).lower().to_rational(), Direction::Down);
    let other = (TOTAL as f64 / (power + f64::from(d) - 1.0)).ceil() as u64;
    let row = |x| (0..d).map(|y| if x == y { TOTAL - (d as u64 - 1) * other } else { other }).collect();
    let channel = Channel::rows((0..d).map(row).collect()).unwrap();
    let mechanism = Mechanism::point(values.clone(), values, builder.build().unwrap(), channel).unwrap();
    assert!(certify(mechanism.clone()).is_ok());
    let delta = delta_at(&mechanism, &smaller).unwrap();
    assert_eq!(delta.exact(), None);
    let gained = &claimed.exp(90) - &smaller.exp(90);
    let expected = gained.divide(&(&claimed.exp(90) + &Interval::integer(d - 1)), 90).unwrap();
    let apart = (delta.enclosure().lower() - expected.lower()).to_rational().abs();
    assert!(apart * BigInt::from(TOTAL / 16) < Rational::one());
}

#[test]
fn a_published_value_is_met() {
    // Kawamoto and Murakami's laws without dummies: 0.4 − 0.1·e^(1/2) = 0.23512…
    let profiles: [&[&str]; 2] = [&["0.4", "0.3", "0.2", "0.1"], &["0.1", "0.2", "0.3", "0.4"]];
    let chain = graph(2, |builder| builder.chain(&epsilon("1/2")));
    let delta = delta_at(&released_unchanged(&profiles, chain), &epsilon("1/2")).unwrap();
    assert_eq!((delta.secrets(), delta.outputs()), ([0, 1], &[0][..]));
    assert!(delta.enclosure().lower().to_rational() > rational("0.235127"));
    assert!(delta.enclosure().upper().to_rational() < rational("0.235128"));
}

#[test]
fn an_impossible_output_leaves_its_probability_at_every_epsilon() {
    let profiles: [&[&str]; 3] = [&["0.5", "0.5", "0"], &["0.45", "0.5", "0.05"], &["0.3", "0.7", "0"]];
    let group = || graph(3, |builder| builder.complete(&epsilon("1")));
    for text in ["2", "43.7", "44", "3000", "100000", "ln(3)"] {
        let delta = delta_at(&released_unchanged(&profiles, group()), &epsilon(text)).unwrap();
        assert_eq!(delta.exact(), Some(rational("0.05")), "{text}");
        assert_eq!((delta.secrets(), delta.outputs()), ([1, 0], &[2][..]), "{text}");
        assert!(delta.enclosure().contains(&rational("0.05")));
    }
    // Possible, but 2^-80 below what the first look can see.
    let tiny = format!("1/{}", BigInt::one() << 80u32);
    let rest = (Rational::one() - rational(&tiny)).to_string();
    let profiles: [&[&str]; 2] = [&["1/2", "1/2"], &[&rest, &tiny]];
    let delta = |text| {
        delta_at(&released_unchanged(&profiles, graph(2, |builder| builder.chain(&epsilon("1")))), &epsilon(text))
    };
    let [below, above] = ["79*ln(2)", "80*ln(2)"].map(|text| delta(text).unwrap());
    assert_eq!(below.exact(), Some(Rational::zero()), "a ratio of 2^79 is within 79 ln 2");
    assert!(above.is_zero());
    let just_below = delta("78*ln(2)").unwrap();
    assert_eq!(just_below.exact(), Some(rational("1/4")));
}

#[test]
fn equal_deltas_go_to_the_first_pair_and_the_larger_wins_however_close() {
    // At ln 2: 1/2 − 2·1/8, and 1/4 − 2·0.
    let [one, other]: [[&[&str]; 2]; 2] = [[&["1/2", "1/2"], &["1/8", "7/8"]], [&["1/4", "3/4"], &["0", "1"]]];
    let two_edges = || {
        graph(4, |builder| {
            builder.edge(0, 1, epsilon("1")).unwrap();
            builder.edge(2, 3, epsilon("1/5")).unwrap();
        })
    };
    let delta = |profiles: [[&[&str]; 2]; 2]| {
        delta_at(&released_unchanged(&profiles.concat(), two_edges()), &epsilon("ln(2)")).unwrap()
    };
    for profiles in [[one, other], [other, one]] {
        let delta = delta(profiles);
        assert_eq!((delta.secrets(), delta.exact()), ([0, 1], Some(rational("1/4"))));
    }
    let more = "0.2500000000000000000000000000001";
    let rest = "0.7499999999999999999999999999999";
    for (larger, expected) in
        [([one, [&[more, rest], &["0", "1"]]], [2, 3]), ([[&[more, rest], &["0", "1"]], one], [0, 1])]
    {
        let delta = delta(larger);
        assert_eq!((delta.secrets(), delta.exact()), (expected, Some(rational(more))));
    }
}

#[test]
fn threads_do_not_change_the_answer() {
    let mechanism = k_rr(29, 4, 32);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| delta_at(&mechanism, &epsilon("ln(3)")).unwrap())
    };
    assert_eq!(on(1), on(7));
    assert_eq!((on(3).secrets(), on(3).exact()), ([0, 1], Some(rational("1/32"))));
}

#[test]
fn a_fraction_too_long_to_be_written_is_enclosed() {
    // e^ε = 1.0000001^1000000 = 1.105…, with seven million digits.
    let profiles: [&[&str]; 2] = [&["0.5", "0.5"], &["0.4", "0.6"]];
    let chain = graph(2, |builder| builder.chain(&epsilon("1")));
    let delta = delta_at(&released_unchanged(&profiles, chain), &epsilon("1000000*ln(1.0000001)")).unwrap();
    assert_eq!(delta.exact(), None);
    let [lower, upper] = [delta.enclosure().lower().to_rational(), delta.enclosure().upper().to_rational()];
    assert!(rational("0.0579316") < lower && upper < rational("0.0579317"), "0.5 − 0.4·e^0.099999995");
}

#[test]
fn work_without_end_is_refused_by_its_size() {
    let half = Distribution::new(&[rational("1/2"), rational("1/2")]).unwrap();
    let bits = Categories::new(["no", "yes"]).unwrap();
    let graph = graph(50_000, |builder| builder.complete(&epsilon("1")));
    let identity = Channel::identity(2).unwrap();
    let mechanism = Mechanism::shared(bits.clone(), bits, graph, vec![half; 50_000], identity).unwrap();
    let error = delta_at(&mechanism, &epsilon("1")).unwrap_err();
    assert!(error.is_inapplicable());
    assert_eq!(
        error.to_string(),
        "delta compares 2499950000 ordered pairs at 2 outputs, 4999900000 steps, expected at most 4000000000 (a group of \
         k has k(k − 1) ordered pairs: ask about a mechanism with smaller groups)"
    );
}
