//! What stands for a ledger in a build without the feature `ledger`: a charge that nobody can make, so that all who ask for one
//! are told at once that there is none.

use lookalike::Sentence;
use lookalike_formats::Result;
use lookalike_records::{BatchMechanism, NameRecords, RecordSource};
use serde::Serialize;
use std::sync::Arc;

/// The charge of a build that has none: there is no such value.
#[derive(Debug)]
pub enum Charging {}

/// How many rows had which fate.
pub(crate) struct ChargeTotals {
    pub constant: u64,
}

impl ChargeTotals {
    pub fn rows(&self) -> u64 {
        self.constant
    }
}

impl Charging {
    pub(crate) fn around<'m>(
        _: Option<&Arc<Charging>>,
        mechanism: impl BatchMechanism + 'm,
    ) -> Box<dyn BatchMechanism + 'm> {
        Box::new(mechanism)
    }

    pub(crate) fn ids(&self) -> &Charging {
        self
    }

    pub(crate) fn totals(&self) -> ChargeTotals {
        match *self {}
    }
}

impl NameRecords for Charging {
    fn beside(&self, _: &[String]) -> Vec<String> {
        match *self {}
    }

    fn named<'a>(&self, _: Box<dyn RecordSource + 'a>, _: usize, _: bool) -> Box<dyn RecordSource + 'a> {
        match *self {}
    }
}

/// What charging the rows of a release came to: there is no such value.
#[derive(Debug, Clone)]
pub struct ChargeOutcome {
    /// What may be published.
    pub facts: ChargeFacts,
    /// What the owner should know.
    pub warnings: Vec<Sentence>,
    /// What the releases about one subject add up to.
    pub repeated: Option<String>,
}

/// How many rows had which fate: there is no such value.
#[derive(Debug, Clone, Serialize)]
pub enum ChargeFacts {}

impl ChargeOutcome {
    pub(crate) fn of(charging: &Charging) -> Result<ChargeOutcome> {
        match *charging {}
    }
}
