//! Profiles as floats, for estimates that only choose where to look.

use crate::exact::{Direction, to_f64};
use crate::model::Distribution;

/// The probabilities to about the nearest double.
pub(super) fn floats(law: &Distribution) -> Vec<f64> {
    match law.words() {
        Some(words) => {
            let denominator = words.iter().sum::<u64>() as f64;
            words.iter().map(|&word| word as f64 / denominator).collect()
        }
        None => {
            let short = |place: usize| Some((law.numerator(place).to_u128()?, law.denominator().to_u128()?));
            let float = |place: usize| match short(place) {
                Some((numerator, denominator)) => numerator as f64 / denominator as f64,
                None => to_f64(&law.probability(place), Direction::Nearest),
            };
            (0..law.len()).map(float).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::{Rational, parse_rational};

    #[test]
    fn both_representations_give_the_same_floats() {
        let tenth = parse_rational("0.1").unwrap();
        let tiny = parse_rational("1e-25").unwrap();
        let one = Rational::from_integer(1.into());
        assert_eq!(floats(&Distribution::new(&[tenth.clone(), &one - &tenth]).unwrap()), [0.1, 0.9]);
        let wide = floats(&Distribution::new(&[tiny.clone(), one - tiny]).unwrap());
        assert!((wide[0] / 1e-25 - 1.0).abs() < 4.0 * f64::EPSILON && wide[1] == 1.0);
    }
}
