use std::{io::Read, sync::Arc};

use arrow_array::*;
use arrow_schema::Field;
use flate2::read::GzDecoder;
use proptest::prelude::*;
use serde_json::Value;

use super::*;

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(ToString::to_string).collect()
}

fn schema(value: DataType, kept: &[&str]) -> RecordSchema {
    RecordSchema { value, ..RecordSchema::text(&strings(kept)) }
}

/// Records that keep these fields, one name each.
fn keeping(rows: &[&[&[u8]]], is_json: bool) -> Batch {
    let mut batch = Batch::default();
    batch.restart(0, rows[0].len());
    batch.keep_json(is_json);
    for row in rows {
        batch.values.push(0);
        row.iter().for_each(|field| batch.keep(field));
    }
    batch
}

fn written(labels: &[&str], schema: &RecordSchema, gzip: bool, batch: &Batch, outputs: &[u32]) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut sink = JsonLinesSink::new(Box::new(&mut bytes), "load", &strings(labels), schema, gzip)?;
    sink.write_batch(batch, outputs)?;
    Box::new(sink).finish()?;
    Ok(bytes)
}

fn text(labels: &[&str], schema: &RecordSchema, batch: &Batch, outputs: &[u32]) -> String {
    String::from_utf8(written(labels, schema, false, batch, outputs).unwrap()).unwrap()
}

#[test]
fn labels_come_first_and_json_is_written_as_it_was_read() {
    let batch = keeping(&[&[b"\"mon\"", b"1.50"], &[b"null", b"\"\\u00e9\""]], true);
    let expected =
        "{\"load\":\"busy\",\"day\":\"mon\",\"n\":1.50}\n{\"load\":\"idle\",\"day\":null,\"n\":\"\\u00e9\"}\n";
    assert_eq!(text(&["idle", "busy"], &schema(DataType::Utf8, &["day", "n"]), &batch, &[1, 0]), expected);
}

#[test]
fn fields_of_csv_are_texts() {
    let batch = keeping(&[&[b"say \"hi\"\n\\", b"7"]], false);
    let expected = "{\"load\":\"a\\\"b\",\"x\\ty\":\"say \\\"hi\\\"\\n\\\\\",\"n\":\"7\"}\n";
    assert_eq!(text(&["a\"b"], &schema(DataType::Utf8, &["x\ty", "n"]), &batch, &[0]), expected);
    let error =
        written(&["a"], &schema(DataType::Utf8, &["n"]), false, &keeping(&[&[b"a"], &[b"\xff"]], false), &[0, 0]);
    assert_eq!(error.unwrap_err().to_string(), "row 2, column \"n\": not UTF-8 text");
}

#[test]
fn labels_are_numbers_or_booleans_where_values_were_and_all_labels_are() {
    let one = |labels: &[&str], value| text(labels, &schema(value, &[]), &keeping(&[&[]], true), &[0]);
    let dictionary = DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Int64));
    for (labels, value, expected) in [
        (&["7", "-1.5e3"][..], DataType::Int64, "7"),
        (&["7", "8"], DataType::Float64, "7"),
        (&["7", "8"], dictionary, "7"),
        (&["7", "8"], DataType::Utf8, "\"7\""),
        (&["7", "8"], DataType::Boolean, "\"7\""),
        (&["7", "07"], DataType::Int64, "\"7\""),
        (&["0..7", "7.."], DataType::Int64, "\"0..7\""),
        (&["true", "false"], DataType::Boolean, "true"),
        (&["true", "false"], DataType::Utf8, "\"true\""),
        (&["true", "no"], DataType::Boolean, "\"true\""),
        (&["true", "false"], DataType::Int64, "\"true\""),
    ] {
        assert_eq!(one(labels, value.clone()), format!("{{\"load\":{expected}}}\n"), "{labels:?} of {value}");
    }
}

#[test]
fn arrays_are_numbers_booleans_null_and_texts() {
    let list = ListArray::from_iter_primitive::<Int32Type, _, _>([Some(vec![Some(1), Some(2)]), None]);
    let arrays: [(&str, ArrayRef); 7] = [
        ("list", Arc::new(list)),
        ("int", Arc::new(UInt64Array::from(vec![Some(u64::MAX), None]))),
        ("float", Arc::new(Float64Array::from(vec![Some(0.1), Some(f64::NAN)]))),
        ("bool", Arc::new(BooleanArray::from(vec![true, false]))),
        ("day", Arc::new(Date32Array::from(vec![Some(0), None]))),
        ("decimal", Arc::new(Decimal128Array::from(vec![-105, 7]).with_precision_and_scale(5, 2).unwrap())),
        ("key", Arc::new([Some("7"), None].into_iter().collect::<DictionaryArray<Int8Type>>())),
    ];
    let kept =
        arrays.iter().map(|(name, array)| Arc::new(Field::new(*name, array.data_type().clone(), true))).collect();
    let schema = RecordSchema { kept, ..schema(DataType::Utf8, &[]) };
    let mut batch = keeping(&[&[], &[]], false);
    arrays.iter().for_each(|(_, array)| batch.keep_array(array.clone()));
    let expected = [
        r#"{"load":"a","list":"[1, 2]","int":18446744073709551615,"float":0.1,"bool":true,"day":"1970-01-01","decimal":-1.05,"key":"7"}"#,
        r#"{"load":"a","list":null,"int":null,"float":null,"bool":false,"day":null,"decimal":0.07,"key":null}"#,
    ];
    assert_eq!(text(&["a"], &schema, &batch, &[0, 0]), expected.map(|line| line.to_owned() + "\n").concat());
    // Without labels the columns are all there is.
    assert!(text(&[], &schema, &batch, &[0, 0]).starts_with("{\"list\":\"[1, 2]\",\"int\":18446744073709551615,"));
}

#[test]
fn floats_of_every_size_are_json_numbers() {
    let floats = [0.0, -0.0, 1.0, 1e21, 1e-7, f64::MAX, f64::MIN_POSITIVE, 5e-324, 123_456_789.25];
    let mut batch = keeping(&[&[][..]; 9], false);
    batch.keep_array(Arc::new(Float64Array::from(floats.to_vec())));
    batch.keep_array(Arc::new(Float32Array::from_iter_values(floats.map(|float| (float as f32).min(f32::MAX)))));
    let kept = ["a", "b"].into_iter().zip(batch.arrays());
    let kept = kept.map(|(name, array)| Arc::new(Field::new(name, array.data_type().clone(), true))).collect();
    let text = text(&[], &RecordSchema { kept, ..schema(DataType::Utf8, &[]) }, &batch, &[0; 9]);
    for (line, float) in text.lines().zip(floats) {
        let value: Value = serde_json::from_str(line).unwrap();
        assert_eq!(value["a"].as_f64().unwrap().to_bits(), float.to_bits(), "{line}");
    }
}

#[test]
fn what_json_cannot_say_is_refused_by_place() {
    let refused = |array: ArrayRef| {
        let kept = vec![Arc::new(Field::new("x", array.data_type().clone(), true))];
        let mut batch = keeping(&[&[], &[]], false);
        batch.keep_array(array);
        written(&["a"], &RecordSchema { kept, ..schema(DataType::Utf8, &[]) }, false, &batch, &[0, 0])
            .unwrap_err()
            .to_string()
    };
    let infinite = refused(Arc::new(Float32Array::from(vec![1.0, f32::NEG_INFINITY])));
    assert_eq!(infinite, "row 2, column \"x\": an infinite number, which JSON has not");
    for (labels, kept) in [(&["a"][..], &["load"][..]), (&["a"], &["x", "x"]), (&[], &["x", "x"])] {
        let error =
            JsonLinesSink::new(Box::new(Vec::new()), "load", &strings(labels), &schema(DataType::Utf8, kept), false);
        assert!(error.err().unwrap().to_string().contains("would be written twice"), "{kept:?}");
    }
    assert!(JsonLinesSink::new(Box::new(Vec::new()), "load", &[], &schema(DataType::Utf8, &["load"]), false).is_ok());
}

#[test]
fn drawn_columns_stand_in_front_of_kept_json() {
    let mut batch = keeping(&[&[b"5", b"\"x\""], &[b"6", b"null"]], true);
    batch.draw_first(vec![Arc::new(Int64Array::from(vec![7, -8]))], 1);
    let schema = schema(DataType::Utf8, &["n", "note"]);
    assert_eq!(text(&[], &schema, &batch, &[0, 0]), "{\"n\":7,\"note\":\"x\"}\n{\"n\":-8,\"note\":null}\n");
}

#[test]
fn gzip_output_is_finished() {
    let bytes = written(&["a"], &schema(DataType::Utf8, &[]), true, &keeping(&[&[], &[]], true), &[0, 0]).unwrap();
    let mut text = String::new();
    GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    assert_eq!(text, "{\"load\":\"a\"}\n{\"load\":\"a\"}\n");
}

proptest! {
    #[test]
    fn every_text_is_written_as_json_that_means_it(label in "\\PC{0,9}", key in "[a-z\"\\\\\n\u{0}é😀]{0,5}", field in any::<String>()) {
        let kept = schema(DataType::Utf8, &[&format!("k{key}")]);
        let line = text(&[&label], &kept, &keeping(&[&[field.as_bytes()]], false), &[0]);
        prop_assert_eq!(line.matches('\n').count(), 1);
        let value: Value = serde_json::from_str(&line).unwrap();
        prop_assert_eq!(&value["load"], &Value::from(label));
        prop_assert_eq!(&value[format!("k{key}")], &Value::from(field));
    }
}
