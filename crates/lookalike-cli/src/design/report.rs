//! What `design` says of a mechanism.

use crate::terminal::{count, figure, small, table};
use lookalike::certify::Certified;
use lookalike::design::{Design, EpsilonFor, MechanismName, Problem};
use lookalike::exact::{Direction, Epsilon, Rational, to_f64};
use lookalike::model::{Mechanism, Utility};
use lookalike_engine::Wanted;
use lookalike_formats::{certificate_json, largest_epsilon, objective_json, shown, solution_json};
use serde_json::{Value, json};
use std::path::Path;

/// A design with its proof and what it is compared with.
pub struct Report<'a> {
    pub problem: &'a Problem,
    pub design: &'a Design,
    /// Randomized response: what local DP would cost.
    pub baseline: &'a Design,
    pub certified: &'a Certified<Mechanism>,
    /// What was wanted and the ε found for it.
    pub reached: Option<&'a Reached>,
    pub unprotected: &'a [String],
    /// The file that was written.
    pub output: Option<&'a Path>,
}

/// What was wanted and the smallest ε that reaches it.
pub struct Reached {
    pub wanted: Wanted,
    pub epsilon: Epsilon,
    /// What was measured there.
    pub value: f64,
    /// The value one step lower, which is too much; `None` at the smallest ε that is tried.
    pub one_step_lower: Option<f64>,
}

impl Report<'_> {
    /// For machines.
    pub fn json(&self) -> Value {
        let mechanism = self.certified.mechanism();
        let epsilon = largest_epsilon(mechanism);
        let mut object = json!({
            "mechanism": self.design.name.name(),
            "kind": mechanism.kind().name(),
            "epsilon": epsilon.to_f64(),
            "epsilon_text": epsilon.to_string(),
            "objective": objective_json(self.design),
            "baseline": { "name": self.baseline.name.name(), "value": self.baseline.objective.value },
            "profiles": profiles_json(mechanism),
            "certificate": certificate_json(mechanism, self.certified.certificate()),
            "unprotected": self.unprotected,
            "file": self.output.map(|path| path.display().to_string()),
        });
        let fields = object.as_object_mut().expect("an object as written above");
        fields.extend(solution_json(self.design));
        if let Some(reached) = self.reached {
            fields.insert("epsilon_for".into(), reached.json());
        }
        object
    }

    /// For people.
    pub fn text(&self) -> String {
        let mechanism = self.certified.mechanism();
        let mut text = format!(
            "{} ({}) for {} over {} categories; {} of {} certified, epsilon at most {}.\n",
            self.design.name,
            self.problem.kind(),
            count(self.problem.graph().names().len() as u64, "secret"),
            self.problem.categories().len(),
            count(self.certified.certificate().pairs(), "pair"),
            mechanism.secrets().word(),
            epsilon_text(largest_epsilon(mechanism)),
        );
        if let Some(reached) = self.reached {
            text += &reached.text();
        }
        text += &profile_table(mechanism, &self.baseline.mechanism);
        text += &self.value();
        text += &self.reason();
        match self.output {
            Some(path) if crate::streams::is_stdout(path) => text,
            Some(path) => text + &format!("Wrote {}.\n", path.display()),
            None => text + "Nothing written: give -o FILE to keep the mechanism.\n",
        }
    }

    /// The objective beside its baseline and its bounds.
    fn value(&self) -> String {
        let (objective, solution) = (&self.design.objective, &self.design.solution);
        let family = match (self.design.name, solution.family_bound) {
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
            figure(self.baseline.objective.value),
            figure(objective.lower_bound),
            small(objective.gap()),
        )
    }

    /// Which edges set the value, and how it was found.
    fn reason(&self) -> String {
        let (solution, mechanism) = (&self.design.solution, &self.design.mechanism);
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
            text += &format!(", repaired at a cost {}", small(solution.repair_cost));
        }
        text + ".\n"
    }
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

impl Reached {
    fn json(&self) -> Value {
        let mut object = json!({
            "objective": self.wanted.name(),
            "at_most": nearest(self.wanted.most()),
            "value": self.value,
            "relative_resolution": EpsilonFor::RESOLUTION,
            "one_step_lower": self.one_step_lower,
        });
        if let Wanted::Width { reports, confidence, .. } = &self.wanted {
            object["reports"] = (*reports).into();
            object["confidence"] = confidence.level.into();
        }
        object
    }

    fn text(&self) -> String {
        let (wanted, epsilon) = (self.wanted.text(), epsilon_text(&self.epsilon));
        match self.one_step_lower {
            Some(_) => format!("Epsilon {epsilon} is the smallest, to a millionth of itself, for {wanted}.\n"),
            None => format!("Every epsilon from {epsilon} on reaches this: {wanted}.\n"),
        }
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

/// Each secret's figures.
pub fn utilities(mechanism: &Mechanism) -> impl ExactSizeIterator<Item = Utility> + '_ {
    let secrets = 0..mechanism.graph().names().len() as u32;
    secrets.map(|secret| Utility::of(&mechanism.input_law(secret), mechanism.channel(secret)))
}

/// The nearest double.
pub fn nearest(value: &Rational) -> f64 {
    to_f64(value, Direction::Nearest)
}

fn profiles_json(mechanism: &Mechanism) -> Vec<Value> {
    let row = |(secret, (name, utility)): (usize, (&str, Utility))| {
        let law = mechanism.output_law(secret as u32);
        json!({
            "name": name,
            "keep_probability": nearest(&utility.keep_probability),
            "expected_error": nearest(&utility.expected_error),
            "max_flip": nearest(&utility.max_flip),
            "output": law.probabilities().map(|p| nearest(&p)).collect::<Vec<_>>(),
        })
    };
    mechanism.graph().names().iter().zip(utilities(mechanism)).enumerate().map(row).collect()
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
