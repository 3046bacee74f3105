//! The integration tests of this crate, in one program: each file is about what its name says.

mod device_vectors;
mod docs;
mod in_memory;
