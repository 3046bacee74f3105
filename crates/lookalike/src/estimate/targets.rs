//! The shares that are looked for.

use super::components::Components;
use super::identified::{Identified, dot};

/// A share of categories or of profiles.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub(super) members: Vec<u32>,
    is_input: bool,
    /// What each output says about it, on average right; `None` where the law of the reports does not determine it.
    exact: Option<Vec<f64>>,
}

/// A bias that is the rounding of floats.
const ROUNDING: f64 = 1e-9;

impl Target {
    pub(super) fn new(components: &Components, identified: &Identified<'_>, members: Vec<u32>, is_input: bool) -> Self {
        let mut target = Target { members, is_input, exact: None };
        let shares = target.shares(components);
        let reading = identified.least_noisy(&components.shares(&shares));
        let opposite = |values: &[f64]| values.iter().map(|value| -value).collect::<Vec<f64>>();
        let is_right = reading.iter().all(|value| value.is_finite())
            && components.short(&reading, &shares) <= ROUNDING
            && components.short(&opposite(&reading), &opposite(&shares)) <= ROUNDING;
        target.exact = is_right.then_some(reading);
        target
    }

    /// What each part has of this share.
    pub(super) fn shares(&self, components: &Components) -> Vec<f64> {
        (0..components.parts()).map(|part| self.share(components, part)).collect()
    }

    /// What a mix has of it.
    pub(super) fn of_mix(&self, components: &Components, mix: &[f64]) -> f64 {
        dot(mix, &components.shares(&self.shares(components)))
    }

    fn share(&self, components: &Components, part: usize) -> f64 {
        let is_member = |place: usize| f64::from(u8::from(self.members.binary_search(&(place as u32)).is_ok()));
        match (self.is_input, components.regions()) {
            (true, None) => self.members.iter().map(|&input| components.input(part, input as usize)).sum(),
            (true, Some(_)) => is_member(part % components.inputs),
            (false, None) => is_member(part),
            (false, Some(_)) => is_member(part / components.inputs),
        }
    }

    /// A reading that is right on average, among reports of which some may stand in for others.
    pub(super) fn reading(&self, components: &Components) -> Option<Vec<f64>> {
        let exact = self.exact.clone()?;
        // (1 − d)·g·a + d·g·r is the share when g = (exact − d·exact·r)/(1 − d).
        let Some((share, fixed)) = components.fixed() else { return Some(exact) };
        let shift = share * dot(&exact, fixed);
        Some(exact.iter().map(|value| (value - shift) / (1.0 - share)).collect())
    }
}
