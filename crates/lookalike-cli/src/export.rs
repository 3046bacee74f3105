//! `lookalike export`.

use crate::Answer;
use crate::certify::accepted;
use crate::streams::is_stdout;
use crate::terminal::{Terminal, print_bytes};
use lookalike_engine::{DeviceForm, ExportRequest, ReadFile, write_for_owner};
use lookalike_formats::{MechanismFile, Result, json_of};
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
        let request = ExportRequest { mechanism, profile: self.profile.clone(), form: self.form() };
        let done = request.run().map_err(|error| error.in_file(&self.mechanism))?;
        let Some(exported) = accepted(done, "not exported", terminal)? else { return Ok(Answer::No) };
        let told = exported.digest.as_ref().map_or(String::new(), |digest| format!("SHA-256 {digest}\n"));
        match self.output.as_deref().filter(|path| !is_stdout(path)) {
            None => {
                print_bytes(&exported.bytes)?;
                if exported.digest.is_some() {
                    terminal.note(told.trim_end());
                }
            }
            Some(path) => {
                write_for_owner(path, terminal.force(), &exported.bytes)?;
                let facts = exported.facts(path);
                let written = || format!("Wrote {} ({} bytes).\n{told}", path.display(), facts.bytes);
                terminal.answer(json_of(&facts), written)?;
            }
        }
        Ok(Answer::Yes)
    }

    fn form(&self) -> DeviceForm {
        let is_table = |path: &PathBuf| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("table"));
        let by_name = if self.output.as_ref().is_some_and(is_table) { Form::Table } else { Form::Json };
        match self.form.unwrap_or(by_name) {
            Form::Json => DeviceForm::Json,
            Form::Table => DeviceForm::Table,
        }
    }
}
