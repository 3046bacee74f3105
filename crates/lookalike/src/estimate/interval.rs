//! An interval for a mean of known readings.

/// The values θ that are compatible with the reports, for the mean θ = Σ_y c_y μ_y of readings c under the output law μ:
/// those with `(θ̂ − θ)² ≤ z²·Var(θ)/n`.
///
/// The variance is taken at θ and not at the estimate, as in Wilson's interval, to which this is equal when the readings
/// have two values: it does not shrink to a point when an output was never seen. With more values the second moment is
/// followed along its regression on the readings.
///
/// # Reference
/// Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
pub(super) fn interval(readings: &[f64], shares: &[f64], reports: f64, z: f64) -> (f64, f64) {
    let mean = |values: &dyn Fn(f64) -> f64| shares.iter().zip(readings).map(|(share, c)| share * values(*c)).sum();
    let (estimate, second): (f64, f64) = (mean(&|c| c), mean(&|c| c * c));
    let (slope, spread) = (regression(readings, shares, reports), z * z / reports);
    let a = 1.0 + spread;
    let b = 2.0 * estimate + slope * spread;
    let c = estimate * estimate - spread * (second - slope * estimate);
    let root = (b * b - 4.0 * a * c).max(0.0).sqrt();
    ((b - root) / (2.0 * a), (b + root) / (2.0 * a))
}

/// How the square of a reading grows with the reading; every output counts as seen at least a little.
fn regression(readings: &[f64], shares: &[f64], reports: f64) -> f64 {
    let little = 1.0 / readings.len() as f64;
    let weights: Vec<f64> = shares.iter().map(|share| (reports * share + little) / (reports + 1.0)).collect();
    let mean = |values: &dyn Fn(f64) -> f64| -> f64 { weights.iter().zip(readings).map(|(w, c)| w * values(*c)).sum() };
    let (first, second) = (mean(&|c| c), mean(&|c| c * c));
    let variance = mean(&|c| (c - first) * (c - first));
    let covariance = mean(&|c| (c - first) * (c * c - second));
    // Readings that are all equal leave no room, and twice their value says so.
    if variance > 1e-20 * second { covariance / variance } else { 2.0 * first }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_readings_give_wilsons_interval() {
        // 0 and 7 of 20 at 95 %, as printed in tables of Wilson's interval.
        let z = 1.959_963_984_540_054;
        for (share, lower, upper) in [(0.0, 0.0, 0.161_125), (0.35, 0.181_192, 0.567_146)] {
            let (low, high) = interval(&[0.0, 1.0], &[1.0 - share, share], 20.0, z);
            assert!((low - lower).abs() < 1e-6 && (high - upper).abs() < 1e-6, "{low} {high}");
        }
    }

    #[test]
    fn readings_that_are_all_equal_leave_no_doubt() {
        let (low, high) = interval(&[1.0; 3], &[0.2, 0.3, 0.5], 10.0, 2.0);
        assert!((low - 1.0).abs() < 1e-7 && (high - 1.0).abs() < 1e-7, "{low} {high}");
    }

    #[test]
    fn the_interval_holds_the_estimate_and_moves_with_the_readings() {
        let shares = [0.1, 0.0, 0.4, 0.5];
        let readings = [-3.0, 0.5, 2.0, 0.1];
        let (low, high) = interval(&readings, &shares, 50.0, 2.0);
        let estimate: f64 = readings.iter().zip(&shares).map(|(c, f)| c * f).sum();
        assert!(low < estimate && estimate < high);
        let moved = readings.map(|c| 10.0 * c + 3.0);
        let (other_low, other_high) = interval(&moved, &shares, 50.0, 2.0);
        assert!((other_low - (10.0 * low + 3.0)).abs() < 1e-9 && (other_high - (10.0 * high + 3.0)).abs() < 1e-9);
    }
}
