//! What every kind of mechanism says of its releases, and [`ReleaseRequest`](super::ReleaseRequest) asks of it.

use super::Charging;
use super::channels::unknown_code;
use super::promise::ReleasePromise;
use arrow_schema::FieldRef;
use lookalike_formats::records::Columns;
use lookalike_formats::{Error, Result};
use lookalike_records::{BatchMechanism, ColumnNames, Encoder, RecordSchema, at_input};
use std::path::PathBuf;
use std::sync::Arc;

/// A certified mechanism that records are released through.
pub trait Releasable: Send {
    /// How the columns are read.
    ///
    /// # Errors
    /// Columns, or a category for unknown values, that the mechanism has no use for.
    fn reading(&self, columns: &Columns, unknown: Option<&str>) -> Result<Reading>;

    /// What is drawn for records that were read so, under this name.
    ///
    /// # Errors
    /// Columns of a type that the mechanism cannot take, and a ledger where none keeps account of it.
    fn drawn<'a>(self: Box<Self>, way: Way<'_>) -> Result<Drawn<'a>>
    where
        Self: 'a;

    /// What is promised; nothing is said here of places, whose promise is for each metre.
    fn promise<'a>(&self) -> Option<ReleasePromise<'a>>
    where
        Self: 'a;
}

/// How columns become what a mechanism takes.
pub enum Reading {
    /// The columns of values together are a category, and a profile may be one too.
    Codes {
        /// The codes of profiles, where these have channels of their own.
        profile: Option<Encoder>,
        /// The codes of values.
        value: Encoder,
        /// The code that takes the place of unknown values.
        unknown: Option<u32>,
    },
    /// The columns of values as they are, in front of those that are kept.
    AsTheyAre,
    /// The same for columns that are found among those of a file.
    Chosen(Choose),
}

/// Chooses columns among those of a file.
pub type Choose = Box<dyn FnMut(&ColumnNames) -> Result<Vec<String>> + Send>;

impl Reading {
    /// Categories without profiles, with the name of the one that takes the place of unknown values.
    ///
    /// # Errors
    /// A name that is none of the categories.
    pub(crate) fn values(categories: &lookalike::model::Categories, unknown: Option<&str>) -> Result<Reading> {
        let unknown = unknown_code(unknown, categories)?;
        Ok(Reading::Codes { profile: None, value: lookalike_records::category_encoder(categories)?, unknown })
    }

    /// The columns that are read.
    pub(super) fn columns(&self, asked: &Columns) -> Columns {
        match self {
            Reading::Codes { .. } => asked.clone(),
            Reading::AsTheyAre => {
                let keep = asked.values.iter().chain(&asked.keep).cloned().collect();
                Columns { profile: asked.profile.clone(), values: Vec::new(), keep }
            }
            Reading::Chosen(_) => Columns { keep: asked.keep.clone(), ..Columns::default() },
        }
    }
}

/// What a mechanism meets on its way through the records.
pub struct Way<'w> {
    /// The records as they were read.
    pub schema: &'w RecordSchema,
    /// The name of what is released.
    pub name: String,
    /// The ledger that its rows are charged to.
    pub charging: Option<&'w Arc<Charging>>,
    /// The file that errors about fields name.
    pub path: Option<PathBuf>,
}

impl Way<'_> {
    /// Names the file in front of an error about its columns.
    pub fn named(&self, error: Error) -> Error {
        match &self.path {
            Some(path) => at_input(error, path),
            None => error,
        }
    }
}

/// What is drawn for records, and how it is written.
pub struct Drawn<'a> {
    /// What draws, and charges where there is a ledger.
    pub mechanism: Box<dyn BatchMechanism + 'a>,
    /// What each code is called in the output; none where the mechanism draws whole columns.
    pub labels: Vec<String>,
    /// The columns that are written beside the codes, or instead of them.
    pub kept: Vec<FieldRef>,
}
