//! Histograms of sequences of states with a fitted chain: quilts against group privacy.

use crate::experiment::{Chart, Finding, Outcome};
use crate::sequences::{Group, Sequences};
use crate::table::{Cell, Table};
use lookalike::certify::certify;
use lookalike::exact::{Direction, Epsilon, Rational, to_f64};
use lookalike::model::Noise;
use lookalike::pufferfish::{Calibration, Chain, Initial, Transitions, approximate, exact, group_scale};
use lookalike::sample::{NoiseSampler, RandomKey};
use lookalike_formats::{Error, Result};
use lookalike_report::plot::{Axis, LineChart, Series, Style};

const EPSILONS: [&str; 3] = ["0.2", "1", "5"];
const NAMES: [&str; 3] = ["exact", "approximate", "group_dp"];
const LABELS: [&str; 3] = ["exact quilts", "approximate quilts", "group DP"];
/// A node that changes its state moves two counts by one each.
const LIPSCHITZ: u32 = 2;
/// How often each histogram is drawn, and from which seed.
const REPETITIONS: usize = 100;
const SEED: u64 = 1;
/// Draws are near their expectation within so many standard deviations.
const NEAR: f64 = 6.0;

/// What the activities of older people show.
pub(crate) fn activity(sequences: &Sequences) -> Result<Outcome> {
    let data = "Older people who sit, lie and walk in two rooms, each trial a few minutes long: what they do every 10 seconds. A \
                minute without a reading begins a new sequence. A group is those of one room and sex.";
    outcome(sequences, data, "Readings come at irregular moments: every 10 seconds the last one counts.")
}

/// What the electricity use of a home shows.
pub(crate) fn electricity(sequences: &Sequences) -> Result<Outcome> {
    let data = "The mean power that a home uses in each hour of a winter, in 51 levels of 200 W.";
    let open = "The paper has a power reading each minute for years; here are the hours of one winter. The change of clocks in \
                March is no gap.";
    outcome(sequences, data, open)
}

/// What the days of one person show.
pub(crate) fn ordonez(sequences: &Sequences) -> Result<Outcome> {
    let data = "What one person does in each minute of two weeks: sleeps, eats, watches television and so on. An hour in which \
                nothing is recorded begins a new sequence.";
    let open = "An activity counts until the next begins. Three of the ends in the file lie before their start and are left out.";
    outcome(sequences, data, open)
}

/// One group at one ε.
struct Release<'a> {
    group: &'a Group,
    epsilon: &'static str,
    /// The exact search's.
    calibration: Calibration,
    /// In the order of [`NAMES`]; none where it does not apply.
    noisy: [Option<Noisy>; NAMES.len()],
}

/// A noisy histogram: its distance in L1 from the true one, as shares.
struct Noisy {
    scale: Rational,
    expected: f64,
    drawn: Rational,
    /// How many standard deviations all draws together are off.
    z: f64,
}

/// The draws of an experiment: no random word is used twice.
struct Draws {
    key: RandomKey,
    next: u64,
}

fn outcome(sequences: &Sequences, data: &str, open: &str) -> Result<Outcome> {
    let mut draws = Draws { key: RandomKey::from_seed(SEED), next: 0 };
    let mut releases = Vec::new();
    for group in &sequences.groups {
        let chain = fitted(group, sequences.states.len()).map_err(|error| error.at(&group.name))?;
        for epsilon in EPSILONS {
            releases.push(Release::of(group, &chain, epsilon, &mut draws).map_err(|error| error.at(&group.name))?);
        }
    }
    let kinds = sequences.states.len();
    Ok(Outcome {
        caption: format!(
            "{data} The share of each of the {kinds} states is released, and the state at each moment is the secret. The chain is \
             fitted from the group's own sequences, with one step more from each state, spread over all states, and starts from \
             its stationary law. Sequences have nothing to do with one another, so that the longest decides. Noise of scale 2σ, \
             certified, is added to each count. Shown is the distance of the shares from the true ones, summed over the states: \
             expected by the law of the noise, and the mean of {REPETITIONS} draws, seeded with {SEED}. No two histograms are \
             further apart than 2, so that an error near that tells nothing."
        ),
        table: table(&releases),
        highlights: highlights(&releases),
        charts: sequences.groups.iter().enumerate().map(|(at, group)| chart(&releases, group, at == 0)).collect(),
        findings: findings(&releases),
        open: vec![
            open.into(),
            "ε holds for the chain as it is given; that it was fitted from the data themselves is not covered.".into(),
        ],
    })
}

/// The chain of a group; without a step more some states would never be left.
fn fitted(group: &Group, states: usize) -> Result<Chain> {
    let smoothing = Rational::new(1.into(), states.into());
    Ok(Transitions::count(states, &group.sequences)?.chain(Initial::Stationary, &smoothing)?)
}

impl<'a> Release<'a> {
    fn of(group: &'a Group, chain: &Chain, epsilon: &'static str, draws: &mut Draws) -> Result<Release<'a>> {
        let (theta, budget): (_, Epsilon) = (std::slice::from_ref(chain), epsilon.parse()?);
        // A node of a shorter sequence has all quilts of its like in a longer one, or better ones.
        let longest = group.longest() as u64;
        let calibration = exact(theta, longest, &budget)?;
        let by_gap = match approximate(theta, longest, &budget) {
            Err(error) if error.is_inapplicable() => None,
            found => Some(found?.scale),
        };
        let counts = group.counts(chain.states());
        let scales = [Some(calibration.scale.clone()), by_gap, Some(group_scale(longest, &budget)?)];
        let [exact, by_gap, whole] =
            scales.map(|scale| scale.map(|scale| Noisy::of(scale, &counts, draws)).transpose());
        Ok(Release { group, epsilon, calibration, noisy: [exact?, by_gap?, whole?] })
    }

    fn scale(&self, mechanism: usize) -> Option<&Rational> {
        self.noisy[mechanism].as_ref().map(|noisy| &noisy.scale)
    }

    /// `8 before and 10 after`.
    fn quilt(&self) -> String {
        let quilt = self.calibration.quilt;
        let sides = [(quilt.left, "before"), (quilt.right, "after")];
        let sides: Vec<String> =
            sides.into_iter().filter_map(|(distance, side)| Some(format!("{} {side}", distance?))).collect();
        if sides.is_empty() { "none: the whole sequence".into() } else { sides.join(" and ") }
    }
}

impl Noisy {
    fn of(scale: Rational, counts: &[i64], draws: &mut Draws) -> Result<Noisy> {
        let nodes = counts.iter().sum::<i64>();
        let noise = Noise::for_epsilon(Epsilon::rational(scale.recip())?, Rational::from_integer(LIPSCHITZ.into()), 0)?;
        let certified = certify(noise).map_err(|violation| {
            Error::input(format!("noise of an experiment does not certify, which is a bug to report: {violation}"))
        })?;
        let decay = certified.mechanism().decay().to_f64();
        // Of whole-number noise that decays by e^−d a step: E|X| = 1/sinh d and E X² = 1/(2 sinh²(d/2)).
        let (mean, square) = (1.0 / decay.sinh(), 0.5 / (decay / 2.0).sinh().powi(2));
        let total = draws.distance(&NoiseSampler::new(&certified), counts)?;
        let terms = (counts.len() * REPETITIONS) as f64;
        let z = (total as f64 - terms * mean) / (terms * (square - mean * mean)).sqrt();
        let drawn = Rational::new(total.into(), (nodes as u64 * REPETITIONS as u64).into());
        Ok(Noisy { scale, expected: counts.len() as f64 * mean / nodes as f64, drawn, z })
    }

    fn expected(&self) -> Cell {
        Rational::from_float(self.expected).map_or_else(|| Cell::from("-"), Cell::from)
    }
}

impl Draws {
    /// The sum of |released − true| over all counts and repetitions.
    fn distance(&mut self, sampler: &NoiseSampler, counts: &[i64]) -> Result<u64> {
        let all = counts.repeat(REPETITIONS);
        let mut released = vec![0; all.len()];
        sampler.add(&self.key, self.next, &all, &mut released)?;
        self.next += all.len() as u64;
        Ok(all.iter().zip(&released).map(|(count, released)| count.abs_diff(*released)).sum())
    }
}

fn table(releases: &[Release<'_>]) -> Table {
    let start = ["group", "nodes", "sequences", "longest", "epsilon"].map(str::to_owned);
    let scales = NAMES.map(|name| format!("sigma_{name}"));
    let drawn = NAMES.map(|name| format!("{name}_drawn"));
    let end = ["node", "quilt"].map(str::to_owned);
    let columns = start.into_iter().chain(scales).chain(NAMES.map(str::to_owned)).chain(drawn).chain(end);
    let mut table = Table::new(columns);
    for release in releases {
        let mut cells = start_of(release);
        let each = |cell: &dyn Fn(&Noisy) -> Cell| -> Vec<Cell> {
            release.noisy.iter().map(|noisy| noisy.as_ref().map_or_else(|| Cell::from("-"), cell)).collect()
        };
        cells.extend(each(&|noisy| Cell::from(&noisy.scale)));
        cells.extend(each(&Noisy::expected));
        cells.extend(each(&|noisy| Cell::from(&noisy.drawn)));
        cells.extend([Cell::from(release.calibration.node.to_string()), release.quilt().into()]);
        table.row(cells);
    }
    table
}

fn start_of(release: &Release<'_>) -> Vec<Cell> {
    let Release { group, epsilon, .. } = release;
    let sizes = [group.nodes(), group.sequences.len(), group.longest()].map(|size| Cell::from(size.to_string()));
    [Cell::from(group.name.as_str())].into_iter().chain(sizes).chain([Cell::from(*epsilon)]).collect()
}

fn highlights(releases: &[Release<'_>]) -> Table {
    let start = ["L1 error of", "nodes", "sequences", "longest", "epsilon"];
    let mut table = Table::new(start.into_iter().chain(LABELS));
    for release in releases {
        let errors = release.noisy.iter().map(|noisy| noisy.as_ref().map_or_else(|| Cell::from("-"), Noisy::expected));
        table.row(start_of(release).into_iter().chain(errors));
    }
    table
}

fn chart(releases: &[Release<'_>], group: &Group, is_first: bool) -> Chart {
    let here = || releases.iter().filter(|release| release.group.name == group.name);
    let styles = [Style::Ours, Style::Plain(0), Style::Baseline];
    let line = |(mechanism, style): (usize, Style)| Series {
        name: LABELS[mechanism].into(),
        points: here()
            .filter_map(|release| Some((release.epsilon.parse().ok()?, release.noisy[mechanism].as_ref()?.expected)))
            .collect(),
        style,
    };
    let chart = LineChart {
        title: format!("{}: error of the histogram", group.name),
        x: Axis::new("ε").logarithmic(),
        y: Axis::new("expected L1 error of the shares").logarithmic(),
        series: styles.into_iter().enumerate().map(line).collect(),
        marks: Vec::new(),
    };
    let suffix = if is_first { String::new() } else { group.name.replace(' ', "-") };
    Chart { suffix, chart: chart.into() }
}

fn findings(releases: &[Release<'_>]) -> Vec<Finding> {
    let all = releases.len();
    let count = |holds: &dyn Fn(&Release<'_>) -> bool| releases.iter().filter(|release| holds(release)).count();
    let ordered = count(&|release| {
        let by_gap = release.scale(1).or(release.scale(2));
        release.scale(0) <= by_gap && by_gap <= release.scale(2)
    });
    let gain = |release: &Release<'_>, mechanism: usize| {
        let ratio = release.scale(2).and_then(|group| Some(group / release.scale(mechanism)?));
        ratio.map_or(1.0, |ratio| to_f64(&ratio, Direction::Nearest))
    };
    let most = |mechanism: usize| releases.iter().map(|release| gain(release, mechanism)).fold(1.0, f64::max);
    let less = [0, 1].map(|mechanism| count(&|release| release.scale(mechanism) < release.scale(2)));
    vec![
        Finding {
            statement: "The exact search errs no more than the approximate bound, and that no more than group DP."
                .into(),
            holds: ordered == all,
            evidence: format!("{ordered} of {all} releases"),
        },
        Finding {
            statement: "Quilts err less than group DP.".into(),
            holds: less[0] == all,
            evidence: format!(
                "the exact search in {} of {all} releases, by a factor of up to {:.2}; the approximate bound in {}, up to {:.2}{}",
                less[0],
                most(0),
                less[1],
                most(1),
                if less[0] < all { "; in the others every sequence is too short for a quilt" } else { "" }
            ),
        },
        draws(releases),
    ]
}

/// The check of all draws: an expectation or a sampler that is wrong does not pass.
fn draws(releases: &[Release<'_>]) -> Finding {
    let drawn = || releases.iter().flat_map(|release| release.noisy.iter().flatten());
    let all = drawn().count();
    let near = drawn().filter(|noisy| noisy.z.abs() < NEAR).count();
    let farthest = drawn().map(|noisy| noisy.z.abs()).fold(0.0, f64::max);
    Finding {
        statement: "Histograms that are drawn err as much as is expected.".into(),
        holds: near == all,
        evidence: format!("{near} of {all} within {NEAR} standard deviations; the farthest is {farthest:.1} off"),
    }
}
