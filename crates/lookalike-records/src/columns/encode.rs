//! From the text of a field to its code.

use std::{
    collections::HashMap,
    hash::{BuildHasher, Hasher, RandomState},
};

use lookalike::{Sentence, exact::Rational};
use lookalike_formats::{Error, Result};

/// Turns the text of a profile or of a value into its code.
pub trait Encode {
    /// The code of `text`, or `None` when the text is unknown.
    fn encode(&self, text: &str) -> Option<u32>;

    /// How many codes there are: they are `0..count`.
    fn count(&self) -> usize;

    /// Whether every text that is not empty gets a code.
    fn grows(&self) -> bool {
        false
    }

    /// Whether every text that has a code is such a text, as far as the encoder can tell.
    fn all(&self, _is_such: &dyn Fn(&str) -> bool) -> bool {
        false
    }

    /// What follows the word that a text is unknown: what can be done about it, in brackets after a blank.
    fn hint(&self) -> Sentence {
        Sentence::new().hint(Sentence::new().option("unknown").taking("CATEGORY").text(" maps such values"))
    }

    /// What can be done about a missing value, in the same manner.
    fn way_out_of_missing(&self) -> &'static str {
        ""
    }

    /// The lower edges of the bins when the texts are numbers: then the code is decided by the number alone.
    fn edges(&self) -> Option<&[Rational]> {
        None
    }
}

/// An encoder that can go to another thread.
pub type Encoder = Box<dyn Encode + Send + Sync>;

/// The codes of a list of names: the position of a name in the list.
///
/// Names match byte by byte: `7` is neither `07` nor `7.0`.
///
/// # Example
/// ```
/// use lookalike_records::{Encode, Labels};
/// let labels = Labels::new(["idle".to_string(), "7".to_string()])?;
/// assert_eq!((labels.encode("7"), labels.encode("07"), labels.count()), (Some(1), None, 2));
/// # Ok::<(), lookalike_formats::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Labels {
    codes: HashMap<Box<str>, u32, ShortText>,
}

impl Labels {
    /// The codes of `names`, in their order.
    ///
    /// # Errors
    /// When a name occurs twice, or there are more than a code can tell apart.
    pub fn new(names: impl IntoIterator<Item = String>) -> Result<Self> {
        let mut codes = HashMap::with_hasher(ShortText::default());
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

    fn all(&self, is_such: &dyn Fn(&str) -> bool) -> bool {
        !self.codes.is_empty() && self.codes.keys().all(|text| is_such(text))
    }
}

/// Hashes short texts in about a quarter of the time of the standard hasher, on which a whole run would wait.
///
/// The seed is random, so that nobody can choose names that collide.
#[derive(Debug, Clone)]
pub(crate) struct ShortText {
    seed: u64,
}

impl Default for ShortText {
    fn default() -> Self {
        ShortText { seed: RandomState::new().hash_one(0) }
    }
}

impl BuildHasher for ShortText {
    type Hasher = Folded;

    fn build_hasher(&self) -> Folded {
        Folded(self.seed)
    }
}

/// Mixes by multiplying to twice the width and folding the halves together, as wyhash does.
pub(crate) struct Folded(u64);

impl Folded {
    #[inline]
    fn mix(&mut self, word: u64) {
        // Any odd number with mixed bits will do; this is 2^64 divided by the golden ratio.
        let product = u128::from(self.0 ^ word) * 0x9e37_79b9_7f4a_7c15;
        self.0 = (product as u64) ^ ((product >> 64) as u64);
    }
}

impl Hasher for Folded {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.mix(bytes.len() as u64);
        let (words, rest) = bytes.as_chunks();
        for word in words {
            self.mix(u64::from_le_bytes(*word));
        }
        // The last word of a longer text overlaps the one before, which is quicker than byte by byte.
        match (bytes.last_chunk(), rest.first_chunk(), rest.last_chunk()) {
            (Some(last), _, _) => self.mix(u64::from_le_bytes(*last)),
            (_, Some(first), Some(last)) => {
                self.mix(u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last)));
            }
            _ => self.mix(rest.iter().fold(0, |word, &byte| word << 8 | u64::from(byte))),
        }
    }

    /// Texts end with a byte of this kind, which tells a caller of `write` nothing that their length did not.
    #[inline]
    fn write_u8(&mut self, _: u8) {}

    #[inline]
    fn finish(&self) -> u64 {
        self.0
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
    fn ten_thousand_similar_names_are_told_apart() {
        for prefix in ["", "u", "user", "user-of-a-long-name-"] {
            let names: Vec<_> = (0..10_000).map(|number| format!("{prefix}{number}")).collect();
            let labels = Labels::new(names.clone()).unwrap();
            assert!(names.iter().zip(0..).all(|(name, code)| labels.encode(name) == Some(code)));
        }
    }

    #[test]
    fn hashes_of_similar_names_spread_over_their_high_and_low_bits() {
        let state = ShortText::default();
        for prefix in ["", "user", "user-of-a-long-name-"] {
            let hashes: Vec<_> = (0..4096).map(|number| state.hash_one(format!("{prefix}{number}").as_str())).collect();
            for bits in [|hash: u64| hash >> 52, |hash: u64| hash & 4095] {
                let places: std::collections::HashSet<_> = hashes.iter().map(|&hash| bits(hash)).collect();
                // 4096 balls in 4096 urns leave 63 % of them filled, 2589 with a standard deviation below 21.
                assert!(places.len() > 2589 - 250, "{prefix:?}: {}", places.len());
            }
        }
    }

    #[test]
    fn a_repeated_name_is_refused() {
        assert_eq!(labels(&["a", "b", "a"]).unwrap_err().to_string(), "name \"a\" occurs twice, expected once");
    }
}
