//! Reads statistics back from privatized reports, with error bars.
//!
//! Floats are welcome here: what is estimated was public already.

mod figure;

pub use figure::{Estimate, Figure};
