//! `lookalike design`.

use crate::Answer;
use crate::streams::is_stdout;
use crate::terminal::{Terminal, count, figure, print, table};
use lookalike::certify::{Certified, certify};
use lookalike::design::{MechanismName, Problem, design, randomized_response};
use lookalike::exact::{Direction, Rational, to_f64};
use lookalike::model::{Mechanism, Utility};
use lookalike_io::{
    Error, MechanismFile, Result, Spec, certificate_json, largest_epsilon, objective_json, write_atomically,
};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Design the mechanism of a spec, prove it, and write it to a file
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike design spec.toml -o m.json
  lookalike design spec.toml --mechanism k-rr -o baseline.json
  lookalike design spec.toml --json | jq .objective")]
pub struct Design {
    /// The spec, TOML or JSON
    spec: PathBuf,
    /// The mechanism file to write; - for standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// k-rr, two-profile, one-bit-cluster, cluster or smooth-one-bit; by default the best closed form
    #[arg(long, value_name = "NAME")]
    mechanism: Option<MechanismName>,
}

impl Design {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let to_stdout = self.output.as_deref().is_some_and(is_stdout);
        if terminal.json() && to_stdout {
            return Err(Error::input("--json and -o -: both would go to standard output"));
        }
        let spec = Spec::read(&self.spec)?;
        for name in &spec.unprotected {
            terminal.warn(&format!("profile {name:?} has no edge and is released unchanged"));
        }
        let bar = terminal.spinner("designing");
        let proposal = design(&spec.problem, self.mechanism).map_err(|error| Error::from(error).in_file(&self.spec))?;
        let baseline = randomized_response(&spec.problem)?;
        bar.set_message("certifying");
        let certified = certify(proposal.mechanism.clone()).map_err(|violation| {
            Error::input(format!("the designed mechanism does not certify, which is a bug to report: {violation}"))
        })?;
        bar.finish_and_clear();
        let (name, objective) = (proposal.name, proposal.objective.clone());
        if let Some(path) = &self.output {
            let file = MechanismFile::new(proposal, &certified).to_json();
            if to_stdout { print(&file)? } else { write_atomically(path, terminal.force(), file.as_bytes())? }
        }
        let mechanism = certified.mechanism();
        let rows = utilities(mechanism);
        let baseline_rows = utilities(&baseline.mechanism);
        let epsilon = largest_epsilon(mechanism);
        let object = json!({
            "mechanism": name.name(),
            "kind": mechanism.kind().name(),
            "epsilon": epsilon.to_f64(),
            "epsilon_text": epsilon.to_string(),
            "objective": objective_json(&objective),
            "baseline": { "name": baseline.name.name(), "value": baseline.objective.value },
            "profiles": profiles_json(mechanism, &rows),
            "certificate": certificate_json(mechanism, certified.certificate()),
            "unprotected": spec.unprotected,
            "file": self.output.as_ref().map(|path| path.display().to_string()),
        });
        let text = || {
            let mut text = describe(&spec.problem, &certified, name, epsilon.to_string());
            text += &profile_table(mechanism, &rows, &baseline_rows);
            text += &format!(
                "{}: {} (local DP {}; nothing can go below {})\n",
                objective.name,
                figure(objective.value),
                figure(baseline.objective.value),
                figure(objective.lower_bound)
            );
            text + &match &self.output {
                Some(_) if to_stdout => String::new(),
                Some(path) => format!("Wrote {}.\n", path.display()),
                None => "Nothing written: give -o FILE to keep the mechanism.\n".to_owned(),
            }
        };
        if to_stdout {
            terminal.note(text().trim_end())
        } else {
            terminal.answer(object, text)?
        }
        Ok(Answer::Yes)
    }
}

fn utilities(mechanism: &Mechanism) -> Vec<Utility> {
    let secrets = 0..mechanism.graph().names().len() as u32;
    secrets.map(|secret| Utility::of(&mechanism.input_law(secret), mechanism.channel(secret))).collect()
}

fn nearest(value: &Rational) -> f64 {
    to_f64(value, Direction::Nearest)
}

fn profiles_json(mechanism: &Mechanism, rows: &[Utility]) -> Vec<Value> {
    let row = |(secret, (name, utility)): (usize, (&str, &Utility))| {
        let law = mechanism.output_law(secret as u32);
        json!({
            "name": name,
            "keep_probability": nearest(&utility.keep_probability),
            "expected_error": nearest(&utility.expected_error),
            "max_flip": nearest(&utility.max_flip),
            "output": law.probabilities().map(|p| nearest(&p)).collect::<Vec<_>>(),
        })
    };
    mechanism.graph().names().iter().zip(rows).enumerate().map(row).collect()
}

fn describe(problem: &Problem, certified: &Certified<Mechanism>, name: MechanismName, epsilon: String) -> String {
    format!(
        "{} ({}) for {} over {} categories; {} certified, epsilon at most {epsilon}.\n",
        name,
        problem.kind(),
        count(problem.graph().names().len() as u64, "secret"),
        problem.categories().len(),
        count(certified.certificate().pairs(), "pair"),
    )
}

/// Each secret's figures beside those of randomized response, which is what local DP would cost.
fn profile_table(mechanism: &Mechanism, rows: &[Utility], baseline: &[Utility]) -> String {
    let cells = mechanism.graph().names().iter().zip(rows.iter().zip(baseline)).map(|(name, (ours, theirs))| {
        let figures = [&ours.keep_probability, &theirs.keep_probability, &ours.expected_error, &theirs.expected_error];
        std::iter::once(name.to_owned()).chain(figures.map(|value| figure(nearest(value)))).collect()
    });
    table(&["secret", "kept", "kept by local DP", "error", "error of local DP"], cells)
}
