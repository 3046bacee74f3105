//! Mechanisms over the counts of a small group.

use crate::claim::Claim;
use crate::data::Column;
use crate::error::{Answer, Failure};
use crate::graph::at;
use crate::mechanism::Mechanism;
use crate::numbers::{epsilon, rational};
use crate::progress::watched;
use crate::release::{VALUES, key};
use lookalike::certify::certify;
use lookalike::counts::{
    Alpha, Cell, CountLoss, Method, Properties, Property, categories, check, closed_form_tie_break, expected_loss,
    explicit_fair, geometric, optimal, properties, score, uniform, weakly_honest,
};
use lookalike::design::Progress;
use lookalike::exact::{Direction, Rational, to_f64};
use lookalike::model::Prior;
use lookalike_engine::records::{Batch, Columns, Encoder, GrowingLabels, MemoryColumn, MemorySource};
use lookalike_engine::{Matches, count_groups, protected_counts, release_counts};
use lookalike_formats::{MechanismFile, certificate_json};
use pyo3::prelude::*;
use serde_json::{Value, json};

/// What is asked of a mechanism over counts.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Wishes {
    n: usize,
    alpha: Option<String>,
    epsilon: Option<String>,
    properties: String,
    loss: String,
    prior: Option<Vec<String>>,
}

impl Wishes {
    fn alpha(&self) -> Answer<Alpha> {
        match (&self.alpha, &self.epsilon) {
            (Some(alpha), None) => Ok(alpha.parse().map_err(at("alpha"))?),
            (None, Some(text)) => Ok(Alpha::from_epsilon(epsilon(text, "epsilon")?)),
            _ => Err(Failure::input("expected one of alpha and epsilon")),
        }
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

/// A mechanism over counts by its name in files, proved, with the objective that its file has.
#[pyfunction]
pub fn counts_mechanism(
    py: Python<'_>,
    name: &str,
    wishes: Wishes,
    progress: Option<Py<PyAny>>,
) -> Answer<(Mechanism, Option<String>)> {
    let (n, alpha, prior) = (wishes.n, wishes.alpha()?, wishes.prior()?);
    let loss: CountLoss = wishes.loss.parse().map_err(at("loss"))?;
    let demanded: Properties = wishes.properties.parse().map_err(at("properties"))?;
    watched(py, progress.as_ref(), false, |link| {
        let (mechanism, bound, method) = match name {
            "counts-gm" => (geometric(n, &alpha)?, None, None),
            "counts-em" => (explicit_fair(n, &alpha)?, None, None),
            "counts-wm" => (weakly_honest(n, &alpha)?, None, None),
            "counts-um" => (uniform(n, &alpha)?, None, None),
            _ => {
                let best = link.watch(|watch| optimal(n, &alpha, demanded, (&prior, loss), &watch))?;
                (best.mechanism, best.bound, Some(best.method))
            }
        };
        let form = name.trim_start_matches("counts-").to_uppercase();
        let tie_break = method.map(Method::tie_break).or_else(|| closed_form_tie_break(&form));
        let score = score(&mechanism, &prior, loss)?;
        let certified = certify(mechanism.clone()).map_err(|violation| {
            Failure::input(format!("the mechanism does not certify, which is a bug to report: {violation}"))
        })?;
        let file = MechanismFile {
            certificate: Some(certificate_json(&mechanism, certified.certificate())),
            mechanism,
            name: Some(name.to_owned()),
            places: None,
            objective: Some(objective(loss, &score, bound.as_ref(), tie_break)),
        };
        let method = method.map(|method| Method::name(method).to_owned());
        Ok((Mechanism::new(Claim::new(file).with_proof(certified)), method))
    })
}

fn objective(loss: CountLoss, score: &Rational, bound: Option<&Rational>, tie_break: Option<&str>) -> Value {
    json!({
        "name": loss.to_string(),
        "value": to_f64(score, Direction::Nearest),
        "lower_bound": bound.map(|bound| to_f64(bound, Direction::Down)),
        "gap": bound.map(|bound| to_f64(&(score - bound), Direction::Up)),
        "tie_break": tie_break,
    })
}

/// Which of the seven properties a mechanism has, exactly, as JSON.
#[pyfunction]
pub fn counts_properties(mechanism: &Mechanism) -> Answer<String> {
    let inner = mechanism.inner();
    let cell = |cell: &Cell| {
        let (output, input) = (cell.output as u32, cell.input as u32);
        json!([inner.outputs().names().name(output), inner.inputs().names().name(input)])
    };
    let findings = check(inner)?;
    let finding = |finding: &lookalike::counts::Finding| {
        let violation = finding.violation.as_ref();
        json!({
            "code": finding.property.code(),
            "name": finding.property.name(),
            "holds": violation.is_none(),
            "cell": violation.map(|violation| cell(&violation.cell)),
            "reference": violation.and_then(|violation| violation.reference.as_ref()).map(cell),
            "by": violation.map(|violation| violation.by.to_string()),
        })
    };
    Ok(Value::from(findings.iter().map(finding).collect::<Vec<_>>()).to_string())
}

/// The codes of its properties, L_0, L_1 and RMSE of a mechanism over counts.
#[pyfunction]
pub fn counts_figures(mechanism: &Mechanism, wishes: Wishes) -> Answer<(Vec<&'static str>, f64, f64, f64)> {
    let (inner, prior) = (mechanism.inner(), wishes.prior()?);
    let nearest = |value: Rational| to_f64(&value, Direction::Nearest);
    Ok((
        properties(inner)?.iter().map(Property::code).collect(),
        nearest(score(inner, &prior, CountLoss::L0)?),
        nearest(score(inner, &prior, CountLoss::L1)?),
        nearest(expected_loss(inner, &prior, CountLoss::L2)?).sqrt(),
    ))
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
    let (n, names, key) = (protected_counts(mechanism.inner())?, GrowingLabels::default(), key(seed)?);
    let columns: Vec<(&str, Box<dyn MemoryColumn + '_>)> = vec![(GROUPS, groups.memory()), (VALUES, values.memory())];
    let rows = columns[0].1.rows() as u64;
    let wanted = Columns { profile: Some(GROUPS.to_owned()), values: vec![VALUES.to_owned()], keep: vec![] };
    let (group, matches): (Encoder, Encoder) = (Box::new(names.clone()), Box::new(Matches::any_of(matching)));
    let mut source = MemorySource::open(columns, &wanted, Some(group), Some(matches), None)?;
    watched(py, progress.as_ref(), rows < Batch::MAX_ROWS as u64, move |link| {
        let certified = mechanism.claim.certified()?;
        let mut told = |done| link.report(Progress { stage: "counting", done, total: Some(rows) });
        let counted = count_groups(&mut source, || names.names(), n, &mut told)?;
        let released = release_counts(certified, &counted, &key)?;
        Ok(released.into_iter().map(|(group, count)| (group, count.to_owned())).collect())
    })
}
