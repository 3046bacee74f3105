//! Plots, and pages about a mechanism, as HTML and SVG.

// Nothing here opens a file (clippy.toml has the list).
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod pages;
pub mod plot;

pub use pages::{
    About, ChainPage, Page, TradeOffPoint, at_least, grouped, noise_page, oracle_page, percent, planar_map,
    planar_page, run_page, solved_problem, usual_priors,
};
