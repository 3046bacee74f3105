//! `design --sweep`: the trade-off between privacy and utility.

use super::prove;
use super::report::decimal_text;
use crate::terminal::{Terminal, figure, small, whole_table};
use lookalike::design::{Grid, Options, Problem, SweepPoint, sweep};
use lookalike_formats::{Result, objective_json};
use serde_json::{Value, json};

/// Every point designed and certified.
pub fn points(problem: &Problem, grid: &Grid, options: &Options<'_>) -> Result<Vec<Row>> {
    let row = |point: lookalike::Result<SweepPoint>| {
        let point = point?;
        prove(point.design.mechanism.clone())?;
        Ok(Row::of(&point))
    };
    sweep(problem, grid, options).map(row).collect()
}

/// What the tables show of a point that was certified; the mechanism itself is not kept.
pub struct Row {
    object: Value,
    cells: Vec<String>,
}

impl Row {
    fn of(point: &SweepPoint) -> Row {
        let (design, epsilon) = (&point.design, &point.epsilon);
        let objective = &design.objective;
        let object = json!({
            "epsilon": epsilon.to_f64(),
            "epsilon_text": epsilon.to_string(),
            "mechanism": design.name.name(),
            "algorithm": design.solution.algorithm.name(),
            "objective": objective_json(design),
            "baseline": { "name": "k-rr", "value": point.baseline },
            "expected_error": point.expected_error,
            "repair_cost": design.solution.repair_cost,
            "certified": true,
        });
        let cells = vec![
            decimal_text(epsilon),
            figure(objective.value),
            figure(objective.lower_bound),
            small(objective.gap()),
            figure(point.baseline),
            figure(point.expected_error),
            "yes".to_owned(),
            design.solution.algorithm.to_string(),
        ];
        Row { object, cells }
    }
}

/// The table for people, or an array for machines.
pub fn print(rows: &[Row], objective: &str, terminal: &Terminal) -> Result<()> {
    let header = ["epsilon", objective, "lower bound", "gap", "local DP", "error", "certified", "algorithm"];
    let array = rows.iter().map(|row| row.object.clone()).collect();
    terminal.answer(array, || whole_table(&header, rows.iter().map(|row| row.cells.clone())))
}
