//! Noise in mechanism files.

use super::super::facts::{EpsilonFacts, ProofFacts};
use super::super::stream::Stream;
use super::super::{MechanismFile, secrets};
use super::kind::MechanismKind;
use super::stated::{claim, file};
use crate::error::{Error, Result};
use crate::spec::Budgets;
use crate::text::{Fields, Tree};
use lookalike::account::{self, Guarantee};
use lookalike::certify::{Certified, ClosedForm, Violation, certify};
use lookalike::exact::Epsilon;
use lookalike::model::{MomentsProof, Noise, Secrets};
use std::io::Write;

/// The law on numbers. Two-sided geometric noise is the same under another name.
const LAW: &str = "discrete-laplace";

impl MechanismKind for Noise {
    const NAMES: &'static [&'static str] = &["noise"];
    const CALLED: &'static str = "noise";

    fn is_kind(fields: &Fields<'_>, kind: &str) -> Result<bool> {
        Ok(Self::NAMES.contains(&kind) && fields.read("law", Tree::text)? != Some(super::planar::LAW))
    }

    fn from_fields(fields: &Fields<'_>) -> Result<MechanismFile<Noise>> {
        file(fields, read(fields)?)
    }

    fn kind_name(&self) -> &'static str {
        "noise"
    }

    fn claim(&self) -> &Epsilon {
        self.epsilon()
    }

    fn secrets(&self) -> Secrets {
        Noise::secrets(self)
    }

    fn write_secrets(&self, stream: &mut Stream<&mut dyn Write>) -> std::io::Result<()> {
        match self.moments() {
            Some(moments) => secrets::write_moments(stream, moments),
            None => secrets::write(stream, &Noise::secrets(self)),
        }
    }

    fn write_keys(&self, stream: &mut Stream<&mut dyn Write>) -> std::io::Result<()> {
        let (decay, sensitivity, grid) =
            (self.decay().to_string(), self.sensitivity().to_string(), self.grid().to_string());
        for (key, text) in [("law", LAW), ("decay", &decay), ("sensitivity", &sensitivity), ("grid", &grid)] {
            stream.key(key)?;
            stream.text(text)?;
        }
        match self.clamp() {
            None => Ok(()),
            Some(bounds) => {
                stream.key("clamp")?;
                stream.list(bounds, |stream, bound| stream.quoted(bound))
            }
        }
    }

    fn prove(self) -> std::result::Result<Certified<Self>, Violation<ClosedForm>> {
        certify(self)
    }

    /// With `proof`: the closed form, or what proves it for moments of a chain; the most `steps` between neighbours and the `decay` of each.
    fn facts(&self, certificate: &ClosedForm) -> ProofFacts {
        let achieved = certificate.achieved().map(|epsilon| epsilon.enclose(60));
        let mut epsilon = EpsilonFacts::new(certificate.claimed(), achieved.as_ref());
        if self.moments().is_some() {
            // What a proof shows about moments is an upper bound.
            epsilon.lower = None;
        }
        let proof = self.moments().map_or("closed form", |moments| match moments.proof() {
            MomentsProof::Contraction => "contraction",
            MomentsProof::Quilts(_) => "quilts",
        });
        ProofFacts {
            proof: Some(proof.to_owned()),
            steps: Some(certificate.steps().to_string()),
            decay: Some(certificate.decay().to_string()),
            ..ProofFacts::new(self.secrets().word(), epsilon)
        }
    }

    fn as_noise(&self) -> Option<&Noise> {
        Some(self)
    }

    fn adds_up(&self) -> account::Secrets {
        if self.moments().is_some() { account::Secrets::Moments } else { account::Secrets::Points }
    }

    /// Moments are known again by their chains and length, not by who proved the noise or how.
    fn guarantee(&self) -> Result<Guarantee> {
        let Some(moments) = self.moments() else { return Ok(Guarantee::of_noise(self)?) };
        let digest = secrets::chain_digest(moments)[..16].iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let name = format!("a chain of {} ({digest})", moments.length());
        Ok(Guarantee::of_chain(&name, self.epsilon())?)
    }
}

/// The noise of a file. Where the file says nothing of its secrets, the claim is read as one about numbers.
fn read(fields: &Fields<'_>) -> Result<Noise> {
    let epsilon = claim(fields, &["law", "decay", "sensitivity", "grid", "clamp"])?;
    fields.required("law", |tree| match tree.text()? {
        LAW => Ok(()),
        other => Err(Error::input(format!("{other:?}, expected {LAW:?} or {:?}", super::planar::LAW))),
    })?;
    let decay = fields.required("decay", |tree| Budgets::default().parse(tree.number_text()?))?;
    let sensitivity = fields.required("sensitivity", Tree::rational)?;
    let exponent = fields.required("grid", |tree| Ok(Noise::exponent_of(&tree.rational()?)?))?;
    let noise = Noise::new(epsilon.clone(), decay, sensitivity, exponent)?;
    let noise = match secrets::word(fields)? {
        Some(word) if word == (Secrets::Moments { length: 0 }).word() => {
            noise.hiding(secrets::read_moments(fields)?, epsilon)
        }
        _ => {
            secrets::check(fields, &[noise.secrets(), Secrets::Moments { length: 0 }])?;
            noise
        }
    };
    let clamp = fields.read("clamp", |tree| match &tree.each("bound", Tree::rational)?[..] {
        [lower, upper] => Ok([lower.clone(), upper.clone()]),
        other => Err(Error::input(format!("{} bounds, expected a lower and an upper one", other.len()))),
    })?;
    match clamp {
        None => Ok(noise),
        Some([lower, upper]) => noise.clamped(lower, upper).map_err(|error| Error::from(error).at("clamp")),
    }
}
