//! The kinds of mechanism, a file each: what a job does in the way of the kind, by the trait that the job has for it.
//!
//! [`Accounted`](crate::Accounted) adds up releases, [`ProofInWords`](crate::ProofInWords) says a proof,
//! [`Released`](crate::Released) takes records, [`ReadBack`](crate::ReadBack) reads reports and
//! [`Attacked`](crate::audit::Attacked) is drawn from by an audit.

mod channels;
mod noise;
mod oracle;
mod planar;
