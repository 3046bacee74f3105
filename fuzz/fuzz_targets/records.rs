//! Any bytes as CSV records, plain or gzip: codes that exist, or a message.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_engine::records::{CsvOptions, CsvSource};
use lookalike_fuzz::{Options, names, pass_on, told};

fuzz_target!(|bytes: &[u8]| {
    let Some((&options, records)) = bytes.split_first() else { return };
    let options = Options(options);
    let csv = CsvOptions {
        delimiter: if options.has(5) { b';' } else { b',' },
        columns: options.has(6).then(|| names(&["user", "load", "note"])),
        trim: options.has(7),
        record_limit: 64,
    };
    let input = Box::new(std::io::Cursor::new(records.to_vec()));
    let source =
        CsvSource::open(input, &csv, &options.columns(), options.profiles(), options.values(), options.unknown());
    told(source.and_then(|mut source| pass_on(&mut source, options)));
});
