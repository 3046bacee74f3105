//! Proven lower bounds from multipliers, for every objective and kind.
//!
//! Let λ ≥ 0 be any multipliers of the constraints `q_s(y) ≤ E q_s'(y)`, and `g_s(y)` the sum of λ where s is on the
//! left, less E·λ where it is on the right. Every private mechanism has `Σ_s Σ_y g_s(y) q_s(y) ≤ 0`. So
//!
//! - an averaged loss is at least `Σ_s Σ_x P_s(x) · min_y [w_s c(x,y) + g_s(y)]`: each input takes its best output;
//! - a largest flip of t needs `φ(t) = Σ_s Σ_x P_s(x) · min_a Σ_y a_y g_s(y) ≤ 0`, over rows a whose entries other than
//!   a_x are at most t. So a t with φ(t) > 0 is impossible.
//!
//! Where profiles have limits, a constraint is `H_s(y) ≤ E h_s'(y)`. For any laws P⁺, P⁻ within them `P⁺A(y) ≤ H(y)` and
//! `h(y) ≤ P⁻A(y)`, so that an entry A(x, y) meets the sum of λ on the left times P⁺(x), less E·λ on the right times P⁻(x). Each
//! secret and output has one P⁺ and one P⁻, exactly within the limits, near those that cost most in the program.
//!
//! For a shared channel the sum over the secrets stands inside the minimum. A group's u lies in [0, 1], so its node
//! adds min(0, g). Floats choose λ; the bound is evaluated in integers, rounded down throughout, and so holds for any λ.

use super::Problem;
use super::instance::Instance;
use super::laws_program::Multiplier;
use super::near_law;
use super::sums::Sums;
use crate::exact::Rational;
use crate::model::{Distribution, Kind, Loss};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// A cap t is a multiple of 2^−CAP_BITS.
const CAP_BITS: u32 = 62;

/// The potentials g of some secrets, in units of 2^−shift, rounded down.
pub(super) struct Potentials<'a> {
    problem: &'a Problem,
    secrets: &'a [u32],
    size: usize,
    shift: i32,
    /// One after the other, d numbers each.
    values: Vec<i128>,
    /// The sum of min(0, g) over the nodes of groups.
    groups: i128,
    /// Where profiles have limits, what the channel of each secret meets; else empty.
    within: Vec<Within>,
}

/// What the channel of a secret meets whose profile has limits.
struct Within {
    /// For each entry the multipliers, d² numbers.
    entries: Vec<BigInt>,
    /// The law at which its losses count, over `whole`.
    law: Vec<BigInt>,
    whole: BigInt,
}

/// The laws within limits at which secrets come off worst in a solver's answer: for each input about how far above its lower limit.
pub(super) trait WorstLaws {
    /// Those at which a secret gives an output most, and least.
    fn at_output(&self, secret: usize, y: usize) -> [Vec<f64>; 2];

    /// That at which a secret's expected loss is largest; `None` where the profile itself counts.
    fn costliest(&self, secret: usize) -> Option<Vec<f64>>;
}

impl<'a> Potentials<'a> {
    /// The potentials of an instance's secrets for these multipliers.
    pub(super) fn new(problem: &'a Problem, instance: &'a Instance, multipliers: &[Multiplier]) -> Self {
        Potentials::of(problem, instance, &Sums::of(problem, instance, multipliers))
    }

    fn of(problem: &'a Problem, instance: &'a Instance, sums: &Sums) -> Self {
        let (size, secrets) = (instance.size, &instance.secrets[..]);
        let mut values: Vec<i128> = sums.left.iter().zip(&sums.right).map(|(left, right)| left - right).collect();
        let groups = values.split_off(secrets.len() * size).into_iter().map(|value| value.min(0)).sum();
        Potentials { problem, secrets, size, shift: sums.shift, values, groups, within: Vec::new() }
    }

    /// The same where profiles have limits, for multipliers with the laws at which they were found.
    pub(super) fn within(
        problem: &'a Problem,
        instance: &'a Instance,
        worst: &dyn WorstLaws,
        multipliers: &[Multiplier],
    ) -> Self {
        let size = instance.size;
        let sums = Sums::of(problem, instance, multipliers);
        let of_secret = |secret: usize| {
            let limits = &problem.limits()[instance.secrets[secret] as usize];
            let whole = near_law::whole(&limits.denominator()) << near_law::BITS as usize;
            let mut entries = vec![BigInt::zero(); size * size];
            for y in 0..size {
                let [most, least] = worst.at_output(secret, y).map(|above| near_law::near_law(limits, &above));
                let (left, right) = (sums.left[secret * size + y], sums.right[secret * size + y]);
                for (x, (most, least)) in most.iter().zip(&least).enumerate() {
                    entries[x * size + y] = Integer::div_floor(&(most * left - least * right), &whole);
                }
            }
            let (law, whole) = match worst.costliest(secret) {
                Some(above) => (near_law::near_law(limits, &above), whole),
                None => {
                    let profile = &problem.profile_laws()[instance.secrets[secret] as usize];
                    let numbers = profile.numerators().map(|number| near_law::whole(&number)).collect();
                    (numbers, near_law::whole(&profile.denominator()))
                }
            };
            Within { entries, law, whole }
        };
        let within = (0..instance.count()).map(of_secret).collect();
        Potentials { within, ..Potentials::of(problem, instance, &sums) }
    }

    /// A lower bound on the averaged objective over these secrets.
    pub(super) fn averaged(&self) -> Rational {
        let loss = self.problem.objective().loss().expect("an averaged objective");
        let mut sum = BigInt::from(self.groups);
        self.for_each_row(
            &mut |row, values| {
                // For a shared channel the costs are inside the values already.
                let cost =
                    |y: usize| row.weight.map_or_else(BigInt::zero, |weight| self.cost(loss, weight, row.input, y));
                values.iter().enumerate().map(|(y, value)| value + cost(y)).min().expect("a category")
            },
            &mut |part| sum += part,
            Some(loss),
        );
        let unit = Rational::from_integer(BigInt::one() << self.shift.unsigned_abs() as usize);
        let bound =
            if self.shift < 0 { Rational::from_integer(sum) * unit } else { Rational::from_integer(sum) / unit };
        // Losses are not negative, and so is no average of them.
        bound.max(Rational::zero())
    }

    /// The largest t at most `near` that is proven impossible, or 0.
    pub(super) fn impossible_flip(&self, near: f64) -> Rational {
        let mut back = 1e-14;
        while back < near {
            let cap = BigInt::from(((near - back) * f64::exp2(f64::from(CAP_BITS))).floor() as i128);
            let mut sum = BigInt::from(self.groups) << CAP_BITS as usize;
            let least = &mut |row: Row<'_>, values: &[BigInt]| match row.is_capped {
                true => least_capped(values, row.input, &cap),
                false => values.iter().min().expect("a category") << CAP_BITS as usize,
            };
            self.for_each_row(least, &mut |part| sum += part, None);
            if sum.is_positive() {
                return Rational::new(cap, BigInt::one() << CAP_BITS as usize);
            }
            back *= 2.0;
        }
        Rational::zero()
    }

    /// Calls `least` with each row of the channels and the potentials it meets, and `add` with the result times the
    /// probability of the row, rounded down. The secret's weight is given where a row belongs to one secret.
    fn for_each_row(&self, least: &mut Least<'_>, add: &mut dyn FnMut(BigInt), loss: Option<&Loss>) {
        let laws = self.problem.profile_laws();
        let row =
            |at: usize| self.values[at * self.size..(at + 1) * self.size].iter().map(|&value| BigInt::from(value));
        let weight = |at: usize| {
            let exact = self.problem.prior().weight(self.secrets[at] as usize);
            Weight { whole: self.whole(&exact), exact }
        };
        if !self.within.is_empty() {
            return self.for_each_row_within(least, add, &weight, loss);
        }
        match self.problem.kind() {
            Kind::Point => {
                for at in 0..self.secrets.len() {
                    let (weight, input) = (weight(at), self.secrets[at] as usize);
                    add(least(Row::capped(Some(&weight), input), &row(at).collect::<Vec<_>>()));
                }
            }
            Kind::Shared => {
                let weights: Vec<Weight> = (0..self.secrets.len()).map(weight).collect();
                for x in 0..self.size {
                    let mut sums = vec![BigInt::zero(); self.size];
                    for (at, weight) in weights.iter().enumerate() {
                        let law = &laws[self.secrets[at] as usize];
                        for (y, value) in row(at).enumerate() {
                            let cost = loss.map_or_else(BigInt::zero, |loss| self.cost(loss, weight, x, y));
                            sums[y] += share(law, x, value + cost);
                        }
                    }
                    add(least(Row::capped(None, x), &sums));
                }
            }
            _ => {
                for at in 0..self.secrets.len() {
                    let (law, values) = (&laws[self.secrets[at] as usize], row(at).collect::<Vec<_>>());
                    let weight = weight(at);
                    for x in (0..self.size).filter(|&x| !law.numerator(x).is_zero()) {
                        add(share(law, x, least(Row::capped(Some(&weight), x), &values)));
                    }
                }
            }
        }
    }

    /// The same where profiles have limits: each entry of a row meets its own number, which counts how often the input occurs.
    fn for_each_row_within(
        &self,
        least: &mut Least<'_>,
        add: &mut dyn FnMut(BigInt),
        weight: &dyn Fn(usize) -> Weight,
        loss: Option<&Loss>,
    ) {
        let everyone: Vec<(usize, Weight)> = (0..self.secrets.len()).map(|at| (at, weight(at))).collect();
        let channels = match self.problem.kind() {
            Kind::Shared => everyone.chunks(everyone.len()),
            _ => everyone.chunks(1),
        };
        for served in channels {
            for x in 0..self.size {
                let (mut sums, mut is_capped) = (vec![BigInt::zero(); self.size], false);
                for (at, weight) in served {
                    let (secret, Within { entries, law, whole }) = (self.secrets[*at] as usize, &self.within[*at]);
                    is_capped |= match self.problem.is_at_worst() {
                        true => self.problem.limits()[secret].is_possible(x),
                        false => !law[x].is_zero(),
                    };
                    for (y, sum) in sums.iter_mut().enumerate() {
                        let cost = loss.map_or_else(BigInt::zero, |loss| self.cost(loss, weight, x, y));
                        *sum += &entries[x * self.size + y] + Integer::div_floor(&(cost * &law[x]), whole);
                    }
                }
                add(least(Row { weight: None, input: x, is_capped }, &sums));
            }
        }
    }

    /// A weight times the cost of releasing y for x, in units, rounded down.
    fn cost(&self, loss: &Loss, weight: &Weight, x: usize, y: usize) -> BigInt {
        match loss {
            Loss::ZeroOne if x == y => BigInt::zero(),
            Loss::ZeroOne => weight.whole.clone(),
            Loss::Ordinal => &weight.whole * x.abs_diff(y),
            _ => self.whole(&(&weight.exact * loss.cost(x, y))),
        }
    }

    /// A number at least 0 in units, rounded down.
    fn whole(&self, value: &Rational) -> BigInt {
        let unit = BigInt::one() << self.shift.unsigned_abs() as usize;
        if self.shift < 0 { (value / unit).floor().to_integer() } else { (value * unit).floor().to_integer() }
    }
}

/// What a row costs at least, with the potentials that it meets.
type Least<'a> = dyn FnMut(Row<'_>, &[BigInt]) -> BigInt + 'a;

/// A row of a channel.
struct Row<'b> {
    /// The secret's weight, where the row belongs to one secret and its costs are still to be counted.
    weight: Option<&'b Weight>,
    input: usize,
    /// Whether its wrong entries are flips: some profile has the input.
    is_capped: bool,
}

impl<'b> Row<'b> {
    fn capped(weight: Option<&'b Weight>, input: usize) -> Self {
        Row { weight, input, is_capped: true }
    }
}

/// A secret's weight, exactly and in units, rounded down.
struct Weight {
    exact: Rational,
    whole: BigInt,
}

/// P(x)·value, rounded down.
fn share(law: &Distribution, x: usize, value: BigInt) -> BigInt {
    let product = value * BigInt::from(law.numerator(x).to_big());
    Integer::div_floor(&product, &BigInt::from(law.denominator().to_big()))
}

/// The least `Σ_y a_y v_y` over rows a with entries other than a_x at most the cap, times 2^CAP_BITS.
///
/// Outputs cheaper than x are filled in order, each up to the cap, and x takes the rest.
fn least_capped(values: &[BigInt], x: usize, cap: &BigInt) -> BigInt {
    let mut cheaper: Vec<&BigInt> =
        (0..values.len()).filter(|&y| y != x && values[y] < values[x]).map(|y| &values[y]).collect();
    cheaper.sort_unstable();
    let (mut sum, mut left) = (BigInt::zero(), BigInt::one() << CAP_BITS as usize);
    for value in cheaper {
        let part = cap.min(&left).clone();
        left -= &part;
        sum += part * value;
    }
    sum + left * &values[x]
}
