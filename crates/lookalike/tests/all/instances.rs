//! Every design of a set that was chosen for what stops solvers comes back, certified and as good as it can be.
//!
//! A tenth of the set; all of it with `LOOKALIKE_INSTANCES=all`, as in `make soak`.

use lookalike::certify::certify;
use lookalike::design::{MechanismName, Options, design};
use lookalike_instances::{all, questions};

/// The gap beside the value that each design may have, and the one that 99 of 100 must have.
const ALL_WITHIN: f64 = 1e-6;
const NEARLY_ALL_WITHIN: f64 = 1e-8;

/// Every how manieth of the set is tested.
fn step() -> usize {
    if std::env::var("LOOKALIKE_INSTANCES").is_ok_and(|chosen| chosen == "all") { 1 } else { 10 }
}

#[test]
fn every_design_comes_back_certified_and_within_its_gap() {
    let options = Options::named(MechanismName::SmoothCategorical);
    let (mut designs, mut coarse) = (0, Vec::new());
    for instance in all().iter().step_by(step()) {
        let problem = instance.problem().unwrap_or_else(|error| panic!("{}: {error}", instance.name));
        let found = design(&problem, &options).unwrap_or_else(|error| panic!("{}: {error}", instance.name));
        let gap = found.objective.relative_gap();
        assert!(gap <= ALL_WITHIN, "{}: a gap of {gap:.1e} beside its value", instance.name);
        let rule = found.solution.tie_break.unwrap_or_default();
        assert!(!rule.starts_with("none") && !rule.contains("not proven"), "{}: chosen by {rule:?}", instance.name);
        certify(found.mechanism).unwrap_or_else(|violation| panic!("{}: {violation}", instance.name));
        designs += 1;
        if gap > NEARLY_ALL_WITHIN {
            coarse.push(instance.name.clone());
        }
    }
    assert!(100 * coarse.len() <= designs, "{} of {designs} designs are coarse: {coarse:?}", coarse.len());
}

#[test]
fn every_mechanism_for_counts_and_places_comes_back_certified_and_within_its_gap() {
    let (mut answers, mut coarse) = (0, Vec::new());
    for question in questions().iter().step_by(step()) {
        let found = question.answer().unwrap_or_else(|error| panic!("{}: {error}", question.name));
        let gap = if found.value > 0.0 { (found.value - found.bound) / found.value } else { 0.0 };
        assert!((-1e-12..=ALL_WITHIN).contains(&gap), "{}: a gap of {gap:.1e} beside its value", question.name);
        certify(found.mechanism).unwrap_or_else(|violation| panic!("{}: {violation}", question.name));
        answers += 1;
        if gap > NEARLY_ALL_WITHIN {
            coarse.push(question.name.clone());
        }
    }
    assert!(100 * coarse.len() <= answers, "{} of {answers} answers are coarse: {coarse:?}", coarse.len());
}
