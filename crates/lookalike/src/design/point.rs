//! One channel for all secrets: shared by profiles, or between values.

use super::dual_bound::Potentials;
use super::instance::Instance;
use super::laws_program::LawsProgram;
use super::proposal::{Binding, Proposal, solved};
use super::second_stage::LEAST_ERROR;
use super::{Objective, Problem, Watch};
use crate::Result;
use crate::exact::{Direction, to_f64};
use crate::lp::{Answer, Program};
use crate::model::Loss;

/// What one unit of t costs in the second stage, where all errors together cost at most 1: more where that was too little to
/// hold t at its least. A bound instead of a cost would leave the solver no room.
pub(super) const FLIP_COSTS: [f64; 3] = [100.0, 3e3, 1e5];
/// How far above its least t may be.
pub(super) const CLOSE: f64 = 1e-8;
/// The rule where no cost held t.
pub(super) const NOT_CHOSEN: &str = "none: no choice among optima held the largest flip";

/// The channel with the least objective among those that serve all secrets: d² columns, whatever the number of
/// secrets. For values it is the optimal mechanism of Blowfish and of limited-precision local privacy.
///
/// Inputs that no secret has are outside the objective; their row is the average of the output laws.
///
/// # Errors
/// A program that does not fit the memory, or cancellation by the caller.
pub(super) fn point(problem: &Problem, instance: &Instance, watch: &Watch<'_>) -> Result<Proposal> {
    let size = instance.size;
    let masses = masses(instance);
    let loss = problem.objective().loss();
    let mut first = ChannelProgram::new(instance, &masses, loss.unwrap_or(&Loss::ZeroOne));
    if *problem.objective() == Objective::MaxFlip {
        first.cap_flips(&masses);
    }
    let answer = solved(&first.laws.program, "solving", watch)?;
    let multipliers = first.laws.multipliers(&answer);
    let potentials = Potentials::new(problem, instance, &multipliers);
    let (bound, rounds, answer, tie_break) = match first.flip {
        None => (potentials.averaged(), 1, answer, None),
        Some(flip) => {
            let bound = potentials.impossible_flip(answer.x[flip as usize]);
            let (rounds, second) = first.least_error(flip, answer.x[flip as usize], &masses, watch)?;
            let rule = if second.is_some() { LEAST_ERROR } else { NOT_CHOSEN };
            (bound, 1 + rounds, second.unwrap_or(answer), Some(rule))
        }
    };
    let mut rows: Vec<Vec<f64>> = (0..size).map(|x| answer.x[x * size..(x + 1) * size].to_vec()).collect();
    let average = average_law(instance, &rows);
    for (row, mass) in rows.iter_mut().zip(&masses) {
        if *mass == 0.0 {
            row.clone_from(&average);
        }
    }
    let proposal = Proposal::of_rows(vec![rows], bound, rounds, Binding::of(instance, &multipliers))?;
    Ok(Proposal { tie_break, ..proposal })
}

/// The prior's weight of each input.
pub(super) fn masses(instance: &Instance) -> Vec<f64> {
    let mut masses = vec![0.0; instance.size];
    let weights = instance.weights_to_one();
    for (secret, weight) in weights.iter().enumerate() {
        masses
            .iter_mut()
            .zip(instance.law(secret))
            .for_each(|(mass, p)| *mass += if *p > 0.0 { (weight * p).max(f64::MIN_POSITIVE) } else { 0.0 });
    }
    masses
}

pub(super) fn average_law(instance: &Instance, rows: &[Vec<f64>]) -> Vec<f64> {
    let mut law = vec![0.0; instance.size];
    for (row, mass) in rows.iter().zip(masses(instance)) {
        law.iter_mut().zip(row).for_each(|(sum, entry)| *sum += mass * entry);
    }
    law
}

/// The channel's entries as columns, row after row.
struct ChannelProgram<'a> {
    instance: &'a Instance,
    laws: LawsProgram,
    flip: Option<u32>,
}

impl<'a> ChannelProgram<'a> {
    fn new(instance: &'a Instance, masses: &[f64], loss: &Loss) -> Self {
        let size = instance.size;
        let mut program = Program::new();
        let even = instance.surely_private();
        for (x, &mass) in masses.iter().enumerate() {
            for y in 0..size {
                // A row that no secret uses is chosen afterwards.
                let column = program.column(0.0, 0.0, if mass > 0.0 { 1.0 } else { 0.0 });
                program.start(column, if x == y { 1.0 - (size - 1) as f64 * even } else { even });
            }
        }
        for (x, _) in masses.iter().enumerate().filter(|(_, mass)| **mass > 0.0) {
            program.row((0..size).map(|y| ((x * size + y) as u32, 1.0)), 1.0, 1.0);
        }
        let law = |secret: usize, y: usize| {
            let inputs = instance.law(secret).iter().enumerate().filter(|(_, p)| **p > 0.0);
            inputs.map(|(x, &p)| ((x * size + y) as u32, p)).collect()
        };
        let laws = LawsProgram::constrained(program, instance, law);
        let mut channel = ChannelProgram { instance, laws, flip: None };
        channel.set_costs(masses, loss);
        channel
    }

    /// Each entry costs its loss, weighted by how often the input occurs.
    fn set_costs(&mut self, masses: &[f64], loss: &Loss) {
        for (x, mass) in masses.iter().enumerate() {
            for y in 0..self.instance.size {
                let cost = to_f64(&loss.cost(x, y), Direction::Nearest);
                self.laws.program.set_cost((x * self.instance.size + y) as u32, mass * cost);
            }
        }
    }

    /// The largest wrong entry becomes the only cost.
    fn cap_flips(&mut self, masses: &[f64]) {
        let (size, flip) = (self.instance.size, self.laws.program.column(1.0, 0.0, 1.0));
        self.laws.program.start(flip, 1.5 * self.instance.surely_private());
        for x in (0..size).filter(|&x| masses[x] > 0.0) {
            for y in 0..size {
                let entry = (x * size + y) as u32;
                self.laws.program.set_cost(entry, 0.0);
                if y != x {
                    self.laws.program.row([(entry, 1.0), (flip, -1.0)], f64::NEG_INFINITY, 0.0);
                }
            }
        }
        self.flip = Some(flip);
    }

    /// The answer with the least expected error whose largest flip is `least`, if the solver holds it there, and how many
    /// programs that took.
    fn least_error(
        &mut self,
        flip: u32,
        least: f64,
        masses: &[f64],
        watch: &Watch<'_>,
    ) -> Result<(u32, Option<Answer>)> {
        self.set_costs(masses, &Loss::ZeroOne);
        for (rounds, cost) in (1..).zip(FLIP_COSTS) {
            self.laws.program.set_cost(flip, cost);
            let second = solved(&self.laws.program, "second stage", watch)?;
            if second.x[flip as usize] <= least + CLOSE * least {
                return Ok((rounds, Some(second)));
            }
        }
        Ok((FLIP_COSTS.len() as u32, None))
    }
}
