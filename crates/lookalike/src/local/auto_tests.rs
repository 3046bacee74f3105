//! Tests of the choice.

use super::*;
use crate::model::Encoding;
use proptest::prelude::*;

fn categories(size: u32) -> Categories {
    Categories::new((0..size).map(|x| format!("c{x}"))).unwrap()
}

proptest! {
    #[test]
    fn nothing_has_less_variance_than_what_is_chosen(d in 2u32..300, thousandths in 20u32..6_000) {
        let auto = auto(&categories(d), &format!("{thousandths}/1000").parse().unwrap()).unwrap();
        let [chosen] = auto.candidates.iter().filter(|one| one.protocol == auto.protocol).collect::<Vec<_>>()[..] else {
            panic!("one of them")
        };
        prop_assert!(auto.candidates.iter().all(|other| other.variance >= chosen.variance));
        // Sets are optimal, and a set of one has a better name.
        prop_assert!(matches!(auto.protocol, Protocol::KRr | Protocol::Subset), "{:?}", auto.candidates);
        let is_one = matches!(auto.oracle.encoding(), Encoding::Subset { size: 1, .. });
        prop_assert_eq!(is_one, auto.protocol == Protocol::KRr);
    }
}

#[test]
fn the_table_shows_what_a_shorter_report_costs() {
    let auto = auto(&categories(1_000), &"1".parse().unwrap()).unwrap();
    let table: Vec<String> = auto
        .candidates
        .iter()
        .map(|candidate| format!("{} {:.3} {}", candidate.protocol, candidate.variance, candidate.bits))
        .collect();
    let expected = [
        "k-rr 338.940 10",
        "subset 3.673 1000",
        "olh 3.770 15",
        "hadamard 4.683 10",
        "oue 3.683 1000",
        "sue 3.918 1000",
    ];
    assert_eq!(table, expected);
}

#[test]
fn protocols_that_cannot_be_used_are_left_out() {
    // A weight of 2^53/100000 cannot be raised by a part of 1e-13; one of 2^52 can.
    let auto_at = |epsilon: &str| auto(&categories(100_000), &epsilon.parse().unwrap());
    let few = auto_at("1e-13").unwrap();
    assert!(few.candidates.iter().all(|candidate| candidate.protocol != Protocol::KRr), "{:?}", few.candidates);
    assert!(few.candidates.iter().any(|candidate| candidate.protocol == Protocol::Oue), "{:?}", few.candidates);
    assert!(auto_at("1e-20").unwrap_err().to_string().starts_with("k-rr at epsilon = 1/1000"));
    let one = auto(&categories(1), &"1".parse().unwrap()).unwrap_err().to_string();
    assert_eq!(one, "1 category, expected at least 2: there is nothing to hide");
}

#[test]
fn a_hash_report_takes_the_bits_of_its_shortest_form() {
    let (mut all, mut shorter) = (0, 0);
    for size in [2u32, 3, 7, 10, 33, 100, 257, 1_000, 5_000] {
        for epsilon in ["1/10", "1/2", "1", "3/2", "2", "3", "4", "6"].map(|text| text.parse().unwrap()) {
            let Ok(made) = oracle(Protocol::Olh, categories(size), epsilon) else { continue };
            let Encoding::Hash { buckets, .. } = made.encoding() else { panic!("hashes") };
            let functions = u128::from(made.family().unwrap().functions());
            let reports = functions * u128::from(buckets);
            let bits = Candidate::of(Protocol::Olh, &made).bits;
            // Enough for a number of its own for each report, and one bit less is not.
            assert!(
                1u128 << bits >= reports && reports > 1u128 << (bits - 1),
                "{size}: {bits} bits, {reports} reports"
            );
            let apart = |count: u128| u64::from(count.next_power_of_two().trailing_zeros());
            assert!(bits <= apart(functions) + apart(buckets.into()));
            all += 1;
            shorter += u32::from(bits < apart(functions) + apart(buckets.into()));
        }
    }
    assert!(
        all > 50 && shorter > 10,
        "a function and a bucket by themselves take a bit more in {shorter} of {all} cases"
    );
}
