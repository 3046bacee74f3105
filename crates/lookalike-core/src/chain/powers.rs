//! Powers of a transition matrix, between two matrices of fixed-point numbers.

use super::logarithm::{ONE, PROBABILITY_BITS};
use crate::model::Chain;
use crate::model::Distribution;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A matrix of probabilities, each between two whole numbers of 2^-62, row after row.
///
/// An upper number is 0 exactly where the probability is 0, so that what is possible is known exactly.
#[derive(Debug, Clone)]
pub struct Enclosure {
    /// How many columns there are.
    pub states: usize,
    /// Whole numbers of 2^-62 that no entry is below.
    pub lower: Vec<u64>,
    /// Whole numbers of 2^-62 that no entry is above.
    pub upper: Vec<u64>,
}

impl Enclosure {
    /// The law after a law, by this matrix.
    pub fn applied_to(&self, law: &Enclosure) -> Enclosure {
        let sum = |weights: &[u64], entries: &[u64], to: usize| -> u128 {
            let terms = weights.iter().enumerate();
            terms.map(|(from, &weight)| u128::from(weight) * u128::from(entries[from * self.states + to])).sum()
        };
        let lower = (0..self.states).map(|to| rounded_down(sum(&law.lower, &self.lower, to))).collect();
        let upper = (0..self.states).map(|to| rounded_up(sum(&law.upper, &self.upper, to))).collect();
        Enclosure { states: self.states, lower, upper }
    }
}

/// Where the powers of one transition matrix, or of a set of them, come from.
pub trait PowersOf {
    /// How many states there are.
    fn states(&self) -> usize;
    /// An enclosure of the power `exponent` ≥ 1: for a set of matrices, of the powers of all. Columns may be scaled,
    /// each by the same number in all powers, and whole matrices, each by its own: influences do not change.
    fn power(&mut self, exponent: u64) -> Rc<Enclosure>;
}

/// Row after row the possible next states of a chain, with their probabilities below and above.
pub struct Steps(Vec<Vec<(usize, u64, u64)>>);

/// The powers of a chain's matrix, made when they are asked for.
pub struct Powers {
    states: usize,
    /// The steps by one.
    pub steps: Rc<Steps>,
    /// How many steps by one cost as much as a product of two matrices.
    steps_a_product: u64,
    kept: BTreeMap<u64, Rc<Enclosure>>,
    /// The last power, from which the next one is a step away.
    last: Option<(u64, Rc<Enclosure>)>,
}

/// Powers of which the exponent is a multiple of this are kept: the others are a product away.
const KEPT_EVERY: u64 = 16;

impl Steps {
    /// The law after one step from a law, both enclosed.
    pub fn step(&self, law: &Enclosure) -> Enclosure {
        // Products have at most 124 bits, and the law by which they are weighted sums to hardly more than one: sums fit.
        let (mut lower, mut upper) = (vec![0u128; law.states], vec![0u128; law.states]);
        for (from, row) in self.0.iter().enumerate() {
            for &(next, below, above) in row {
                lower[next] += u128::from(law.lower[from]) * u128::from(below);
                upper[next] += u128::from(law.upper[from]) * u128::from(above);
            }
        }
        let (lower, upper) = (lower.into_iter().map(rounded_down), upper.into_iter().map(rounded_up));
        Enclosure { states: law.states, lower: lower.collect(), upper: upper.collect() }
    }
}

impl Powers {
    /// Those of one chain.
    pub fn of(chain: &Chain) -> Self {
        let row = |law: &Distribution| -> Vec<(usize, u64, u64)> {
            let [lower, upper] = enclose(law);
            (0..law.len()).filter(|&next| upper[next] > 0).map(|next| (next, lower[next], upper[next])).collect()
        };
        let (states, steps) = (chain.states(), chain.transition().iter().map(row).collect::<Vec<_>>());
        let possible: usize = steps.iter().map(Vec::len).sum();
        // A product of matrices takes states³ operations, and a step `possible` · states.
        let steps_a_product = (states * states / possible) as u64;
        let mut first = Enclosure { states, lower: vec![0; states * states], upper: vec![0; states * states] };
        for (from, row) in steps.iter().enumerate() {
            for &(next, lower, upper) in row {
                first.lower[from * states + next] = lower;
                first.upper[from * states + next] = upper;
            }
        }
        Powers { states, steps: Rc::new(Steps(steps)), steps_a_product, kept: [(1, Rc::new(first))].into(), last: None }
    }

    /// P·M.
    fn step_before(&self, matrix: &Enclosure) -> Enclosure {
        let row = |steps: &Vec<(usize, u64, u64)>, lower: &mut [u128], upper: &mut [u128]| {
            for &(next, below, above) in steps {
                add_scaled(lower, below, &matrix.lower[next * self.states..][..self.states]);
                add_scaled(upper, above, &matrix.upper[next * self.states..][..self.states]);
            }
        };
        by_rows(self.states, &self.steps.0, row)
    }

    /// The last kept or made power that does not lie beyond this one.
    fn nearest(&self, exponent: u64) -> (u64, Rc<Enclosure>) {
        let (&kept, power) = self.kept.range(..=exponent).next_back().expect("the first power is kept");
        match &self.last {
            Some((last, power)) if (kept..=exponent).contains(last) => (*last, power.clone()),
            _ => (kept, power.clone()),
        }
    }
}

impl PowersOf for Powers {
    fn states(&self) -> usize {
        self.states
    }

    fn power(&mut self, exponent: u64) -> Rc<Enclosure> {
        let (mut at, mut power) = self.nearest(exponent);
        if exponent - at <= self.steps_a_product {
            while at < exponent {
                (at, power) = (at + 1, Rc::new(self.step_before(&power)));
            }
        } else {
            // A power of two is a square; others lack their lowest binary digit.
            let first = if exponent.is_power_of_two() { exponent / 2 } else { exponent & (exponent - 1) };
            power = Rc::new(product(&self.power(first), &self.power(exponent - first)));
        }
        if exponent.is_multiple_of(KEPT_EVERY) || exponent < KEPT_EVERY {
            self.kept.insert(exponent, power.clone());
        }
        self.last = Some((exponent, power.clone()));
        power
    }
}

/// A law in units of 2^-62: below, and above.
pub fn enclose(law: &Distribution) -> [Vec<u64>; 2] {
    let denominator = law.denominator().to_big();
    let part = |numerator: BigUint, up: bool| {
        let scaled = (numerator << PROBABILITY_BITS) + if up { &denominator - 1u32 } else { BigUint::ZERO };
        (scaled / &denominator).to_u64().expect("a probability is at most 1")
    };
    [false, true].map(|up| law.numerators().map(|numerator| part(numerator.to_big(), up)).collect())
}

fn product(a: &Enclosure, b: &Enclosure) -> Enclosure {
    let states = a.states;
    let row = |from: usize, lower: &mut [u128], upper: &mut [u128]| {
        for next in 0..states {
            let (below, above) = (a.lower[from * states + next], a.upper[from * states + next]);
            if above > 0 {
                add_scaled(lower, below, &b.lower[next * states..][..states]);
                add_scaled(upper, above, &b.upper[next * states..][..states]);
            }
        }
    };
    by_rows(states, 0..states, row)
}

/// Sums of at most two numbers of 2^-62 times each other, one row after another, each rounded once.
fn by_rows<T>(
    states: usize,
    rows: impl IntoIterator<Item = T>,
    row: impl Fn(T, &mut [u128], &mut [u128]),
) -> Enclosure {
    let mut made =
        Enclosure { states, lower: Vec::with_capacity(states * states), upper: Vec::with_capacity(states * states) };
    let (mut lower, mut upper) = (vec![0u128; states], vec![0u128; states]);
    for from in rows {
        lower.fill(0);
        upper.fill(0);
        row(from, &mut lower, &mut upper);
        made.lower.extend(lower.iter().copied().map(rounded_down));
        made.upper.extend(upper.iter().copied().map(rounded_up));
    }
    made
}

/// Rows of upper numbers sum to little more than one, so a sum of products stays far below 2^128.
fn add_scaled(sums: &mut [u128], factor: u64, row: &[u64]) {
    for (sum, &entry) in sums.iter_mut().zip(row) {
        *sum += u128::from(factor) * u128::from(entry);
    }
}

fn rounded_down(product: u128) -> u64 {
    (product >> PROBABILITY_BITS) as u64
}

/// Positive stays positive, and nothing is more probable than one.
fn rounded_up(product: u128) -> u64 {
    product.div_ceil(u128::from(ONE)).min(u128::from(ONE)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::Rational;
    use crate::model::Initial;
    use num_bigint::BigInt;
    use num_traits::Zero;
    use proptest::prelude::*;

    fn chain(rows: &[Vec<u64>]) -> Chain {
        let law = |row: &Vec<u64>| Distribution::from_weights(row.iter().map(|&weight| weight.into()).collect());
        Chain::new(Initial::Arbitrary, rows.iter().map(|row| law(row).unwrap()).collect()).unwrap()
    }

    fn exact_power(chain: &Chain, exponent: u64) -> Vec<Vec<Rational>> {
        let one: Vec<Vec<Rational>> = chain.transition().iter().map(|row| row.probabilities().collect()).collect();
        let times = |a: &Vec<Vec<Rational>>, b: &Vec<Vec<Rational>>| -> Vec<Vec<Rational>> {
            let entry = |row: &Vec<Rational>, to: usize| row.iter().zip(b).map(|(x, other)| x * &other[to]).sum();
            a.iter().map(|row| (0..row.len()).map(|to| entry(row, to)).collect()).collect()
        };
        (1..exponent).fold(one.clone(), |power, _| times(&power, &one))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn powers_lie_between_their_bounds_in_any_order(rows in (1usize..5).prop_flat_map(|d| prop::collection::vec(prop::collection::vec(prop_oneof![Just(0u64), 1u64..30], d), d)), exponents in prop::collection::vec(1u64..40, 1..6)) {
            prop_assume!(rows.iter().all(|row| row.iter().sum::<u64>() > 0));
            let chain = chain(&rows);
            let mut powers = Powers::of(&chain);
            for exponent in exponents {
                let (power, exact) = (powers.power(exponent), exact_power(&chain, exponent));
                for (place, exact) in exact.iter().flatten().enumerate() {
                    let unit = Rational::new(1.into(), BigInt::from(ONE));
                    let (lower, upper) = (power.lower[place], power.upper[place]);
                    prop_assert!(&unit * BigInt::from(lower) <= *exact && *exact <= &unit * BigInt::from(upper));
                    prop_assert!(upper - lower < 1000, "{lower} to {upper}");
                    prop_assert_eq!(upper == 0, exact.is_zero());
                }
            }
        }
    }

    #[test]
    fn a_law_moves_as_the_rows_of_the_powers_do() {
        let chain = chain(&[vec![9, 1, 0], vec![4, 5, 1], vec![0, 0, 1]]);
        let mut powers = Powers::of(&chain);
        let first = Enclosure { states: 3, lower: vec![ONE, 0, 0], upper: vec![ONE, 0, 0] };
        let mut law = first.clone();
        for exponent in 1..30 {
            law = powers.steps.step(&law);
            let power = powers.power(exponent);
            let at_once = power.applied_to(&first);
            assert_eq!((&at_once.lower, &at_once.upper), (&power.lower[..3].to_vec(), &power.upper[..3].to_vec()));
            for state in 0..3 {
                assert!(law.lower[state] <= power.upper[state] && power.lower[state] <= law.upper[state]);
                assert_eq!(law.upper[state] == 0, power.upper[state] == 0);
            }
        }
    }
}
