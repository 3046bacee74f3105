//! The budgets of a file.

use crate::error::{Error, Result};
use crate::text::{Fields, Tree};
use lookalike::exact::Epsilon;
use std::collections::HashMap;

/// The longest text of an ε: what is written to a mechanism file must be read back by the number parser.
const LONGEST_TEXT: usize = 1_000;

/// Reads ε, each text once: a file may name millions of edges, and those with equal texts then share one value.
#[derive(Default)]
pub(crate) struct Budgets {
    known: HashMap<String, Epsilon>,
    most: Option<Epsilon>,
}

impl Budgets {
    /// Reads larger ε as `most`.
    pub(crate) fn at_most(most: Epsilon) -> Self {
        Budgets { known: HashMap::new(), most: Some(most) }
    }

    /// The ε under the key `epsilon`, if it is there.
    pub(crate) fn of(&mut self, fields: &Fields<'_>) -> Result<Option<Epsilon>> {
        fields.get("epsilon").map(|tree| self.read(tree)).transpose()
    }

    /// The ε of a number or a text.
    pub(crate) fn read(&mut self, tree: &Tree) -> Result<Epsilon> {
        self.parse(tree.number_text().map_err(|error| error.at("epsilon"))?)
    }

    /// The ε of a text.
    pub(crate) fn parse(&mut self, text: &str) -> Result<Epsilon> {
        if let Some(known) = self.known.get(text) {
            return Ok(known.clone());
        }
        let mut epsilon: Epsilon = text.parse().map_err(|error: lookalike::Error| {
            // Most of these messages begin with ε themselves.
            let named = error.to_string().starts_with("epsilon");
            if named { Error::from(error) } else { Error::from(error).at("epsilon") }
        })?;
        let length = epsilon.to_string().len();
        if length > LONGEST_TEXT {
            return Err(Error::input(format!("epsilon has {length} characters, expected at most {LONGEST_TEXT}")));
        }
        if let Some(most) = self.most.as_ref().filter(|most| **most < epsilon) {
            epsilon = most.clone();
        }
        self.known.insert(text.to_owned(), epsilon.clone());
        Ok(epsilon)
    }
}
