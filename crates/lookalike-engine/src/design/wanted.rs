//! What a mechanism is wanted for, when ε is looked for.

use lookalike::design::{Design, EpsilonFor, Measured, Options, Problem, Target, epsilon_for, smallest_epsilon};
use lookalike::estimate::{Confidence, Estimator, Trust};
use lookalike::exact::{Direction, Rational, parse_rational, to_f64};
use lookalike_formats::{Error, Result};

/// A utility, or intervals that are narrow enough.
#[derive(Debug, Clone, PartialEq)]
pub enum Wanted {
    /// An objective that is at most so large.
    Utility(Target),
    /// Intervals of the shares of all categories that are at most so wide.
    Width {
        /// How wide.
        most: Rational,
        /// From how many reports.
        reports: u64,
        /// How often they are to cover.
        confidence: Confidence,
    },
}

impl Wanted {
    /// What a text like `expected-error=0.1` or `width=0.02` asks for; a width is that of intervals from so many reports.
    ///
    /// # Errors
    /// A text that is neither, a width without a number of reports, and reports without a width.
    pub fn parse(text: &str, problem: &Problem, reports: Option<u64>, confidence: Confidence) -> Result<Self> {
        let Some(width) = text.trim().strip_prefix("width").and_then(|rest| rest.trim_start().strip_prefix('=')) else {
            return match reports {
                None => Ok(Wanted::Utility(Target::parse(text, problem)?)),
                Some(_) => Err(Error::input(format!("reports, and {text:?} is about none: expected width=0.02, say"))),
            };
        };
        let most = parse_rational(width.trim())?;
        if most <= Rational::default() {
            return Err(Error::input(format!("{text:?}, expected a width above 0")));
        }
        let reports = reports.filter(|reports| *reports > 0).ok_or_else(|| {
            Error::input(format!("{text:?} from how many reports? expected a number of reports beside it, at least 1"))
        })?;
        Ok(Wanted::Width { most, reports, confidence })
    }

    /// What is measured.
    pub fn name(&self) -> &str {
        match self {
            Wanted::Utility(target) => target.objective.name(),
            Wanted::Width { .. } => "width",
        }
    }

    /// The most that it may be.
    pub fn most(&self) -> &Rational {
        match self {
            Wanted::Utility(target) => &target.most,
            Wanted::Width { most, .. } => most,
        }
    }

    /// In words.
    pub fn text(&self) -> String {
        let most = to_f64(self.most(), Direction::Nearest);
        match self {
            Wanted::Utility(target) => format!("{} at most {most}", target.objective.name()),
            Wanted::Width { reports, confidence, .. } => {
                let level = (1e6 * confidence.level).round() / 1e4;
                format!("{level} % intervals from {reports} reports that are at most {most} wide")
            }
        }
    }

    /// The smallest ε for it, and the design at it. A width is that to be expected when all profiles are equally frequent, and
    /// what is [usual](Trust::usual) is trusted.
    ///
    /// # Errors
    /// Those of [`smallest_epsilon`].
    pub fn smallest(&self, problem: &Problem, options: &Options<'_>) -> Result<EpsilonFor> {
        match self {
            Wanted::Utility(target) => Ok(epsilon_for(problem, target, options)?),
            Wanted::Width { most, reports, confidence } => {
                let most = to_f64(most, Direction::Nearest);
                let measure = |_: &Problem, design: &Design| {
                    let estimator = Estimator::new(&design.mechanism, Trust::usual(&design.mechanism, false))?;
                    let value = estimator.predict(*reports, None, *confidence)?.widest();
                    Ok(Measured { value, is_enough: value <= most })
                };
                Ok(smallest_epsilon(problem, &self.text(), options, &measure)?)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::model::{Categories, SecretGraph};

    fn problem() -> Problem {
        let bits = Categories::new(["no", "yes"]).unwrap();
        let mut builder = SecretGraph::builder(bits.names().clone());
        builder.complete(&"1".parse().unwrap());
        Problem::values(bits, builder.build().unwrap()).unwrap()
    }

    fn wanted(text: &str, reports: Option<u64>) -> Result<Wanted> {
        Wanted::parse(text, &problem(), reports, Confidence::default())
    }

    #[test]
    fn the_smallest_epsilon_for_a_width_is_found() {
        let found = wanted("width=0.1", Some(1_000)).unwrap().smallest(&problem(), &Options::default()).unwrap();
        assert!(found.value <= 0.1 && found.one_step_lower.unwrap() > 0.1, "{found:?}");
        // Warner's design errs with 1/(1 + e^ε) = q. From 1,000 reports of which half are yes an interval is 2·1.96·√(1/4/1000)/(1 − 2q)
        // = 0.06198/(1 − 2q) wide, which is 0.1 at ε = 1.45; limits that hold are a little wider.
        let epsilon = found.epsilon.to_f64();
        assert!((1.45..1.53).contains(&epsilon), "{epsilon}");
        let more = wanted("width = 0.1", Some(4_000)).unwrap().smallest(&problem(), &Options::default()).unwrap();
        assert!(more.epsilon < found.epsilon);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let refused = |text: &str, reports| wanted(text, reports).unwrap_err().to_string();
        assert!(refused("width=0.1", None).contains("from how many reports?"));
        assert!(refused("width=0", Some(5)).contains("expected a width above 0"));
        assert!(refused("max-flip=0.1", Some(5)).contains("expected width=0.02, say"));
        assert!(refused("speed=0.1", None).contains("speed"));
        let error = wanted("width=0.01", Some(100)).unwrap().smallest(&problem(), &Options::default()).unwrap_err();
        let text = error.to_string();
        assert!(
            text.starts_with("95 % intervals from 100 reports that are at most 0.01 wide is not reached"),
            "{text}"
        );
    }
}
