//! A mechanism between cells with each output replaced by the best reading of it.

use super::cell_loss::CellLoss;
use crate::facts::{Facts, nearest};
use crate::mechanism::{Attempt, prove_claim as proved};
use lookalike::certify::Certified;
use lookalike::geo::{PlaceGrid, expected_loss, remap};
use lookalike::model::{Mechanism, Prior};
use lookalike_formats::MechanismFile;
use serde::Serialize;
use serde_json::Value;

/// The mechanism, and by what its outputs are read.
pub struct CellsRemap<'a> {
    /// The mechanism.
    pub mechanism: &'a Mechanism,
    /// Its name, where it has one.
    pub name: Option<&'a str>,
    /// Its cells.
    pub grid: PlaceGrid,
    /// How often each cell is the true one.
    pub prior: Prior,
    /// Where that is from, as the file says it.
    pub prior_from: String,
    /// What a wrong cell costs.
    pub loss: CellLoss,
}

/// The mechanism with other outputs, and its proof.
pub struct CellsRemapped {
    /// The mechanism.
    pub certified: Certified<Mechanism>,
    /// What replaces each output.
    pub map: Vec<u32>,
    /// What it cost on average.
    pub before: f64,
    /// What it costs now.
    pub after: f64,
    name: String,
    grid: PlaceGrid,
    prior_from: String,
    loss: CellLoss,
}

/// What is said of it.
#[derive(Debug, Clone, Serialize)]
pub struct CellsRemapFacts {
    /// Its name.
    pub mechanism: Option<String>,
    /// What a wrong cell costs.
    pub loss: String,
    /// What the mechanism cost on average.
    pub before: f64,
    /// What it costs now.
    pub after: f64,
    /// How many outputs are replaced.
    pub replaced: usize,
    /// How many there are.
    pub outputs: usize,
    /// The proof.
    pub certificate: Option<Value>,
}

/// What the file says of the cost.
#[derive(Debug, Clone, Serialize)]
pub struct RemapObjectiveFacts {
    /// The loss.
    pub name: String,
    /// What it costs now.
    pub value: f64,
    /// What it cost.
    pub before: f64,
    /// Where the prior is from.
    pub prior: String,
}

impl CellsRemap<'_> {
    /// The mechanism with its proof, or the witness against it.
    ///
    /// # Errors
    /// A prior over other cells.
    pub fn run(self) -> Attempt<CellsRemapped> {
        let costs = self.loss.of(self.grid.cells())?;
        let remapped = remap(self.mechanism, &self.prior, &costs)?;
        let cost = |mechanism: &Mechanism| expected_loss(mechanism, &self.prior, &costs).map(|cost| nearest(&cost));
        let (before, after) = (cost(self.mechanism)?, cost(&remapped.mechanism)?);
        let name = format!("{}-remapped", self.name.unwrap_or("geo"));
        let (map, CellsRemap { grid, prior_from, loss, .. }) = (remapped.map, self);
        let mechanism = remapped.mechanism.of_cells()?;
        Ok(proved(mechanism).map(|certified| CellsRemapped {
            certified,
            map,
            before,
            after,
            name,
            grid,
            prior_from,
            loss,
        }))
    }
}

impl CellsRemapped {
    /// How many outputs are replaced by another one.
    pub fn replaced(&self) -> usize {
        self.map.iter().enumerate().filter(|(at, to)| *at != **to as usize).count()
    }

    /// The mechanism file.
    pub fn file(&self) -> MechanismFile {
        let objective = RemapObjectiveFacts {
            name: self.loss.to_string(),
            value: self.after,
            before: self.before,
            prior: self.prior_from.clone(),
        };
        MechanismFile {
            places: Some(self.grid.clone()),
            objective: Some(objective.json()),
            ..MechanismFile::of_certified(&self.name, &self.certified)
        }
    }

    /// What is said of it.
    pub fn facts(&self) -> CellsRemapFacts {
        let file = self.file();
        CellsRemapFacts {
            mechanism: file.name,
            loss: self.loss.to_string(),
            before: self.before,
            after: self.after,
            replaced: self.replaced(),
            outputs: self.map.len(),
            certificate: file.certificate,
        }
    }
}
