//! A chain file as JSON.

use super::ChainClass;
use super::chain_file::ChainFile;
use lookalike::exact::Rational;
use lookalike::model::Distribution;
use lookalike::pufferfish::{Chain, Initial};
use serde_json::{Value, json};

impl ChainFile {
    /// The file as JSON, every number an exact text; [`ChainFile::from_json`] reads it back to the same chains.
    pub fn to_json(&self) -> String {
        let mut object = match &self.bins {
            Some(edges) => json!({ "bins": texts(edges) }),
            None => json!({ "states": self.states.iter().collect::<Vec<_>>() }),
        };
        if let Some(values) = &self.values {
            object["values"] = texts(values);
        }
        match &self.class {
            ChainClass::Chains(chains) => {
                let one = |(place, chain): (usize, &Chain)| {
                    let rows: Vec<Value> = chain.transition().iter().map(law).collect();
                    let mut one = json!({ "initial": initial(chain.initial()), "transition": rows });
                    if let Some(name) = self.names.get(place) {
                        one["name"] = name.as_str().into();
                    }
                    one
                };
                object["chain"] = chains.iter().enumerate().map(one).collect();
            }
            ChainClass::Box(limits) => {
                object["initial"] = initial(limits.initial());
                let [one, other] = [0, 1].map(|state| self.states.name(state));
                object["leave"] = json!({ one: texts(limits.up()), other: texts(limits.down()) });
            }
        }
        object.to_string()
    }
}

fn initial(initial: &Initial) -> Value {
    match initial {
        Initial::Stationary => "stationary".into(),
        Initial::Arbitrary => "arbitrary".into(),
        Initial::Given(given) => law(given),
    }
}

fn law(law: &Distribution) -> Value {
    law.probabilities().map(|share| Value::from(share.to_string())).collect()
}

fn texts(numbers: &[Rational]) -> Value {
    numbers.iter().map(|number| Value::from(number.to_string())).collect()
}
