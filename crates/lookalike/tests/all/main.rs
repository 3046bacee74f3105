//! The integration tests of this crate, in one program: each file is about what its name says.

mod architecture;
mod audit_all;
mod audit_gallery;
mod audit_noise;
mod audit_places;
mod composition;
mod counts_closed_forms;
mod counts_optimal;
mod counts_properties;
mod counts_unique;
mod design_laws;
mod estimate_coverage;
mod gallery;
mod instances;
mod joint_laws;
mod lagrangian_bounds;
mod limits;
mod limits_design;
mod local_audit;
mod local_coverage;
mod optimal_design;
mod oracle;
mod reference_values;
mod second_stage;
mod solver_arrives;
mod unrepaired;
