use super::*;
use arrow_array::{
    BinaryArray, BinaryViewArray, BooleanArray, Int8Array, Int16Array, Int32Array, Int64Array, LargeBinaryArray,
    LargeStringArray, StringArray, StringViewArray, UInt8Array, UInt16Array, UInt32Array, UInt64Array,
};
use lookalike::certify::certify;
use lookalike::design::{Problem, randomized_response};
use lookalike::model::{Categories, Channel, SecretGraph, TOTAL};
use lookalike::sample::Sampler;
use std::collections::HashSet;
use std::sync::Arc;

fn warner(epsilon: &str) -> Mechanism {
    let bits = Categories::new(["no", "yes"]).unwrap();
    let mut builder = SecretGraph::builder(bits.names().clone());
    builder.complete(&epsilon.parse().unwrap());
    randomized_response(&Problem::values(bits, builder.build().unwrap()).unwrap()).unwrap().mechanism
}

/// The same law at ln 3 in the other form: half of the values are kept, and the others drawn evenly.
fn warner_that_keeps() -> Mechanism {
    let bits = Categories::new(["no", "yes"]).unwrap();
    let mut builder = SecretGraph::builder(bits.names().clone());
    builder.complete(&"ln(3)".parse().unwrap());
    let channel = Channel::keep(vec![TOTAL / 2; 2], vec![TOTAL / 2; 2]).unwrap();
    Mechanism::point(bits.clone(), bits, builder.build().unwrap(), channel).unwrap()
}

const COLUMN: [&str; 1] = ["load"];

fn words(names: ArrayRef) -> Vec<u64> {
    RowWords::new(&[7; 32], &warner("ln(3)"), &COLUMN).of(&names, "id", 0, 2).unwrap()
}

fn pinned(columns: &[&str], names: ArrayRef) -> Vec<u64> {
    RowWords::derived(&[7; 32], &[3; 32], columns).of(&names, "id", 0, 2).unwrap()
}

#[test]
fn the_words_are_pinned() {
    // By the implementation of BLAKE3 and of the definition that docs/words.md shows, which shares no code with this one.
    let numbers = [0x8f470254c3db4867, 0xe46e74701afbf42b, 0x862b551f2364d457, 0x5dd5dc65547d00bb];
    assert_eq!(pinned(&COLUMN, Arc::new(Int64Array::from(vec![1, -1]))), numbers);
    let texts = [0x9d0a748d378f3467, 0xe84e77654bb97b7c, 0x8b4efc518ea6701b, 0x1b25fbc16dd3b854];
    assert_eq!(pinned(&COLUMN, Arc::new(StringArray::from(vec!["1", ""]))), texts);
    let bytes = [0x3fab480cbff9f7b9, 0x0e62c4c8dba87526];
    assert_eq!(pinned(&COLUMN, Arc::new(BinaryArray::from(vec![&b"1"[..]]))), bytes);
    let one: ArrayRef = Arc::new(Int64Array::from(vec![1]));
    assert_eq!(pinned(&["load", "hour"], one.clone()), [0x37d5b23bb0fbb064, 0x47a0b46089de65fa]);
    assert_eq!(pinned(&["loadhour"], one), [0x891a4e97fc7757ee, 0x6478d2586c2bb648]);
}

#[test]
fn the_fingerprint_that_words_are_derived_from_is_pinned() {
    // A mechanism with another fingerprint has other words, and its rows are drawn a second time.
    let hex = fingerprint(&warner("ln(3)")).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    assert_eq!(hex, "7bdb772f824625912e4f216aa00afe3a94bb4ee9202e5a3e0778a77b6130e857");
}

#[test]
fn a_number_has_the_same_words_in_every_width_and_a_text_in_every_layout() {
    let numbers: Vec<ArrayRef> = vec![
        Arc::new(Int8Array::from(vec![1, 100])),
        Arc::new(Int16Array::from(vec![1, 100])),
        Arc::new(Int32Array::from(vec![1, 100])),
        Arc::new(Int64Array::from(vec![1, 100])),
        Arc::new(UInt8Array::from(vec![1, 100])),
        Arc::new(UInt16Array::from(vec![1, 100])),
        Arc::new(UInt32Array::from(vec![1, 100])),
        Arc::new(UInt64Array::from(vec![1, 100])),
    ];
    let texts: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from(vec!["1", "100"])),
        Arc::new(LargeStringArray::from(vec!["1", "100"])),
        Arc::new(StringViewArray::from(vec!["1", "100"])),
    ];
    let binaries: Vec<ArrayRef> = vec![
        Arc::new(BinaryArray::from(vec![&b"1"[..], b"100"])),
        Arc::new(LargeBinaryArray::from(vec![&b"1"[..], b"100"])),
        Arc::new(BinaryViewArray::from(vec![&b"1"[..], b"100"])),
    ];
    let mut different = HashSet::new();
    for layouts in [numbers, texts, binaries] {
        let found: HashSet<Vec<u64>> = layouts.into_iter().map(words).collect();
        assert_eq!(found.len(), 1);
        different.extend(found.into_iter().flatten());
    }
    assert_eq!(different.len(), 3 * 2 * 2, "1, \"1\" and its bytes are different names");
}

#[test]
fn keys_mechanisms_and_columns_have_words_of_their_own() {
    let names: ArrayRef = Arc::new(Int64Array::from(vec![1, 2, 3]));
    let of = |key: u8, epsilon: &str, columns: &[&str]| {
        RowWords::new(&[key; 32], &warner(epsilon), columns).of(&names, "id", 0, 2).unwrap()
    };
    let all = [
        of(1, "ln(3)", &["a"]),
        of(2, "ln(3)", &["a"]),
        of(1, "ln(2)", &["a"]),
        of(1, "ln(3)", &["b"]),
        of(1, "ln(3)", &[]),
        of(1, "ln(3)", &[""]),
        // Where one name ends and the next begins makes a difference, and so does their order.
        of(1, "ln(3)", &["a", "b"]),
        of(1, "ln(3)", &["b", "a"]),
        of(1, "ln(3)", &["ab"]),
        of(1, "ln(3)", &["ab", ""]),
        of(1, "ln(3)", &["a|b"]),
    ]
    .concat();
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
    assert_eq!(of(1, "ln(3)", &["a"]), of(1, "ln(3)", &["a"]));
    let one_word = RowWords::new(&[1; 32], &warner("ln(3)"), &["a"]).of(&names, "id", 0, 1).unwrap();
    assert_eq!(one_word, of(1, "ln(3)", &["a"]).into_iter().step_by(2).collect::<Vec<_>>());
}

#[test]
fn equal_values_in_two_columns_are_released_independently() {
    let (mechanism, rows) = (warner_that_keeps(), 100_000);
    let names: ArrayRef = Arc::new(Int64Array::from_iter_values(0..rows));
    let sampler = Sampler::new(&certify(mechanism.clone()).unwrap());
    assert_eq!(sampler.words_per_row(), 2);
    let values: Vec<u32> = (0..rows as u32).map(|row| row % 2).collect();
    let released = |column: &str| {
        let words = RowWords::new(&[7; 32], &mechanism, &[column]).of(&names, "id", 0, 2).unwrap();
        let mut outputs = vec![0; values.len()];
        sampler.privatize_with_words(&words, 0, None, &values, &mut outputs).unwrap();
        outputs
    };
    let equal = released("spring").iter().zip(&released("autumn")).filter(|(one, other)| one == other).count() as f64;
    // Equal with probability (3/4)² + (1/4)² = 5/8: 62,500 of 100,000 with a standard deviation of 153.1. Six of them: less
    // than one key in 10^8. Under shared words it is all of them.
    assert!((equal - 62_500.0).abs() < 6.0 * 153.1, "{equal}");
}

#[test]
fn a_row_without_a_name_is_refused_by_row_and_column() {
    let names: ArrayRef = Arc::new(StringArray::from(vec![Some("SECRETMARKER"), None]));
    let error = RowWords::new(&[7; 32], &warner("ln(3)"), &COLUMN).of(&names, "id", 40, 1).unwrap_err();
    assert_eq!(error.to_string(), "row 42, column \"id\": null, expected a name of its own for every row");
}

#[test]
fn a_slice_has_the_words_of_its_rows() {
    let names: ArrayRef = Arc::new(StringArray::from(vec!["a", "b", "c"]));
    assert_eq!(words(names.slice(1, 2)), words(names)[2..]);
}

#[test]
fn other_types_cannot_name_rows() {
    let names: ArrayRef = Arc::new(BooleanArray::from(vec![true]));
    let expected = "column \"id\": the type is Boolean, expected whole numbers, text or binary for the names of rows";
    let error = RowWords::new(&[7; 32], &warner("ln(3)"), &COLUMN).of(&names, "id", 0, 1).unwrap_err();
    assert_eq!(error.to_string(), expected);
    assert_eq!(RowWords::check("id", &DataType::Boolean).unwrap_err().to_string(), expected);
}

#[test]
fn draws_by_name_follow_the_law() {
    let (mechanism, rows) = (warner("ln(3)"), 100_000);
    let names: ArrayRef = Arc::new(Int64Array::from_iter_values(0..rows));
    let sampler = Sampler::new(&certify(mechanism.clone()).unwrap());
    let words = RowWords::new(&[7; 32], &mechanism, &COLUMN).of(&names, "id", 0, sampler.words_per_row()).unwrap();
    let values: Vec<u32> = (0..rows as u32).map(|row| row % 2).collect();
    let mut outputs = vec![0; values.len()];
    sampler.privatize_with_words(&words, 0, None, &values, &mut outputs).unwrap();
    for value in [0, 1] {
        let kept = values.iter().zip(&outputs).filter(|(v, o)| **v == value && **o == value).count() as f64;
        // 37,500 of 50,000 with a standard deviation of 97: six of them, less than one key in 10^8.
        assert!((kept - 37_500.0).abs() < 6.0 * 97.0, "{kept}");
    }
}
