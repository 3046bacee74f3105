//! The data sets that some experiments are about. None of them is part of this program.

use crate::adult::Adult;
use crate::sequences::Sequences;
use crate::tracks::Tracks;
use crate::{activity, electricity, ordonez};
use flate2::read::MultiGzDecoder;
use lookalike_engine::open_input;
use lookalike_formats::{Error, LONGEST_TABLE, Result, text_of};
use std::io::{BufRead, BufReader};
use std::path::Path;

/// A data set that is read from a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataSet {
    /// People of the census.
    Adult,
    /// What older people did, reading by reading.
    Activity,
    /// What a home used, hour by hour.
    Electricity,
    /// What one person did, day and night.
    Ordonez,
    /// Where trips went, fix by fix.
    Tracks,
}

impl DataSet {
    /// All of them, in the order of the experiments.
    pub const ALL: [DataSet; 5] =
        [DataSet::Adult, DataSet::Activity, DataSet::Electricity, DataSet::Ordonez, DataSet::Tracks];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            DataSet::Adult => "adult",
            DataSet::Activity => "activity",
            DataSet::Electricity => "electricity",
            DataSet::Ordonez => "ordonez",
            DataSet::Tracks => "tracks",
        }
    }

    /// What it is.
    pub fn title(self) -> &'static str {
        match self {
            DataSet::Adult => "the UCI Adult data",
            DataSet::Activity => "the activities of older people",
            DataSet::Electricity => "the electricity use of a home",
            DataSet::Ordonez => "the days of one person",
            DataSet::Tracks => "the position fixes of trips",
        }
    }

    /// The file, and where it is to be had.
    pub fn source(self) -> &'static str {
        match self {
            DataSet::Adult => "adult.data (archive.ics.uci.edu, doi 10.24432/C5XW20)",
            DataSet::Activity => {
                "a CSV file with the columns room, trial, sex, seconds and activity, plain or gzip, made of the 87 files of \
                 UCI data set 427 (archive.ics.uci.edu, doi 10.24432/C5GG6B)"
            }
            DataSet::Electricity => "electricity_usage.csv (\"Electricity usage\", openmv.net)",
            DataSet::Ordonez => "OrdonezA_ADLs.txt of UCI data set 271 (archive.ics.uci.edu)",
            DataSet::Tracks => {
                "go_track_trackspoints.csv of UCI data set 354, \"GPS Trajectories\" (archive.ics.uci.edu), with the columns \
                 latitude, longitude, track_id and time"
            }
        }
    }
}

/// The data sets of a run.
#[derive(Debug, Clone, Default)]
pub struct Data {
    adult: Option<Adult>,
    activity: Option<Sequences>,
    electricity: Option<Sequences>,
    ordonez: Option<Sequences>,
    tracks: Option<Tracks>,
}

impl Data {
    /// Reads a data set from its file.
    ///
    /// # Errors
    /// A file that cannot be read or is not that of the data set; the error names file, row and column, and no content.
    pub fn read(&mut self, set: DataSet, path: &Path) -> Result<()> {
        match set {
            DataSet::Adult => self.adult = Some(Adult::read(path)?),
            _ => self
                .parse(set, &text(path).map_err(|error| error.in_file(path))?)
                .map_err(|error| error.in_file(path))?,
        }
        Ok(())
    }

    /// Reads a data set from the text of its file.
    ///
    /// # Errors
    /// Those of [`Data::read`] about the content.
    pub fn parse(&mut self, set: DataSet, text: &str) -> Result<()> {
        match set {
            DataSet::Adult => self.adult = Some(Adult::parse(text)?),
            DataSet::Activity => self.activity = Some(activity::parse(text)?),
            DataSet::Electricity => self.electricity = Some(electricity::parse(text)?),
            DataSet::Ordonez => self.ordonez = Some(ordonez::parse(text)?),
            DataSet::Tracks => self.tracks = Some(Tracks::parse(text)?),
        }
        Ok(())
    }

    /// Whether the data set was read.
    pub fn has(&self, set: DataSet) -> bool {
        match set {
            DataSet::Adult => self.adult.is_some(),
            DataSet::Tracks => self.tracks.is_some(),
            _ => self.sequences(set).is_some(),
        }
    }

    pub(crate) fn adult(&self) -> Option<&Adult> {
        self.adult.as_ref()
    }

    pub(crate) fn tracks(&self) -> Option<&Tracks> {
        self.tracks.as_ref()
    }

    /// A data set of sequences; none of people or places.
    pub(crate) fn sequences(&self, set: DataSet) -> Option<&Sequences> {
        match set {
            DataSet::Adult | DataSet::Tracks => None,
            DataSet::Activity => self.activity.as_ref(),
            DataSet::Electricity => self.electricity.as_ref(),
            DataSet::Ordonez => self.ordonez.as_ref(),
        }
    }
}

/// The text of a file, plain or compressed with gzip.
fn text(path: &Path) -> Result<String> {
    let cannot_read = |error| Error::system("cannot read", error);
    let mut file = BufReader::new(open_input(path).map_err(cannot_read)?);
    match file.fill_buf().map_err(cannot_read)?.starts_with(&[0x1f, 0x8b]) {
        true => text_of(MultiGzDecoder::new(file), LONGEST_TABLE),
        false => text_of(file, LONGEST_TABLE),
    }
}
