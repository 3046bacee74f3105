//! Words of randomness that a secret key and the name of a row determine.

use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType};
use arrow_schema::DataType;
use lookalike::model::Mechanism;
use lookalike_formats::{Error, Result, fingerprint};
use lookalike_records::{at_field, type_name};

/// The words of rows that have names, for one mechanism on one column: equal names have equal words, whenever and wherever
/// they are asked for.
///
/// A row that is drawn again, since a machine failed, is so released as the same value.
///
/// # Guarantee
/// BLAKE3 under a secret key is a pseudorandom function. As long as nobody else has the key, words of different names, of
/// different columns and of different mechanisms cannot be told from independent uniform ones: nobody can do so without
/// breaking BLAKE3, while the words of [`RandomKey`](lookalike::sample::RandomKey) rest on ChaCha12 in the same way. So two
/// columns of a row are released independently, whatever their values. It is for the caller to see to it that a name stands
/// for one observation of a column for ever: two values under one name are drawn with the same words, and no theorem covers
/// that. Whoever has the key and the names can undo the noise.
///
/// # The words, version 2
/// k = BLAKE3(key, D), where D is the text `lookalike words 2`, the purpose `release`, the [`fingerprint`], and the columns
/// that are released together: how many, and the name of each. A number is eight bytes, little endian; before each text, and
/// before the fingerprint, its length in bytes stands as a number. So D can be read back, and no two derivations have the same.
/// A row's words are the first 64-bit words, little endian, of BLAKE3(k, name). A name is a byte that says its type and then
/// its content: `i` and 16 bytes, little endian, for a whole number of any width; `t` and UTF-8 for a text; `b` and the bytes
/// for binary. So 1 and "1" are different names, and a column that becomes wider keeps its names.
///
/// Version 1 left out purpose and columns, so that two columns under one mechanism, key and name shared their words, and equal
/// values of a row always came out equal. It is not offered any more. `docs/words.md` has all of it, and an implementation.
///
/// # Example
/// ```
/// use std::sync::Arc;
/// use arrow_array::{ArrayRef, Int32Array, Int64Array};
/// use lookalike::{design, model::{Categories, SecretGraph}};
/// let bits = Categories::new(["no", "yes"])?;
/// let mut builder = SecretGraph::builder(bits.names().clone());
/// builder.complete(&"ln(3)".parse()?);
/// let mechanism = design::randomized_response(&design::Problem::values(bits, builder.build()?)?)?.mechanism;
/// let words = lookalike_engine::RowWords::new(&[7; 32], &mechanism, &["ill"]);
/// let of = |names: ArrayRef| words.of(&names, "id", 0, 1);
/// let (narrow, wide) = (of(Arc::new(Int32Array::from(vec![5, 6])))?, of(Arc::new(Int64Array::from(vec![6, 5])))?);
/// assert_eq!((narrow[0], narrow[1]), (wide[1], wide[0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct RowWords {
    key: [u8; 32],
}

/// What the derivation is, and in which version.
const DOMAIN: &str = "lookalike words 2";
/// What the words are for: to draw what is released. Words for anything else have a purpose of their own.
const PURPOSE: &str = "release";
const INTEGER: u8 = b'i';
const TEXT: u8 = b't';
const BINARY: u8 = b'b';

impl RowWords {
    /// The most words of a row.
    pub const MOST: usize = 4;

    /// The words of the rows of columns that a mechanism releases together, under a secret key of 32 uniform bytes.
    ///
    /// The columns are given by their names: most often one, or several that make a joint category, in their order.
    pub fn new<C: AsRef<str>>(key: &[u8; 32], mechanism: &Mechanism, columns: &[C]) -> Self {
        Self::derived(key, &fingerprint(mechanism), columns)
    }

    fn derived<C: AsRef<str>>(key: &[u8; 32], fingerprint: &[u8; 32], columns: &[C]) -> Self {
        let mut hasher = blake3::Hasher::new_keyed(key);
        let parts: [&[u8]; 3] = [DOMAIN.as_bytes(), PURPOSE.as_bytes(), fingerprint];
        parts.into_iter().for_each(|part| prefixed(&mut hasher, part));
        hasher.update(&(columns.len() as u64).to_le_bytes());
        columns.iter().for_each(|column| prefixed(&mut hasher, column.as_ref().as_bytes()));
        RowWords { key: hasher.finalize().into() }
    }

    /// Whether a column of this type can name rows.
    ///
    /// # Errors
    /// It cannot.
    pub fn check(name: &str, data_type: &DataType) -> Result<()> {
        let is_name = data_type.is_integer()
            || matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
            || matches!(data_type, DataType::Binary | DataType::LargeBinary | DataType::BinaryView);
        if is_name {
            return Ok(());
        }
        let found = type_name(data_type);
        Err(Error::input(format!(
            "column {name:?}: the type is {found}, expected whole numbers, text or binary for the names of rows"
        )))
    }

    /// The words of rows with these names, `words_per_row` for each. The column and its first row are for errors.
    ///
    /// # Errors
    /// A row without a name, or a type that cannot name rows.
    ///
    /// # Panics
    /// More than [`RowWords::MOST`] words a row.
    pub fn of(&self, names: &ArrayRef, column: &str, first_row: u64, words_per_row: usize) -> Result<Vec<u64>> {
        assert!(words_per_row <= Self::MOST, "a hash has {} words", Self::MOST);
        if let Some(row) = names
            .logical_nulls()
            .filter(|nulls| nulls.null_count() > 0)
            .and_then(|nulls| nulls.iter().position(|is_valid| !is_valid))
        {
            let message = "null, expected a name of its own for every row";
            return Err(at_field(first_row + row as u64 + 1, column, message));
        }
        let mut drawn = Drawn { key: &self.key, words_per_row, words: Vec::with_capacity(names.len() * words_per_row) };
        match names.data_type() {
            DataType::Int8 => drawn.integers::<Int8Type>(names),
            DataType::Int16 => drawn.integers::<Int16Type>(names),
            DataType::Int32 => drawn.integers::<Int32Type>(names),
            DataType::Int64 => drawn.integers::<Int64Type>(names),
            DataType::UInt8 => drawn.integers::<UInt8Type>(names),
            DataType::UInt16 => drawn.integers::<UInt16Type>(names),
            DataType::UInt32 => drawn.integers::<UInt32Type>(names),
            DataType::UInt64 => drawn.integers::<UInt64Type>(names),
            DataType::Utf8 => drawn.all(TEXT, names.as_string::<i32>().iter().map(text)),
            DataType::LargeUtf8 => drawn.all(TEXT, names.as_string::<i64>().iter().map(text)),
            DataType::Utf8View => drawn.all(TEXT, names.as_string_view().iter().map(text)),
            DataType::Binary => drawn.all(BINARY, names.as_binary::<i32>().iter()),
            DataType::LargeBinary => drawn.all(BINARY, names.as_binary::<i64>().iter()),
            DataType::BinaryView => drawn.all(BINARY, names.as_binary_view().iter()),
            other => return Self::check(column, other).map(|()| Vec::new()),
        }
        Ok(drawn.words)
    }
}

/// A part behind its length, so that parts cannot run into each other.
fn prefixed(hasher: &mut blake3::Hasher, part: &[u8]) {
    hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
}

fn text(text: Option<&str>) -> Option<&[u8]> {
    text.map(str::as_bytes)
}

/// The words of the rows so far.
struct Drawn<'a> {
    key: &'a [u8; 32],
    words_per_row: usize,
    words: Vec<u64>,
}

impl Drawn<'_> {
    fn integers<T: ArrowPrimitiveType<Native: Into<i128>>>(&mut self, names: &ArrayRef) {
        let mut name = [INTEGER; 17];
        for &number in names.as_primitive::<T>().values() {
            name[1..].copy_from_slice(&Into::<i128>::into(number).to_le_bytes());
            self.draw(&name);
        }
    }

    fn all<'n>(&mut self, tag: u8, names: impl Iterator<Item = Option<&'n [u8]>>) {
        let mut name = vec![tag];
        for content in names.flatten() {
            name.truncate(1);
            name.extend_from_slice(content);
            self.draw(&name);
        }
    }

    fn draw(&mut self, name: &[u8]) {
        let hash = blake3::keyed_hash(self.key, name);
        let words = hash.as_bytes().as_chunks().0.iter().map(|word| u64::from_le_bytes(*word));
        self.words.extend(words.take(self.words_per_row));
    }
}

#[cfg(test)]
#[path = "row_words_tests.rs"]
mod tests;
