//! The seam between programs and solvers: which one is asked, and what stands behind it.

use super::answer::{Answer, Failure, Wish};
use super::program::Program;
use super::reduced::Reduced;
use super::{clarabel, interior_point};

/// A solver, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Solver {
    /// Our interior-point method.
    InteriorPoint,
    /// The library's.
    Clarabel,
}

/// How many times worse than a good answer one may be that is taken without asking the other solver.
const FAIR: f64 = 30.0;

/// Solves a program, as well as can be: whoever asks makes a bound of the multipliers, and sees by it how good the answer is.
///
/// Our method goes first. Where it stalls, Clarabel tries too, and the better point is taken. `ask` is called once a step with
/// the step's number.
///
/// # Errors
/// See [`Failure`]. The answer to an infeasible program misses rows.
pub fn solve(program: &Program, only: Option<Solver>, ask: &dyn Fn(u32) -> Wish) -> Result<Answer, Failure> {
    let reduced = Reduced::new(program);
    let found = match only {
        Some(Solver::InteriorPoint) => interior_point::solve(&reduced, ask)?,
        Some(Solver::Clarabel) => clarabel::solve(&reduced, ask)?,
        None => {
            let ours = interior_point::solve(&reduced, ask)?;
            let merit = reduced.merit(&ours);
            if ours.cut_short || merit <= FAIR {
                ours
            } else {
                let other = clarabel::solve(&reduced, ask)?;
                if reduced.merit(&other) < merit { other } else { ours }
            }
        }
    };
    Ok(reduced.answer(program, &found))
}
