//! A lower bound on the largest wrong-output probability of aware mechanisms, without a linear program.
//!
//! Flips of at most t keep `q_i(y)` between `p_i(y)·(1 − (d − 1)t)` and `p_i(y) + t(1 − p_i(y))`, and each category
//! alone is a lattice: `U_i(y)`, the greatest values below the upper ends, and `L_i(y)`, the least above the lower ones.
//! With `Σ_y q_i(y) = 1` and the sets of `reach`, each set R of categories asks of each secret, with P = P_i(R):
//!
//! * `U_i(R) ≥ P·(1 − t·(d − |R|))`, and for all categories together `Σ U_i ≥ 1`;
//! * `L_i(R) ≤ P + t·|R|·(1 − P)`, and together `Σ L_i ≤ 1`.
//!
//! Each value of U and L is that of some path, and any path gives a valid condition. Once paths are chosen, conditions
//! are linear in t.

use super::category_lattice::{CategoryLattice, Path, Reached};
use super::instance::Instance;
use crate::exact::{Epsilon, Interval, Rational};
use crate::model::Distribution;
use num_traits::Zero;

/// Rounds after which floats cannot gain any more.
const MOST_ROUNDS: u32 = 100;
/// The precision of the proof.
const BITS: u64 = 128;

/// No aware mechanism for a component has every wrong-output probability below `t`, over inputs that can occur.
pub(super) struct CategoryBound {
    /// The bound in floats.
    pub(super) t: f64,
    /// The same, rounded down and proven for the exact laws; at least 0.
    pub(super) proven: Rational,
    /// The secrets of the problem that set it: the one that the condition is about, then those on the paths from it.
    pub(super) binding: Vec<u32>,
    /// The output that sets it, when it is one alone.
    pub(super) output: Option<u32>,
    /// `U_i(y)` at t, d numbers a secret.
    #[cfg_attr(not(test), allow(dead_code, reason = "the tests check the lattices by it"))]
    pub(super) upper: Vec<f64>,
    /// `L_i(y)` at t.
    #[cfg_attr(not(test), allow(dead_code, reason = "the tests check the lattices by it"))]
    pub(super) lower: Vec<f64>,
}

/// The bound for a component whose laws are exactly `laws`, in the order of its secrets.
///
/// Newton's method from below: at t = 0 some condition is violated; solve it for t, and repeat with the paths and sets
/// that bind at the new t. Every t on the way is a bound, and there are finitely many paths and sets. The lower ends all
/// shrink by one factor, so L has the same paths for every t.
///
/// # Complexity
/// d passes of O(constraints · log secrets) a round, and O(secrets · d²) for the sets; a handful of rounds.
pub(super) fn category_bound(instance: &Instance, laws: &[&Distribution]) -> CategoryBound {
    let d = instance.size;
    let lattice = CategoryLattice::new(instance);
    let pass = |limit: &dyn Fn(f64) -> f64| -> Vec<Vec<Reached>> {
        let category = |y: usize| lattice.greatest_below((0..instance.count()).map(|i| limit(instance.law(i)[y])));
        (0..d).map(category).collect()
    };
    let mut best = Best { t: 0.0, condition: None };
    let least = pass(&|p| p.recip());
    while best.improve(instance, &lattice, &least, Side::Lower) {}
    let mut greatest = pass(&|p| p + best.t * (1.0 - p));
    for _ in 0..MOST_ROUNDS {
        if !best.improve(instance, &lattice, &greatest, Side::Upper) {
            break;
        }
        let t = best.t;
        greatest = pass(&|p| p + t * (1.0 - p));
    }
    let values = |reached: &[Vec<Reached>], value: &dyn Fn(&Reached) -> f64| -> Vec<f64> {
        (0..instance.count()).flat_map(|i| reached.iter().map(move |category| value(&category[i]))).collect()
    };
    let shrunk = (1.0 - (d - 1) as f64 * best.t).max(0.0);
    let proven = best.condition.as_ref().map_or_else(Rational::zero, |condition| condition.proof(instance, laws));
    // What only the rounding of floats asks for binds nothing.
    let binding = best.condition.filter(|_| !proven.is_zero());
    CategoryBound {
        t: best.t,
        proven,
        binding: binding.as_ref().map_or_else(Vec::new, |condition| condition.secrets(instance)),
        output: binding.and_then(|condition| <[u32; 1]>::try_from(condition.set).ok()).map(|[output]| output),
        upper: values(&greatest, &|reached| reached.value),
        lower: values(&least, &|reached| shrunk / reached.value),
    }
}

/// Which values a condition is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Upper,
    Lower,
}

/// The largest bound so far and the condition that gave it.
struct Best {
    t: f64,
    condition: Option<Condition>,
}

/// What a set of categories asks of one secret along fixed paths.
struct Condition {
    side: Side,
    secret: u32,
    set: Vec<u32>,
    /// For each category of the set the path to the secret whose limit binds.
    paths: Vec<Path>,
}

impl Best {
    /// Raises t to the most that any condition asks for, among the tightest sets of each size and secret at t; whether
    /// it rose.
    fn improve(
        &mut self,
        instance: &Instance,
        lattice: &CategoryLattice,
        reached: &[Vec<Reached>],
        side: Side,
    ) -> bool {
        let (d, t) = (instance.size, self.t);
        let (mut values, mut gain, mut order) = (vec![0.0; d], vec![0.0; d], Vec::new());
        let mut found: Option<(f64, u32, Vec<u32>)> = None;
        for i in 0..instance.count() {
            let law = instance.law(i);
            values.iter_mut().zip(reached).for_each(|(value, category)| *value = category[i].value);
            if side == Side::Lower {
                values.iter_mut().for_each(|value| *value = (1.0 - (d - 1) as f64 * t) / *value);
            }
            order.clear();
            order.extend(0..d as u32);
            for size in 1..=d {
                // The sum over a set is what it is violated by, up to what is the same for all sets of this size.
                let kept = 1.0 - t * others(side, size, d) as f64;
                let excess = |p: f64, value: f64| if side == Side::Upper { kept * p - value } else { value - kept * p };
                gain.iter_mut().zip(law.iter().zip(&values)).for_each(|(gain, (&p, &value))| *gain = excess(p, value));
                if gain.iter().all(|&gain| gain <= 0.0) {
                    continue;
                }
                if size < d {
                    let first = |a: &u32, b: &u32| gain[*b as usize].total_cmp(&gain[*a as usize]).then(a.cmp(b));
                    order.select_nth_unstable_by(size - 1, first);
                }
                let needed = needed(side, law, &order[..size], |y| {
                    let Reached { factor, source, .. } = reached[y][i];
                    (factor, instance.law(source as usize)[y])
                });
                if needed > found.as_ref().map_or(t * (1.0 + 4.0 * f64::EPSILON), |(most, ..)| *most) {
                    found = Some((needed, i as u32, order[..size].to_vec()));
                }
            }
        }
        let Some((needed, secret, mut set)) = found else { return false };
        set.sort_unstable();
        let paths = set.iter().map(|&y| lattice.path(&reached[y as usize], secret)).collect();
        *self = Best { t: needed, condition: Some(Condition { side, secret, set, paths }) };
        true
    }
}

/// How many categories may take part in `t·|S|`: those outside the set for the upper values, the set for the lower.
fn others(side: Side, size: usize, d: usize) -> usize {
    match side {
        Side::Upper => d - size,
        Side::Lower if size == d => 0,
        Side::Lower => size,
    }
}

/// The least t that satisfies the condition of a set, where `path(y)` is the factor and the probability at the source.
fn needed(side: Side, law: &[f64], set: &[u32], path: impl Fn(usize) -> (f64, f64)) -> f64 {
    let (mut inside, mut at_zero, mut slope) = (0.0, 0.0, 0.0);
    for &y in set {
        let (factor, p) = path(y as usize);
        inside += law[y as usize];
        match side {
            Side::Upper => (at_zero, slope) = (at_zero + factor * p, slope + factor * (1.0 - p)),
            Side::Lower => at_zero += p / factor,
        }
    }
    let (d, others) = (law.len(), others(side, set.len(), law.len()) as f64);
    let (missing, gained) = match side {
        Side::Upper => (inside - at_zero, slope + others * inside),
        Side::Lower => (at_zero - inside, others * (1.0 - inside).max(0.0) + (d - 1) as f64 * at_zero),
    };
    if gained > 0.0 { missing / gained } else { 0.0 }
}

impl Condition {
    /// The same as [`needed`], for the exact laws and rounded down.
    fn proof(&self, instance: &Instance, laws: &[&Distribution]) -> Rational {
        let mut known: Vec<(&Epsilon, Interval)> = Vec::new();
        let mut factor = |path: &Path| {
            let mut product = Interval::integer(1);
            for &at in &path.alike {
                let epsilon = &instance.alike[at as usize].epsilon;
                let place = known.iter().position(|(known, _)| *known == epsilon).unwrap_or_else(|| {
                    known.push((epsilon, epsilon.exp(BITS)));
                    known.len() - 1
                });
                product = (&product * &known[place].1).outward(BITS);
            }
            product
        };
        let exact = |value: &Rational| Interval::of(value, BITS);
        let one = Interval::integer(1);
        let (mut inside, mut at_zero, mut slope) = (Rational::zero(), Interval::integer(0), Interval::integer(0));
        for (&y, path) in self.set.iter().zip(&self.paths) {
            let source = path.secrets[path.secrets.len() - 1];
            let (factor, p) = (factor(path), exact(&laws[source as usize].probability(y as usize)));
            inside += laws[self.secret as usize].probability(y as usize);
            match self.side {
                Side::Upper => (at_zero, slope) = (&at_zero + &(&factor * &p), &slope + &(&factor * &(&one - &p))),
                Side::Lower => at_zero = &at_zero + &p.divide(&factor, BITS).expect("e^ε is positive"),
            }
        }
        let d = instance.size;
        let (inside, at_zero) = (exact(&inside), at_zero.outward(BITS));
        let others = Interval::integer(others(self.side, self.set.len(), d) as u64);
        let (missing, gained) = match self.side {
            Side::Upper => (&inside - &at_zero, &slope.outward(BITS) + &(&others * &inside)),
            Side::Lower => {
                let shrinking = &Interval::integer(d as u64 - 1) * &at_zero;
                (&at_zero - &inside, &(&others * &(&one - &inside)) + &shrinking)
            }
        };
        let bound = missing.divide(&gained, BITS);
        bound.map_or_else(Rational::zero, |bound| bound.lower().to_rational().max(Rational::zero()))
    }

    /// The secrets of the problem on the paths, each once, from the condition's own on.
    fn secrets(&self, instance: &Instance) -> Vec<u32> {
        let mut binding = Vec::new();
        for secret in self.paths.iter().flat_map(|path| &path.secrets) {
            let secret = instance.secrets[*secret as usize];
            if !binding.contains(&secret) {
                binding.push(secret);
            }
        }
        binding
    }
}
