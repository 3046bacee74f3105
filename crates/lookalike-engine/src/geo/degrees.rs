//! Columns of degrees.

use crate::release::plain;
use arrow_array::types::{Float32Type, Float64Type};
use arrow_array::{Array, ArrayRef, cast::AsArray};
use arrow_cast::cast;
use arrow_schema::DataType;
use lookalike::exact::{Direction, parse_rational, to_f64};
use lookalike_formats::{Error, Result};
use lookalike_records::{Texts, at_field};

/// The numbers of a column that begins at a row: floats and whole numbers as they are, and texts and decimals as the
/// nearest doubles to what they spell.
///
/// # Errors
/// What is missing or no number, by row and column.
pub(super) fn degrees(first_row: u64, name: &str, column: &ArrayRef) -> Result<Vec<f64>> {
    let cannot_read = |_| Error::input(format!("column {name:?}: cannot be read"));
    let column = &cast(column, plain(column.data_type())).map_err(cannot_read)?;
    match column.data_type() {
        // A missing number has no place among numbers: the texts find it and say where.
        _ if column.null_count() > 0 => spelled(first_row, name, column),
        DataType::Float32 => {
            Ok(column.as_primitive::<Float32Type>().values().iter().map(|&value| value.into()).collect())
        }
        DataType::Float64 => Ok(column.as_primitive::<Float64Type>().values().to_vec()),
        integer if integer.is_integer() => {
            let column = cast(column, &DataType::Float64).map_err(cannot_read)?;
            Ok(column.as_primitive::<Float64Type>().values().to_vec())
        }
        _ => spelled(first_row, name, column),
    }
}

fn spelled(first_row: u64, name: &str, column: &ArrayRef) -> Result<Vec<f64>> {
    let (texts, mut text) = (Texts::of(column), String::new());
    let number = |row: usize| {
        text.clear();
        let message = match texts.append(row, &mut text) {
            false => "null, expected degrees (fill them in or leave the row out)",
            true if text.trim().is_empty() => "empty, expected degrees (fill them in or leave the row out)",
            true => match parse_degrees(text.trim()) {
                Some(degrees) => return Ok(degrees),
                None => wrong_form(&text),
            },
        };
        Err(at_field(first_row + row as u64 + 1, name, message))
    };
    (0..column.len()).map(number).collect()
}

/// The double nearest to the number that a text spells, in the forms of [`parse_rational`].
fn parse_degrees(text: &str) -> Option<f64> {
    let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    let number = match is_decimal {
        // The same number, and much faster.
        true => text.parse().ok()?,
        false => to_f64(&parse_rational(text).ok()?, Direction::Nearest),
    };
    Some(number).filter(|number: &f64| number.is_finite())
}

fn wrong_form(text: &str) -> &'static str {
    let has_letters = text.contains(['°', '\'', '"', '′', '″', 'N', 'S', 'E', 'W']);
    match text {
        _ if has_letters && text.contains(|character: char| character.is_ascii_digit()) => {
            "not a number, expected decimal degrees like -33.8688 (degrees, minutes and seconds are not read: convert them)"
        }
        _ if parse_degrees(&text.trim().replacen(',', ".", 1)).is_some() => {
            "not a number, expected degrees like 52.5163 with a decimal point, not a comma"
        }
        _ => "not a number, expected degrees like 52.5163",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::types::Int8Type;
    use arrow_array::*;
    use proptest::prelude::*;
    use std::sync::Arc;

    #[test]
    fn every_type_of_number_is_read() {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(Float64Array::from(vec![13.0, -7.5])),
            Arc::new(Float32Array::from(vec![13.0, -7.5])),
            Arc::new(StringArray::from(vec![" 13 ", "-7.5"])),
            Arc::new(StringViewArray::from(vec!["1.3e1", "-15/2"])),
            Arc::new(Decimal128Array::from(vec![130, -75]).with_precision_and_scale(5, 1).unwrap()),
            Arc::new(["13", "-7.50"].into_iter().collect::<DictionaryArray<Int8Type>>()),
        ];
        for column in columns {
            assert_eq!(degrees(0, "lat", &column).unwrap(), [13.0, -7.5], "{:?}", column.data_type());
        }
        let whole: ArrayRef = Arc::new(Int64Array::from(vec![525_200_080, -3]));
        assert_eq!(degrees(0, "lat", &whole).unwrap(), [525_200_080.0, -3.0]);
    }

    #[test]
    fn what_is_no_number_is_named_by_row_and_column_only() {
        let error = |column: ArrayRef| degrees(10, "lat", &column).unwrap_err().to_string();
        let null = "row 12, column \"lat\": null, expected degrees (fill them in or leave the row out)";
        assert_eq!(error(Arc::new(Float64Array::from(vec![Some(77.7), None]))), null);
        assert_eq!(error(Arc::new(StringArray::from(vec![Some("77.7"), None]))), null);
        let text = |text: &str| error(Arc::new(StringArray::from(vec!["1", text])));
        assert!(text(" ").starts_with("row 12, column \"lat\": empty, expected degrees"));
        for wrong in ["77°31'N", "77 31 12 N", "S33.77"] {
            assert!(text(wrong).contains("(degrees, minutes and seconds are not read"), "{wrong}");
        }
        assert!(text("77,5163").ends_with("not a comma"));
        for wrong in ["nan", "NaN", "inf", "seventy", "1e400", "77,51,63", "0x77"] {
            assert!(
                text(wrong).contains("not a number, expected d") && !text(wrong).contains(wrong),
                "{}",
                text(wrong)
            );
        }
    }

    proptest! {
        #[test]
        fn decimals_are_the_nearest_doubles(mantissa in any::<i64>(), decimals in 0u32..25) {
            let text = format!("{mantissa}e-{decimals}");
            let exact = to_f64(&parse_rational(&text).unwrap(), Direction::Nearest);
            prop_assert_eq!(parse_degrees(&text), Some(exact));
        }

        #[test]
        fn the_fast_reader_reads_what_the_number_parser_reads(text in "[-+]?[0-9]{0,3}[.]?[0-9]{0,3}([eE][-+]?[0-9]{0,2})?") {
            let exact = parse_rational(&text).ok().map(|number| to_f64(&number, Direction::Nearest));
            prop_assert_eq!(parse_degrees(&text), exact, "{}", text);
        }
    }
}
