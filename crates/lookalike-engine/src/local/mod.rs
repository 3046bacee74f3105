//! Local privacy: the oracles through which people report.

mod candidates;
mod oracle_design;

pub use candidates::{
    CandidateFacts, OracleComparison, OracleComparisonFacts, OraclesCompared, OraclesComparedFacts, standard_error,
};
pub use oracle_design::{OracleDesign, OracleDesignFacts, OracleDesigned, OracleFacts, OracleFound, OracleMechanism};
