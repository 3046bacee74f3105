use super::*;
use lookalike_formats::{Alone, json_of};

const SPEC: &str = "epsilon = 0.5\ncategories = [\"a\", \"b\", \"c\"]\n[profiles]\nana = [0.2, 0.3, 0.5]\n\
                    bo = [0.5, 0.5, 0]\n[graph]\nshape = \"chain\"\n";

fn request() -> DesignRequest {
    DesignRequest::new(Spec::from_toml(SPEC, &Alone).unwrap())
}

fn target(text: &str) -> Option<EpsilonTarget> {
    Some(EpsilonTarget { text: text.to_owned(), reports: None, confidence: 0.95 })
}

#[test]
fn facts_are_those_of_the_design_and_end_with_what_was_wanted() {
    let outcome = DesignRequest { epsilon_for: target("max-flip=0.3"), ..request() }.run(Watch::default()).unwrap();
    let facts = json_of(&outcome.facts(Some(Path::new("m.json"))));
    let keys: Vec<&str> = facts.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!((keys[0], keys[keys.len() - 1]), ("mechanism", "epsilon_for"));
    assert_eq!((&facts["file"], &facts["epsilon_for"]["at_most"]), (&"m.json".into(), &0.3.into()));
    assert_eq!(facts["objective"]["value"].as_f64(), facts["epsilon_for"]["value"].as_f64());
    assert!(facts["epsilon_for"].get("reports").is_none() && facts["family_bound"].is_null());
    let plain = json_of(&request().run(Watch::default()).unwrap().facts(None));
    assert!(plain.get("epsilon_for").is_none() && plain["file"].is_null());
    assert!(plain["baseline"]["value"].as_f64() > plain["objective"]["value"].as_f64());
}

#[test]
fn an_objective_beside_one_that_is_wanted_is_refused_and_a_width_needs_one() {
    let objective = DesignOverrides { objective: Some("max-flip".to_owned()), ..DesignOverrides::default() };
    let run = |epsilon_for, overrides| DesignRequest { epsilon_for, overrides, ..request() }.run(Watch::default());
    let refused = run(target("max-flip=0.3"), objective.clone()).unwrap_err().to_string();
    assert_eq!(refused, "`objective`: that of `epsilon-for` is what the design minimizes");
    assert!(run(target("speed=1"), objective.clone()).unwrap_err().to_string().starts_with("`epsilon-for`: "));
    let width = EpsilonTarget { text: "width=0.9".to_owned(), reports: Some(1000), confidence: 0.95 };
    assert_eq!(run(Some(width), objective).unwrap().design.objective.name, "max-flip");
}

#[test]
fn values_that_profiles_never_have_are_warned_of_where_they_are_not_hidden() {
    let warned = |mechanism: &str| {
        let choices = DesignChoices { mechanism: Some(mechanism.parse().unwrap()), ..DesignChoices::default() };
        DesignRequest { choices, ..request() }.run(Watch::default()).unwrap().warnings
    };
    assert!(warned("smooth-categorical").is_empty());
    let told = warned("cluster");
    assert_eq!((told.len(), told[0].name()), (1, "privacy"));
    assert!(told[0].sentence().to_string().contains("profile \"bo\" never has \"c\""), "{told:?}");
}

#[test]
fn a_gap_is_refused_where_it_is_larger_than_asked_for() {
    let choices = DesignChoices { mechanism: Some("cluster".parse().unwrap()), ..DesignChoices::default() };
    let run = |most: &str| {
        let max_gap = Some(most.parse().unwrap());
        DesignRequest { choices, max_gap, ..request() }.run(Watch::default())
    };
    assert!(run("1e-6").unwrap_err().is_refusal());
    assert!(run("1").is_ok());
}

#[test]
fn work_that_is_stopped_before_the_proof_is_an_error() {
    let at_once = || true;
    assert!(request().run(Watch::default().stop_when(&at_once)).is_err());
}
