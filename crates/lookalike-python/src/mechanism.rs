//! Channels between categories.

use crate::claim::Claim;
use crate::data::Column;
use crate::error::{Answer, Failure};
use crate::ledger::Charge;
use crate::numbers::{epsilon, rational};
use crate::numpy_array::Spare;
use crate::progress::watched;
use crate::release::Release;
use crate::released::{self, Kept};
use crate::single::{self, Single};
use lookalike::certify::{Achieved, delta_at, within};
use lookalike::design::post_process;
use lookalike::exact::{Direction, to_f64};
use lookalike::geo::{PlaceGrid, PlaceSampler};
use lookalike::local::tupling;
use lookalike::model::{Channel, Kind};
use lookalike::sample::Sampler;
use lookalike_engine::fit::read_limits;
use lookalike_engine::records::LabelArrays;
use lookalike_engine::{Channels, ReadFile, dummy_law, tupling_json, uniform_dummies};
use lookalike_formats::{AnyMechanism, MechanismFile, Stored};
use pyo3::prelude::*;
use serde_json::json;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// A mechanism over categories: a claim until it is certified, which happens when it is first used.
#[pyclass(module = "lookalike._lookalike", frozen)]
pub struct Mechanism {
    pub claim: Claim<lookalike::model::Mechanism>,
    sampler: OnceLock<Sampler>,
    place_sampler: OnceLock<Arc<PlaceSampler>>,
    single: OnceLock<Single>,
}

impl Mechanism {
    pub fn new(claim: Claim<lookalike::model::Mechanism>) -> Self {
        Mechanism { claim, sampler: OnceLock::new(), place_sampler: OnceLock::new(), single: OnceLock::new() }
    }

    pub fn inner(&self) -> &lookalike::model::Mechanism {
        &self.claim.file.mechanism
    }

    pub fn sampler(&self) -> Answer<&Sampler> {
        let certified = self.claim.certified()?;
        Ok(self.sampler.get_or_init(|| Sampler::new(certified)))
    }

    /// What releases places by way of the cells of a grid.
    pub fn place_sampler(&self, places: &PlaceGrid) -> Answer<Arc<PlaceSampler>> {
        if let Some(sampler) = self.place_sampler.get() {
            return Ok(sampler.clone());
        }
        let sampler = Arc::new(PlaceSampler::new(self.claim.certified()?, places.clone())?);
        Ok(self.place_sampler.get_or_init(|| sampler).clone())
    }

    fn secret(&self, name: &str) -> Answer<u32> {
        let names = self.inner().graph().names();
        names.place(name).ok_or_else(|| Failure::input(format!("{name:?} is none of the {} secrets", names.len())))
    }
}

#[pymethods]
impl Mechanism {
    #[getter]
    fn kind(&self) -> &'static str {
        self.inner().kind_name()
    }

    #[getter]
    fn name(&self) -> Option<String> {
        self.claim.file.name.clone()
    }

    /// What ε is about.
    #[getter]
    fn about(&self) -> String {
        self.claim.file.secrets().to_string()
    }

    #[getter]
    fn epsilon(&self) -> (f64, String) {
        let epsilon = self.claim.file.epsilon();
        (epsilon.to_f64(), epsilon.to_string())
    }

    #[getter]
    fn categories(&self) -> Vec<String> {
        self.inner().inputs().names().iter().map(str::to_owned).collect()
    }

    #[getter]
    fn outputs(&self) -> Vec<String> {
        self.inner().outputs().names().iter().map(str::to_owned).collect()
    }

    #[getter]
    fn secrets(&self) -> Vec<String> {
        self.inner().graph().names().iter().map(str::to_owned).collect()
    }

    /// The profile of a secret as fractions.
    fn profile(&self, secret: &str) -> Answer<Vec<String>> {
        let law = self.inner().input_law(self.secret(secret)?).into_owned();
        Ok(law.probabilities().map(|p| p.to_string()).collect())
    }

    /// The law of the output of a secret as fractions.
    fn output_law(&self, secret: &str) -> Answer<Vec<String>> {
        Ok(self.inner().output_law(self.secret(secret)?).probabilities().map(|p| p.to_string()).collect())
    }

    /// The weights of the channel of a secret and what each row sums to; the only channel if no secret is named.
    fn weights(&self, secret: Option<&str>) -> Answer<(Vec<Vec<u128>>, u128)> {
        let mechanism = self.inner();
        let channel = match secret {
            Some(secret) => mechanism.channel(self.secret(secret)?),
            None if mechanism.kind() != Kind::Aware => &mechanism.channels()[0],
            None => return Err(Failure::input("every profile has its own channel: name one")),
        };
        Ok((rows(channel, mechanism.inputs().len(), mechanism.outputs().len()), channel.scale()))
    }

    /// What the design reached, as JSON.
    #[getter]
    fn objective(&self) -> Option<String> {
        self.claim.file.objective.as_ref().map(ToString::to_string)
    }

    /// The facts of the proof, as JSON.
    fn certify(&self, py: Python<'_>) -> Answer<String> {
        watched(py, None, self.claim.is_proved(), |_| self.claim.certificate())
    }

    /// The least δ at an ε, as JSON.
    fn delta_at(&self, py: Python<'_>, at: &str) -> Answer<String> {
        let at = epsilon(at, "epsilon")?;
        let delta = watched(py, None, false, |_| Ok(delta_at(self.inner(), &at)?))?;
        let enclosure = delta.enclosure();
        let names = self.inner().graph().names();
        let outputs = delta.outputs().iter().map(|&output| self.inner().outputs().names().name(output));
        Ok(json!({
            "epsilon": delta.epsilon().to_f64(),
            "epsilon_text": delta.epsilon().to_string(),
            "lower": to_f64(&enclosure.lower().to_rational(), Direction::Down),
            "upper": to_f64(&enclosure.upper().to_rational(), Direction::Up),
            "exact": delta.exact().map(|delta| delta.to_string()),
            "edge": delta.secrets().map(|secret| names.name(secret)),
            "outputs": outputs.collect::<Vec<_>>(),
        })
        .to_string())
    }

    /// The least δ at an ε for each of these numbers of dummies, as JSON. Without a law the dummies are uniform.
    fn tupling(&self, py: Python<'_>, at: &str, dummies: Vec<u32>, law: Option<Vec<String>>) -> Answer<String> {
        let (at, mechanism) = (epsilon(at, "epsilon")?, self.inner());
        let number = |text: &String| rational(text, "dummy_law");
        let law = match law {
            Some(texts) => dummy_law(texts.iter().map(number).collect::<Answer<Vec<_>>>()?)
                .map_err(|error| error.at("dummy_law"))?,
            None => uniform_dummies(mechanism.outputs()),
        };
        let rows = watched(py, None, false, |_| Ok(tupling(mechanism, &law, &dummies, &at)?))?;
        Ok(tupling_json(mechanism, &at, &rows).to_string())
    }

    /// The worst that profiles within the limits of a file can do, as JSON.
    fn within(&self, py: Python<'_>, path: PathBuf) -> Answer<String> {
        let worst = watched(py, None, false, |_| {
            let file = read_limits(&path, self.inner())?;
            Ok(within(self.inner(), &file.limits)
                .map_err(|error| lookalike_formats::Error::from(error).in_file(&path))?)
        })?;
        let names = self.inner().graph().names();
        let (lower, upper) = match worst.achieved() {
            Achieved::Infinite => (None, None),
            Achieved::Within(interval) => (
                Some(to_f64(&interval.lower().to_rational(), Direction::Down).max(0.0)),
                Some(to_f64(&interval.upper().to_rational(), Direction::Up)),
            ),
        };
        Ok(json!({
            "epsilon": {
                "claimed": worst.claimed().to_f64(),
                "claimed_text": worst.claimed().to_string(),
                "lower": lower,
                "upper": upper,
            },
            "worst": {
                "edge": worst.secrets().map(|secret| names.name(secret)),
                "output": self.inner().outputs().names().name(worst.output()),
            },
            "proof": "profiles within limits",
        })
        .to_string())
    }

    /// What one device needs, as JSON.
    fn device(&self, secret: Option<&str>) -> Answer<String> {
        self.claim.certified()?;
        Ok(lookalike_formats::device_json(self.inner(), secret.map_or(Ok(0), |secret| self.secret(secret))?))
    }

    /// What is released for a single value, or for lists of one, from fresh randomness and without the way of columns; none for
    /// what only that way can take. Without profiles the first is the value.
    fn privatize_one(
        &self,
        py: Python<'_>,
        profile: &Bound<'_, PyAny>,
        value: Option<&Bound<'_, PyAny>>,
    ) -> Answer<Option<Py<PyAny>>> {
        if !single::is_one(profile)? {
            return Ok(None);
        }
        let (sampler, single) = match (self.sampler.get(), self.single.get()) {
            (Some(sampler), Some(single)) => (sampler, single),
            // The first time, and where the claim is false: a proof may take a while.
            _ => {
                let sampler = py.detach(|| self.sampler())?;
                let made = Single::new(py, self.inner())?;
                (sampler, self.single.get_or_init(|| made))
            }
        };
        match value {
            Some(value) => single.release(sampler, Some(profile), value),
            None => single.release(sampler, None, profile),
        }
    }

    /// The released values.
    ///
    /// Several columns of values make joint categories.
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (profiles, values, seed, unknown_as, shuffle, progress, charge=None))]
    fn privatize(
        &self,
        py: Python<'_>,
        profiles: Option<&Bound<'_, PyAny>>,
        values: Vec<Bound<'_, PyAny>>,
        seed: Option<u64>,
        unknown_as: Option<&str>,
        shuffle: bool,
        progress: Option<Py<PyAny>>,
        charge: Option<PyRef<'_, Charge>>,
    ) -> Answer<Py<PyAny>> {
        let values = values.iter().map(|values| Column::of(values, "values")).collect::<Answer<Vec<_>>>()?;
        let profiles = profiles.map(|profiles| Column::of(profiles, "profiles")).transpose()?;
        let sampler = py.detach(|| self.sampler())?;
        let release = Release {
            profiles: profiles.as_ref(),
            values: &values,
            unknown: unknown_as,
            shuffle,
            seed,
            progress: progress.as_ref(),
            charge: charge.as_deref(),
        };
        let form = values[0].form();
        // Of several columns together the labels are texts.
        let mut spare = values[0].spare(py).filter(|_| values.len() == 1);
        let memory = spare.as_mut().map(Spare::memory);
        let mechanism = Channels::with_sampler(self.claim.certified()?, sampler);
        let (kept, labels) = release.run(py, mechanism, |release, rows| {
            let labels = LabelArrays::new(release.labels(), &release.schema().value);
            let kept = Kept::labels(&form, &labels, rows, memory);
            (labels, kept)
        })?;
        let released = released::labels(py, &form, &labels, kept)?;
        let released = released.or_else(|| spare.map(Spare::into_array));
        released.ok_or_else(|| Failure::input("nothing was released"))
    }

    /// This mechanism and another one after it.
    fn then(&self, py: Python<'_>, next: &Mechanism) -> Answer<Mechanism> {
        let (first, second) = (self.inner(), next.inner());
        if second.kind() == Kind::Aware {
            return Err(Failure::input("a channel for each profile cannot follow: expected one channel for all"));
        }
        if first.outputs().names() != second.inputs().names() {
            return Err(Failure::input(format!(
                "{} outputs and {} categories after them, expected the same names in the same order",
                first.outputs().len(),
                second.inputs().len()
            )));
        }
        let repaired = py.detach(|| post_process(first, &second.channels()[0], second.outputs().clone()))?;
        let name = |mechanism: &Mechanism| mechanism.name().unwrap_or_else(|| "mechanism".to_owned());
        let claim = Claim::new(MechanismFile {
            name: Some(format!("{} then {}", name(self), name(next))),
            ..MechanismFile::of(repaired.mechanism)
        });
        let certificate = serde_json::from_str(&py.detach(|| claim.certificate())?).ok();
        Ok(Mechanism::new(claim.described(certificate)))
    }

    fn to_json(&self) -> String {
        self.claim.file.to_json()
    }

    fn save(&self, path: PathBuf, overwrite: bool) -> Answer<()> {
        self.claim.save(&path, overwrite)
    }
}

fn rows(channel: &Channel, inputs: usize, outputs: usize) -> Vec<Vec<u128>> {
    (0..inputs).map(|x| (0..outputs).map(|y| channel.weight(x, y)).collect()).collect()
}

/// The mechanism of any kind in a text.
pub fn of_any(py: Python<'_>, any: AnyMechanism) -> Answer<Py<PyAny>> {
    Ok(match any {
        AnyMechanism::Finite(file) => Py::new(py, Mechanism::new(Claim::new(*file)))?.into_any(),
        AnyMechanism::Oracle(file) => Py::new(py, crate::oracle::Oracle::new(Claim::new(*file)))?.into_any(),
        AnyMechanism::Noise(file) => Py::new(py, crate::noise::Noise::new(Claim::new(*file)))?.into_any(),
        AnyMechanism::Planar(file) => Py::new(py, crate::geo::planar::PlanarNoise::new(Claim::new(*file)))?.into_any(),
    })
}

/// Reads a mechanism file of any kind.
#[pyfunction]
pub fn load(py: Python<'_>, path: PathBuf) -> Answer<Py<PyAny>> {
    let any = py.detach(|| AnyMechanism::read(&path))?;
    of_any(py, any)
}

/// The mechanism of any kind in the text of a file.
#[pyfunction]
pub fn from_json(py: Python<'_>, text: &str) -> Answer<Py<PyAny>> {
    let any = py.detach(|| AnyMechanism::from_json(text))?;
    of_any(py, any)
}
