//! `lookalike geo`.

mod cells;
mod data;
mod design;
mod errors;
mod file;
mod loss;
mod map;
mod moved;
mod planar;
mod prior;
mod privatize;
mod promise;
mod remap;
mod track;

pub use promise::of_cells;

/// Places: noise for each metre, mechanisms between the cells of a grid, and releases
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike geo design --origin 45.07,7.69 --extent 20km --epsilon 'ln(4)/200' -o m.json
  lookalike geo privatize m.json places.csv -o private.csv
  lookalike geo errors m.json
  lookalike geo design --origin 45.07,7.69 --cells 8x8 --step 500m --level 'ln(4)' --radius 200m -o cells.json
  lookalike geo map cells.json --cell 3,4 -o map.svg

Two places look alike the more, the nearer they are: within epsilon for each metre between them.
Lengths are like 200m, 0.2km or 200; places are LATITUDE,LONGITUDE in degrees. See docs/geo.md.")]
pub struct Geo {
    #[command(subcommand)]
    subverb: Subverb,
}

subverbs!(Geo {
    Design(Box<design::Design>),
    Privatize(Box<privatize::Privatize>),
    Remap(remap::Remap),
    Errors(errors::ErrorsVerb),
    Map(map::Map),
});
