//! The trade-off between privacy and utility: the same problem at many ε.

use super::{Design, Objective, Options, Problem, design, randomized_response};
use crate::exact::{Epsilon, parse_rational};
use crate::{Error, Result};
use std::str::FromStr;

/// One row of the trade-off.
#[derive(Debug, Clone)]
pub struct SweepPoint {
    /// The largest budget of any pair.
    pub epsilon: Epsilon,
    /// The design at this ε; it is a proposal, to be certified like any other.
    pub design: Design,
    /// The value of the objective under k-ary randomized response: what local DP costs.
    pub baseline: f64,
    /// Pr[output ≠ input] of the design, averaged over the secrets by the prior.
    pub expected_error: f64,
}

/// Designs the problem at each ε in turn, as [`Problem::with_epsilon`] says, one when it is asked for.
///
/// # Errors
/// Those of [`design`]; a point that the watch stopped is an error, and so are those after it.
pub fn sweep<'a>(
    problem: &'a Problem,
    grid: &'a Grid,
    options: &'a Options<'a>,
) -> impl Iterator<Item = Result<SweepPoint>> + 'a {
    let quiet = Options { watch: options.watch.silent(), ..*options };
    (0u64..).zip(&grid.0).map(move |(done, epsilon)| {
        options.watch.step("designing at each epsilon", done, Some(grid.0.len() as u64))?;
        let problem = problem.clone().with_epsilon(epsilon)?;
        let design = design(&problem, &quiet)?;
        let baseline = randomized_response(&problem)?.objective.value;
        let expected_error = Objective::ExpectedError.value(&problem, &design.mechanism);
        Ok(SweepPoint { epsilon: epsilon.clone(), design, baseline, expected_error })
    })
}

/// The ε of a sweep, ascending: `0.05..3`, `0.05..3:12` for so many points, or a list such as `0.1,0.5,ln(3)`.
///
/// Points between two ends are spaced geometrically and rounded to few decimals; the ends are exact.
///
/// # Example
/// ```
/// use lookalike::design::Grid;
/// let shown = |text: &str| text.parse::<Grid>().map(|grid| grid.epsilons().iter().map(|e| e.to_f64()).collect());
/// assert_eq!(shown("0.1..10:3"), Ok(vec![0.1, 1.0, 10.0]));
/// assert_eq!(shown("1,0.5"), Ok(vec![0.5, 1.0]));
/// assert!(shown("3..0.1").is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid(Vec<Epsilon>);

/// Points of a range that does not say how many.
const POINTS: usize = 10;
const MOST_POINTS: usize = 1_000;
/// Significant decimals of a point between the ends; more where points would coincide.
const DECIMALS: usize = 3;

impl Grid {
    /// The ε, ascending, each once.
    pub fn epsilons(&self) -> &[Epsilon] {
        &self.0
    }

    fn between(first: Epsilon, last: Epsilon, points: usize) -> Result<Self> {
        if first >= last {
            return Err(Error::input(format!("{first}..{last}, expected the smaller epsilon first")));
        }
        if !(2..=MOST_POINTS).contains(&points) {
            return Err(Error::input(format!("{points} points, expected 2 to {MOST_POINTS}")));
        }
        let (low, ratio) = (first.to_f64(), last.to_f64() / first.to_f64());
        let inner = |decimals: usize, at: usize| {
            let exponent = at as f64 / (points - 1) as f64;
            Epsilon::rational(parse_rational(&format!("{:.decimals$e}", low * ratio.powf(exponent)))?)
        };
        for decimals in DECIMALS - 1..17 {
            let mut grid = vec![first.clone()];
            grid.extend((1..points - 1).map(|at| inner(decimals, at)).collect::<Result<Vec<_>>>()?);
            grid.push(last.clone());
            if grid.windows(2).all(|pair| pair[0] < pair[1]) {
                return Ok(Grid(grid));
            }
        }
        Err(Error::input(format!("{first}..{last} is too narrow for {points} points")))
    }
}

impl FromStr for Grid {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let Some((first, rest)) = text.split_once("..") else {
            let mut list = text.split(',').map(str::parse).collect::<Result<Vec<Epsilon>>>()?;
            list.sort();
            list.dedup();
            return if list.len() > MOST_POINTS {
                Err(Error::input(format!("{} points, expected at most {MOST_POINTS}", list.len())))
            } else {
                Ok(Grid(list))
            };
        };
        let (last, points) = match rest.split_once(':') {
            None => (rest, POINTS),
            Some((last, points)) => {
                let wrong = || Error::input(format!("{points:?} points, expected a whole number such as 0.05..3:12"));
                (last, points.trim().parse().map_err(|_| wrong())?)
            }
        };
        Grid::between(first.parse()?, last.parse()?, points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certify::certify;
    use crate::design::{MechanismName, Watch};
    use crate::model::{Categories, SecretGraph};
    use std::sync::atomic::{AtomicU64, Ordering};

    fn texts(text: &str) -> Vec<String> {
        text.parse::<Grid>().unwrap().epsilons().iter().map(ToString::to_string).collect()
    }

    fn warner() -> Problem {
        let bits = Categories::new(["no", "yes"]).unwrap();
        let mut builder = SecretGraph::builder(bits.names().clone());
        builder.complete(&"1".parse().unwrap());
        Problem::values(bits, builder.build().unwrap()).unwrap()
    }

    #[test]
    fn grids_have_exact_ends_and_short_points_between() {
        assert_eq!(texts("0.1..10:3"), ["1/10", "1", "10"]);
        assert_eq!(texts("0.05..ln(3):4"), ["1/20", "7/50", "49/125", "ln(3)"]);
        assert_eq!(texts("0.05..3").len(), 10);
        assert_eq!(texts("ln(3), 0.5,1/2"), ["1/2", "ln(3)"]);
        // Three decimals would coincide here.
        let narrow = texts("1..1.001:5");
        assert_eq!((narrow.len(), narrow[2].as_str()), (5, "2001/2000"));
    }

    #[test]
    fn grids_that_make_no_sense_are_refused() {
        let refused = |text: &str| text.parse::<Grid>().unwrap_err().to_string();
        assert_eq!(refused("3..0.05"), "3..1/20, expected the smaller epsilon first");
        assert_eq!(refused("1..2:1"), "1 points, expected 2 to 1000");
        assert!(refused("1..2:many").contains("expected a whole number"));
        assert!(refused("1..two").contains("\"two\" is not understood"));
        assert!(refused("0..1").contains("expected a number above 0"));
        assert!(refused("").contains("is not understood"));
    }

    #[test]
    fn a_sweep_of_warner_is_the_closed_form_and_certifies() {
        let (problem, grid) = (warner(), "0.1,ln(3),5".parse().unwrap());
        let points: Vec<SweepPoint> = sweep(&problem, &grid, &Options::default()).map(Result::unwrap).collect();
        assert_eq!(points.len(), 3);
        for point in points {
            let expected = 1.0 / (1.0 + point.epsilon.to_f64().exp());
            assert_eq!(point.design.name, MechanismName::RandomizedResponse);
            assert!((point.design.objective.value - expected).abs() < 1e-15);
            assert!((point.expected_error - expected).abs() < 1e-15 && (point.baseline - expected).abs() < 1e-15);
            assert!(certify(point.design.mechanism).is_ok());
        }
    }

    #[test]
    fn a_stopped_sweep_ends_with_what_it_had() {
        let (problem, grid, asked) = (warner(), "0.1..1:6".parse().unwrap(), AtomicU64::new(0));
        let stop = || asked.fetch_add(1, Ordering::Relaxed) > 3;
        let options = Options { watch: Watch::default().stop_when(&stop), ..Options::default() };
        let done: Vec<bool> = sweep(&problem, &grid, &options).map(|point| point.is_ok()).collect();
        assert_eq!(done, [true, true, false, false, false, false]);
    }
}
