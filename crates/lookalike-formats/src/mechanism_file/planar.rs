//! Noise on places in mechanism files.

use super::any::claim;
use super::secrets;
use super::stream::Stream;
use super::write::Stored;
use crate::error::Result;
use crate::spec::Budgets;
use crate::text::{Fields, Tree};
use lookalike::exact::Epsilon;
use lookalike::model::{Noise, PlanarNoise, Region, Secrets};
use std::io::Write;

/// The `law` of noise on places.
pub(super) const LAW: &str = "planar-laplace";

impl Stored for PlanarNoise {
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
}

/// The noise of a file.
pub(super) fn read(fields: &Fields<'_>) -> Result<PlanarNoise> {
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
pub(super) fn origin(tree: &Tree) -> Result<[lookalike::exact::Rational; 2]> {
    let degrees = tree.each("coordinate", Tree::rational)?;
    let count = degrees.len();
    degrees.try_into().map_err(|_| {
        crate::error::Error::input(format!("{count} numbers, expected two: latitude and longitude in degrees"))
    })
}
