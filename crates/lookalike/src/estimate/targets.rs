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
        let reading = identified.least_noisy(&shares);
        let off = |(law, share): (&[f64], &f64)| (dot(&reading, law) - share).abs();
        let is_right = components.laws().zip(&shares).map(off).all(|off| off <= ROUNDING);
        target.exact = is_right.then_some(reading);
        target
    }

    /// What each component has of this share.
    pub(super) fn shares(&self, components: &Components) -> Vec<f64> {
        (0..components.count).map(|component| self.share(components, component)).collect()
    }

    /// What a mix has of it.
    pub(super) fn of_mix(&self, components: &Components, mix: &[f64]) -> f64 {
        mix.iter().enumerate().map(|(component, weight)| weight * self.share(components, component)).sum()
    }

    fn share(&self, components: &Components, component: usize) -> f64 {
        match self.is_input {
            true => self.members.iter().map(|&input| components.input(component, input as usize)).sum(),
            false => f64::from(u8::from(self.members.binary_search(&(component as u32)).is_ok())),
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
