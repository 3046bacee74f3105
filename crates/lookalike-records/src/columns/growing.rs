//! Names that are found in the data.

use super::encode::{Encode, ShortText};
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// The codes of names that nobody listed: a text that was not seen before gets the next code.
///
/// A clone shares the names, so that one can encode while another is asked for what was found. A text may have a code
/// and yet no record: a column of Arrow or Parquet looks up its whole dictionary.
///
/// # Example
/// ```
/// use lookalike_records::{Encode, GrowingLabels};
/// let labels = GrowingLabels::default();
/// assert_eq!(["bo", "ana", "bo", ""].map(|name| labels.encode(name)), [Some(0), Some(1), Some(0), None]);
/// assert_eq!(labels.names(), ["bo", "ana"]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct GrowingLabels(Arc<RwLock<HashMap<Box<str>, u32, ShortText>>>);

/// Codes end well below those that arrays use as marks.
const MOST: usize = 1 << 31;

impl GrowingLabels {
    /// The same; the empty text is a name as well, the first one.
    pub fn with_empty() -> Self {
        let labels = GrowingLabels::default();
        labels.0.write().unwrap_or_else(PoisonError::into_inner).insert("".into(), 0);
        labels
    }

    /// The names by their codes.
    pub fn names(&self) -> Vec<String> {
        let codes = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let mut names = vec![String::new(); codes.len()];
        codes.iter().for_each(|(name, &code)| names[code as usize] = name.to_string());
        names
    }
}

impl Encode for GrowingLabels {
    fn encode(&self, text: &str) -> Option<u32> {
        if let Some(&code) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(text) {
            return Some(code);
        }
        let mut codes = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let next = codes.len();
        (!text.is_empty() && next < MOST).then(|| *codes.entry(text.into()).or_insert(next as u32))
    }

    fn count(&self) -> usize {
        self.0.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn grows(&self) -> bool {
        true
    }
}
