//! `lookalike certify`.

use crate::Answer;
use crate::terminal::{Terminal, count};
use lookalike::certify::{Achieved, Certificate, certify};
use lookalike::exact::{Direction, to_f64};
use lookalike::model::Mechanism;
use lookalike_io::{MechanismFile, Result, Spec, certificate_json};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Prove the claim of a mechanism file, or show a witness against it
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike certify m.json
  lookalike certify m.json --spec spec.toml    # and that it claims no less than the spec asks

Exit code 1 with a witness when the claim is false.")]
pub struct Certify {
    /// The mechanism file
    mechanism: PathBuf,
    /// Also fail when the file claims less than this spec asks for
    #[arg(long, value_name = "SPEC")]
    spec: Option<PathBuf>,
}

impl Certify {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let mechanism = MechanismFile::read(&self.mechanism)?.mechanism;
        let spec = self.spec.as_deref().map(Spec::read).transpose()?;
        let shortfall = spec.and_then(|spec| lookalike_io::shortfall(&mechanism, &spec));
        let bar = terminal.spinner("certifying");
        let verdict = certify(mechanism.clone());
        bar.finish_and_clear();
        let (certificate, witness) = match &verdict {
            Ok(certified) => (certified.certificate(), None),
            Err(violation) => (violation.certificate(), Some(violation.to_string())),
        };
        let certified = witness.is_none() && shortfall.is_none();
        let mut object = json!({ "certified": certified });
        if let (Some(object), Value::Object(facts)) =
            (object.as_object_mut(), certificate_json(&mechanism, certificate))
        {
            object.extend(facts);
        }
        if let Some(reason) = witness.as_ref().or(shortfall.as_ref()) {
            object["witness"] = json!({ "reason": reason });
        }
        if let (Some(_), worst) = (&witness, certificate.worst()) {
            object["witness"]["edge"] = object["worst"]["edge"].clone();
            object["witness"]["output"] = object["worst"]["output"].clone();
            object["witness"]["ratio"] = worst.ratio().map(|ratio| ratio.to_string()).into();
        }
        terminal.answer(object, || match (&witness, &shortfall) {
            (Some(witness), _) => format!("NOT PRIVATE: {witness}\n"),
            (None, Some(shortfall)) => format!("CLAIMS LESS THAN THE SPEC: {shortfall}\n"),
            (None, None) => certified_text(&mechanism, certificate),
        })?;
        Ok(if certified { Answer::Yes } else { Answer::No })
    }
}

fn certified_text(mechanism: &Mechanism, certificate: &Certificate) -> String {
    let worst = certificate.worst();
    let names = worst.secrets().map(|secret| mechanism.graph().names().name(secret));
    let achieved = match worst.achieved() {
        Achieved::Infinite => "infinite".to_owned(),
        Achieved::Within(interval) => {
            format!("at most {:.12}", to_f64(&interval.upper().to_rational(), Direction::Up))
        }
    };
    format!(
        "Certified: {} within {}.\nTightest: {:?} against {:?} at output {:?}, true epsilon {achieved} of {} claimed.\n",
        count(certificate.pairs(), "pair"),
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
