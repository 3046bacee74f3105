//! What the choosing draws showed, counted by secret and symbol.

use super::bound::Seen;
use super::output::Output;
use super::view::View;
use std::collections::HashMap;

/// Counts of one view: a column a symbol or range of symbols, a row a secret.
///
/// A row may also be two secrets that were called in a row, and then a view looks at both outputs.
pub(super) struct Tally<V = View> {
    pub view: V,
    /// The symbols of each column, first and last, ascending.
    pub columns: Vec<[u64; 2]>,
    /// Secret by secret.
    counts: Vec<u64>,
    /// The draws of each secret that were looked at, whether the view applied to them or not.
    draws: Vec<u64>,
}

impl<V> Tally<V> {
    pub(super) fn seen(&self, secret: usize, column: usize) -> Seen {
        Seen { hits: self.counts[secret * self.columns.len() + column], draws: self.draws[secret] }
    }

    /// The counts of codes that were seen often enough to be worth a test, `most` of them at most.
    pub(super) fn of_codes(view: V, codes: &CodeCounts, draws: Vec<u64>, most: usize) -> Self {
        let total = |code: usize| (0..draws.len()).map(|secret| codes.of(secret)[code]).sum();
        let kept = frequent((0..codes.codes).map(|code| (code as u64, total(code))).collect(), most);
        let counts = (0..draws.len()).flat_map(|secret| kept.iter().map(move |&code| codes.of(secret)[code as usize]));
        Tally { view, counts: counts.collect(), columns: kept.iter().map(|&code| [code; 2]).collect(), draws }
    }

    /// The same for any symbols.
    pub(super) fn of_symbols(view: V, seen: &HashMap<(u64, u32), u32>, draws: Vec<u64>, most: usize) -> Self {
        let mut totals: HashMap<u64, u64> = HashMap::new();
        seen.iter().for_each(|(&(symbol, _), &count)| *totals.entry(symbol).or_default() += u64::from(count));
        let kept = frequent(totals.into_iter().collect(), most);
        let count = |secret: usize, symbol: u64| seen.get(&(symbol, secret as u32)).map_or(0, |&count| count.into());
        let counts = (0..draws.len()).flat_map(|secret| kept.iter().map(move |&symbol| count(secret, symbol)));
        Tally { view, counts: counts.collect(), columns: kept.iter().map(|&symbol| [symbol; 2]).collect(), draws }
    }

    /// The counts of numbers in intervals that hold about equally many of all.
    pub(super) fn of_numbers(view: V, numbers: &[Vec<u64>], draws: Vec<u64>, most: usize) -> Self {
        let lasts = ends(numbers.iter().flat_map(|numbers| numbers.iter().take(SAMPLE).copied()).collect(), most);
        let firsts = std::iter::once(0).chain(lasts.iter().map(|last| last.saturating_add(1)));
        let columns: Vec<[u64; 2]> = firsts.zip(&lasts).map(|(first, &last)| [first, last]).collect();
        let mut counts = vec![0; numbers.len() * columns.len()];
        for (secret, numbers) in numbers.iter().enumerate() {
            for number in numbers {
                counts[secret * columns.len() + lasts.partition_point(|last| last < number)] += 1;
            }
        }
        Tally { view, columns, counts, draws }
    }
}

/// The last numbers of intervals that hold about equally many of these, `most` of them at most; the last one is open above,
/// so that every number is in one.
pub(super) fn ends(mut numbers: Vec<u64>, most: usize) -> Vec<u64> {
    numbers.sort_unstable();
    let step = numbers.len().div_ceil(most).max(1);
    let mut lasts: Vec<u64> = numbers.iter().skip(step - 1).step_by(step).copied().collect();
    lasts.dedup();
    if let Some(last) = lasts.last_mut() {
        *last = u64::MAX;
    }
    lasts
}

/// The most frequent symbols, ascending; none that was seen too seldom to prove anything.
pub(super) fn frequent(mut totals: Vec<(u64, u64)>, most: usize) -> Vec<u64> {
    totals.retain(|&(_, total)| total >= FEWEST);
    totals.sort_unstable_by_key(|&(symbol, total)| (std::cmp::Reverse(total), symbol));
    let mut kept: Vec<u64> = totals.into_iter().take(most).map(|(symbol, _)| symbol).collect();
    kept.sort_unstable();
    kept
}

/// A symbol that was seen less often in all is not looked at.
const FEWEST: u64 = 5;
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

pub(super) fn add_all(own: &mut [u64], other: &[u64]) {
    own.iter_mut().zip(other).for_each(|(own, other)| *own = own.wrapping_add(*other));
}
