//! Privatized records to CSV.

use std::io::Write;

use super::formulas::is_formula;
use super::text_output::TextOutput;
use crate::arrow::KeptTexts;
use crate::columns::{Batch, RecordSink};
use lookalike_formats::Result;
use lookalike_formats::records::check_delimiter;

/// Privatized records as CSV, plain or compressed with gzip: the label first, then the kept columns.
///
/// Fields are quoted only when they have to be, and lines end with `\n`.
pub struct CsvSink<'a> {
    output: TextOutput<'a>,
    /// Every label as it stands in the file.
    labels: Vec<Vec<u8>>,
    quoting: Quoting,
}

impl<'a> CsvSink<'a> {
    /// A sink that writes `labels[code]` for a code, below `header` if there is one; without labels only the columns of a
    /// batch, which are arrays then.
    ///
    /// The header names all columns: the label's first, then the kept ones. With `gzip` the output is compressed.
    /// `output` may be a `&mut` [`AtomicFile`](crate::files::AtomicFile), to be committed after [`RecordSink::finish`].
    ///
    /// # Errors
    /// When the delimiter is a quote, a line end, or not ASCII.
    pub fn new(
        output: Box<dyn Write + Send + 'a>,
        header: Option<Vec<String>>,
        delimiter: u8,
        labels: Vec<String>,
        gzip: bool,
    ) -> Result<Self> {
        check_delimiter(delimiter)?;
        let quoting = Quoting::new(delimiter);
        let mut output = TextOutput::new(output, gzip);
        if let Some(names) = header {
            let names: Vec<_> = names.iter().map(|name| quoting.leading(name)).collect();
            output.buffer.extend_from_slice(&names.join(&delimiter));
            output.buffer.push(b'\n');
        }
        let labels = labels.iter().map(|label| quoting.leading(label)).collect();
        Ok(CsvSink { output, labels, quoting })
    }

    /// The sink with an apostrophe in front of kept fields that a spreadsheet would take for a formula, as
    /// [`escape_formula`](super::formulas::escape_formula) puts it. The header and the labels stay as they were given.
    #[must_use]
    pub fn escaping_formulas(mut self) -> Self {
        self.quoting.escapes = true;
        self
    }

    /// [`RecordSink::write_batch`] where columns are arrays.
    fn write_arrays(&mut self, batch: &Batch, outputs: &[u32]) -> Result<()> {
        let (texts, mut text) = (KeptTexts::of(batch.arrays())?, String::new());
        for (row, &code) in outputs.iter().enumerate() {
            let mut is_first = self.labels.is_empty();
            if !is_first {
                self.output.buffer.extend_from_slice(&self.labels[code as usize]);
            }
            texts.each(row, &mut text, |field| {
                if std::mem::take(&mut is_first) {
                    self.output.buffer.extend_from_slice(&self.quoting.leading(field));
                } else {
                    self.output.buffer.push(self.quoting.delimiter);
                    self.quoting.append(field.as_bytes(), &mut self.output.buffer);
                }
            })?;
            self.write_texts(batch, row)?;
        }
        Ok(())
    }

    /// The kept texts of a record, behind what it begins with.
    #[inline]
    fn write_texts(&mut self, batch: &Batch, row: usize) -> Result<()> {
        for field in batch.kept(row) {
            self.output.buffer.push(self.quoting.delimiter);
            self.quoting.append(&field, &mut self.output.buffer);
        }
        self.output.buffer.push(b'\n');
        self.output.record_is_complete()
    }
}

impl RecordSink for CsvSink<'_> {
    fn write_batch(&mut self, batch: &Batch, outputs: &[u32]) -> Result<()> {
        assert_eq!(batch.len(), outputs.len(), "one output per record");
        if !batch.arrays().is_empty() {
            return self.write_arrays(batch, outputs);
        }
        for (row, &code) in outputs.iter().enumerate() {
            self.output.buffer.extend_from_slice(&self.labels[code as usize]);
            self.write_texts(batch, row)?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<bool> {
        self.output.flush()
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.output.finish()
    }
}

/// When a field needs quotes, and how it looks in them.
struct Quoting {
    delimiter: u8,
    special: [bool; 256],
    /// Whether formulas get an apostrophe.
    escapes: bool,
}

impl Quoting {
    fn new(delimiter: u8) -> Self {
        let mut special = [false; 256];
        for byte in [delimiter, b'"', b'\r', b'\n'] {
            special[usize::from(byte)] = true;
        }
        Quoting { delimiter, special, escapes: false }
    }

    #[inline]
    fn append(&self, field: &[u8], buffer: &mut Vec<u8>) {
        let is_escaped = self.escapes && is_formula(field);
        if !field.iter().any(|&byte| self.special[usize::from(byte)]) {
            buffer.extend(is_escaped.then_some(b'\''));
            return buffer.extend_from_slice(field);
        }
        buffer.push(b'"');
        buffer.extend(is_escaped.then_some(b'\''));
        for part in field.split_inclusive(|&byte| byte == b'"') {
            buffer.extend_from_slice(part);
            if part.ends_with(b"\"") {
                buffer.push(b'"');
            }
        }
        buffer.push(b'"');
    }

    /// A field that may be alone in its record: an empty one has quotes, since a blank line would be no record.
    fn leading(&self, field: &str) -> Vec<u8> {
        let mut quoted = Vec::new();
        self.append(field.as_bytes(), &mut quoted);
        if quoted.is_empty() { b"\"\"".to_vec() } else { quoted }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use flate2::read::GzDecoder;
    use proptest::prelude::*;

    use super::*;

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(ToString::to_string).collect()
    }

    /// A batch of records that keep these fields.
    fn keeping(rows: &[&[&str]]) -> Batch {
        let mut batch = Batch::default();
        batch.restart(0, rows.first().map_or(0, |row| row.len()));
        for row in rows {
            batch.values.push(0);
            row.iter().for_each(|field| batch.keep(field.as_bytes()));
        }
        batch
    }

    fn written(header: Option<&[&str]>, labels: &[&str], gzip: bool, batch: &Batch, outputs: &[u32]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let header = header.map(strings);
        let mut sink = CsvSink::new(Box::new(&mut bytes), header, b',', strings(labels), gzip).unwrap();
        sink.write_batch(batch, outputs).unwrap();
        Box::new(sink).finish().unwrap();
        bytes
    }

    #[test]
    fn labels_come_first_and_kept_columns_follow_in_order() {
        let batch = keeping(&[&["mon", "1"], &["tue", ""]]);
        let bytes = written(Some(&["load", "day", "n"]), &["idle", "busy"], false, &batch, &[1, 0]);
        assert_eq!(bytes, b"load,day,n\nbusy,mon,1\nidle,tue,\n");
    }

    #[test]
    fn without_a_header_and_kept_columns_there_are_only_labels() {
        let bytes = written(None, &["idle", "busy"], false, &keeping(&[&[], &[], &[]]), &[1, 0, 1]);
        assert_eq!(bytes, b"busy\nidle\nbusy\n");
    }

    #[test]
    fn no_records_leave_the_header_alone() {
        assert_eq!(written(Some(&["load"]), &["idle"], false, &Batch::default(), &[]), b"load\n");
        assert_eq!(written(None, &["idle"], false, &Batch::default(), &[]), b"");
    }

    #[test]
    fn fields_are_quoted_when_needed() {
        let batch = keeping(&[&["two\nlines", "cr\r", "semi;colon"]]);
        let bytes = written(Some(&["a,b", "c", "", "d"]), &["say \"hi\""], false, &batch, &[0]);
        assert_eq!(bytes, b"\"a,b\",c,\"\",d\n\"say \"\"hi\"\"\",\"two\nlines\",\"cr\r\",semi;colon\n");
        assert_eq!(written(None, &[""], false, &keeping(&[&[]]), &[0]), b"\"\"\n");
    }

    #[test]
    fn gzip_output_is_finished_and_the_same_each_time() {
        let batch = keeping(&[&["mon"]]);
        let write = || written(Some(&["load", "day"]), &["idle"], true, &batch, &[0]);
        let mut text = String::new();
        GzDecoder::new(&write()[..]).read_to_string(&mut text).unwrap();
        assert_eq!(text, "load,day\nidle,mon\n");
        assert_eq!(write(), write());
    }

    #[test]
    fn a_refused_write_is_an_error_of_the_system() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        for gzip in [false, true] {
            let sink = CsvSink::new(Box::new(Full), Some(strings(&["load"])), b',', vec![], gzip).unwrap();
            let error = Box::new(sink).finish().unwrap_err();
            assert!(error.is_system());
            assert_eq!(error.to_string(), "cannot write: no storage space");
        }
    }

    #[test]
    #[should_panic = "one output per record"]
    fn a_missing_output_is_a_mistake_of_the_caller() {
        written(None, &["idle"], false, &keeping(&[&[], &[]]), &[0]);
    }

    proptest! {
        #[test]
        fn kept_fields_are_written_as_the_csv_crate_writes_them(
            rows in prop::collection::vec(prop::array::uniform2("[ab,;\"\n\r é]{0,5}"), 0..20),
            delimiter in prop::sample::select(&b",;\t"[..]),
        ) {
            let mut expected = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
            let mut batch = Batch::default();
            batch.restart(0, 2);
            for row in &rows {
                expected.write_record(["x;\"y"].into_iter().chain(row.iter().map(String::as_str))).unwrap();
                batch.values.push(0);
                row.iter().for_each(|field| batch.keep(field.as_bytes()));
            }
            let mut bytes = Vec::new();
            let mut sink = CsvSink::new(Box::new(&mut bytes), None, delimiter, strings(&["x;\"y"]), false).unwrap();
            sink.write_batch(&batch, &vec![0; rows.len()]).unwrap();
            Box::new(sink).finish().unwrap();
            prop_assert_eq!(bytes, expected.into_inner().unwrap());
        }
    }
}
