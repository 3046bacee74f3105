//! `certify --profiles-within`: what if the profiles are not quite right.

use lookalike::certify::{Achieved, Worst, within};
use lookalike::exact::{Direction, decimal, to_f64};
use lookalike::model::Mechanism;
use lookalike_engine::fit::read_limits;
use lookalike_formats::{Error, Result};
use serde_json::{Value, json};
use std::path::Path;

/// The worst that profiles within limits can do.
pub struct Within {
    worst: Worst,
    /// What the file says of its confidence: `95 % each`.
    confidence: Option<String>,
}

impl Within {
    /// The worst within the limits of a file.
    pub fn of(mechanism: &Mechanism, path: &Path) -> Result<Self> {
        let file = read_limits(path, mechanism)?;
        let worst = within(mechanism, &file.limits).map_err(|error| Error::from(error).in_file(path))?;
        Ok(Within { worst, confidence: file.confidence })
    }

    /// For machines; `upper` is null when ε is infinite.
    pub fn json(&self, mechanism: &Mechanism) -> Value {
        let (lower, upper) = match self.worst.achieved() {
            Achieved::Infinite => (None, None),
            Achieved::Within(interval) => (
                Some(to_f64(&interval.lower().to_rational(), Direction::Down).max(0.0)),
                Some(to_f64(&interval.upper().to_rational(), Direction::Up)),
            ),
        };
        let claimed = self.worst.claimed();
        json!({
            "epsilon": {
                "claimed": claimed.to_f64(),
                "claimed_text": claimed.to_string(),
                "lower": lower,
                "upper": upper,
            },
            "worst": { "edge": self.names(mechanism), "output": self.output(mechanism) },
            "confidence": self.confidence,
        })
    }

    /// For people.
    pub fn text(&self, mechanism: &Mechanism) -> String {
        let [more, less] = self.names(mechanism);
        let place = format!("{more:?} against {less:?} at output {:?}", self.output(mechanism));
        let confidence = self.confidence.as_ref().map_or_else(String::new, |text| format!(" ({text})"));
        let known = format!("If the true profiles lie within these limits{confidence}");
        match self.worst.achieved() {
            Achieved::Infinite => format!(
                "{known}, epsilon may be infinite: {place}, of {} claimed.\nThe second may never have that output: the \
                 lower limits of all that leads to it are 0. More records narrow the limits;\na mechanism that needs no \
                 profiles, --mechanism k-rr, is not touched by them.\n",
                self.worst.claimed()
            ),
            Achieved::Within(interval) => {
                let bound = decimal(&interval.upper().to_rational(), 5, Direction::Up);
                let claimed = self.worst.claimed();
                format!("{known}, epsilon is at most {bound}: {place}, of {claimed} claimed.\n")
            }
        }
    }

    fn names<'a>(&self, mechanism: &'a Mechanism) -> [&'a str; 2] {
        self.worst.secrets().map(|secret| mechanism.graph().names().name(secret))
    }

    fn output<'a>(&self, mechanism: &'a Mechanism) -> &'a str {
        mechanism.outputs().names().name(self.worst.output())
    }
}
