//! A uniformly random order of any number of rows, found bucket by bucket.

use super::random::{RandomKey, Words};

/// A uniformly random order of rows that need not be in memory together: each row goes to a random bucket, and then
/// each bucket is put in a random order by itself.
///
/// # Guarantee
/// For a uniform key all orders are equally likely. Let n rows go to k buckets, each for itself and each bucket with
/// probability 1/k; let the rows of a bucket, n_b of them, be put in an order that is uniform among n_b!; and let the
/// buckets follow each other. An order π comes out with the counts (n_1, …, n_k) in exactly one way: its first n_1 rows
/// went to the first bucket, the next n_2 to the second, and so on. So
///
/// Pr\[π\] = Σ over (n_1, …, n_k) of k^−n · 1/(n_1! ⋯ n_k!) = 1/n!,
///
/// which does not depend on π. What is true of all rows is true of a bucket's: one that is too large is put in a random
/// order in the same way, [`RowOrder::within`] it. Whether it is may depend on which rows it has, though not on where
/// they were.
///
/// Uses words that no row uses, so that one key serves both the rows and their order. Each step has a stream of its own,
/// so that the order depends on the key and the number of the row only, not on threads or batches.
///
/// # Example
/// ```
/// use lookalike_core::sample::{RandomKey, RowOrder};
/// let order = RowOrder::new(&RandomKey::from_seed(1));
/// let (rows, mut to) = ([10, 11, 12, 13, 14], [0; 5]);
/// order.buckets().fill(&mut to);
/// let mut released = Vec::new();
/// for bucket in 0..=u8::MAX {
///     let mut its: Vec<i32> = (0..5).filter(|&row| to[row] == bucket).map(|row| rows[row]).collect();
///     order.permute(bucket, &mut its);
///     released.extend(its);
/// }
/// released.sort();
/// assert_eq!(released, rows);
/// ```
///
/// # Reference
/// Rao 1961; Sandelius 1962, "A simple randomization procedure": the same with ten buckets, by hand. In a bucket:
/// Fisher and Yates; Durstenfeld 1964.
#[derive(Debug, Clone)]
pub struct RowOrder {
    key: RandomKey,
    /// A one, followed by the buckets that lead here, a byte each.
    node: u64,
}

/// Bytes of key stream that are made at a time.
const BUFFER: usize = 4096;

impl RowOrder {
    /// How many buckets there are.
    pub const BUCKETS: usize = 256;

    /// How often buckets can be divided again.
    const DEEPEST: u32 = 6;

    /// The order of all rows of a run.
    pub fn new(key: &RandomKey) -> Self {
        RowOrder { key: key.clone(), node: 1 }
    }

    /// The buckets of the rows, from the first row on.
    pub fn buckets(&self) -> Buckets {
        Buckets { words: self.key.words_of_order(2 * self.node), buffer: [0; BUFFER], used: BUFFER }
    }

    /// The order of the rows of a bucket by buckets of their own; `None` below 256^7 buckets, where there is no more
    /// than a row in one.
    pub fn within(&self, bucket: u8) -> Option<RowOrder> {
        let is_deepest = self.node >> (8 * Self::DEEPEST) != 0;
        (!is_deepest).then(|| RowOrder { key: self.key.clone(), node: self.child(bucket) })
    }

    /// Puts the rows of a bucket in a uniformly random order.
    ///
    /// # Panics
    /// For 2^32 rows and more.
    pub fn permute<T>(&self, bucket: u8, rows: &mut [T]) {
        let words = self.key.words_of_order(2 * self.child(bucket) + 1);
        let mut bytes = Buckets { words, buffer: [0; BUFFER], used: BUFFER };
        permute(rows, || bytes.word());
    }

    fn child(&self, bucket: u8) -> u64 {
        self.node << 8 | u64::from(bucket)
    }
}

/// The buckets of rows one after the other, independent and each equally likely: bytes of a key stream.
pub struct Buckets {
    words: Words,
    buffer: [u8; BUFFER],
    used: usize,
}

impl Buckets {
    /// The buckets of the next rows.
    pub fn fill(&mut self, mut rows: &mut [u8]) {
        while !rows.is_empty() {
            if self.used == BUFFER {
                self.refill();
            }
            let now = rows.len().min(BUFFER - self.used);
            let (head, tail) = rows.split_at_mut(now);
            head.copy_from_slice(&self.buffer[self.used..][..now]);
            self.used += now;
            rows = tail;
        }
    }

    /// The next four bytes; only ever called on a stream of which nothing else was taken.
    #[inline]
    fn word(&mut self) -> u32 {
        if self.used == BUFFER {
            self.refill();
        }
        self.used += 4;
        u32::from_le_bytes(self.buffer.as_chunks().0[self.used / 4 - 1])
    }

    fn refill(&mut self) {
        self.words.fill(&mut self.buffer);
        self.used = 0;
    }
}

/// Fisher and Yates from the end, with words of 32 bits.
fn permute<T>(rows: &mut [T], mut word: impl FnMut() -> u32) {
    let count = u32::try_from(rows.len()).expect("fewer than 2^32 rows in a bucket");
    for place in (1..count).rev() {
        let other = loop {
            if let Some(other) = scaled::<32>(word().into(), u64::from(place) + 1) {
                break other;
            }
        };
        rows.swap(place as usize, other as usize);
    }
}

/// ⌊word·bound/2^BITS⌋ for words that are not among the 2^BITS mod bound ones that would make some results likelier
/// than others: each result below the bound has exactly ⌊2^BITS/bound⌋ words.
///
/// # Reference
/// Lemire 2019, Fast Random Integer Generation in an Interval, Lemma 4.1.
#[inline]
fn scaled<const BITS: u32>(word: u64, bound: u64) -> Option<u64> {
    let product = word * bound;
    let low = product & ((1 << BITS) - 1);
    // The remainder is below the bound, so the division is seldom needed.
    (low >= bound || low >= (1 << BITS) % bound).then_some(product >> BITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn every_scaled_number_has_equally_many_words() {
        for bound in 1..=256u64 {
            let mut counts = vec![0; bound as usize];
            (0..256).filter_map(|word| scaled::<8>(word, bound)).for_each(|number| counts[number as usize] += 1);
            assert!(counts.iter().all(|&count| count == 256 / bound), "{bound}: {counts:?}");
        }
    }

    /// Every way to put rows in order by Fisher and Yates: the script of its choices goes through all of them. Words are
    /// those whose result is the choice whatever the bound, found from the definition.
    fn all_orders(rows: &[u8]) -> Vec<Vec<u8>> {
        let bounds: Vec<u64> = (2..=rows.len() as u64).rev().collect();
        let ways: u64 = bounds.iter().product();
        let order = |mut way: u64| {
            let mut choices = bounds.iter().map(|&bound| {
                let choice = way % bound;
                way /= bound;
                u32::try_from(((choice << 32) + (1 << 31)) / bound).unwrap()
            });
            let mut order = rows.to_vec();
            permute(&mut order, || choices.next().expect("one word per step"));
            order
        };
        (0..ways).map(order).collect()
    }

    // Exact: every assignment of rows to buckets, and every order of each bucket, with its probability as a fraction
    // of k^n · n!^k.
    #[test]
    fn scattering_and_permuting_makes_all_orders_equally_likely() {
        let factorial = |n: usize| (1..=n as u128).product::<u128>();
        for (rows, buckets) in [(1, 3), (2, 2), (3, 2), (3, 3), (4, 2), (4, 3), (5, 2)] {
            let mut weights = BTreeMap::<Vec<u8>, u128>::new();
            for assignment in 0..buckets_to_the(buckets, rows) {
                let bucket_of = |row: u8| assignment / buckets_to_the(buckets, row.into()) % buckets as u64;
                let mut found = vec![(Vec::new(), factorial(rows).pow(buckets as u32))];
                for bucket in 0..buckets as u64 {
                    let its: Vec<u8> = (0..rows as u8).filter(|&row| bucket_of(row) == bucket).collect();
                    let orders = all_orders(&its);
                    assert_eq!(orders.len() as u128, factorial(its.len()));
                    let longer = |(order, weight): &(Vec<u8>, u128)| {
                        let weight = weight / orders.len() as u128;
                        orders.iter().map(|its| ([&order[..], its].concat(), weight)).collect::<Vec<_>>()
                    };
                    found = found.iter().flat_map(longer).collect();
                }
                found.into_iter().for_each(|(order, weight)| *weights.entry(order).or_default() += weight);
            }
            let all = u128::from(buckets_to_the(buckets, rows)) * factorial(rows).pow(buckets as u32);
            assert_eq!(weights.len() as u128, factorial(rows));
            assert!(weights.values().all(|&weight| weight * factorial(rows) == all), "{rows} rows, {buckets} buckets");
        }
    }

    fn buckets_to_the(buckets: usize, rows: usize) -> u64 {
        (buckets as u64).pow(rows as u32)
    }

    #[test]
    fn all_orders_of_three_in_a_bucket_are_equally_likely() {
        // A chi-square with 5 degrees of freedom over 60,000 keys; 35.9 is exceeded by chance once in a million.
        let mut counts = BTreeMap::new();
        for seed in 0..60_000 {
            let mut rows = [0, 1, 2];
            RowOrder::new(&RandomKey::from_seed(seed)).permute(7, &mut rows);
            *counts.entry(rows).or_insert(0u32) += 1;
        }
        let statistic: f64 = counts.values().map(|&seen| (f64::from(seen) - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(counts.len() == 6 && statistic < 35.9, "{statistic}");
    }

    #[test]
    fn buckets_are_equally_likely_and_do_not_depend_on_how_they_are_asked_for() {
        // A chi-square with 255 degrees of freedom; 380 is exceeded by chance less than once in a million.
        let order = RowOrder::new(&RandomKey::from_seed(1));
        let mut all = vec![0; 1 << 18];
        order.buckets().fill(&mut all);
        let mut counts = [0u32; 256];
        all.iter().for_each(|&bucket| counts[usize::from(bucket)] += 1);
        let statistic: f64 = counts.iter().map(|&seen| (f64::from(seen) - 1024.0).powi(2) / 1024.0).sum();
        assert!(statistic < 380.0, "{statistic}");
        let (mut pieces, mut buckets, mut at) = (vec![0; 1 << 18], order.buckets(), 0);
        for length in [1, 2, 5, 4095, 4096, 4097, 9, 250_000 - 12_305].iter().cycle() {
            let end = pieces.len().min(at + length);
            buckets.fill(&mut pieces[at..end]);
            at = end;
            if at == pieces.len() {
                break;
            }
        }
        assert_eq!(pieces, all);
    }

    #[test]
    fn every_step_has_words_of_its_own_and_no_record_has_them() {
        let key = RandomKey::from_seed(5);
        let order = RowOrder::new(&key);
        let first = |order: &RowOrder| {
            let mut bytes = [0; 8];
            order.buckets().fill(&mut bytes);
            u64::from_le_bytes(bytes)
        };
        let (one, other) = (order.within(0).unwrap(), order.within(1).unwrap());
        let deeper = one.within(1).unwrap();
        let mut words = vec![
            key.words_from(0).next(),
            key.other_words().next(),
            key.words_of_row(0).next(),
            key.words_beside_row(0).next(),
            key.words_of_order(3).next(),
        ];
        words.extend([&order, &one, &other, &deeper].map(first));
        let count = words.len();
        words.sort();
        words.dedup();
        assert_eq!(words.len(), count);
    }

    #[test]
    fn buckets_can_be_divided_until_a_row_is_alone() {
        let mut order = RowOrder::new(&RandomKey::from_seed(1));
        let mut depth = 0;
        while let Some(deeper) = order.within(255) {
            (order, depth) = (deeper, depth + 1);
        }
        assert_eq!(depth, 6);
        order.permute(255, &mut [1, 2, 3]);
    }

    #[test]
    fn orders_are_pinned() {
        // Changing these would change every seeded run. Computed independently from the definition of ChaCha12.
        let order = RowOrder::new(&RandomKey::from_seed(7));
        let (mut buckets, mut rows) = ([0; 8], [0, 1, 2, 3, 4, 5, 6, 7]);
        order.buckets().fill(&mut buckets);
        order.permute(buckets[0], &mut rows);
        assert_eq!(buckets, [31, 98, 102, 79, 20, 243, 251, 119]);
        assert_eq!(rows, [2, 7, 6, 4, 0, 3, 5, 1]);
    }
}
