//! The loop of `privatize`: read a batch, draw, write.

use super::profile_rows::ProfileRows;
use super::row_order::{OrderWatch, RowOrder};
use lookalike::Sentence;
use lookalike::sample::RandomKey;
use lookalike_formats::{Error, Result};
use lookalike_records::{Batch, BatchMechanism, RecordSink, RecordSource};
use std::sync::mpsc::sync_channel;

/// What a run did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Privatized {
    /// How many records were released.
    pub rows: u64,
    /// How many were read: more than were released where a ledger withheld some.
    pub rows_read: u64,
    /// What the order of the records tells of their profiles and values.
    pub order: RowOrder,
    /// How many records each profile has, where records have profiles.
    pub profile_rows: ProfileRows,
    /// Whether every output had the code of its value: that no value was changed, where inputs and outputs are the same.
    pub kept_all_codes: bool,
    /// The kept columns that were in order in the input of a shuffled release: sorting by one of them restores it.
    pub restoring: Vec<String>,
}

impl Privatized {
    /// What the owner of the records should know of their release. For the terminal alone. What is private in a row is called a
    /// `value`, or a `place`.
    pub fn warnings(&self, private: &str, shuffled: bool, seed: Option<u64>) -> Vec<Sentence> {
        let order = self.order.warnings(private).filter(|_| !shuffled);
        let restoring = self.restoring.iter().map(|name| {
            Sentence::from(format!(
                "the rows were sorted by the kept column {name:?}, which restores the order that was shuffled (leave it out, or \
                 make it coarser)"
            ))
        });
        let seeded = super::seed_warning(seed);
        order.chain(restoring).chain(seeded).collect()
    }
}

/// Releases every record of the source to the sink through a certified mechanism, in order.
///
/// Row i of the run uses the words of row i of the key, whatever the batches. `progress` is told the bytes read so
/// far. Where the rayon pool has more than one thread, and the source is no pipe, another one reads ahead by a batch or
/// two, unless the first batch is all there is; the result is the same. Memory is that of a few batches. The sink is not
/// finished: the caller does that, and commits the file.
///
/// # Errors
/// Those of the source (by row and column) and of the sink.
pub fn privatize(
    mechanism: &dyn BatchMechanism,
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
        order: OrderWatch::default(),
        profile_rows: ProfileRows::default(),
        kept_all_codes: true,
    };
    let (mut batch, mut is_first) = (Batch::default(), true);
    while source.read_batch(&mut batch)? {
        // Sources may give batches that are not full: a second one is as good a sign that more follow.
        let goes_on = !is_first || batch.len() >= Batch::MAX_ROWS;
        is_first = false;
        run.release(&mut batch, source.bytes_read())?;
        // What fits into a batch is done already. A thread for it, and the pool that is asked for here, would cost more.
        if goes_on && !source.may_wait() && rayon::current_num_threads() > 1 {
            run.read_ahead(source)?;
            break;
        }
    }
    Ok(Privatized {
        rows: run.rows,
        rows_read: run.rows_read,
        order: run.order.found(),
        profile_rows: run.profile_rows,
        kept_all_codes: run.kept_all_codes,
        restoring: Vec::new(),
    })
}

/// How many batches wait to be released.
const AHEAD: usize = 2;

struct Run<'a> {
    mechanism: &'a dyn BatchMechanism,
    key: &'a RandomKey,
    sink: &'a mut dyn RecordSink,
    progress: &'a mut dyn FnMut(u64),
    outputs: Vec<u32>,
    rows: u64,
    rows_read: u64,
    order: OrderWatch,
    profile_rows: ProfileRows,
    kept_all_codes: bool,
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
        self.order.see(&batch.profiles, &batch.values);
        self.profile_rows.see(&batch.profiles);
        self.kept_all_codes = self.kept_all_codes && batch.values == self.outputs;
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
