//! Pages about mechanisms of any kind.

use crate::error::Answer;
use lookalike_engine::{LedgerAt, write_atomically};
use lookalike_formats::Error;
use lookalike_report::{Curve, PageEstimates, PageRequest, TradeOffPoint, parse_prior};
use pyo3::prelude::*;
use std::path::PathBuf;

/// What a page is to show beside the mechanism.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub struct PageWords {
    estimate: Option<PathBuf>,
    audit: Option<PathBuf>,
    ledger: Option<PathBuf>,
    key: Option<PathBuf>,
    prior: Option<Vec<String>>,
    /// ε, value, lower bound and local DP of each point; none for a curve that is yet to be designed.
    curve: Option<Vec<(f64, f64, f64, f64)>>,
}

impl PageWords {
    pub fn request(self) -> Answer<PageRequest<'static>> {
        let PageWords { estimate, audit, ledger, key, prior, curve } = self;
        let point = |(epsilon, value, lower_bound, baseline)| TradeOffPoint { epsilon, value, lower_bound, baseline };
        let belief = |text: String| parse_prior(&text).map_err(|error: Error| error.at("prior"));
        Ok(PageRequest {
            estimates: estimate.map(PageEstimates::File),
            audit,
            ledger: ledger.map(|path| LedgerAt { path, key }),
            priors: prior.map(|texts| texts.into_iter().map(belief).collect::<Result<_, _>>()).transpose()?,
            curve: curve.map_or(Curve::Designed, |points| Curve::Known(points.into_iter().map(point).collect())),
        })
    }
}

/// Writes a text in one step.
#[pyfunction]
pub fn write_text(path: PathBuf, text: &str, overwrite: bool) -> Answer<()> {
    Ok(write_atomically(&path, overwrite, text.as_bytes())?)
}
