//! All binary chains whose transition probabilities lie in a box: the noise that hides every node of each.

use super::binary_powers::BinaryPowers;
use super::branch_and_bound::{Cost, Objective};
use super::exact_search::{ExactOptions, check_length};
use super::influence::Side;
use super::nodes::{Nodes, Start};
use super::walk::{Walk, Worst};
use super::{BinaryBox, Calibration, Initial};
use crate::Result;
use crate::exact::{Epsilon, Rational};
use std::collections::BinaryHeap;

/// The scale for a box, and how much less it might have been.
#[derive(Debug, Clone)]
pub struct BoxCalibration {
    /// The scale that serves every chain of the box, with the node and the quilt of the part of the box that needs it;
    /// `chain` is 0.
    pub calibration: Calibration,
    /// Pr(0 → 1) and Pr(1 → 0) of a chain of the box that needs `at_least`.
    pub worst: [Rational; 2],
    /// A scale that this chain alone needs.
    pub at_least: Rational,
}

/// The search ends once what is known above lies within 2/this of what is known below.
const CLOSE: u64 = 200_000;
/// Then what is known above must do; it is as safe.
const MOST_PARTS: usize = 20_000;

/// The noise that hides every node of a chain of `length` nodes, whichever chain of the box the data came from.
///
/// The box is cut in parts. In each one the bounds of influences hold for all of its chains, and every part may have
/// quilts of its own, until the scale is known to within 1/100,000.
///
/// # Errors
/// A length outside 1 to 2^40; when the caller has asked to stop.
///
/// # Example
/// ```
/// use lookalike::{exact::parse_rational, pufferfish::{BinaryBox, ExactOptions, Initial, exact_of_box}};
/// let ends = ["0.4", "0.6"].map(|text| parse_rational(text).unwrap());
/// let chains = BinaryBox::new(Initial::Arbitrary, ends.clone(), ends)?;
/// let found = exact_of_box(&chains, 100, &"1".parse()?, &ExactOptions::default())?;
/// assert!(found.calibration.scale < parse_rational("3.95")?);
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn exact_of_box(
    limits: &BinaryBox,
    length: u64,
    epsilon: &Epsilon,
    options: &ExactOptions<'_>,
) -> Result<BoxCalibration> {
    let objective = Objective::scale(epsilon);
    let (above, below, searched) = worst(limits, length, objective, options)?;
    let at_least = below.worst.calibration(length, epsilon, objective, 0).scale;
    let calibration = above.worst.calibration(length, epsilon, objective, searched);
    Ok(BoxCalibration { calibration, at_least, worst: below.ends.map(|[end, _]| end) })
}

/// The loss of noise that decays by `rate` for each node that changes, for every chain of the box: as
/// [`exact_loss`](super::exact_loss).
///
/// # Errors
/// As [`exact_of_box`]; and a rate below 0 or beyond 2^20.
pub fn exact_loss_of_box(
    limits: &BinaryBox,
    length: u64,
    rate: &Rational,
    options: &ExactOptions<'_>,
) -> Result<Rational> {
    let objective = Objective::loss(rate)?;
    Ok(objective.number(worst(limits, length, objective, options)?.0.worst.found.cost))
}

/// The part that needs the most, a point that needs nearly as much, and how many quilts were looked at.
fn worst(
    limits: &BinaryBox,
    length: u64,
    objective: Objective,
    options: &ExactOptions<'_>,
) -> Result<(Part, Part, u64)> {
    check_length(length)?;
    let mut searched = 0;
    let mut look = |ends: [[Rational; 2]; 2], known: Worst| -> Result<Part> {
        let nodes = nodes(limits, &ends, length, options);
        let mut walk = Walk::new(nodes, objective, options.watch);
        let worst = walk.worst(0, known)?;
        searched += walk.searched;
        Ok(Part { worst, ends })
    };
    let whole = [limits.up().clone(), limits.down().clone()];
    let mut below: Option<Part> = None;
    for corner in corners(&whole) {
        let part = look(corner, Worst::NOBODY)?;
        if below.as_ref().is_none_or(|below| part > *below) {
            below = Some(part);
        }
    }
    let mut below = below.expect("a box has corners");
    // A part in which nothing is worse than what is known comes back with that, and so comes last.
    let mut open = BinaryHeap::from([look(whole, below.worst)?]);
    loop {
        let worst = open.pop().expect("a part is cut in two");
        if worst.cost() <= below.cost().raised(CLOSE) || open.len() >= MOST_PARTS {
            return Ok((worst, below, searched));
        }
        let middle = worst.ends.each_ref().map(|ends| [middle(ends), middle(ends)]);
        let point = look(middle, below.worst)?;
        if point > below {
            below = point;
        }
        for ends in worst.halves() {
            open.push(look(ends, below.worst)?);
        }
    }
}

fn nodes(
    limits: &BinaryBox,
    [p, q]: &[[Rational; 2]; 2],
    length: u64,
    options: &ExactOptions<'_>,
) -> Nodes<BinaryPowers> {
    let powers = BinaryPowers::new([p, q]);
    let start = match limits.initial() {
        // Over the stationary law itself, as the powers are, it is one throughout.
        Initial::Stationary => Start::Same([0; 4].into()),
        Initial::Arbitrary | Initial::Given(_) => Start::Arbitrary,
    };
    Nodes::new(powers, start, None, length, options.states, Side::Above)
}

/// A part of the box, with the node that needs the most noise there; ordered by that.
#[derive(Debug, Clone)]
struct Part {
    worst: Worst,
    ends: [[Rational; 2]; 2],
}

impl Part {
    fn cost(&self) -> Cost {
        self.worst.found.cost
    }

    /// Cut across its longer side.
    fn halves(&self) -> [[[Rational; 2]; 2]; 2] {
        let [p, q] = &self.ends;
        let cut = |ends: &[Rational; 2]| [[ends[0].clone(), middle(ends)], [middle(ends), ends[1].clone()]];
        if &p[1] - &p[0] >= &q[1] - &q[0] {
            cut(p).map(|half| [half, q.clone()])
        } else {
            cut(q).map(|half| [p.clone(), half])
        }
    }
}

fn middle(ends: &[Rational; 2]) -> Rational {
    (&ends[0] + &ends[1]) / Rational::from_integer(2.into())
}

fn corners([p, q]: &[[Rational; 2]; 2]) -> [[[Rational; 2]; 2]; 4] {
    let corner = |p: &Rational, q: &Rational| [[p.clone(), p.clone()], [q.clone(), q.clone()]];
    [corner(&p[0], &q[0]), corner(&p[0], &q[1]), corner(&p[1], &q[0]), corner(&p[1], &q[1])]
}

impl Ord for Part {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.cost().cmp(&other.cost())
    }
}

impl PartialOrd for Part {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == std::cmp::Ordering::Equal
    }
}

impl Eq for Part {}
