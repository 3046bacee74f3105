//! Any bytes as JSON lines, plain or gzip: codes that exist, or a message; and kept values come back byte by byte.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_engine::records::{Batch, Columns, CsvOptions, JsonLinesSink, JsonLinesSource, RecordSink, RecordSource};
use lookalike_formats::Result;
use lookalike_fuzz::{Options, names, pass_on, told};

fuzz_target!(|bytes: &[u8]| {
    let Some((&options, records)) = bytes.split_first() else { return };
    let options = Options(options);
    let csv = CsvOptions { record_limit: if options.has(6) { 64 } else { 1 << 20 }, ..CsvOptions::default() };
    let open = |bytes: &[u8], columns: &Columns, coded: bool| {
        let input = Box::new(std::io::Cursor::new(bytes.to_vec()));
        let (profiles, values) = if coded { (options.profiles(), options.values()) } else { (None, None) };
        JsonLinesSource::open(input, &csv, columns, profiles, values, options.unknown())
    };
    told(open(records, &options.columns(), true).and_then(|mut source| pass_on(&mut source, options)));

    let kept = Columns { keep: names(&["note"]), ..Columns::default() };
    let copy = |bytes: &[u8]| -> Result<Vec<u8>> {
        let (mut source, mut batch, mut written) = (open(bytes, &kept, false)?, Batch::default(), Vec::new());
        let labels = names(&["x"]);
        let mut sink = JsonLinesSink::new(Box::new(&mut written), "load", &labels, &source.schema(), false)?;
        while source.read_batch(&mut batch)? {
            let outputs = batch.values.clone();
            sink.write_batch(&batch, &outputs)?;
        }
        Box::new(sink).finish()?;
        Ok(written)
    };
    if let Some(once) = told(copy(records)) {
        // With its key and the label a line may be longer than the limit.
        assert!(options.has(6) || copy(&once).expect("what was written is read") == once, "the same bytes");
    }
});
