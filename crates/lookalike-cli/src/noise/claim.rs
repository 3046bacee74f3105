//! What noise is asked for.

use crate::terminal::Terminal;
use lookalike::exact::{Direction, Epsilon, Rational, decimal, parse_rational};
use lookalike::model::Noise;
use lookalike_formats::{Error, Result};

/// Noise in the words of a question: how much one person changes it, and how alike that must look.
#[derive(clap::Args)]
pub struct Claim {
    /// How alike neighbours must look, like 0.5 or ln(3)
    #[arg(long, value_name = "E", requires = "sensitivity", allow_negative_numbers = true)]
    epsilon: Option<Epsilon>,
    /// The most by which a value differs between neighbours; yours to know, never taken from the data
    #[arg(long, value_name = "D", requires = "epsilon", value_parser = parse_rational, allow_negative_numbers = true)]
    sensitivity: Option<Rational>,
    /// Round to multiples of this power of two, like 1/1024, 0.25 or 2^-10
    #[arg(long, value_name = "G", default_value = "1", value_parser = exponent)]
    grid: i32,
    /// Bring values into these bounds first; yours to know, never taken from the data
    #[arg(long, value_name = "LOWER,UPPER", value_parser = bounds, allow_hyphen_values = true)]
    clamp: Option<[Rational; 2]>,
}

/// A larger share of epsilon that goes to rounding is worth a warning.
const LARGEST_LOSS: (i64, i64) = (1, 20);

impl Claim {
    /// The least noise that does; warns of a question that wastes some. `None` where nothing was asked.
    ///
    /// # Errors
    /// Those of the library.
    pub fn noise(&self, terminal: &Terminal) -> Result<Option<Noise>> {
        let (Some(epsilon), Some(sensitivity)) = (&self.epsilon, &self.sensitivity) else {
            return Ok(None);
        };
        let noise = Noise::for_epsilon(epsilon.clone(), sensitivity.clone(), self.grid)?;
        let noise = match &self.clamp {
            None => noise,
            Some([lower, upper]) => {
                noise.clamped(lower.clone(), upper.clone()).map_err(|error| Error::from(error).at("--clamp"))?
            }
        };
        for warning in [coarse_grid(&noise), wide_sensitivity(&noise)].into_iter().flatten() {
            terminal.warn(&warning);
        }
        Ok(Some(noise))
    }
}

/// The exponent of a grid: of `2^-10`, or of a number that is a power of two.
pub fn exponent(text: &str) -> Result<i32> {
    match text.trim().strip_prefix("2^") {
        // Whether it is in range is for the noise to say.
        Some(exponent) => exponent
            .parse()
            .map_err(|_| Error::input(format!("{text:?} is not a power of two, expected one like 1/1024 or 2^-10"))),
        None => Ok(Noise::exponent_of(&parse_rational(text)?)?),
    }
}

fn bounds(text: &str) -> Result<[Rational; 2]> {
    match text.split(',').collect::<Vec<_>>()[..] {
        [lower, upper] => Ok([parse_rational(lower)?, parse_rational(upper)?]),
        _ => {
            Err(Error::input(format!("{text:?}, expected a lower and an upper bound with a comma between, like 0,500")))
        }
    }
}

/// The share of ε that goes to rounding: with Δ/g steps instead of ⌈Δ/g⌉ so much less would do for the same noise.
fn loss(noise: &Noise) -> Rational {
    let steps = Rational::from_integer(noise.steps().into());
    Rational::from_integer(1.into()) - noise.sensitivity() / (noise.grid() * steps)
}

/// A warning where the grid is coarse against the sensitivity.
pub fn coarse_grid(noise: &Noise) -> Option<String> {
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
    let way_out = finer.map_or_else(String::new, |finer| format!("; --grid {finer} loses less than 5 %"));
    Some(format!(
        "a grid of {grid} is coarse for a sensitivity of {sensitivity}: after rounding neighbours can be {steps} apart, so \
         the noise is that of a sensitivity of {worth}, and {percent} % of epsilon is lost{way_out}"
    ))
}

/// A warning where the clamp brings neighbours nearer than the sensitivity says.
fn wide_sensitivity(noise: &Noise) -> Option<String> {
    let [lower, upper] = noise.clamp()?;
    let (range, sensitivity) = (upper - lower, noise.sensitivity());
    (range < *sensitivity).then(|| {
        format!(
            "a sensitivity of {sensitivity} between bounds that are {range} apart: no two values differ by more, and \
             --sensitivity {range} needs less noise"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(sensitivity: &str, exponent: i32) -> Noise {
        Noise::for_epsilon("1".parse().unwrap(), parse_rational(sensitivity).unwrap(), exponent).unwrap()
    }

    #[test]
    fn grids_are_powers_of_two_in_any_form() {
        let found = ["1", "1/1024", "0.25", "2^-10", " 2^3 ", "8", "2^0"].map(|text| exponent(text).unwrap());
        assert_eq!(found, [0, -10, -2, -10, 3, 3, 0]);
        for text in ["0.1", "3", "-1", "0", "2^", "2^x", "2^1.5", "fine"] {
            assert!(exponent(text).is_err(), "{text}");
        }
    }

    #[test]
    fn bounds_are_two_numbers() {
        assert_eq!(bounds("-1/2,1e3").unwrap().map(|bound| bound.to_string()), ["-1/2", "1000"]);
        for text in ["1", "1,2,3", "1,", "a,b"] {
            assert!(bounds(text).is_err(), "{text}");
        }
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
            let way_out = format!("--grid {} loses", noise(sensitivity, finer).grid());
            assert!(coarse_grid(&noise(sensitivity, finer + 1)).unwrap().contains(&way_out), "{sensitivity}");
        }
        for (sensitivity, exponent) in [("1", 0), ("1", -10), ("30.5", 0), ("8", 3)] {
            assert_eq!(coarse_grid(&noise(sensitivity, exponent)), None);
        }
    }

    #[test]
    fn a_sensitivity_beyond_the_bounds_is_told() {
        let clamped = |sensitivity, upper: i64| {
            let number = |n: i64| Rational::from_integer(n.into());
            wide_sensitivity(&noise(sensitivity, 0).clamped(number(0), number(upper)).unwrap())
        };
        assert_eq!(clamped("5", 5), None);
        assert!(clamped("6", 5).unwrap().contains("--sensitivity 5 needs less noise"));
        assert_eq!(wide_sensitivity(&noise("6", 0)), None);
    }
}
