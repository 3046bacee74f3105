//! What is asked of a mechanism over counts.

use lookalike::counts::{Alpha, CountLoss, Properties, categories};
use lookalike::exact::{Epsilon, Rational, parse_rational};
use lookalike::model::Prior;
use lookalike_engine::counts::CountQuestion;
use lookalike_engine::read_text;
use lookalike_formats::{Error, Result};
use std::path::Path;

/// Which mechanism is the best.
#[derive(clap::Args)]
pub struct Question {
    /// What the mechanism must have: some of RH, RM, CH, CM, F, WH and S with commas between, or all
    #[arg(long, value_name = "CODES", default_value = "none")]
    properties: Properties,
    /// What the optimum minimizes: l0 (wrong counts), l0.5, l1, l2, or more-than-D for counts more than D off
    #[arg(long, default_value = "l0")]
    loss: CountLoss,
    /// How frequent the counts are: uniform, n + 1 weights with commas between, or a file with them
    #[arg(long, value_name = "WEIGHTS|FILE", default_value = "uniform")]
    prior: String,
}

/// How much neighbouring counts may differ, in one of two ways.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
pub struct Privacy {
    /// The least factor between probabilities of neighbouring counts, above 0 and below 1; larger protects more
    #[arg(long, value_name = "A", value_delimiter = ',', allow_negative_numbers = true)]
    alpha: Vec<Alpha>,
    /// The same as a budget, -ln alpha, like 0.1 or ln(10/9)
    #[arg(long, value_name = "E", value_delimiter = ',', allow_negative_numbers = true)]
    epsilon: Vec<Epsilon>,
}

impl Privacy {
    /// Every α that was given, either way.
    pub fn alphas(&self) -> Vec<Alpha> {
        let from_epsilon = self.epsilon.iter().cloned().map(Alpha::from_epsilon);
        self.alpha.iter().cloned().chain(from_epsilon).collect()
    }

    /// The only one.
    ///
    /// # Errors
    /// Several.
    pub fn alpha(&self) -> Result<Alpha> {
        let mut alphas = self.alphas();
        match (alphas.pop(), alphas.len()) {
            (Some(alpha), 0) => Ok(alpha),
            (_, more) => Err(Error::input(format!(
                "{} values for --alpha or --epsilon, expected one: a design has one (counts compare takes several)",
                more + 1
            ))),
        }
    }
}

impl Question {
    /// How frequent the counts 0 to n are.
    ///
    /// # Errors
    /// A group of nobody, weights that are no numbers, or another number of them than n + 1.
    fn prior(&self, n: usize) -> Result<Prior> {
        let size = categories(n)?.len();
        if self.prior == "uniform" {
            return Ok(Prior::uniform(size)?);
        }
        let is_list = self.prior.split(',').all(|part| parse_rational(part.trim()).is_ok());
        let weights = if is_list {
            weights(&self.prior, size).map_err(|error| error.at("--prior"))
        } else if Path::new(&self.prior).exists() {
            let path = Path::new(&self.prior);
            // A file that is no list of weights may be anybody's: errors show none of it.
            read_text(path).and_then(|text| weights(&text, size).map_err(|error| error.in_file(path)))
        } else {
            Err(Error::input(format!(
                "--prior {:?}: neither uniform, nor weights like 1,2,1, nor a file that exists",
                self.prior
            )))
        };
        Prior::new(&weights?).map_err(|error| Error::from(error).at("--prior"))
    }

    /// What is asked for a group of n.
    ///
    /// # Errors
    /// Those of [`Question::prior`].
    pub fn request(&self, n: usize, alpha: Alpha) -> Result<CountQuestion> {
        Ok(CountQuestion { n, alpha, properties: self.properties, loss: self.loss, prior: self.prior(n)? })
    }

    /// The prior for people.
    pub fn prior_text(&self) -> &'static str {
        if self.prior == "uniform" { "every count equally frequent" } else { "counts as frequent as --prior says" }
    }
}

/// Numbers with commas, blanks or line ends between.
fn weights(text: &str, size: usize) -> Result<Vec<Rational>> {
    let words = text.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty());
    let weight = |(at, word): (usize, &str)| {
        parse_rational(word).map_err(|_| {
            Error::input(format!("weight {} is not a number, expected a form like 0.25, 1e-3 or 1/3", at + 1))
        })
    };
    let weights = words.enumerate().map(weight).collect::<Result<Vec<Rational>>>()?;
    if weights.len() != size {
        return Err(Error::input(format!(
            "{} weights, expected {size}: one for each count from 0 to {}",
            weights.len(),
            size - 1
        )));
    }
    Ok(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_may_stand_on_lines_or_between_commas() {
        for text in ["1,2/3,0.5", "1\n2/3\n0.5\n", "1, 2/3,\n0.5,"] {
            let found: Vec<String> = weights(text, 3).unwrap().iter().map(ToString::to_string).collect();
            assert_eq!(found, ["1", "2/3", "1/2"], "{text:?}");
        }
        let message = weights("1,2", 3).unwrap_err().to_string();
        assert_eq!(message, "2 weights, expected 3: one for each count from 0 to 2");
    }
}
