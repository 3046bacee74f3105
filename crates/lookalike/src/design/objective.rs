//! What counts as a good mechanism.

use super::Problem;
use crate::exact::{Direction, Natural, Rational, to_f64};
use crate::model::{Channel, Distribution, ExpectedLoss, Limits, Loss, Mechanism, TOTAL_BITS, Utility};
use crate::{Error, Result};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::One;
use rayon::prelude::*;
use std::borrow::Cow;

/// The figure that a design minimizes. It touches utility only, never privacy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Objective {
    /// The largest probability of any one wrong output, over all secrets: the paper's objective.
    MaxFlip,
    /// Pr[output ≠ input], averaged over the secrets by the prior.
    ExpectedError,
    /// The expected number of places between output and input, averaged over the secrets by the prior.
    OrdinalError,
    /// The expected loss, averaged over the secrets by the prior.
    Loss(Loss),
}

impl Objective {
    /// Those that need nothing but their name; the other one needs a matrix.
    pub const NAMED: [Objective; 3] = [Objective::MaxFlip, Objective::ExpectedError, Objective::OrdinalError];

    /// The name of the objective that has a matrix.
    pub const LOSS: &'static str = "loss";

    /// All names.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Objective::NAMED.map(|objective| objective.name()).into_iter().chain([Objective::LOSS])
    }

    /// All names in a sentence: `max-flip, expected-error, ordinal-error or loss`.
    pub fn names_text() -> String {
        format!("{} or {}", Objective::NAMED.map(|objective| objective.name()).join(", "), Objective::LOSS)
    }

    /// The objective of this name, if it needs nothing else.
    pub fn of_name(name: &str) -> Option<Objective> {
        Objective::NAMED.into_iter().find(|objective| objective.name() == name)
    }

    /// The name used in files and on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            Objective::MaxFlip => "max-flip",
            Objective::ExpectedError => "expected-error",
            Objective::OrdinalError => "ordinal-error",
            Objective::Loss(_) => Objective::LOSS,
        }
    }

    /// What it is, in words for people who know no name.
    pub fn words(&self) -> &'static str {
        match self {
            Objective::MaxFlip => "largest probability of any one wrong value",
            Objective::ExpectedError => "probability of a wrong value",
            Objective::OrdinalError => "expected distance from the true value, in places",
            Objective::Loss(_) => "expected loss",
        }
    }

    /// The objective of this name; `loss` is the one that the problem has.
    ///
    /// # Errors
    /// A name that is not known, or `loss` for a problem without a loss matrix.
    pub fn named(name: &str, problem: &Problem) -> Result<Objective> {
        match (Objective::of_name(name), problem.objective()) {
            (Some(objective), _) => Ok(objective),
            (None, Objective::Loss(loss)) if name == Objective::LOSS => Ok(Objective::Loss(loss.clone())),
            (None, _) if name == Objective::LOSS => {
                Err(Error::input("objective loss needs a loss matrix, and the problem has none"))
            }
            (None, _) => Err(Error::input(format!("objective {name:?}, expected {}", Objective::names_text()))),
        }
    }

    /// The value that a mechanism for the problem has, to the nearest double: at its profiles, or of [`Problem::at_worst`] at the
    /// worst laws within its limits.
    pub fn value(&self, problem: &Problem, mechanism: &Mechanism) -> f64 {
        to_f64(&self.of(problem, mechanism), Direction::Nearest)
    }

    /// The loss that is averaged; `None` for a maximum.
    pub(super) fn loss(&self) -> Option<&Loss> {
        match self {
            Objective::MaxFlip => None,
            Objective::ExpectedError => Some(&Loss::ZeroOne),
            Objective::OrdinalError => Some(&Loss::Ordinal),
            Objective::Loss(loss) => Some(loss),
        }
    }

    /// The value that a mechanism for the problem has: exactly for a maximum; for an average rounded up by less than
    /// 2^−170, since laws with different denominators have no short common one.
    ///
    /// Takes one pass over the channels, in parallel.
    pub(super) fn of(&self, problem: &Problem, mechanism: &Mechanism) -> Rational {
        let secrets = (0..mechanism.graph().names().len() as u32).into_par_iter();
        let Some(loss) = self.loss() else {
            let law = |secret| match problem.is_at_worst() {
                true => Cow::Owned(support(&problem.limits()[secret as usize])),
                false => mechanism.input_law(secret),
            };
            let flip = |secret| Utility::max_flip_weight(&law(secret), mechanism.channel(secret));
            let largest = secrets.map(flip).max().unwrap_or(0);
            return Rational::new(largest.into(), BigInt::one() << (2 * TOTAL_BITS));
        };
        let loss = ExpectedLoss::new(loss, mechanism.inputs().len());
        let prior = problem.prior().weights();
        let share = |secret: u32| {
            let law = match problem.is_at_worst() {
                true => Cow::Owned(worst(&problem.limits()[secret as usize], &loss, mechanism.channel(secret))),
                false => mechanism.input_law(secret),
            };
            let weight = loss.weight(&law, mechanism.channel(secret)).times(&prior.numerator(secret as usize));
            (weight.to_big() << SHARE_BITS).div_ceil(&law.denominator().to_big())
        };
        let sum: BigUint = secrets.map(share).sum();
        let whole = loss.unit().times(&prior.denominator()).to_big() << SHARE_BITS;
        Rational::new(sum.into(), whole.into())
    }
}

/// A law that has every input that some law within the limits has.
fn support(limits: &Limits) -> Distribution {
    let weights = (0..limits.len()).map(|x| u64::from(limits.is_possible(x)).into()).collect();
    Distribution::from_weights(weights).expect("some input is possible")
}

/// The law within the limits whose expected loss is largest: that of the inputs in the order of their own losses.
fn worst(limits: &Limits, loss: &ExpectedLoss, channel: &Channel) -> Distribution {
    let mass = |x: usize| (0..limits.len()).map(|at| u64::from(at == x).into()).collect();
    let law = |x: usize| Distribution::from_weights(mass(x)).expect("one of the masses is 1");
    let losses: Vec<Natural> = (0..limits.len()).map(|x| loss.weight(&law(x), channel)).collect();
    let rank = |x: usize| losses.iter().filter(|&other| *other < losses[x]).count() as u128;
    let [most, _] = limits.extreme_laws(rank);
    most
}

/// Bits that each secret's share of an average has beyond those of the weights.
const SHARE_BITS: u32 = 64;

/// What a design reached and what no mechanism can go below.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectiveValue {
    /// The objective's name.
    pub name: &'static str,
    /// The mechanism's value, to the nearest double; an average is rounded up by less than 2^−170 first.
    pub value: f64,
    /// A proven lower bound over all mechanisms of the kind, rounded down.
    pub lower_bound: f64,
}

impl ObjectiveValue {
    pub(super) fn new(problem: &Problem, mechanism: &Mechanism) -> Result<Self> {
        let objective = problem.objective();
        let (value, bound) = (objective.of(problem, mechanism), super::bound::lower_bound(problem));
        debug_assert!(bound <= value, "a lower bound above a value that is reached");
        let (value, lower_bound) = (to_f64(&value, Direction::Nearest), to_f64(&bound, Direction::Down));
        // The bound may be tight to the last bit, and then rounding to nearest must not undercut it.
        Ok(ObjectiveValue { name: objective.name(), value, lower_bound: lower_bound.min(value) })
    }

    /// Takes a better lower bound.
    pub(super) fn raise_bound(&mut self, bound: &Rational) {
        self.lower_bound = self.lower_bound.max(to_f64(bound, Direction::Down)).min(self.value);
    }

    /// value − lower bound.
    pub fn gap(&self) -> f64 {
        self.value - self.lower_bound
    }

    /// The gap beside the value; 0 where there is none.
    pub fn relative_gap(&self) -> f64 {
        if self.gap() > 0.0 { self.gap() / self.value } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::cluster;
    use crate::model::{Categories, Names, Prior, SecretGraph};
    use num_traits::Zero;
    use proptest::prelude::*;

    #[test]
    fn each_name_is_that_of_one_objective() {
        for objective in Objective::NAMED {
            assert_eq!(Objective::of_name(objective.name()), Some(objective));
        }
        assert_eq!((Objective::of_name("loss"), Objective::of_name("flip")), (None, None));
        assert_eq!(Objective::names().collect::<Vec<_>>().len(), Objective::NAMED.len() + 1);
        assert_eq!(Objective::names_text(), "max-flip, expected-error, ordinal-error or loss");
    }

    proptest! {
        // The oracle adds fractions.
        #[test]
        fn an_average_is_rounded_up_by_next_to_nothing(
            weights in prop::collection::vec(prop::collection::vec(1u64.., 3), 2..6), prior in prop::collection::vec(0u32..50, 6), ordinal in any::<bool>(),
        ) {
            let whole = |weight: u64| Rational::from_integer(weight.into());
            let count = weights.len();
            let laws: Vec<Distribution> = weights.iter()
                .map(|law| Distribution::normalized(&law.iter().map(|&weight| whole(weight)).collect::<Vec<_>>()).unwrap()).collect();
            let mut builder = SecretGraph::builder(Names::new("profile", (0..count).map(|at| at.to_string())).unwrap());
            builder.chain(&"1/2".parse().unwrap());
            let prior: Vec<Rational> = prior[..count].iter().map(|&weight| whole(weight.into())).collect();
            prop_assume!(prior.iter().any(|weight| !weight.is_zero()));
            let objective = if ordinal { Objective::OrdinalError } else { Objective::ExpectedError };
            let problem = Problem::profiles(Categories::new(["a", "b", "c"]).unwrap(), builder.build().unwrap(), laws).unwrap()
                .with_objective(objective.clone()).unwrap().with_prior(Prior::new(&prior).unwrap()).unwrap();
            let mechanism = cluster(&problem).unwrap().mechanism;
            let cost = |secret: usize| {
                let (law, channel) = (&mechanism.profiles()[secret], mechanism.channel(secret as u32));
                let entry = |x: usize, y: usize| law.probability(x) * channel.probability(x, y) * objective.loss().unwrap().cost(x, y);
                problem.prior().weight(secret) * (0..9).map(|at| entry(at / 3, at % 3)).sum::<Rational>()
            };
            let exact: Rational = (0..count).map(cost).sum();
            let found = objective.of(&problem, &mechanism);
            prop_assert!(exact <= found && (found - exact) * (BigInt::one() << 170) < Rational::one());
        }
    }
}
