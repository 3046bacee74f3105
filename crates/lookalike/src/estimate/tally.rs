//! How many reports support each category.

use crate::model::{Encoding, Oracle, Reports};
use crate::{Error, Result};

/// Counts the support of every category over reports that come in parts.
///
/// # Complexity
/// For n reports of d categories: as many steps as there are supported categories, n·d/g at least for hashes, and
/// n + d·ln d in all for Hadamard response.
#[derive(Debug, Clone)]
pub struct SupportTally<'a> {
    oracle: &'a Oracle,
    /// Of each category, or of each column of a Hadamard matrix.
    counts: Vec<u64>,
    reports: u64,
}

impl<'a> SupportTally<'a> {
    /// No reports yet.
    pub fn new(oracle: &'a Oracle) -> Self {
        let size = match oracle.encoding() {
            Encoding::Hadamard { .. } => oracle.columns() as usize,
            _ => oracle.size() as usize,
        };
        SupportTally { oracle, counts: vec![0; size], reports: 0 }
    }

    /// Counts more reports.
    ///
    /// # Errors
    /// A report that is none of this oracle, by its number among all that were counted; nothing of the part is counted then.
    pub fn add(&mut self, reports: &Reports) -> Result<()> {
        if let Some(at) = reports.iter().position(|report| !self.oracle.releases(report)) {
            let number = self.reports + at as u64 + 1;
            return Err(Error::input(format!("report {number} is not one of this oracle (reports of another one?)")));
        }
        let (size, counts) = (self.oracle.size(), &mut self.counts);
        let mut see = |x: u32| counts[x as usize] += 1;
        match (self.oracle.encoding(), self.oracle.family()) {
            (Encoding::Hash { .. }, Some(family)) => reports
                .iter()
                .for_each(|report| family.each_in_bucket(report.words[0], report.codes[0], size, &mut see)),
            (Encoding::Unary { .. }, _) => {
                for report in reports.iter() {
                    for (start, &word) in (0..).step_by(64).zip(report.words) {
                        let mut rest = word;
                        while rest != 0 {
                            see(start + rest.trailing_zeros());
                            rest &= rest - 1;
                        }
                    }
                }
            }
            _ => reports.iter().for_each(|report| report.codes.iter().for_each(|&code| see(code))),
        }
        self.reports += reports.len() as u64;
        Ok(())
    }

    /// Adds what another tally of the same oracle has counted.
    ///
    /// # Panics
    /// If the oracles have different numbers of categories.
    pub fn merge(&mut self, other: &SupportTally<'_>) {
        assert_eq!(self.counts.len(), other.counts.len(), "tallies of different oracles");
        self.counts.iter_mut().zip(&other.counts).for_each(|(count, more)| *count += more);
        self.reports += other.reports;
    }

    /// How many reports were counted.
    pub fn reports(&self) -> u64 {
        self.reports
    }

    /// How many reports support each category.
    pub fn counts(&self) -> Vec<u64> {
        match self.oracle.encoding() {
            Encoding::Hadamard { .. } => {
                // Σ_y N_y·H(x + 1, y) is support minus the rest.
                let mut sums: Vec<i64> = self.counts.iter().map(|&count| count as i64).collect();
                transform(&mut sums);
                let rows = sums.into_iter().skip(1).take(self.oracle.size() as usize);
                rows.map(|sum| ((self.reports as i64 + sum) / 2) as u64).collect()
            }
            _ => self.counts.clone(),
        }
    }
}

/// The fast Walsh–Hadamard transform.
fn transform(values: &mut [i64]) {
    let mut half = 1;
    while half < values.len() {
        for block in values.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Categories, TOTAL};

    /// Small oracles of every encoding.
    fn oracles() -> Vec<Oracle> {
        let encodings = |size: u32| {
            let subset = |members: u32| Encoding::Subset {
                size: members,
                include: TOTAL / u64::from(size) * u64::from(members) + TOTAL / 20,
            };
            [
                Encoding::Unary { one: TOTAL / 2, other: TOTAL / 4 },
                Encoding::Hash { buckets: 3, keep: TOTAL / 2 },
                Encoding::Hadamard { plus: TOTAL / 4 * 3 },
                subset(1),
                subset(size / 2),
            ]
        };
        let oracle = |size: u32, encoding| {
            let categories = Categories::new((0..size).map(|x| format!("c{x}"))).unwrap();
            Oracle::new(categories, "ln(3)".parse().unwrap(), encoding).unwrap()
        };
        [2, 5, 8].iter().flat_map(|&size| encodings(size).map(|encoding| oracle(size, encoding))).collect()
    }

    #[test]
    fn tallies_count_what_reports_support() {
        for oracle in oracles() {
            let all = oracle.all_reports(1_000).unwrap();
            let expected: Vec<u64> = (0..oracle.size())
                .map(|x| all.iter().filter(|report| oracle.supports(*report, x)).count() as u64)
                .collect();
            let mut tally = SupportTally::new(&oracle);
            tally.add(&all).unwrap();
            assert_eq!((tally.counts(), tally.reports()), (expected.clone(), all.len() as u64), "{oracle:?}");
            // In two parts, and merged.
            let (mut one, mut other) = (oracle.no_reports(), oracle.no_reports());
            all.iter()
                .enumerate()
                .for_each(|(at, report)| if at % 3 == 0 { one.push(report) } else { other.push(report) });
            let mut parts = [one, other].map(|part| {
                let mut tally = SupportTally::new(&oracle);
                tally.add(&part).unwrap();
                tally
            });
            let [first, second] = &mut parts;
            first.merge(second);
            assert_eq!((first.counts(), first.reports()), (expected, all.len() as u64));
        }
    }

    #[test]
    fn reports_of_another_oracle_are_refused_by_number() {
        let oracles = oracles();
        let [small, large] = [2usize, 7].map(|at| &oracles[at]);
        let reports = large.all_reports(1_000).unwrap();
        let mut tally = SupportTally::new(small);
        let error = tally.add(&reports).unwrap_err().to_string();
        assert_eq!(error, "report 5 is not one of this oracle (reports of another one?)");
        assert_eq!((tally.counts(), tally.reports()), (vec![0, 0], 0));
    }
}
