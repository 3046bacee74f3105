//! How far places are moved.

use crate::terminal::table;
use lookalike::exact::{Direction, Epsilon, Rational, to_f64};
use lookalike::geo::{Errors, planar_mean, planar_quantile};
use lookalike::model::PlanarNoise;
use lookalike_formats::Result;
use lookalike_report::percent;
use serde_json::{Value, json};

/// The mean and quantiles of the distance between a place and what is released for it.
pub struct Moved {
    mean: f64,
    /// Each with its probability.
    quantiles: Vec<(Rational, f64)>,
}

/// Probabilities in hundredths.
const LEVELS: [i32; 4] = [50, 90, 95, 99];

fn levels() -> impl Iterator<Item = Rational> {
    LEVELS.into_iter().map(|hundredths| Rational::new(hundredths.into(), 100.into()))
}

impl Moved {
    /// By the closed form of the continuous law, from which a fine grid differs by less than a step.
    pub fn of_noise(noise: &PlanarNoise) -> Result<Moved> {
        let decay: Epsilon = noise.decay().scale(&noise.grid().recip())?;
        let quantiles = levels().map(|p| planar_quantile(&decay, &p).map(|distance| (p, distance)));
        Ok(Moved { mean: planar_mean(&decay), quantiles: quantiles.collect::<lookalike::Result<_>>()? })
    }

    /// Exactly, between the middles of cells.
    pub fn of_cells(errors: &Errors) -> Result<Moved> {
        let quantiles = levels().map(|p| errors.quantile(&p).map(|distance| (p, distance)));
        Ok(Moved { mean: errors.mean(), quantiles: quantiles.collect::<lookalike::Result<_>>()? })
    }

    /// The distance that 99 % do not exceed.
    pub fn farthest(&self) -> f64 {
        self.quantiles.last().expect("there are levels").1
    }

    /// A sentence.
    pub fn words(&self) -> String {
        let parts: Vec<String> = self
            .quantiles
            .iter()
            .map(|(p, distance)| format!("{} within {}", percent(to_f64(p, Direction::Nearest)), metres(*distance)))
            .collect();
        format!("A place is moved by {} on average: {}.\n", metres(self.mean), parts.join(", "))
    }

    /// A table.
    pub fn table(&self) -> String {
        let mean = vec!["mean".to_owned(), metres(self.mean)];
        let quantile =
            |(p, distance): &(Rational, f64)| vec![percent(to_f64(p, Direction::Nearest)), metres(*distance)];
        let rows: Vec<_> = std::iter::once(mean).chain(self.quantiles.iter().map(quantile)).collect();
        table(&["of all releases", "moved by up to"], rows.into_iter())
    }

    pub fn json(&self) -> Value {
        let quantile =
            |(p, distance): &(Rational, f64)| json!({ "p": to_f64(p, Direction::Nearest), "metres": distance });
        json!({ "mean": self.mean, "quantiles": self.quantiles.iter().map(quantile).collect::<Vec<_>>() })
    }
}

/// A distance with four digits or so; kilometres from 10 km on.
pub fn metres(distance: f64) -> String {
    match distance {
        short if short < 10.0 => format!("{short:.2} m"),
        middle if middle < 1e4 => format!("{middle:.0} m"),
        long => format!("{:.1} km", long / 1e3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_short() {
        assert_eq!(
            [0.0, 1.234, 288.5, 9_999.4, 12_345.0].map(metres),
            ["0.00 m", "1.23 m", "288 m", "9999 m", "12.3 km"]
        );
    }
}
