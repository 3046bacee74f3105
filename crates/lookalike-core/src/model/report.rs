//! What an oracle releases.

use super::channel::TOTAL_BITS;
use super::{Encoding, Oracle};
use crate::error::{Error, Result};

/// One report: bits in words of 64, the least significant first (unary); a function and a bucket (hash); a column
/// (Hadamard); categories in ascending order (subset).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Report<'a> {
    /// The words of bits, or the number of the function.
    pub words: &'a [u64],
    /// The bucket, the column or the categories.
    pub codes: &'a [u32],
}

/// Reports in order, without anything between them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Reports {
    words_each: usize,
    codes_each: usize,
    words: Vec<u64>,
    codes: Vec<u32>,
}

impl Reports {
    pub(super) fn new(words_each: usize, codes_each: usize) -> Self {
        Reports { words_each, codes_each, words: Vec::new(), codes: Vec::new() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self.words_each {
            0 => self.codes.len() / self.codes_each,
            each => self.words.len() / each,
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The report at a place.
    ///
    /// # Panics
    /// If the place is not below [`Reports::len`].
    pub fn get(&self, at: usize) -> Report<'_> {
        Report {
            words: &self.words[at * self.words_each..][..self.words_each],
            codes: &self.codes[at * self.codes_each..][..self.codes_each],
        }
    }

    /// The reports in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Report<'_>> {
        (0..self.len()).map(|at| self.get(at))
    }

    /// Adds a report.
    ///
    /// # Panics
    /// If it has another number of words or codes than the others.
    pub fn push(&mut self, report: Report<'_>) {
        assert_eq!((report.words.len(), report.codes.len()), (self.words_each, self.codes_each), "another kind");
        self.words.extend_from_slice(report.words);
        self.codes.extend_from_slice(report.codes);
    }

    /// Adds the reports of another list of the same oracle.
    ///
    /// # Panics
    /// If they have another number of words or codes.
    pub fn append(&mut self, other: &Reports) {
        assert_eq!((other.words_each, other.codes_each), (self.words_each, self.codes_each), "another kind");
        self.words.extend_from_slice(&other.words);
        self.codes.extend_from_slice(&other.codes);
    }
}

impl Oracle {
    /// Whether this is a report that the oracle can release, whatever the category.
    pub fn releases(&self, report: Report<'_>) -> bool {
        let (Report { words, codes }, none) = (report, self.no_reports());
        let size = self.size();
        (words.len(), codes.len()) == (none.words_each, none.codes_each)
            && match self.encoding() {
                Encoding::Unary { .. } => size.is_multiple_of(64) || words[words.len() - 1] >> (size % 64) == 0,
                Encoding::Hash { buckets, .. } => {
                    codes[0] < buckets && words[0] < self.family().expect("a hash has one").functions()
                }
                Encoding::Hadamard { .. } => u64::from(codes[0]) < self.columns(),
                Encoding::Subset { .. } => {
                    codes.windows(2).all(|pair| pair[0] < pair[1]) && codes.iter().all(|&code| code < size)
                }
            }
    }

    /// How many different reports there are; `None` for 2^53 and more.
    pub fn count_of_reports(&self) -> Option<u64> {
        let count = match self.encoding() {
            Encoding::Unary { .. } => 1u64.checked_shl(self.size()),
            Encoding::Hash { buckets, .. } => {
                self.family().expect("a hash has one").functions().checked_mul(buckets.into())
            }
            Encoding::Hadamard { .. } => Some(self.columns()),
            Encoding::Subset { size, .. } => binomial(self.size().into(), size.into()),
        };
        count.filter(|count| *count < 1 << TOTAL_BITS)
    }

    /// Every report once. Meant for few.
    ///
    /// # Errors
    /// More than `most` reports.
    pub fn all_reports(&self, most: u64) -> Result<Reports> {
        let Some(count) = self.count_of_reports().filter(|count| *count <= most) else {
            return Err(Error::inapplicable(format!("more than {most} different reports")));
        };
        let mut all = self.no_reports();
        match self.encoding() {
            Encoding::Unary { .. } => (0..count).for_each(|bits| all.push(Report { words: &[bits], codes: &[] })),
            Encoding::Hash { buckets, .. } => {
                for at in 0..count {
                    let (function, bucket) = (at / u64::from(buckets), (at % u64::from(buckets)) as u32);
                    all.push(Report { words: &[function], codes: &[bucket] });
                }
            }
            Encoding::Hadamard { .. } => {
                (0..count).for_each(|column| all.push(Report { words: &[], codes: &[column as u32] }));
            }
            Encoding::Subset { size, .. } => {
                let mut codes: Vec<u32> = (0..size).collect();
                for _ in 0..count {
                    all.push(Report { words: &[], codes: &codes });
                    next_subset(&mut codes, self.size());
                }
            }
        }
        Ok(all)
    }

    /// The most characters that the text of a report has.
    pub fn longest_text(&self) -> usize {
        let digits = |below: u64| (below - 1).to_string().len();
        match self.encoding() {
            Encoding::Unary { .. } => self.size() as usize,
            Encoding::Hash { buckets, .. } => {
                digits(self.family().expect("a hash has one").functions()) + 1 + digits(buckets.into())
            }
            Encoding::Hadamard { .. } => digits(self.columns()),
            Encoding::Subset { size, .. } => size as usize * (digits(self.size().into()) + 1) - 1,
        }
    }

    /// A report as text: `0110`, `17:2` (function and bucket), `5`, or `1;4;7`.
    pub fn text(&self, report: Report<'_>) -> String {
        match self.encoding() {
            Encoding::Unary { .. } => {
                (0..self.size()).map(|x| if self.supports(report, x) { '1' } else { '0' }).collect()
            }
            Encoding::Hash { .. } => format!("{}:{}", report.words[0], report.codes[0]),
            Encoding::Hadamard { .. } | Encoding::Subset { .. } => {
                report.codes.iter().map(u32::to_string).collect::<Vec<_>>().join(";")
            }
        }
    }

    /// Reads what [`Oracle::text`] wrote and adds it to reports of this oracle.
    ///
    /// # Errors
    /// A text that is not a report of this oracle. The error says what was expected and does not show the text, which may
    /// be a value that was never released.
    pub fn read(&self, text: &str, reports: &mut Reports) -> Result<()> {
        let (words, codes) = self.parse(text).unwrap_or_default();
        let report = Report { words: &words, codes: &codes };
        if !self.releases(report) {
            let example = match self.encoding() {
                Encoding::Unary { .. } => format!("{} digits 0 and 1", self.size()),
                Encoding::Hash { buckets, .. } => format!("a function and a bucket below {buckets} such as 17:1"),
                Encoding::Hadamard { .. } => format!("a whole number below {}", self.columns()),
                Encoding::Subset { size, .. } => {
                    format!("{size} increasing whole numbers below {}, with a semicolon between them", self.size())
                }
            };
            return Err(Error::input(format!("not a report of this oracle, expected {example}")));
        }
        reports.push(report);
        Ok(())
    }

    fn parse(&self, text: &str) -> Option<(Vec<u64>, Vec<u32>)> {
        // Whole numbers as they are written, without a sign or zeros in front.
        let number = |text: &str| text.parse::<u64>().ok().filter(|number| number.to_string() == text);
        let code = |text: &str| number(text).and_then(|number| u32::try_from(number).ok());
        match self.encoding() {
            Encoding::Unary { .. } => {
                let mut words = vec![0; (self.size() as usize).div_ceil(64)];
                for (x, digit) in text.bytes().enumerate() {
                    *words.get_mut(x / 64)? |= u64::from(digit.checked_sub(b'0').filter(|bit| *bit < 2)?) << (x % 64);
                }
                (text.len() == self.size() as usize).then_some((words, Vec::new()))
            }
            Encoding::Hash { .. } => {
                let (function, bucket) = text.split_once(':')?;
                Some((vec![number(function)?], vec![code(bucket)?]))
            }
            Encoding::Hadamard { .. } | Encoding::Subset { .. } => {
                Some((Vec::new(), text.split(';').map(code).collect::<Option<_>>()?))
            }
        }
    }
}

/// `C(n, k)` where it is below 2^64.
fn binomial(n: u64, k: u64) -> Option<u64> {
    let step = |product: u64, at: u64| {
        // C(n, at) = C(n, at − 1)·(n − at + 1)/at.
        u64::try_from(u128::from(product) * u128::from(n - at + 1) / u128::from(at)).ok()
    };
    (1..=k.min(n - k)).try_fold(1, step)
}

/// The next set in alphabetical order; the last one stays.
fn next_subset(codes: &mut [u32], count: u32) {
    let size = codes.len();
    if let Some(at) = (0..size).rev().find(|&at| codes[at] + 1 + ((size - 1 - at) as u32) < count) {
        let first = codes[at] + 1;
        codes[at..].iter_mut().zip(first..).for_each(|(code, next)| *code = next);
    }
}

#[cfg(test)]
#[path = "report_tests.rs"]
mod tests;
