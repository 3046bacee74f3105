//! Whether a mechanism claims less than a spec asks for.

use lookalike::design::Secrets;
use lookalike::model::{Kind, Mechanism};
use lookalike_formats::Spec;

/// The first way in which the mechanism's claim falls short of the spec: other categories, a profile that is missing
/// or other than the spec's, or a pair that is not protected as much. `None` when the claim covers the spec.
///
/// `asker` is what the reader knows the spec as: `spec`, or `graph`. Says nothing about whether the claim is true; that is the certifier's part.
pub fn check_claim_covers(mechanism: &Mechanism, spec: &Spec, asker: &str) -> Option<String> {
    let problem = &spec.problem;
    if mechanism.inputs() != problem.categories() {
        return Some(format!("the categories differ from the {asker}'s"));
    }
    let (found, asked) = (mechanism.graph().names(), problem.graph().names());
    match problem.secrets() {
        Secrets::Values if mechanism.kind() != Kind::Point => {
            return Some(format!("the kind is {}, and the {asker}'s secrets are values", mechanism.kind()));
        }
        Secrets::Profiles(_) if mechanism.kind() == Kind::Point => {
            return Some(format!("the kind is point, and the {asker}'s secrets are profiles"));
        }
        Secrets::Profiles(_) if problem.kind() == Kind::Shared && mechanism.kind() == Kind::Aware => {
            return Some(format!("the kind is aware, and the {asker} asks for a shared channel"));
        }
        Secrets::Profiles(profiles) => {
            for (name, profile) in asked.iter().zip(profiles.iter()) {
                match found.place(name) {
                    None => return Some(format!("profile {name:?} of the {asker} is missing")),
                    Some(place) if mechanism.profiles()[place as usize] != *profile => {
                        return Some(format!("profile {name:?} differs from the {asker}'s"));
                    }
                    Some(_) => {}
                }
            }
        }
        Secrets::Values => {}
    }
    let (a, b, epsilon) = mechanism.graph().first_pair_short_of(problem.graph())?;
    Some(format!("edge ({a:?}, {b:?}) is not protected within epsilon {epsilon}, as the {asker} asks"))
}
