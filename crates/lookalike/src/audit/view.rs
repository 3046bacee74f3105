//! The sides from which an output can be looked at.

/// One way to look at an output: it shows a symbol, a number of 64 bits.
///
/// Any function of the output is a fair view: a private mechanism keeps every event of it within e^ε.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum View {
    /// The output itself.
    Output,
    /// The number that it is, in the order of numbers.
    Number,
    /// The place of the lowest set bit of the number: float noise leaves its own trace there.
    LowestBit,
    /// The last four bits of the number.
    LastBits,
    /// The length of the text in bytes.
    Length,
    /// One byte of the text, counted from 0.
    Letter(u8),
    /// Two bytes of the text, which may together tell what neither tells alone.
    Letters(u8, u8),
    /// The bits in which two bytes of the text differ: one symbol for many pairs of them, so that it needs fewer draws.
    LettersApart(u8, u8),
}

/// Bytes of a text that are looked at one by one.
pub(super) const LETTERS: u8 = 64;
/// Lengths from here on are not told apart.
const LONGEST: usize = 4_096;

impl View {
    /// How many symbols there are, where they are few: `0..count`.
    pub(super) fn symbols(self) -> Option<usize> {
        match self {
            View::Output | View::Number => None,
            View::LowestBit => Some(2_200),
            View::LastBits => Some(16),
            View::Length => Some(LONGEST + 1),
            View::Letter(_) | View::LettersApart(..) => Some(256),
            View::Letters(..) => Some(1 << 16),
        }
    }

    /// The symbol of a length.
    pub(super) fn length(bytes: usize) -> u64 {
        bytes.min(LONGEST) as u64
    }
}
