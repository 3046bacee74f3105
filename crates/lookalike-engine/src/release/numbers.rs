//! Noise on a column of numbers.

use super::Charging;
use super::grid_steps::GridSteps;
use super::named_draw::NamedDraw;
use super::oracle_column::released_first;
use super::promise::ReleasePromise;
use super::releasable::{Drawn, Reading, Releasable, Way};
use arrow_array::types::{Float32Type, Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, Float64Array, Int64Array, cast::AsArray};
use arrow_cast::cast;
use arrow_schema::{DataType, Field, FieldRef};
use lookalike::Sentence;
use lookalike::certify::Certified;
use lookalike::model::Noise;
use lookalike::sample::{NoiseSampler, RandomKey};
use lookalike_formats::records::Columns;
use lookalike_formats::{Error, Result};
#[cfg(feature = "ledger")]
use lookalike_ledger::{LedgerAnswer, ValueFreeDraw};
use lookalike_records::{Batch, BatchMechanism, Texts, at_field, kept_arrays, type_name};
use std::sync::Arc;

/// The tables of certified noise, which take a while to make, with the grid that numbers are rounded to.
#[derive(Debug, Clone)]
pub struct NoiseTables {
    sampler: NoiseSampler,
    grid: GridSteps,
    exponent: i32,
}

/// A number that noise was added to: whole on a grid of 1 where it came as a whole number.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs)]
pub enum NoisyNumber {
    Whole(i64),
    Real(f64),
}

impl NoiseTables {
    /// The tables of this noise.
    pub fn new(certified: &Certified<Noise>) -> Self {
        let (noise, sampler) = (certified.mechanism(), NoiseSampler::new(certified));
        NoiseTables { sampler, grid: GridSteps::new(noise), exponent: noise.exponent() }
    }

    /// A whole number with the noise of a key's first row: what [`NoiseColumn`] releases for it in the first row of a column.
    ///
    /// # Errors
    /// None.
    pub fn whole(&self, key: &RandomKey, number: i64) -> Result<NoisyNumber> {
        let mut steps = [0];
        self.sampler.add_steps(key, 0, &[self.grid.of_whole(number.into())], &mut steps)?;
        let is_whole = self.exponent == 0;
        Ok(if is_whole { NoisyNumber::Whole(steps[0]) } else { NoisyNumber::Real(self.grid.real(steps[0])) })
    }

    /// The same for a double, which is the number that it stores.
    ///
    /// # Errors
    /// What is not finite; the error does not show it.
    pub fn real(&self, key: &RandomKey, number: f64) -> Result<NoisyNumber> {
        let mut released = [0.0];
        self.sampler.add_reals(key, 0, &[number], &mut released)?;
        Ok(NoisyNumber::Real(released[0]))
    }
}

/// Certified noise, to release a column of numbers with.
pub struct Numbers<'a> {
    certified: &'a Certified<Noise>,
    tables: Option<Arc<NoiseTables>>,
}

impl<'a> Numbers<'a> {
    /// With tables of its own.
    pub fn new(certified: &'a Certified<Noise>) -> Self {
        Numbers { certified, tables: None }
    }

    /// With the tables of this noise that were made before, since making them takes long.
    pub fn with_tables(certified: &'a Certified<Noise>, tables: Arc<NoiseTables>) -> Self {
        Numbers { certified, tables: Some(tables) }
    }
}

impl Releasable for Numbers<'_> {
    fn reading(&self, columns: &Columns, unknown: Option<&str>) -> Result<Reading> {
        let option = |name| Sentence::new().option(name);
        if let Some(unknown) = unknown {
            let error = Error::input("noise takes any number and has no categories");
            return Err(error.at_option(option("unknown").word(unknown)));
        }
        match columns.values.len() {
            1 => Ok(Reading::AsTheyAre),
            _ => {
                let error = Error::input("noise takes one column of numbers");
                Err(error.at_option(option("value").word(columns.values.join(","))))
            }
        }
    }

    fn drawn<'a>(self: Box<Self>, way: Way<'_>) -> Result<Drawn<'a>>
    where
        Self: 'a,
    {
        let kept = &way.schema.kept;
        let column = match self.tables {
            Some(tables) => NoiseColumn::of_tables(tables, kept),
            None => NoiseColumn::new(self.certified, kept),
        };
        let column = column.map_err(|error| way.named(error))?;
        let kept = column.fields();
        let mechanism = Charging::around(way.charging, NamedDraw { mechanism: column, path: way.path });
        Ok(Drawn { mechanism, labels: Vec::new(), kept })
    }

    fn promise<'a>(&self) -> Option<ReleasePromise<'a>>
    where
        Self: 'a,
    {
        Some(ReleasePromise::of(self.certified.mechanism()))
    }
}

/// Adds certified noise to the first kept column of the records.
///
/// A double is the number that it stores, and a text, a whole number or a decimal is the number that it spells; both are
/// rounded to the grid exactly. What is released is whole (`Int64`) for a grid of 1 and a column that is not made of
/// floats, and `Float64` otherwise.
pub struct NoiseColumn {
    tables: Arc<NoiseTables>,
    kept: Vec<FieldRef>,
    is_whole: bool,
}

impl NoiseColumn {
    /// For records whose kept columns are these, the numbers first.
    ///
    /// # Errors
    /// A first column that cannot hold numbers.
    ///
    /// # Panics
    /// If there is no column.
    pub fn new(certified: &Certified<Noise>, kept: &[FieldRef]) -> Result<Self> {
        check_numbers(&kept[0])?;
        NoiseColumn::of_tables(Arc::new(NoiseTables::new(certified)), kept)
    }

    /// The same with tables that were made before.
    ///
    /// # Errors
    /// A first column that cannot hold numbers.
    ///
    /// # Panics
    /// If there is no column.
    pub fn of_tables(tables: Arc<NoiseTables>, kept: &[FieldRef]) -> Result<Self> {
        check_numbers(&kept[0])?;
        let is_float = plain(kept[0].data_type()).is_floating();
        let is_whole = tables.exponent == 0 && !is_float;
        Ok(NoiseColumn { tables, kept: kept.to_vec(), is_whole })
    }

    /// The columns that are written: the noisy numbers under the name that they had, and the other kept ones.
    pub fn fields(&self) -> Vec<FieldRef> {
        let data_type = if self.is_whole { DataType::Int64 } else { DataType::Float64 };
        released_first(Field::new(self.name(), data_type, false), &self.kept[1..])
    }

    fn name(&self) -> &str {
        self.kept[0].name()
    }

    /// The numbers with noise, and a key of each number, as [`order_key`] has it.
    fn released(&self, key: &RandomKey, first_row: u64, column: &ArrayRef) -> Result<(ArrayRef, Vec<u32>)> {
        let whole = |value: i128| self.tables.grid.of_whole(value);
        let steps: Vec<i64> = match column.data_type() {
            // A missing number has no place among numbers: the texts find it and say where.
            _ if column.null_count() > 0 => self.parsed(first_row, column)?,
            DataType::Float32 => {
                let values = column.as_primitive::<Float32Type>().values().iter();
                return self.reals(key, first_row, &values.map(|&value| value.into()).collect::<Vec<_>>());
            }
            DataType::Float64 => return self.reals(key, first_row, column.as_primitive::<Float64Type>().values()),
            DataType::UInt64 => {
                column.as_primitive::<UInt64Type>().values().iter().map(|&value| whole(value.into())).collect()
            }
            integer if integer.is_integer() => {
                let column = self.cast(column, &DataType::Int64)?;
                column.as_primitive::<Int64Type>().values().iter().map(|&value| whole(value.into())).collect()
            }
            _ => self.parsed(first_row, column)?,
        };
        self.steps(key, first_row, &steps)
    }

    fn cast(&self, column: &ArrayRef, data_type: &DataType) -> Result<ArrayRef> {
        cast(column, data_type).map_err(|_| Error::input(format!("column {:?}: cannot be read", self.name())))
    }

    /// Noise on doubles as they are.
    fn reals(&self, key: &RandomKey, first_row: u64, values: &[f64]) -> Result<(ArrayRef, Vec<u32>)> {
        if let Some(at) = values.iter().position(|value| !value.is_finite()) {
            return Err(at_field(first_row + at as u64 + 1, self.name(), "not a finite number, expected one"));
        }
        let mut outputs = vec![0.0; values.len()];
        self.tables.sampler.add_reals(key, first_row, values, &mut outputs)?;
        Ok((Arc::new(Float64Array::from(outputs)), values.iter().copied().map(order_key).collect()))
    }

    /// Noise on numbers that are rounded to the grid.
    fn steps(&self, key: &RandomKey, first_row: u64, steps: &[i64]) -> Result<(ArrayRef, Vec<u32>)> {
        let mut outputs = vec![0; steps.len()];
        self.tables.sampler.add_steps(key, first_row, steps, &mut outputs)?;
        let keys = steps.iter().map(|&step| order_key(step as f64)).collect();
        if self.is_whole {
            return Ok((Arc::new(Int64Array::from(outputs)), keys));
        }
        let reals = outputs.into_iter().map(|steps| self.tables.grid.real(steps));
        Ok((Arc::new(Float64Array::from_iter_values(reals)), keys))
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
                (true, text) => match self.tables.grid.of_text(text) {
                    Some(step) => return Ok(step),
                    None => "not a number, expected one like 12, -0.5 or 1e3",
                },
            };
            Err(at_field(first_row + row as u64 + 1, self.name(), message))
        };
        (0..column.len()).map(step).collect()
    }
}

impl BatchMechanism for NoiseColumn {
    fn draw(&self, key: &RandomKey, batch: &mut Batch, _: &mut Vec<u32>) -> Result<()> {
        let columns = kept_arrays(batch, &self.kept[..1])?;
        let column = self.cast(&columns[0], plain(columns[0].data_type()))?;
        // Numbers have no codes. These stand in their place, so that whether rows are sorted is looked at for all kinds.
        let (released, keys) = self.released(key, batch.first_row, &column)?;
        batch.values = keys;
        batch.draw_first(vec![released], 1);
        Ok(())
    }
}

#[cfg(feature = "ledger")]
impl ValueFreeDraw for NoiseColumn {
    fn codes(&self) -> Option<u32> {
        None
    }

    /// 0 with noise.
    fn stand_in(&self, key: &RandomKey, row: u64) -> Result<LedgerAnswer> {
        let mut steps = [0];
        // Words of its own: the row has been drawn with those of the key, and what was drawn is thrown away.
        self.tables.sampler.add_steps(&key.for_stand_ins(), row, &[0], &mut steps)?;
        let real = || self.tables.grid.real(steps[0]).to_string();
        Ok(LedgerAnswer::Text(if self.is_whole { steps[0].to_string() } else { real() }))
    }
}

/// A code for a number: larger for larger ones, and the same for those that a float of 32 bits does not tell apart.
pub(crate) fn order_key(number: f64) -> u32 {
    let bits = (number as f32).to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

/// Refuses a column that cannot hold numbers.
pub(crate) fn check_numbers(field: &Field) -> Result<()> {
    let data_type = plain(field.data_type());
    let is_text = matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null);
    let is_float = matches!(data_type, DataType::Float32 | DataType::Float64);
    if is_text || is_float || data_type.is_integer() || data_type.is_decimal() {
        return Ok(());
    }
    let (name, found) = (field.name(), type_name(field.data_type()));
    Err(Error::input(format!(
        "column {name:?}: the type is {found}, expected whole numbers, decimals, floats of 32 or 64 bits, or text"
    )))
}

/// The type of the entries of a dictionary, or the type itself.
pub(crate) fn plain(data_type: &DataType) -> &DataType {
    match data_type {
        DataType::Dictionary(_, value) => value,
        other => other,
    }
}

#[cfg(test)]
#[path = "numbers_tests.rs"]
mod tests;
