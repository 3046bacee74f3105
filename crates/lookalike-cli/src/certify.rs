//! `lookalike certify`.

mod closed_form;
mod delta;
mod within;

pub use closed_form::of_oracle as oracle_text;
pub use delta::at_most as delta_at_most;

use crate::Answer;
use crate::geo::of_cells;
use crate::terminal::{Terminal, count};
use lookalike::certify::{Achieved, Certificate, Certified, Violation, certify, delta_at};
use lookalike::exact::Epsilon;
use lookalike::model::Mechanism;
use lookalike_engine::{ReadFile, Refuted, note_input, write_atomically};
use lookalike_formats::{AnyMechanism, Error, Proof, Result, Spec, Stated};
use serde_json::{Value, json};
use std::path::PathBuf;
use within::Within;

/// Prove the claim of a mechanism file, or show a witness against it
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike certify m.json
  lookalike certify m.json --spec spec.toml    # and that it claims no less than the spec asks
  lookalike certify m.json --profiles-within limits.csv    # and what if the profiles are not quite right
  lookalike certify m.json --delta-at 0.25    # and how much is missing to a smaller epsilon
  lookalike certify m.json --script verify.py && python3 verify.py m.json    # and again, without this program

Exit code 1 when the claim is false, with a witness, or when the proof that the file of a chain carries does not show it.")]
pub struct Certify {
    /// The mechanism file
    mechanism: PathBuf,
    /// Also fail when the file claims less than this spec asks for
    #[arg(long, value_name = "SPEC")]
    spec: Option<PathBuf>,
    /// Also say the worst epsilon if every profile may lie anywhere within its limits, as `fit --limits` writes them
    #[arg(long, value_name = "LIMITS")]
    profiles_within: Option<PathBuf>,
    /// Also say the least delta with which every pair is (E, delta)-indistinguishable; E is above 0, like 0.25 or ln(2)
    #[arg(long, value_name = "E")]
    delta_at: Option<Epsilon>,
    /// Also write a script of plain Python that proves claims without this program
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
}

/// The second verifier, which shares no code with this one.
const VERIFIER: &str = include_str!("certify/verify.py");

impl Certify {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let stated = Stated::read(&self.mechanism)?;
        self.write_script(terminal)?;
        let mechanism = match stated {
            Stated::Yes(mechanism) => mechanism,
            Stated::No(file) => {
                self.refuse_options("noise")?;
                return closed_form::unstated(file.mechanism, terminal);
            }
        };
        match mechanism {
            AnyMechanism::Finite(file) => {
                let ground = file.places.as_ref().map(|grid| of_cells(grid, file.mechanism.graph())).transpose()?;
                let answer = self.finite(file.mechanism, terminal)?;
                if let (Some(ground), Answer::Yes) = (ground, &answer) {
                    terminal.note(&format!("The cells have places on the ground: {ground}."));
                }
                Ok(answer)
            }
            other => {
                self.refuse_options(other.kind_name())?;
                closed_form::answer(other, terminal)
            }
        }
    }

    /// Whatever the answer will be: the script is there to be asked, too.
    fn write_script(&self, terminal: &Terminal) -> Result<()> {
        let Some(path) = &self.script else { return Ok(()) };
        [Some(&self.mechanism), self.spec.as_ref(), self.profiles_within.as_ref()]
            .into_iter()
            .flatten()
            .for_each(|input| note_input(input));
        write_atomically(path, terminal.force(), VERIFIER.as_bytes())?;
        let (script, mechanism) = (path.display(), self.mechanism.display());
        terminal.note(&format!("Wrote {script}: python3 {script} {mechanism} proves the claim without this program."));
        Ok(())
    }

    /// Options that only channels between categories have.
    fn refuse_options(&self, kind: &str) -> Result<()> {
        let options = [
            ("--spec", self.spec.is_some()),
            ("--profiles-within", self.profiles_within.is_some()),
            ("--delta-at", self.delta_at.is_some()),
        ];
        match options.iter().find(|(_, given)| *given) {
            None => Ok(()),
            Some((option, _)) => Err(Error::input(format!(
                "{option} is about channels between categories, and this file is of the kind {kind}"
            ))
            .in_file(&self.mechanism)),
        }
    }

    fn finite(&self, mechanism: Mechanism, terminal: &Terminal) -> Result<Answer> {
        let spec = self.spec.as_deref().map(Spec::read).transpose()?;
        let shortfall = spec.and_then(|spec| lookalike_engine::shortfall(&mechanism, &spec, "spec"));
        let bar = terminal.spinner("certifying");
        let verdict = certify(mechanism.clone());
        let within = self.profiles_within.as_deref().map(|path| Within::of(&mechanism, path)).transpose()?;
        let delta = self.delta_at.as_ref().map(|epsilon| delta_at(&mechanism, epsilon)).transpose();
        let delta = delta.map_err(|error| Error::from(error).at("--delta-at"))?;
        bar.finish_and_clear();
        let mut object = match &verdict {
            Ok(certified) => facts_json(mechanism.facts(certified.certificate()), shortfall.as_deref()),
            Err(violation) => refusal_json(&mechanism, violation),
        };
        let certified = verdict.is_ok() && shortfall.is_none();
        if let Some(within) = &within {
            object["within"] = within.json(&mechanism);
        }
        if let Some(delta) = &delta {
            object["delta"] = delta::json(delta, &mechanism);
        }
        terminal.answer(object, || {
            let verdict = match (&verdict, &shortfall) {
                (Err(violation), _) => format!("NOT PRIVATE: {violation}\n"),
                (Ok(_), Some(shortfall)) => format!("CLAIMS LESS THAN THE SPEC: {shortfall}\n"),
                (Ok(certified), None) => certified_text(&mechanism, certified.certificate()),
            };
            let within = within.map_or_else(String::new, |within| within.text(&mechanism));
            verdict + &within + &delta.map_or_else(String::new, |delta| delta::text(&delta, &mechanism))
        })?;
        Ok(if certified { Answer::Yes } else { Answer::No })
    }
}

/// The mechanism with its proof; or the answer no with the witness, in front of which `refusal` says what was not done.
pub fn proved<M: Proof>(mechanism: M, refusal: &str, terminal: &Terminal) -> Result<Option<Certified<M>>> {
    match mechanism.clone().prove() {
        Ok(certified) => Ok(Some(certified)),
        Err(violation) => refuted(&Refuted { mechanism, violation }, refusal, terminal).map(|_| None),
    }
}

/// The answer no with the witness against a claim, in front of which `refusal` says what was not done.
pub fn refuted<M: Proof>(found: &Refuted<M>, refusal: &str, terminal: &Terminal) -> Result<Answer> {
    let Refuted { mechanism, violation } = found;
    terminal.warn(&format!("{refusal}, since the mechanism is not private: {violation}"));
    if terminal.json() {
        let object = refusal_json(mechanism, violation);
        terminal.answer(object, String::new)?;
    }
    Ok(Answer::No)
}

/// The answer for machines when a claim is false.
fn refusal_json<M: Proof>(mechanism: &M, violation: &Violation<M::Certificate>) -> Value {
    let mut object = facts_json(mechanism.facts(violation.certificate()), Some(&violation.to_string()));
    if let Some(witness) = object["witness"].as_object_mut() {
        witness.extend(mechanism.witness(violation.certificate()));
    }
    object
}

/// The facts, and whether they are a proof of what was asked for.
fn facts_json(facts: Value, against: Option<&str>) -> Value {
    let mut object = json!({ "certified": against.is_none() });
    if let (Some(object), Value::Object(facts)) = (object.as_object_mut(), facts) {
        object.extend(facts);
    }
    if let Some(reason) = against {
        object["witness"] = json!({ "reason": reason });
    }
    object
}

/// The proof of a finite mechanism for people.
pub fn certified_text(mechanism: &Mechanism, certificate: &Certificate) -> String {
    let worst = certificate.worst();
    let names = worst.secrets().map(|secret| mechanism.graph().names().name(secret));
    let achieved = match worst.achieved() {
        Achieved::Infinite => "infinite".to_owned(),
        Achieved::Within(interval) => closed_form::at_most(&interval),
    };
    format!(
        "Certified: {} of {} within {}.\nTightest: {:?} against {:?} at output {:?}, true epsilon {achieved} of {} claimed.\n",
        count(certificate.pairs(), "pair"),
        mechanism.secrets().word(),
        if mechanism.graph().epsilons().len() == 1 {
            format!("epsilon {}", worst.claimed())
        } else {
            "their own epsilon".to_owned()
        },
        names[0],
        names[1],
        mechanism.outputs().names().name(worst.output()),
        worst.claimed(),
    )
}
