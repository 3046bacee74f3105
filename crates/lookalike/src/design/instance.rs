//! One component of a problem in floats: what the solvers see.

use super::floats::floats;
use super::{Problem, Secrets};
use crate::exact::{Direction, to_f64};
use crate::model::{Distribution, Epsilon};

/// Secrets that constraints connect, numbered from 0, with their laws as floats.
///
/// Floats here choose a proposal. Whether it is private is decided later, exactly, on the integers made from it.
pub(super) struct Instance {
    /// The number of categories, d.
    pub(super) size: usize,
    /// The secrets of the problem, ascending; the solvers' number s is `secrets[s]`.
    pub(super) secrets: Vec<u32>,
    /// One law after the other, d numbers each.
    laws: Vec<f64>,
    /// The prior's weights.
    pub(super) weights: Vec<f64>,
    /// About e^ε of the smallest budget.
    least_exp: f64,
    /// Edges and groups among the secrets.
    pub(super) alike: Vec<Alike>,
}

/// Secrets of which every two must look alike: an edge when there are two, a group when there are more.
#[derive(Clone)]
pub(super) struct Alike {
    /// The solvers' numbers, ascending.
    pub(super) members: Vec<u32>,
    /// The budget.
    pub(super) epsilon: Epsilon,
    /// About e^ε.
    pub(super) exp: f64,
}

impl Instance {
    /// One instance a component of the graph, in the order of their first secrets.
    pub(super) fn components(problem: &Problem) -> Vec<Instance> {
        Instance::of_parts(problem, problem.graph().components())
    }

    /// All secrets as one instance, for one channel that serves them all.
    pub(super) fn whole(problem: &Problem) -> Instance {
        let everyone = (0..problem.graph().names().len() as u32).collect();
        Instance::of_parts(problem, vec![everyone]).swap_remove(0)
    }

    fn of_parts(problem: &Problem, parts: Vec<Vec<u32>>) -> Vec<Instance> {
        let size = problem.categories().len();
        let law = |secret: u32| match problem.secrets() {
            Secrets::Profiles(profiles) => law_of(&profiles[secret as usize]),
            Secrets::Values => (0..size as u32).map(|x| f64::from(u8::from(x == secret))).collect(),
        };
        let mut place = vec![(0u32, 0u32); problem.graph().names().len()];
        let mut instances = Vec::new();
        for (at, secrets) in parts.into_iter().enumerate() {
            for (number, &secret) in secrets.iter().enumerate() {
                place[secret as usize] = (at as u32, number as u32);
            }
            let laws = secrets.iter().flat_map(|&secret| law(secret)).collect();
            let weight = |&secret: &u32| to_f64(&problem.prior().weight(secret as usize), Direction::Nearest);
            let weights = secrets.iter().map(weight).collect();
            instances.push(Instance { size, secrets, laws, weights, least_exp: f64::INFINITY, alike: Vec::new() });
        }
        for constraint in problem.graph().constraints() {
            let (at, _) = place[constraint.members[0] as usize];
            let members = constraint.members.iter().map(|&member| place[member as usize].1).collect();
            let exp = constraint.epsilon.to_f64().exp();
            instances[at as usize].least_exp = instances[at as usize].least_exp.min(exp);
            instances[at as usize].alike.push(Alike { members, epsilon: constraint.epsilon.clone(), exp });
        }
        instances
    }

    /// The weight of each wrong output in a randomized response that is private with room to spare, for any profiles:
    /// between that of the smallest ε and an even draw.
    pub(super) fn surely_private(&self) -> f64 {
        let exp = self.least_exp;
        0.5 * (1.0 / (exp + self.size as f64 - 1.0) + 1.0 / self.size as f64)
    }

    /// The probability that such a response makes of p: where solvers start.
    pub(super) fn started(&self, p: f64) -> f64 {
        let even = self.surely_private();
        (1.0 - self.size as f64 * even) * p + even
    }

    /// The place of one probability among all laws, which is its column in a program.
    pub(super) fn place(&self, secret: usize, output: usize) -> u32 {
        (secret * self.size + output) as u32
    }

    /// Every so manieth secret of one group.
    pub(super) fn every(&self, step: usize) -> Instance {
        let chosen = || (0..self.count()).step_by(step.max(1));
        let group = |alike: &Alike| Alike { members: (0..chosen().count() as u32).collect(), ..alike.clone() };
        Instance {
            least_exp: self.least_exp,
            size: self.size,
            secrets: chosen().map(|secret| self.secrets[secret]).collect(),
            laws: chosen().flat_map(|secret| self.law(secret)).copied().collect(),
            weights: chosen().map(|secret| self.weights[secret]).collect(),
            alike: self.alike.iter().map(group).collect(),
        }
    }

    /// How many secrets there are.
    pub(super) fn count(&self) -> usize {
        self.secrets.len()
    }

    /// Weights that a solver can see: a secret that the prior gives none is still to be released as well as it costs the
    /// others nothing, and a component without weight is as good as any.
    pub(super) fn costs(&self) -> Vec<f64> {
        let largest = self.weights.iter().copied().fold(0.0, f64::max);
        if largest < RARE {
            return vec![1.0 / self.count() as f64; self.count()];
        }
        self.weights.iter().map(|weight| weight.max(LIGHT * largest)).collect()
    }

    /// The weights, scaled to sum to 1; even ones where the prior gives this component none.
    pub(super) fn weights_to_one(&self) -> Vec<f64> {
        let weights = self.costs();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    }

    /// A solver's laws without the dust of outputs that no law really uses: such an output would have to be protected
    /// like the others.
    pub(super) fn swept(&self, numbers: &[f64]) -> Vec<f64> {
        const DUST: f64 = 1e-11;
        let mut laws = numbers[..self.laws.len()].to_vec();
        for y in 0..self.size {
            let places = || (y..self.laws.len()).step_by(self.size);
            if places().all(|at| laws[at] < DUST && self.laws[at] == 0.0) {
                places().for_each(|at| laws[at] = 0.0);
            }
        }
        laws
    }

    /// All laws, one after the other.
    pub(super) fn laws(&self) -> &[f64] {
        &self.laws
    }

    /// The part of one secret in numbers that are laid out like the laws.
    pub(super) fn law_in<'b>(&self, numbers: &'b [f64], secret: usize) -> &'b [f64] {
        &numbers[secret * self.size..(secret + 1) * self.size]
    }

    /// The law of one secret.
    pub(super) fn law(&self, secret: usize) -> &[f64] {
        &self.laws[secret * self.size..(secret + 1) * self.size]
    }
}

/// The law in floats, in which what is positive stays so: inputs without probability are outside every objective.
fn law_of(profile: &Distribution) -> Vec<f64> {
    let positive = |(x, p): (usize, f64)| if p == 0.0 && !profile.numerator(x).is_zero() { RARE } else { p };
    floats(profile).into_iter().enumerate().map(positive).collect()
}

/// Stands for a probability that is positive and below the floats.
const RARE: f64 = 1e-290;
/// The share of the largest weight that the lightest secret has.
const LIGHT: f64 = 1e-10;
