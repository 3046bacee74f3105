//! The whole way of a table without a file: what a page in a browser does.

use lookalike::design::{Options, design};
use lookalike::estimate::{Confidence, Trust};
use lookalike_engine::records::{RecordBytes, RecordFile, Records, create_sink};
use lookalike_engine::{
    Channels, EstimateRequest, OutputFile, Privatized, ReleaseOptions, ReleaseRequest, ReportReader, ReportRecords,
    Written, fit::FitRequest, prove_design,
};
use lookalike_formats::records::{Columns, CsvOptions, Format};
use lookalike_formats::{Alone, Domain, FitGraph, FitOptions, MechanismFile, Result, Spec};
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

const FORMATS: [Format; 5] = [Format::Csv, Format::JsonLines, Format::Parquet, Format::Arrow, Format::ArrowStream];

/// Bytes that a sink writes, to be looked at when it is done.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap().clone()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn records() -> String {
    let rows = (0..3_000).map(|row| format!("{},{}\n", ["ana", "bo"][row % 2], ["idle", "busy"][row * row % 7 % 2]));
    "user,load\n".to_owned() + &rows.collect::<String>()
}

fn columns() -> Columns {
    Columns { profile: Some("user".into()), values: vec!["load".into()], keep: Vec::new() }
}

/// The CSV in another format.
fn converted(csv: &str, format: Format) -> Vec<u8> {
    if format == Format::Csv {
        return csv.as_bytes().to_vec();
    }
    let options = CsvOptions::default();
    let bytes = RecordBytes { bytes: csv.to_owned().into(), format: Format::Csv, csv: &options };
    let keep = Columns { keep: vec!["user".into(), "load".into()], ..Columns::default() };
    let mut source = bytes.open_columns(&keep, None).unwrap();
    let (schema, written) = (source.schema(), Shared::default());
    let output = lookalike_engine::records::Output {
        format,
        name: String::new(),
        header: true,
        delimiter: b',',
        escape_formulas: false,
        compression: None,
        labels: &[],
        schema: &schema,
    };
    let mut sink = create_sink(Box::new(written.clone()), &output).unwrap();
    let mut batch = lookalike_engine::records::Batch::default();
    while source.read_batch(&mut batch).unwrap() {
        let kept = lookalike_engine::records::kept_arrays(&batch, &schema.kept).unwrap();
        batch.replace_kept(kept);
        sink.write_batch(&batch, &vec![0; batch.len()]).unwrap();
    }
    sink.finish().unwrap();
    written.bytes()
}

/// Hands the same records on, each time anew.
type Again<'a> = &'a dyn Fn(&mut dyn FnMut(Records<'_>));

/// The spec that is fitted, the mechanism as text, what was released and what the released rows tell.
fn all(records: Again<'_>) -> Result<(String, String, Privatized, Vec<u8>, String)> {
    let domain = Domain::Known(lookalike::model::Categories::new(["idle", "busy"])?);
    let options = FitOptions {
        epsilon: Some("1".parse()?),
        graph: FitGraph::Complete,
        ..FitOptions::new("user", vec!["load".into()], domain)
    };
    let mut fitted = None;
    records(&mut |records| fitted = Some(FitRequest { records, options: &options }.run(&mut |_| {})));
    let toml = fitted.unwrap()?.spec_toml();
    let Spec { problem, .. } = Spec::from_toml(&toml, &Alone)?;
    let design = design(&problem, &Options::default())?;
    let certified = prove_design(design.mechanism.clone())?;
    let mechanism = MechanismFile::new(design, &certified).to_json();

    let mut released = None;
    records(&mut |records| {
        let request = ReleaseRequest {
            mechanism: Box::new(Channels::new(&certified)),
            records,
            options: ReleaseOptions { columns: columns(), seed: Some(7), shuffle: true, ..ReleaseOptions::default() },
            charging: None,
        };
        let release = || {
            let written = Shared::default();
            let output = OutputFile {
                path: Path::new("-"),
                format: Format::Csv,
                header: true,
                delimiter: b',',
                escape_formulas: false,
                compression: None,
                rows_out: None,
            };
            let stream = Written::Stream(Box::new(written.clone()));
            let outcome = request.open()?.write(&output, stream, None, &mut |_| {}, &|| false)?;
            Ok::<_, lookalike_formats::Error>((outcome.done, written.bytes()))
        };
        released = Some(release());
    });
    let (done, released) = released.unwrap()?;

    let reader = ReportReader::channels(certified.mechanism(), Some(Trust::Nothing), false)?;
    let csv = CsvOptions::default();
    let bytes = RecordBytes { bytes: released.clone().into(), format: Format::Csv, csv: &csv };
    let request = EstimateRequest {
        records: ReportRecords::Bytes(bytes),
        value: "load",
        by: None,
        count: None,
        stand_ins: 0,
        notes: &[],
        confidence: Confidence::default(),
    };
    let estimate = request.run(&reader, &mut |_, _| {})?;
    let facts = lookalike_engine::Facts::json(&estimate.facts()).to_string();
    Ok((toml, mechanism, done, released, facts))
}

#[test]
fn records_in_memory_go_the_way_of_those_in_a_file_in_every_format() {
    let (csv, options) = (records(), CsvOptions::default());
    for format in FORMATS {
        let bytes = converted(&csv, format);
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), &bytes).unwrap();
        let in_file = all(&|take: &mut dyn FnMut(Records<'_>)| {
            take(Records::File(RecordFile { path: file.path(), format, csv: &options }));
        });
        let in_memory = all(&|take: &mut dyn FnMut(Records<'_>)| {
            take(Records::Bytes(RecordBytes { bytes: bytes.clone().into(), format, csv: &options }));
        });
        let (in_file, in_memory) = (in_file.unwrap(), in_memory.unwrap());
        assert_eq!(in_file, in_memory, "{format}");
        assert_eq!(in_memory.2.rows, 3_000, "{format}");
        assert!(in_memory.3.starts_with(b"load\n") && in_memory.4.contains("\"reports\":3000"), "{}", in_memory.4);
    }
}

#[test]
fn errors_about_records_in_memory_name_rows_and_no_file() {
    let options = CsvOptions::default();
    let bytes = RecordBytes { bytes: "user,load\nana,SECRETMARKER\n".into(), format: Format::Csv, csv: &options };
    let domain = Domain::Known(lookalike::model::Categories::new(["idle", "busy"]).unwrap());
    let fit = FitOptions::new("user", vec!["load".into()], domain);
    let request = FitRequest { records: Records::Bytes(bytes), options: &fit };
    let error = request.run(&mut |_| {}).unwrap_err().to_string();
    assert!(error.starts_with("row 1, column \"load\": ") && !error.contains("SECRETMARKER"), "{error}");
}
