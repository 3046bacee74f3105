//! The exact law of the likelihood ratio of two output laws, of one release or of several.

use super::fixed::quotient;
use super::ratios::CoprimeBase;
use super::types::{ByRatio, Masses, count, repeated, together};
use crate::exact::{Epsilon, Excess, Interval, Natural, Rational, exceeds};
use crate::model::Distribution;
use crate::{Error, Result};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Zero};
use std::cmp::Ordering;

/// What a release tells between two secrets: the exact law of the ratio P(y)/Q(y) of their output laws P and Q.
///
/// Outputs with equal ratios are one, since whoever tells P from Q gains nothing by telling them apart. Those that only P
/// makes, whose loss is infinite, are one as well, and so are those that only Q makes.
///
/// # Guarantee
/// All numbers are exact. [`PrivacyLoss::delta`] is the least δ with `P(S) ≤ e^ε Q(S) + δ` for every set S of outputs,
/// or of sequences of outputs after [`PrivacyLoss::composed`]; it says so for P against Q only, and
/// [`PrivacyLoss::reversed`] is the other direction.
///
/// # Example
/// ```
/// use lookalike::{account::loss::PrivacyLoss, exact::parse_rational, model::Distribution};
/// let law = |weights: [u64; 2]| Distribution::from_weights(weights.map(Into::into).to_vec());
/// let once = PrivacyLoss::of(&law([3, 1])?, &law([1, 3])?)?; // Warner at ln 3
/// let twice = once.times(2)?;
/// // yes, yes: 9/16 against 1/16; the mixed sequences tell nothing.
/// assert_eq!(twice.delta(&"ln(3)".parse()?).exact().unwrap().to_string(), "3/8"); // 9/16 − 3·1/16
/// let at = |delta: &str| twice.exp_epsilon(&parse_rational(delta).unwrap()).unwrap().to_string();
/// assert_eq!([at("0"), at("3/8"), at("1/2"), at("1")], ["9", "3", "1", "1"]);
/// # Ok::<(), lookalike::Error>(())
/// ```
///
/// # Reference
/// Neyman and Pearson (1933): the best tests are the sets {P > c·Q}. Dwork and Rothblum, Concentrated Differential Privacy
/// (2016), for the name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PrivacyLoss {
    /// Masses are whole numbers out of this.
    whole: BigUint,
    /// The masses under P and Q of the most telling outputs together: of those that only P makes, then with each further
    /// ratio, in descending order. The last one leaves out those that only Q makes.
    vertices: Vec<Masses>,
}

/// More outcomes of several releases than these are not gone through exactly.
pub const MOST_OUTCOMES: u128 = 20_000;
/// So many products of words take about a second.
pub(super) const MOST_STEPS: u128 = 1_000_000_000;
/// What the logarithm of an outcome and its comparisons take, in products of words.
const STEPS_TO_SORT: u128 = 20_000;
/// Bits of the enclosures that leave exact arithmetic.
const BITS: u64 = 192;

impl PrivacyLoss {
    /// Three kinds of outputs: masses a and b under P and Q, b and a, and what is left of the whole with equal masses.
    pub(super) fn symmetric([a, b]: [BigUint; 2], whole: BigUint) -> Self {
        let rest = &whole - &a - &b;
        PrivacyLoss::from_masses(vec![[a.clone(), b.clone()], [b, a], [rest.clone(), rest]], whole)
    }

    /// Of one release, for the output laws of two secrets.
    ///
    /// # Errors
    /// Laws over different numbers of outputs.
    pub fn of(first: &Distribution, second: &Distribution) -> Result<Self> {
        if first.len() != second.len() {
            return Err(Error::input(format!(
                "laws over {} and {} outputs, expected the same outputs",
                first.len(),
                second.len()
            )));
        }
        let [one, other] = [first.denominator(), second.denominator()];
        let whole = if one == other { one } else { one.times(&other) };
        let masses = (0..first.len()).map(|output| {
            let (p, q) = first.over_common_denominator(second, output);
            [p.to_big(), q.to_big()]
        });
        Ok(PrivacyLoss::from_masses(masses.collect(), whole.to_big()))
    }

    /// Of outputs with these masses out of `whole`, in any order.
    pub(super) fn from_masses(mut masses: Vec<Masses>, whole: BigUint) -> Self {
        masses.retain(|masses| masses.iter().any(|mass| !mass.is_zero()));
        masses.sort_by(|one, other| compare_ratios(other, one));
        PrivacyLoss::cumulated(&masses, whole).reduced()
    }

    /// The same in the least whole numbers, so that equal losses are equal in form.
    fn reduced(mut self) -> Self {
        let common = self.vertices.iter().flatten().fold(self.whole.clone(), |common, mass| common.gcd(mass));
        self.vertices.iter_mut().flatten().for_each(|mass| *mass /= &common);
        self.whole /= common;
        self
    }

    /// Of outputs by descending ratio; equal ratios may occur side by side.
    fn cumulated(masses: &[Masses], whole: BigUint) -> Self {
        let mut vertices: Vec<Masses> = vec![[BigUint::ZERO, BigUint::ZERO]];
        for group in masses.chunk_by(|one, other| compare_ratios(one, other) == Ordering::Equal) {
            let last = vertices.last().expect("it begins with one");
            let sum = [0, 1].map(|law: usize| group.iter().map(|masses| &masses[law]).sum::<BigUint>() + &last[law]);
            // What only P makes is the first vertex itself, and what only Q makes is left out.
            if sum[1].is_zero() {
                vertices[0] = sum;
            } else if sum[0] != last[0] {
                vertices.push(sum);
            }
        }
        PrivacyLoss { whole, vertices }
    }

    /// The same between Q and P.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let [_, last_q] = &self.vertices[self.vertices.len() - 1];
        let mut masses: Vec<Masses> = self.atoms().map(|[p, q]| [q, p]).collect();
        masses.push([&self.whole - last_q, BigUint::ZERO]);
        masses.push([BigUint::ZERO, self.vertices[0][0].clone()]);
        PrivacyLoss::from_masses(masses, self.whole.clone())
    }

    /// The masses under P and Q of each finite ratio, in descending order, out of [`PrivacyLoss::whole`].
    pub(super) fn atoms(&self) -> impl DoubleEndedIterator<Item = Masses> {
        self.vertices.windows(2).map(|pair| [&pair[1][0] - &pair[0][0], &pair[1][1] - &pair[0][1]])
    }

    pub(super) fn whole(&self) -> &BigUint {
        &self.whole
    }

    /// The masses of the best tests, out of [`PrivacyLoss::whole`].
    pub(super) fn vertices(&self) -> &[Masses] {
        &self.vertices
    }

    /// How many finite ratios there are.
    pub fn ratios(&self) -> usize {
        self.vertices.len() - 1
    }

    /// The probability under P of what Q never makes: with so much probability everything is told.
    pub fn infinite(&self) -> Rational {
        quotient(&self.vertices[0][0], &self.whole)
    }

    /// The masses with the largest ratio, if it is finite.
    pub(super) fn largest(&self) -> Option<Masses> {
        self.vertices[0][0].is_zero().then(|| self.atoms().next()).flatten()
    }

    /// Enclosures of the probabilities under P and Q of each ratio; that of Q is 0 for an infinite one.
    pub(super) fn enclosures(&self) -> Vec<[Interval; 2]> {
        let infinite = [self.vertices[0][0].clone(), BigUint::ZERO];
        let masses = std::iter::once(infinite).chain(self.atoms()).filter(|[p, _]| !p.is_zero());
        let enclosure = |mass: BigUint| Interval::of(&Rational::new_raw(mass.into(), self.whole.clone().into()), BITS);
        masses.map(|masses| masses.map(enclosure)).collect()
    }

    /// Of k independent releases, each with this loss.
    ///
    /// # Errors
    /// As [`PrivacyLoss::composed`].
    pub fn times(&self, k: u32) -> Result<Self> {
        PrivacyLoss::composed(&[(self, k)])
    }

    /// Of independent releases, so many of each loss: exactly what enumerating all sequences of outputs would give.
    ///
    /// What a sequence tells is the product of the ratios of its outputs, so only the number of outputs of each ratio
    /// matters, and not their order. Products that are equal are found exactly and become one.
    ///
    /// # Errors
    /// More than 20,000 such outcomes, or numbers so long that they would take more than about a second;
    /// [`super::LossGrid`] has no such limit.
    ///
    /// # Complexity
    /// For n outcomes in numbers of w words O(n·w²) for the masses, and O(n log n) comparisons of logarithms.
    pub fn composed(parts: &[(&PrivacyLoss, u32)]) -> Result<Self> {
        if !PrivacyLoss::is_short(parts) {
            return Err(Error::inapplicable(format!(
                "{} outcomes of the releases in numbers of {} bits, expected at most {MOST_OUTCOMES} and less work (a \
                 loss on a grid has no such limit)",
                outcomes(parts),
                bits(parts)
            )));
        }
        let atoms: Vec<Vec<Masses>> = parts.iter().map(|(loss, _)| loss.atoms().collect()).collect();
        let base = CoprimeBase::of(atoms.iter().flatten().flatten());
        let nothing = ByRatio::from([(base.one(), [BigUint::one(), BigUint::one()])]);
        let each = atoms.iter().zip(parts).map(|(atoms, (_, k))| repeated(atoms, *k, &base));
        let outcomes = each.fold(nothing, |all, part| together(&all, &part));
        let whole = parts.iter().map(|(loss, k)| loss.whole.pow(*k)).product();
        Ok(PrivacyLoss::descending(outcomes, whole, &base))
    }

    fn descending(outcomes: ByRatio, whole: BigUint, base: &CoprimeBase) -> Self {
        let mut outcomes: Vec<_> =
            outcomes.into_iter().map(|(ratio, masses)| (base.logarithm(&ratio), ratio, masses)).collect();
        outcomes.sort_by(|(one_within, one, _), (other_within, other, _)| {
            base.compare([other, one], [other_within, one_within])
        });
        // What is left of the whole is infinitely telling: one such output makes the sequence so.
        let finite: BigUint = outcomes.iter().map(|(.., masses)| &masses[0]).sum();
        let mut last = [&whole - finite, BigUint::ZERO];
        let mut vertices = vec![last.clone()];
        for (.., masses) in outcomes {
            last.iter_mut().zip(masses).for_each(|(sum, mass)| *sum += mass);
            vertices.push(last.clone());
        }
        PrivacyLoss { whole, vertices }
    }

    /// Whether [`PrivacyLoss::composed`] takes these.
    pub fn is_short(parts: &[(&PrivacyLoss, u32)]) -> bool {
        PrivacyLoss::steps(parts) <= MOST_STEPS
    }

    /// About how many products of words [`PrivacyLoss::composed`] takes.
    pub(super) fn steps(parts: &[(&PrivacyLoss, u32)]) -> u128 {
        let (outcomes, words) = (outcomes(parts), u128::from(bits(parts) / 64 + 1));
        if outcomes > MOST_OUTCOMES {
            return u128::MAX;
        }
        // A product of two halves for each outcome and law, and its place among the others.
        let each = words.saturating_mul(words / 2 + 8).saturating_add(STEPS_TO_SORT);
        outcomes.saturating_mul(each)
    }

    /// The least δ with `P(S) ≤ e^ε Q(S) + δ` for every set S, exactly: that of all outputs beyond e^ε.
    ///
    /// # Complexity
    /// A binary search with [`exceeds`].
    pub fn delta(&self, epsilon: &Epsilon) -> Excess {
        let ratios: Vec<usize> = (1..self.vertices.len()).collect();
        let beyond = ratios.partition_point(|&at| {
            let [p, q] = [0, 1].map(|law: usize| &self.vertices[at][law] - &self.vertices[at - 1][law]);
            exceeds(&Natural::from(p), epsilon, &Natural::from(q))
        });
        Excess::new(epsilon, self.vertices[beyond].each_ref().map(|mass| quotient(mass, &self.whole)))
    }

    /// e^ε for the least ε ≥ 0 with `P(S) ≤ e^ε Q(S) + δ` for every set S: a fraction, for δ(ε) = max_j (P_j − e^ε Q_j) over
    /// the vertices, so that e^ε is the largest (P_j − δ)/Q_j. `None` when no ε will do.
    ///
    /// # Complexity
    /// A binary search: along the vertices (P_j − δ)/Q_j rises up to its largest value and then falls.
    pub fn exp_epsilon(&self, delta: &Rational) -> Option<Rational> {
        // P_j − δ is `above(j)` over the whole times δ's denominator.
        let scale = delta.denom();
        let limit = delta.numer() * BigInt::from(self.whole.clone());
        let above = |at: usize| BigInt::from(self.vertices[at][0].clone()) * scale - &limit;
        if above(0) > BigInt::zero() {
            return None;
        }
        let later: Vec<usize> = (1..self.ratios()).collect();
        let rises = |&at: &usize| {
            let [p, q] = [0, 1].map(|law: usize| &self.vertices[at + 1][law] - &self.vertices[at][law]);
            BigInt::from(p * &self.vertices[at][1]) * scale > above(at) * BigInt::from(q)
        };
        let best = later.partition_point(rises) + 1;
        let slope = (best < self.vertices.len())
            .then(|| Rational::new(above(best), BigInt::from(self.vertices[best][1].clone()) * scale));
        Some(slope.map_or_else(Rational::one, |slope| slope.max(Rational::one())))
    }

    /// The trade-off curve, as its vertices: whoever takes Q for P with probability at most α takes P for Q with
    /// probability at least β. α ascends from 0 to 1; in between the curve is straight (tests drawn by a coin).
    pub fn trade_off(&self) -> Vec<[Rational; 2]> {
        let point = |[p, q]: &Masses| [quotient(q, &self.whole), quotient(&(&self.whole - p), &self.whole)];
        let mut points: Vec<[Rational; 2]> = self.vertices.iter().map(point).collect();
        if self.vertices.last().is_some_and(|[_, q]| *q < self.whole) {
            points.push([Rational::one(), Rational::zero()]);
        }
        points
    }
}

fn compare_ratios([p, q]: &Masses, [other_p, other_q]: &Masses) -> Ordering {
    (p * other_q).cmp(&(other_p * q))
}

fn outcomes(parts: &[(&PrivacyLoss, u32)]) -> u128 {
    parts.iter().fold(1, |product, (loss, k)| product.saturating_mul(count(loss.ratios(), *k)))
}

fn bits(parts: &[(&PrivacyLoss, u32)]) -> u64 {
    parts.iter().fold(0, |sum, (loss, k)| sum.saturating_add(loss.whole.bits().saturating_mul(u64::from(*k))))
}

#[cfg(test)]
#[path = "privacy_loss_tests.rs"]
mod tests;
