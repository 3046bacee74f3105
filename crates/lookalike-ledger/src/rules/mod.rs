//! What has been released to a subject, and what may be.

mod catalog;
mod decide;
mod history;
mod window;

pub(crate) use catalog::Catalog;
pub(crate) use decide::{Decision, Decisions, refused};
pub(crate) use history::{FEW, History, UNCOVERED, add, packed, unknown_release};
pub(crate) use window::{Correction, Window};
