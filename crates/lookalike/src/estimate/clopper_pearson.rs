//! The exact confidence limits of a share that was counted.

use std::f64::consts::PI;

/// The two-sided Clopper–Pearson limits of a probability after `successes` among `trials`.
///
/// # Guarantee
/// The interval contains the exact one, `[L, U]` with `Pr[X ≥ k | L] = error/2` and `Pr[X ≤ k | U] = error/2` for a
/// binomial X: rounding goes outward and exceeds the error of the floats. So whatever the true probability is, the
/// interval covers it with probability at least `1 − error`. No success gives a lower limit of exactly 0, and successes
/// only an upper limit of exactly 1; without any trial the interval is all of 0 to 1.
///
/// # Panics
/// If there are more successes than trials, or the error is not strictly between 0 and 1.
///
/// # Complexity
/// About 20 sums of at most 10·√trials terms: a millisecond for 10⁹ trials.
///
/// # Example
/// ```
/// use lookalike::estimate::clopper_pearson;
/// let (lower, upper) = clopper_pearson(4, 10, 0.05);
/// assert_eq!(format!("{lower:.4} {upper:.4}"), "0.1216 0.7376");
/// assert_eq!(clopper_pearson(0, 10, 0.05).0, 0.0);
/// ```
///
/// # Reference
/// C. J. Clopper and E. S. Pearson, The use of confidence or fiducial limits illustrated in the case of the binomial,
/// Biometrika 26 (1934).
pub fn clopper_pearson(successes: u64, trials: u64, error: f64) -> (f64, f64) {
    assert!(error > 0.0 && error < 1.0, "an error of {error}, expected more than 0 and less than 1");
    (lower_limit(successes, trials, error / 2.0), upper_limit(successes, trials, error / 2.0))
}

/// The one-sided lower limit: at most the L with `Pr[X ≥ successes | L] = error`, and next to it.
///
/// The true probability is below it with probability at most `error`.
///
/// # Panics
/// If there are more successes than trials, or the error is not above 0 and at most 1/2.
pub fn lower_limit(successes: u64, trials: u64, error: f64) -> f64 {
    check(successes, trials, error);
    if successes == 0 {
        return 0.0;
    }
    let target = error.ln() - MARGIN;
    // At successes/trials the tail is at least 1/2, since the median of a binomial with a whole mean is its mean.
    boundary(successes as f64 / trials as f64, 0.0, |p| ln_tail(successes, trials, p, 1.0 - p) - target)
}

/// The one-sided upper limit: at least the U with `Pr[X ≤ successes | U] = error`, and next to it.
///
/// The true probability is above it with probability at most `error`.
///
/// # Panics
/// If there are more successes than trials, or the error is not above 0 and at most 1/2.
pub fn upper_limit(successes: u64, trials: u64, error: f64) -> f64 {
    check(successes, trials, error);
    if successes == trials {
        return 1.0;
    }
    let target = error.ln() - MARGIN;
    // At most k successes are at least n − k failures.
    boundary(successes as f64 / trials as f64, 1.0, |p| ln_tail(trials - successes, trials, 1.0 - p, p) - target)
}

/// The first number from `inside` to `outside` for which this is not above 0: it falls all the way.
///
/// By straight lines through both ends, cut short towards the middle by less and less, so that both ends close in; and by halving
/// where that is no good.
///
/// # Reference
/// I. F. D. Oliveira and R. H. C. Takahashi, "An enhancement of the bisection method average performance preserving minmax
/// optimality", ACM Transactions on Mathematical Software 47 (2020).
fn boundary(mut inside: f64, mut outside: f64, excess: impl Fn(f64) -> f64) -> f64 {
    let whole = (outside - inside).abs();
    let (mut above, mut below) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut steps = 0;
    while let Some(middle) = between(inside.min(outside), inside.max(outside)) {
        let line = inside + (outside - inside) * (above / (above - below));
        let shift = 0.2 * (outside - inside) * (outside - inside) / whole;
        let is_within = line > inside.min(outside) && line < inside.max(outside);
        let at = match is_within && shift < (middle - line).abs() && steps < MOST_LINES {
            true => line + shift.copysign(middle - line),
            false => middle,
        };
        let found = excess(at);
        if found <= 0.0 {
            (outside, below) = (at, found)
        } else {
            (inside, above) = (at, found)
        }
        steps += 1;
    }
    outside
}

/// Steps by straight lines; halving takes at most a thousand more.
const MOST_LINES: u32 = 100;

/// How far the computed logarithm of a tail must be beyond the wanted one. Sums of 10⁵ terms, each with a few roundings
/// of 1e-16, err by less than a tenth of this; it moves a limit by a millionth of a standard error at most.
const MARGIN: f64 = 1e-9;

fn check(successes: u64, trials: u64, error: f64) {
    assert!(successes <= trials, "{successes} successes among {trials} trials");
    assert!(error > 0.0 && error <= 0.5, "an error of {error}, expected more than 0 and at most 1/2");
}

/// The middle of two numbers; `None` when no float lies between them.
fn between(low: f64, high: f64) -> Option<f64> {
    let middle = low + (high - low) / 2.0;
    (low < middle && middle < high).then_some(middle)
}

/// `ln Pr[X ≥ k]` for X binomial with n trials of probability p = 1 − q, where 1 ≤ k and p is at most about k/n.
///
/// The terms behind the first fall faster and faster there, and all are positive: nothing cancels.
fn ln_tail(k: u64, n: u64, p: f64, q: f64) -> f64 {
    let (k, n, odds) = (k as f64, n as f64, p / q);
    let (mut sum, mut term, mut at) = (1.0, 1.0, k);
    while at < n && term > sum * 1e-17 {
        term *= (n - at) / (at + 1.0) * odds;
        sum += term;
        at += 1.0;
    }
    ln_probability(k, n, p, q) + f64::ln(sum)
}

/// `ln Pr[X = k]` by Stirling's formula with its error, so that no large logarithms cancel: the gammas of the binomial
/// coefficient meet the powers of p and q in two deviances that are 0 at the mean.
pub(super) fn ln_probability(k: f64, n: f64, p: f64, q: f64) -> f64 {
    if k == n {
        return n * if p < 0.5 { p.ln() } else { (-q).ln_1p() };
    }
    let share = n / (2.0 * PI * k * (n - k));
    share.ln() / 2.0 + stirling_error(n)
        - stirling_error(k)
        - stirling_error(n - k)
        - deviance(k, n * p)
        - deviance(n - k, n * q)
}

/// `ln Γ(n + 1) − ln(√(2πn) nⁿ e^−n)` for a whole n ≥ 1.
fn stirling_error(n: f64) -> f64 {
    if n < 16.0 {
        let ln_factorial = (2..=n as u32).map(f64::from).product::<f64>().ln();
        return ln_factorial - ((n + 0.5) * n.ln() - n + (2.0 * PI).ln() / 2.0);
    }
    let square = n * n;
    (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - (1.0 / 1680.0 - 1.0 / 1188.0 / square) / square) / square) / square)
        / n
}

/// `x ln(x/m) + m − x`, which is 0 at x = m and positive elsewhere.
///
/// With v = (x − m)/(x + m) the logarithm is 2 Σ v^(2j+1)/(2j+1), and what the first term leaves of x − m is v(x − m).
fn deviance(x: f64, m: f64) -> f64 {
    let v = (x - m) / (x + m);
    if v.abs() > 0.1 {
        return x * (x / m).ln() + m - x;
    }
    let square = v * v;
    let series = (1..=8).rev().fold(0.0, |rest, j| square * (1.0 / f64::from(2 * j + 1) + rest));
    v * (x - m) + 2.0 * x * v * series
}

#[cfg(test)]
#[path = "clopper_pearson_tests.rs"]
mod tests;
