//! What noise is asked for.

use lookalike::Sentence;
use lookalike::exact::{Direction, Epsilon, Rational, decimal};
use lookalike::model::Noise;
use lookalike_formats::{Error, Result};

/// Noise in the words of a question: how much one person changes it, and how alike that must look.
#[derive(Debug, Clone)]
pub struct NoiseClaim {
    /// How alike neighbours must look.
    pub epsilon: Epsilon,
    /// The most by which a value differs between neighbours.
    pub sensitivity: Rational,
    /// The noise is a multiple of 2^exponent.
    pub exponent: i32,
    /// Values are brought between these first.
    pub clamp: Option<[Rational; 2]>,
}

/// A larger share of epsilon that goes to rounding is worth a warning.
const LARGEST_LOSS: (i64, i64) = (1, 20);

impl NoiseClaim {
    /// The least noise that does.
    ///
    /// # Errors
    /// Those of the library.
    pub fn noise(&self) -> Result<Noise> {
        let noise = Noise::for_epsilon(self.epsilon.clone(), self.sensitivity.clone(), self.exponent)?;
        match &self.clamp {
            None => Ok(noise),
            Some([lower, upper]) => noise
                .clamped(lower.clone(), upper.clone())
                .map_err(|error| Error::from(error).at_option(Sentence::new().option("clamp"))),
        }
    }

    /// What whoever asks for this noise should know: where the question wastes some.
    pub fn warnings(noise: &Noise) -> Vec<Sentence> {
        [Self::coarse_grid(noise), Self::wide_sensitivity(noise)].into_iter().flatten().collect()
    }

    /// A warning where the grid is coarse against the sensitivity.
    pub fn coarse_grid(noise: &Noise) -> Option<Sentence> {
        let most = Rational::new(LARGEST_LOSS.0.into(), LARGEST_LOSS.1.into());
        let lost = loss(noise);
        if lost <= most {
            return None;
        }
        let finer = (1..64).map(|bits| noise.exponent() - bits).find_map(|exponent| {
            let finer = Noise::for_epsilon(noise.epsilon().clone(), noise.sensitivity().clone(), exponent).ok()?;
            (loss(&finer) <= most).then(|| finer.grid())
        });
        let (grid, sensitivity, steps) = (noise.grid(), noise.sensitivity(), noise.steps());
        let worth = noise.grid() * Rational::from_integer(steps.clone().into());
        let steps = if worth == grid { "1 step".to_owned() } else { format!("{steps} steps") };
        let percent = decimal(&(lost * Rational::from_integer(100.into())), 0, Direction::Nearest);
        let warning = Sentence::from(format!(
            "a grid of {grid} is coarse for a sensitivity of {sensitivity}: after rounding neighbours can be {steps} apart, so \
             the noise is that of a sensitivity of {worth}, and {percent} % of epsilon is lost"
        ));
        Some(match finer {
            Some(finer) => warning.text("; ").option("grid").word(finer.to_string()).text(" loses less than 5 %"),
            None => warning,
        })
    }

    /// A warning where the clamp brings neighbours nearer than the sensitivity says.
    fn wide_sensitivity(noise: &Noise) -> Option<Sentence> {
        let [lower, upper] = noise.clamp()?;
        let (range, sensitivity) = (upper - lower, noise.sensitivity());
        (range < *sensitivity).then(|| {
            Sentence::from(format!(
                "a sensitivity of {sensitivity} between bounds that are {range} apart: no two values differ by more, and "
            ))
            .option("sensitivity")
            .number(&range)
            .text(" needs less noise")
        })
    }
}

/// The share of ε that goes to rounding: with Δ/g steps instead of ⌈Δ/g⌉ so much less would do for the same noise.
fn loss(noise: &Noise) -> Rational {
    let steps = Rational::from_integer(noise.steps().into());
    Rational::from_integer(1.into()) - noise.sensitivity() / (noise.grid() * steps)
}

/// 1/decay steps, in the unit of the values; for people only.
pub fn scale(noise: &Noise) -> Rational {
    let decay = Rational::from_float(noise.decay().to_f64()).expect("a decay is finite");
    noise.grid() / decay
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::exact::parse_rational;
    use lookalike_formats::CommandLine;

    fn noise(sensitivity: &str, exponent: i32) -> Noise {
        Noise::for_epsilon("1".parse().unwrap(), parse_rational(sensitivity).unwrap(), exponent).unwrap()
    }

    fn coarse_grid(noise: &Noise) -> Option<String> {
        NoiseClaim::coarse_grid(noise).map(|warning| warning.spelled(&CommandLine).to_string())
    }

    #[test]
    fn a_coarse_grid_is_told_with_what_it_costs_and_the_way_out() {
        assert_eq!(
            coarse_grid(&noise("0.3", 0)).unwrap(),
            "a grid of 1 is coarse for a sensitivity of 3/10: after rounding neighbours can be 1 step apart, so the noise \
             is that of a sensitivity of 1, and 70 % of epsilon is lost; --grid 1/16 loses less than 5 %"
        );
        let message = coarse_grid(&noise("2.5", 1)).unwrap();
        assert!(message.contains("2 steps apart") && message.contains("of 4, and 38 %"), "{message}");
        // The way out is one, and the next coarser grid is none.
        for (sensitivity, finer) in [("0.3", -4), ("2.5", -1), ("7.001", -2)] {
            assert_eq!(coarse_grid(&noise(sensitivity, finer)), None, "{sensitivity}");
            let hint = format!("--grid {} loses", noise(sensitivity, finer).grid());
            assert!(coarse_grid(&noise(sensitivity, finer + 1)).unwrap().contains(&hint), "{sensitivity}");
        }
        for (sensitivity, exponent) in [("1", 0), ("1", -10), ("30.5", 0), ("8", 3)] {
            assert_eq!(coarse_grid(&noise(sensitivity, exponent)), None);
        }
    }

    #[test]
    fn a_sensitivity_beyond_the_bounds_is_told() {
        let clamped = |sensitivity, upper: i64| {
            let number = |n: i64| Rational::from_integer(n.into());
            let noise = noise(sensitivity, 0).clamped(number(0), number(upper)).unwrap();
            NoiseClaim::wide_sensitivity(&noise).map(|warning| warning.spelled(&CommandLine).to_string())
        };
        assert_eq!(clamped("5", 5), None);
        assert!(clamped("6", 5).unwrap().contains("--sensitivity 5 needs less noise"));
        assert_eq!(NoiseClaim::wide_sensitivity(&noise("6", 0)), None);
    }
}
