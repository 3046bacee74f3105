//! The numbers of the pictures.

use super::methods::Method;
use super::{ChainPage, methods};
use lookalike::design::Watch;
use lookalike::exact::{Direction, Epsilon, Interval, Rational, to_f64};
use lookalike::pufferfish::{Calibration, Chain, Quilt, States, group_scale, influence};
use lookalike_formats::Result;

type Point = (f64, f64);

/// Everything that is drawn or said.
pub(super) struct Figures {
    pub(super) exact: Calibration,
    /// The chain that is drawn: the one that needs the most noise, or next to it.
    pub(super) worst: Chain,
    pub(super) methods: Vec<Method>,
    /// The moment of the pictures of influence and score.
    pub(super) node: u64,
    pub(super) left: Vec<Point>,
    pub(super) right: Vec<Point>,
    pub(super) both: Vec<Point>,
    pub(super) scores: Vec<Point>,
    pub(super) exact_lengths: Vec<Point>,
    pub(super) approximate_lengths: Vec<Point>,
    pub(super) contraction_lengths: Vec<Point>,
    pub(super) group_lengths: Vec<Point>,
}

/// Points of a line: enough to see its shape.
const MOST_POINTS: u64 = 24;
/// A longer sequence is drawn as one of this length: the law of a far moment takes a step of the chain for each before.
const LONGEST_DRAWN: u64 = 4096;
/// Smaller influences are not drawn.
const LEAST_INFLUENCE: f64 = 1e-3;

impl Figures {
    pub(super) fn of(page: &ChainPage<'_>, watch: Watch<'_>) -> Result<Figures> {
        let (exact, worst) = page.exact(page.length, watch)?;
        let methods = methods::all(page, &exact)?;
        let far = exact.quilt.left.unwrap_or(1).max(exact.quilt.right.unwrap_or(1));
        let (length, node) = drawn(page.length, exact.node, far);
        let most = (4 * far).max(10);
        let found = |left: Option<u64>, right: Option<u64>| -> Result<f64> {
            let found = influence(&worst, length, node, Quilt { left, right }, States::default())?;
            Ok(found.as_ref().map_or(f64::INFINITY, above))
        };
        let (before, after) = (node - 1, length - node);
        let line = |end: u64, value: &dyn Fn(u64) -> Result<f64>| -> Result<Vec<Point>> {
            distances(end.min(most)).map(|distance| Ok((distance as f64, value(distance)?))).collect()
        };
        let left = line(before, &|distance| found(Some(distance), None))?;
        let right = line(after, &|distance| found(None, Some(distance)))?;
        let both = line(before.min(after), &|distance| found(Some(distance), Some(distance)))?;
        let epsilon = page.epsilon.to_f64();
        // Quilts that take all of ε or more have no score.
        let score = |&(distance, influence): &Point| {
            let near = 2.0 * distance - 1.0;
            (influence < epsilon).then(|| (near, near / (epsilon - influence)))
        };
        let scores = both.iter().filter_map(score).collect();
        let [left, right, both] = [left, right, both].map(visible);
        let mut figures = Figures {
            worst: worst.clone(),
            methods,
            node,
            left,
            right,
            both,
            scores,
            exact_lengths: vec![],
            approximate_lengths: vec![],
            contraction_lengths: vec![],
            group_lengths: vec![],
            exact,
        };
        for length in lengths(page.length) {
            let place = |scale: &Rational| (length as f64, to_f64(scale, Direction::Up));
            // The chosen length is known; the noise that a shorter sequence needs is found anew.
            let scale = match length == page.length {
                true => figures.exact.scale.clone(),
                false => page.exact(length, watch)?.0.scale,
            };
            figures.exact_lengths.push(place(&scale));
            if let Ok(found) = page.approximate(length) {
                figures.approximate_lengths.push(place(&found.scale));
            }
            if let Ok(found) = page.contract(length) {
                figures.contraction_lengths.push(place(&found.scale));
            }
            figures.group_lengths.push(place(&group_scale(length, page.epsilon)?));
        }
        Ok(figures)
    }

    /// The least scale of those that protect.
    pub(super) fn least(&self) -> &Rational {
        let protecting =
            self.methods.iter().filter(|method| method.protects).filter_map(|method| method.scale.as_ref());
        protecting.min().unwrap_or(&self.exact.scale)
    }

    /// The near side and the scale of the best quilt.
    pub(super) fn best_point(&self, length: u64) -> Point {
        (self.exact.card.min(length) as f64, to_f64(&self.exact.scale, Direction::Up))
    }

    /// The score of the empty quilt, as wide as the line of scores.
    pub(super) fn group_line(&self, length: u64, epsilon: &Epsilon) -> Vec<Point> {
        let score = length as f64 / epsilon.to_f64();
        let ends = self.scores.iter().map(|point| point.0).chain([self.best_point(length).0]);
        let (low, high) = ends.fold((f64::INFINITY, 1.0f64), |(low, high), near| (low.min(near), high.max(near)));
        vec![(low, score), (high, score)]
    }
}

fn above(influence: &Interval) -> f64 {
    to_f64(&influence.upper().to_rational(), Direction::Up)
}

/// The length and the moment that are drawn for the worst moment of a sequence.
fn drawn(length: u64, node: u64, far: u64) -> (u64, u64) {
    let most = LONGEST_DRAWN.max(16 * far);
    if length <= most {
        return (length, node);
    }
    let from_end = length - node;
    if node <= most / 2 {
        (most, node)
    } else if from_end < most / 2 && node != length.div_ceil(2) {
        (most, most - from_end)
    } else {
        (most, most / 2)
    }
}

/// Whole numbers from 1 to the end, each once and not too many.
fn distances(end: u64) -> impl Iterator<Item = u64> {
    let stride = end.div_ceil(MOST_POINTS).max(1);
    let inner = (1..=end).step_by(stride as usize).filter(move |&distance| distance != end);
    inner.chain((end > 0).then_some(end))
}

/// The chosen length, and 1, 3, 10, 30, … up to ten times as much.
fn lengths(chosen: u64) -> Vec<u64> {
    let decades = (0..12).map(|power| 10u64.pow(power));
    let round = decades.flat_map(|decade| [decade, 3 * decade]);
    let most = chosen.saturating_mul(10).min(1 << 40);
    let mut lengths: Vec<u64> = round.filter(|&length| length <= most).chain([chosen]).collect();
    lengths.sort_unstable();
    lengths.dedup();
    lengths
}

/// The part of a line that a logarithmic axis shows; what is smaller stands at its foot.
fn visible(points: Vec<Point>) -> Vec<Point> {
    let end = points.iter().position(|point| point.1 < LEAST_INFLUENCE).map_or(points.len(), |at| at + 1);
    let finite = points[..end].iter().filter(|point| point.1.is_finite());
    finite.map(|&(distance, influence)| (distance, influence.max(LEAST_INFLUENCE))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_sequence_is_drawn_short_with_its_moment_as_deep_inside() {
        assert_eq!(drawn(100, 8, 5), (100, 8));
        assert_eq!(drawn(1_000_000, 8, 5), (4096, 8));
        assert_eq!(drawn(1_000_000, 500_000, 5), (4096, 2048));
        assert_eq!(drawn(1_000_000, 999_990, 5), (4096, 4086));
        assert_eq!(drawn(1_000_000, 500_000, 1000), (16_000, 8000));
    }

    #[test]
    fn distances_end_where_the_chain_ends_and_lengths_hold_the_chosen_one() {
        assert_eq!(distances(0).count(), 0);
        assert_eq!(distances(5).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
        let many: Vec<u64> = distances(1000).collect();
        assert!(many.len() <= 26 && many.last() == Some(&1000) && many.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(lengths(50), [1, 3, 10, 30, 50, 100, 300]);
        assert_eq!(lengths(1 << 40).last(), Some(&(1 << 40)));
    }

    #[test]
    fn a_line_ends_at_the_first_influence_that_is_too_small_to_draw() {
        let points = vec![(1.0, f64::INFINITY), (2.0, 0.5), (3.0, 1e-4), (4.0, 1e-5)];
        assert_eq!(visible(points), [(2.0, 0.5), (3.0, 1e-3)]);
    }
}
