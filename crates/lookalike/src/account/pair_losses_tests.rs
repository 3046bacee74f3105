//! Where there are too many classes to go through, a bound takes the place of the worst pair.

use super::*;
use crate::account::Secrets;
use crate::model::Names;

/// A million steps from class to class: everyone alike, and each with the next.
const SECRETS: u32 = 1_100;

fn crowd(everyone: &str, next: &str, last: Option<&str>) -> Guarantee {
    let names = Names::new("profile", (0..SECRETS).map(|at| format!("p{at}"))).unwrap();
    let mut builder = SecretGraph::builder(names);
    builder.complete(&everyone.parse().unwrap());
    for first in 0..SECRETS - 1 {
        builder.group("next", vec![first, first + 1], next.parse().unwrap()).unwrap();
    }
    if let Some(last) = last {
        builder.edge(0, SECRETS - 1, last.parse().unwrap()).unwrap();
    }
    Guarantee::new(Secrets::Laws, Pairs::Graph(builder.build().unwrap())).unwrap()
}

fn worst(guarantees: &[&Guarantee], times: &[u64]) -> (String, Option<(String, String)>, bool) {
    let worst = PairLosses::of(guarantees).unwrap().worst(times);
    (worst.epsilon.to_string(), worst.pair, worst.is_bound)
}

#[test]
fn a_bound_that_a_pair_attains_is_exact() {
    let (one, other) = (crowd("2", "1", None), crowd("1/2", "1/4", None));
    let ends = Some(("p0".to_owned(), format!("p{}", SECRETS - 1)));
    assert_eq!(worst(&[&one], &[3]), ("6".into(), ends.clone(), false));
    assert_eq!(worst(&[&one, &other], &[1, 2]), ("3".into(), ends, false));
}

#[test]
fn the_largest_of_each_release_is_a_bound() {
    // The pair at the ends has an edge of its own, so that the bound is not seen to be attained.
    let (one, other) = (crowd("2", "1", Some("1")), crowd("1/2", "1/4", None));
    assert_eq!(worst(&[&one, &other], &[1, 2]), ("3".into(), None, true));
    // The same edges and groups: for each of them the sum.
    let (one, other) = (crowd("2", "1/4", Some("1/8")), crowd("1/8", "1", Some("1/8")));
    assert_eq!(worst(&[&one, &other], &[1, 1]), ("17/8".into(), None, true), "2 + 1/8, and not 2 + 1");
}
