//! Tests of the solver: against an independent simplex method, and at the edges of what floats can do.

use super::super::{Answer, Program, Solver, solve as solve_with};
use super::*;
use microlp::{ComparisonOp, OptimizationDirection, Problem};
use proptest::prelude::*;

fn solve(program: &Program) -> Result<Answer, Failure> {
    solve_with(program, Some(Solver::InteriorPoint), &|_| Wish::GoOn)
}

/// A random program whose columns lie in [0, 1] and whose rows all hold at one point, so that it is feasible.
#[derive(Debug, Clone)]
struct Random {
    costs: Vec<f64>,
    rows: Vec<(Vec<f64>, bool)>,
    point: Vec<f64>,
}

fn random() -> impl Strategy<Value = Random> {
    let number = || (-8i32..=8).prop_map(|value| f64::from(value) / 4.0);
    (1usize..7).prop_flat_map(move |columns| {
        let row = (prop::collection::vec(number(), columns), prop::bool::weighted(0.2));
        let point = prop::collection::vec((0u32..=4).prop_map(|value| f64::from(value) / 4.0), columns);
        (prop::collection::vec(number(), columns), prop::collection::vec(row, 0..9), point)
            .prop_map(|(costs, rows, point)| Random { costs, rows, point })
    })
}

impl Random {
    fn right(&self, row: &[f64]) -> f64 {
        row.iter().zip(&self.point).map(|(value, x)| value * x).sum()
    }

    fn program(&self) -> Program {
        let mut program = Program::new();
        self.costs.iter().for_each(|&cost| _ = program.column(cost, 0.0, 1.0));
        for (row, equation) in &self.rows {
            let terms = row.iter().enumerate().map(|(at, &value)| (at as u32, value));
            let right = self.right(row);
            program.row(terms, if *equation { right } else { f64::NEG_INFINITY }, right);
        }
        program
    }

    fn optimum(&self) -> f64 {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let columns: Vec<_> = self.costs.iter().map(|&cost| problem.add_var(cost, (0.0, 1.0))).collect();
        for (row, equation) in &self.rows {
            let terms: Vec<_> =
                columns.iter().copied().zip(row.iter().copied()).filter(|(_, value)| *value != 0.0).collect();
            if !terms.is_empty() {
                let operation = if *equation { ComparisonOp::Eq } else { ComparisonOp::Le };
                problem.add_constraint(terms, operation, self.right(row));
            }
        }
        problem.solve().unwrap().into_solution().unwrap().objective()
    }
}

proptest! {
    #[test]
    fn the_optimum_is_that_of_the_simplex_method_and_the_multipliers_prove_it(random in random()) {
        let (program, expected) = (random.program(), random.optimum());
        // As designs ask: on one of some 600 of these programs our method stalls, and the solver behind it has the answer.
        let answer = solve_with(&program, None, &|_| Wish::GoOn).unwrap();
        prop_assert!((answer.cost - expected).abs() < 1e-7, "{} {expected}", answer.cost);
        // Weak duality over the box: Σ_r y_r b_r + Σ_j min(0, c_j − Σ_r y_r a_rj) for y_r ≤ 0 on inequalities.
        let mut reduced = random.costs.clone();
        let (mut bound, mut largest) = (0.0, 1.0f64);
        for (at, (row, equation)) in random.rows.iter().enumerate() {
            let y = if *equation { answer.multipliers[at] } else { answer.multipliers[at].min(0.0) };
            bound += y * random.right(row);
            largest = largest.max(y.abs());
            reduced.iter_mut().zip(row).for_each(|(cost, value)| *cost -= y * value);
        }
        bound += reduced.iter().map(|cost| cost.min(0.0)).sum::<f64>();
        // Where the rows leave a single point the multipliers have no bound, and this sum no last digits.
        let blur = 1e-14 * largest;
        prop_assert!(bound <= expected + 1e-7 + blur && bound >= expected - 1e-6 - blur, "{bound} {expected}");
        let missed = |(row, equation): &(Vec<f64>, bool)| {
            let over = row.iter().zip(&answer.x).map(|(value, x)| value * x).sum::<f64>() - random.right(row);
            if *equation { over.abs() } else { over.max(0.0) }
        };
        prop_assert!(random.rows.iter().map(missed).fold(0.0, f64::max) < 1e-8);
    }
}

#[test]
fn rows_that_say_the_same_thing_twice_and_nearly_opposite_rows_are_no_trouble() {
    let mut program = Program::new();
    let columns: Vec<u32> = (0..6).map(|at| program.column(f64::from(at), 0.0, 1.0)).collect();
    for _ in 0..3 {
        program.row(columns.iter().map(|&column| (column, 1.0)), 1.0, 1.0);
    }
    let tilt = 1.0 + 1e-3;
    for pair in columns.windows(2) {
        program.row([(pair[0], 1.0), (pair[1], -tilt)], f64::NEG_INFINITY, 0.0);
        program.row([(pair[1], 1.0), (pair[0], -tilt)], f64::NEG_INFINITY, 0.0);
        program.row([(pair[1], 1.0), (pair[0], -tilt)], f64::NEG_INFINITY, 0.0);
    }
    let answer = solve(&program).unwrap();
    // The best are probabilities that fall by e^ε from one column to the next.
    let total: f64 = (0..6).map(|at| tilt.powi(-at)).sum();
    for (at, x) in answer.x.iter().enumerate() {
        assert!((x - tilt.powi(-(at as i32)) / total).abs() < 1e-9, "{at}: {x}");
    }
    assert!(answer.miss < 1e-12 && answer.gap < 1e-8 && answer.steps < 60);
}

#[test]
fn the_pull_chooses_among_optima() {
    let mut program = Program::new();
    let columns: Vec<u32> = (0..3).map(|_| program.column(0.0, 0.0, 1.0)).collect();
    columns.iter().zip([0.5, 0.3, 0.1]).for_each(|(&column, target)| program.pull(column, 1.0, target));
    program.row(columns.iter().map(|&column| (column, 1.0)), 1.0, 1.0);
    let answer = solve(&program).unwrap();
    for (x, expected) in answer.x.iter().zip([0.5, 0.3, 0.1]) {
        assert!((x - expected - 0.1 / 3.0).abs() < 1e-9, "the nearest point of the simplex: {x}");
    }
}

#[test]
fn constant_columns_and_rows_without_effect_are_left_out() {
    let mut program = Program::new();
    let [fixed, free] = [program.column(1.0, 0.25, 0.25), program.column(-1.0, 0.0, 1.0)];
    program.row([(fixed, 1.0), (free, 1.0)], f64::NEG_INFINITY, 0.75);
    program.row([(free, 1.0)], f64::NEG_INFINITY, 2.0);
    program.row([(fixed, 1.0)], 0.0, 1.0);
    let answer = solve(&program).unwrap();
    assert!((answer.x[1] - 0.5).abs() < 1e-11 && answer.x[0] == 0.25);
    assert_eq!(answer.multipliers[1], 0.0);
}

#[test]
fn the_answer_to_an_infeasible_program_says_what_it_misses_and_a_stopped_one_stops() {
    let mut program = Program::new();
    let column = program.column(1.0, 0.0, 1.0);
    program.row([(column, 1.0)], 0.75, f64::INFINITY);
    program.row([(column, 1.0)], f64::NEG_INFINITY, 0.25);
    assert!(solve(&program).unwrap().miss >= 0.2);
    assert_eq!(
        solve_with(&program, None, &|step| if step == 1 { Wish::Stop } else { Wish::GoOn }).unwrap_err(),
        Failure::Stopped
    );
}
