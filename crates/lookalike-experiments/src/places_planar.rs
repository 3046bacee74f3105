//! Planar noise on the fixes of trips: how far what is released is from the truth.

use crate::experiment::{Chart, Finding, Outcome};
use crate::ground::metres;
use crate::table::{Cell, Table};
use crate::tracks::{ATTRIBUTION, Fix, Tracks, origin_text, region};
use lookalike::certify::certify;
use lookalike::exact::{Epsilon, Rational, parse_rational};
use lookalike::geo::{planar_mean, planar_quantile};
use lookalike::model::{PlanarNoise, Region};
use lookalike::sample::{PlaceRows, PlanarSampler, RandomKey, ReleasePlaces};
use lookalike_formats::{Error, Result};
use lookalike_report::plot::{Axis, LineChart, Series, Style, Track, TrackMap};

/// Places this many metres apart are alike within ln 4.
const RADII: [u32; 5] = [50, 100, 200, 400, 800];
/// Half of the side of the region in metres: far more than noise reaches from where the trips are.
const HALF_WIDTH: i64 = 20_000;
/// What is shown of the errors beside their mean.
const QUANTILES: [&str; 3] = ["0.5", "0.95", "0.99"];
const NAMES: [&str; 4] = ["mean", "median", "95%", "99%"];
/// How often each fix is released, and from which seed.
const REPETITIONS: u64 = 10;
const SEED: u64 = 1;
/// Draws are near their law within so many standard deviations.
const NEAR: f64 = 6.0;
/// The radius of the map.
const SHOWN: u32 = 200;

/// The errors at one radius, in metres on the ground, in the order of [`NAMES`].
struct Level {
    radius: u32,
    closed: [f64; 4],
    drawn: [f64; 4],
    /// How many standard deviations the mean, and the shares of errors within each closed form, are off.
    z: [f64; 4],
}

/// The draws of the experiment: no random word is used twice.
struct Draws {
    key: RandomKey,
    next: u64,
}

/// The mean and the quantiles of the error over ε, drawn and by the law; and one track before and after.
pub(crate) fn run(tracks: &Tracks) -> Result<Outcome> {
    let region = region(HALF_WIDTH)?;
    let fixes = tracks.inside(&region)?;
    let mut draws = Draws { key: RandomKey::from_seed(SEED), next: 0 };
    let level = |radius: u32| Level::of(radius, &region, &fixes, &mut draws);
    let levels = RADII.into_iter().map(level).collect::<Result<Vec<_>>>()?;
    let map = track_map(&region, &fixes, &mut draws)?;
    let (all, outside) = (tracks.len(), tracks.len() - fixes.len());
    Ok(Outcome {
        caption: format!(
            "Position fixes of trips are released with planar noise, certified at ε = ln(4)/r a metre on the ground: two places r \
             metres apart are alike within ln 4, and a thousandth of it more for the rounding of places to a grid. Each of the {} fixes is released {REPETITIONS} times, seeded with {SEED}, and the \
             distance on the ground between the fix and what is released is measured. The closed form is that of continuous noise \
             of density e^(−ε·d): the mean is 2/ε.",
            fixes.len()
        ),
        table: table(&levels, fixes.len() as u64 * REPETITIONS),
        highlights: highlights(&levels),
        charts: vec![
            Chart { suffix: String::new(), chart: errors(&levels).into() },
            Chart { suffix: "ratio".into(), chart: ratios(&levels).into() },
            Chart { suffix: "track".into(), chart: map.into() },
        ],
        findings: vec![finding(&levels)],
        open: vec![
            format!(
                "The region is chosen here, and public: {} km to each side of {}. {outside} of {all} fixes lie outside of it and \
                 are left out.",
                HALF_WIDTH / 1000,
                origin_text()
            ),
            "ε is that of one fix. The fixes of a track are several releases about one person, and their losses add up.".into(),
            ATTRIBUTION.into(),
        ],
    })
}

impl Level {
    fn of(radius: u32, region: &Region, fixes: &[Fix], draws: &mut Draws) -> Result<Level> {
        let epsilon = epsilon(radius)?;
        let sampler = sampler(radius, region)?;
        let mut errors = Vec::with_capacity(fixes.len() * REPETITIONS as usize);
        for _ in 0..REPETITIONS {
            let released = draws.released(&sampler, fixes)?;
            errors.extend(fixes.iter().zip(released).map(|(fix, place)| metres([fix.latitude, fix.longitude], place)));
        }
        errors.sort_by(f64::total_cmp);
        let count = errors.len() as f64;
        let mean = errors.iter().sum::<f64>() / count;
        let mut level = Level { radius, closed: [planar_mean(&epsilon); 4], drawn: [mean; 4], z: [0.0; 4] };
        // The distance has the variance 2/ε².
        level.z[0] = (mean * epsilon.to_f64() - 2.0) / (2.0 / count).sqrt();
        for (at, text) in (1..).zip(QUANTILES) {
            let p: f64 = text.parse().expect("a number");
            level.closed[at] = planar_quantile(&epsilon, &parse_rational(text)?)?;
            level.drawn[at] = errors[(p * count).ceil() as usize - 1];
            let share = errors.partition_point(|error| *error <= level.closed[at]) as f64 / count;
            level.z[at] = (share - p) / (p * (1.0 - p) / count).sqrt();
        }
        Ok(level)
    }
}

impl Draws {
    /// Latitude and longitude of one release of each fix.
    fn released(&mut self, sampler: &PlanarSampler, fixes: &[Fix]) -> Result<Vec<[f64; 2]>> {
        let [latitudes, longitudes]: [Vec<f64>; 2] =
            [fixes.iter().map(|fix| fix.latitude).collect(), fixes.iter().map(|fix| fix.longitude).collect()];
        let (mut north, mut east) = (vec![0.0; fixes.len()], vec![0.0; fixes.len()]);
        let rows = PlaceRows { key: &self.key, first_row: self.next, latitudes: &latitudes, longitudes: &longitudes };
        sampler.release(&rows, [&mut north, &mut east])?;
        self.next += fixes.len() as u64;
        Ok(north.into_iter().zip(east).map(<[f64; 2]>::from).collect())
    }
}

fn epsilon(radius: u32) -> Result<Epsilon> {
    Ok(format!("ln(4)/{radius}").parse()?)
}

fn sampler(radius: u32, region: &Region) -> Result<PlanarSampler> {
    let epsilon = epsilon(radius)?;
    let exponent = PlanarNoise::default_exponent(&epsilon);
    let certified = certify(PlanarNoise::for_epsilon(epsilon, region.clone(), exponent)?).map_err(|violation| {
        Error::input(format!("noise of an experiment does not certify, which is a bug to report: {violation}"))
    })?;
    Ok(PlanarSampler::new(&certified))
}

fn table(levels: &[Level], draws: u64) -> Table {
    let columns = ["mean", "median", "p95", "p99"];
    let start = ["radius", "epsilon", "draws"].map(str::to_owned);
    let pairs = columns.iter().flat_map(|name| [(*name).to_owned(), format!("{name}_drawn")]);
    let mut table = Table::new(start.into_iter().chain(pairs));
    for level in levels {
        let start = [level.radius.to_string(), format!("ln(4)/{}", level.radius), draws.to_string()].map(Cell::from);
        let pairs = level.closed.iter().zip(&level.drawn).flat_map(|(closed, drawn)| [*closed, *drawn]);
        let number = |value: f64| Rational::from_float(value).map_or_else(|| Cell::from("-"), Cell::from);
        table.row(start.into_iter().chain(pairs.map(number)));
    }
    table
}

/// Metres to a decimal, the closed form and what was drawn.
fn highlights(levels: &[Level]) -> Table {
    let columns = NAMES.iter().flat_map(|name| [(*name).to_owned(), format!("{name} drawn")]);
    let mut table = Table::new(["r in m".to_owned(), "epsilon".to_owned()].into_iter().chain(columns));
    for level in levels {
        let start = [level.radius.to_string(), format!("ln(4)/{}", level.radius)].map(Cell::from);
        let pairs = level.closed.iter().zip(&level.drawn).flat_map(|(closed, drawn)| [*closed, *drawn]);
        table.row(start.into_iter().chain(pairs.map(|metres| Cell::from(format!("{metres:.1}")))));
    }
    table
}

fn lines(levels: &[Level], value: impl Fn(&Level, usize) -> f64) -> Vec<Series> {
    let line = |(at, name): (usize, &str)| Series {
        name: name.into(),
        points: levels.iter().map(|level| (f64::from(level.radius), value(level, at))).collect(),
        style: Style::Plain(at),
    };
    NAMES.into_iter().enumerate().map(line).collect()
}

fn errors(levels: &[Level]) -> LineChart {
    LineChart {
        title: "Errors on the ground".into(),
        x: Axis::new("r in metres, at ε = ln(4)/r").logarithmic(),
        y: Axis::new("drawn error in metres").logarithmic(),
        series: lines(levels, |level, at| level.drawn[at]),
        marks: Vec::new(),
    }
}

/// Draws against their law, which would hide each other in one picture.
fn ratios(levels: &[Level]) -> LineChart {
    LineChart {
        title: "Errors drawn, as a part of the closed form".into(),
        x: Axis::new("r in metres, at ε = ln(4)/r").logarithmic(),
        y: Axis::new("drawn/closed form"),
        series: lines(levels, |level, at| level.drawn[at] / level.closed[at]),
        marks: Vec::new(),
    }
}

/// The track that goes furthest, before and after.
fn track_map(region: &Region, fixes: &[Fix], draws: &mut Draws) -> Result<TrackMap> {
    let sampler = sampler(SHOWN, region)?;
    let shown = widest(fixes);
    let point = |[latitude, longitude]: [f64; 2]| sampler.plane().point(latitude, longitude).map(<(f64, f64)>::from);
    let truth = shown.iter().filter_map(|fix| point([fix.latitude, fix.longitude])).collect();
    let released = draws.released(&sampler, &shown)?.into_iter().filter_map(point).collect();
    Ok(TrackMap {
        title: format!("One track, each fix released at ε = ln(4)/{SHOWN} a metre"),
        tracks: vec![
            Track { name: "released".into(), points: released, style: Style::Ours, joined: false },
            Track { name: "true".into(), points: truth, style: Style::Baseline, joined: true },
        ],
    })
}

/// The fixes of the track whose latitudes and longitudes span most; the first of equals.
fn widest(fixes: &[Fix]) -> Vec<Fix> {
    let of = |track: u64| fixes.iter().filter(|fix| fix.track == track).copied().collect::<Vec<Fix>>();
    let span = |track: &[Fix]| {
        let range = |value: fn(&Fix) -> f64| {
            let values = || track.iter().map(value);
            values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
        };
        range(|fix| fix.latitude).hypot(range(|fix| fix.longitude))
    };
    let mut numbers: Vec<u64> = fixes.iter().map(|fix| fix.track).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let tracks: Vec<Vec<Fix>> = numbers.into_iter().map(of).collect();
    let furthest = tracks.into_iter().rev().max_by(|a, b| span(a).total_cmp(&span(b)));
    furthest.unwrap_or_default()
}

fn finding(levels: &[Level]) -> Finding {
    let z = || levels.iter().flat_map(|level| level.z);
    let (all, near) = (z().count(), z().filter(|z| z.abs() < NEAR).count());
    Finding {
        statement:
            "Errors have the mean 2/ε, the median 1.6783/ε and the quantiles 4.7439/ε (95 %) and 6.6384/ε (99 %)."
                .into(),
        holds: near == all,
        evidence: format!(
            "{near} of {all} within {NEAR} standard deviations; the farthest is {:.1} off",
            z().map(f64::abs).fold(0.0, f64::max)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_track_is_found() {
        let fix = |track, latitude, longitude| Fix { track, latitude, longitude };
        let fixes = [
            fix(1, 0.0, 0.0),
            fix(2, 5.0, 5.0),
            fix(1, 0.0, 0.3),
            fix(2, 5.2, 5.3),
            fix(3, 1.0, 1.0),
            fix(3, 1.3, 1.1),
        ];
        assert_eq!(widest(&fixes), [fixes[1], fixes[3]]);
    }
}
