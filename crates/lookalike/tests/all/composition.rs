//! The rules of composition against brute force: joint laws of several releases, written out in fractions.
//!
//! Where a rule adds up, the joint law stays within the sum and some channel attains it, so that less would be wrong.
//! Where a rule refuses, a channel shows why: each release by itself is certified, and together they tell the secrets
//! of a pair apart for certain.

use crate::joint_laws::*;
use lookalike::account::{
    Account, Choice, Composed, Declared, Drawn, Guarantee, Refusal, Release, Secrets, Selection, Standing, Theorem,
    jointly, parallel, rule, sequential,
};
use lookalike::exact::{Epsilon, EpsilonSum, Rational};
use lookalike::model::{Distribution, Mechanism, SecretGraph};
use lookalike::pufferfish::{Chain, Initial, compose_exact, contract, exact};
use num_traits::{One, Zero};
use proptest::prelude::*;

/// Releases about subjects, each a mechanism of the account and an observation.
fn releases(list: &[(usize, &str, &str)], declared: Declared) -> Vec<Release> {
    let release = |&(guarantee, subject, observation): &(usize, &str, &str)| Release {
        mechanism: guarantee.to_string(),
        guarantee,
        subject: subject.to_owned(),
        observation: observation.to_owned(),
        drawn: Drawn::Fresh,
        declared,
    };
    list.iter().map(release).collect()
}

fn account(mechanisms: &[&Mechanism]) -> Account {
    let mut account = Account::default();
    for mechanism in mechanisms {
        account.admit(Guarantee::of_mechanism(mechanism).unwrap()).unwrap();
    }
    account
}

const INDEPENDENT: Declared = Declared { independent_observations: true, choice: Choice::InAdvance };

fn composed(mechanisms: &[&Mechanism], list: &[(usize, &str, &str)]) -> Vec<Composed> {
    sequential(&account(mechanisms), &releases(list, INDEPENDENT)).unwrap()
}

/// Two profiles over a bit, and two mechanisms that are tight: 5/8 against 3/8 by one, 3/4 against 1/4 by the other.
fn two_tight_mechanisms() -> [Mechanism; 2] {
    let profiles: [&[&str]; 2] = [&["1", "0"], &["0", "1"]];
    let names = people(&["ana", "bo"]);
    [
        shared(&alike(&names, "ln(5/3)"), &profiles, channel(&[&[5, 3], &[3, 5]])),
        shared(&alike(&names, "ln(3)"), &profiles, channel(&[&[6, 2], &[2, 6]])),
    ]
}

// Figure 1, first case.
#[test]
fn independent_observations_add_and_less_would_be_wrong() {
    let [one, other] = two_tight_mechanisms();
    let joint = |secret| then(&law(&one, secret), |_| law(&other, secret));
    let found = composed(&[&one, &other], &[(0, "x", "monday"), (1, "x", "tuesday")]);
    assert_eq!(found[0].worst.epsilon, sum("ln(5/3) + ln(3)"));
    assert_eq!(loss(&joint(0), &joint(1)), Some(found[0].worst.epsilon.clone()), "attained");
    assert_eq!(found[0].theorems, [Theorem::Single, Theorem::IndependentObservations].into());
}

// Figure 1, second case.
#[test]
fn independent_secrets_take_the_maximum_for_one_and_the_sum_for_both() {
    let [one, other] = two_tight_mechanisms();
    let found = composed(&[&one, &other], &[(0, "x", "1"), (1, "y", "1")]);
    // However the other profile is chosen, as long as it is chosen independently.
    for share in ["0", "1/3", "1"].map(number) {
        let chosen = |mechanism: &Mechanism| {
            mixed([(share.clone(), law(mechanism, 0)), (Rational::one() - &share, law(mechanism, 1))])
        };
        let of_first = |secret| then(&law(&one, secret), |_| chosen(&other));
        let of_second = |secret| then(&chosen(&one), |_| law(&other, secret));
        assert_eq!(loss(&of_first(0), &of_first(1)), Some(sum("ln(5/3)")));
        assert_eq!(loss(&of_second(0), &of_second(1)), Some(sum("ln(3)")));
    }
    assert_eq!(parallel(&found, Selection::Independent).unwrap().epsilon, sum("ln(3)"), "the maximum, and attained");
    let both = |first, second| then(&law(&one, first), |_| law(&other, second));
    assert_eq!(loss(&both(0, 0), &both(1, 1)), Some(jointly(&found).epsilon), "the sum, and attained");
}

/// Profiles `split` (0 or 2, evenly) and `middle` (always 1), and a channel that releases 0 as 0, 2 as 1, and 1 as either.
/// One release is a fair coin under both, so that any ε is certified.
fn coin() -> Mechanism {
    let graph = alike(&people(&["split", "middle"]), "1/1000");
    shared(&graph, &[&["1/2", "0", "1/2"], &["0", "1", "0"]], channel(&[&[8, 0], &[4, 4], &[0, 8]]))
}

// Figure 1, third case.
#[test]
fn two_answers_to_one_observation_can_tell_everything() {
    let coin = coin();
    assert_eq!(loss(&law(&coin, 0), &law(&coin, 1)), Some(EpsilonSum::zero()), "one release tells nothing at all");
    let independent = |secret| then(&law(&coin, secret), |_| law(&coin, secret));
    assert_eq!(loss(&independent(0), &independent(1)), Some(EpsilonSum::zero()));
    let twice = |secret: u32| {
        let of = |x: usize| then(&given(&coin, secret, x), |_| given(&coin, secret, x));
        mixed((0..).zip(coin.profiles()[secret as usize].probabilities()).map(|(x, p)| (p, of(x))))
    };
    assert_eq!(twice(0).get(&vec![0, 1]), Some(&Rational::zero()));
    assert_eq!(loss(&twice(0), &twice(1)), None, "two tell the profiles apart for certain");
    let refused = sequential(&account(&[&coin]), &releases(&[(0, "x", "1"), (0, "x", "1")], INDEPENDENT)).unwrap_err();
    assert_eq!((refused.place, refused.refusal), (1, Refusal::SameObservation));
    // Two observations that are always equal tell as much, so independence must be declared.
    let undeclared = releases(&[(0, "x", "1"), (0, "x", "2")], Declared::default());
    let refused = sequential(&account(&[&coin]), &undeclared).unwrap_err();
    assert_eq!((refused.place, refused.refusal), (1, Refusal::UndeclaredObservation));
}

// Figure 1, fourth case: as in the paper's example, the next profile follows from this one.
#[test]
fn a_profile_that_follows_from_another_gives_it_away() {
    let mut builder = SecretGraph::builder(people(&["ana", "bo", "cleo", "dan"]));
    builder.edge(0, 1, "ln(3)".parse().unwrap()).unwrap();
    builder.edge(2, 3, "ln(3)".parse().unwrap()).unwrap();
    let profiles: [&[&str]; 4] =
        [&["1", "0", "0", "0"], &["0", "1", "0", "0"], &["0", "0", "1", "0"], &["0", "0", "0", "1"]];
    let rows = channel(&[&[6, 2, 0, 0], &[2, 6, 0, 0], &[0, 0, 6, 2], &[0, 0, 2, 6]]);
    let mechanism = shared(&builder.build().unwrap(), &profiles, rows);
    let found = composed(&[&mechanism], &[(0, "first", "1"), (0, "second", "1")]);
    assert_eq!(loss(&law(&mechanism, 0), &law(&mechanism, 1)), Some(sum("ln(3)")));
    // After ana comes ana again, and after bo comes cleo.
    let next = |secret: u32| if secret == 0 { 0 } else { 2 };
    let joint = |secret| then(&law(&mechanism, secret), |_| law(&mechanism, next(secret)));
    assert_eq!(loss(&joint(0), &joint(1)), None, "the second release tells which the first profile was");
    assert_eq!(parallel(&found, Selection::Correlated), Err(Refusal::CorrelatedSelection));
    // Where the second is always the first once more, the maximum is wrong too.
    let same = |secret| then(&law(&mechanism, secret), |_| law(&mechanism, secret));
    assert!(loss(&same(0), &same(1)).unwrap() > parallel(&found, Selection::Independent).unwrap().epsilon);
}

#[test]
fn an_earlier_answer_to_the_same_record_is_free() {
    let [_, mechanism] = two_tight_mechanisms();
    let again = |secret| then(&law(&mechanism, secret), |before| Law::from([(before.to_vec(), Rational::one())]));
    assert_eq!(loss(&again(0), &again(1)), Some(sum("ln(3)")), "as one release");
    let mut list = releases(&[(0, "x", "1"), (0, "x", "1")], Declared::default());
    list[1].drawn = Drawn::Again;
    let found = sequential(&account(&[&mechanism]), &list).unwrap();
    assert_eq!((found[0].worst.epsilon.clone(), &found[0].times), (sum("ln(3)"), &vec![1]));
}

/// The law of answers to two observations where equal values share one draw.
fn by_value(mechanism: &Mechanism, secret: u32, [first, second]: [usize; 2]) -> Law {
    then(&given(mechanism, secret, first), |before| {
        if first == second { Law::from([(before.to_vec(), Rational::one())]) } else { given(mechanism, secret, second) }
    })
}

#[test]
fn an_answer_kept_by_value_tells_that_values_were_equal() {
    let coin = coin();
    let joint = |secret: u32| {
        let law = &coin.profiles()[secret as usize];
        let values = (0..3).flat_map(|x| (0..3).map(move |z| [x, z]));
        mixed(values.map(|[x, z]| (law.probability(x) * law.probability(z), by_value(&coin, secret, [x, z]))))
    };
    assert_eq!(loss(&joint(0), &joint(1)), None, "independent observations, and yet told apart for certain");
    // Where the secrets are the values themselves it is no better: (0, 0) and (0, 1) differ in one value.
    let bits = categories(2);
    let warner = channel(&[&[6, 2], &[2, 6]]);
    let point = proved(Mechanism::point(bits.clone(), bits.clone(), alike(bits.names(), "ln(3)"), warner).unwrap());
    assert_eq!(loss(&by_value(&point, 0, [0, 0]), &by_value(&point, 0, [0, 1])), None);
    for secrets in [Secrets::Laws, Secrets::Points, Secrets::Moments] {
        let found = rule(secrets, Standing::AnswerToEqualValue, INDEPENDENT);
        assert_eq!(found, Err(Refusal::AnswerByValue));
    }
}

#[test]
fn two_answers_to_one_value_add_where_values_are_the_secrets() {
    let bits = categories(2);
    let point = |epsilon: &str, rows: &[&[u64]]| {
        proved(Mechanism::point(bits.clone(), bits.clone(), alike(bits.names(), epsilon), channel(rows)).unwrap())
    };
    let (one, other) = (point("ln(5/3)", &[&[5, 3], &[3, 5]]), point("ln(3)", &[&[6, 2], &[2, 6]]));
    let joint = |x| then(&law(&one, x), |_| law(&other, x));
    let list = releases(&[(0, "x", "1"), (1, "x", "1")], Declared::default());
    let found = sequential(&account(&[&one, &other]), &list).unwrap();
    assert_eq!(found[0].worst.epsilon, sum("ln(5)"));
    assert_eq!(loss(&joint(0), &joint(1)), Some(sum("ln(5)")), "attained");
    assert_eq!(found[0].theorems, [Theorem::Single, Theorem::PointMasses].into());
}

#[test]
fn a_choice_by_releases_stays_within_the_sum_along_the_way() {
    let menu = two_tight_mechanisms();
    // The first answer picks the next mechanism, and the second the third.
    let pick = |before: &[u32]| usize::from(before.last() == Some(&1));
    let path = |secret: u32| {
        let two = then(&law(&menu[0], secret), |before| law(&menu[pick(before)], secret));
        then(&two, |before| law(&menu[pick(before)], secret))
    };
    let (one, other) = (path(0), path(1));
    let account = account(&[&menu[0], &menu[1]]);
    let declared = Declared { choice: Choice::ByReleases, ..INDEPENDENT };
    let mut attained = 0;
    for (outputs, p) in &one {
        let chosen = [0, pick(&outputs[..1]), pick(&outputs[..2])];
        let list = releases(&[(chosen[0], "x", "1"), (chosen[1], "x", "2"), (chosen[2], "x", "3")], declared);
        let allowed = sequential(&account, &list).unwrap()[0].worst.epsilon.clone();
        let q = &other[outputs];
        let ratio = if p > q { p / q } else { q / p };
        let lost = EpsilonSum::from(Epsilon::ln(Rational::one(), ratio).unwrap());
        assert!(lost <= allowed, "{outputs:?}");
        attained += u32::from(lost == allowed);
    }
    assert!(attained >= 2, "some ways lose all that they may");
}

#[test]
fn a_choice_by_the_releases_about_others_changes_nothing_for_one_secret() {
    let menu = two_tight_mechanisms();
    // About x, then about y by a mechanism that the first answer picks, then about x by one that both answers pick.
    let share = number("1/4");
    let of_y = |at: usize| mixed([(share.clone(), law(&menu[at], 0)), (Rational::one() - &share, law(&menu[at], 1))]);
    let path = |secret: u32| {
        let two = then(&law(&menu[0], secret), |before| of_y(before[0] as usize));
        then(&two, |before| law(&menu[before[1] as usize], secret))
    };
    // The most along any way about x alone: the stronger mechanism last.
    assert_eq!(loss(&path(0), &path(1)), Some(sum("ln(5/3) + ln(3)")));
    let about_y = |secret: u32| {
        let x = mixed([(share.clone(), law(&menu[0], 0)), (Rational::one() - &share, law(&menu[0], 1))]);
        then(&x, |before| law(&menu[before[0] as usize], secret))
    };
    assert_eq!(loss(&about_y(0), &about_y(1)), Some(sum("ln(3)")));
}

#[test]
fn a_choice_by_private_data_can_tell_everything() {
    let graph = alike(&people(&["ana", "bo"]), "1/1000");
    let profiles: [&[&str]; 2] = [&["1", "0"], &["0", "1"]];
    // Either answer is a coin that does not look at the data.
    let low = shared(&graph, &profiles, channel(&[&[4, 4, 0, 0], &[4, 4, 0, 0]]));
    let high = shared(&graph, &profiles, channel(&[&[0, 0, 4, 4], &[0, 0, 4, 4]]));
    let chosen = |secret: u32| law(if secret == 0 { &low } else { &high }, secret);
    for mechanism in [&low, &high] {
        assert_eq!(loss(&law(mechanism, 0), &law(mechanism, 1)), Some(EpsilonSum::zero()));
    }
    assert_eq!(loss(&chosen(0), &chosen(1)), None);
    let declared = Declared { choice: Choice::ByPrivateData, ..INDEPENDENT };
    let refused = sequential(&account(&[&low, &high]), &releases(&[(0, "x", "1")], declared)).unwrap_err();
    assert_eq!(refused.refusal, Refusal::ChosenByPrivateData);
}

#[test]
fn releases_from_one_chain_lose_at_most_the_sum_whatever_found_their_noise() {
    let row = |texts: [&str; 2]| Distribution::new(&texts.map(number)).unwrap();
    let theta = [Chain::new(Initial::Stationary, vec![row(["0.9", "0.1"]), row(["0.4", "0.6"])]).unwrap()];
    let [half, one] = ["1/2", "1"].map(|text| text.parse::<Epsilon>().unwrap());
    let mut account = Account::default();
    for epsilon in [&half, &one] {
        account.admit(Guarantee::of_chain("the reference chain", epsilon).unwrap()).unwrap();
    }
    let list = releases(&[(0, "sequence", "1"), (1, "sequence", "1")], Declared::default());
    let found = sequential(&account, &list).unwrap();
    assert_eq!((found[0].worst.epsilon.clone(), found[0].theorems.contains(&Theorem::Quilts)), (sum("3/2"), true));
    // One by quilts, the other by contraction: by either rule for both of them together, less than the sum.
    let contraction = contract(&theta, 50, &one).unwrap();
    let scales = [exact(&theta, 50, &half).unwrap().scale, contraction.scale.clone()];
    let rate = scales.iter().map(|scale| scale.recip()).sum();
    let together = compose_exact(&theta, 50, &scales).unwrap().min(contraction.loss(&rate));
    assert!(together < number("3/2") && together > number("1"));
}

/// What is seen of a subject with a budget: answers as long as the next charge fits, and then none.
fn until_refused(mechanism: &Mechanism, secret: u32, charge: &Epsilon, budget: &EpsilonSum) -> Law {
    let (mut seen, mut spent) = (Law::from([(Vec::new(), Rational::one())]), EpsilonSum::zero());
    loop {
        spent.add(charge, 1);
        if spent > *budget {
            return seen;
        }
        seen = then(&seen, |_| law(mechanism, secret));
    }
}

#[test]
fn a_charge_that_depends_on_the_true_profile_gives_it_away() {
    // ana looks like bo at ln(5/3), and bo like cleo at ln(3).
    let mut builder = SecretGraph::builder(people(&["ana", "bo", "cleo"]));
    builder.edge(0, 1, "ln(5/3)".parse().unwrap()).unwrap();
    builder.edge(1, 2, "ln(3)".parse().unwrap()).unwrap();
    let profiles: [&[&str]; 3] = [&["1", "0", "0"], &["0", "1", "0"], &["0", "0", "1"]];
    let mechanism = shared(&builder.build().unwrap(), &profiles, channel(&[&[5, 3], &[3, 5], &[1, 7]]));
    let budget = sum("2*ln(3)");
    // Each charged by the dearest of its own edges: ana is released more often than bo, which everybody sees.
    let own = |secret: u32, epsilon: &str| until_refused(&mechanism, secret, &epsilon.parse().unwrap(), &budget);
    let (ana, bo) = (own(0, "ln(5/3)"), own(1, "ln(3)"));
    assert_eq!([&ana, &bo].map(|law| law.keys().next().unwrap().len()), [4, 2]);
    assert_eq!(loss(&ana, &bo), None);
    // By the account the charge is that of the worst pair for everybody, and all end at the same point.
    let account = account(&[&mechanism]);
    let all = |secret| {
        let times = (1u64..).take_while(|&times| account.worst(&[times]).epsilon <= budget).count();
        (0..times).fold(Law::from([(Vec::new(), Rational::one())]), |seen, _| then(&seen, |_| law(&mechanism, secret)))
    };
    for [a, b] in [[0, 1], [1, 2]] {
        assert!(loss(&all(a), &all(b)).unwrap() <= budget);
    }
}

/// A channel of three inputs and three outputs in eighths without a zero, and two profiles in quarters.
fn small() -> impl Strategy<Value = (Vec<Vec<u64>>, [Vec<u32>; 2])> {
    let row = (1u64..6, 1u64..6).prop_filter_map("eighths", |(a, b)| (a + b < 8).then(|| vec![a, b, 8 - a - b]));
    let profile = (0u32..5, 0u32..5).prop_filter_map("quarters", |(a, b)| (a + b <= 4).then(|| vec![a, b, 4 - a - b]));
    (prop::collection::vec(row, 3), [profile.clone(), profile])
}

/// The mechanism with the least ε at which it is private, or `None` where the output laws are equal.
fn tight((rows, profiles): &(Vec<Vec<u64>>, [Vec<u32>; 2])) -> Option<Mechanism> {
    let rows: Vec<&[u64]> = rows.iter().map(Vec::as_slice).collect();
    let law_of = |quarters: &Vec<u32>| {
        Distribution::new(&quarters.iter().map(|&q| Rational::new(q.into(), 4.into())).collect::<Vec<_>>()).unwrap()
    };
    let laws: Vec<Distribution> = profiles.iter().map(law_of).collect();
    let names = people(&["ana", "bo"]);
    let build = |graph| Mechanism::shared(categories(3), categories(3), graph, laws.clone(), channel(&rows)).unwrap();
    let unproved = build(alike(&names, "1"));
    let lost = loss(&law(&unproved, 0), &law(&unproved, 1)).unwrap();
    (!lost.is_zero()).then(|| proved(build(alike(&names, &lost.to_string()))))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_channels_stay_within_the_sum(one in small(), other in small()) {
        let (Some(one), Some(other)) = (tight(&one), tight(&other)) else { return Ok(()) };
        let found = composed(&[&one, &other], &[(0, "x", "1"), (1, "x", "2"), (0, "x", "3")]);
        let joint = |secret| then(&then(&law(&one, secret), |_| law(&other, secret)), |_| law(&one, secret));
        prop_assert!(loss(&joint(0), &joint(1)).unwrap() <= found[0].worst.epsilon);
        // Along every way through a menu too, and the dearest way bounds all of them.
        let menu = [&one, &other];
        let path = |secret| then(&law(&one, secret), |before| law(menu[usize::from(before[0] == 0)], secret));
        let dearest = [0, 1].map(|next| composed(&menu, &[(0, "x", "1"), (next, "x", "2")])[0].worst.epsilon.clone());
        let [same, different] = dearest;
        prop_assert!(loss(&path(0), &path(1)).unwrap() <= same.max(different));
    }
}

// Two values of one subject may move along different pairs, so pair by pair is not enough where values are the secrets.
#[test]
fn values_of_two_releases_may_be_told_by_different_pairs() {
    // The first tells 0 and 1 apart and not 1 and 2, the second the other way round.
    let graph = |first: &str, second: &str| {
        let mut builder = SecretGraph::builder(categories(3).names().clone());
        builder.edge(0, 1, first.parse().unwrap()).unwrap();
        builder.edge(1, 2, second.parse().unwrap()).unwrap();
        builder.build().unwrap()
    };
    let point = |graph: SecretGraph, rows: &[&[u64]]| {
        proved(Mechanism::point(categories(3), categories(2), graph, channel(rows)).unwrap())
    };
    let one = point(graph("ln(3)", "ln(5/4)"), &[&[6, 2], &[2, 6], &[2, 6]]);
    let other = point(graph("ln(5/4)", "ln(3)"), &[&[6, 2], &[6, 2], &[2, 6]]);
    let both = |first, second| then(&law(&one, first), |_| law(&other, second));
    let found = composed(&[&one, &other], &[(0, "x", "monday"), (1, "x", "tuesday")]);
    assert_eq!(loss(&both(0, 1), &both(1, 2)), Some(sum("2*ln(3)")), "above what any one pair loses");
    assert_eq!((&found[0].worst.epsilon, &found[0].worst.pair), (&sum("2*ln(3)"), &None));
    // A profile is the same in both releases, so there the pairs stay apart.
    let laws = |graph: SecretGraph| Guarantee::new(Secrets::Laws, lookalike::account::Pairs::Graph(graph)).unwrap();
    let mut account = Account::default();
    account.admit(laws(one.graph().clone())).unwrap();
    account.admit(laws(other.graph().clone())).unwrap();
    assert_eq!(account.worst(&[1, 1]).epsilon, sum("ln(3) + ln(5/4)"));
}
