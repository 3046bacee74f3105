//! From Arrow arrays to codes.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, RecordBatch, UInt64Array, cast::AsArray, types::*};
use arrow_schema::DataType;
use arrow_select::take::take;

use super::array_bins::Thresholds;
use super::array_text::Texts;
use super::array_types::{check, is_text};
use super::array_views::Views;
use crate::columns::Coding;
use lookalike_formats::{Error, Result};

/// Codes above all codes of names: what a row has instead of one.
const NULL: u32 = u32::MAX;
const EMPTY: u32 = u32::MAX - 1;
const UNKNOWN: u32 = u32::MAX - 2;
const NOT_FINITE: u32 = u32::MAX - 3;
const LEAST_MARK: u32 = NOT_FINITE;
/// What an entry of a dictionary has that no row has asked for.
const NOT_LOOKED_UP: u32 = u32::MAX - 4;
/// Dictionaries up to this size are looked up as a whole.
const SMALL: usize = 1 << 12;

/// Thresholds of the type that a column has; none for texts, and without bins.
enum Bins {
    None,
    Singles(Thresholds<f32>),
    Doubles(Thresholds<f64>),
    Scaled(Thresholds<i128>),
}

impl Bins {
    fn new(data_type: Option<&DataType>, coding: &Coding) -> Self {
        match (data_type, coding.encoder.edges()) {
            (Some(DataType::Dictionary(_, value)), _) => Bins::new(Some(value), coding),
            (Some(DataType::Float32), Some(edges)) => Bins::Singles(Thresholds::shortest_decimals(edges)),
            (Some(DataType::Float64), Some(edges)) => Bins::Doubles(Thresholds::shortest_decimals(edges)),
            (Some(data_type), Some(edges)) if !is_text(data_type) => {
                Bins::Scaled(Thresholds::scaled(edges, scale(data_type)))
            }
            _ => Bins::None,
        }
    }
}

/// A column that is read as codes, or several as one joint code.
///
/// Names match by canonical text (`7`, `true`); with bins numbers are compared as numbers. A dictionary is looked up
/// once for each of its entries, a large one only for those that rows have; a small integer once, others once for each that
/// differs from the last one of its place in a table.
pub(crate) struct ArrayCoder {
    /// Names with their positions in a record batch.
    columns: Vec<(String, usize)>,
    coding: Coding,
    /// How numbers go into bins, by the type of the column.
    bins: Bins,
    integers: Option<IntegerCodes>,
    views: Views,
    /// The last dictionary and the codes or marks of its entries.
    dictionary: Option<(ArrayRef, Vec<u32>)>,
}

impl ArrayCoder {
    /// A coder of these columns (name, position, type).
    ///
    /// # Errors
    /// A type that cannot be matched with names, or not be put into bins.
    pub fn new(columns: Vec<(String, usize, &DataType)>, coding: Coding) -> Result<Self> {
        let bins = coding.encoder.edges().is_some();
        for (name, _, data_type) in &columns {
            check(data_type, bins, columns.len() > 1)
                .map_err(|error| Error::input(format!("column {name:?}: {error}")))?;
        }
        let bins = Bins::new(columns.first().map(|(.., data_type)| *data_type), &coding);
        let columns = columns.into_iter().map(|(name, position, _)| (name, position)).collect();
        Ok(ArrayCoder { columns, coding, bins, integers: None, views: Views::default(), dictionary: None })
    }

    /// Appends the code of every row; the first is row `first_row` of the file, counted from 0.
    ///
    /// # Errors
    /// The first row without a code, by row and column.
    pub fn append(&mut self, records: &RecordBatch, first_row: u64, codes: &mut Vec<u32>) -> Result<()> {
        let start = codes.len();
        match &self.columns[..] {
            [(_, position)] => {
                let array = records.column(*position).clone();
                self.marks(&array, codes);
            }
            _ => self.joint(records, first_row, codes)?,
        }
        self.check(&codes[start..], first_row)
    }

    /// Appends the code of every number of a column; see [`ArrayCoder::append`].
    ///
    /// # Errors
    /// The first row without a code, by row and column.
    pub fn append_integers(&mut self, columns: &[Integers<'_>], first_row: u64, codes: &mut Vec<u32>) -> Result<()> {
        let start = codes.len();
        match columns[self.columns[0].1] {
            Integers::Int8(numbers) => self.numbers(numbers, codes),
            Integers::Int16(numbers) => self.numbers(numbers, codes),
            Integers::Int32(numbers) => self.numbers(numbers, codes),
            Integers::Int64(numbers) => self.numbers(numbers, codes),
            Integers::UInt8(numbers) => self.numbers(numbers, codes),
            Integers::UInt16(numbers) => self.numbers(numbers, codes),
            Integers::UInt32(numbers) => self.numbers(numbers, codes),
            Integers::UInt64(numbers) => self.numbers(numbers, codes),
        }
        self.check(&codes[start..], first_row)
    }

    /// Whether several columns make one code.
    pub fn is_joint(&self) -> bool {
        self.columns.len() > 1
    }

    fn check(&self, new: &[u32], first_row: u64) -> Result<()> {
        // All at once first: that is a pass without a branch.
        if !new.iter().fold(false, |marked, &code| marked | (code >= LEAST_MARK)) {
            return Ok(());
        }
        let at = new.iter().position(|&code| code >= LEAST_MARK).unwrap_or(0);
        Err(self.refusal(new[at], first_row + at as u64 + 1))
    }

    #[cold]
    fn refusal(&self, mark: u32, row: u64) -> Error {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| name.as_str()).collect();
        match mark {
            NULL => self.coding.missing(row, names[0], "null"),
            EMPTY => self.coding.missing(row, names[0], "empty"),
            NOT_FINITE => Error::input(format!("row {row}, column {:?}: not a finite number", names[0])),
            _ => self.coding.not_known(row, &names),
        }
    }

    /// The code of a text, or why there is none.
    #[inline]
    fn mark(&self, text: &str) -> u32 {
        self.coding.encoder.encode(text).unwrap_or_else(|| if text.is_empty() { EMPTY } else { self.unknown() })
    }

    fn unknown(&self) -> u32 {
        self.coding.unknown.unwrap_or(UNKNOWN)
    }

    fn marks(&mut self, array: &ArrayRef, codes: &mut Vec<u32>) {
        let start = codes.len();
        let array = &**array;
        match array.data_type() {
            DataType::Dictionary(key, _) => self.dictionary(key, array, codes),
            DataType::Null => codes.resize(start + array.len(), NULL),
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
                let mut views = std::mem::take(&mut self.views);
                let mark = |text: &str| self.mark(text);
                match array.data_type() {
                    DataType::Utf8 => views.append_texts(array.as_string::<i32>(), codes, mark),
                    DataType::LargeUtf8 => views.append_texts(array.as_string::<i64>(), codes, mark),
                    _ => views.append(array.as_string_view(), codes, mark),
                }
                self.views = views;
            }
            DataType::Boolean => {
                let [no, yes] = ["false", "true"].map(|text| self.mark(text));
                codes.extend(array.as_boolean().values().iter().map(|value| if value { yes } else { no }));
            }
            DataType::Float32 => self.floats::<Float32Type>(array, codes),
            DataType::Float64 => self.floats::<Float64Type>(array, codes),
            DataType::Int8 => self.numbers(array.as_primitive::<Int8Type>().values(), codes),
            DataType::Int16 => self.numbers(array.as_primitive::<Int16Type>().values(), codes),
            DataType::Int32 => self.numbers(array.as_primitive::<Int32Type>().values(), codes),
            DataType::Int64 => self.numbers(array.as_primitive::<Int64Type>().values(), codes),
            DataType::UInt8 => self.numbers(array.as_primitive::<UInt8Type>().values(), codes),
            DataType::UInt16 => self.numbers(array.as_primitive::<UInt16Type>().values(), codes),
            DataType::UInt32 => self.numbers(array.as_primitive::<UInt32Type>().values(), codes),
            DataType::UInt64 => self.numbers(array.as_primitive::<UInt64Type>().values(), codes),
            DataType::Decimal32(..) => self.numbers(array.as_primitive::<Decimal32Type>().values(), codes),
            DataType::Decimal64(..) => self.numbers(array.as_primitive::<Decimal64Type>().values(), codes),
            DataType::Decimal128(..) => self.numbers(array.as_primitive::<Decimal128Type>().values(), codes),
            // The types were checked when the file was opened.
            _ => codes.resize(start + array.len(), UNKNOWN),
        }
        if let Some(nulls) = array.nulls().filter(|nulls| nulls.null_count() > 0) {
            let new = codes[start..].iter_mut().zip(nulls.iter());
            new.filter(|(_, valid)| !valid).for_each(|(code, _)| *code = NULL);
        }
    }

    fn floats<T: ArrowPrimitiveType<Native: Into<f64>>>(&self, array: &dyn Array, codes: &mut Vec<u32>) {
        let unknown = self.unknown();
        let numbers = array.as_primitive::<T>().values().iter().map(|&number| Into::<f64>::into(number));
        codes.extend(numbers.map(|number| {
            let bin = match &self.bins {
                // Every single is a double, and this one came from a single.
                Bins::Singles(thresholds) => thresholds.bin(number as f32),
                Bins::Doubles(thresholds) => thresholds.bin(number),
                _ => None,
            };
            if number.is_finite() { bin.unwrap_or(unknown) } else { NOT_FINITE }
        }));
    }

    fn numbers<T: Copy + Into<i128> + std::fmt::Display>(&mut self, numbers: &[T], codes: &mut Vec<u32>) {
        if let Bins::Scaled(thresholds) = &self.bins {
            let unknown = self.unknown();
            codes.extend(numbers.iter().map(|&number| thresholds.bin(number.into()).unwrap_or(unknown)));
            return;
        }
        let (start, integers) = (codes.len(), self.integers.take());
        let mut integers = integers.unwrap_or_else(|| IntegerCodes::new(|number| self.mark(&number.to_string())));
        // Whole numbers of 64 bits and less, of one type: the low 64 bits tell them apart.
        let bits = |number: &T| Into::<i128>::into(*number) as u64;
        integers.append_known(numbers.iter().map(bits), codes);
        let new = &mut codes[start..];
        if new.iter().fold(false, |missing, &code| missing | (code == NOT_LOOKED_UP)) {
            let missing = new.iter_mut().zip(numbers).filter(|(code, _)| **code == NOT_LOOKED_UP);
            missing.for_each(|(code, number)| {
                *code = integers.code(bits(number), || self.mark(&number.to_string()));
            });
        }
        self.integers = Some(integers);
    }

    fn dictionary(&mut self, key: &DataType, array: &dyn Array, codes: &mut Vec<u32>) {
        let values = array.as_any_dictionary().values();
        let known = self.dictionary.take().filter(|(known, _)| Arc::ptr_eq(known, values));
        let mut table = match known {
            Some((_, table)) => table,
            None if values.len() <= SMALL => {
                let mut table = Vec::with_capacity(values.len());
                self.marks(values, &mut table);
                table
            }
            None => vec![NOT_LOOKED_UP; values.len()],
        };
        if values.len() > SMALL {
            self.look_up(array, &mut table);
        }
        match key {
            DataType::Int8 => keyed::<Int8Type>(array, &table, codes),
            DataType::Int16 => keyed::<Int16Type>(array, &table, codes),
            DataType::Int32 => keyed::<Int32Type>(array, &table, codes),
            DataType::Int64 => keyed::<Int64Type>(array, &table, codes),
            DataType::UInt8 => keyed::<UInt8Type>(array, &table, codes),
            DataType::UInt16 => keyed::<UInt16Type>(array, &table, codes),
            DataType::UInt32 => keyed::<UInt32Type>(array, &table, codes),
            _ => keyed::<UInt64Type>(array, &table, codes),
        }
        self.dictionary = Some((values.clone(), table));
    }

    /// Looks up the entries that the rows of an array have and no row had before.
    fn look_up(&mut self, array: &dyn Array, table: &mut [u32]) {
        let dictionary = array.as_any_dictionary();
        let mut new = Vec::new();
        for (row, place) in dictionary.normalized_keys().into_iter().enumerate() {
            if table[place] == NOT_LOOKED_UP && dictionary.keys().is_valid(row) {
                table[place] = UNKNOWN;
                new.push(place as u64);
            }
        }
        if new.is_empty() {
            return;
        }
        let entries =
            take(dictionary.values(), &UInt64Array::from(new.clone()), None).expect("keys are within the entries");
        let mut marks = Vec::with_capacity(new.len());
        self.marks(&entries, &mut marks);
        new.into_iter().zip(marks).for_each(|(place, mark)| table[place as usize] = mark);
    }

    /// Codes of several columns together, by their texts joined with `|`.
    fn joint(&self, records: &RecordBatch, first_row: u64, codes: &mut Vec<u32>) -> Result<()> {
        let texts: Vec<_> = self.columns.iter().map(|(_, position)| Texts::of(records.column(*position))).collect();
        let mut joint = String::new();
        for row in 0..records.num_rows() {
            joint.clear();
            for (texts, (name, _)) in texts.iter().zip(&self.columns) {
                let before = joint.len();
                let found = if texts.append(row, &mut joint) { "empty" } else { "null" };
                if joint.len() == before {
                    return Err(self.coding.missing(first_row + row as u64 + 1, name, found));
                }
                joint.push('|');
            }
            joint.pop();
            codes.push(self.mark(&joint));
        }
        Ok(())
    }
}

/// How many decimals of a number are behind the point.
fn scale(data_type: &DataType) -> i8 {
    match data_type {
        DataType::Decimal32(_, scale) | DataType::Decimal64(_, scale) | DataType::Decimal128(_, scale) => *scale,
        _ => 0,
    }
}

fn keyed<K: ArrowDictionaryKeyType>(array: &dyn Array, table: &[u32], codes: &mut Vec<u32>) {
    use arrow_buffer::ArrowNativeType;
    let keys = array.as_dictionary::<K>().keys().values().iter();
    // The key of a null row may be anything; the row is marked afterwards.
    codes.extend(keys.map(|key| table.get(key.as_usize()).copied().unwrap_or(NULL)));
}

/// The numbers of a column in memory.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)]
pub enum Integers<'a> {
    Int8(&'a [i8]),
    Int16(&'a [i16]),
    Int32(&'a [i32]),
    Int64(&'a [i64]),
    UInt8(&'a [u8]),
    UInt16(&'a [u16]),
    UInt32(&'a [u32]),
    UInt64(&'a [u64]),
}

/// The codes of integers that were seen.
struct IntegerCodes {
    /// So many of the first ones are their own codes.
    own: u64,
    /// The codes of the first few, which are those that people number their categories with.
    small: Vec<u32>,
    /// The last of the others with their codes, one for each place.
    last: Vec<(u64, u32)>,
}

impl IntegerCodes {
    const PLACES: u64 = 4096;

    fn new(code: impl Fn(u64) -> u32) -> Self {
        let own = (0..Self::PLACES).take_while(|&number| u64::from(code(number)) == number).count() as u64;
        // The last place is that of all that are not small.
        IntegerCodes { own, small: vec![NOT_LOOKED_UP; Self::PLACES as usize + 1], last: Vec::new() }
    }

    /// The codes of numbers as far as they are known, [`NOT_LOOKED_UP`] for others.
    fn append_known(&self, numbers: impl Iterator<Item = u64>, codes: &mut Vec<u32>) {
        if self.own > 0 {
            let own = self.own;
            codes.extend(numbers.map(|bits| if bits < own { bits as u32 } else { NOT_LOOKED_UP }));
            return;
        }
        let small: &[u32; Self::PLACES as usize + 1] = (&self.small[..]).try_into().expect("its length");
        codes.extend(numbers.map(|bits| small[bits.min(Self::PLACES) as usize]));
    }

    #[inline]
    fn code(&mut self, bits: u64, look_up: impl FnOnce() -> u32) -> u32 {
        if bits < Self::PLACES {
            let code = &mut self.small[bits as usize];
            if *code == NOT_LOOKED_UP {
                *code = look_up();
            }
            return *code;
        }
        if self.last.is_empty() {
            // No number has the place of its own complement, so these match nothing.
            self.last.extend((0..Self::PLACES).map(|place| (!place, 0)));
        }
        let slot = &mut self.last[(bits % Self::PLACES) as usize];
        if slot.0 != bits {
            *slot = (bits, look_up());
        }
        slot.1
    }
}

#[cfg(test)]
#[path = "array_codes_tests.rs"]
mod tests;
