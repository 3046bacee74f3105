//! How far a mean of bounded numbers can be from what it should be.

use super::clopper_pearson::ln_probability;

/// Rounding of the sums, as a share of the bound.
const ROUNDING: f64 = 1e-9;

/// An upper bound on `Pr[S ≥ x]`, for S the sum of n independent variables of mean 0, each at most `room`, whose variances
/// are at most `variance` on average.
///
/// `inf over h < x of E(T − h)²₊ / (x − h)²`, where T is the sum of n copies of the variable with two values that has this mean,
/// variance and maximum: a binomial number B of successes, moved and scaled. The infimum is at the h with
/// `x = h + M₂/M₁`, `M_k = E(T − h)^k₊`, where it is `M₁²/M₂`; between two whole numbers of successes both are polynomials.
///
/// # Guarantee
/// The variables need not have one law. So it is about respondents who are fixed, each with a law and a mean of its own, as well as
/// about random ones. (A comparison with draws from the mixture of these laws would not do: `X + 0` with X = ±1 has a
/// larger positive part than two draws from the mixture.)
///
/// # Complexity
/// O(√n) terms around the threshold.
///
/// # Reference
/// V. Bentkus, "On Hoeffding's inequalities", Annals of Probability 32 (2004), theorem 1.1. For the normal law the bound is 0.025
/// at 2.44 deviations, where the tail is at 1.96 and Chernoff's bound at 2.72.
pub(super) fn tail_bound(trials: u64, variance: f64, room: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    if variance <= 0.0 || room <= 0.0 {
        return 0.0;
    }
    let n = trials as f64;
    let square = room * room;
    let (p, q) = (variance / (square + variance), square / (square + variance));
    // The threshold in successes: T = (room + variance/room)·(B − n·p).
    let y = n * p + x * room / (square + variance);
    if y > n {
        return 0.0;
    }
    let mean = n * p;
    if y <= mean + q {
        // h lies below every success, and the bound is Cantelli's.
        return (1.0 + ROUNDING) * mean * q / (mean * q + (y - mean) * (y - mean));
    }
    (1.0 + ROUNDING) * Excess::at(y.ceil().min(n), n, p, q).least(y)
}

/// `T_k = E(B − at)^k₊` for k = 0, 1, 2, where the k-th power of 0 is 1 for k = 0: Pr[B ≥ at] and so on.
struct Excess {
    at: f64,
    powers: [f64; 3],
    /// Pr[B = at].
    probability: f64,
    n: f64,
    /// q/p.
    odds_against: f64,
}

impl Excess {
    /// By summing the tail from `at` on, whose terms fall there: `at` is above the mean.
    fn at(at: f64, n: f64, p: f64, q: f64) -> Self {
        let probability = ln_probability(at, n, p, q).exp();
        let (mut term, mut j, mut powers) = (probability, 0.0, [probability, 0.0, 0.0]);
        while at + j < n {
            term *= (n - at - j) / (at + j + 1.0) * (p / q);
            j += 1.0;
            powers[0] += term;
            powers[1] += j * term;
            powers[2] += j * j * term;
            if j * j * term <= 1e-17 * powers[2] {
                break;
            }
        }
        Excess { at, powers, probability, n, odds_against: q / p }
    }

    /// The infimum for a threshold y: going down from it, success by success.
    fn least(mut self, y: f64) -> f64 {
        loop {
            let [none, first, second] = self.powers;
            // Within (at − 1, at], with u = at − h, x − h is M₂/M₁ where this line crosses 0; above, it is smaller.
            let beyond = y - self.at;
            let (start, slope) = (second - first * beyond, none * beyond - first);
            if slope >= start {
                let u = (start / slope).clamp(0.0, 1.0);
                let (one, two) = (first + u * none, second + 2.0 * u * first + u * u * none);
                return if two > 0.0 { one * one / two } else { none };
            }
            if self.at <= 0.0 {
                return none;
            }
            self.down();
        }
    }

    fn down(&mut self) {
        let [none, first, second] = self.powers;
        self.probability *= self.at / (self.n - self.at + 1.0) * self.odds_against;
        self.at -= 1.0;
        self.powers = [none + self.probability, first + none, second + 2.0 * first + none];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The law of a sum of n draws from a law on whole numbers from 0.
    fn summed(law: &[f64], n: usize) -> Vec<f64> {
        (0..n).fold(vec![1.0], |sum, _| {
            let mut next = vec![0.0; sum.len() + law.len() - 1];
            for (a, p) in sum.iter().enumerate() {
                law.iter().enumerate().for_each(|(b, q)| next[a + b] += p * q);
            }
            next
        })
    }

    #[test]
    fn it_bounds_the_tails_of_sums_and_not_by_much() {
        let laws: [&[f64]; 5] =
            [&[0.9, 0.1], &[0.2, 0.5, 0.3], &[0.01, 0.0, 0.0, 0.99], &[0.7, 0.1, 0.1, 0.1], &[0.5, 0.5]];
        for law in laws {
            for n in [1usize, 3, 12, 40] {
                let mean: f64 = law.iter().enumerate().map(|(v, p)| v as f64 * p).sum();
                let variance: f64 = law.iter().enumerate().map(|(v, p)| (v as f64 - mean).powi(2) * p).sum();
                let sum = summed(law, n);
                let room = (law.len() - 1) as f64 - mean;
                for threshold in 0..sum.len() {
                    let x = threshold as f64 - n as f64 * mean;
                    let tail: f64 = sum[threshold..].iter().sum();
                    let bound = tail_bound(n as u64, variance, room, x);
                    assert!(tail <= bound + 1e-12, "{law:?} {n} {threshold}: {tail} {bound}");
                }
            }
        }
        // Two values: at most e²/2 times the tail where it is log-concave, at whole thresholds.
        let sum = summed(&[0.8, 0.2], 40);
        for threshold in 9..30 {
            let tail: f64 = sum[threshold..].iter().sum();
            let bound = tail_bound(40, 0.16, 0.8, threshold as f64 - 8.0);
            assert!(bound <= 3.7 * tail, "{threshold}: {tail} {bound}");
        }
    }

    #[test]
    fn it_bounds_respondents_that_are_fixed() {
        // Three laws on 0 to 2, of two, four and six respondents.
        let laws: [(usize, [f64; 3]); 3] = [(2, [0.1, 0.0, 0.9]), (4, [0.0, 1.0, 0.0]), (6, [0.8, 0.15, 0.05])];
        let mean_of = |law: &[f64; 3]| law[1] + 2.0 * law[2];
        let variance_of = |law: &[f64; 3]| law[1] + 4.0 * law[2] - mean_of(law).powi(2);
        let total = |value: &dyn Fn(&[f64; 3]) -> f64| laws.iter().map(|(n, law)| *n as f64 * value(law)).sum::<f64>();
        let (mean, variance) = (total(&mean_of), total(&variance_of) / 12.0);
        let room = laws.iter().map(|(_, law)| 2.0 - mean_of(law)).fold(0.0, f64::max);
        let sum = laws.iter().fold(vec![1.0], |sum, (n, law)| {
            let part = summed(law, *n);
            let mut next = vec![0.0; sum.len() + part.len() - 1];
            for (a, p) in sum.iter().enumerate() {
                part.iter().enumerate().for_each(|(b, q)| next[a + b] += p * q);
            }
            next
        });
        for threshold in 0..sum.len() {
            let tail: f64 = sum[threshold..].iter().sum();
            let bound = tail_bound(12, variance, room, threshold as f64 - mean);
            assert!(tail <= bound + 1e-12, "{threshold}: {tail} {bound}");
        }
    }

    /// E(ε₁ + … − h)²₊ for variables with two values, at most 1, of these variances.
    fn square_beyond(variances: &[f64], h: f64) -> f64 {
        let Some((&s, rest)) = variances.split_first() else { return (-h).max(0.0).powi(2) };
        let p = s / (1.0 + s);
        p * square_beyond(rest, h - 1.0) + (1.0 - p) * square_beyond(rest, h + s)
    }

    proptest! {
        /// What the theorem rests on where variances differ.
        #[test]
        fn equal_variances_are_the_worst(
            variances in proptest::collection::vec(prop_oneof![0.0..0.05, 0.0..1.0, 0.0..9.0], 2..5),
            h in -4.0f64..3.9,
        ) {
            let even = vec![variances.iter().sum::<f64>() / variances.len() as f64; variances.len()];
            let (own, even) = (square_beyond(&variances, h), square_beyond(&even, h));
            prop_assert!(own <= even * (1.0 + 1e-12) + 1e-15, "{own} {even}");
        }

        /// And where a variable has more than two values.
        #[test]
        fn two_values_are_the_worst(
            values in proptest::collection::vec((0.0..1.0, 0.01..1.0), 2..6),
            h in -3.0f64..0.99,
        ) {
            let values: Vec<(f64, f64)> = values;
            let total: f64 = values.iter().map(|(_, w)| w).sum();
            let mean: f64 = values.iter().map(|(v, w)| v * w / total).sum();
            let top = values.iter().map(|(v, _)| v - mean).fold(0.0, f64::max);
            let scaled = || values.iter().map(|(v, w)| ((v - mean) / top, w / total));
            prop_assume!(top > 1e-6);
            let variance: f64 = scaled().map(|(v, w)| v * v * w).sum();
            let own: f64 = scaled().map(|(v, w)| (v - h).max(0.0).powi(2) * w).sum();
            prop_assert!(own <= square_beyond(&[variance], h) * (1.0 + 1e-9) + 1e-12);
        }
    }

    #[test]
    fn the_infimum_is_one() {
        // Against a fine search over h.
        let (n, p, q) = (30usize, 0.3, 0.7);
        let sum = summed(&[q, p], n);
        for y in [9.9, 11.0, 12.5, 15.0, 18.25, 29.5] {
            let quotient = |h: f64| {
                let square: f64 = sum.iter().enumerate().map(|(k, w)| w * (k as f64 - h).max(0.0).powi(2)).sum();
                square / (y - h).powi(2)
            };
            let searched = (1..200_000).map(|step| quotient(y - step as f64 * 1e-4)).fold(f64::INFINITY, f64::min);
            let found = tail_bound(n as u64, q * p, q, y - 9.0);
            assert!(found <= searched * (1.0 + 1e-8) && found >= searched * (1.0 - 1e-5), "{y}: {found} {searched}");
        }
    }

    #[test]
    fn normal_numbers_are_within_two_and_a_half_deviations() {
        let n = 1_000_000;
        let bound = |z: f64| tail_bound(n, 0.25, 0.5, z * 500.0);
        assert!(bound(2.44) < 0.025 && bound(2.43) > 0.025, "{} {}", bound(2.44), bound(2.43));
    }
}
