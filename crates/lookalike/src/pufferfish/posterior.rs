//! What an adversary learns: beliefs before and after a release.

use super::Framework;
use crate::exact::{Direction, Interval, Natural, Rational, decimal};
use crate::model::{Epsilon, Extremes, Mechanism, Noise, OutputLaws};
use crate::{Error, Result};
use num_bigint::BigInt;
use num_traits::{One, Signed};
use std::collections::BTreeMap;
use std::fmt;

/// How far the belief in one secret rather than another can rise by one release.
///
/// A belief is the probability of the first secret when one of the two is true. Every belief p becomes
/// `p·r/(p·r + 1 − p)` after an output whose likelihood ratio is r, and ε promises r ≤ e^ε.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Learned {
    /// Belief in the first rather than the second.
    pub secrets: [u32; 2],
    /// The belief before the release.
    pub prior: Rational,
    /// The most that ε allows, exact where e^ε is a fraction and rounded up by less than 2^−90 otherwise; `None` where
    /// the pair need not look alike, so that nothing is promised.
    pub promised: Option<Rational>,
    /// The most that this mechanism lets the adversary believe after any output.
    pub achieved: Rational,
}

impl fmt::Display for Learned {
    /// The line of a report, in percent, rounded up.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |belief: &Rational| decimal(&(belief * BigInt::from(100)), 2, Direction::Up);
        write!(f, "from {} % ", percent(&self.prior))?;
        match &self.promised {
            Some(promised) => write!(f, "to at most {} % by the promise", percent(promised))?,
            None => f.write_str("without any promise")?,
        }
        write!(f, ", to {} % by this mechanism", percent(&self.achieved))
    }
}

/// The most that a belief can become when ε holds: posterior odds are at most e^ε times prior odds.
///
/// Exact where e^ε is a fraction (ε = c·ln r), and rounded up by less than 2^−90 otherwise.
///
/// # Errors
/// A belief outside 0 to 1.
///
/// # Example
/// ```
/// use lookalike::{exact::{decimal, Direction, parse_rational}, pufferfish::most_believed};
/// let half = parse_rational("1/2")?;
/// assert_eq!(most_believed(&half, &"ln(3)".parse()?)?.to_string(), "3/4");
/// // e/(1 + e)
/// assert_eq!(decimal(&most_believed(&half, &"1".parse()?)?, 6, Direction::Up), "0.731059");
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn most_believed(prior: &Rational, epsilon: &Epsilon) -> Result<Rational> {
    check(prior)?;
    let power = epsilon.rational_exp(LONGEST_POWER).unwrap_or_else(|| epsilon.exp(EXP_BITS).upper().to_rational());
    Ok(after(prior, Some(&power)))
}

/// What a mechanism lets an adversary learn about the first secret against the second: the most over all outputs,
/// exactly. With limits, and over all laws of the two secrets within them.
///
/// # Errors
/// A belief outside 0 to 1, or secrets that do not exist.
///
/// # Complexity
/// O(inputs · outputs); with limits a sort of the inputs for each output and secret of the mechanism.
///
/// # Example
/// ```
/// use lookalike::{exact::parse_rational, model::{Categories, Channel, Mechanism, SecretGraph, TOTAL}};
/// use lookalike::pufferfish::learned;
/// let bits = Categories::new(["no", "yes"])?;
/// let mut pairs = SecretGraph::builder(bits.names().clone());
/// pairs.complete(&"ln(7)".parse()?);
/// let rows = vec![vec![TOTAL / 4 * 3, TOTAL / 4], vec![TOTAL / 4, TOTAL / 4 * 3]];
/// let warner = Mechanism::point(bits.clone(), bits, pairs.build()?, Channel::rows(rows)?)?;
/// let found = learned(&warner, [1, 0], &parse_rational("1/2")?)?;
/// assert_eq!((found.achieved.to_string(), found.promised.unwrap().to_string()), ("3/4".into(), "7/8".into()));
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn learned(mechanism: &Mechanism, secrets: [u32; 2], prior: &Rational) -> Result<Learned> {
    check(prior)?;
    let count = mechanism.graph().names().len();
    if let Some(secret) = secrets.into_iter().find(|&secret| secret as usize >= count) {
        return Err(Error::input(format!("secret number {secret}, expected a number below {count}")));
    }
    let outputs = 0..mechanism.outputs().len();
    let ratios: Vec<(Natural, Natural)> = if mechanism.limits().is_empty() {
        let laws = secrets.map(|secret| mechanism.output_law(secret));
        outputs.map(|y| laws[0].over_common_denominator(&laws[1], y)).collect()
    } else {
        let laws = OutputLaws::of(mechanism);
        outputs.map(|y| laws.column(y).over_common_denominator(secrets).into()).collect()
    };
    let largest = ratios.into_iter().filter(|(p, q)| !(p.is_zero() && q.is_zero())).reduce(|largest, next| {
        if Natural::compare_products(&next.0, &largest.1, &largest.0, &next.1).is_gt() { next } else { largest }
    });
    let (more, less) = largest.expect("a law has a possible output");
    of(mechanism, secrets, prior, [&more, &less])
}

/// The pair of secrets that must look alike and about which a mechanism tells the most, and what it tells; with limits, at the
/// laws within them that tell the most.
///
/// # Errors
/// A belief outside 0 to 1.
///
/// # Complexity
/// O(outputs · (secrets · inputs + members of all groups and edges)).
pub fn most_learned(mechanism: &Mechanism, prior: &Rational) -> Result<Learned> {
    check(prior)?;
    let laws = OutputLaws::of(mechanism);
    let mut largest: Option<(Extremes, [Natural; 2])> = None;
    for output in 0..mechanism.outputs().len() {
        let column = laws.column(output);
        for constraint in mechanism.graph().constraints() {
            let extremes = column.extremes(&constraint);
            if largest.as_ref().is_some_and(|(found, _)| extremes.is_surely_closer_than(found)) {
                continue;
            }
            let pair = column.over_common_denominator(extremes.secrets);
            let exceeds =
                |[more, less]: &[Natural; 2]| Natural::compare_products(&pair[0], less, more, &pair[1]).is_gt();
            if !pair[0].is_zero() && largest.as_ref().is_none_or(|(_, found)| exceeds(found)) {
                largest = Some((extremes, pair));
            }
        }
    }
    let (extremes, [more, less]) = largest.expect("a graph has a pair, and a law a possible output");
    of(mechanism, extremes.secrets, prior, [&more, &less])
}

/// What noise on the query of a framework lets an adversary of the law number `theta` learn, rounded up by next to
/// nothing.
///
/// Less than the noise alone would: the query is itself random given a secret. Beyond the query's values the likelihood
/// ratio is constant. Between two neighbouring ones, t steps from the lower, it is (A·u + B)/(C·u + D) with
/// u = e^(2·decay·t), which is monotone in u. So the largest ratio is found at a value of the query.
///
/// # Errors
/// A belief outside 0 to 1, a secret that is impossible under that law, a query whose values are no numbers, or values
/// so far apart in terms of the noise that e^(decay·distance) has more than 100,000 nats.
///
/// # Panics
/// If there is no law of that number, or no such secret.
///
/// # Complexity
/// O((number of values)²).
pub fn learned_from_noise(
    framework: &Framework,
    theta: usize,
    secrets: [u32; 2],
    noise: &Noise,
    prior: &Rational,
) -> Result<Learned> {
    check(prior)?;
    let law = |secret: u32| {
        framework.class()[theta].law(secret).ok_or_else(|| {
            let [secret, name] = [framework.pairs().names().name(secret), framework.class()[theta].name()];
            Error::input(format!("secret {secret:?} is impossible under the law {name:?}"))
        })
    };
    let laws = [law(secrets[0])?, law(secrets[1])?];
    let steps: Vec<BigInt> = framework.values().as_numbers()?.iter().map(|value| noise.round(value)).collect();
    let possible = |place: &usize| laws.iter().any(|law| !law.numerator(*place).is_zero());
    let places: Vec<usize> = (0..steps.len()).filter(possible).collect();
    let mut likelihoods = Likelihoods { noise, fallen: BTreeMap::new() };
    let mut largest = Rational::one();
    for &at in &places {
        let mut likelihood = |of: usize| {
            let mut sum = Interval::integer(0);
            for &place in places.iter().filter(|&&place| !laws[of].numerator(place).is_zero()) {
                let fallen = likelihoods.fallen(&(&steps[place] - &steps[at]).abs())?;
                let weight = Interval::integer(laws[of].numerator(place).to_big());
                sum = (&sum + &(&weight * &fallen)).outward(NOISE_BITS);
            }
            let denominator = Interval::integer(laws[of].denominator().to_big());
            Ok(sum.divide(&denominator, NOISE_BITS).expect("a denominator is positive"))
        };
        let (more, less) = (likelihood(0)?, likelihood(1)?);
        let ratio = more.divide(&less, NOISE_BITS).expect("noise reaches every output").upper().to_rational();
        largest = largest.max(ratio);
    }
    let promised = framework.pairs().epsilon_between(secrets[0], secrets[1]);
    let promised = promised.map(|epsilon| most_believed(prior, epsilon)).transpose()?;
    Ok(Learned { secrets, prior: prior.clone(), promised, achieved: after(prior, Some(&largest)) })
}

/// e^(−decay·distance), each distance once.
struct Likelihoods<'a> {
    noise: &'a Noise,
    fallen: BTreeMap<BigInt, Interval>,
}

impl Likelihoods<'_> {
    fn fallen(&mut self, distance: &BigInt) -> Result<Interval> {
        if !distance.is_positive() {
            return Ok(Interval::integer(1));
        }
        if let Some(known) = self.fallen.get(distance) {
            return Ok(known.clone());
        }
        let power = self.noise.decay().scale(&Rational::from_integer(distance.clone()))?.exp(NOISE_BITS);
        let fallen = Interval::integer(1).divide(&power, NOISE_BITS).expect("a power of e is positive");
        self.fallen.insert(distance.clone(), fallen.clone());
        Ok(fallen)
    }
}

/// e^ε of more bits is enclosed and not written out.
const LONGEST_POWER: u64 = 4096;
const EXP_BITS: u64 = 96;
const NOISE_BITS: u64 = 192;

fn check(prior: &Rational) -> Result<()> {
    if prior.is_negative() || *prior > Rational::one() {
        return Err(Error::input(format!("a belief of {prior}, expected a number from 0 to 1")));
    }
    Ok(())
}

fn of(mechanism: &Mechanism, secrets: [u32; 2], prior: &Rational, [more, less]: [&Natural; 2]) -> Result<Learned> {
    let ratio = (!less.is_zero()).then(|| Rational::new(more.to_big().into(), less.to_big().into()));
    let promised = mechanism.graph().epsilon_between(secrets[0], secrets[1]);
    let promised = promised.map(|epsilon| most_believed(prior, epsilon)).transpose()?;
    Ok(Learned { secrets, prior: prior.clone(), promised, achieved: after(prior, ratio.as_ref()) })
}

/// The belief after an output with this likelihood ratio; `None` is an infinite one.
fn after(prior: &Rational, ratio: Option<&Rational>) -> Rational {
    match ratio {
        Some(ratio) => {
            let risen = prior * ratio;
            &risen / (&risen + Rational::one() - prior)
        }
        // What was thought impossible stays so.
        None if !prior.is_positive() => prior.clone(),
        None => Rational::one(),
    }
}

#[cfg(test)]
#[path = "posterior_tests.rs"]
mod tests;
