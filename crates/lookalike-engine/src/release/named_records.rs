//! Records on their way, with errors that say which end failed.

use super::rows_out::RowsOut;
use lookalike_formats::{Error, Result};
use lookalike_records::{Batch, RecordSchema, RecordSink, RecordSource, at_input, at_output};
use std::path::Path;

/// A source whose errors name its file, and which ends with an error once it is told to stop.
pub(crate) struct NamedSource<'a> {
    pub source: &'a mut dyn RecordSource,
    /// None for records in memory.
    pub path: Option<&'a Path>,
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

impl RecordSource for NamedSource<'_> {
    fn read_batch(&mut self, batch: &mut Batch) -> Result<bool> {
        if (self.stop)() {
            return Err(stopped());
        }
        self.source.read_batch(batch).map_err(|error| match self.path {
            Some(path) => at_input(error, path),
            None => error,
        })
    }

    fn schema(&self) -> RecordSchema {
        self.source.schema()
    }

    fn bytes_read(&self) -> u64 {
        self.source.bytes_read()
    }

    fn may_wait(&self) -> bool {
        self.path.is_some_and(|path| !std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file()))
    }
}

/// A sink whose errors name its file.
pub(crate) struct NamedSink<'a> {
    pub sink: Box<dyn RecordSink + 'a>,
    pub path: &'a Path,
    /// Where rows that have left are counted, if they cannot be called back.
    pub rows_out: Option<&'a RowsOut>,
}

impl RecordSink for NamedSink<'_> {
    fn write_batch(&mut self, batch: &Batch, outputs: &[u32]) -> Result<()> {
        if let Some(rows_out) = self.rows_out {
            rows_out.handing_on(outputs.len() as u64);
        }
        self.sink.write_batch(batch, outputs).map_err(|error| at_output(error, self.path))?;
        // Rows that are drawn are handed on, so that how many are out is known should the next batch fail.
        if self.rows_out.is_some() {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<bool> {
        let all = self.sink.flush().map_err(|error| at_output(error, self.path))?;
        if let Some(rows_out) = self.rows_out.filter(|_| all) {
            rows_out.flushed();
        }
        Ok(all)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.sink.finish().map_err(|error| at_output(error, self.path))
    }
}

/// The error of work that was stopped.
pub(crate) fn stopped() -> Error {
    lookalike::Error::stopped().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Wrong;

    impl RecordSource for Wrong {
        fn read_batch(&mut self, _: &mut Batch) -> Result<bool> {
            Err(Error::input("row 1: wrong"))
        }

        fn schema(&self) -> RecordSchema {
            unreachable!("only batches are read")
        }

        fn bytes_read(&self) -> u64 {
            0
        }
    }

    #[test]
    fn stopped_work_is_no_bad_input_and_bad_input_no_stopped_work() {
        let error = |is_stopped: bool| {
            let stop = || is_stopped;
            let (mut source, path) = (Wrong, Some(Path::new("records.csv")));
            let mut named = NamedSource { source: &mut source, path, stop: &stop };
            named.read_batch(&mut Batch::default()).unwrap_err()
        };
        let (stopped, wrong) = (error(true), error(false));
        assert!(stopped.is_stopped() && stopped.to_string() == "stopped before it was done", "{stopped}");
        assert!(!wrong.is_stopped() && wrong.to_string() == "records.csv: row 1: wrong", "{wrong}");
    }
}
