//! How far a design may be from the best there is.

use crate::error::{Error, Result};
use lookalike::design::{Algorithm, Design, ObjectiveValue};
use lookalike::exact::{Direction, Rational, parse_rational, to_f64};
use std::fmt;
use std::str::FromStr;

/// A gap beside the value above which a design is not called the least noisy without a word.
const WORTH_A_WORD: f64 = 1e-6;

/// A line about a design for whose optimum a solver looked, and which may be noticeably above it. Other mechanisms do not claim
/// to be the least noisy.
pub fn gap_warning(design: &Design) -> Option<String> {
    let (objective, gap) = (&design.objective, design.objective.relative_gap());
    let is_solved = matches!(design.solution.algorithm, Algorithm::LinearProgram | Algorithm::Group);
    (is_solved && gap > WORTH_A_WORD).then(|| {
        format!(
            "the solver stopped early: {} may be up to {gap:.1e} of its value above the least there is \
             (the promise is proved all the same)",
            objective.name
        )
    })
}

/// The largest gap beside the value that a design may have: a number at least 0, read before a long design.
#[derive(Debug, Clone, PartialEq)]
pub struct MaxGap(Rational);

impl FromStr for MaxGap {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let gap = parse_rational(text)?;
        if gap < Rational::default() {
            return Err(Error::input(format!("a gap of {text}, expected a number at least 0 such as 1e-6")));
        }
        Ok(MaxGap(gap))
    }
}

impl fmt::Display for MaxGap {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:e}", to_f64(&self.0, Direction::Nearest))
    }
}

/// Refuses a design whose gap beside its value is larger than asked for.
///
/// # Errors
/// A refusal that names both gaps.
pub fn check_gap(objective: &ObjectiveValue, most: &MaxGap) -> Result<()> {
    let gap = objective.relative_gap();
    if gap <= to_f64(&most.0, Direction::Nearest) {
        return Ok(());
    }
    Err(Error::refused(format!(
        "{} may be {gap:.1e} of its value above the least there is, more than the {most} that was asked for",
        objective.name
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::design::{MechanismName, Options, Problem, design};
    use lookalike::model::{Categories, Distribution, Names, SecretGraph};

    /// Two profiles, designed by a mechanism.
    fn designed(mechanism: MechanismName) -> Design {
        let mut builder = SecretGraph::builder(Names::new("profile", ["ana", "bo"]).unwrap());
        builder.complete(&"1/4".parse().unwrap());
        let laws = [[1u64, 2, 5], [3, 3, 2]].map(|law| Distribution::from_weights(law.map(Into::into).into()).unwrap());
        let categories = Categories::new(["a", "b", "c"]).unwrap();
        let problem = Problem::profiles(categories, builder.build().unwrap(), laws.into()).unwrap();
        design(&problem, &Options::named(mechanism)).unwrap()
    }

    #[test]
    fn a_solver_that_stopped_early_is_told_and_nobody_else() {
        let mut solved = designed(MechanismName::SmoothCategorical);
        assert_eq!(gap_warning(&solved), None);
        solved.objective.lower_bound *= 0.75;
        assert!(gap_warning(&solved).unwrap().contains("max-flip may be up to 2.5e-1 of its value"));
        let closed = designed(MechanismName::Cluster);
        assert!(closed.objective.relative_gap() > 0.01 && gap_warning(&closed).is_none(), "it claims no optimum");
    }

    #[test]
    fn a_gap_is_refused_where_asked() {
        let of = |lower_bound: f64| ObjectiveValue { name: "max-flip", value: 0.5, lower_bound };
        let at_most = |gap: &str| gap.parse::<MaxGap>().unwrap();
        assert!(check_gap(&of(0.5), &at_most("0")).is_ok() && check_gap(&of(0.4), &at_most("0.21")).is_ok());
        let refused = check_gap(&of(0.4), &at_most("19/100")).unwrap_err();
        assert!(refused.is_refusal() && refused.to_string().contains("2.0e-1 of its value"), "{refused}");
        assert!(refused.to_string().ends_with("more than the 1.9e-1 that was asked for"), "{refused}");
    }

    #[test]
    fn a_gap_is_a_number_at_least_0() {
        for (text, expected) in
            [("-1", "a gap of -1, expected a number at least 0"), ("NaN", "is not a number"), ("", "is not a number")]
        {
            let error = text.parse::<MaxGap>().unwrap_err();
            assert!(!error.is_refusal() && error.to_string().contains(expected), "{error}");
        }
    }
}
