//! The loop of `privatize`: read a batch, draw, write.

use crate::Result;
use crate::records::{Batch, RecordSink, RecordSource};
use lookalike::sample::{RandomKey, Sampler};
use std::collections::HashSet;

/// What a run did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Privatized {
    /// How many records were released.
    pub rows: u64,
    /// Whether the input had its records sorted by profile, so that a position in the output tells the profile.
    pub sorted_by_profile: bool,
}

/// Releases every record of the source to the sink through the sampler, in order.
///
/// Row i of the run uses the words of row i of the key, whatever the batches. `progress` is told the bytes read so
/// far. Memory is that of one batch. The sink is not finished: the caller does that, and commits the file.
///
/// # Errors
/// Those of the source (by row and column) and of the sink.
pub fn privatize(
    sampler: &Sampler,
    key: &RandomKey,
    source: &mut dyn RecordSource,
    sink: &mut dyn RecordSink,
    progress: &mut dyn FnMut(u64),
) -> Result<Privatized> {
    let (mut batch, mut outputs, mut rows) = (Batch::default(), Vec::new(), 0);
    let mut order = ProfileOrder::default();
    while source.read_batch(&mut batch)? {
        outputs.clear();
        outputs.resize(batch.len(), 0);
        let profiles = (!batch.profiles.is_empty()).then_some(&batch.profiles[..]);
        sampler.privatize(key, batch.first_row, profiles, &batch.values, &mut outputs)?;
        sink.write_batch(&batch, &outputs)?;
        order.see(&batch.profiles);
        rows += batch.len() as u64;
        progress(source.bytes_read());
    }
    Ok(Privatized { rows, sorted_by_profile: order.is_sorted() })
}

/// Watches whether each profile's records stand together.
#[derive(Default)]
struct ProfileOrder {
    ended: HashSet<u32>,
    current: Option<u32>,
    broken: bool,
}

impl ProfileOrder {
    fn see(&mut self, profiles: &[u32]) {
        for &profile in profiles {
            if self.broken {
                return;
            }
            if self.current != Some(profile) {
                self.ended.extend(self.current.replace(profile));
                self.broken = self.ended.contains(&profile);
            }
        }
    }

    /// True when there were several profiles and none came back after another.
    fn is_sorted(&self) -> bool {
        !self.broken && !self.ended.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_by_profile_is_noticed_across_batches() {
        let sorted = |batches: &[&[u32]]| {
            let mut order = ProfileOrder::default();
            batches.iter().for_each(|batch| order.see(batch));
            order.is_sorted()
        };
        assert!(sorted(&[&[3, 3, 1], &[1, 2]]));
        assert!(!sorted(&[&[3, 3, 1], &[1, 3]]));
        assert!(!sorted(&[&[3, 3], &[3]]), "one profile has no order");
        assert!(!sorted(&[]));
    }
}
