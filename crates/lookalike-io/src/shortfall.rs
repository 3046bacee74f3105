//! Whether a mechanism file claims less than a spec asks for.

use crate::Spec;
use lookalike::design::Secrets;
use lookalike::model::{Kind, Mechanism};

/// The first way in which the mechanism's claim falls short of the spec: other categories, a profile that is missing
/// or other than the spec's, or a pair that is not protected as much. `None` when the claim covers the spec.
///
/// Says nothing about whether the claim is true; that is the certifier's part.
pub fn shortfall(mechanism: &Mechanism, spec: &Spec) -> Option<String> {
    let problem = &spec.problem;
    if mechanism.inputs() != problem.categories() {
        return Some("the categories differ from the spec's".to_owned());
    }
    let (found, asked) = (mechanism.graph().names(), problem.graph().names());
    match problem.secrets() {
        Secrets::Values if mechanism.kind() != Kind::Point => {
            return Some(format!("the kind is {}, and the spec's secrets are values", mechanism.kind()));
        }
        Secrets::Profiles(_) if mechanism.kind() == Kind::Point => {
            return Some("the kind is point, and the spec's secrets are profiles".to_owned());
        }
        Secrets::Profiles(_) if problem.kind() == Kind::Shared && mechanism.kind() == Kind::Aware => {
            return Some("the kind is aware, and the spec asks for a shared channel".to_owned());
        }
        Secrets::Profiles(profiles) => {
            for (name, profile) in asked.iter().zip(profiles.iter()) {
                match found.place(name) {
                    None => return Some(format!("profile {name:?} of the spec is missing")),
                    Some(place) if mechanism.profiles()[place as usize] != *profile => {
                        return Some(format!("profile {name:?} differs from the spec's"));
                    }
                    Some(_) => {}
                }
            }
        }
        Secrets::Values => {}
    }
    let (a, b, epsilon) = mechanism.graph().first_pair_short_of(problem.graph())?;
    Some(format!("edge ({a:?}, {b:?}) is not protected within epsilon {epsilon}, as the spec asks"))
}
