//! What `design` says of a mechanism.

use crate::terminal::{count, figure, small, table, wrapped};
use lookalike::design::{Design, MechanismName, Objective};
use lookalike::exact::{Direction, Epsilon, Rational, to_f64};
use lookalike::model::Mechanism;
use lookalike_engine::{DesignOutcome, Reached, utilities};
use lookalike_formats::{LIMITS_REST_ON, largest_epsilon, shown};
use std::path::Path;

/// The design with its proof, what it is compared with, and the file that was written.
pub fn text(outcome: &DesignOutcome, output: Option<&Path>) -> String {
    let (problem, certified) = (&outcome.problem, &outcome.certified);
    let mechanism = certified.mechanism();
    let mut text = format!(
        "{} ({}) for {} over {} categories; {} of {} certified, epsilon at most {}.\n",
        outcome.design.name,
        problem.kind(),
        count(problem.graph().names().len() as u64, "secret"),
        problem.categories().len(),
        count(certified.certificate().pairs(), "pair"),
        mechanism.secrets().word(),
        epsilon_text(largest_epsilon(mechanism)),
    );
    if let Some(reached) = &outcome.reached {
        text += &reached_text(reached);
    }
    text += &profile_table(mechanism, &outcome.baseline.mechanism);
    text += &value(&outcome.design, &outcome.baseline);
    text += &kept(outcome);
    text += &within_limits(outcome);
    text += &reason(&outcome.design);
    match output {
        Some(path) if crate::streams::is_stdout(path) => text,
        Some(path) => text + &format!("Wrote {}.\n", path.display()),
        None => text + "Nothing written: give -o FILE to keep the mechanism.\n",
    }
}

/// The objective beside its baseline and its bounds.
fn value(design: &Design, baseline: &Design) -> String {
    let (objective, solution) = (&design.objective, &design.solution);
    let family = match (design.name, solution.family_bound) {
        (MechanismName::SmoothOneBit, Some(bound)) if bound > objective.lower_bound => {
            format!("; no symmetric flips below {}", figure(bound))
        }
        (_, Some(bound)) if bound > objective.lower_bound => {
            format!("; nothing of its family below {}", figure(bound))
        }
        _ => String::new(),
    };
    format!(
        "{}: {} (local DP {}; nothing can go below {}, gap {}{family})\n",
        objective.name,
        figure(objective.value),
        figure(baseline.objective.value),
        figure(objective.lower_bound),
        small(objective.gap()),
    )
}

/// How much of each category is released unchanged: an average says little of the rare ones, and limits make mechanisms say what is
/// frequent. Nothing for the largest flip of profiles that are known, which bounds it for all.
pub fn kept(outcome: &DesignOutcome) -> String {
    const MOST: usize = 8;
    if outcome.problem.limits().is_empty() && *outcome.problem.objective() == Objective::MaxFlip {
        return String::new();
    }
    let mut kept: Vec<_> = outcome.kept().into_iter().filter_map(|of| Some((of.category, of.kept?))).collect();
    let all = kept.len();
    if all > MOST {
        kept.sort_by(|(_, one), (_, other)| one.total_cmp(other));
        kept.truncate(MOST);
    }
    let few = if all > MOST { format!(" (the {MOST} of {all} of which least is)") } else { String::new() };
    let listed = kept.iter().map(|(name, kept)| format!("{} {:.1} %", shown(name), 100.0 * kept));
    wrapped(&format!("Released unchanged{few}: {}.", listed.collect::<Vec<_>>().join(", ")))
}

/// For profiles within limits: the promise, and what it rests on.
fn within_limits(outcome: &DesignOutcome) -> String {
    if outcome.problem.limits().is_empty() {
        return String::new();
    }
    let rests = outcome.limits_basis.as_ref().map_or_else(String::new, |_| wrapped(LIMITS_REST_ON));
    wrapped(&format!("Promised: {}.", outcome.promised())) + &rests
}

/// Which edges set the value, and how it was found.
fn reason(design: &Design) -> String {
    let (solution, mechanism) = (&design.solution, &design.mechanism);
    let mut text = String::new();
    if let Some(path) = path(&solution.binding, |secret| mechanism.graph().names().name(secret)) {
        let output = solution.binding_output.map(|output| mechanism.outputs().names().name(output));
        let at = output.map_or_else(String::new, |name| format!(" at output {name:?}"));
        text += &format!("Set by the {path}{at}: with less noise neighbours on it could be told apart.\n");
    }
    text += &format!("Found by {}", solution.algorithm);
    if solution.rounds > 1 {
        text += &format!(" in {}", count(solution.rounds.into(), "round"));
    }
    if solution.components > 1 {
        text += &format!(", {} apart", count(solution.components as u64, "component"));
    }
    if solution.repair_cost > 0.0 {
        text += &format!(", made exact at a cost {}", small(solution.repair_cost));
    }
    text + ".\n"
}

/// `edge ana, bo`, `path ana, bo, cleo`; a long path is cut in its middle.
fn path<'a>(secrets: &[u32], name: impl Fn(u32) -> &'a str) -> Option<String> {
    const ENDS: usize = 3;
    let names = |secrets: &[u32]| secrets.iter().map(|&secret| shown(name(secret))).collect::<Vec<_>>().join(", ");
    match secrets {
        [] | [_] => None,
        [_, _] => Some(format!("edge {}", names(secrets))),
        path if path.len() <= 2 * ENDS => Some(format!("path {}", names(path))),
        path => {
            let (first, last) = (names(&path[..ENDS]), names(&path[path.len() - ENDS..]));
            Some(format!("path {first}, …, {last} ({} secrets)", path.len()))
        }
    }
}

fn reached_text(reached: &Reached) -> String {
    let (wanted, epsilon) = (reached.wanted.text(), epsilon_text(&reached.epsilon));
    match reached.one_step_lower {
        Some(_) => format!("Epsilon {epsilon} is the smallest, to a millionth of itself, for {wanted}.\n"),
        None => format!("Every epsilon from {epsilon} on reaches this: {wanted}.\n"),
    }
}

/// The shorter exact text of ε.
fn epsilon_text(epsilon: &Epsilon) -> String {
    let (exact, decimal) = (epsilon.to_string(), decimal_text(epsilon));
    if decimal.len() < exact.len() { decimal } else { exact }
}

/// ε as a decimal where it is one of few digits, else exactly.
pub fn decimal_text(epsilon: &Epsilon) -> String {
    let decimal = epsilon.to_f64().to_string();
    let is_exact = decimal.parse().is_ok_and(|parsed: Epsilon| parsed == *epsilon);
    if is_exact { decimal } else { epsilon.to_string() }
}

/// The nearest double.
pub fn nearest(value: &Rational) -> f64 {
    to_f64(value, Direction::Nearest)
}

/// Each secret's figures beside those of randomized response, which is what local DP would cost.
fn profile_table(mechanism: &Mechanism, baseline: &Mechanism) -> String {
    let rows = mechanism.graph().names().iter().zip(utilities(mechanism).zip(utilities(baseline)));
    let cells = rows.map(|(name, (ours, theirs))| {
        let figures = [&ours.keep_probability, &theirs.keep_probability, &ours.expected_error, &theirs.expected_error];
        std::iter::once(name.to_owned()).chain(figures.map(|value| figure(nearest(value)))).collect()
    });
    table(&["secret", "kept", "kept by local DP", "error", "error of local DP"], cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_paths_are_cut_in_their_middle() {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let shown = |count: u32| path(&(0..count).collect::<Vec<_>>(), |secret| names[secret as usize]);
        assert_eq!((shown(0), shown(1)), (None, None));
        assert_eq!(shown(2).unwrap(), "edge a, b");
        assert_eq!(shown(6).unwrap(), "path a, b, c, d, e, f");
        assert_eq!(shown(8).unwrap(), "path a, b, c, …, f, g, h (8 secrets)");
    }

    #[test]
    fn epsilons_are_shown_as_the_shorter_exact_text() {
        for (text, shown) in
            [("0.5", "1/2"), ("1.098613", "1.098613"), ("1/3", "1/3"), ("ln(9)", "2*ln(3)"), ("2", "2")]
        {
            assert_eq!(epsilon_text(&text.parse().unwrap()), shown);
        }
        assert_eq!(decimal_text(&"1/20".parse().unwrap()), "0.05");
        assert_eq!(decimal_text(&"ln(3)".parse().unwrap()), "ln(3)");
    }
}
