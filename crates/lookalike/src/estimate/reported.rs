//! What was reported.

use crate::{Error, Result};

/// How often each output was reported, and how many of the reports are about nobody.
///
/// Counts of several batches add up: [`Reported::add`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reported {
    counts: Vec<u64>,
    stand_ins: u64,
}

impl Reported {
    /// Reports that are all about respondents.
    pub fn new(counts: Vec<u64>) -> Self {
        Reported { counts, stand_ins: 0 }
    }

    /// The same when so many of them stand in for others: a ledger has drawn them evenly from all outputs, without a look at
    /// the value. Which ones they are is not known, nor needed.
    ///
    /// # Errors
    /// As many as there are reports, or more.
    pub fn with_stand_ins(self, stand_ins: u64) -> Result<Self> {
        let rows: u64 = self.counts.iter().sum();
        if stand_ins > 0 && stand_ins >= rows {
            return Err(Error::input(format!("{stand_ins} of {rows} reports stand in for others, expected fewer")));
        }
        Ok(Reported { stand_ins, ..self })
    }

    /// How often each output was reported, stand-ins included.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// How many of the reports stand in for others.
    pub fn stand_ins(&self) -> u64 {
        self.stand_ins
    }

    /// All reports, stand-ins included.
    pub fn rows(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Adds those of another batch.
    ///
    /// # Errors
    /// Another number of outputs.
    pub fn add(&mut self, other: &Reported) -> Result<()> {
        if self.counts.len() != other.counts.len() {
            let (found, expected) = (other.counts.len(), self.counts.len());
            return Err(Error::input(format!("counts of {found} outputs, expected {expected} as before")));
        }
        self.counts.iter_mut().zip(&other.counts).for_each(|(count, more)| *count += more);
        self.stand_ins += other.stand_ins;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_add_up_and_stand_ins_are_not_all() {
        let mut all = Reported::new(vec![3, 4]).with_stand_ins(2).unwrap();
        all.add(&Reported::new(vec![1, 0])).unwrap();
        assert_eq!((all.counts(), all.stand_ins(), all.rows()), (&[4, 4][..], 2, 8));
        let error = all.add(&Reported::new(vec![1])).unwrap_err().to_string();
        assert_eq!(error, "counts of 1 outputs, expected 2 as before");
        let error = Reported::new(vec![1, 1]).with_stand_ins(2).unwrap_err().to_string();
        assert_eq!(error, "2 of 2 reports stand in for others, expected fewer");
    }
}
