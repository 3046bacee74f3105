use arrow_array::{types::Int8Type, *};
use arrow_schema::{Field, Schema};
use lookalike::{exact::parse_rational, model::Categories};

use super::*;
use crate::columns::{Bins as NumberBins, Encoder, Labels};

fn names(names: &[&str]) -> Encoder {
    Box::new(Labels::new(names.iter().map(ToString::to_string)).unwrap())
}

fn bins(edges: &[&str]) -> Encoder {
    let edges = edges.iter().map(|edge| parse_rational(edge).unwrap()).collect();
    Box::new(NumberBins::new(Categories::from_bins(edges).unwrap()))
}

fn records(arrays: Vec<ArrayRef>) -> RecordBatch {
    let fields =
        arrays.iter().enumerate().map(|(at, array)| Field::new(["load", "fan"][at], array.data_type().clone(), true));
    RecordBatch::try_new(Arc::new(Schema::new(fields.collect::<Vec<_>>())), arrays).unwrap()
}

/// The codes of columns `load`, and `fan` if there is a second, from row 11 of a file on.
fn coded(arrays: Vec<ArrayRef>, encoder: Encoder, unknown: Option<u32>) -> Result<Vec<u32>> {
    let records = records(arrays);
    let schema = records.schema();
    let columns = schema.fields().iter().enumerate();
    let columns = columns.map(|(at, field)| (field.name().clone(), at, field.data_type())).collect();
    let mut coder = ArrayCoder::new(columns, Coding::value(encoder, unknown))?;
    let mut codes = Vec::new();
    coder.append(&records, 10, &mut codes)?;
    Ok(codes)
}

fn codes(array: impl Array + 'static, encoder: Encoder) -> Vec<u32> {
    coded(vec![Arc::new(array)], encoder, None).unwrap()
}

fn error(array: impl Array + 'static, encoder: Encoder) -> String {
    coded(vec![Arc::new(array)], encoder, None).unwrap_err().to_string()
}

#[test]
fn texts_of_every_kind_match_names() {
    let loads = || names(&["idle", "busy"]);
    let texts = vec!["busy", "idle", "busy"];
    assert_eq!(codes(StringArray::from(texts.clone()), loads()), [1, 0, 1]);
    assert_eq!(codes(LargeStringArray::from(texts.clone()), loads()), [1, 0, 1]);
    assert_eq!(codes(StringViewArray::from(texts), loads()), [1, 0, 1]);
}

#[test]
fn whole_numbers_and_booleans_match_by_their_one_text() {
    assert_eq!(codes(Int8Array::from(vec![-7, 7]), names(&["7", "-7"])), [1, 0]);
    assert_eq!(codes(UInt64Array::from(vec![u64::MAX, 0]), names(&["0", "18446744073709551615"])), [1, 0]);
    assert_eq!(codes(Int64Array::from(vec![i64::MIN, 0]), names(&["0", "-9223372036854775808"])), [1, 0]);
    assert_eq!(codes(BooleanArray::from(vec![true, false, true]), names(&["false", "true"])), [1, 0, 1]);
    // Numbers that share a place in the small table are told apart.
    let numbers: Vec<i32> = (0..5).flat_map(|_| [1, 4097, 8193, -4095, 1]).collect();
    let expected: Vec<u32> = (0..5).flat_map(|_| [0, 1, 2, 3, 0]).collect();
    assert_eq!(codes(Int32Array::from(numbers), names(&["1", "4097", "8193", "-4095"])), expected);
    assert!(error(Int32Array::from(vec![7]), names(&["07", "7.0"])).contains("not one of the 2 categories"));
}

#[test]
fn numbers_go_into_bins_exactly() {
    let edges = || bins(&["0", "0.1", "0.3"]);
    assert_eq!(codes(Float64Array::from(vec![0.1, 0.3, 0.0]), edges()), [1, 2, 0]);
    assert_eq!(codes(Float32Array::from(vec![0.1, 0.3, 0.29999998]), edges()), [1, 2, 1]);
    assert_eq!(codes(UInt16Array::from(vec![0, 1]), edges()), [0, 2]);
    let decimals = Decimal128Array::from(vec![9, 10, 29, 30]).with_precision_and_scale(6, 2).unwrap();
    assert_eq!(codes(decimals, edges()), [0, 1, 1, 2]);
    assert_eq!(codes(StringArray::from(vec!["3/10", "0.0999"]), edges()), [2, 0]);
    for float in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let message = error(Float64Array::from(vec![0.0, float]), edges());
        assert_eq!(message, "row 12, column \"load\": not a finite number");
    }
    let below = error(Float64Array::from(vec![0.0, 0.0, -1e-300]), edges());
    assert_eq!(below, "row 13, column \"load\": not one of the 3 categories (`unknown CATEGORY` maps such values)");
}

#[test]
fn only_used_entries_of_a_dictionary_count() {
    let values = StringArray::from(vec![Some("SECRETMARKER"), Some("busy"), None, Some(""), Some("idle")]);
    let dictionary = |keys: Vec<Option<i8>>| DictionaryArray::new(Int8Array::from(keys), Arc::new(values.clone()));
    let loads = || names(&["idle", "busy"]);
    assert_eq!(codes(dictionary(vec![Some(1), Some(4), Some(1)]), loads()), [1, 0, 1]);
    assert_eq!(codes(dictionary(vec![]), loads()), [] as [u32; 0]);
    for (key, text) in [
        (Some(0), "not one of the 2 categories (`unknown CATEGORY` maps such values)"),
        (Some(2), "null, expected one of the 2 categories"),
        (Some(3), "empty, expected one of the 2 categories"),
        (None, "null, expected one of the 2 categories"),
    ] {
        assert_eq!(error(dictionary(vec![Some(1), key]), loads()), format!("row 12, column \"load\": {text}"));
    }
    let known = coded(vec![Arc::new(dictionary(vec![Some(0), Some(1)]))], loads(), Some(0));
    assert_eq!(known.unwrap(), [0, 1]);
}

#[test]
fn dictionaries_have_keys_of_every_width_and_values_of_every_type() {
    fn check<K: ArrowDictionaryKeyType>(key: impl Fn(u8) -> K::Native) {
        let keys = || PrimitiveArray::<K>::from_iter_values([1, 0, 1].map(&key));
        let texts = LargeStringArray::from(vec!["idle", "busy"]);
        assert_eq!(codes(DictionaryArray::new(keys(), Arc::new(texts)), names(&["idle", "busy"])), [1, 0, 1]);
        let numbers = Float64Array::from(vec![0.1, 0.3]);
        assert_eq!(codes(DictionaryArray::new(keys(), Arc::new(numbers)), bins(&["0", "0.3"])), [1, 0, 1]);
    }
    check::<Int8Type>(|key| key as i8);
    check::<Int16Type>(i16::from);
    check::<Int32Type>(i32::from);
    check::<Int64Type>(i64::from);
    check::<UInt8Type>(|key| key);
    check::<UInt16Type>(u16::from);
    check::<UInt32Type>(u32::from);
    check::<UInt64Type>(u64::from);
}

#[test]
fn a_dictionary_that_changes_between_batches_is_looked_up_again() {
    let batch = |entries: Vec<&str>| {
        let dictionary = DictionaryArray::new(Int8Array::from(vec![0, 1, 0]), Arc::new(StringArray::from(entries)));
        records(vec![Arc::new(dictionary)])
    };
    let (first, second) = (batch(vec!["idle", "busy"]), batch(vec!["busy", "idle"]));
    let data_type = first.column(0).data_type().clone();
    let coding = Coding::profile(names(&["idle", "busy"]));
    let mut coder = ArrayCoder::new(vec![("load".into(), 0, &data_type)], coding).unwrap();
    let mut codes = Vec::new();
    for batch in [&first, &first.slice(1, 2), &second, &first] {
        coder.append(batch, 0, &mut codes).unwrap();
    }
    assert_eq!(codes, [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0]);
}

#[test]
fn slices_are_read_from_where_they_begin() {
    let texts = StringArray::from(vec![None, Some("busy"), Some("idle"), None]);
    assert_eq!(codes(texts.slice(1, 2), names(&["idle", "busy"])), [1, 0]);
    let numbers = Int16Array::from(vec![None, Some(3), Some(4), None]);
    assert_eq!(codes(numbers.slice(1, 2), names(&["3", "4"])), [0, 1]);
    let flags = BooleanArray::from(vec![None, Some(true), Some(false), None]);
    assert_eq!(codes(flags.slice(1, 2), names(&["false", "true"])), [1, 0]);
}

#[test]
fn nulls_are_named_by_row_and_column() {
    let text = "column \"load\": null, expected one of the 1 categories";
    assert_eq!(error(StringArray::from(vec![Some("a"), None]), names(&["a"])), format!("row 12, {text}"));
    assert_eq!(error(Int32Array::from(vec![Some(1), None]), names(&["1"])), format!("row 12, {text}"));
    assert_eq!(error(BooleanArray::from(vec![None, Some(true)]), names(&["true"])), format!("row 11, {text}"));
    assert_eq!(error(NullArray::new(3), names(&["a"])), format!("row 11, {text}"));
    assert_eq!(error(Float64Array::from(vec![None, Some(1.0)]), bins(&["0"])), format!("row 11, {text}"));
    let mapped = coded(vec![Arc::new(StringArray::from(vec![None::<&str>]))], names(&["a"]), Some(0));
    assert!(mapped.is_err(), "null is no unknown value");
}

#[test]
fn several_columns_are_matched_by_their_joint_text() {
    let loads = || names(&["low|1", "high|2", "|"]);
    let cpu: ArrayRef = Arc::new([Some("high"), Some("low")].into_iter().collect::<DictionaryArray<Int8Type>>());
    let fan = |fans: Vec<Option<i32>>| Arc::new(Int32Array::from(fans)) as ArrayRef;
    assert_eq!(coded(vec![cpu.clone(), fan(vec![Some(2), Some(1)])], loads(), None).unwrap(), [1, 0]);
    let wrong = coded(vec![cpu.clone(), fan(vec![Some(2), Some(2)])], loads(), None).unwrap_err().to_string();
    assert!(wrong.starts_with("row 12, columns \"load\", \"fan\": not one of the 3 categories"), "{wrong}");
    let null = coded(vec![cpu, fan(vec![Some(2), None])], loads(), None).unwrap_err().to_string();
    assert_eq!(null, "row 12, column \"fan\": null, expected one of the 3 categories");
}

#[test]
fn a_type_without_categories_is_refused_at_once() {
    let dates = error(Date32Array::from(vec![1]), names(&["a"]));
    assert_eq!(dates, "column \"load\": the type is Date32, expected text, whole numbers or booleans");
    assert!(error(Float64Array::from(vec![1.0]), names(&["1"])).contains("need bins in the spec"));
    assert!(error(BooleanArray::from(vec![true]), bins(&["0"])).contains("the type is Boolean"));
    assert!(error(BinaryArray::from(vec![&b"a"[..]]), names(&["a"])).contains("the type is Binary"));
}

/// Counts how often it is asked.
struct Asked(std::sync::Arc<std::sync::atomic::AtomicUsize>);

impl crate::columns::Encode for Asked {
    fn encode(&self, text: &str) -> Option<u32> {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        text.strip_prefix("used ")?.parse().ok()
    }

    fn count(&self) -> usize {
        10
    }
}

#[test]
fn a_large_dictionary_is_looked_up_where_rows_use_it() {
    let entries = |at: usize| if at % 1_000 == 999 { format!("used {}", at / 1_000) } else { format!("unused {at}") };
    let values: ArrayRef = Arc::new(StringArray::from_iter_values((0..10_000).map(entries)));
    let keys = Int32Array::from(vec![Some(999), Some(9_999), None, Some(999), Some(1_999)]);
    let dictionary = DictionaryArray::new(keys, values);
    let asked = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let columns = vec![("load".to_owned(), 0, dictionary.data_type())];
    let mut coder = ArrayCoder::new(columns, Coding::value(Box::new(Asked(asked.clone())), None)).unwrap();
    let mut codes = Vec::new();
    let part = |start, length| records(vec![Arc::new(dictionary.slice(start, length))]);
    coder.append(&part(0, 2), 0, &mut codes).unwrap();
    coder.append(&part(3, 2), 3, &mut codes).unwrap();
    assert_eq!((&codes[..], asked.load(std::sync::atomic::Ordering::Relaxed)), (&[0, 9, 0, 1][..], 3));
    let null = coder.append(&part(1, 3), 1, &mut codes).unwrap_err().to_string();
    assert!(null.starts_with("row 3, column \"load\": null"), "{null}");
}

#[test]
fn numbers_that_are_their_own_codes_stand_beside_those_that_are_not() {
    // 0 and 1 are their own codes, the others are not, and 2 is no name at all.
    let names = || names(&["0", "1", "5000", "-1", "3"]);
    let numbers = vec![1, 0, 5000, -1, 3, 0, -1, 1];
    assert_eq!(codes(Int64Array::from(numbers.clone()), names()), [1, 0, 2, 3, 4, 0, 3, 1]);
    let message = error(Int64Array::from(vec![0, 1, 2]), names());
    assert!(message.starts_with("row 13, column \"load\": not one of the 5 categories"), "{message}");
    // Straight from memory it is the same.
    let columns = vec![("load".to_owned(), 0, &DataType::Int64)];
    let mut coder = ArrayCoder::new(columns, Coding::value(names(), None)).unwrap();
    let mut found = Vec::new();
    coder.append_integers(&[Integers::Int64(&numbers)], 0, &mut found).unwrap();
    assert_eq!(found, [1, 0, 2, 3, 4, 0, 3, 1]);
    let message = coder.append_integers(&[Integers::Int64(&[4096, 0])], 7, &mut found).unwrap_err().to_string();
    assert!(message.starts_with("row 8, column \"load\""), "{message}");
}
