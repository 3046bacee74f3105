//! Noise in mechanism files.

use super::any::claim;
use super::secrets;
use super::stream::Stream;
use super::write::Stored;
use crate::error::{Error, Result};
use crate::spec::Budgets;
use crate::text::{Fields, Tree};
use lookalike::exact::Epsilon;
use lookalike::model::{Noise, Secrets};
use std::io::Write;

/// The law on numbers. Two-sided geometric noise is the same under another name.
const LAW: &str = "discrete-laplace";

impl Stored for Noise {
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
}

/// The noise of a file. Where the file says nothing of its secrets, the claim is read as one about numbers.
pub(super) fn read(fields: &Fields<'_>) -> Result<Noise> {
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
