//! Chains, and the classes of them that a sequence may have come from.

use super::up;
use crate::error::{Answer, Failure};
use lookalike::pufferfish::{Chain, Mixing, Quilt, States, influence};
use lookalike_engine::ReadFile;
use lookalike_engine::pufferfish::ChainClass;
use lookalike_formats::pufferfish::ChainFile;
use pyo3::prelude::*;
use std::path::PathBuf;

/// A chain file: states, and one chain, several, or all within limits.
#[pyclass(module = "lookalike._lookalike", frozen)]
pub struct Chains {
    pub file: ChainFile,
}

impl Chains {
    /// The only chain, or the first.
    fn first(&self) -> Answer<&Chain> {
        match &self.file.class {
            ChainClass::Chains(chains) => Ok(&chains[0]),
            ChainClass::Box(_) => Err(Failure::input("all chains within limits, expected one chain")),
        }
    }
}

#[pymethods]
impl Chains {
    /// The chains in the JSON text of a chain file.
    #[new]
    fn new(py: Python<'_>, text: &str) -> Answer<Self> {
        Ok(Chains { file: py.detach(|| ChainFile::from_json(text))? })
    }

    /// The chains in a file.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> Answer<Self> {
        Ok(Chains { file: py.detach(|| ChainFile::read(&path))? })
    }

    /// The chain file as JSON, every number an exact text.
    fn to_json(&self) -> String {
        self.file.to_json()
    }

    /// The chain file as the command line writes it.
    fn to_toml(&self) -> String {
        self.file.to_toml()
    }

    #[getter]
    fn states(&self) -> Vec<String> {
        self.file.states.iter().map(str::to_owned).collect()
    }

    /// The stationary law of the first chain as fractions.
    fn stationary(&self, py: Python<'_>) -> Answer<Vec<String>> {
        let chain = self.first()?;
        let law = py.detach(|| chain.stationary())?;
        Ok(law.probabilities().map(|share| share.to_string()).collect())
    }

    /// Lower bounds of the spectral gap and of every stationary probability, of the first chain or of all within limits.
    fn mixing(&self, py: Python<'_>) -> Answer<(String, String)> {
        let mixing = py.detach(|| match &self.file.class {
            ChainClass::Chains(chains) => Mixing::of(&chains[0]),
            ChainClass::Box(limits) => Mixing::of_box(limits),
        })?;
        Ok((mixing.gap().to_string(), mixing.least().to_string()))
    }

    /// The max-influence of a node of the first chain on a quilt, rounded up; infinite where it has no bound.
    fn influence(
        &self,
        py: Python<'_>,
        length: u64,
        node: u64,
        quilt: [Option<u64>; 2],
        all_states: bool,
    ) -> Answer<f64> {
        let (chain, [left, right]) = (self.first()?, quilt);
        let states = if all_states { States::All } else { States::Possible };
        let found = py.detach(|| influence(chain, length, node, Quilt { left, right }, states))?;
        Ok(found.map_or(f64::INFINITY, |influence| up(&influence.upper().to_rational())))
    }
}
