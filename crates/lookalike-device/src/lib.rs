//! What a device needs to release a value privately: its own table, a generator, and nothing else.
//!
//! `lookalike export m.json --profile ana -o ana.table` proves a mechanism and writes the channel of one profile as a
//! table. [`Table::read`] borrows its bytes and checks all of them; [`Table::privatize`] draws from exactly the law that was
//! proved. There is no allocation, no float and no dependency, and the standard library is not used.
//!
//! The library `lookalike` draws with the same [`Layout`]: equal words of randomness give equal outputs on a server and on a
//! device. `vectors/` pins that.
//!
//! ```
//! use lookalike_device::{Generator, Table};
//!
//! # fn word_of_the_platform() -> Result<u64, &'static str> { Ok(0x8000_0000_0000_0000) }
//! struct Platform;
//!
//! impl Generator for Platform {
//!     type Error = &'static str;
//!     fn word(&mut self) -> Result<u64, Self::Error> {
//!         word_of_the_platform()
//!     }
//! }
//!
//! let bytes = include_bytes!("../vectors/rows.table");
//! let table = Table::read(bytes)?;
//! let released = table.privatize(2, &mut Platform)?;
//! assert!(released < table.outputs());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![no_std]

mod alias;
pub mod format;
mod generator;
#[cfg(feature = "os")]
mod os;
mod refused;
mod sha256;
mod table;
mod texts;

pub use alias::{Column, Layout, TOTAL, TOTAL_BITS, keeps, select};
pub use generator::{Generator, NotReleased, WordCount};
#[cfg(feature = "os")]
pub use os::OperatingSystem;
pub use refused::Refused;
pub use sha256::{Digest, sha256};
pub use table::Table;
