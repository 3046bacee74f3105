//! Channels between finite sets in mechanism files.

use super::super::facts::{ProofFacts, WitnessFacts, WorstFacts};
use super::super::read::finite;
use super::super::stream::Stream;
use super::super::streamed_parts::StreamedParts;
use super::super::write::write_mechanism;
use super::super::{MechanismFile, largest_epsilon};
use super::kind::MechanismKind;
use crate::error::Result;
use crate::text::Fields;
use lookalike::account::{self, Guarantee};
use lookalike::certify::{Certificate, Certified, Violation, certify};
use lookalike::exact::Epsilon;
use lookalike::model::{Kind, Mechanism, Secrets};
use std::io::Write;

impl MechanismKind for Mechanism {
    const NAMES: &'static [&'static str] = &["aware", "shared", "point"];
    const CALLED: &'static str = "channels between categories";

    fn from_fields(fields: &Fields<'_>) -> Result<MechanismFile> {
        finite(fields, StreamedParts::default())
    }

    fn kind_name(&self) -> &'static str {
        self.kind().name()
    }

    fn claim(&self) -> &Epsilon {
        largest_epsilon(self)
    }

    fn secrets(&self) -> Secrets {
        Mechanism::secrets(self).clone()
    }

    fn write_keys(&self, stream: &mut Stream<&mut dyn Write>) -> std::io::Result<()> {
        write_mechanism(stream, self)
    }

    fn prove(self) -> std::result::Result<Certified<Self>, Violation<Certificate>> {
        certify(self)
    }

    fn facts(&self, certificate: &Certificate) -> ProofFacts {
        ProofFacts::of_channels(self, certificate)
    }

    fn witness(&self, certificate: &Certificate) -> Option<WitnessFacts> {
        let worst = certificate.worst();
        Some(WitnessFacts {
            worst: WorstFacts::new(self, worst.secrets(), worst.output()),
            ratio: worst.ratio().map(|ratio| ratio.to_string()),
        })
    }

    fn as_channels(&self) -> Option<&Mechanism> {
        Some(self)
    }

    fn adds_up(&self) -> account::Secrets {
        match self.kind() {
            Kind::Point => account::Secrets::Points,
            _ => account::Secrets::Laws,
        }
    }

    fn guarantee(&self) -> Result<Guarantee> {
        Ok(Guarantee::of_mechanism(self)?)
    }
}
