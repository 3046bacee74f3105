//! What the solutions of problem (6) have in common: the range of each category's cost over all of them.

use crate::proved::{certified, distance, float};
use lookalike::design::{Problem, repair};
use lookalike::exact::Rational;
use lookalike::model::{Channel, Distribution, Mechanism, TOTAL};
use lookalike_formats::{Error, Result};
use microlp::{ComparisonOp, OptimizationDirection, SolveOptions, Variable};

/// How much the largest flip may exceed the optimum: what the solver takes for equal.
const SLACK: f64 = 1e-9;

/// Definition (8): for each category j the largest |P_i(j) − (P_i A^i)(j)| over profiles i, exactly.
pub(crate) fn costs(mechanism: &Mechanism) -> Vec<Rational> {
    let (inputs, outputs) = (mechanism.profiles(), mechanism.output_laws());
    let cost = |category: usize| {
        let moved =
            |(p, q): (&Distribution, &Distribution)| distance(&p.probability(category), &q.probability(category));
        inputs.iter().zip(&outputs).map(moved).max().expect("a profile")
    };
    (0..mechanism.inputs().len()).map(cost).collect()
}

/// The smallest and the largest cost of one category over all transition matrices whose entries off the diagonal are
/// at most `largest_flip`, each read off a certified mechanism that has it.
///
/// The smallest is one linear program; the largest is the best of two for each profile, for a law that moves up and
/// for one that moves down. The unknowns are the entries themselves, as in problem (6), so this shares nothing with
/// the design but the problem.
///
/// # Errors
/// A flip below the optimum, or a program that the solver gives up.
pub(crate) fn cost_range(problem: &Problem, largest_flip: f64, category: usize) -> Result<[Rational; 2]> {
    let smallest = Transitions::new(problem, largest_flip, OptimizationDirection::Minimize).least_cost(category)?;
    let mut largest: Option<(f64, Mechanism)> = None;
    for (secret, sign) in (0..problem.profile_laws().len()).flat_map(|secret| [(secret, 1.0), (secret, -1.0)]) {
        let program = Transitions::new(problem, largest_flip, OptimizationDirection::Maximize);
        let (moved, mechanism) = program.furthest(secret, category, sign)?;
        if largest.as_ref().is_none_or(|(most, _)| moved > *most) {
            largest = Some((moved, mechanism));
        }
    }
    let (_, largest) = largest.expect("a profile");
    Ok([exact_cost(smallest, category)?, exact_cost(largest, category)?])
}

fn exact_cost(mechanism: Mechanism, category: usize) -> Result<Rational> {
    Ok(costs(certified(mechanism)?.mechanism()).swap_remove(category))
}

/// A linear program over the entries of all transition matrices.
struct Transitions<'a> {
    problem: &'a Problem,
    program: microlp::Problem,
    /// Entry (x, y) of profile i at `entries[i][x][y]`.
    entries: Vec<Vec<Vec<Variable>>>,
    /// The profiles.
    laws: Vec<Vec<f64>>,
}

impl<'a> Transitions<'a> {
    fn new(problem: &'a Problem, largest_flip: f64, direction: OptimizationDirection) -> Self {
        let (mut program, size) = (microlp::Problem::new(direction), problem.categories().len());
        let laws: Vec<Vec<f64>> =
            problem.profile_laws().iter().map(|law| law.probabilities().map(|p| float(&p)).collect()).collect();
        let mut entry = |x: usize, y: usize| {
            let most = if x == y { 1.0 } else { largest_flip + SLACK };
            program.add_var(0.0, (0.0, most))
        };
        let mut matrix = || (0..size).map(|x| (0..size).map(|y| entry(x, y)).collect()).collect();
        let entries: Vec<Vec<Vec<Variable>>> = laws.iter().map(|_| matrix()).collect();
        for row in entries.iter().flatten() {
            program.add_constraint(row.iter().map(|&entry| (entry, 1.0)), ComparisonOp::Eq, 1.0);
        }
        let mut transitions = Transitions { problem, program, entries, laws };
        for edge in problem.graph().edges() {
            let (exp, [a, b]) = (edge.epsilon().to_f64().exp(), edge.ends().map(|end| end as usize));
            for (more, less, y) in (0..size).flat_map(|y| [(a, b, y), (b, a, y)]) {
                let mut row = transitions.law(more, y, 1.0);
                row.extend(transitions.law(less, y, -exp));
                transitions.program.add_constraint(row, ComparisonOp::Le, 0.0);
            }
        }
        transitions
    }

    /// `factor` times the probability of output y under a profile.
    fn law(&self, secret: usize, y: usize, factor: f64) -> Vec<(Variable, f64)> {
        self.laws[secret].iter().zip(&self.entries[secret]).map(|(p, row)| (row[y], factor * p)).collect()
    }

    /// A mechanism with the smallest cost of a category.
    fn least_cost(mut self, category: usize) -> Result<Mechanism> {
        let cost = self.program.add_var(1.0, (0.0, 1.0));
        for (secret, sign) in (0..self.laws.len()).flat_map(|secret| [(secret, 1.0), (secret, -1.0)]) {
            let mut row = self.law(secret, category, sign);
            row.push((cost, -1.0));
            self.program.add_constraint(row, ComparisonOp::Le, sign * self.laws[secret][category]);
        }
        Ok(self.solved()?.1)
    }

    /// A mechanism that moves a profile's probability of a category furthest, up or down, and how far.
    fn furthest(mut self, secret: usize, category: usize, sign: f64) -> Result<(f64, Mechanism)> {
        let moved = self.program.add_var(1.0, (-1.0, 1.0));
        let mut row = self.law(secret, category, sign);
        row.push((moved, -1.0));
        self.program.add_constraint(row, ComparisonOp::Eq, sign * self.laws[secret][category]);
        self.solved()
    }

    /// The objective, and the mechanism that reaches it: rounded to whole weights and repaired.
    fn solved(self) -> Result<(f64, Mechanism)> {
        let mut options = SolveOptions::default();
        options.tolerances.feasibility = 1e-10;
        let outcome = self.program.solve_with(options);
        let outcome = outcome.map_err(|error| Error::input(format!("the simplex gave up: {error}")))?;
        let solution = outcome.into_solution().expect("there is no time limit");
        let row = |row: &Vec<Variable>| rounded(row.iter().map(|&entry| solution.var_value(entry)));
        let channel = |rows: &Vec<Vec<Variable>>| Ok(Channel::rows(rows.iter().map(row).collect())?);
        let channels = self.entries.iter().map(channel).collect::<Result<Vec<_>>>()?;
        let (categories, assignment) = (self.problem.categories(), (0..channels.len() as u32).collect());
        let profiles = self.problem.profile_laws().to_vec();
        let graph = self.problem.graph().clone();
        let draft = Mechanism::aware(categories.clone(), categories.clone(), graph, profiles, channels, assignment)?;
        Ok((solution.objective(), repair(draft)?.mechanism))
    }
}

/// The row of floats as whole weights; the largest takes what rounding leaves.
fn rounded(row: impl Iterator<Item = f64>) -> Vec<u64> {
    let mut weights: Vec<u64> = row.map(|entry| (entry.clamp(0.0, 1.0) * TOTAL as f64).round() as u64).collect();
    let others = weights.iter().sum::<u64>() - weights.iter().max().expect("an entry");
    let largest = weights.iter_mut().max().expect("an entry");
    *largest = TOTAL - others;
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proved::{designed, largest_flip};
    use crate::settings::{bernoulli_couplet, categorical_chain};
    use lookalike::design::MechanismName;

    #[test]
    fn a_brute_force_over_flips_finds_no_cost_outside_the_range_and_reaches_both_ends() {
        let ones = ["0.3", "0.8"].map(|p| lookalike::exact::parse_rational(p).unwrap());
        let problem = bernoulli_couplet(&ones, &"0.4".parse().unwrap()).unwrap();
        let t = designed(&problem, MechanismName::SmoothCategorical).unwrap().objective.value + 0.05;
        let (exp, steps) = (0.4f64.exp(), 30u32);
        let mut found = [f64::INFINITY, f64::NEG_INFINITY];
        for at in 0..(steps + 1).pow(4) {
            let flip = |place: u32| t * f64::from(at / (steps + 1).pow(place) % (steps + 1)) / f64::from(steps);
            let law = |p: f64, up: f64, down: f64| p * (1.0 - down) + (1.0 - p) * up;
            let q = [law(0.3, flip(0), flip(1)), law(0.8, flip(2), flip(3))];
            let private = |a: f64, b: f64| a <= exp * b && b <= exp * a;
            if private(q[0], q[1]) && private(1.0 - q[0], 1.0 - q[1]) {
                let cost = (q[0] - 0.3).abs().max((q[1] - 0.8).abs());
                found = [found[0].min(cost), found[1].max(cost)];
            }
        }
        let range = cost_range(&problem, t, 1).unwrap().map(|cost| float(&cost));
        assert!((range[0] - found[0]).abs() < 2e-2 && range[0] <= found[0] + 1e-9, "{range:?} {found:?}");
        assert!((range[1] - found[1]).abs() < 2e-2 && range[1] >= found[1] - 1e-9, "{range:?} {found:?}");
    }

    #[test]
    fn the_ends_of_the_range_are_optimal_themselves() {
        let problem = categorical_chain(&"0.2".parse().unwrap()).unwrap();
        let t = designed(&problem, MechanismName::SmoothCategorical).unwrap().objective.value;
        for category in 0..4 {
            let least = Transitions::new(&problem, t, OptimizationDirection::Minimize).least_cost(category).unwrap();
            let most = Transitions::new(&problem, t, OptimizationDirection::Maximize);
            let (moved, most) = most.furthest(0, category, 1.0).unwrap();
            for mechanism in [least, most.clone()] {
                assert!((float(&largest_flip(&mechanism)) - t).abs() < 1e-7);
                certified(mechanism).unwrap();
            }
            assert!(float(&costs(&most)[category]) >= moved - 1e-7);
        }
    }

    #[test]
    fn less_noise_than_the_optimum_is_refused() {
        let problem = categorical_chain(&"0.2".parse().unwrap()).unwrap();
        let t = designed(&problem, MechanismName::SmoothCategorical).unwrap().objective.value;
        assert!(cost_range(&problem, t - 1e-4, 0).is_err());
    }
}
