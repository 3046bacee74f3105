//! The fixes of trips on a grid: the expected error of each mechanism over ε.

use crate::experiment::{Chart, Finding, Outcome};
use crate::place_mechanisms::{Candidate, OPTIMAL, PLANAR, REMAPPED, candidates, labels, style};
use crate::places_unit_grid::order;
use crate::proved::float;
use crate::table::{Cell, Table};
use crate::tracks::{ATTRIBUTION, Fix, ORIGIN, Tracks, origin_text, region};
use lookalike::exact::{Epsilon, Rational, parse_rational};
use lookalike::geo::{Cells, GeoLoss, PlaceGrid, expected_loss};
use lookalike::model::Prior;
use lookalike_formats::{Error, Result};
use lookalike_report::plot::{Axis, CellMap, LineChart, Series};

/// Places this many metres apart are alike within ln 4.
const RADII: [u32; 5] = [500, 1000, 2000, 4000, 8000];
/// The side of the grid in metres.
const EXTENT: i64 = 12_000;
/// A prior needs about so many fixes a cell; the grid has as many cells as that allows, within limits.
const FIXES_A_CELL: usize = 200;
const SIDES: std::ops::RangeInclusive<u32> = 4..=10;
const DILATIONS: [&str; 2] = ["1.1", "1.5"];
const NAMES: [&str; 6] = ["planar", "remapped", "truncated", "optimal", "spanner_1.1", "spanner_1.5"];
/// The radius of the maps.
const SHOWN: u32 = 2000;

/// The mechanisms at one radius.
struct Level {
    radius: u32,
    found: Vec<Candidate>,
    /// Their expected losses on the tracks that the prior is not made of.
    elsewhere: Vec<Rational>,
}

/// The two halves of the tracks, as shares of the cells.
struct Halves {
    grid: PlaceGrid,
    prior: Prior,
    released: Prior,
    /// How many fixes of either half are on the grid.
    counts: [usize; 2],
    /// The cell that the prior holds for the likeliest.
    likeliest: u32,
}

/// The loss of each mechanism under the prior it was made for, and on the other half of the tracks.
pub(crate) fn run(tracks: &Tracks) -> Result<Outcome> {
    let fixes = tracks.inside(&region(EXTENT / 2)?)?;
    let halves = Halves::of(&fixes)?;
    let cells = halves.grid.cells();
    let loss = GeoLoss::Euclidean.of(cells)?;
    let level = |radius: u32| {
        let epsilon: Epsilon = format!("ln(4)/{radius}").parse()?;
        let found = candidates(cells, &halves.grid.epsilon_in_plane(&epsilon)?, (&halves.prior, &loss), &DILATIONS)?;
        let elsewhere = found.iter().map(|one| Ok(expected_loss(one.proved.mechanism(), &halves.released, &loss)?));
        Ok(Level { radius, elsewhere: elsewhere.collect::<Result<_>>()?, found })
    };
    let levels = RADII.into_iter().map(level).collect::<Result<Vec<_>>>()?;
    let (side, outside) = (cells.columns(), tracks.len() - fixes.len());
    let pairs = cells.len() * (cells.len() - 1) / 2;
    Ok(Outcome {
        caption: format!(
            "Position fixes of trips on a grid of {side}×{side} cells, {} km wide: a fix is released as the middle of a cell, so \
             that cells with middles r metres apart are alike within ln 4, at ε = ln(4)/r a metre on the ground. The prior is the \
             share of the {} fixes of tracks with odd numbers in each cell, with one fix more in each; the {} fixes of the others \
             are what is released. The loss is the distance of the released cell from the true one. Every mechanism is certified \
             for all {pairs} pairs.",
            EXTENT / 1000,
            halves.counts[0],
            halves.counts[1]
        ),
        table: table(&levels),
        highlights: highlights(&levels),
        charts: charts(&levels, &halves),
        findings: findings(&levels),
        open: vec![
            format!(
                "The grid is chosen here, and public: {} km to each side of {}, and as fine as {FIXES_A_CELL} fixes of the prior a \
                 cell allow. {outside} of {} fixes lie outside of it and are left out.",
                EXTENT / 2000,
                origin_text(),
                tracks.len()
            ),
            "The prior is made of tracks of the same data, which stand for public knowledge here. ε does not cover it: in practice \
             it must come from public data."
                .into(),
            "ε is that of one fix. The fixes of a track are several releases about one person, and their losses add up.".into(),
            ATTRIBUTION.into(),
        ],
    })
}

impl Halves {
    fn of(fixes: &[Fix]) -> Result<Halves> {
        let half = |parity: u64| fixes.iter().filter(|fix| fix.track % 2 == parity).collect::<Vec<_>>();
        let [odd, even] = [half(1), half(0)];
        if odd.is_empty() || even.is_empty() {
            return Err(Error::input(
                "no fixes on the grid of tracks with odd numbers or of those with even ones, expected both",
            ));
        }
        let side = ((odd.len() / FIXES_A_CELL).isqrt() as u32).clamp(*SIDES.start(), *SIDES.end());
        let cells = Cells::new(side, side, Rational::new(EXTENT.into(), side.into()))?;
        let grid = PlaceGrid::new(parse_rational(ORIGIN[0])?, parse_rational(ORIGIN[1])?, cells)?;
        let counts = |half: &[&Fix], before: u64| {
            let mut counts = vec![before; grid.cells().len()];
            let cells = half.iter().filter_map(|fix| grid.cell_of(fix.latitude, fix.longitude));
            cells.for_each(|cell| counts[cell as usize] += 1);
            counts
        };
        let share = |counts: &[u64]| {
            Prior::new(&counts.iter().map(|&count| Rational::from_integer(count.into())).collect::<Vec<_>>())
        };
        // Without a fix more in each cell the prior would call some places impossible.
        let [known, released] = [counts(&odd, 1), counts(&even, 0)];
        let likeliest = (0..known.len()).rev().max_by_key(|&cell| known[cell]).expect("a cell") as u32;
        Ok(Halves {
            prior: share(&known)?,
            released: share(&released)?,
            counts: [odd.len(), even.len()],
            likeliest,
            grid,
        })
    }
}

fn kilometres(loss: &Rational) -> Rational {
    loss / Rational::from_integer(1000.into())
}

fn table(levels: &[Level]) -> Table {
    let start = ["radius", "epsilon"].map(str::to_owned);
    let elsewhere = NAMES.map(|name| format!("{name}_elsewhere"));
    let mut table = Table::new(start.into_iter().chain(NAMES.map(str::to_owned)).chain(elsewhere));
    for level in levels {
        let losses = level.found.iter().map(|one| &one.loss).chain(&level.elsewhere);
        table.row(start_of(level).into_iter().chain(losses.map(|loss| Cell::from(kilometres(loss)))));
    }
    table
}

fn start_of(level: &Level) -> [Cell; 2] {
    [level.radius.to_string(), format!("ln(4)/{}", level.radius)].map(Cell::from)
}

/// Under the prior.
fn highlights(levels: &[Level]) -> Table {
    let columns = ["r in m", "loss in km at"].map(str::to_owned).into_iter().chain(labels(&DILATIONS));
    let mut table = Table::new(columns);
    for level in levels {
        let losses = level.found.iter().map(|one| Cell::from(kilometres(&one.loss)));
        table.row(start_of(level).into_iter().chain(losses));
    }
    table
}

fn charts(levels: &[Level], halves: &Halves) -> Vec<Chart> {
    let lines = |title: &str, loss: &dyn Fn(&Level, usize) -> f64| LineChart {
        title: title.into(),
        x: Axis::new("r in metres, at ε = ln(4)/r").logarithmic(),
        y: Axis::new("expected error in km"),
        series: labels(&DILATIONS)
            .into_iter()
            .enumerate()
            .map(|(at, name)| Series {
                name,
                points: levels.iter().map(|level| (f64::from(level.radius), loss(level, at))).collect(),
                style: style(at),
            })
            .collect(),
        marks: Vec::new(),
    };
    let here = lines("Expected error under the prior", &|level, at| float(&kilometres(&level.found[at].loss)));
    let elsewhere = lines("Expected error on the other tracks", &|level, at| float(&kilometres(&level.elsewhere[at])));
    let shown = levels.iter().find(|level| level.radius == SHOWN).expect("it is one of them");
    let (cells, truth) = (halves.grid.cells(), halves.likeliest as usize);
    let law = |at: usize, name: &str| {
        let channel = &shown.found[at].proved.mechanism().channels()[0];
        CellMap {
            title: format!("{name} for the likeliest cell at ε = ln(4)/{SHOWN}"),
            columns: cells.columns() as usize,
            step: float(cells.step()),
            values: (0..cells.len()).map(|z| float(&channel.probability(truth, z))).collect(),
            truth: Some(truth),
        }
    };
    vec![
        Chart { suffix: String::new(), chart: here.into() },
        Chart { suffix: "elsewhere".into(), chart: elsewhere.into() },
        Chart { suffix: "planar".into(), chart: law(PLANAR, "Planar noise").into() },
        Chart { suffix: "optimum".into(), chart: law(OPTIMAL, "The optimum").into() },
    ]
}

fn findings(levels: &[Level]) -> Vec<Finding> {
    let all = levels.len();
    let count = |holds: &dyn Fn(&Level) -> bool| levels.iter().filter(|level| holds(level)).count();
    let better = count(&|level| level.elsewhere[OPTIMAL] <= level.elsewhere[PLANAR]);
    let remapped = count(&|level| level.elsewhere[REMAPPED] <= level.elsewhere[PLANAR]);
    let saved = |losses: [&Rational; 2]| 100.0 * (1.0 - float(losses[1]) / float(losses[0]));
    let shown = levels.iter().find(|level| level.radius == SHOWN).expect("it is one of them");
    vec![
        order(levels.iter().map(|level| level.found.as_slice())),
        Finding {
            statement: "What is made for the prior errs less than planar noise on other tracks too.".into(),
            holds: better == all && remapped == all,
            evidence: format!(
                "the optimum at {better} of {all} ε, remapped noise at {remapped}; at r = {SHOWN} the optimum saves {:.1} % under the \
                 prior and {:.1} % on the others",
                saved([&shown.found[PLANAR].loss, &shown.found[OPTIMAL].loss]),
                saved([&shown.elsewhere[PLANAR], &shown.elsewhere[OPTIMAL]])
            ),
        },
    ]
}
