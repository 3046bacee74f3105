//! Any bytes as records in Arrow IPC, as a file and as a stream: codes that exist, or a message.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_engine::records::{ArrowFileSource, ArrowStreamSource};
use lookalike_fuzz::{Options, file_of, pass_on, told};

fuzz_target!(|bytes: &[u8]| {
    let Some((&options, records)) = bytes.split_first() else { return };
    let options = Options(options);
    let (columns, unknown) = (options.columns(), options.unknown());
    if options.has(7) {
        let file = file_of(records);
        let source = ArrowFileSource::open(file, &columns, options.profiles(), options.values(), unknown);
        told(source.and_then(|mut source| pass_on(&mut source, options)));
    } else {
        let input = Box::new(std::io::Cursor::new(records.to_vec()));
        let source = ArrowStreamSource::open(input, &columns, options.profiles(), options.values(), unknown);
        told(source.and_then(|mut source| pass_on(&mut source, options)));
    }
});
