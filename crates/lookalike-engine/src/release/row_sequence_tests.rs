use super::*;
use lookalike::sample::{RandomKey, RowOrder};

/// The numbers below `count` in a random order.
fn permutation(seed: u64, count: u32) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..count).collect();
    RowOrder::new(&RandomKey::from_seed(seed)).permute(0, &mut numbers);
    numbers
}

/// Codes with these counts in a random order.
fn shuffled(counts: &[usize], seed: u64) -> Vec<u32> {
    let codes: Vec<u32> = (0..).zip(counts).flat_map(|(code, &count)| vec![code; count]).collect();
    let order = permutation(seed, codes.len() as u32);
    order.iter().map(|&place| codes[place as usize]).collect()
}

/// Every order of these codes, equal ones told apart, so that each is equally likely.
fn orders(codes: &[u32]) -> Vec<Vec<u32>> {
    if codes.is_empty() {
        return vec![vec![]];
    }
    let with = |first: usize| {
        let mut rest = codes.to_vec();
        let code = rest.remove(first);
        orders(&rest).into_iter().map(move |mut order| {
            order.insert(0, code);
            order
        })
    };
    (0..codes.len()).flat_map(with).collect()
}

#[test]
fn the_evidence_of_bets_has_a_mean_of_at_most_one_over_all_orders() {
    for codes in [&[0, 0, 0, 0, 1, 1, 1][..], &[0, 1, 2, 3, 4, 5, 6], &[0, 0, 1, 1, 2, 2, 3], &[0, 0, 0, 0, 0, 0, 1]] {
        let orders = orders(codes);
        for kind in 0..3 {
            let total: f64 = orders.iter().map(|order| Ranks::of(order).bets()[kind].evidence().exp()).sum();
            let mean = total / orders.len() as f64;
            // The largest of eight numbers whose mean is 1 each, divided by eight.
            assert!((0.12..=1.0).contains(&mean), "{codes:?}, {kind}: {mean}");
        }
    }
}

#[test]
fn a_trend_is_as_rare_as_its_bound_says_over_all_orders() {
    for codes in [&[0, 0, 0, 0, 1, 1, 1][..], &[0, 1, 2, 3, 4, 5, 6], &[0, 0, 1, 1, 2, 2, 3]] {
        let trends: Vec<f64> = orders(codes).iter().map(|order| Ranks::of(order).trend()).collect();
        for limit in [0.1, 0.3, 0.5, 0.7, 1.0, 1.5] {
            let share = trends.iter().filter(|&&trend| trend >= limit).count() as f64 / trends.len() as f64;
            assert!(share <= 2.0 * (-limit).exp(), "{codes:?} at {limit}: {share}");
        }
        assert!(trends.iter().any(|&trend| trend > 0.25), "sorted orders have a trend");
    }
}

#[test]
fn random_orders_are_not_warned_of() {
    // 6,000 orders at 8 tests of 3.2e-8 each: an alarm in one of 650 such tests at most. The seeds are fixed.
    let shapes: [&[usize]; 6] = [&[300, 300, 300], &[40, 5], &[2; 200], &[1; 400], &[500, 20, 1, 1], &[7; 90]];
    for shape in shapes {
        for seed in 0..1000 {
            assert_eq!(order_of(&shuffled(shape, seed)), None, "{} codes, seed {seed}", shape.len());
        }
    }
    assert_eq!(order_of(&shuffled(&[8192; 4], 1)), None);
}

#[test]
fn orders_by_value_are_seen() {
    let sorted =
        |counts: &[usize]| -> Vec<u32> { (0..).zip(counts).flat_map(|(code, &count)| vec![code; count]).collect() };
    assert_eq!(order_of(&sorted(&[300, 300, 300])), Some(Order::Sorted));
    assert_eq!(order_of(&sorted(&[15, 15])), Some(Order::Sorted), "two of 155 million orders");
    assert_eq!(order_of(&sorted(&[10, 10])), None, "two of 184,756 orders are no proof");
    assert_eq!(order_of(&(0..12).rev().collect::<Vec<_>>()), Some(Order::Sorted), "numbers that fall");
    let grouped = [vec![2; 100], vec![0; 100], vec![1; 100]].concat();
    assert_eq!(order_of(&grouped), Some(Order::Sorted));
}

#[test]
fn runs_that_come_back_are_seen() {
    // Twenty rows of each in turn.
    let runs: Vec<u32> = (0..900).map(|row| row / 20 % 3).collect();
    assert_eq!(order_of(&runs), Some(Order::Runs));
    // A number that wanders: no two rows are equal, and neighbours are near.
    let steps = shuffled(&[2000, 2000], 1);
    let mut at = 1 << 20;
    let mut step = |(row, up): (u32, u32)| {
        at = if up == 1 { at + 5000 } else { at - 5000 };
        at + row
    };
    let walk: Vec<u32> = (0..).zip(steps).map(&mut step).collect();
    assert_eq!(order_of(&walk), Some(Order::Runs));
}

#[test]
fn a_share_that_grows_is_a_trend() {
    // The chance of a one grows from nothing to all along the rows, and neighbours are drawn apart.
    let grown = |rows: u32| -> Vec<u32> {
        let draws = permutation(3, rows);
        (0..rows).map(|row| u32::from(draws[row as usize] < row)).collect()
    };
    assert!(Ranks::of(&grown(2500)).has_trend());
    // Neighbours that differ as often as by chance: the larger half of the numbers stands a little later.
    let numbers: Vec<u32> =
        (0..).zip(shuffled(&[1; 20_000], 4)).map(|(row, number): (u32, u32)| 3 * number + row).collect();
    assert!(Ranks::of(&numbers).has_trend() && order_of(&numbers).is_some());
    assert_eq!(order_of(&numbers[..300]), None, "too few to tell");
}

#[test]
fn turns_are_seen_also_where_a_code_comes_twice_in_a_turn() {
    for turn in [&[0, 1][..], &[0, 1, 2], &[0, 0, 1, 0, 2], &[3, 0, 0, 0, 1, 2, 1]] {
        let codes: Vec<u32> = turn.iter().copied().cycle().take(600).collect();
        assert_eq!(order_of(&codes), Some(Order::Periodic), "{turn:?}");
    }
    let long: Vec<u32> = shuffled(&[1; 5000], 1).into_iter().cycle().take(1 << 15).collect();
    assert_eq!(order_of(&long), Some(Order::Periodic), "5,000 profiles by turns");
    // Turns with a tenth of the rows out of their place.
    let draws = permutation(5, 2000);
    let noisy: Vec<u32> = (0..2000).map(|row| if draws[row as usize] < 200 { row * 7 % 5 } else { row % 5 }).collect();
    assert_eq!(order_of(&noisy), Some(Order::Periodic));
}

#[test]
fn one_code_or_none_has_no_order() {
    assert_eq!((order_of(&[]), order_of(&[4; 5000])), (None, None));
    assert!(is_grouped(&[1, 1, 0]) && !is_grouped(&[1, 0]) && !is_grouped(&[1, 0, 1]) && !is_grouped(&[1, 1]));
}

#[test]
fn logarithms_of_factorials_meet_where_the_series_begins() {
    let sum = |n: usize| (2..=n).map(|factor| (factor as f64).ln()).sum::<f64>();
    assert!((ln_factorial(64) - sum(64)).abs() < 1e-7 && (ln_factorial(1000) - sum(1000)).abs() < 1e-7);
}
