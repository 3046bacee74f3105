//! What is said of every mechanism over counts.

use crate::design::nearest;
use crate::terminal::figure;
use lookalike::counts::{CountLoss, Properties, Property, expected_loss, properties, score};
use lookalike::model::{Mechanism, Prior};
use lookalike_formats::Result;
use serde_json::{Value, json};

/// The properties and the errors of a mechanism.
pub struct Figures {
    pub properties: Properties,
    /// The probability of a wrong count, 1 for guessing.
    pub l0: f64,
    /// The expected distance from the truth on the same scale, times (n+1)/n.
    pub l1: f64,
    /// The root mean squared error.
    pub rmse: f64,
}

impl Figures {
    /// Those of a mechanism when counts are as frequent as the prior says.
    ///
    /// # Errors
    /// None for a mechanism over as many counts as the prior.
    pub fn of(mechanism: &Mechanism, prior: &Prior) -> Result<Self> {
        Ok(Figures {
            properties: properties(mechanism)?,
            l0: nearest(&score(mechanism, prior, CountLoss::L0)?),
            l1: nearest(&score(mechanism, prior, CountLoss::L1)?),
            rmse: nearest(&expected_loss(mechanism, prior, CountLoss::L2)?).sqrt(),
        })
    }

    /// The names of [`Figures::cells`].
    pub fn header() -> impl Iterator<Item = &'static str> {
        Property::ALL.into_iter().map(Property::code).chain(["L_0", "L_1", "RMSE"])
    }

    /// `yes` or `–` for each property, and the errors.
    pub fn cells(&self) -> impl Iterator<Item = String> {
        let has = |property| if self.properties.contains(property) { "yes" } else { "–" }.to_owned();
        Property::ALL.into_iter().map(has).chain([self.l0, self.l1, self.rmse].map(figure))
    }

    /// `RH, RM, S`, or `none`.
    pub fn properties_text(&self) -> String {
        self.properties.to_string().replace(',', ", ")
    }

    /// `properties`, a list of codes, `l0`, `l1` and `rmse`.
    pub fn json(&self) -> Value {
        let codes: Vec<&str> = self.properties.iter().map(Property::code).collect();
        json!({ "properties": codes, "l0": self.l0, "l1": self.l1, "rmse": self.rmse })
    }
}
