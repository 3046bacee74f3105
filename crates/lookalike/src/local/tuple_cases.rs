//! The sum over all tuples of a report and its dummies that one law makes more than e^ε times as likely as another.

use crate::exact::{Natural, exceeds};
use crate::model::Epsilon;
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// Outputs with the same two rates: what a tuple tells depends only on how many of each such type are in it.
#[derive(Debug, Clone)]
pub(super) struct OutputType {
    /// The weight c of the dummies' law on them, a whole number.
    pub(super) weight: BigUint,
    /// How often the report is one of them for each dummy that is, under either law: μ_b/ν, in some common unit.
    pub(super) rates: [Natural; 2],
}

/// How many cases [`sums`] goes through: the counts of all types but the last two.
pub(super) fn cases(types: usize, length: u32) -> u128 {
    let (free, length) = ((types.max(2) - 2) as u128, u128::from(length));
    // (length + free choose free), or more than anybody waits for.
    let step = |product: u128, at: u128| product.checked_mul(length + at).map(|product| product / at);
    (1..=free).try_fold(1, step).unwrap_or(u128::MAX)
}

/// Σ w(t)·A_b(t) for both laws b over all tuples t with A_0(t) > e^ε·A_1(t), where w is the product of the weights of the
/// outputs in t and A_b the sum of their rates.
pub(super) fn sums(types: &[OutputType], length: u32, epsilon: &Epsilon) -> [BigUint; 2] {
    let nothing = OutputType { weight: BigUint::zero(), rates: [Natural::ZERO, Natural::ZERO] };
    // A type that no dummy has makes no difference, and there are always two last ones.
    let padding = 2usize.saturating_sub(types.len());
    let types: Vec<OutputType> = types.iter().cloned().chain(std::iter::repeat_n(nothing, padding)).collect();
    let (free, last) = types.split_at(types.len() - 2);
    let last = LastTwo { types: last, below: (0..=length).map(|left| cumulated(last, left)).collect() };
    let mut sums = [BigUint::zero(), BigUint::zero()];
    let start = Case { left: length, weight: BigUint::one(), rates: [Natural::ZERO, Natural::ZERO] };
    each_case(free, start, &mut |case| last.add(case, epsilon, &mut sums));
    sums
}

/// Tuples in which the counts of some types are chosen.
struct Case {
    /// The places that are left for the other types.
    left: u32,
    /// How many orders there are, times the weights of the chosen outputs.
    weight: BigUint,
    /// The sums of the rates of the chosen outputs.
    rates: [Natural; 2],
}

fn each_case(free: &[OutputType], case: Case, visit: &mut impl FnMut(&Case)) {
    let Some((first, others)) = free.split_first() else { return visit(&case) };
    let mut rates = case.rates;
    for (count, weight) in (0..=case.left).zip(binomial_terms(case.weight, &first.weight, case.left)) {
        each_case(others, Case { left: case.left - count, weight, rates: rates.clone() }, visit);
        rates = plus(&rates, &first.rates);
    }
}

fn plus(a: &[Natural; 2], b: &[Natural; 2]) -> [Natural; 2] {
    [a[0].plus(&b[0]), a[1].plus(&b[1])]
}

/// `scale·C(n, j)·c^j` for j from 0 to n.
fn binomial_terms(scale: BigUint, c: &BigUint, n: u32) -> impl Iterator<Item = BigUint> {
    let next = move |(j, term): &(u32, BigUint)| (*j < n).then(|| (j + 1, term * c * (n - j) / (j + 1)));
    std::iter::successors(Some((0, scale)), next).map(|(_, term)| term)
}

/// The two types that are summed in closed form: along their counts A_0 − e^ε·A_1 is linear, so it is positive from some
/// count on, or up to one.
struct LastTwo<'a> {
    types: &'a [OutputType],
    /// For each number of places m, and each j up to m + 1: the weights with fewer than j places of the first type.
    below: Vec<Vec<BigUint>>,
}

fn cumulated(last: &[OutputType], left: u32) -> Vec<BigUint> {
    let powers = std::iter::successors(Some(BigUint::one()), |power| Some(power * &last[1].weight));
    let powers: Vec<BigUint> = powers.take(left as usize + 1).collect();
    let terms = binomial_terms(BigUint::one(), &last[0].weight, left).zip(powers.iter().rev());
    let mut sums = vec![BigUint::zero()];
    for (term, power) in terms {
        sums.push(sums.last().expect("it begins with one") + term * power);
    }
    sums
}

impl LastTwo<'_> {
    fn add(&self, case: &Case, epsilon: &Epsilon, sums: &mut [BigUint; 2]) {
        let places = case.left;
        let [from, to] = self.counts_beyond(case, epsilon);
        if from == to {
            return;
        }
        let weight = self.weight(places, from, to);
        // Σ j·C(m, j)·c^j·d^(m−j) = m·c·Σ C(m−1, j−1)·c^(j−1)·d^(m−j), and the like for m − j.
        let [of_first, of_second] = match places {
            0 => [BigUint::zero(), BigUint::zero()],
            _ => [
                self.weight(places - 1, from.saturating_sub(1), to - 1) * &self.types[0].weight * places,
                self.weight(places - 1, from.min(places), to.min(places)) * &self.types[1].weight * places,
            ],
        };
        for (at, sum) in sums.iter_mut().enumerate() {
            let [first, second] = [0, 1].map(|last: usize| self.types[last].rates[at].to_big());
            let inner = case.rates[at].to_big() * &weight + first * &of_first + second * &of_second;
            *sum += inner * &case.weight;
        }
    }

    /// The weight of the ways to fill so many places with `from` to `to − 1` outputs of the first type.
    fn weight(&self, places: u32, from: u32, to: u32) -> BigUint {
        let below = &self.below[places as usize];
        &below[to as usize] - &below[from as usize]
    }

    /// The counts of the first type, from one up to before another, with which the tuple is beyond e^ε.
    fn counts_beyond(&self, case: &Case, epsilon: &Epsilon) -> [u32; 2] {
        let places = case.left;
        let beyond = |count: u32| {
            let rate = |at: usize| {
                let [first, second] = [0, 1].map(|last: usize| &self.types[last].rates[at]);
                let first = first.times(&u64::from(count).into());
                case.rates[at].plus(&first).plus(&second.times(&u64::from(places - count).into()))
            };
            exceeds(&rate(0), epsilon, &rate(1))
        };
        let ends = [beyond(0), beyond(places)];
        if ends[0] == ends[1] {
            return if ends[0] { [0, places + 1] } else { [0, 0] };
        }
        // The first count with the answer of the other end.
        let [mut low, mut high] = [0, places];
        while high - low > 1 {
            let middle = low.midpoint(high);
            if beyond(middle) == ends[0] { low = middle } else { high = middle }
        }
        if ends[0] { [0, high] } else { [high, places + 1] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_those_that_are_gone_through() {
        for (types, length) in [(0usize, 3), (1, 1), (2, 5), (3, 5), (4, 9), (6, 4)] {
            let some = OutputType { weight: BigUint::one(), rates: [Natural::ONE, Natural::ONE] };
            let free = vec![some; types.saturating_sub(2)];
            let (mut found, rates) = (0, [Natural::ZERO, Natural::ZERO]);
            each_case(&free, Case { left: length, weight: BigUint::one(), rates }, &mut |_| found += 1);
            assert_eq!(cases(types, length), found, "{types} {length}");
        }
        assert_eq!(cases(1000, 257), u128::MAX);
    }

    #[test]
    fn binomial_terms_sum_to_the_power_of_the_sum() {
        let types = [3u32, 2].map(|weight| OutputType { weight: weight.into(), rates: [Natural::ONE, Natural::ONE] });
        assert_eq!(cumulated(&types, 11).last(), Some(&BigUint::from(5u32).pow(11)));
        assert_eq!(cumulated(&types, 2), [0u32, 4, 16, 25].map(BigUint::from));
        let terms: Vec<BigUint> = binomial_terms(7u32.into(), &3u32.into(), 3).collect();
        assert_eq!(terms, [7u32, 63, 189, 189].map(BigUint::from));
    }
}
