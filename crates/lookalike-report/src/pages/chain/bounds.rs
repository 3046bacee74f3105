//! What the chains of a file need, one, several or all within limits.

use super::ChainPage;
use lookalike::Result;
use lookalike::design::Watch;
use lookalike::exact::Rational;
use lookalike::model::Distribution;
use lookalike::pufferfish::{
    Calibration, Chain, Contraction, ExactOptions, Gk16, approximate, approximate_of_box, contract, exact_of_box,
    exact_with, gk16,
};
use lookalike_formats::pufferfish::ChainClass;

impl ChainPage<'_> {
    /// By exact quilts; and a chain that needs so much, or next to it.
    pub(super) fn exact(&self, length: u64, watch: Watch<'_>) -> Result<(Calibration, Chain)> {
        let options = ExactOptions { watch, ..ExactOptions::default() };
        match &self.file.class {
            ChainClass::Chains(chains) => {
                let found = exact_with(chains, length, self.epsilon, &options)?;
                let worst = chains[found.chain].clone();
                Ok((found, worst))
            }
            ChainClass::Box(limits) => {
                let found = exact_of_box(limits, length, self.epsilon, &options)?;
                let [up, down] = found.worst;
                let one = Rational::from_integer(1.into());
                let rows = [[&one - &up, up], [down.clone(), one - down]];
                let rows = rows.iter().map(|row| Distribution::new(row)).collect::<Result<_>>()?;
                Ok((found.calibration, Chain::new(limits.initial().clone(), rows)?))
            }
        }
    }

    pub(super) fn approximate(&self, length: u64) -> Result<Calibration> {
        match &self.file.class {
            ChainClass::Chains(chains) => approximate(chains, length, self.epsilon),
            ChainClass::Box(limits) => approximate_of_box(limits, length, self.epsilon),
        }
    }

    pub(super) fn contract(&self, length: u64) -> Result<Contraction> {
        self.of_extremes(|chains| contract(chains, length, self.epsilon))
    }

    pub(super) fn influence_matrix(&self) -> Result<Gk16> {
        self.of_extremes(|chains| gk16(chains, self.epsilon))
    }

    /// Bounds that hold within limits as soon as they hold at their corners.
    fn of_extremes<T>(&self, bound: impl FnOnce(&[Chain]) -> Result<T>) -> Result<T> {
        match &self.file.class {
            ChainClass::Chains(chains) => bound(chains),
            ChainClass::Box(limits) => bound(&limits.corners()),
        }
    }
}
