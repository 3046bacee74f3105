//! Output laws whose largest flip is least, for one channel per profile: the least flip of each component, then at the largest of
//! them channels with the least expected error.

use super::category_bound::category_bound;
use super::couplings::rows_of_plan;
use super::dual_bound::Potentials;
use super::instance::Instance;
use super::laws_program::LawsProgram;
use super::proposal::{Binding, Proposal, solved};
use super::reach::violated_sets;
use super::second_stage::{NOT_LEAST, second_stage};
use super::transport::{CappedPlan, capped_plan, plan_at_any_flip};
use super::{Problem, Watch};
use crate::Result;
use crate::exact::Rational;
use crate::lp::Answer;
use crate::model::Distribution;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Weight of the pull towards the profiles beside t, spread over the profiles: without it cuts take hundreds of rounds.
const PULL: f64 = 0.1;
/// A set is cut off when a law exceeds what t allows by more than this.
const SLACK: f64 = 1e-11;
/// A flip this close to the bound without a program is optimal.
const CLOSE: f64 = 1e-11;
/// Rounds after which cuts do not help any more.
const MOST_ROUNDS: u32 = 60;

/// The first stage for one component: laws whose largest flip is least, and what is proven about it.
///
/// A law q is reachable from P with every wrong output at most t exactly when `q(S) ≤ P(S) + t·|S|·(1 − P(S))` for
/// every set S of outputs. A bound without a program comes first: it is often the optimum, and says why. The sets of
/// one and of d − 1 outputs are in the program from the start; the others are added where an answer violates them.
pub(super) struct LeastFlip<'a> {
    instance: &'a Instance,
    answer: Answer,
    /// The least t.
    pub(super) flip: f64,
    cuts: Cuts,
    bound: Rational,
    binding: Binding,
    rounds: u32,
}

impl<'a> LeastFlip<'a> {
    /// The least t of a component.
    ///
    /// # Errors
    /// A program that does not fit the memory, or cancellation by the caller.
    pub(super) fn new(problem: &Problem, instance: &'a Instance, watch: &Watch<'_>) -> Result<Self> {
        let laws: Vec<&Distribution> =
            instance.secrets.iter().map(|&secret| &problem.profile_laws()[secret as usize]).collect();
        let known = category_bound(instance, &laws);
        let mut first = CappedProgram::new(instance, PULL / instance.count() as f64);
        let mut answer = first.solve("solving", watch)?;
        if answer.x[first.flip as usize] > known.t + CLOSE {
            first.release();
            answer = first.solve("solving", watch)?;
        }
        let flip = answer.x[first.flip as usize];
        let (bound, binding) = if flip > known.t + CLOSE {
            let multipliers = first.laws.multipliers(&answer);
            let bound = Potentials::new(problem, instance, &multipliers).impossible_flip(flip);
            (bound.max(known.proven), Binding::of(instance, &multipliers))
        } else {
            (known.proven, Binding { secrets: known.binding, output: known.output })
        };
        Ok(LeastFlip { instance, answer, flip, cuts: first.cuts, bound, binding, rounds: first.rounds })
    }

    /// Channels with the least expected error whose flips are at most `flip`, the least largest flip of all components: a
    /// component that could do with less noise at its worst has less noise on average if it need not.
    ///
    /// Laws of a solver that stopped early may be out of reach: then those of the first stage serve, at the flip that they
    /// need, and the gap says how good that is.
    ///
    /// # Errors
    /// A program that does not fit the memory, or cancellation by the caller.
    pub(super) fn with_least_error(self, flip: f64, watch: &Watch<'_>) -> Result<Proposal> {
        let LeastFlip { instance, answer, cuts, bound, binding, rounds, .. } = self;
        let chosen = second_stage(instance, &answer, flip, &cuts, watch)?;
        let (rounds, mut laws, mut tie_break) = (rounds + chosen.rounds, chosen.laws, chosen.rule);
        watch.step("channels", 0, None)?;
        let plans = plans(instance, &laws, flip).unwrap_or_else(|| {
            (laws, tie_break) = (instance.swept(&answer.x), NOT_LEAST);
            plans(instance, &laws, flip).unwrap_or_else(|| plans_at_any_flip(instance, &laws, flip))
        });
        let rows =
            |secret: usize| rows_of_plan(instance.law(secret), instance.law_in(&laws, secret), &plans[secret].plan);
        let rows = (0..instance.count()).into_par_iter().map(rows).collect();
        Proposal::of_rows(rows, bound, rounds, binding).map(|proposal| proposal.with_tie_break(tie_break))
    }
}

/// The sets that were cut off, with their secrets.
pub(super) type Cuts = BTreeSet<(u32, Vec<u32>)>;

/// Laws and the largest flip t as columns.
struct CappedProgram<'a> {
    instance: &'a Instance,
    laws: LawsProgram,
    flip: u32,
    cuts: Cuts,
    rounds: u32,
}

impl<'a> CappedProgram<'a> {
    fn new(instance: &'a Instance, pull: f64) -> Self {
        let mut laws = LawsProgram::of_laws(instance, pull);
        let flip = laws.program.column(1.0, 0.0, 1.0);
        laws.program.start(flip, 1.5 * instance.surely_private());
        let mut capped = CappedProgram { instance, laws, flip, cuts: BTreeSet::new(), rounds: 0 };
        for secret in 0..instance.count() as u32 {
            for output in 0..instance.size as u32 {
                capped.cut(secret, vec![output]);
                if instance.size > 2 {
                    capped.cut(secret, (0..instance.size as u32).filter(|&other| other != output).collect());
                }
            }
        }
        capped
    }

    /// Takes the pull away.
    fn release(&mut self) {
        for column in 0..(self.instance.count() * self.instance.size) as u32 {
            self.laws.program.pull(column, 0.0, 0.0);
        }
    }

    /// Adds `q(S) ≤ P(S) + t·|S|·(1 − P(S))`, written with the smaller of S and its complement.
    fn cut(&mut self, secret: u32, set: Vec<u32>) {
        let (size, p) = (self.instance.size, self.instance.law(secret as usize));
        let column = |output: u32| self.instance.place(secret as usize, output as usize);
        let steep = set.len() as f64;
        let mass = |outputs: &[u32]| outputs.iter().map(|&output| p[output as usize]).sum::<f64>();
        if 2 * set.len() <= size {
            let inside = mass(&set);
            let terms = set.iter().map(|&output| (column(output), 1.0)).chain([(self.flip, -steep * (1.0 - inside))]);
            self.laws.program.row(terms.collect::<Vec<_>>(), f64::NEG_INFINITY, inside);
        } else {
            let others: Vec<u32> = (0..size as u32).filter(|output| set.binary_search(output).is_err()).collect();
            let outside = mass(&others);
            let terms = others.iter().map(|&output| (column(output), 1.0)).chain([(self.flip, steep * outside)]);
            self.laws.program.row(terms.collect::<Vec<_>>(), outside, f64::INFINITY);
        }
        self.cuts.insert((secret, set));
    }

    /// Solves, and adds the sets that the answer violates until there is none.
    fn solve(&mut self, stage: &'static str, watch: &Watch<'_>) -> Result<Answer> {
        loop {
            self.rounds += 1;
            let answer = solved(&self.laws.program, stage, watch)?;
            if self.cut_off(&answer) == 0 || self.rounds >= MOST_ROUNDS {
                return Ok(answer);
            }
        }
    }

    /// Adds every violated set that is not there yet; returns how many those are.
    fn cut_off(&mut self, answer: &Answer) -> usize {
        let flip = answer.x[self.flip as usize];
        let violated = |secret: usize| {
            violated_sets(self.instance.law(secret), self.instance.law_in(&answer.x, secret), flip, SLACK)
        };
        let found: Vec<Vec<Vec<u32>>> = (0..self.instance.count()).into_par_iter().map(violated).collect();
        let mut added = 0;
        for (secret, sets) in found.into_iter().enumerate() {
            for set in sets {
                if !self.cuts.contains(&(secret as u32, set.clone())) {
                    self.cut(secret as u32, set);
                    added += 1;
                }
            }
        }
        added
    }
}

/// Each profile's plan to its law with flips of at most t; `None` where one of them is out of reach.
fn plans(instance: &Instance, laws: &[f64], flip: f64) -> Option<Vec<CappedPlan>> {
    let plan = |secret: usize| capped_plan(instance.law(secret), instance.law_in(laws, secret), flip);
    (0..instance.count()).into_par_iter().map(plan).collect()
}

/// Each profile's plan to its law with flips of at most t, or where that is too little with those that it takes.
fn plans_at_any_flip(instance: &Instance, laws: &[f64], flip: f64) -> Vec<CappedPlan> {
    let plan = |secret: usize| plan_at_any_flip(instance.law(secret), instance.law_in(laws, secret), flip);
    (0..instance.count()).into_par_iter().map(plan).collect()
}

#[cfg(test)]
mod tests {
    use super::super::proposal::Means;
    use super::*;
    use crate::exact::{Direction, parse_rational, to_f64};
    use crate::model::{Categories, Names, SecretGraph};

    #[test]
    fn laws_that_are_out_of_reach_get_the_flips_that_they_need() {
        let law = |texts: [&str; 3]| Distribution::new(&texts.map(|text| parse_rational(text).unwrap())).unwrap();
        let laws = vec![law(["0.7", "0.2", "0.1"]), law(["0.2", "0.3", "0.5"])];
        let mut builder = SecretGraph::builder(Names::new("profile", ["a", "b"]).unwrap());
        builder.edge(0, 1, "0.2".parse().unwrap()).unwrap();
        let categories = Categories::new(["x", "y", "z"]).unwrap();
        let problem = Problem::profiles(categories, builder.build().unwrap(), laws).unwrap();
        let instances = Instance::components(&problem);
        let first = LeastFlip::new(&problem, &instances[0], &Watch::default()).unwrap();
        let flip = first.flip;
        let proposal = first.with_least_error(0.9 * flip, &Watch::default()).unwrap();
        assert_eq!(proposal.tie_break, Some(NOT_LEAST));
        let Means::Channels(channels) = proposal.means else { panic!("channels") };
        let flips = channels.iter().flat_map(|channel| {
            let entry = |at: usize| to_f64(&channel.probability(at / 3, at % 3), Direction::Nearest);
            (0..9).filter(|at| at / 3 != at % 3).map(entry).collect::<Vec<f64>>()
        });
        let largest = flips.fold(0.0, f64::max);
        assert!((largest - flip).abs() < 1e-9, "{largest} {flip}");
    }
}
