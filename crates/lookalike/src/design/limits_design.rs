//! Designs whose claim holds for every law within the limits of each profile.

use super::dual_bound::Potentials;
use super::instance::Instance;
use super::laws_program::Multiplier;
use super::limits_interior::interior_point;
use super::limits_program::LimitsProgram;
use super::point::{CLOSE, FLIP_COSTS, NOT_CHOSEN};
use super::proposal::{Binding, Proposal, solved};
use super::second_stage::LEAST_ERROR;
use super::{Problem, Watch};
use crate::Result;
use crate::exact::{Direction, Rational, to_f64};
use crate::lp::Answer;
use crate::model::{Kind, Loss};

/// How far a design may be above its bound, as a share, before the other method is asked.
const FAIR: f64 = 1e-7;

/// The least average loss of one component, or of the channel that serves all, at the profiles or at the worst laws within their
/// limits; the claim for all of these.
///
/// # Errors
/// A program that does not fit the memory, or cancellation by the caller.
pub(super) fn averaged(problem: &Problem, instance: &Instance, loss: &Loss, watch: &Watch<'_>) -> Result<Proposal> {
    if is_profile_by_profile(problem) && watch.solver().is_none() {
        let (proposal, is_good) = by_profiles(problem, instance, loss, watch)?;
        if is_good || !fits_one_program(instance.count(), instance.size) {
            return Ok(proposal);
        }
    }
    let mut program = LimitsProgram::new(problem, instance);
    match problem.is_at_worst() {
        true => program.set_worst_costs(loss),
        false => program.set_costs(loss),
    }
    let answer = solved(&program.laws.program, "solving", watch)?;
    let multipliers = program.laws.multipliers(&answer);
    let bound = Potentials::within(problem, instance, &program.worst_laws(&answer), &multipliers).averaged();
    let binding = binding(instance, &multipliers);
    Proposal::of_rows(program.channels(&answer), bound, 1, binding)
}

/// Entries of the channels of a component up to which one program for all of it is solved without being asked for; each entry may be two
/// more columns.
const MOST_ENTRIES: usize = 20_000;
/// The same where each profile is eliminated by itself: 1,000 profiles of one group with 16 categories take half a minute.
const MOST_ENTRIES_BY_PROFILE: usize = 300_000;
/// Profiles times categories where edges tie them, which is what the factorization is about: 200 profiles with 32 categories and six
/// edges each take a minute and a half.
const MOST_ENDS: usize = 6_400;

/// Whether every component is small enough for a design that is not asked for by name.
pub(super) fn fits(problem: &Problem) -> bool {
    let (graph, size) = (problem.graph(), problem.categories().len());
    let mut constraints = vec![0usize; graph.names().len()];
    for constraint in graph.constraints() {
        constraints[graph.first_of_component()[constraint.members[0] as usize] as usize] += 1;
    }
    let fits_by_profile = |component: &Vec<u32>| {
        let profiles = component.len();
        let is_group = constraints[component[0] as usize] == 1;
        profiles * size * size <= MOST_ENTRIES_BY_PROFILE && (is_group || profiles * size <= MOST_ENDS)
    };
    let fits = |component: &Vec<u32>| {
        fits_one_program(component.len(), size) || is_profile_by_profile(problem) && fits_by_profile(component)
    };
    graph.components().iter().all(fits)
}

fn fits_one_program(profiles: usize, size: usize) -> bool {
    profiles * size * size <= MOST_ENTRIES
}

/// Whether profiles can be eliminated one by one: each has a channel of its own, and its part of the objective.
fn is_profile_by_profile(problem: &Problem) -> bool {
    problem.kind() == Kind::Aware && problem.objective().loss().is_some() && !problem.is_at_worst()
}

/// The least average loss by the method that eliminates each profile by itself, and whether it came as close as it should.
fn by_profiles(problem: &Problem, instance: &Instance, loss: &Loss, watch: &Watch<'_>) -> Result<(Proposal, bool)> {
    let limits = |secret: usize| &problem.limits()[instance.secrets[secret] as usize];
    let solution = interior_point(instance, limits, cost(instance, loss), watch)?;
    let bound = Potentials::within(problem, instance, &solution, &solution.multipliers).averaged();
    let binding = binding(instance, &solution.multipliers);
    let rows = (0..instance.count()).map(|secret| solution.rows(secret, instance.law(secret))).collect();
    let is_good = solution.is_cut_short || solution.gap <= FAIR;
    Ok((Proposal::of_rows(rows, bound, 1, binding)?, is_good))
}

/// What an entry of a secret's channel costs, by input and output.
pub(super) fn cost(instance: &Instance, loss: &Loss) -> impl Fn(usize, usize, usize) -> f64 {
    let size = instance.size;
    let costs: Vec<f64> =
        (0..size * size).map(|at| to_f64(&loss.cost(at / size, at % size), Direction::Nearest)).collect();
    let weights = instance.costs();
    move |secret, x, y| weights[secret] * instance.law(secret)[x] * costs[x * size + y]
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
        let potentials = Potentials::within(problem, instance, &program.worst_laws(&answer), &multipliers);
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
