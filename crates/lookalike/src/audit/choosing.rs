//! Collects the draws that choose what to test.

use super::calls::{Calls, Line, Lines};
use super::collector::{Collector, Look};
use super::output::Output;
use super::tally::{CodeCounts, Tally, add_all};
use super::view::View;
use std::collections::HashMap;

/// Views with many symbols look at the draws before this place only, to bound the memory.
const NEAR: u64 = 1 << 21;
/// Symbols get a text from the draws before this place, of so many letters at most: one that comes later is seldom chosen,
/// and a longer one not read.
const LABELS: u64 = 1 << 16;
const LONGEST_LABEL: usize = 80;
/// Numbers are sorted into so many intervals at most, about equally full.
const INTERVALS: usize = 512;

/// Collects the choosing draws, and what all views show of them.
pub(super) type Choosing<'a> = Collector<'a, Views>;

/// What the views show of draws that are not codes.
pub(super) struct Views {
    near: Vec<u64>,
    views: Vec<(View, Counter)>,
    labels: HashMap<u64, String>,
    lines: Lines,
}

enum Counter {
    /// Few symbols, all draws.
    Few(CodeCounts),
    /// Any symbols, by secret: as many entries as draws at most.
    Many(HashMap<(u64, u32), u32>),
    /// Numbers in order; those of each secret.
    Numbers(Vec<Vec<u64>>),
}

impl Choosing<'_> {
    /// The tallies of all views with `most` columns each at most, the texts of symbols that are not codes, and the first
    /// calls in order.
    pub(super) fn noted(mut self, most: usize) -> Noted {
        let mut tallies = Vec::new();
        if let Some(counts) = &self.codes {
            let draws = (0..self.places.len()).map(|secret| counts.of(secret).iter().sum()).collect();
            tallies.push(Tally::of_codes(View::Output, counts, draws, most));
        }
        for (view, counter) in std::mem::take(&mut self.own.views) {
            let (draws, near) = (self.draws.clone(), self.own.near.clone());
            tallies.push(match counter {
                Counter::Few(counts) => Tally::of_codes(view, &counts, draws, most),
                Counter::Many(counts) => Tally::of_symbols(view, &counts, near, most),
                Counter::Numbers(numbers) => Tally::of_numbers(view, &numbers, near, most.min(INTERVALS)),
            });
        }
        tallies.retain(|tally| !tally.columns.is_empty());
        let (labels, lines) = (self.own.labels, self.own.lines.in_order());
        Noted { tallies, labels, calls: self.calls.in_order(), lines }
    }
}

/// What the choosing draws showed.
pub(super) struct Noted {
    pub tallies: Vec<Tally>,
    pub labels: HashMap<u64, String>,
    pub calls: Calls,
    pub lines: Vec<Line>,
}

impl Views {
    /// Of so many secrets, from the first draw on that is counted; none where outputs are codes.
    pub(super) fn new<O: Output>(secrets: usize, are_codes: bool, uncounted: u64) -> Self {
        let counter = |view: View| match (view, view.symbols()) {
            (_, Some(symbols)) => Counter::Few(CodeCounts::new(secrets, symbols)),
            (View::Number, None) => Counter::Numbers(vec![Vec::new(); secrets]),
            (_, None) => Counter::Many(HashMap::new()),
        };
        let views = if are_codes { Vec::new() } else { O::views() };
        Views {
            near: vec![0; secrets],
            lines: Lines::after(uncounted, views.contains(&View::Letter(0))),
            views: views.into_iter().map(|view| (view, counter(view))).collect(),
            labels: HashMap::new(),
        }
    }
}

impl<O: Output> Look<O> for Views {
    #[inline(always)]
    fn see(&mut self, secret: usize, place: u64, output: &O) {
        self.lines.see(secret, place, output);
        self.near[secret] += u64::from(place < NEAR);
        for (view, counter) in &mut self.views {
            let Some(symbol) = output.symbol(*view) else { continue };
            match counter {
                Counter::Few(counts) => counts.add(secret, symbol),
                Counter::Numbers(numbers) if place < NEAR => numbers[secret].push(symbol),
                Counter::Many(counts) if place < NEAR => {
                    *counts.entry((symbol, secret as u32)).or_default() += 1;
                    if place < LABELS {
                        self.labels.entry(symbol).or_insert_with(|| cut(output.label()));
                    }
                }
                Counter::Numbers(_) | Counter::Many(_) => {}
            }
        }
    }

    fn merge(&mut self, other: Self) {
        add_all(&mut self.near, &other.near);
        self.lines.merge(other.lines);
        // All draws of a symbol have the same text, so whose it is does not matter.
        self.labels.extend(other.labels);
        for ((_, own), (_, other)) in self.views.iter_mut().zip(other.views) {
            match (own, other) {
                (Counter::Few(own), Counter::Few(other)) => own.merge(&other),
                (Counter::Numbers(own), Counter::Numbers(other)) => {
                    own.iter_mut().zip(other).for_each(|(own, other)| own.extend(other));
                }
                (Counter::Many(own), Counter::Many(other)) => {
                    other.into_iter().for_each(|(key, count)| *own.entry(key).or_default() += count);
                }
                _ => unreachable!("collectors of one run have the same views"),
            }
        }
    }
}

fn cut(mut label: String) -> String {
    if let Some((end, _)) = label.char_indices().nth(LONGEST_LABEL) {
        label.truncate(end);
        label.push('…');
    }
    label
}
