//! Whether a mechanism claims less than a spec asks for.

use lookalike::design::Secrets;
use lookalike::model::{Kind, Limits, Mechanism};
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
            for (at, (name, profile)) in asked.iter().zip(profiles.iter()).enumerate() {
                let Some(place) = found.place(name) else {
                    return Some(format!("profile {name:?} of the {asker} is missing"));
                };
                let asked = problem.limits().get(at).cloned().unwrap_or_else(|| Limits::of_law(profile));
                match mechanism.limits().get(place as usize) {
                    None if mechanism.profiles()[place as usize] != *profile => {
                        return Some(format!("profile {name:?} differs from the {asker}'s"));
                    }
                    None if !asked.is_point() => {
                        return Some(format!("profile {name:?} is one law, and has limits in the {asker}"));
                    }
                    Some(claimed) if !covers(claimed, &asked) => {
                        return Some(format!("profile {name:?} has narrower limits than in the {asker}"));
                    }
                    _ => {}
                }
            }
        }
        Secrets::Values => {}
    }
    let (a, b, epsilon) = mechanism.graph().first_pair_short_of(problem.graph())?;
    Some(format!("edge ({a:?}, {b:?}) is not protected within epsilon {epsilon}, as the {asker} asks"))
}

/// Whether every law within the second limits is within the first: both are tight.
fn covers(limits: &Limits, others: &Limits) -> bool {
    (0..limits.len()).all(|x| {
        let ([lower, upper], [least, most]) = (limits.ends(x), others.ends(x));
        lower <= least && most <= upper
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::design::{Options, design};
    use lookalike_formats::Alone;

    fn spec(limits: &str) -> Spec {
        let text = "epsilon = 1\ncategories = [\"no\", \"yes\"]\ngraph.shape = \"complete\"\n\
            profiles = { ana = [0.2, 0.8], bo = [0.5, 0.5] }\n";
        Spec::from_toml(&format!("{text}{limits}"), &Alone).unwrap()
    }

    #[test]
    fn a_claim_covers_limits_that_are_as_wide_and_no_wider() {
        let ana = |lower: &str, upper: &str| format!("limits.ana = [[{lower}, {upper}], [0, 1]]\n");
        let designed = |spec: &Spec| design(&spec.problem, &Options::default()).unwrap().mechanism;
        let within = designed(&spec(&ana("0.1", "0.3")));
        for (asked, expected) in [
            (ana("0.1", "0.3"), None),
            (ana("0.15", "0.25"), None),
            (String::new(), None),
            (ana("0.0999", "0.3"), Some("profile \"ana\" has narrower limits than in the spec")),
            (ana("0.1", "0.3001"), Some("profile \"ana\" has narrower limits than in the spec")),
        ] {
            assert_eq!(check_claim_covers(&within, &spec(&asked), "spec").as_deref(), expected, "{asked}");
        }
        let point = designed(&spec(""));
        let found = check_claim_covers(&point, &spec(&ana("0.1", "0.3")), "spec");
        assert_eq!(found.as_deref(), Some("profile \"ana\" is one law, and has limits in the spec"));
    }
}
