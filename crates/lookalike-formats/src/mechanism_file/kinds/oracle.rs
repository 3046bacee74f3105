//! Frequency oracles in mechanism files.

use super::super::facts::{EpsilonFacts, ProofFacts};
use super::super::stream::Stream;
use super::super::write::write_categories;
use super::super::{MechanismFile, secrets};
use super::kind::{MechanismKind, unknown_kind};
use super::stated::{claim, file};
use crate::error::Result;
use crate::spec::read_categories;
use crate::text::{Fields, Tree};
use lookalike::account::Guarantee;
use lookalike::certify::{Certified, OracleCertificate, Violation, certify};
use lookalike::exact::Epsilon;
use lookalike::model::{Encoding, Oracle, Secrets};
use std::io::Write;

impl MechanismKind for Oracle {
    const NAMES: &'static [&'static str] = &Encoding::NAMES;
    const CALLED: &'static str = "an oracle";

    fn from_fields(fields: &Fields<'_>) -> Result<MechanismFile<Oracle>> {
        file(fields, read(fields, fields.required("kind", Tree::text)?)?)
    }

    fn kind_name(&self) -> &'static str {
        self.encoding().name()
    }

    fn claim(&self) -> &Epsilon {
        self.epsilon()
    }

    fn secrets(&self) -> Secrets {
        Secrets::Values
    }

    fn write_keys(&self, stream: &mut Stream<&mut dyn Write>) -> std::io::Result<()> {
        write_categories(stream, self.categories())?;
        self.encoding().numbers().into_iter().try_for_each(|(key, number)| {
            stream.key(key)?;
            stream.number(number)
        })
    }

    fn prove(self) -> std::result::Result<Certified<Self>, Violation<OracleCertificate>> {
        certify(self)
    }

    /// With `proof`: the exact law of so many reports, or the closed form.
    fn facts(&self, certificate: &OracleCertificate) -> ProofFacts {
        let epsilon = EpsilonFacts::new(certificate.claimed(), certificate.achieved().as_ref());
        ProofFacts { proof: Some(certificate.proof().to_string()), ..ProofFacts::new(Secrets::Values.word(), epsilon) }
    }

    fn guarantee(&self) -> Result<Guarantee> {
        Ok(Guarantee::of_oracle(self)?)
    }
}

/// The oracle of a file of one of these kinds.
fn read(fields: &Fields<'_>, kind: &str) -> Result<Oracle> {
    let mut keys = vec!["categories", "bins"];
    let encoding = Encoding::of_numbers(kind, |key| {
        keys.push(key);
        fields.required(key, Tree::integer)
    })?;
    let encoding = encoding.ok_or_else(|| unknown_kind(kind, Oracle::NAMES))?;
    let epsilon = claim(fields, &keys)?;
    secrets::check(fields, &[Secrets::Values])?;
    Ok(Oracle::new(read_categories(fields)?, epsilon, encoding)?)
}
