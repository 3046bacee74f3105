//! Mechanism files by plain fractions: laws, pairs, and how far a change can go. Nothing here is shared with the
//! certifier but the enclosure of e^ε.

use crate::common::texts;
use lookalike::exact::{Epsilon, Rational};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use serde_json::Value;

const TOTAL: u64 = 1 << 53;

/// A change of a file by `k` units of 2^−53 that keeps it well formed.
#[derive(Debug, Clone, Copy)]
pub enum Change {
    /// Moves weight in one row of a channel.
    Move { channel: usize, row: usize, from: usize, to: usize },
    /// Moves weight in the redraw row of a channel.
    Redraw { channel: usize, from: usize, to: usize },
    /// Keeps one input more often.
    Keep { channel: usize, input: usize },
}

impl Change {
    /// How many units there are to move.
    pub fn room(self, file: &Value) -> u64 {
        let weight = |value: &Value| value.as_u64().unwrap();
        match self {
            Change::Move { channel, row, from, .. } => weight(&file["channels"][channel]["rows"][row][from]),
            Change::Redraw { channel, from, .. } => weight(&file["channels"][channel]["redraw"][from]),
            Change::Keep { channel, input } => TOTAL - weight(&file["channels"][channel]["keep"][input]),
        }
    }

    pub fn apply(self, file: &Value, units: u64) -> Value {
        let mut file = file.clone();
        let mut add = |pointer: String, units: i64| {
            let weight = file.pointer_mut(&pointer).unwrap();
            *weight = weight.as_u64().unwrap().checked_add_signed(units).unwrap().into();
        };
        let units = units as i64;
        match self {
            Change::Move { channel, row, from, to } => {
                add(format!("/channels/{channel}/rows/{row}/{from}"), -units);
                add(format!("/channels/{channel}/rows/{row}/{to}"), units);
            }
            Change::Redraw { channel, from, to } => {
                add(format!("/channels/{channel}/redraw/{from}"), -units);
                add(format!("/channels/{channel}/redraw/{to}"), units);
            }
            Change::Keep { channel, input } => add(format!("/channels/{channel}/keep/{input}"), units),
        }
        file
    }
}

fn whole(value: u64) -> Rational {
    Rational::from_integer(value.into())
}

pub fn fraction(text: &str) -> Rational {
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let integer = |text: &str| text.parse::<BigInt>().unwrap();
    Rational::new(integer(numerator), integer(denominator))
}

/// The secrets of a file and their exact laws of outputs, times 2^106.
pub fn laws(file: &Value) -> Vec<(&str, Vec<Rational>)> {
    let categories = texts(&file["categories"]);
    let (size, channels) = (categories.len(), file["channels"].as_array().unwrap());
    let entry = |channel: &Value, x: usize, y: usize| match channel.get("rows") {
        Some(rows) => whole(rows[x][y].as_u64().unwrap()) * whole(TOTAL),
        None => {
            let keep = channel["keep"][x].as_u64().unwrap();
            let redrawn = whole(TOTAL - keep) * whole(channel["redraw"][y].as_u64().unwrap());
            if x == y { redrawn + whole(keep) * whole(TOTAL) } else { redrawn }
        }
    };
    let law = |channel: &Value, input: &[Rational]| {
        let inputs: Vec<usize> = (0..size).filter(|&x| !input[x].is_zero()).collect();
        let output = |y: usize| inputs.iter().map(|&x| &input[x] * entry(channel, x, y)).sum();
        (0..size).map(output).collect::<Vec<Rational>>()
    };
    let mass = |at: usize| (0..size).map(|x| whole(u64::from(x == at))).collect::<Vec<_>>();
    match file["profiles"].as_object() {
        None => categories.iter().enumerate().map(|(at, name)| (*name, law(&channels[0], &mass(at)))).collect(),
        Some(profiles) => {
            let channel_of = |name: &str| {
                let serves =
                    |channel: &&Value| channel.get("profiles").is_none_or(|users| texts(users).contains(&name));
                channels.iter().find(serves).unwrap()
            };
            let input = |law: &Value| texts(law).into_iter().map(fraction).collect::<Vec<_>>();
            profiles.iter().map(|(name, p)| (name.as_str(), law(channel_of(name), &input(p)))).collect()
        }
    }
}

/// Every pair of a file in both directions, with its ε.
pub fn pairs(file: &Value) -> Vec<(String, String, Epsilon)> {
    let epsilon = |entry: &Value| entry["epsilon"].as_str().unwrap().parse::<Epsilon>().unwrap();
    let mut pairs = Vec::new();
    let mut add = |a: &str, b: &str, epsilon: Epsilon| {
        pairs.push((a.to_owned(), b.to_owned(), epsilon.clone()));
        pairs.push((b.to_owned(), a.to_owned(), epsilon));
    };
    for edge in file["edges"].as_array().unwrap() {
        let ends = texts(&edge["pair"]);
        add(ends[0], ends[1], epsilon(edge));
    }
    for group in file["groups"].as_array().unwrap() {
        let members = texts(&group["members"]);
        for (at, a) in members.iter().enumerate() {
            members[at + 1..].iter().for_each(|b| add(a, b, epsilon(group)));
        }
    }
    pairs
}

/// Rationals around e^ε, equal where ε is the logarithm of a rational.
fn exponential(epsilon: &Epsilon) -> [Rational; 2] {
    let text = epsilon.to_string();
    match text.strip_prefix("ln(").and_then(|text| text.strip_suffix(')')) {
        Some(base) => [fraction(base), fraction(base)],
        None => {
            let enclosure = epsilon.exp(400);
            [enclosure.lower().to_rational(), enclosure.upper().to_rational()]
        }
    }
}

/// The least k at which the changed file is no longer private, if there is one.
///
/// Laws are linear in k, so each pair and output asks a + k·a' ≤ E·(b + k·b'), and fails first above
/// (E·b − a)/(a' − E·b') when the divisor is positive. That fraction is monotone in E, so both ends of an enclosure
/// of E bound it; if they agree on its whole part, so does E.
pub fn least_failing(file: &Value, change: Change) -> Option<BigInt> {
    let changed = change.apply(file, 1);
    let (before, after) = (laws(file), laws(&changed));
    let of = |laws: &[(&str, Vec<Rational>)], name: &str| laws.iter().find(|law| law.0 == name).unwrap().1.clone();
    let mut least: Option<BigInt> = None;
    for (more, less, epsilon) in pairs(file) {
        let [a, a_after, b, b_after] = [of(&before, &more), of(&after, &more), of(&before, &less), of(&after, &less)];
        let exponential = exponential(&epsilon);
        for y in (0..a.len()).filter(|&y| a[y] != a_after[y] || b[y] != b_after[y]) {
            let last_passing = exponential.each_ref().map(|e| {
                let (slack, growth) = (e * &b[y] - &a[y], (&a_after[y] - &a[y]) - e * (&b_after[y] - &b[y]));
                assert!(!slack.is_negative(), "the designed file is not private");
                growth.is_positive().then(|| (slack / growth).floor().to_integer())
            });
            assert_eq!(last_passing[0], last_passing[1], "400 bits of e^epsilon do not decide");
            if let [Some(last), _] = last_passing {
                least = Some(least.map_or(last.clone() + 1, |least| least.min(last + 1)));
            }
        }
    }
    least
}
