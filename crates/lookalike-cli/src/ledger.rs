//! `lookalike ledger`.

pub mod charge;
mod export;
mod init;
mod record;
mod status;
mod verify;

use crate::Answer;
use crate::terminal::Terminal;
use lookalike_io::Result;

/// Keep the account: what has been released about whom, and what it adds up to
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike ledger init account.ledger --budget 2
  lookalike privatize m.json records.csv --ledger account.ledger --subject user -o private.csv
  lookalike ledger status account.ledger
  lookalike ledger verify account.ledger --head 5f2c…
  lookalike ledger record account.ledger m.json subjects.csv --subject user --made

A ledger is an SQLite file, and its key a file beside it. Names of subjects and records are keyed hashes; no value is stored.")]
pub struct LedgerVerb {
    #[command(subcommand)]
    subverb: Subverb,
}

#[derive(clap::Subcommand)]
enum Subverb {
    Init(init::Init),
    Record(record::Record),
    Status(status::Status),
    Verify(verify::Verify),
    Export(export::Export),
}

impl LedgerVerb {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        match self.subverb {
            Subverb::Init(subverb) => subverb.run(terminal),
            Subverb::Record(subverb) => subverb.run(terminal),
            Subverb::Status(subverb) => subverb.run(terminal),
            Subverb::Verify(subverb) => subverb.run(terminal),
            Subverb::Export(subverb) => subverb.run(terminal),
        }
    }
}

/// A sum of ε from the command line.
fn epsilon_sum(text: &str) -> std::result::Result<lookalike::exact::EpsilonSum, String> {
    text.parse().map_err(|error: lookalike::Error| error.to_string())
}
