//! Ordered lists of distinct names.

use crate::error::{Error, Result};
use std::collections::HashMap;
use std::sync::Arc;

/// Distinct, non-empty names in a fixed order, with a fast way from a name to its place.
///
/// Each name is stored once. The order is the caller's; the hash map inside serves look-ups only and never decides an
/// order. Cloning is cheap.
#[derive(Debug, Clone)]
pub struct Names(Arc<Table>);

#[derive(Debug)]
struct Table {
    list: Vec<Arc<str>>,
    places: HashMap<Arc<str>, u32>,
}

impl Names {
    /// The names in the given order. `what` names the kind of thing in errors: "profile", "category".
    ///
    /// # Errors
    /// An empty list, an empty name, a name that occurs twice, or 2^32 names and more.
    ///
    /// # Example
    /// ```
    /// use lookalike_core::model::Names;
    /// let names = Names::new("profile", ["ana", "bo"])?;
    /// assert_eq!(names.place("bo"), Some(1));
    /// assert!(Names::new("profile", ["ana", "ana"]).is_err());
    /// # Ok::<(), lookalike_core::Error>(())
    /// ```
    pub fn new<S: AsRef<str>>(what: &str, names: impl IntoIterator<Item = S>) -> Result<Self> {
        let names = names.into_iter();
        let mut list = Vec::with_capacity(names.size_hint().0);
        let mut places = HashMap::with_capacity(names.size_hint().0);
        for name in names {
            let place =
                u32::try_from(list.len()).map_err(|_| Error::input(format!("more than 2^32 names of a {what}")))?;
            let name: Arc<str> = Arc::from(name.as_ref());
            if name.is_empty() {
                return Err(Error::input(format!("{what} {} has an empty name", place + 1)));
            }
            if let Some(first) = places.insert(name.clone(), place) {
                return Err(Error::input(format!(
                    "{what} {name:?} occurs twice, at places {} and {}",
                    first + 1,
                    place + 1
                )));
            }
            list.push(name);
        }
        if list.is_empty() {
            return Err(Error::input(format!("no {what}, expected at least one")));
        }
        Ok(Names(Arc::new(Table { list, places })))
    }

    /// How many there are; at least one.
    #[allow(clippy::len_without_is_empty, reason = "there is always a name")]
    pub fn len(&self) -> usize {
        self.0.list.len()
    }

    /// The place of a name.
    pub fn place(&self, name: &str) -> Option<u32> {
        self.0.places.get(name).copied()
    }

    /// The name at a place.
    ///
    /// # Panics
    /// If the place is not below [`Names::len`].
    pub fn name(&self, place: u32) -> &str {
        &self.0.list[place as usize]
    }

    /// The names in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.list.iter().map(AsRef::as_ref)
    }
}

impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.list == other.0.list
    }
}

impl Eq for Names {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_lists_are_refused_with_place_and_name() {
        let message = |names: &[&str]| Names::new("category", names).unwrap_err().to_string();
        assert_eq!(message(&[]), "no category, expected at least one");
        assert_eq!(message(&["a", ""]), "category 2 has an empty name");
        assert_eq!(message(&["a", "b", "a"]), "category \"a\" occurs twice, at places 1 and 3");
    }
}
