//! What must look alike: the problem that a spec describes.

use crate::error::Answer;
use lookalike_engine::{Folder, ReadFile};
use lookalike_formats::{Error, Spec};
use pyo3::prelude::*;
use std::path::PathBuf;

/// A spec that was read: secrets, what must look alike, and what a design minimizes.
#[pyclass(module = "lookalike._lookalike", frozen)]
pub struct Problem {
    pub spec: Spec,
}

#[pymethods]
impl Problem {
    /// The spec in a text, JSON or TOML; files that it names are looked for in `folder`.
    #[new]
    fn new(py: Python<'_>, text: &str, json: bool, folder: PathBuf) -> Answer<Self> {
        let beside = Folder(&folder);
        let read = || if json { Spec::from_json(text, &beside) } else { Spec::from_toml(text, &beside) };
        Ok(Problem { spec: py.detach(read)? })
    }

    /// The spec in a file.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> Answer<Self> {
        Ok(Problem { spec: py.detach(|| Spec::read(&path))? })
    }

    #[getter]
    fn secrets(&self) -> Vec<String> {
        self.spec.problem.graph().names().iter().map(str::to_owned).collect()
    }

    #[getter]
    fn categories(&self) -> Vec<String> {
        self.spec.problem.categories().names().iter().map(str::to_owned).collect()
    }

    /// The secrets without an edge.
    #[getter]
    fn unprotected(&self) -> Vec<String> {
        self.spec.unprotected.clone()
    }

    /// How many pairs must look alike.
    #[getter]
    fn pairs(&self) -> u64 {
        self.spec.problem.graph().pairs()
    }

    /// The pairs that are edges by themselves, with their ε.
    #[getter]
    fn edges(&self) -> Vec<(String, String, String)> {
        let graph = self.spec.problem.graph();
        let name = |secret: u32| graph.names().name(secret).to_owned();
        let edge =
            |edge: &lookalike::model::Edge| (name(edge.ends()[0]), name(edge.ends()[1]), edge.epsilon().to_string());
        graph.edges().iter().map(edge).collect()
    }

    /// The groups: name, members and ε.
    #[getter]
    fn groups(&self) -> Vec<(String, Vec<String>, String)> {
        let graph = self.spec.problem.graph();
        let group = |group: &lookalike::model::Group| {
            let members = group.members().iter().map(|&member| graph.names().name(member).to_owned());
            (group.name().to_owned(), members.collect(), group.epsilon().to_string())
        };
        graph.groups().iter().map(group).collect()
    }

    /// Why a mechanism promises less than this asks for; nothing if it does not.
    fn shortfall(&self, mechanism: &crate::mechanism::Mechanism) -> Option<String> {
        lookalike_engine::check_claim_covers(mechanism.inner(), &self.spec, "graph")
    }
}

/// An error about a parameter.
pub fn at(parameter: &str) -> impl Fn(lookalike::Error) -> Error + '_ {
    move |error| Error::from(error).at(parameter)
}
