//! Which of the seven properties a mechanism has, in integers.

use super::{Properties, Property};
use crate::exact::{Natural, Rational};
use crate::model::{Channel, Mechanism};
use crate::{Error, Result};
use num_bigint::BigInt;
use std::fmt;

/// One property and, where it fails, the cell that breaks it the most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The property.
    pub property: Property,
    /// `None` where it holds.
    pub violation: Option<Violation>,
}

/// A probability that is smaller than the property wants it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The cell that is too small.
    pub cell: Cell,
    /// The cell whose probability it should reach; `None` where that is 1/(n+1).
    pub reference: Option<Cell>,
    /// By how much it falls short.
    pub by: Rational,
}

/// An entry of a mechanism, by places from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The true count.
    pub input: usize,
    /// The released one.
    pub output: usize,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "P[{}|{}]", self.output, self.input)
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reference {
            Some(reference) => write!(f, "{} is less than {reference} by {}", self.cell, self.by),
            None => write!(f, "{} is less than 1/(n+1) by {}", self.cell, self.by),
        }
    }
}

/// Which of the seven properties hold, exactly, in the order of [`Property::ALL`]; monotonicity is judged step by step.
///
/// Any mechanism with one channel will do, whatever its categories are called, as long as they are ordered and the
/// outputs are the inputs.
///
/// # Errors
/// Several channels, another number of outputs than inputs, or fewer than two categories.
///
/// # Complexity
/// O(n²) comparisons of integers.
///
/// # Example
/// ```
/// use lookalike::counts::{Property, check, geometric};
/// let findings = check(&geometric(4, &"0.9".parse()?)?)?;
/// let fails = |at: usize| findings[at].violation.as_ref();
/// let failing: Vec<_> = (0..7).filter(|&at| fails(at).is_some()).map(|at| Property::ALL[at].code()).collect();
/// assert_eq!(failing, ["CH", "CM", "F", "WH"]);
/// assert!(fails(2).unwrap().to_string().starts_with("P[1|1] is less than P[0|1] by "));
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn check(mechanism: &Mechanism) -> Result<Vec<Finding>> {
    let channel = single_channel(mechanism)?;
    let finding = |property| Finding { property, violation: worst(channel, property) };
    Ok(Property::ALL.into_iter().map(finding).collect())
}

/// The properties that hold.
///
/// # Errors
/// As [`check`].
pub fn properties(mechanism: &Mechanism) -> Result<Properties> {
    let findings = check(mechanism)?;
    let holding = findings.iter().filter(|finding| finding.violation.is_none());
    Ok(holding.fold(Properties::NONE, |set, finding| set.with(finding.property)))
}

/// The one channel of a mechanism over ordered categories.
///
/// # Errors
/// Several channels, another number of outputs than inputs, or fewer than two categories.
pub(super) fn single_channel(mechanism: &Mechanism) -> Result<&Channel> {
    let (inputs, outputs) = (mechanism.inputs().len(), mechanism.outputs().len());
    let [channel] = mechanism.channels() else {
        return Err(Error::inapplicable(format!(
            "a mechanism with {} channels, expected one: the properties are of a single matrix",
            mechanism.channels().len()
        )));
    };
    if inputs != outputs || inputs < 2 {
        return Err(Error::inapplicable(format!(
            "a mechanism with {inputs} inputs and {outputs} outputs, expected equally many, at least 2, in order"
        )));
    }
    Ok(channel)
}

/// The demand that falls short the most.
fn worst(channel: &Channel, property: Property) -> Option<Violation> {
    let n = channel.inputs() - 1;
    if property == Property::WeakHonesty {
        return short_of_guessing(channel);
    }
    let weight = |cell: Cell| channel.weight(cell.input, cell.output);
    let mut worst: Option<(u128, Cell, Cell)> = None;
    demands(property, n, &mut |cell, reference| {
        let by = weight(reference).saturating_sub(weight(cell));
        if by > worst.map_or(0, |(most, ..)| most) {
            worst = Some((by, cell, reference));
        }
    });
    worst.map(|(by, cell, reference)| {
        let by = Rational::new(by.into(), channel.scale().into());
        Violation { cell, reference: Some(reference), by }
    })
}

/// Calls `demand(cell, reference)` for each `P(cell) ≥ P(reference)` that the property asks of counts 0 to n; an
/// equation is two of them. Weak honesty compares with a constant and has none.
pub(super) fn demands(property: Property, n: usize, demand: &mut dyn FnMut(Cell, Cell)) {
    let cell = |input, output| Cell { input, output };
    let pairs = |of: &mut dyn FnMut(usize, usize)| {
        (0..=n).for_each(|a| (0..=n).filter(|&b| b != a).for_each(|b| of(a, b)));
    };
    match property {
        Property::RowHonesty => pairs(&mut |i, j| demand(cell(i, i), cell(j, i))),
        Property::ColumnHonesty => pairs(&mut |j, i| demand(cell(j, j), cell(j, i))),
        Property::RowMonotonicity => pairs(&mut |i, j| demand(cell(towards(j, i), i), cell(j, i))),
        Property::ColumnMonotonicity => pairs(&mut |j, i| demand(cell(j, towards(i, j)), cell(j, i))),
        Property::Fairness => pairs(&mut |i, j| demand(cell(i, i), cell(j, j))),
        Property::Symmetry => {
            (0..=n).for_each(|j| (0..=n).for_each(|i| demand(cell(j, i), cell(n - j, n - i))));
        }
        Property::WeakHonesty => {}
    }
}

/// The place one step nearer to the goal.
fn towards(from: usize, goal: usize) -> usize {
    if from < goal { from + 1 } else { from - 1 }
}

/// The least diagonal entry, where it is below 1/(n+1).
fn short_of_guessing(channel: &Channel) -> Option<Violation> {
    let least = (0..channel.inputs()).min_by_key(|&i| channel.weight(i, i)).expect("a channel has inputs");
    let (weight, size) = (channel.weight(least, least), channel.inputs() as u64);
    let (times, scale) = (Natural::from(weight).times(&size.into()), Natural::from(channel.scale()));
    (times < scale).then(|| {
        let guess = Rational::new(1.into(), BigInt::from(size));
        let by = guess - Rational::new(weight.into(), channel.scale().into());
        Violation { cell: Cell { input: least, output: least }, reference: None, by }
    })
}
