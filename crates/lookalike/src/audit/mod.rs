//! Attacks a mechanism: what its draws prove about ε, with a stated confidence.
//!
//! The certifier proves an upper bound from the law of a mechanism. The audit needs no law: it draws, looks for an
//! event that two secrets produce with different frequency, and gives a lower bound on ε that holds with the stated
//! confidence, whatever the mechanism is. So it can find the lie in a program that nobody can read, and a mistake in
//! the path from a certified table to a released value. It can never show that a mechanism is private.
//!
//! [`audit`] takes a [`Source`] of draws: [`draws`] makes one from a closure. Half of the draws choose the pair and the
//! event, the other half test them, so that the choice cannot flatter the result; the error is split over all tests.
//!
//! Floats are welcome here: the audit decides nothing about privacy, and its limits are rounded outward.
//!
//! # Reference
//! Ding, Wang, Wang, Zhang and Kifer, Detecting Violations of Differential Privacy (2018); Bichsel, Steffen, Bogunovic
//! and Vechev, DP-Sniper (2021); Jagielski, Ullman and Oprea, Auditing Differentially Private Machine Learning (2020).

mod attack;
mod bound;
mod calls;
mod candidate;
mod choose;
mod choosing;
mod collector;
mod event;
mod letters;
mod neighbours;
mod number;
mod output;
mod pairs;
mod ranges;
mod replay;
mod schedule;
mod source;
mod tally;
mod test;
mod view;
mod worst_laws;

pub use attack::{Audit, Options, audit};
pub use bound::{Seen, delta_bound, epsilon_bound};
pub use event::{Event, Family};
pub use output::{Output, Text};
pub use pairs::{Pair, pairs};
pub use schedule::Schedule;
pub use source::{Collect, Run, Source, draws};
pub use test::{Test, shares};
pub use view::View;
pub use worst_laws::{WorstLaws, worst_laws};
