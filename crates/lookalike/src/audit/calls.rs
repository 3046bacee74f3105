//! The first calls of a run, one by one.

use super::output::Output;
use super::view::{LETTERS, View};

/// One call and its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Call {
    /// Which call of the run it is.
    place: u32,
    /// The place of its secret.
    pub secret: u32,
    /// What the output is.
    pub symbol: u64,
    /// Its number in the order of numbers; 0, which no number has, if it is none.
    pub number: u64,
}

/// The calls of a run before a place.
#[derive(Debug, Clone)]
pub(super) struct Calls {
    calls: Vec<Call>,
    end: u64,
}

impl Calls {
    /// None yet; those before this place will be noted.
    pub(super) fn before(end: u64) -> Self {
        Calls { calls: Vec::new(), end: end.min(u32::MAX.into()) }
    }

    pub(super) fn end(&self) -> u64 {
        self.end
    }

    #[inline(always)]
    pub(super) fn see(&mut self, secret: usize, place: u64, output: &impl Output) {
        if place < self.end {
            let [symbol, number] = [View::Output, View::Number].map(|view| output.symbol(view).unwrap_or(0));
            self.calls.push(Call { place: place as u32, secret: secret as u32, symbol, number });
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.calls.extend(other.calls);
    }

    /// The same, in order, whoever saw which: what follows needs this.
    #[must_use]
    pub(super) fn in_order(mut self) -> Self {
        self.calls.sort_unstable_by_key(|call| call.place);
        self
    }

    /// Those from a place on and before another one, in order.
    pub(super) fn between(&self, first: u64, end: u64) -> &[Call] {
        let at = |place: u64| self.calls.partition_point(|call| u64::from(call.place) < place);
        &self.calls[at(first)..at(end).max(at(first))]
    }
}

/// Of calls in order 0 and 1, 2 and 3, and so on; or 1 and 2, 3 and 4, and so on. No call is in two of them, so that they
/// are independent where calls are.
pub(super) fn neighbours(calls: &[Call], is_odd: bool) -> impl Iterator<Item = [&Call; 2]> {
    let follows = move |two: &&[Call]| two[0].place % 2 == u32::from(is_odd) && two[1].place == two[0].place + 1;
    calls.windows(2).filter(follows).map(|two| [&two[0], &two[1]])
}

/// The letters of a call's output.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Line {
    place: u64,
    /// The place of its secret.
    pub secret: usize,
    pub letters: Box<[u8]>,
}

/// Lines that are looked at for two letters at a time.
const MOST_LINES: u64 = 1 << 15;

/// The letters of the first outputs that count.
#[derive(Debug, Clone)]
pub(super) struct Lines {
    lines: Vec<Line>,
    places: std::ops::Range<u64>,
}

impl Lines {
    /// None yet; those from this place on will be noted if they are texts.
    pub(super) fn after(first: u64, are_texts: bool) -> Self {
        Lines { lines: Vec::new(), places: first..if are_texts { first + MOST_LINES } else { first } }
    }

    pub(super) fn see(&mut self, secret: usize, place: u64, output: &impl Output) {
        if self.places.contains(&place) {
            let letters = (0..LETTERS).map_while(|at| output.symbol(View::Letter(at)));
            self.lines.push(Line { place, secret, letters: letters.map(|letter| letter as u8).collect() });
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.lines.extend(other.lines);
    }

    pub(super) fn in_order(mut self) -> Vec<Line> {
        self.lines.sort_unstable();
        self.lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(secrets_and_symbols: &[(usize, u32)]) -> Calls {
        let mut calls = Calls::before(100);
        for (place, (secret, symbol)) in (0..).zip(secrets_and_symbols) {
            calls.see(*secret, place, symbol);
        }
        calls
    }

    #[test]
    fn neighbours_share_no_call_and_leave_none_out() {
        let calls = calls(&[(0, 10), (1, 11), (1, 12), (0, 13), (0, 14)]);
        let symbols = |calls: &Calls, is_odd| -> Vec<[u64; 2]> {
            neighbours(calls.between(0, 100), is_odd).map(|two| two.map(|call| call.symbol)).collect()
        };
        assert_eq!(symbols(&calls, false), [[10, 11], [12, 13]]);
        assert_eq!(symbols(&calls, true), [[11, 12], [13, 14]]);
        // Two collectors saw parts of a run.
        let mut later = Calls::before(100);
        (6..8).for_each(|place| later.see(0, place, &(10 + place as u32)));
        later.merge(calls);
        let later = later.in_order();
        assert_eq!(symbols(&later, false), [[10, 11], [12, 13], [16, 17]], "call 5 is missing");
        assert_eq!(later.between(3, 7).len(), 3);
    }
}
