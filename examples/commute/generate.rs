//! Writes `records.csv`: 600 trips from four home districts.
//!
//! Integers only, so the bytes are the same on every machine: `rustc generate.rs && ./generate > records.csv`.

use std::fmt::Write;

/// The routes, in the order of `spec.toml`.
pub const CATEGORIES: [&str; 6] = ["north-ring", "north-river", "centre", "south-ring", "south-river", "park"];

/// The profiles of `spec.toml` in parts of 100; a test keeps the two equal.
pub const PROFILES: [(&str, [u64; 6]); 4] = [
    ("A", [45, 20, 20, 4, 3, 8]),
    ("B", [20, 48, 20, 2, 3, 7]),
    ("C", [3, 2, 20, 45, 20, 10]),
    ("D", [2, 3, 20, 35, 30, 10]),
];

const TRIPS: u64 = 600;

/// The records as CSV: for each trip a district drawn uniformly, then a route drawn from that district's profile.
pub fn records() -> String {
    let mut words = SplitMix64(2);
    let mut csv = String::from("trip,district,route\n");
    for trip in 1..=TRIPS {
        let (district, profile) = &PROFILES[words.below(PROFILES.len() as u64) as usize];
        let route = CATEGORIES[words.category(profile)];
        writeln!(csv, "{trip},{district},{route}").expect("a string takes any text");
    }
    csv
}

/// Prints the records.
#[allow(dead_code)] // a test includes this file for `records` alone
pub fn main() {
    print!("{}", records());
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
