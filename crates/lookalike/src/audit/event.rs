//! The events whose frequency is compared.

use super::number::Number;
use super::output::Output;
use super::view::View;
use std::fmt;

/// The kinds of events; one event of each kind is tested at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Family {
    /// One output.
    Single,
    /// Several outputs, those with the largest likelihood ratios.
    Set,
    /// Numbers up to a threshold, or from it on.
    Threshold,
    /// Several intervals of numbers, those with the largest likelihood ratios.
    Intervals,
    /// The low-order bits of numbers.
    LowBits,
    /// The length of the output.
    Length,
    /// One letter of the output.
    Letter,
    /// The output that was drawn at the same place after another start.
    Replay,
    /// The output that the secret had at the beginning of the run.
    Echo,
}

impl Family {
    /// All families.
    pub const ALL: [Family; 9] = [
        Family::Single,
        Family::Set,
        Family::Threshold,
        Family::Intervals,
        Family::LowBits,
        Family::Length,
        Family::Letter,
        Family::Replay,
        Family::Echo,
    ];

    /// The name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Family::Single => "single output",
            Family::Set => "set of outputs",
            Family::Threshold => "threshold",
            Family::Intervals => "set of intervals",
            Family::LowBits => "low-order bits",
            Family::Length => "length",
            Family::Letter => "one character",
            Family::Replay => "replay",
            Family::Echo => "echo",
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Something that an output shows or does not show: symbols of a view, as ranges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    view: View,
    /// First and last symbol of each range, ascending and apart.
    ranges: Vec<[u64; 2]>,
}

impl Event {
    /// The event that a view shows a symbol of one of these ranges.
    pub(super) fn new(view: View, mut ranges: Vec<[u64; 2]>) -> Self {
        ranges.sort_unstable();
        let mut joined: Vec<[u64; 2]> = Vec::new();
        for [first, last] in ranges {
            match joined.last_mut() {
                Some(before) if first <= before[1].saturating_add(1) => before[1] = before[1].max(last),
                _ => joined.push([first, last]),
            }
        }
        Event { view, ranges: joined }
    }

    /// Whether an output shows it.
    pub fn contains(&self, output: &impl Output) -> bool {
        output.symbol(self.view).is_some_and(|symbol| self.has(symbol))
    }

    /// Whether the view shows it by this symbol.
    pub(super) fn has(&self, symbol: u64) -> bool {
        let at = self.ranges.partition_point(|range| range[1] < symbol);
        self.ranges.get(at).is_some_and(|range| range[0] <= symbol)
    }

    /// The event in words, with `label` for the texts of outputs.
    pub(super) fn words(&self, label: impl Fn(u64) -> String) -> String {
        match self.view {
            View::Output => {
                let symbols: Vec<String> = self.symbols().map(|symbol| format!("{:?}", label(symbol))).collect();
                format!("the output is {}", one_of(&symbols))
            }
            View::Number => {
                let ranges: Vec<String> = self.ranges.iter().map(|&range| interval(range)).collect();
                format!("the output is {}", either(&ranges))
            }
            View::LowestBit => format!("the lowest set bit of the output is {}", either(&self.powers())),
            View::LastBits => {
                let bits: Vec<String> = self.symbols().map(|bits| format!("{bits:04b}")).collect();
                format!("the last four bits of the output are {}", one_of(&bits))
            }
            View::Length => {
                let ranges: Vec<String> =
                    self.ranges.iter().map(|&range| whole(range, View::length(usize::MAX))).collect();
                format!("the output is {} bytes long", either(&ranges))
            }
            View::Letter(place) => {
                let letters: Vec<String> = self.symbols().map(|byte| format!("{:?}", byte as u8 as char)).collect();
                format!("character {} of the output is {}", u32::from(place) + 1, one_of(&letters))
            }
        }
    }

    fn symbols(&self) -> impl Iterator<Item = u64> + '_ {
        self.ranges.iter().flat_map(|&[first, last]| first..=last)
    }

    fn powers(&self) -> Vec<String> {
        let power = |symbol: u64| if symbol == 0 { "0".to_owned() } else { format!("2^{}", Number::power(symbol)) };
        let range = |&[first, last]: &[u64; 2]| match (first, last) {
            (first, last) if first == last => power(first),
            (0, last) => format!("at most {}", power(last)),
            (first, last) if last >= 2_199 => format!("at least {}", power(first)),
            (first, last) => format!("{} to {}", power(first), power(last)),
        };
        self.ranges.iter().map(range).collect()
    }
}

/// Items that are named; a long list is cut.
const MOST_NAMED: usize = 8;

fn one_of(items: &[String]) -> String {
    if items.len() == 1 { items[0].clone() } else { format!("one of {}: {}", items.len(), listed(items, ", ")) }
}

fn either(items: &[String]) -> String {
    listed(items, " or ")
}

fn listed(items: &[String], between: &str) -> String {
    let more = items.len().saturating_sub(MOST_NAMED);
    let cut = if more > 0 { format!("{between}{more} more") } else { String::new() };
    items.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>().join(between) + &cut
}

fn whole([first, last]: [u64; 2], greatest: u64) -> String {
    match (first, last) {
        (first, last) if first == last => first.to_string(),
        (0, last) => format!("at most {last}"),
        (first, last) if last >= greatest => format!("at least {first}"),
        (first, last) => format!("{first} to {last}"),
    }
}

fn interval([first, last]: [u64; 2]) -> String {
    match (first, last) {
        (0, u64::MAX) => "a number".to_owned(),
        (0, last) => format!("at most {}", Number::text(last)),
        // An interval begins right behind the end of the one below it.
        (first, u64::MAX) => format!("above {}", Number::text(first - 1)),
        (first, last) => format!("above {} and at most {}", Number::text(first - 1), Number::text(last)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::Text;

    #[test]
    fn an_event_holds_exactly_its_ranges() {
        let event = Event::new(View::Output, vec![[7, 7], [2, 3], [4, 4], [9, 12]]);
        assert_eq!(event.ranges, [[2, 4], [7, 7], [9, 12]]);
        let held: Vec<u32> = (0u32..15).filter(|code| event.contains(code)).collect();
        assert_eq!(held, [2, 3, 4, 7, 9, 10, 11, 12]);
        assert!(!Event::new(View::Number, vec![[0, u64::MAX]]).contains(&Text::new("yes")), "no number");
    }

    #[test]
    fn events_are_said_in_words() {
        let label = |code: u64| ["no", "yes", "maybe"][code as usize].to_owned();
        let words = |view, ranges: &[[u64; 2]]| Event::new(view, ranges.to_vec()).words(label);
        assert_eq!(words(View::Output, &[[1, 1]]), "the output is \"yes\"");
        assert_eq!(words(View::Output, &[[0, 0], [2, 2]]), "the output is one of 2: \"no\", \"maybe\"");
        let at = |number: f64| Number::Real(number).ordered();
        assert_eq!(words(View::Number, &[[0, at(0.5)]]), "the output is at most 0.5");
        let two = [[at(-1.0) + 1, at(0.25)], [at(3.0) + 1, u64::MAX]];
        assert_eq!(words(View::Number, &two), "the output is above -1 and at most 0.25 or above 3");
        assert_eq!(words(View::Length, &[[3, 3]]), "the output is 3 bytes long");
        assert_eq!(words(View::Length, &[[3, 4096]]), "the output is at least 3 bytes long");
        assert_eq!(words(View::Letter(7), &[[49, 49]]), "character 8 of the output is '1'");
        assert_eq!(words(View::LastBits, &[[5, 5]]), "the last four bits of the output are 0101");
        assert_eq!(words(View::LowestBit, &[[0, 1_040]]), "the lowest set bit of the output is at most 2^-60");
        let many: Vec<[u64; 2]> = (0..12).map(|at| [2 * at, 2 * at]).collect();
        let many = Event::new(View::LastBits, many.into_iter().filter(|range| range[0] < 16).collect()).words(label);
        assert_eq!(
            many,
            "the last four bits of the output are one of 8: 0000, 0010, 0100, 0110, 1000, 1010, 1100, 1110"
        );
    }
}
