//! The oracles that were compared, for people.

use crate::terminal::{figure, whole_table};
use lookalike::local::{Auto, Candidate, Protocol};
use lookalike_engine::local::standard_error;

/// A table with one oracle marked; with the standard error where the number of reports is known.
pub fn table(auto: &Auto, mark: &str, marked: Protocol, reports: Option<u64>) -> String {
    let error = reports.map(|_| "standard error");
    let header: Vec<&str> = ["oracle", "n·Var"].into_iter().chain(error).chain(["bits", mark]).collect();
    let row = |candidate: &Candidate| {
        let error = reports.map(|reports| figure(standard_error(candidate, reports)));
        let mark = if candidate.protocol == marked { "yes" } else { "–" };
        let start = [candidate.protocol.to_string(), figure(candidate.variance)];
        start.into_iter().chain(error).chain([candidate.bits.to_string(), mark.to_owned()]).collect()
    };
    whole_table(&header, auto.candidates.iter().map(row)) + &left_out(auto)
}

/// A line about the oracles that cannot be used; none where all can.
fn left_out(auto: &Auto) -> String {
    let is_there = |protocol: &Protocol| auto.candidates.iter().any(|candidate| candidate.protocol == *protocol);
    let missing: Vec<&str> =
        Protocol::ALL.iter().filter(|protocol| !is_there(protocol)).map(|protocol| protocol.name()).collect();
    if missing.is_empty() {
        return String::new();
    }
    format!("Left out, since at so small an epsilon nothing can be read back: {}.\n", missing.join(", "))
}

/// What a much shorter report costs, where that is little; nothing otherwise.
pub fn shorter(auto: &Auto, chosen: Protocol) -> String {
    // Half as long, for at most a tenth more reports.
    let find = |protocol| auto.candidates.iter().find(|candidate| candidate.protocol == protocol);
    let Some(chosen) = find(chosen) else { return String::new() };
    let is_worth = |other: &&Candidate| other.bits * 2 <= chosen.bits && other.variance <= 1.1 * chosen.variance;
    let Some(other) = auto.candidates.iter().filter(is_worth).min_by_key(|other| other.bits) else {
        return String::new();
    };
    format!(
        "A report of {} takes {} bits instead of {}; the same error takes {:.2} times as many reports.\n",
        other.protocol,
        other.bits,
        chosen.bits,
        other.variance / chosen.variance
    )
}
