//! Sequences of states in records.

use lookalike::Sentence;
use lookalike::exact::Rational;
use lookalike::model::Categories;
use lookalike_formats::Result;
use lookalike_records::{Batch, Encode, Encoder, RecordSource, category_encoder};

/// The states of a chain as they stand in a column. Another text is an error, since no chain says how it comes about.
pub struct StateEncoder(Encoder);

impl StateEncoder {
    /// For these states: names, or bins of a number.
    ///
    /// # Errors
    /// None for categories.
    pub fn new(states: &Categories) -> Result<Self> {
        Ok(StateEncoder(category_encoder(states)?))
    }
}

impl Encode for StateEncoder {
    fn encode(&self, text: &str) -> Option<u32> {
        self.0.encode(text)
    }

    fn count(&self) -> usize {
        self.0.count()
    }

    fn hint(&self) -> Sentence {
        " that the chain has as states (give the chain a state for it, or put another state in its place; leaving the \
          row out would make neighbours of moments that are none)"
            .into()
    }

    fn way_out_of_missing(&self) -> &'static str {
        " (a moment without a state: fill it in, or give the chain a state for moments that are missing; a new sequence \
         after it would be hidden as if it had nothing to do with this one)"
    }

    fn edges(&self) -> Option<&[Rational]> {
        self.0.edges()
    }
}

/// The sequences of states in records, in the order in which they begin.
///
/// The source has the states as values. Where it has profiles, these name the sequence of a row: all rows of one name, in
/// their order, are one sequence, wherever they stand. Two parts of a sequence that were taken for two would be hidden
/// as if they had nothing to do with one another.
///
/// # Errors
/// Those of the source.
pub fn read_sequences(source: &mut dyn RecordSource, progress: &mut dyn FnMut(u64)) -> Result<Vec<Vec<u32>>> {
    let mut sequences: Vec<Vec<u32>> = Vec::new();
    let (mut batch, mut order) = (Batch::default(), Vec::new());
    while source.read_batch(&mut batch)? {
        for (row, &state) in batch.values.iter().enumerate() {
            let name = batch.profiles.get(row).map_or(0, |&name| name as usize);
            if sequences.len() <= name {
                sequences.resize(name + 1, Vec::new());
            }
            if sequences[name].is_empty() {
                order.push(name);
            }
            sequences[name].push(state);
        }
        progress(source.bytes_read());
    }
    Ok(order.into_iter().map(|name| std::mem::take(&mut sequences[name])).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_formats::records::{Columns, CsvOptions};
    use lookalike_records::{CsvSource, GrowingLabels};

    fn read(text: &'static str, sequence: Option<&str>) -> Result<Vec<Vec<u32>>> {
        let columns = Columns { profile: sequence.map(str::to_owned), values: vec!["state".into()], keep: Vec::new() };
        let names: Option<Encoder> = sequence.map(|_| Box::new(GrowingLabels::default()) as Encoder);
        let states: Encoder = Box::new(StateEncoder::new(&Categories::new(["idle", "walk"])?)?);
        let input = Box::new(text.as_bytes());
        let mut source = CsvSource::open(input, &CsvOptions::default(), &columns, names, Some(states), None)?;
        read_sequences(&mut source, &mut |_| {})
    }

    #[test]
    fn rows_of_one_name_are_one_sequence_wherever_they_stand() {
        let text = "who,state\nbo,idle\nana,walk\nbo,walk\nana,walk\nbo,idle\n";
        assert_eq!(read(text, Some("who")).unwrap(), [vec![0, 1, 0], vec![1, 1]]);
        assert_eq!(read(text, None).unwrap(), [[0, 1, 1, 1, 0]]);
        assert!(read("who,state\n", Some("who")).unwrap().is_empty());
    }

    #[test]
    fn a_state_that_is_none_is_named_by_its_row() {
        let error = read("state\nidle\nSECRETMARKER\n", None).unwrap_err().to_string();
        let start = "row 2, column \"state\": not one of the 2 categories that the chain has as states";
        assert!(error.starts_with(start) && !error.contains("SECRET"), "{error}");
        assert!(read("state\nidle\n\nwalk\n", None).is_err(), "an empty line is a moment without a state");
        let error = read("who,state\nbo,\n", None).unwrap_err().to_string();
        assert!(
            error.contains("row 1, column \"state\": empty") && error.contains("a state for moments that are missing"),
            "{error}"
        );
    }
}
