//! `lookalike export`.

use crate::Answer;
use crate::certify::proved;
use crate::streams::is_stdout;
use crate::terminal::{Terminal, print_bytes};
use lookalike::model::Kind;
use lookalike_engine::{ReadFile, write_for_owner};
use lookalike_formats::{DeviceTable, Error, MechanismFile, Result, device_json, device_table, one_of};
use serde_json::json;
use std::path::PathBuf;

/// Write what one device needs and nothing more: its own channel
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  lookalike export m.json --profile ana -o ana.json\n  lookalike export m.json --profile ana -o ana.table"
)]
pub struct Export {
    /// The mechanism file
    mechanism: PathBuf,
    /// The profile of the device; not needed where one channel serves all
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// The device file to write; standard output if not given, or -
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The form of the file: json, or table for the device library; by default table for names that end in .table
    #[arg(long, value_name = "FORM")]
    form: Option<Form>,
}

/// What a device reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    Json,
    Table,
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
        let (bytes, digest) = match self.form() {
            Form::Json => (device_json(mechanism, secret).into_bytes(), None),
            Form::Table => {
                let DeviceTable { bytes, digest } = device_table(&certified, secret)?;
                (bytes, Some(digest))
            }
        };
        let told = digest.as_ref().map_or(String::new(), |digest| format!("SHA-256 {digest}\n"));
        match self.output.as_deref().filter(|path| !is_stdout(path)) {
            None => {
                print_bytes(&bytes)?;
                if digest.is_some() {
                    terminal.note(told.trim_end());
                }
            }
            Some(path) => {
                write_for_owner(path, terminal.force(), &bytes)?;
                let mut object = json!({ "file": path.display().to_string(), "bytes": bytes.len() });
                if let Some(digest) = digest {
                    object["digest"] = digest.into();
                }
                terminal.answer(object, || format!("Wrote {} ({} bytes).\n{told}", path.display(), bytes.len()))?;
            }
        }
        Ok(Answer::Yes)
    }

    fn form(&self) -> Form {
        let is_table = |path: &PathBuf| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("table"));
        let by_name = if self.output.as_ref().is_some_and(is_table) { Form::Table } else { Form::Json };
        self.form.unwrap_or(by_name)
    }
}
