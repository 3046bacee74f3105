//! A table of scores: how good each output is for each input.

use lookalike::exact::{Epsilon, Rational};
use lookalike::model::{Categories, GraphBuilder, SecretGraph};
use lookalike_formats::spec::read_edges_table;
use lookalike_formats::{Error, Result, table};
use lookalike_records::tables;
use std::collections::HashMap;
use std::path::Path;

/// The scores u(x, y) of a table: the first column names the input x, every other column is an output y.
///
/// The table is public: it says how good outputs are for every input that there may be, and not which input there is.
#[derive(Debug, Clone)]
pub struct Scores {
    /// The inputs, in the order of the rows.
    pub inputs: Categories,
    /// The outputs, in the order of the columns.
    pub outputs: Categories,
    /// A row for each input.
    pub scores: Vec<Vec<Rational>>,
}

impl Scores {
    /// Reads a table: CSV, Parquet or Arrow, by the end of its name.
    ///
    /// # Errors
    /// A table that cannot be read, without an output or an input, an input that is empty or comes twice, and a score that
    /// is no number.
    pub fn read(path: &Path) -> Result<Scores> {
        tables::read(path, |table| {
            let outputs: Vec<String> = table.header().iter().skip(1).map(str::to_owned).collect();
            if outputs.is_empty() {
                return Err(Error::input("one column, expected the name of the input and a column for each output"));
            }
            let (mut inputs, mut scores) = (Vec::new(), Vec::new());
            let mut first_rows: HashMap<String, usize> = HashMap::new();
            table.each(|row| {
                // The names of outputs are those of the table, which may be another one than was meant: columns have numbers.
                let score = |(at, text): (usize, &str)| table::number_at(text, at + 1);
                scores.push(row.iter().enumerate().skip(1).map(score).collect::<Result<Vec<Rational>>>()?);
                if let Some(first) = first_rows.insert(row[0].to_owned(), scores.len()) {
                    return Err(Error::input(format!(
                        "column 1: the same as in row {first}, expected each input once"
                    )));
                }
                inputs.push(row[0].to_owned());
                Ok(())
            })?;
            Ok(Scores { inputs: Categories::new(inputs)?, outputs: Categories::new(outputs)?, scores })
        })
    }

    /// The graph over the inputs that a table of edges tells, with columns `a`, `b` and perhaps `epsilon`, as in a spec.
    ///
    /// # Errors
    /// A table that cannot be read, a name that is no input, an input joined with itself, or no edge.
    pub fn edges(&self, path: &Path, epsilon: &Epsilon) -> Result<SecretGraph> {
        let mut builder = self.builder();
        tables::read(path, |table| read_edges_table(table, &mut builder, epsilon))?;
        builder.build().map_err(|error| Error::from(error).in_file(path))
    }

    /// A graph over the inputs that is still empty.
    pub fn builder(&self) -> GraphBuilder {
        SecretGraph::builder(self.inputs.names().clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &tempfile::TempDir, name: &str, text: &str) -> std::path::PathBuf {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    fn read(text: &str) -> std::result::Result<Scores, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = write(&folder, "scores.csv", text);
        let place = format!("{}: ", path.display());
        Scores::read(&path).map_err(|error| error.to_string().replace(&place, ""))
    }

    #[test]
    fn scores_are_exact_and_keep_their_order() {
        let scores = read("who,yes,no\nbo,0.1,-1/3\nana,1e2,0\n").unwrap();
        assert_eq!(scores.inputs.names().iter().collect::<Vec<_>>(), ["bo", "ana"]);
        assert_eq!(scores.outputs.names().iter().collect::<Vec<_>>(), ["yes", "no"]);
        let texts: Vec<String> = scores.scores.iter().flatten().map(ToString::to_string).collect();
        assert_eq!(texts, ["1/10", "-1/3", "100", "0"]);
    }

    #[test]
    fn tables_that_are_no_scores_are_refused() {
        for (text, expected) in [
            ("who\nana\n", "one column, expected the name of the input and a column for each output"),
            ("who,yes\n", "no category, expected at least one"),
            ("who,yes\nana,1\nana,2\n", "row 2: column 1: the same as in row 1, expected each input once"),
            ("who,yes,yes\nana,1,2\n", "columns 2 and 3 have the same name, expected each once"),
            ("who,yes\nana,good\n", "row 1: column 2: not a number, expected a form like 0.25, 1e-3 or 1/3"),
            ("who,no,yes\nana,1,\n", "row 1: column 3: not a number, expected a form like 0.25, 1e-3 or 1/3"),
            ("who,yes\nana\n", "row 1: 1 fields, expected 2 as in the header"),
        ] {
            assert_eq!(read(text).unwrap_err(), expected, "{text}");
        }
    }

    #[test]
    fn edges_name_inputs_and_may_have_a_budget_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let scores = read("who,yes\nana,0\nbo,1\ncleo,1\n").unwrap();
        let edges = |text: &str| scores.edges(&write(&folder, "edges.csv", text), &"1".parse().unwrap());
        let graph = edges("a,b,epsilon\nana,bo,\ncleo,bo,1/2\n").unwrap();
        let found: Vec<String> = graph.edges().iter().map(|edge| edge.epsilon().to_string()).collect();
        assert_eq!((found, graph.pairs()), (vec!["1".to_owned(), "1/2".to_owned()], 2));
        assert!(
            edges("a,b\nana,eve\n")
                .unwrap_err()
                .to_string()
                .contains("row 1: column \"b\": not known, expected one of ana")
        );
        let none = edges("a,b\n").unwrap_err().to_string();
        assert!(none.contains("edges.csv: the graph has no edge"), "{none}");
    }
}
