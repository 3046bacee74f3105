//! Sequences of states that come from Python.

use super::calibrate::{Scale, method_of, scale_of};
use super::chains::Chains;
use crate::data::Column;
use crate::error::{Answer, Failure};
use crate::numbers::{epsilon, rational};
use crate::progress::{Link, watched};
use lookalike::design::Progress;
use lookalike::exact::Rational;
use lookalike::model::Distribution;
use lookalike::pufferfish::Transitions;
use lookalike_engine::Facts;
use lookalike_engine::pufferfish::{
    ChainFit, FirstState, Method, SequenceRelease, StateEncoder, outward, read_sequences,
};
use lookalike_engine::records::{Columns, Encoder, MemorySource};
use lookalike_formats::one_of;
use pyo3::prelude::*;

const SEQUENCE: &str = "sequence";

/// How to fit.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct ChainFitWords {
    states: Option<Vec<String>>,
    bins: Option<Vec<String>>,
    public_states: bool,
    smoothing: String,
    /// `stationary`, `arbitrary` or `first`, unless there is a law.
    initial: String,
    law: Option<Vec<String>>,
}

impl ChainFitWords {
    fn request(self) -> Answer<ChainFit> {
        let numbers = |texts: Vec<String>, place: &str| {
            texts.iter().map(|text| rational(text, place)).collect::<Answer<Vec<_>>>()
        };
        let initial = match (self.law, self.initial.as_str()) {
            (Some(law), _) => FirstState::Given(Distribution::new(&numbers(law, "initial")?)?),
            (None, "stationary") => FirstState::Stationary,
            (None, "arbitrary") => FirstState::Arbitrary,
            (None, "first") => FirstState::First,
            (None, other) => {
                let known = one_of(["stationary", "arbitrary", "first"].into_iter());
                return Err(Failure::input(format!(
                    "initial: {other:?}, expected {known}, or a list of probabilities"
                )));
            }
        };
        Ok(ChainFit {
            states: self.states,
            bins: self.bins.map(|edges| numbers(edges, "bins")).transpose()?,
            public_states: self.public_states,
            smoothing: rational(&self.smoothing, "smoothing")?,
            initial,
            confidence: None,
        })
    }
}

/// The chain of sequences, and what is said of it, as JSON.
#[pyfunction]
pub fn pufferfish_fit<'py>(
    py: Python<'py>,
    sequences: Vec<Bound<'py, PyAny>>,
    words: ChainFitWords,
    progress: Option<Py<PyAny>>,
) -> Answer<(Chains, String)> {
    let (columns, request) = (columns(&sequences)?, words.request()?);
    let states = request.state_names()?;
    let (rows, sources) = sources(&columns, || Ok(states.encoder()?))?;
    watched(py, progress.as_ref(), rows < SHORT, |link| {
        let fitted = request.run(states, read(sources, link, rows)?)?;
        let facts = fitted.facts().json().to_string();
        Ok((Chains { file: fitted.file }, facts))
    })
}

/// What is asked of sequences, and how.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct ReleaseWords {
    query: String,
    epsilon: String,
    method: String,
    confidence: String,
    seed: Option<u64>,
}

/// The facts as JSON, the scale of the noise, the length of each sequence, and whether answers are whole numbers.
type Answers = (String, Scale, Vec<u64>, bool);

/// Answers about sequences, with noise that hides every moment.
#[pyfunction]
pub fn pufferfish_release<'py>(
    py: Python<'py>,
    chains: &Chains,
    sequences: Vec<Bound<'py, PyAny>>,
    words: ReleaseWords,
    progress: Option<Py<PyAny>>,
) -> Answer<Answers> {
    let request = SequenceRelease {
        chains: &chains.file,
        chains_at: None,
        sequences_at: None,
        query: words.query.parse().map_err(|error: lookalike_formats::Error| error.at("query"))?,
        epsilon: epsilon(&words.epsilon, "epsilon")?,
        method: method_of(&words.method, &Method::ALL)?,
        confidence: words.confidence.parse().map_err(|error: lookalike_formats::Error| error.at("confidence"))?,
        seed: words.seed,
    };
    request.linear_query()?;
    let (columns, states) = (columns(&sequences)?, chains.file.categories());
    let (rows, sources) = sources(&columns, || Ok(Box::new(StateEncoder::new(&states)?)))?;
    watched(py, progress.as_ref(), false, |link| {
        let sequences = read(sources, link, rows)?;
        let done = link.watch(|watch| request.run(&sequences, watch))??;
        let scale = scale_of(&done.calibrated, &done.group);
        Ok((done.facts().json().to_string(), scale, done.public.lengths.clone(), done.is_whole()))
    })
}

/// Limits of all transition probabilities that hold together with this confidence; rounded, they are those of a chain file.
#[pyfunction]
pub fn pufferfish_limits(counts: Vec<Vec<u64>>, confidence: &str, rounded: bool) -> Answer<Vec<Vec<(String, String)>>> {
    let confidence = rational(confidence, "confidence")?;
    // Limits are about steps alone: which of them came after which does not matter.
    let steps = |(from, row): (usize, &Vec<u64>)| {
        let step = move |(to, &count): (usize, &u64)| (0..count).map(move |_| [from as u32, to as u32]);
        row.iter().enumerate().flat_map(step).collect::<Vec<_>>()
    };
    let seen = Transitions::count(counts.len(), counts.iter().enumerate().flat_map(steps))?;
    let limits = seen.limits(&confidence)?;
    let texts = |limits: &[Rational; 2]| {
        let [lower, upper] = if rounded { outward(limits) } else { limits.clone() };
        (lower.to_string(), upper.to_string())
    };
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
