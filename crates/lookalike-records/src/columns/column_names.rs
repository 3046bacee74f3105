//! The names of the columns of a file, and what may be said of them.

use lookalike::Sentence;
use lookalike_formats::{Error, is_like};

/// The names of the columns of a file, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnNames {
    /// All of them.
    pub names: Vec<String>,
    /// Whether they are the first record of a CSV file, which may be data taken for names by mistake.
    pub are_record: bool,
}

/// The most names that an error shows.
const MOST_SHOWN: usize = 30;

impl ColumnNames {
    /// The error for a column that is not there.
    pub(crate) fn missing(&self, wanted: &str) -> Error {
        if !self.are_record {
            return Error::input(Sentence::from(format!("column {wanted:?}: not found; ")).then(self.told()));
        }
        let like = self.names.iter().position(|name| is_like(name, wanted));
        let like = like.map_or(String::new(), |at| format!("; column {} has a name like it", at + 1));
        let columns = if self.names.len() == 1 { "one column" } else { &format!("{} columns", self.names.len()) };
        let found = format!("column {wanted:?}: not found among the {columns} of the first record{like}");
        Error::input(found).hint(self.way_out())
    }

    /// What the columns are, in words. The first record of a CSV file is not shown, whatever it looks like: without a header
    /// it is somebody's.
    pub fn told(&self) -> Sentence {
        let count = self.names.len();
        if self.are_record {
            let fields = if count == 1 { "one field".to_owned() } else { format!("{count} fields") };
            return Sentence::from(format!("the first record has {fields}")).hint(self.way_out());
        }
        let mut names: Vec<String> = self.names.iter().take(MOST_SHOWN).map(|name| format!("{name:?}")).collect();
        if names.len() < count {
            names.push(format!("and {} more", count - names.len()));
        }
        format!("the columns are {}", names.join(", ")).into()
    }

    fn way_out(&self) -> Sentence {
        let columns =
            |which: &str| Sentence::new().option("columns").text(format!(" names {which} of a file without a header"));
        match self.names.len() {
            1 => Sentence::new().option("delimiter").text(" says what separates columns, ").then(columns("those")),
            _ => columns("the columns"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str], are_record: bool) -> ColumnNames {
        ColumnNames { names: names.iter().map(ToString::to_string).collect(), are_record }
    }

    #[test]
    fn a_first_record_is_never_shown() {
        for record in [&["MARKER", "load", "310"][..], &["load", "MARKER"], &["user", "lod", "MARKER"], &["MARKER"]] {
            let found = names(record, true);
            for message in
                [found.missing("user").to_string(), found.missing("road").to_string(), found.told().to_string()]
            {
                assert!(!message.contains("MARKER") && !message.contains("310"), "{message}");
            }
        }
        let way_out = "`columns` names the columns of a file without a header";
        assert_eq!(
            names(&["usr", "MARKER"], true).missing("user").to_string(),
            format!(
                "column \"user\": not found among the 2 columns of the first record; column 1 has a name like it ({way_out})"
            )
        );
        let delimiter = names(&["a;b"], true).missing("a").to_string();
        assert!(delimiter.contains("the one column of the first record (`delimiter` says"), "{delimiter}");
    }

    #[test]
    fn names_of_a_schema_are_shown_and_cut_where_they_are_many() {
        let few = names(&["id", "load"], false).missing("day").to_string();
        assert_eq!(few, "column \"day\": not found; the columns are \"id\", \"load\"");
        let many: Vec<String> = (0..40).map(|at| at.to_string()).collect();
        let many = ColumnNames { names: many, are_record: false };
        assert!(many.told().to_string().ends_with("\"29\", and 10 more"));
    }
}
