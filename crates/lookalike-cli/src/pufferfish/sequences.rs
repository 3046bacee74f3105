//! Sequences of states in a file.

use crate::formats::InputFormat;
use crate::streams::{at_input, length};
use crate::terminal::Terminal;
use lookalike_engine::pufferfish::read_sequences;
use lookalike_engine::records::{Columns, Encoder, GrowingLabels, Input, open_source};
use lookalike_formats::{Error, Result};
use std::path::{Path, PathBuf};

/// Where sequences are read from.
#[derive(clap::Args)]
pub struct Sequences {
    /// The sequences: CSV, Parquet or Arrow, a row a moment and in order; - for standard input
    data: PathBuf,
    /// The column with the state
    #[arg(long, value_name = "COLUMN")]
    state: String,
    /// The public column that says which sequence a row belongs to: all rows of one name are one sequence, wherever they
    /// stand. By default all rows are one
    #[arg(long, value_name = "COLUMN")]
    sequence: Option<String>,
    #[command(flatten)]
    format: InputFormat,
}

impl Sequences {
    /// Where they are.
    pub fn path(&self) -> &Path {
        &self.data
    }

    /// Names the file in front of an error.
    fn named(&self, error: Error) -> Error {
        at_input(error, &self.data)
    }

    /// The sequences by the codes of an encoder.
    ///
    /// # Errors
    /// What cannot be read, by row and column; no row at all.
    pub fn read(&self, states: Encoder, terminal: &Terminal) -> Result<Vec<Vec<u32>>> {
        self.format.check(&self.data)?;
        if self.sequence.as_ref() == Some(&self.state) {
            return Err(Error::input(format!(
                "--state and --sequence both name {:?}, expected two columns",
                self.state
            )));
        }
        let columns = Columns { profile: self.sequence.clone(), values: vec![self.state.clone()], keep: Vec::new() };
        let names = self.sequence.as_ref().map(|_| -> Encoder { Box::new(GrowingLabels::default()) });
        let csv = self.format.csv_options(&self.data);
        let format = self.format.format(&self.data);
        let input = Input { path: &self.data, format, csv: &csv, columns: &columns, charging: None };
        let named = |error| self.named(error);
        let mut source = open_source(&input, names, states, None).map_err(named)?;
        let bar = terminal.bytes(length(&self.data));
        let read = read_sequences(&mut *source, &mut |bytes| bar.set_position(bytes));
        bar.finish_and_clear();
        match read.map_err(named)? {
            sequences if sequences.is_empty() => Err(named(Error::input("no rows, expected a sequence of states"))),
            sequences => Ok(sequences),
        }
    }
}
