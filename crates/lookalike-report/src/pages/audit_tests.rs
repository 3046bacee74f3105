//! The section says what the numbers say, and no more.

use super::super::tests::{chain, check, page};
use super::*;
use lookalike::audit::{Audit, Family};

/// An attack on `chain(3)`, which claims ε = 1.
fn attack(bound: f64, certified: Option<f64>) -> AuditFigures {
    let test = |bound: f64, event: &str| Test {
        family: Family::Single,
        secrets: [1, 0],
        event: event.into(),
        seen: [Seen { hits: 900, draws: 1_000 }, Seen { hits: 500, draws: 1_000 }],
        bound,
        claimed: Some(1.0),
    };
    AuditFigures {
        audit: Audit {
            tests: vec![test(0.0, "the output is \"a\""), test(bound, "the output is \"b\"")],
            chosen_on: 2_000,
            tested_on: 1_000_000,
            confidence: 0.999,
        },
        worst: 1,
        certified,
        pairs: [1, 2],
        source: AuditSource::Program,
        seed: Some(7),
    }
}

fn text(figures: &AuditFigures) -> String {
    let mechanism = chain(3);
    let text = page(&mechanism, &mechanism, &[], Some(figures));
    check(&text);
    let section = text.split("<h2>The attack</h2>").nth(1).expect("the section is there");
    section.split("</section>").next().unwrap().to_owned()
}

#[track_caller]
fn says(section: &str, parts: &[&str]) {
    for part in parts {
        assert!(section.contains(part), "expected {part:?} in {section}");
    }
}

#[test]
fn a_page_without_an_attack_has_no_section() {
    let mechanism = chain(3);
    assert!(!page(&mechanism, &mechanism, &[], None).contains("The attack"));
}

#[test]
fn a_bound_within_the_claim_is_no_evidence_and_never_called_private() {
    let section = text(&attack(0.123_456, Some(0.2)));
    says(
        &section,
        &[
            "<strong>No evidence against the claim. </strong>",
            "with a confidence of 99.9 %, that the ε of <bdi>u1</bdi> and <bdi>u0</bdi> is at least <strong>0.1234</strong>.",
            "<strong>A low bound proves nothing: </strong>",
            "1 of 2 pairs were attacked. The seed was 7.",
            "certified: at most 0.2</text>",
            "claimed: 1</text>",
            "the truth is somewhere here: 0.1234 to 0.2</text>",
            "<small>the event: <bdi>the output is &quot;b&quot;</bdi></small>",
            "1,000,000 to test<small>and 2,000 to choose what to test",
            "<td class=\"number\">900 of 1,000</td><td class=\"number\">500 of 1,000</td><td class=\"number\">0.1234</td>",
        ],
    );
    assert_eq!(section.matches("<td>single output</td>").count(), 2);
    says(&section, &["claimed, and certainly not used</text>", "class=\"bar unused\""]);
    assert!(!text(&attack(0.9, Some(0.995))).contains("bar unused"), "nothing to see");
    assert!(!section.contains("class=\"bar excess\"") && !section.contains("vidence against the proof"));
}

#[test]
fn a_bound_above_the_claim_accuses() {
    let section = text(&attack(1.5, Some(0.2)));
    says(
        &section,
        &[
            "<strong>Evidence against the claim. </strong>",
            "is at least <strong>1.5</strong>, and only 1 is claimed. What was drawn from does not keep the promise",
            "at most one of 1,000 such attacks",
            "of this, more than is claimed",
            "or further: above 1.5",
        ],
    );
    assert!(section.contains("class=\"bar excess\"") && !section.contains("No evidence"));
}

#[test]
fn a_bound_above_the_certified_value_accuses_what_was_drawn_from() {
    let section = text(&attack(0.5, Some(0.2)));
    says(
        &section,
        &["but against the proof. ", "What was drawn from is not what was proved.", "more than is certified"],
    );
}

#[test]
fn what_one_call_tells_of_another_is_no_matter_of_the_claim() {
    let mut figures = attack(0.25, None);
    figures.audit.tests[1].family = Family::Carried;
    figures.audit.tests[1].claimed = Some(0.0);
    let section = text(&figures);
    says(
        &section,
        &[
            "<strong>Evidence against fresh noise. </strong>",
            "is at least <strong>0.25</strong> in what the output of one call tells of the secret of the call next to it",
            "told of another call: at least 0.25",
            "<td>other call</td>",
            "<td class=\"number\">0.25</td><td class=\"number\">0</td>",
        ],
    );
    assert!(!section.contains("vidence against the claim"), "{section}");
}

#[test]
fn nothing_found_and_nothing_certified_are_said() {
    let nothing = text(&attack(0.0, Some(0.2)));
    says(
        &nothing,
        &[
            "No event was found",
            "ε ≥ 0<small>",
            "the draws prove nothing</text>",
            "the truth is somewhere here: 0 to 0.2",
        ],
    );
    let uncertain = text(&attack(0.1, None));
    says(&uncertain, &["<dd>nothing<small>about what was drawn from", "or further: above 0.1", "nothing certifies"]);
    assert!(!uncertain.contains("certified: at most") && uncertain.contains("<path class=\"bar open\""));
    says(&text(&attack(0.1, Some(f64::INFINITY))), &["<dd>no bound<small>the true ε is infinite"]);
    let mut unclaimed = attack(0.1, None);
    unclaimed.audit.tests.iter_mut().for_each(|test| test.claimed = None);
    let unclaimed = text(&unclaimed);
    says(&unclaimed, &["There was no claim to test.", "<td class=\"number\">none</td>"]);
    assert!(!unclaimed.contains("claimed: "));
}
