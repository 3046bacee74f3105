//! The exponential mechanism over a finite set of outputs.

use super::rounding::in_proportion;
use super::{Repaired, repair};
use crate::exact::{Epsilon, Interval, Rational};
use crate::model::{Categories, Channel, Constraint, Mechanism, Movement, SecretGraph};
use crate::{Error, Result};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

/// Releases output y for input x with probability in proportion to `e^(ε·u(x, y)/(2Δ))`, where `scores[x][y] = u(x, y)`
/// says how good y is for x, Δ bounds `|u(x, y) − u(x', y)|` for neighbours and ε is the smallest of the graph.
///
/// Where the scores of neighbours move together ([`Movement::Together`]) it is `e^(ε·u(x, y)/Δ)`, half the noise: then the
/// sum of the weights moves the same way as each of them, and one of the two factors of e^(ε/2) is not needed. With
/// scores −|y − f(x)| the first form is noise of decay ε/(2Δ), twice as wide as noise on f itself.
///
/// Rows are rounded to whole weights out of 2^53, and repaired where that breaks the claim; a weight below 2^-74 of the
/// largest one in its row counts as none.
///
/// # Guarantee
/// The claim is that every edge of the graph is ε-alike at its own ε, which `lookalike::certify::certify` decides.
///
/// # Errors
/// A table of another size, Δ ≤ 0, neighbours whose scores differ by more than Δ, or do not move together though they
/// are said to.
///
/// # Complexity
/// Inputs × outputs exponentials.
///
/// # Example
/// Who is closest to a query point? Two people are each at a distance of 0, 1 or 2 from it. What is kept secret is the
/// distance of either of them; the score of a person is how near they are. Only the score of the one who moved changes,
/// so scores move together.
/// ```
/// use lookalike::{certify::certify, design::exponential, exact::Rational, model::{Categories, Movement, SecretGraph}};
/// let places: Vec<[i64; 2]> = (0..9).map(|x| [x / 3, x % 3]).collect();
/// let inputs = Categories::new(places.iter().map(|[ana, bo]| format!("ana {ana}, bo {bo}")))?;
/// let people = Categories::new(["ana", "bo"])?;
/// let mut builder = SecretGraph::builder(inputs.names().clone());
/// for (one, a) in places.iter().enumerate() {
///     for (other, b) in places.iter().enumerate().skip(one + 1) {
///         if a[0] == b[0] || a[1] == b[1] {
///             builder.edge(one as u32, other as u32, "2*ln(2)".parse()?)?;
///         }
///     }
/// }
/// let scores: Vec<Vec<Rational>> =
///     places.iter().map(|place| place.map(|distance| Rational::from_integer((-distance).into())).to_vec()).collect();
/// let two = Rational::from_integer(2.into());
/// let closest = exponential(inputs, people, builder.build()?, &scores, &two, Movement::Together)?;
/// let certified = certify(closest.mechanism)?;
/// // Ana at the point, Bo at distance 2: weights e^0 and e^(-2·ln 2), so Ana with 4/5.
/// let ana = certified.mechanism().channels()[0].probability(2, 0);
/// assert!((ana - Rational::new(4.into(), 5.into())) < Rational::new(1.into(), 1_000_000_000_000u64.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Reference
/// McSherry and Talwar, Mechanism Design via Differential Privacy (2007), Theorem 6; Dwork and Roth, The Algorithmic
/// Foundations of Differential Privacy (2014), section 3.4.
pub fn exponential(
    inputs: Categories,
    outputs: Categories,
    graph: SecretGraph,
    scores: &[Vec<Rational>],
    sensitivity: &Rational,
    movement: Movement,
) -> Result<Repaired> {
    check_size(scores, &inputs, &outputs)?;
    if !sensitivity.is_positive() {
        return Err(Error::input(format!("sensitivity = {sensitivity}, expected a number above 0")));
    }
    for constraint in graph.constraints() {
        check_scores(&constraint, scores, sensitivity, movement)
            .map_err(|(pair, error)| error.at(edge(&graph, pair)))?;
    }
    let smallest = graph.constraints().map(|constraint| constraint.epsilon).min().expect("a graph has an edge");
    let factor = if movement == Movement::Together { 1 } else { 2 };
    let unit = (sensitivity * BigInt::from(factor)).recip();
    let rows = scores.iter().map(|row| in_proportion(&weights(row, smallest, &unit))).collect();
    repair(Mechanism::point(inputs, outputs, graph, Channel::rows(rows)?)?)
}

/// Bits of a weight, which is at most 1; what `in_proportion` takes.
pub(crate) const WEIGHT_BITS: u64 = 74;

/// e^(ε·unit·(u − the largest u)) for each score of a row, in units of 2^-74 and rounded down.
fn weights(row: &[Rational], epsilon: &Epsilon, unit: &Rational) -> Vec<u128> {
    let best = row.iter().max().expect("outputs have a name");
    let weight = |score: &Rational| {
        let behind = (best - score) * unit;
        if behind.is_zero() {
            return 1 << WEIGHT_BITS;
        }
        // Beyond the largest ε there is no weight left.
        epsilon.scale(&behind).map_or(0, |behind| inverse_exp(&behind))
    };
    row.iter().map(weight).collect()
}

/// e^−x in units of 2^-74, rounded down: a weight that `in_proportion` takes.
pub(crate) fn inverse_exp(x: &Epsilon) -> u128 {
    let inverse = Interval::integer(1).divide(&x.exp(2 * WEIGHT_BITS), 2 * WEIGHT_BITS);
    let inverse = inverse.expect("an exponential is positive");
    inverse.lower().to_fixed(WEIGHT_BITS, false).to_u128().expect("a weight is below 1")
}

fn check_size(scores: &[Vec<Rational>], inputs: &Categories, outputs: &Categories) -> Result<()> {
    if scores.len() != inputs.len() {
        return Err(Error::input(format!("{} rows of scores for {} inputs", scores.len(), inputs.len())));
    }
    match scores.iter().position(|row| row.len() != outputs.len()) {
        None => Ok(()),
        Some(at) => Err(Error::input(format!(
            "input {:?} has {} scores, expected {}, one for each output",
            inputs.names().name(at as u32),
            scores[at].len(),
            outputs.len()
        ))),
    }
}

/// Whether every two inputs that must look alike have scores within Δ, and moving as they are said to.
fn check_scores(
    constraint: &Constraint<'_>,
    scores: &[Vec<Rational>],
    sensitivity: &Rational,
    movement: Movement,
) -> std::result::Result<(), ([u32; 2], Error)> {
    for (place, &one) in constraint.members.iter().enumerate() {
        for &other in &constraint.members[place + 1..] {
            let pairs = scores[one as usize].iter().zip(&scores[other as usize]);
            let (mut rises, mut falls) = (false, false);
            for (a, b) in pairs {
                let by = b - a;
                if by.abs() > *sensitivity {
                    let message =
                        format!("scores of one output differ by {}, expected at most {sensitivity}", by.abs());
                    return Err(([one, other], Error::input(message)));
                }
                rises |= by.is_positive();
                falls |= by.is_negative();
            }
            if movement == Movement::Together && rises && falls {
                let message = "some scores rise and others fall, expected all to move together (or any movement)";
                return Err(([one, other], Error::input(message)));
            }
        }
    }
    Ok(())
}

fn edge(graph: &SecretGraph, [one, other]: [u32; 2]) -> String {
    format!("edge ({:?}, {:?})", graph.names().name(one), graph.names().name(other))
}

#[cfg(test)]
#[path = "exponential_tests.rs"]
mod tests;
