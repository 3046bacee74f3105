//! What a page needs beside the file: the problem that was solved, and the curve over other ε.

use super::request::{Curve, HasPage, PageEstimates, PageRequest};
use super::trade_off::TradeOffPoint;
use super::within::Compared;
use lookalike::certify::Certified;
use lookalike::counts::CountLoss;
use lookalike::design::{Design, Grid, Objective, Options, Problem, SweepPoint, Watch, design, sweep};
use lookalike::exact::Rational;
use lookalike::model::{Kind, Limits, Mechanism};
use lookalike_engine::Cohort;
use lookalike_formats::{MechanismFile, Result, largest_epsilon};

/// Profiles and edges, times categories: more than so many take too long to design nine times for a curve.
const MOST_SWEPT: usize = 2_000;

/// The objective around the chosen ε, for mechanisms of the same name; empty where it takes too long or cannot be known, which
/// is said in a note.
///
/// # Errors
/// A design that was stopped.
pub(super) fn trade_off(
    file: &MechanismFile,
    certified: &Certified<Mechanism>,
    problem: &Problem,
    watch: Watch<'_>,
    note: &dyn Fn(String),
) -> Result<Vec<TradeOffPoint>> {
    if let Some(reason) = reason_not_to_sweep(file, certified.mechanism()) {
        note(format!("no curve over epsilon: {reason}"));
        return Ok(Vec::new());
    }
    let options = options(file, watch);
    let grid = around(certified.mechanism())?;
    let point = |point: lookalike::Result<SweepPoint>| match point {
        Ok(point) => Ok(Some(TradeOffPoint {
            epsilon: point.epsilon.to_f64(),
            value: point.design.objective.value,
            lower_bound: point.design.objective.lower_bound,
            baseline: point.baseline,
        })),
        Err(error) if error.is_stopped() => Err(error.into()),
        // The page is about the mechanism of the file, which is proved; a point more or less is no reason to fail.
        Err(error) => {
            note(format!("a point of the curve over epsilon is left out: {error}"));
            Ok(None)
        }
    };
    let points = sweep(problem, &grid, &options).map(point).collect::<Result<Vec<_>>>()?;
    Ok(points.into_iter().flatten().collect())
}

/// The design for the profiles themselves, where they have limits and it does not take too long, and what local DP reaches.
///
/// # Errors
/// A design that was stopped.
pub(super) fn compared(
    file: &MechanismFile,
    problem: &Problem,
    local: &Design,
    watch: Watch<'_>,
    note: &dyn Fn(String),
) -> Result<Option<Compared>> {
    if problem.limits().is_empty() || reason_not_to_sweep(file, &file.mechanism).is_some() {
        return Ok(None);
    }
    let points = problem.profile_laws().iter().map(Limits::of_law).collect();
    match design(&problem.clone().within(points)?, &options(file, watch)) {
        Ok(trusting) => Ok(Some(Compared { trusting, local: local.objective.value })),
        Err(error) if error.is_stopped() => Err(error.into()),
        Err(error) => {
            note(format!("what trust in the profiles would cost is left out: {error}"));
            Ok(None)
        }
    }
}

/// A mechanism of the same name.
fn options<'w>(file: &MechanismFile, watch: Watch<'w>) -> Options<'w> {
    let mechanism = file.name.as_deref().and_then(|name| name.parse().ok());
    Options { mechanism, watch, ..Options::default() }
}

fn reason_not_to_sweep(file: &MechanismFile, mechanism: &Mechanism) -> Option<String> {
    let rows = mechanism.graph().names().len() + mechanism.graph().constraints().count();
    let size = rows.saturating_mul(mechanism.inputs().len());
    if named_objective(file).is_some_and(|name| name.parse::<CountLoss>().is_ok()) {
        Some("the mechanism is one of counts, which have a section of their own".into())
    } else if objective_name(file).is_none() {
        Some(
            "the file does not say what its design kept small, or it is a loss matrix, which is not in the file".into(),
        )
    } else if mechanism.inputs() != mechanism.outputs() {
        Some("the released values are not the true ones".into())
    } else if size > MOST_SWEPT {
        Some(format!("profiles and edges times categories are {size}, more than {MOST_SWEPT}; it would take long"))
    } else {
        None
    }
}

/// The page about a mechanism as a whole run has it, with what was learnt. What it leaves out is said in a note.
///
/// # Errors
/// Those of [`HasPage::page`].
pub fn run_page(
    file: &MechanismFile,
    certified: &Certified<Mechanism>,
    estimates: &[Cohort],
    watch: Watch<'_>,
    note: &dyn Fn(&str),
) -> Result<String> {
    let estimates = Some(PageEstimates::Known(estimates));
    let request = PageRequest { estimates, curve: Curve::Designed, ..PageRequest::default() };
    let page = Mechanism::page(file, certified, &request, watch)?;
    page.notes.iter().for_each(|line| note(line));
    Ok(page.html)
}

/// The name of the objective where the file is enough to know it.
fn objective_name(file: &MechanismFile) -> Option<&str> {
    named_objective(file).filter(|name| Objective::of_name(name).is_some())
}

/// The name of any objective.
fn named_objective(file: &MechanismFile) -> Option<&str> {
    file.objective.as_ref()?.get("name")?.as_str()
}

/// The problem that the mechanism solves: the file has all of it but the weights of the profiles, which are taken as
/// equal.
///
/// # Errors
/// None for a file that was read.
pub(super) fn solved_problem(file: &MechanismFile) -> Result<Problem> {
    let mechanism = &file.mechanism;
    let (categories, graph) = (mechanism.inputs().clone(), mechanism.graph().clone());
    let profiles = |graph| -> Result<Problem> {
        let problem = Problem::profiles(categories.clone(), graph, mechanism.profiles().to_vec())?;
        // The curve is about designs that promise as much.
        Ok(if mechanism.limits().is_empty() { problem } else { problem.within(mechanism.limits().to_vec())? })
    };
    let problem = match mechanism.kind() {
        Kind::Point => Problem::values(categories, graph)?,
        Kind::Shared => profiles(graph)?.shared()?,
        _ => profiles(graph)?,
    };
    match objective_name(file) {
        Some(name) => {
            let objective = Objective::named(name, &problem)?;
            Ok(problem.with_objective(objective)?)
        }
        None => Ok(problem),
    }
}

/// The chosen ε with some below and some above it.
fn around(mechanism: &Mechanism) -> Result<Grid> {
    const FACTORS: [(i64, i64); 9] = [(1, 8), (1, 4), (1, 2), (3, 4), (1, 1), (3, 2), (2, 1), (3, 1), (4, 1)];
    let chosen = largest_epsilon(mechanism);
    let scaled = FACTORS.iter().filter_map(|&(n, d)| chosen.scale(&Rational::new(n.into(), d.into())).ok());
    let list: Vec<String> = scaled.map(|epsilon| epsilon.to_string()).collect();
    Ok(list.join(",").parse()?)
}
