//! Dense linear programs, solved by a simplex that knows nothing of privacy and judged by nothing but their numbers.

use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOptions, Variable};

/// min costs·x over x ≥ 0 and the rows. Every variable of an optimum is at most 1: they are probabilities.
#[derive(Debug, Clone, Default)]
pub struct Program {
    pub costs: Vec<f64>,
    pub rows: Vec<Row>,
}

/// Σ terms = bound, or ≤ bound.
#[derive(Debug, Clone)]
pub struct Row {
    pub terms: Vec<(usize, f64)>,
    pub equal: bool,
    pub bound: f64,
}

impl Program {
    /// A new variable ≥ 0.
    pub fn variable(&mut self, cost: f64) -> usize {
        self.costs.push(cost);
        self.costs.len() - 1
    }

    pub fn equal(&mut self, terms: Vec<(usize, f64)>, bound: f64) {
        self.rows.push(Row { terms, equal: true, bound });
    }

    pub fn at_most(&mut self, terms: Vec<(usize, f64)>, bound: f64) {
        self.rows.push(Row { terms, equal: false, bound });
    }

    /// The simplex's answer. It may break a row by the solver's tolerance: whoever asks repairs it.
    pub fn minimize(&self) -> Vec<f64> {
        self.minimize_near(&vec![0.0; self.rows.len()], 1.0)
    }

    /// The answer to the same program with its costs written as what multipliers near the optimum leave over, a price
    /// for the slack of each row included, and enlarged: so the solver's tolerance shrinks.
    pub fn minimize_near(&self, multipliers: &[f64], zoom: f64) -> Vec<f64> {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let costs = self.reduced_costs(multipliers).1;
        let variables: Vec<_> = costs.iter().map(|cost| problem.add_var(zoom * cost, (0.0, f64::INFINITY))).collect();
        for (row, multiplier) in self.rows.iter().zip(multipliers) {
            let mut terms: Vec<_> = row.terms.iter().map(|&(at, factor)| (variables[at], factor)).collect();
            if !row.equal {
                terms.push((problem.add_var(zoom * multiplier.max(0.0), (0.0, f64::INFINITY)), 1.0));
            }
            problem.add_constraint(terms, ComparisonOp::Eq, row.bound);
        }
        solve(&problem, &variables)
    }

    /// One multiplier a row, the answer to the dual program, written out and solved for itself: ≥ 0 on rows `≤`, and
    /// costs + Σ multiplier·row is nowhere negative, up to the solver's tolerance.
    pub fn multipliers(&self) -> Vec<f64> {
        self.multipliers_near(&vec![0.0; self.rows.len()], 1.0)
    }

    /// Better multipliers than the given ones: their difference is solved for, enlarged.
    pub fn multipliers_near(&self, known: &[f64], zoom: f64) -> Vec<f64> {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let least = |row: &Row, known: f64| if row.equal { f64::NEG_INFINITY } else { -zoom * known.max(0.0) };
        let variable = |(row, &known): (&Row, &f64)| problem.add_var(row.bound, (least(row, known), f64::INFINITY));
        let variables: Vec<_> = self.rows.iter().zip(known).map(variable).collect();
        let mut columns = vec![Vec::new(); self.costs.len()];
        for (row, &variable) in self.rows.iter().zip(&variables) {
            row.terms.iter().for_each(|&(at, factor)| columns[at].push((variable, factor)));
        }
        for (column, cost) in columns.into_iter().zip(self.reduced_costs(known).1) {
            problem.add_constraint(column, ComparisonOp::Ge, -cost * zoom);
        }
        let step = solve(&problem, &variables);
        known.iter().zip(step).map(|(known, step)| known + step / zoom).collect()
    }

    /// What no x in the box [0, 1] that keeps the rows can go below, by any multipliers whatsoever.
    pub fn lower_bound(&self, multipliers: &[f64]) -> f64 {
        let (bound, reduced) = self.reduced_costs(multipliers);
        bound + reduced.iter().map(|cost| cost.min(0.0)).sum::<f64>()
    }

    /// The constant and the costs of costs·x + Σ multiplier·(row − bound).
    fn reduced_costs(&self, multipliers: &[f64]) -> (f64, Vec<f64>) {
        let (mut constant, mut reduced) = (0.0, self.costs.clone());
        for (row, &multiplier) in self.rows.iter().zip(multipliers) {
            let multiplier = if row.equal { multiplier } else { multiplier.max(0.0) };
            constant -= multiplier * row.bound;
            row.terms.iter().for_each(|&(at, factor)| reduced[at] += multiplier * factor);
        }
        (constant, reduced)
    }
}

fn solve(problem: &Problem, variables: &[Variable]) -> Vec<f64> {
    let mut options = SolveOptions::default();
    options.tolerances.feasibility = 1e-10;
    let outcome = problem.solve_with(options).expect("the program has an optimum");
    let solution = outcome.into_solution().expect("there is no time limit");
    variables.iter().map(|&variable| solution.var_value(variable)).collect()
}
