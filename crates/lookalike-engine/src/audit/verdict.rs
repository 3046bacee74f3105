//! What follows from the tests of an audit, and which of them says it.

use super::proof::Proofs;
use lookalike::audit::{Audit, Family, Test};

/// What an audit says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing was claimed.
    NoClaim,
    /// A bound is above its claim.
    AgainstClaim,
    /// The output of one call tells the secret of another one: noise is not fresh, whatever ε is.
    AgainstFreshNoise,
    /// A bound is within its claim and above what is proved: what was drawn from is not what was proved.
    AgainstProof,
    /// No bound is above its claim or its proof. Nothing follows.
    Nothing,
}

impl Verdict {
    /// The verdict on an audit, and the number of the test that speaks for the whole: [`Audit::worst`], or for evidence
    /// against the proof the test that is most above it.
    ///
    /// Every test is held against the proof of its own pair: one that exceeds it may lie far below its claim. A proof
    /// says nothing of what one call tells of another.
    pub fn of(audit: &Audit, proofs: Option<&Proofs>) -> (Self, usize) {
        let worst = audit.worst();
        let speaks = |test: &Test| audit.tests.iter().position(|other| std::ptr::eq(test, other)).expect("it is one");
        let excess = |test: &Test| match proofs {
            Some(proofs) if test.family != Family::Carried => proofs.excess(test),
            _ => f64::NEG_INFINITY,
        };
        let above = audit.tests.iter().rev().max_by(|one, other| excess(one).total_cmp(&excess(other)));
        match (worst.claimed, above.filter(|test| excess(test) > 0.0)) {
            (None, _) => (Verdict::NoClaim, speaks(worst)),
            (Some(_), _) if worst.is_evidence() && worst.family == Family::Carried => {
                (Verdict::AgainstFreshNoise, speaks(worst))
            }
            (Some(_), _) if worst.is_evidence() => (Verdict::AgainstClaim, speaks(worst)),
            (Some(_), Some(above)) => (Verdict::AgainstProof, speaks(above)),
            (Some(_), None) => (Verdict::Nothing, speaks(worst)),
        }
    }

    /// Whether something is wrong.
    pub fn is_evidence(self) -> bool {
        matches!(self, Verdict::AgainstClaim | Verdict::AgainstFreshNoise | Verdict::AgainstProof)
    }

    /// As `lookalike audit --json` prints it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::NoClaim => "no claim",
            Verdict::AgainstClaim => "evidence against",
            Verdict::AgainstFreshNoise => "evidence against fresh noise",
            Verdict::AgainstProof => "evidence against the proof",
            Verdict::Nothing => "no evidence against",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::audit::Seen;
    use lookalike::model::{Categories, Channel, Mechanism, SecretGraph, TOTAL};

    /// Three secrets: `a` and `b` at ln 3 with a claim of 2, `b` and `c` alike with a claim of 1.
    fn mechanism() -> Mechanism {
        let (secrets, bits) = (Categories::new(["a", "b", "c"]).unwrap(), Categories::new(["no", "yes"]).unwrap());
        let mut builder = SecretGraph::builder(secrets.names().clone());
        builder.edge(0, 1, "2".parse().unwrap()).unwrap();
        builder.edge(1, 2, "1".parse().unwrap()).unwrap();
        let (more, less) = (3 * (TOTAL / 4), TOTAL / 4);
        let rows = vec![vec![more, less], vec![less, more], vec![less, more]];
        Mechanism::point(secrets, bits, builder.build().unwrap(), Channel::rows(rows).unwrap()).unwrap()
    }

    fn verdict(tests: &[([u32; 2], f64, Option<f64>)]) -> (Verdict, usize) {
        let test = |&(secrets, bound, claimed): &([u32; 2], f64, Option<f64>)| Test {
            // Only what one call tells of another is claimed to be nothing.
            family: if claimed == Some(0.0) { Family::Carried } else { Family::Single },
            secrets,
            event: String::new(),
            seen: [Seen { hits: 1, draws: 1 }; 2],
            bound,
            claimed,
        };
        let tests = tests.iter().map(test).collect();
        let audit = Audit { tests, chosen_on: 2, tested_on: 2, confidence: 0.999 };
        let proofs = Proofs::new(&mechanism(), &audit.tests).unwrap();
        assert!(!Verdict::of(&audit, None).0.is_evidence() || audit.worst().is_evidence());
        Verdict::of(&audit, Some(&proofs))
    }

    #[test]
    fn every_test_is_held_against_the_proof_of_its_own_pair() {
        let (ab, bc) = (|bound| ([1, 0], bound, Some(2.0)), |bound| ([1, 2], bound, Some(1.0)));
        assert_eq!(verdict(&[ab(1.09), bc(0.0)]), (Verdict::Nothing, 0));
        // The second is nearer to its claim, and the first above what is proved.
        assert_eq!(verdict(&[ab(1.1), bc(0.0)]), (Verdict::AgainstProof, 0));
        // The first is nearer to its claim; b and c are alike, so any bound above 0 is wrong.
        assert_eq!(verdict(&[ab(1.09), bc(0.01)]), (Verdict::AgainstProof, 1));
        assert_eq!(verdict(&[ab(1.2), bc(0.2)]), (Verdict::AgainstProof, 1), "the one that is further above");
        assert_eq!(verdict(&[bc(0.2), bc(0.2)]), (Verdict::AgainstProof, 0), "the first of equals");
        assert_eq!(verdict(&[bc(0.9), ab(2.1)]), (Verdict::AgainstClaim, 1), "a false claim is said first");
        assert_eq!(verdict(&[([0, 1], 9.0, None)]), (Verdict::NoClaim, 0));
    }

    #[test]
    fn what_one_call_tells_of_another_is_evidence_of_its_own() {
        let (ab, carried) = (|bound| ([1, 0], bound, Some(2.0)), |bound| ([1, 0], bound, Some(0.0)));
        assert_eq!(
            verdict(&[ab(1.0), carried(0.0)]),
            (Verdict::Nothing, 0),
            "a bound of 0 does not speak for the whole"
        );
        assert_eq!(verdict(&[ab(1.0), carried(0.01)]), (Verdict::AgainstFreshNoise, 1));
        assert_eq!(verdict(&[ab(1.0), carried(1.5)]), (Verdict::AgainstFreshNoise, 1), "and not against the proof");
        assert_eq!(verdict(&[carried(1.5), ab(2.1)]), (Verdict::AgainstClaim, 1), "a false claim is said first");
    }
}
