use super::*;
use lookalike::design::{Problem, randomized_response};
use lookalike::local::{Protocol, oracle};
use lookalike::model::{Categories, SecretGraph};
use lookalike_formats::{MechanismFile, json_of};

fn coin() -> AnyMechanism {
    let bits = Categories::new(["no", "yes"]).unwrap();
    let mut builder = SecretGraph::builder(bits.names().clone());
    builder.complete(&"ln(3)".parse().unwrap());
    let problem = Problem::values(bits, builder.build().unwrap()).unwrap();
    AnyMechanism::Finite(Box::new(MechanismFile::of(randomized_response(&problem).unwrap().mechanism)))
}

fn request(mechanism: AnyMechanism, releases: &[u64]) -> AccountRequest {
    AccountRequest { mechanism, releases: releases.to_vec(), delta: Rational::default() }
}

#[test]
fn without_a_delta_the_account_of_a_coin_is_the_sum() {
    let facts = json_of(&request(coin(), &[1, 2]).run().unwrap().unwrap().facts());
    assert_eq!((&facts["secrets"], &facts["delta"]), (&"values".into(), &"0".into()));
    for (row, count) in [(0, 1.0), (1, 2.0)] {
        let row = &facts["releases"][row];
        let (sum, found) = (row["sum"].as_f64().unwrap(), row["epsilon_at_delta"].as_f64().unwrap());
        assert!((sum - count * 3f64.ln()).abs() < 1e-9 && (found - sum).abs() < 1e-9, "{row}");
        assert!(row.get("together").is_none());
    }
}

#[test]
fn a_delta_above_one_and_no_release_are_refused() {
    let too_much = AccountRequest { delta: Rational::from_integer(2.into()), ..request(coin(), &[1]) };
    assert!(too_much.run().unwrap_err().to_string().contains("expected a number from 0 to 1"));
    let none = request(coin(), &[0]).run().unwrap_err().to_string();
    assert!(none.starts_with("`releases`: "), "{none}");
}

#[test]
fn an_oracle_is_counted_too() {
    let names = Categories::new(["a", "b", "c"]).unwrap();
    let made = oracle(Protocol::Subset, names, "1".parse().unwrap()).unwrap();
    let mechanism = AnyMechanism::Oracle(Box::new(MechanismFile::of(made)));
    let outcome = request(mechanism, &[3]).run().unwrap().unwrap();
    let AccountRows::Composed { rows, .. } = &outcome.rows else { panic!("moments") };
    assert_eq!((rows[0].statement, rows[0].sum.to_string()), (Statement::AnyPairs, "3".to_owned()));
}
