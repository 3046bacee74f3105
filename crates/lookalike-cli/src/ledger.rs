//! `lookalike ledger`.

mod backup;
pub mod charge;
mod correct_clock;
mod entries;
mod export;
mod init;
mod migrate;
mod record;
mod status;
mod verify;
mod withdraw;

use crate::terminal::count;

/// Keep the account: what has been released about whom, and what it adds up to
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike ledger init account.ledger --budget 2
  lookalike privatize m.json records.csv --ledger account.ledger --subject user -o private.csv
  lookalike ledger status account.ledger
  lookalike ledger verify account.ledger --head 5f2c…
  lookalike ledger record account.ledger m.json subjects.csv --subject user --made
  lookalike ledger backup account.ledger account.copy
  lookalike ledger withdraw account.ledger --entries 3..5 --note 'the wrong month'

A ledger is an SQLite file, and its key a file beside it. Names of subjects and records are keyed hashes; no value is stored.")]
pub struct LedgerVerb {
    #[command(subcommand)]
    subverb: Subverb,
}

subverbs!(LedgerVerb {
    Init(init::Init),
    Record(record::Record),
    Status(status::Status),
    Verify(verify::Verify),
    Export(export::Export),
    Withdraw(withdraw::Withdraw),
    CorrectClock(correct_clock::CorrectClock),
    Backup(backup::Backup),
    Migrate(migrate::Migrate),
});

/// How many entries, in words.
fn entries(number: u64) -> String {
    count(number, "entry").replace("entrys", "entries")
}

/// A sum of ε from the command line.
fn epsilon_sum(text: &str) -> std::result::Result<lookalike::exact::EpsilonSum, String> {
    text.parse().map_err(|error: lookalike::Error| error.to_string())
}
