//! `lookalike local`.

mod candidates;
mod compare;
mod design;
mod domain;

/// Local privacy: choose the frequency oracle through which everybody reports one category
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike local compare --size 1000 --epsilon 1
  lookalike local design --categories red,green,blue --epsilon 'ln(3)' -o m.json
  lookalike privatize m.json answers.csv --value colour -o reports.csv
  lookalike estimate m.json reports.csv --value colour

Any two categories look alike in a report: its probabilities differ at most by the factor e^epsilon. Shares of the
categories are read back from many reports. The promise is for one report each; several of one person add up.")]
pub struct Local {
    #[command(subcommand)]
    subverb: Subverb,
}

subverbs!(Local {
    Compare(compare::Compare),
    Design(design::Design),
});
