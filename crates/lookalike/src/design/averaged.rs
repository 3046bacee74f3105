//! Output laws whose average loss is least, for one component and one channel per profile.

use super::couplings::{monotone_coupling, rows_of_plan};
use super::dual_bound::Potentials;
use super::group::group_laws;
use super::group_bound::group_bound;
use super::instance::Instance;
use super::laws_program::LawsProgram;
use super::proposal::{Binding, Means, Proposal, solved};
use super::{Problem, Watch};
use crate::Result;
use crate::exact::{Direction, to_f64};
use crate::lp::{Answer, Program};
use crate::model::Loss;

/// The laws with the least average loss, and the channels that reach them.
///
/// How much a law q costs is a question of transport from P to q: the total variation for errors, the distance between the
/// cumulated laws for ordered categories, a whole plan for a loss matrix. The program has the laws and what they cost as
/// columns, and no cuts are needed.
///
/// # Errors
/// A program that does not fit the memory, or cancellation by the caller.
pub(super) fn averaged(problem: &Problem, instance: &Instance, loss: &Loss, watch: &Watch<'_>) -> Result<Proposal> {
    let mut laws = match loss {
        Loss::Ordinal => LawsProgram::of_cumulated_laws(instance),
        _ => LawsProgram::of_laws(instance, 0.0),
    };
    let (costs, mut plans) = (instance.costs(), Vec::new());
    for (secret, &cost) in costs.iter().enumerate() {
        match loss {
            Loss::ZeroOne => add_errors(&mut laws.program, instance, secret, cost),
            Loss::Ordinal => add_distances(&mut laws.program, instance, secret, cost),
            // Any other loss takes a whole plan.
            _ => plans.push(add_plan(&mut laws.program, instance, secret, (cost, loss))),
        }
    }
    let answer = solved(&laws.program, "solving", watch)?;
    let multipliers = laws.multipliers(&answer);
    let bound = Potentials::new(problem, instance, &multipliers).averaged();
    let binding = Binding::of(instance, &multipliers);
    let swept = match loss {
        Loss::Ordinal => instance.swept(&differences(&answer.x, instance.size, instance.count())),
        _ => instance.swept(&answer.x),
    };
    if let Loss::ZeroOne = loss {
        return Ok(Proposal::new(Means::Laws(swept), bound, 1, binding));
    }
    let rows = (0..instance.count()).map(|secret| {
        let (p, q) = (instance.law(secret), instance.law_in(&swept, secret));
        let plan = match plans.get(secret) {
            None => monotone_coupling(p, q),
            Some(&first) => plan_in(&answer, first, instance.size),
        };
        rows_of_plan(p, q, &plan)
    });
    Proposal::of_rows(rows.collect(), bound, 1, binding)
}

/// The laws of the least expected error of a component of groups, whatever the number of their members.
///
/// # Errors
/// Cancellation by the caller.
pub(super) fn group(problem: &Problem, instance: &Instance, watch: &Watch<'_>) -> Result<Proposal> {
    let solution = group_laws(instance, watch)?;
    let bound = group_bound(problem, instance, &solution.multipliers);
    Ok(Proposal::new(Means::Laws(solution.laws), bound, solution.rounds, Binding::default()))
}

/// `Σ_y (q_y − p_y)⁺`, the total variation.
fn add_errors(program: &mut Program, instance: &Instance, secret: usize, weight: f64) {
    for (y, &p) in instance.law(secret).iter().enumerate() {
        let part = program.column(weight, 0.0, 1.0);
        program.start(part, (instance.started(p) - p).max(0.0) + 0.05);
        program.row([(instance.place(secret, y), -1.0), (part, 1.0)], -p, f64::INFINITY);
    }
}

/// `Σ_y |Q_y − P_y|` over the cumulated laws: what has to pass from each category to the next, either way.
fn add_distances(program: &mut Program, instance: &Instance, secret: usize, weight: f64) {
    let mut sum = 0.0;
    for (y, &p) in instance.law(secret).iter().enumerate().take(instance.size - 1) {
        sum += p;
        let cumulated = instance.place(secret, y);
        let part = program.column(weight, 0.0, 1.0);
        program.start(part, (program.started(cumulated) - sum).abs() + 0.05);
        program.row([(cumulated, -1.0), (part, 1.0)], -sum, f64::INFINITY);
        program.row([(cumulated, 1.0), (part, 1.0)], sum, f64::INFINITY);
    }
}

/// The laws of cumulated ones, none of their probabilities below 0.
fn differences(cumulated: &[f64], size: usize, count: usize) -> Vec<f64> {
    let of_law = |sums: &[f64]| -> Vec<f64> {
        (0..size).map(|y| (sums[y] - if y > 0 { sums[y - 1] } else { 0.0 }).max(0.0)).collect()
    };
    cumulated.chunks_exact(size).take(count).flat_map(of_law).collect()
}

/// A plan π with sums P over outputs and q over inputs; returns its first column.
fn add_plan(program: &mut Program, instance: &Instance, secret: usize, (weight, loss): (f64, &Loss)) -> u32 {
    let (size, p) = (instance.size, instance.law(secret));
    let first = program.columns() as u32;
    for (x, &mass) in p.iter().enumerate() {
        for y in 0..size {
            let cost = to_f64(&loss.cost(x, y), Direction::Nearest);
            let entry = program.column(weight * cost, 0.0, mass);
            let even = instance.surely_private();
            program.start(entry, mass * if x == y { 1.0 - (size - 1) as f64 * even } else { even });
        }
    }
    tie_plan(program, instance, secret, first);
    first
}

fn plan_in(answer: &Answer, first: u32, size: usize) -> Vec<f64> {
    answer.x[first as usize..first as usize + size * size].to_vec()
}

/// Ties the columns of a plan, row after row from `first` on, to the profile and to the columns of its output law; the
/// last output follows from the sums.
pub(super) fn tie_plan(program: &mut Program, instance: &Instance, secret: usize, first: u32) {
    let (size, p) = (instance.size, instance.law(secret));
    let at = |x: usize, y: usize| first + (x * size + y) as u32;
    for (x, &mass) in p.iter().enumerate().filter(|(_, mass)| **mass > 0.0) {
        program.row((0..size).map(|y| (at(x, y), 1.0)), mass, mass);
    }
    for y in 0..size - 1 {
        let terms = std::iter::once((instance.place(secret, y), -1.0)).chain((0..size).map(|x| (at(x, y), 1.0)));
        program.row(terms.collect::<Vec<_>>(), 0.0, 0.0);
    }
}
