//! Counts of a small group: how many of n people have a property, released so that nobody's answer shows.
//!
//! Secrets are the counts 0 to n, neighbours differ by one person, and ε = −ln α. A mechanism here is a point mechanism
//! on the chain of counts, certified and sampled like any other; this module has the closed forms, the optimum for any
//! set of properties, and the check which properties hold. Imports [`crate::exact`], [`crate::model`] and
//! [`crate::design`].
//!
//! | mechanism | what it is | file |
//! |---|---|---|
//! | GM | two-sided geometric noise, cut off at the ends; the best without demands | `geometric` |
//! | EM | the best fair one for L_0; has all properties | `explicit_fair` |
//! | WM | the best weakly honest one for L_0 | `weakly_honest` |
//! | UM | an even draw | `uniform` |
//! | the optimum | for any properties, loss and prior: one of these, GM with a remap, or a linear program | `optimal` |
//!
//! # Reference
//! Cormode, Kulkarni and Srivastava, Constrained Private Mechanisms for Count Data (2018), arXiv 1710.00608.

mod alpha;
mod chain;
mod check;
mod closed_forms;
mod domain;
mod entries;
mod explicit_fair;
mod fixed;
mod geometric;
mod loss;
mod optimal;
mod property;
mod remap;
mod rounding;
mod rows_program;
mod uniform;
mod unknowns;
mod weakly_honest;

pub use alpha::Alpha;
pub use check::{Cell, Finding, Violation, check, properties};
pub use closed_forms::{CLOSED_FORMS, ClosedForm, closed_form_tie_break};
pub use domain::{categories, largest_count, neighbour_epsilons};
pub use explicit_fair::explicit_fair;
pub use geometric::geometric;
pub use loss::{CountLoss, expected_loss, score};
pub use optimal::{Method, Optimal, optimal};
pub use property::{Properties, Property};
pub use uniform::uniform;
pub use weakly_honest::weakly_honest;
