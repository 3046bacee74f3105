//! Events that could be tested, and how promising they look.

use super::bound::Seen;
use super::event::Family;
use super::ranges::Ranges;
use super::tally::Tally;
use super::view::View;
use crate::estimate::upper_quantile;

/// What is measured: ε, or δ at an ε.
#[derive(Debug, Clone, Copy)]
pub(super) enum Measure {
    Epsilon,
    /// With e^ε, rounded up.
    Delta(f64),
}

/// Scores events by the bound that Wilson's limits would give: cheap, and close to the exact limits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ruler {
    pub measure: Measure,
    /// Standard deviations from the middle to a limit.
    pub z: f64,
}

impl Ruler {
    /// As if each of the events that are tried were a test of its own: what merely looks large among many is not chosen.
    pub(super) fn new(measure: Measure, error: f64, tried: usize) -> Self {
        Ruler { measure, z: upper_quantile((error / 2.0 / tried.max(1) as f64).max(1e-300)) }
    }

    /// The bound to hope for.
    pub(super) fn score(&self, one: Seen, other: Seen) -> f64 {
        let (lower, upper) = (self.wilson(one, -1.0), self.wilson(other, 1.0));
        match self.measure {
            Measure::Epsilon if lower <= 0.0 => f64::NEG_INFINITY,
            Measure::Epsilon => (lower / upper).ln(),
            // Beyond all doubles e^ε is infinite, and scores would no longer tell anything apart.
            Measure::Delta(exp_epsilon) => lower - exp_epsilon.min(1e300) * upper,
        }
    }

    /// Whether the score can be above the logarithm of a ratio at all: by the shares, which lie within the limits, and without
    /// a root or a logarithm.
    pub(super) fn may_score(&self, one: Seen, other: Seen, ratio: f64) -> bool {
        let share = |seen: Seen| seen.hits as f64 / seen.draws.max(1) as f64;
        let square = self.z * self.z;
        let least = share(other).max(square / (other.draws as f64 + square));
        matches!(self.measure, Measure::Delta(_)) || share(one) > ratio * least
    }

    fn wilson(&self, seen: Seen, sign: f64) -> f64 {
        let (hits, draws, square) = (seen.hits as f64, seen.draws as f64, self.z * self.z);
        let spread = self.z * (hits * (draws - hits) / draws.max(1.0) + square / 4.0).sqrt();
        ((hits + square / 2.0 + sign * spread) / (draws + square)).clamp(0.0, 1.0)
    }
}

/// How an event is made of the columns of a tally.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shape {
    /// One column.
    Single(usize),
    /// The columns up to one.
    UpTo(usize),
    /// The columns from one on.
    From(usize),
    /// So many columns with the largest likelihood ratios.
    Likeliest(usize),
}

/// What a tally counts: the symbols that something looks at.
pub(super) trait Sight: Copy {
    /// Whether symbols come in an order that means something.
    fn is_ordered(self) -> bool;

    /// The family of its events of a shape.
    fn family(self, shape: Shape) -> Family;
}

impl Sight for View {
    fn is_ordered(self) -> bool {
        matches!(self, View::Number | View::LowestBit | View::Length)
    }

    fn family(self, shape: Shape) -> Family {
        match (self, shape) {
            (View::Output, Shape::Single(_)) => Family::Single,
            (View::Output, _) => Family::Set,
            (View::Number, Shape::UpTo(_) | Shape::From(_)) => Family::Threshold,
            (View::Number, _) => Family::Intervals,
            (View::LowestBit | View::LastBits, _) => Family::LowBits,
            (View::Length, _) => Family::Length,
            (View::Letter(_), _) => Family::Letter,
            (View::Letters(..) | View::LettersApart(..), _) => Family::Letters,
        }
    }
}

impl Shape {
    /// The symbols of the event for an ordered pair of secrets, by their places.
    pub(super) fn ranges<V: Sight>(self, tally: &Tally<V>, pair: [usize; 2]) -> Ranges {
        let columns: Vec<usize> = match self {
            Shape::Single(column) => vec![column],
            Shape::UpTo(column) => (0..=column).collect(),
            Shape::From(column) => (column..tally.columns.len()).collect(),
            Shape::Likeliest(count) => by_ratio(tally, pair).into_iter().take(count).collect(),
        };
        let mut ranges: Vec<[u64; 2]> = columns.into_iter().map(|column| tally.columns[column]).collect();
        if tally.view.is_ordered() {
            // What lies beyond the columns that were seen belongs to the side that it is on.
            match self {
                Shape::UpTo(_) => ranges[0][0] = 0,
                Shape::From(_) => ranges.last_mut().expect("a column")[1] = u64::MAX,
                Shape::Single(_) | Shape::Likeliest(_) => {}
            }
            if let (Shape::UpTo(_) | Shape::From(_), Some(&[first, _]), Some(&[_, last])) =
                (self, ranges.first(), ranges.last())
            {
                ranges = vec![[first, last]];
            }
        }
        Ranges::new(ranges)
    }
}

/// All columns, the largest likelihood ratio of the first secret to the second first.
fn by_ratio<V>(tally: &Tally<V>, [one, other]: [usize; 2]) -> Vec<usize> {
    // The draws of the two secrets are the same for all columns, and so do not change the order.
    let hits = |secret, column| (2 * tally.seen(secret, column).hits + 1) as f64;
    let ratio = |column: usize| hits(one, column) / hits(other, column);
    let mut ordered: Vec<(usize, f64)> = (0..tally.columns.len()).map(|column| (column, ratio(column))).collect();
    ordered.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    ordered.into_iter().map(|(column, _)| column).collect()
}

/// Shows every event of a tally for an ordered pair to a visitor, with what was seen of it.
pub(super) fn visit<V: Sight>(tally: &Tally<V>, pair: [usize; 2], mut visitor: impl FnMut(Family, Shape, Seen, Seen)) {
    let mut show = |shape: Shape, [one, other]: [Seen; 2]| visitor(tally.view.family(shape), shape, one, other);
    let count = tally.columns.len();
    if count == 0 {
        return;
    }
    let seen = |column: usize| pair.map(|secret| tally.seen(secret, column));
    for column in 0..count {
        show(Shape::Single(column), seen(column));
    }
    let none = pair.map(|secret| Seen { hits: 0, draws: tally.seen(secret, 0).draws });
    let mut together = none;
    for (at, column) in by_ratio(tally, pair).into_iter().enumerate() {
        together = sum(together, seen(column));
        // What always happens tells nothing.
        if together.iter().any(|seen| seen.hits < seen.draws) {
            show(Shape::Likeliest(at + 1), together);
        }
    }
    if tally.view.is_ordered() {
        let (mut below, mut above) = (none, none);
        for column in 0..count - 1 {
            below = sum(below, seen(column));
            show(Shape::UpTo(column), below);
            above = sum(above, seen(count - 1 - column));
            show(Shape::From(count - 1 - column), above);
        }
    }
}

fn sum(together: [Seen; 2], more: [Seen; 2]) -> [Seen; 2] {
    [0, 1].map(|at| Seen { hits: together[at].hits + more[at].hits, draws: together[at].draws })
}
