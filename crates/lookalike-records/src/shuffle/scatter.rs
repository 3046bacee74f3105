//! Rows in random buckets, held in memory and on disk.

use std::path::PathBuf;

use lookalike::sample::{Buckets, RowOrder};
use rayon::prelude::*;

use super::bucket_file::BucketFile;
use super::rows::Rows;
use crate::columns::Batch;
use lookalike_formats::Result;

/// How much may be in memory at once.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The bytes of rows that wait; more are written to disk.
    pub held: usize,
    /// The weight of buckets that are put in order together; one that is heavier by itself is scattered again.
    pub bucket: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { held: 24 << 20, bucket: 24 << 20 }
    }
}

/// Rows that have gone to random buckets, and come back in a random order; see [`RowOrder`] for why it is uniform.
///
/// Whether rows wait in memory or on disk makes no difference to the order.
pub struct Scatter {
    order: RowOrder,
    buckets: Buckets,
    directory: PathBuf,
    limits: Limits,
    /// Rows without a bucket: batches that are too small to be worth sorting by themselves.
    waiting: Vec<Rows>,
    waiting_rows: usize,
    waiting_bytes: usize,
    held: Vec<Sorted>,
    held_bytes: usize,
    file: Option<BucketFile>,
    /// The weight of what is on disk, by bucket.
    on_disk: Vec<u64>,
    rows: u64,
    weight: u64,
}

/// Rows sorted by bucket, and where each bucket ends.
struct Sorted {
    rows: Rows,
    ends: [u32; RowOrder::BUCKETS],
}

impl Sorted {
    /// The rows of a bucket: the first, and how many.
    fn part(&self, bucket: u8) -> (&Rows, usize, usize) {
        let start = bucket.checked_sub(1).map_or(0, |before| self.ends[usize::from(before)]);
        (&self.rows, start as usize, (self.ends[usize::from(bucket)] - start) as usize)
    }
}

/// Bytes of small batches that may wait: they may hold on to more of the input than themselves.
const WAITING_BYTES: usize = 4 << 20;

impl Scatter {
    /// Nothing yet; what does not fit in memory will go to a file in this directory.
    pub fn new(order: RowOrder, directory: PathBuf, limits: Limits) -> Self {
        Scatter {
            buckets: order.buckets(),
            order,
            directory,
            limits,
            waiting: Vec::new(),
            waiting_rows: 0,
            waiting_bytes: 0,
            held: Vec::new(),
            held_bytes: 0,
            file: None,
            on_disk: vec![0; RowOrder::BUCKETS],
            rows: 0,
            weight: 0,
        }
    }

    /// How many rows there are, and what they weigh.
    pub fn size(&self) -> (u64, u64) {
        (self.rows, self.weight)
    }

    /// Takes rows.
    ///
    /// # Errors
    /// When the disk refuses, and for columns that cannot be brought into another order.
    pub fn push(&mut self, rows: Rows) -> Result<()> {
        self.rows += rows.len() as u64;
        self.weight += rows.weight();
        self.waiting_rows += rows.len();
        self.waiting_bytes += rows.memory();
        self.waiting.push(rows);
        if self.waiting_rows >= Batch::MAX_ROWS / 2 || self.waiting_bytes >= WAITING_BYTES.min(self.limits.held) {
            self.sort()?;
        }
        if cfg!(feature = "files") && self.held_bytes >= self.limits.held { self.spill() } else { Ok(()) }
    }

    /// Draws the buckets of the rows that wait for one. Their bytes are copied, so that nothing of the input stays.
    fn sort(&mut self) -> Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        let mut buckets = vec![0; std::mem::take(&mut self.waiting_rows)];
        self.waiting_bytes = 0;
        self.buckets.fill(&mut buckets);
        let whole = match &waiting[..] {
            [one] => one,
            several => &Rows::concat(&several.iter().map(|rows| (rows, 0, rows.len())).collect::<Vec<_>>())?,
        };
        let (rows, ends) = whole.by_bucket(&buckets)?;
        self.held_bytes += rows.memory() + size_of::<Sorted>();
        self.held.push(Sorted { rows, ends });
        Ok(())
    }

    /// Writes all rows that are held to disk.
    fn spill(&mut self) -> Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(BucketFile::create(&self.directory)?),
        };
        for bucket in 0..=u8::MAX {
            let parts: Vec<_> = self.held.iter().map(|held| held.part(bucket)).filter(|part| part.2 > 0).collect();
            if parts.is_empty() {
                continue;
            }
            let rows = Rows::concat(&parts)?;
            self.on_disk[usize::from(bucket)] += rows.weight();
            let mut block = BucketFile::block();
            rows.write(&mut block)?;
            file.append(bucket, block)?;
        }
        self.held.clear();
        self.held_bytes = 0;
        Ok(())
    }

    /// Hands on all rows in their random order, in pieces of no particular size.
    ///
    /// # Errors
    /// When the disk refuses, and those of `take`.
    pub fn finish(mut self, take: &mut dyn FnMut(Rows) -> Result<()>) -> Result<()> {
        if self.waiting_rows > 0 {
            self.sort()?;
        }
        let weights = self.weights()?;
        let mut next = 0;
        while next < RowOrder::BUCKETS {
            let deeper = self.order.within(next as u8).filter(|_| weights[next] > self.limits.bucket);
            if let Some(order) = deeper {
                self.divide(next as u8, order, take)?;
                next += 1;
                continue;
            }
            let (first, mut together) = (next, 0);
            while next < RowOrder::BUCKETS && (next == first || together + weights[next] <= self.limits.bucket) {
                together += weights[next];
                next += 1;
            }
            if self.file.is_none() {
                // Little to do: a pool of threads, which a forked process would not have, is not worth it.
                (first..next).try_for_each(|bucket| take(self.ordered(bucket as u8)?))?;
                continue;
            }
            let ordered = (first..next).into_par_iter().map(|bucket| self.ordered(bucket as u8));
            for rows in ordered.collect::<Result<Vec<_>>>()? {
                take(rows)?;
            }
        }
        Ok(())
    }

    /// What each bucket weighs. Where nothing is on disk all of them together are light.
    fn weights(&self) -> Result<Vec<u64>> {
        let mut weights = self.on_disk.clone();
        for (bucket, weight) in (0..=u8::MAX).zip(&mut weights) {
            for part in self.held.iter().map(|held| held.part(bucket)).filter(|part| part.2 > 0) {
                *weight += Rows::concat(&[part])?.weight();
            }
        }
        Ok(weights)
    }

    /// The rows of a bucket in a random order.
    fn ordered(&self, bucket: u8) -> Result<Rows> {
        let mut blocks = Vec::new();
        if let Some(file) = &self.file {
            for place in file.places(bucket)? {
                blocks.push(Rows::read(&file.read(place)?)?);
            }
        }
        let on_disk = blocks.iter().map(|rows| (rows, 0, rows.len()));
        let held = self.held.iter().map(|held| held.part(bucket)).filter(|part| part.2 > 0);
        let rows = Rows::concat(&on_disk.chain(held).collect::<Vec<_>>())?;
        drop(blocks);
        rows.permuted(&self.order, bucket)
    }

    /// Scatters the rows of a bucket again, which is too large to be put in order at once.
    fn divide(&self, bucket: u8, order: RowOrder, take: &mut dyn FnMut(Rows) -> Result<()>) -> Result<()> {
        let mut scatter = Scatter::new(order, self.directory.clone(), self.limits);
        if let Some(file) = &self.file {
            for place in file.places(bucket)? {
                scatter.push(Rows::read(&file.read(place)?)?)?;
            }
        }
        for part in self.held.iter().map(|held| held.part(bucket)).filter(|part| part.2 > 0) {
            scatter.push(Rows::concat(&[part])?)?;
        }
        scatter.finish(take)
    }
}
