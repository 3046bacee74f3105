//! One pair of laws that is at least as easy to tell apart as each of several.

use super::PrivacyLoss;
use super::types::Masses;
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use std::cmp::Ordering;

impl PrivacyLoss {
    /// The least pair that dominates all of these: its δ is the largest of theirs, at every ε.
    ///
    /// The best tests of a pair are the points (Q(S), P(S)), whose upper edge is concave; δ(ε) is the most by which
    /// P(S) is above e^ε·Q(S). The upper edge of all such points together is that of a pair again, namely of its
    /// straight pieces, and δ of that is the largest of all.
    ///
    /// By Blackwell's theorem each of the pairs is a post-processing of this one. So for releases of which each is told
    /// by any of the pairs, chosen in advance or by what was released before, everything that is released can be made from
    /// as many independent releases of this one: they dominate.
    ///
    /// # Panics
    /// If there is none.
    ///
    /// # Reference
    /// Blackwell, Equivalent Comparisons of Experiments (1953); Zhu, Dong and Wang, Optimal Accounting of Differential
    /// Privacy via Characteristic Function (2022), theorem 10 and proposition 8.
    pub fn dominating<'a>(losses: impl IntoIterator<Item = &'a PrivacyLoss>) -> PrivacyLoss {
        let mut points: Vec<Point> = losses.into_iter().flat_map(Point::of_loss).collect();
        points.sort_by(|one, other| one.compare_at(other, 1).then_with(|| other.compare_at(one, 0)));
        let mut edge: Vec<Point> = Vec::new();
        for point in points {
            // To the right of the last one and no higher: below the edge.
            if edge.last().is_some_and(|last| point.compare_at(last, 0) != Ordering::Greater) {
                continue;
            }
            while let [.., before, last] = &edge[..]
                && is_below(before, last, &point)
            {
                edge.pop();
            }
            edge.push(point);
        }
        pair_of(&edge)
    }

    /// Whether the two are the same but for what their masses are out of.
    pub(super) fn is_as(&self, other: &PrivacyLoss) -> bool {
        let same = |(one, other_one): (&Masses, &Masses)| {
            one.iter().zip(other_one).all(|(a, b)| a * other.whole() == b * self.whole())
        };
        self.vertices().len() == other.vertices().len() && self.vertices().iter().zip(other.vertices()).all(same)
    }
}

/// A vertex of a pair: masses under P and Q out of a whole, which differs from pair to pair.
struct Point {
    masses: Masses,
    whole: BigUint,
}

impl Point {
    fn of_loss(loss: &PrivacyLoss) -> impl Iterator<Item = Point> {
        loss.vertices().iter().map(|masses| Point { masses: masses.clone(), whole: loss.whole().clone() })
    }

    fn compare_at(&self, other: &Point, law: usize) -> Ordering {
        match self.whole == other.whole {
            true => self.masses[law].cmp(&other.masses[law]),
            false => (&self.masses[law] * &other.whole).cmp(&(&other.masses[law] * &self.whole)),
        }
    }
}

/// Whether the middle one of three points from left to right is not above the line between the others: the sign of
/// the determinant of (Q, P, whole).
fn is_below(left: &Point, middle: &Point, right: &Point) -> bool {
    let minor = |one: &Point, other: &Point| {
        BigInt::from(&one.masses[1] * &other.masses[0]) - BigInt::from(&one.masses[0] * &other.masses[1])
    };
    let term = |point: &Point, minor: BigInt| minor * BigInt::from_biguint(Sign::Plus, point.whole.clone());
    let sum = term(left, minor(middle, right)) - term(middle, minor(left, right)) + term(right, minor(left, middle));
    sum.sign() != Sign::Minus
}

/// The pair whose vertices these are; the first has Q = 0, and the last P = 1.
fn pair_of(edge: &[Point]) -> PrivacyLoss {
    let whole = edge.iter().fold(BigUint::from(1u32), |whole, point| whole.lcm(&point.whole));
    let scaled = |point: &Point| point.masses.each_ref().map(|mass| mass * (&whole / &point.whole));
    let ends = [[BigUint::ZERO, BigUint::ZERO], [whole.clone(), whole.clone()]];
    let [start, end] = ends;
    let vertices: Vec<Masses> =
        std::iter::once(start).chain(edge.iter().map(scaled)).chain(std::iter::once(end)).collect();
    let masses = vertices.windows(2).map(|pair| [&pair[1][0] - &pair[0][0], &pair[1][1] - &pair[0][1]]).collect();
    PrivacyLoss::from_masses(masses, whole)
}

#[cfg(test)]
mod tests {
    use super::super::tests_support::{losses, small};
    use super::*;
    use crate::exact::Epsilon;
    use proptest::prelude::*;

    #[test]
    fn a_pair_dominates_itself_and_what_tells_nothing() {
        let loss = small(&[3, 1], &[1, 3]);
        assert_eq!(PrivacyLoss::dominating([&loss]), loss);
        assert_eq!(PrivacyLoss::dominating([&small(&[1], &[1]), &loss]), loss);
        assert_eq!(PrivacyLoss::dominating([&small(&[1], &[1])]), small(&[1], &[1]));
        let all = small(&[1, 0], &[0, 1]);
        assert_eq!(PrivacyLoss::dominating([&all, &loss]), all);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn its_delta_is_the_largest(several in prop::collection::vec(losses(5), 1..5), a in 1u32..40, b in 1u32..9) {
            let epsilon: Epsilon = format!("{a}/{}", 4 * b).parse().unwrap();
            let found = PrivacyLoss::dominating(&several).delta(&epsilon);
            let largest = several.iter().map(|loss| loss.delta(&epsilon)).max_by(|one, other| one.compare(other)).unwrap();
            prop_assert_eq!(found.compare(&largest), Ordering::Equal);
        }
    }
}
