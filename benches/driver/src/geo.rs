//! Times noise on places, and the optimal mechanism on a grid of cells.

use crate::design::processor_seconds;
use crate::{Failure, Flags, report, timed};
use lookalike::certify::certify;
use lookalike::design::Watch;
use lookalike::exact::{Rational, parse_rational};
use lookalike::geo::{Cells, GeoLoss, optimal};
use lookalike::model::{PlanarNoise, Prior, Region};
use lookalike::sample::{PlaceRows, PlanarSampler, RandomKey, ReleasePlaces};
use std::path::Path;

/// Releases places, pairs of latitude and longitude in degrees, and writes them for the check that follows. Certifying
/// and the tables are not timed: they are made once for any number of places.
pub fn planar(flags: &Flags) -> Result<(), Failure> {
    let number = |name: &str| -> Result<Rational, Failure> { Ok(parse_rational(flags.text(name)?)?) };
    let region = Region::new(number("latitude")?, number("longitude")?, number("half-width")?)?;
    let epsilon = flags.text("epsilon")?.parse()?;
    let exponent = PlanarNoise::default_exponent(&epsilon);
    let sampler = PlanarSampler::new(&certify(PlanarNoise::for_epsilon(epsilon, region, exponent)?)?);
    let bytes = std::fs::read(flags.text("input")?)?;
    let doubles: Vec<f64> = bytes.as_chunks().0.iter().map(|&eight| f64::from_le_bytes(eight)).collect();
    let [latitudes, longitudes] = [0, 1].map(|axis| doubles.iter().skip(axis).step_by(2).copied().collect::<Vec<_>>());
    let (mut north, mut east) = (vec![0.0; latitudes.len()], vec![0.0; latitudes.len()]);
    let key = RandomKey::from_seed(flags.number("seed")?);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(flags.number("threads")?).build()?;
    let rows = PlaceRows { key: &key, first_row: 0, latitudes: &latitudes, longitudes: &longitudes };
    let times =
        timed(flags.number("repetitions")?, || pool.install(|| sampler.release(&rows, [&mut north, &mut east])))?;
    let released = north.iter().zip(&east).flat_map(|(latitude, longitude)| [*latitude, *longitude]);
    let bytes: Vec<u8> = released.flat_map(f64::to_le_bytes).collect();
    std::fs::write(Path::new(flags.text("output")?), bytes)?;
    report(latitudes.len(), times);
    Ok(())
}

/// From the question to a mechanism that is certified for all pairs: the best of the repetitions, and the answer.
pub fn best(flags: &Flags) -> Result<(), Failure> {
    let side = flags.number("side")?;
    let cells = Cells::new(side, side, parse_rational("1")?)?;
    let (prior, loss) = (Prior::uniform(cells.len())?, GeoLoss::Euclidean.of(&cells)?);
    let (epsilon, dilation) = (flags.text("epsilon")?.parse()?, parse_rational(flags.text("dilation")?)?);
    let (mut seconds, mut answer) = (f64::INFINITY, None);
    for _ in 0..flags.number("repetitions")? {
        let start = processor_seconds();
        let found = optimal(&cells, &epsilon, (&prior, &loss), &dilation, &Watch::default())?;
        certify(found.mechanism.clone())?;
        seconds = seconds.min(processor_seconds() - start);
        answer = Some(found);
    }
    let found = answer.ok_or("no repetition")?;
    println!(
        "{{\"records\": {}, \"seconds\": {seconds:e}, \"value\": {:e}, \"bound\": {:e}, \"edges\": {}}}",
        cells.len(),
        found.value,
        found.lower_bound,
        found.edges
    );
    Ok(())
}
