//! Sequences of states that come from Python.

use super::chains::Chains;
use crate::data::Column;
use crate::error::Answer;
use crate::numbers::rational;
use crate::progress::{Link, watched};
use lookalike::design::Progress;
use lookalike::exact::Rational;
use lookalike::model::{Categories, Distribution};
use lookalike::pufferfish::{Initial, Transitions};
use lookalike_engine::pufferfish::{Asked, Query, StateEncoder, read_sequences};
use lookalike_engine::records::{Columns, Encoder, GrowingLabels, MemorySource};
use pyo3::prelude::*;
use serde_json::{Value, json};

const SEQUENCE: &str = "sequence";

/// How to fit.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Wishes {
    states: Option<Vec<String>>,
    bins: Option<Vec<String>>,
    smoothing: String,
    /// Whether the first states of the sequences say how a sequence begins.
    first: bool,
}

impl Wishes {
    /// What a state can be, where that was said.
    fn categories(&self) -> Answer<Option<Categories>> {
        Ok(match (&self.states, &self.bins) {
            (Some(names), _) => Some(Categories::new(names)?),
            (None, Some(edges)) => {
                let edges = edges.iter().map(|edge| rational(edge, "bins")).collect::<Answer<Vec<_>>>()?;
                Some(Categories::from_bins(edges)?)
            }
            (None, None) => None,
        })
    }
}

/// The chain of sequences, with what was counted, as JSON.
#[pyfunction]
pub fn pufferfish_fit<'py>(
    py: Python<'py>,
    sequences: Vec<Bound<'py, PyAny>>,
    wishes: Wishes,
    progress: Option<Py<PyAny>>,
) -> Answer<String> {
    let columns = columns(&sequences)?;
    let smoothing = rational(&wishes.smoothing, "smoothing")?;
    let (known, found) = (wishes.categories()?, GrowingLabels::default());
    let encoder = || -> Answer<Encoder> {
        Ok(match &known {
            Some(states) => Box::new(StateEncoder::new(states)?),
            None => Box::new(found.clone()),
        })
    };
    let (rows, sources) = sources(&columns, encoder)?;
    watched(py, progress.as_ref(), rows < SHORT, |link| {
        let mut sequences = read(sources, link, rows)?;
        let states = match &known {
            Some(states) => states.names().iter().map(str::to_owned).collect(),
            None => sorted(&mut sequences, &found.names()),
        };
        let seen = Transitions::count(states.len(), &sequences)?;
        let chain = seen.chain(Initial::Arbitrary, &smoothing)?;
        let first = if wishes.first { Some(seen.initial(&smoothing)?) } else { None };
        let places = 0..states.len();
        let counts: Vec<Vec<u64>> =
            places.clone().map(|from| places.clone().map(|to| seen.seen(from, to)).collect()).collect();
        Ok(json!({
            "states": states,
            "counts": counts,
            "lengths": sequences.iter().map(Vec::len).collect::<Vec<_>>(),
            "transition": chain.transition().iter().map(law).collect::<Vec<_>>(),
            "initial": match &first {
                Some(Initial::Given(given)) => law(given),
                _ => Value::Null,
            },
        })
        .to_string())
    })
}

/// How many moments have each state, and how long each sequence is, if the question can be answered for them.
#[pyfunction]
pub fn pufferfish_tally<'py>(
    py: Python<'py>,
    chains: &Chains,
    query: &str,
    sequences: Vec<Bound<'py, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> Answer<(Vec<u64>, Vec<usize>)> {
    let (columns, states) = (columns(&sequences)?, chains.file.categories());
    let query: Query = query.parse()?;
    let (rows, sources) = sources(&columns, || Ok(Box::new(StateEncoder::new(&states)?)))?;
    watched(py, progress.as_ref(), rows < SHORT, |link| {
        let sequences = read(sources, link, rows)?;
        chains.file.check_possible(&sequences)?;
        Asked::new(&query, &chains.file)?.check(rows)?;
        let mut counts = vec![0; states.len()];
        sequences.iter().flatten().for_each(|&state| counts[state as usize] += 1);
        Ok((counts, sequences.iter().map(Vec::len).collect()))
    })
}

/// Limits of all transition probabilities that hold together with this confidence.
#[pyfunction]
pub fn pufferfish_limits(counts: Vec<Vec<u64>>, confidence: &str) -> Answer<Vec<Vec<(String, String)>>> {
    let confidence = rational(confidence, "confidence")?;
    // Limits are about steps alone: which of them came after which does not matter.
    let steps = |(from, row): (usize, &Vec<u64>)| {
        let step = move |(to, &count): (usize, &u64)| (0..count).map(move |_| [from as u32, to as u32]);
        row.iter().enumerate().flat_map(step).collect::<Vec<_>>()
    };
    let seen = Transitions::count(counts.len(), counts.iter().enumerate().flat_map(steps))?;
    let limits = seen.limits(&confidence)?;
    let texts = |limits: &[Rational; 2]| (limits[0].to_string(), limits[1].to_string());
    let places = 0..counts.len();
    Ok(places.clone().map(|from| places.clone().map(|to| texts(limits.limits(from, to))).collect()).collect())
}

/// Fewer rows than this take no time.
const SHORT: u64 = 65_536;

fn columns<'py>(sequences: &[Bound<'py, PyAny>]) -> Answer<Vec<Column<'py>>> {
    sequences.iter().map(|sequence| Column::of(sequence, SEQUENCE)).collect()
}

/// A source for each sequence, and how many moments there are in all.
fn sources<'a>(
    columns: &'a [Column<'_>],
    encoder: impl Fn() -> Answer<Encoder>,
) -> Answer<(u64, Vec<MemorySource<'a>>)> {
    let wanted = Columns { profile: None, values: vec![SEQUENCE.to_owned()], keep: Vec::new() };
    let rows = columns.iter().map(|column| column.memory().rows() as u64).sum();
    let source = |column: &'a Column<'_>| {
        Ok(MemorySource::open(vec![(SEQUENCE, column.memory())], &wanted, None, Some(encoder()?), None)?)
    };
    Ok((rows, columns.iter().map(source).collect::<Answer<Vec<_>>>()?))
}

/// The sequences by the codes of their states; empty ones say nothing and are left out.
fn read(sources: Vec<MemorySource<'_>>, link: &Link, rows: u64) -> Answer<Vec<Vec<u32>>> {
    let (several, mut sequences, mut done) = (sources.len() > 1, Vec::new(), 0);
    for (place, mut source) in sources.into_iter().enumerate() {
        let named = |error: lookalike_formats::Error| match several {
            true => error.at(format_args!("sequence {}", place + 1)),
            false => error,
        };
        let read = read_sequences(&mut source, &mut |_| {}).map_err(named)?;
        done += read.iter().map(|sequence| sequence.len() as u64).sum::<u64>();
        link.report(Progress { stage: "reading", done, total: Some(rows) });
        sequences.extend(read);
    }
    Ok(sequences)
}

/// The names that occur, sorted; the sequences are coded anew.
fn sorted(sequences: &mut [Vec<u32>], names: &[String]) -> Vec<String> {
    let mut used: Vec<u32> = sequences.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    used.sort_by_key(|&code| &names[code as usize]);
    let mut places = vec![0; names.len()];
    used.iter().zip(0..).for_each(|(&code, place)| places[code as usize] = place);
    sequences.iter_mut().flatten().for_each(|state| *state = places[*state as usize]);
    used.iter().map(|&code| names[code as usize].clone()).collect()
}

fn law(law: &Distribution) -> Value {
    law.probabilities().map(|share| Value::from(share.to_string())).collect()
}
