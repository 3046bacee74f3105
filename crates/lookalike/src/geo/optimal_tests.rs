//! Tests of the optimal mechanism.

use super::*;
use crate::certify::certify;
use crate::exact::{Direction, parse_rational, to_f64};
use crate::geo::{GeoLoss, expected_loss, planar, remap, truncated};
use num_traits::Zero;
use proptest::prelude::*;

fn cells(columns: u32, rows: u32) -> Cells {
    Cells::new(columns, rows, parse_rational("1").unwrap()).unwrap()
}

fn solve(cells: &Cells, epsilon: &str, (prior, loss): (&Prior, &Loss), dilation: &str) -> Optimal {
    let (epsilon, dilation) = (epsilon.parse().unwrap(), parse_rational(dilation).unwrap());
    optimal(cells, &epsilon, (prior, loss), &dilation, &Watch::default()).unwrap()
}

#[test]
fn values_on_five_by_five_cells_are_those_of_another_solver() {
    let grid = cells(5, 5);
    let (prior, loss) = (Prior::uniform(25).unwrap(), GeoLoss::Euclidean.of(&grid).unwrap());
    for (dilation, edges, value) in [("1", 200, 1.22868), ("1.05", 120, 1.26576), ("1.5", 40, 1.38595)] {
        // As published: with the δ that was asked for on every edge.
        let delta = parse_rational(dilation).unwrap();
        let kept = spanner(&grid, &delta).unwrap();
        let epsilon = "1".parse().unwrap();
        let found = optimal_along(&grid, &epsilon, (&prior, &loss), (&kept, delta.clone()), &Watch::default()).unwrap();
        // With the dilation that the spanner has, it costs less.
        let better = solve(&grid, "1", (&prior, &loss), dilation);
        assert!(better.value < found.value || better.dilation == delta);
        assert!(better.dilation <= delta && certify(better.mechanism).is_ok());
        assert_eq!(found.edges, edges);
        assert!((found.value - value).abs() < 1e-5, "{dilation}: {}", found.value);
        assert!(found.value - found.lower_bound < 1e-9 && found.repair_cost < 1e-10);
        let certified = certify(found.mechanism).unwrap();
        assert_eq!(certified.certificate().pairs(), 300);
        let exact = expected_loss(certified.mechanism(), &prior, &loss).unwrap();
        assert!((to_f64(&exact, Direction::Nearest) - found.value).abs() < 1e-12);
    }
}

#[test]
fn a_step_and_an_epsilon_a_metre_scale_the_cost() {
    let (unit, metres) = (cells(3, 3), Cells::new(3, 3, parse_rational("200").unwrap()).unwrap());
    let prior = Prior::uniform(9).unwrap();
    let [small, large] = [&unit, &metres].map(|grid| GeoLoss::Euclidean.of(grid).unwrap());
    let (one, other) =
        (solve(&unit, "ln(4)", (&prior, &small), "1"), solve(&metres, "ln(4)/200", (&prior, &large), "1"));
    assert!((200.0 * one.value - other.value).abs() < 1e-9);
}

#[test]
fn programs_that_are_too_large_are_refused_with_the_way_out() {
    let message = |grid: &Cells, dilation: &str| {
        let (prior, loss) = (Prior::uniform(grid.len()).unwrap(), Loss::ZeroOne);
        let dilation = parse_rational(dilation).unwrap();
        optimal(grid, &"1".parse().unwrap(), (&prior, &loss), &dilation, &Watch::default()).unwrap_err().to_string()
    };
    assert!(message(&cells(21, 20), "2").starts_with("420 cells, expected at most 400"));
    assert!(message(&cells(20, 20), "1").contains("a larger dilation, for example 1.1"));
    assert!(message(&cells(2, 2), "0.9").contains("expected at least 1"));
}

#[test]
fn the_caller_may_stop_it() {
    let grid = cells(3, 3);
    let (prior, loss) = (Prior::uniform(9).unwrap(), GeoLoss::Squared.of(&grid).unwrap());
    let at_once = || true;
    let watch = Watch::default().stop_when(&at_once);
    let one = parse_rational("1").unwrap();
    assert!(optimal(&grid, &"1".parse().unwrap(), (&prior, &loss), &one, &watch).unwrap_err().is_stopped());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn costs_are_ordered_as_theory_says(
        columns in 1u32..4, rows in 2u32..4, tenths in 2i64..25, weights in prop::collection::vec(0i64..5, 9), which in 0usize..3,
    ) {
        let grid = cells(columns, rows);
        let weights: Vec<Rational> = weights[..grid.len()].iter().map(|&weight| Rational::from_integer(weight.into())).collect();
        prop_assume!(weights.iter().any(|weight| !weight.is_zero()));
        let prior = Prior::new(&weights).unwrap();
        let loss = [GeoLoss::Euclidean, GeoLoss::Squared, GeoLoss::Beyond(parse_rational("1").unwrap())][which].of(&grid).unwrap();
        let cost = |mechanism: &Mechanism| to_f64(&expected_loss(mechanism, &prior, &loss).unwrap(), Direction::Nearest);
        let (text, more) = (format!("{tenths}/10"), format!("{}/10", tenths + 5));
        let full = solve(&grid, &text, (&prior, &loss), "1");
        let spanned = solve(&grid, &text, (&prior, &loss), "1.4");
        let tighter = solve(&grid, &format!("{tenths}/14"), (&prior, &loss), "1");
        let looser = solve(&grid, &more, (&prior, &loss), "1");
        // Each mechanism against the proven bound of the one that should be no worse.
        prop_assert!(spanned.value >= full.lower_bound && full.value >= looser.lower_bound);
        prop_assert!(spanned.lower_bound <= tighter.value);
        prop_assert!(full.value - full.lower_bound < 1e-7, "{} {}", full.value, full.lower_bound);
        prop_assert!(full.value >= looser.value - 1e-7 && spanned.value <= tighter.value + 1e-7);
        for noise in [planar(&grid, &text.parse().unwrap()).unwrap().mechanism, truncated(&grid, &text.parse().unwrap()).unwrap().mechanism] {
            let remapped = remap(&noise, &prior, &loss).unwrap().mechanism;
            prop_assert!(cost(&remapped) >= full.lower_bound - 1e-15);
        }
        prop_assert!(certify(full.mechanism).is_ok() && certify(spanned.mechanism).is_ok());
    }
}
