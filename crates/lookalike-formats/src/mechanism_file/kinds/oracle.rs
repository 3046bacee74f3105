//! Frequency oracles in mechanism files.

use super::super::facts::{EpsilonFacts, ProofFacts};
use super::super::stream::Stream;
use super::super::write::write_categories;
use super::super::{MechanismFile, secrets};
use super::kind::MechanismKind;
use super::stated::{claim, file};
use crate::error::{Error, Result};
use crate::spec::read_categories;
use crate::text::{Fields, Tree};
use lookalike::account::Guarantee;
use lookalike::certify::{Certified, OracleCertificate, Violation, certify_oracle};
use lookalike::exact::Epsilon;
use lookalike::model::{Encoding, Oracle, Secrets};
use std::io::Write;

impl MechanismKind for Oracle {
    const NAMES: &'static [&'static str] = &["unary", "hash", "hadamard", "subset"];
    const CALLED: &'static str = "an oracle";

    fn from_fields(fields: &Fields<'_>) -> Result<MechanismFile<Oracle>> {
        file(fields, read(fields, fields.required("kind", Tree::text)?)?)
    }

    fn kind_name(&self) -> &'static str {
        match self.encoding() {
            Encoding::Unary { .. } => "unary",
            Encoding::Hash { .. } => "hash",
            Encoding::Hadamard { .. } => "hadamard",
            Encoding::Subset { .. } => "subset",
        }
    }

    fn claim(&self) -> &Epsilon {
        self.epsilon()
    }

    fn secrets(&self) -> Secrets {
        Secrets::Values
    }

    fn write_keys(&self, stream: &mut Stream<&mut dyn Write>) -> std::io::Result<()> {
        write_categories(stream, self.categories())?;
        let numbers = match self.encoding() {
            Encoding::Unary { one, other } => vec![("one", one), ("other", other)],
            Encoding::Hash { buckets, keep } => vec![("buckets", buckets.into()), ("keep", keep)],
            Encoding::Hadamard { plus } => vec![("plus", plus)],
            Encoding::Subset { size, include } => vec![("size", size.into()), ("include", include)],
        };
        numbers.into_iter().try_for_each(|(key, number)| {
            stream.key(key)?;
            stream.number(number)
        })
    }

    fn prove(self) -> std::result::Result<Certified<Self>, Violation<OracleCertificate>> {
        certify_oracle(self)
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
    let keys: &[&str] = match kind {
        "unary" => &["one", "other"],
        "hash" => &["buckets", "keep"],
        "hadamard" => &["plus"],
        _ => &["size", "include"],
    };
    let epsilon = claim(fields, &[&["categories", "bins"], keys].concat())?;
    secrets::check(fields, &[Secrets::Values])?;
    let weight = |key: &str| fields.required(key, Tree::integer);
    let small = |key: &str| {
        fields.required(key, |tree| {
            let number = tree.integer()?;
            u32::try_from(number).map_err(|_| Error::input(format!("{number}, expected a number below 2^32")))
        })
    };
    let encoding = match kind {
        "unary" => Encoding::Unary { one: weight("one")?, other: weight("other")? },
        "hash" => Encoding::Hash { buckets: small("buckets")?, keep: weight("keep")? },
        "hadamard" => Encoding::Hadamard { plus: weight("plus")? },
        _ => Encoding::Subset { size: small("size")?, include: weight("include")? },
    };
    Ok(Oracle::new(read_categories(fields)?, epsilon, encoding)?)
}
