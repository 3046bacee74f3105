//! Programs that are no designs for profiles: counts with properties, and places.

use crate::Random;
use lookalike::Result;
use lookalike::counts::{self, CountLoss};
use lookalike::design::Watch;
use lookalike::exact::{Direction, Rational, parse_rational, to_f64};
use lookalike::geo::{self, Cells, GeoLoss};
use lookalike::model::{Mechanism, Prior};

/// A question with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// What it is, in words without blanks; unique in the set.
    pub name: String,
    asked: Asked,
    /// Whole weights of the counts or cells.
    prior: Vec<u64>,
}

#[derive(Debug, Clone, PartialEq)]
enum Asked {
    /// The best mechanism for counts from 0 to n with some properties.
    Counts { n: usize, alpha: &'static str, properties: &'static str, loss: &'static str },
    /// The best mechanism between cells, along the edges of a spanner.
    Places { columns: u32, rows: u32, epsilon: &'static str, dilation: &'static str, loss: GeoLoss },
}

/// What was found: the mechanism, its value, and a bound that none goes below.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The mechanism.
    pub mechanism: Mechanism,
    /// The expected loss.
    pub value: f64,
    /// No mechanism of the kind has less.
    pub bound: f64,
}

impl Question {
    /// The answer.
    ///
    /// # Errors
    /// None for a question of the set.
    pub fn answer(&self) -> Result<Found> {
        let weights: Vec<Rational> = self.prior.iter().map(|&weight| Rational::from_integer(weight.into())).collect();
        let (prior, watch) = (Prior::new(&weights)?, Watch::default());
        match &self.asked {
            Asked::Counts { n, alpha, properties, loss } => {
                let loss: CountLoss = loss.parse()?;
                let found = counts::optimal(*n, &alpha.parse()?, properties.parse()?, (&prior, loss), &watch)?;
                let value = to_f64(&found.score, Direction::Nearest);
                // A closed form is the optimum.
                let bound = found.bound.map_or(value, |bound| to_f64(&bound, Direction::Down));
                Ok(Found { mechanism: found.mechanism, value, bound })
            }
            Asked::Places { columns, rows, epsilon, dilation, loss } => {
                let cells = Cells::new(*columns, *rows, parse_rational("1")?)?;
                let loss = loss.of(&cells)?;
                let found =
                    geo::optimal(&cells, &epsilon.parse()?, (&prior, &loss), &parse_rational(dilation)?, &watch)?;
                Ok(Found { mechanism: found.mechanism, value: found.value, bound: found.lower_bound })
            }
        }
    }
}

/// All questions, always the same and in the same order.
pub fn questions() -> Vec<Question> {
    let mut set = counts();
    set.extend(places());
    set
}

fn counts() -> Vec<Question> {
    let mut set = Vec::new();
    for n in [4, 9, 16] {
        for alpha in ["0.5", "0.9", "0.99"] {
            for properties in ["none", "RM", "CM", "WH,S", "F,CH", "all"] {
                for (loss, even) in [("l0", false), ("l1", true), ("l2", false)] {
                    let random = &mut Random::new(n as u64);
                    let prior = (0..=n).map(|_| if even { 1 } else { random.between(1, 50) }).collect();
                    let name = format!("counts-{n}-{alpha}-{properties}-{loss}");
                    set.push(Question { name, asked: Asked::Counts { n, alpha, properties, loss }, prior });
                }
            }
        }
    }
    set
}

fn places() -> Vec<Question> {
    let mut set = Vec::new();
    for (columns, rows) in [(2, 2), (4, 3), (5, 5)] {
        for epsilon in ["0.1", "0.7", "2"] {
            for dilation in ["1", "1.5"] {
                for (kind, loss) in [("distance", GeoLoss::Euclidean), ("squared", GeoLoss::Squared)] {
                    let random = &mut Random::new(u64::from(columns));
                    let prior = (0..columns * rows).map(|_| random.between(1, 100)).collect();
                    let name = format!("places-{columns}x{rows}-{epsilon}-{dilation}-{kind}");
                    set.push(Question { name, asked: Asked::Places { columns, rows, epsilon, dilation, loss }, prior });
                }
            }
        }
    }
    set
}
