//! `lookalike ledger export`.

use crate::Answer;
use crate::streams::{Stdout, is_stdout};
use crate::terminal::Terminal;
use lookalike_engine::AtomicFile;
use lookalike_engine::ledger::{Ledger, check_apart};
use lookalike_formats::{Error, Result};
use serde_json::json;
use std::io::BufWriter;
use std::path::PathBuf;

/// Write the entries as lines of JSON
#[derive(clap::Args)]
pub struct Export {
    /// The ledger
    ledger: PathBuf,
    /// Where to write; standard output if not given, or -
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// With the charges of each entry: hashes of subject and record, number of the release, and the answer
    #[arg(long)]
    charges: bool,
    /// The file of the ledger's key; by default its name with .key added
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
}

impl Export {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let mut ledger = Ledger::open(&self.ledger, self.key.as_deref())?;
        match self.output.as_deref().filter(|path| !is_stdout(path)) {
            None if terminal.json() => {
                return Err(Error::input("--json and no -o FILE: both would go to standard output"));
            }
            None => match ledger.export(&mut BufWriter::new(Stdout::new()), self.charges) {
                Err(error) if crate::streams::is_closed_pipe(&error) => {}
                written => {
                    written?;
                }
            },
            Some(path) => {
                check_apart(&self.ledger, self.key.as_deref(), path)?;
                let mut file = AtomicFile::create(path, terminal.force())?;
                let written = ledger.export(&mut BufWriter::new(&mut file), self.charges)?;
                file.commit()?;
                let object = json!({ "file": path.display().to_string(), "entries": written });
                let entries = super::entries(written);
                terminal.answer(object, || format!("Wrote {entries} to {}.\n", path.display()))?;
            }
        }
        Ok(Answer::Yes)
    }
}
