//! Tupling: a report is hidden among dummies. How much alike that makes two secrets, exactly.

use super::tuple_cases::{OutputType, cases, sums};
use crate::exact::{Excess, Natural, Rational, exceeds};
use crate::model::{Distribution, Epsilon, Mechanism};
use crate::{Error, Result};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Zero};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The most dummies that one report may have here.
pub const MOST_DUMMIES: u32 = 256;
/// So many cases take some ten seconds on two cores when the laws have 53 bits.
const MOST_CASES: u128 = 4_000_000;
/// More pairs than these would take long before the first case.
const MOST_PAIRS: u64 = 100_000;

/// The δ of a mechanism whose reports are hidden among k dummies, and the pair that reaches it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tupled {
    dummies: u32,
    secrets: [u32; 2],
    delta: Excess,
}

impl Tupled {
    /// How many dummies each report has: k.
    pub fn dummies(&self) -> u32 {
        self.dummies
    }

    /// The secrets s and s'; the first makes the tuples that tell the most more likely. Any pair reaches a δ of 0.
    pub fn secrets(&self) -> [u32; 2] {
        self.secrets
    }

    /// δ, with the probabilities of these tuples under s and under s'.
    pub fn delta(&self) -> &Excess {
        &self.delta
    }
}

/// The least δ with which every two secrets of a mechanism that must look alike are (ε, δ)-indistinguishable when each
/// report is hidden among dummies; for each of these numbers of dummies.
///
/// The output of the mechanism is put at a uniform place among k independent draws from the public law ν, and the k + 1
/// are released together. For a shared channel this is the tupling of distribution privacy.
///
/// # Guarantee
/// For all secrets s, s' that an edge or a group joins, and every set S of (k + 1)-tuples, `P_s(S) ≤ e^ε P_s'(S) + δ`;
/// for the pair of the result and some S both sides are equal. With k = 0 it is the δ of
/// [`certify::delta_at`](crate::certify::delta_at). It never rises with k: a tuple is an average of its k + 1 shorter ones,
/// and (·)⁺ is convex. Of pairs with equal δ the first is named. An output that no dummy ever is stays as telling as it
/// was, however many dummies there are.
///
/// # Errors
/// A law of another size than the outputs, more than 256 dummies, more than 100,000 pairs, or more than 4·10⁶ cases: for
/// T kinds of outputs that are told apart, (k + T − 1 choose k + 1) for each direction of each pair. Outputs
/// are of one kind for a pair when μ/ν and μ'/ν are equal for them. Profiles with limits.
///
/// # Complexity
/// A few products of integers of k times the bits of ν a case; pairs in parallel.
///
/// # Example
/// ```
/// use lookalike::{local::tupling, model::{Categories, Channel, Distribution, Mechanism, SecretGraph, TOTAL}};
/// let bits = Categories::new(["no", "yes"])?;
/// let mut builder = SecretGraph::builder(bits.names().clone());
/// builder.complete(&"ln(3)".parse()?);
/// let (keep, flip) = (3 * (TOTAL / 4), TOTAL / 4);
/// let warner = Channel::rows(vec![vec![keep, flip], vec![flip, keep]])?;
/// let warner = Mechanism::point(bits.clone(), bits, builder.build()?, warner)?;
/// let coin = Distribution::from_weights(vec![1u64.into(), 1u64.into()])?;
/// let found = tupling(&warner, &coin, &[0, 1], &"ln(2)".parse()?)?;
/// let deltas: Vec<String> = found.iter().map(|tupled| tupled.delta().exact().unwrap().to_string()).collect();
/// assert_eq!(deltas, ["1/4", "1/8"]); // no, no: 3/8 − 2·1/8; one of each: 1/4 both ways
/// # Ok::<(), lookalike::Error>(())
/// ```
///
/// # Reference
/// Kawamoto and Murakami, Local obfuscation mechanisms for hiding probability distributions, 2019 (arXiv 1812.00939).
pub fn tupling(mechanism: &Mechanism, dummy: &Distribution, dummies: &[u32], epsilon: &Epsilon) -> Result<Vec<Tupled>> {
    mechanism.check_single_laws("tupling")?;
    check_sizes(mechanism.outputs().len(), dummy, dummies)?;
    let pairs: Vec<[u32; 2]> = pairs(mechanism)?.into_iter().collect();
    let secrets: BTreeSet<u32> = pairs.iter().copied().flatten().collect();
    let laws: BTreeMap<u32, Distribution> =
        secrets.into_par_iter().map(|secret| (secret, mechanism.output_law(secret))).collect();
    let tuples = |pair: &[u32; 2]| Tuples::of(pair.each_ref().map(|secret| &laws[secret]), dummy);
    let prepared: Vec<([u32; 2], Tuples)> = pairs.par_iter().map(|pair| (*pair, tuples(pair))).collect();
    refuse_long_work(prepared.iter().map(|(_, tuples)| tuples), dummies)?;
    let worst = |&dummies: &u32| {
        let found = prepared.par_iter().map(|(pair, tuples)| tuples.worst(*pair, dummies, epsilon));
        found.reduce_with(Tupled::or_larger).expect("a graph has an edge")
    };
    Ok(dummies.iter().map(worst).collect())
}

/// The δ of two output laws at ε when each report is hidden among so many dummies from ν: the larger of both directions
/// of Σ (P₀(t) − e^ε P₁(t))⁺ over all tuples t, where P_b puts a draw from μ_b at a uniform place among the dummies.
///
/// # Errors
/// As [`tupling`].
///
/// # Example
/// ```
/// use lookalike::{exact::{Direction, decimal}, local::tupled_delta, model::Distribution};
/// let law = |tenths: [u64; 4]| Distribution::from_weights(tenths.map(Into::into).to_vec());
/// let (one, other, uniform) = (law([4, 3, 2, 1])?, law([1, 2, 3, 4])?, law([1; 4])?);
/// let delta = tupled_delta([&one, &other], &uniform, 8, &"0.5".parse()?)?;
/// assert_eq!(decimal(&delta.enclosure().upper().to_rational(), 4, Direction::Nearest), "0.0075");
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn tupled_delta(laws: [&Distribution; 2], dummy: &Distribution, dummies: u32, epsilon: &Epsilon) -> Result<Excess> {
    laws.into_iter().try_for_each(|law| check_sizes(law.len(), dummy, &[dummies]))?;
    let tuples = Tuples::of(laws, dummy);
    refuse_long_work([&tuples].into_iter(), &[dummies])?;
    Ok(tuples.worst([0, 1], dummies, epsilon).delta)
}

fn check_sizes(outputs: usize, dummy: &Distribution, dummies: &[u32]) -> Result<()> {
    if dummy.len() != outputs {
        let found = dummy.len();
        return Err(Error::input(format!("dummies over {found} outputs, expected the {outputs} of the reports")));
    }
    match dummies.iter().find(|&&dummies| dummies > MOST_DUMMIES) {
        Some(dummies) => Err(Error::inapplicable(format!("{dummies} dummies, expected at most {MOST_DUMMIES}"))),
        None => Ok(()),
    }
}

/// Every two secrets that must look alike, once.
fn pairs(mechanism: &Mechanism) -> Result<BTreeSet<[u32; 2]>> {
    let count = mechanism.graph().pairs();
    if count > MOST_PAIRS {
        return Err(Error::inapplicable(format!(
            "tupling compares {count} pairs of secrets, expected at most {MOST_PAIRS} (ask about a mechanism with fewer \
             edges or smaller groups)"
        )));
    }
    let mut pairs = BTreeSet::new();
    for constraint in mechanism.graph().constraints() {
        // Members ascend.
        for (at, &one) in constraint.members.iter().enumerate() {
            pairs.extend(constraint.members[at + 1..].iter().map(|&other| [one, other]));
        }
    }
    Ok(pairs)
}

fn refuse_long_work<'a>(tuples: impl Iterator<Item = &'a Tuples>, dummies: &[u32]) -> Result<()> {
    let (mut total, mut most_types, mut pairs) = (0u128, 0, 0);
    for tuples in tuples {
        let of = |&dummies: &u32| cases(tuples.types.len(), dummies + 1).saturating_mul(2);
        total = dummies.iter().map(of).fold(total, u128::saturating_add);
        (most_types, pairs) = (most_types.max(tuples.types.len()), pairs + 1);
    }
    if total <= MOST_CASES {
        return Ok(());
    }
    let most_dummies = dummies.iter().max().expect("there are cases");
    let total = if total == u128::MAX { "more than 10^38".to_owned() } else { total.to_string() };
    let plural = if pairs == 1 { "" } else { "s" };
    Err(Error::inapplicable(format!(
        "{pairs} pair{plural} of secrets with {most_types} kinds of outputs and {most_dummies} dummies make {total} cases, expected \
         at most {MOST_CASES} (ask for fewer dummies, or about a mechanism with fewer outputs)"
    )))
}

impl Tupled {
    /// The one with the larger δ; of equals the first.
    fn or_larger(self, other: Tupled) -> Tupled {
        let order = self.delta.compare(&other.delta).then_with(|| other.secrets.cmp(&self.secrets));
        if order.is_lt() { other } else { self }
    }
}

/// Two output laws against the law of the dummies, in whole numbers.
struct Tuples {
    /// Outputs that dummies have too.
    types: Vec<OutputType>,
    /// Outputs that no dummy ever is: such a one is the report itself, so its two numerators decide, whatever is around it.
    exposed: Vec<[Natural; 2]>,
    /// The denominator of the laws of the report.
    unit: BigUint,
    /// What the rates are multiplied with to be whole.
    rate_unit: BigInt,
    /// The denominator of the dummies' law.
    dummy_unit: BigUint,
}

impl Tuples {
    fn of([one, other]: [&Distribution; 2], dummy: &Distribution) -> Self {
        let (mut rates, mut exposed) = (BTreeMap::<[Rational; 2], BigUint>::new(), Vec::new());
        for (output, weight) in dummy.numerators().enumerate() {
            let (a, b) = one.over_common_denominator(other, output);
            if weight.is_zero() {
                exposed.push([a, b]);
                continue;
            }
            let weight = weight.to_big();
            let rate = |numerator: Natural| Rational::new(numerator.to_big().into(), weight.clone().into());
            *rates.entry([rate(a), rate(b)]).or_default() += &weight;
        }
        let rate_unit = rates.keys().flatten().fold(BigInt::one(), |unit, rate| unit.lcm(rate.denom()));
        let whole = |rate: Rational| Natural::from((rate * &rate_unit).to_integer().magnitude().clone());
        let types = rates.into_iter().map(|(rates, weight)| OutputType { weight, rates: rates.map(whole) }).collect();
        let units = [one.denominator(), other.denominator()];
        let unit = if units[0] == units[1] { units[0].to_big() } else { units[0].times(&units[1]).to_big() };
        Tuples { types, exposed, unit, rate_unit, dummy_unit: dummy.denominator().to_big() }
    }

    /// The direction with the larger δ.
    fn worst(&self, [one, other]: [u32; 2], dummies: u32, epsilon: &Epsilon) -> Tupled {
        let tupled = |delta, secrets| Tupled { dummies, secrets, delta };
        let there = tupled(self.delta(dummies, epsilon), [one, other]);
        there.or_larger(tupled(self.reversed().delta(dummies, epsilon), [other, one]))
    }

    fn reversed(&self) -> Tuples {
        let swap = |[a, b]: &[Natural; 2]| [b.clone(), a.clone()];
        let types =
            self.types.iter().map(|one| OutputType { weight: one.weight.clone(), rates: swap(&one.rates) }).collect();
        let (unit, dummy_unit) = (self.unit.clone(), self.dummy_unit.clone());
        let exposed = self.exposed.iter().map(swap).collect();
        Tuples { types, exposed, unit, rate_unit: self.rate_unit.clone(), dummy_unit }
    }

    /// Σ (P₀(t) − e^ε P₁(t))⁺ over all tuples.
    ///
    /// A tuple without an exposed output has P_b(t) = 1/(k+1)·Σ_i μ_b(y_i)/ν(y_i)·Π_j ν(y_j). With one at any of its k + 1
    /// places they have together μ_b of it; with two it does not occur.
    fn delta(&self, dummies: u32, epsilon: &Epsilon) -> Excess {
        let mut exposed = [BigUint::zero(), BigUint::zero()];
        for [a, b] in self.exposed.iter().filter(|[a, b]| exceeds(a, epsilon, b)) {
            exposed[0] += a.to_big();
            exposed[1] += b.to_big();
        }
        let hidden = sums(&self.types, dummies + 1, epsilon);
        // Σ ν^(k+1)·rates, where a rate is in units of D/(L·M): over (k+1)·L·M·D^k.
        let scale = BigInt::from(self.dummy_unit.pow(dummies)) * &self.rate_unit * (dummies + 1);
        let whole = BigInt::from(self.unit.clone()) * &scale;
        let [a, b] = [0, 1].map(|at| BigInt::from(exposed[at].clone()) * &scale + BigInt::from(hidden[at].clone()));
        Excess::new(epsilon, [a, b].map(|sum| Rational::new(sum, whole.clone())))
    }
}

#[cfg(test)]
#[path = "tupling_tests.rs"]
mod tests;
