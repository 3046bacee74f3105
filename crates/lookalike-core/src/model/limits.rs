//! A profile that is known up to limits: every law between them.

use super::Distribution;
use crate::error::{Error, Result};
use crate::exact::{Natural, Naturals, Rational};
use num_bigint::BigInt;
use num_traits::{One, Signed};

/// The laws P with `l ≤ P ≤ u` and `Σ P = 1`, exactly; at least one.
///
/// Limits are tightened to `u_x ← min(u_x, 1 − Σ_{x'≠x} l)` and `l_x ← max(l_x, 1 − Σ_{x'≠x} u)`: the laws stay the same,
/// and every limit is the probability that some of them gives. One law is the case l = u.
///
/// # Example
/// ```
/// use lookalike_core::{exact::parse_rational, model::Limits};
/// let ends = |texts: [&str; 2]| texts.map(|text| parse_rational(text).unwrap());
/// let limits = Limits::new(&[ends(["0.1", "0.9"]), ends(["0.3", "1/2"])])?;
/// assert_eq!(limits.ends(0), ends(["1/2", "0.7"]), "what the other category leaves");
/// assert!(Limits::new(&[ends(["0.1", "0.2"]), ends(["0.3", "1/2"])]).is_err());
/// # Ok::<(), lookalike_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The lower limits, after them the room above each, and last the denominator of all.
    numbers: Naturals,
    /// What the lower limits leave of the denominator.
    spare: Natural,
}

impl Limits {
    /// The laws within these limits, lower and upper one for each category.
    ///
    /// # Errors
    /// Limits below 0 or not in order, or limits that no law meets. No error shows a limit: from counts of people they may be
    /// private.
    pub fn new(limits: &[[Rational; 2]]) -> Result<Self> {
        if let Some(at) = limits.iter().position(|[lower, upper]| lower.is_negative() || lower > upper) {
            return Err(Error::input(format!(
                "category {}: its limits are not in order, expected 0 ≤ lower ≤ upper",
                at + 1
            )));
        }
        let [least, most] = [0, 1].map(|end| limits.iter().map(|ends| &ends[end]).sum::<Rational>());
        if least > Rational::one() || most < Rational::one() {
            return Err(Error::input(match least > Rational::one() {
                true => "no law lies within the limits: the lower ones sum to more than 1",
                false => "no law lies within the limits: the upper ones sum to less than 1",
            }));
        }
        let (spare, surplus) = (Rational::one() - least, most - Rational::one());
        let tight = |[lower, upper]: &[Rational; 2]| {
            [lower.max(&(upper - &surplus)).clone(), upper.min(&(lower + &spare)).clone()]
        };
        Ok(Limits::of_tight(&limits.iter().map(tight).collect::<Vec<_>>()))
    }

    fn of_tight(limits: &[[Rational; 2]]) -> Self {
        let total =
            limits.iter().flatten().fold(BigInt::one(), |total, limit| num_integer::lcm(total, limit.denom().clone()));
        let whole = |limit: &Rational| Natural::from((limit.numer() * (&total / limit.denom())).magnitude().clone());
        let lower: Vec<Natural> = limits.iter().map(|[lower, _]| whole(lower)).collect();
        let room = limits.iter().zip(&lower).map(|([_, upper], lower)| whole(upper).minus(lower));
        let total = Natural::from(total.magnitude().clone());
        let spare = total.minus(&lower.iter().fold(Natural::ZERO, |sum, lower| sum.plus(lower)));
        Limits { numbers: lower.iter().cloned().chain(room).chain([total]).collect(), spare }
    }

    /// The limits that this law alone meets.
    pub fn of_law(law: &Distribution) -> Self {
        Limits::of_tight(&law.probabilities().map(|p| [p.clone(), p]).collect::<Vec<_>>())
    }

    /// The number of categories: d.
    #[allow(clippy::len_without_is_empty, reason = "there is always a category")]
    pub fn len(&self) -> usize {
        self.numbers.len() / 2
    }

    /// What the limits of [`Limits::lower`] and [`Limits::room`] are out of.
    pub fn denominator(&self) -> Natural {
        self.numbers.get(2 * self.len())
    }

    /// The lower limit of a category over [`Limits::denominator`].
    ///
    /// # Panics
    /// If the category is not below [`Limits::len`].
    pub fn lower(&self, category: usize) -> Natural {
        assert!(category < self.len(), "category {category} of {}", self.len());
        self.numbers.get(category)
    }

    /// How far the upper limit of a category is above the lower one, over [`Limits::denominator`].
    ///
    /// # Panics
    /// If the category is not below [`Limits::len`].
    pub fn room(&self, category: usize) -> Natural {
        assert!(category < self.len(), "category {category} of {}", self.len());
        self.numbers.get(self.len() + category)
    }

    /// What the lower limits leave of [`Limits::denominator`]: each law hands it out.
    pub fn spare(&self) -> Natural {
        self.spare.clone()
    }

    /// The least and the largest probability of a category.
    pub fn ends(&self, category: usize) -> [Rational; 2] {
        let (lower, total) = (self.lower(category), self.denominator().to_big());
        let fraction = |end: &Natural| Rational::new(end.to_big().into(), total.clone().into());
        [fraction(&lower), fraction(&lower.plus(&self.room(category)))]
    }

    /// Whether some law within the limits has this category.
    pub fn is_possible(&self, category: usize) -> bool {
        !self.lower(category).is_zero() || !self.room(category).is_zero()
    }

    /// Whether there is one law only.
    pub fn is_point(&self) -> bool {
        self.spare.is_zero()
    }

    /// Whether a law lies within the limits; one over another number of categories does not.
    pub fn contains(&self, law: &Distribution) -> bool {
        let within = |x: usize| {
            let ([least, most], p) = (self.ends(x), law.probability(x));
            least <= p && p <= most
        };
        law.len() == self.len() && (0..law.len()).all(within)
    }

    /// The largest and the least `Σ P(x) w(x)` over all laws within the limits, times [`Limits::denominator`].
    ///
    /// A fractional knapsack each: all start from the lower limits, and what is spare goes to the largest weights first, or
    /// to the smallest. One sort.
    pub fn extremes(&self, weight: impl Fn(usize) -> u128) -> [Natural; 2] {
        let order = self.ascending(weight);
        let sum = |masses: Vec<Natural>| {
            let terms = order.iter().map(|&(weight, x)| masses[x].times(&weight.into()));
            terms.fold(Natural::ZERO, |sum, term| sum.plus(&term))
        };
        [sum(self.filled(order.iter().rev())), sum(self.filled(order.iter()))]
    }

    /// Laws within the limits at which `Σ P(x) w(x)` is largest, and least: those that [`Limits::extremes`] are about.
    pub fn extreme_laws(&self, weight: impl Fn(usize) -> u128) -> [Distribution; 2] {
        let order = self.ascending(weight);
        [self.filled(order.iter().rev()), self.filled(order.iter())]
            .map(|masses| Distribution::from_weights(masses).expect("masses sum to the denominator"))
    }

    fn ascending(&self, weight: impl Fn(usize) -> u128) -> Vec<(u128, usize)> {
        let mut order: Vec<(u128, usize)> = (0..self.len()).map(|x| (weight(x), x)).collect();
        order.sort_unstable();
        order
    }

    /// The law that gives what is spare to the categories in this order, each up to its limit.
    fn filled<'a>(&self, order: impl Iterator<Item = &'a (u128, usize)>) -> Vec<Natural> {
        let mut masses: Vec<Natural> = (0..self.len()).map(|x| self.lower(x)).collect();
        let mut spare = self.spare.clone();
        for &(_, x) in order {
            let more = self.room(x).min(spare.clone());
            masses[x] = masses[x].plus(&more);
            spare = spare.minus(&more);
        }
        masses
    }
}

#[cfg(test)]
#[path = "limits_tests.rs"]
mod tests;
