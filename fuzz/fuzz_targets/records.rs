//! Any bytes as records: codes that exist, or a message.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_io::Result;
use lookalike_io::records::{Batch, Columns, CsvOptions, CsvSource, Labels, RecordSource};

fuzz_target!(|bytes: &[u8]| {
    let Some((&options, records)) = bytes.split_first() else { return };
    if let Err(error) = drain(options, records.to_vec()) {
        assert!(!error.to_string().is_empty(), "an error says something");
    }
});

/// Reads all records; the bits of `options` choose how.
fn drain(options: u8, records: Vec<u8>) -> Result<()> {
    let chosen = |bit: u8| options >> bit & 1 == 1;
    let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    let csv = CsvOptions {
        delimiter: if chosen(0) { b';' } else { b',' },
        columns: chosen(1).then(|| names(&["user", "load", "day"])),
        trim: chosen(2),
        record_limit: 64,
    };
    let profile = chosen(3).then(|| "user".to_owned());
    let keep = if chosen(4) { names(&["day"]) } else { Vec::new() };
    let columns = Columns { profile: profile.clone(), values: names(&["load"]), keep };
    let profiles = match profile {
        None => None,
        Some(_) => Some(Box::new(Labels::new(names(&["ana", "bo"]))?) as _),
    };
    let values = Box::new(Labels::new(names(&["idle", "7", "busy"]))?);
    let unknown = chosen(5).then_some(2);
    let input = Box::new(std::io::Cursor::new(records));
    let mut source = CsvSource::open(input, &csv, &columns, profiles, values, unknown)?;
    let mut batch = Batch::default();
    let mut rows = 0;
    while source.read_batch(&mut batch)? {
        assert_eq!(batch.first_row, rows, "rows are counted");
        assert!(batch.len() <= Batch::MAX_ROWS && batch.values.iter().all(|&value| value < 3));
        assert!(batch.profiles.iter().all(|&profile| profile < 2));
        rows += batch.len() as u64;
    }
    Ok(())
}
