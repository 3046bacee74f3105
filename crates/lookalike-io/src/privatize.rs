//! The loop of `privatize`: read a batch, draw, write.

use crate::draw::Draw;
use crate::records::{Batch, RecordSink, RecordSource};
use crate::{Error, Result};
use lookalike::sample::RandomKey;
use std::collections::HashSet;
use std::sync::mpsc::sync_channel;

/// What a run did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Privatized {
    /// How many records were released.
    pub rows: u64,
    /// How many were read: more than were released where a ledger withheld some.
    pub rows_read: u64,
    /// Whether the input had its records sorted by profile, so that a position in the output tells the profile.
    pub sorted_by_profile: bool,
    /// The kept columns that were in order in the input of a shuffled release: sorting by one of them restores it.
    pub restoring: Vec<String>,
}

impl Privatized {
    /// What the owner of the records should know of a release.
    pub fn warnings(&self, shuffled: bool, seed: Option<u64>) -> Vec<String> {
        let order = (self.sorted_by_profile && !shuffled).then(|| {
            "the rows were sorted by profile, so their order reveals it (--shuffle releases them in a random order)"
                .into()
        });
        let restoring = self.restoring.iter().map(|name| {
            format!("the rows were sorted by the kept column {name:?}, which restores the order that was shuffled (leave it out, or make it coarser)")
        });
        let seeded = seed.map(|seed| format!("seeded with {seed}: reproducible, hence not private"));
        order.into_iter().chain(restoring).chain(seeded).collect()
    }
}

/// Releases every record of the source to the sink through a certified mechanism, in order.
///
/// Row i of the run uses the words of row i of the key, whatever the batches. `progress` is told the bytes read so
/// far. Where the rayon pool has more than one thread, and the source is no pipe, another one reads ahead by a batch or
/// two; the result is the same. Memory is that of a few batches. The sink is not finished: the caller does that, and
/// commits the file.
///
/// # Errors
/// Those of the source (by row and column) and of the sink.
pub fn privatize(
    mechanism: &dyn Draw,
    key: &RandomKey,
    source: &mut dyn RecordSource,
    sink: &mut dyn RecordSink,
    progress: &mut dyn FnMut(u64),
) -> Result<Privatized> {
    let mut run = Run {
        mechanism,
        key,
        sink,
        progress,
        outputs: Vec::new(),
        rows: 0,
        rows_read: 0,
        order: ProfileOrder::default(),
    };
    if rayon::current_num_threads() > 1 && !source.may_wait() {
        run.read_ahead(source)?;
    } else {
        let mut batch = Batch::default();
        while source.read_batch(&mut batch)? {
            run.release(&mut batch, source.bytes_read())?;
        }
    }
    Ok(Privatized {
        rows: run.rows,
        rows_read: run.rows_read,
        sorted_by_profile: run.order.is_sorted(),
        restoring: Vec::new(),
    })
}

/// How many batches wait to be released.
const AHEAD: usize = 2;

struct Run<'a> {
    mechanism: &'a dyn Draw,
    key: &'a RandomKey,
    sink: &'a mut dyn RecordSink,
    progress: &'a mut dyn FnMut(u64),
    outputs: Vec<u32>,
    rows: u64,
    rows_read: u64,
    order: ProfileOrder,
}

impl Run<'_> {
    fn release(&mut self, batch: &mut Batch, bytes_read: u64) -> Result<()> {
        self.outputs.clear();
        self.outputs.resize(batch.len(), 0);
        self.rows_read += batch.len() as u64;
        self.mechanism.draw(self.key, batch, &mut self.outputs)?;
        if !batch.ids.is_empty() {
            return Err(Error::input("records are to be charged to a ledger, and this mechanism does not do it"));
        }
        self.sink.write_batch(batch, &self.outputs)?;
        self.order.see(&batch.profiles);
        self.rows += batch.len() as u64;
        (self.progress)(bytes_read);
        Ok(())
    }

    /// Releases batches while a thread of its own reads the next ones. Batches come in order, and so does an error
    /// after those before it: what is written is the same as without the thread.
    fn read_ahead(&mut self, source: &mut dyn RecordSource) -> Result<()> {
        std::thread::scope(|scope| {
            let (full, batches) = sync_channel(AHEAD);
            let (empty, used) = sync_channel(AHEAD + 2);
            scope.spawn(move || {
                loop {
                    let mut batch: Batch = used.try_recv().unwrap_or_default();
                    let read = source.read_batch(&mut batch);
                    let goes_on = matches!(read, Ok(true));
                    let sent = full.send(read.map(|more| more.then(|| (batch, source.bytes_read()))));
                    // The other side is gone when the sink has failed.
                    if !goes_on || sent.is_err() {
                        return;
                    }
                }
            });
            for read in batches {
                let Some((mut batch, bytes_read)) = read? else {
                    break;
                };
                self.release(&mut batch, bytes_read)?;
                // A batch that finds no place is simply dropped.
                let _ = empty.try_send(batch);
            }
            Ok(())
        })
    }
}

/// Watches whether each profile's records stand together.
#[derive(Default)]
struct ProfileOrder {
    ended: HashSet<u32>,
    current: Option<u32>,
    /// Whether a profile has more than one record: where each has one, there is no order among them to see.
    repeated: bool,
    broken: bool,
}

impl ProfileOrder {
    fn see(&mut self, profiles: &[u32]) {
        for &profile in profiles {
            if self.broken {
                return;
            }
            if self.current == Some(profile) {
                self.repeated = true;
            } else {
                self.ended.extend(self.current.replace(profile));
                self.broken = self.ended.contains(&profile);
            }
        }
    }

    /// True when there were several profiles, one of them with several records, and none came back after another.
    fn is_sorted(&self) -> bool {
        !self.broken && self.repeated && !self.ended.is_empty()
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
        assert!(!sorted(&[&[3, 1], &[2]]), "every profile has one record");
        assert!(!sorted(&[]));
    }
}
