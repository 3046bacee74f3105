//! A profile inside the interior point method for limits: its channel, and the duals of its knapsacks.
//!
//! The unknowns of profile s, with A(x, y) an entry of its channel; an end k is the largest probability H of an output y, with the
//! sign g = 1, or the least probability h, with g = −1:
//!
//! | slack | is at least 0 because | multiplier |
//! |---|---|---|
//! | A | probabilities are | z |
//! | σ | what the knapsack of an end takes beyond its threshold λ | p |
//! | v = σ − g (A − λ) | is all that is beyond | q |
//!
//! and ν for Σ_y A(x, y) = 1. An end is `G = (1 − Σ l) λ + Σ l A + g Σ r σ` with the room r = u − l: no less than H, no more than h.
//! What profiles ask of each other is about G alone; η is its multiplier, positive for H and negative for h.

use super::floats::quotient;
use super::group_block::Reach;
use crate::exact::Natural;
use crate::model::Limits;

/// The multiplier that an end starts with at least, also where no arc meets it.
const LEAST_PULL: f64 = 1e-3;

/// One profile.
#[derive(Clone)]
pub(super) struct Block {
    /// The inputs that some law within the limits has, n of them; everything is about these.
    pub(super) inputs: Vec<usize>,
    /// The number of outputs, d.
    pub(super) size: usize,
    /// Ends of an output: H and h, or one where there is one law only.
    pub(super) ends: usize,
    /// What an entry costs; entries go output by output, n numbers each.
    pub(super) cost: Vec<f64>,
    pub(super) lower: Vec<f64>,
    pub(super) room: Vec<f64>,
    pub(super) spare: f64,
    pub(super) at: Point,
    pub(super) nu: Vec<f64>,
}

/// Values, or changes of values: of entries output by output, of ends n numbers each.
#[derive(Clone)]
pub(super) struct Point {
    /// A and z.
    pub(super) entries: Vec<f64>,
    pub(super) z: Vec<f64>,
    /// λ of each end.
    pub(super) threshold: Vec<f64>,
    /// σ, v, p and q.
    pub(super) above: Vec<f64>,
    pub(super) slack: Vec<f64>,
    pub(super) p: Vec<f64>,
    pub(super) q: Vec<f64>,
}

/// A number for each pair of slack and multiplier.
#[derive(Clone)]
pub(super) struct Pairs {
    pub(super) entries: Vec<f64>,
    pub(super) above: Vec<f64>,
    pub(super) slack: Vec<f64>,
}

/// Where blocks start: randomized response.
pub(super) struct Start {
    /// The probability of each wrong output.
    pub(super) even: f64,
    /// How far H and h may be from what the start makes of them.
    pub(super) margin: f64,
}

impl Block {
    /// A block within limits, at the start and still without multipliers; `cost` by input and output.
    pub(super) fn new(limits: &Limits, start: &Start, cost: impl Fn(usize, usize) -> f64) -> Self {
        let (size, total) = (limits.len(), limits.denominator());
        let share = |part: &Natural| quotient(part, &total);
        let inputs: Vec<usize> = (0..size).filter(|&x| limits.is_possible(x)).collect();
        let room: Vec<f64> = inputs.iter().map(|&x| share(&limits.room(x))).collect();
        let ends = if limits.is_point() { 1 } else { 2 };
        let kept = 1.0 - size as f64 * start.even;
        let outputs = || (0..size).flat_map(|y| inputs.iter().map(move |&x| (x, y)));
        let entries: Vec<f64> = outputs().map(|(x, y)| start.even + if x == y { kept } else { 0.0 }).collect();
        let margin = start.margin / room.iter().sum::<f64>().max(1.0);
        let (mut above, mut slack) = (Vec::new(), Vec::new());
        for (y, end) in (0..size).flat_map(|y| (0..ends).map(move |end| (y, end))) {
            for (at, &room) in room.iter().enumerate() {
                let excess = sign(ends, end) * (entries[y * inputs.len() + at] - start.even);
                let (above_at, slack_at) = match room > 0.0 && ends == 2 {
                    true => (excess.max(0.0) + margin, (-excess).max(0.0) + margin),
                    false => (1.0, 1.0),
                };
                above.push(above_at);
                slack.push(slack_at);
            }
        }
        let zero = |slacks: &[f64]| vec![0.0; slacks.len()];
        Block {
            size,
            ends,
            cost: outputs().map(|(x, y)| cost(x, y)).collect(),
            lower: inputs.iter().map(|&x| share(&limits.lower(x))).collect(),
            spare: if ends == 2 { share(&limits.spare()) } else { 0.0 },
            nu: vec![0.0; inputs.len()],
            at: Point {
                z: zero(&entries),
                threshold: vec![start.even; size * ends],
                p: zero(&above),
                q: zero(&slack),
                entries,
                above,
                slack,
            },
            room,
            inputs,
        }
    }

    /// Multipliers that fit those of the ends: each takes its room in the same share, and an entry takes what is left, at least so
    /// much.
    pub(super) fn follow(&mut self, eta: &[f64], least: f64) {
        let (n, rooms) = (self.inputs.len(), self.room.iter().sum::<f64>());
        let taken = (self.spare / rooms).clamp(1e-3, 1.0 - 1e-3);
        let mut pushed = self.cost.clone();
        for (k, eta) in eta.iter().enumerate() {
            let (y, sign, size) = (k / self.ends, self.sign(k), eta.abs().max(LEAST_PULL));
            for i in 0..n {
                let mut push = self.lower[i] * eta;
                if self.has_room(i) {
                    let q = self.room[i] * size * taken;
                    (self.at.q[k * n + i], self.at.p[k * n + i]) = (q, self.room[i] * size - q);
                    push += sign * q;
                }
                pushed[y * n + i] += push;
            }
        }
        for i in 0..n {
            self.nu[i] = (0..self.size).map(|y| pushed[y * n + i]).fold(f64::INFINITY, f64::min) - least;
        }
        for (at, pushed) in pushed.into_iter().enumerate() {
            self.at.z[at] = pushed - self.nu[at % n];
        }
    }

    /// How many ends there are.
    pub(super) fn count(&self) -> usize {
        self.size * self.ends
    }

    /// +1 for the largest probability, −1 for the least.
    #[inline(always)]
    pub(super) fn sign(&self, end: usize) -> f64 {
        sign(self.ends, end % self.ends)
    }

    /// Whether an input has a say in an end beyond its lower limit.
    #[inline(always)]
    pub(super) fn has_room(&self, at: usize) -> bool {
        self.ends == 2 && self.room[at] > 0.0
    }

    /// How many pairs of slack and multiplier there are.
    pub(super) fn pairs(&self) -> usize {
        let rooms = (0..self.inputs.len()).filter(|&at| self.has_room(at)).count();
        self.at.entries.len() + 2 * rooms * self.count()
    }

    /// G of each end, of values or of changes.
    pub(super) fn ends_of(&self, point: &Point) -> Vec<f64> {
        let n = self.inputs.len();
        let of_end = |k: usize| {
            let entries = &point.entries[k / self.ends * n..][..n];
            let always: f64 = entries.iter().zip(&self.lower).map(|(entry, lower)| entry * lower).sum();
            if self.ends == 1 {
                return always;
            }
            let more: f64 = point.above[k * n..][..n].iter().zip(&self.room).map(|(above, room)| above * room).sum();
            self.spare * point.threshold[k] + always + self.sign(k) * more
        };
        (0..self.count()).map(of_end).collect()
    }

    /// What the channel costs.
    pub(super) fn value(&self) -> f64 {
        self.cost.iter().zip(&self.at.entries).map(|(cost, entry)| cost * entry).sum()
    }

    /// The sum of slack times multiplier.
    pub(super) fn products(&self) -> f64 {
        let sum = |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(one, other)| one * other).sum::<f64>();
        let at = &self.at;
        sum(&at.entries, &at.z) + sum(&at.above, &at.p) + sum(&at.slack, &at.q)
    }

    /// How far above the lower limit of each input the law is at which an end is reached; all inputs count.
    pub(super) fn worst_law(&self, end: usize) -> Vec<f64> {
        let (n, mut law) = (self.inputs.len(), vec![0.0; self.size]);
        let q = &self.at.q[end * n..][..n];
        let whole: f64 = q.iter().sum();
        let taken = |q: f64, room: f64| if whole > 0.0 { (self.spare * q / whole).min(room) } else { 0.0 };
        let parts = || q.iter().zip(&self.room).map(|(&q, &room)| (taken(q, room), room));
        let (sum, free) = parts().fold((0.0, 0.0), |(sum, free), (part, room)| (sum + part, free + room - part));
        // What an input has no room for goes to the others: without it this were no law, and proved nothing.
        let more = if free > 0.0 { ((self.spare - sum) / free).clamp(0.0, 1.0) } else { 0.0 };
        self.inputs.iter().zip(parts()).for_each(|(&x, (part, room))| law[x] = part + more * (room - part));
        law
    }

    /// What the multipliers of the ends prove of the cost of this profile, in floats: each input takes its best output.
    pub(super) fn bound(&self, eta: &[f64]) -> f64 {
        let n = self.inputs.len();
        let mut least = vec![f64::INFINITY; n];
        for y in 0..self.size {
            let ends = y * self.ends..(y + 1) * self.ends;
            let laws: Vec<(f64, Vec<f64>)> = ends.map(|k| (eta[k], self.worst_law(k))).collect();
            for (at, least) in least.iter_mut().enumerate() {
                let met = |(eta, law): &(f64, Vec<f64>)| eta * (self.lower[at] + law[self.inputs[at]]);
                *least = least.min(self.cost[y * n + at] + laws.iter().map(met).sum::<f64>());
            }
        }
        least.iter().sum()
    }

    /// What each product of slack and multiplier should become: the same for all, less what a predictor adds to it.
    pub(super) fn aim(&self, target: f64, predicted: Option<&Point>) -> Pairs {
        let of = |count: usize, parts: Option<(&[f64], &[f64])>| -> Vec<f64> {
            (0..count).map(|at| target - parts.map_or(0.0, |(one, other)| one[at] * other[at])).collect()
        };
        let (entries, ends) = (self.at.entries.len(), self.at.above.len());
        Pairs {
            entries: of(entries, predicted.map(|to| (&to.entries[..], &to.z[..]))),
            above: of(ends, predicted.map(|to| (&to.above[..], &to.p[..]))),
            slack: of(ends, predicted.map(|to| (&to.slack[..], &to.q[..]))),
        }
    }

    /// Moves what is aimed at for products that a step would leave far from the target (Gondzio 1996).
    pub(super) fn centre(&self, aim: &mut Pairs, change: &Point, steps: [f64; 2], target: f64) {
        let at = &self.at;
        let parts = [
            (&mut aim.entries, [&at.entries, &at.z], [&change.entries, &change.z]),
            (&mut aim.above, [&at.above, &at.p], [&change.above, &change.p]),
            (&mut aim.slack, [&at.slack, &at.q], [&change.slack, &change.q]),
        ];
        for (aim, [slack, dual], [slacks, duals]) in parts {
            for place in 0..aim.len() {
                aim[place] += centring([slack[place], dual[place]], [slacks[place], duals[place]], steps, target);
            }
        }
    }

    /// How far a direction can be followed.
    pub(super) fn reach(&self, change: &Point) -> Reach {
        let mut reach = Reach::default();
        let mut add = |slack: (&[f64], &[f64]), multiplier: (&[f64], &[f64]), counts: &dyn Fn(usize) -> bool| {
            for at in (0..slack.0.len()).filter(|&at| counts(at)) {
                let z = slack.0[at];
                reach.pair([z, 1.0 / z, slack.1[at]], [multiplier.0[at], multiplier.1[at]]);
            }
        };
        let (at, n) = (&self.at, self.inputs.len());
        add((&at.entries, &change.entries), (&at.z, &change.z), &|_| true);
        let counts = |place: usize| self.has_room(place % n);
        add((&at.above, &change.above), (&at.p, &change.p), &counts);
        add((&at.slack, &change.slack), (&at.q, &change.q), &counts);
        reach
    }

    /// Follows a direction by a primal and a dual step.
    pub(super) fn advance(&mut self, change: &Point, d_nu: &[f64], [primal, dual]: [f64; 2]) {
        let add = |values: &mut [f64], step: f64, change: &[f64]| {
            values.iter_mut().zip(change).for_each(|(value, change)| *value += step * change);
        };
        let at = &mut self.at;
        add(&mut at.entries, primal, &change.entries);
        add(&mut at.threshold, primal, &change.threshold);
        add(&mut at.above, primal, &change.above);
        add(&mut at.slack, primal, &change.slack);
        add(&mut at.z, dual, &change.z);
        add(&mut at.p, dual, &change.p);
        add(&mut at.q, dual, &change.q);
        add(&mut self.nu, dual, d_nu);
    }
}

/// How much more a product should become so that a step leaves it within a tenth and ten times of the target.
#[inline]
pub(super) fn centring(
    [slack, dual]: [f64; 2],
    [slacks, duals]: [f64; 2],
    [primal, other]: [f64; 2],
    target: f64,
) -> f64 {
    let product = (slack + primal * slacks) * (dual + other * duals);
    (product.clamp(0.1 * target, 10.0 * target) - product).max(-10.0 * target)
}

fn sign(ends: usize, end: usize) -> f64 {
    if ends == 2 && end == 1 { -1.0 } else { 1.0 }
}
