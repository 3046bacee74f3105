//! Tests of [`super::NoiseColumn`].

use super::*;

#[test]
fn keys_are_in_the_order_of_the_numbers() {
    let numbers = [f64::MIN, -2.5, -1e-9, 0.0, 1e-9, 0.5, 3.0, 1e12];
    assert!(numbers.windows(2).all(|pair| order_key(pair[0]) < order_key(pair[1])));
}
use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::*;
use lookalike::certify::certify;
use lookalike::exact::{Rational, parse_rational};

/// Noise at epsilon 1 and sensitivity 1 on a grid of 2^exponent.
fn certified(exponent: i32) -> Certified<Noise> {
    certify(Noise::for_epsilon("1".parse().unwrap(), parse_rational("1").unwrap(), exponent).unwrap()).unwrap()
}

/// What is released for a column that begins at row 10 of the run.
fn released(exponent: i32, column: ArrayRef) -> Result<ArrayRef> {
    let field = Arc::new(Field::new("x", column.data_type().clone(), true));
    let noise = NoiseColumn::new(&certified(exponent), &[field])?;
    let mut batch = Batch::default();
    (batch.first_row, batch.values) = (10, vec![0; column.len()]);
    batch.replace_kept(vec![column]);
    noise.draw(&RandomKey::from_seed(7), &mut batch, &mut Vec::new())?;
    assert_eq!(batch.arrays()[0].data_type(), noise.fields()[0].data_type(), "the schema says what is written");
    Ok(batch.arrays()[0].clone())
}

/// What the library releases for numbers in the same rows, as fractions.
fn expected(exponent: i32, values: &[&str]) -> Vec<Rational> {
    let (certified, mut outputs) = (certified(exponent), vec![0; values.len()]);
    let steps: Vec<i64> = values
        .iter()
        .map(|text| i64::try_from(certified.mechanism().round(&parse_rational(text).unwrap())).unwrap())
        .collect();
    NoiseSampler::new(&certified).add_steps(&RandomKey::from_seed(7), 10, &steps, &mut outputs).unwrap();
    outputs.iter().map(|&steps| Rational::from_integer(steps.into()) * certified.mechanism().grid()).collect()
}

fn fractions(column: &ArrayRef) -> Vec<Rational> {
    match column.data_type() {
        DataType::Int64 => {
            column.as_primitive::<Int64Type>().values().iter().map(|&n| Rational::from_integer(n.into())).collect()
        }
        _ => column.as_primitive::<Float64Type>().values().iter().map(|&x| Rational::from_float(x).unwrap()).collect(),
    }
}

#[test]
fn every_type_of_number_has_the_noise_of_its_row_on_its_own_value() {
    let dictionary: DictionaryArray<Int8Type> = ["3", "-7", "3"].into_iter().collect();
    let keys = Int32Array::from(vec![1, 0, 1]);
    let of_numbers = DictionaryArray::<Int32Type>::new(keys, Arc::new(Int16Array::from(vec![-7, 3])));
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Int8Array::from(vec![3, -7, 3])),
        Arc::new(Int64Array::from(vec![3, -7, 3])),
        Arc::new(StringArray::from(vec!["3", " -7 ", "3.0"])),
        Arc::new(LargeStringArray::from(vec!["3", "-7e0", "+3"])),
        Arc::new(StringViewArray::from(vec!["6/2", "-7", "3"])),
        Arc::new(Decimal128Array::from(vec![300, -700, 300]).with_precision_and_scale(5, 2).unwrap()),
        Arc::new(dictionary),
        Arc::new(of_numbers),
        Arc::new(Float64Array::from(vec![3.0, -7.0, 3.0])),
        Arc::new(Float32Array::from(vec![3.0, -7.0, 3.0])),
    ];
    for column in columns {
        let (name, is_float) = (type_name(column.data_type()), column.data_type().is_floating());
        for exponent in [0, -3, 2] {
            let released = released(exponent, column.clone()).unwrap();
            assert_eq!(fractions(&released), expected(exponent, &["3", "-7", "3"]), "{name} on 2^{exponent}");
            assert_eq!(*released.data_type() == DataType::Int64, exponent == 0 && !is_float, "{name} on 2^{exponent}");
        }
    }
    let unsigned = released(-3, Arc::new(UInt64Array::from(vec![3, 7, 12]))).unwrap();
    assert_eq!(fractions(&unsigned), expected(-3, &["3", "7", "12"]));
}

#[test]
fn a_text_is_the_decimal_it_spells_and_a_float_the_number_it_stores() {
    // A step and a half of an eighth, and a little less.
    let texts = released(-3, Arc::new(StringArray::from(vec!["0.1875", "0.18749999999999999999999"]))).unwrap();
    assert_eq!(fractions(&texts), expected(-3, &["0.25", "0.125"]));
    let doubles = released(-3, Arc::new(Float64Array::from(vec![0.1875, 0.187_499_999_999_999_97]))).unwrap();
    assert_eq!(fractions(&doubles), expected(-3, &["0.25", "0.125"]));
    let floats = released(-30, Arc::new(Float32Array::from(vec![0.2]))).unwrap();
    let stored = Rational::from_float(0.2f32).unwrap().to_string();
    assert_eq!(fractions(&floats), expected(-30, &[&stored]));
    assert_ne!(fractions(&floats), expected(-30, &["0.2"]));
}

#[test]
fn numbers_beyond_the_bounds_are_brought_to_them_and_sums_too() {
    let whole = |texts: Vec<&str>| fractions(&released(0, Arc::new(StringArray::from(texts))).unwrap());
    assert_eq!(whole(vec!["1e30", "-1e30"]), whole(vec!["9223372036854775807", "-9223372036854775808"]));
    let unsigned: ArrayRef = Arc::new(UInt64Array::from(vec![u64::MAX; 64]));
    let most = Rational::from_integer(i64::MAX.into());
    let found = fractions(&released(0, unsigned).unwrap());
    assert!(found.iter().all(|number| *number <= most) && found.contains(&most), "half of all sums are cut off");
    let reals = released(-3, Arc::new(Float64Array::from(vec![f64::MAX, f64::MIN]))).unwrap();
    let texts = released(-3, Arc::new(StringArray::from(vec!["1e400", "-1e400"]))).unwrap();
    assert_eq!(fractions(&reals), fractions(&texts));
}

#[test]
fn what_is_no_number_is_named_by_row_and_column_only() {
    let error = |column: ArrayRef| released(0, column).unwrap_err().to_string();
    let null = "row 12, column \"x\": null, expected a number (fill it in or leave the row out)";
    let with_null: [ArrayRef; 6] = [
        Arc::new(Int64Array::from(vec![Some(777), None])),
        Arc::new(UInt64Array::from(vec![Some(777), None])),
        Arc::new(Float64Array::from(vec![Some(777.0), None])),
        Arc::new(StringArray::from(vec![Some("777"), None])),
        Arc::new([Some("777"), None].into_iter().collect::<DictionaryArray<Int8Type>>()),
        Arc::new(Decimal128Array::from(vec![Some(777), None]).with_precision_and_scale(3, 0).unwrap()),
    ];
    with_null.into_iter().for_each(|column| assert_eq!(error(column), null));
    assert!(error(Arc::new(NullArray::new(1))).starts_with("row 11, column \"x\": null"));
    for text in ["777x", "nan", "inf", "7,77", "7 77", "0x777"] {
        let message = error(Arc::new(StringArray::from(vec!["1", text])));
        assert_eq!(message, "row 12, column \"x\": not a number, expected one like 12, -0.5 or 1e3");
    }
    let empty = error(Arc::new(StringArray::from(vec!["1", "  "])));
    assert_eq!(empty, "row 12, column \"x\": empty, expected a number (fill it in or leave the row out)");
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let finite = "row 12, column \"x\": not a finite number, expected one";
        assert_eq!(error(Arc::new(Float64Array::from(vec![1.0, value]))), finite);
        assert_eq!(error(Arc::new(Float32Array::from(vec![1.0, value as f32]))), finite);
    }
}

#[test]
fn columns_that_hold_no_numbers_are_refused_by_their_type() {
    let columns: [ArrayRef; 3] = [
        Arc::new(BooleanArray::from(vec![true])),
        Arc::new(Date32Array::from(vec![1])),
        Arc::new(BinaryArray::from(vec![&b"1"[..]])),
    ];
    for column in columns {
        let name = type_name(column.data_type());
        let message = released(0, column).unwrap_err().to_string();
        assert!(message.starts_with(&format!("column \"x\": the type is {name}, expected whole numbers")), "{message}");
    }
}

#[test]
fn what_stands_in_for_a_row_has_other_noise_than_the_row() {
    let field = Arc::new(Field::new("x", DataType::Int64, true));
    let noise = NoiseColumn::new(&certified(0), &[field]).unwrap();
    let key = RandomKey::from_seed(7);
    let zeros: ArrayRef = Arc::new(Int64Array::from(vec![0; 40]));
    let drawn = fractions(&noise.released(&key, 10, &zeros).unwrap().0);
    let stand_ins = (10..50).map(|row| match noise.stand_in(&key, row).unwrap() {
        LedgerAnswer::Text(text) => parse_rational(&text).unwrap(),
        other => panic!("{other:?}"),
    });
    // Equal in all forty rows by chance less than once in 10^12 keys; under the words of the row itself always.
    assert_ne!(stand_ins.collect::<Vec<_>>(), drawn);
}

#[test]
fn a_single_number_is_released_as_the_first_row_of_a_column() {
    let key = RandomKey::from_seed(9);
    for exponent in [0, -3, 2] {
        let tables = Arc::new(NoiseTables::new(&certified(exponent)));
        let columns: [ArrayRef; 2] = [Arc::new(Int64Array::from(vec![-7])), Arc::new(Float64Array::from(vec![2.7]))];
        for (column, single) in columns.into_iter().zip([tables.whole(&key, -7), tables.real(&key, 2.7)]) {
            let field = Arc::new(Field::new("x", column.data_type().clone(), true));
            let noise = NoiseColumn::of_tables(tables.clone(), &[field]).unwrap();
            let expected = noise.released(&key, 0, &column).unwrap();
            let single: ArrayRef = match single.unwrap() {
                NoisyNumber::Whole(number) => Arc::new(Int64Array::from(vec![number])),
                NoisyNumber::Real(number) => Arc::new(Float64Array::from(vec![number])),
            };
            assert_eq!(single.to_data(), expected.0.to_data(), "2^{exponent}");
        }
        assert!(tables.real(&key, f64::NAN).is_err());
    }
}
