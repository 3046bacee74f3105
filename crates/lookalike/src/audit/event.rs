//! The events whose frequency is compared.

use super::number::Number;
use super::output::Output;
use super::ranges::Ranges;
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
    /// Two letters of the output.
    Letters,
    /// The output that was drawn at the same place after another start.
    Replay,
    /// The output of the call with the same number among those of the secret, after another start.
    Recount,
    /// The outputs of two calls in a row.
    Neighbours,
    /// The output of one call as a witness of the secret of the call before or after it.
    Carried,
    /// The output that the secret had at the beginning of the run.
    Echo,
}

impl Family {
    /// All families.
    pub const ALL: [Family; 13] = [
        Family::Single,
        Family::Set,
        Family::Threshold,
        Family::Intervals,
        Family::LowBits,
        Family::Length,
        Family::Letter,
        Family::Letters,
        Family::Replay,
        Family::Recount,
        Family::Neighbours,
        Family::Carried,
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
            Family::Letters => "two characters",
            Family::Replay => "replay",
            Family::Recount => "replay by count",
            Family::Neighbours => "two calls",
            Family::Carried => "other call",
            Family::Echo => "echo",
        }
    }

    /// What an honest mechanism keeps in this family, where it claims so much for a pair.
    ///
    /// With fresh noise the output of a call says nothing at all about the secret of another call, so that any bound above
    /// 0 is evidence; every other event is one of the calls whose secret is changed, and has its claim.
    pub fn claim(self, claimed: f64) -> f64 {
        if self == Family::Carried { 0.0 } else { claimed }
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
    ranges: Ranges,
}

impl Event {
    /// The event that a view shows a symbol of one of these ranges.
    pub(super) fn new(view: View, ranges: Ranges) -> Self {
        Event { view, ranges }
    }

    /// Whether an output shows it.
    pub fn contains(&self, output: &impl Output) -> bool {
        output.symbol(self.view).is_some_and(|symbol| self.has(symbol))
    }

    /// Whether the view shows it by this symbol.
    pub(super) fn has(&self, symbol: u64) -> bool {
        self.ranges.has(symbol)
    }

    /// The event in words, with `label` for the texts of outputs.
    pub(super) fn words(&self, label: impl Fn(u64) -> String) -> String {
        match self.view {
            View::Output => {
                let symbols: Vec<String> = self.symbols().map(|symbol| format!("{:?}", label(symbol))).collect();
                format!("the output is {}", one_of(&symbols))
            }
            View::Number => {
                format!("the output is {}", intervals(&self.ranges))
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
            View::Letters(one, other) => {
                let two = |symbol: u64| {
                    format!("{:?}", [(symbol >> 8) as u8 as char, symbol as u8 as char].map(String::from).concat())
                };
                let letters: Vec<String> = self.symbols().map(two).collect();
                let [one, other] = [one, other].map(|place| u32::from(place) + 1);
                format!("characters {one} and {other} of the output are {}", one_of(&letters))
            }
            View::LettersApart(one, other) => {
                let bits: Vec<String> = self.symbols().map(|bits| format!("{bits:08b}")).collect();
                let [one, other] = [one, other].map(|place| u32::from(place) + 1);
                format!("characters {one} and {other} of the output differ by the bits {}", one_of(&bits))
            }
        }
    }

    fn symbols(&self) -> impl Iterator<Item = u64> + '_ {
        self.ranges.symbols()
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

pub(super) fn one_of(items: &[String]) -> String {
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

/// The ranges of numbers in words.
pub(super) fn intervals(ranges: &Ranges) -> String {
    either(&ranges.iter().map(|&range| interval(range)).collect::<Vec<_>>())
}

pub(super) fn interval([first, last]: [u64; 2]) -> String {
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
        let event = Event::new(View::Output, Ranges::new(vec![[7, 7], [2, 3], [4, 4], [9, 12]]));
        let held: Vec<u32> = (0u32..15).filter(|code| event.contains(code)).collect();
        assert_eq!(held, [2, 3, 4, 7, 9, 10, 11, 12]);
        assert!(!Event::new(View::Number, Ranges::new(vec![[0, u64::MAX]])).contains(&Text::new("yes")), "no number");
    }

    #[test]
    fn events_are_said_in_words() {
        let label = |code: u64| ["no", "yes", "maybe"][code as usize].to_owned();
        let words = |view, ranges: &[[u64; 2]]| Event::new(view, Ranges::new(ranges.to_vec())).words(label);
        assert_eq!(words(View::Output, &[[1, 1]]), "the output is \"yes\"");
        assert_eq!(words(View::Output, &[[0, 0], [2, 2]]), "the output is one of 2: \"no\", \"maybe\"");
        let at = |number: f64| Number::Real(number).ordered();
        assert_eq!(words(View::Number, &[[0, at(0.5)]]), "the output is at most 0.5");
        let two = [[at(-1.0) + 1, at(0.25)], [at(3.0) + 1, u64::MAX]];
        assert_eq!(words(View::Number, &two), "the output is above -1 and at most 0.25 or above 3");
        assert_eq!(words(View::Length, &[[3, 3]]), "the output is 3 bytes long");
        assert_eq!(words(View::Length, &[[3, 4096]]), "the output is at least 3 bytes long");
        assert_eq!(words(View::Letter(7), &[[49, 49]]), "character 8 of the output is '1'");
        let two = u64::from(b'a') << 8 | u64::from(b'0');
        assert_eq!(words(View::Letters(0, 2), &[[two, two]]), "characters 1 and 3 of the output are \"a0\"");
        let apart = words(View::LettersApart(0, 1), &[[0, 1]]);
        assert_eq!(apart, "characters 1 and 2 of the output differ by the bits one of 2: 00000000, 00000001");
        assert_eq!(words(View::LastBits, &[[5, 5]]), "the last four bits of the output are 0101");
        assert_eq!(words(View::LowestBit, &[[0, 1_040]]), "the lowest set bit of the output is at most 2^-60");
        let many: Vec<[u64; 2]> = (0..12).map(|at| [2 * at, 2 * at]).collect();
        let many: Vec<[u64; 2]> = many.into_iter().filter(|range| range[0] < 16).collect();
        let many = words(View::LastBits, &many);
        assert_eq!(
            many,
            "the last four bits of the output are one of 8: 0000, 0010, 0100, 0110, 1000, 1010, 1100, 1110"
        );
    }
}
