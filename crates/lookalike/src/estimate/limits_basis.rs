//! What limits of fitted profiles rest on: how sure they are, and for whom; and the rule from counts to limits.

use super::{lower_limit, upper_limit};
use crate::exact::{Direction, Rational, decimal, parse_rational, to_f64};
use crate::model::{Distribution, Limits};
use crate::{Error, Result};
use num_traits::{One, Signed};
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::str::FromStr;

/// How sure somebody is of the limits of profiles. It is stated, not proved: it is printed, and decides nothing.
///
/// # Guarantee
/// Where records of each profile are drawn independently from its law, and [`LimitsBasis::limits`] makes limits of their counts:
///
/// - [`HoldsFor::EachPair`]: for each two profiles named before the records were seen, both laws lie within their limits with
///   probability at least the confidence 1 − β. Each profile has the share β/2 of the error, so by Bonferroni's inequality the
///   two together have β. Among many pairs there may well be one of which this is not true.
/// - [`HoldsFor::AllPairs`]: all profiles lie within their limits at once, with probability at least 1 − β. Each of k profiles has
///   the share β/k.
///
/// So a mechanism whose claim holds for all laws within the limits, however it was chosen, keeps it for the true laws with that
/// probability: over the fit, for there is no chance left once the limits are known. β is not a δ.
///
/// Independent records are needed: limits from many records of few people are too narrow, unless a person's records are
/// independent draws too. What the limits are about has to be fixed beforehand: the categories, and the rule.
///
/// # Example
/// ```
/// use lookalike::{estimate::{HoldsFor, LimitsBasis}, exact::parse_rational};
/// let basis = LimitsBasis::new(parse_rational("0.95")?, HoldsFor::EachPair)?;
/// assert_eq!(basis.to_string(), "95 % for each pair");
/// let limits = basis.limits(&[[20, 180], [80, 120]]);
/// let [lower, upper] = limits[0][0]; // of 20 among 200, at an error of 0.05/2 for the profile
/// assert_eq!(format!("{lower:.3} {upper:.3}"), "0.058 0.158");
/// # Ok::<(), lookalike::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitsBasis {
    confidence: Rational,
    holds_for: HoldsFor,
}

/// For which profiles limits hold together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HoldsFor {
    /// For the two of any one pair, if it is named beforehand.
    EachPair,
    /// For all profiles at once.
    AllPairs,
}

impl LimitsBasis {
    /// Limits that hold with this confidence.
    ///
    /// # Errors
    /// A confidence that is not strictly between 0 and 1.
    pub fn new(confidence: Rational, holds_for: HoldsFor) -> Result<Self> {
        if !confidence.is_positive() || confidence >= Rational::one() {
            return Err(Error::input(format!("a confidence of {confidence}, expected more than 0 and less than 1")));
        }
        Ok(LimitsBasis { confidence, holds_for })
    }

    /// The probability over the fit.
    pub fn confidence(&self) -> &Rational {
        &self.confidence
    }

    /// For whom it is.
    pub fn holds_for(&self) -> HoldsFor {
        self.holds_for
    }

    /// β, the probability over the fit with which limits may fail: 1 − confidence.
    pub fn error(&self) -> Rational {
        Rational::one() - &self.confidence
    }

    /// The share of the error that one of so many profiles has: its law is beyond its limits with at most this probability.
    pub fn error_of_profile(&self, profiles: usize) -> Rational {
        let parts = match self.holds_for {
            HoldsFor::EachPair => 2,
            HoldsFor::AllPairs => profiles.max(1),
        };
        self.error() / Rational::from_integer(parts.into())
    }

    /// The confidence as `95 %`.
    pub fn percent(&self) -> String {
        let percent = &self.confidence * Rational::from_integer(100.into());
        let text = (0..9).map(|decimals| decimal(&percent, decimals, Direction::Down));
        let exact = text.into_iter().find(|text| parse_rational(text).is_ok_and(|number| number == percent));
        format!("{} %", exact.unwrap_or_else(|| decimal(&percent, 9, Direction::Down)))
    }

    /// The limits of profiles from the counts of their records, a lower and an upper one for each category.
    ///
    /// # Guarantee
    /// That of [`LimitsBasis`], with the exact one-sided limits of Clopper and Pearson, rounded outward. A profile over d categories
    /// has 2d of them, each with a share of 1/(2d) of its error γ; for two categories the limits of one are those of the other,
    /// so two have γ/2 each; and for one category there is nothing to be wrong about. Given the number of a profile's records the
    /// count of a category is binomial, so each limit fails with at most its share, and some limit with at most γ.
    ///
    /// The limits contain the fractions of the counts. A category that was never seen has the lower limit 0, and an upper one
    /// above 0; a profile without records may be any law.
    ///
    /// # Complexity
    /// Two limits for each distinct pair of a count and a total, on all cores: [`super::clopper_pearson`].
    ///
    /// # Reference
    /// C. J. Clopper and E. S. Pearson, Biometrika 26 (1934).
    pub fn limits<C: AsRef<[u64]>>(&self, profiles: &[C]) -> Vec<Vec<[f64; 2]>> {
        let error = self.error_of_profile(profiles.len());
        let sides = |categories: usize| if categories <= 2 { 2 } else { 2 * categories };
        let cell = |counts: &[u64], count: u64| (count, counts.iter().sum(), sides(counts.len()));
        let all = || profiles.iter().map(AsRef::as_ref);
        let distinct: BTreeSet<(u64, u64, usize)> =
            all().flat_map(|counts| counts.iter().map(move |&count| cell(counts, count))).collect();
        let of_cell = |&(count, total, sides): &(u64, u64, usize)| {
            // A smaller error widens limits, so it is rounded down.
            let error = to_f64(&(&error / Rational::from_integer(sides.into())), Direction::Down);
            ((count, total, sides), [lower_limit(count, total, error), upper_limit(count, total, error)])
        };
        let known: HashMap<(u64, u64, usize), [f64; 2]> = distinct.par_iter().map(of_cell).collect();
        let of_profile = |counts: &[u64]| match counts.len() {
            1 => vec![[1.0, 1.0]],
            _ => counts.iter().map(|&count| known[&cell(counts, count)]).collect(),
        };
        all().map(of_profile).collect()
    }
}

/// Limits rounded outward to multiples of 1/grid, and tightened.
///
/// All laws within the given limits are within these. So is the law itself, whatever the given limits are: a pseudo-count may
/// push it beyond limits that come from counts alone, and then the limits reach as far as the law. Wider limits hold all the more.
///
/// # Errors
/// A grid of 0, limits that are none, or that no law meets.
///
/// # Example
/// ```
/// use lookalike::{estimate::outward_on_grid, exact::parse_rational, model::Distribution};
/// let number = |text| parse_rational(text).unwrap();
/// let law = Distribution::new(&[number("0.1"), number("0.9")])?;
/// let limits = outward_on_grid(&[[0.063, 0.150], [0.850, 0.937]], &law, 100)?;
/// assert_eq!(limits.ends(0), [number("0.06"), number("0.15")]);
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn outward_on_grid(limits: &[[f64; 2]], law: &Distribution, grid: u32) -> Result<Limits> {
    if grid == 0 {
        return Err(Error::input("a grid of 0, expected at least 1"));
    }
    if limits.len() != law.len() {
        return Err(Error::input(format!("limits of {} categories, expected {}", limits.len(), law.len())));
    }
    let steps = Rational::from_integer(grid.into());
    let exact = |limit: f64| Rational::from_float(limit).ok_or_else(|| Error::input("a limit that is no number"));
    let ends = limits.iter().zip(law.probabilities()).map(|(&[lower, upper], p)| {
        let (lower, upper) = (exact(lower)?.min(p.clone()), exact(upper)?.max(p));
        Ok([(lower * &steps).floor() / &steps, ((upper * &steps).ceil() / &steps).min(Rational::one())])
    });
    Limits::new(&ends.collect::<Result<Vec<_>>>()?)
}

impl HoldsFor {
    /// Its name in files: `each pair`, `all pairs`.
    pub fn name(self) -> &'static str {
        match self {
            HoldsFor::EachPair => "each pair",
            HoldsFor::AllPairs => "all pairs",
        }
    }
}

impl fmt::Display for HoldsFor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for HoldsFor {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        [HoldsFor::EachPair, HoldsFor::AllPairs]
            .into_iter()
            .find(|known| known.name() == text)
            .ok_or_else(|| Error::input(format!("{text:?}, expected \"each pair\" or \"all pairs\"")))
    }
}

/// `95 % for each pair`.
impl fmt::Display for LimitsBasis {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} for {}", self.percent(), self.holds_for)
    }
}

#[cfg(test)]
#[path = "limits_basis_tests.rs"]
mod tests;
