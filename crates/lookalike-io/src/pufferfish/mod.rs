//! Files of the Pufferfish framework.

mod framework_file;
mod framework_spec;

pub use framework_file::FrameworkFile;
