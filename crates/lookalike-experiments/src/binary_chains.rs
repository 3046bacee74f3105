//! Synthetic binary chains: the error of the mean of the states over the bounds of the transition probabilities.

use crate::experiment::{Chart, Finding, Outcome};
use crate::proved::float;
use crate::table::{Cell, Table};
use lookalike::exact::{Epsilon, Rational, parse_rational};
use lookalike::pufferfish::{
    BinaryBox, ExactOptions, Initial, approximate_of_box, contract, exact_of_box, gk16, group_scale,
};
use lookalike_formats::Result;
use lookalike_report::plot::{Axis, LineChart, Series, Style};

const LENGTH: u64 = 100;
/// The ε of the paper; the first is that of the first picture and of the reference values.
const EPSILONS: [&str; 3] = ["1", "0.2", "5"];
/// Transition probabilities lie between such an a and 1 − a.
const BOUNDS: [&str; 7] = ["0.1", "0.15", "0.2", "0.25", "0.3", "0.35", "0.4"];
/// At ε = 1: a, the error of the exact search, and that of the approximate one.
const REFERENCE: [(&str, f64, f64); 4] =
    [("0.1", 0.3363, 0.6864), ("0.2", 0.1422, 0.2963), ("0.3", 0.0722, 0.1772), ("0.4", 0.0395, 0.1211)];
const NAMES: [&str; 5] = ["exact", "approximate", "group_dp", "gk16", "contraction"];
const LABELS: [&str; 5] = ["exact quilts", "approximate quilts", "group DP", "GK16", "contraction"];

/// The error of each mechanism at one ε and one a, in the order of [`NAMES`]; none where it does not apply.
struct Point {
    epsilon: &'static str,
    bound: &'static str,
    errors: [Option<Rational>; NAMES.len()],
}

impl Point {
    fn at(epsilon: &'static str, bound: &'static str) -> Result<Point> {
        let low = parse_rational(bound)?;
        let ends = [low.clone(), Rational::from_integer(1.into()) - low];
        let chains = BinaryBox::new(Initial::Arbitrary, ends.clone(), ends)?;
        let budget: Epsilon = epsilon.parse()?;
        let corners = chains.corners();
        let by_matrix = match gk16(&corners, &budget) {
            Err(error) if error.is_inapplicable() => None,
            found => Some(found?.scale),
        };
        let scales = [
            Some(exact_of_box(&chains, LENGTH, &budget, &ExactOptions::default())?.calibration.scale),
            Some(approximate_of_box(&chains, LENGTH, &budget)?.scale),
            Some(group_scale(LENGTH, &budget)?),
            by_matrix,
            Some(contract(&corners, LENGTH, &budget)?.scale),
        ];
        // One state moves the mean by 1/T, and the mean of |Lap(1)| is 1.
        let errors = scales.map(|scale| Some(scale? / Rational::from_integer(LENGTH.into())));
        Ok(Point { epsilon, bound, errors })
    }

    fn error(&self, mechanism: usize) -> Option<f64> {
        self.errors[mechanism].as_ref().map(float)
    }
}

/// For three ε and a range of a: how far the released mean is from the true one.
pub(crate) fn run() -> Result<Outcome> {
    let points = EPSILONS.into_iter().flat_map(|epsilon| BOUNDS.map(|bound| Point::at(epsilon, bound)));
    let points = points.collect::<Result<Vec<_>>>()?;
    let better = points.iter().filter(|point| point.errors[4] < point.errors[0]).count();
    Ok(Outcome {
        caption: format!(
            "Chains of {LENGTH} nodes with two states, of which only is known that the probability of each change lies between \
             a and 1 − a: all such chains, from any start. The mean of the states is released, and the state of each node is \
             the secret. Shown is the expected distance from the true mean, σ/{LENGTH}: for the best quilts, for the \
             approximate bound of them, for group DP, and for GK16, the bound by the influence matrix, which applies to weak \
             correlations only. To the left of each picture states are more strongly correlated. Contraction is no part of \
             the paper: it follows how much of a change one step passes on."
        ),
        table: table(&points),
        highlights: highlights(&points),
        charts: EPSILONS.iter().map(|epsilon| chart(&points, epsilon)).collect(),
        findings: findings(&points),
        open: vec![
            "The paper shows errors of data that it draws. Shown is the expected error, which is the same for all chains of a \
             range: the noise is that of the worst of them."
                .into(),
            format!(
                "Quilts are not the last word: contraction errs less than the best of them at {better} of {} pairs of ε and a.",
                points.len()
            ),
        ],
    })
}

fn cell(error: &Option<Rational>) -> Cell {
    error.as_ref().map_or_else(|| Cell::from("-"), Cell::from)
}

fn table(points: &[Point]) -> Table {
    let mut table = Table::new(["epsilon", "a"].into_iter().chain(NAMES));
    for point in points {
        table.row([point.epsilon, point.bound].map(Cell::from).into_iter().chain(point.errors.iter().map(cell)));
    }
    table
}

fn highlights(points: &[Point]) -> Table {
    let mut table = Table::new(["error at ε = 1, a", "exact", "approximate", "group DP", "GK16", "contraction"]);
    for point in points.iter().filter(|point| point.epsilon == EPSILONS[0]) {
        table.row([Cell::from(point.bound)].into_iter().chain(point.errors.iter().map(cell)));
    }
    table
}

fn chart(points: &[Point], epsilon: &str) -> Chart {
    let styles = [Style::Ours, Style::Plain(0), Style::Baseline, Style::Plain(2), Style::Plain(3)];
    let here = || points.iter().filter(|point| point.epsilon == epsilon);
    let line = |(mechanism, style): (usize, Style)| Series {
        name: LABELS[mechanism].into(),
        points: here().filter_map(|point| Some((point.bound.parse().ok()?, point.error(mechanism)?))).collect(),
        style,
    };
    let chart = LineChart {
        title: format!("Error of the mean of {LENGTH} states, ε = {epsilon}"),
        x: Axis::new("a: changes have probabilities between a and 1 − a").from_to(0.1, 0.42),
        y: Axis::new("expected error").logarithmic(),
        series: styles.into_iter().enumerate().map(line).collect(),
        marks: Vec::new(),
    };
    let suffix = if epsilon == EPSILONS[0] { String::new() } else { format!("epsilon-{}", epsilon.replace('.', "-")) };
    Chart { suffix, chart: chart.into() }
}

fn findings(points: &[Point]) -> Vec<Finding> {
    let all = points.len();
    let error = |point: &Point, name: &str| {
        let at = NAMES.iter().position(|known| *known == name).expect("a constant");
        point.errors[at].clone()
    };
    let count = |holds: &dyn Fn(&Point) -> bool| points.iter().filter(|point| holds(point)).count();
    let at_most = |a: &'static str, b: &'static str| move |point: &Point| error(point, a) <= error(point, b);
    let ordered = count(&|point| at_most("exact", "approximate")(point) && at_most("approximate", "group_dp")(point));
    let applies = count(&|point| error(point, "gk16").is_some());
    let beaten = count(&|point| error(point, "gk16").is_some() && at_most("exact", "gk16")(point));
    let least = points.iter().filter(|point| error(point, "gk16").is_some()).map(|point| point.bound).min();
    let agreeing = REFERENCE.into_iter().filter(|(bound, exact, approximate)| {
        let here = points.iter().find(|point| point.epsilon == EPSILONS[0] && point.bound == *bound);
        let near = |at: usize, wanted: &f64| {
            here.and_then(|point| point.error(at)).is_some_and(|found| (found - wanted).abs() < 6e-5)
        };
        near(0, exact) && near(1, approximate)
    });
    vec![
        Finding {
            statement:
                "The errors at ε = 1 are the reference values: exact .3363, .1422, .0722 and .0395 for a = .1, .2, .3 \
                        and .4, approximate .6864, .2963, .1772 and .1211, group DP 1."
                    .into(),
            holds: agreeing.count() == REFERENCE.len(),
            evidence: "to four decimals".into(),
        },
        Finding {
            statement: "The exact search errs no more than the approximate bound, and that no more than group DP."
                .into(),
            holds: ordered == all,
            evidence: format!("{ordered} of {all} pairs of ε and a"),
        },
        Finding {
            statement: "GK16 does not apply where correlations are strong.".into(),
            holds: applies < all,
            evidence: format!(
                "it applies to {applies} of {all} pairs, from a = {} on; there the exact search errs no more in {beaten}",
                least.unwrap_or("none")
            ),
        },
    ]
}
