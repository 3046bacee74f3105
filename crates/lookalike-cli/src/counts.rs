//! `lookalike counts`.

mod compare;
mod design;
mod figures;
mod named;
mod properties;
mod question;
mod release;

/// Counts of a small group: design, compare and check their mechanisms, and release
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike counts compare --n 4 --alpha 0.9
  lookalike counts design --n 8 --alpha 0.9 --properties WH,CM -o m.json
  lookalike counts properties m.json
  lookalike counts release m.json records.csv --group ward --where ill=yes -o private.csv
  lookalike privatize m.json counts.csv --value count -o private.csv

A count says how many of n people have something. Counts that differ by one person are neighbours: their releases
differ in probability at most by the factor alpha = e^-epsilon.")]
pub struct Counts {
    #[command(subcommand)]
    subverb: Subverb,
}

subverbs!(Counts {
    Design(design::Design),
    Compare(compare::Compare),
    Properties(properties::PropertiesVerb),
    Release(release::Release),
});
