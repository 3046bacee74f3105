//! What has been released to a subject, and what may be.

mod catalog;
mod decide;
mod history;
mod window;
pub(crate) use catalog::Catalog;
pub(crate) use decide::Decisions;
pub(crate) use decide::Fate;
pub(crate) use decide::refused;
pub(crate) use history::FEW;
pub(crate) use history::History;
pub(crate) use history::UNCOVERED;
pub(crate) use history::add;
pub(crate) use history::packed;
pub(crate) use history::unknown_release;
pub(crate) use window::Correction;
pub(crate) use window::Window;
