//! What the collectors of both runs do with every draw.

use super::calls::Calls;
use super::output::Output;
use super::source::Collect;
use super::tally::{CodeCounts, Places, add_all};
use super::view::View;

/// Counts the draws of a run, notes the first ones, and shows to `own` those that are not codes.
pub(super) struct Collector<'a, L> {
    pub places: &'a Places,
    progress: &'a (dyn Fn(u64) + Sync),
    /// For codes, all that there is to see.
    pub codes: Option<CodeCounts>,
    /// The draws of each secret that are not codes, by its place.
    pub draws: Vec<u64>,
    /// The first draws of the run.
    pub calls: Calls,
    /// Draws before this place are noted and not counted.
    uncounted: u64,
    /// What only one of the runs looks for.
    pub own: L,
}

/// Looks at draws that are counted and are not codes.
pub(super) trait Look<O> {
    /// The output of the secret with this number, which is draw number `place` of the run.
    fn see(&mut self, secret: usize, place: u64, output: &O);

    /// Adds what another one saw.
    fn merge(&mut self, other: Self);
}

impl<'a, L> Collector<'a, L> {
    /// Notes the first draws, `noted` in all, and does not count the first `uncounted` of them.
    pub(super) fn new(
        places: &'a Places,
        codes: Option<usize>,
        [noted, uncounted]: [u64; 2],
        progress: &'a (dyn Fn(u64) + Sync),
        own: L,
    ) -> Self {
        Collector {
            places,
            progress,
            codes: codes.map(|codes| CodeCounts::new(places.len(), codes)),
            draws: vec![0; places.len()],
            calls: Calls::before(noted),
            uncounted,
            own,
        }
    }

    /// How many draws were counted.
    pub(super) fn draws(&self) -> u64 {
        self.codes.as_ref().map_or_else(|| self.draws.iter().sum(), CodeCounts::total)
    }
}

impl<O: Output, L: Look<O> + Send> Collect<O> for Collector<'_, L> {
    #[inline(always)]
    fn see(&mut self, secret: u32, place: u64, output: &O) {
        let secret = self.places.of(secret);
        self.calls.see(secret, place, output);
        if place < self.uncounted {
            return;
        }
        if let Some(counts) = &mut self.codes {
            return counts.add(secret, output.symbol(View::Output).unwrap_or(0));
        }
        self.draws[secret] += 1;
        self.own.see(secret, place, output);
    }

    /// One by one the draws that are noted, and the rest at once if they are codes.
    fn see_stretch(&mut self, first: u64, secrets: &[u32], outputs: &[O]) {
        let noted = self.calls.end().saturating_sub(first).min(secrets.len() as u64) as usize;
        let one_by_one = if self.codes.is_some() { noted } else { secrets.len() };
        for ((place, &secret), output) in (first..).zip(&secrets[..one_by_one]).zip(outputs) {
            self.see(secret, place, output);
        }
        if let Some(counts) = &mut self.codes {
            counts.add_stretch(self.places, &secrets[noted..], &outputs[noted..]);
        }
    }

    fn merge(&mut self, other: Self) {
        if let (Some(own), Some(other)) = (&mut self.codes, &other.codes) {
            own.merge(other);
        }
        add_all(&mut self.draws, &other.draws);
        self.calls.merge(other.calls);
        self.own.merge(other.own);
    }

    fn progress(&self, draws: u64) {
        (self.progress)(draws);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places of the draws that it was shown.
    #[derive(Default)]
    struct Shown(Vec<u64>);

    impl Look<u32> for Shown {
        fn see(&mut self, _: usize, place: u64, _: &u32) {
            self.0.push(place);
        }

        fn merge(&mut self, other: Self) {
            self.0.extend(other.0);
        }
    }

    /// Draws 0 to 9 of two secrets in turn, in two stretches that two collectors see; the first six are noted, and three of
    /// them not counted.
    fn collected(codes: Option<usize>, inspect: impl FnOnce(&Collector<'_, Shown>)) {
        let places = Places::new(vec![3, 8]);
        let seen = std::sync::atomic::AtomicU64::new(0);
        let progress = |draws| {
            seen.fetch_add(draws, std::sync::atomic::Ordering::Relaxed);
        };
        let new = || Collector::new(&places, codes, [6, 3], &progress, Shown::default());
        let (mut one, mut other) = (new(), new());
        one.see_stretch(4, &[3, 8, 3, 8, 3, 8], &[0, 1, 2, 0, 1, 2]);
        other.see_stretch(0, &[3, 8, 3, 8], &[0, 1, 2, 0]);
        Collect::<u32>::progress(&one, 6);
        Collect::<u32>::progress(&other, 4);
        Collect::<u32>::merge(&mut one, other);
        assert_eq!((one.draws(), seen.load(std::sync::atomic::Ordering::Relaxed)), (7, 10));
        assert_eq!(one.calls.clone().in_order().between(0, 10).len(), 6);
        inspect(&one);
    }

    #[test]
    fn draws_that_are_codes_are_counted_and_others_are_shown() {
        collected(Some(3), |codes| {
            let counts = codes.codes.as_ref().unwrap();
            // Draws 4, 6, 8 of the one secret and 3, 5, 7, 9 of the other.
            assert_eq!((counts.of(0), counts.of(1)), (&[1, 1, 1][..], &[2, 1, 1][..]));
            assert!(codes.own.0.is_empty());
        });
        collected(None, |others| {
            assert_eq!(others.draws, [3, 4]);
            assert_eq!(others.own.0, [4, 5, 6, 7, 8, 9, 3]);
        });
    }
}
