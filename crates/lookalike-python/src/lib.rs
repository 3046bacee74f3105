//! The Python package of Lookalike: what `import lookalike` calls.
//!
//! Everything that concerns Python's manners is in Python (`python/lookalike`): numbers become exact texts there, data
//! frames lists, numpy arrays or Arrow streams. Here is the way from these to the library and back, one file an object.
//! The functions of the library and of `lookalike-engine` are those that the command line calls, so that the same seed
//! gives the same output and files are the same bytes.

// Inputs are opened by `lookalike_engine::open_input`, so that none is replaced.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod audit;
mod choice;
mod claim;
mod collect;
mod counts;
mod data;
mod design;
mod error;
mod estimate;
mod fit;
mod geo;
mod graph;
mod ledger;
mod list;
mod matrix;
mod mechanism;
mod noise;
mod numbers;
mod numpy_array;
mod oracle;
mod page;
mod partition;
mod picture;
mod progress;
mod pufferfish;
mod release;
mod released;
mod run;
mod single;
mod spelling;

/// The core of the package `lookalike`; use that, this may change.
#[pyo3::pymodule(gil_used = true)]
mod _lookalike {
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use crate::audit::{audit_callable, audit_mechanism};
    #[pymodule_export]
    use crate::choice::{exponential, noisy_max};
    #[pymodule_export]
    use crate::claim::StoredClaim;
    #[pymodule_export]
    use crate::counts::{counts_compare, counts_mechanism, counts_properties, counts_release};
    #[pymodule_export]
    use crate::design::{check, design, sweep};
    #[pymodule_export]
    use crate::estimate::{estimate, estimate_counts, misfit, predict};
    #[pymodule_export]
    use crate::fit::fit;
    #[pymodule_export]
    use crate::geo::finite::{CellErrors, geo_cells, geo_expected_loss, geo_places, geo_privatize, geo_remap};
    #[pymodule_export]
    use crate::geo::grid::PlaceGrid;
    #[pymodule_export]
    use crate::geo::picture::{geo_cell_map, geo_draws, geo_noise_map};
    #[pymodule_export]
    use crate::geo::places::geo_names;
    #[pymodule_export]
    use crate::geo::planar::{PlanarNoise, geo_planar};
    #[pymodule_export]
    use crate::graph::Problem;
    #[pymodule_export]
    use crate::ledger::{Charge, Ledger};
    #[pymodule_export]
    use crate::matrix::mechanism_of_rows;
    #[pymodule_export]
    use crate::mechanism::{Mechanism, account, from_json, load, upgrade};
    #[pymodule_export]
    use crate::noise::{Noise, laplace};
    #[pymodule_export]
    use crate::oracle::{Oracle, local_compare, local_oracle};
    #[pymodule_export]
    use crate::page::write_text;
    #[pymodule_export]
    use crate::partition::Partition;
    #[pymodule_export]
    use crate::picture::heat_map;
    #[pymodule_export]
    use crate::pufferfish::calibrate::{
        pufferfish_calibrate, pufferfish_compare, pufferfish_compose, pufferfish_noise, pufferfish_page,
        pufferfish_sum_distance,
    };
    #[pymodule_export]
    use crate::pufferfish::chains::Chains;
    #[pymodule_export]
    use crate::pufferfish::framework::Framework;
    #[pymodule_export]
    use crate::pufferfish::learned::{pufferfish_learned, pufferfish_learned_from_noise};
    #[pymodule_export]
    use crate::pufferfish::sequences::{pufferfish_fit, pufferfish_limits, pufferfish_release};
    #[pymodule_export]
    use crate::run::run_plan;
}
