//! One pair of laws, released k times: exactly where that is short, else on a grid that can be narrowed.

use super::composition::Method;
use super::known_pairs::Enclosures;
use super::privacy_loss::MOST_STEPS;
use super::{GridCurve, LossGrid, PrivacyLoss};
use crate::exact::{Direction, Dyadic, Epsilon, Excess, Interval, Natural, Rational, enclose_ln, exceeds};
use num_bigint::BigInt;
use num_traits::{One, Zero};
use rayon::prelude::*;

/// A pair that may be the worst.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) pair: Option<[u32; 2]>,
    enclosures: Enclosures,
    largest: Largest,
    releases: u64,
    kind: Method,
    /// The step of the grid: a half, a quarter, … of the largest loss either way.
    step: Dyadic,
    points: usize,
    /// The curves with four times and twice the step, if there were any, and the one that holds.
    coarser: [Option<Curve>; 2],
    curve: Curve,
}

/// δ and ε of k releases.
#[derive(Debug, Clone)]
pub(super) enum Curve {
    Exact(Box<PrivacyLoss>),
    Grid(GridCurve),
}

/// The largest loss of one release.
#[derive(Debug, Clone)]
enum Largest {
    /// ln of the quotient of two masses.
    Ratio([Natural; 2]),
    Epsilon(Epsilon),
    Infinite,
}

/// An upper bound of a number.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Bound {
    Finite(Rational),
    Infinite,
}

impl Bound {
    pub(super) fn finite(self) -> Option<Rational> {
        match self {
            Bound::Finite(value) => Some(value),
            Bound::Infinite => None,
        }
    }

    /// Whether the other, a smaller one, is within this part of itself.
    pub(super) fn is_near(&self, other: &Bound, part: &Rational) -> bool {
        match (self, other) {
            (Bound::Finite(one), Bound::Finite(other)) => one - other <= other * part,
            _ => self == other,
        }
    }
}

/// A grid with more points is not narrowed any more.
const MOST_POINTS: usize = 1 << 18;
/// The first grid has at least about so many.
const FEWEST_POINTS: u64 = 1 << 11;
/// The first grid may have more: with a step above the largest loss it would say little.
const MOST_FIRST_POINTS: u64 = 1 << 20;
/// Bits of the unit, and behind the point of an ε.
const BITS: u64 = 64;

impl Candidate {
    /// Pairs of which all is known exactly. They are composed exactly if that is short for all of them together.
    pub(super) fn of_losses(losses: Vec<(Option<[u32; 2]>, PrivacyLoss)>, releases: u64) -> Vec<Self> {
        let k = u32::try_from(releases).ok();
        let steps = |k| losses.iter().map(|(_, loss)| PrivacyLoss::steps(&[(loss, k)])).fold(0, u128::saturating_add);
        let exactly = k.filter(|&k| steps(k) <= MOST_STEPS);
        let candidates = losses.into_par_iter().map(|(pair, loss)| {
            let exact = exactly.map(|k| loss.times(k).expect("all of them are short"));
            Candidate::of_loss(pair, &loss, exact, releases)
        });
        candidates.collect()
    }

    fn of_loss(pair: Option<[u32; 2]>, loss: &PrivacyLoss, exact: Option<PrivacyLoss>, releases: u64) -> Self {
        let largest = match loss.largest() {
            Some(masses) => Largest::Ratio(masses.map(Natural::from)),
            None => Largest::Infinite,
        };
        Candidate::new(pair, loss.enclosures(), largest, Method::Grid, releases, exact)
    }

    /// A pair whose probabilities lie within these enclosures, and whose loss is at most ε.
    pub(super) fn of_enclosures(enclosures: Enclosures, largest: Epsilon, kind: Method, releases: u64) -> Self {
        Candidate::new(None, enclosures, Largest::Epsilon(largest), kind, releases, None)
    }

    fn new(
        pair: Option<[u32; 2]>,
        enclosures: Enclosures,
        largest: Largest,
        kind: Method,
        releases: u64,
        exact: Option<PrivacyLoss>,
    ) -> Self {
        let step = first_step(&enclosures, releases);
        let (curve, points) = match exact {
            Some(loss) => (Curve::Exact(Box::new(loss)), 0),
            None => on_grid(&enclosures, &step, releases),
        };
        Candidate { pair, enclosures, largest, releases, kind, step, points, coarser: [None, None], curve }
    }

    pub(super) fn curve(&self) -> &Curve {
        &self.curve
    }

    /// The curve with four times the step.
    pub(super) fn coarser(&self) -> Option<&Curve> {
        self.coarser[0].as_ref()
    }

    #[cfg(test)]
    pub(super) fn step(&self) -> &Dyadic {
        &self.step
    }

    pub(super) fn method(&self) -> Method {
        match self.curve {
            Curve::Exact(_) => Method::Exact,
            Curve::Grid(_) => self.kind,
        }
    }

    /// Halves the step; says no where there is none, or enough points.
    pub(super) fn refine(&mut self) -> bool {
        if matches!(self.curve, Curve::Exact(_)) || 2 * self.points > MOST_POINTS {
            return false;
        }
        self.step = &self.step * &Dyadic::new(BigInt::one(), -1);
        let (curve, points) = on_grid(&self.enclosures, &self.step, self.releases);
        self.points = points;
        self.coarser.swap(0, 1);
        self.coarser[1] = Some(std::mem::replace(&mut self.curve, curve));
        true
    }

    /// An upper bound of ε at δ, by a curve of this pair.
    pub(super) fn epsilon(&self, curve: &Curve, delta: &Rational) -> Bound {
        let found = match curve {
            Curve::Exact(loss) => loss.exp_epsilon(delta).map(|power| logarithm(&power)),
            Curve::Grid(grid) => grid.epsilon(delta),
        };
        let sum = self.sum();
        match (found, sum) {
            (Some(one), Some(other)) => Bound::Finite(one.min(other)),
            (one, other) => one.or(other).map_or(Bound::Infinite, Bound::Finite),
        }
    }

    /// k times the largest loss, rounded up.
    fn sum(&self) -> Option<Rational> {
        let once = match &self.largest {
            Largest::Ratio([p, q]) => logarithm_within(&Rational::new(p.to_big().into(), q.to_big().into()), 2 * BITS),
            Largest::Epsilon(epsilon) => epsilon.enclose(2 * BITS),
            Largest::Infinite => return None,
        };
        Some(up(&(&once * &Interval::integer(self.releases)).upper().clone()).max(Rational::zero()))
    }

    /// An upper bound of δ at ε, by a curve of this pair.
    pub(super) fn delta(&self, curve: &Curve, epsilon: &Epsilon) -> Bound {
        Bound::Finite(match curve {
            _ if self.is_within(epsilon) => Rational::zero(),
            Curve::Exact(loss) => loss.delta(epsilon).enclosure().upper().to_rational(),
            Curve::Grid(grid) => grid.delta(&epsilon.enclose(2 * BITS).lower().to_rational().max(Rational::zero())),
        })
    }

    /// δ itself, where it is known.
    pub(super) fn excess(&self, epsilon: &Epsilon) -> Option<Excess> {
        match &self.curve {
            Curve::Exact(loss) => Some(loss.delta(epsilon)),
            Curve::Grid(_) => None,
        }
    }

    /// Whether k times the largest loss is at most ε, exactly.
    fn is_within(&self, epsilon: &Epsilon) -> bool {
        let share = epsilon.scale(&Rational::new(BigInt::one(), self.releases.into()));
        let Ok(share) = share else { return false };
        match &self.largest {
            Largest::Ratio([p, q]) => !exceeds(p, &share, q),
            Largest::Epsilon(largest) => *largest <= share,
            Largest::Infinite => false,
        }
    }
}

/// The curve of k releases on a grid, and its number of points.
fn on_grid(enclosures: &Enclosures, step: &Dyadic, releases: u64) -> (Curve, usize) {
    let grid = LossGrid::connecting(enclosures, step).times(releases);
    (Curve::Grid(grid.curve()), grid.points())
}

/// The largest loss either way, rounded up to few bits, times a power of two with which k releases have about 2^11
/// points, or not many more: so few that halving the step says nothing yet would be misleading.
///
/// Losses of randomized response, and all others that are the largest one or 0, are multiples of it but for a last bit.
fn first_step(enclosures: &Enclosures, releases: u64) -> Dyadic {
    let finite = enclosures.iter().filter(|[_, q]| q.is_positive());
    let ends = finite.map(|[p, q]| {
        let loss = p.divide(q, 2 * BITS).and_then(|ratio| ratio.ln(2 * BITS)).expect("positive probabilities");
        (-loss.lower()).max(loss.upper().clone())
    });
    let largest = ends.max().unwrap_or_else(Dyadic::zero).round(BITS, Direction::Up);
    // Where nothing is told any step will do.
    let largest = if largest.signum() > 0 { largest } else { Dyadic::one() };
    // With the largest loss as the step there are at most 2k + 1 points, and 20·√k by what is cut off.
    let points = (2 * releases + 1).min(20 * releases.isqrt() + 20);
    let halvings = (0..).take_while(|by| points << by < FEWEST_POINTS).count() as i64;
    let doublings = (0..).take_while(|by| points >> by > MOST_FIRST_POINTS).count() as i64;
    &largest * &Dyadic::new(BigInt::one(), doublings - halvings)
}

fn logarithm_within(power: &Rational, bits: u64) -> Interval {
    enclose_ln(power, bits).expect("a positive number")
}

fn logarithm(power: &Rational) -> Rational {
    if power.is_one() {
        return Rational::zero();
    }
    up(logarithm_within(power, BITS).upper())
}

fn up(number: &Dyadic) -> Rational {
    Dyadic::new(number.to_fixed(BITS, true), -(BITS as i64)).to_rational()
}
