//! Profiles from records.

use crate::data::Column;
use crate::error::{Answer, Failure};
use crate::numbers::{epsilon, rational};
use crate::progress::watched;
use crate::release::{PROFILES, VALUES};
use lookalike::design::Progress;
use lookalike_engine::Facts;
use lookalike_engine::fit::FitRequest;
use lookalike_engine::records::{MemoryColumn, Records};
use lookalike_formats::{Domain, FitGraph, FitOptions, Small};
use pyo3::prelude::*;

/// How to fit.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct FitArguments {
    categories: Option<Vec<String>>,
    bins: Option<Vec<String>>,
    quantiles: Option<u32>,
    public_data: bool,
    public_categories: bool,
    unknown: Option<String>,
    shape: Option<String>,
    epsilon: Option<String>,
    pseudo_count: String,
    minimum: u64,
    drop_small: bool,
    pool_small: Option<String>,
    confidence: String,
    simultaneous: bool,
    limits_grid: u32,
    trust_profiles: bool,
    same_data: bool,
}

const GROUPS: &str = "groups";
const ROLES: &str = "roles";

impl FitArguments {
    fn options(&self, groups: bool, roles: bool) -> Answer<FitOptions> {
        let bins = self.bins.as_ref().map(|edges| edges.iter().map(|edge| rational(edge, "bins")).collect());
        let bins = bins.transpose()?;
        let categories = self.categories.as_deref();
        let domain = Domain::choose(categories, bins, self.quantiles, self.public_data, self.public_categories)?;
        let graph = match (groups, self.shape.as_deref()) {
            (true, None) => FitGraph::GroupBy(GROUPS.to_owned()),
            (false, None) => FitGraph::Open,
            (false, Some("complete")) => FitGraph::Complete,
            (false, Some("chain")) => FitGraph::Chain,
            (true, Some(_)) => return Err(Failure::input("both groups and shape, expected one of them")),
            (false, Some(other)) => {
                return Err(Failure::input(format!("shape: {other:?}, expected complete or chain")));
            }
        };
        let small = match (&self.pool_small, self.drop_small) {
            (Some(name), false) => Small::Pool(name.clone()),
            (None, false) => Small::Refuse,
            (None, true) => Small::Drop,
            (Some(_), true) => return Err(Failure::input("both drop_small and pool_small, expected one of them")),
        };
        Ok(FitOptions {
            unknown: self.unknown.clone(),
            profile_by: roles.then(|| ROLES.to_owned()),
            pseudo_count: rational(&self.pseudo_count, "pseudo_count")?,
            minimum: self.minimum,
            small,
            confidence: rational(&self.confidence, "confidence")?,
            simultaneous: self.simultaneous,
            limits_grid: self.limits_grid,
            trust_profiles: self.trust_profiles,
            same_data: self.same_data,
            graph,
            epsilon: self.epsilon.as_deref().map(|text| epsilon(text, "epsilon")).transpose()?,
            ..FitOptions::new(PROFILES, vec![VALUES.to_owned()], domain)
        })
    }
}

/// The profiles of records: what was fitted as JSON, the spec and the limits.
#[pyfunction]
pub fn fit<'py>(
    py: Python<'py>,
    columns: [Option<Bound<'py, PyAny>>; 4],
    arguments: FitArguments,
    progress: Option<Py<PyAny>>,
) -> Answer<(String, String, String)> {
    let names = [PROFILES, VALUES, GROUPS, ROLES];
    let read =
        |(data, name): (&Option<Bound<'py, PyAny>>, &str)| data.as_ref().map(|data| Column::of(data, name)).transpose();
    let columns = columns.iter().zip(names).map(read).collect::<Answer<Vec<_>>>()?;
    let options = arguments.options(columns[2].is_some(), columns[3].is_some())?;
    let memory: Vec<(&str, Box<dyn MemoryColumn + '_>)> =
        names.into_iter().zip(&columns).filter_map(|(name, column)| Some((name, column.as_ref()?.memory()))).collect();
    let rows = memory.first().map_or(0, |(_, column)| column.rows()) as u64;
    let fitted = watched(py, progress.as_ref(), rows < 65_536, move |link| {
        let mut told = |done| link.report(Progress { stage: "counting", done, total: Some(rows) });
        Ok(FitRequest { records: Records::Memory(memory), options: &options }.run(&mut told)?)
    })?;
    Ok((fitted.facts(None).json().to_string(), fitted.spec_toml(), fitted.limits_csv()))
}
