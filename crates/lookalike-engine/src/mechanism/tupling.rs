//! Reports among dummies: the law of the dummies, and δ for each number of them.

use super::delta::DeltaEnds;
use lookalike::Sentence;
use lookalike::exact::{Epsilon, Rational};
use lookalike::local::{Tupled, tupling};
use lookalike::model::{Categories, Distribution, Mechanism};
use lookalike_formats::{Error, Result, table};
use lookalike_records::tables;
use num_traits::One;
use serde::Serialize;
use std::path::Path;

/// The law of dummies over the outputs of a mechanism, from a table with the columns `output` and `probability`: CSV,
/// Parquet or Arrow, by the end of its name.
///
/// # Errors
/// A table that cannot be read, an output that the mechanism has not, or one of its that is missing or named twice, a
/// probability that is no number, below 0, or a sum other than exactly 1.
pub fn read_dummy_law(path: &Path, outputs: &Categories) -> Result<Distribution> {
    let mut found: Vec<Option<Rational>> = vec![None; outputs.len()];
    tables::read(path, |table| {
        table.only(["output", "probability"])?;
        let (output, probability) = (table.column("output")?, table.column("probability")?);
        table.each(|row| {
            let place = table::place(outputs.names(), &row[output], "output")?;
            let number = table::number(&row[probability], "probability")?;
            let name = outputs.names().name(place);
            match found[place as usize].replace(number) {
                Some(_) => Err(Error::input(format!("output {name:?} occurs twice, expected each once"))),
                None => Ok(()),
            }
        })?;
        let given = |(place, number): (u32, Option<Rational>)| {
            let missing = || format!("output {:?} is missing, expected a row for each", outputs.names().name(place));
            number.ok_or_else(|| Error::input(missing()))
        };
        dummy_law((0..).zip(std::mem::take(&mut found)).map(given).collect::<Result<Vec<_>>>()?)
    })
}

/// The law with these probabilities.
///
/// # Errors
/// A probability below 0, or a sum other than exactly 1.
pub fn dummy_law(probabilities: Vec<Rational>) -> Result<Distribution> {
    let sum: Rational = probabilities.iter().sum();
    if !sum.is_one() {
        return Err(Error::input(format!(
            "the probabilities of dummies sum to {sum}, expected 1 (fractions like 1/3 are exact)"
        )));
    }
    Ok(Distribution::new(&probabilities)?)
}

/// Dummies that are every output with the same probability.
pub fn uniform_dummies(outputs: &Categories) -> Distribution {
    Distribution::from_weights(vec![1u64.into(); outputs.len()]).expect("there is a category")
}

/// δ among dummies that is asked for.
#[derive(Debug)]
pub struct TuplingRequest {
    /// The channels whose reports are hidden.
    pub mechanism: Mechanism,
    /// The law of a dummy; see [`uniform_dummies`].
    pub law: Distribution,
    /// How many dummies a report has.
    pub dummies: Vec<u32>,
    /// The ε at which δ is asked for.
    pub epsilon: Epsilon,
}

/// δ for each number of dummies.
#[derive(Debug)]
pub struct TuplingOutcome {
    /// The channels.
    pub mechanism: Mechanism,
    /// The ε.
    pub epsilon: Epsilon,
    /// A row for each number of dummies.
    pub rows: Vec<Tupled>,
}

/// What is said of it.
#[derive(Debug, Clone, Serialize)]
pub struct TuplingFacts {
    /// The ε.
    pub epsilon: f64,
    /// The same as exact text.
    pub epsilon_text: String,
    /// For each number of dummies.
    pub rows: Vec<TupledFacts>,
}

/// δ for a number of dummies.
#[derive(Debug, Clone, Serialize)]
pub struct TupledFacts {
    /// How many each report has.
    pub dummies: u32,
    /// δ itself.
    #[serde(flatten)]
    pub value: DeltaEnds,
    /// The pair that needs it.
    pub edge: [String; 2],
    /// The probabilities a and b of the tuples that tell, with which δ is a − b·e^ε.
    pub probabilities: [String; 2],
}

impl TuplingRequest {
    /// What dummies cannot hide: reports that no dummy ever is.
    pub fn warning(&self) -> Option<Sentence> {
        const MOST: usize = 5;
        let outputs = self.mechanism.outputs().names();
        let names: Vec<String> = (0..)
            .zip(self.law.numerators())
            .filter(|(_, weight)| weight.is_zero())
            .map(|(place, _)| format!("{:?}", outputs.name(place)))
            .collect();
        let more = if names.len() > MOST { ", …" } else { "" };
        let shown = names[..names.len().min(MOST)].join(", ");
        (!names.is_empty())
            .then(|| format!("no dummy is ever {shown}{more}: such a report tells as much as without dummies").into())
    }

    /// Adds up the tuples.
    ///
    /// # Errors
    /// Those of [`tupling`].
    pub fn run(self) -> Result<TuplingOutcome> {
        let rows = tupling(&self.mechanism, &self.law, &self.dummies, &self.epsilon)?;
        Ok(TuplingOutcome { mechanism: self.mechanism, epsilon: self.epsilon, rows })
    }
}

impl TuplingOutcome {
    /// All that is said of it.
    pub fn facts(&self) -> TuplingFacts {
        let names = self.mechanism.graph().names();
        let row = |row: &Tupled| TupledFacts {
            dummies: row.dummies(),
            value: DeltaEnds::of(row.delta()),
            edge: row.secrets().map(|secret| names.name(secret).to_owned()),
            probabilities: row.delta().probabilities().each_ref().map(ToString::to_string),
        };
        TuplingFacts {
            epsilon: self.epsilon.to_f64(),
            epsilon_text: self.epsilon.to_string(),
            rows: self.rows.iter().map(row).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> std::result::Result<Distribution, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("law.csv");
        std::fs::write(&path, text).unwrap();
        let place = format!("{}: ", path.display());
        let outputs = Categories::new(["no", "yes"]).unwrap();
        read_dummy_law(&path, &outputs).map_err(|error| error.to_string().replace(&place, ""))
    }

    #[test]
    fn rows_may_come_in_any_order_and_are_exact() {
        let law = read("output,probability\nyes,2/3\nno,1/3\n").unwrap();
        assert_eq!(law.probabilities().map(|p| p.to_string()).collect::<Vec<_>>(), ["1/3", "2/3"]);
        assert_eq!(read("probability,output\n1,yes\n0,no\n").unwrap().probability(1).to_string(), "1");
    }

    #[test]
    fn reports_that_no_dummy_ever_is_are_named() {
        let bits = Categories::new(["no", "yes"]).unwrap();
        let mut builder = lookalike::model::SecretGraph::builder(bits.names().clone());
        builder.complete(&"ln(3)".parse().unwrap());
        let problem = lookalike::design::Problem::values(bits, builder.build().unwrap()).unwrap();
        let mechanism = lookalike::design::randomized_response(&problem).unwrap().mechanism;
        let request = |law: [u64; 2]| TuplingRequest {
            mechanism: mechanism.clone(),
            law: Distribution::from_weights(law.map(Into::into).to_vec()).unwrap(),
            dummies: vec![0, 1],
            epsilon: "ln(2)".parse().unwrap(),
        };
        assert_eq!(request([1, 1]).warning(), None);
        let told = request([1, 0]).warning().unwrap().to_string();
        assert_eq!(told, "no dummy is ever \"yes\": such a report tells as much as without dummies");
        let facts = request([1, 1]).run().unwrap().facts();
        let exact: Vec<Option<String>> = facts.rows.into_iter().map(|row| row.value.exact).collect();
        assert_eq!(exact, [Some("1/4".to_owned()), Some("1/8".to_owned())]);
    }

    #[test]
    fn tables_that_are_no_law_of_the_outputs_are_refused() {
        for (text, expected) in [
            ("output,p\nno,1\n", "column 2 is not known, expected output, probability"),
            ("output\nno\n", "column \"probability\" is missing among the 1 of the header"),
            ("output,probability\nno,1\n", "output \"yes\" is missing, expected a row for each"),
            ("output,probability\nno,1/2\nno,1/2\n", "row 2: output \"no\" occurs twice, expected each once"),
            (
                "output,probability\nno,0.3\nyes,0.6\n",
                "the probabilities of dummies sum to 9/10, expected 1 (fractions like 1/3 are exact)",
            ),
            ("output,probability\nno,-1\nyes,2\n", "probability 1 is -1, expected at least 0"),
            (
                "output,probability\nno,half\n",
                "row 1: column \"probability\": not a number, expected a form like 0.25, 1e-3 or 1/3",
            ),
            ("output,probability\nmaybe,1\n", "row 1: column \"output\": not known, expected one of no, yes"),
        ] {
            assert_eq!(read(text).unwrap_err(), expected, "{text}");
        }
    }
}
