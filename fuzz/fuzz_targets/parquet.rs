//! Any bytes as a Parquet file of records: codes that exist, or a message; and as a table of a spec.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_engine::records::ParquetSource;
use lookalike_fuzz::{Options, file_of, pass_on, told};

fuzz_target!(|bytes: &[u8]| {
    let Some((&options, records)) = bytes.split_first() else { return };
    let options = Options(options);
    let source = ParquetSource::open(
        file_of(records),
        &options.columns(),
        options.profiles(),
        options.values(),
        options.unknown(),
    );
    told(source.and_then(|mut source| pass_on(&mut source, options)));
});
