//! What the ε of a file is about: the key `secrets`, which the certifier reads.

use super::stream::Stream;
use crate::error::{Error, Result};
use crate::pufferfish::{read_initial, read_rows};
use crate::text::{Fields, Tree};
use lookalike::model::{BinaryBox, Chain, ChainClass, Initial, Moments, MomentsProof, QuiltRun, Secrets};
use std::io::Write;

/// The key.
pub(super) const KEY: &str = "secrets";
/// Under it, the word for the secrets.
const ARE: &str = "are";

/// Writes the key for secrets that need no more than a word.
pub(super) fn write(stream: &mut Stream<&mut dyn Write>, secrets: &Secrets) -> std::io::Result<()> {
    start(stream, secrets)?;
    stream.close('}')
}

fn start(stream: &mut Stream<&mut dyn Write>, secrets: &Secrets) -> std::io::Result<()> {
    stream.key(KEY)?;
    stream.open('{')?;
    stream.key(ARE)?;
    stream.text(secrets.word())
}

/// Which chains and how many moments, in 32 bytes; what the proof used makes no difference, nor does the order of the chains.
pub fn chain_digest(moments: &Moments) -> [u8; 32] {
    let one = |class: ChainClass| {
        let mut text = Vec::new();
        let mut stream = Stream::new(&mut text as &mut dyn Write);
        let written = stream.open('{').and_then(|()| write_class(&mut stream, &class)).and_then(|()| stream.close('}'));
        written.expect("memory takes every byte");
        text
    };
    let mut texts: Vec<Vec<u8>> = match moments.class() {
        ChainClass::Chains(chains) => chains.iter().map(|chain| one(ChainClass::Chains(vec![chain.clone()]))).collect(),
        limits => vec![one(limits.clone())],
    };
    texts.sort();
    texts.dedup();
    let mut hasher = blake3::Hasher::new();
    hasher.update(&moments.length().to_le_bytes());
    for text in texts {
        hasher.update(&(text.len() as u64).to_le_bytes()).update(&text);
    }
    hasher.finalize().into()
}

/// Writes the moments of a chain, with the chain and what the proof used.
pub(super) fn write_moments(stream: &mut Stream<&mut dyn Write>, moments: &Moments) -> std::io::Result<()> {
    start(stream, &Secrets::Moments { length: moments.length() })?;
    stream.key("length")?;
    stream.number(moments.length())?;
    write_class(stream, moments.class())?;
    stream.key("proof")?;
    stream.open('{')?;
    stream.key("by")?;
    match moments.proof() {
        MomentsProof::Contraction => stream.text(CONTRACTION)?,
        MomentsProof::Quilts(quilts) => {
            stream.text(QUILTS)?;
            stream.key(QUILTS)?;
            stream.block(quilts.iter(), |stream, runs| stream.block(runs.iter(), write_run))?;
        }
    }
    stream.close('}')?;
    stream.close('}')
}

fn write_class(stream: &mut Stream<&mut dyn Write>, class: &ChainClass) -> std::io::Result<()> {
    match class {
        ChainClass::Chains(chains) => {
            stream.key("chains")?;
            stream.block(chains.iter(), |stream, chain| {
                stream.open('{')?;
                write_initial(stream, chain.initial())?;
                stream.key("transition")?;
                stream.block(chain.transition().iter(), super::write::write_fractions)?;
                stream.close('}')
            })?;
        }
        ChainClass::Box(limits) => {
            write_initial(stream, limits.initial())?;
            stream.key("leave")?;
            stream.block([limits.up(), limits.down()].into_iter(), |stream, ends| {
                stream.list(ends, |stream, end| stream.quoted(end))
            })?;
        }
    }
    Ok(())
}

const CONTRACTION: &str = "contraction";
const QUILTS: &str = "quilts";

fn write_initial(stream: &mut Stream<&mut dyn Write>, initial: &Initial) -> std::io::Result<()> {
    stream.key("initial")?;
    match initial {
        Initial::Given(law) => super::write::write_fractions(stream, law),
        Initial::Stationary => stream.text("stationary"),
        Initial::Arbitrary => stream.text("arbitrary"),
    }
}

fn write_run(stream: &mut Stream<&mut dyn Write>, run: &QuiltRun) -> std::io::Result<()> {
    stream.open('{')?;
    let entries = [("from", Some(run.first)), ("to", run.last), ("left", run.left), ("right", run.right)];
    for (key, number) in entries {
        if let Some(number) = number {
            stream.key(key)?;
            stream.number(number)?;
        }
    }
    stream.close('}')
}

/// The word under `are`, and the fields beside it. Files of version 1 have none.
pub(super) fn word<'a>(fields: &Fields<'a>) -> Result<Option<&'a str>> {
    fields.read(KEY, |tree| Fields::of(tree)?.required(ARE, Tree::text))
}

/// Whether a file says just these secrets, as its kind has them.
///
/// # Errors
/// Others, or more than the word.
pub(super) fn check(fields: &Fields<'_>, expected: &[Secrets]) -> Result<Option<Secrets>> {
    fields.read(KEY, |tree| {
        let fields = Fields::with(tree, &[ARE])?;
        let word = fields.required(ARE, Tree::text)?;
        expected.iter().find(|secrets| secrets.word() == word).cloned().ok_or_else(|| {
            let known: Vec<String> = expected.iter().map(|secrets| format!("{:?}", secrets.word())).collect();
            Error::input(format!("{ARE}: {word:?}, expected {} for this kind", known.join(" or ")))
        })
    })
}

/// The moments of a chain that a file names.
pub(super) fn read_moments(fields: &Fields<'_>) -> Result<Moments> {
    fields.required(KEY, |tree| {
        let fields = Fields::with(tree, &[ARE, "length", "chains", "initial", "leave", "proof"])?;
        let length = fields.required("length", Tree::integer)?;
        let class = match (fields.get("chains"), fields.get("leave")) {
            (Some(chains), None) if fields.get("initial").is_none() => {
                ChainClass::Chains(chains.each("chain", read_chain).map_err(|error| error.at("chains"))?)
            }
            (None, Some(_)) => ChainClass::Box(read_box(&fields)?),
            _ => return Err(Error::input("expected either chains, or initial and leave")),
        };
        let proof = fields.required("proof", read_proof)?;
        Ok(Moments::new(class, length, proof)?)
    })
}

fn read_chain(tree: &Tree) -> Result<Chain> {
    let fields = Fields::with(tree, &["initial", "transition"])?;
    let initial = fields.required("initial", |tree| read_initial(tree, false))?;
    Ok(Chain::new(initial, fields.required("transition", |tree| read_rows(tree, false))?)?)
}

fn read_box(fields: &Fields<'_>) -> Result<BinaryBox> {
    let initial = fields.required("initial", |tree| read_initial(tree, false))?;
    let ends = fields.required("leave", |tree| {
        tree.each("state", |tree| match &tree.each("limit", Tree::rational)?[..] {
            [lower, upper] => Ok([lower.clone(), upper.clone()]),
            other => Err(Error::input(format!("{} numbers, expected two, the lower and the upper limit", other.len()))),
        })
    })?;
    match &ends[..] {
        [up, down] => Ok(BinaryBox::new(initial, up.clone(), down.clone())?),
        other => Err(Error::input(format!("leave: limits for {} states, expected two", other.len()))),
    }
}

fn read_proof(tree: &Tree) -> Result<MomentsProof> {
    let fields = Fields::with(tree, &["by", QUILTS])?;
    match (fields.required("by", Tree::text)?, fields.get(QUILTS)) {
        (CONTRACTION, None) => Ok(MomentsProof::Contraction),
        (QUILTS, Some(quilts)) => {
            let read = |runs: &Tree| runs.each("quilt", read_run);
            Ok(MomentsProof::Quilts(quilts.each("chain", read).map_err(|error| error.at(QUILTS))?))
        }
        (QUILTS, None) => Err(Error::input("quilts is missing")),
        (CONTRACTION, Some(_)) => Err(Error::input("quilts beside a contraction, expected one of them")),
        (other, _) => Err(Error::input(format!("by: {other:?}, expected {CONTRACTION:?} or {QUILTS:?}"))),
    }
}

fn read_run(tree: &Tree) -> Result<QuiltRun> {
    let fields = Fields::with(tree, &["from", "to", "left", "right"])?;
    let [last, left, right] = ["to", "left", "right"].map(|key| fields.read(key, Tree::integer));
    Ok(QuiltRun { first: fields.required("from", Tree::integer)?, last: last?, left: left?, right: right? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::model::Distribution;

    #[test]
    fn moments_are_known_again_by_their_chains_and_length() {
        let row = |weights: [u64; 2]| Distribution::from_weights(weights.map(Into::into).to_vec()).unwrap();
        let chain = |stay: u64| Chain::new(Initial::Stationary, vec![row([stay, 1]), row([1, 1])]).unwrap();
        let digest = |stays: &[u64], length: u64| {
            let class = ChainClass::Chains(stays.iter().map(|&stay| chain(stay)).collect());
            chain_digest(&Moments::new(class, length, MomentsProof::Contraction).unwrap())
        };
        assert_eq!(digest(&[2, 3], 9), digest(&[3, 2, 3], 9), "an order and a repetition say nothing");
        assert_ne!(digest(&[2, 3], 9), digest(&[2, 4], 9));
        assert_ne!(digest(&[2, 3], 9), digest(&[2, 3], 10));
    }
}
