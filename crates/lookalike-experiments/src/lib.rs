//! The published experiments, done again with certified mechanisms.
//!
//! Figures 2 and 3 and Table 1 of Geumlek and Chaudhuri, *Profile-Based Privacy for Locally Private Computations*
//! (2019), the examples of a lecture on differential privacy, the mechanisms for counts of Cormode, Kulkarni and
//! Srivastava (2018), the examples of Song, Wang and Chaudhuri, *Pufferfish Privacy Mechanisms for Correlated Data*
//! (2017), and the noise on places of Andrés, Bordenabe, Chatzikokolakis and Palamidessi, *Geo-Indistinguishability*
//! (2013), with the optimal mechanisms of Bordenabe, Chatzikokolakis and Palamidessi (2014). One file an experiment; [`EXPERIMENTS`] lists them.
//! This crate uses the public interfaces of the libraries only, so it is also a long example of them.
//!
//! Every mechanism is certified before a number of it is shown. Where the paper does not determine what it plots,
//! because several mechanisms are optimal, the table holds the smallest and the largest value over all of them.

// Inputs are opened by `lookalike_engine::open_input`, so that none is replaced.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod activity;
mod adult;
mod adult_hours;
mod binary_chains;
mod calendar;
mod chain_flips;
mod chain_quilts;
mod counts;
mod counts_adult;
mod coverage;
mod coverage_kinds;
mod data;
mod electricity;
mod estimate_adult;
mod experiment;
mod figure_2a;
mod figure_2b;
mod figure_2c;
mod figure_3;
mod files;
mod flu;
mod ground;
mod histograms;
mod notes;
mod one_bit_range;
mod ordonez;
mod page;
mod place_mechanisms;
mod places_grid;
mod places_planar;
mod places_unit_grid;
mod proved;
mod refits;
mod reproduction;
mod sampled_squares;
mod sensitivity;
mod sequences;
mod settings;
mod table;
mod table_1;
mod tracks;
mod transition_range;
mod words;

pub use adult::Adult;
pub use coverage::{Covered, rows as coverage_rows};
pub use coverage_kinds::{Kind as CoverageKind, Population};
pub use data::{Data, DataSet};
pub use experiment::{Chart, EXPERIMENTS, Experiment, Finding, Outcome, Picture, named};
pub use files::{OutputFile, files};
pub use proved::{Proved, certified, designed, largest_flip};
pub use refits::{Refitted, Trusted};
pub use reproduction::{chosen, outcomes_json, page_name, write_files};
pub use sensitivity::{Query, sensitivity};
pub use settings::{bernoulli_chain, bernoulli_couplet, categorical_chain, survey};
pub use table::{Cell, Table};
