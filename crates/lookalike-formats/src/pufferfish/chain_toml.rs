//! A chain file as text.

use super::ChainClass;
use super::chain_file::ChainFile;
use crate::text::{exact_number, joined, key, quoted};
use lookalike::exact::Rational;
use lookalike::model::Distribution;
use lookalike::pufferfish::{Chain, Initial};

impl ChainFile {
    /// The file as TOML; [`ChainFile::from_toml`] reads it back to the same chains.
    pub fn to_toml(&self) -> String {
        let mut text = match &self.bins {
            Some(edges) => format!("bins = {}\n", numbers(edges.iter())),
            None => format!("states = [{}]\n", joined(self.states.iter().map(quoted))),
        };
        if let Some(values) = &self.values {
            text += &format!("values = {}\n", numbers(values.iter()));
        }
        text += &match &self.class {
            ChainClass::Chains(chains) if chains.len() == 1 && self.names.is_empty() => one(&chains[0]),
            ChainClass::Chains(chains) => {
                chains.iter().enumerate().map(|(place, chain)| self.table(place) + &one(chain)).collect()
            }
            ChainClass::Box(limits) => {
                let line = |state: u32, ends: &[Rational; 2]| {
                    format!("{} = {}\n", key(self.states.name(state)), numbers(ends.iter()))
                };
                format!("initial = {}\n\n[leave]\n", initial(limits.initial()))
                    + &line(0, limits.up())
                    + &line(1, limits.down())
            }
        };
        text
    }

    fn table(&self, place: usize) -> String {
        let name = self.names.get(place).map(|name| format!("name = {}\n", quoted(name)));
        format!("\n[[chain]]\n{}", name.unwrap_or_default())
    }
}

/// The keys of one chain.
fn one(chain: &Chain) -> String {
    let rows: String = chain.transition().iter().map(|row| format!("    {},\n", law(row))).collect();
    format!("initial = {}\ntransition = [\n{rows}]\n", initial(chain.initial()))
}

fn initial(initial: &Initial) -> String {
    match initial {
        Initial::Stationary => quoted("stationary"),
        Initial::Arbitrary => quoted("arbitrary"),
        Initial::Given(given) => law(given),
    }
}

fn law(law: &Distribution) -> String {
    numbers(law.probabilities().collect::<Vec<_>>().iter())
}

fn numbers<'a>(numbers: impl Iterator<Item = &'a Rational>) -> String {
    format!("[{}]", joined(numbers.map(exact_number)))
}
