//! Collects the draws that choose what to test.

use super::calls::{Calls, Line, Lines};
use super::output::Output;
use super::source::Collect;
use super::tally::{CodeCounts, Places, Tally, add_all, see_quickly};
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

/// Collects what all views show of the choosing draws.
pub(super) struct Choosing<'a> {
    places: &'a Places,
    progress: &'a (dyn Fn(u64) + Sync),
    /// For codes, all that there is to see.
    codes: Option<CodeCounts>,
    draws: Vec<u64>,
    near: Vec<u64>,
    views: Vec<(View, Counter)>,
    labels: HashMap<u64, String>,
    /// The first draws of the run.
    calls: Calls,
    lines: Lines,
    /// Draws before this place are not counted: not all secrets have a part in them.
    uncounted: u64,
}

enum Counter {
    /// Few symbols, all draws.
    Few(CodeCounts),
    /// Any symbols, by secret: as many entries as draws at most.
    Many(HashMap<(u64, u32), u32>),
    /// Numbers in order; those of each secret.
    Numbers(Vec<Vec<u64>>),
}

impl<'a> Choosing<'a> {
    /// Remembers the first calls, so many in all, and does not count so many of them.
    pub(super) fn new<O: Output>(
        places: &'a Places,
        codes: Option<usize>,
        [remembered, uncounted]: [u64; 2],
        progress: &'a (dyn Fn(u64) + Sync),
    ) -> Self {
        let secrets = places.len();
        let counter = |view: View| match (view, view.symbols()) {
            (_, Some(symbols)) => Counter::Few(CodeCounts::new(secrets, symbols)),
            (View::Number, None) => Counter::Numbers(vec![Vec::new(); secrets]),
            (_, None) => Counter::Many(HashMap::new()),
        };
        let views = if codes.is_some() { Vec::new() } else { O::views() };
        Choosing {
            places,
            progress,
            codes: codes.map(|codes| CodeCounts::new(secrets, codes)),
            draws: vec![0; secrets],
            near: vec![0; secrets],
            views: views.into_iter().map(|view| (view, counter(view))).collect(),
            labels: HashMap::new(),
            calls: Calls::before(remembered),
            lines: Lines::after(uncounted, codes.is_none() && O::views().contains(&View::Letter(0))),
            uncounted,
        }
    }

    /// How many draws were seen.
    pub(super) fn draws(&self) -> u64 {
        self.codes.as_ref().map_or_else(|| self.draws.iter().sum(), CodeCounts::total)
    }

    /// The tallies of all views with `most` columns each at most, the texts of symbols that are not codes, and the first
    /// calls in order.
    pub(super) fn noted(mut self, most: usize) -> Noted {
        let mut tallies = Vec::new();
        if let Some(counts) = &self.codes {
            let draws = (0..self.places.len()).map(|secret| counts.of(secret).iter().sum()).collect();
            tallies.push(Tally::of_codes(View::Output, counts, draws, most));
        }
        for (view, counter) in std::mem::take(&mut self.views) {
            let (draws, near) = (self.draws.clone(), self.near.clone());
            tallies.push(match counter {
                Counter::Few(counts) => Tally::of_codes(view, &counts, draws, most),
                Counter::Many(counts) => Tally::of_symbols(view, &counts, near, most),
                Counter::Numbers(numbers) => Tally::of_numbers(view, &numbers, near, most.min(INTERVALS)),
            });
        }
        tallies.retain(|tally| !tally.columns.is_empty());
        Noted { tallies, labels: self.labels, calls: self.calls.in_order(), lines: self.lines.in_order() }
    }
}

/// What the choosing draws showed.
pub(super) struct Noted {
    pub tallies: Vec<Tally>,
    pub labels: HashMap<u64, String>,
    pub calls: Calls,
    pub lines: Vec<Line>,
}

impl<O: Output> Collect<O> for Choosing<'_> {
    #[inline(always)]
    fn see(&mut self, secret: u32, place: u64, output: &O) {
        let secret = self.places.of(secret);
        self.calls.see(secret, place, output);
        if place < self.uncounted {
            return;
        }
        if let Some(counts) = &mut self.codes {
            return counts.add(secret, output.symbol(View::Output).unwrap_or(0));
        }
        self.see_all(secret, place, output);
    }

    fn see_stretch(&mut self, first: u64, secrets: &[u32], outputs: &[O]) {
        let remembered = self.calls.end();
        see_quickly(
            self,
            |own| own.codes.as_mut().map(|counts| (counts, own.places)),
            remembered,
            first,
            secrets,
            outputs,
        );
    }

    fn merge(&mut self, other: Self) {
        if let (Some(own), Some(other)) = (&mut self.codes, &other.codes) {
            own.merge(other);
        }
        add_all(&mut self.draws, &other.draws);
        add_all(&mut self.near, &other.near);
        self.calls.merge(other.calls);
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

    fn progress(&self, draws: u64) {
        (self.progress)(draws);
    }
}

impl Choosing<'_> {
    fn see_all(&mut self, secret: usize, place: u64, output: &impl Output) {
        self.lines.see(secret, place, output);
        self.draws[secret] += 1;
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
}

fn cut(mut label: String) -> String {
    if let Some((end, _)) = label.char_indices().nth(LONGEST_LABEL) {
        label.truncate(end);
        label.push('…');
    }
    label
}
