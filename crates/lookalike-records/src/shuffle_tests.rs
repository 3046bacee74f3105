use super::*;
use crate::csv::CsvSink;
use crate::parquet::ParquetSink;
use arrow_array::{
    Array, ArrayRef, DictionaryArray, Int64Array, ListArray, StringArray, StringViewArray, UInt32Array,
    cast::AsArray,
    types::{Int8Type, Int32Type, Int64Type},
};
use arrow_schema::Field;
use lookalike_formats::Error;
use proptest::prelude::*;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Takes whatever comes: the outputs, their batches, and the kept columns.
#[derive(Default)]
struct Taken {
    outputs: Vec<u32>,
    batches: Vec<usize>,
    texts: Vec<Vec<Vec<u8>>>,
    arrays: Vec<Vec<ArrayRef>>,
}

struct Collect(Rc<RefCell<Taken>>);

impl RecordSink for Collect {
    fn write_batch(&mut self, batch: &Batch, outputs: &[u32]) -> Result<()> {
        let mut taken = self.0.borrow_mut();
        assert_eq!(batch.first_row, taken.outputs.len() as u64);
        assert!(batch.profiles.is_empty() && batch.values.iter().all(|&value| value == 0), "nothing private");
        taken.outputs.extend_from_slice(outputs);
        taken.batches.push(outputs.len());
        taken.texts.extend((0..batch.len()).map(|row| batch.kept(row).map(Cow::into_owned).collect()));
        taken.arrays.push(batch.arrays().to_vec());
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}

/// No rows are held, and no bucket of more than some rows is put in order at once.
const TINY: Limits = Limits { held: 1, bucket: 64 };

/// Sends batches through a shuffle.
fn shuffled(seed: u64, limits: Limits, batches: impl IntoIterator<Item = (Batch, Vec<u32>)>) -> Taken {
    let taken = Rc::new(RefCell::new(Taken::default()));
    let (sink, directory) = (Box::new(Collect(taken.clone())), std::env::temp_dir());
    let mut shuffle = Shuffle::with_limits(sink, &RandomKey::from_seed(seed), directory, limits);
    for (batch, outputs) in batches {
        shuffle.write_batch(&batch, &outputs).unwrap();
    }
    Box::new(shuffle).finish().unwrap();
    taken.take()
}

/// Rows without kept columns, all with this value, and this profile if any.
fn coded(rows: usize, value: u32, profile: Option<u32>) -> Batch {
    let mut batch = Batch::default();
    batch.values.resize(rows, value);
    batch.profiles.extend(profile.into_iter().flat_map(|profile| vec![profile; rows]));
    batch
}

/// Rows without kept columns, cut at these places.
fn cut(outputs: &[u32], cuts: &[usize]) -> Vec<(Batch, Vec<u32>)> {
    let ends = cuts.iter().copied().chain([outputs.len()]);
    let mut start = 0;
    let piece = |end: usize| {
        let piece = outputs[start..end.max(start)].to_vec();
        start = end.max(start);
        (coded(piece.len(), 7, None), piece)
    };
    ends.map(piece).collect()
}

fn sorted(mut outputs: Vec<u32>) -> Vec<u32> {
    outputs.sort();
    outputs
}

#[test]
fn nothing_to_shuffle_is_fine() {
    let mut written = Vec::new();
    let sink = CsvSink::new(Box::new(&mut written), Some(vec!["load".into()]), b',', vec![], false).unwrap();
    let directory = std::env::temp_dir();
    Box::new(Shuffle::new(Box::new(sink), &RandomKey::from_seed(1), directory)).finish().unwrap();
    assert_eq!(written, b"load\n");
}

#[test]
fn every_row_comes_out_once_in_memory_on_disk_and_in_divided_buckets() {
    for largest in [200, 60_000, 1 << 20] {
        let outputs: Vec<u32> = (0..5_000u32).map(|row| row * 7919 % largest).collect();
        let on_disk = Limits { held: 1, ..Limits::default() };
        let in_memory = shuffled(1, Limits::default(), cut(&outputs, &[3_000]));
        assert_ne!(in_memory.outputs, outputs);
        assert_eq!(sorted(in_memory.outputs.clone()), sorted(outputs.clone()));
        // Where rows wait makes no difference; only buckets that are divided have another order.
        let disk = shuffled(1, on_disk, cut(&outputs, &[1_000, 1_001, 4_000]));
        assert!(disk.outputs == in_memory.outputs, "{largest}");
        let divided = shuffled(1, TINY, cut(&outputs, &[3_000]));
        assert_ne!(divided.outputs, in_memory.outputs);
        assert_eq!(sorted(divided.outputs), sorted(outputs));
    }
}

#[test]
fn kept_columns_of_every_kind_stay_with_their_rows() {
    let rows = 3_000i64;
    let batches = || {
        [(0, 1_100), (1_100, 1_101), (1_101, rows)].map(|(start, end)| {
            let text = |row: i64| format!("a text that is longer than twelve bytes {row}");
            let lists = (start..end).map(|row| (row % 4 != 3).then(|| vec![Some(row as i32); row as usize % 3]));
            let dictionary: DictionaryArray<Int8Type> =
                (start..end).map(|row| Some(["x", "y"][row as usize % 2])).collect();
            let mut batch = Batch::default();
            batch.restart(start as u64, 0);
            batch.keep_array(Arc::new(Int64Array::from_iter_values(start..end)));
            batch.keep_array(Arc::new(StringViewArray::from_iter_values((start..end).map(text))));
            batch.keep_array(Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(lists)));
            batch.keep_array(Arc::new(dictionary));
            batch.values.resize((end - start) as usize, 7);
            (batch, (start as u32..end as u32).collect())
        })
    };
    for limits in [Limits::default(), Limits { held: 1, ..Limits::default() }, Limits { held: 1, bucket: 500 }] {
        let taken = shuffled(3, limits, batches());
        let mut outputs = taken.outputs.iter();
        for arrays in &taken.arrays {
            let (ids, texts) = (arrays[0].as_primitive::<Int64Type>(), arrays[1].as_string_view());
            let (lists, labels) = (arrays[2].as_list::<i32>(), arrays[3].as_string::<i32>());
            for at in 0..ids.len() {
                let row = i64::from(*outputs.next().unwrap());
                assert_eq!(ids.value(at), row);
                assert!(texts.value(at).ends_with(&format!("bytes {row}")));
                assert_eq!(lists.is_null(at), row % 4 == 3);
                let list: ArrayRef = lists.value(at);
                assert!(
                    lists.is_null(at)
                        || list.as_primitive::<Int32Type>().values() == &vec![row as i32; row as usize % 3]
                );
                assert_eq!(labels.value(at), ["x", "y"][row as usize % 2]);
            }
        }
        assert_eq!(sorted(taken.outputs), (0..rows as u32).collect::<Vec<_>>());
    }
}

#[test]
fn texts_that_are_no_unicode_stay_with_their_rows() {
    let mut batch = Batch::default();
    batch.restart(0, 2);
    for row in 0..2_000u16 {
        batch.keep(&[0xff, row as u8]);
        batch.keep(&row.to_le_bytes().repeat(row as usize % 3));
    }
    batch.values.resize(2_000, 7);
    for limits in [Limits::default(), TINY] {
        let taken = shuffled(1, limits, [(batch.clone(), (0..2_000).collect())]);
        for (&row, texts) in taken.outputs.iter().zip(&taken.texts) {
            assert_eq!(texts[0], [0xff, row as u8]);
            assert_eq!(texts[1], (row as u16).to_le_bytes().repeat(row as usize % 3));
        }
        assert_eq!(sorted(taken.outputs), (0..2_000).collect::<Vec<_>>());
    }
}

proptest! {
    // The same key gives the same order however the rows are cut, wherever they wait, and however deep they go.
    #[test]
    fn the_order_does_not_depend_on_how_rows_came(
        seed in any::<u64>(), rows in 0usize..900, mut cuts in prop::collection::vec(0usize..900, 0..8),
        bucket in prop_oneof![Just(8u64), Just(40), Just(1 << 20)], threads in 1usize..3,
    ) {
        cuts.iter_mut().for_each(|at| *at = (*at).min(rows));
        cuts.sort();
        let outputs: Vec<u32> = (0..rows as u32).collect();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let whole = shuffled(seed, Limits { held: 1 << 20, bucket }, cut(&outputs, &[])).outputs;
        let pieces = cut(&outputs, &cuts);
        let found = pool.install(|| shuffled(seed, Limits { held: 1, bucket }, pieces).outputs);
        prop_assert_eq!(&found, &whole);
        prop_assert_eq!(sorted(found), outputs);
    }
}

#[test]
fn all_orders_of_four_rows_are_equally_likely_also_through_divided_buckets() {
    // A chi-square with 23 degrees of freedom over 24,000 seeds; 71 is exceeded by chance less than once in a million.
    // Buckets of more than one row are divided, so every path of the code is taken.
    let mut counts = BTreeMap::new();
    for seed in 0..24_000 {
        let limits = if seed % 8 == 0 { Limits { held: 1, bucket: 4 } } else { Limits { held: 1 << 20, bucket: 4 } };
        *counts.entry(shuffled(seed, limits, cut(&[0, 1, 2, 3], &[])).outputs).or_insert(0u32) += 1;
    }
    let statistic: f64 = counts.values().map(|&seen| (f64::from(seen) - 1000.0).powi(2) / 1000.0).sum();
    assert!(counts.len() == 24 && statistic < 71.0, "{statistic}");
}

#[test]
fn a_place_of_the_output_tells_nothing_of_a_place_of_the_input() {
    // 20,000 rows, a tenth of the input against a tenth of the output: a chi-square with 81 degrees of freedom; 153 is
    // exceeded by chance less than once in a million.
    for limits in [Limits::default(), Limits { held: 1, bucket: 400 }] {
        let outputs: Vec<u32> = (0..20_000).collect();
        let found = shuffled(5, limits, cut(&outputs, &[777, 9_000])).outputs;
        let mut counts = [[0u32; 10]; 10];
        found.iter().enumerate().for_each(|(at, &row)| counts[at / 2_000][row as usize / 2_000] += 1);
        let statistic: f64 = counts.iter().flatten().map(|&seen| (f64::from(seen) - 200.0).powi(2) / 200.0).sum();
        assert!(statistic < 153.0, "{statistic}");
    }
}

#[test]
fn batches_have_one_size_that_depends_on_the_rows_alone() {
    let outputs: Vec<u32> = (0..200_000).map(|row| row % 5).collect();
    for cuts in [&[][..], &[1, 2, 3], &[65_536, 131_072], &[199_999]] {
        let found = shuffled(1, Limits { held: 100_000, ..Limits::default() }, cut(&outputs, cuts)).batches;
        assert_eq!(found, [65_536, 65_536, 65_536, 200_000 - 3 * 65_536]);
    }
    assert_eq!(batch_rows((0, 0)), 65_536);
    assert_eq!(batch_rows((1_000, 1_000 * 129)), 32_768, "8 MiB of rows of 129 bytes are fewer than 65,536");
    assert_eq!(batch_rows((1_000, 1_000 * 128)), 65_536);
    assert_eq!(batch_rows((3, 3 << 30)), 1);
}

#[test]
fn row_groups_do_not_show_how_the_input_was_cut() {
    let outputs: Vec<u32> = (0..3_000_000u32).map(|row| row * 7 % 5).collect();
    let labels: Vec<String> = (0..5).map(|label| label.to_string()).collect();
    let schema = Shuffle::schema(&RecordSchema::text([]));
    let groups = |cuts: &[usize]| {
        let mut written = Vec::new();
        let sink = ParquetSink::new(Box::new(&mut written), "load", &labels, &schema, None).unwrap();
        let mut shuffle = Shuffle::new(Box::new(sink), &RandomKey::from_seed(1), std::env::temp_dir());
        for (mut batch, outputs) in cut(&outputs, cuts) {
            // Each piece is a row group of the input.
            batch.group = crate::columns::Group::Ends;
            shuffle.write_batch(&batch, &outputs).unwrap();
        }
        Box::new(shuffle).finish().unwrap();
        written
    };
    let whole = groups(&[]);
    for cuts in [&[1][..], &[10, 1_000_000, 1_500_000], &[123_456]] {
        assert!(groups(cuts) == whole, "the bytes differ for cuts at {cuts:?}");
    }
    let metadata = parquet::file::metadata::ParquetMetaDataReader::new().parse_and_finish(&bytes::Bytes::from(whole));
    let rows: Vec<i64> = metadata.unwrap().row_groups().iter().map(|group| group.num_rows()).collect();
    assert_eq!(rows, [1 << 20, 1 << 20, 3_000_000 - (2 << 20)]);
}

#[test]
fn what_waits_is_released_rows_only() {
    // The value codes and profiles of a batch do not reach the rows that go to disk.
    let batch = coded(3, 0xAABB, Some(0xCCDD));
    let mut block = Vec::new();
    Rows::new(&batch, &[1, 2, 3]).unwrap().write(&mut block).unwrap();
    assert_eq!(block, [3, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 3]);
    let mut block = Vec::new();
    Rows::new(&batch, &[1, 0x102, 3]).unwrap().write(&mut block).unwrap();
    assert_eq!(block, [3, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 2, 1, 3, 0]);
}

#[test]
fn rows_that_changed_on_disk_are_an_error() {
    let batch = coded(3, 7, None);
    let mut block = Vec::new();
    Rows::new(&batch, &[1, 2, 3]).unwrap().write(&mut block).unwrap();
    for end in 0..block.len() {
        assert!(Rows::read(&block[..end]).is_err(), "{end}");
    }
    block[8] = 3;
    assert!(Rows::read(&block).is_err(), "a width that there is not");
}

#[test]
fn small_inputs_do_not_touch_the_disk_and_large_ones_need_it() {
    let nowhere = PathBuf::from("/no/such/directory");
    let shuffle = |rows: u32| {
        let taken = Rc::new(RefCell::new(Taken::default()));
        let limits = Limits { held: 1 << 16, ..Limits::default() };
        let sink = Box::new(Collect(taken.clone()));
        let mut shuffle = Shuffle::with_limits(sink, &RandomKey::from_seed(1), nowhere.clone(), limits);
        let written = cut(&(0..rows).collect::<Vec<_>>(), &[])
            .iter()
            .try_for_each(|(batch, outputs)| shuffle.write_batch(batch, outputs));
        written.and_then(|()| Box::new(shuffle).finish()).map(|()| taken.take().outputs.len())
    };
    assert_eq!(shuffle(1_000).unwrap(), 1_000);
    let error: Error = shuffle(60_000).unwrap_err();
    assert!(error.is_system() && error.to_string().contains("/no/such/directory"), "{error}");
}

#[test]
fn the_directory_is_beside_the_output_or_the_systems() {
    // What the environment says goes first, so the test follows it.
    let given = std::env::var_os("TMPDIR").is_some();
    let expected = |directory: &str| if given { std::env::temp_dir() } else { PathBuf::from(directory) };
    assert_eq!(Shuffle::directory(Path::new("a/out.csv")), expected("a"));
    assert_eq!(Shuffle::directory(Path::new("out.csv")), expected("."));
    assert_eq!(Shuffle::directory(Path::new("-")), std::env::temp_dir());
    assert_eq!(Shuffle::directory(Path::new("/dev/stdout")), std::env::temp_dir());
}

#[test]
fn a_dictionary_becomes_plain_at_every_depth() {
    let dictionary = || DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8));
    let list = |item| DataType::List(Arc::new(Field::new("item", item, true)));
    let mut schema = RecordSchema::text(&["a".to_owned(), "b".to_owned()]);
    schema.kept =
        vec![Arc::new(Field::new("a", dictionary(), true)), Arc::new(Field::new("b", list(dictionary()), true))];
    let types: Vec<_> = Shuffle::schema(&schema).kept.iter().map(|field| field.data_type().clone()).collect();
    assert_eq!(types, [DataType::Utf8, list(DataType::Utf8)]);
}

#[test]
fn kept_columns_in_order_are_named() {
    let taken = Rc::new(RefCell::new(Taken::default()));
    let shuffle = Shuffle::new(Box::new(Collect(taken)), &RandomKey::from_seed(1), std::env::temp_dir());
    let names = [None, Some("time".to_owned()), Some("day".to_owned())];
    let mut shuffle = shuffle.watching(names);
    for start in [0u32, 100] {
        let mut batch = Batch::default();
        batch.restart(start.into(), 0);
        batch.keep_array(Arc::new(UInt32Array::from_iter_values(start..start + 100)));
        batch.keep_array(Arc::new(StringArray::from_iter_values((start..start + 100).map(|row| row.to_string()))));
        batch.keep_array(Arc::new(UInt32Array::from_iter_values((start..start + 100).map(|row| row % 7))));
        batch.values.resize(100, 7);
        shuffle.write_batch(&batch, &[0; 100]).unwrap();
    }
    assert_eq!(shuffle.restoring(), ["time"], "what has no name is what was released");
}
