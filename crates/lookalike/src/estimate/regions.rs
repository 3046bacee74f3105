//! Profiles that are known up to limits, as mixes of laws that are made when they are asked for.

use super::envelope::Envelope;
use crate::exact::{Direction, to_f64};
use crate::model::{Limits, Mechanism};

/// The laws within the limits of each profile, and what a mechanism makes of them.
///
/// A *part* is a profile with a value: part s·d + x for d values. A law of profile s is a mix of its parts, and what is linear in
/// the law is largest, or least, at a fractional knapsack: start from the lower limits and hand out what is left to the best parts
/// first, each up to its limit. So a claim about every law within the limits is one sort for each profile, and the laws that the
/// limits allow, which can be more than anybody can list, are never listed.
#[derive(Debug, Clone)]
pub(super) struct Regions {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    /// The rows of all channels, one channel after the other.
    rows: Vec<f64>,
    /// The channel of each profile.
    channels: Vec<usize>,
    /// The lower limit of each part, and the room above it.
    lower: Vec<f64>,
    room: Vec<f64>,
    /// What the lower limits of each profile leave.
    spare: Vec<f64>,
}

/// A law within the limits of a profile.
#[derive(Debug, Clone)]
pub(super) struct RegionLaw {
    pub(super) profile: u32,
    /// The probability of each value.
    pub(super) inputs: Vec<f64>,
}

/// Laws that are looked at for an envelope, at most; it is closed from outside, so that fewer make it wider and never wrong.
const MOST_CORNERS: usize = 400;
/// How near an envelope is followed, as a share of its largest height.
const NEAR: f64 = 1e-7;

impl Regions {
    /// The limits of a mechanism's profiles, with the rows of all channels.
    pub(super) fn new(mechanism: &Mechanism, limits: &[Limits], rows: Vec<f64>) -> Self {
        let nearest = |value| to_f64(&value, Direction::Nearest);
        let (mut lower, mut room) = (Vec::new(), Vec::new());
        for limits in limits {
            for [least, most] in (0..limits.len()).map(|x| limits.ends(x)) {
                room.push(nearest(&most - &least));
                lower.push(nearest(least));
            }
        }
        let (inputs, outputs) = (mechanism.inputs().len(), mechanism.outputs().len());
        let spare = limits.iter().zip(lower.chunks_exact(inputs)).map(|(limits, lower)| match limits.is_point() {
            true => 0.0,
            false => 1.0 - lower.iter().sum::<f64>(),
        });
        let spare = spare.collect();
        let channel = |secret| mechanism.assignment().get(secret).map_or(0, |&channel| channel as usize);
        let channels = (0..limits.len()).map(channel).collect();
        Regions { inputs, outputs, rows, channels, lower, room, spare }
    }

    /// How many profiles there are.
    pub(super) fn profiles(&self) -> usize {
        self.channels.len()
    }

    /// How many profiles with a value there are.
    pub(super) fn parts(&self) -> usize {
        self.lower.len()
    }

    /// The same among reports of which a share is drawn from a fixed law instead.
    pub(super) fn among(&self, share: f64, fixed: &[f64]) -> Self {
        let mixed = |(at, p): (usize, &f64)| (1.0 - share) * p + share * fixed[at % self.outputs];
        Regions { rows: self.rows.iter().enumerate().map(mixed).collect(), ..self.clone() }
    }

    /// What readings of the outputs are on average for each value in each channel.
    fn read(&self, readings: &[f64]) -> Vec<f64> {
        self.rows.chunks_exact(self.outputs).map(|row| row.iter().zip(readings).map(|(p, g)| p * g).sum()).collect()
    }

    /// The part of `read` that belongs to a profile.
    fn of<'r>(&self, read: &'r [f64], profile: usize) -> &'r [f64] {
        &read[self.channels[profile] * self.inputs..][..self.inputs]
    }

    /// The output law of a law of a profile.
    pub(super) fn law(&self, law: &RegionLaw) -> Vec<f64> {
        let rows = &self.rows[self.channels[law.profile as usize] * self.inputs * self.outputs..];
        let mut outputs = vec![0.0; self.outputs];
        for (weight, row) in law.inputs.iter().zip(rows.chunks_exact(self.outputs)).filter(|(weight, _)| **weight > 0.0)
        {
            outputs.iter_mut().zip(row).for_each(|(sum, p)| *sum += weight * p);
        }
        outputs
    }

    /// For a profile the law at which a mean is largest: what is spare goes to the best values first.
    fn best(
        &self,
        profile: usize,
        order: &mut [usize],
        law: &mut [f64],
        better: impl Fn(usize, usize) -> std::cmp::Ordering,
    ) {
        let first = profile * self.inputs;
        law.copy_from_slice(&self.lower[first..][..self.inputs]);
        let mut spare = self.spare[profile];
        if spare <= 0.0 {
            return;
        }
        order.sort_unstable_by(|&a, &b| better(a, b).then(a.cmp(&b)));
        for &mut x in order {
            let more = self.room[first + x].min(spare);
            law[x] += more;
            spare -= more;
        }
    }

    /// Calls with every profile, what each of its values is worth beyond its readings, and its law at which that is most.
    fn each_worst(&self, readings: &[f64], shares: &[f64], mut see: impl FnMut(usize, f64, &[f64])) {
        let read = self.read(readings);
        let mut order: Vec<usize> = (0..self.inputs).collect();
        let (mut worth, mut law) = (vec![0.0; self.inputs], vec![0.0; self.inputs]);
        for (profile, shares) in shares.chunks_exact(self.inputs).enumerate() {
            let read = self.of(&read, profile);
            worth.iter_mut().zip(shares.iter().zip(read)).for_each(|(worth, (share, read))| *worth = share - read);
            self.best(profile, &mut order, &mut law, |a, b| worth[b].total_cmp(&worth[a]));
            see(profile, worth.iter().zip(&law).map(|(worth, p)| worth * p).sum(), &law);
        }
    }

    /// How far the mean of readings can be below a share, given by part, over all mixes of all laws; 0 if it never is.
    pub(super) fn short(&self, readings: &[f64], shares: &[f64]) -> f64 {
        let mut most = 0.0f64;
        self.each_worst(readings, shares, |_, short, _| most = most.max(short));
        most
    }

    /// For each profile with a law at which readings are further below a share than this, the worst such law.
    pub(super) fn short_laws(&self, readings: &[f64], shares: &[f64], beyond: f64) -> Vec<RegionLaw> {
        let mut found = Vec::new();
        self.each_worst(readings, shares, |profile, short, law| {
            if short > beyond {
                found.push((short, RegionLaw { profile: profile as u32, inputs: law.to_vec() }));
            }
        });
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        found.into_iter().map(|(_, law)| law).collect()
    }

    /// Laws of which every law within the limits is a mix with weights of any sign, those of a profile around one in the middle of
    /// its limits.
    pub(super) fn spanning(&self) -> Vec<RegionLaw> {
        (0..self.profiles()).flat_map(|profile| self.spanning_of(profile)).collect()
    }

    fn spanning_of(&self, profile: usize) -> Vec<RegionLaw> {
        let range = profile * self.inputs..(profile + 1) * self.inputs;
        let (lower, room, spare) = (&self.lower[range.clone()], &self.room[range], self.spare[profile]);
        let all: f64 = room.iter().sum();
        let law = |inputs| RegionLaw { profile: profile as u32, inputs };
        if spare <= 0.0 || all <= 0.0 {
            return vec![law(lower.to_vec())];
        }
        let middle: Vec<f64> = lower.iter().zip(room).map(|(lower, room)| lower + room * (spare / all)).collect();
        // From the middle as far as possible to more of one value and less of the others, each in proportion to its room.
        let towards = |x: usize| {
            let far = ((lower[x] + room[x] - middle[x]) / (1.0 - room[x] / all)).min(spare);
            let moved = |(at, p): (usize, &f64)| {
                let step = f64::from(u8::from(at == x)) - room[at] / all;
                (p + far * step).clamp(lower[at], lower[at] + room[at])
            };
            law(middle.iter().enumerate().map(moved).collect())
        };
        (0..self.inputs).filter(|&x| room[x] > 0.0).map(towards).collect()
    }

    /// Over all mixes of all laws with a given mean of readings a, the largest mean of readings b, or a little more.
    ///
    /// From corner to corner: the law that is furthest beyond the line through two neighbours is a corner, or there is none, and then
    /// the line is moved outward by what may be beyond it.
    pub(super) fn envelope(&self, a: &[f64], b: &[f64]) -> Envelope {
        let read = [self.read(a), self.read(b)];
        let mut search = Search { regions: self, read: &read, near: 0.0, points: Vec::new(), corners: 0 };
        let least = search.furthest([-1.0, 0.0]);
        let most = search.furthest([1.0, 0.0]);
        let highest = search.furthest([0.0, 1.0]);
        search.near = NEAR * highest.1.abs().max(f64::MIN_POSITIVE);
        search.points.extend([least, most, highest]);
        search.between(least, highest);
        search.between(highest, most);
        Envelope::over(search.points)
    }
}

/// A search for the corners of an envelope.
struct Search<'r> {
    regions: &'r Regions,
    /// By channel and value, what the two readings are on average.
    read: &'r [Vec<f64>; 2],
    near: f64,
    points: Vec<(f64, f64)>,
    corners: usize,
}

impl Search<'_> {
    /// The point that is furthest in this direction, and among equals the highest.
    fn furthest(&self, [right, up]: [f64; 2]) -> (f64, f64) {
        let regions = self.regions;
        let mut order: Vec<usize> = (0..regions.inputs).collect();
        let (mut worth, mut law) = (vec![0.0; regions.inputs], vec![0.0; regions.inputs]);
        let mut best = (f64::NEG_INFINITY, (0.0, 0.0));
        for profile in 0..regions.profiles() {
            let [a, b] = [0, 1].map(|which| regions.of(&self.read[which], profile));
            worth.iter_mut().zip(a.iter().zip(b)).for_each(|(worth, (a, b))| *worth = right * a + up * b);
            let better = |x: usize, y: usize| worth[y].total_cmp(&worth[x]).then(b[y].total_cmp(&b[x]));
            regions.best(profile, &mut order, &mut law, better);
            let sum = |of: &[f64]| of.iter().zip(&law).map(|(value, p)| value * p).sum::<f64>();
            let (value, point) = (sum(&worth), (sum(a), sum(b)));
            if value > best.0 || value == best.0 && point.1 > best.1.1 {
                best = (value, point);
            }
        }
        best.1
    }

    /// The corners between two points of the envelope.
    fn between(&mut self, left: (f64, f64), right: (f64, f64)) {
        let width = right.0 - left.0;
        if width <= 0.0 {
            return;
        }
        let slope = (right.1 - left.1) / width;
        let found = self.furthest([-slope, 1.0]);
        let beyond = found.1 - left.1 - slope * (found.0 - left.0);
        self.corners += 1;
        if beyond <= self.near || !(left.0 < found.0 && found.0 < right.0) || self.corners > MOST_CORNERS {
            let beyond = beyond.max(0.0);
            self.points.extend([left, right].map(|(x, y)| (x, y + beyond)));
            return;
        }
        self.points.push(found);
        self.between(left, found);
        self.between(found, right);
    }
}

#[cfg(test)]
#[path = "regions_tests.rs"]
mod tests;
