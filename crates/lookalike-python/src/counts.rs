//! Mechanisms over the counts of a small group.

use crate::claim::Claim;
use crate::data::Column;
use crate::error::{Answer, Failure};
use crate::graph::at;
use crate::mechanism::Mechanism;
use crate::numbers::{epsilon, rational};
use crate::progress::watched;
use crate::release::VALUES;
use lookalike::counts::{Alpha, Method, Properties, categories};
use lookalike::design::{Progress, Watch};
use lookalike::model::Prior;
use lookalike_engine::Facts;
use lookalike_engine::counts::{
    CountComparison, CountDesign, CountDesigned, CountFound, CountMechanism, CountProperties, CountQuestion,
    CountsRelease,
};
use lookalike_engine::records::{Batch, Columns, Encoder, MemoryColumn, MemorySource, RecordSource};
use pyo3::prelude::*;

/// What is asked of a mechanism over counts.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct CountWords {
    n: usize,
    alpha: Option<String>,
    epsilon: Option<String>,
    properties: String,
    loss: String,
    prior: Option<Vec<String>>,
}

impl CountWords {
    fn alpha(&self) -> Answer<Alpha> {
        match (&self.alpha, &self.epsilon) {
            (Some(alpha), None) => Ok(alpha.parse().map_err(at("alpha"))?),
            (None, Some(text)) => Ok(Alpha::from_epsilon(epsilon(text, "epsilon")?)),
            _ => Err(Failure::input("expected one of alpha and epsilon")),
        }
    }

    fn question(&self) -> Answer<CountQuestion> {
        Ok(CountQuestion {
            n: self.n,
            alpha: self.alpha()?,
            properties: self.properties.parse().map_err(at("properties"))?,
            loss: self.loss.parse().map_err(at("loss"))?,
            prior: self.prior()?,
        })
    }

    fn prior(&self) -> Answer<Prior> {
        let size = categories(self.n)?.len();
        let Some(weights) = &self.prior else { return Ok(Prior::uniform(size)?) };
        if weights.len() != size {
            let found = weights.len();
            return Err(Failure::input(format!("prior: {found} weights, expected {size}, one for each count")));
        }
        let weights = weights.iter().map(|weight| rational(weight, "prior")).collect::<Answer<Vec<_>>>()?;
        Ok(Prior::new(&weights).map_err(at("prior"))?)
    }
}

/// A mechanism over counts by its name in files, proved, and how the optimum was found; a score above `at_most` is refused.
#[pyfunction]
pub fn counts_mechanism(
    py: Python<'_>,
    name: &str,
    words: CountWords,
    at_most: Option<String>,
    progress: Option<Py<PyAny>>,
) -> Answer<(Mechanism, Option<&'static str>)> {
    let known = CountMechanism::NAMED.into_iter().find(|kind| kind.name() == name);
    let kind = known.unwrap_or(CountMechanism::Optimal);
    let at_most = at_most.map(|score| rational(&score, "at_most")).transpose()?;
    let request = CountDesign { question: words.question()?, kind, at_most };
    watched(py, progress.as_ref(), false, |link| match link.watch(|watch| request.run(&watch))? {
        CountDesigned::Found(found) => Ok((proved(&found), found.solution.method.map(Method::name))),
        CountDesigned::Impossible(why) => Err(lookalike_formats::Error::refused(why.reason).into()),
    })
}

fn proved(found: &CountFound) -> Mechanism {
    Mechanism::new(Claim::new(found.file()).with_proof(found.certified.clone()))
}

/// Mechanisms over counts side by side: each with its name and its properties and errors as JSON.
#[pyfunction]
pub fn counts_compare(py: Python<'_>, words: CountWords) -> Answer<Vec<(Mechanism, &'static str, String)>> {
    let request = CountComparison { questions: vec![words.question()?], mechanisms: CountMechanism::NAMED.to_vec() };
    let compared = py.detach(|| request.run(&Watch::default()))?;
    let row =
        |found: &CountFound| (proved(found), found.solution.kind.title(), found.figures.facts().json().to_string());
    Ok(compared.0.iter().map(row).collect())
}

/// Which of the seven properties a mechanism has, exactly, as JSON.
#[pyfunction]
pub fn counts_properties(mechanism: &Mechanism) -> Answer<String> {
    Ok(CountProperties::of(mechanism.inner(), Properties::NONE)?.facts().json().to_string())
}

/// The counts of the rows of each group whose value is one of these, released: groups with outputs.
#[pyfunction]
pub fn counts_release(
    py: Python<'_>,
    mechanism: &Mechanism,
    groups: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
    matching: Vec<String>,
    seed: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> Answer<Vec<(String, String)>> {
    const GROUPS: &str = "groups";
    let (groups, values) = (Column::of(groups, GROUPS)?, Column::of(values, VALUES)?);
    let columns: Vec<(&str, Box<dyn MemoryColumn + '_>)> = vec![(GROUPS, groups.memory()), (VALUES, values.memory())];
    let rows = columns[0].1.rows() as u64;
    let wanted = Columns { profile: Some(GROUPS.to_owned()), values: vec![VALUES.to_owned()], keep: vec![] };
    let request = CountsRelease {
        mechanism: mechanism.inner().clone(),
        mechanism_at: None,
        records_at: None,
        matching,
        group: GROUPS.to_owned(),
        seed,
    };
    watched(py, progress.as_ref(), rows < Batch::MAX_ROWS as u64, move |link| {
        let mut told = |done| link.report(Progress { stage: "counting", done, total: Some(rows) });
        let open = |group: Encoder, matches: Encoder| -> lookalike_formats::Result<Box<dyn RecordSource + '_>> {
            Ok(Box::new(MemorySource::open(columns, &wanted, Some(group), Some(matches), None)?))
        };
        Ok(request.run(open, &mut told)??.released)
    })
}
