//! What files and `--json` say about a design and its proof.

use super::MechanismFile;
use super::impossible_values::impossible_values_json;
use lookalike::certify::{
    Achieved, Certificate, Certified, ClosedForm, OracleCertificate, PlanarForm, Provable, Violation, certify,
    certify_noise, certify_oracle, certify_planar,
};
use lookalike::design::Design;
use lookalike::exact::{Direction, Epsilon, Interval, to_f64};
use lookalike::model::{Mechanism, MomentsProof, Noise, Oracle, PlanarNoise, Secrets};
use serde_json::{Map, Value, json};

/// A kind of mechanism with the one function that proves it, and the facts of its proof for machines.
pub trait Proof: Provable + Clone {
    /// The mechanism with its proof, or the witness against its claim.
    ///
    /// # Errors
    /// A claim that is false.
    fn prove(self) -> Result<Certified<Self>, Violation<Self::Certificate>>;

    /// The facts: at least `epsilon`, with `claimed`, `claimed_text`, and the true value between `lower` and `upper`.
    fn facts(&self, certificate: &Self::Certificate) -> Value;

    /// What shows that a claim is false, beside the reason in words: nothing where there is no pair to point at.
    fn witness(&self, _certificate: &Self::Certificate) -> Map<String, Value> {
        Map::new()
    }
}

impl Proof for Mechanism {
    fn prove(self) -> Result<Certified<Self>, Violation<Certificate>> {
        certify(self)
    }

    fn facts(&self, certificate: &Certificate) -> Value {
        certificate_json(self, certificate)
    }

    /// The `edge`, the `output` and their `ratio`, perhaps null for infinite.
    fn witness(&self, certificate: &Certificate) -> Map<String, Value> {
        let (worst, facts) = (certificate.worst(), certificate_json(self, certificate));
        let ratio = worst.ratio().map(|ratio| ratio.to_string());
        let entry = |(key, value): (&str, Value)| (key.to_owned(), value);
        [
            ("edge", facts["worst"]["edge"].clone()),
            ("output", facts["worst"]["output"].clone()),
            ("ratio", ratio.into()),
        ]
        .map(entry)
        .into_iter()
        .collect()
    }
}

impl Proof for Oracle {
    fn prove(self) -> Result<Certified<Self>, Violation<OracleCertificate>> {
        certify_oracle(self)
    }

    /// With `proof`: the exact law of so many reports, or the closed form.
    fn facts(&self, certificate: &OracleCertificate) -> Value {
        json!({
            "secrets": Secrets::Values.word(),
            "epsilon": epsilon_json(certificate.claimed(), certificate.achieved().as_ref()),
            "proof": certificate.proof().to_string(),
        })
    }
}

impl Proof for Noise {
    fn prove(self) -> Result<Certified<Self>, Violation<ClosedForm>> {
        certify_noise(self)
    }

    /// With `proof`: the closed form, or what proves it for moments of a chain; the most `steps` between neighbours and the `decay` of each.
    fn facts(&self, certificate: &ClosedForm) -> Value {
        let achieved = certificate.achieved().map(|epsilon| epsilon.enclose(60));
        let mut epsilon = epsilon_json(certificate.claimed(), achieved.as_ref());
        if self.moments().is_some() {
            // What a proof shows about moments is an upper bound.
            epsilon["lower"] = Value::Null;
        }
        json!({
            "secrets": self.secrets().word(),
            "epsilon": epsilon,
            "proof": self.moments().map_or("closed form", |moments| match moments.proof() {
                MomentsProof::Contraction => "contraction",
                MomentsProof::Quilts(_) => "quilts",
            }),
            "steps": certificate.steps().to_string(),
            "decay": certificate.decay().to_string(),
        })
    }
}

impl Proof for PlanarNoise {
    fn prove(self) -> Result<Certified<Self>, Violation<PlanarForm>> {
        certify_planar(self)
    }

    /// A metre, with `proof`, always the closed form, the `stretch` of the projection and the `resolution` in metres.
    fn facts(&self, certificate: &PlanarForm) -> Value {
        let achieved = certificate.achieved().map(|epsilon| epsilon.enclose(80));
        json!({
            "secrets": Secrets::Places.word(),
            "epsilon": epsilon_json(certificate.claimed(), achieved.as_ref()),
            "per": "metre",
            "proof": "closed form",
            "stretch": to_f64(certificate.stretch(), Direction::Up),
            "resolution": to_f64(certificate.resolution(), Direction::Up),
        })
    }
}

impl<M: Proof> MechanismFile<M> {
    /// The file of a mechanism that has been certified, without an objective.
    pub fn of_certified(name: &str, certified: &Certified<M>) -> MechanismFile<M> {
        let mechanism = certified.mechanism().clone();
        let certificate = Some(mechanism.facts(certified.certificate()));
        MechanismFile { name: Some(name.to_owned()), certificate, ..MechanismFile::of(mechanism) }
    }
}

impl MechanismFile {
    /// The file of a design that has been certified.
    pub fn new(design: Design, certified: &Certified<Mechanism>) -> MechanismFile {
        MechanismFile {
            name: Some(design.name.to_string()),
            places: None,
            objective: Some(objective_json(&design)),
            certificate: Some(certificate_json(&design.mechanism, certified.certificate())),
            mechanism: design.mechanism,
        }
    }
}

/// `name`, `value`, `lower_bound`, `gap`, and what chose among equally good mechanisms: `tie_break`, perhaps null.
pub fn objective_json(design: &Design) -> Value {
    let objective = &design.objective;
    json!({
        "name": objective.name,
        "value": objective.value,
        "lower_bound": objective.lower_bound,
        "gap": objective.gap(),
        "tie_break": design.solution.tie_break,
    })
}

/// `algorithm`, `rounds`, `components`, `binding` (the `profiles` by name and the `output`, perhaps null, that set the
/// optimum), `repair_cost` and, where there is one, `family_bound`.
pub fn solution_json(design: &Design) -> Map<String, Value> {
    let (solution, mechanism) = (&design.solution, &design.mechanism);
    let name = |&secret: &u32| mechanism.graph().names().name(secret);
    let output = solution.binding_output.map(|output| mechanism.outputs().names().name(output));
    let mut object = Map::new();
    object.insert("algorithm".into(), solution.algorithm.name().into());
    object.insert("rounds".into(), solution.rounds.into());
    object.insert("components".into(), solution.components.into());
    let profiles: Vec<&str> = solution.binding.iter().map(name).collect();
    object.insert("binding".into(), json!({ "profiles": profiles, "output": output }));
    object.insert("repair_cost".into(), solution.repair_cost.into());
    if let Some(bound) = solution.family_bound {
        object.insert("family_bound".into(), bound.into());
    }
    object.insert("impossible_values".into(), impossible_values_json(mechanism));
    object
}

/// `secrets` in a word, `epsilon` of the worst edge (`claimed`, its exact text, and the true value between `lower` and `upper`, which is
/// null when infinite), `worst` edge and output, and the number of `edges`.
///
/// The bounds are doubles rounded outward.
pub fn certificate_json(mechanism: &Mechanism, certificate: &Certificate) -> Value {
    let worst = certificate.worst();
    let achieved = match worst.achieved() {
        Achieved::Infinite => None,
        Achieved::Within(interval) => Some(interval),
    };
    let names = mechanism.graph().names();
    json!({
        "secrets": mechanism.secrets().word(),
        "epsilon": epsilon_json(worst.claimed(), achieved.as_ref()),
        "worst": {
            "edge": worst.secrets().map(|secret| names.name(secret)),
            "output": mechanism.outputs().names().name(worst.output()),
        },
        "edges": certificate.pairs(),
    })
}

/// What is claimed, and what is true; null where that is infinite.
fn epsilon_json(claimed: &Epsilon, achieved: Option<&Interval>) -> Value {
    let end = |end: Option<f64>| end.map_or(Value::Null, Value::from);
    json!({
        "claimed": claimed.to_f64(),
        "claimed_text": claimed.to_string(),
        "lower": end(achieved.map(|interval| to_f64(&interval.lower().to_rational(), Direction::Down).max(0.0))),
        "upper": end(achieved.map(|interval| to_f64(&interval.upper().to_rational(), Direction::Up))),
    })
}
