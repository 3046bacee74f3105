//! How many hours the people of UCI Adult work, by race and sex.

use crate::adult::column_codes;
use lookalike::Sentence;
use lookalike::exact::Rational;
use lookalike::model::{Categories, Distribution, Names, SecretGraph};
use lookalike_engine::records::{Encode, GrowingLabels};
use lookalike_formats::{Error, Result};

use std::io::Read;

/// The lower edges of the bins of hours a week.
const EDGES: [u32; 6] = [0, 20, 35, 41, 50, 60];
/// The labels of the bins.
const BINS: [&str; 6] = ["0..20", "20..35", "35..41", "41..50", "50..60", "60.."];

/// The race, the sex and the hours of each person.
#[derive(Clone)]
pub(crate) struct Hours {
    /// The names of races and of sexes, in the order in which the file has them.
    races: Vec<String>,
    pub(crate) sexes: Vec<String>,
    pub(crate) race: Vec<u32>,
    pub(crate) sex: Vec<u32>,
    /// The bin of the hours a week.
    pub(crate) hours: Vec<u32>,
}

impl Hours {
    pub(crate) fn from(open: &dyn Fn() -> Result<Box<dyn Read + Send>>) -> Result<Self> {
        let (races, sexes) = (GrowingLabels::default(), GrowingLabels::default());
        let race = column_codes(open()?, "race", Box::new(races.clone()))?;
        let sex = column_codes(open()?, "sex", Box::new(sexes.clone()))?;
        let hours = column_codes(open()?, "hours-per-week", Box::new(Bins))?;
        if race.len() != hours.len() || sex.len() != hours.len() {
            return Err(Error::input("it changed while it was read"));
        }
        Ok(Hours { races: races.names(), sexes: sexes.names(), race, sex, hours })
    }

    /// The bins as categories.
    pub(crate) fn categories() -> Result<Categories> {
        Ok(Categories::new(BINS)?)
    }

    /// The law of hours of each race, and the graph that makes all races look alike.
    pub(crate) fn profiles(&self, epsilon: &str) -> Result<(SecretGraph, Vec<Distribution>)> {
        let mut builder = SecretGraph::builder(Names::new("race", self.races.iter().map(String::as_str))?);
        builder.complete(&epsilon.parse()?);
        let law = |race: u32| {
            let counts = self.counts(&self.race, race);
            let people: u64 = counts.iter().sum();
            let share = |count: &u64| Rational::new((*count).into(), people.into());
            Distribution::new(&counts.iter().map(share).collect::<Vec<_>>())
        };
        let laws = (0..self.races.len() as u32).map(law).collect::<lookalike::Result<_>>()?;
        Ok((builder.build()?, laws))
    }

    /// How many of the people with a code work how long.
    pub(crate) fn counts(&self, column: &[u32], code: u32) -> Vec<u64> {
        let mut counts = vec![0; BINS.len()];
        let them = column.iter().zip(&self.hours).filter(|(found, _)| **found == code);
        them.for_each(|(_, &hours)| counts[hours as usize] += 1);
        counts
    }
}

/// The bin of a number of hours.
struct Bins;

impl Encode for Bins {
    fn encode(&self, text: &str) -> Option<u32> {
        let hours: u32 = text.parse().ok()?;
        Some(EDGES.partition_point(|&edge| edge <= hours) as u32 - 1)
    }

    fn count(&self) -> usize {
        BINS.len()
    }

    fn hint(&self) -> Sentence {
        ": whole hours a week".into()
    }
}
