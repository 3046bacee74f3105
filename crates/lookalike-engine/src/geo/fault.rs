//! What is wrong with a place, without the place.

use lookalike_formats::Error;

/// A place that cannot be released.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    /// Which place of a batch.
    pub at: usize,
    /// Which of its numbers.
    pub part: Part,
    /// What was found and expected.
    pub message: String,
}

/// The numbers of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Latitude,
    Longitude,
    Both,
    /// The fault is about no place.
    None,
}

impl Fault {
    /// The same with what may be behind it.
    pub fn with_hint(mut self, hint: Option<String>) -> Self {
        if let Some(hint) = hint {
            // What the library asks in general is answered.
            let found = self.message.split("are latitude and longitude exchanged").next().unwrap_or_default();
            self.message = format!("{} ({hint})", found.trim_end_matches([' ', ';', ':']));
        }
        self
    }

    /// The error about a place in two columns of a row, counted from 1.
    pub fn in_row(self, first_row: u64, [latitude, longitude]: [&str; 2]) -> Error {
        let row = first_row + self.at as u64 + 1;
        let column = match self.part {
            Part::Latitude => format!("column {latitude:?}"),
            Part::Longitude => format!("column {longitude:?}"),
            Part::Both => format!("columns {latitude:?} and {longitude:?}"),
            Part::None => return Error::input(self.message),
        };
        Error::input(format!("row {row}, {column}: {}", self.message))
    }

    /// The error about a position of a feature.
    pub fn in_feature(self, feature: u64, position: u64) -> Error {
        let part = match self.part {
            Part::Latitude => "latitude, the second number: ",
            Part::Longitude => "longitude, the first number: ",
            Part::Both => "",
            Part::None => return Error::input(self.message),
        };
        Error::input(format!("feature {feature}, position {position}: {part}{}", self.message))
    }
}
