//! What releases add up to: releases as plain data, and the rules of composition, each with its theorem or its refusal.
//!
//! | what | where |
//! |---|---|
//! | what a mechanism promises about which pairs of secrets | [`Guarantee`] |
//! | which theorem covers the next release, or why none does | [`rule`] |
//! | the pair that has lost the most | [`Account::worst`] |
//! | releases about one subject, about one of several, about all of them | [`sequential`], [`parallel`], [`jointly`] |
//! | a function of what was released | [`Composed::post_processed`] |
//! | beyond the sum: ε at a chosen δ of repeated releases | [`loss`] |
//!
//! **A release charges every pair of its graph for its subject, whatever the true secret.** Nothing here takes the true
//! secret or a value as an argument: if a charge depended on it, so would the moment at which a budget runs out, and
//! everybody sees that moment.
//!
//! Imports [`crate::exact`] and [`crate::model`] only.

mod guarantee;
mod ledger_account;
pub mod loss;
mod pair_classes;
mod pair_losses;
mod release;
mod rules;

pub use guarantee::{Guarantee, Pairs, Secrets};
pub use ledger_account::{Account, Worst};
pub use release::{Across, Composed, Drawn, Refused, Release, Selection, jointly, parallel, sequential};
pub use rules::{Choice, Declared, Refusal, Standing, Theorem, rule};
