//! How much noise hides every moment of a sequence.

use super::method::Method;
use lookalike::exact::Rational;
use lookalike::pufferfish::{Calibration, Contraction, Gk16, SumDistance};

/// A scale σ: the noise for a query with the Lipschitz constant L has the scale L·σ.
#[derive(Debug, Clone)]
pub struct Calibrated {
    /// The method; never [`Method::Auto`].
    pub method: Method,
    /// σ, rounded up.
    pub scale: Rational,
    /// What it rests on.
    pub basis: Basis,
}

/// What a scale rests on.
#[derive(Debug, Clone)]
pub enum Basis {
    /// The best quilt of the worst moment; for a box the chain that needs nearly as much.
    Quilt(Calibration, Option<[Rational; 2]>),
    /// What each step forgets.
    Contraction(Contraction),
    /// The norm of the influence matrix.
    InfluenceMatrix(Gk16),
    /// How far one state moves the query.
    Distance(SumDistance),
    /// All moments at once.
    Group,
    /// One moment by itself, which is NOT private for a chain.
    Entry,
}

impl Calibrated {
    /// Whether no quilt was any good, so that the whole sequence is hidden.
    pub fn fell_back(&self) -> bool {
        matches!(&self.basis, Basis::Quilt(found, _) if found.quilt.left.is_none() && found.quilt.right.is_none())
    }
}
