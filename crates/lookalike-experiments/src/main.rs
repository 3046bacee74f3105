//! `lookalike-experiments`: published experiments, done again with certified mechanisms.

// Inputs are opened by `lookalike_engine::open_input`, so that none is replaced.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod command;

use clap::Parser;
use command::Experiments;
use lookalike_terminal::{Answer, interrupt, terminal, usage};
use std::process::ExitCode;

/// Do published experiments again: tables, plots and one page
#[derive(Parser)]
#[command(name = "lookalike-experiments", version, after_help = EXAMPLES)]
struct Cli {
    #[command(flatten)]
    experiments: Experiments,
    #[command(flatten)]
    options: terminal::Options,
}

const EXAMPLES: &str = "\
Examples:
  lookalike-experiments --list
  lookalike-experiments
  lookalike-experiments figure-3c -o chains
  lookalike-experiments counts --adult adult.data
  lookalike-experiments electricity --electricity electricity_usage.csv
  lookalike-experiments places-planar --tracks go_track_trackspoints.csv";

fn main() -> ExitCode {
    interrupt::install();
    let cli: Cli = usage::parse();
    Answer::exit(cli.options, |terminal| cli.experiments.run(terminal))
}
