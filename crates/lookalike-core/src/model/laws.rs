//! All output laws of a mechanism, one output at a time.

use super::{Constraint, Distribution, Epsilon, Form, Kind, Mechanism, TOTAL, TOTAL_BITS};
use crate::exact::{Natural, Naturals, exceeds, exceeds_within};
use rayon::prelude::*;
use std::cmp::Ordering;

/// The output laws `q_s = P_s A^s` of all secrets, computed by column: the probabilities of one output under every
/// secret.
///
/// Privacy compares one output at a time, so a million laws over 32 categories need never be in memory together.
pub struct OutputLaws<'a> {
    mechanism: &'a Mechanism,
    /// The denominators of the input laws.
    denominators: Naturals,
    /// Σ_x p_x (1 − k_x) out of 2^53 for channels of the form `keep`, 0 for others.
    lost: Naturals,
    /// What a whole row is out of: 2^53, or 2^106 when some channel has the form `keep`.
    scale_bits: u32,
}

/// The probabilities of one output under every secret.
///
/// Each is held as an enclosure of 62 bits, which decides nearly every question; where it does not, the exact integers
/// are computed and compared. So every answer is exact.
pub struct Column<'a> {
    laws: &'a OutputLaws<'a>,
    output: usize,
    /// `floor ≤ q·2^62 < floor + 2`.
    floors: Vec<u64>,
}

/// Members of a constraint with the largest and the smallest probability of an output, in this order.
#[derive(Debug, Clone, Copy)]
pub struct Extremes {
    /// The two secrets.
    pub secrets: [u32; 2],
    floors: [u64; 2],
}

/// Bits of the enclosures.
const FLOOR_BITS: u32 = 62;
/// Less than this in units of 2^−62 is between a probability and its floor.
const WIDTH: u64 = 2;

impl<'a> OutputLaws<'a> {
    /// The laws of a mechanism.
    pub fn of(mechanism: &'a Mechanism) -> Self {
        let secrets = mechanism.graph().names().len();
        let is_keep = mechanism.channels().iter().any(|channel| matches!(channel.form(), Form::Keep { .. }));
        let denominator = |secret: usize| match mechanism.kind() {
            Kind::Point => Natural::ONE,
            Kind::Aware | Kind::Shared => mechanism.profiles()[secret].denominator(),
        };
        let lost = |secret: usize| match mechanism.channel(secret as u32).form() {
            Form::Rows { .. } => Natural::ZERO,
            Form::Keep { keep, .. } => {
                weighted_sum(&mechanism.profiles()[secret], keep.iter().map(|weight| TOTAL - weight))
            }
        };
        OutputLaws {
            mechanism,
            denominators: Naturals::collect(secrets, denominator),
            lost: Naturals::collect(if is_keep { mechanism.profiles().len() } else { 0 }, lost),
            scale_bits: if is_keep { 2 * TOTAL_BITS } else { TOTAL_BITS },
        }
    }

    /// The probabilities of output y.
    ///
    /// Takes O(inputs) steps a secret for `rows` and O(1) for `keep`.
    ///
    /// # Panics
    /// If y is not below the number of outputs.
    pub fn column(&self, output: usize) -> Column<'_> {
        let floor = |secret: usize| self.floor(self.numerator(secret, output), secret);
        let floors = (0..self.denominators.len()).into_par_iter().map(floor).collect();
        Column { laws: self, output, floors }
    }

    /// The probability of an output under a secret, over the secret's denominator times 2^`scale_bits`.
    fn numerator(&self, secret: usize, y: usize) -> Natural {
        let channel = self.mechanism.channel(secret as u32);
        if self.mechanism.kind() == Kind::Point {
            return channel.weight(secret, y).into();
        }
        let law = &self.mechanism.profiles()[secret];
        match channel.form() {
            Form::Rows { weights, outputs } => {
                let sum = weighted_sum(law, weights[y..].iter().step_by(outputs).copied());
                sum.times(&(1u64 << (self.scale_bits - TOTAL_BITS)).into())
            }
            // q_y = p_y k_y + r_y Σ_x p_x (1 − k_x).
            Form::Keep { keep, redraw } => {
                let kept = law.numerator(y).times(&(u128::from(keep[y]) << TOTAL_BITS).into());
                kept.plus(&self.lost.get(secret).times(&redraw[y].into()))
            }
        }
    }

    /// A lower end of q·2^62 that is less than 2 below it.
    ///
    /// The leading 64 bits of the denominator, rounded up, divide: that loses at most half a unit, the division less
    /// than one, and the bits cut off the numerator next to nothing.
    fn floor(&self, numerator: Natural, secret: usize) -> u64 {
        let (leading, more) = self.denominators.get(secret).leading_bits();
        let divisor = u128::from(leading) + u128::from(more > 0);
        let drop = u64::from(self.scale_bits) + more;
        let keep = u64::from(FLOOR_BITS);
        // At most the denominator's leading bits times 2^62.
        let dividend = if drop >= keep {
            numerator.shifted_down(drop - keep).to_u128()
        } else {
            numerator.to_u128().map(|numerator| numerator << (keep - drop))
        };
        (dividend.expect("a probability is at most 1") / divisor) as u64
    }
}

/// Σ_x p_x w_x for weights of at most 2^53, over the denominator of the law.
fn weighted_sum(law: &Distribution, weights: impl Iterator<Item = u64>) -> Natural {
    match law.words() {
        // Numerators and denominator fit words, so the sum fits 64 + 53 bits.
        Some(words) => words.iter().zip(weights).map(|(&p, w)| u128::from(p) * u128::from(w)).sum::<u128>().into(),
        None => law.numerators().zip(weights).fold(Natural::ZERO, |sum, (p, w)| sum.plus(&p.times(&w.into()))),
    }
}

impl Column<'_> {
    /// Compares the probabilities under two secrets.
    pub fn compare(&self, a: u32, b: u32) -> Ordering {
        let (low, high) = (self.floors[a as usize], self.floors[b as usize]);
        if low.abs_diff(high) >= WIDTH {
            return low.cmp(&high);
        }
        let [p, q] = self.over_common_denominator([a, b]);
        p.cmp(&q)
    }

    /// The members of a constraint that give the output the most and the least probability.
    pub fn extremes(&self, constraint: &Constraint<'_>) -> Extremes {
        let (most, least) = constraint.extremes_by(|a, b| self.compare(a, b));
        Extremes { secrets: [most, least], floors: [most, least].map(|secret| self.floors[secret as usize]) }
    }

    /// Whether the first of the two probabilities is more than e^ε times the second.
    pub fn exceeds(&self, pair: &Extremes, epsilon: &Epsilon) -> bool {
        let [more, less] = pair.floors;
        exceeds_within([more, more + WIDTH], epsilon, [less, less + WIDTH]).unwrap_or_else(|| {
            let [more, less] = self.over_common_denominator(pair.secrets);
            exceeds(&more, epsilon, &less)
        })
    }

    /// The probabilities under two secrets over a common denominator.
    pub fn over_common_denominator(&self, secrets: [u32; 2]) -> [Natural; 2] {
        let [a, b] = secrets.map(|secret| secret as usize);
        let [p, q] = [a, b].map(|secret| self.laws.numerator(secret, self.output));
        let [p_of, q_of] = [a, b].map(|secret| self.laws.denominators.get(secret));
        if p_of == q_of { [p, q] } else { [p.times(&q_of), q.times(&p_of)] }
    }

    /// Whether a secret never gives this output.
    pub fn is_zero(&self, secret: u32) -> bool {
        self.floors[secret as usize] == 0 && self.laws.numerator(secret as usize, self.output).is_zero()
    }

    /// Each probability in units of 2^−62, up to two units below it.
    pub fn floors(&self) -> &[u64] {
        &self.floors
    }
}

impl Extremes {
    /// Whether the likelihood ratio is certainly smaller than the other's; `false` says nothing.
    pub fn is_surely_closer_than(&self, other: &Extremes) -> bool {
        let ([more, less], [other_more, other_less]) = (self.floors, other.floors);
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        product(more + WIDTH, other_less + WIDTH) < product(other_more, less)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::Rational;
    use crate::model::strategies::channel;
    use crate::model::{Categories, Names, SecretGraph};
    use num_bigint::{BigInt, BigUint};
    use proptest::prelude::*;

    fn law() -> impl Strategy<Value = Distribution> {
        let weight = prop_oneof![Just((0u64, 0u32)), (0u64..9, Just(0)), (any::<u64>(), 0u32..140)];
        prop::collection::vec(weight, 3).prop_filter_map("zero sum", |weights| {
            let weights = weights.into_iter().map(|(digits, by)| Natural::from(BigUint::from(digits) << by));
            Distribution::from_weights(weights.collect()).ok()
        })
    }

    proptest! {
        #[test]
        fn columns_are_those_of_the_output_laws(
            laws in prop::collection::vec(law(), 3), channels in prop::collection::vec(channel(3), 2), point in any::<bool>(),
            budget in prop_oneof![Just("1"), Just("1/1000"), Just("ln(3)"), Just("40"), Just("5000")],
        ) {
            let abc = Categories::new(["a", "b", "c"]).unwrap();
            let names = if point { abc.names().clone() } else { Names::new("profile", ["x", "y", "z"]).unwrap() };
            let mut builder = SecretGraph::builder(names);
            let epsilon: Epsilon = budget.parse().unwrap();
            builder.chain(&epsilon);
            let graph = builder.build().unwrap();
            let mechanism = if point {
                Mechanism::point(abc.clone(), abc, graph, channels[0].clone()).unwrap()
            } else {
                Mechanism::aware(abc.clone(), abc, graph, laws, channels, vec![0, 1, 1]).unwrap()
            };
            let (columns, expected) = (OutputLaws::of(&mechanism), mechanism.output_laws());
            for y in 0..3 {
                let column = columns.column(y);
                for (a, law) in (0u32..).zip(&expected) {
                    let scaled = law.probability(y) * (BigInt::from(1) << FLOOR_BITS);
                    let floor = Rational::from_integer(column.floors()[a as usize].into());
                    prop_assert!(floor <= scaled && scaled < floor + Rational::from_integer(WIDTH.into()));
                    prop_assert_eq!(column.is_zero(a), law.numerator(y).is_zero());
                    for (b, other) in (0u32..).zip(&expected) {
                        prop_assert_eq!(column.compare(a, b), law.compare_at(other, y));
                        let [p, q] = column.over_common_denominator([a, b]);
                        prop_assert_eq!(
                            Natural::compare_products(&p, &other.numerator(y).times(&law.denominator()), &q,
                                &law.numerator(y).times(&other.denominator())),
                            Ordering::Equal
                        );
                    }
                }
                let extremes = column.extremes(&Constraint { members: &[0, 1, 2], epsilon: &epsilon });
                let [more, less] = extremes.secrets.map(|secret| &expected[secret as usize]);
                prop_assert!(expected.iter().all(|law| law.compare_at(more, y) != Ordering::Greater));
                prop_assert!(expected.iter().all(|law| law.compare_at(less, y) != Ordering::Less));
                let (p, q) = more.over_common_denominator(less, y);
                prop_assert_eq!(column.exceeds(&extremes, &epsilon), exceeds(&p, &epsilon, &q));
            }
        }
    }
}
