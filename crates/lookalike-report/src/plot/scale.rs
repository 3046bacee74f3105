//! Axes: from values to places in a picture, with ticks at round numbers.

use super::text::{SIZE, width};

/// One axis of a plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What is measured, and in which unit.
    pub label: String,
    /// From where to where; `None` covers the data and ends at round numbers.
    pub range: Option<(f64, f64)>,
    /// Whether equal ratios have equal lengths; values must then be above 0.
    pub logarithmic: bool,
}

impl Axis {
    /// A linear axis that covers its data.
    pub fn new(label: impl Into<String>) -> Self {
        Axis { label: label.into(), range: None, logarithmic: false }
    }

    /// The same axis from one value to another.
    #[must_use]
    pub fn from_to(self, low: f64, high: f64) -> Self {
        Axis { range: Some((low, high)), ..self }
    }

    /// The same axis with equal lengths for equal ratios.
    #[must_use]
    pub fn logarithmic(self) -> Self {
        Axis { logarithmic: true, ..self }
    }
}

/// A value on an axis that is labelled.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    pub value: f64,
    pub label: String,
}

/// An axis with its ends in values and in units of the picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    logarithmic: bool,
    first: f64,
    last: f64,
}

/// About as many ticks as a reader can use.
const MOST_TICKS: usize = 9;

impl Scale {
    /// The scale of an axis over its data, from the place `first` to the place `last`.
    pub(super) fn new(axis: &Axis, data: impl Iterator<Item = f64>, first: f64, last: f64) -> Self {
        let usable = |value: &f64| has_place(*value, axis.logarithmic);
        let given = axis.range.filter(|(low, high)| low < high && usable(low) && usable(high));
        let (low, high) = given.unwrap_or_else(|| {
            let (low, high) = data
                .filter(usable)
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (value.min(low), value.max(high)));
            if axis.logarithmic { cover_ratios(low, high) } else { cover(low, high) }
        });
        Scale { low, high, logarithmic: axis.logarithmic, first, last }
    }

    /// Where a value is, perhaps beyond the ends; `None` for a value that cannot be drawn.
    pub(super) fn place(&self, value: f64) -> Option<f64> {
        let part = if self.logarithmic {
            (value / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        has_place(value, self.logarithmic).then(|| self.first + part.clamp(-1e3, 1e3) * (self.last - self.first))
    }

    /// Round numbers inside, few enough for their labels to stay apart: `along` is the room that a label needs.
    pub(super) fn ticks(&self, along: impl Fn(&str) -> f64) -> Vec<Tick> {
        let apart = |ticks: &[Tick]| {
            ticks.windows(2).all(|pair| {
                let between = self.place(pair[1].value).zip(self.place(pair[0].value)).map(|(b, a)| (b - a).abs());
                between.is_some_and(|between| between >= (along(&pair[0].label) + along(&pair[1].label)) / 2.0)
            })
        };
        let fewer_and_fewer = (1..=MOST_TICKS).rev().map(|most| self.candidates(most));
        fewer_and_fewer.into_iter().find(|ticks| apart(ticks)).unwrap_or_default()
    }

    /// The room that a label needs along a horizontal axis.
    pub(super) fn width_of(label: &str) -> f64 {
        width(label, SIZE) + SIZE
    }

    /// The room that a label needs along a vertical axis.
    pub(super) fn height_of(_: &str) -> f64 {
        SIZE * 1.6
    }

    fn candidates(&self, most: usize) -> Vec<Tick> {
        let ticks = if self.logarithmic { self.powers(most) } else { Vec::new() };
        // Less than a decade has no two powers; there round numbers of a linear axis serve as well.
        if ticks.len() >= 2 { ticks } else { self.multiples(most) }
    }

    /// Multiples of 1, 2 or 5 times a power of ten.
    fn multiples(&self, most: usize) -> Vec<Tick> {
        let step = round_step((self.high - self.low) / most as f64);
        let (first, last) = ((self.low / step - 1e-6).ceil(), (self.high / step + 1e-6).floor());
        let count = ((last - first) as usize).min(2 * most);
        let value = |at: usize| (first + at as f64) * step;
        (0..=count).map(|at| Tick { value: value(at), label: label(value(at), step) }).collect()
    }

    /// Powers of ten with their doubles and fivefolds, powers of ten alone, or every second, third, … of them.
    fn powers(&self, most: usize) -> Vec<Tick> {
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let inside = |value: &f64| (self.low * (1.0 - 1e-9)..=self.high * (1.0 + 1e-9)).contains(value);
        let of = |stride: i32, factors: &[f64]| -> Vec<f64> {
            let powers = (first..=last).filter(|power| power % stride == 0);
            powers
                .flat_map(|power| factors.iter().map(move |factor| factor * 10f64.powi(power)))
                .filter(inside)
                .collect()
        };
        let decades = (last - first).max(1) as usize;
        let values = if 3 * decades <= most + 3 { of(1, &[1.0, 2.0, 5.0]) } else { Vec::new() };
        let values =
            if (2..=most).contains(&values.len()) { values } else { of(decades.div_ceil(most) as i32, &[1.0]) };
        values.into_iter().map(|value| Tick { value, label: label(value, value) }).collect()
    }
}

/// Whether a value can be drawn: not where its logarithm does not exist, nor where differences and ratios overflow.
fn has_place(value: f64, logarithmic: bool) -> bool {
    const MOST: f64 = 1e100;
    if logarithmic { (1.0 / MOST..=MOST).contains(&value) } else { value.abs() <= MOST }
}

/// The text of a tick, with the decimals that the step has.
fn label(value: f64, step: f64) -> String {
    let size = step.abs().log10().floor();
    if value.abs() < step.abs() / 2.0 {
        return "0".to_owned();
    }
    if !(-5.0..7.0).contains(&size) || value.abs() >= 1e7 {
        return format!("{value:.2e}").replace(".00e", "e");
    }
    format!("{value:.*}", (-size).max(0.0) as usize)
}

/// The next of 1, 2, 5 times a power of ten that is not below.
pub(super) fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * power >= least * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

/// Round ends around the data; from 0 on where the data are above it and not far from it.
fn cover(low: f64, high: f64) -> (f64, f64) {
    if low > high {
        return (0.0, 1.0);
    }
    let low = if low >= 0.0 && low <= 0.6 * high { 0.0 } else { low };
    if high - low <= low.abs().max(high.abs()) * 1e-9 {
        let around = if high == 0.0 { 1.0 } else { high.abs() };
        return if high >= 0.0 { (0.0, 2.0 * around) } else { (-2.0 * around, 0.0) };
    }
    let step = round_step((high - low) / 5.0);
    ((low / step + 1e-9).floor() * step, (high / step - 1e-9).ceil() * step)
}

/// Ends at 1, 2, 5 times a power of ten around the data.
fn cover_ratios(low: f64, high: f64) -> (f64, f64) {
    if low > high {
        return (0.1, 1.0);
    }
    let power = |value: f64| 10f64.powf(value.log10().floor());
    let low_power = power(low);
    let below = [5.0, 2.0, 1.0].into_iter().find(|factor| factor * low_power <= low * (1.0 + 1e-9)).unwrap_or(0.5);
    let (low, high) = (below * low_power, round_step(high));
    if low < high { (low, high) } else { (low / 2.0, high * 2.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labels(axis: Axis, data: &[f64]) -> Vec<String> {
        let scale = Scale::new(&axis, data.iter().copied(), 0.0, 400.0);
        scale.ticks(Scale::width_of).into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn ticks_are_round_and_have_the_decimals_of_their_step() {
        assert_eq!(
            labels(Axis::new("x"), &[0.0, 1.0]),
            ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"].map(|t| if t == "0.0" { "0" } else { t })
        );
        assert_eq!(labels(Axis::new("x"), &[3.0, 47.0]), ["0", "10", "20", "30", "40", "50"]);
        assert_eq!(labels(Axis::new("x").logarithmic(), &[0.1, 3.0]), ["0.1", "0.2", "0.5", "1", "2", "5"]);
        assert_eq!(labels(Axis::new("x").logarithmic(), &[1e-3, 1e3]).len(), 7);
        assert_eq!(labels(Axis::new("x").from_to(0.3, 0.9).logarithmic(), &[]).len(), 7);
    }

    #[test]
    fn data_without_extent_or_sense_still_have_an_axis() {
        for data in [&[][..], &[f64::NAN], &[5.0], &[0.0], &[-3.0], &[f64::INFINITY, 1.0], &[1e300, -1e300], &[1e-300]]
        {
            for axis in [Axis::new("x"), Axis::new("x").logarithmic(), Axis::new("x").from_to(2.0, 2.0)] {
                let scale = Scale::new(&axis, data.iter().copied(), 0.0, 400.0);
                assert!(scale.low < scale.high, "{data:?}: {scale:?}");
                assert!(scale.place(f64::NAN).is_none());
            }
        }
    }

    proptest! {
        #[test]
        fn ends_hold_the_data_and_labels_stay_apart(
            data in prop::collection::vec(prop_oneof![-1e3..1e3, 1e-6..1.0, Just(0.0)], 1..20), logarithmic in any::<bool>(),
        ) {
            let axis = Axis { label: String::new(), range: None, logarithmic };
            let scale = Scale::new(&axis, data.iter().copied(), 0.0, 400.0);
            for place in data.iter().filter_map(|&value| scale.place(value)) {
                prop_assert!((-0.01..=400.01).contains(&place), "{place} in {scale:?}");
            }
            let ticks = scale.ticks(Scale::width_of);
            prop_assert!(ticks.len() <= 19);
            for pair in ticks.windows(2) {
                let room = (Scale::width_of(&pair[0].label) + Scale::width_of(&pair[1].label)) / 2.0;
                prop_assert!(scale.place(pair[1].value).unwrap() - scale.place(pair[0].value).unwrap() >= room - 1e-9);
                prop_assert!(pair[0].label != pair[1].label);
            }
        }
    }
}
