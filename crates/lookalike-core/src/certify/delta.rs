//! How far a mechanism is from a smaller ε: the least δ of (ε, δ)-indistinguishability, exactly.

use crate::error::{Error, Result};
use crate::exact::{Dyadic, Excess, Interval, Natural, Rational, compare_with_exp, exceeds, exceeds_within};
use crate::model::{Constraint, Distribution, Epsilon, Mechanism, OutputLaws};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};
use rayon::prelude::*;
use std::cmp::Ordering;
use std::sync::OnceLock;

/// The least δ at ε, and the pair and outputs that reach it.
///
/// It is a − b·e^ε, where a and b are the probabilities of the outputs under the first and the second secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delta {
    secrets: [u32; 2],
    outputs: Vec<u32>,
    excess: Excess,
}

/// A pair at an output is one step; so many take some ten seconds on two cores.
const MOST_STEPS: u128 = 4_000_000_000;

/// The least δ with which every two secrets that must look alike are (ε, δ)-indistinguishable, whatever their own ε.
///
/// # Guarantee
/// For all such secrets s, s' and every set S of outputs `q_s(S) ≤ e^ε q_s'(S) + δ`, and for the pair and the outputs of
/// the result both sides are equal. So δ is the largest Σ_y (q_s(y) − e^ε q_s'(y))⁺ over ordered pairs. Among pairs
/// with equal δ the one with the first s, then the first s', is named; it is 0 exactly when all are within ε.
/// (δ at ε = 0 would be the total variation distance; but [`Epsilon`] is above 0.)
///
/// # Errors
/// More than 4·10⁹ steps: ordered pairs times outputs. A group of k has k(k − 1) ordered pairs. Profiles with limits.
///
/// # Complexity
/// Two products of words a step and 8 bytes per secret and output; exact integers only for pairs that these leave open.
/// Pairs in parallel.
///
/// # Example
/// ```
/// use lookalike_core::{certify::delta_at, model::{Categories, Channel, Mechanism, SecretGraph, TOTAL}};
/// let bits = Categories::new(["no", "yes"])?;
/// let mut builder = SecretGraph::builder(bits.names().clone());
/// builder.complete(&"ln(3)".parse()?);
/// let (keep, flip) = (3 * (TOTAL / 4), TOTAL / 4);
/// let warner = Channel::rows(vec![vec![keep, flip], vec![flip, keep]])?;
/// let warner = Mechanism::point(bits.clone(), bits, builder.build()?, warner)?;
/// assert_eq!(delta_at(&warner, &"ln(2)".parse()?)?.exact().unwrap().to_string(), "1/4"); // 3/4 − 2·1/4
/// assert!(delta_at(&warner, &"ln(3)".parse()?)?.is_zero());
/// # Ok::<(), lookalike_core::Error>(())
/// ```
pub fn delta_at(mechanism: &Mechanism, epsilon: &Epsilon) -> Result<Delta> {
    mechanism.check_single_laws("delta at an epsilon")?;
    refuse_long_work(mechanism)?;
    let constraints: Vec<Constraint<'_>> = mechanism.graph().constraints().collect();
    let (pairs, laws) = (|| ordered_pairs(&constraints), Laws::of(mechanism, epsilon));
    // Members ascend, so this is the first pair of all. Those left out below have a smaller δ than some other, or 0.
    let first = constraints.iter().map(|constraint| [constraint.members[0], constraint.members[1]]).min();
    let reached = pairs().map(|pair| laws.ends(pair)[0]).max().expect("a graph has an edge");
    let can_be_largest = |pair: &[u32; 2]| Some(*pair) == first || laws.ends(*pair)[1] >= reached.max(1);
    let open = pairs().filter(can_be_largest).map(|pair| laws.found(pair));
    let largest = open.reduce_with(|one, other| one.or_larger(other, epsilon)).expect("the first pair is open");
    let Found { secrets, probabilities } = largest;
    let outputs = laws.outputs_beyond(secrets).map(|output| output as u32).collect();
    let excess = Excess::new(epsilon, probabilities.each_ref().map(Share::rational));
    Ok(Delta { secrets, outputs, excess })
}

fn refuse_long_work(mechanism: &Mechanism) -> Result<()> {
    let sizes = mechanism.graph().constraints().map(|constraint| constraint.members.len() as u128);
    let (pairs, outputs) = (sizes.map(|size| size * (size - 1)).sum::<u128>(), mechanism.outputs().len() as u128);
    let steps = pairs * outputs;
    if steps > MOST_STEPS {
        return Err(Error::inapplicable(format!(
            "delta compares {pairs} ordered pairs at {outputs} outputs, {steps} steps, expected at most {MOST_STEPS} \
             (a group of k has k(k − 1) ordered pairs: ask about a mechanism with smaller groups)"
        )));
    }
    Ok(())
}

/// Every two secrets that must look alike, in both orders; some more than once.
fn ordered_pairs<'a>(constraints: &'a [Constraint<'a>]) -> impl ParallelIterator<Item = [u32; 2]> + 'a {
    constraints.par_iter().flat_map(|constraint| {
        constraint.members.par_iter().flat_map_iter(|&one| {
            constraint.members.iter().filter(move |&&other| other != one).map(move |&other| [one, other])
        })
    })
}

/// The output laws for a question about δ: short integers for all of them, exact ones for those that are asked for.
struct Laws<'a> {
    mechanism: &'a Mechanism,
    epsilon: &'a Epsilon,
    /// For each secret and output the floor of its probability in units of 2^−62; see [`Laws::enclosures`].
    floors: Vec<u64>,
    exact: Vec<OnceLock<Distribution>>,
    /// e^ε lies between these over 2^`fraction_bits`, or it and both ends are at least 2^63, beyond all that matters.
    exponential: [u128; 2],
    fraction_bits: u64,
}

impl<'a> Laws<'a> {
    fn of(mechanism: &'a Mechanism, epsilon: &'a Epsilon) -> Self {
        let (secrets, outputs) = (mechanism.graph().names().len(), mechanism.outputs().len());
        let (laws, mut floors) = (OutputLaws::of(mechanism), vec![0; secrets * outputs]);
        for output in 0..outputs {
            let places = floors.iter_mut().skip(output).step_by(outputs);
            places.zip(laws.column(output).floors()).for_each(|(place, floor)| *place = *floor);
        }
        let power = epsilon.exp(64);
        let ends = [power.lower(), power.upper()].map(Dyadic::to_rational);
        let fraction_bits = 63 - ends[1].to_integer().bits().min(63);
        let [lower, upper] = ends.map(|end| end * (BigInt::one() << fraction_bits));
        let exponential =
            [lower.floor(), upper.ceil()].map(|end| end.to_integer().to_u128().map_or(1 << 63, |end| end.min(1 << 63)));
        Laws { mechanism, epsilon, floors, exact: vec![OnceLock::new(); secrets], exponential, fraction_bits }
    }

    /// For each output the ends between which its probability lies, in units of 2^−62.
    fn enclosures(&self, secret: u32) -> impl Iterator<Item = [u64; 2]> {
        let outputs = self.mechanism.outputs().len();
        let floors = &self.floors[secret as usize * outputs..][..outputs];
        // A probability is less than two units above its floor.
        floors.iter().map(|&floor| [floor, floor + 2])
    }

    /// Ends between which δ of a pair lies, in units of 2^−(62 + `fraction_bits`). The upper end is 0 only if δ is.
    ///
    /// Below 2^126: the floors of a law sum to at most 2^62. Nothing is rounded but the four numbers it starts from.
    fn ends(&self, [one, other]: [u32; 2]) -> [u128; 2] {
        let [power_lower, power_upper] = self.exponential;
        let mut ends = [0; 2];
        for (q, q_prime) in self.enclosures(one).zip(self.enclosures(other)) {
            let [lower, upper] = q.map(|end| u128::from(end) << self.fraction_bits);
            ends[0] += lower.saturating_sub(power_upper * u128::from(q_prime[1]));
            ends[1] += upper.saturating_sub(power_lower * u128::from(q_prime[0]));
        }
        ends
    }

    fn exact(&self, secret: u32) -> &Distribution {
        self.exact[secret as usize].get_or_init(|| self.mechanism.output_law(secret))
    }

    /// The outputs at which the first probability is more than e^ε times the second.
    fn outputs_beyond(&self, [one, other]: [u32; 2]) -> impl Iterator<Item = usize> {
        let ends = self.enclosures(one).zip(self.enclosures(other)).enumerate();
        let beyond = move |(output, (q, q_prime))| {
            exceeds_within(q, self.epsilon, q_prime).unwrap_or_else(|| {
                let (q, q_prime) = self.exact(one).over_common_denominator(self.exact(other), output);
                exceeds(&q, self.epsilon, &q_prime)
            })
        };
        ends.filter(move |&pair| beyond(pair)).map(|(output, _)| output)
    }

    fn found(&self, secrets: [u32; 2]) -> Found {
        let mut probabilities = secrets.map(|secret| Share(Natural::ZERO, self.exact(secret).denominator()));
        for output in self.outputs_beyond(secrets) {
            for (share, &secret) in probabilities.iter_mut().zip(&secrets) {
                share.0 = share.0.plus(&self.exact(secret).numerator(output));
            }
        }
        Found { secrets, probabilities }
    }
}

/// A pair with the two probabilities of its outputs: its δ is a − b·e^ε, exactly.
struct Found {
    secrets: [u32; 2],
    probabilities: [Share; 2],
}

/// A numerator and a denominator; never reduced, since equal ones are common and greatest common divisors slow.
struct Share(Natural, Natural);

impl Share {
    fn rational(&self) -> Rational {
        Rational::new(self.0.to_big().into(), self.1.to_big().into())
    }

    fn minus(&self, other: &Share) -> Rational {
        match Natural::compare_products(&self.0, &other.1, &other.0, &self.1) {
            Ordering::Equal => Rational::zero(),
            _ => self.rational() - other.rational(),
        }
    }
}

impl Found {
    /// The one with the larger δ; of equals the first.
    fn or_larger(self, other: Found, epsilon: &Epsilon) -> Found {
        // a − b·E against a' − b'·E is a − a' against (b − b')·E.
        let [a, b] = [0, 1].map(|at| self.probabilities[at].minus(&other.probabilities[at]));
        let order = compare_with_exp(&a, epsilon, &b).then_with(|| other.secrets.cmp(&self.secrets));
        if order == Ordering::Less { other } else { self }
    }
}

impl Delta {
    /// The ε at which δ was asked for.
    pub fn epsilon(&self) -> &Epsilon {
        self.excess.epsilon()
    }

    /// The secrets s and s'; the first gives the outputs the larger probability. Any pair reaches a δ of 0.
    pub fn secrets(&self) -> [u32; 2] {
        self.secrets
    }

    /// The outputs that are more than e^ε times as likely under s as under s', ascending; none when δ is 0.
    pub fn outputs(&self) -> &[u32] {
        &self.outputs
    }

    /// δ itself, as a − b·e^ε.
    pub fn excess(&self) -> &Excess {
        &self.excess
    }

    /// The probabilities a and b of these outputs together, under s and under s'.
    pub fn probabilities(&self) -> &[Rational; 2] {
        self.excess.probabilities()
    }

    /// Whether all pairs are within ε.
    pub fn is_zero(&self) -> bool {
        self.outputs.is_empty()
    }

    /// δ as a fraction; `None` when e^ε is irrational, or a fraction too long to be written out, beyond 4096 bits.
    pub fn exact(&self) -> Option<Rational> {
        self.excess.exact()
    }

    /// An interval that contains δ, narrower than 2^−60 of it: the point 0, or positive.
    pub fn enclosure(&self) -> Interval {
        self.excess.enclosure()
    }
}

#[cfg(test)]
#[path = "delta_tests.rs"]
mod tests;
