//! Writes `trip.csv`, `trip.geojson` and `seen.csv`: a boat that drifts, and public sightings, on the open Baltic Sea.
//!
//! Integers only, so the bytes are the same on every machine: `rustc generate.rs && ./generate trip.csv > trip.csv`.

use std::fmt::Write;

/// The middle, in millionths of a degree: latitude and longitude.
const MIDDLE: [i64; 2] = [57_200_000, 19_500_000];
/// How far the boat goes to either side: some 1.6 km.
const REACH: [i64; 2] = [14_000, 26_000];
/// How far it goes in five minutes at most.
const STEP: [i64; 2] = [2_000, 3_600];

const POSITIONS: u64 = 48;
const SIGHTINGS: u64 = 120;

/// A position every five minutes, each a random step from the one before.
fn trip() -> Vec<(u64, [i64; 2])> {
    let (mut words, mut at) = (SplitMix64(9), [0, 0]);
    let step = |number: u64| {
        for (axis, place) in at.iter_mut().enumerate() {
            let by = words.within(STEP[axis]);
            *place = (*place + by).clamp(-REACH[axis], REACH[axis]);
        }
        (5 * number, at)
    };
    (0..POSITIONS).map(step).collect()
}

/// The trip as CSV.
pub fn csv() -> String {
    let mut text = String::from("time,latitude,longitude\n");
    for (minutes, at) in trip() {
        let [latitude, longitude] = degrees(at);
        writeln!(text, "{:02}:{:02},{latitude},{longitude}", 8 + minutes / 60, minutes % 60)
            .expect("a string takes any text");
    }
    text
}

/// The trip as one feature of GeoJSON, longitude first.
pub fn geojson() -> String {
    let position = |(_, at)| {
        let [latitude, longitude] = degrees(at);
        format!("[{longitude},{latitude}]")
    };
    let positions: Vec<String> = trip().into_iter().map(position).collect();
    format!(
        "{{\"type\":\"Feature\",\"properties\":{{\"boat\":\"Seagull\"}},\"geometry\":{{\"type\":\"LineString\",\
         \"coordinates\":[{}]}}}}\n",
        positions.join(",")
    )
}

/// Public sightings of any boats: rather in the south-west.
pub fn seen() -> String {
    let (mut words, mut text) = (SplitMix64(10), String::from("lat,lon\n"));
    for _ in 0..SIGHTINGS {
        let mut place = |axis: usize| words.within(REACH[axis]).min(words.within(REACH[axis]));
        let [latitude, longitude] = degrees([place(0), place(1)]);
        writeln!(text, "{latitude},{longitude}").expect("a string takes any text");
    }
    text
}

/// Millionths of a degree from the middle as degrees; both are positive there.
fn degrees(at: [i64; 2]) -> [String; 2] {
    [0, 1].map(|axis| {
        let millionths = MIDDLE[axis] + at[axis];
        format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000)
    })
}

/// Prints the file that is named.
#[allow(dead_code)] // a test includes this file for its texts alone
pub fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("trip.geojson") => print!("{}", geojson()),
        Some("seen.csv") => print!("{}", seen()),
        _ => print!("{}", csv()),
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

    /// A number from −n to n, uniform up to a tiny bias.
    fn within(&mut self, n: i64) -> i64 {
        ((i128::from(self.word()) * i128::from(2 * n + 1)) >> 64) as i64 - n
    }
}
