//! What the choosing draws showed, counted by secret and symbol.

use super::bound::Seen;
use super::output::Output;
use super::source::Collect;
use super::view::View;
use std::collections::HashMap;

/// Counts of one view: a column a symbol or range of symbols, a row a secret.
pub(super) struct Tally {
    pub view: View,
    /// The symbols of each column, first and last, ascending.
    pub columns: Vec<[u64; 2]>,
    /// Secret by secret.
    counts: Vec<u64>,
    /// The draws of each secret that were looked at, whether the view applied to them or not.
    draws: Vec<u64>,
}

impl Tally {
    pub(super) fn seen(&self, secret: usize, column: usize) -> Seen {
        Seen { hits: self.counts[secret * self.columns.len() + column], draws: self.draws[secret] }
    }

    /// The counts of codes that were seen often enough to be worth a test, `most` of them at most.
    fn of_codes(view: View, codes: &CodeCounts, draws: Vec<u64>, most: usize) -> Self {
        let total = |code: usize| (0..draws.len()).map(|secret| codes.of(secret)[code]).sum();
        let kept = frequent((0..codes.codes).map(|code| (code as u64, total(code))).collect(), most);
        let counts = (0..draws.len()).flat_map(|secret| kept.iter().map(move |&code| codes.of(secret)[code as usize]));
        Tally { view, counts: counts.collect(), columns: kept.iter().map(|&code| [code; 2]).collect(), draws }
    }

    /// The same for any symbols.
    fn of_symbols(view: View, seen: &HashMap<(u64, u32), u32>, draws: Vec<u64>, most: usize) -> Self {
        let mut totals: HashMap<u64, u64> = HashMap::new();
        seen.iter().for_each(|(&(symbol, _), &count)| *totals.entry(symbol).or_default() += u64::from(count));
        let kept = frequent(totals.into_iter().collect(), most);
        let count = |secret: usize, symbol: u64| seen.get(&(symbol, secret as u32)).map_or(0, |&count| count.into());
        let counts = (0..draws.len()).flat_map(|secret| kept.iter().map(move |&symbol| count(secret, symbol)));
        Tally { view, counts: counts.collect(), columns: kept.iter().map(|&symbol| [symbol; 2]).collect(), draws }
    }
}

/// The most frequent symbols, ascending; none that was seen too seldom to prove anything.
fn frequent(mut totals: Vec<(u64, u64)>, most: usize) -> Vec<u64> {
    totals.retain(|&(_, total)| total >= FEWEST);
    totals.sort_unstable_by_key(|&(symbol, total)| (std::cmp::Reverse(total), symbol));
    let mut kept: Vec<u64> = totals.into_iter().take(most).map(|(symbol, _)| symbol).collect();
    kept.sort_unstable();
    kept
}

/// A symbol that was seen less often in all is not looked at.
const FEWEST: u64 = 5;
/// Views with many symbols look at the draws before this place only, to bound the memory.
const NEAR: u64 = 1 << 21;
/// Symbols get a text from the draws before this place, of so many letters at most: one that comes later is seldom chosen,
/// and a longer one not read.
const LABELS: u64 = 1 << 16;
const LONGEST_LABEL: usize = 80;
/// Numbers are sorted into so many intervals at most, about equally full.
const INTERVALS: usize = 512;
/// Numbers of each secret that place the intervals.
const SAMPLE: usize = 1 << 16;

/// The secrets of an audit, numbered from 0.
#[derive(Debug, Clone)]
pub(super) struct Places {
    pub secrets: Vec<u32>,
    of: Vec<u32>,
}

impl Places {
    /// The secrets, which are ascending.
    pub(super) fn new(secrets: Vec<u32>) -> Self {
        let mut of = vec![0; secrets.last().map_or(0, |&last| last as usize + 1)];
        (0..).zip(&secrets).for_each(|(place, &secret)| of[secret as usize] = place);
        Places { secrets, of }
    }

    #[inline(always)]
    pub(super) fn of(&self, secret: u32) -> usize {
        self.of[secret as usize] as usize
    }

    pub(super) fn len(&self) -> usize {
        self.secrets.len()
    }
}

/// Counts by secret and code, for outputs that are codes.
pub(super) struct CodeCounts {
    codes: usize,
    counts: Vec<u64>,
}

impl CodeCounts {
    pub(super) fn new(secrets: usize, codes: usize) -> Self {
        CodeCounts { codes, counts: vec![0; secrets * codes] }
    }

    pub(super) fn add(&mut self, secret: usize, code: u64) {
        self.counts[secret * self.codes + code as usize] += 1;
    }

    /// Counts a stretch of draws, in the time of an audit's inner loop: sums cannot wrap, since a run has fewer than 2^64
    /// draws, and an index that did would be caught as out of range.
    pub(super) fn add_stretch<O: Output>(&mut self, places: &Places, secrets: &[u32], outputs: &[O]) {
        let (codes, counts) = (self.codes, &mut self.counts[..]);
        for (&secret, output) in secrets.iter().zip(outputs) {
            let code = output.symbol(View::Output).unwrap_or(0) as usize;
            let count = &mut counts[places.of(secret).wrapping_mul(codes).wrapping_add(code)];
            *count = count.wrapping_add(1);
        }
    }

    pub(super) fn merge(&mut self, other: &CodeCounts) {
        add_all(&mut self.counts, &other.counts);
    }

    pub(super) fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    pub(super) fn of(&self, secret: usize) -> &[u64] {
        &self.counts[secret * self.codes..(secret + 1) * self.codes]
    }
}

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
    /// What the first draws of the run were, by their places.
    memory: Vec<u64>,
    /// Draws before this place are remembered and not counted: not all secrets have a part in them.
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
    /// Remembers the first outputs, so many of them that are not counted and so many that are.
    pub(super) fn new<O: Output>(
        places: &'a Places,
        codes: Option<usize>,
        [uncounted, counted]: [u64; 2],
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
            memory: vec![0; (uncounted + counted) as usize],
            uncounted,
        }
    }

    /// How many draws were seen.
    pub(super) fn draws(&self) -> u64 {
        self.codes.as_ref().map_or_else(|| self.draws.iter().sum(), CodeCounts::total)
    }

    /// The tallies of all views with `most` columns each at most, the texts of symbols that are not codes, and the first
    /// outputs.
    pub(super) fn tallies(mut self, most: usize) -> (Vec<Tally>, HashMap<u64, String>, Vec<u64>) {
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
                Counter::Numbers(numbers) => intervals(&numbers, near, most.min(INTERVALS)),
            });
        }
        tallies.retain(|tally| !tally.columns.is_empty());
        (tallies, self.labels, self.memory)
    }
}

/// Intervals that hold about equally many of all numbers, and the counts of each secret in them.
fn intervals(numbers: &[Vec<u64>], draws: Vec<u64>, most: usize) -> Tally {
    let mut pooled: Vec<u64> = numbers.iter().flat_map(|numbers| numbers.iter().take(SAMPLE).copied()).collect();
    pooled.sort_unstable();
    let step = pooled.len().div_ceil(most).max(1);
    let mut lasts: Vec<u64> = pooled.iter().skip(step - 1).step_by(step).copied().collect();
    lasts.dedup();
    // The last interval is open above, so that every number is in one.
    if let Some(last) = lasts.last_mut() {
        *last = u64::MAX;
    }
    let firsts = std::iter::once(0).chain(lasts.iter().map(|last| last.saturating_add(1)));
    let columns: Vec<[u64; 2]> = firsts.zip(&lasts).map(|(first, &last)| [first, last]).collect();
    let mut counts = vec![0; numbers.len() * columns.len()];
    for (secret, numbers) in numbers.iter().enumerate() {
        for number in numbers {
            counts[secret * columns.len() + lasts.partition_point(|last| last < number)] += 1;
        }
    }
    Tally { view: View::Number, columns, counts, draws }
}

impl<O: Output> Collect<O> for Choosing<'_> {
    #[inline(always)]
    fn see(&mut self, secret: u32, place: u64, output: &O) {
        let secret = self.places.of(secret);
        if (place as usize) < self.memory.len() {
            self.memory[place as usize] = output.symbol(View::Output).unwrap_or(0);
            if place < self.uncounted {
                return;
            }
        }
        if let Some(counts) = &mut self.codes {
            return counts.add(secret, output.symbol(View::Output).unwrap_or(0));
        }
        self.see_all(secret, place, output);
    }

    fn see_stretch(&mut self, first: u64, secrets: &[u32], outputs: &[O]) {
        let remembered = self.memory.len() as u64;
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
        // Each place was seen by one collector and is 0 in the others.
        add_all(&mut self.memory, &other.memory);
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

/// Shows a stretch of draws to a collector: one by one those before `remembered`, and the rest at once if they are codes.
pub(super) fn see_quickly<'a, O: Output, C: Collect<O>>(
    collector: &mut C,
    codes: impl FnOnce(&mut C) -> Option<(&mut CodeCounts, &'a Places)>,
    remembered: u64,
    first: u64,
    secrets: &[u32],
    outputs: &[O],
) {
    let early = remembered.saturating_sub(first).min(secrets.len() as u64) as usize;
    let one_by_one = |collector: &mut C, draws: std::ops::Range<usize>| {
        draws.for_each(|at| collector.see(secrets[at], first + at as u64, &outputs[at]));
    };
    one_by_one(collector, 0..early);
    match codes(collector) {
        Some((counts, places)) => counts.add_stretch(places, &secrets[early..], &outputs[early..]),
        None => one_by_one(collector, early..secrets.len()),
    }
}

pub(super) fn add_all(own: &mut [u64], other: &[u64]) {
    own.iter_mut().zip(other).for_each(|(own, other)| *own = own.wrapping_add(*other));
}
