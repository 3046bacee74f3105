//! All output laws of a mechanism, one output at a time.

use super::{Constraint, Distribution, Epsilon, Form, Kind, Limits, Mechanism, TOTAL, TOTAL_BITS};
use crate::exact::{Natural, Naturals, exceeds, exceeds_within};
use rayon::prelude::*;
use std::cmp::Ordering;

/// The output laws `q_s = P_s A^s` of all secrets, computed by column: the probabilities of one output under every
/// secret. A profile with limits gives an output any probability between two: the least and the largest over the laws within.
///
/// Privacy compares one output at a time, so a million laws over 32 categories need never be in memory together.
pub struct OutputLaws<'a> {
    mechanism: &'a Mechanism,
    /// The limits of each profile; empty where each is one law.
    limits: &'a [Limits],
    /// The denominators of the input laws, or of their limits.
    denominators: Naturals,
    /// Σ_x p_x (1 − k_x) out of 2^53 for channels of the form `keep`, 0 for others.
    lost: Naturals,
    /// What a whole row is out of: 2^53, or 2^106 when some channel has the form `keep`.
    scale_bits: u32,
}

/// The probabilities of one output under every secret, least and largest ones; the same where a profile is one law.
///
/// Each is held as an enclosure of 62 bits, which decides nearly every question; where it does not, the exact integers
/// are computed and compared. So every answer is exact.
pub struct Column<'a> {
    laws: &'a OutputLaws<'a>,
    output: usize,
    /// `floor ≤ q·2^62 < floor + 2` for the largest q of each secret.
    most: Vec<u64>,
    /// The same for the least one; `None` where it is the largest.
    least: Option<Vec<u64>>,
}

/// Which probability of a secret is asked for.
#[derive(Clone, Copy)]
enum End {
    Most,
    Least,
}

/// Two members of a constraint of which the first can have an output most often in proportion to the second: its largest
/// probability against the other's least.
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
    /// The laws of a mechanism, and all those within the limits of its profiles.
    pub fn of(mechanism: &'a Mechanism) -> Self {
        OutputLaws::within(mechanism, mechanism.limits())
    }

    /// The laws of the profiles themselves, whatever their limits are. Utility is stated at them; privacy is not.
    pub fn of_profiles(mechanism: &'a Mechanism) -> Self {
        OutputLaws::within(mechanism, &[])
    }

    /// The laws within these limits, which fit the mechanism; of the profiles where there are none.
    pub(crate) fn within(mechanism: &'a Mechanism, limits: &'a [Limits]) -> Self {
        let secrets = mechanism.graph().names().len();
        let is_keep = mechanism.channels().iter().any(|channel| matches!(channel.form(), Form::Keep { .. }));
        let denominator = |secret: usize| match mechanism.kind() {
            Kind::Point => Natural::ONE,
            Kind::Aware | Kind::Shared => match limits.get(secret) {
                Some(limits) => limits.denominator(),
                None => mechanism.profiles()[secret].denominator(),
            },
        };
        let lost = |secret: usize| match mechanism.channel(secret as u32).form() {
            Form::Rows { .. } => Natural::ZERO,
            Form::Keep { keep, .. } => {
                weighted_sum(&mechanism.profiles()[secret], keep.iter().map(|weight| TOTAL - weight))
            }
        };
        OutputLaws {
            mechanism,
            limits,
            denominators: Naturals::collect(secrets, denominator),
            lost: Naturals::collect(if is_keep && limits.is_empty() { mechanism.profiles().len() } else { 0 }, lost),
            scale_bits: if is_keep { 2 * TOTAL_BITS } else { TOTAL_BITS },
        }
    }

    /// The probabilities of output y.
    ///
    /// Takes O(inputs) steps a secret for `rows` and O(1) for `keep`; with limits a sort of the inputs.
    ///
    /// # Panics
    /// If y is not below the number of outputs.
    pub fn column(&self, output: usize) -> Column<'_> {
        let secrets = (0..self.denominators.len()).into_par_iter();
        if self.limits.is_empty() {
            let floor = |secret: usize| self.floor(self.numerator(secret, output), secret);
            return Column { laws: self, output, most: secrets.map(floor).collect(), least: None };
        }
        let floors =
            |secret: usize| self.extremes(secret, output).map(|numerator| self.floor(numerator, secret)).into();
        let (most, least): (Vec<u64>, Vec<u64>) = secrets.map(floors).unzip();
        Column { laws: self, output, most, least: Some(least) }
    }

    /// The largest and the least probability of an output under a secret, over the secret's denominator times
    /// 2^`scale_bits`.
    fn extremes(&self, secret: usize, y: usize) -> [Natural; 2] {
        let Some(limits) = self.limits.get(secret) else {
            let numerator = self.numerator(secret, y);
            return [numerator.clone(), numerator];
        };
        let channel = self.mechanism.channel(secret as u32);
        let unit = (1u128 << self.scale_bits) / channel.scale();
        limits.extremes(|x| channel.weight(x, y) * unit)
    }

    /// The probability of an output under a secret that has one law, over the secret's denominator times 2^`scale_bits`.
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
    /// Compares the largest probabilities under two secrets, or the least ones.
    fn compare(&self, end: End, a: u32, b: u32) -> Ordering {
        let [low, high] = [a, b].map(|secret| self.floors_at(end)[secret as usize]);
        if low.abs_diff(high) >= WIDTH {
            return low.cmp(&high);
        }
        let [p, q] = self.over_one_denominator([(a, end), (b, end)]);
        p.cmp(&q)
    }

    /// The two members of a constraint with the largest likelihood ratio of the output, each at its own worst law.
    ///
    /// If any pair of the constraint breaks `q_s(y) ≤ e^ε q_s'(y)` for some laws of both, this pair does.
    pub fn extremes(&self, constraint: &Constraint<'_>) -> Extremes {
        let secrets = match self.least {
            // Where each has one law, whoever has the most has the least only if all are equal.
            None => constraint.extremes_by(|a, b| self.compare(End::Most, a, b)).into(),
            Some(_) => self.furthest(constraint),
        };
        let [more, less] = secrets.map(|secret| secret as usize);
        Extremes { secrets, floors: [self.floors()[more], self.least_floors()[less]] }
    }

    fn furthest(&self, constraint: &Constraint<'_>) -> [u32; 2] {
        let others = |but: Option<u32>| constraint.members.iter().copied().filter(move |&member| Some(member) != but);
        let first = |end: End, wanted: Ordering, but: Option<u32>| {
            others(but).reduce(|best, next| if self.compare(end, next, best) == wanted { next } else { best })
        };
        let most = |but| first(End::Most, Ordering::Greater, but).expect("two members");
        let least = |but| first(End::Least, Ordering::Less, but).expect("two members");
        let (top, bottom) = (most(None), least(None));
        if top != bottom {
            return [top, bottom];
        }
        // Nothing is claimed about two laws of one secret.
        let [one, other] = [[top, least(Some(top))], [most(Some(top)), top]];
        if self.is_further(other, one) { other } else { one }
    }

    /// Whether one pair has a larger likelihood ratio than another.
    fn is_further(&self, pair: [u32; 2], than: [u32; 2]) -> bool {
        let ([more, less], [other_more, other_less]) =
            (self.over_common_denominator(pair), self.over_common_denominator(than));
        Natural::compare_products(&more, &other_less, &other_more, &less) == Ordering::Greater
    }

    /// Whether the first of the two probabilities is more than e^ε times the second.
    pub fn exceeds(&self, pair: &Extremes, epsilon: &Epsilon) -> bool {
        let [more, less] = pair.floors;
        exceeds_within([more, more + WIDTH], epsilon, [less, less + WIDTH]).unwrap_or_else(|| {
            let [more, less] = self.over_common_denominator(pair.secrets);
            exceeds(&more, epsilon, &less)
        })
    }

    /// The largest probability under one secret and the least under another, over a common denominator.
    pub fn over_common_denominator(&self, [more, less]: [u32; 2]) -> [Natural; 2] {
        self.over_one_denominator([(more, End::Most), (less, End::Least)])
    }

    fn over_one_denominator(&self, ends: [(u32, End); 2]) -> [Natural; 2] {
        let [p, q] = ends.map(|(secret, end)| {
            let [most, least] = self.laws.extremes(secret as usize, self.output);
            if let End::Most = end { most } else { least }
        });
        let [p_of, q_of] = ends.map(|(secret, _)| self.laws.denominators.get(secret as usize));
        if p_of == q_of { [p, q] } else { [p.times(&q_of), q.times(&p_of)] }
    }

    /// Whether a secret never gives this output.
    pub fn is_zero(&self, secret: u32) -> bool {
        self.most[secret as usize] == 0 && self.laws.extremes(secret as usize, self.output)[0].is_zero()
    }

    /// Each probability in units of 2^−62, up to two units below it; with limits the largest.
    pub fn floors(&self) -> &[u64] {
        &self.most
    }

    /// The least probabilities in the same units; without limits those of [`Column::floors`].
    pub fn least_floors(&self) -> &[u64] {
        self.least.as_deref().unwrap_or(&self.most)
    }

    fn floors_at(&self, end: End) -> &[u64] {
        if let End::Most = end { self.floors() } else { self.least_floors() }
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
                        prop_assert_eq!(column.compare(End::Most, a, b), law.compare_at(other, y));
                        prop_assert_eq!(column.compare(End::Least, a, b), law.compare_at(other, y));
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
