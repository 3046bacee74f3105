//! Reports among dummies: the law of the dummies from a file, and the table of δ for machines.

use lookalike::exact::{Direction, Epsilon, Rational, to_f64};
use lookalike::local::Tupled;
use lookalike::model::{Categories, Distribution, Mechanism};
use lookalike_formats::{Error, Result, table};
use lookalike_records::tables;
use num_traits::One;
use serde_json::{Value, json};
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

/// `epsilon`, `epsilon_text` and `rows`: for each number of `dummies` the ends between which δ lies, δ as a fraction where
/// it is one, the `edge` that needs it, and the `probabilities` a and b with which it is a − b·e^ε.
pub fn tupling_json(mechanism: &Mechanism, epsilon: &Epsilon, rows: &[Tupled]) -> Value {
    let names = mechanism.graph().names();
    let row = |row: &Tupled| {
        let enclosure = row.delta().enclosure();
        json!({
            "dummies": row.dummies(),
            "lower": to_f64(&enclosure.lower().to_rational(), Direction::Down),
            "upper": to_f64(&enclosure.upper().to_rational(), Direction::Up),
            "exact": row.delta().exact().map(|delta| delta.to_string()),
            "edge": row.secrets().map(|secret| names.name(secret)),
            "probabilities": row.delta().probabilities().each_ref().map(ToString::to_string),
        })
    };
    json!({
        "epsilon": epsilon.to_f64(),
        "epsilon_text": epsilon.to_string(),
        "rows": rows.iter().map(row).collect::<Vec<_>>(),
    })
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
