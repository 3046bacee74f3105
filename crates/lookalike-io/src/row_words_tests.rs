use super::*;
use arrow_array::{
    BinaryArray, BinaryViewArray, BooleanArray, Int8Array, Int16Array, Int32Array, Int64Array, LargeBinaryArray,
    LargeStringArray, StringArray, StringViewArray, UInt8Array, UInt16Array, UInt32Array, UInt64Array,
};
use lookalike::certify::certify;
use lookalike::design::{Problem, randomized_response};
use lookalike::model::{Categories, SecretGraph};
use lookalike::sample::Sampler;
use std::collections::HashSet;
use std::sync::Arc;

fn warner(epsilon: &str) -> Mechanism {
    let bits = Categories::new(["no", "yes"]).unwrap();
    let mut builder = SecretGraph::builder(bits.names().clone());
    builder.complete(&epsilon.parse().unwrap());
    randomized_response(&Problem::values(bits, builder.build().unwrap()).unwrap()).unwrap().mechanism
}

fn words(names: ArrayRef) -> Vec<u64> {
    RowWords::new(&[7; 32], &warner("ln(3)")).of(&names, "id", 0, 2).unwrap()
}

#[test]
fn the_words_are_pinned() {
    // By another implementation of BLAKE3 from the definition in the documentation of `RowWords`.
    let mechanism = warner("ln(3)");
    let hex = fingerprint(&mechanism).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    assert_eq!(hex, "7bdb772f824625912e4f216aa00afe3a94bb4ee9202e5a3e0778a77b6130e857");
    let numbers = [0xd2d8b5805ded93f1, 0x71ba38cda924b1d5, 0x73d1472d8251f66b, 0x72e4f05c9ff2d006];
    assert_eq!(words(Arc::new(Int64Array::from(vec![1, -1]))), numbers);
    let texts = [0x5f5dbf6858e0af72, 0x962bdd81663625ab, 0xeebd2b1879bfa3ab, 0x7b7adb4e9823745b];
    assert_eq!(words(Arc::new(StringArray::from(vec!["1", ""]))), texts);
    let bytes = [0x7a51fc7d5e0938bc, 0x97edfe63c9dc4795];
    assert_eq!(words(Arc::new(BinaryArray::from(vec![&b"1"[..]]))), bytes);
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
fn keys_and_mechanisms_have_words_of_their_own() {
    let names: ArrayRef = Arc::new(Int64Array::from(vec![1, 2, 3]));
    let of = |key: u8, epsilon: &str| RowWords::new(&[key; 32], &warner(epsilon)).of(&names, "id", 0, 2).unwrap();
    let all = [of(1, "ln(3)"), of(2, "ln(3)"), of(1, "ln(2)")].concat();
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
    assert_eq!(of(1, "ln(3)"), of(1, "ln(3)"));
    let one_word = RowWords::new(&[1; 32], &warner("ln(3)")).of(&names, "id", 0, 1).unwrap();
    assert_eq!(one_word, of(1, "ln(3)").into_iter().step_by(2).collect::<Vec<_>>());
}

#[test]
fn a_row_without_a_name_is_refused_by_row_and_column() {
    let names: ArrayRef = Arc::new(StringArray::from(vec![Some("SECRETMARKER"), None]));
    let error = RowWords::new(&[7; 32], &warner("ln(3)")).of(&names, "id", 40, 1).unwrap_err();
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
    let error = RowWords::new(&[7; 32], &warner("ln(3)")).of(&names, "id", 0, 1).unwrap_err();
    assert_eq!(error.to_string(), expected);
    assert_eq!(RowWords::check("id", &DataType::Boolean).unwrap_err().to_string(), expected);
}

#[test]
fn draws_by_name_follow_the_law() {
    let (mechanism, rows) = (warner("ln(3)"), 100_000);
    let names: ArrayRef = Arc::new(Int64Array::from_iter_values(0..rows));
    let sampler = Sampler::new(&certify(mechanism.clone()).unwrap());
    let words = RowWords::new(&[7; 32], &mechanism).of(&names, "id", 0, sampler.words_a_row()).unwrap();
    let values: Vec<u32> = (0..rows as u32).map(|row| row % 2).collect();
    let mut outputs = vec![0; values.len()];
    sampler.privatize_with_words(&words, 0, None, &values, &mut outputs).unwrap();
    for value in [0, 1] {
        let kept = values.iter().zip(&outputs).filter(|(v, o)| **v == value && **o == value).count() as f64;
        // 37,500 of 50,000 with a standard deviation of 97: six of them, less than one key in 10^8.
        assert!((kept - 37_500.0).abs() < 6.0 * 97.0, "{kept}");
    }
}
