//! What a wrong cell costs.

use lookalike::geo::{Cells, GeoLoss};
use lookalike::model::Loss;
use lookalike_formats::geo::Length;
use lookalike_formats::{Error, Result};
use std::{fmt, str::FromStr};

/// A loss as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CellLoss {
    /// The distance.
    Euclidean,
    /// Its square.
    Squared,
    /// 0 up to this distance and 1 beyond it.
    Within(Length),
}

impl CellLoss {
    /// The costs between the cells of a grid.
    ///
    /// # Errors
    /// Those of the library.
    pub fn of(&self, cells: &Cells) -> Result<Loss> {
        let loss = match self {
            CellLoss::Euclidean => GeoLoss::Euclidean,
            CellLoss::Squared => GeoLoss::Squared,
            CellLoss::Within(radius) => GeoLoss::Beyond(radius.metres().clone()),
        };
        Ok(loss.of(cells)?)
    }
}

impl FromStr for CellLoss {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match (text, text.strip_prefix("within:")) {
            ("euclidean", _) => Ok(CellLoss::Euclidean),
            ("squared", _) => Ok(CellLoss::Squared),
            (_, Some(length)) => Ok(CellLoss::Within(length.parse()?)),
            _ => Err(Error::input(format!("{text:?} is no loss, expected euclidean, squared or within:200m"))),
        }
    }
}

impl fmt::Display for CellLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CellLoss::Euclidean => f.write_str("euclidean"),
            CellLoss::Squared => f.write_str("squared"),
            CellLoss::Within(radius) => write!(f, "within:{}m", radius.metres()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_read_back_and_others_are_refused() {
        for text in ["euclidean", "squared", "within:200m", "within:1/3m"] {
            assert_eq!(text.parse::<CellLoss>().unwrap().to_string(), text);
        }
        assert!("near".parse::<CellLoss>().is_err() && "within:0m".parse::<CellLoss>().is_err());
    }
}
