//! The smallest ε that reaches a wanted utility.

use super::{Design, Objective, Options, Problem, design};
use crate::exact::{Epsilon, Rational, parse_rational};
use crate::{Error, Result};
use num_bigint::BigInt;
use num_traits::Pow;

/// A wanted utility: an objective and the value that it must not exceed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// What is measured, and what the designs keep small.
    pub objective: Objective,
    /// The most that it may be.
    pub most: Rational,
}

impl Target {
    /// The target in a text like `expected-error=0.1`, for a problem whose loss `loss=…` means.
    ///
    /// # Errors
    /// An objective that is not known, or a value that is not a number of at least 0.
    pub fn parse(text: &str, problem: &Problem) -> Result<Self> {
        let Some((name, value)) = text.split_once('=') else {
            return Err(Error::input(format!("target {text:?}, expected for example expected-error=0.1")));
        };
        let most = parse_rational(value.trim())?;
        if most < Rational::default() {
            return Err(Error::input(format!("target {text:?}, expected a value of at least 0")));
        }
        Ok(Target { objective: Objective::named(name.trim(), problem)?, most })
    }
}

/// The smallest ε for a target, and the design at it.
#[derive(Debug, Clone)]
pub struct EpsilonFor {
    /// A decimal of seven digits.
    pub epsilon: Epsilon,
    /// The problem at this ε, with the target's objective.
    pub problem: Problem,
    /// The design, which reaches the target; to be certified like any other.
    pub design: Design,
    /// What was measured of it: the objective, for a [`Target`].
    pub value: f64,
    /// What was measured one step lower, which is too much; `None` at the smallest ε that is tried.
    pub one_step_lower: Option<f64>,
}

/// What a design is worth to whoever looks for an ε.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// The figure.
    pub value: f64,
    /// Whether it is enough.
    pub is_enough: bool,
}

impl EpsilonFor {
    /// ε is found up to this share of itself.
    pub const RESOLUTION: f64 = 1e-6;
}

/// The smallest ε, as a decimal of seven digits from 10^−6 to 100, for which the design reaches the target.
///
/// Budgets that differ keep their proportions ([`Problem::with_epsilon`]); ε is the largest of them. The target's
/// objective is also what the designs keep small.
///
/// # Guarantee
/// The design at this ε reaches the target, decided on its exact value, and the design one step lower was made too and
/// does not. The optimum never rises with ε, so for optimal mechanisms nothing smaller reaches it.
///
/// # Errors
/// A target that is not reached at ε = 100, and the errors of [`design`].
///
/// # Complexity
/// At most 29 designs.
pub fn epsilon_for(problem: &Problem, target: &Target, options: &Options<'_>) -> Result<EpsilonFor> {
    let problem = problem.clone().with_objective(target.objective.clone())?;
    let measure = |problem: &Problem, design: &Design| {
        let is_enough = target.objective.of(problem, &design.mechanism) <= target.most;
        Ok(Measured { value: design.objective.value, is_enough })
    };
    let wanted = format!("{} at most {}", target.objective.name(), target.most);
    smallest_epsilon(&problem, &wanted, options, &measure)
}

/// The smallest ε, as a decimal of seven digits from 10^−6 to 100, at which a design measures up to what is `wanted`; that is
/// for errors.
///
/// # Guarantee
/// The design at this ε does, and the design one step lower was made too and does not. Where the measure gets worse with ε somewhere,
/// a smaller ε may do as well.
///
/// # Errors
/// What is not reached at ε = 100, and the errors of [`design`] and of the measure.
///
/// # Complexity
/// At most 29 designs.
pub fn smallest_epsilon(
    problem: &Problem,
    wanted: &str,
    options: &Options<'_>,
    measure: &dyn Fn(&Problem, &Design) -> Result<Measured>,
) -> Result<EpsilonFor> {
    let quiet = Options { watch: options.watch.silent(), ..*options };
    let mut designs = 0;
    let mut at = |step: u64| -> Result<(bool, EpsilonFor)> {
        options.watch.step("looking for the smallest epsilon", designs, Some(MOST_DESIGNS))?;
        designs += 1;
        let epsilon = epsilon_at(step)?;
        let problem = problem.clone().with_epsilon(&epsilon)?;
        let design = design(&problem, &quiet)?;
        let Measured { value, is_enough } = measure(&problem, &design)?;
        Ok((is_enough, EpsilonFor { epsilon, problem, design, value, one_step_lower: None }))
    };
    let (mut low, mut high) = (0, LAST_STEP);
    let (reached, mut best) = at(high)?;
    if !reached {
        let (epsilon, value) = (best.epsilon, best.value);
        return Err(Error::inapplicable(format!(
            "{wanted} is not reached at any epsilon up to {epsilon}: there it is {value:.3e}"
        )));
    }
    let (reached, smallest) = at(low)?;
    if reached {
        return Ok(smallest);
    }
    best.one_step_lower = Some(smallest.value);
    // Not reached at `low`, reached at `high` by `best`.
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        let (reached, found) = at(middle)?;
        if reached {
            (high, best) = (middle, EpsilonFor { one_step_lower: best.one_step_lower, ..found });
        } else {
            (low, best.one_step_lower) = (middle, Some(found.value));
        }
    }
    Ok(best)
}

/// Decimals d.dddddd·10^e in order: each power of ten has this many.
const STEPS: u64 = 9_000_000;
/// The exponent of the smallest.
const SMALLEST_EXPONENT: i64 = -6;
/// 100.
const LAST_STEP: u64 = 8 * STEPS;
/// Two ends and the halvings between.
const MOST_DESIGNS: u64 = 2 + LAST_STEP.ilog2() as u64 + 1;

/// The decimal of seven digits at this place in their order.
fn epsilon_at(step: u64) -> Result<Epsilon> {
    let digits = 1_000_000 + step % STEPS;
    let exponent = SMALLEST_EXPONENT + (step / STEPS) as i64 - 6;
    let power = |exponent: i64| BigInt::from(10).pow(exponent.unsigned_abs());
    let value = if exponent < 0 {
        Rational::new(digits.into(), power(exponent))
    } else {
        Rational::from_integer(power(exponent) * digits)
    };
    Epsilon::rational(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{MechanismName, Watch};
    use crate::model::{Categories, Distribution, Names, SecretGraph};

    fn warner() -> Problem {
        let bits = Categories::new(["no", "yes"]).unwrap();
        let mut builder = SecretGraph::builder(bits.names().clone());
        builder.complete(&"1".parse().unwrap());
        Problem::values(bits, builder.build().unwrap()).unwrap()
    }

    /// Two profiles of one bit.
    fn two(first: &str, second: &str) -> Problem {
        let mut builder = SecretGraph::builder(Names::new("profile", ["a", "b"]).unwrap());
        builder.chain(&"1".parse().unwrap());
        let law = |p: &str| {
            let p = parse_rational(p).unwrap();
            Distribution::new(&[Rational::from_integer(1.into()) - &p, p]).unwrap()
        };
        let laws = vec![law(first), law(second)];
        Problem::profiles(Categories::new(["no", "yes"]).unwrap(), builder.build().unwrap(), laws).unwrap()
    }

    fn search(problem: &Problem, target: &str) -> Result<EpsilonFor> {
        epsilon_for(problem, &Target::parse(target, problem)?, &Options::default())
    }

    #[test]
    fn steps_are_the_decimals_of_seven_digits_in_order() {
        let text = |step| epsilon_at(step).unwrap().to_string();
        assert_eq!((text(0).as_str(), text(LAST_STEP).as_str()), ("1/1000000", "100"));
        assert_eq!((text(6 * STEPS).as_str(), text(6 * STEPS - 1).as_str()), ("1", "9999999/10000000"));
        for step in [1, STEPS - 1, STEPS, 3 * STEPS + 77, LAST_STEP - 1] {
            assert!(epsilon_at(step).unwrap() < epsilon_at(step + 1).unwrap());
        }
    }

    #[test]
    fn warner_comes_out_at_the_closed_form() {
        // 1/(1 + E) ≤ 1/4 at ln 3 = 1.09861228…
        for target in ["max-flip=1/4", "expected-error=0.25", "ordinal-error=0.25"] {
            let found = search(&warner(), target).unwrap();
            assert_eq!(found.epsilon.to_string(), "1098613/1000000", "{target}");
            assert!(found.design.objective.value <= 0.25 && found.one_step_lower.unwrap() > 0.25);
            assert_eq!(found.design.objective.name, target.split('=').next().unwrap());
            assert_eq!(found.problem.graph().epsilons(), [&found.epsilon]);
        }
    }

    #[test]
    fn a_target_may_ask_for_no_noise_at_all() {
        // The identity is private from ln 2 = 0.69314718… on.
        let found = search(&two("1/3", "2/3"), "max-flip=0").unwrap();
        assert_eq!(found.epsilon.to_string(), "6931472/10000000".parse::<Epsilon>().unwrap().to_string());
        assert_eq!(found.design.objective.value, 0.0);
        assert!(found.one_step_lower.unwrap() > 0.0);
    }

    #[test]
    fn targets_out_of_reach_or_without_an_effect_are_told_apart() {
        let error = search(&warner(), "max-flip=0").unwrap_err();
        assert!(error.is_inapplicable());
        assert!(error.to_string().starts_with("max-flip at most 0 is not reached at any epsilon up to 100: there it"));
        let found = search(&warner(), "max-flip=0.5").unwrap();
        assert_eq!((found.epsilon.to_string().as_str(), found.one_step_lower), ("1/1000000", None));
    }

    #[test]
    fn targets_that_make_no_sense_are_refused() {
        let refused = |text: &str| Target::parse(text, &warner()).unwrap_err().to_string();
        assert!(refused("0.1").contains("expected for example expected-error=0.1"));
        assert!(refused("speed=1").contains("expected max-flip, expected-error, ordinal-error or loss"));
        assert!(refused("max-flip=-1").contains("at least 0"));
        assert!(refused("loss=1").contains("needs a loss matrix"));
    }

    #[test]
    fn options_are_passed_on_and_a_search_can_be_stopped() {
        let problem = two("0", "1");
        let target = Target::parse("max-flip=0.3", &problem).unwrap();
        let named = Options::named(MechanismName::RandomizedResponse);
        assert_eq!(epsilon_for(&problem, &target, &named).unwrap().design.name, MechanismName::RandomizedResponse);
        let stop = || true;
        let stopped = Options { watch: Watch::default().stop_when(&stop), ..named };
        assert!(epsilon_for(&problem, &target, &stopped).unwrap_err().is_stopped());
    }
}
