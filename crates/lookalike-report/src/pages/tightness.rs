//! How much of its budget each edge and group uses. For pictures: privacy itself is decided by the certifier.

use lookalike::exact::{Direction, Rational, to_f64};
use lookalike::model::{Column, Constraint, Mechanism, OutputLaws};
use rayon::prelude::*;

/// What an edge or a group uses of its budget, at the pair and the output where it uses most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tightness {
    /// The pair, the one that is likelier at the output first.
    pub pair: [u32; 2],
    /// The output.
    pub output: u32,
    /// The true ε, to the nearest double.
    pub achieved: f64,
    /// The claimed ε, to the nearest double.
    pub claimed: f64,
}

impl Tightness {
    /// true ε / claimed ε. The certificate says that it is at most 1, so rounding must not say otherwise.
    pub(super) fn share(&self) -> f64 {
        (self.achieved / self.claimed).clamp(0.0, 1.0)
    }
}

/// The tightness of each constraint, in the order of the graph.
///
/// Takes one pass over the members of the constraints for each output.
pub(super) fn of(mechanism: &Mechanism) -> Vec<Tightness> {
    let constraints: Vec<Constraint<'_>> = mechanism.graph().constraints().collect();
    let laws = OutputLaws::of(mechanism);
    let first = |constraint: &Constraint<'_>| Tightness {
        pair: [constraint.members[0], constraint.members[1]],
        output: 0,
        achieved: 0.0,
        claimed: constraint.epsilon.to_f64(),
    };
    let mut found: Vec<Tightness> = constraints.iter().map(first).collect();
    for output in 0..mechanism.outputs().len() {
        let column = laws.column(output);
        found.par_iter_mut().zip(&constraints).for_each(|(tightest, constraint)| {
            let pair = column.extremes(constraint).secrets;
            let achieved = log_ratio(&column, pair);
            if achieved > tightest.achieved {
                *tightest = Tightness { pair, output: output as u32, achieved, ..*tightest };
            }
        });
    }
    found
}

/// ln(p/q) of a pair; 0 where neither gives the output.
fn log_ratio(column: &Column<'_>, pair: [u32; 2]) -> f64 {
    // Floors of at least this many units are exact enough for a picture.
    const ENOUGH: u64 = 1 << 40;
    let [one, other] = pair.map(|secret| secret as usize);
    let (more, less) = (column.floors()[one], column.least_floors()[other]);
    if less >= ENOUGH {
        return (more as f64 / less as f64).ln().max(0.0);
    }
    let [more, less] = column.over_common_denominator(pair);
    match (more.is_zero(), less.is_zero()) {
        (true, _) => 0.0,
        (false, true) => f64::INFINITY,
        (false, false) => {
            to_f64(&Rational::new(more.to_big().into(), less.to_big().into()), Direction::Nearest).ln().max(0.0)
        }
    }
}
