//! Tests of the rule from counts to limits: its coverage by enumerating all counts, and that it is not needlessly wide.

use super::*;
use crate::exact::Natural;
use proptest::prelude::*;

fn number(text: &str) -> Rational {
    parse_rational(text).unwrap()
}

fn basis(confidence: &str, holds_for: HoldsFor) -> LimitsBasis {
    LimitsBasis::new(number(confidence), holds_for).unwrap()
}

/// All counts of so many records over so many categories.
fn counts_of(records: u64, categories: usize) -> Vec<Vec<u64>> {
    match categories {
        0 => Vec::new(),
        1 => vec![vec![records]],
        _ => (0..=records)
            .flat_map(|first| {
                counts_of(records - first, categories - 1).into_iter().map(move |rest| [&[first], &rest[..]].concat())
            })
            .collect(),
    }
}

/// The probability of counts of independent records, as products of binomials.
fn probability(counts: &[u64], law: &[f64]) -> f64 {
    let (mut left, mut product) = (0, 1.0);
    for (&count, p) in counts.iter().zip(law) {
        for i in 1..=count {
            left += 1;
            product *= left as f64 / i as f64 * p;
        }
    }
    product
}

fn is_within(law: &[f64], limits: &[[f64; 2]]) -> bool {
    law.iter().zip(limits).all(|(p, [lower, upper])| (lower..=upper).contains(&p))
}

/// The regions of all counts of one profile among so many.
struct Regions(Vec<(Vec<u64>, Vec<[f64; 2]>)>);

impl Regions {
    fn of(basis: &LimitsBasis, profiles: usize, records: u64, categories: usize) -> Self {
        let region = |counts: Vec<u64>| {
            let all = vec![&counts[..]; profiles];
            let limits = basis.limits(&all).swap_remove(0);
            (counts, limits)
        };
        Regions(counts_of(records, categories).into_iter().map(region).collect())
    }

    /// How often the region of the counts misses a law.
    fn miss(&self, law: &[f64]) -> f64 {
        self.0.iter().filter(|(_, limits)| !is_within(law, limits)).map(|(counts, _)| probability(counts, law)).sum()
    }

    /// The laws at which it misses most often: next to a limit, where one more count fails; and a grid of laws.
    fn laws(&self, records: u64) -> Vec<Vec<f64>> {
        let categories = self.0[0].0.len();
        let grid = counts_of(2 * records, categories);
        let mut laws: Vec<Vec<f64>> =
            grid.iter().map(|counts| counts.iter().map(|&n| n as f64 / (2 * records) as f64).collect()).collect();
        for end in self.0.iter().flat_map(|(_, limits)| limits[0]) {
            for p in [end * (1.0 - 1e-9), end * (1.0 + 1e-9)].into_iter().filter(|p| (0.0..=1.0).contains(p)) {
                let others = (categories - 1).max(1) as f64;
                laws.push((0..categories).map(|x| if x == 0 { p } else { (1.0 - p) / others }).collect());
                laws.push((0..categories).map(|x| [p, 1.0 - p, 0.0][x.min(2)]).collect());
            }
        }
        laws.retain(|law| (law.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        laws
    }

    fn most_missed(&self, records: u64) -> f64 {
        self.laws(records).iter().map(|law| self.miss(law)).fold(0.0, f64::max)
    }
}

/// Floats of sums of probabilities err by less.
const SLACK: f64 = 1e-12;

#[test]
fn the_region_of_a_profile_is_missed_at_most_as_often_as_its_share_of_the_error() {
    for (records, categories) in [(1, 2), (2, 2), (9, 2), (30, 2), (4, 3), (9, 3), (12, 3), (6, 4)] {
        for (confidence, holds_for, profiles) in
            [("0.95", HoldsFor::EachPair, 7), ("0.5", HoldsFor::EachPair, 2), ("0.8", HoldsFor::AllPairs, 3)]
        {
            let basis = basis(confidence, holds_for);
            let share = to_f64(&basis.error_of_profile(profiles), Direction::Nearest);
            let missed = Regions::of(&basis, profiles, records, categories).most_missed(records);
            assert!(
                missed <= share + SLACK,
                "{records} records, {categories} categories, {basis}: {missed} of {share}"
            );
        }
    }
}

/// Where limits of one category alone decide, each of 2d has a share of 1/(2d): with 2d times the error some law is missed too often.
#[test]
fn no_region_is_wider_than_what_the_sum_over_its_limits_costs() {
    for (records, categories) in [(9, 2), (30, 2), (12, 3), (6, 4)] {
        let sides = if categories == 2 { 2 } else { 2 * categories as i64 };
        let wasteful = Rational::new(1.into(), (20 * sides).into());
        // γ = β/2, and here 2d·γ' with γ' = 1.1·γ/(2d) on each side.
        let narrower = LimitsBasis::new(
            Rational::one() - &wasteful * Rational::new((11 * sides).into(), 10.into()),
            HoldsFor::EachPair,
        )
        .unwrap();
        let share = to_f64(&wasteful, Direction::Nearest) / 2.0;
        let missed = Regions::of(&narrower, 2, records, categories).most_missed(records);
        assert!(missed > share, "{records} records, {categories} categories: {missed} of {share}");
    }
}

/// Two profiles with records of their own: all pairs of counts, at the laws that each region misses most.
#[test]
fn both_profiles_of_a_pair_are_within_their_limits_with_the_stated_confidence() {
    for (records, categories, confidence) in [([5, 8], 2, "0.9"), ([3, 5], 3, "0.8"), ([12, 7], 2, "0.95")] {
        let basis = basis(confidence, HoldsFor::EachPair);
        let regions = records.map(|records| Regions::of(&basis, 9, records, categories));
        let [worst, other] = [0, 1].map(|at| {
            let mut laws = regions[at].laws(records[at]);
            laws.sort_by(|a, b| regions[at].miss(b).total_cmp(&regions[at].miss(a)));
            laws.truncate(5);
            laws
        });
        for (law, other_law) in worst.iter().flat_map(|law| other.iter().map(move |other| (law, other))) {
            let mut covered = 0.0;
            for (counts, limits) in &regions[0].0 {
                for (other_counts, other_limits) in &regions[1].0 {
                    if is_within(law, limits) && is_within(other_law, other_limits) {
                        covered += probability(counts, law) * probability(other_counts, other_law);
                    }
                }
            }
            let stated = to_f64(basis.confidence(), Direction::Nearest);
            assert!(covered >= stated - SLACK, "{covered} of {stated}");
            // Not trivially: limits that hold always would say nothing.
            assert!(covered < 1.0, "{law:?} and {other_law:?} are always covered");
        }
    }
}

#[test]
fn all_pairs_cost_more_than_each_pair_from_three_profiles_on() {
    let (each, all) = (basis("0.95", HoldsFor::EachPair), basis("0.95", HoldsFor::AllPairs));
    assert_eq!([2, 3, 50].map(|k| each.error_of_profile(k)), [number("1/40"), number("1/40"), number("1/40")]);
    assert_eq!([2, 3, 50].map(|k| all.error_of_profile(k)), [number("1/40"), number("1/60"), number("1/1000")]);
    let counts: [&[u64]; 3] = [&[3, 4, 5], &[0, 9, 1], &[20, 20, 20]];
    for (each, all) in each.limits(&counts).iter().flatten().zip(all.limits(&counts).iter().flatten()) {
        assert!(all[0] <= each[0] && each[1] <= all[1] && all != each, "{each:?} within {all:?}");
    }
    assert_eq!(each.limits(&counts[..2]), all.limits(&counts[..2]), "of two profiles there is one pair");
}

#[test]
fn the_limits_of_one_of_two_categories_are_those_of_the_other() {
    let [no, yes] = basis("0.9", HoldsFor::EachPair).limits(&[[17, 44]]).swap_remove(0)[..] else { panic!() };
    assert!((no[0] - (1.0 - yes[1])).abs() < 1e-12 && (no[1] - (1.0 - yes[0])).abs() < 1e-12);
    // One sided at β/4, as a single probability at an error of β/2.
    assert_eq!(no, <[f64; 2]>::from(crate::estimate::clopper_pearson(17, 61, 0.05)));
}

#[test]
fn what_was_never_seen_is_possible_and_what_has_no_choice_is_certain() {
    let limits = basis("0.95", HoldsFor::EachPair).limits(&[[0, 7, 0], [0, 0, 0]]);
    assert!(limits[0][0][0] == 0.0 && limits[0][0][1] > 0.0 && limits[0][1][1] == 1.0 && limits[0][1][0] < 1.0);
    assert_eq!(limits[1], vec![[0.0, 1.0]; 3], "no records tell nothing");
    assert_eq!(basis("0.95", HoldsFor::EachPair).limits(&[[5]]), [[[1.0, 1.0]]]);
    let huge = basis("0.999999999", HoldsFor::AllPairs).limits(&[[3_000_000_000, 1, 0]; 4]);
    let [lower, upper] = huge[0][0];
    assert!(0.99999998 < lower && lower < 1.0 && upper <= 1.0 && huge[0][2][1] < 1e-8, "{huge:?}");
}

#[test]
fn a_confidence_is_between_0_and_1() {
    for wrong in ["0", "1", "-0.5", "95"] {
        let error = LimitsBasis::new(number(wrong), HoldsFor::AllPairs).unwrap_err().to_string();
        assert_eq!(error, format!("a confidence of {}, expected more than 0 and less than 1", number(wrong)));
    }
    assert_eq!(basis("0.999", HoldsFor::AllPairs).to_string(), "99.9 % for all pairs");
    assert_eq!(basis("2/3", HoldsFor::EachPair).to_string(), "66.666666666 % for each pair");
    assert_eq!("all pairs".parse::<HoldsFor>().unwrap(), HoldsFor::AllPairs);
    assert!("each".parse::<HoldsFor>().is_err());
}

fn weights() -> impl Strategy<Value = Vec<(u64, u64)>> {
    prop::collection::vec((0u64..50, 0u64..5), 1..6)
        .prop_filter("a record", |cells| cells.iter().any(|cell| cell.0 > 0))
}

proptest! {
    #[test]
    fn limits_on_a_grid_contain_what_they_are_made_of(cells in weights(), grid in 1u32..2000) {
        let counts: Vec<u64> = cells.iter().map(|cell| cell.0).collect();
        // Some laws are pushed out of their limits by what was added to the counts.
        let law = Distribution::from_weights(cells.iter().map(|(n, more)| Natural::from(n + 20 * more)).collect()).unwrap();
        let limits = basis("0.9", HoldsFor::EachPair).limits(&[&counts]).swap_remove(0);
        let on_grid = outward_on_grid(&limits, &law, grid).unwrap();
        prop_assert!(on_grid.contains(&law));
        let counted = Distribution::from_weights(counts.iter().map(|&n| Natural::from(n)).collect()).unwrap();
        prop_assert!(on_grid.contains(&counted));
        let exact: Vec<[Rational; 2]> =
            limits.iter().map(|ends| ends.map(|end| Rational::from_float(end).unwrap())).collect();
        let tight = Limits::new(&exact).unwrap();
        let step = Rational::new(1.into(), grid.into());
        for (x, ends) in exact.iter().enumerate() {
            let ([lower, upper], [least, most]) = (on_grid.ends(x), tight.ends(x));
            prop_assert!(lower <= least && most <= upper, "outward");
            prop_assert!((&lower / &step).is_integer() && (&upper / &step).is_integer(), "on the grid");
            prop_assert!(lower >= (&ends[0]).min(&law.probability(x)) - &step, "next to the limit");
        }
    }
}

#[test]
fn limits_on_a_grid_that_are_none_are_refused() {
    let law = Distribution::new(&[number("1/2"), number("1/2")]).unwrap();
    let refused = |limits: &[[f64; 2]], grid| outward_on_grid(limits, &law, grid).unwrap_err().to_string();
    assert_eq!(refused(&[[0.0, 1.0]; 2], 0), "a grid of 0, expected at least 1");
    assert_eq!(refused(&[[0.0, 1.0]], 8), "limits of 1 categories, expected 2");
    assert_eq!(refused(&[[0.0, f64::NAN]; 2], 8), "a limit that is no number");
    assert_eq!(outward_on_grid(&[[0.3, 0.4]; 2], &law, 1).unwrap().ends(0), [number("0"), number("1")]);
}
