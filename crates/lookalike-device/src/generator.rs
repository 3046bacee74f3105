//! Where words of randomness come from, and why nothing was released.

use core::fmt;

/// A source of words: the platform's generator.
///
/// # Guarantee
/// What is promised rests on it. Words must be uniform, independent of each other and of the values, known to nobody else,
/// and never given twice, also not after a restart, to a copy of the process or to another device.
pub trait Generator {
    /// Why there is no word.
    type Error;

    /// The next word: 64 bits.
    ///
    /// # Errors
    /// Any that keep the generator from giving a good word. Then nothing is released.
    fn word(&mut self) -> Result<u64, Self::Error>;
}

impl<G: Generator + ?Sized> Generator for &mut G {
    type Error = G::Error;

    fn word(&mut self) -> Result<u64, Self::Error> {
        (**self).word()
    }
}

/// Why nothing was released. It never tells the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotReleased<E> {
    /// The value is not one of the table's inputs.
    UnknownValue {
        /// Codes below this are known.
        inputs: u32,
    },
    /// The generator gave no word, for this reason.
    Generator(E),
}

impl<E: fmt::Display> fmt::Display for NotReleased<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotReleased::UnknownValue { inputs } => {
                write!(f, "nothing released: value code out of range, expected a code below {inputs}")
            }
            NotReleased::Generator(error) => write!(f, "nothing released: no randomness: {error}"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for NotReleased<E> {}

/// Another number of words than a draw takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordCount {
    /// The words that were given.
    pub found: usize,
    /// The words that a draw from this table takes.
    pub expected: usize,
}

impl fmt::Display for WordCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} words, expected {}", self.found, self.expected)
    }
}

impl core::error::Error for WordCount {}
