//! Noise on places.

use super::design::Designed;
use super::moved::{Moved, metres};
use super::promise::{Promise, radius_words, words};
use crate::certify::proved;
use crate::design::write;
use crate::noise::short;
use crate::terminal::Terminal;
use lookalike::certify::Certified;
use lookalike::exact::{Direction, Rational, decimal, to_f64};
use lookalike::model::{PlanarNoise, Region};
use lookalike_formats::geo::{Length, Origin};
use lookalike_formats::{Error, MechanismFile, Result};
use serde_json::json;
use std::path::Path;

/// What is asked for.
pub struct Planar<'a> {
    pub origin: &'a Origin,
    pub extent: &'a Length,
    pub promise: Promise,
    pub grid: Option<i32>,
}

impl Planar<'_> {
    /// The noise, proved and written; `None` when it is not private.
    pub fn run(self, output: Option<&Path>, terminal: &Terminal) -> Result<Option<Designed>> {
        let region = region(self.origin, self.extent.metres())?;
        let noise = self.noise(region)?;
        let moved = Moved::of_noise(&noise)?;
        let Some(certified) = proved(noise, "nothing written", terminal)? else { return Ok(None) };
        let file = MechanismFile::of_certified("planar-laplace", &certified);
        if let Some(path) = output {
            write(&file, path, terminal)?;
        }
        let noise = certified.mechanism();
        let json = json!({
            "mechanism": file.name,
            "epsilon_per_metre": noise.epsilon().to_f64(),
            "epsilon_text": noise.epsilon().to_string(),
            "origin": degrees(noise.region()),
            "half_width": noise.region().half_width().to_string(),
            "grid": noise.grid().to_string(),
            "resolution": to_f64(&noise.resolution(), Direction::Up),
            "stretch": to_f64(noise.region().stretch(), Direction::Up),
            "moved": moved.json(),
            "certificate": file.certificate,
        });
        Ok(Some(Designed { text: self.text(&certified, &moved)?, json }))
    }

    fn noise(&self, region: Region) -> Result<PlanarNoise> {
        let noise = match &self.promise {
            Promise::PerMetre(epsilon) => {
                let grid = self.grid.unwrap_or_else(|| PlanarNoise::default_exponent(epsilon));
                PlanarNoise::for_epsilon(epsilon.clone(), region, grid)
            }
            Promise::Radius { level, radius } | Promise::Pairs { level, radius } => {
                let about = level.scale(&radius.metres().recip())?;
                let grid = self.grid.unwrap_or_else(|| PlanarNoise::default_exponent(&about));
                PlanarNoise::for_radius(level, radius.metres(), region, grid)
            }
        };
        Ok(noise?)
    }

    fn text(&self, certified: &Certified<PlanarNoise>, moved: &Moved) -> Result<String> {
        let (noise, form) = (certified.mechanism(), certified.certificate());
        let mut text = format!(
            "Planar Laplace noise on places up to {} north, south, east and west of {}, certified.\n",
            self.extent,
            place(noise.region()),
        );
        text += &match &self.promise {
            Promise::Radius { level, radius } => radius_words(level, radius),
            _ => String::new(),
        };
        text +=
            &format!("Epsilon is {} for each metre. ", shown(&noise.epsilon().to_string(), noise.epsilon().to_f64()));
        text += &words(noise.epsilon(), &noise.resolution())?;
        text += &moved.words();
        text += &format!(
            "Grid {} m; a metre on the ground is at most {} m in the plane, which is counted in.\n",
            noise.grid(),
            short(decimal(form.stretch(), 7, Direction::Up)),
        );
        if moved.farthest() > to_f64(noise.region().half_width(), Direction::Nearest) {
            text += &format!(
                "The noise is as wide as the region: with {} for 99 % many releases end at its border.\n",
                metres(moved.farthest())
            );
        }
        Ok(text)
    }
}

/// The region about an origin; an error says where.
pub fn region(origin: &Origin, half_width: &Rational) -> Result<Region> {
    Region::new(origin.latitude().clone(), origin.longitude().clone(), half_width.clone())
        .map_err(|error| Error::from(error).at("--origin and --extent"))
}

/// The middle of a region, to read.
pub fn place(region: &Region) -> String {
    let [latitude, longitude] =
        [region.latitude(), region.longitude()].map(|degrees| short(decimal(degrees, 7, Direction::Nearest)));
    format!("{latitude},{longitude}")
}

/// The middle of a region, for machines.
pub fn degrees(region: &Region) -> [f64; 2] {
    [region.latitude(), region.longitude()].map(|degrees| to_f64(degrees, Direction::Nearest))
}

/// A closed form with the number where it is not too long.
pub fn shown(text: &str, value: f64) -> String {
    const LONGEST: usize = 24;
    if text.len() <= LONGEST { text.to_owned() } else { format!("about {value:.3e}") }
}
