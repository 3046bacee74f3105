//! How far a design may be from the best there is.

use crate::{Error, Result};
use lookalike::design::{Algorithm, Design, ObjectiveValue};

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

/// Refuses a design whose gap beside its value is larger than asked for.
///
/// # Errors
/// A refusal that names both gaps; a limit that is no number at least 0.
pub fn check_gap(objective: &ObjectiveValue, most: f64) -> Result<()> {
    if most.is_nan() || most < 0.0 {
        return Err(Error::input(format!("a gap of {most}, expected a number at least 0")));
    }
    let gap = objective.relative_gap();
    if gap <= most {
        return Ok(());
    }
    Err(Error::refused(format!(
        "{} may be {gap:.1e} of its value above the least there is, more than the {most:e} that was asked for",
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
        assert!(check_gap(&of(0.5), 0.0).is_ok() && check_gap(&of(0.4), 0.21).is_ok());
        let refused = check_gap(&of(0.4), 0.19).unwrap_err();
        assert!(refused.is_refusal() && refused.to_string().contains("1.9e-1"), "{refused}");
        assert!(!check_gap(&of(0.5), -1.0).unwrap_err().is_refusal());
    }
}
