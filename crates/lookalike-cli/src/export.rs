//! `lookalike export`.

use crate::Answer;
use crate::certify::proved;
use crate::streams::is_stdout;
use crate::terminal::{Terminal, print};
use lookalike::model::Kind;
use lookalike_io::{Error, MechanismFile, Result, device_json, one_of, write_atomically};
use serde_json::json;
use std::path::PathBuf;

/// Write what one device needs and nothing more: its own channel
#[derive(clap::Args)]
#[command(after_help = "Example:\n  lookalike export m.json --profile ana -o ana.json")]
pub struct Export {
    /// The mechanism file
    mechanism: PathBuf,
    /// The profile of the device; not needed where one channel serves all
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// The device file to write; standard output if not given, or -
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Export {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let mechanism = MechanismFile::read(&self.mechanism)?.mechanism;
        let Some(certified) = proved(mechanism, "not exported", terminal)? else {
            return Ok(Answer::No);
        };
        let mechanism = certified.mechanism();
        let secret = match (&self.profile, mechanism.kind()) {
            (Some(name), _) => mechanism.graph().names().place(name).ok_or_else(|| {
                let (file, known) = (self.mechanism.display(), one_of(mechanism.graph().names().iter()));
                Error::input(format!("--profile {name:?} is not a profile of {file}, expected {known}"))
            })?,
            (None, Kind::Aware) => {
                return Err(Error::input(
                    "--profile is missing: in an aware mechanism each profile has its own channel (--profile NAME)",
                ));
            }
            (None, _) => 0,
        };
        let text = device_json(mechanism, secret);
        match self.output.as_deref().filter(|path| !is_stdout(path)) {
            None => print(&text)?,
            Some(path) => {
                write_atomically(path, terminal.force(), text.as_bytes())?;
                let object = json!({ "file": path.display().to_string(), "bytes": text.len() });
                terminal.answer(object, || format!("Wrote {} ({} bytes).\n", path.display(), text.len()))?;
            }
        }
        Ok(Answer::Yes)
    }
}
