//! Designs whose claim holds for every law within the limits of each profile.

use super::dual_bound::Potentials;
use super::instance::Instance;
use super::laws_program::Multiplier;
use super::limits_program::LimitsProgram;
use super::point::{CLOSE, FLIP_COSTS, NOT_CHOSEN};
use super::proposal::{Binding, Proposal, solved};
use super::second_stage::LEAST_ERROR;
use super::{Problem, Watch};
use crate::Result;
use crate::exact::Rational;
use crate::lp::Answer;
use crate::model::Loss;

/// The least average loss of one component, or of the channel that serves all, at the profiles or at the worst laws within their
/// limits; the claim for all of these.
///
/// # Errors
/// A program that does not fit the memory, or cancellation by the caller.
pub(super) fn averaged(problem: &Problem, instance: &Instance, loss: &Loss, watch: &Watch<'_>) -> Result<Proposal> {
    let mut program = LimitsProgram::new(problem, instance);
    match problem.is_at_worst() {
        true => program.set_worst_costs(loss),
        false => program.set_costs(loss),
    }
    let answer = solved(&program.laws.program, "solving", watch)?;
    let multipliers = program.laws.multipliers(&answer);
    let bound = Potentials::within(problem, &program, &answer, &multipliers).averaged();
    let binding = binding(instance, &multipliers);
    Proposal::of_rows(program.channels(&answer), bound, 1, binding)
}

/// The first stage for one component: the least largest flip, and what is proven about it.
pub(super) struct LeastFlip<'a> {
    program: LimitsProgram<'a>,
    answer: Answer,
    flip: u32,
    bound: Rational,
    binding: Binding,
}

impl<'a> LeastFlip<'a> {
    /// The least largest flip of a component, or of the channel that serves all.
    ///
    /// # Errors
    /// A program that does not fit the memory, or cancellation by the caller.
    pub(super) fn new(problem: &'a Problem, instance: &'a Instance, watch: &Watch<'_>) -> Result<Self> {
        let mut program = LimitsProgram::new(problem, instance);
        let flip = program.cap_flips();
        let answer = solved(&program.laws.program, "solving", watch)?;
        let multipliers = program.laws.multipliers(&answer);
        let potentials = Potentials::within(problem, &program, &answer, &multipliers);
        let bound = potentials.impossible_flip(answer.x[flip as usize]);
        Ok(LeastFlip { program, answer, flip, bound, binding: binding(instance, &multipliers) })
    }

    /// The least t.
    pub(super) fn least(&self) -> f64 {
        self.answer.x[self.flip as usize]
    }

    /// Channels with the least expected error whose flips are at most `flip`, which is no less than the least.
    ///
    /// # Errors
    /// A program that does not fit the memory, or cancellation by the caller.
    pub(super) fn with_least_error(self, flip: f64, watch: &Watch<'_>) -> Result<Proposal> {
        let LeastFlip { mut program, mut answer, flip: column, bound, binding, .. } = self;
        program.set_costs(&Loss::ZeroOne);
        program.laws.program.bound(column, flip.clamp(0.0, 1.0), 1.0);
        let (mut rounds, mut rule) = (1, NOT_CHOSEN);
        for cost in FLIP_COSTS {
            program.laws.program.set_cost(column, cost);
            let second = solved(&program.laws.program, "second stage", watch)?;
            rounds += 1;
            if second.x[column as usize] <= flip + CLOSE * flip {
                (answer, rule) = (second, LEAST_ERROR);
                break;
            }
        }
        let proposal = Proposal::of_rows(program.channels(&answer), bound, rounds, binding)?;
        Ok(proposal.with_tie_break(rule))
    }
}

/// The edge that sets the optimum, where it is one between two secrets.
fn binding(instance: &Instance, multipliers: &[Multiplier]) -> Binding {
    let is_edge = |multiplier: &&Multiplier| (multiplier.arc.more.max(multiplier.arc.less) as usize) < instance.count();
    Binding::of(instance, &multipliers.iter().filter(is_edge).copied().collect::<Vec<_>>())
}
