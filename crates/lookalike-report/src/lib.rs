//! Plots, and pages about a mechanism, as HTML and SVG.

// Nothing here opens a file (clippy.toml has the list).
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod pages;
pub mod plot;

pub use pages::{
    ChainPage, Curve, HasPage, PageEstimates, PageFacts, PageOutcome, PageRequest, TradeOffPoint, at_least, grouped,
    parse_prior, percent, planar_map, run_page,
};
