//! Mechanisms that lie about their ε, each beside an honest one that does the same work. Never in the product.

#![allow(missing_docs, reason = "test helpers")]

pub mod broken;
pub mod honest;

use lookalike::Result;
use lookalike::audit::{Audit, Collect, Options, Output, Pair, Run, Schedule, Source, audit, draws};

/// A mechanism with a claim, and how many draws its audit gets.
pub struct Exhibit {
    pub name: &'static str,
    pub draws: u64,
    run: Box<Attack>,
}

/// The audit of one mechanism, from its seed.
type Attack = dyn Fn(u64, &Options<'_>) -> Audit + Sync;

impl Exhibit {
    /// An exhibit whose `release(words, secret)` gets fresh random words for each draw.
    pub fn new<O: Output + Clone + Default + Send + Sync + 'static>(
        name: &'static str,
        draws: u64,
        pairs: Vec<Pair>,
        release: impl Fn(&mut Words, u32) -> O + Sync + 'static,
    ) -> Self {
        Exhibit::stateful(name, draws, pairs, move |_, words, secret| release(words, secret))
    }

    /// The same for a mechanism that is made anew for each audit, from the audit's seed and the run.
    pub fn stateful<O: Output + Clone + Default + Send + Sync + 'static>(
        name: &'static str,
        draws: u64,
        pairs: Vec<Pair>,
        release: impl Fn(Start, &mut Words, u32) -> O + Sync + 'static,
    ) -> Self {
        let run = move |seed: u64, options: &Options<'_>| audit(&pairs, &draws_of(seed, &release), options).unwrap();
        Exhibit { name, draws, run: Box::new(run) }
    }

    /// The same for a mechanism that is called in order and may keep what it likes, as a program does: `start(seed, run)` is
    /// what answers a run.
    pub fn program<O: Output + 'static, M: FnMut(u32) -> O + 'static>(
        name: &'static str,
        draws: u64,
        pairs: Vec<Pair>,
        start: impl Fn(u64, Run) -> M + Sync + 'static,
    ) -> Self {
        let run =
            move |seed: u64, options: &Options<'_>| audit(&pairs, &InOrder(|run| start(seed, run)), options).unwrap();
        Exhibit { name, draws, run: Box::new(run) }
    }

    /// The audit with this seed at the stated budget.
    pub fn audit(&self, seed: u64) -> Audit {
        self.audit_with(seed, &Options { draws: self.draws, ..Options::default() })
    }

    /// The same at another budget.
    pub fn audit_with(&self, seed: u64, options: &Options<'_>) -> Audit {
        (self.run)(seed, options)
    }
}

/// Draws of what is called in order.
struct InOrder<F>(F);

impl<O: Output, M: FnMut(u32) -> O, F: Fn(Run) -> M> Source for InOrder<F> {
    type Output = O;

    fn run<C: Collect<O>>(&self, run: Run, schedule: &Schedule, new: &(dyn Fn() -> C + Sync)) -> Result<C> {
        let (mut collector, mut answer) = (new(), (self.0)(run));
        for (place, secret) in (0..).zip(schedule.iter()) {
            collector.see(secret, place, &answer(secret));
        }
        Ok(collector)
    }
}

/// What a mechanism knows when it starts.
#[derive(Clone, Copy)]
pub struct Start {
    pub seed: u64,
    pub run: Run,
    /// The number of the draw.
    pub number: u64,
}

fn draws_of<O: Output + Clone + Default + Send + Sync>(
    seed: u64,
    release: &(dyn Fn(Start, &mut Words, u32) -> O + Sync),
) -> impl lookalike::audit::Source<Output = O> {
    draws(&[], move |run, first, secrets: &[u32], outputs: &mut [O]| -> Result<()> {
        for ((number, output), &secret) in (first..).zip(outputs).zip(secrets) {
            let mut words = Words::new(&[seed, run as u64, number]);
            *output = release(Start { seed, run, number }, &mut words, secret);
        }
        Ok(())
    })
}

/// SplitMix64 from a list of numbers.
pub struct Words(u64);

impl Words {
    pub fn new(seed: &[u64]) -> Self {
        let mut words = Words(0x5851_f42d_4c95_7f2d);
        for part in seed {
            words.0 ^= part.wrapping_mul(0xd134_2543_de82_ef95);
            words.0 = words.word();
        }
        words
    }

    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform on [0, 1) in steps of 2^-53.
    pub fn uniform(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn coin(&mut self, probability: f64) -> bool {
        self.uniform() < probability
    }

    /// The number of failures before a success of probability 1 − α.
    pub fn geometric(&mut self, alpha: f64) -> i64 {
        ((1.0 - self.uniform()).ln() / alpha.ln()) as i64
    }
}

/// Every two of so many secrets, with one claim.
pub fn all_pairs(secrets: u32, claimed: f64) -> Vec<Pair> {
    (0..secrets)
        .flat_map(|one| (0..one).map(move |other| Pair { secrets: [other, one], claimed: Some(claimed) }))
        .collect()
}

/// The first secret and each other one.
pub fn star(secrets: u32, claimed: f64) -> Vec<Pair> {
    (1..secrets).map(|other| Pair { secrets: [0, other], claimed: Some(claimed) }).collect()
}

/// A vector of bits with each flipped with this probability, but for the places that `spared` names. Secret 0 is all
/// zeros, secret i has bit i set.
pub fn flipped_bits(words: &mut Words, secret: u32, bits: u32, flip: f64, spared: impl Fn(u32) -> bool) -> String {
    let bit = |place: u32| {
        let truth = place == secret;
        if truth != (!spared(place) && words.coin(flip)) { '1' } else { '0' }
    };
    (1..=bits).map(bit).collect()
}

/// Warner's coin for ln 3.
pub fn warner(words: &mut Words, secret: u32) -> u32 {
    if words.coin(0.25) { 1 - secret } else { secret }
}

/// k-ary randomized response at ε.
pub fn k_rr(words: &mut Words, secret: u32, outputs: u32, epsilon: f64) -> u32 {
    let keep = (epsilon.exp() - 1.0) / (epsilon.exp() + f64::from(outputs) - 1.0);
    if words.coin(keep) { secret } else { (words.word() % u64::from(outputs)) as u32 }
}
