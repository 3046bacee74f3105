//! Noise on a column of numbers.

use crate::draw::{Draw, at_field, released_first};
use crate::records::{Batch, Texts, kept_arrays, type_name};
use crate::{Error, Result};
use arrow_array::types::{Float32Type, Float64Type};
use arrow_array::{Array, ArrayRef, Float64Array, Int64Array, cast::AsArray};
use arrow_cast::cast;
use arrow_schema::{DataType, Field, FieldRef};
use lookalike::certify::Certified;
use lookalike::exact::{Direction, Rational, parse_rational, to_f64};
use lookalike::model::Noise;
use lookalike::sample::{NoiseSampler, RandomKey};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};
use std::sync::Arc;

/// Adds certified noise to the first kept column of the records.
///
/// A double is the number that it stores, and a text, a whole number or a decimal is the number that it spells; both are
/// rounded to the grid exactly. What is released is whole (`Int64`) for a grid of 1 and a column that is not made of
/// floats, and `Float64` otherwise.
pub struct NoiseColumn {
    sampler: NoiseSampler,
    noise: Noise,
    kept: Vec<FieldRef>,
    is_whole: bool,
}

/// Steps beyond are brought here: every one of them is a double.
const MOST_STEPS: i64 = 1 << 53;

impl NoiseColumn {
    /// For records whose kept columns are these, the numbers first.
    ///
    /// # Errors
    /// A first column that cannot hold numbers.
    ///
    /// # Panics
    /// If there is no column.
    pub fn new(certified: &Certified<Noise>, kept: &[FieldRef]) -> Result<Self> {
        let (name, data_type) = (kept[0].name(), plain(kept[0].data_type()));
        let is_text = matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null);
        let is_float = matches!(data_type, DataType::Float32 | DataType::Float64);
        let is_exact = data_type.is_integer() || data_type.is_decimal();
        if !(is_text || is_float || is_exact) {
            let found = type_name(kept[0].data_type());
            return Err(Error::input(format!("column {name:?}: the type is {found}, expected numbers")));
        }
        let noise = certified.mechanism().clone();
        let is_whole = noise.exponent() == 0 && !is_float;
        Ok(NoiseColumn { sampler: NoiseSampler::new(certified), noise, kept: kept.to_vec(), is_whole })
    }

    /// The columns that are written: the noisy numbers under the name that they had, and the other kept ones.
    pub fn fields(&self) -> Vec<FieldRef> {
        let data_type = if self.is_whole { DataType::Int64 } else { DataType::Float64 };
        released_first(Field::new(self.name(), data_type, false), &self.kept[1..])
    }

    fn name(&self) -> &str {
        self.kept[0].name()
    }

    /// Noise on doubles as they are.
    fn reals(&self, key: &RandomKey, first_row: u64, values: &[f64]) -> Result<ArrayRef> {
        if let Some(at) = values.iter().position(|value| !value.is_finite()) {
            return Err(at_field(first_row + at as u64 + 1, self.name(), "not a finite number, expected one"));
        }
        let mut outputs = vec![0.0; values.len()];
        self.sampler.add_reals(key, first_row, values, &mut outputs)?;
        Ok(Arc::new(Float64Array::from(outputs)))
    }

    /// Noise on numbers that are rounded to the grid.
    fn steps(&self, key: &RandomKey, first_row: u64, steps: &[i64]) -> Result<ArrayRef> {
        let mut outputs = vec![0; steps.len()];
        self.sampler.add_steps(key, first_row, steps, &mut outputs)?;
        if self.is_whole {
            return Ok(Arc::new(Int64Array::from(outputs)));
        }
        let grid = to_f64(&self.noise.grid(), Direction::Nearest);
        let real = |steps: i64| steps.clamp(-MOST_STEPS, MOST_STEPS) as f64 * grid;
        Ok(Arc::new(Float64Array::from_iter_values(outputs.into_iter().map(real))))
    }

    /// The numbers of texts, in steps.
    fn parsed(&self, first_row: u64, column: &ArrayRef) -> Result<Vec<i64>> {
        let (texts, mut text) = (Texts::of(column), String::new());
        let step = |row: usize| {
            text.clear();
            let found = texts.append(row, &mut text);
            let message = match (found, text.trim()) {
                (false, _) => "null, expected a number (fill it in or leave the row out)",
                (true, "") => "empty, expected a number (fill it in or leave the row out)",
                (true, text) => match self.step(text) {
                    Some(step) => return Ok(step),
                    None => "not a number, expected one like 12, -0.5 or 1e3",
                },
            };
            Err(at_field(first_row + row as u64 + 1, self.name(), message))
        };
        (0..column.len()).map(step).collect()
    }

    /// A number in steps of the grid, brought within ±2^53 steps, or 64 bits where whole numbers are released.
    fn step(&self, text: &str) -> Option<i64> {
        if self.is_whole
            && let Ok(number) = text.parse()
        {
            return Some(number);
        }
        let number: Rational = parse_rational(text).ok()?;
        let steps: BigInt = self.noise.round(&number);
        let most = if self.is_whole { i64::MAX } else { MOST_STEPS };
        let end = if steps.is_negative() { -most } else { most };
        Some(steps.to_i64().filter(|steps| steps.unsigned_abs() <= most.unsigned_abs()).unwrap_or(end))
    }
}

impl Draw for NoiseColumn {
    fn draw(&self, key: &RandomKey, batch: &mut Batch, _: &mut [u32]) -> Result<()> {
        let mut columns = kept_arrays(batch, &self.kept)?;
        let column = cast(&columns[0], plain(columns[0].data_type()));
        let column = &column.map_err(|_| Error::input(format!("column {:?}: cannot be read", self.name())))?;
        let first_row = batch.first_row;
        let released = match column.data_type() {
            DataType::Float32 | DataType::Float64 if column.null_count() == 0 => {
                let values: Vec<f64> = match column.data_type() {
                    DataType::Float32 => {
                        column.as_primitive::<Float32Type>().values().iter().map(|x| (*x).into()).collect()
                    }
                    _ => column.as_primitive::<Float64Type>().values().to_vec(),
                };
                self.reals(key, first_row, &values)?
            }
            _ => self.steps(key, first_row, &self.parsed(first_row, column)?)?,
        };
        columns[0] = released;
        batch.replace_kept(columns);
        Ok(())
    }
}

/// The type of the entries of a dictionary, or the type itself.
fn plain(data_type: &DataType) -> &DataType {
    match data_type {
        DataType::Dictionary(_, value) => value,
        other => other,
    }
}
