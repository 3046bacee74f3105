//! What an experiment is, what comes out of it, and the list of them.

use crate::adult::Adult;
use crate::data::{Data, DataSet};
use crate::sequences::Sequences;
use crate::table::Table;
use crate::tracks::Tracks;
use crate::{
    binary_chains, chain_flips, chain_quilts, counts, counts_adult, coverage, estimate_adult, figure_2a, figure_2b,
    figure_2c, figure_3, flu, histograms, notes, places_grid, places_planar, places_unit_grid, refits, table_1,
};
use lookalike_formats::{Error, Result};
use lookalike_report::plot::{Bars, CellMap, HeatMap, LineChart, TrackMap};
use maud::Markup;

/// An experiment that can be done again.
#[derive(Debug, Clone, Copy)]
pub struct Experiment {
    /// The name used on the command line and for files.
    pub name: &'static str,
    /// What it is, in one line.
    pub title: &'static str,
    run: Run,
}

/// How an experiment is done.
#[derive(Debug, Clone, Copy)]
enum Run {
    /// From nothing.
    Alone(fn() -> Result<Outcome>),
    /// From nothing, in minutes.
    Long(fn() -> Result<Outcome>),
    /// On the people of UCI Adult.
    OnAdult(fn(&Adult) -> Result<Outcome>),
    /// On sequences of states.
    OnSequences(DataSet, fn(&Sequences) -> Result<Outcome>),
    /// On the places of trips.
    OnTracks(fn(&Tracks) -> Result<Outcome>),
}

impl Experiment {
    /// Does the experiment: designs, certifies, reads the figures off.
    ///
    /// # Errors
    /// No data for an experiment that needs them, or too few people. A design that fails or does not certify; both would
    /// be bugs.
    pub fn run(&self, data: &Data) -> Result<Outcome> {
        let outcome = match self.run {
            Run::Alone(run) | Run::Long(run) => run(),
            Run::OnAdult(run) => data.adult().ok_or_else(|| missing(DataSet::Adult)).and_then(run),
            Run::OnSequences(set, run) => data.sequences(set).ok_or_else(|| missing(set)).and_then(run),
            Run::OnTracks(run) => data.tracks().ok_or_else(|| missing(DataSet::Tracks)).and_then(run),
        };
        outcome.map_err(|error| error.at(self.name))
    }

    /// Whether it takes minutes, and so is done only by its name.
    pub fn is_long(&self) -> bool {
        matches!(self.run, Run::Long(_))
    }

    /// The data that it is about, which are not part of this program; none for those that need none.
    pub fn needs(&self) -> Option<DataSet> {
        match self.run {
            Run::Alone(_) | Run::Long(_) => None,
            Run::OnAdult(_) => Some(DataSet::Adult),
            Run::OnSequences(set, _) => Some(set),
            Run::OnTracks(_) => Some(DataSet::Tracks),
        }
    }
}

fn missing(set: DataSet) -> Error {
    Error::input(format!("needs {}: --{} FILE names {}", set.title(), set.name(), set.source()))
}

/// What came out of an experiment.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// What is shown, in a few sentences.
    pub caption: String,
    /// Every number.
    pub table: Table,
    /// A few of them, for a first look.
    pub highlights: Table,
    /// The pictures; the first is the one of the paper.
    pub charts: Vec<Chart>,
    /// What the source says, and whether it holds here.
    pub findings: Vec<Finding>,
    /// What the source leaves open, and what was chosen.
    pub open: Vec<String>,
}

/// A picture.
#[derive(Debug, Clone)]
pub struct Chart {
    /// What is added to the experiment's name for the name of the file; nothing for the first one.
    pub suffix: String,
    /// The picture itself.
    pub chart: Picture,
}

/// What kind of picture it is.
#[derive(Debug, Clone)]
pub enum Picture {
    /// Curves.
    Lines(LineChart),
    /// A table of probabilities as colours.
    HeatMap(HeatMap),
    /// Probabilities on a map.
    Cells(CellMap),
    /// Ways on a map.
    Tracks(TrackMap),
    /// Bars with intervals.
    Bars(Bars),
}

impl Picture {
    /// The picture as an `svg` element.
    pub fn svg(&self) -> Markup {
        match self {
            Picture::Lines(chart) => chart.svg(),
            Picture::HeatMap(map) => map.svg(),
            Picture::Cells(map) => map.svg(),
            Picture::Tracks(map) => map.svg(),
            Picture::Bars(bars) => bars.svg(),
        }
    }
}

impl From<LineChart> for Picture {
    fn from(chart: LineChart) -> Self {
        Picture::Lines(chart)
    }
}

impl From<CellMap> for Picture {
    fn from(map: CellMap) -> Self {
        Picture::Cells(map)
    }
}

impl From<TrackMap> for Picture {
    fn from(map: TrackMap) -> Self {
        Picture::Tracks(map)
    }
}

/// A statement of the source, held against the numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What the source says.
    pub statement: String,
    /// Whether it holds in every row.
    pub holds: bool,
    /// The numbers that decide it.
    pub evidence: String,
}

/// The experiments, paper after paper.
pub const EXPERIMENTS: [Experiment; 24] = [
    Experiment {
        name: "figure-2a",
        title: "two Bernoulli profiles: noise against their difference",
        run: Run::Alone(figure_2a::run),
    },
    Experiment {
        name: "figure-2b",
        title: "Table 1's profiles: cost a category, k-ary randomized response",
        run: Run::Alone(figure_2b::run),
    },
    Experiment {
        name: "figure-2c",
        title: "Table 1's profiles: cost a category, Smooth Categorical",
        run: Run::Alone(figure_2c::run),
    },
    Experiment {
        name: "figure-3a",
        title: "chain of 6 Bernoulli profiles: output laws, Warner's randomized response",
        run: Run::Alone(figure_3::a),
    },
    Experiment {
        name: "figure-3b",
        title: "chain of 21 Bernoulli profiles: output laws, Warner's randomized response",
        run: Run::Alone(figure_3::b),
    },
    Experiment {
        name: "figure-3c",
        title: "chain of 6 Bernoulli profiles: output laws, Smooth One Bit",
        run: Run::Alone(figure_3::c),
    },
    Experiment {
        name: "figure-3d",
        title: "chain of 21 Bernoulli profiles: output laws, Smooth One Bit",
        run: Run::Alone(figure_3::d),
    },
    Experiment {
        name: "chain-flips",
        title: "both chains: largest flip, Smooth One Bit against One Bit Cluster",
        run: Run::Alone(chain_flips::run),
    },
    Experiment {
        name: "table-1",
        title: "Table 1's profiles: the least possible largest flip at each epsilon",
        run: Run::Alone(table_1::run),
    },
    Experiment {
        name: "notes",
        title: "lecture on differential privacy: survey with two coins, sensitivities",
        run: Run::Alone(notes::run),
    },
    Experiment {
        name: "counts",
        title: "counts of small groups: four mechanisms, their properties, L_0 over n and alpha",
        run: Run::Alone(counts::run),
    },
    Experiment {
        name: "counts-adult",
        title: "counts of small groups of UCI Adult: errors over n and alpha",
        run: Run::OnAdult(counts_adult::run),
    },
    Experiment {
        name: "coverage",
        title: "intervals of shares that are read back: how often they cover",
        run: Run::Long(coverage::run),
    },
    Experiment {
        name: "refits",
        title: "profiles fitted again and again: the true epsilon of what is designed for them",
        run: Run::Long(refits::run),
    },
    Experiment {
        name: "estimate-adult",
        title: "hours of UCI Adult, released by race and read back by sex",
        run: Run::OnAdult(estimate_adult::run),
    },
    Experiment {
        name: "flu",
        title: "flu in a household of four: Wasserstein mechanism against group privacy",
        run: Run::Alone(flu::run),
    },
    Experiment {
        name: "chain-quilts",
        title: "a chain of two states: scores of quilts, noise of every mechanism",
        run: Run::Alone(chain_quilts::run),
    },
    Experiment {
        name: "binary-chains",
        title: "binary chains: error of the mean over the transition bounds",
        run: Run::Alone(binary_chains::run),
    },
    Experiment {
        name: "activity",
        title: "activities of older people: error of the histogram",
        run: Run::OnSequences(DataSet::Activity, histograms::activity),
    },
    Experiment {
        name: "electricity",
        title: "electricity use of a home in 51 levels: error of the histogram",
        run: Run::OnSequences(DataSet::Electricity, histograms::electricity),
    },
    Experiment {
        name: "ordonez",
        title: "days of one person: error of the histogram",
        run: Run::OnSequences(DataSet::Ordonez, histograms::ordonez),
    },
    Experiment {
        name: "places-unit-grid",
        title: "places on 5x5 cells: loss of planar, cut-off and optimal noise",
        run: Run::Alone(places_unit_grid::run),
    },
    Experiment {
        name: "places-planar",
        title: "places of trips: errors of planar noise on the ground",
        run: Run::OnTracks(places_planar::run),
    },
    Experiment {
        name: "places-grid",
        title: "places of trips on a grid: planar, remapped and optimal noise",
        run: Run::OnTracks(places_grid::run),
    },
];

/// The experiment of this name.
///
/// # Errors
/// A name that is not known; the error lists the known ones.
pub fn named(name: &str) -> Result<Experiment> {
    EXPERIMENTS.into_iter().find(|experiment| experiment.name == name).ok_or_else(|| {
        let known = EXPERIMENTS.map(|experiment| experiment.name).join(", ");
        Error::input(format!("experiment {name:?} is not known, expected one of {known}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_and_others_are_refused_with_the_list() {
        for experiment in EXPERIMENTS {
            assert_eq!(named(experiment.name).unwrap().title, experiment.title);
        }
        let error = named("figure-4").unwrap_err().to_string();
        assert!(error.starts_with("experiment \"figure-4\" is not known, expected one of figure-2a, "), "{error}");
    }
}
