//! Whole-number noise for the answers of a query.

use lookalike::exact::{Direction, Rational, to_f64};
use lookalike::model::Noise;
use lookalike_engine::pufferfish::{Asked, Found};

/// The scale of the noise, L·σ, over the number of moments for a mean.
pub fn scale(found: &Found, asked: &Asked, moments: u64) -> Rational {
    divided(&found.scale * &asked.lipschitz, asked, moments)
}

/// How far all answers together are from the truth on average: for each of them 1/sinh(decay) steps.
pub fn expected_error(noise: &Noise, asked: &Asked, moments: u64) -> f64 {
    let one = to_f64(&noise.grid(), Direction::Nearest) / noise.decay().to_f64().sinh();
    one * asked.names.len() as f64 / if asked.mean { moments as f64 } else { 1.0 }
}

/// A number of the answer, divided for a mean.
pub fn divided(number: Rational, asked: &Asked, moments: u64) -> Rational {
    if asked.mean { number / Rational::from_integer(moments.into()) } else { number }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_mean_distance_of_whole_number_noise() {
        // Σ |z|·(1−α)/(1+α)·α^|z| = 2α/(1−α²) = 1/sinh(decay).
        let decay = 0.3f64;
        let alpha = (-decay).exp();
        let sum: f64 =
            (1..500).map(|z| 2.0 * f64::from(z) * alpha.powi(z)).sum::<f64>() * (1.0 - alpha) / (1.0 + alpha);
        assert!((sum - 1.0 / decay.sinh()).abs() < 1e-12);
    }
}
