//! What a wrong cell costs.

use lookalike::geo::{Cells, GeoLoss};
use lookalike::model::Loss;
use lookalike_formats::geo::Length;
use lookalike_formats::{Error, Result};
use std::{fmt, str::FromStr};

/// A loss as it is written on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LossName {
    Euclidean,
    Squared,
    /// 0 up to this distance and 1 beyond it.
    Within(Length),
}

impl LossName {
    pub fn of(&self, cells: &Cells) -> Result<Loss> {
        let loss = match self {
            LossName::Euclidean => GeoLoss::Euclidean,
            LossName::Squared => GeoLoss::Squared,
            LossName::Within(radius) => GeoLoss::Beyond(radius.metres().clone()),
        };
        Ok(loss.of(cells)?)
    }

    /// A value of the loss with its unit.
    pub fn value(&self, value: f64) -> String {
        match self {
            LossName::Euclidean => format!("{value:.2} m"),
            LossName::Squared => format!("{value:.0} m²"),
            LossName::Within(_) => format!("{value:.5}"),
        }
    }

    /// What the expected loss is.
    pub fn title(&self) -> String {
        match self {
            LossName::Euclidean => "Expected distance".to_owned(),
            LossName::Squared => "Expected squared distance".to_owned(),
            LossName::Within(radius) => format!("Share of releases farther than {radius} away"),
        }
    }
}

impl FromStr for LossName {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match (text, text.strip_prefix("within:")) {
            ("euclidean", _) => Ok(LossName::Euclidean),
            ("squared", _) => Ok(LossName::Squared),
            (_, Some(length)) => Ok(LossName::Within(length.parse()?)),
            _ => Err(Error::input(format!("{text:?} is no loss, expected euclidean, squared or within:200m"))),
        }
    }
}

impl fmt::Display for LossName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LossName::Euclidean => f.write_str("euclidean"),
            LossName::Squared => f.write_str("squared"),
            LossName::Within(radius) => write!(f, "within:{}m", radius.metres()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_read_back_and_others_are_refused() {
        for text in ["euclidean", "squared", "within:200m", "within:1/3m"] {
            assert_eq!(text.parse::<LossName>().unwrap().to_string(), text);
        }
        assert_eq!("within:0.2km".parse::<LossName>().unwrap().to_string(), "within:200m");
        for text in ["", "l1", "within", "within:", "within:3mi"] {
            assert!(text.parse::<LossName>().is_err(), "{text}");
        }
    }
}
