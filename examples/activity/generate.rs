//! Writes `days.csv`, four days of other people, and `day.csv`, the day that is to be released from.
//!
//! Integers only, so the bytes are the same on every machine: `rustc generate.rs && ./generate days > days.csv`, and
//! `./generate day > day.csv`.

use std::fmt::Write;

/// The states.
pub const STATES: [&str; 3] = ["sit", "stand", "walk"];

/// How likely each state follows each, in parts of 100.
pub const STEPS: [[u64; 3]; 3] = [[80, 15, 5], [20, 60, 20], [10, 25, 65]];

/// Four days of 120 moments each, every ten minutes of 20 hours.
pub fn days() -> String {
    let mut words = SplitMix64(3);
    let mut csv = String::from("day,moment,activity\n");
    for day in ["mon", "tue", "wed", "thu"] {
        for (moment, activity) in words.walk(120).into_iter().enumerate() {
            writeln!(csv, "{day},{},{}", moment + 1, STATES[activity]).expect("a string takes any text");
        }
    }
    csv
}

/// One day of 300 moments.
pub fn day() -> String {
    let mut words = SplitMix64(4);
    let mut csv = String::from("moment,activity\n");
    for (moment, activity) in words.walk(300).into_iter().enumerate() {
        writeln!(csv, "{},{}", moment + 1, STATES[activity]).expect("a string takes any text");
    }
    csv
}

/// Prints one of the two.
#[allow(dead_code)] // a test includes this file for its records alone
pub fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("day") => print!("{}", day()),
        _ => print!("{}", days()),
    }
}

/// The generator SplitMix64: good enough for an example, never for privacy.
struct SplitMix64(u64);

impl SplitMix64 {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// So many moments of the chain, from a state drawn uniformly on.
    fn walk(&mut self, moments: usize) -> Vec<usize> {
        let mut state = self.drawn(&[1, 1, 1]);
        (0..moments)
            .map(|_| {
                let now = state;
                state = self.drawn(&STEPS[state]);
                now
            })
            .collect()
    }

    /// An index drawn in proportion to the weights.
    fn drawn(&mut self, weights: &[u64]) -> usize {
        let total: u64 = weights.iter().sum();
        let mut left = ((u128::from(self.word()) * u128::from(total)) >> 64) as u64;
        for (index, &weight) in weights.iter().enumerate() {
            if left < weight {
                return index;
            }
            left -= weight;
        }
        unreachable!("the draw is below the sum of the weights")
    }
}
