//! Losses on a grid, for many releases: never below the truth.

use super::PrivacyLoss;
use super::convolution::convolve_up;
use super::fixed::{ONE, mass_above, times_up};
use super::grid_curve::GridCurve;
use crate::exact::{Dyadic, Interval};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// The loss ln(P(y)/Q(y)) of a pair of laws under P, moved to multiples of a step h, or to one that is worse.
///
/// # Guarantee
/// The δ of this grid, Σ_g p_g (1 − e^(ε−g))⁺ over its losses g, is at least that of the pair at every ε ≥ 0, and so it
/// stays for any number of releases and for releases of different pairs together. Three things are done to a pair:
///
/// 1. *Connecting the dots.* An output y with g ≤ ln(P(y)/Q(y)) ≤ g + h becomes two, of which one has the loss g and the
///    other g + h, such that the two have together the probability P(y) under P and Q(y) under Q. There is one way to do
///    so, and both parts are probabilities. Whoever sees which of the two it is may forget it and has y: the pair is a
///    post-processing of the new one. So is any number of releases of it, and so no δ of the pair is above that of the new one.
/// 2. *Rounding up.* In the new pair Q(y) = e^(−g) P(y), and so δ is the sum above. It has no negative factor, nor
///    has the convolution of two such lists, which adds up the losses of two independent releases. So masses may grow.
/// 3. *Moving up.* 1 − e^(ε−g) grows with g, and so does the loss of several releases with that of each. So mass may be
///    moved to a larger loss: that below the lowest point kept, to it; that above the highest, to an infinite loss.
///
/// Masses are whole numbers of 2^−92, and convolutions are exact before they are rounded up.
///
/// # Example
/// ```
/// use lookalike::account::loss::{LossGrid, PrivacyLoss};
/// use lookalike::{exact::{Direction, Dyadic, decimal, parse_rational}, model::Distribution};
/// let law = |weights: [u64; 3]| Distribution::from_weights(weights.map(Into::into).to_vec());
/// let loss = PrivacyLoss::of(&law([5, 3, 2])?, &law([3, 3, 4])?)?;
/// let grid = LossGrid::of(&loss, &Dyadic::new(1.into(), -8)); // steps of 1/256
/// let delta = parse_rational("0.01")?;
/// let least = loss.times(20)?.exp_epsilon(&delta).unwrap(); // e^ε, exactly
/// let found = grid.times(20).curve().epsilon(&delta).unwrap();
/// assert_eq!(decimal(&found, 3, Direction::Up), "6.206");
/// assert!(lookalike::exact::enclose_exp(&found, 60).upper().to_rational() >= least);
/// # Ok::<(), lookalike::Error>(())
/// ```
///
/// # Reference
/// Doroshenko, Ghazi, Kamath, Kumar and Manurangsi, Connect the Dots: Tighter Discrete Approximations of Privacy Loss
/// Distributions (2022), for the first; Koskela, Jälkö and Honkela, Computing Tight Differential Privacy Guarantees Using
/// FFT (2020), for convolutions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LossGrid {
    /// h > 0.
    step: Dyadic,
    /// The loss of the first mass, in steps.
    first: i64,
    masses: Vec<u128>,
    infinite: u128,
}

/// What is cut off at both ends in all, in units of 2^−92: 2^−56 at each end.
pub(super) const TAIL: u128 = ONE >> 56;
/// Bits of e^g.
const BITS: u64 = 192;

impl LossGrid {
    /// The loss of a pair on multiples of `step`.
    ///
    /// # Panics
    /// If the step is not positive, or a loss is 2^60 steps or more.
    pub fn of(loss: &PrivacyLoss, step: &Dyadic) -> Self {
        LossGrid::connecting(&loss.enclosures(), step)
    }

    /// The same for probabilities within these enclosures under P and Q; that of Q is the point 0 for infinite losses.
    pub(super) fn connecting(atoms: &[[Interval; 2]], step: &Dyadic) -> Self {
        assert!(step.signum() > 0, "a step is positive");
        let fall = &Interval::integer(1) - &times(step, &BigInt::from(-1)).exp(BITS);
        let split: Vec<Split> = atoms.iter().map(|atom| Split::of(atom, step, &fall)).collect();
        let infinite = split.iter().filter(|split| split.place.is_none()).map(|split| split.masses[1]).sum();
        let places = || split.iter().filter_map(|split| Some((split.place?, split.masses)));
        let first = places().map(|(place, _)| place - 1).min().unwrap_or(0);
        let length = places().map(|(place, _)| place - first + 1).max().unwrap_or(1);
        let mut masses = vec![0; length as usize];
        for (place, parts) in places() {
            for (at, part) in [place - 1, place].into_iter().zip(parts) {
                masses[(at - first) as usize] += part;
            }
        }
        LossGrid { step: step.clone(), first, masses, infinite }.trimmed(0)
    }

    /// The step h.
    pub fn step(&self) -> &Dyadic {
        &self.step
    }

    /// How many points there are from the least loss to the largest.
    pub fn points(&self) -> usize {
        self.masses.len()
    }

    /// Of a release of this and a release of the other, independently.
    ///
    /// Adds at most 2^−62 to any δ.
    ///
    /// # Panics
    /// If the steps differ.
    #[must_use]
    pub fn composed(&self, other: &LossGrid) -> LossGrid {
        self.convolved(other, TAIL >> 6)
    }

    /// Of k independent releases, by repeated squaring. Adds at most about 2^−54 to any δ.
    ///
    /// # Panics
    /// If k is 0.
    ///
    /// # Complexity
    /// About √k·20·(largest loss)/h points at most (Hoeffding), and O(n log n) products for n of them.
    #[must_use]
    pub fn times(&self, k: u64) -> LossGrid {
        assert!(k > 0, "at least one release");
        let bits = k.ilog2();
        let mut product = self.clone();
        for bit in (0..bits).rev() {
            // What is cut off now is there as often as this part is in the whole.
            let done = k >> (bit + 1);
            let tail = |done: u64| TAIL * u128::from(done) / (u128::from(k) * 2 * u128::from(bits));
            product = product.convolved(&product, tail(2 * done));
            if k >> bit & 1 == 1 {
                product = product.convolved(self, tail(2 * done + 1));
            }
        }
        product
    }

    fn convolved(&self, other: &LossGrid, tail: u128) -> LossGrid {
        assert_eq!(self.step, other.step, "grids of one step");
        let [total, other_total] = [self, other].map(|grid| grid.masses.iter().sum::<u128>());
        // An infinite loss in either or both; never more than everything.
        let infinite = times_up(self.infinite, other_total)
            + times_up(total, other.infinite)
            + times_up(self.infinite, other.infinite);
        let masses = convolve_up(&self.masses, &other.masses);
        let first = self.first + other.first;
        LossGrid { step: self.step.clone(), first, masses, infinite: infinite.min(ONE) }.trimmed(tail)
    }

    /// Moves at most this mass from the lowest points to the first that is kept, and as much from the highest to an infinite
    /// loss.
    fn trimmed(mut self, tail: u128) -> Self {
        let within = |mass: &u128, sum: &mut u128| {
            *sum = sum.saturating_add(*mass);
            *sum <= tail
        };
        let mut above = 0;
        let high = self.masses.iter().rev().take_while(|mass| within(mass, &mut above)).count();
        let cut: u128 = self.masses[self.masses.len() - high..].iter().sum();
        self.infinite += cut;
        self.masses.truncate(self.masses.len() - high);
        let mut below = 0;
        let low = self.masses.iter().take_while(|mass| within(mass, &mut below)).count();
        let moved: u128 = self.masses.drain(..low).sum();
        match self.masses.first_mut() {
            Some(mass) => *mass += moved,
            // Next to nothing was there at all.
            None => {
                self.infinite += moved;
                self.masses.push(0);
            }
        }
        self.first += low as i64;
        self
    }

    /// δ at every ε ≥ 0, and ε at every δ.
    pub fn curve(&self) -> GridCurve {
        GridCurve::of(&self.step, self.first, &self.masses, self.infinite)
    }
}

/// Where the two parts of an output go.
struct Split {
    /// The place of the upper part, in steps; `None` for an infinite loss.
    place: Option<i64>,
    /// The masses of the lower and the upper part.
    masses: [u128; 2],
}

impl Split {
    /// `fall` is 1 − e^(−h).
    fn of([p, q]: &[Interval; 2], step: &Dyadic, fall: &Interval) -> Self {
        let whole = mass_above(p.upper());
        if q.upper().signum() == 0 {
            return Split { place: None, masses: [0, whole] };
        }
        let ratio = p.divide(q, BITS).expect("a positive probability");
        let loss = ratio.ln(BITS).expect("a positive ratio");
        // The next point that is surely not below the loss. If the one before it is not below either, the output may
        // lie there as a whole, and both parts together are no less than that.
        let (loss, step_rational) = (loss.upper().to_rational(), step.to_rational());
        let place = (loss / step_rational).ceil().to_integer();
        let below = times(step, &(&place - BigInt::from(1))).exp(BITS);
        // p₊ + p₋ = p and p₊ e^(−g−h) + p₋ e^(−g) = q give p₊ = (p − q e^g)/(1 − e^(−h)).
        let upper = (p - &(q * &below)).divide(fall, BITS).expect("a positive step");
        let parts = [p - &upper, upper].map(|part| mass_above(part.upper()).min(whole));
        Split {
            place: Some(place.to_i64().filter(|place| place.abs() < 1 << 60).expect("a loss in steps")),
            masses: parts,
        }
    }
}

/// h·n as a point.
fn times(step: &Dyadic, n: &BigInt) -> Interval {
    Interval::point(step * &Dyadic::new(n.clone(), 0))
}

#[cfg(test)]
#[path = "loss_grid_tests.rs"]
mod tests;
