//! A mechanism of places, proved: noise, or channels between the cells of a grid.

use crate::mechanism::{Attempt, prove_claim};
use lookalike::Sentence;
use lookalike::certify::Certified;
use lookalike::exact::Epsilon;
use lookalike::geo::{PlaceGrid, PlaceSampler};
use lookalike::model::{Mechanism, PlanarNoise};
use lookalike::sample::{PlanarSampler, ReleasePlaces};
use lookalike_formats::{AnyMechanism, Error, MechanismFile, Result};
use std::sync::Arc;

/// A mechanism of places that was proved.
pub enum PlaceMechanism {
    /// Noise on places.
    Planar(Box<Certified<PlanarNoise>>),
    /// Channels between the cells of a grid.
    Cells {
        /// The file.
        file: Box<MechanismFile>,
        /// The channels with their proof.
        certified: Box<Certified<Mechanism>>,
        /// The cells.
        grid: Box<PlaceGrid>,
    },
}

impl PlaceMechanism {
    /// The mechanism of a file with its proof, or what is against its claim.
    ///
    /// # Errors
    /// A mechanism that is not of places.
    pub fn of(mechanism: AnyMechanism) -> Attempt<PlaceMechanism> {
        match mechanism {
            AnyMechanism::Planar(file) => {
                Ok(prove_claim(file.mechanism).map(|certified| PlaceMechanism::Planar(Box::new(certified))))
            }
            AnyMechanism::Finite(file) if file.places.is_some() => {
                let grid = Box::new(file.places.clone().expect("it is some"));
                let certified = prove_claim(file.mechanism.clone()).map(Box::new);
                Ok(certified.map(|certified| PlaceMechanism::Cells { file, certified, grid }))
            }
            other => {
                let found = format!("this is a mechanism of the kind {} and not of places, ", other.kind_name());
                let expected = Sentence::from(found).text("expected a file that `").verb("lookalike geo design");
                Err(Error::input(expected.text("` wrote")))
            }
        }
    }

    /// What releases places by it.
    ///
    /// # Errors
    /// Channels that do not connect all cells of the grid, or release what is no cell.
    pub fn sampler(&self) -> Result<Arc<dyn ReleasePlaces>> {
        Ok(match self {
            PlaceMechanism::Planar(certified) => Arc::new(PlanarSampler::new(certified)),
            PlaceMechanism::Cells { certified, grid, .. } => Arc::new(PlaceSampler::new(certified, (**grid).clone())?),
        })
    }

    /// ε for each metre on the ground; none where only some pairs of cells are protected.
    pub fn epsilon_per_metre(&self) -> Option<Epsilon> {
        match self {
            PlaceMechanism::Planar(certified) => Some(certified.mechanism().epsilon().clone()),
            PlaceMechanism::Cells { certified, grid, .. } => {
                grid.epsilon_per_metre(certified.mechanism().graph()).ok().flatten()
            }
        }
    }
}
