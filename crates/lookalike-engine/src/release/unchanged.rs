//! A release in which every value came out as it was.

use super::privatize::Privatized;
use lookalike::model::{Kind, Mechanism};

/// Why a release that changed no value keeps its promise all the same; `None` where a value was changed, or where what is
/// released cannot be compared with what was true.
///
/// For the terminal alone: that nothing was changed, and for which profiles, is about the private records.
pub fn no_value_changed(done: &Privatized, mechanism: &Mechanism) -> Option<String> {
    if !done.kept_all_codes || done.rows == 0 || mechanism.inputs() != mechanism.outputs() {
        return None;
    }
    let keeps = |secret: u32| keeps_values(mechanism, secret);
    let secrets = 0..mechanism.graph().names().len() as u32;
    let of_rows: Vec<u32> = match mechanism.kind() {
        Kind::Aware => done.profile_rows.profiles().collect(),
        _ => secrets.clone().collect(),
    };
    let why = if secrets.into_iter().all(keeps) {
        "the profiles that must look alike do so within epsilon as they are, so the mechanism keeps every value. The promise \
         holds if the profiles are right"
    } else if of_rows.into_iter().all(keeps) {
        "for the profiles of these rows the mechanism keeps every value, since it is the others that it makes look like \
         them. The promise holds if the profiles are right"
    } else {
        "by chance, since the mechanism changes some values with a probability that is not 0. The promise is about these \
         probabilities, and holds whatever was drawn"
    };
    Some(format!("No value was changed: {why}."))
}

/// Whether every value that the secret can have is released as it is.
fn keeps_values(mechanism: &Mechanism, secret: u32) -> bool {
    let channel = mechanism.channel(secret);
    if channel.is_identity() {
        return true;
    }
    let law = mechanism.input_law(secret);
    let is_possible = |value: &usize| law.numerator(*value) != Default::default();
    (0..mechanism.inputs().len()).filter(is_possible).all(|value| channel.weight(value, value) == channel.scale())
}

#[cfg(test)]
mod tests {
    use super::super::profile_rows::ProfileRows;
    use super::super::row_order::RowOrder;
    use super::*;
    use lookalike::design::{Problem, design};
    use lookalike::model::{Categories, Distribution, Names, SecretGraph};

    fn mechanism(epsilon: &str) -> Mechanism {
        let law = |yes: i64| {
            let share = |n: i64| lookalike::exact::Rational::new(n.into(), 10.into());
            Distribution::new(&[share(10 - yes), share(yes)]).unwrap()
        };
        let mut builder = SecretGraph::builder(Names::new("profile", ["ana", "bo", "cleo"]).unwrap());
        builder.edge(0, 1, epsilon.parse().unwrap()).unwrap();
        let graph = builder.build().unwrap();
        let categories = Categories::new(["no", "yes"]).unwrap();
        let problem = Problem::profiles(categories, graph, vec![law(2), law(3), law(9)]).unwrap();
        design(&problem, &Default::default()).unwrap().mechanism
    }

    fn done(profiles: &[u32]) -> Privatized {
        let mut profile_rows = ProfileRows::default();
        profile_rows.see(profiles);
        let rows = profiles.len() as u64;
        Privatized {
            rows,
            rows_read: rows,
            order: RowOrder::default(),
            profile_rows,
            kept_all_codes: true,
            restoring: Vec::new(),
        }
    }

    #[test]
    fn profiles_that_are_alike_enough_need_no_noise() {
        // 3/10 is 3/2 times 2/10, and e is more.
        let line = no_value_changed(&done(&[0, 1]), &mechanism("1")).unwrap();
        assert!(line.starts_with("No value was changed: the profiles that must look alike do so"), "{line}");
    }

    #[test]
    fn chance_and_the_profiles_of_the_rows_are_told_apart() {
        let noisy = mechanism("1/10");
        let line = |profiles: &[u32]| no_value_changed(&done(profiles), &noisy).unwrap();
        assert!(line(&[2, 2]).contains("for the profiles of these rows"), "no edge protects the third");
        assert!(line(&[0, 1, 2]).contains("by chance"));
        let changed = Privatized { kept_all_codes: false, ..done(&[0]) };
        assert_eq!((no_value_changed(&changed, &noisy), no_value_changed(&done(&[]), &noisy)), (None, None));
    }
}
