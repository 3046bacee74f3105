//! Channels between categories.

use crate::claim::{Claim, ClassKind, StoredClaim, claim_of};
use crate::data::Column;
use crate::error::{Answer, Failure};
use crate::ledger::Charge;
use crate::numbers::{epsilon, rational};
use crate::numpy_array::Spare;
use crate::progress::watched;
use crate::release::Release;
use crate::released::{self, Kept};
use crate::single::{self, Single};
use crate::spelling::InPython;
use lookalike::certify::delta_at;
use lookalike::design::post_process;
use lookalike::geo::{PlaceGrid, PlaceSampler};
use lookalike::model::{Channel, Kind};
use lookalike::sample::Sampler;
use lookalike_engine::records::LabelArrays;
use lookalike_engine::{
    AccountRequest, Channels, DeltaFacts, DeviceForm, ExportRequest, ReadFile, StatedSecrets, TuplingRequest,
    UpgradeRequest, Within, dummy_law, uniform_dummies,
};
use lookalike_formats::pufferfish::ChainFile;
use lookalike_formats::{AnyMechanism, MechanismFile, json_of, of_kind};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// A mechanism over categories: a claim until it is certified, which happens when it is first used.
#[pyclass(module = "lookalike._lookalike", frozen)]
pub struct Mechanism {
    pub claim: Arc<Claim<lookalike::model::Mechanism>>,
    sampler: OnceLock<Sampler>,
    place_sampler: OnceLock<Arc<PlaceSampler>>,
    single: OnceLock<Single>,
}

impl Mechanism {
    pub fn new(claim: Claim<lookalike::model::Mechanism>) -> Self {
        Mechanism {
            claim: Arc::new(claim),
            sampler: OnceLock::new(),
            place_sampler: OnceLock::new(),
            single: OnceLock::new(),
        }
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
    #[pyo3(name = "claim")]
    fn stored(&self) -> StoredClaim {
        StoredClaim::of(&self.claim)
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

    /// The least δ at an ε, as JSON.
    fn delta_at(&self, py: Python<'_>, at: &str) -> Answer<String> {
        let at = epsilon(at, "epsilon")?;
        let delta = watched(py, None, false, |_| Ok(delta_at(self.inner(), &at)?))?;
        Ok(json_of(&DeltaFacts::of(&delta, self.inner())).to_string())
    }

    /// The least δ at an ε for each of these numbers of dummies, as JSON, and what dummies cannot hide. Without a law the dummies
    /// are uniform.
    fn tupling(
        &self,
        py: Python<'_>,
        at: &str,
        dummies: Vec<u32>,
        law: Option<Vec<String>>,
    ) -> Answer<(String, Option<String>)> {
        let (at, mechanism) = (epsilon(at, "epsilon")?, self.inner());
        let number = |text: &String| rational(text, "dummy_law");
        let law = match law {
            Some(texts) => dummy_law(texts.iter().map(number).collect::<Answer<Vec<_>>>()?)
                .map_err(|error| error.at("dummy_law"))?,
            None => uniform_dummies(mechanism.outputs()),
        };
        let request = TuplingRequest { mechanism: mechanism.clone(), law, dummies, epsilon: at };
        let warning = request.warning().map(|warning| warning.spelled(&InPython).to_string());
        let outcome = watched(py, None, false, |_| Ok(request.run()?))?;
        Ok((json_of(&outcome.facts()).to_string(), warning))
    }

    /// The worst that profiles within the limits of a file can do, as JSON.
    fn within(&self, py: Python<'_>, path: PathBuf) -> Answer<String> {
        let within = watched(py, None, false, |_| Ok(Within::of(self.inner(), &path)?))?;
        Ok(json_of(&within.facts(self.inner())).to_string())
    }

    /// What one device needs: JSON, or a table for the device library.
    fn device(&self, py: Python<'_>, secret: Option<String>, table: bool) -> Answer<Vec<u8>> {
        let form = if table { DeviceForm::Table } else { DeviceForm::Json };
        let request = ExportRequest { mechanism: self.inner().clone(), profile: secret, form };
        let exported = py.detach(|| request.run())?;
        Ok(exported.map_err(|claim| Failure::privacy(&claim))?.bytes)
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
        let name = |mechanism: &Mechanism| mechanism.claim.file.name.clone().unwrap_or_else(|| "mechanism".to_owned());
        let claim = Claim::new(MechanismFile {
            name: Some(format!("{} then {}", name(self), name(next))),
            limits_basis: self.claim.file.limits_basis.clone(),
            ..MechanismFile::of(repaired.mechanism)
        });
        let certificate = json_of(&py.detach(|| claim.facts())?);
        Ok(Mechanism::new(claim.described(Some(certificate))))
    }
}

fn rows(channel: &Channel, inputs: usize, outputs: usize) -> Vec<Vec<u128>> {
    (0..inputs).map(|x| (0..outputs).map(|y| channel.weight(x, y)).collect()).collect()
}

impl ClassKind for lookalike::model::Mechanism {
    fn object(py: Python<'_>, claim: Claim<Self>) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, Mechanism::new(claim))?.into_any())
    }
}

/// The object of a mechanism of any kind.
pub fn of_any(py: Python<'_>, any: AnyMechanism) -> Answer<Py<PyAny>> {
    Ok(of_kind!(any, file => ClassKind::object(py, Claim::new(*file)))?)
}

/// What numbers of releases of a mechanism of any kind add up to, as JSON.
#[pyfunction]
pub fn account(py: Python<'_>, mechanism: &Bound<'_, PyAny>, releases: Vec<u64>, delta: &str) -> Answer<String> {
    let request = AccountRequest { mechanism: claim_of(mechanism)?.any(), releases, delta: rational(delta, "delta")? };
    let outcome = watched(py, None, false, |_| Ok(request.run()?))?;
    Ok(json_of(&outcome.map_err(|claim| Failure::privacy(&claim))?.facts()).to_string())
}

/// The mechanism of a file of version 1 with the secrets that are named for it: a word, or the moments of the chains in a file,
/// with a length and an ε.
#[pyfunction]
pub fn upgrade(
    py: Python<'_>,
    path: PathBuf,
    secrets: Option<&str>,
    moments: Option<(PathBuf, u64, String)>,
) -> Answer<Py<PyAny>> {
    let named = match (secrets, moments) {
        (Some(word), _) => Some(word.parse().map_err(|found| Failure::input(format!("secrets: {word:?}, {found}")))?),
        (None, Some((chain, length, at))) => {
            let class = Box::new(py.detach(|| ChainFile::read(&chain))?.class);
            Some(StatedSecrets::Moments { class, length, epsilon: epsilon(&at, "epsilon")? })
        }
        (None, None) => None,
    };
    let request = UpgradeRequest { path, secrets: named };
    let outcome = watched(py, None, false, |_| Ok(request.run()?))?;
    of_any(py, outcome.map_err(|claim| Failure::privacy(&claim))?.mechanism)
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
