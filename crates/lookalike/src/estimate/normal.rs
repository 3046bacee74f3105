//! The normal law.

/// The number that a standard normal variable exceeds with probability `tail`, for 0 < tail ≤ 1/2.
///
/// By bisection on the tail, to the last bits of a double for tails down to 1e-300.
pub(crate) fn upper_quantile(tail: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if upper_tail(middle) > tail { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// The probability above x ≥ 0: a power series near the middle, Laplace's continued fraction far from it.
pub(super) fn upper_tail(x: f64) -> f64 {
    let density = (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if x < 3.0 {
        let (mut term, mut sum, mut odd) = (x, x, 1.0);
        while term > 1e-18 {
            odd += 2.0;
            term *= x * x / odd;
            sum += term;
        }
        return 0.5 - density * sum;
    }
    let fraction = (1..=120).rev().fold(x, |rest, at| x + f64::from(at) / rest);
    density / fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (tail, quantile) in [
            (0.5, 0.0),
            (0.25, 0.674_489_750_196_081_7),
            (0.025, 1.959_963_984_540_054),
            (0.005, 2.575_829_303_548_900_4),
            (1e-6, 4.753_424_308_822_899),
            (1e-12, 7.034_483_825_301_132),
        ] {
            let found = upper_quantile(tail);
            assert!((found - quantile).abs() < 1e-9, "{tail}: {found}");
        }
    }

    #[test]
    fn the_two_ways_to_the_tail_meet() {
        let (before, after) = (upper_tail(3.0 - 1e-12), upper_tail(3.0));
        assert!((before / after - 1.0).abs() < 1e-10, "{before} {after}");
    }
}
