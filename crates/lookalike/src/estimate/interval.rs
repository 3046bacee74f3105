//! An interval for a mean of known readings.

use super::normal::upper_tail;

/// The values θ that are compatible with the reports, for the mean θ = Σ_y c_y μ_y of readings c under the output law μ:
/// those with `(θ̂ − θ)² ≤ z²·Var(θ)/n`.
///
/// The variance is taken at θ and not at the estimate, as in Wilson's interval, to which this is equal when the readings
/// have two values; with half a report to each side, since reports are whole (Yates). With more values the second moment is followed along its regression on the readings. Outputs that can
/// occur and were not seen have room on their own side, as much as the binomial law leaves for no success in n.
///
/// # Reference
/// Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
pub(super) fn interval(readings: &[f64], shares: &[f64], possible: &[bool], reports: f64, z: f64) -> (f64, f64) {
    let mean = |values: &dyn Fn(f64) -> f64| shares.iter().zip(readings).map(|(share, c)| share * values(*c)).sum();
    let (estimate, second): (f64, f64) = (mean(&|c| c), mean(&|c| c * c));
    let (slope, spread) = (regression(readings, shares, reports), z * z / reports);
    let [least, most] = range(readings, possible);
    let half = 0.5 * (most - least) / reports;
    // Half a report below all that can be read there is no law, and so no end but the last one.
    let lower = match estimate - half {
        shifted if shifted <= least => least,
        shifted => end(shifted, second - slope * half, slope, spread, -1.0),
    };
    let upper = match estimate + half {
        shifted if shifted >= most => most,
        shifted => end(shifted, second + slope * half, slope, spread, 1.0),
    };
    // Outputs that were not seen may still have this much probability between them, and draw the mean to their side.
    let hidden = 1.0 - upper_tail(z).powf(1.0 / reports);
    let unseen = |at: &usize| possible[*at] && shares[*at] == 0.0;
    (0..readings.len()).filter(unseen).fold((lower, upper), |(lower, upper), at| {
        let drawn = estimate + hidden * (readings[at] - estimate);
        (lower.min(drawn), upper.max(drawn))
    })
}

/// One end of `(θ̂ − θ)² ≤ spread · (second + slope·(θ − θ̂) − θ²)`.
fn end(estimate: f64, second: f64, slope: f64, spread: f64, side: f64) -> f64 {
    let a = 1.0 + spread;
    let b = 2.0 * estimate + slope * spread;
    let c = estimate * estimate - spread * (second - slope * estimate);
    (b + side * (b * b - 4.0 * a * c).max(0.0).sqrt()) / (2.0 * a)
}

/// The least and the largest reading of possible outputs.
fn range(readings: &[f64], possible: &[bool]) -> [f64; 2] {
    let seen = || readings.iter().zip(possible).filter(|(_, possible)| **possible).map(|(reading, _)| *reading);
    [seen().fold(f64::INFINITY, f64::min), seen().fold(f64::NEG_INFINITY, f64::max)]
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
    fn interval(readings: &[f64], shares: &[f64], reports: f64, z: f64) -> (f64, f64) {
        super::interval(readings, shares, &vec![true; shares.len()], reports, z)
    }

    #[test]
    fn two_readings_give_wilsons_interval_with_whole_reports() {
        // 0 and 7 of 20 at 95 %, by the formula of Wilson's interval with the correction for continuity.
        let z = 1.959_963_984_540_054;
        for (share, lower, upper) in [(0.0, 0.0, 0.200_453), (0.35, 0.163_087, 0.590_510)] {
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
