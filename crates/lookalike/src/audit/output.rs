//! What a mechanism released, as an attacker looks at it.

use super::number::Number;
use super::view::{LETTERS, View};

/// An output that can be looked at from several sides.
///
/// Codes of a finite mechanism (`u32`), integers (`i64`), reals (`f64`) and [`Text`] are outputs.
pub trait Output {
    /// The views that can show something.
    fn views() -> Vec<View>;

    /// What a view shows; `None` when it does not apply to this output.
    fn symbol(&self, view: View) -> Option<u64>;

    /// The output as people read it.
    fn label(&self) -> String;
}

impl Output for u32 {
    fn views() -> Vec<View> {
        vec![View::Output]
    }

    fn symbol(&self, view: View) -> Option<u64> {
        (view == View::Output).then_some(u64::from(*self))
    }

    fn label(&self) -> String {
        self.to_string()
    }
}

/// A line of text: its content, its length, its letters, and the number that it is or begins with, before a comma.
///
/// # Example
/// ```
/// use lookalike::audit::{Output, Text, View};
/// let text = Text::new("0.75");
/// assert_eq!(text.symbol(View::Length), Some(4));
/// assert!(text.symbol(View::Number).is_some() && Text::new("yes").symbol(View::Number).is_none());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    text: Box<str>,
    /// Equal texts have equal symbols; two texts that share one are one event, which is as fair as any.
    symbol: u64,
    number: Option<Number>,
}

impl Text {
    /// The text.
    pub fn new(text: &str) -> Self {
        // FNV-1a with a last stir.
        let hash = text
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        // Of several numbers the first one, as in "x,y".
        let first = || Number::parse(text.split(',').next()?);
        Text { text: text.into(), symbol: hash ^ hash >> 32, number: Number::parse(text).or_else(first) }
    }
}

impl Text {
    fn letter(&self, place: u8) -> Option<u64> {
        self.text.as_bytes().get(usize::from(place)).map(|&byte| byte.into())
    }
}

impl Default for Text {
    fn default() -> Self {
        Text::new("")
    }
}

const NUMBERS: [View; 3] = [View::Number, View::LowestBit, View::LastBits];

fn of_number(number: Number, view: View) -> Option<u64> {
    match view {
        View::Number => Some(number.ordered()),
        View::LowestBit => Some(number.lowest_bit()),
        View::LastBits => Some(number.last_bits()),
        View::Output | View::Length | View::Letter(_) | View::Letters(..) | View::LettersApart(..) => None,
    }
}

impl Output for Text {
    fn views() -> Vec<View> {
        let letters = (0..LETTERS).map(View::Letter);
        [View::Output, View::Length].into_iter().chain(NUMBERS).chain(letters).collect()
    }

    fn symbol(&self, view: View) -> Option<u64> {
        match view {
            View::Output => Some(self.symbol),
            View::Length => Some(View::length(self.text.len())),
            View::Letter(place) => self.letter(place),
            View::Letters(one, other) => Some(self.letter(one)? << 8 | self.letter(other)?),
            View::LettersApart(one, other) => Some(self.letter(one)? ^ self.letter(other)?),
            View::Number | View::LowestBit | View::LastBits => of_number(self.number?, view),
        }
    }

    fn label(&self) -> String {
        self.text.to_string()
    }
}

impl Output for i64 {
    fn views() -> Vec<View> {
        std::iter::once(View::Output).chain(NUMBERS).collect()
    }

    fn symbol(&self, view: View) -> Option<u64> {
        match view {
            View::Output => Some(*self as u64),
            _ => of_number(Number::Integer((*self).into()), view),
        }
    }

    fn label(&self) -> String {
        self.to_string()
    }
}

impl Output for f64 {
    fn views() -> Vec<View> {
        i64::views()
    }

    fn symbol(&self, view: View) -> Option<u64> {
        match view {
            View::Output => Some(self.to_bits()),
            _ if self.is_finite() => of_number(Number::Real(*self), view),
            _ => None,
        }
    }

    fn label(&self) -> String {
        self.to_string()
    }
}
