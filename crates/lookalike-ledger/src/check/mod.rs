//! Whether a ledger is whole, and where it is not.

mod located;
mod verify;
pub(crate) use located::located;
pub use verify::Fault;
pub use verify::Verified;
pub(crate) use verify::check_complete;
pub use verify::verified_json;
pub use verify::verify;
