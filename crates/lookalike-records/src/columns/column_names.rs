//! The names of the columns of a file, and what may be said of them.

use lookalike::Sentence;
use lookalike_formats::{Error, is_like};

/// The names of the columns of a file, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnNames {
    /// All of them.
    pub names: Vec<String>,
    /// Where they come from, which says whether they may be shown.
    pub are: NamesOf,
}

/// Where the names of columns come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamesOf {
    /// A schema, or whoever asks.
    Schema,
    /// The first record of a CSV file, which may be data taken for names by mistake.
    Record,
    /// The keys of the first record of a file, which may be data as well.
    Keys,
}

/// The most names that an error shows.
const MOST_SHOWN: usize = 30;

impl ColumnNames {
    /// The error for a column that is not there.
    pub(crate) fn missing(&self, wanted: &str) -> Error {
        if self.are == NamesOf::Schema {
            return Error::input(Sentence::from(format!("column {wanted:?}: not found; ")).then(self.told()));
        }
        let like = self.names.iter().position(|name| is_like(name, wanted));
        if self.are == NamesOf::Keys {
            let like = like.map_or(String::new(), |at| format!("; key {} is like it", at + 1));
            return Error::input(format!(
                "column {wanted:?}: not found among the {} of the first record{like}",
                self.keys()
            ));
        }
        let like = like.map_or(String::new(), |at| format!("; column {} has a name like it", at + 1));
        let columns = if self.names.len() == 1 { "one column" } else { &format!("{} columns", self.names.len()) };
        let found = format!("column {wanted:?}: not found among the {columns} of the first record{like}");
        Error::input(found).hint(self.hint())
    }

    /// What the columns are, in words. The first record of a CSV file is not shown, whatever it looks like: without a header
    /// it is somebody's.
    pub fn told(&self) -> Sentence {
        let count = self.names.len();
        if self.are == NamesOf::Keys {
            return format!("the first record has {}", self.keys()).into();
        }
        if self.are == NamesOf::Record {
            let fields = if count == 1 { "one field".to_owned() } else { format!("{count} fields") };
            return Sentence::from(format!("the first record has {fields}")).hint(self.hint());
        }
        let mut names: Vec<String> = self.names.iter().take(MOST_SHOWN).map(|name| format!("{name:?}")).collect();
        if names.len() < count {
            names.push(format!("and {} more", count - names.len()));
        }
        format!("the columns are {}", names.join(", ")).into()
    }

    fn keys(&self) -> String {
        if self.names.len() == 1 { "one key".to_owned() } else { format!("{} keys", self.names.len()) }
    }

    fn hint(&self) -> Sentence {
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

    fn names(names: &[&str], are: NamesOf) -> ColumnNames {
        ColumnNames { names: names.iter().map(ToString::to_string).collect(), are }
    }

    #[test]
    fn a_first_record_is_never_shown() {
        for record in [&["MARKER", "load", "310"][..], &["load", "MARKER"], &["user", "lod", "MARKER"], &["MARKER"]] {
            let (found, keys) = (names(record, NamesOf::Record), names(record, NamesOf::Keys));
            for message in [keys.missing("user").to_string(), keys.missing("road").to_string(), keys.told().to_string()]
            {
                assert!(!message.contains("MARKER") && !message.contains("columns"), "{message}");
            }
            for message in
                [found.missing("user").to_string(), found.missing("road").to_string(), found.told().to_string()]
            {
                assert!(!message.contains("MARKER") && !message.contains("310"), "{message}");
            }
        }
        let hint = "`columns` names the columns of a file without a header";
        assert_eq!(
            names(&["usr", "MARKER"], NamesOf::Record).missing("user").to_string(),
            format!(
                "column \"user\": not found among the 2 columns of the first record; column 1 has a name like it ({hint})"
            )
        );
        assert_eq!(
            names(&["MARKER", "usr"], NamesOf::Keys).missing("user").to_string(),
            "column \"user\": not found among the 2 keys of the first record; key 2 is like it"
        );
        let delimiter = names(&["a;b"], NamesOf::Record).missing("a").to_string();
        assert!(delimiter.contains("the one column of the first record (`delimiter` says"), "{delimiter}");
    }

    #[test]
    fn names_of_a_schema_are_shown_and_cut_where_they_are_many() {
        let few = names(&["id", "load"], NamesOf::Schema).missing("day").to_string();
        assert_eq!(few, "column \"day\": not found; the columns are \"id\", \"load\"");
        let many: Vec<String> = (0..40).map(|at| at.to_string()).collect();
        let many = ColumnNames { names: many, are: NamesOf::Schema };
        assert!(many.told().to_string().ends_with("\"29\", and 10 more"));
    }
}
