//! Noise on places.

use crate::audit::{Attacked, DrawTexts, Subject};
use crate::estimate::{ReadBack, ReportReader};
use crate::geo::{PlaceColumns, PlaceNames};
use crate::mechanism::{AccountRows, Accounted, Composing, ProofInWords};
use crate::release::{Releasable, Released};
use lookalike::Sentence;
use lookalike::audit::Text;
use lookalike::certify::{Certified, PlanarForm};
use lookalike::estimate::Trust;
use lookalike::exact::{Direction, Epsilon, Rational, decimal, to_f64};
use lookalike::model::PlanarNoise;
use lookalike::sample::{PlaceRows, PlanarSampler, RandomKey, ReleasePlaces};
use lookalike_formats::{Error, MechanismFile, Result};
use num_traits::ToPrimitive;
use std::sync::Arc;

impl Accounted for PlanarNoise {
    /// None: its ε is for each metre.
    fn rows(_: &Certified<Self>, _: &Composing<'_>) -> Result<AccountRows> {
        Err(Error::input(
            "noise on places, whose epsilon is for each metre: this counts categories, values and numbers",
        ))
    }
}

impl ProofInWords for PlanarNoise {
    fn proof_text(&self, certificate: &PlanarForm) -> String {
        format!(
            "Certified: places d metres apart within epsilon {} times (d + {}), by the closed form of the law.\nA metre on the \
             ground is at most {} metres in the plane, and rounding to the grid adds at most {} m.\n",
            certificate.claimed(),
            decimal(certificate.resolution(), 4, Direction::Up),
            decimal(certificate.stretch(), 9, Direction::Up),
            decimal(certificate.resolution(), 4, Direction::Up),
        )
    }
}

impl Released for PlanarNoise {
    fn check_column(_: &MechanismFile<Self>) -> Result<()> {
        Err(Error::input(
            Sentence::from("this is noise on places, which have two columns: ")
                .verb("lookalike geo privatize")
                .text(" releases them"),
        ))
    }

    fn releasable<'a>(certified: &'a Certified<Self>) -> Result<Box<dyn Releasable + 'a>> {
        let mechanism = Arc::new(PlanarSampler::new(certified));
        Ok(Box::new(PlaceColumns { mechanism, names: Some(PlaceNames::default()) }))
    }
}

impl ReadBack for PlanarNoise {
    fn check_shares(&self) -> Result<()> {
        self.reader(None, false).map(|_| ())
    }

    /// None: places have no shares.
    fn reader(&self, _: Option<Trust>, _: bool) -> Result<ReportReader<'_>> {
        let found = Sentence::from("noise on places: there are no shares to estimate; ");
        Err(Error::input(found.verb("lookalike geo errors").text(" tells how far places move")))
    }
}

impl Attacked for PlanarNoise {
    /// On two places that are about one scale of the noise apart, so that ε is about 1: the origin of the region, and one to the
    /// east of it.
    fn subject(certified: Certified<Self>) -> Result<Subject> {
        let (noise, sampler) = (certified.mechanism(), PlanarSampler::new(&certified));
        let (steps, epsilon) = a_scale_apart(noise);
        let east = to_f64(&(noise.grid() * Rational::from_integer(steps.into())), Direction::Nearest);
        let places = [[0.0, 0.0], [east, 0.0]].map(|point| sampler.plane().place(point));
        let secrets = places.iter().map(|[a, b]| format!("{a:.7},{b:.7}")).collect();
        Ok(Subject::of_texts(epsilon, secrets, Places { sampler, places }))
    }
}

/// Two places with noise.
struct Places {
    sampler: PlanarSampler,
    places: [[f64; 2]; 2],
}

impl DrawTexts for Places {
    fn draw(&self, key: &RandomKey, first: u64, secrets: &[u32], outputs: &mut [Text]) -> lookalike::Result<()> {
        let column = |axis: usize| secrets.iter().map(|&secret| self.places[secret as usize][axis]).collect::<Vec<_>>();
        let (mut latitudes, mut longitudes) = (vec![0.0; secrets.len()], vec![0.0; secrets.len()]);
        let (north, east) = (column(0), column(1));
        let rows = PlaceRows { key, first_row: first, latitudes: &north, longitudes: &east };
        self.sampler.release(&rows, [&mut latitudes, &mut longitudes])?;
        // The places lie east and west of each other: the longitude comes first, where it is read as a number.
        for (output, (latitude, longitude)) in outputs.iter_mut().zip(latitudes.iter().zip(&longitudes)) {
            *output = Text::new(&format!("{longitude},{latitude}"));
        }
        Ok(())
    }
}

/// The steps of one scale 1/decay, within the region, and what they claim together.
fn a_scale_apart(noise: &PlanarNoise) -> (i64, Epsilon) {
    let scale = (noise.decay().enclose(64).upper().to_rational()).recip().floor().to_integer().to_i64();
    let steps = scale.unwrap_or(i64::MAX).clamp(1, noise.half_steps());
    let epsilon = noise.decay().scale(&Rational::from_integer(steps.into()));
    (steps, epsilon.expect("at most a scale, or one step of a decay that is bounded"))
}
