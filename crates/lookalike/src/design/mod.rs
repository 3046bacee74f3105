//! Design.
