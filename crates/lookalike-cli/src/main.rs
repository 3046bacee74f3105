//! `lookalike`: designs, proves and applies mechanisms that make chosen secrets look alike.

// Inputs are opened by `lookalike_engine::open_input`, so that none is replaced.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

#[macro_use]
mod verbs;

mod account;
mod audit;
mod certify;
mod check;
mod completions;
mod counts;
mod design;
mod estimate;
mod export;
mod fit;
mod formats;
mod geo;
mod ledger;
mod local;
mod noise;
mod outcome;
mod privatize;
mod pufferfish;
mod report;
mod run;
mod streams;
mod tupling;
mod upgrade;

use clap::Parser;
use lookalike_terminal::{Answer, interrupt, terminal, usage};
use std::process::ExitCode;

/// Make chosen secrets look alike: design a mechanism with little noise, prove it, apply it.
#[derive(Parser)]
#[command(name = "lookalike", version, arg_required_else_help = true, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
    #[command(flatten)]
    options: terminal::Options,
}

const EXAMPLES: &str = "\
Examples:
  lookalike run plan.toml
  lookalike design spec.toml -o m.json
  lookalike certify m.json --spec spec.toml
  lookalike privatize m.json records.csv --profile user --value load -o private.csv

Exit codes: 0 done, or yes; 1 a well-formed question with a negative answer; 2 usage, malformed input or I/O;
130 stopped by SIGINT, SIGTERM or SIGHUP. A reader that closes the pipe has seen enough: 0.";

verbs!(Verb {
    Run(run::Run),
    Fit(Box<fit::Fit>),
    Check(check::Check),
    Design(design::Design),
    Certify(certify::Certify),
    Privatize(Box<privatize::Privatize>),
    Estimate(estimate::EstimateVerb),
    Audit(Box<audit::Audit>),
    Report(report::Report),
    Export(export::Export),
    Upgrade(upgrade::Upgrade),
    Counts(Box<counts::Counts>),
    Local(Box<local::Local>),
    Tupling(tupling::Tupling),
    Noise(Box<noise::NoiseVerb>),
    Geo(Box<geo::Geo>),
    Pufferfish(Box<pufferfish::Pufferfish>),
    Account(account::AccountVerb),
    Ledger(Box<ledger::LedgerVerb>),
    Completions(completions::Completions),
});

fn main() -> ExitCode {
    interrupt::install();
    let cli: Cli = usage::parse();
    Answer::exit(cli.options, |terminal| cli.verb.run(terminal))
}
