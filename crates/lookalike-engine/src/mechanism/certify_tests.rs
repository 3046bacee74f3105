use super::*;
use lookalike::design::{Options, design};
use lookalike_formats::{Alone, MechanismFile, json_of};

fn spec(epsilon: &str) -> Spec {
    let text = format!(
        "epsilon = {epsilon}\ncategories = [\"a\", \"b\"]\n[profiles]\nana = [0.2, 0.8]\nbo = [0.5, 0.5]\n\
         [graph]\nshape = \"chain\"\n"
    );
    Spec::from_toml(&text, &Alone).unwrap()
}

fn request(covered: Option<Spec>) -> CertifyRequest {
    let mechanism = design(&spec("0.5").problem, &Options::default()).unwrap().mechanism;
    let mechanism = Stated::Yes(MechanismFile::of(mechanism).into());
    CertifyRequest { mechanism, spec: covered, profiles_within: None, delta_at: None }
}

#[test]
fn a_claim_is_certified_and_one_that_covers_less_than_the_spec_is_not() {
    for (epsilon, covers) in [("0.5", true), ("0.499", false)] {
        let outcome = request(Some(spec(epsilon))).run().unwrap();
        let facts = json_of(&outcome.facts());
        assert_eq!((outcome.is_certified(), facts["certified"].as_bool()), (covers, Some(covers)));
        assert_eq!(facts.get("witness").is_none(), covers);
        assert_eq!(facts["epsilon"]["claimed_text"], "1/2");
    }
}

#[test]
fn delta_is_said_where_it_is_asked_for() {
    assert!(json_of(&request(None).run().unwrap().facts()).get("delta").is_none());
    let asked = CertifyRequest { delta_at: Some("0.25".parse().unwrap()), ..request(None) };
    let facts = json_of(&asked.run().unwrap().facts());
    assert!(facts["delta"]["upper"].as_f64().unwrap() > 0.0);
    assert_eq!(facts["delta"]["edge"].as_array().unwrap().len(), 2);
}

#[test]
fn what_is_asked_of_channels_is_refused_for_noise() {
    let numbers =
        Noise::for_epsilon("1".parse().unwrap(), lookalike::exact::Rational::from_integer(2.into()), 0).unwrap();
    let mechanism = Stated::Yes(MechanismFile::of(numbers).into());
    let asked =
        CertifyRequest { mechanism, spec: None, profiles_within: None, delta_at: Some("0.25".parse().unwrap()) };
    let refused = asked.run().unwrap_err().to_string();
    assert_eq!(refused, "`delta-at` is about channels between categories, and this file is of the kind noise");
}
