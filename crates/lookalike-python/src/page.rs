//! The report: one HTML page about a mechanism of any kind.

use crate::error::{Answer, Failure};
use crate::geo::planar::PlanarNoise;
use crate::mechanism::Mechanism;
use crate::noise::Noise;
use crate::oracle::Oracle;
use lookalike::design::randomized_response;
use lookalike_engine::write_atomically;
use lookalike_report::{Page, TradeOffPoint, noise_page, oracle_page, solved_problem, usual_priors};
use pyo3::prelude::*;
use std::path::PathBuf;

/// The page about a mechanism, with the trade-off at other ε (ε, value, lower bound, local DP) where it is known.
#[pyfunction]
pub fn report_page(mechanism: &Bound<'_, PyAny>, sweep: Vec<(f64, f64, f64, f64)>) -> Answer<String> {
    if let Ok(oracle) = mechanism.cast::<Oracle>() {
        let claim = oracle.get().claim();
        return Ok(oracle_page(claim.certified()?, claim.file.name.as_deref(), &[]));
    }
    if let Ok(noise) = mechanism.cast::<Noise>() {
        return Ok(noise_page(noise.get().claim().certified()?));
    }
    if mechanism.cast::<PlanarNoise>().is_ok() {
        return Err(Failure::input("noise on places has no page: svg() draws it"));
    }
    let claim = &mechanism.cast::<Mechanism>().map_err(PyErr::from)?.get().claim;
    let certified = claim.certified()?;
    let problem = solved_problem(&claim.file)?;
    let baseline = &randomized_response(&problem)?.mechanism;
    let point = |(epsilon, value, lower_bound, baseline)| TradeOffPoint { epsilon, value, lower_bound, baseline };
    let trade_off: Vec<TradeOffPoint> = sweep.into_iter().map(point).collect();
    let page = Page {
        file: &claim.file,
        certified,
        baseline,
        trade_off: &trade_off,
        estimates: &[],
        audit: None,
        account: None,
        priors: &usual_priors(),
    };
    Ok(page.html())
}

/// Writes a text in one step.
#[pyfunction]
pub fn write_text(path: PathBuf, text: &str, overwrite: bool) -> Answer<()> {
    Ok(write_atomically(&path, overwrite, text.as_bytes())?)
}
