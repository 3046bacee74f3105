//! Noise on places, for people.

use super::moved::{metres, moved_words};
use super::promise::{radius_words, words};
use crate::noise::short;
use lookalike::exact::{Direction, Rational, decimal, to_f64};
use lookalike::model::Region;
use lookalike_engine::geo::{PlanarDesigned, Promise};
use lookalike_formats::geo::{Length, Origin};
use lookalike_formats::{Error, Result};

/// What is said of noise on places that keeps a promise.
pub fn planar_text(designed: &PlanarDesigned, promise: &Promise) -> Result<String> {
    let (noise, form) = (designed.certified.mechanism(), designed.certified.certificate());
    let moved = &designed.moved;
    let mut text = format!(
        "Planar Laplace noise on places up to {} north, south, east and west of {}, certified.\n",
        Length::new(noise.region().half_width().clone())?,
        place(noise.region()),
    );
    text += &match promise {
        Promise::Radius { level, radius } => radius_words(level, radius),
        _ => String::new(),
    };
    text += &format!("Epsilon is {} for each metre. ", shown(&noise.epsilon().to_string(), noise.epsilon().to_f64()));
    text += &words(noise.epsilon(), &noise.resolution())?;
    text += &moved_words(moved);
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

/// A closed form with the number where it is not too long.
pub fn shown(text: &str, value: f64) -> String {
    const LONGEST: usize = 24;
    if text.len() <= LONGEST { text.to_owned() } else { format!("about {value:.3e}") }
}
