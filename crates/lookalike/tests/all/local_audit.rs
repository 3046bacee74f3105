//! Every oracle is attacked through its real sampler: nothing is found at its ε, and a claim of 0.9 ε is found false.
//!
//! The reports are shown to the attack as texts. Bounds hold with probability 1 − 10⁻⁶ each; seeds are fixed.
//! LOOKALIKE_DRAWS sets another number of draws.

use lookalike::audit::{Audit, Options, Pair, Text, audit, draws};
use lookalike::certify::certify;
use lookalike::exact::{Direction, to_f64};
use lookalike::local::{Protocol, oracle};
use lookalike::model::Categories;
use lookalike::sample::{OracleSampler, RandomKey};

const EPSILON: &str = "1";

fn budget() -> u64 {
    std::env::var("LOOKALIKE_DRAWS").map_or(400_000, |text| text.parse().expect("a number of draws"))
}

/// Attacks two pairs of categories, with this part of the certified ε as the claim.
fn attacked(protocol: Protocol, part: f64) -> Audit {
    // Few categories, so that the worst reports are frequent and the whole of ε can be seen; enough for sets of two.
    let size = if protocol == Protocol::Subset { 8 } else { 3 };
    let categories = Categories::new((0..size).map(|x| format!("c{x}"))).unwrap();
    let certified = certify(oracle(protocol, categories, EPSILON.parse().unwrap()).unwrap()).unwrap();
    let achieved = certified.certificate().achieved().unwrap();
    let claimed = Some(part * to_f64(&achieved.upper().to_rational(), Direction::Up));
    let pairs = [1, size - 1].map(|other| Pair { secrets: [0, other], claimed });
    let sampler = OracleSampler::new(&certified);
    let source = draws(&[], |run, first, secrets: &[u32], outputs: &mut [Text]| {
        let key = RandomKey::from_seed(100 + 2 * protocol as u64 + run as u64);
        let reports = sampler.privatize(&key, first, secrets)?;
        for (output, report) in outputs.iter_mut().zip(reports.iter()) {
            *output = Text::new(&certified.mechanism().text(report));
        }
        Ok(())
    });
    audit(&pairs, &source, &Options { draws: budget(), confidence: 1.0 - 1e-6, ..Options::default() }).unwrap()
}

#[test]
fn nothing_is_found_at_epsilon_and_nine_tenths_of_it_is_found_false() {
    for protocol in Protocol::ALL {
        let honest = attacked(protocol, 1.0);
        let worst = honest.worst();
        println!("{protocol}: at least {:.4} of {:.4}; {}", worst.bound, worst.claimed.unwrap(), worst.event);
        assert!(honest.tests.iter().all(|test| !test.is_evidence()), "{protocol}: {honest:?}");
        let lie = attacked(protocol, 0.9);
        assert!(lie.worst().is_evidence(), "{protocol}: {:?}", lie.worst());
    }
}
