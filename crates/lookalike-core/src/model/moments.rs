//! The moments of a Markov chain as secrets, and what proves that noise hides them.

use super::{BinaryBox, Chain, Initial};
use crate::error::{Error, Result};

/// Chains are at most this long.
pub const LONGEST: u64 = 1 << 40;

/// Θ: the chains that a sequence may have come from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "a claim has one class")]
pub enum ChainClass {
    /// Each of these.
    Chains(Vec<Chain>),
    /// All chains on two states within limits.
    Box(BinaryBox),
}

impl ChainClass {
    /// What is known of the first state, in a word.
    pub fn start(&self) -> &'static str {
        let initial = match self {
            ChainClass::Chains(chains) => chains[0].initial(),
            ChainClass::Box(limits) => limits.initial(),
        };
        match initial {
            Initial::Given(_) => "given",
            Initial::Stationary => "stationary",
            Initial::Arbitrary => "arbitrary",
        }
    }
}

/// One quilt for several moments of a chain.
///
/// The quilt of moment i stands `left` moments before it and `right` after it. Where that lies outside of the chain, or
/// where there is no distance, nothing stands on that side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuiltRun {
    /// The first moment that has the quilt; the first of all is 1.
    pub first: u64,
    /// The last one. Without it the run goes to the end of the chain, and is proved with one bound for all its moments.
    pub last: Option<u64>,
    /// How far away the quilt stands to the left.
    pub left: Option<u64>,
    /// How far away it stands to the right.
    pub right: Option<u64>,
}

/// What shows how much one moment of a chain loses behind noise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MomentsProof {
    /// What each step of the chain forgets; nothing else is needed.
    Contraction,
    /// For each chain of the list the quilts of its moments, from the first to the last without a gap.
    Quilts(Vec<Vec<QuiltRun>>),
}

/// The state at each moment of a sequence, each as a secret of its own, when the sequence may have come from any chain
/// of a class; and what the proof rests on.
///
/// Noise that decays by a rate o with each moment that changes lets the states of one moment differ by a loss of more
/// than o, since its neighbours tell of it. How much more is for the certifier, from what stands here and nothing else.
///
/// # Reference
/// Song, Wang and Chaudhuri, Pufferfish Privacy Mechanisms for Correlated Data (2017).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moments {
    class: ChainClass,
    length: u64,
    proof: MomentsProof,
}

impl Moments {
    /// The moments of sequences of this length.
    ///
    /// # Errors
    /// No chain, chains over different numbers of states, a length outside 1 to 2^40, or quilts that are not one list for
    /// each chain with every moment in it once.
    pub fn new(class: ChainClass, length: u64, proof: MomentsProof) -> Result<Self> {
        if !(1..=LONGEST).contains(&length) {
            return Err(Error::input(format!("a chain of {length} moments, expected 1 to {LONGEST}")));
        }
        if let ChainClass::Chains(chains) = &class {
            check_chains(chains)?;
        }
        if let MomentsProof::Quilts(quilts) = &proof {
            check_quilts(&class, length, quilts)?;
        }
        Ok(Moments { class, length, proof })
    }

    /// The chains.
    pub fn class(&self) -> &ChainClass {
        &self.class
    }

    /// How many moments a sequence has.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// What the proof rests on.
    pub fn proof(&self) -> &MomentsProof {
        &self.proof
    }
}

/// Θ has a chain, and all its chains have the same states.
pub fn check_chains(chains: &[Chain]) -> Result<()> {
    let Some(first) = chains.first() else {
        return Err(Error::input("no chain in Θ, expected at least one that the data may have come from"));
    };
    match chains.iter().position(|chain| chain.states() != first.states()) {
        None => Ok(()),
        Some(place) => Err(Error::input(format!(
            "{} states, expected {} as in the first chain",
            chains[place].states(),
            first.states()
        ))
        .at(format_args!("chain {}", place + 1))),
    }
}

fn check_quilts(class: &ChainClass, length: u64, quilts: &[Vec<QuiltRun>]) -> Result<()> {
    let ChainClass::Chains(chains) = class else {
        return Err(Error::input("quilts for all chains within limits, expected a proof by contraction"));
    };
    if quilts.len() != chains.len() {
        return Err(Error::input(format!("quilts for {} of {} chains", quilts.len(), chains.len())));
    }
    for (place, runs) in quilts.iter().enumerate() {
        let mut next = 1;
        for run in runs {
            let last = run.last.unwrap_or(length);
            let in_order = run.first == next && (run.first..=length).contains(&last);
            let apart = [run.left, run.right].iter().flatten().all(|distance| (1..=length).contains(distance));
            if !in_order || !apart {
                return Err(Error::input(format!(
                    "a quilt for the moments {} to {}, expected one from moment {next} on, at distances of 1 to {length}",
                    run.first, last
                ))
                .at(format_args!("chain {}", place + 1)));
            }
            next = last + 1;
        }
        if next != length + 1 {
            return Err(Error::input(format!("no quilt for the moments {next} to {length}"))
                .at(format_args!("chain {}", place + 1)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Distribution;

    fn chain() -> Chain {
        let row = |weights: [u64; 2]| Distribution::from_weights(weights.map(Into::into).to_vec()).unwrap();
        Chain::new(Initial::Stationary, vec![row([9, 1]), row([4, 6])]).unwrap()
    }

    fn run(first: u64, last: u64) -> QuiltRun {
        QuiltRun { first, last: Some(last), left: Some(3), right: None }
    }

    #[test]
    fn every_moment_of_every_chain_has_a_quilt_once() {
        let of = |quilts| {
            let class = ChainClass::Chains(vec![chain()]);
            Moments::new(class, 10, MomentsProof::Quilts(quilts)).map_err(|error| error.to_string())
        };
        assert!(of(vec![vec![run(1, 4), run(5, 10)]]).is_ok());
        assert_eq!(of(vec![]).unwrap_err(), "quilts for 0 of 1 chains");
        assert_eq!(of(vec![vec![run(1, 9)]]).unwrap_err(), "chain 1: no quilt for the moments 10 to 10");
        for wrong in [vec![run(2, 10)], vec![run(1, 4), run(4, 10)], vec![run(1, 11)], vec![run(1, 4), run(6, 10)]] {
            assert!(of(vec![wrong]).unwrap_err().contains("expected one from moment"));
        }
        let open = QuiltRun { last: None, ..run(5, 10) };
        assert!(of(vec![vec![run(1, 4), open]]).is_ok());
        assert!(of(vec![vec![open, run(5, 10)]]).is_err(), "nothing comes after a run to the end");
        let far = QuiltRun { left: Some(0), ..run(1, 10) };
        assert!(of(vec![vec![far]]).is_err());
        assert!(Moments::new(ChainClass::Chains(vec![]), 10, MomentsProof::Contraction).is_err());
        assert!(Moments::new(ChainClass::Chains(vec![chain()]), 0, MomentsProof::Contraction).is_err());
    }
}
