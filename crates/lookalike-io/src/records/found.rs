//! Names as they are found.

use super::Encode;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The codes of names that are not known beforehand: the first is 0, the next new one 1, and so on.
///
/// Clones share their names, so that they can be asked for after a reader has used up its encoder.
///
/// # Example
/// ```
/// use lookalike_io::records::{Encode, Found};
/// let found = Found::default();
/// let codes = ["mon", "tue", "mon"].map(|text| found.clone().encode(text));
/// assert_eq!(codes, [Some(0), Some(1), Some(0)]);
/// assert_eq!(found.names(), ["mon", "tue"]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Found(Arc<Mutex<Names>>);

#[derive(Debug, Default)]
struct Names {
    codes: HashMap<Box<str>, u32>,
    in_order: Vec<String>,
}

impl Found {
    /// The names in the order of their codes.
    pub fn names(&self) -> Vec<String> {
        self.with(|names| names.in_order.clone())
    }

    fn with<T>(&self, work: impl FnOnce(&mut Names) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Encode for Found {
    fn encode(&self, text: &str) -> Option<u32> {
        self.with(|names| {
            if let Some(&code) = names.codes.get(text) {
                return Some(code);
            }
            let code = u32::try_from(names.in_order.len()).ok()?;
            names.codes.insert(text.into(), code);
            names.in_order.push(text.to_owned());
            Some(code)
        })
    }

    fn count(&self) -> usize {
        self.with(|names| names.in_order.len())
    }
}
