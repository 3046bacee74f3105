//! What is said of every mechanism over counts.

use crate::facts::nearest;
use lookalike::counts::{CountLoss, Properties, Property, expected_loss, properties, score};
use lookalike::model::{Mechanism, Prior};
use lookalike_formats::Result;
use serde::Serialize;

/// The properties and the errors of a mechanism.
#[derive(Debug, Clone)]
pub struct CountFigures {
    /// What it has.
    pub properties: Properties,
    /// The probability of a wrong count, 1 for guessing.
    pub l0: f64,
    /// The expected distance from the truth on the same scale, times (n+1)/n.
    pub l1: f64,
    /// The root mean squared error.
    pub rmse: f64,
}

/// What is said of them.
#[derive(Debug, Clone, Serialize)]
pub struct CountFiguresFacts {
    /// The codes of the properties that it has.
    pub properties: Vec<&'static str>,
    /// The probability of a wrong count, 1 for guessing.
    pub l0: f64,
    /// The expected distance from the truth on the same scale.
    pub l1: f64,
    /// The root mean squared error, in counts.
    pub rmse: f64,
}

impl CountFigures {
    /// Those of a mechanism when counts are as frequent as the prior says.
    ///
    /// # Errors
    /// None for a mechanism over as many counts as the prior.
    pub fn of(mechanism: &Mechanism, prior: &Prior) -> Result<Self> {
        Ok(CountFigures {
            properties: properties(mechanism)?,
            l0: nearest(&score(mechanism, prior, CountLoss::L0)?),
            l1: nearest(&score(mechanism, prior, CountLoss::L1)?),
            rmse: nearest(&expected_loss(mechanism, prior, CountLoss::L2)?).sqrt(),
        })
    }

    /// What is said of them.
    pub fn facts(&self) -> CountFiguresFacts {
        let properties = self.properties.iter().map(Property::code).collect();
        CountFiguresFacts { properties, l0: self.l0, l1: self.l1, rmse: self.rmse }
    }
}
