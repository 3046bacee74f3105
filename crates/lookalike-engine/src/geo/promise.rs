//! How alike places must look.

use lookalike::exact::{Direction, Epsilon, Rational, decimal};
use lookalike::geo::PlaceGrid;
use lookalike_formats::Result;
use lookalike_formats::geo::Length;

/// What is promised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Promise {
    /// ε for each metre.
    PerMetre(Epsilon),
    /// ε for each metre, such that places at most the radius apart are within the level.
    Radius {
        /// For places at the radius.
        level: Epsilon,
        /// How far apart they are at most.
        radius: Length,
    },
    /// Cells at most the radius apart are within the level, and that is all.
    Pairs {
        /// For cells within the radius.
        level: Epsilon,
        /// How far apart they are at most.
        radius: Length,
    },
}

impl Promise {
    /// ε for each metre on the ground between the cells of a grid, which are counted in; none where only pairs are protected.
    ///
    /// # Errors
    /// A radius that the cells use up.
    pub fn per_metre(&self, grid: &PlaceGrid) -> Result<Option<Epsilon>> {
        match self {
            Promise::PerMetre(epsilon) => Ok(Some(epsilon.clone())),
            Promise::Radius { level, radius } => Ok(Some(grid.epsilon_for_radius(level, radius.metres())?)),
            Promise::Pairs { .. } => Ok(None),
        }
    }

    /// Whether only cells within a radius are protected.
    pub fn is_of_pairs(&self) -> bool {
        matches!(self, Promise::Pairs { .. })
    }
}

/// ε as a number with at most four decimals, rounded up.
pub fn shown_epsilon(epsilon: &Epsilon) -> String {
    let text = decimal(&epsilon.enclose(64).upper().to_rational(), 4, Direction::Up);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// 1.
pub(super) fn one() -> Rational {
    Rational::from_integer(1.into())
}
