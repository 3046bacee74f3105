//! Noise on places in mechanism files.

use super::super::facts::{EpsilonFacts, ProofFacts};
use super::super::stream::Stream;
use super::super::{MechanismFile, secrets};
use super::kind::MechanismKind;
use super::stated::{claim, file};
use crate::error::{Error, Result};
use crate::spec::Budgets;
use crate::text::{Fields, Tree};
use lookalike::account::Guarantee;
use lookalike::certify::{Certified, PlanarForm, Violation, certify};
use lookalike::exact::{Direction, Epsilon, to_f64};
use lookalike::model::{Noise, PlanarNoise, Region, Secrets};
use std::io::Write;

/// The `law` of noise on places.
pub(super) const LAW: &str = "planar-laplace";

impl MechanismKind for PlanarNoise {
    const NAMES: &'static [&'static str] = &["noise"];
    const CALLED: &'static str = "noise on places";

    fn is_kind(fields: &Fields<'_>, kind: &str) -> Result<bool> {
        Ok(Self::NAMES.contains(&kind) && fields.read("law", Tree::text)? == Some(LAW))
    }

    fn from_fields(fields: &Fields<'_>) -> Result<MechanismFile<PlanarNoise>> {
        file(fields, read(fields)?)
    }

    fn kind_name(&self) -> &'static str {
        "noise"
    }

    fn claim(&self) -> &Epsilon {
        self.epsilon()
    }

    fn secrets(&self) -> Secrets {
        Secrets::Places
    }

    fn write_keys(&self, stream: &mut Stream<&mut dyn Write>) -> std::io::Result<()> {
        let region = self.region();
        let texts = [
            ("law", LAW.to_owned()),
            ("decay", self.decay().to_string()),
            ("grid", self.grid().to_string()),
            ("half_width", region.half_width().to_string()),
        ];
        for (key, text) in &texts {
            stream.key(key)?;
            stream.text(text)?;
        }
        stream.key("origin")?;
        stream.list([region.latitude(), region.longitude()], |stream, degrees| stream.quoted(degrees))
    }

    fn prove(self) -> std::result::Result<Certified<Self>, Violation<PlanarForm>> {
        certify(self)
    }

    /// A metre, with `proof`, always the closed form, the `stretch` of the projection and the `resolution` in metres.
    fn facts(&self, certificate: &PlanarForm) -> ProofFacts {
        let achieved = certificate.achieved().map(|epsilon| epsilon.enclose(80));
        let epsilon = EpsilonFacts::new(certificate.claimed(), achieved.as_ref());
        ProofFacts {
            per: Some("metre"),
            proof: Some("closed form".to_owned()),
            stretch: Some(to_f64(certificate.stretch(), Direction::Up)),
            resolution: Some(to_f64(certificate.resolution(), Direction::Up)),
            ..ProofFacts::new(Secrets::Places.word(), epsilon)
        }
    }

    /// None: its ε is for each metre and leaves out what rounding adds, which depends on where places are.
    fn guarantee(&self) -> Result<Guarantee> {
        Err(Error::refused(
            "noise on places, whose epsilon is for each metre: a ledger counts categories, values and numbers",
        ))
    }
}

/// The noise of a file.
fn read(fields: &Fields<'_>) -> Result<PlanarNoise> {
    let epsilon = claim(fields, &["law", "decay", "grid", "half_width", "origin"])?;
    secrets::check(fields, &[Secrets::Places])?;
    let decay = fields.required("decay", |tree| Budgets::default().parse(tree.number_text()?))?;
    let exponent = fields.required("grid", |tree| Ok(Noise::exponent_of(&tree.rational()?)?))?;
    let half_width = fields.required("half_width", Tree::rational)?;
    let [latitude, longitude] = fields.required("origin", origin)?;
    let region = Region::new(latitude, longitude, half_width)?;
    Ok(PlanarNoise::new(epsilon, decay, region, exponent)?)
}

/// Latitude and longitude.
pub(in super::super) fn origin(tree: &Tree) -> Result<[lookalike::exact::Rational; 2]> {
    let degrees = tree.each("coordinate", Tree::rational)?;
    let count = degrees.len();
    degrees
        .try_into()
        .map_err(|_| Error::input(format!("{count} numbers, expected two: latitude and longitude in degrees")))
}
