//! Whether the reports can have come from the mechanism at all.

/// What does not fit: no mix that is possible explains the reports.
#[derive(Debug, Clone, PartialEq)]
pub struct Misfit {
    /// The output whose number of reports is the most surprising.
    pub output: u32,
    /// Its share of the reports.
    pub reported: f64,
    /// Its share in the law that fits best.
    pub fitted: f64,
    /// A bound on the probability of reports that fit so badly, if the assumption were right.
    pub probability: f64,
}

/// What counts as a misfit: reports that fit so badly come in fewer than one of a thousand cases.
pub(super) const RARE: f64 = 1e-3;

/// Whether reports do not fit, given the law of the model that fits them best (the one of maximum likelihood), or one whose mean log
/// likelihood is `short` of that at most; `error` is how often that may be said of reports that do.
///
/// # Guarantee
/// For every law q of m outputs `Pr[n·KL(f‖q) ≥ c] ≤ inf over 0 ≤ λ < 1 of e^(−λc) (1 − λ)^(1−m)`, for the shares f of n reports:
/// the moments of n·KL are at most those of the sum of m − 1 exponential variables. As the true law is one of the model, the
/// divergence from it is at least that from the law that fits best.
///
/// It holds for respondents with laws of their own and q their average: `e^(λ·n·KL)` is a product of log-convex functions of the
/// counts, one an output, so its mean does not fall when two laws are both replaced by their average: with r_y how much one more
/// report of y changes it, the change is a quadratic form with the matrix r rᵀ plus a diagonal that is not negative.
///
/// # Reference
/// R. Agrawal, "Finite-sample concentration of the multinomial in relative entropy", IEEE Transactions on Information
/// Theory 66 (2020).
pub(super) fn misfit(counts: &[u64], fitted: &[f64], short: f64, error: f64) -> Option<Misfit> {
    let reports: u64 = counts.iter().sum();
    let n = reports as f64;
    let part = |(&count, &q): (&u64, &f64)| {
        let count = count as f64;
        if count > 0.0 { count * (count / (n * q)).ln() } else { 0.0 }
    };
    let divergence = counts.iter().zip(fitted).map(part).sum::<f64>() - n * short;
    let free = fitted.iter().filter(|q| **q > 0.0).count().saturating_sub(1) as f64;
    let probability = tail(divergence, free);
    if probability >= error {
        return None;
    }
    let surprise = |at: &usize| {
        let (expected, count) = (n * fitted[*at], counts[*at] as f64);
        (count - expected) * (count - expected) / (expected * (1.0 - fitted[*at])).max(1e-300)
    };
    let output = (0..counts.len()).max_by(|a, b| surprise(a).total_cmp(&surprise(b))).expect("an output");
    Some(Misfit { output: output as u32, reported: counts[output] as f64 / n, fitted: fitted[output], probability })
}

/// `inf over λ of e^(−λc) (1 − λ)^(−free)`, at 1 − λ = free/c.
fn tail(divergence: f64, free: f64) -> f64 {
    if free == 0.0 {
        return if divergence > 1e-9 { 0.0 } else { 1.0 };
    }
    if divergence <= free {
        return 1.0;
    }
    (free - divergence + free * (divergence / free).ln()).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls with every way to split n reports, and its probability under the law.
    fn each(n: u64, law: &[f64], see: &mut dyn FnMut(&[u64], f64)) {
        fn go(left: u64, law: &[f64], counts: &mut Vec<u64>, weight: f64, see: &mut dyn FnMut(&[u64], f64)) {
            if law.len() == 1 {
                counts.push(left);
                let rest = (1..=left).fold(weight, |w, k| w * law[0] / k as f64);
                see(counts, rest);
                counts.pop();
                return;
            }
            let mut w = weight;
            for count in 0..=left {
                counts.push(count);
                go(left - count, &law[1..], counts, w, see);
                counts.pop();
                w *= law[0] / (count + 1) as f64;
            }
        }
        let factorial: f64 = (1..=n).map(|k| k as f64).product();
        go(n, law, &mut Vec::new(), factorial, see);
    }

    #[test]
    fn the_true_law_is_accused_no_more_often_than_stated() {
        for law in [vec![0.5, 0.5], vec![0.05, 0.95], vec![0.2, 0.3, 0.5], vec![0.01, 0.09, 0.4, 0.5]] {
            for n in [1, 4, 12, 20] {
                for error in [0.2, 0.05, 0.001] {
                    let (mut accused, mut all) = (0.0, 0.0);
                    each(n, &law, &mut |counts, weight| {
                        all += weight;
                        accused += if misfit(counts, &law, 0.0, error).is_some() { weight } else { 0.0 };
                    });
                    assert!((all - 1.0f64).abs() < 1e-9 && accused <= error, "{law:?} {n} {error}: {accused}");
                }
            }
        }
    }

    #[test]
    fn a_wrong_law_is_accused_by_its_worst_output() {
        let found = misfit(&[700, 200, 100], &[0.6, 0.2, 0.2], 0.0, RARE).unwrap();
        assert_eq!((found.output, found.reported, found.fitted), (2, 0.1, 0.2));
        assert!(found.probability < 1e-12, "{found:?}");
        assert_eq!(misfit(&[610, 200, 190], &[0.6, 0.2, 0.2], 0.0, RARE), None);
        // 0.63 of 1,000 where 0.6 is right is a little less than two deviations.
        assert_eq!(misfit(&[630, 370], &[0.6, 0.4], 0.0, RARE), None);
        assert!(misfit(&[680, 320], &[0.6, 0.4], 0.0, RARE).is_some());
    }
}
