//! From the text of a field to its code.

use std::collections::HashMap;

use crate::{Error, Result};

/// Turns the text of a profile or of a value into its code.
pub trait Encode {
    /// The code of `text`, or `None` when the text is unknown.
    fn encode(&self, text: &str) -> Option<u32>;

    /// How many codes there are: they are `0..count`.
    fn count(&self) -> usize;
}

/// An encoder that can go to another thread.
pub type Encoder = Box<dyn Encode + Send + Sync>;

/// The codes of a list of names: the position of a name in the list.
///
/// Names match byte by byte: `7` is neither `07` nor `7.0`.
///
/// # Example
/// ```
/// use lookalike_io::records::{Encode, Labels};
/// let labels = Labels::new(["idle".to_string(), "7".to_string()])?;
/// assert_eq!((labels.encode("7"), labels.encode("07"), labels.count()), (Some(1), None, 2));
/// # Ok::<(), lookalike_io::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Labels {
    codes: HashMap<Box<str>, u32>,
}

impl Labels {
    /// The codes of `names`, in their order.
    ///
    /// # Errors
    /// When a name occurs twice, or there are more than a code can tell apart.
    pub fn new(names: impl IntoIterator<Item = String>) -> Result<Self> {
        let mut codes = HashMap::new();
        for (index, name) in names.into_iter().enumerate() {
            let code = u32::try_from(index).map_err(|_| Error::input("more than 4294967296 names"))?;
            if codes.insert(name.clone().into_boxed_str(), code).is_some() {
                return Err(Error::input(format!("name {name:?} occurs twice, expected once")));
            }
        }
        Ok(Labels { codes })
    }
}

impl Encode for Labels {
    fn encode(&self, text: &str) -> Option<u32> {
        self.codes.get(text).copied()
    }

    fn count(&self) -> usize {
        self.codes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(names: &[&str]) -> Result<Labels> {
        Labels::new(names.iter().map(ToString::to_string))
    }

    #[test]
    fn a_name_has_the_code_of_its_position() {
        let labels = labels(&["idle", "busy", "é"]).unwrap();
        assert_eq!(["idle", "busy", "é", "Idle", "idle ", ""].map(|name| labels.encode(name)), {
            [Some(0), Some(1), Some(2), None, None, None]
        });
        assert_eq!(labels.count(), 3);
    }

    #[test]
    fn a_repeated_name_is_refused() {
        assert_eq!(labels(&["a", "b", "a"]).unwrap_err().to_string(), "name \"a\" occurs twice, expected once");
    }
}
