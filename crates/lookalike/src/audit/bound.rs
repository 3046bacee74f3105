//! From counts of an event under two secrets to a lower bound.

use crate::estimate::{lower_limit, upper_limit};

/// How often an event was seen among the draws of one secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Seen {
    /// Draws in which the event happened.
    pub hits: u64,
    /// All draws.
    pub draws: u64,
}

/// A lower bound on ε from an event: `ln(L/U)` with the Clopper–Pearson limits L of its probability under the one
/// secret and U under the other.
///
/// # Guarantee
/// For an event that was chosen without these draws, and independent draws: if the mechanism is ε-private for the pair,
/// the bound exceeds ε with probability at most `error`, half of it for each limit. Limits and logarithm are rounded
/// so that the bound is never too large. It is negative infinity when the event never happened under the first secret.
///
/// # Panics
/// If there are more hits than draws, or the error is not strictly between 0 and 1.
///
/// # Example
/// ```
/// use lookalike::audit::{Seen, epsilon_bound};
/// // A perfect attack: always under the one secret, never under the other.
/// let bound = epsilon_bound(Seen { hits: 1000, draws: 1000 }, Seen { hits: 0, draws: 1000 }, 0.05);
/// assert_eq!(format!("{bound:.2}"), "5.60");
/// ```
pub fn epsilon_bound(one: Seen, other: Seen, error: f64) -> f64 {
    let (lower, upper) = limits(one, other, error);
    if lower == 0.0 {
        return f64::NEG_INFINITY;
    }
    let bound = (lower / upper).ln();
    // A quotient and a logarithm err by less than an ulp each.
    bound - 1e-15 * bound.abs().max(1.0)
}

/// A lower bound on δ at a given e^ε from an event: `L − e^ε U` with the same limits.
///
/// # Guarantee
/// If the mechanism is (ε, δ)-private for the pair, the bound exceeds δ with probability at most `error`, provided that
/// `exp_epsilon` is at least e^ε.
///
/// # Panics
/// As [`epsilon_bound`].
pub fn delta_bound(one: Seen, other: Seen, exp_epsilon: f64, error: f64) -> f64 {
    let (lower, upper) = limits(one, other, error);
    let more = exp_epsilon * upper;
    lower - more - 1e-15 * more.max(1.0)
}

fn limits(one: Seen, other: Seen, error: f64) -> (f64, f64) {
    assert!(error > 0.0 && error < 1.0, "an error of {error}, expected more than 0 and less than 1");
    (lower_limit(one.hits, one.draws, error / 2.0), upper_limit(other.hits, other.draws, error / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(hits: u64, draws: u64) -> Seen {
        Seen { hits, draws }
    }

    #[test]
    fn a_perfect_attack_reaches_the_ceiling() {
        for (draws, ceiling) in [(1_000, "5.60"), (10_000, "7.90"), (100_000, "10.21"), (1_000_000, "12.51")] {
            let bound = epsilon_bound(seen(draws, draws), seen(0, draws), 0.05);
            assert_eq!(format!("{bound:.2}"), ceiling);
        }
    }

    #[test]
    fn the_mean_counts_of_warner_give_the_expected_bounds() {
        // p = (.75, .25): ln 3 is approached from below.
        let mut before = 0.0;
        for (draws, expected) in [(1_000, 0.954), (10_000, 1.053), (100_000, 1.084), (1_000_000, 1.094)] {
            let bound = epsilon_bound(seen(3 * draws / 4, draws), seen(draws / 4, draws), 0.05);
            assert!((bound - expected).abs() < 0.0015, "{draws}: {bound}");
            assert!(bound > before && bound < 3f64.ln());
            before = bound;
        }
    }

    #[test]
    fn the_bound_is_a_hair_below_that_of_the_exact_limits() {
        // All hits and none have limits in closed form: (e/2)^(1/n) and 1 − (e/2)^(1/n).
        for draws in [10u64, 1_000, 100_000_000] {
            let lower = 0.025f64.powf(1.0 / draws as f64);
            let upper = -(0.025f64.ln() / draws as f64).exp_m1();
            let exact = (lower / upper).ln();
            let bound = epsilon_bound(seen(draws, draws), seen(0, draws), 0.05);
            assert!(bound < exact && bound > exact - 1e-8, "{draws}: {bound} {exact}");
        }
    }

    #[test]
    fn delta_is_the_difference_of_the_limits() {
        let bound = delta_bound(seen(1_000, 1_000), seen(0, 1_000), 2.0, 0.05);
        let expected = 0.025f64.powf(1e-3) - 2.0 * -(0.025f64.ln() / 1e3).exp_m1();
        assert!((bound - expected).abs() < 1e-8 && bound < expected);
        assert!(delta_bound(seen(5, 10), seen(5, 10), 1.0, 0.05) < 0.0);
        assert_eq!(epsilon_bound(seen(0, 10), seen(5, 10), 0.05), f64::NEG_INFINITY);
    }
}
