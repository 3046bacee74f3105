//! The best quilt of a node: branch and bound over how far away its two nodes stand.

use super::logarithm::LOGARITHM_BITS;
use crate::design::Watch;
use crate::exact::{Epsilon, Rational};
use crate::{Error, Result};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// What a quilt costs: it falls with neither the nodes on its near side nor its influence.
#[derive(Debug, Clone, Copy)]
pub(super) enum Objective {
    /// The scale card/(ε − e), for an ε in units of 2^-44, rounded down.
    Scale { epsilon: i64 },
    /// The loss e + r·card where a node changes the logarithm of the noise by r, in units of 2^-64, rounded up.
    Loss { rate: u128 },
}

/// Behind the point of a loss.
const LOSS_BITS: u32 = 64;

/// A fraction; 1/0 is infinite.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cost {
    top: u128,
    bottom: u64,
}

impl Objective {
    pub(super) fn scale(epsilon: &Epsilon) -> Self {
        let lower = epsilon.enclose(u64::from(LOGARITHM_BITS) + 8).lower().to_fixed(LOGARITHM_BITS.into(), false);
        Objective::Scale { epsilon: lower.to_i64().expect("an epsilon is at most 100,000").max(0) }
    }

    /// # Errors
    /// A rate below 0, or beyond 2^20: nothing is hidden by so little noise.
    pub(super) fn loss(rate: &Rational) -> Result<Self> {
        let scaled = (rate * (BigInt::from(1) << LOSS_BITS)).ceil().to_integer().to_u128();
        match scaled.filter(|&scaled| scaled <= 1 << (LOSS_BITS + 20)) {
            Some(rate) => Ok(Objective::Loss { rate }),
            None => Err(Error::input(format!("a rate of {rate} a node, expected a number from 0 to 2^20"))),
        }
    }

    /// An influence that is not below ε admits no noise at all.
    pub(super) fn cost(self, card: u64, influence: Option<i64>) -> Cost {
        let Some(influence) = influence else { return Cost::INFINITE };
        match self {
            Objective::Scale { epsilon } if influence < epsilon => {
                Cost { top: card.into(), bottom: (epsilon - influence) as u64 }
            }
            Objective::Scale { .. } => Cost::INFINITE,
            Objective::Loss { rate } => {
                Cost { top: ((influence as u128) << (LOSS_BITS - LOGARITHM_BITS)) + rate * u128::from(card), bottom: 1 }
            }
        }
    }

    /// The scale or the loss that a cost stands for, exactly.
    pub(super) fn number(self, cost: Cost) -> Rational {
        let (top, bottom) = (BigInt::from(cost.top), BigInt::from(cost.bottom));
        match self {
            Objective::Scale { .. } => Rational::new(top << LOGARITHM_BITS, bottom),
            Objective::Loss { .. } => Rational::new(top, bottom << LOSS_BITS),
        }
    }
}

impl Cost {
    pub(super) const INFINITE: Cost = Cost { top: 1, bottom: 0 };
    pub(super) const NOTHING: Cost = Cost { top: 0, bottom: 1 };

    /// The same cost and up to two parts in `parts` more.
    pub(super) fn raised(self, parts: u64) -> Cost {
        Cost { top: self.top + self.top / u128::from(parts), bottom: self.bottom - self.bottom / parts }
    }

    pub(super) fn is_finite(self) -> bool {
        self.bottom > 0
    }
}

impl Ord for Cost {
    /// Nodes are at most 2^40 and logarithms below 2^62, so that products fit.
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.bottom, other.bottom) {
            (0, 0) => Ordering::Equal,
            _ => (self.top * u128::from(other.bottom)).cmp(&(other.top * u128::from(self.bottom))),
        }
    }
}

impl PartialOrd for Cost {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Cost {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Cost {}

/// A quilt at these distances, with what it costs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) cost: Cost,
    pub(super) left: u64,
    pub(super) right: u64,
    pub(super) influence: i64,
}

/// Distances from a to a' on the left and from b to b' on the right, ordered by the least that they can cost.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Region {
    bound: Cost,
    left: [u64; 2],
    right: [u64; 2],
}

/// Looks for a quilt cheaper than `best` with distances up to `ends`, until one is at most `enough`.
///
/// Influences fall with both distances: what lies farther away is made from what lies nearer, without a further look at
/// the node. So the cost of a region is at least that of its least card at its least influence. That bounds the
/// work alone: whatever is found is a quilt with its own influence. Of n nodes on the near side, about n regions are
/// opened, at about √n distances.
pub(super) fn search(
    objective: Objective,
    ends: [u64; 2],
    mut best: Found,
    enough: Cost,
    watch: &Watch<'_>,
    searched: &mut u64,
    mut influence: impl FnMut(u64, u64) -> Option<i64>,
) -> Result<Found> {
    let mut look = |left: [u64; 2], right: [u64; 2], best: &mut Found| {
        *searched += 1;
        let (far_left, far_right) = (left[1], right[1]);
        let least = influence(far_left, far_right);
        let cost = objective.cost(far_left + far_right - 1, least);
        if let Some(influence) = least
            && cost < best.cost
        {
            *best = Found { cost, left: far_left, right: far_right, influence };
        }
        let bound = objective.cost(left[0] + right[0] - 1, least);
        (*searched, Region { bound, left, right })
    };
    let mut open = BinaryHeap::from([Reverse(look([1, ends[0]], [1, ends[1]], &mut best).1)]);
    while let Some(Reverse(Region { bound, left, right })) = open.pop() {
        if bound >= best.cost || best.cost <= enough {
            break;
        }
        let halves = match (left[1] - left[0], right[1] - right[0]) {
            (0, 0) => continue,
            (high, wide) if high >= wide => halved(left).map(|left| (left, right)),
            _ => halved(right).map(|right| (left, right)),
        };
        for (left, right) in halves {
            let (searched, region) = look(left, right, &mut best);
            if searched.is_multiple_of(64) {
                watch.step("searching quilts", searched, None)?;
            }
            if region.bound < best.cost {
                open.push(Reverse(region));
            }
        }
    }
    Ok(best)
}

/// Two parts that meet at the roundest binary number, so that different nodes look at the same distances.
fn halved([first, last]: [u64; 2]) -> [[u64; 2]; 2] {
    let mut middle = last - 1;
    while middle & (middle - 1) >= first.max(1) {
        middle &= middle - 1;
    }
    [[first, middle], [middle + 1, last]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parts_meet_at_round_numbers_and_leave_nothing_out() {
        assert_eq!(halved([1, 100]), [[1, 64], [65, 100]]);
        assert_eq!(halved([65, 100]), [[65, 96], [97, 100]]);
        assert_eq!(halved([7, 8]), [[7, 7], [8, 8]]);
        assert_eq!(halved([1, 2]), [[1, 1], [2, 2]]);
        assert_eq!(halved([2, 3]), [[2, 2], [3, 3]]);
    }

    #[test]
    fn costs_are_compared_as_fractions() {
        let objective = Objective::scale(&"1/2".parse().unwrap());
        let unit = 1i64 << LOGARITHM_BITS;
        assert_eq!(objective.cost(3, Some(unit / 4)), objective.cost(6, Some(0)));
        assert_eq!(objective.number(objective.cost(6, Some(0))).to_string(), "12");
        assert!(!objective.cost(1, Some(unit / 2)).is_finite(), "an influence of epsilon admits no noise");
        assert!(objective.cost(1, None) > objective.cost(1 << 40, Some(0)));
        let loss = Objective::loss(&Rational::new(1.into(), 4.into())).unwrap();
        assert_eq!(loss.number(loss.cost(6, Some(unit))).to_string(), "5/2");
    }

    proptest! {
        #[test]
        fn the_cheapest_of_all_distances_is_found(ends in (1u64..40, 1u64..40), steps in prop::collection::vec((0i64..9, 0i64..9), 40), epsilon in 1u64..60) {
            let falling = |pick: fn(&(i64, i64)) -> i64, at: u64| steps[at as usize..].iter().map(pick).sum::<i64>();
            let influence = |a: u64, b: u64| Some((falling(|s| s.0, a) + falling(|s| s.1, b)) << 40);
            let objective = Objective::Scale { epsilon: (epsilon << 41) as i64 };
            let none = Found { cost: Cost::INFINITE, left: 0, right: 0, influence: 0 };
            let mut searched = 0;
            let found = search(objective, [ends.0, ends.1], none, Cost::NOTHING, &Watch::default(), &mut searched, influence).unwrap();
            let all = (1..=ends.0).flat_map(|a| (1..=ends.1).map(move |b| (a, b)));
            let least = all.map(|(a, b)| objective.cost(a + b - 1, influence(a, b))).min().unwrap();
            prop_assert!(found.cost == least);
            if least.is_finite() {
                prop_assert!(objective.cost(found.left + found.right - 1, influence(found.left, found.right)) == least);
            }
        }
    }
}
