//! A page with what it takes to make it: the baseline, and the curve over other ε.

use super::Page;
use super::posterior::usual_priors;
use super::trade_off::TradeOffPoint;
use lookalike::certify::Certified;
use lookalike::counts::CountLoss;
use lookalike::design::{
    Grid, MechanismName, Objective, Options, Problem, SweepPoint, Watch, randomized_response, sweep,
};
use lookalike::exact::Rational;
use lookalike::model::{Kind, Mechanism};
use lookalike_engine::ledger::LedgerStatus;
use lookalike_engine::{AuditFigures, Cohort};
use lookalike_formats::{MechanismFile, Result, largest_epsilon};

/// Profiles and edges, times categories: more than so many take too long to design nine times for a curve.
const MOST_SWEPT: usize = 2_000;

/// What a page is made from.
pub struct About<'a> {
    /// The file.
    pub file: &'a MechanismFile,
    /// Its mechanism with the proof.
    pub certified: &'a Certified<Mechanism>,
    /// The problem that the mechanism solves, for the baseline and the curve.
    pub problem: &'a Problem,
    /// What was estimated; may be empty.
    pub estimates: &'a [Cohort],
    /// What an attack found, if there was one.
    pub audit: Option<&'a AuditFigures>,
    /// What a ledger adds up to, if there is one.
    pub account: Option<&'a LedgerStatus>,
    /// What an adversary may believe before the release, from 0 to 1; may be empty.
    pub priors: &'a [Rational],
    /// Whether to draw the curve over other ε, where it does not take too long.
    pub sweep: bool,
}

impl About<'_> {
    /// The page. What it leaves out is said in a note.
    ///
    /// # Errors
    /// A design that was stopped.
    pub fn html(&self, watch: Watch<'_>, note: &dyn Fn(&str)) -> Result<String> {
        let trade_off = match self.reason_not_to_sweep() {
            None => self.trade_off(watch, note)?,
            Some(reason) => {
                note(&format!("no curve over epsilon: {reason}"));
                Vec::new()
            }
        };
        let (file, certified, estimates, audit) = (self.file, self.certified, self.estimates, self.audit);
        let baseline = &randomized_response(self.problem)?.mechanism;
        Ok(Page {
            file,
            certified,
            baseline,
            trade_off: &trade_off,
            estimates,
            audit,
            account: self.account,
            priors: self.priors,
        }
        .html())
    }

    fn reason_not_to_sweep(&self) -> Option<String> {
        let mechanism = self.certified.mechanism();
        let rows = mechanism.graph().names().len() + mechanism.graph().constraints().count();
        let size = rows.saturating_mul(mechanism.inputs().len());
        if !self.sweep {
            Some("--no-sweep".into())
        } else if named_objective(self.file).is_some_and(|name| name.parse::<CountLoss>().is_ok()) {
            Some("the mechanism is one of counts, which have a section of their own".into())
        } else if objective_name(self.file).is_none() {
            Some(
                "the file does not say what its design kept small, or it is a loss matrix, which is not in the file"
                    .into(),
            )
        } else if mechanism.inputs() != mechanism.outputs() {
            Some("the released values are not the true ones".into())
        } else if size > MOST_SWEPT {
            Some(format!("profiles and edges times categories are {size}, more than {MOST_SWEPT}; it would take long"))
        } else {
            None
        }
    }

    /// The objective around the chosen ε, for mechanisms of the same name.
    fn trade_off(&self, watch: Watch<'_>, note: &dyn Fn(&str)) -> Result<Vec<TradeOffPoint>> {
        let name: Option<MechanismName> = self.file.name.as_deref().and_then(|name| name.parse().ok());
        let options = Options { mechanism: name, watch, ..Options::default() };
        let grid = around(self.certified.mechanism())?;
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
                note(&format!("a point of the curve over epsilon is left out: {error}"));
                Ok(None)
            }
        };
        let points = sweep(self.problem, &grid, &options).map(point).collect::<Result<Vec<_>>>()?;
        Ok(points.into_iter().flatten().collect())
    }
}

/// The page about a mechanism as a whole run has it, with what was learnt.
///
/// # Errors
/// Those of [`About::html`].
pub fn run_page(
    file: &MechanismFile,
    certified: &Certified<Mechanism>,
    estimates: &[Cohort],
    watch: Watch<'_>,
    note: &dyn Fn(&str),
) -> Result<String> {
    let problem = &solved_problem(file)?;
    let priors = &usual_priors();
    let about = About { file, certified, problem, estimates, audit: None, account: None, priors, sweep: true };
    about.html(watch, note)
}

/// The name of the objective where the file is enough to know it.
fn objective_name(file: &MechanismFile) -> Option<&str> {
    named_objective(file).filter(|name| ["max-flip", "expected-error", "ordinal-error"].contains(name))
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
pub fn solved_problem(file: &MechanismFile) -> Result<Problem> {
    let mechanism = &file.mechanism;
    let (categories, graph) = (mechanism.inputs().clone(), mechanism.graph().clone());
    let problem = match mechanism.kind() {
        Kind::Point => Problem::values(categories, graph)?,
        Kind::Shared => Problem::profiles(categories, graph, mechanism.profiles().to_vec())?.shared()?,
        _ => Problem::profiles(categories, graph, mechanism.profiles().to_vec())?,
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
