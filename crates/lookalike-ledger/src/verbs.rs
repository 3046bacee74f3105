//! Verbs that sentences name, for shells to spell.

/// The verb that says whether a ledger is whole.
pub(crate) const VERIFY: &str = "lookalike ledger verify";
/// The verb that brings a ledger to the current version.
pub(crate) const MIGRATE: &str = "lookalike ledger migrate";
