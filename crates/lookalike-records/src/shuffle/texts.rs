//! Texts in a random order, for outputs that have no rows and columns.

use std::path::PathBuf;

use lookalike::sample::{RandomKey, RowOrder};

use super::rows::{Rows, stored_texts};
use super::scatter::{Limits, Scatter};
use crate::columns::Batch;
use lookalike_formats::{Error, Result};

/// Texts that come back in a uniformly random order, in bounded memory; see [`Shuffle`](super::Shuffle).
pub struct ShuffledTexts {
    scatter: Scatter,
    batch: Batch,
}

impl ShuffledTexts {
    /// None yet; what does not fit in memory goes to this directory.
    pub fn new(key: &RandomKey, directory: PathBuf) -> Self {
        let mut batch = Batch::default();
        batch.restart(0, 1);
        ShuffledTexts { scatter: Scatter::new(RowOrder::new(key), directory, Limits::default()), batch }
    }

    /// Takes a text.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn push(&mut self, text: &str) -> Result<()> {
        self.batch.keep(text.as_bytes());
        self.batch.values.push(0);
        if self.batch.is_full() { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        self.scatter.push(Rows::new(&self.batch, &self.batch.values)?)?;
        self.batch.restart(0, 1);
        Ok(())
    }

    /// Hands on all texts.
    ///
    /// # Errors
    /// When the disk refuses, and those of `take`.
    pub fn finish(mut self, mut take: impl FnMut(&str) -> Result<()>) -> Result<()> {
        if !self.batch.is_empty() {
            self.flush()?;
        }
        self.scatter.finish(&mut |rows| {
            let mut texts = rows.columns().iter().map(stored_texts).flat_map(|column| column.iter().flatten());
            texts.try_for_each(|text| {
                take(std::str::from_utf8(text).map_err(|_| Error::input("a text that has changed on disk"))?)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_comes_back_once_in_another_order() {
        let mut texts = ShuffledTexts::new(&RandomKey::from_seed(1), std::env::temp_dir());
        let given: Vec<String> = (0..1_000).map(|at| "ä".repeat(at % 5) + &at.to_string()).collect();
        given.iter().for_each(|text| texts.push(text).unwrap());
        let mut found = Vec::new();
        let take = |text: &str| {
            found.push(text.to_owned());
            Ok(())
        };
        texts.finish(take).unwrap();
        assert_ne!(found, given);
        let sorted = |mut texts: Vec<String>| {
            texts.sort();
            texts
        };
        assert_eq!(sorted(found), sorted(given));
    }
}
