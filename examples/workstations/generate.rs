//! Writes `records.csv`, one week at a shared workstation, one record a minute; and `sample.csv`, five weeks a month earlier.
//!
//! Integers only, so the bytes are the same on every machine: `rustc generate.rs && ./generate > records.csv`, and
//! `./generate sample > sample.csv`.

use std::fmt::Write;

/// The load levels, in the order of `spec.toml`.
pub const CATEGORIES: [&str; 4] = ["idle", "light", "busy", "full"];

/// The profiles of `spec.toml` in parts of 100; a test keeps the two equal.
pub const PROFILES: [(&str, [u64; 4]); 12] = [
    ("ana", [10, 20, 40, 30]),
    ("bo", [5, 15, 45, 35]),
    ("cleo", [12, 24, 38, 26]),
    ("dan", [8, 18, 34, 40]),
    ("eve", [30, 40, 20, 10]),
    ("finn", [25, 45, 22, 8]),
    ("gus", [36, 38, 20, 6]),
    ("hana", [28, 34, 26, 12]),
    ("ivy", [60, 25, 10, 5]),
    ("jon", [55, 30, 10, 5]),
    ("kim", [62, 22, 12, 4]),
    ("lou", [58, 24, 12, 6]),
];

/// Five working days of eight hours.
const DAYS: u64 = 5;
const HOURS: u64 = 8;

/// The records as CSV: for each minute a user drawn uniformly, then a load drawn from that user's profile.
pub fn records() -> String {
    let mut words = SplitMix64(1);
    let mut csv = String::from("time,user,load\n");
    for day in 0..DAYS {
        for minute in 0..HOURS * 60 {
            let (user, profile) = &PROFILES[words.below(PROFILES.len() as u64) as usize];
            let load = CATEGORIES[words.category(profile)];
            let (date, hour, minute) = (2 + day, 9 + minute / 60, minute % 60);
            writeln!(csv, "2026-03-{date:02}T{hour:02}:{minute:02},{user},{load}").expect("a string takes any text");
        }
    }
    csv
}

/// Roles of four people each, in the order of the profiles.
const ROLES: [&str; 3] = ["engineer", "analyst", "support"];

/// How many records the sample has.
const SAMPLE: u64 = 12_000;

/// The sample that profiles are fitted to, as CSV: users drawn uniformly, then loads from their profiles.
pub fn sample() -> String {
    let mut words = SplitMix64(2);
    let mut csv = String::from("user,role,load\n");
    for _ in 0..SAMPLE {
        let place = words.below(PROFILES.len() as u64) as usize;
        let (user, profile) = &PROFILES[place];
        let (role, load) = (ROLES[place / 4], CATEGORIES[words.category(profile)]);
        writeln!(csv, "{user},{role},{load}").expect("a string takes any text");
    }
    csv
}

/// Prints the records, or the sample.
#[allow(dead_code)] // a test includes this file for its functions alone
pub fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("sample") => print!("{}", sample()),
        _ => print!("{}", records()),
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

    /// A number below `n`, uniform up to a bias of `n` in 2^64.
    fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(n)) >> 64) as u64
    }

    /// An index drawn in proportion to the weights.
    fn category(&mut self, weights: &[u64]) -> usize {
        let mut left = self.below(weights.iter().sum());
        for (index, &weight) in weights.iter().enumerate() {
            if left < weight {
                return index;
            }
            left -= weight;
        }
        unreachable!("the draw is below the sum of the weights")
    }
}
