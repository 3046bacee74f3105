//! The Smooth One Bit mechanism (Algorithm 3 of Geumlek and Chaudhuri) by the lattice algorithm.

use super::floats::float;
use super::impossible_inputs::released_by_law;
use super::lattice::Lattice;
use super::problem::Parts;
use super::repair::repair;
use super::{Algorithm, Design, MechanismName, Objective, Problem, Solution, Watch};
use crate::exact::{Direction, Interval, Rational, to_f64};
use crate::model::{Channel, Kind, TOTAL};
use crate::{Error, Result};
use num_traits::{One, Zero};

/// Which flips a one-bit mechanism may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Flips {
    /// Both bits are flipped with the same probability, as in the paper.
    #[default]
    Symmetric,
    /// Each bit has its own flip probability.
    Asymmetric,
}

/// The Smooth One Bit mechanism: each profile has its own flip probability, and the largest is the least possible.
///
/// Among the solutions with that largest flip, a second stage takes one in which no profile alone could do with less,
/// so that profiles far from the costly edge have little noise. Components are independent of each other.
///
/// # Guarantee
/// The claim of every edge holds, after a repair that costs about the rounding of doubles. For the largest flip the lower
/// bound is proved for any flips, and met by asymmetric ones; symmetric ones have a bound of their own, which they meet
/// (`family_bound`).
///
/// # Errors
/// Inapplicable unless there are two categories and each profile may have its own channel.
///
/// # Complexity
/// A handful of passes of O(edges · log profiles).
///
/// # Reference
/// Geumlek and Chaudhuri (2019), Algorithm 3 and problem (5).
pub fn smooth_one_bit(problem: &Problem, flips: Flips) -> Result<Design> {
    watched(problem, flips, Watch::default())
}

/// [`smooth_one_bit`] with someone watching.
pub(super) fn watched(problem: &Problem, flips: Flips, watch: Watch<'_>) -> Result<Design> {
    problem.check_laws("smooth-one-bit")?;
    if problem.categories().len() != 2 || problem.kind() != Kind::Aware {
        return Err(Error::inapplicable(format!(
            "smooth-one-bit needs 2 categories and the kind aware, found {} and {}",
            problem.categories().len(),
            problem.kind()
        )));
    }
    let profiles: Vec<f64> = problem.profile_laws().iter().map(|law| float(law, 1)).collect();
    let lattice = Lattice::new(problem.graph());
    let ranges = Ranges::new(&profiles, flips);
    let components = problem.graph().first_of_component();
    let optimum = least_largest_flips(&lattice, &ranges, components, watch)?;
    watch.step("second stage", 0, None)?;
    let laws = second_stage(&lattice, &ranges, components, &optimum.flips);
    let most = components.iter().map(|&component| optimum.flips[component as usize]);
    let channel = |((&q, &p), most)| channel(flip_probability(p, q, most, flips).1);
    let channels = laws.iter().zip(&profiles).zip(most).map(channel).collect::<Result<Vec<_>>>()?;
    watch.step("repair", 0, None)?;
    let repaired = repair(problem.mechanism(Parts::apart(channels.len()), channels)?)?;
    // Both rows of a symmetric flip are one number, so no row is free.
    let mechanism = match flips {
        Flips::Symmetric => repaired.mechanism,
        Flips::Asymmetric => released_by_law(repaired.mechanism)?,
    };
    let mut design = Design::new(MechanismName::SmoothOneBit, problem, mechanism)?;
    let bound = path_bound(problem, &ranges, &optimum);
    // Symmetric flips are a family: what none of them can go below, asymmetric ones may. What no flips at all can go below
    // takes the first stage of those.
    let (by_flip, symmetric) = (*problem.objective() == Objective::MaxFlip, flips == Flips::Symmetric);
    if by_flip && symmetric {
        let any = Ranges::new(&profiles, Flips::Asymmetric);
        let optimum = least_largest_flips(&lattice, &any, components, watch)?;
        design.objective.raise_bound(&path_bound(problem, &any, &optimum));
    } else if by_flip {
        design.objective.raise_bound(&bound);
    }
    let binding_output = binding_output(problem, &ranges, &optimum);
    design.solution = Solution {
        algorithm: Algorithm::Lattice,
        rounds: optimum.rounds,
        tie_break: Some("no profile alone can have less noise"),
        components: problem.components_apart(),
        binding: optimum.binding,
        binding_output,
        repair_cost: repaired.cost,
        family_bound: (symmetric && by_flip).then(|| to_f64(&bound, Direction::Down)),
    };
    Ok(design)
}

/// The output laws that flips of at most t reach: `lower(t) ≤ q ≤ upper(t)`, both linear in t.
struct Ranges {
    profiles: Vec<f64>,
    flips: Flips,
}

impl Ranges {
    fn new(profiles: &[f64], flips: Flips) -> Self {
        Ranges { profiles: profiles.to_vec(), flips }
    }

    /// How far the upper and the lower end move as t goes from 0 to 1.
    fn slopes(&self, node: usize) -> (f64, f64) {
        let p = self.profiles[node];
        match self.flips {
            Flips::Symmetric => ((1.0 - 2.0 * p).max(0.0), (1.0 - 2.0 * p).min(0.0)),
            Flips::Asymmetric => (1.0 - p, -p),
        }
    }

    /// The least t with which `lower(to) ≤ slope · upper(from) + offset`, if that is positive, else 0.
    fn least_flip(&self, from: u32, to: u32, [slope, offset]: [f64; 2]) -> f64 {
        let (from, to) = (from as usize, to as usize);
        let needed = self.profiles[to] - offset - slope * self.profiles[from];
        if needed <= 0.0 {
            return 0.0;
        }
        needed / (slope * self.slopes(from).0 - self.slopes(to).1)
    }

    fn upper(&self, node: usize, t: f64) -> f64 {
        self.profiles[node] + self.slopes(node).0 * t
    }

    fn lower(&self, node: usize, t: f64) -> f64 {
        self.profiles[node] + self.slopes(node).1 * t
    }
}

/// Passes after which floats cannot gain any more.
const MOST_PASSES: u32 = 100;

/// The first stage's answer.
struct Optimum {
    /// For each component its largest flip, at the place of its first secret.
    flips: Vec<f64>,
    /// The path that sets the largest of them.
    binding: Vec<u32>,
    rounds: u32,
}

/// For each component the least t for which a solution exists.
///
/// From what single edges ask: the greatest solution below the upper ends falls short of some lower end; the path that
/// binds there is a linear condition on t, which every feasible t satisfies (a composition of `f` lies below each of
/// its linear pieces). Raise t to the largest such bound and repeat. There are finitely many pieces, so this ends at
/// the optimum.
fn least_largest_flips(lattice: &Lattice, ranges: &Ranges, components: &[u32], watch: Watch<'_>) -> Result<Optimum> {
    let mut optimum = Optimum { flips: vec![0.0; components.len()], binding: Vec::new(), rounds: 0 };
    let mut largest = 0.0;
    for (from, to, line) in lattice.lines() {
        let bound = ranges.least_flip(from, to, line);
        let t = &mut optimum.flips[components[to as usize] as usize];
        *t = t.max(bound);
        if bound > largest {
            (largest, optimum.binding) = (bound, vec![from, to]);
        }
    }
    while optimum.rounds < MOST_PASSES {
        watch.step("shortest paths", optimum.rounds.into(), None)?;
        optimum.rounds += 1;
        let t = &optimum.flips;
        let limits: Vec<f64> = components.iter().enumerate().map(|(i, &c)| ranges.upper(i, t[c as usize])).collect();
        let (values, traces) = lattice.trace_below(&limits);
        let (mut raised, mut critical) = (t.clone(), None);
        for (i, &component) in components.iter().enumerate() {
            if values[i] >= ranges.lower(i, t[component as usize]) {
                continue;
            }
            let path = &traces[i];
            let bound = ranges.least_flip(path.source, i as u32, [path.slope, path.offset]);
            raised[component as usize] = raised[component as usize].max(bound);
            if bound > largest {
                (largest, critical) = (bound, Some(i as u32));
            }
        }
        if let Some(node) = critical {
            optimum.binding = lattice.path(&traces, node);
        }
        let gained = raised.iter().zip(t).any(|(raised, t)| *raised > t * (1.0 + 4.0 * f64::EPSILON));
        optimum.flips = raised;
        if !gained {
            break;
        }
    }
    Ok(optimum)
}

/// What the edges of a path ask of t, whatever the rest of the mechanism is: a proven lower bound, rounded down.
///
/// `q_last ≤ F(q_first)` for the composition F of the path's f, which lies below each of its linear pieces, and
/// `q_last ≥ lower(t)`, `q_first ≤ upper(t)`. Floats choose the pieces; any choice gives a valid bound.
fn path_bound(problem: &Problem, ranges: &Ranges, optimum: &Optimum) -> Rational {
    const BITS: u64 = 128;
    let path = &optimum.binding[..];
    let ([first, .., last], laws) = (path, problem.profile_laws()) else {
        return Rational::zero();
    };
    let profile = |secret: u32| laws[secret as usize].probability(1);
    let largest = optimum.flips.iter().copied().fold(0.0, f64::max);
    let (mut value, mut slope, mut offset) =
        (ranges.upper(*first as usize, largest), Interval::integer(1), Interval::integer(0));
    for hop in path.windows(2) {
        let Some(epsilon) = problem.graph().epsilon_between(hop[0], hop[1]) else {
            return Rational::zero();
        };
        let (exp, e) = (epsilon.exp(BITS), epsilon.to_f64().exp());
        let one = Interval::integer(1);
        let (low, high) = (e * value, 1.0 - (1.0 - value) / e);
        if low <= high {
            (value, slope, offset) = (low, (&exp * &slope).outward(BITS), (&exp * &offset).outward(BITS));
        } else {
            let back = |x: &Interval| x.divide(&exp, BITS).expect("e^ε is positive");
            (value, slope, offset) = (high, back(&slope), &one - &back(&(&one - &offset)));
        }
    }
    let exact = |p: &Rational| Interval::of(p, BITS);
    let slopes = |p: &Rational| {
        let (one, two) = (Rational::one(), Rational::from_integer(2.into()));
        match ranges.flips {
            Flips::Symmetric => {
                let tilt = &one - two * p;
                (tilt.clone().max(Rational::zero()), tilt.min(Rational::zero()))
            }
            Flips::Asymmetric => (&one - p, -p),
        }
    };
    let (p_first, p_last) = (profile(*first), profile(*last));
    let needed = &(&exact(&p_last) - &offset) - &(&slope * &exact(&p_first));
    let gain = &(&slope * &exact(&slopes(&p_first).0)) - &exact(&slopes(&p_last).1);
    needed.divide(&gain, BITS).map_or_else(Rational::zero, |bound| bound.lower().to_rational().max(Rational::zero()))
}

/// The output at which every edge of the binding path binds, if it is one.
fn binding_output(problem: &Problem, ranges: &Ranges, optimum: &Optimum) -> Option<u32> {
    let largest = optimum.flips.iter().copied().fold(0.0, f64::max);
    let mut value = ranges.upper(*optimum.binding.first()? as usize, largest);
    let mut outputs = Vec::new();
    for hop in optimum.binding.windows(2) {
        let exp = problem.graph().epsilon_between(hop[0], hop[1])?.to_f64().exp();
        let (low, high) = (exp * value, 1.0 - (1.0 - value) / exp);
        outputs.push(u32::from(low <= high));
        value = low.min(high);
    }
    outputs.dedup();
    if let [output] = outputs[..] { Some(output) } else { None }
}

/// Output laws within flips of t of which none alone can come closer to its profile.
///
/// The least solution above the lower ends, then the greatest one below the larger of it and the profile. The same
/// with the two outputs exchanged gives another such solution; each component takes the better.
fn second_stage(lattice: &Lattice, ranges: &Ranges, components: &[u32], t: &[f64]) -> Vec<f64> {
    let reversed = lattice.reversed();
    let complement = |values: &[f64]| values.iter().map(|value| 1.0 - value).collect::<Vec<f64>>();
    let ends = |end: fn(&Ranges, usize, f64) -> f64| -> Vec<f64> {
        components.iter().enumerate().map(|(i, &component)| end(ranges, i, t[component as usize])).collect()
    };
    let one_way = |forward: &Lattice, backward: &Lattice, profiles: &[f64], lower: &[f64]| -> Vec<f64> {
        let least = complement(&backward.greatest_below(&complement(lower)));
        let limits: Vec<f64> = profiles.iter().zip(&least).map(|(p, least)| p.max(*least)).collect();
        forward.greatest_below(&limits)
    };
    let (straight, exchanged) = rayon::join(
        || one_way(lattice, &reversed, &ranges.profiles, &ends(Ranges::lower)),
        || {
            let (profiles, lower) = (complement(&ranges.profiles), complement(&ends(Ranges::upper)));
            complement(&one_way(&reversed, lattice, &profiles, &lower))
        },
    );
    let mut gain = vec![0.0; t.len()];
    for (i, &component) in components.iter().enumerate() {
        let flip = |q: f64| flip_probability(ranges.profiles[i], q, t[component as usize], ranges.flips).0;
        gain[component as usize] += flip(straight[i]) - flip(exchanged[i]);
    }
    let better =
        |(i, &component): (usize, &u32)| if gain[component as usize] > 0.0 { exchanged[i] } else { straight[i] };
    components.iter().enumerate().map(better).collect()
}

/// The probability of a wrong output, and the flip probabilities of the first and the second category.
///
/// No flip is above `most`: near p = 1/2 a symmetric flip hardly moves the law, and the last bits of q would ask for
/// any number of them.
fn flip_probability(p: f64, q: f64, most: f64, flips: Flips) -> (f64, [f64; 2]) {
    let share = |moved: f64, mass: f64| if moved > 0.0 && mass > 0.0 { (moved / mass).min(most) } else { 0.0 };
    match flips {
        Flips::Symmetric => {
            let flip = share((q - p).abs(), (1.0 - 2.0 * p).abs());
            (flip, [flip; 2])
        }
        Flips::Asymmetric => ((q - p).abs(), [share(q - p, 1.0 - p), share(p - q, p)]),
    }
}

fn channel(flips: [f64; 2]) -> Result<Channel> {
    let [first, second] = flips.map(|flip| (flip * TOTAL as f64).round() as u64);
    Channel::from_weights([TOTAL - first, first, second, TOTAL - second], 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certify::certify;
    use crate::design::cluster;
    use crate::exact::parse_rational;
    use crate::model::{Categories, Distribution, Epsilon, GraphBuilder, Names, SecretGraph};
    use proptest::prelude::*;

    fn problem(profiles: &[Rational], fill: impl FnOnce(&mut GraphBuilder)) -> Problem {
        let names = Names::new("profile", (0..profiles.len()).map(|at| format!("p{at}"))).unwrap();
        let mut builder = SecretGraph::builder(names);
        fill(&mut builder);
        let one = Rational::from_integer(1.into());
        let laws = profiles.iter().map(|p| Distribution::new(&[&one - p, p.clone()]).unwrap()).collect();
        Problem::profiles(Categories::new(["0", "1"]).unwrap(), builder.build().unwrap(), laws).unwrap()
    }

    fn chain(count: i64, budget: &str) -> Problem {
        let profiles: Vec<Rational> = (0..count).map(|at| Rational::new(at.into(), (count - 1).into())).collect();
        problem(&profiles, |builder| builder.chain(&budget.parse().unwrap()))
    }

    #[test]
    fn chains_reach_the_published_values() {
        for (count, budget, expected) in [
            (6, "0.2", 0.301755295645),
            (6, "0.5", 0.147151776469),
            (6, "1", 0.073575888234),
            (21, "0.2", 0.091969860293),
            (21, "0.5", 0.036787944117),
            (21, "1", 0.018393972059),
        ] {
            let design = smooth_one_bit(&chain(count, budget), Flips::Symmetric).unwrap();
            assert!((design.objective.value - expected).abs() < 1e-11, "{count} {budget}: {}", design.objective.value);
            let gap = design.objective.value - design.solution.family_bound.unwrap();
            assert!((0.0..1e-13).contains(&gap), "proved optimal among symmetric flips: {gap}");
            assert!(design.solution.repair_cost < 1e-12 && design.solution.binding.len() > 1);
            assert!(certify(design.mechanism).is_ok());
        }
    }

    #[test]
    fn a_fair_coin_is_not_flipped_for_the_last_bit_of_a_float() {
        let profiles = ["0", "0.5"].map(|p| parse_rational(p).unwrap());
        let problem = problem(&profiles, |builder| builder.chain(&"1.3".parse().unwrap()));
        let design = smooth_one_bit(&problem, Flips::Symmetric).unwrap();
        assert!(design.objective.value <= cluster(&problem).unwrap().objective.value + 1e-12);
    }

    #[test]
    fn profiles_far_from_the_costly_edge_keep_their_bits() {
        let profiles = ["0", "0.9", "0.5", "0.5", "0.5"].map(|p| parse_rational(p).unwrap());
        let design =
            smooth_one_bit(&problem(&profiles, |builder| builder.chain(&"1".parse().unwrap())), Flips::Symmetric)
                .unwrap();
        let flip = |secret: u32| to_f64(&design.mechanism.channel(secret).probability(0, 1), Direction::Nearest);
        assert!(flip(0) > 0.1 && flip(4) < 1e-12, "the last profile needs no noise but the repair's");
    }

    proptest! {
        #[test]
        fn smooth_is_never_worse_than_cluster_and_certifies(
            hundredths in prop::collection::vec(0i64..=100, 2..8), tenths in 1u32..20, group in any::<bool>(),
        ) {
            let profiles: Vec<Rational> = hundredths.iter().map(|&p| Rational::new(p.into(), 100.into())).collect();
            let budget: Epsilon = format!("{tenths}/10").parse().unwrap();
            let problem = problem(&profiles, |builder| if group { builder.complete(&budget) } else { builder.chain(&budget) });
            let symmetric = smooth_one_bit(&problem, Flips::Symmetric).unwrap();
            let asymmetric = smooth_one_bit(&problem, Flips::Asymmetric).unwrap();
            let cluster = cluster(&problem).unwrap();
            prop_assert!(symmetric.objective.value <= cluster.objective.value + 1e-9);
            prop_assert!(asymmetric.objective.value <= symmetric.objective.value + 1e-9);
            for design in [&symmetric, &asymmetric] {
                let bound = design.solution.family_bound.unwrap_or(design.objective.lower_bound);
                let gap = design.objective.value - bound;
                prop_assert!((-1e-15..1e-9).contains(&gap), "{}", gap);
                prop_assert!(design.solution.repair_cost < 1e-8);
            }
            // What is said of all mechanisms holds for the other family too.
            prop_assert!(symmetric.objective.lower_bound <= asymmetric.objective.value);
            prop_assert!(asymmetric.objective.gap() < 1e-9);
            let any = symmetric.objective.lower_bound;
            prop_assert!((any - asymmetric.objective.value).abs() < 1e-9, "the bound is what any flips reach: {}", any);
            prop_assert!(certify(symmetric.mechanism).is_ok());
            prop_assert!(certify(asymmetric.mechanism).is_ok());
        }
    }
}
