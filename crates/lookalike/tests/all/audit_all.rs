//! Every mechanism that the library can design is attacked through its real sampler, found by listing.
//!
//! A claim here is the exact ε of the pair, not the budget: a sampler that were off by little would be noticed. The
//! bounds hold with probability 1 − 10⁻⁶ each; seeds are fixed. `make audit` sets LOOKALIKE_DRAWS and prints a line for
//! each mechanism.

use lookalike::audit::{Audit, Options, Pair, audit, draws, pairs, worst_laws};
use lookalike::certify::{Achieved, Certified, certify};
use lookalike::counts::{Alpha, CountLoss, explicit_fair, geometric, optimal, uniform, weakly_honest};
use lookalike::design::{self, Algorithm, MechanismName, Objective, Problem, Watch, design};
use lookalike::exact::{Direction, parse_rational, to_f64};
use lookalike::model::{Categories, Distribution, Form, Limits, Mechanism, Names, Prior, SecretGraph};
use lookalike::sample::{RandomKey, Rehearsal};
use std::collections::BTreeSet;

fn budget() -> u64 {
    std::env::var("LOOKALIKE_DRAWS").map_or(400_000, |text| text.parse().expect("a number of draws"))
}

fn categories(count: usize) -> Categories {
    Categories::new((0..count).map(|x| format!("c{x}"))).unwrap()
}

fn profiles(laws: &[&[&str]], shape: fn(&mut lookalike::model::GraphBuilder)) -> Problem {
    let mut builder = SecretGraph::builder(Names::new("profile", (0..laws.len()).map(|at| format!("p{at}"))).unwrap());
    shape(&mut builder);
    let law = |texts: &&[&str]| {
        Distribution::new(&texts.iter().map(|text| parse_rational(text).unwrap()).collect::<Vec<_>>()).unwrap()
    };
    let laws: Vec<Distribution> = laws.iter().map(law).collect();
    Problem::profiles(categories(laws[0].len()), builder.build().unwrap(), laws).unwrap()
}

fn values(count: usize, shape: fn(&mut lookalike::model::GraphBuilder)) -> Problem {
    let mut builder = SecretGraph::builder(categories(count).names().clone());
    shape(&mut builder);
    Problem::values(categories(count), builder.build().unwrap()).unwrap()
}

/// Problems of every kind, so that each mechanism and each algorithm has one that it applies to.
fn problems() -> Vec<(&'static str, Problem)> {
    const BITS: [&[&str]; 4] = [&["0.9", "0.1"], &["0.6", "0.4"], &["0.25", "0.75"], &["0.1", "0.9"]];
    const LOADS: [&[&str]; 4] = [
        &["0.5", "0.2", "0.2", "0.1"],
        &["0.1", "0.4", "0.3", "0.2"],
        &["1/3", "1/3", "1/6", "1/6"],
        &["0.05", "0.05", "0.3", "0.6"],
    ];
    let error = |problem: Problem| problem.with_objective(Objective::ExpectedError).unwrap();
    vec![
        ("two profiles of a bit", profiles(&BITS[..2], |graph| graph.chain(&"1/2".parse().unwrap()))),
        ("a chain of bits", profiles(&BITS, |graph| graph.chain(&"ln(2)".parse().unwrap()))),
        ("a chain of loads", profiles(&LOADS, |graph| graph.chain(&"1/2".parse().unwrap()))),
        ("a group of loads, expected error", error(profiles(&LOADS, |graph| graph.complete(&"1".parse().unwrap())))),
        ("one channel for all", profiles(&LOADS, |graph| graph.chain(&"1".parse().unwrap())).shared().unwrap()),
        ("values", values(16, |graph| graph.complete(&"2".parse().unwrap()))),
        ("values in order", error(values(6, |graph| graph.chain(&"ln(3)".parse().unwrap())))),
    ]
}

/// The exact ε of a pair, rounded up.
fn true_epsilon(mechanism: &Mechanism, [one, other]: [u32; 2]) -> f64 {
    let mut builder = SecretGraph::builder(mechanism.graph().names().clone());
    builder.edge(one, other, "1000".parse().unwrap()).unwrap();
    let alone = certify(mechanism.clone().with_graph(builder.build().unwrap()).unwrap()).unwrap();
    match alone.certificate().worst().achieved() {
        Achieved::Infinite => f64::INFINITY,
        Achieved::Within(interval) => to_f64(&interval.upper().to_rational(), Direction::Up),
    }
}

/// The closed forms for counts, and two optima, one of them by a linear program.
fn of_counts() -> Vec<(&'static str, Mechanism)> {
    let alpha: Alpha = "2/5".parse().unwrap();
    let optimum = |properties: &str, loss: CountLoss| {
        let goal = (&Prior::uniform(8).unwrap(), loss);
        optimal(7, &alpha, properties.parse().unwrap(), goal, &Watch::default()).unwrap().mechanism
    };
    vec![
        ("GM", geometric(7, &alpha).unwrap()),
        ("EM", explicit_fair(7, &alpha).unwrap()),
        ("WM", weakly_honest(7, &alpha).unwrap()),
        ("UM", uniform(7, &alpha).unwrap()),
        ("the optimum for l2", optimum("none", CountLoss::L2)),
        ("the optimum for WH and CM in l1", optimum("WH,CM", CountLoss::L1)),
    ]
}

#[test]
fn every_mechanism_for_counts_is_audited_and_nothing_is_found() {
    for (seed, (name, mechanism)) in (1_000..).zip(of_counts()) {
        let audit = attacked(&certify(mechanism).unwrap(), seed);
        let (worst, claimed) = (audit.worst(), audit.worst().claimed.unwrap());
        println!("counts, {name}: at least {:.5} of {claimed:.5}; {}", worst.bound, worst.event);
        assert!(audit.tests.iter().all(|test| !test.is_evidence()), "{name}: {audit:?}");
        assert!(worst.bound >= 0.6 * claimed, "{name}: {audit:?}");
    }
}

/// Attacks a certified mechanism with its own exact ε as the claim of each pair.
fn attacked(certified: &Certified<Mechanism>, seed: u64) -> Audit {
    let mechanism = certified.mechanism();
    let exact = |pair: Pair| Pair { claimed: Some(true_epsilon(mechanism, pair.secrets)), ..pair };
    let pairs: Vec<Pair> = pairs(mechanism.graph(), 1_000, None).into_iter().map(exact).collect();
    attacked_as(&Rehearsal::new(certified), mechanism, &pairs, seed)
}

/// Attacks pairs by draws that may come from other laws than the profiles.
fn attacked_as(rehearsal: &Rehearsal, mechanism: &Mechanism, pairs: &[Pair], seed: u64) -> Audit {
    let labels: Vec<&str> = mechanism.outputs().names().iter().collect();
    let source = draws(&labels, |run, first, secrets: &[u32], outputs: &mut [u32]| {
        rehearsal.draw(&RandomKey::from_seed(2 * seed + run as u64), first, secrets, outputs)
    });
    audit(pairs, &source, &Options { draws: budget(), confidence: 1.0 - 1e-6, ..Options::default() }).unwrap()
}

/// Designed for limits, nothing is found even at the laws within them at which it is the likeliest to fail; designed for the profiles
/// alone, the same attack finds that the claim does not hold within limits.
#[test]
fn the_worst_laws_within_limits_break_a_design_for_the_profiles_and_none_for_the_limits() {
    let laws: [&[&str]; 3] = [&["0.5", "0.3", "0.2"], &["0.35", "0.35", "0.3"], &["0.2", "0.4", "0.4"]];
    let trusting = profiles(&laws, |graph| graph.chain(&"1/4".parse().unwrap()));
    let around = |law: &Distribution| {
        let [low, high] = ["-0.08", "0.08"].map(|text| parse_rational(text).unwrap());
        Limits::new(&law.probabilities().map(|p| [&p + &low, &p + &high]).collect::<Vec<_>>()).unwrap()
    };
    let limits: Vec<Limits> = trusting.profile_laws().iter().map(around).collect();
    let robust = trusting.clone().within(limits.clone()).unwrap();
    let attack = |problem: &Problem, seed: u64| {
        let certified = certify(design(problem, &design::Options::default()).unwrap().mechanism).unwrap();
        let within = certified.mechanism().clone().within(limits.clone()).unwrap();
        let pairs = pairs(within.graph(), 1_000, None);
        let worst = worst_laws(&within, &pairs);
        let rehearsal = Rehearsal::with_laws(&certified, &worst.laws).unwrap();
        // Laws of its own for one of two pairs that share a profile.
        assert_eq!(worst.pairs.len(), 1);
        attacked_as(&rehearsal, &within, &pairs, seed)
    };
    let (found, none) = (attack(&trusting, 700), attack(&robust, 701));
    assert!(found.worst().is_evidence() && found.worst().bound > 0.3, "{found:?}");
    assert!(none.tests.iter().all(|test| !test.is_evidence()), "{none:?}");
    assert!(none.worst().bound > 0.2, "at the worst laws next to nothing of 1/4 is left: {none:?}");
}

#[test]
fn every_mechanism_that_can_be_designed_is_audited_and_nothing_is_found() {
    let (mut names, mut algorithms, mut forms) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut seed = 1;
    for (words, problem) in problems() {
        for name in MechanismName::applicable(&problem) {
            for algorithm in name.algorithms(&problem) {
                let options = design::Options { algorithm: Some(algorithm), ..design::Options::named(name) };
                let designed = design(&problem, &options).unwrap();
                let certified = certify(designed.mechanism).unwrap();
                let audit = attacked(&certified, seed);
                let (worst, claimed) = (audit.worst(), audit.worst().claimed.unwrap());
                let line = format!("{name} by {algorithm}, {words}: at least {:.5} of {claimed:.5}", worst.bound);
                println!("{line}; {}", worst.event);
                assert!(audit.tests.iter().all(|test| !test.is_evidence()), "{line}: {audit:?}");
                // Where there is something to find, it is nearly found.
                assert!(worst.bound > 0.6 * claimed, "{line}: {audit:?}");
                let keeps = |form| matches!(form, Form::Keep { .. });
                forms.extend(certified.mechanism().channels().iter().map(|channel| keeps(channel.form())));
                names.insert(name);
                algorithms.insert(algorithm);
                seed += 1;
            }
        }
    }
    assert_eq!(names, BTreeSet::from(MechanismName::ALL), "every mechanism has a problem that it applies to");
    assert_eq!(algorithms, BTreeSet::from(Algorithm::ALL), "and every algorithm");
    assert_eq!(forms, BTreeSet::from([false, true]), "and both forms of a channel");
}
