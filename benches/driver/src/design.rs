//! Times designs. Seconds are the processor's, of all threads: a side has one core, and what else the machine does
//! must not count.

use crate::{Failure, Flags, problem};
use lookalike::certify::certify;
use lookalike::design::{
    Design, MechanismName, Objective, ObjectiveValue, Options, Problem, Progress, Solution, Solver, Watch, design,
};
use lookalike_instances::{Channels, Instance, all};
use rustix::time::{ClockId, clock_gettime};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

/// From the problem in memory to a certified mechanism: the best of the repetitions, with its parts and the answer.
pub fn run(flags: &Flags) -> Result<(), Failure> {
    let problem = read(flags, flags.text("epsilon")?)?;
    let mut best: Option<Timed> = None;
    for _ in 0..flags.number("repetitions")? {
        let found = Timed::design(&problem, flags.number("mechanism")?, None)?;
        best = Some(best.filter(|best| best.seconds() <= found.seconds()).unwrap_or(found));
    }
    let best = best.ok_or("no repetition")?;
    best.check_gap(flags.number("gap")?)?;
    best.report(problem.profile_laws().len());
    Ok(())
}

/// Seconds up to which a design is made again, and how often at most: the least time counts.
const SHORT: f64 = 0.05;
const MOST_TIMES: usize = 5;

/// Designs the instances of the set whose names hold a text, every so manieth, and prints each with what was found, a line each;
/// those with more entries of channels than asked for by name alone, and those without a mechanism with the reason.
pub fn sweep(flags: &Flags) -> Result<(), Failure> {
    let (text, step, most) = (flags.text("name")?, flags.number("every")?, flags.number::<usize>("most")?);
    let solver = match flags.text("solver")? {
        "default" => None,
        "interior-point" => Some(Solver::InteriorPoint),
        "clarabel" => Some(Solver::Clarabel),
        other => return Err(format!("solver {other:?}, expected default, interior-point or clarabel").into()),
    };
    for instance in all().iter().filter(|instance| instance.name.contains(text)).step_by(step) {
        let channels = if instance.channels == Channels::Aware { instance.profiles.len() } else { 1 };
        if channels * instance.categories.pow(2) > most {
            println!("{{\"name\": {:?}, \"is_larger\": true}}", instance.name);
            continue;
        }
        match Timed::best(&instance.problem()?, solver) {
            Ok(found) => println!("{{{}, {}}}", described(instance), found.fields()),
            Err(failure) => {
                println!("{{\"name\": {:?}, \"failure\": {:?}}}", instance.name, failure.to_string())
            }
        }
    }
    Ok(())
}

/// What an instance is, for another solver.
fn described(instance: &Instance) -> String {
    let edges: Vec<String> = instance.edges.iter().map(|(a, b, epsilon)| format!("[{a}, {b}, {epsilon}]")).collect();
    let groups: Vec<String> =
        instance.groups.iter().map(|(members, epsilon)| format!("[{members:?}, {epsilon}]")).collect();
    [
        format!("\"name\": {:?}, \"channels\": {:?}", instance.name, instance.channels.name()),
        format!("\"objective\": {:?}, \"categories\": {}", instance.objective.name(), instance.categories),
        format!("\"profiles\": {:?}, \"prior\": {:?}", instance.profiles, instance.prior),
        format!("\"edges\": [{}], \"groups\": [{}]", edges.join(", "), groups.join(", ")),
    ]
    .join(", ")
}

fn read(flags: &Flags, epsilon: &str) -> Result<Problem, Failure> {
    let (folder, categories) = (Path::new(flags.text("folder")?), flags.number("categories")?);
    problem::read(folder, categories, &epsilon.parse()?, flags.text("objective")?)
}

/// What a design says of itself, and the seconds of its parts.
struct Timed {
    objective: ObjectiveValue,
    solution: Solution,
    parts: BTreeMap<&'static str, f64>,
    /// The expected error, which the second stage chooses by.
    error: f64,
}

impl Timed {
    fn design(problem: &Problem, name: MechanismName, solver: Option<Solver>) -> Result<Self, Failure> {
        let stages = Mutex::new(Stages::new());
        let entered = |progress: Progress| stages.lock().expect("no panic in here").enter(progress.stage);
        let watch = Watch::default().on_progress(&entered);
        let watch = solver.map_or(watch, |solver| watch.by(solver));
        let Design { mechanism, objective, solution, .. } =
            design(problem, &Options { watch, ..Options::named(name) })?;
        let mut stages = stages.into_inner().expect("no panic in there");
        // Moved, since a copy of the mechanism would count in time and memory.
        stages.enter("certify");
        let certified = certify(mechanism)?;
        let parts = stages.ended();
        let error = Objective::ExpectedError.value(problem, certified.mechanism());
        Ok(Timed { objective, solution, parts, error })
    }

    /// The shortest of a few repetitions where one is short.
    fn best(problem: &Problem, solver: Option<Solver>) -> Result<Self, Failure> {
        let again = || Timed::design(problem, MechanismName::SmoothCategorical, solver);
        let mut best = again()?;
        let mut sum = best.seconds();
        for _ in 1..MOST_TIMES {
            if sum > SHORT {
                break;
            }
            let found = again()?;
            sum += found.seconds();
            best = if found.seconds() < best.seconds() { found } else { best };
        }
        Ok(best)
    }

    fn fields(&self) -> String {
        let parts: Vec<String> = self.parts.iter().map(|(name, seconds)| format!("{name:?}: {seconds:e}")).collect();
        [
            format!("\"seconds\": {:e}, \"value\": {:e}", self.seconds(), self.objective.value),
            format!("\"bound\": {:e}, \"error\": {:e}", self.bound(), self.error),
            format!("\"rule\": {:?}, \"parts\": {{{}}}", self.solution.tie_break.unwrap_or_default(), parts.join(", ")),
        ]
        .join(", ")
    }

    fn seconds(&self) -> f64 {
        self.parts.values().sum()
    }

    fn part(&self, names: &[&str]) -> f64 {
        names.iter().filter_map(|name| self.parts.get(name)).sum()
    }

    /// The bound over the mechanisms of the same family: for symmetric flips it is better than that over all.
    fn bound(&self) -> f64 {
        self.solution.family_bound.unwrap_or(self.objective.lower_bound)
    }

    fn check_gap(&self, most: f64) -> Result<(), Failure> {
        let (value, bound) = (self.objective.value, self.bound());
        if value - bound <= most * value {
            return Ok(());
        }
        Err(format!("value {value:e} and bound {bound:e} are further apart than {most:e} of the value").into())
    }

    fn report(&self, records: usize) {
        let part = |(name, seconds): (&&str, &f64)| format!("\"{}_seconds\": {seconds:e}", name.replace(' ', "_"));
        let solution = &self.solution;
        let fields = [
            format!("\"records\": {records}, \"seconds\": {:e}", self.seconds()),
            format!("\"first_stage_seconds\": {:e}", self.seconds() - self.part(&["second stage"])),
            format!("\"proof_seconds\": {:e}", self.part(&["repair", "certify"])),
            self.parts.iter().map(part).collect::<Vec<_>>().join(", "),
            format!("\"value\": {:e}, \"bound\": {:e}", self.objective.value, self.bound()),
            format!("\"algorithm\": \"{}\", \"rounds\": {}", solution.algorithm, solution.rounds),
            format!("\"repair_cost\": {:e}", solution.repair_cost),
        ];
        println!("{{{}}}", fields.join(", "));
    }
}

/// The seconds between reports of progress, by the stage that was reported last.
struct Stages {
    now: &'static str,
    since: f64,
    seconds: BTreeMap<&'static str, f64>,
}

impl Stages {
    fn new() -> Self {
        Stages { now: "designing", since: processor_seconds(), seconds: BTreeMap::new() }
    }

    fn enter(&mut self, stage: &'static str) {
        let now = processor_seconds();
        *self.seconds.entry(self.now).or_default() += now - self.since;
        (self.now, self.since) = (stage, now);
    }

    fn ended(mut self) -> BTreeMap<&'static str, f64> {
        self.enter("");
        self.seconds
    }
}

/// The seconds that the process has computed for, on all cores.
pub fn processor_seconds() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}
