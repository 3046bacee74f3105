//! `lookalike certify`.

mod delta;
mod within;

pub use delta::at_most as delta_at_most;
pub use within::text as within_text;

use crate::Answer;
use crate::geo::of_cells;
use crate::terminal::{Terminal, wrapped};
use lookalike::certify::Certified;
use lookalike::estimate::LimitsBasis;
use lookalike::exact::Epsilon;
use lookalike::model::Mechanism;
use lookalike_engine::{
    CertifyOutcome, CertifyRequest, FalseClaim, ReadFile, note_input, prove_claim, write_atomically,
};
use lookalike_formats::{
    AnyMechanism, Error, LIMITS_REST_ON, MechanismKind, Result, Spec, Stated, json_of, of_kind, promised,
};
use std::path::{Path, PathBuf};

/// Prove the claim of a mechanism file, or show a witness against it
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike certify m.json
  lookalike certify m.json --spec spec.toml    # and that it claims no less than the spec asks
  lookalike certify m.json --profiles-within limits.csv    # and what if the profiles are not quite right
  lookalike certify m.json --delta-at 0.25    # and how much is missing to a smaller epsilon

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
        let mechanism = Stated::read(&self.mechanism)?;
        self.write_script(terminal)?;
        let ground = match &mechanism {
            Stated::Yes(mechanism) => {
                let cells = mechanism.channels().and_then(|file| Some((file.places.as_ref()?, file.mechanism.graph())));
                cells.map(|(grid, graph)| of_cells(grid, graph)).transpose()?
            }
            Stated::No(_) => None,
        };
        let spec = self.spec.as_deref().map(Spec::read).transpose()?;
        let bar = terminal.spinner("certifying");
        let request =
            CertifyRequest { mechanism, spec, profiles_within: self.profiles_within, delta_at: self.delta_at };
        let outcome = request.run().map_err(|error| in_file_if_nowhere(error, &self.mechanism))?;
        bar.finish_and_clear();
        terminal.answer(json_of(&outcome.facts()), || text(&outcome))?;
        if !outcome.is_certified() {
            return Ok(Answer::No);
        }
        if let Some(ground) = ground {
            terminal.note(&format!("The cells have places on the ground: {ground}."));
        }
        Ok(Answer::Yes)
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
}

/// The outcome for people.
fn text(outcome: &CertifyOutcome) -> String {
    let verdict = match &outcome.short_of_spec {
        Some(reason) if outcome.proof.is_proved() => format!("CLAIMS LESS THAN THE SPEC: {reason}\n"),
        _ => {
            let certified = outcome.proof.certified_channels();
            let limits = certified.map(|certified| within_limits(certified, outcome.limits_basis.as_ref()));
            outcome.proof.text() + &limits.unwrap_or_default()
        }
    };
    let Some(mechanism) = outcome.proof.channels() else { return verdict };
    let within = outcome.within.as_ref().map_or_else(String::new, |within| within::text(within, mechanism));
    let delta = outcome.delta.as_ref().map_or_else(String::new, |delta| delta::text(delta, mechanism));
    verdict + &within + &delta
}

/// For profiles within limits: the promise, and what is stated of the limits.
fn within_limits(certified: &Certified<Mechanism>, limits_basis: Option<&LimitsBasis>) -> String {
    if certified.mechanism().limits().is_empty() {
        return String::new();
    }
    let rests = match limits_basis {
        Some(basis) => wrapped(&format!(
            "That the limits hold with {basis} is stated by the file, and not proved. {LIMITS_REST_ON}"
        )),
        None => String::new(),
    };
    wrapped(&format!("Promised: {}.", promised(certified, limits_basis))) + &rests
}

/// An error that has no place of its own is about this file.
pub fn in_file_if_nowhere(error: Error, path: &Path) -> Error {
    if error.has_place() { error } else { error.in_file(path) }
}

/// The file of a mechanism whose claim is true; or the answer no with the witness, in front of which `refusal` says what was not done.
pub fn is_proved(mechanism: AnyMechanism, refusal: &str, terminal: &Terminal) -> Result<bool> {
    of_kind!(mechanism, file => Ok(proved(file.mechanism, refusal, terminal)?.is_some()))
}

/// The mechanism with its proof; or the answer no with the witness, in front of which `refusal` says what was not done.
pub fn proved<M: MechanismKind>(mechanism: M, refusal: &str, terminal: &Terminal) -> Result<Option<Certified<M>>> {
    accepted(prove_claim(mechanism), refusal, terminal)
}

/// What a claim is good for, if it is true; or the answer no with the witness, in front of which `refusal` says what was not done.
pub fn accepted<T>(done: std::result::Result<T, FalseClaim>, refusal: &str, terminal: &Terminal) -> Result<Option<T>> {
    match done {
        Ok(done) => Ok(Some(done)),
        Err(claim) => refuted(&claim, refusal, terminal).map(|_| None),
    }
}

/// The answer no with the witness against a claim, in front of which `refusal` says what was not done.
pub fn refuted(claim: &FalseClaim, refusal: &str, terminal: &Terminal) -> Result<Answer> {
    terminal.warn(&format!("{refusal}, since the mechanism is not private: {}", claim.reason));
    if terminal.json() {
        terminal.answer(json_of(&claim.facts), String::new)?;
    }
    Ok(Answer::No)
}
